//! Cubes over predicates, solvers that assume literals, abstract states read off models, predecessors
//! and how they are enlarged. A part of the engines with implicit predicate abstraction.

mod cube;
mod lift;
mod literals;
mod model;
mod predicates;

use foretell_kernel::{Halt, Reason};

pub(crate) use cube::Cube;
pub(crate) use lift::{Lifting, Preimages};
pub(crate) use literals::{LiteralSolver, Reply};
pub(crate) use model::Valuation;
pub(crate) use predicates::Predicates;

/// Why a search ended without an answer.
pub(crate) enum Stop {
    /// The run was stopped.
    Halt(Halt),
    /// A question that had to be decided was not.
    Unknown(Reason),
}

impl From<Halt> for Stop {
    fn from(halt: Halt) -> Stop {
        Stop::Halt(halt)
    }
}

/// An undecided question.
pub(crate) fn undecided(words: String) -> Stop {
    Stop::Unknown(Reason::SolverUnknown(words))
}
