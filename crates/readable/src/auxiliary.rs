//! Auxiliary variables that a certificate can do without.
//!
//! A history or prophecy variable matters when the invariant mentions it, or what defines one that
//! matters. Obligations mention the others nowhere, so that a certificate without them is accepted
//! exactly when the one with them is.

use foretell_systems::chc::{ChcAuxiliary, ChcWitness};
use foretell_systems::{Auxiliary, Invariant};
use foretell_terms::{Term, TermStore};

/// The witness without auxiliary variables that do not matter.
pub fn without_unused_of_clauses(store: &TermStore, witness: &ChcWitness) -> ChcWitness {
    let parts = |auxiliary: &ChcAuxiliary| -> Parts {
        let (ChcAuxiliary::Prophecy { var, targets: list }
        | ChcAuxiliary::History { var, updates: list }) = auxiliary;
        (vec![*var], list.iter().flatten().copied().collect())
    };
    ChcWitness {
        auxiliaries: needed(store, &witness.auxiliaries, &witness.invariants, &parts),
        invariants: witness.invariants.clone(),
    }
}

/// The invariant without auxiliary variables that do not matter.
pub fn without_unused(store: &TermStore, invariant: &Invariant) -> Invariant {
    let parts = |auxiliary: &Auxiliary| match auxiliary {
        Auxiliary::Prophecy { var, target } => (vec![*var], vec![*target]),
        Auxiliary::History {
            var,
            next,
            init,
            update,
        } => (vec![*var, *next], vec![*init, *update]),
    };
    Invariant {
        auxiliaries: needed(store, &invariant.auxiliaries, &[invariant.formula], &parts),
        ..invariant.clone()
    }
}

/// The variables of a member, and what defines them.
type Parts = (Vec<Term>, Vec<Term>);

/// The members that roots mention, and those that needed members mention; in order. A definition
/// mentions only members before it, so one pass from the last to the first finds them all.
fn needed<A: Clone>(
    store: &TermStore,
    all: &[A],
    roots: &[Term],
    parts: &dyn Fn(&A) -> Parts,
) -> Vec<A> {
    let mut used = roots.to_vec();
    let mut kept = Vec::new();
    for auxiliary in all.iter().rev() {
        let (vars, definition) = parts(auxiliary);
        let mentioned = store.subterms(&used);
        if vars.iter().any(|v| mentioned.contains(v)) {
            used.extend(definition);
            kept.push(auxiliary.clone());
        }
    }
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::without_unused;
    use foretell_systems::{Auxiliary, Invariant};
    use foretell_terms::{Sort, TermStore};

    #[test]
    fn what_a_needed_variable_mentions_is_needed() {
        let store = TermStore::new();
        let vars = ["x", "p", "q", "h", "unused"].map(|n| store.new_var(n, Sort::INT));
        let [x, p, q, h, unused] = vars;
        let prophecy = |var, target| Auxiliary::Prophecy { var, target };
        let next = store.new_var("h1", Sort::INT);
        let invariant = Invariant {
            formula: store.le(h, x),
            k: 1,
            auxiliaries: vec![
                prophecy(p, x),
                prophecy(q, p),
                Auxiliary::History {
                    var: h,
                    next,
                    init: p,
                    update: h,
                },
                prophecy(unused, h),
            ],
        };
        let kept: Vec<_> = without_unused(&store, &invariant)
            .auxiliaries
            .iter()
            .map(Auxiliary::var)
            .collect();
        assert_eq!(kept, [p, h]);
    }
}
