//! Engines against the truth: random finite systems, decided by enumeration.
//!
//! No engine may contradict the enumerator, or another engine. `FORETELL_SYSTEMS` sets how many
//! systems of each kind are tried (default 60).

use std::time::Duration;

use foretell_engines::ic3ia::{Ic3ia, Ic3iaOptions};
use foretell_engines::{
    Bmc, BmcOptions, Candidates, KInduction, KInductionOptions, Unfold, UnfoldOptions,
};
use foretell_kernel::{Budget, Cx, Engine, Halt, NullSink, Problem, Rng, Verdict};
use foretell_layers::{Cegar, Cells, CellsOptions};
use foretell_solver::Z3Oracles;
use foretell_terms::TermStore;
use foretell_testkit::enumerate::{self, Truth};
use foretell_testkit::generate::{Generator, Shape};

/// Queries an engine may ask.
const QUERIES: u64 = 400;
/// What an engine may take; one that takes longer says nothing.
const LIMIT: Duration = Duration::from_secs(1);

fn systems() -> u64 {
    std::env::var("FORETELL_SYSTEMS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(60)
}

/// What an engine says: an answer, or nothing when it gave up or ran out of queries.
fn answer<P: Problem>(engine: &mut dyn Engine<P>, problem: &P, cx: &Cx<'_>) -> Option<Truth> {
    let budget = Budget::with_time(LIMIT).with_queries(QUERIES);
    match engine.check(problem, &cx.with_budget(&budget)) {
        Ok(Verdict::Safe(_)) => Some(Truth::Safe),
        Ok(Verdict::Unsafe(_)) => Some(Truth::Unsafe),
        Ok(Verdict::Unknown(_))
        | Err(Halt::Stopped(_) | Halt::Solver(_) | Halt::Unsupported(_)) => None,
        Err(halt) => panic!("{}: {halt}", engine.name()),
    }
}

fn with_cx<T>(f: impl FnOnce(&Cx<'_>) -> T) -> T {
    let (terms, budget, rng, oracles) = (
        TermStore::new(),
        Budget::unlimited(),
        Rng::new(0),
        Z3Oracles::default(),
    );
    f(&Cx {
        terms: &terms,
        events: &NullSink,
        budget: &budget,
        oracles: &oracles,
        rng: &rng,
    })
}

#[test]
fn engines_agree_with_enumeration_on_transition_systems() {
    let (mut proved, mut refuted) = (0, 0);
    for seed in 0..systems() {
        with_cx(|cx| {
            let system = Generator::new(cx.terms, seed).transition_system();
            let truth = enumerate::transition_system(cx.terms, &system);
            let bmc = BmcOptions {
                max_bound: 12,
                ..BmcOptions::default()
            };
            let kinduction = KInductionOptions { max_k: 6 };
            let quantified = CellsOptions {
                quantified: true,
                ..CellsOptions::default()
            };
            let closed = Ic3iaOptions {
                quantified_frames: true,
                ..Ic3iaOptions::default()
            };
            let cells = Cells::new(CellsOptions::default());
            let mut engines: [Box<dyn Engine<_>>; 5] = [
                Box::new(Bmc::new(bmc)),
                Box::new(KInduction::new(kinduction)),
                Box::new(Ic3ia::new(Ic3iaOptions::default())),
                Box::new(Cegar::new(
                    "cells",
                    cells,
                    Ic3ia::new(Ic3iaOptions::default()),
                )),
                Box::new(Cegar::new(
                    "quantified",
                    Cells::new(quantified),
                    Ic3ia::new(closed),
                )),
            ];
            for engine in &mut engines {
                if let Some(said) = answer(engine, &system, cx)
                    && truth != Truth::Undecided
                {
                    assert_eq!(said, truth, "seed {seed}, {}", engine.name());
                    proved += usize::from(said == Truth::Safe);
                    refuted += usize::from(said == Truth::Unsafe);
                }
            }
        });
    }
    assert!(
        proved > 0 && refuted > 0,
        "{proved} proofs, {refuted} refutations"
    );
}

#[test]
fn engines_agree_with_enumeration_on_clauses() {
    let (mut proved, mut refuted) = (0, 0);
    for seed in 0..systems() {
        with_cx(|cx| {
            let shape = if seed % 3 == 0 {
                Shape::NonLinear
            } else {
                Shape::Linear
            };
            let system = Generator::new(cx.terms, 1_000_000 + seed).clauses(shape);
            let truth = enumerate::clauses(cx.terms, &system);
            let unfold = UnfoldOptions {
                max_height: 6,
                max_nodes: 300,
                ..UnfoldOptions::default()
            };
            let mut engines: [Box<dyn Engine<_>>; 2] = [
                Box::new(Unfold::new(unfold)),
                Box::new(Candidates::default()),
            ];
            for engine in &mut engines {
                if let Some(said) = answer(engine, &system, cx)
                    && truth != Truth::Undecided
                {
                    assert_eq!(said, truth, "seed {seed}, {}", engine.name());
                    proved += usize::from(said == Truth::Safe);
                    refuted += usize::from(said == Truth::Unsafe);
                }
            }
        });
    }
    assert!(
        proved > 0 && refuted > 0,
        "{proved} proofs, {refuted} refutations"
    );
}
