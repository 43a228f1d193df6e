//! Random small systems: the verdict is the same before and after the passes, and whatever the
//! engines find below is carried back and accepted.

use std::time::Duration;

use foretell_frontends::print_chc;
use foretell_kernel::{Cx, ScriptAnswer, Work};
use foretell_passes::{PassOptions, simplify};
use foretell_systems::ChcSystem;
use foretell_terms::TermStore;
use foretell_testkit::generate::{Generator, Shape};
use foretell_testkit::{Plan, RunLimits, solve, with_cx};

/// A system with unbounded numbers and arrays, linear or not.
fn generate(terms: &TermStore, seed: u64) -> ChcSystem {
    let shape = match seed % 4 {
        0 => Shape::NonLinear,
        _ => Shape::Linear,
    };
    Generator::wide(terms, seed).clauses(shape)
}

/// What Z3 says about a system.
fn verdict(system: &ChcSystem, cx: &Cx<'_>) -> Option<ScriptAnswer> {
    let text = print_chc(cx.terms, system);
    let answers = cx.oracles.script(&text, Duration::from_millis(1500));
    let first = answers.expect("Z3 runs").into_iter().next();
    first.filter(|answer| !matches!(answer, ScriptAnswer::Unknown(_)))
}

#[test]
fn passes_keep_the_verdict() {
    let mut decided = 0;
    for seed in 0..80 {
        with_cx(|cx| {
            let system = generate(cx.terms, seed);
            let small = simplify(&system, &PassOptions::default(), cx).expect("no limit");
            let (before, after) = (verdict(&system, cx), verdict(&small.problem, cx));
            if before.is_some() && after.is_some() {
                let text = print_chc(cx.terms, &system);
                assert_eq!(before, after, "seed {seed}\n{text}");
                decided += 1;
            }
        });
    }
    assert!(decided >= 50, "{decided}");
}

#[test]
fn witnesses_come_back() {
    let limits = RunLimits {
        queries: 100,
        work: Work::of_millis(100),
        ..RunLimits::NONE
    };
    let bounds = ["bmc.max_bound=6", "unfold.max_height=6"];
    let (mut safe, mut broken) = (0, 0);
    for seed in 1000..1080 {
        let terms = TermStore::new();
        let text = print_chc(&terms, &generate(&terms, seed));
        for engine in ["bmc", "ic3ia"] {
            let plan = Plan::new(engine).with(&bounds).within(limits);
            let said = solve(&text, &plan);
            let lost = said.words.contains("not carried back");
            assert!(!lost, "seed {seed}: {}\n{text}", said.words);
            safe += usize::from(said.verdict.name() == "safe");
            broken += usize::from(said.verdict.name() == "unsafe");
        }
    }
    assert!(safe >= 20 && broken >= 20, "{safe} safe, {broken} unsafe");
}
