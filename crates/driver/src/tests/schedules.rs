//! The schedules that come with the product: who has a turn when, and for which inputs.

use std::time::Duration;

use crate::portfolio::{Portfolio, Step};

/// When the last of these steps begins, if each but the one for protocols takes all of its first slice.
fn last_start(steps: &[Step], slots: usize) -> Duration {
    let mut free = vec![Duration::ZERO; slots];
    let mut last = Duration::ZERO;
    for step in steps {
        let slot = free.iter_mut().min().expect("there are slots");
        last = last.max(*slot);
        *slot += match step.configuration.name.as_str() {
            "instances" => Duration::ZERO,
            _ => step.slice.unwrap_or(Duration::from_secs(3600)),
        };
    }
    last
}

#[test]
fn no_engine_waits_more_than_five_seconds_for_its_first_turn() {
    let portfolio = Portfolio::built_in().unwrap();
    for name in [
        "auto",
        "calls",
        "scalar",
        "trees",
        "words",
        "reals",
        "datatypes",
        "lists",
    ] {
        for jobs in [1, 2, 3, 4, 5, 8, 15, 16, 64] {
            let start = last_start(&portfolio.steps(name, jobs).unwrap(), jobs);
            assert!(start <= Duration::from_secs(5), "{name} {jobs}: {start:?}");
        }
    }
}

/// Only an input with bit-vectors, and without arrays, meets configurations that make integers of them.
#[test]
fn words_have_a_schedule_of_their_own() {
    let portfolio = Portfolio::built_in().unwrap();
    let names = |text: &[u8]| -> Vec<String> {
        let steps = portfolio.steps_for("auto", 2, text).unwrap();
        steps.into_iter().map(|s| s.configuration.name).collect()
    };
    let words = names(b"(declare-fun p ((_ BitVec 8)) Bool)");
    for configuration in ["integers", "integers-bmc", "ic3ia-plain", "bmc"] {
        assert!(words.iter().any(|name| name == configuration), "{words:?}");
    }
    for text in [
        &b"(declare-fun p (Int) Bool)"[..],
        b"(Array (_ BitVec 8) Int)",
    ] {
        assert!(!names(text).iter().any(|name| name.contains("integers")));
    }
}

/// With real numbers k-induction is among the first two.
#[test]
fn reals_have_a_schedule_of_their_own() {
    let portfolio = Portfolio::built_in().unwrap();
    let first = |jobs: usize, text: &[u8]| -> bool {
        let steps = portfolio.steps_for("auto", jobs, text).unwrap();
        let mut first = steps.iter().take(2);
        first.any(|step| step.configuration.name == "kinduction")
    };
    for jobs in [1, 2, 4] {
        assert!(first(jobs, b"(declare-fun p (Int Real) Bool)"));
        assert!(first(jobs, b"(declare-fun p (Real) Bool)"));
        assert!(!first(jobs, b"(declare-fun p (Int) Bool)"));
        assert!(!first(jobs, b"(declare-fun p ((Array Int Real)) Bool)"));
    }
}

/// Clauses with several premises begin with lazy annotation, unless there are slots for everybody.
#[test]
fn several_premises_have_a_schedule_of_their_own() {
    let portfolio = Portfolio::built_in().unwrap();
    let first = |jobs: usize, clause: &str| {
        let text = format!("(declare-fun p (Int) Bool)(assert {clause})");
        let steps = portfolio.steps_for("auto", jobs, text.as_bytes()).unwrap();
        (steps[0].configuration.name.clone(), steps.len())
    };
    let (tree, chain) = ("(=> (and (p 0) (p 1)) (p 2))", "(=> (p 1) (p 2))");
    for jobs in [1, 2, 4] {
        assert_eq!(first(jobs, tree).0, "lazy_annotation");
        assert_eq!(first(jobs, chain).0, "ic3ia-plain");
    }
    assert_eq!(first(64, tree), first(64, chain));
}

#[test]
fn a_schedule_is_chosen_by_the_number_of_processes() {
    let mut portfolio = Portfolio::built_in().unwrap();
    let schedule = |jobs: usize, steps: &str| {
        format!("[[schedule]]\nname = \"mine\"\njobs = {jobs}\nsteps = [{steps}]\n")
    };
    let text = schedule(2, "\"bmc\"") + &schedule(4, "\"bmc\", \"kinduction\"");
    portfolio.extend(&text).unwrap();
    let count = |jobs: usize| portfolio.steps("mine", jobs).unwrap().len();
    assert_eq!(
        [count(1), count(2), count(3), count(4), count(64)],
        [1, 1, 1, 2, 2]
    );
    portfolio.extend(&schedule(1, "\"bmc\"")).unwrap();
    assert_eq!(
        portfolio.steps("mine", 4).unwrap().len(),
        1,
        "a later file replaces all of a name"
    );
}

#[test]
fn many_slots_are_all_used_and_seeds_differ() {
    let portfolio = Portfolio::built_in().unwrap();
    for (name, jobs) in [("auto", 16), ("auto", 64), ("scalar", 16), ("scalar", 64)] {
        let steps = portfolio.steps(name, jobs).unwrap();
        assert_eq!(steps.len(), jobs, "{name}");
        let names: std::collections::BTreeSet<_> = steps
            .iter()
            .map(|s| s.configuration.name.as_str())
            .collect();
        assert_eq!(names.len(), jobs, "{name} runs something twice");
    }
    let steps = portfolio.steps("ic3ia#2..3,bmc#7", 1).unwrap();
    let shown: Vec<_> = steps
        .iter()
        .map(|s| {
            (
                s.configuration.name.as_str(),
                s.configuration.engine.as_str(),
                s.seed,
            )
        })
        .collect();
    let expected = [
        ("ic3ia#2", "ic3ia", 2),
        ("ic3ia#3", "ic3ia", 3),
        ("bmc#7", "bmc", 7),
    ];
    assert_eq!(shown, expected);
    for wrong in ["bmc#", "bmc#x", "bmc#3..1", "bmc#1..99999999", "nobody#1"] {
        assert!(portfolio.steps(wrong, 1).is_err(), "{wrong}");
    }
}
