//! What the candidate engine tells other engines and what it takes from them.
//!
//! ```text
//! out   inductive candidates without index        other engines prove them again, then assume them
//!       inductive candidates with indices         for this engine's next turn, and for the user
//!       atoms of goals and preconditions          predicates to look at
//! in    whatever others say                       candidates like all others: Houdini decides
//! ```
//!
//! Nothing that comes in is believed. What is quantified is of use to this engine only, whose next turn
//! begins with it, and to the user (`--learned`).

use foretell_kernel::{Cx, Peers};
use foretell_systems::{ChcSystem, Pred};
use foretell_terms::Term;

use super::atoms::Atoms;
use crate::houdini::Pool;
use crate::program::Program;

/// At most so many formulas per predicate are told at once.
const MOST: usize = 100;
/// At most so many formulas are taken at once.
const MOST_TAKEN: usize = 400;

/// Tells the candidates that are inductive, those without index first.
pub(super) fn tell(
    program: &Program<'_>,
    inductive: &Pool,
    peers: &dyn Peers<ChcSystem>,
    cx: &Cx<'_>,
) {
    let of = |pred: Pred| {
        let (scalar, indexed): (Vec<_>, Vec<_>) = inductive
            .active(pred)
            .map(|(_, c)| c)
            .partition(|c| c.arity == 0);
        let told = scalar
            .into_iter()
            .take(MOST)
            .chain(indexed.into_iter().take(MOST));
        told.map(move |c| (pred, c.closed(program, cx.terms)))
    };
    peers.tell(program.system.pred_ids().flat_map(of).collect(), cx);
}

/// Tells the atoms of goals and preconditions.
pub(super) fn suggest(
    program: &Program<'_>,
    atoms: &Atoms,
    peers: &dyn Peers<ChcSystem>,
    cx: &Cx<'_>,
) {
    let indexed = |t: &Term| {
        let vars = cx.terms.free_vars(&[*t]);
        vars.iter().any(|v| program.indices.contains(v))
    };
    let of = |pred: Pred| {
        let plain = atoms.of(pred).iter().filter(|a| !indexed(a)).take(MOST);
        plain.map(|&a| (pred, a)).collect::<Vec<_>>()
    };
    peers.tell(program.system.pred_ids().flat_map(of).collect(), cx);
}

/// Adds what others said to the candidates.
pub(super) fn take(
    program: &Program<'_>,
    pool: &mut Pool,
    peers: &dyn Peers<ChcSystem>,
    cx: &Cx<'_>,
) {
    for fact in peers.hear(cx).into_iter().take(MOST_TAKEN) {
        pool.add_formula(program, fact, cx.terms);
    }
}
