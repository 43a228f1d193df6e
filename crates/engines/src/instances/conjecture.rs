//! Schemes by shape: what no reachable state of an instance was seen to have, as far as it is inductive.
//!
//! Paper: Yao, Tao, Gu, Nieh, Jana, Ryan, "DistAI: data-driven automated invariant learning for distributed
//! protocols", OSDI 2021.
//!
//! ```text
//! conjectured                                                            // fn conjectured
//!   samples: states that random steps reach                                // samples.rs
//!   for 1, 2, … literals
//!     shapes that no sample has, but for those that a kept scheme implies   // shapes.rs, fn fits
//!     and what implies the property by kept schemes                         // goals.rs
//!     kept: the largest inductive set of these and the kept ones            // houdini.rs
//!     again with the shapes that only a dropped one implied
//!     the property is inductive with the kept ones: return what it needs of them
//! ```
//!
//! Deviations: steps are taken by the solver, on the cells of the instance, and not by a program; schemes are
//! dropped on the instance, where queries are propositional; an equality is no literal of a shape, but is
//! added where samples ask for it; samples of an instance with one element more count as well, because three
//! elements leave little choice; long clauses are made from those of the property.

use foretell_kernel::{Cx, Event, Halt};
use foretell_terms::Term;
use indexmap::IndexSet;

use super::goals;
use super::ground::Ground;
use super::samples::Samples;
use super::scheme::{Cube, Scheme};
use super::search::Search;
use super::shapes::{self, Extent};

/// How far conjectures go.
pub(super) struct Reach {
    pub(super) samples: usize,
    /// The most literals and variables of a scheme.
    pub(super) extent: Extent,
    /// More schemes at a time are not tried.
    pub(super) schemes: usize,
}

/// What came of conjectures.
#[derive(Default)]
pub(super) struct Conjectured {
    /// Schemes that are inductive in the instance, with the property before each step.
    pub(super) kept: Vec<Scheme>,
    /// The property is inductive with these of them.
    pub(super) proof: Option<Vec<Scheme>>,
}

/// Schemes of an instance, which samples of it and of a larger one lack.
pub(super) fn conjectured(
    property: Term,
    [ground, larger]: [&Ground; 2],
    reach: &Reach,
    cx: &Cx<'_>,
) -> Result<Conjectured, Halt> {
    let mut making = Making {
        ground,
        samples: Samples::reached(ground, reach.samples, cx)?,
        larger: Samples::reached(larger, reach.samples, cx)?,
        reach,
        goals: goals::goals(property, ground, cx.terms),
        tried: IndexSet::new(),
        found: Conjectured::default(),
        cx,
    };
    for literals in 1..=reach.extent.literals {
        making.by_shape(literals)?;
        if making.found.proof.is_some() {
            break;
        }
    }
    Ok(making.found)
}

/// What is inductive of schemes in an instance, and whether it proves the property.
pub(super) fn again(ground: &Ground, schemes: &[Scheme], cx: &Cx<'_>) -> Result<Conjectured, Halt> {
    let mut search = Search::new(ground, cx)?;
    let Some(lemmas) = search.largest(schemes)? else {
        return Ok(Conjectured::default());
    };
    let kept = lemmas.iter().map(|lemma| lemma.scheme.clone()).collect();
    let proof = match search.proves(&lemmas)? {
        true => {
            let needed = search.needed(lemmas)?;
            Some(search.fewest(needed)?)
        }
        false => None,
    };
    Ok(Conjectured { kept, proof })
}

struct Making<'a, 'c> {
    ground: &'a Ground,
    samples: Samples,
    larger: Samples,
    reach: &'a Reach,
    goals: Vec<Scheme>,
    /// Schemes for goals that were tried.
    tried: IndexSet<Scheme>,
    found: Conjectured,
    cx: &'a Cx<'c>,
}

impl Making<'_, '_> {
    /// Tries shapes with so many literals, until there are no new ones or the property is proved.
    fn by_shape(&mut self, literals: usize) -> Result<(), Halt> {
        let extent = Extent {
            literals,
            ..self.reach.extent
        };
        let mut lacking: Vec<Scheme> = Vec::new();
        shapes::visit(self.ground, extent, &mut |shape| {
            self.cx.budget.check()?;
            if let Some(scheme) = self.samples.fits(shape)
                && self.larger.lack(&scheme)
                && self.says_more(&scheme, &[])
            {
                lacking.push(scheme);
            }
            Ok(())
        })?;
        while self.found.proof.is_none() {
            let mut new = self.by_goal()?;
            lacking.retain(|scheme| {
                let now = new.len() < self.reach.schemes && self.says_more(scheme, &new);
                if now {
                    new.push(scheme.clone());
                }
                !now
            });
            let words = format!("{} schemes with {literals} literals", new.len());
            self.cx.events.emit(Event::Note(&words));
            if new.is_empty() {
                break;
            }
            self.keep(new)?;
        }
        Ok(())
    }

    /// What would imply the property by the kept schemes.
    fn by_goal(&mut self) -> Result<Vec<Scheme>, Halt> {
        let mut new: Vec<Scheme> = Vec::new();
        for goal in &self.goals {
            for scheme in goals::stronger(goal, &self.found.kept) {
                self.cx.budget.check()?;
                if new.len() < self.reach.schemes
                    && !self.tried.contains(&scheme)
                    && self.samples.lack(&scheme)
                    && self.larger.lack(&scheme)
                    && self.says_more(&scheme, &new)
                {
                    new.push(scheme);
                }
            }
        }
        self.tried.extend(new.iter().cloned());
        Ok(new)
    }

    /// Whether a scheme forbids something, and nothing that others do.
    fn says_more(&self, scheme: &Scheme, others: &[Scheme]) -> bool {
        let mut known = self.found.kept.iter().chain(others);
        let some = |instances: Vec<Cube>| !instances.is_empty();
        !known.any(|known| known.subsumes(scheme))
            && scheme.instances(self.ground, 1).is_none_or(some)
    }

    /// Keeps what is inductive of new schemes.
    fn keep(&mut self, mut new: Vec<Scheme>) -> Result<(), Halt> {
        new.extend(self.found.kept.iter().cloned());
        let found = again(self.ground, &new, self.cx)?;
        if found.kept.len() >= self.found.kept.len() {
            self.found = found;
        }
        Ok(())
    }
}
