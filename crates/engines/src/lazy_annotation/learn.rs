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
use foretell_terms::Term;

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
        let strength = if options.weak { Strength::Weak } else { Strength::Strong };
        Learner { itp: cx.oracles.interpolator(strength), options }
    }

    /// Strengthens α so that the goal is unsatisfiable under it.
    ///
    /// Requires: `F_{P,i}(x) ∧ suff(G)` is unsatisfiable for the next fact P(x) at level i of G.
    /// Returns why not, if no interpolant was found.
    pub(super) fn learn(
        &mut self,
        annotation: &mut Annotation,
        head: &mut Head,
        goal: &Goal,
        bound: u32,
        cx: &Cx<'_>,
    ) -> Result<Option<Reason>, Halt> {
        let fact = goal.next();
        let Some(pred) = fact.pred else { return Ok(None) };
        let to_args = head.rules.params.iter().copied().zip(fact.args.iter().copied());
        let prefix = cx.terms.substitute(head.formula(annotation, fact.level, cx), to_args);
        let suffix = cx.terms.and(goal.suffix(annotation, cx));
        let interpolant = match self.itp.sequence(&[prefix, suffix], cx)? {
            Interpolation::Interpolants(itps) => itps[0],
            Interpolation::Satisfiable(_) => {
                return Ok(Some(Reason::SolverUnknown("two solvers disagree".into())));
            }
            Interpolation::Unknown(why) => return Ok(Some(why)),
        };
        let to_params = fact.args.iter().copied().zip(head.rules.params.iter().copied());
        let interpolant = cx.terms.substitute(interpolant, to_params);
        for clause in cx.terms.conjuncts(interpolant) {
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
