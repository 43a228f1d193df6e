//! An invariant that needs several steps, as one that needs one step.
//!
//! After Golem's proofs by k-induction (Blicha, Britikov, Sharygina, "The Golem Horn solver", CAV 2023). With
//! `K` k-inductive for `(I, T)`:
//!
//! ```text
//! G_i  =  (K(x_{i-1}) ∧ T(x_{i-1}, x_i)) ∨ I(x_i)             i = 1 … k
//! G_1 ∧ … ∧ G_k ∧ ¬K(x_k)  is unsatisfiable                   from the last i with I(x_i) on: base or step
//! J_1, …, J_k  =  sequence interpolants after G_1, …, G_k     each over one x
//! J  =  J_1 ∧ … ∧ J_k
//! ```
//!
//! `J` is inductive and implies `K`: `J_k` excludes `¬K`; a first state satisfies every `G_i` with itself
//! before it, hence every `J_i`; and for a step from `J`, `K ∧ T` is a part of each `G_i`, so that `J_i` before
//! the step gives `J_{i+1}` after it, and `J_1` comes from nothing. Parameters are rigid: shared by all groups.
//!
//! Limits: what the interpolator cannot do is not carried back.

use foretell_kernel::{Cx, Halt, Interpolation, Strength};
use foretell_systems::{Invariant, TransitionSystem, Unroller};

/// The invariant with one step; `None` when no interpolants were found.
pub(crate) fn in_one_step(
    system: &TransitionSystem,
    proof: Invariant,
    cx: &Cx<'_>,
) -> Result<Option<Invariant>, Halt> {
    if proof.k <= 1 {
        return Ok(Some(proof));
    }
    if !proof.auxiliaries.is_empty() {
        return Ok(None);
    }
    let terms = cx.terms;
    let mut unroller = Unroller::new(system);
    let step = terms.and([proof.formula, system.trans]);
    let mut parts = Vec::new();
    for i in 1..=proof.k {
        let taken = unroller.at(terms, step, i - 1);
        let first = unroller.at(terms, system.init, i);
        parts.push(terms.or([taken, first]));
    }
    parts.push(terms.not(unroller.at(terms, proof.formula, proof.k)));
    let mut interpolator = cx.oracles.interpolator(Strength::Strong);
    let found = match interpolator.sequence(&parts, cx)? {
        Interpolation::Interpolants(found) => found,
        Interpolation::Satisfiable(_) | Interpolation::Unknown(_) => return Ok(None),
    };
    let over_one = (1..=proof.k).zip(found);
    let formula = terms.and(over_one.map(|(i, j)| unroller.untime(terms, j, i)));
    Ok(Some(Invariant {
        formula,
        k: 1,
        auxiliaries: Vec::new(),
    }))
}
