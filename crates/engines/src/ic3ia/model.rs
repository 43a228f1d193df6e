//! What one-step queries read off models.

use foretell_systems::TransitionSystem;
use foretell_terms::Term;

use crate::abstraction::{Cube, Valuation};

/// A state with a step into some cube.
pub(super) struct Predecessor {
    pub(super) state: Valuation,
    /// The literals about arbitrary symbols that have the values asked for; empty if none was aimed at.
    pub(super) aimed: Cube,
}

/// The symbols whose values make up a step.
pub(super) fn symbols(system: &TransitionSystem) -> Vec<Term> {
    let state = system.vars.iter().flat_map(|v| [v.cur, v.next]);
    state
        .chain(system.inputs.iter().copied())
        .chain(system.params.iter().copied())
        .collect()
}
