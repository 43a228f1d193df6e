//! Refinement: is the path of rules a derivation, and if not, which predicates exclude it?
//!
//! The interpolants of the rules alone exclude every abstract path along them: I_i is a formula over
//! predicates of location i, and `I_i ∧ rule ⊨ I_{i+1}` holds of abstract steps as well. So one
//! refinement is enough for one path of the tree, whatever cubes it was found with.

use foretell_kernel::{Answer, Cx, Event, Halt, Interpolation, Reason, Strength, Work};
use foretell_systems::{Derivation, Pred};
use foretell_terms::{Sort, Term};
use indexmap::IndexSet;

use super::Search;
use super::block::Obligation;
use super::chain::{Chain, Nature, Steps};
use super::edges::config;
use crate::abstraction::{Stop, undecided};

/// Atoms by location.
type Found = IndexSet<(Pred, Term)>;

/// What refinement came to.
pub(super) enum Refined {
    /// The path is a derivation.
    Genuine(Derivation),
    /// Predicates were added.
    Added,
    /// No source yields a predicate that is not there.
    Nothing,
}

impl Search<'_> {
    /// Looks at the path of these rules, found with these cubes.
    pub(super) fn refine(
        &mut self,
        rules: &[usize],
        path: &[Obligation],
        cx: &Cx<'_>,
    ) -> Result<Refined, Stop> {
        let system = self.program.system;
        let chain = Chain::new(system, rules, Steps::Joined, cx);
        let settings = config("tree_ic3ia-simulate", system, &self.options, cx);
        match chain.nature(&settings, cx)? {
            Nature::Real(derivation) => return Ok(Refined::Genuine(derivation)),
            Nature::Undecided(words) => return Err(undecided(words)),
            Nature::Spurious => {}
        }
        let mut found = self.interpolants(&chain, cx)?;
        if found.is_empty() && self.options.preconditions {
            found = self.preconditions(path, cx);
        }
        if self.options.minimise_predicates && found.len() > 1 {
            found = self.needed(rules, found, cx)?;
        }
        for &(pred, atom) in &found {
            cx.events.emit(Event::Predicate(atom));
            self.predicates[pred.index()].add(cx.terms, atom);
        }
        Ok(match found.is_empty() {
            true => Refined::Nothing,
            false => Refined::Added,
        })
    }

    /// The new atoms of formulas at a location.
    fn collect(&self, pred: Pred, formulas: &[Term], into: &mut Found, cx: &Cx<'_>) {
        let predicates = &self.predicates[pred.index()];
        for atom in cx.terms.atoms(formulas) {
            let spelled = predicates.spell(cx.terms, atom);
            let new = spelled.filter(|&a| !predicates.contains(a));
            into.extend(new.map(|a| (pred, a)));
        }
    }

    /// The new atoms of sequence interpolants; empty when there are none to be had.
    fn interpolants(&self, chain: &Chain, cx: &Cx<'_>) -> Result<Found, Halt> {
        let mut found = Found::default();
        if !self.options.interpolate || chain.parts.len() < 2 {
            return Ok(found);
        }
        let mut interpolator = cx.oracles.interpolator(Strength::Strong);
        let limit = Work::of_millis(self.options.interpolate_ms);
        let answer = cx.within(limit, |cx| interpolator.sequence(&chain.parts, cx))?;
        if let Some(Interpolation::Interpolants(interpolants)) = answer {
            for (place, formula) in chain.places.iter().zip(interpolants) {
                let formula = chain.untimed(self.program.system, place, formula, cx);
                self.collect(place.pred, &[formula], &mut found, cx);
            }
        }
        Ok(found)
    }

    /// The new atoms of weakest preconditions along the steps that make up the path.
    fn preconditions(&mut self, path: &[Obligation], cx: &Cx<'_>) -> Found {
        let mut found = Found::default();
        let mut condition: Vec<Term> = Vec::new();
        for step in path.iter().rev() {
            let Some(values) = &step.values else { break };
            let preimages = self.edges.preimages(step.left.rule);
            let Some(before) = preimages.preimage(&condition, values, cx) else {
                break;
            };
            if let Some(pred) = self.tree.get(step.left.parent).location {
                self.collect(pred, &before, &mut found, cx);
            }
            condition = before;
        }
        found
    }

    /// Those of the new atoms by which the abstract path is excluded (section 5.1); all of them when
    /// they do not suffice.
    fn needed(&self, rules: &[usize], found: Found, cx: &Cx<'_>) -> Result<Found, Halt> {
        let system = self.program.system;
        let chain = Chain::new(system, rules, Steps::Apart, cx);
        let settings = config("tree_ic3ia-minimise", system, &self.options, cx);
        let mut solver = cx.oracles.solver(&settings.with_minimal_cores());
        chain.assert(solver.as_mut(), cx)?;
        let places: IndexSet<Pred> = chain.places.iter().map(|p| p.pred).collect();
        for pred in places {
            for &atom in self.predicates[pred.index()].atoms() {
                solver.assert(cx.terms, chain.link(system, pred, atom, cx))?;
            }
        }
        let mut labels = Vec::new();
        for &(pred, atom) in &found {
            let label = cx.terms.fresh("predicate", Sort::BOOL);
            let link = chain.link(system, pred, atom, cx);
            solver.assert(cx.terms, cx.terms.implies(label, link))?;
            labels.push(label);
        }
        let Answer::Unsat(core) = solver.check(&labels, cx)? else {
            return Ok(found);
        };
        if core.is_empty() {
            return Ok(found);
        }
        let pairs = found.into_iter().zip(labels);
        Ok(pairs
            .filter(|(_, label)| core.contains(label))
            .map(|(atom, _)| atom)
            .collect())
    }
}

/// What is said when nothing is left to try.
pub(super) fn stuck() -> Stop {
    Stop::Unknown(Reason::NoNewPredicate)
}
