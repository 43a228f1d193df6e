//! The scalar files of the corpus: with the invariants of Lemma 1 checked at every change of a frame,
//! and under random options.
//!
//! `FORETELL_FUZZ=n` runs n rounds of random options over the corpus instead of one.

use std::path::{Path, PathBuf};
use std::time::Duration;

use foretell_frontends::Problem;
use foretell_kernel::options::Values;
use foretell_kernel::{Alone, Budget, Cx, Engine, Halt, NullSink, OptionTable, Rng};
use foretell_passes::{PassOptions, simplify, to_transition_system};
use foretell_solver::Z3Oracles;
use foretell_systems::TransitionSystem;
use foretell_terms::TermStore;

use super::tests::{judge, paranoid};
use super::{Ic3ia, Ic3iaOptions};
use crate::tests::Backends;

/// Files of `corpus/FORMAT/VERDICT` without arrays and products (a single query about a product may
/// take for ever), with one property, and such that runs can be replayed (not with division by zero).
fn files(format: &str, verdict: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus")
        .join(format)
        .join(verdict);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().path())
        .collect();
    files.sort();
    files.retain(|file| {
        let Ok(text) = std::fs::read_to_string(file) else {
            return false;
        };
        let several = text.contains("property:") || file.to_string_lossy().contains("propert");
        let replays = !file.to_string_lossy().contains("div0");
        let input = file.extension().is_some_and(|e| e == "vmt" || e == "smt2");
        let hard = ["Array", "(* ", "bvmul", "unknown"]
            .iter()
            .any(|word| text.contains(word));
        input && !several && !hard && replays
    });
    files
}

/// The transition system of a file, if it can be had.
fn system(file: &Path, cx: &Cx<'_>) -> Result<Option<TransitionSystem>, Halt> {
    let bytes = std::fs::read(file).unwrap();
    let Ok(input) = foretell_frontends::read(&bytes, cx.terms) else {
        return Ok(None);
    };
    Ok(match input.problem {
        Problem::Vmt { system, .. } => Some(system),
        Problem::Chc(clauses) => {
            let reduced = simplify(&clauses, &PassOptions::default(), cx)?;
            Some(to_transition_system(reduced, &PassOptions::default(), cx)?.problem)
        }
    })
}

/// What the engine says of a file, every verdict checked; `None` when the queries did not suffice.
fn verdict(file: &Path, options: &Ic3iaOptions, queries: u64) -> Option<&'static str> {
    let terms = TermStore::new();
    // A single query may take for ever under some options; what time cuts off is no verdict.
    let budget = Budget::with_time(Duration::from_secs(3)).with_queries(queries);
    let patience = Budget::unlimited();
    let (oracles, rng) = (Backends(Z3Oracles::default()), Rng::new(0));
    let cx = Cx {
        terms: &terms,
        events: &NullSink,
        budget: &budget,
        oracles: &oracles,
        rng: &rng,
    };
    let system = system(file, &cx).ok()??;
    let verdict = Ic3ia::new(options.clone())
        .check(&system, &Alone, &cx)
        .ok()?;
    Some(judge(verdict, &system, &cx.with_budget(&patience)))
}

#[test]
fn the_corpus_is_decided() {
    let mut decided = 0;
    for (format, queries) in [("vmt", 1500), ("chc", 600)] {
        for expected in ["safe", "unsafe"] {
            for file in files(format, expected) {
                let Some(found) = verdict(&file, &paranoid(), queries) else {
                    continue;
                };
                assert!(
                    found == expected || found == "unknown",
                    "{found}: {}",
                    file.display()
                );
                decided += usize::from(found == expected);
            }
        }
    }
    assert!(decided >= 40, "{decided} decided");
}

/// Options at random; those that look at the clock keep their defaults.
fn random_options(rng: &Rng) -> Ic3iaOptions {
    let mut options = paranoid();
    for info in Ic3iaOptions::TABLE {
        let name = info.name.rsplit('.').next().unwrap();
        let choices: &[&str] = match (info.values, name) {
            (_, "paranoid" | "interpolate_ms" | "query_ms") => continue,
            (Values::Switch, _) => &["true", "false"],
            (_, "reset_every") => &["0", "7", "100", "1500"],
            (_, "max_guards") => &["0", "5", "120"],
            (_, "seed") => &["0", "1", "2", "3", "4", "5", "6", "7"],
            _ => &["0", "1", "2", "3"],
        };
        let choice = choices[rng.below(choices.len() as u64) as usize];
        options.set(name, choice).unwrap();
    }
    options
}

#[test]
fn no_random_options_contradict_the_corpus() {
    let rounds: u64 = std::env::var("FORETELL_FUZZ")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1);
    let (rng, mut decided) = (Rng::new(11), 0);
    for _ in 0..rounds {
        for (format, expected) in [
            ("vmt", "safe"),
            ("vmt", "unsafe"),
            ("chc", "safe"),
            ("chc", "unsafe"),
        ] {
            for file in files(format, expected) {
                let options = random_options(&rng);
                let Some(found) = verdict(&file, &options, 400) else {
                    continue;
                };
                let fits = found == expected || found == "unknown";
                assert!(fits, "{found}: {} under {options:?}", file.display());
                decided += usize::from(found == expected);
            }
        }
    }
    assert!(decided >= 20, "{decided} decided");
}
