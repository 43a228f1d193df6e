//! Counterexample-guided prophecy for arrays.
//!
//! Paper: Mann, Irfan, Griggio, Padon, Barrett, "Counterexample-Guided Prophecy for Model Checking
//! Modulo the Theory of Arrays", LMCS 18(3), 2022, Algorithm 3 (Refine-Arrays) and section 6.1.
//! Vick, McMillan, "Synthesizing History and Prophecy Variables for Symbolic Model Checking", VMCAI
//! 2023, Figures 3 and 7: with `directed` and `conditional` this is the second paper's CondHist, with
//! `directed` alone its UnCondHist2, with neither its UnCondHist1.
//!
//! ```text
//! initial(S)        arrays become uninterpreted; T ← T ∧ P; instances at rigid indices are added
//! refine(Ŝ, k)                                                        // fn refine, fn fix
//!   loop  while there is an abstract path of length k
//!     near instances it violates?   label them                        // enumerate.rs
//!     far instances it violates?    those a refutation of the property meets   // refutation.rs,
//!                                   else those with the shortest delay;          // enumerate.rs
//!                                   label instances at frozen terms of the same value, // frozen.rs
//!                                   else the far ones themselves
//!     none?                         replay the path with arrays: genuine, or add λ, or give up  // lambda.rs
//!   L ← core of the labels                                            // reduce.rs
//!   far instances in L?   drop the longest delays if the rest suffices; for each index i@j that is left
//!                         Prophecize what a condition captures, if one captures i on all stored paths
//!                         that asked for it; else (i, k - j); start over    // capture.rs, prophecize.rs
//!   add the near instances in L to I and T
//! lift(Inv)         uninterpreted functions become select, store and const again
//! ```
//!
//! Departures: near instances are preferred to far ones throughout, and instances at rigid indices
//! (parameters, frozen variables, prophecy variables) are added before any path is looked at. After a
//! refinement the next bounds are refined too until one needs nothing, because a bounded path costs
//! less than a run of the engine; for the same reason short paths are excluded before it runs first.
//!
//! Limits: the loop need not end (section 5.2). Over index sorts that hold arrays nothing is foretold.
//! The engine beneath must return invariants of depth 1 once there are auxiliary variables.

pub mod arrays;
pub mod prophecy;

use foretell_kernel::{
    Abstraction, Cx, Event, Halt, Model, Reason, Refinement, Translation, Unsupported, options,
};
use foretell_systems::{Invariant, Trace, TransitionSystem, Unroller};
use foretell_terms::{Sort, Term, TermMap, TermSet, Value};
use indexmap::{IndexMap, IndexSet};

use crate::array_prophecy::arrays::axioms::{self, Axiom};
use crate::array_prophecy::arrays::enumerate::{Catalogue, Far, Path};
use crate::array_prophecy::arrays::index_set::{Timing, Vocabulary};
use crate::array_prophecy::arrays::seeds::seeds;
use crate::array_prophecy::arrays::unrolling::{Paths, Unrolling};
use crate::array_prophecy::arrays::{ArrayAbstraction, Equality, lambda, reduce};
use crate::array_prophecy::prophecy::capture::{Captures, Origin, Which};
use crate::array_prophecy::prophecy::frozen::Guess;
use crate::array_prophecy::prophecy::prophecize::Target;
use crate::array_prophecy::prophecy::{Instrument, explain, frozen, interpolants, refutation};

options! {
    /// Options of counterexample-guided prophecy.
    pub struct ArrayProphecyOptions("prophecy") {
        /// Whether equality of arrays becomes an uninterpreted predicate (section 6.1).
        weak: bool = false;
        /// Whether the property is assumed in the pre-state of steps (section 6.1).
        assume_property: bool = true;
        /// Whether instances at rigid indices are added before any counterexample asks for them.
        eager: bool = true;
        /// Abstract counterexamples up to this length are excluded before the engine runs first.
        bounds: u32 = 8, 0..=1_000;
        /// Whether the engine beneath starts anew after a prophecy variable was added: what it learnt
        /// before describes paths that are gone.
        restart: bool = true;
        /// How many bounds beyond the counterexample are refined before the engine runs again.
        ahead: u32 = 3, 0..=1_000;
        /// Whether atoms about rigid cells are spelled out for engines that take predicates from the
        /// transition relation (Seghir, Podelski, Wies, SAS 2009).
        seeds: bool = true;
        /// How often an index that changes is replaced by a frozen term before it is foretold.
        frozen_terms: u32 = 4, 0..=1_000;
        /// Whether far instances are found by a refutation that starts at the property (Vick, McMillan).
        directed: bool = true;
        /// Whether history variables take values under conditions rather than a fixed number of steps
        /// before the end (Vick, McMillan).
        conditional: bool = true;
        /// Whether systems without arrays are taken too; the engine beneath then decides alone.
        without_arrays: bool = false;
        /// Whether instances within a step are kept only if an unsat core names them (section 6.1).
        filter_near: bool = true;
        /// Whether instances across steps are kept only if an unsat core names them, the longest delays
        /// dropped first (section 6.1).
        filter_far: bool = true;
        /// Whether a prophecy variable brings the predicate that it equals its target (the published
        /// tool's history equalities).
        target_predicates: bool = true;
        /// Whether an index that no step uses may be added, for infinite index sorts (section 6.2).
        lambda: bool = true;
        /// The longest delay of a prophecy target.
        max_delay: u32 = 12, 0..=1_000;
    }
}

/// The abstraction of arrays with prophecy.
pub struct ArrayProphecy {
    options: ArrayProphecyOptions,
    arrays: ArrayAbstraction,
    /// The auxiliary variables, over the abstract system.
    instrument: Instrument,
    /// When values can be taken, and which were asked for.
    captures: Captures,
    /// For a trigger and an index, which frozen terms may stand for the index.
    guesses: IndexMap<(Term, Vec<Term>), Guess>,
    /// Instances that were added to the system.
    added: TermSet,
    /// The indices that no step uses.
    lambdas: TermSet,
}

/// What a label stands for.
#[derive(Clone)]
enum Instance {
    Near(Axiom),
    Far(Far),
}

/// What one bound came to.
enum Fixed {
    /// No abstract path of this length was there.
    Nothing,
    /// There is none any more.
    Refined,
    /// The path is no counterexample that could be excluded.
    Concrete,
    /// Undecided.
    Unknown(Reason),
}

/// The labelled instances under which there is no path, or why there are none.
enum Excluded {
    By(TermMap<Instance>),
    Not(Fixed),
}

impl ArrayProphecy {
    /// A layer with these options.
    pub fn new(options: ArrayProphecyOptions) -> ArrayProphecy {
        let equality = if options.weak {
            Equality::Weak
        } else {
            Equality::Strong
        };
        ArrayProphecy {
            options,
            arrays: ArrayAbstraction::new(equality),
            instrument: Instrument::default(),
            captures: Captures::default(),
            guesses: IndexMap::new(),
            added: TermSet::default(),
            lambdas: TermSet::default(),
        }
    }

    /// Adds an instance to the system: to I and both ends of T if it speaks of a state, else to T.
    fn add(&mut self, system: &mut TransitionSystem, axiom: Axiom, timing: Timing, cx: &Cx<'_>) {
        if !self.added.insert(axiom.formula) {
            return;
        }
        cx.events.emit(Event::Axiom(axiom.rule));
        if timing == Timing::Step {
            system.strengthen_trans(cx.terms, axiom.formula);
            return;
        }
        let primed = system.next(cx.terms, axiom.formula);
        system.strengthen_init(cx.terms, axiom.formula);
        system.strengthen_trans(cx.terms, cx.terms.and2(axiom.formula, primed));
    }

    /// Adds the instances that need no changing index.
    fn add_rigid(&mut self, system: &mut TransitionSystem, cx: &Cx<'_>) {
        let catalogue = Catalogue::new(system, &self.arrays, cx.terms);
        for axiom in catalogue.rigid() {
            let timing = catalogue.timing(cx.terms, axiom.formula);
            self.add(system, axiom, timing, cx);
        }
        if self.options.seeds {
            for axiom in seeds(system, &catalogue, &self.arrays, cx.terms) {
                if self.added.insert(axiom.formula) {
                    cx.events.emit(Event::Axiom(axiom.rule));
                    system.strengthen_trans(cx.terms, axiom.formula);
                }
            }
        }
    }

    /// Refines until there is no abstract path of this length.
    fn fix(
        &mut self,
        system: &mut TransitionSystem,
        length: u32,
        cx: &Cx<'_>,
    ) -> Result<Fixed, Halt> {
        let mut outcome = Fixed::Nothing;
        loop {
            cx.budget.check()?;
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
                    if let Instance::Near(axiom) = instance {
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
                        Some(Instance::Far(far)) => Some((far.delay, far.index.clone())),
                        _ => None,
                    };
                    let core = reduce::needed(paths, core, &place, cx)?;
                    let options = &self.options;
                    meaning.retain(|label, instance| match instance {
                        Instance::Near(_) => core.contains(label) || !options.filter_near,
                        Instance::Far(_) => core.contains(label) || !options.filter_far,
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
                    Instance::Near(axiom) => catalogue.copies(*axiom, paths, cx),
                    Instance::Far(far) => catalogue.far_copies(far, &self.arrays, paths, cx),
                };
                meaning.insert(paths.add(&copies, cx)?, instance);
            }
        }
    }

    /// Instances a path violates: near ones; else those at frozen terms with the values of the
    /// indices of far ones; else far ones.
    fn violated(
        &mut self,
        catalogue: &Catalogue,
        pool: &[Term],
        path: &mut Path<'_>,
        cx: &Cx<'_>,
    ) -> Vec<Instance> {
        let near = catalogue.violated(path, cx);
        if !near.is_empty() {
            return near.into_iter().map(Instance::Near).collect();
        }
        let (near, mut far) = if self.options.directed {
            self.refute(catalogue, path, cx)
        } else {
            <_>::default()
        };
        if !near.is_empty() {
            return near.into_iter().map(Instance::Near).collect();
        }
        if far.is_empty() {
            far = catalogue.far_violated(&self.arrays, path, self.options.max_delay, cx);
        }
        let frozen = self.frozen(catalogue, pool, &far, path, cx);
        if !frozen.is_empty() {
            return frozen.into_iter().map(Instance::Near).collect();
        }
        if self.options.conditional {
            for far in far.iter().filter(|far| far.delay > 0) {
                self.captures
                    .demand(&far.index, path.length - far.delay, path, cx);
            }
        }
        far.into_iter().map(Instance::Far).collect()
    }

    /// What a refutation of the property meets; the preconditions become conditions of captures.
    fn refute(
        &mut self,
        catalogue: &Catalogue,
        path: &mut Path<'_>,
        cx: &Cx<'_>,
    ) -> (Vec<Axiom>, Vec<Far>) {
        let (mut near, mut far) = (Vec::new(), Vec::new());
        for violation in refutation::violations(&self.arrays, path, cx) {
            let mut together = vec![violation.trigger];
            together.extend(&violation.index);
            if let Some((local, _)) = catalogue.local(&together, path.unroller, cx.terms) {
                near.extend(axioms::at_index(
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
            for condition in &violation.conditions {
                if let Some((local, Some(at))) =
                    catalogue.local(&[condition.formula], path.unroller, cx.terms)
                    && at == time
                    && self.captures.is_named(&local, cx.terms)
                {
                    self.captures.add(local[0], Origin::from(condition.kind));
                }
            }
            let far_instance = Far {
                trigger: trigger[0],
                index,
                delay: path.length - time,
            };
            if far_instance.delay <= self.options.max_delay && !far.contains(&far_instance) {
                far.push(far_instance);
            }
        }
        (near, far)
    }

    /// The instances at frozen terms that had the values of the indices on all paths so far.
    fn frozen(
        &mut self,
        catalogue: &Catalogue,
        pool: &[Term],
        far: &[Far],
        path: &mut Path<'_>,
        cx: &Cx<'_>,
    ) -> IndexSet<Axiom> {
        let mut frozen: IndexSet<Axiom> = IndexSet::new();
        // No term over frozen symbols says what an index will be that is chosen freely.
        for far in far
            .iter()
            .filter(|far| !far.index.iter().any(|&i| catalogue.is_input(cx.terms, i)))
        {
            let values: Option<Vec<Value>> = far
                .index
                .iter()
                .map(|&i| path.value(i, far.delay, cx))
                .collect();
            let Some(values) = values else { continue };
            let key = (far.trigger, far.index.clone());
            let guess = self
                .guesses
                .entry(key)
                .or_insert_with(|| Guess::new(pool, far.index.len()));
            if let Some(index) = guess.next(&values, self.options.frozen_terms, path, cx) {
                explain::frozen(&self.arrays, far, &index, cx);
                frozen.extend(catalogue.instances_at(far.trigger, &index, &self.arrays, cx.terms));
            }
        }
        frozen
    }

    /// For indices that no condition captures: adds the atoms of interpolants as conditions and forgets
    /// who asked for them, so that the paths are looked at again; whether there was such an index.
    fn mine_interpolants(
        &mut self,
        catalogue: &Catalogue,
        needed: &TermMap<Instance>,
        paths: &Unrolling,
        cx: &Cx<'_>,
    ) -> Result<bool, Halt> {
        let far = needed.values().filter_map(|instance| match instance {
            Instance::Far(far) if far.delay > 0 => Some(&far.index),
            _ => None,
        });
        let open: Vec<Vec<Term>> = far
            .filter(|i| self.captures.is_open(i, cx.terms))
            .cloned()
            .collect();
        if !self.options.conditional || open.is_empty() {
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
    fn foretell(
        &mut self,
        system: &mut TransitionSystem,
        needed: &TermMap<Instance>,
        cx: &Cx<'_>,
    ) -> bool {
        let mut foretold = Vec::new();
        for instance in needed.values() {
            let Instance::Far(far) = instance else {
                continue;
            };
            let index = self.foretold_index(system, far, cx);
            foretold.extend(
                index.and_then(|i| axioms::at_index(&self.arrays, cx.terms, far.trigger, &i)),
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

    /// The index of a far instance with prophecy variables in the places that change.
    fn foretold_index(
        &mut self,
        system: &mut TransitionSystem,
        far: &Far,
        cx: &Cx<'_>,
    ) -> Option<Vec<Term>> {
        let vocabulary = Vocabulary::new(system, cx.terms);
        let capture = self
            .captures
            .choose(&far.index, cx.terms)
            .filter(|_| far.delay > 0);
        let mut index = Vec::with_capacity(far.index.len());
        for &term in &far.index {
            if vocabulary.timing(cx.terms, term) == Timing::Rigid {
                index.push(term);
                continue;
            }
            let target = match capture {
                Some(c) if !cx.terms.is_true(c.condition) || c.which == Which::First => {
                    Target::Captured(term, c)
                }
                _ => Target::Delayed(term, far.delay),
            };
            let known = self.instrument.foretold().contains_key(&target);
            let var = self.instrument.prophecize(system, target, cx)?;
            if !known {
                if let (true, Some(hint)) = (
                    self.options.target_predicates,
                    self.instrument.last(cx.terms),
                ) {
                    system.guide.hints.push(hint);
                }
                explain::foretold(&self.arrays, target, var, far.trigger, cx);
            }
            index.push(var);
        }
        Some(index)
    }

    /// What becomes of a path that violates no instance: it is genuine, or λ may exclude it.
    fn replay_or_widen(
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
            let known = self.lambdas.iter().any(|&l| cx.terms.sort(l) == sort);
            if known || !self.options.lambda || !lambda::is_infinite(sort, cx.terms) {
                continue;
            }
            let var = cx.terms.fresh("lambda", sort);
            self.lambdas.insert(var);
            system.add_param(var);
            for (axiom, timing) in catalogue.at_lambda(var, &self.arrays, cx.terms) {
                self.add(system, axiom, timing, cx);
            }
            added = true;
        }
        added
    }

    /// The counterexample with arrays, if there is one of this length.
    fn replay(
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

impl Translation for ArrayProphecy {
    type From = TransitionSystem;
    type To = TransitionSystem;

    /// Formulas about history or prophecy say nothing about the system given.
    fn up(&self, fact: Term, cx: &Cx<'_>) -> Vec<Term> {
        if !self.arrays.is_image(cx.terms, fact) {
            return Vec::new();
        }
        let back = self.arrays.concretized(cx.terms, fact);
        back.into_iter().collect()
    }

    fn down(&self, fact: Term, cx: &Cx<'_>) -> Vec<Term> {
        self.arrays.known(cx.terms, fact).into_iter().collect()
    }
}

impl Abstraction for ArrayProphecy {
    fn initial(
        &mut self,
        concrete: &TransitionSystem,
        cx: &Cx<'_>,
    ) -> Result<TransitionSystem, Halt> {
        *self = ArrayProphecy::new(self.options.clone());
        let mut system = self.arrays.system(cx.terms, concrete)?;
        if self.arrays.is_identity() && !self.options.without_arrays {
            return Err(Halt::Unsupported(Unsupported(
                "prophecy for a system without arrays".into(),
            )));
        }
        self.captures = Captures::mine_conditions(&system, &self.arrays, cx.terms);
        if self.options.assume_property {
            system.strengthen_trans(cx.terms, system.property);
        }
        if self.options.eager {
            self.add_rigid(&mut system, cx);
        }
        for length in 0..=self.options.bounds {
            if let Fixed::Concrete | Fixed::Unknown(_) = self.fix(&mut system, length, cx)? {
                break;
            }
        }
        Ok(system)
    }

    fn refine(
        &mut self,
        concrete: &TransitionSystem,
        system: &mut TransitionSystem,
        cex: &Trace,
        cx: &Cx<'_>,
    ) -> Result<Refinement<Trace>, Halt> {
        let length = u32::try_from(cex.steps.len().saturating_sub(1)).unwrap_or(u32::MAX);
        match self.fix(system, length, cx)? {
            Fixed::Refined => {}
            Fixed::Concrete => return self.replay_or_widen(concrete, system, length, cx),
            Fixed::Unknown(reason) => return Ok(Refinement::GaveUp(reason)),
            Fixed::Nothing => {
                let words = "the abstract counterexample is no path of the abstract system";
                return Ok(Refinement::GaveUp(Reason::Certificate(words.into())));
            }
        }
        for length in length.saturating_add(1)..=length.saturating_add(self.options.ahead) {
            match self.fix(system, length, cx)? {
                Fixed::Refined => {}
                Fixed::Nothing | Fixed::Unknown(_) => break,
                Fixed::Concrete => match self.replay(concrete, length, cx)? {
                    Refinement::Genuine(trace) => return Ok(Refinement::Genuine(trace)),
                    _ => break,
                },
            }
        }
        Ok(Refinement::Refined)
    }

    fn lift(&self, proof: Invariant, cx: &Cx<'_>) -> Result<Invariant, Halt> {
        let mut all = self.instrument.auxiliaries().to_vec();
        all.extend(proof.auxiliaries);
        if proof.k != 1 && !all.is_empty() {
            return Err(Halt::NotLifted("prophecy"));
        }
        if cx
            .terms
            .free_vars(&[proof.formula])
            .iter()
            .any(|v| self.lambdas.contains(v))
        {
            return Err(Halt::NotLifted("lambda"));
        }
        let proof = Invariant {
            auxiliaries: all,
            ..proof
        };
        proof.map(&mut |term| self.arrays.concretized(cx.terms, term))
    }
}
