//! A path that violates no instance is replayed with arrays; where that fails, an index that no step
//! uses may be missing.
//!
//! Part of the layer in `mod.rs`, which says the papers and the algorithm.

use foretell_kernel::{Cx, Halt, Model, Reason, Refinement};
use foretell_systems::{Trace, TransitionSystem, Unroller};
use foretell_terms::{Sort, TermSet};
use indexmap::IndexSet;

use super::ArrayProphecy;
use super::arrays::consecutive::Catalogue;
use super::arrays::lambda;
use super::arrays::unrolling::{Paths, Unrolling};

impl ArrayProphecy {
    /// What becomes of a path that violates no instance: it is genuine, or λ may exclude it.
    pub(super) fn replay_or_widen(
        &mut self,
        concrete: &TransitionSystem,
        system: &mut TransitionSystem,
        length: u32,
        cx: &Cx<'_>,
    ) -> Result<Refinement<Trace>, Halt> {
        let replayed = self.replay(concrete, length, cx)?;
        let refuted = matches!(replayed, Refinement::GaveUp(Reason::Exhausted(_)));
        Ok(if refuted && self.add_lambda(system, cx) {
            Refinement::Refined
        } else {
            replayed
        })
    }

    /// Adds an index that no step uses for each infinite index sort that has none; whether there was one.
    fn add_lambda(&mut self, system: &mut TransitionSystem, cx: &Cx<'_>) -> bool {
        let catalogue = Catalogue::new(system, &self.arrays, cx.terms);
        let sorts: IndexSet<Sort> = catalogue.index_sorts().collect();
        let mut added = false;
        for sort in sorts {
            let known = self.lambdas.keys().any(|&l| cx.terms.sort(l) == sort);
            if known || !self.options.lambda || !lambda::is_infinite(sort, cx.terms) {
                continue;
            }
            let var = cx.terms.fresh("lambda", sort);
            let bound = self.bound_lambda(var, system, &catalogue, cx);
            self.lambdas.insert(var, bound);
            system.add_param(var);
            for (axiom, timing) in catalogue.at_lambda(var, &self.arrays, cx.terms) {
                self.add(system, axiom, timing, cx);
            }
            added = true;
        }
        added
    }

    /// The counterexample with arrays, if there is one of this length.
    pub(super) fn replay(
        &self,
        concrete: &TransitionSystem,
        length: u32,
        cx: &Cx<'_>,
    ) -> Result<Refinement<Trace>, Halt> {
        let mut paths = Unrolling::new(concrete, length, "prophecy-replay", cx)?;
        let read = |model: &dyn Model, unroller: &mut Unroller| {
            unroller.trace(cx.terms, concrete, model, length)
        };
        Ok(match paths.check(&TermSet::default(), read, cx)? {
            Paths::Some(trace) => Refinement::Genuine(trace?),
            Paths::None(_) => Refinement::GaveUp(Reason::Exhausted(
                "no axiom instance excludes a counterexample that is not genuine".into(),
            )),
            Paths::Unknown(words) => Refinement::GaveUp(Reason::SolverUnknown(words)),
        })
    }
}
