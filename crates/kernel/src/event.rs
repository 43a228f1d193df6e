//! Events: what a run tells the outside. Statistics, progress and logs are folds over them.
//!
//! Granularity: one event per solver query or slower. Sinks may not influence the run.

use std::time::Duration;

use foretell_terms::Term;

use crate::problem::VerdictKind;

/// A named part of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Phase {
    /// Reading the input.
    Parse,
    /// A pass, by name.
    Pass(&'static str),
    /// An engine, by name.
    Engine(&'static str),
    /// Refinement of an abstraction.
    Refine,
    /// Interpolation.
    Interpolate,
    /// Checking a witness.
    Certify,
}

/// What is counted besides the events that count by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Facts told to other workers.
    SharedTold,
    /// Facts heard from other workers.
    SharedTaken,
    /// What other workers said and could not be read.
    SharedIgnored,
    /// Facts of other workers that were proved again and assumed.
    SharedFacts,
    /// Inductive candidates without index.
    ScalarFacts,
    /// Inductive candidates.
    InductiveCandidates,
    /// Abstract states reached.
    AbstractStates,
    /// Locations that have predicates.
    PredicateLocations,
    /// Elements of arrays that are tracked.
    Cells,
}

impl Count {
    /// The name in statistics.
    pub fn name(self) -> &'static str {
        match self {
            Count::SharedTold => "shared told",
            Count::SharedTaken => "shared taken",
            Count::SharedIgnored => "shared ignored",
            Count::SharedFacts => "shared facts",
            Count::ScalarFacts => "scalar facts",
            Count::InductiveCandidates => "inductive candidates",
            Count::AbstractStates => "abstract states",
            Count::PredicateLocations => "locations with predicates",
            Count::Cells => "cells",
        }
    }
}

/// Something that happened.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A phase begins.
    Enter(Phase),
    /// A phase ends.
    Leave(Phase),
    /// No counterexample of this length or shorter exists.
    Bound(u32),
    /// A frame was opened.
    Frame(u32),
    /// A proof obligation at a level, with its literals.
    Obligation(u32, &'a [Term]),
    /// A lemma was learnt at a level.
    Lemma(u32, Term),
    /// A predicate was added.
    Predicate(Term),
    /// An axiom instance was added, by the name of its rule.
    Axiom(&'static str),
    /// A history variable was added: the variable and what it takes next.
    History(Term, Term),
    /// A prophecy variable was added: the variable and its target.
    Prophecy(Term, Term),
    /// A solver query of this purpose begins.
    Asked(&'static str),
    /// A solver query of this purpose was answered after this time.
    Query(&'static str, Duration),
    /// The engine found an answer; from here on it is carried back to the input and checked.
    Found(VerdictKind),
    /// What is to show an answer, in words of the input, before it is checked.
    Witness(VerdictKind, &'a str),
    /// A counterexample was found spurious and the abstraction refined.
    Refined,
    /// A counter grew by so much.
    Count(Count, u64),
    /// What an engine did to the problem and why, in words for the user (`--explain`).
    Explain(&'a str),
    /// Words for the log.
    Note(&'a str),
}

/// Receives events.
pub trait EventSink {
    /// Called once per event.
    fn emit(&self, event: Event<'_>);
}

/// Ignores everything.
pub struct NullSink;

impl EventSink for NullSink {
    fn emit(&self, _event: Event<'_>) {}
}
