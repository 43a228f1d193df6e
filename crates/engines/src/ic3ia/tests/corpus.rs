//! The scalar files of the corpus: with the invariants of Lemma 1 checked at every change of a frame,
//! and under random options.
//!
//! `FORETELL_FUZZ=n` runs n rounds of random options over the corpus instead of one.

use std::time::Duration;

use foretell_frontends::Problem;
use foretell_kernel::options::Values;
use foretell_kernel::{Alone, Budget, Cx, Engine, Halt, OptionTable, Rng};
use foretell_passes::{PassOptions, simplify, to_transition_system};
use foretell_systems::TransitionSystem;
use foretell_testkit::corpus::problems;
use foretell_testkit::{Case, Expected, read, within};

use super::super::{Ic3ia, Ic3iaOptions};
use super::{judge, paranoid};

/// Files without arrays and products (a single query about a product may take for ever), with one
/// property, and such that runs can be replayed (not with division by zero).
fn files() -> Vec<Case> {
    let mut files = problems();
    files.retain(|file| {
        let Ok(text) = std::str::from_utf8(&file.bytes) else {
            return false;
        };
        let several = file.property().is_some() || file.name.contains("propert");
        let hard = ["Array", "(* ", "bvmul", "unknown"];
        let hard = hard.iter().any(|word| text.contains(word));
        file.expected != Expected::Open && !several && !hard && !file.name.contains("div0")
    });
    files
}

/// The transition system of a file.
fn system(file: &Case, cx: &Cx<'_>) -> Result<TransitionSystem, Halt> {
    Ok(match read::problem(cx.terms, file.text()) {
        Problem::Vmt { system, .. } => system,
        Problem::Chc(clauses) => {
            let reduced = simplify(&clauses, &PassOptions::default(), cx)?;
            to_transition_system(reduced, &PassOptions::default(), cx)?.problem
        }
    })
}

/// Whether the engine decides a file; every verdict is checked, and must be that of its folder.
fn decides(file: &Case, options: &Ic3iaOptions, queries: u64) -> bool {
    // A single query may take for ever under some options; what time cuts off is no verdict.
    let budget = Budget::with_time(Duration::from_secs(3)).with_queries(queries);
    let found = within(&budget, |cx| {
        let system = system(file, cx)?;
        let verdict = Ic3ia::new(options.clone()).check(&system, &Alone, cx)?;
        Ok::<_, Halt>(judge(
            verdict,
            &system,
            &cx.with_budget(&Budget::unlimited()),
        ))
    });
    let expected = match file.expected {
        Expected::Safe => "safe",
        _ => "unsafe",
    };
    let found = found.unwrap_or("unknown");
    let fits = found == expected || found == "unknown";
    assert!(fits, "{found}: {} under {options:?}", file.name);
    found == expected
}

#[test]
fn the_corpus_is_decided() {
    let queries = |file: &Case| match file.name.starts_with("vmt") {
        true => 500,
        false => 250,
    };
    let files = files();
    let decided = files
        .iter()
        .filter(|file| decides(file, &paranoid(), queries(file)));
    let decided = decided.count();
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
        for file in files() {
            decided += usize::from(decides(&file, &random_options(&rng), 150));
        }
    }
    assert!(decided >= 20, "{decided} decided");
}
