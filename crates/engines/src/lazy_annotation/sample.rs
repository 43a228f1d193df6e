//! Interpolants from samples: the disjunction of the interpolants of implicants of the prefix.
//!
//! CAV 2014, section 4, interpolant generalization: "a simple approach is to sample prime implicants of
//! the prefix". Each is a conjunction, so its interpolant is simple, and easier to find than one of the
//! whole.
//!
//! ```text
//! sampled(A, B)                                   A ∧ B unsatisfiable
//!   while A ∧ ¬⋁J has a model μ
//!     c ← an implicant of A in μ, the literals of it in a core of c ∧ ¬A
//!     J ← J ∪ {Itp(c, B)}
//!   ⋁J                                            A ⇒ ⋁J, and each of J excludes B
//! ```
//!
//! Deviation: a core is small, not always least, so the implicants need not be prime. Limits: more samples
//! than allowed, or one without interpolant, and there is no answer.

use foretell_formulas::{implicant, known};
use foretell_kernel::{Answer, Cx, Halt};
use foretell_terms::Term;
use foretell_terms::eval::Assignment;

use super::learn::{Learner, clauses};

impl Learner {
    /// An interpolant of two formulas from at most so many samples of the first.
    pub(super) fn sampled(
        &mut self,
        prefix: Term,
        suffix: Term,
        samples: u32,
        cx: &Cx<'_>,
    ) -> Result<Option<Term>, Halt> {
        let mut solver = cx.oracles.solver(&self.config("lazy_annotation-learn"));
        solver.assert(cx.terms, prefix)?;
        let mut cases = Vec::new();
        loop {
            let values = match solver.check(&[], cx)? {
                Answer::Unsat(_) => return Ok(Some(clauses(&cases, cx.terms))),
                Answer::Unknown(_) => return Ok(None),
                Answer::Sat(model) => model.assignment(cx.terms, &[prefix]),
            };
            let cube = values.and_then(|values| literals(&[prefix], values, cx));
            let Some(cube) = cube else {
                return Ok(None);
            };
            if cases.len() >= samples as usize {
                return Ok(None);
            }
            let cube = self.shortened(cube, prefix, cx)?;
            let Some(case) = self.between(cx.terms.and(cube), suffix, cx)? else {
                return Ok(None);
            };
            solver.assert(cx.terms, cx.terms.not(case))?;
            cases.push(case);
        }
    }

    /// Literals of an implicant that suffice to imply the formula.
    fn shortened(&self, cube: Vec<Term>, formula: Term, cx: &Cx<'_>) -> Result<Vec<Term>, Halt> {
        let mut solver = cx.oracles.solver(&self.config("lazy_annotation-learn"));
        solver.assert(cx.terms, cx.terms.not(formula))?;
        Ok(match solver.check(&cube, cx)? {
            Answer::Unsat(core) => core,
            Answer::Sat(_) | Answer::Unknown(_) => cube,
        })
    }
}

/// Literals that are true under the values and imply these formulas.
pub(super) fn literals(
    formulas: &[Term],
    mut values: Assignment,
    cx: &Cx<'_>,
) -> Option<Vec<Term>> {
    values.values.retain(|t, _| cx.terms.as_var(*t).is_some());
    let truth = cx.terms.eval_all(formulas, &values);
    implicant(cx.terms, formulas, &known(&truth))
}
