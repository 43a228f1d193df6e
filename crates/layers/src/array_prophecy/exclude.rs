//! Which instances exclude all abstract paths of a length.
//!
//! Part of the layer in `mod.rs`, which says the papers and the algorithm.

use foretell_kernel::{Cx, Halt, Model, Reason};
use foretell_systems::{TransitionSystem, Unroller};
use foretell_terms::{Term, TermMap, TermSet, Value};
use indexmap::{IndexMap, IndexSet};

use super::ArrayProphecy;
use super::arrays::axioms::{self, Axiom};
use super::arrays::consecutive::{Catalogue, NonConsecutive, Path};
use super::arrays::reduce;
use super::arrays::unrolling::{Paths, Unrolling};
use super::prophecy::capture::Origin;
use super::prophecy::frozen::Guess;
use super::prophecy::{explain, frozen, refutation};

/// What one bound came to.
pub(super) enum Fixed {
    /// No abstract path of this length was there.
    Nothing,
    /// There is none any more.
    Refined,
    /// The path is no counterexample that could be excluded.
    Concrete,
    /// Undecided.
    Unknown(Reason),
}

/// What a label stands for.
#[derive(Clone)]
pub(super) enum Instance {
    Consecutive(Axiom),
    NonConsecutive(NonConsecutive),
}

/// Instances across steps that a path violates, each with the preconditions of its refutation in the
/// step of its index.
type Wanted = IndexMap<NonConsecutive, Vec<(Origin, Term)>>;

/// The labelled instances under which there is no path, or why there are none.
enum Excluded {
    By(TermMap<Instance>),
    Not(Fixed),
}

impl ArrayProphecy {
    /// Refines until there is no abstract path of this length.
    pub(super) fn fix(
        &mut self,
        system: &mut TransitionSystem,
        length: u32,
        cx: &Cx<'_>,
    ) -> Result<Fixed, Halt> {
        let mut outcome = Fixed::Nothing;
        loop {
            cx.budget.check()?;
            self.captures.new_round();
            let catalogue = Catalogue::new(system, &self.arrays, cx.terms);
            let mut paths = Unrolling::new(system, length, "prophecy-paths", cx)?;
            let foretold: TermSet = self.instrument.foretold().values().copied().collect();
            let pool = frozen::pool(system, &catalogue, &foretold, cx.terms);
            let needed = match self.exclude(&catalogue, &pool, &mut paths, cx)? {
                Excluded::By(needed) => needed,
                Excluded::Not(why) => return Ok(why),
            };
            if needed.is_empty() {
                return Ok(outcome);
            }
            outcome = Fixed::Refined;
            if self.mine_interpolants(&catalogue, &needed, &paths, cx)? {
                continue;
            }
            if !self.foretell(system, &needed, cx) {
                for instance in needed.values() {
                    if let Instance::Consecutive(axiom) = instance {
                        let timing = catalogue.timing(cx.terms, axiom.formula);
                        self.add(system, *axiom, timing, cx);
                    }
                }
            }
        }
    }

    /// Labels violated instances until there is no path, and keeps the labels that are needed.
    fn exclude(
        &mut self,
        catalogue: &Catalogue,
        pool: &[Term],
        paths: &mut Unrolling,
        cx: &Cx<'_>,
    ) -> Result<Excluded, Halt> {
        let mut meaning: TermMap<Instance> = TermMap::default();
        loop {
            let length = paths.length();
            let roots = paths.roots().to_vec();
            let read = |model: &dyn Model, unroller: &mut Unroller| {
                self.violated(
                    catalogue,
                    pool,
                    &mut Path {
                        model,
                        unroller,
                        length,
                        roots: &roots,
                    },
                    cx,
                )
            };
            let labels = paths.labels();
            let violated = match paths.check(&labels, read, cx)? {
                Paths::Some(violated) => violated,
                Paths::None(core) => {
                    let place = |label: &Term| match meaning.get(label) {
                        Some(Instance::NonConsecutive(one)) => Some((one.delay, one.index.clone())),
                        _ => None,
                    };
                    let core = reduce::needed(paths, core, &place, cx)?;
                    let options = &self.options;
                    meaning.retain(|label, instance| match instance {
                        Instance::Consecutive(_) => {
                            core.contains(label) || !options.filter_consecutive
                        }
                        Instance::NonConsecutive(_) => {
                            core.contains(label) || !options.filter_non_consecutive
                        }
                    });
                    return Ok(Excluded::By(meaning));
                }
                Paths::Unknown(words) => {
                    return Ok(Excluded::Not(Fixed::Unknown(Reason::SolverUnknown(words))));
                }
            };
            if violated.is_empty() {
                return Ok(Excluded::Not(Fixed::Concrete));
            }
            for instance in violated {
                let copies = match &instance {
                    Instance::Consecutive(axiom) => catalogue.copies(*axiom, paths, cx),
                    Instance::NonConsecutive(one) => {
                        catalogue.non_consecutive_copies(one, &self.arrays, paths, cx)
                    }
                };
                meaning.insert(paths.add(&copies, cx)?, instance);
            }
        }
    }

    /// Instances a path violates: consecutive ones; else those at frozen terms with the values of the
    /// indices of non-consecutive ones; else non-consecutive ones.
    fn violated(
        &mut self,
        catalogue: &Catalogue,
        pool: &[Term],
        path: &mut Path<'_>,
        cx: &Cx<'_>,
    ) -> Vec<Instance> {
        let consecutive = catalogue.violated(path, cx);
        if !consecutive.is_empty() {
            return consecutive.into_iter().map(Instance::Consecutive).collect();
        }
        let (consecutive, mut non_consecutive) = if self.options.directed {
            self.refute(catalogue, path, cx)
        } else {
            <_>::default()
        };
        if !consecutive.is_empty() {
            return consecutive.into_iter().map(Instance::Consecutive).collect();
        }
        if non_consecutive.is_empty() {
            let longest = self.options.max_delay;
            let all = catalogue.non_consecutive_violated(&self.arrays, path, longest, cx);
            non_consecutive.extend(all.into_iter().map(|one| (one, Vec::new())));
        }
        let frozen = self.frozen(catalogue, pool, &non_consecutive, path, cx);
        if !frozen.is_empty() {
            return frozen.into_iter().map(Instance::Consecutive).collect();
        }
        let state = catalogue.state();
        for one in non_consecutive.keys() {
            let key = (one.trigger, one.index.clone());
            if !self.paths.contains_key(&key) {
                let words = explain::path(&self.arrays, &state, one, path, cx);
                self.paths.insert(key, words);
            }
        }
        if self.options.conditional {
            for (one, reasons) in non_consecutive.iter().filter(|(one, _)| one.delay > 0) {
                self.captures.demand(one, reasons, path, cx);
            }
        }
        non_consecutive
            .into_keys()
            .map(Instance::NonConsecutive)
            .collect()
    }

    /// What a refutation of the property meets, with the preconditions in the step of the index.
    fn refute(
        &mut self,
        catalogue: &Catalogue,
        path: &mut Path<'_>,
        cx: &Cx<'_>,
    ) -> (Vec<Axiom>, Wanted) {
        let (mut consecutive, mut non_consecutive) = (Vec::new(), Wanted::new());
        for violation in refutation::violations(&self.arrays, path, cx) {
            let mut together = vec![violation.trigger];
            together.extend(&violation.index);
            if let Some((local, _)) = catalogue.local(&together, path.unroller, cx.terms) {
                consecutive.extend(axioms::at_index(
                    &self.arrays,
                    cx.terms,
                    local[0],
                    &local[1..],
                ));
                continue;
            }
            let trigger = catalogue.local(&together[..1], path.unroller, cx.terms);
            let index = catalogue.local(&together[1..], path.unroller, cx.terms);
            let (Some((trigger, _)), Some((index, Some(time)))) = (trigger, index) else {
                continue;
            };
            let named = self.captures.is_named(&index, cx.terms);
            if !named || !catalogue.can_be_foretold(&index, &self.arrays, cx.terms) {
                continue;
            }
            let mut reasons: Vec<(Origin, Term)> = Vec::new();
            for condition in &violation.conditions {
                if let Some((local, Some(at))) =
                    catalogue.local(&[condition.formula], path.unroller, cx.terms)
                    && at == time
                    && self.captures.is_named(&local, cx.terms)
                    && !self.arrays.has_witness(cx.terms, local[0])
                {
                    reasons.push((Origin::from(condition.kind), local[0]));
                }
            }
            let found = NonConsecutive {
                trigger: trigger[0],
                index,
                delay: path.length - time,
            };
            let keeps = found.delay == 0 || found.can_be_kept(&self.arrays, cx.terms);
            if keeps && found.delay <= self.options.max_delay {
                non_consecutive.entry(found).or_insert(reasons);
            }
        }
        (consecutive, non_consecutive)
    }

    /// The instances at frozen terms that had the values of the indices on all paths so far.
    fn frozen(
        &mut self,
        catalogue: &Catalogue,
        pool: &[Term],
        non_consecutive: &Wanted,
        path: &mut Path<'_>,
        cx: &Cx<'_>,
    ) -> IndexSet<Axiom> {
        let mut frozen: IndexSet<Axiom> = IndexSet::new();
        // No term over frozen symbols says what an index will be that is chosen freely.
        for one in non_consecutive
            .keys()
            .filter(|one| !one.index.iter().any(|&i| catalogue.is_input(cx.terms, i)))
        {
            let values: Option<Vec<Value>> = one
                .index
                .iter()
                .map(|&i| path.value(i, one.delay, cx))
                .collect();
            let Some(values) = values else { continue };
            let key = (one.trigger, one.index.clone());
            let guess = self
                .guesses
                .entry(key)
                .or_insert_with(|| Guess::new(pool, one.index.len()));
            if let Some(index) = guess.next(&values, self.options.frozen_terms, path, cx) {
                explain::frozen(&self.arrays, one, &index, cx);
                frozen.extend(catalogue.instances_at(one.trigger, &index, &self.arrays, cx.terms));
            }
        }
        frozen
    }
}
