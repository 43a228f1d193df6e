//! Candidate invariants: guess, keep what is inductive, see whether it is enough.
//!
//! Papers: Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001; the index
//! comparisons are those of Seghir, Podelski, Wies, "Abstraction refinement for quantified array
//! assertions", SAS 2009.
//!
//! ```text
//! check(S)                                                    // fn check
//!   a derivation of `false` of height at most h: Unsafe       // crate::unfold
//!   program ← S with clauses over the parameters of their body predicate     // crate::program
//!   facts ← houdini(scalar templates)                         // crate::houdini
//!   while there are configurations that were not done          // fn rounds
//!     for each of them, from cheap to dear, with a share of the time
//!       candidates ← { ∀y. guards(y) ⇒ atom(y) }              // propose.rs over templates.rs, atoms.rs, linked.rs
//!                    where they are many, those that no run refutes        // seen.rs over walk.rs
//!                    or equations that runs satisfy           // observed.rs over walk.rs
//!       inductive ← houdini(facts ∪ candidates)
//!       queries unsatisfiable with inductive?
//!         return Safe(the part the queries need)              // proof.rs
//! ```
//!
//! Where a configuration has many candidates, those are tried first that no other one with the same atom implies;
//! then all, where these were not all. A configuration whose share was over comes again in the next round with more
//! time, so "no configuration proves the goal" is said only when each of them was done.
//!
//! A candidate is universally quantified over at most two indices `y`. Nothing is ever asked with a
//! quantifier: a candidate is proved at fresh constants `y0` and assumed at finitely many terms, the
//! index terms of the clause and `y0` itself. Every query is over native arrays, quantifier-free.
//!
//! Departures from Houdini: refutation by models drops every candidate the model falsifies; the final
//! set is reduced by unsat cores. Limits: atoms come from linear clauses only
//! (non-linear ones are checked, not mined); `Unsafe` comes from derivations of small height only, which
//! no candidate need be guessed for.

mod atoms;
mod configuration;
mod linked;
mod miniature;
mod observed;
mod proof;
mod propose;
mod seen;
mod sharing;
mod templates;
#[cfg(test)]
mod tests;
mod walk;

use std::time::Duration;

use foretell_kernel::{Count, Cx, Engine, Event, Halt, Peers, Reason, Unsupported, Verdict, Work};
use foretell_systems::{ChcProof, ChcSystem};

use crate::houdini::{self, Houdini, Pool, scalars};
use crate::program::Program;
use crate::unfold;
use configuration::Configuration;
pub use observed::observed_cells;
use propose::{Proposer, Tier};
use seen::Seen;

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
        /// Derivations of at most this height are looked for before anything is guessed.
        short_height: u32 = 2, 0..=64;
        /// Milliseconds that may take.
        short_ms: u64 = 20, 0..=3_600_000;
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
        let work = Work::of_millis(self.options.short_ms);
        let height = self.options.short_height;
        let found = cx.within(work, |cx| unfold::derivation(system, height, cx));
        match found {
            Ok(Some(Some(derivation))) => return Ok(Verdict::Unsafe(derivation)),
            // A model that cannot be read is no derivation; candidates need none.
            Ok(_) | Err(Halt::Solver(_)) => {}
            Err(halt) => return Err(halt),
        }
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
        let facts = houdini.pool.kept();
        sharing::tell(&program, &facts, peers, cx);
        let proposer = Proposer::new(&self.options, &program, cx);
        sharing::suggest(&program, &proposer.atoms, peers, cx);
        let mut search = Search {
            options: &self.options,
            program: &program,
            proposer,
            facts,
            seen: None,
        };
        match search.rounds(peers, cx)? {
            Some(proof) => Ok(Verdict::Safe(proof)),
            None => Ok(Verdict::Unknown(Reason::Exhausted(
                "no configuration of candidates proves the goal".into(),
            ))),
        }
    }
}

/// What a configuration may take in the first round when the run itself has no limit.
const UNLIMITED_SHARE: Duration = Duration::from_secs(60);
/// In the first round it may take this part of the time that is left.
const FIRST_PART: u32 = 3;

/// The search over configurations, when the scalar facts are known.
struct Search<'a> {
    options: &'a CandidatesOptions,
    program: &'a Program<'a>,
    proposer: Proposer<'a>,
    facts: Pool,
    /// Made when there are many candidates for the first time: a few are proved or refuted sooner than runs
    /// are made.
    seen: Option<Seen>,
}

impl Search<'_> {
    /// Round after round until every configuration was done: first its strongest candidates, then, where
    /// these were not all, all of them. What was cut comes again.
    fn rounds(
        &mut self,
        peers: &dyn Peers<ChcSystem>,
        cx: &Cx<'_>,
    ) -> Result<Option<ChcProof>, Halt> {
        let first = self.options.first;
        let schedule = Configuration::schedule().into_iter().skip(first);
        let mut waiting: Vec<(Configuration, Tier)> =
            schedule.map(|c| (c, Tier::Strongest)).collect();
        let mut round = 0;
        while !waiting.is_empty() {
            let mut next = Vec::new();
            for (at, (configuration, tier)) in waiting.iter().enumerate() {
                cx.budget.check()?;
                let time = share(round, waiting.len() - at, cx.budget.planned());
                let slice = cx.budget.within(time);
                sharing::take(self.program, &mut self.facts, peers, cx);
                let tiers = [Tier::Strongest, Tier::All].into_iter();
                for tier in tiers.skip_while(|t| t != tier) {
                    let what = (configuration, tier);
                    match cx.inside(&slice, |cx| self.attempt(what, peers, cx))? {
                        Some(Attempted::Proved(proof)) => return Ok(Some(proof)),
                        Some(Attempted::NotEnough { left_out: 0 }) => break,
                        Some(Attempted::NotEnough { .. }) => {}
                        None => {
                            next.push((*configuration, tier));
                            break;
                        }
                    }
                }
            }
            waiting = next;
            round += 1;
        }
        Ok(None)
    }

    /// One configuration: propose, keep what is inductive, see whether it is enough.
    fn attempt(
        &mut self,
        what: (&Configuration, Tier),
        peers: &dyn Peers<ChcSystem>,
        cx: &Cx<'_>,
    ) -> Result<Attempted, Halt> {
        cx.events.emit(Event::Note(what.0.name));
        let mut pool = self.facts.clone();
        let program = self.program;
        let many = self.proposer.has_many(what.0, cx);
        if many && self.seen.is_none() {
            self.seen = Some(Seen::new(program, cx)?);
        }
        let seen = self.seen.as_mut().filter(|_| many);
        let left_out = self.proposer.propose(what, seen, &mut pool, cx)?;
        if pool.len() == self.facts.len() {
            return Ok(Attempted::NotEnough { left_out });
        }
        let limit = Work::of_millis(self.options.query_ms);
        let mut houdini = Houdini::new(program, pool, limit, cx)?;
        houdini.run(cx)?;
        cx.events.emit(Event::Count(
            Count::InductiveCandidates,
            houdini.pool.n_active() as u64,
        ));
        sharing::tell(program, &houdini.pool, peers, cx);
        Ok(match proof::conclude(program, &mut houdini, cx)? {
            Some(proof) => Attempted::Proved(proof),
            None => Attempted::NotEnough { left_out },
        })
    }
}

/// What became of an attempt that was not cut.
enum Attempted {
    Proved(ChcProof),
    NotEnough {
        /// Candidates that were not tried although nothing refutes them.
        left_out: usize,
    },
}

/// How long the next of so many configurations may take: one that is too dear must not starve the ones
/// after it. In later rounds they share what is left.
fn share(round: u32, n_waiting: usize, planned: Option<Duration>) -> Duration {
    let n_waiting = u32::try_from(n_waiting).unwrap_or(u32::MAX);
    match (planned, round) {
        (None, _) => UNLIMITED_SHARE.saturating_mul(2u32.saturating_pow(round)),
        (Some(left), 0) => left / FIRST_PART,
        (Some(left), _) => left / n_waiting.max(1),
    }
}
