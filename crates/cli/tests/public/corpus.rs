//! The corpus through the real executable: the portfolio contradicts no folder, and what must be refused is
//! refused as the header says. Every engine on every file is the business of `testkit/tests/matrix.rs`.
//!
//! `FORETELL_CORPUS=1` takes every file, not one in eight.

use foretell_testkit::corpus::{errors, problems};
use foretell_testkit::{Case, Expected};

use super::{Outcome, foretell, property};

/// Enough for everything that is easy; limits in processor time do not depend on the machine's load.
const SHORT: [&str; 4] = ["--cpu-limit", "1s", "--timeout", "60s"];
/// For what must succeed.
const LONG: [&str; 2] = ["--timeout", "120s"];

fn run(case: &Case, extra: &[&str]) -> Outcome {
    let (property, path) = (property(case), case.path());
    let mut arguments: Vec<&str> = property.iter().map(String::as_str).collect();
    arguments.extend(extra);
    arguments.push(&path);
    foretell(&arguments)
}

/// What is wrong with an answer, if it contradicts the folder or is no proper answer.
fn contradiction(case: &Case) -> Option<String> {
    let outcome = run(case, &SHORT);
    let words: &[&str] = match (outcome.code, case.expected) {
        (Some(0), Expected::Safe) => &["sat", "unsat", "safe"],
        (Some(10), Expected::Unsafe) => &["sat", "unsat", "unsafe"],
        (Some(20), _) if outcome.first().starts_with("unknown (") => &[outcome.first()],
        _ => &[],
    };
    // Several queries have a line each.
    let word = |line: &str| matches!(line, "sat" | "unsat");
    let clean = outcome.stdout.lines().count() == 1
        || outcome.stdout.contains("define-fun")
        || outcome.stdout.lines().all(word);
    (!words.contains(&outcome.first()) || !clean)
        .then(|| format!("{}: {:?} {}", case.name, outcome.code, outcome.stdout))
}

#[test]
fn the_portfolio_contradicts_no_folder() {
    let every = std::env::var("FORETELL_CORPUS").map_or(8, |_| 1);
    let cases = problems();
    let wrong: Vec<String> = cases
        .iter()
        .step_by(every)
        .filter_map(contradiction)
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_cannot_be_read_is_refused_as_the_header_says() {
    for case in errors() {
        let outcome = run(&case, &LONG);
        let code = case
            .directive("exit")
            .unwrap_or_else(|| panic!("{} names no exit code", case.name))
            .parse::<i32>()
            .unwrap();
        assert_eq!(
            outcome.code,
            Some(code),
            "{}: {}",
            case.name,
            outcome.stderr
        );
        assert_eq!(outcome.stdout, "", "{}", case.name);
        let info = foretell(&["info", &case.path()]);
        assert_eq!(info.code, Some(code), "info {}", case.name);
        assert!(
            outcome.stderr.contains(&format!("{}:", case.path())),
            "{}: {}",
            case.name,
            outcome.stderr
        );
        if let Some(words) = case.directive("expect-error") {
            let (stderr, words) = (outcome.stderr.to_lowercase(), words.to_lowercase());
            assert!(
                stderr.contains(&words),
                "{}: no {words:?} in {stderr}",
                case.name
            );
        }
    }
}

/// What no single engine is bound to answer, or what was refused once.
#[test]
fn the_portfolio_answers_these() {
    let names = [
        "chc/safe/shape_many_choices.smt2",
        "chc/unsafe/shape_many_choices.smt2",
        "chc/safe/axiom_function.smt2",
        "chc/safe/array_extensionality.smt2",
        "vmt/safe/array_extensionality.vmt",
        "vmt/safe/paper_hps_fig9_three_ghosts.vmt",
        "vmt/safe/quantified_property.vmt",
    ];
    let cases = problems();
    for name in names {
        let case = cases.iter().find(|case| case.name == name);
        let case = case.unwrap_or_else(|| panic!("no file {name}"));
        let outcome = run(case, &LONG);
        let code = match case.expected {
            Expected::Safe => 0,
            Expected::Unsafe => 10,
            _ => 20,
        };
        assert_eq!(outcome.code, Some(code), "{name}: {}", outcome.stderr);
    }
}
