//! A second opinion on `unsafe`: each step of a counterexample asked on the original text.
//!
//! The replay evaluates the clauses as the front end read them. Here the text itself is asked:
//!
//! ```text
//! derivation   text of the clause with the step's values ∧ premises ∧ ¬fact        unsatisfiable
//! run          ¬I in state 0;  ¬T between neighbours;  P in the last state          unsatisfiable
//! ```
//!
//! with the predicates uninterpreted, so that the shape of a clause does not matter: only that its
//! instance entails the fact. Variables without a value stay quantified. A clause is found by its
//! line; when several are on one line all of them are premises, which is sound: all are given.
//!
//! Of a long counterexample the first and the last steps are asked, and some between, but for steps of
//! derivations with large arrays; the replay is of all of them.
//!
//! Reading order: `values` (values as text), `clauses`, `system`.

mod clauses;
mod system;
mod values;

pub(crate) use clauses::{constants_agree, derivation_obligations};
pub(crate) use system::trace_obligations;

use crate::report::Refusal;
use crate::text::script::{Checks, Declares};

/// Scripts larger than this are not written: arrays that grow by a cell per step add up.
const LARGEST: usize = 32 << 20;

/// A step of a derivation with more values and cells than this is not asked: solvers take long chains of
/// stores apart cell by cell.
const WIDEST: usize = 1_000;

/// So many steps are asked at each end of a counterexample.
const ENDS: usize = 50;

/// … and about so many between.
const BETWEEN: usize = 100;

/// Whether a step of so many is asked.
fn is_asked(step: usize, of: usize) -> bool {
    step < ENDS || step + ENDS >= of || step.is_multiple_of((of / BETWEEN).max(1))
}

/// Obligations while they are written.
#[derive(Default)]
struct Asked {
    checks: Checks,
    size: usize,
}

impl Asked {
    /// Adds commands that must be unsatisfiable.
    fn refute(&mut self, what: String, declares: Declares, text: String) -> Result<(), Refusal> {
        self.size += text.len();
        if self.size > LARGEST {
            let what = "the steps are too large to be asked on the text";
            return Err(Refusal::Witness(what.into()));
        }
        self.checks.refute(what, declares, text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::is_asked;

    #[test]
    fn short_counterexamples_are_asked_whole_and_long_ones_at_both_ends() {
        let asked = |of: usize| (0..of).filter(|&step| is_asked(step, of)).count();
        assert_eq!(asked(199), 199);
        assert!((150..=300).contains(&asked(100_000)));
        assert!(is_asked(0, 100_000) && is_asked(99_999, 100_000));
    }
}
