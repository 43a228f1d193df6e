//! Atoms of sequence interpolants: what a path that is not genuine keeps up to where it breaks.
//!
//! Paper: Vick, McMillan, VMCAI 2023, section 7, Figure 8 (MineConditionsItp).
//!
//! ```text
//! parts     the formulas of the path and the instances that exclude it, by the latest time
//! atoms     those of the interpolants between the parts
//! ```
//!
//! Departures: interpolants modulo the instances that exclude the path, not modulo the array theory.
//! Limits: an interpolator that gives up, or needs longer than [`LIMIT`], brings no atoms.

use foretell_kernel::{Cx, Halt, Interpolation, Strength, Work};
use foretell_terms::Term;

/// The work one sequence of interpolants may take.
const LIMIT: Work = Work::of_millis(2000);

/// The atoms of the interpolants between the parts, timed.
pub(crate) fn atoms(parts: &[Term], cx: &Cx<'_>) -> Result<Vec<Term>, Halt> {
    let mut interpolator = cx.oracles.interpolator(Strength::default());
    Ok(
        match cx.within(LIMIT, |cx| interpolator.sequence(parts, cx))? {
            Some(Interpolation::Interpolants(list)) => cx.terms.atoms(&list),
            Some(Interpolation::Satisfiable(_) | Interpolation::Unknown(_)) | None => Vec::new(),
        },
    )
}
