//! Learning without interpolants: states of a conflict are excluded one by one.
//!
//! ```text
//! exclude(P, i, core)                             F_{P,i}(x) ∧ core unsatisfiable
//!   at most `cubes` times
//!     μ ← a model of core ∧ α(P, i);  none: Refuted
//!     c ← an implicant of the core in μ, projected to x;  or x = μ(x)
//!     F_{P,i} ∧ c unsatisfiable: keep the negation of the literals in its core     // learn.rs
//!   Weaker
//! ```
//!
//! Model-based projection under-approximates: c implies `∃y. core`, so F_{P,i} excludes it. Whether it
//! does is asked all the same, so a lemma is right whatever the projection did. A search that goes on
//! after `Weaker` finds its way to the same conflict in another state: as in PDR, it may take many.

use foretell_formulas::project;
use foretell_kernel::{Answer, Cx, Halt};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, TermSet};

use super::annotation::Annotation;
use super::learn::{Learner, Learnt, Site};
use super::rules::{Asked, Assumed, Found, Head, Query};
use super::sample::literals;

impl Learner {
    /// Strengthens α(P, i) so that it excludes states of the core.
    ///
    /// Requires: `F_{P,i} ∧ core` is unsatisfiable.
    pub(super) fn exclude(
        &self,
        annotation: &mut Annotation,
        head: &mut Head,
        site: Site,
        core: &[Term],
        cx: &Cx<'_>,
    ) -> Result<Learnt, Halt> {
        let mut solver = cx.oracles.solver(&self.config("lazy_annotation-learn"));
        for &part in core {
            solver.assert(cx.terms, part)?;
        }
        let mut learnt = Learnt::Nothing;
        let mut roots = head.rules.params.clone();
        roots.extend(core);
        for _ in 0..self.options.cubes {
            let alpha = annotation.formula(site.pred, site.level, cx.terms);
            solver.assert(cx.terms, alpha)?;
            let values = match solver.check(&[], cx)? {
                Answer::Unsat(_) => return Ok(Learnt::Refuted),
                Answer::Unknown(_) => return Ok(learnt),
                Answer::Sat(model) => model.assignment(cx.terms, &roots),
            };
            let Some(values) = values else {
                return Ok(learnt);
            };
            let Some(lemma) = self.excluded(annotation, head, site, (core, &values), cx)? else {
                return Ok(learnt);
            };
            self.keep(annotation, head, site, lemma, cx)?;
            learnt = Learnt::Weaker;
        }
        Ok(learnt)
    }

    /// A clause that excludes the values and is implied by F_{P,i}.
    fn excluded(
        &self,
        annotation: &Annotation,
        head: &mut Head,
        site: Site,
        (core, values): (&[Term], &Assignment),
        cx: &Cx<'_>,
    ) -> Result<Option<Term>, Halt> {
        let params: TermSet = head.rules.params.iter().copied().collect();
        let free = cx.terms.free_vars(core).into_iter();
        let eliminate: TermSet = free.filter(|v| !params.contains(v)).collect();
        let projected = literals(core, values.clone(), cx)
            .and_then(|lits| project(cx.terms, &lits, &eliminate, values));
        let cubes = [projected, bare(&head.rules.params, values, cx)];
        for cube in cubes.iter().flatten() {
            let query = Query::new(Assumed::Level(site.level - 1), cube);
            for asked in [Asked::Incremental, Asked::Anew] {
                match head.query(annotation, &query, asked, |_, _| (), cx)? {
                    Found::Unsat(used) => {
                        let used = used.into_iter().map(|u| cube[u]);
                        return Ok(Some(cx.terms.not(cx.terms.and(used))));
                    }
                    Found::Sat(()) => break,
                    Found::Unknown(_) => {}
                }
            }
        }
        Ok(None)
    }
}

/// The values of the parameters, as equations.
pub(super) fn bare(params: &[Term], values: &Assignment, cx: &Cx<'_>) -> Option<Vec<Term>> {
    let equation = |&param: &Term| {
        let value = cx
            .terms
            .value_term(values.get(param)?, cx.terms.sort(param))?;
        Some(cx.terms.eq(param, value))
    };
    params.iter().map(equation).collect()
}
