//! The interpolator contract.

use foretell_terms::Term;
use foretell_terms::eval::Assignment;

use crate::context::Cx;
use crate::halt::{Halt, Reason};

/// Which interpolants are preferred.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strength {
    /// McMillan's: strong.
    #[default]
    Strong,
    /// The dual: weak.
    Weak,
    /// Pudlák's symmetric system.
    Symmetric,
}

/// A tree of partitions in post-order: every parent has a larger index than its children; the last
/// one is the root.
#[derive(Clone, Debug)]
pub struct PartTree {
    /// The formula of each node.
    pub parts: Vec<Term>,
    /// The parent of each node; `None` for the root only.
    pub parents: Vec<Option<usize>>,
}

/// The answer of an interpolator.
#[derive(Clone, Debug)]
pub enum Interpolation {
    /// Sequence: for parts `A_0 … A_{n-1}`, formulas `I_0 … I_{n-2}` with `A_0 => I_0`,
    /// `I_k ∧ A_{k+1} => I_{k+1}`, `I_{n-2} ∧ A_{n-1}` unsatisfiable, and the symbols of `I_k` on
    /// both sides of the cut. Tree: one formula per node but the root (in node order), with
    /// `⋀_{c child of i} I_c ∧ A_i => I_i`, and `false` at the root.
    Interpolants(Vec<Term>),
    /// The parts are satisfiable together.
    Satisfiable(Assignment),
    /// Not decided.
    Unknown(Reason),
}

/// Computes interpolants.
pub trait Interpolator {
    /// Sequence interpolants; binary interpolation is the case of two parts.
    fn sequence(&mut self, parts: &[Term], cx: &Cx<'_>) -> Result<Interpolation, Halt>;

    /// Tree interpolants.
    fn tree(&mut self, tree: &PartTree, cx: &Cx<'_>) -> Result<Interpolation, Halt>;
}
