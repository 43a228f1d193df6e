//! Reads a model: definitions of the predicates, one formula each.
//!
//! A part of [`crate::engine`]. The text is somebody's output: whatever is not understood makes the
//! model unreadable, and a predicate that is not defined is `true`; the checker decides whether the
//! whole is a proof.

use foretell_smtlib::{Diagnostics, Elaborator, Reader, Sexp};
use foretell_systems::{ChcProof, ChcSystem};
use foretell_terms::{Sort, Term, TermStore};

use crate::spell;

/// The proof that a text of definitions `(define-fun R0 ((x Int)) Bool …)` stands for, in a list or
/// one after the other; `None` when it cannot be read.
pub(crate) fn read(text: &str, system: &ChcSystem, terms: &TermStore) -> Option<ChcProof> {
    let mut formulas = vec![terms.tt(); system.preds.len()];
    let (mut reader, mut complaints) = (Reader::new(text), Diagnostics::default());
    let mut elaborator = Elaborator::new(terms);
    elaborator.know_datatypes();
    while let Some(command) = reader.next_command(&mut complaints) {
        let whole = command.sexp();
        if whole.is_list() && whole.items().next().is_none_or(Sexp::is_list) {
            for definition in whole.items() {
                define(definition, system, &mut elaborator, &mut formulas)?;
            }
        } else {
            define(whole, system, &mut elaborator, &mut formulas)?;
        }
    }
    (!complaints.failed()).then_some(ChcProof {
        formulas,
        witness: None,
    })
}

/// Takes one definition: that of a predicate, or of a function that later ones use.
fn define(
    definition: Sexp<'_>,
    system: &ChcSystem,
    elaborator: &mut Elaborator<'_>,
    formulas: &mut [Term],
) -> Option<()> {
    let items: Vec<Sexp<'_>> = definition.items().collect();
    let pred = items
        .get(1)
        .and_then(|n| n.symbol())
        .and_then(|n| spell::pred(n, system));
    let Some(pred) = pred else {
        return elaborator.declaration(definition).ok()?.map(|_| ());
    };
    let [word, _, params, _, body] = items.as_slice() else {
        return None;
    };
    let declared = &system.pred(pred).params;
    let names: Option<Vec<&str>> = params.items().map(|p| p.items().next()?.symbol()).collect();
    let names = names.filter(|n| n.len() == declared.len() && word.is_word("define-fun"))?;
    let mut bound = Vec::new();
    for (name, &param) in names.iter().zip(declared) {
        let id = elaborator.symbols().id(name);
        elaborator.symbols().bind(id, param);
        bound.push(id);
    }
    let body = elaborator.term_of_sort(*body, Sort::BOOL);
    bound.iter().for_each(|&id| elaborator.symbols().unbind(id));
    formulas[pred.index()] = body.ok()?;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::read;
    use foretell_systems::ChcSystem;
    use foretell_terms::{Sort, TermStore};

    #[test]
    fn what_is_not_understood_is_no_model() {
        let terms = TermStore::new();
        let mut system = ChcSystem::default();
        system.add_pred(&terms, "p", &[Sort::INT]);
        let reads = |text: &str| read(text, &system, &terms).is_some();
        assert!(reads("((define-fun R0 ((x!0 Int)) Bool (<= 0 x!0)))"));
        assert!(reads(
            "(define-fun f ((y Int)) Int (+ y 1)) (define-fun R0 ((z Int)) Bool (< 0 (f z)))"
        ));
        assert!(reads("()"));
        assert!(!reads("((define-fun R0 ((x!0 Int)) Bool (<= 0 y)))"));
        assert!(!reads("((define-fun R0 () Bool true))"));
        assert!(!reads("((define-fun R0 ((x Int)) Bool (_ as-array k!0)))"));
        assert!(!reads("((define-fun-rec R0 ((x Int)) Bool (R0 x)))"));
        assert!(!reads("((define-fun R0 ((x Int)) Bool (<= 0 x))"));
    }
}
