//! A check of interpolants that shares no code with the crate.

use foretell_kernel::{Answer, Budget, Cx, SolverConfig, Work};
use foretell_terms::{Func, Term, TermStore};
use std::collections::BTreeSet;
use std::time::Duration;

use crate::context::over;

/// Runs `body` with a context over `store` and a time limit.
pub fn with_cx<T>(store: &TermStore, limit: Duration, body: impl FnOnce(&Cx<'_>) -> T) -> T {
    over(store, &Budget::with_time(limit), body)
}

/// What Z3 says of a conjunction, with time of its own: `Some(true)` satisfiable, `Some(false)`
/// unsatisfiable.
pub fn satisfiable(formulas: &[Term], cx: &Cx<'_>) -> Option<bool> {
    let fresh = Budget::with_time(Duration::from_secs(80));
    let cx = &cx.with_budget(&fresh);
    // Z3 uses other procedures inside a scope: what one leaves open the other may decide.
    let (short, long) = (Work::of_millis(5000), Work::of_millis(60_000));
    ask(formulas, Scope::None, short, cx).or_else(|| ask(formulas, Scope::Pushed, long, cx))
}

/// Whether the question is asked inside a scope.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    None,
    Pushed,
}

fn ask(formulas: &[Term], scope: Scope, limit: Work, cx: &Cx<'_>) -> Option<bool> {
    let mut solver = cx
        .oracles
        .solver(&SolverConfig::new("test").with_limit(limit));
    if scope == Scope::Pushed {
        solver.push();
    }
    for f in formulas {
        solver.assert(cx.terms, *f).ok()?;
    }
    match solver.check(&[], cx).ok()? {
        Answer::Sat(_) => Some(true),
        Answer::Unsat(_) => Some(false),
        Answer::Unknown(_) => None,
    }
}

fn symbols(store: &TermStore, formulas: &[Term]) -> BTreeSet<Func> {
    store
        .subterms(formulas)
        .into_iter()
        .filter_map(|t| store.func(t))
        .collect()
}

/// Why the formulas are no tree interpolants; `None` if they are.  A sequence is a path.
pub fn tree_fault(
    parts: &[Term],
    parents: &[Option<usize>],
    itps: &[Term],
    cx: &Cx<'_>,
) -> Option<String> {
    if itps.len() + 1 != parts.len() {
        return Some("wrong number".into());
    }
    for (i, part) in parts.iter().enumerate() {
        let mut formulas = vec![*part];
        formulas.extend((0..i).filter(|c| parents[*c] == Some(i)).map(|c| itps[c]));
        if let Some(itp) = itps.get(i) {
            formulas.push(cx.terms.not(*itp));
        }
        match satisfiable(&formulas, cx) {
            Some(false) => {}
            Some(true) => return Some(format!("step {i} is satisfiable")),
            None => return Some(format!("step {i} is undecided")),
        }
    }
    for (i, itp) in itps.iter().enumerate() {
        let inside = |mut j: usize| loop {
            if j == i {
                return true;
            }
            match parents[j] {
                Some(p) => j = p,
                None => return false,
            }
        };
        let (a, b): (Vec<usize>, Vec<usize>) = (0..parts.len()).partition(|j| inside(*j));
        let of = |nodes: &[usize]| {
            symbols(
                cx.terms,
                &nodes.iter().map(|j| parts[*j]).collect::<Vec<_>>(),
            )
        };
        let (a, b) = (of(&a), of(&b));
        if let Some(f) = symbols(cx.terms, &[*itp])
            .into_iter()
            .find(|f| !a.contains(f) || !b.contains(f))
        {
            return Some(format!("{} leaks at {i}", cx.terms.name(f)));
        }
    }
    None
}

/// The parents of a path of `n` nodes.
pub fn path(n: usize) -> Vec<Option<usize>> {
    (0..n).map(|i| (i + 1 < n).then_some(i + 1)).collect()
}
