//! Witnesses with auxiliary variables over a changed list of clauses.

use foretell_systems::chc::{ChcAuxiliary, ChcWitness};
use foretell_systems::{ChcSystem, ClauseId};
use foretell_terms::{Term, TermStore};

/// The witness for `system`, whose clause `c` is clause `place(c)` of the system the witness is for.
///
/// A clause that is nowhere must hold whatever the auxiliary variables are; its updates keep them
/// and its targets are constants. `None` when a target would need a constant of a sort that has none.
pub(crate) fn carry(
    witness: &ChcWitness,
    system: &ChcSystem,
    invariants: Vec<Term>,
    place: &dyn Fn(ClauseId) -> Option<ClauseId>,
    terms: &TermStore,
) -> Option<ChcWitness> {
    let mut auxiliaries = Vec::new();
    for auxiliary in &witness.auxiliaries {
        let move_over = |var: Term, per_clause: &[Option<Term>], kind: Kind| {
            let entry = |id: ClauseId| match place(id) {
                Some(new) => Some(per_clause[new.index()]),
                None => absent(var, kind, system.clause(id).is_query(), terms),
            };
            system
                .clause_ids()
                .map(entry)
                .collect::<Option<Vec<Option<Term>>>>()
        };
        auxiliaries.push(match auxiliary {
            ChcAuxiliary::Prophecy { var, targets } => ChcAuxiliary::Prophecy {
                var: *var,
                targets: move_over(*var, targets, Kind::Prophecy)?,
            },
            ChcAuxiliary::History { var, updates } => ChcAuxiliary::History {
                var: *var,
                updates: move_over(*var, updates, Kind::History)?,
            },
        });
    }
    Some(ChcWitness {
        auxiliaries,
        invariants,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Prophecy,
    History,
}

/// The entry of a clause that the witness does not know; `None` when there is none to be had.
fn absent(
    var: Term,
    kind: Kind,
    is_query: impl Into<bool>,
    terms: &TermStore,
) -> Option<Option<Term>> {
    let sort = terms.sort(var);
    match (kind, is_query.into()) {
        (Kind::Prophecy, true) => terms.value_term(&terms.default_value(sort), sort).map(Some),
        (Kind::History, false) => Some(Some(var)),
        _ => Some(None),
    }
}
