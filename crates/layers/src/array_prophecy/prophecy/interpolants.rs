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

use std::time::Duration;

use foretell_kernel::{Cx, Halt, Interpolation, Strength};
use foretell_terms::Term;

/// The time one sequence of interpolants may take.
const LIMIT: Duration = Duration::from_secs(2);

/// The atoms of the interpolants between the parts, timed.
pub fn atoms(parts: &[Term], cx: &Cx<'_>) -> Result<Vec<Term>, Halt> {
    let slice = cx.budget.slice(LIMIT);
    let limited = cx.with_budget(&slice);
    let answer = cx
        .oracles
        .interpolator(Strength::default())
        .sequence(parts, &limited);
    cx.budget.check()?;
    Ok(match answer {
        Ok(Interpolation::Interpolants(list)) => cx.terms.atoms(&list),
        Ok(Interpolation::Satisfiable(_) | Interpolation::Unknown(_)) | Err(_) => Vec::new(),
    })
}
