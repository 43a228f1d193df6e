//! The loop of counterexample-guided abstraction refinement; it exists once.
//!
//! Paper: Mann, Irfan, Griggio, Padon, Barrett, "Counterexample-Guided Prophecy for Model Checking
//! Modulo the Theory of Arrays", LMCS 18(3), 2022, Algorithm 1.
//!
//! ```text
//! check(S, P)                                     // fn check
//!   Ŝ ← initial(S)
//!   loop
//!     engine(Ŝ) = Safe(proof)?   return Safe(lift(proof))
//!     engine(Ŝ) = Unsafe(π̂)?    refine(Ŝ, π̂) = Genuine(π)?   return Unsafe(π)
//! ```
//!
//! Departures: the engine hands over its counterexample, not only a bound; the engine and the
//! refinement may give up, and then the verdict is unknown with their reason.
//!
//! Limits: nothing bounds the number of rounds but the budget.

use foretell_kernel::{
    Abstraction, Cx, Engine, Event, Halt, Peers, Phase, Refinement, Translated, Unsupported,
    Verdict,
};

/// An abstraction over an engine, as an engine.
pub struct Cegar<A, E> {
    /// Makes and refines the abstract problem.
    pub abstraction: A,
    /// Decides the abstract problem.
    pub engine: E,
    name: &'static str,
}

impl<A, E> Cegar<A, E> {
    /// The loop under a name of its own.
    pub fn new(name: &'static str, abstraction: A, engine: E) -> Cegar<A, E> {
        Cegar {
            abstraction,
            engine,
            name,
        }
    }
}

impl<A, E> Engine<A::From> for Cegar<A, E>
where
    A: Abstraction,
    E: Engine<A::To>,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn accepts(&self, _problem: &A::From, _cx: &Cx<'_>) -> Result<(), Unsupported> {
        // Only the abstract problem could be shown to the engine, and it is not made yet.
        Ok(())
    }

    fn check(
        &mut self,
        problem: &A::From,
        peers: &dyn Peers<A::From>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<A::From>, Halt> {
        let mut abstracted = self.abstraction.initial(problem, cx)?;
        loop {
            cx.budget.check()?;
            let peers = Translated {
                words: &self.abstraction,
                inner: peers,
            };
            let cex = match self.engine.check(&abstracted, &peers, cx)? {
                Verdict::Safe(proof) => {
                    return Ok(Verdict::Safe(self.abstraction.lift(proof, cx)?));
                }
                Verdict::Unknown(reason) => return Ok(Verdict::Unknown(reason)),
                Verdict::Unsafe(cex) => cex,
            };
            let refinement = cx.during(Phase::Refine, || {
                self.abstraction.refine(problem, &mut abstracted, &cex, cx)
            })?;
            match refinement {
                Refinement::Genuine(cex) => return Ok(Verdict::Unsafe(cex)),
                Refinement::GaveUp(reason) => return Ok(Verdict::Unknown(reason)),
                Refinement::Refined => cx.events.emit(Event::Refined),
            }
        }
    }
}
