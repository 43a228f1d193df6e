//! For which values a clause fails under a model that was rejected.
//!
//! The model is read by the front end's reader and the first clause that does not hold is looked for
//! with a solver in this process. This explains a rejection, it does not decide one.

use foretell_certify::{Document, Id};
use foretell_kernel::{Answer, Budget, Cx, NullSink, Rng, SolverConfig, Work};
use foretell_smtlib::{Diagnostics, Elaborator, Reader};
use foretell_solver::Z3Oracles;
use foretell_systems::{Atom, ChcSystem, Clause};
use foretell_terms::{Sort, Term, TermStore};

use super::validate::Validation;
use crate::protocol::Ask;
use crate::worker::input::{Rung, read_input};

/// What the search for one clause may cost.
const QUERY: Work = Work::of_millis(1000);

/// A clause that does not hold.
pub struct Failing {
    /// The line of the clause in the problem.
    pub line: u32,
    /// Values of its variables for which it does not hold: names and values.
    pub values: Vec<(String, String)>,
}

/// The first clause that fails under a model, with values; `None` when none was found.
pub fn failing(what: &Validation<'_>) -> Option<Failing> {
    let terms = TermStore::new();
    let ask = Ask::One(what.property);
    let input = read_input(what.text.as_bytes(), &ask, &terms).ok()?;
    let Rung::Clauses(system, ..) = &input.problem else {
        return None;
    };
    let formulas = formulas(what.witness, system, &terms)?;
    let (oracles, rng) = (Z3Oracles::default(), Rng::new(0));
    let budget = what.limit.map_or_else(Budget::unlimited, Budget::with_time);
    let cx = Cx {
        terms: &terms,
        events: &NullSink,
        budget: &budget,
        oracles: &oracles,
        rng: &rng,
    };
    system
        .clauses
        .iter()
        .find_map(|clause| violation(system, &formulas, clause, &cx))
}

/// The formulas of a model, one per predicate; `None` when it cannot be read.
fn formulas(witness: &str, system: &ChcSystem, terms: &TermStore) -> Option<Vec<Term>> {
    let doc = Document::read(witness).ok()?;
    let mut work: Vec<Id> = doc.roots().to_vec();
    let mut found: Vec<Option<Term>> = vec![None; system.preds.len()];
    while let Some(id) = work.pop() {
        let Some(parts) = doc.list(id) else {
            continue;
        };
        let [word, name, params, _, body] = parts else {
            work.extend(parts);
            continue;
        };
        if doc.symbol(*word) != Some("define-fun") {
            work.extend(parts);
            continue;
        }
        let name = doc.symbol(*name)?;
        let place = system
            .preds
            .iter()
            .position(|p| terms.name(p.func) == name)?;
        let mut names = Vec::new();
        for &param in doc.list(*params)? {
            names.push(doc.symbol(*doc.list(param)?.first()?)?);
        }
        let params = &system.preds[place].params;
        found[place] = Some(parse(&doc.show(*body), &names, params, terms)?);
    }
    found.into_iter().collect()
}

fn parse(text: &str, names: &[&str], params: &[Term], terms: &TermStore) -> Option<Term> {
    let whole = format!("(formula {text})");
    let (mut reader, mut complaints) = (Reader::new(&whole), Diagnostics::default());
    let command = reader.next_command(&mut complaints)?;
    let formula = command.sexp().items().nth(1)?;
    let mut elaborator = Elaborator::new(terms);
    for (name, &param) in names.iter().zip(params) {
        let id = elaborator.symbols().id(name);
        elaborator.symbols().bind(id, param);
    }
    elaborator.term_of_sort(formula, Sort::BOOL).ok()
}

/// Values for which the body holds and the head does not.
fn violation(
    system: &ChcSystem,
    formulas: &[Term],
    clause: &Clause,
    cx: &Cx<'_>,
) -> Option<Failing> {
    let terms = cx.terms;
    let instance = |atom: &Atom| {
        let params = system.pred(atom.pred).params.iter().copied();
        terms.substitute(
            formulas[atom.pred.index()],
            params.zip(atom.args.iter().copied()),
        )
    };
    let body = clause.body.iter().map(instance);
    let head = clause.head.as_ref().map(|atom| terms.not(instance(atom)));
    let wrong = terms.and(body.chain([clause.constraint]).chain(head));
    let config = SolverConfig::new("failing").with_limit(QUERY);
    let mut solver = foretell_kernel::Oracles::solver(cx.oracles, &config);
    solver.assert(terms, wrong).ok()?;
    let Ok(Answer::Sat(model)) = solver.check(&[], cx) else {
        return None;
    };
    let value = |&var: &Term| {
        let value = model.value(terms, var)?;
        let text = terms.print_value(&value, terms.sort(var));
        Some((terms.var_name(var).to_owned(), text))
    };
    Some(Failing {
        line: clause.line,
        values: clause.vars.iter().filter_map(value).collect(),
    })
}
