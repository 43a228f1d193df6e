//! Every file of the corpus through the real executable: no answer contradicts the folder a file lies
//! in, engines that must succeed do, and what must be refused is refused as it says.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use common::{Case, Outcome, corpus, foretell};

/// Enough for everything that is easy; limits in processor time do not depend on the machine's load.
const SHORT: [&str; 4] = ["--cpu-limit", "1s", "--timeout", "60s"];
/// For engines that must succeed.
const LONG: [&str; 2] = ["--timeout", "120s"];

/// What a folder says about its files.
#[derive(Clone, Copy, PartialEq)]
enum Folder {
    Safe,
    Unsafe,
    Open,
}

fn run(case: &Case, extra: &[&str]) -> Outcome {
    let mut arguments = case.property();
    arguments.extend(extra);
    arguments.push(&case.path);
    foretell(&arguments)
}

/// The files whose answer contradicts the folder, or is no proper answer.
fn contradictions(folder: &str, truth: Folder) -> Vec<String> {
    let judge = |case: Case| {
        let outcome = run(&case, &SHORT);
        let right = match outcome.code {
            Some(0) => truth == Folder::Safe && ["sat", "unsat", "safe"].contains(&outcome.first()),
            Some(10) => {
                truth == Folder::Unsafe && ["sat", "unsat", "unsafe"].contains(&outcome.first())
            }
            Some(20) => outcome.first().starts_with("unknown ("),
            _ => false,
        };
        let clean = outcome.stdout.lines().count() == 1 || outcome.stdout.contains("define-fun");
        (!right || !clean).then(|| format!("{}: {:?} {}", case.path, outcome.code, outcome.stdout))
    };
    corpus(folder).into_iter().filter_map(judge).collect()
}

/// The files on which an engine of the header does not give the folder's answer.
fn failures(folder: &str, code: i32) -> Vec<String> {
    let mut failures = Vec::new();
    for case in corpus(folder) {
        for engine in case
            .directive("engines")
            .unwrap_or("")
            .split(',')
            .map(str::trim)
        {
            if !["bmc", "kinduction", "predicate_abstraction", "auto"].contains(&engine) {
                continue;
            }
            let outcome = run(&case, &[&["--engine", engine], &LONG[..]].concat());
            if outcome.code != Some(code) {
                failures.push(format!(
                    "{} × {engine}: {}{}",
                    case.path, outcome.stdout, outcome.stderr
                ));
            }
        }
    }
    failures
}

#[track_caller]
fn none(list: &[String]) {
    assert!(
        list.is_empty(),
        "{} files:\n{}",
        list.len(),
        list.join("\n")
    );
}

#[test]
fn safe_clauses_are_never_unsafe() {
    none(&contradictions("chc/safe", Folder::Safe));
}

#[test]
fn unsafe_clauses_are_never_safe() {
    none(&contradictions("chc/unsafe", Folder::Unsafe));
}

#[test]
fn open_clauses_get_no_answer() {
    none(&contradictions("chc/unknown", Folder::Open));
}

#[test]
fn systems_are_never_misjudged() {
    none(&contradictions("vmt/safe", Folder::Safe));
    none(&contradictions("vmt/unsafe", Folder::Unsafe));
}

#[test]
fn engines_prove_what_they_must() {
    none(&failures("chc/safe", 0));
    none(&failures("vmt/safe", 0));
}

#[test]
fn engines_refute_what_they_must() {
    none(&failures("chc/unsafe", 10));
    none(&failures("vmt/unsafe", 10));
}

#[test]
fn what_cannot_be_read_is_refused_as_the_header_says() {
    for folder in ["chc/error", "vmt/error"] {
        for case in corpus(folder) {
            let outcome = run(&case, &LONG);
            let code = case
                .directive("exit")
                .unwrap_or_else(|| panic!("{} names no exit code", case.path))
                .parse::<i32>()
                .unwrap();
            assert_eq!(
                outcome.code,
                Some(code),
                "{}: {}",
                case.path,
                outcome.stderr
            );
            assert_eq!(outcome.stdout, "", "{}", case.path);
            let info = foretell(&["info", &case.path]);
            assert_eq!(info.code, Some(code), "info {}", case.path);
            assert!(
                outcome.stderr.contains(&format!("{}:", case.path)),
                "{}: {}",
                case.path,
                outcome.stderr
            );
            if let Some(words) = case.directive("expect-error") {
                let (stderr, words) = (outcome.stderr.to_lowercase(), words.to_lowercase());
                assert!(
                    stderr.contains(&words),
                    "{}: no {words:?} in {stderr}",
                    case.path
                );
            }
        }
    }
}
