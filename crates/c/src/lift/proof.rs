//! A solution of the clauses as formulas at points.

use foretell_systems::ChcProof;
use foretell_terms::{Substitution, Term, TermStore};

use crate::encode::{Encoded, PredKind, Slot, program_vars};
use crate::program::{Invariants, Program};

/// The formula of each predicate at its point, over one term for each variable of the program.
///
/// Values at the entry of a recursive function appear as terms of their own, listed in
/// [`Invariants::entry`].
pub fn invariants(
    program: &Program,
    encoded: &Encoded,
    proof: &ChcProof,
    terms: &TermStore,
) -> Invariants {
    let vars = program_vars(terms, program);
    let entry: Vec<Term> = program
        .vars
        .iter()
        .zip(&vars)
        .map(|(var, &now)| terms.new_var(&format!("\\old({})", var.name), terms.sort(now)))
        .collect();
    let mut at = Vec::new();
    for (i, formula) in proof.formulas.iter().enumerate() {
        let (kind, slots) = &encoded.preds[i];
        let PredKind::Point(point) = kind else {
            continue;
        };
        let params = &encoded.system.preds[i].params;
        let values = slots.iter().map(|slot| match slot {
            Slot::Now(var) => vars[var.index()],
            Slot::Entry(var) => entry[var.index()],
        });
        let mut map = Substitution::from_pairs(params.iter().copied().zip(values));
        at.push((*point, map.apply(terms, *formula)));
    }
    Invariants { at, vars, entry }
}
