//! Learning from a conflict: an interpolant of the prefix and the suffix, made general.
//!
//! ```text
//! learn(G, P(x), i)                                        F_{P,i}(x) ∧ suff(G) unsatisfiable
//!   I ← Itp(F_{P,i}(x), suff(G))
//!   for each conjunct ⋁ l_j of I
//!     drop l_j while F_{P,i}, with the rest assumed of its own body atoms, implies the rest
//!     α(P, i) ← α(P, i) ∧ the rest;  raise its level while F_{P,i+1} implies it
//! ```

use foretell_kernel::{Cx, Event, Halt, Interpolation, Interpolator, Reason, Strength};
use foretell_systems::Pred;
use foretell_terms::{Op, Term};

use super::annotation::Annotation;
use super::goal::Goal;
use super::options::LazyAnnotationOptions;
use super::rules::Head;

/// Computes what to learn.
pub(super) struct Learner {
    itp: Box<dyn Interpolator>,
    options: LazyAnnotationOptions,
}

impl Learner {
    pub(super) fn new(options: LazyAnnotationOptions, cx: &Cx<'_>) -> Learner {
        let strength = if options.weak {
            Strength::Weak
        } else {
            Strength::Strong
        };
        Learner {
            itp: cx.oracles.interpolator(strength),
            options,
        }
    }

    /// Strengthens α so that the goal is unsatisfiable under it.
    ///
    /// Requires: `F_{P,i} ∧ core` is unsatisfiable for the next fact P(x) at level i of G, and `core` is part
    /// of suff(G).
    /// Returns why not, if no interpolant was found.
    pub(super) fn learn(
        &mut self,
        annotation: &mut Annotation,
        head: &mut Head,
        goal: &Goal,
        (core, bound): (&[Term], u32),
        cx: &Cx<'_>,
    ) -> Result<Option<Reason>, Halt> {
        let fact = goal.next();
        let Some(pred) = fact.pred else {
            return Ok(None);
        };
        let learnt = if self.is_control(core, head, cx) {
            cx.terms.not(cx.terms.and(core.iter().copied()))
        } else {
            let prefix = head.formula(annotation, fact.level, cx);
            let suffix = cx.terms.and(core.iter().copied());
            match self.itp.sequence(&[prefix, suffix], cx)? {
                Interpolation::Interpolants(itps) => itps[0],
                Interpolation::Satisfiable(_) => {
                    return Ok(Some(Reason::SolverUnknown("two solvers disagree".into())));
                }
                Interpolation::Unknown(why) => return Ok(Some(why)),
            }
        };
        for clause in cx.terms.conjuncts(learnt) {
            let clause = self.generalize(annotation, head, (pred, clause), fact.level, cx)?;
            let mut level = fact.level;
            while level < bound && head.implies(annotation, (pred, clause), level + 1, cx)? {
                level += 1;
            }
            annotation.add(pred, clause, level, cx.terms);
            cx.events.emit(Event::Lemma(level, clause));
        }
        Ok(None)
    }

    /// Whether a core speaks of the parameters alone, and only of truth values and of equality with
    /// numerals: then its negation is an interpolant. One from a proof may be more general about
    /// numbers; for control it seldom is, and it costs more than the conflict itself.
    fn is_control(&self, core: &[Term], head: &Head, cx: &Cx<'_>) -> bool {
        let terms = cx.terms;
        let flat = |literal: &Term| match terms.op(terms.strip_not(*literal).0) {
            Op::Eq => terms
                .args(terms.strip_not(*literal).0)
                .iter()
                .any(|&a| terms.is_numeral(a)),
            _ => terms.as_var(terms.strip_not(*literal).0).is_some(),
        };
        self.options.direct
            && core.iter().all(flat)
            && terms
                .free_vars(core)
                .iter()
                .all(|v| head.rules.params.contains(v))
    }

    /// Drops disjuncts as long as the clause stays inductive relative to α (§4, interpolant
    /// generalization).
    fn generalize(
        &self,
        annotation: &Annotation,
        head: &mut Head,
        (pred, clause): (Pred, Term),
        level: u32,
        cx: &Cx<'_>,
    ) -> Result<Term, Halt> {
        let mut literals = cx.terms.disjuncts(clause);
        if !self.options.generalize || literals.len() < 2 {
            return Ok(clause);
        }
        let mut position = 0;
        while position < literals.len() && literals.len() > 1 {
            let mut fewer = literals.clone();
            fewer.remove(position);
            let candidate = cx.terms.or(fewer.iter().copied());
            if head.implies(annotation, (pred, candidate), level, cx)? {
                literals = fewer;
            } else {
                position += 1;
            }
        }
        Ok(cx.terms.or(literals))
    }
}
