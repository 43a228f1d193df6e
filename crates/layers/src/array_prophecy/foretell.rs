//! Instances across steps become instances within a step: their indices are foretold.
//!
//! Part of the layer in `mod.rs`, which says the papers and the algorithm.

use foretell_kernel::{Cx, Halt};
use foretell_systems::TransitionSystem;
use foretell_terms::{Term, TermMap, TermSet};

use super::ArrayProphecy;
use super::arrays::axioms;
use super::arrays::consecutive::{Catalogue, NonConsecutive};
use super::arrays::index_set::{Timing, Vocabulary};
use super::arrays::unrolling::Unrolling;
use super::exclude::Instance;
use super::prophecy::capture::{Origin, Which};
use super::prophecy::prophecize::Target;
use super::prophecy::{explain, interpolants};

impl ArrayProphecy {
    /// For indices that no condition captures: adds the atoms of interpolants as conditions and forgets
    /// who asked for them, so that the paths are looked at again; whether there was such an index.
    pub(super) fn mine_interpolants(
        &mut self,
        catalogue: &Catalogue,
        needed: &TermMap<Instance>,
        paths: &Unrolling,
        cx: &Cx<'_>,
    ) -> Result<bool, Halt> {
        let non_consecutive = needed.values().filter_map(|instance| match instance {
            Instance::NonConsecutive(one) if one.delay > 0 => Some(one),
            _ => None,
        });
        let open: Vec<Vec<Term>> = non_consecutive
            .filter(|one| self.captures.is_open(one, cx.terms))
            .map(|one| one.index.clone())
            .collect();
        if !self.options.conditional || !self.options.interpolants || open.is_empty() {
            return Ok(false);
        }
        let labels: TermSet = needed.keys().copied().collect();
        let atoms = interpolants::atoms(&paths.parts(&labels, cx), cx)?;
        for atom in atoms {
            if let Some((local, Some(_))) = catalogue.local(&[atom], paths.unroller(), cx.terms)
                && self.captures.is_named(&local, cx.terms)
            {
                self.captures
                    .add_atoms(&local, Origin::Interpolant, &self.arrays, cx.terms);
            }
        }
        open.iter()
            .for_each(|index| self.captures.reconsider(index));
        Ok(true)
    }

    /// Adds a prophecy variable for every target among the instances, and each instance with its
    /// index foretold; whether there was one.
    pub(super) fn foretell(
        &mut self,
        system: &mut TransitionSystem,
        needed: &TermMap<Instance>,
        cx: &Cx<'_>,
    ) -> bool {
        let mut foretold = Vec::new();
        for instance in needed.values() {
            let Instance::NonConsecutive(one) = instance else {
                continue;
            };
            let index = self.foretold_index(system, one, cx);
            foretold.extend(
                index.and_then(|i| axioms::at_index(&self.arrays, cx.terms, one.trigger, &i)),
            );
        }
        let vocabulary = Vocabulary::new(system, cx.terms);
        for &axiom in &foretold {
            self.add(
                system,
                axiom,
                vocabulary.timing(cx.terms, axiom.formula),
                cx,
            );
        }
        if self.options.eager && !foretold.is_empty() {
            self.add_rigid(system, cx);
        }
        if self.options.restart && !foretold.is_empty() {
            system.renew();
        }
        !foretold.is_empty()
    }

    /// The index of a non-consecutive instance with prophecy variables in the places that change.
    fn foretold_index(
        &mut self,
        system: &mut TransitionSystem,
        one: &NonConsecutive,
        cx: &Cx<'_>,
    ) -> Option<Vec<Term>> {
        let vocabulary = Vocabulary::new(system, cx.terms);
        let capture = self
            .captures
            .choose(one, cx.terms)
            .filter(|_| one.delay > 0);
        let mut index = Vec::with_capacity(one.index.len());
        for &term in &one.index {
            if vocabulary.timing(cx.terms, term) == Timing::Rigid {
                index.push(term);
                continue;
            }
            let target = match capture {
                Some(c) if !cx.terms.is_true(c.condition) || c.which == Which::First => {
                    Target::Captured(term, c)
                }
                _ => Target::Delayed(term, one.delay),
            };
            let known = self.instrument.auxiliaries().len();
            let var = self.instrument.prophecize(system, target, cx)?;
            if self.instrument.auxiliaries().len() > known {
                if self.options.history_predicates {
                    let equalities = self.instrument.equalities(known, system, cx.terms);
                    system.guide.hints.extend(equalities);
                }
                let path = self.paths.get(&(one.trigger, one.index.clone()));
                let path = path.map_or(&[][..], Vec::as_slice);
                explain::foretold(&self.arrays, target, var, (one.trigger, path), cx);
            }
            index.push(var);
        }
        Some(index)
    }
}
