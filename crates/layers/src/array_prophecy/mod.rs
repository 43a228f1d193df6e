//! Counterexample-guided prophecy for arrays.
//!
//! Paper: Mann, Irfan, Griggio, Padon, Barrett, "Counterexample-Guided Prophecy for Model Checking
//! Modulo the Theory of Arrays", LMCS 18(3), 2022, Algorithm 3 (Refine-Arrays) and section 6.1.
//! Vick, McMillan, "Synthesizing History and Prophecy Variables for Symbolic Model Checking", VMCAI
//! 2023, Figures 3 and 7: with `directed`, `conditional` and `one_path` this is the second paper's CondHist, with
//! `directed` alone its UnCondHist2, with neither its UnCondHist1.
//!
//! ```text
//! initial(S)        arrays become uninterpreted; T ← T ∧ P; instances at rigid indices are added
//! refine(Ŝ, k)                                                        // fn refine, fn fix
//!   loop  while there is an abstract path of length k                 // exclude.rs
//!     consecutive instances it violates?      label them              // consecutive.rs
//!     non-consecutive instances it violates?
//!       those a refutation of the property meets                      // refutation.rs
//!       else those with the shortest delay;                           // consecutive.rs
//!       label instances at frozen terms of the same value             // frozen.rs
//!       else the non-consecutive ones themselves
//!     none?   replay the path with arrays: genuine, or add λ, or give up       // lambda.rs
//!   L ← core of the labels                                            // reduce.rs
//!   non-consecutive instances in L?   drop the longest delays if the rest suffices; // foretell.rs
//!     for each index i@j that is left
//!       Prophecize what a condition captures, if one captures i on all stored paths that asked
//!       for i (`one_path`: on the one that asked for this instance);
//!       else (i, k - j); start over                                   // capture.rs, prophecize.rs
//!   add the consecutive instances in L to I and T
//! lift(Inv)         uninterpreted functions become select, store and const again; witnesses of
//!                   difference are quantified, λ is foretold                     // lift.rs
//! ```
//!
//! Departures: consecutive instances are preferred to non-consecutive ones throughout, and instances
//! at rigid indices (parameters, frozen variables, prophecy variables) are added before any path is
//! looked at. After a refinement the next bounds are refined too until one needs nothing, because a
//! bounded path costs less than a run of the engine; for the same reason short paths are excluded
//! before it runs first.
//!
//! Limits: the loop need not end (section 5.2). Over index sorts that hold arrays nothing is foretold.
//! The engine beneath must return invariants of depth 1 once there are auxiliary variables.

pub(crate) mod arrays;
mod exclude;
mod foretell;
mod lift;
mod options;
mod prophecy;
mod replay;

use foretell_kernel::{Abstraction, Cx, Event, Halt, Reason, Refinement, Translation, Unsupported};
use foretell_systems::{Invariant, Trace, TransitionSystem};
use foretell_terms::{Term, TermMap, TermSet};
use indexmap::IndexMap;

pub use options::ArrayProphecyOptions;

use arrays::axioms::Axiom;
use arrays::consecutive::Catalogue;
use arrays::index_set::Timing;
use arrays::seeds::seeds;
use arrays::{ArrayAbstraction, Equality};
use exclude::Fixed;
use prophecy::Instrument;
use prophecy::capture::{Captures, Source};
use prophecy::frozen::Guess;

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
    /// For a trigger and an index, the path that asked for them first, in words.
    paths: IndexMap<(Term, Vec<Term>), Vec<String>>,
    /// Instances that were added to the system.
    added: TermSet,
    /// The indices that no step uses, each with the history variable that keeps below it.
    lambdas: TermMap<Option<Term>>,
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
            paths: IndexMap::new(),
            added: TermSet::default(),
            lambdas: TermMap::default(),
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
        let source = if self.options.one_path {
            Source::OnePath
        } else {
            Source::AllPaths
        };
        self.captures = Captures::mine_conditions(&system, &self.arrays, source, cx.terms);
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
        self.lifted(proof, cx)
    }
}
