//! Solvers that are told what the formulas of a system consist of.

use foretell_kernel::{Cx, SolverConfig};

use crate::transition::TransitionSystem;

/// A configuration for the formulas of a system: their logic, if it is known, and arithmetic that starts
/// quickly where they are linear.
pub fn solver_config(
    purpose: &'static str,
    system: &TransitionSystem,
    cx: &Cx<'_>,
) -> SolverConfig {
    let formulas = [system.init, system.trans, system.property];
    let config = SolverConfig::new(purpose).with_logic(cx.terms.logic(&formulas));
    match config.logic {
        Some("QF_LIA" | "QF_LRA") => config.with_light_arithmetic(),
        _ => config,
    }
}
