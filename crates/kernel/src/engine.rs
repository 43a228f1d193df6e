//! The three extension points: engines, passes with their way back, abstractions.

use crate::context::Cx;
use crate::halt::{Halt, Reason, Unsupported};
use crate::peers::{Peers, Translation};
use crate::problem::{Problem, Verdict};

/// An algorithm from problem to verdict.
pub trait Engine<P: Problem> {
    /// The name users select it by.
    fn name(&self) -> &'static str;

    /// Cheap gate: may this engine run on this problem at all?
    fn accepts(&self, problem: &P, cx: &Cx<'_>) -> Result<(), Unsupported>;

    /// Runs to a verdict, an honest `Unknown`, or a halt; in exchange with its peers, if it likes.
    fn check(&mut self, problem: &P, peers: &dyn Peers<P>, cx: &Cx<'_>)
    -> Result<Verdict<P>, Halt>;
}

impl<P: Problem, E: Engine<P> + ?Sized> Engine<P> for Box<E> {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn accepts(&self, problem: &P, cx: &Cx<'_>) -> Result<(), Unsupported> {
        (**self).accepts(problem, cx)
    }

    fn check(
        &mut self,
        problem: &P,
        peers: &dyn Peers<P>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<P>, Halt> {
        (**self).check(problem, peers, cx)
    }
}

/// The way back over a step that changed a problem: proofs and counterexamples go up, facts up and
/// down. No default methods.
pub trait Lift: Translation {
    /// A proof of the problem after the step, as a proof of the one before.
    fn proof(
        &self,
        proof: <Self::To as Problem>::Proof,
        cx: &Cx<'_>,
    ) -> Result<<Self::From as Problem>::Proof, Halt>;

    /// A counterexample of the problem after the step, as one of the problem before.
    fn cex(
        &self,
        cex: <Self::To as Problem>::Cex,
        cx: &Cx<'_>,
    ) -> Result<<Self::From as Problem>::Cex, Halt>;
}

/// A reduction from problem to problem.
pub trait Pass {
    /// The problem it takes.
    type From: Problem;
    /// The problem it gives.
    type To: Problem;
    /// Its way back.
    type Lift: Lift<From = Self::From, To = Self::To>;

    /// The name for events and options.
    fn name(&self) -> &'static str;

    /// Runs the reduction.
    fn run(&self, from: &Self::From, cx: &Cx<'_>) -> Result<(Self::To, Self::Lift), Halt>;
}

/// Abstract, check, refine: from the problem to be decided to the one the engine beneath sees.
pub trait Abstraction: Translation {
    /// The first abstraction.
    fn initial(&mut self, concrete: &Self::From, cx: &Cx<'_>) -> Result<Self::To, Halt>;

    /// Looks at an abstract counterexample: genuine, or the abstraction is refined so that this
    /// counterexample is gone.
    fn refine(
        &mut self,
        concrete: &Self::From,
        abstraction: &mut Self::To,
        cex: &<Self::To as Problem>::Cex,
        cx: &Cx<'_>,
    ) -> Result<Refinement<<Self::From as Problem>::Cex>, Halt>;

    /// A proof of the abstraction as a proof of the concrete problem.
    fn lift(
        &self,
        proof: <Self::To as Problem>::Proof,
        cx: &Cx<'_>,
    ) -> Result<<Self::From as Problem>::Proof, Halt>;
}

/// What refinement found.
#[derive(Clone, Debug)]
pub enum Refinement<Cex> {
    /// The counterexample is real.
    Genuine(Cex),
    /// The abstraction was refined.
    Refined,
    /// Nothing more can be done.
    GaveUp(Reason),
}
