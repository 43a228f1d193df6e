//! Candidate invariants: guess, keep what is inductive, see whether it is enough.
//!
//! Papers: Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001; the index
//! comparisons are those of Seghir, Podelski, Wies, "Abstraction refinement for quantified array
//! assertions", SAS 2009.
//!
//! ```text
//! check(S)                                                    // fn check
//!   program ← S with clauses over the parameters of their body predicate     // crate::program
//!   facts ← houdini(scalar templates)                         // crate::houdini
//!   for configuration c from cheap to dear
//!     candidates ← { ∀y. guards(y) ⇒ atom(y) }                // templates.rs over atoms.rs
//!                  or equations that runs satisfy             // observed.rs over walk.rs
//!     inductive ← houdini(facts ∪ candidates)
//!     queries unsatisfiable with inductive?
//!       return Safe(the part the queries need)                // proof.rs
//! ```
//!
//! A candidate is universally quantified over at most two indices `y`. Nothing is ever asked with a
//! quantifier: a candidate is proved at fresh constants `y0` and assumed at finitely many terms, the
//! index terms of the clause and `y0` itself. Every query is over native arrays, quantifier-free.
//!
//! Departures from Houdini: refutation by models drops every candidate the model falsifies; the final
//! set is reduced by unsat cores. Limits: atoms come from linear clauses only
//! (non-linear ones are checked, not mined); it never answers `Unsafe`.

mod atoms;
mod observed;
mod proof;
mod sharing;
mod templates;
mod walk;

use std::time::Duration;

use foretell_kernel::{Count, Cx, Engine, Event, Halt, Peers, Reason, Unsupported, Verdict, Work};
use foretell_systems::{ChcProof, ChcSystem};

use crate::houdini::{self, Houdini, Pool, scalars};
use crate::program::Program;
use templates::Configuration;

foretell_kernel::options! {
    /// Options of the candidate engine.
    pub struct CandidatesOptions("candidates") {
        /// The first configuration to try, 0 is the cheapest.
        first: usize = 0, 0..=16;
        /// The most candidates per predicate.
        max_candidates: usize = 1500, 0..=1_000_000;
        /// Weakest preconditions are taken through so many clauses, or twice as many as there are predicates.
        wp_depth: u32 = 4, 0..=64;
        /// Milliseconds one query may take.
        query_ms: u64 = 3000, 0..=3_600_000;
    }
}

/// The candidate engine.
#[derive(Default)]
pub struct Candidates {
    options: CandidatesOptions,
}

impl Candidates {
    /// The engine with these options.
    pub fn new(options: CandidatesOptions) -> Candidates {
        Candidates { options }
    }
}

impl Engine<ChcSystem> for Candidates {
    fn name(&self) -> &'static str {
        "candidates"
    }

    fn accepts(&self, _system: &ChcSystem, _cx: &Cx<'_>) -> Result<(), Unsupported> {
        Ok(())
    }

    fn check(
        &mut self,
        system: &ChcSystem,
        peers: &dyn Peers<ChcSystem>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<ChcSystem>, Halt> {
        let program = Program::new(system, cx.terms);
        let query_limit = Work::of_millis(self.options.query_ms);
        let mut facts = Pool::new(&program);
        houdini::propose_equations(&program, &mut facts, query_limit, cx)?;
        sharing::take(&program, &mut facts, peers, cx);
        scalars::propose(&program, &mut facts, self.options.max_candidates, cx);
        let mut houdini = Houdini::new(&program, facts, query_limit, cx)?;
        houdini.run(cx)?;
        cx.events.emit(Event::Count(
            Count::ScalarFacts,
            houdini.pool.n_active() as u64,
        ));
        if let Some(proof) = proof::conclude(&program, &mut houdini, cx)? {
            return Ok(Verdict::Safe(proof));
        }
        let mut facts = houdini.pool.kept();
        sharing::tell(&program, &facts, peers, cx);
        sharing::suggest(&program, self.options.wp_depth, peers, cx);
        for configuration in Configuration::schedule().iter().skip(self.options.first) {
            cx.budget.check()?;
            // A configuration that is too dear must not starve the ones after it.
            let share = cx.budget.planned().map_or(UNLIMITED_SHARE, |left| left / 3);
            let slice = cx.budget.within(share);
            sharing::take(&program, &mut facts, peers, cx);
            let proof = cx.inside(&slice, |cx| {
                self.attempt(&program, configuration, &facts, peers, cx)
            })?;
            if let Some(proof) = proof.flatten() {
                return Ok(Verdict::Safe(proof));
            }
        }
        Ok(Verdict::Unknown(Reason::Exhausted(
            "no configuration of candidates proves the goal".into(),
        )))
    }
}

/// What a configuration may take when the run itself has no limit.
const UNLIMITED_SHARE: Duration = Duration::from_secs(60);

impl Candidates {
    /// One configuration: propose, keep what is inductive, see whether it is enough.
    fn attempt(
        &self,
        program: &Program<'_>,
        configuration: &Configuration,
        facts: &Pool,
        peers: &dyn Peers<ChcSystem>,
        cx: &Cx<'_>,
    ) -> Result<Option<ChcProof>, Halt> {
        cx.events.emit(Event::Note(configuration.name));
        let mut pool = facts.clone();
        templates::propose(program, configuration, &self.options, &mut pool, cx)?;
        if pool.len() == facts.len() {
            return Ok(None);
        }
        let limit = Work::of_millis(self.options.query_ms);
        let mut houdini = Houdini::new(program, pool, limit, cx)?;
        houdini.run(cx)?;
        cx.events.emit(Event::Count(
            Count::InductiveCandidates,
            houdini.pool.n_active() as u64,
        ));
        sharing::tell(program, &houdini.pool, peers, cx);
        proof::conclude(program, &mut houdini, cx)
    }
}
