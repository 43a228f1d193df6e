//! The same input, options and seed give the same output, byte by byte.
//!
//! `FORETELL_DETERMINISM` says how many inputs are tried, three times each; all of the corpus that has an
//! engine bound to succeed, or that is refused, when it is large.

use foretell_testkit::{Case, corpus};

use serde_json::Value;

use super::{foretell, property};

/// The inputs, each with the arguments for it.
fn inputs() -> Vec<Vec<String>> {
    let words = |case: &Case, extra: &[&str]| {
        let mut list = property(case);
        list.extend(extra.iter().map(|&word| word.to_owned()));
        list.push(case.path());
        list
    };
    let mut list = Vec::new();
    for folder in [
        "chc/safe",
        "vmt/unsafe",
        "chc/error",
        "chc/unsafe",
        "vmt/safe",
        "vmt/error",
    ] {
        for case in corpus(folder) {
            let refused = folder.ends_with("error");
            for engine in case.engines().chain(refused.then_some("bmc")) {
                let limits = [
                    "--engine",
                    engine,
                    "--seed",
                    "5",
                    "-j",
                    "1",
                    "--timeout",
                    "120s",
                ];
                list.push(words(
                    &case,
                    &[&limits[..], &["--model", "--cex", "--certificate"]].concat(),
                ));
            }
        }
    }
    list
}

#[test]
fn three_runs_give_the_same_output() {
    let wanted = std::env::var("FORETELL_DETERMINISM")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(12);
    let all = inputs();
    // Spread over the folders.
    let step = (all.len() / wanted).max(1);
    for arguments in all.iter().step_by(step).take(wanted) {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let first = foretell(&arguments);
        assert!(
            !first.stdout.is_empty() || !first.stderr.is_empty(),
            "{arguments:?}: no output"
        );
        for _ in 0..2 {
            let again = foretell(&arguments);
            assert_eq!(
                (&first.stdout, first.code),
                (&again.stdout, again.code),
                "{arguments:?}"
            );
            if matches!(first.code, Some(3 | 4)) {
                assert_eq!(first.stderr, again.stderr, "{arguments:?}");
            }
        }
    }
}

/// How often each thing happened in each run, and how the runs ended.
fn counts(json: &str) -> Vec<(Value, Value)> {
    let value: Value = serde_json::from_str(json).unwrap();
    let runs = value["runs"].as_array().unwrap();
    runs.iter()
        .map(|run| (run["end"].clone(), run["statistics"]["counts"].clone()))
        .collect()
}

/// Not only the answer: the search takes the same steps.
#[test]
fn three_runs_take_the_same_steps() {
    let wanted = std::env::var("FORETELL_DETERMINISM")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(8);
    let searched: Vec<_> = inputs()
        .into_iter()
        .filter(|i| !i.iter().any(|w| w.contains("/error/")))
        .collect();
    let step = (searched.len() / wanted).max(1);
    for arguments in searched.iter().step_by(step).take(wanted) {
        let mut arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        arguments.extend(["--format", "json"]);
        let first = counts(&foretell(&arguments).stdout);
        assert!(
            first
                .iter()
                .any(|(_, counts)| counts["queries"].as_u64() > Some(0)),
            "{arguments:?}: {first:?}"
        );
        for _ in 0..2 {
            assert_eq!(first, counts(&foretell(&arguments).stdout), "{arguments:?}");
        }
    }
}
