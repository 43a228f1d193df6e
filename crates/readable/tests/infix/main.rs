//! What readers see in infix notation can be read in one way only: random formulas are written, parsed,
//! and compared with what was written under random values.

mod maker;
mod meaning;
mod parser;

use std::collections::BTreeSet;

use foretell_readable::formula;
use foretell_readable::normal::compact;
use foretell_readable::shape::shape;
use foretell_terms::{FuncMap, Sort, TermStore};
use maker::{KINDS, Kind, Maker};
use meaning::{Scope, instances};

/// Formulas of each kind, and values for each.
const FORMULAS: u64 = 20;
const VALUATIONS: usize = 1000;

/// Whether a formula comes back; under how many values it was compared.
fn comes_back(kind: Kind, seed: u64) -> usize {
    let store = TermStore::new();
    let maker = Maker::new(&store, seed, kind);
    let depth = 1 + u32::try_from(seed % 3).expect("small");
    let original = maker.formula(&maker.vars, depth);
    let readable = formula(&store, original, &FuncMap::default(), &BTreeSet::new());
    let sorts = maker.sorts().map(|sort| (store.print_sort(sort), sort));
    let scope = Scope {
        store: &store,
        vars: maker
            .vars
            .iter()
            .map(|&v| (store.var_name(v).to_owned(), v))
            .collect(),
        functions: vec![maker.function],
        sorts: sorts.to_vec(),
    };
    let texts: Vec<String> = sorts.iter().map(|(text, _)| text.clone()).collect();
    let parts = readable.infix.iter().map(|line| {
        let ast = parser::parse(line, &texts);
        scope.term(&ast, Some(Sort::BOOL))
    });
    let parsed = store.and(parts.collect::<Vec<_>>());
    let values = |sort| maker.instances(sort);
    // Whether quantified formulas stay the same when they are made compact is another test's question,
    // which takes more instances.
    let written = match kind {
        Kind::Quantifiers => shape(&store, compact(&store, original)).meaning(&store),
        _ => original,
    };
    let (a, b) = (
        instances(&store, written, &values),
        instances(&store, parsed, &values),
    );
    if a == b {
        // The very term came back.
        return VALUATIONS;
    }
    let mut compared = 0;
    for _ in 0..VALUATIONS {
        let values = maker.valuation();
        let all = store.eval_all(&[a, b], &values);
        // Division by zero may be simplified away.
        if let (Ok(was), Ok(is)) = (&all[&a], &all[&b]) {
            assert!(
                was == is,
                "{kind:?} {seed}: {was:?} became {is:?}\n{}\n{}\n{}\n{values:?}",
                store.print(original),
                readable.infix.join("\n"),
                store.print(parsed),
            );
            compared += 1;
        }
    }
    compared
}

#[test]
fn infix_texts_have_one_meaning() {
    for kind in KINDS {
        let compared: usize = (0..FORMULAS).map(|seed| comes_back(kind, seed)).sum();
        let all = VALUATIONS * usize::try_from(FORMULAS).expect("small");
        assert!(compared > all / 2, "{kind:?}: {compared} values of {all}");
    }
}
