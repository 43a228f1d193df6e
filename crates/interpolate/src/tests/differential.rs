//! The refuter alone against Z3: a refutation means unsatisfiable, and the other way round almost
//! always.

#[path = "../../tests/common/generate.rs"]
#[allow(dead_code, unreachable_pub)]
mod generate;

use super::support::sequence;
use crate::query::Found;
use crate::world::Labelling;
use foretell_kernel::{Answer, Budget, Cx, NullSink, Oracles, Rng, SolverConfig};
use foretell_solver::Z3Oracles;
use foretell_terms::{Term, TermStore};
use generate::{Gen, Mode};

/// What Z3 says: `Some(true)` for satisfiable.
fn satisfiable(store: &TermStore, formulas: &[Term]) -> Option<bool> {
    let (budget, rng, oracles) = (Budget::unlimited(), Rng::new(0), Z3Oracles::default());
    let cx = Cx {
        terms: store,
        events: &NullSink,
        budget: &budget,
        oracles: &oracles,
        rng: &rng,
    };
    let mut solver = oracles.solver(&SolverConfig::new("test"));
    for f in formulas {
        solver.assert(store, *f).ok()?;
    }
    match solver.check(&[], &cx).ok()? {
        Answer::Sat(_) => Some(true),
        Answer::Unsat(_) => Some(false),
        Answer::Unknown(_) => None,
    }
}

#[test]
fn verdicts_agree_with_z3() {
    let count = std::env::var("FORETELL_FUZZ")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(600)
        / 6;
    let wanted = std::env::var("FORETELL_FUZZ_MODE").ok();
    for mode in [
        Mode::Uf,
        Mode::Lra,
        Mode::Lia,
        Mode::UfLra,
        Mode::UfLia,
        Mode::Mixed,
    ] {
        if wanted.as_ref().is_some_and(|w| *w != format!("{mode:?}")) {
            continue;
        }
        let (mut refuted, mut missed) = (0, Vec::new());
        for seed in 500_000..500_000 + count {
            let store = TermStore::new();
            let groups = Gen::new(&store, mode, seed).groups();
            match (
                sequence(&store, &groups, Labelling::McMillan),
                satisfiable(&store, &groups),
            ) {
                (Found::Interpolants(_), verdict) => {
                    assert_ne!(
                        verdict,
                        Some(true),
                        "{mode:?} {seed}: refuted but satisfiable"
                    );
                    refuted += 1;
                }
                (_, Some(false)) => missed.push(seed),
                _ => {}
            }
        }
        println!("{mode:?}: refuted {refuted}, missed {missed:?}");
        assert!(
            missed.len() * 200 <= refuted,
            "{mode:?}: refuted {refuted}, missed {missed:?}"
        );
    }
}
