//! Frozen arguments: values no rule ever changes.
//!
//! ```text
//! loop(a, 0, n)  ⇐ n > 0
//! loop(store(a, i, 0), i + 1, n) ⇐ loop(a, i, n) ∧ i < n          frozen: loop.2
//! false ⇐ loop(a, i, n) ∧ …
//! ```
//!
//! A class of aligned arguments ([`Alignment`]) is **frozen** when every rule either has no argument
//! in the class, or has one in every body atom and in the head and these are the same term. Facts may
//! choose any value. Such an argument is a rigid parameter of the transition system: engines need no
//! frame condition for it, and a term over frozen symbols has one value in the whole run.

use foretell_systems::{ChcSystem, Clause};
use foretell_terms::{Op, Term, TermStore};

use crate::alignment::Alignment;

/// Which classes of an alignment are frozen.
pub(crate) fn frozen_classes(system: &ChcSystem, alignment: &Alignment) -> Vec<bool> {
    (0..alignment.classes.len())
        .map(|class| is_frozen(system, alignment, class))
        .collect()
}

fn is_frozen(system: &ChcSystem, alignment: &Alignment, class: usize) -> bool {
    system.clauses.iter().all(|clause| {
        let Some(head) = &clause.head else {
            return true;
        };
        let target = alignment.position(class, head.pred).map(|k| head.args[k]);
        clause
            .body
            .iter()
            .all(|atom| alignment.position(class, atom.pred).map(|k| atom.args[k]) == target)
    })
}

/// Which classes of an alignment say where an array is written: no rule that has them on both sides changes
/// them, and some rule writes at an index that mentions them. They may begin and end on the way:
///
/// ```text
/// scan(store(s, n - 1, 0), 0, n) ⇐ filled(s, n)      i < n ∧ s[n - 1] = 0 is the invariant of scan;
/// scan(s, i + 1, n) ⇐ scan(s, i, n) ∧ s[i] ≠ 0       without n it would be ∃m. i ≤ m ∧ s[m] = 0
/// ```
pub(crate) fn sentinel_classes(
    system: &ChcSystem,
    alignment: &Alignment,
    terms: &TermStore,
) -> Vec<bool> {
    let mut sentinels = vec![false; alignment.classes.len()];
    for clause in &system.clauses {
        let written = written_at(clause, terms);
        let atoms = clause.body.iter().chain(&clause.head);
        for atom in atoms.filter(|_| !written.is_empty()) {
            for (k, arg) in atom.args.iter().enumerate() {
                sentinels[alignment.class(atom.pred, k)] |= written.contains(arg);
            }
        }
    }
    let keeps = |class: usize| {
        system.clauses.iter().all(|clause| {
            let head = clause.head.as_ref();
            let target = head.and_then(|h| alignment.position(class, h.pred).map(|k| h.args[k]));
            let sources = clause.body.iter();
            let mut sources =
                sources.filter_map(|a| alignment.position(class, a.pred).map(|k| a.args[k]));
            sources.all(|source| target.is_none_or(|target| target == source))
        })
    };
    (0..sentinels.len())
        .map(|class| sentinels[class] && keeps(class))
        .collect()
}

/// The variables in the indices at which a clause writes.
fn written_at(clause: &Clause, terms: &TermStore) -> Vec<Term> {
    let head = clause.head.iter().flat_map(|atom| &atom.args).copied();
    let roots: Vec<Term> = head.chain([clause.constraint]).collect();
    let mut indices = Vec::new();
    for term in terms.subterms(&roots) {
        if *terms.op(term) == Op::Store {
            let args = terms.args(term);
            indices.extend(args[1..args.len() - 1].iter().copied());
        }
    }
    terms.free_vars(&indices)
}
