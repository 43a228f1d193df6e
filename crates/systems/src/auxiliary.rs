//! Auxiliary variables in certificates: history and prophecy.
//!
//! A certificate for a transition system ⟨X, I, T, P⟩ may talk about auxiliary variables introduced
//! in order. With π the prophecy variables (frozen, universally quantified) and η the history
//! variables (total functions of the past), and `Inv` quantifier-free, the obligations are
//!
//! ```text
//! initiation    I(X) ⊨ Inv(X, η := init, π)
//! consecution   Inv(X, η, π) ∧ P(X) ∧ T(X, X') ⊨ Inv(X', update(X, X', η, π), π)
//! safety        Inv(X, η, π := targets, last introduced first) ⊨ P(X)
//! ```
//!
//! They establish the inductive invariant `∀π1 ∃η1 ∀π2 ∃η2 … Inv` of the original system: in
//! consecution the same π is chosen and the updated η is the witness; in safety the targets are the
//! instances. For the alternation to be right, what defines an auxiliary may mention only the state
//! and auxiliaries introduced *before* it (an update also itself). Assuming `P(X)` in consecution
//! is admissible because safety proves it from the invariant.

use foretell_kernel::Halt;
use foretell_terms::Term;

/// An auxiliary variable of a transition system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Auxiliary {
    /// A frozen variable, instantiated by a term over state and earlier auxiliaries.
    Prophecy {
        /// The variable (rigid: it has no next).
        var: Term,
        /// The instance that shows safety.
        target: Term,
    },
    /// A variable computed from the past.
    History {
        /// The variable's current value.
        var: Term,
        /// The variable's next value.
        next: Term,
        /// Its initial value over the initial state and earlier auxiliaries.
        init: Term,
        /// Its next value over state, next state, inputs, itself and earlier auxiliaries.
        update: Term,
    },
}

impl Auxiliary {
    /// The variable.
    pub fn var(&self) -> Term {
        match self {
            Auxiliary::Prophecy { var, .. } | Auxiliary::History { var, .. } => *var,
        }
    }

    /// The same variable with `f` applied to what defines it.
    ///
    /// # Errors
    /// Those of `f`.
    pub fn map(&self, f: &mut dyn FnMut(Term) -> Result<Term, Halt>) -> Result<Auxiliary, Halt> {
        Ok(match *self {
            Auxiliary::Prophecy { var, target } => Auxiliary::Prophecy {
                var,
                target: f(target)?,
            },
            Auxiliary::History {
                var,
                next,
                init,
                update,
            } => Auxiliary::History {
                var,
                next,
                init: f(init)?,
                update: f(update)?,
            },
        })
    }
}
