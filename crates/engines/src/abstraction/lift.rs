//! Predecessor lifting: enlarging the cube of a predecessor (Chockler et al., FMCAD 2011).
//!
//! ```text
//! preimage(c, μ)            literals over X, true in μ, that imply ∃Y,X'. T ∧ c'
//! lift_predecessor(p, μ)    the literals of p in a core of   p ∧ ¬preimage(c, μ)
//! ```
//!
//! Every state of a cube lifted this way has a step into c, also when T is not total. An abstract
//! state need not lie inside the preimage; then the literals that share variables with it, directly
//! or through other literals, are kept: the dropped ones speak about other variables, so every
//! abstract state of the result still has an abstract step into c.

use foretell_formulas::{implicant, known, project};
use foretell_kernel::{Cx, Halt};
use foretell_systems::TransitionSystem;
use foretell_terms::eval::Assignment;
use foretell_terms::{Substitution, Term, TermSet};

use super::cube::Cube;
use super::literals::{LiteralSolver, Reply};
use super::model::Valuation;

/// Whether predecessors are enlarged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lifting {
    /// They are.
    On,
    /// Cubes assign every predicate.
    Off,
}

/// Computes preimages of one step relation.
pub(crate) struct Preimages {
    trans: Term,
    priming: Substitution,
    /// Inputs and next values.
    eliminate: TermSet,
}

impl Preimages {
    /// For a system as it is now.
    pub(crate) fn new(system: &TransitionSystem) -> Preimages {
        let next = system.vars.iter().map(|v| v.next);
        Preimages {
            trans: system.trans,
            priming: system.priming(),
            eliminate: next.chain(system.inputs.iter().copied()).collect(),
        }
    }

    /// For a step that is possible where the guard holds and whose next values are terms over current
    /// values and `inputs`.
    pub(crate) fn of_step(guard: Term, next: Substitution, inputs: &[Term]) -> Preimages {
        Preimages {
            trans: guard,
            priming: next,
            eliminate: inputs.iter().copied().collect(),
        }
    }

    /// Literals over X that hold in the model and from whose states the target is reached in one
    /// step; `None` when the model does not take such a step for certain.
    pub(crate) fn preimage(
        &mut self,
        target: &[Term],
        values: &Assignment,
        cx: &Cx<'_>,
    ) -> Option<Vec<Term>> {
        let mut roots: Vec<Term> = target
            .iter()
            .map(|&l| self.priming.apply(cx.terms, l))
            .collect();
        roots.push(self.trans);
        let truth = cx.terms.eval_all(&roots, values);
        let lits = implicant(cx.terms, &roots, &known(&truth))?;
        project(cx.terms, &lits, &self.eliminate, values)
    }

    /// A subset of the predecessor's cube that still leads to the target; the solver is asked about
    /// states only.
    pub(crate) fn lift_predecessor(
        &mut self,
        predecessor: &Valuation,
        target: &Cube,
        solver: &mut LiteralSolver,
        cx: &Cx<'_>,
    ) -> Result<Cube, Halt> {
        let full = &predecessor.cube;
        let Some(values) = &predecessor.values else {
            return Ok(full.clone());
        };
        let Some(preimage) = self.preimage(target.lits(), values, cx) else {
            return Ok(full.clone());
        };
        Ok(
            match solver.implies(full, cx.terms.and(preimage.iter().copied()), cx)? {
                Reply::Unsat(core) => core,
                Reply::Sat(()) | Reply::Unknown(_) => related(full, &preimage, cx),
            },
        )
    }
}

/// The literals connected to the seeds by shared variables.
fn related(cube: &Cube, seeds: &[Term], cx: &Cx<'_>) -> Cube {
    let mut reached: TermSet = cx.terms.free_vars(seeds).into_iter().collect();
    let mut open: Vec<(Term, Vec<Term>)> = cube
        .lits()
        .iter()
        .map(|&l| (l, cx.terms.free_vars(&[l])))
        .collect();
    let mut kept = Vec::new();
    loop {
        let before = open.len();
        open.retain(|(lit, vars)| {
            let touches = vars.iter().any(|v| reached.contains(v));
            if touches {
                reached.extend(vars.iter().copied());
                kept.push(*lit);
            }
            !touches
        });
        if open.len() == before {
            return Cube::new(kept);
        }
    }
}
