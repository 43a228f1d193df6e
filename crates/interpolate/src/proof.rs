//! The proof arena: what the refuter emits and the extractor consumes.
//!
//! Leaves are input clauses and group-local tautologies (`Given`), transitivity cycles of
//! congruence closure (`Cycle`), linear-arithmetic refutations (`Farkas`), and congruence conflicts
//! whose local explanation is only built if the proof needs it (`Congruence`, replaced by a `Chain`
//! before extraction). Inner steps are chains of resolutions. Invariant: every step refers to
//! earlier steps only, except through `replaced`.

use crate::arith::cert::CertId;
use crate::data::atoms::Lit;
use crate::data::bank::TId;

/// A proof step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct StepId(pub(crate) u32);

/// One step of the proof of a clause.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// The clause belongs to a group, or is valid and counted in that group.
    Given {
        /// The group.
        group: u32,
        /// The literals.
        lits: Box<[Lit]>,
    },
    /// `s_0 != s_1 or .. or s_{m-1} != s_m or s_0 = s_m`; the last is absent if the ends are
    /// distinct values.
    Cycle {
        /// `s_0 .. s_m`, consecutive ones mutually local, and so the ends.
        path: Box<[TId]>,
    },
    /// The negation of the literals of a certificate whose sum is a contradiction.
    Farkas(CertId),
    /// The negation of `lits`, which imply `ends.0 = ends.1` by congruence; the ends are distinct
    /// values or the sides of the one disequality in `lits`.
    Congruence {
        /// The literals of the conflict.
        lits: Box<[Lit]>,
        /// The two terms that became equal.
        ends: (TId, TId),
    },
    /// Resolutions: starting with `first`, resolve with each antecedent on the literal it contains.
    Chain {
        /// The clause to start with.
        first: StepId,
        /// `(l, c)`: the current clause contains `not l`, the antecedent `c` contains `l`.
        steps: Box<[(Lit, StepId)]>,
    },
}

/// All steps of one refutation.
#[derive(Debug, Default)]
pub(crate) struct Proof {
    steps: Vec<Step>,
}

impl Proof {
    /// Appends a step.
    pub(crate) fn add(&mut self, step: Step) -> StepId {
        self.steps.push(step);
        StepId(self.steps.len() as u32 - 1)
    }

    /// Appends a clause of a group.
    pub(crate) fn given(&mut self, group: usize, lits: &[Lit]) -> StepId {
        self.add(Step::Given {
            group: group as u32,
            lits: lits.into(),
        })
    }

    /// Appends a chain, or returns `first` if there is nothing to resolve.
    pub(crate) fn chain(&mut self, first: StepId, steps: Vec<(Lit, StepId)>) -> StepId {
        if steps.is_empty() {
            first
        } else {
            self.add(Step::Chain {
                first,
                steps: steps.into(),
            })
        }
    }

    /// The step of an id.
    pub(crate) fn get(&self, s: StepId) -> &Step {
        &self.steps[s.0 as usize]
    }

    /// Puts another derivation of the same clause in the place of a step.
    pub(crate) fn replace(&mut self, s: StepId, step: Step) {
        self.steps[s.0 as usize] = step;
    }

    /// The number of steps.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }
}
