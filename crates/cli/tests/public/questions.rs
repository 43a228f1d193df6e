//! Several questions in one file, and what is said when there is no answer.

use std::fs;
use std::process::Stdio;

use super::{command, folder, foretell};

const QUERIES: &str = "(declare-rel p (Int))
(declare-rel bad ())
(declare-var x Int)
(rule (p 0))
(rule (=> (and (p x) (< x 3)) (p (+ x 1))))
(rule (=> (and (p x) (> x 5)) bad))
(query bad)
(query (and (p x) (= x 2)))
(query (! (and (p x) (= x 7)) :named seven))
";

const GOALS: &str = "(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 5)) (p (+ x 1)))))
(assert (! (forall ((x Int)) (=> (p x) (<= x 5))) :named small))
(assert (! (forall ((x Int)) (=> (p x) (< x 5))) :named smaller))
(check-sat)
";

fn file(test: &str, text: &str) -> String {
    let path = folder(test).join("input.smt2");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn every_query_is_answered_in_its_place_as_z3_does() {
    let path = file("queries", QUERIES);
    let outcome = foretell(&["--timeout", "120s", &path]);
    assert_eq!(
        (outcome.stdout.as_str(), outcome.code),
        ("unsat\nsat\nunsat\n", Some(10))
    );
    let outcome = foretell(&["--timeout", "120s", "--property", "all", &path]);
    let mut lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines.pop(), Some("sat"));
    lines.sort_unstable();
    let expected = [
        "query 0 (bad): unsat",
        "query 1 (line 8): sat",
        "query 2 (seven): unsat",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_goal_is_chosen_by_name_and_its_model_is_about_it_alone() {
    let path = file("goals", GOALS);
    let outcome = foretell(&["--timeout", "120s", &path]);
    assert_eq!((outcome.first(), outcome.code), ("unsat", Some(10)));
    assert!(
        outcome.stderr.contains("query 1 (smaller) is violated"),
        "{}",
        outcome.stderr
    );
    let model = folder("goals_model").join("model.smt2");
    let option = format!("--model={}", model.to_str().unwrap());
    let outcome = foretell(&["--timeout", "120s", "--property", "small", &option, &path]);
    assert_eq!((outcome.stdout.as_str(), outcome.code), ("sat\n", Some(0)));
    let model = model.to_str().unwrap();
    for (number, word) in [("0", "accepted"), ("1", "rejected")] {
        let outcome = foretell(&["validate", "--property", number, &path, model]);
        assert!(
            outcome.first().starts_with(word),
            "{number}: {}",
            outcome.stdout
        );
    }
    let outcome = foretell(&["--property", "large", &path]);
    assert_eq!((outcome.stdout.as_str(), outcome.code), ("", Some(2)));
    assert!(
        outcome.stderr.contains("0 (`small`), 1 (`smaller`)"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn together_the_violated_property_is_named() {
    let outcome = foretell(&["--timeout", "120s", "examples/two_properties.vmt"]);
    assert_eq!(
        (outcome.stdout.as_str(), outcome.code),
        ("unsafe\n", Some(10))
    );
    assert!(
        outcome
            .stderr
            .contains("property 1 (.not_too_long) is violated")
    );
    assert!(!outcome.stderr.contains("property 0"), "{}", outcome.stderr);
}

#[test]
fn warnings_are_shown_unless_nothing_is_wanted() {
    let text = "(set-logic HORN) (declare-fun p () Bool) (assert p) (check-sat)";
    let path = file("warnings", text);
    let outcome = foretell(&["--timeout", "120s", &path]);
    assert_eq!((outcome.stdout.as_str(), outcome.code), ("sat\n", Some(0)));
    assert!(outcome.stderr.contains("W004"), "{}", outcome.stderr);
    let outcome = foretell(&["--timeout", "120s", "-q", &path]);
    assert_eq!(
        (outcome.stdout.as_str(), outcome.stderr.as_str()),
        ("sat\n", "")
    );
}

#[test]
fn unknown_is_one_short_sentence_and_a_line_per_engine() {
    let text = "(set-logic HORN) (declare-const n Int) (declare-fun p (Int) Bool)
        (assert (p n)) (assert (=> (p n) (> n 3))) (check-sat)";
    let path = file("sentence", text);
    let outcome = foretell(&["--timeout", "120s", "-e", "bmc,kinduction", &path]);
    assert_eq!(outcome.code, Some(20), "{}", outcome.stdout);
    let line = outcome.stdout.trim_end();
    assert!(
        line.starts_with("unknown (") && line.ends_with(')'),
        "{line}"
    );
    assert!(line.len() < 150 && !line.contains("bmc"), "{line}");
    let engines = |name: &str| {
        let start = format!("foretell: {name}: ");
        outcome
            .stderr
            .lines()
            .filter(|l| l.starts_with(&start))
            .count()
    };
    assert_eq!(
        (engines("bmc"), engines("kinduction")),
        (1, 1),
        "{}",
        outcome.stderr
    );
}

#[test]
fn explanations_agree_with_the_certificate() {
    let arguments = [
        "--engine",
        "prophecy",
        "--explain",
        "--certificate",
        "--timeout",
        "120s",
    ];
    let outcome = foretell(&[&arguments[..], &["examples/array_init.smt2"]].concat());
    let has = outcome.stdout.contains("(prophecy ");
    assert_eq!(
        outcome
            .stderr
            .contains("with auxiliary variables: prophecy"),
        has
    );
    assert_eq!(outcome.stderr.contains("without auxiliary variables"), !has);
}

#[test]
fn standard_input_is_read_when_it_is_a_file() {
    let path = file("piped", "(set-logic HORN) (assert true) (check-sat)");
    let mut run = command(&["-q", "--timeout", "120s"]);
    run.stdin(Stdio::from(fs::File::open(path).unwrap()));
    let output = run.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "sat\n");
}
