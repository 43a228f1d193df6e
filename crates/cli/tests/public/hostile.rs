//! Texts that were made to break something: what cannot be handled is refused with its place, nothing but
//! the input is opened, and messages quote little of it.

use std::path::Path;

use super::{Outcome, command, folder, foretell};

/// As deep as the acceptance of the limits asks.
const DEPTH: usize = 1_000_000;

/// Clauses around a constraint over `x`, `y`, `a` and `b`.
fn clauses(constraint: &str) -> String {
    let variables = "(x Int) (y Int) (a (Array Int Int)) (b (Array Int Int))";
    format!(
        "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (forall ({variables}) (=> {constraint} (p x))))\n\
         (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))\n(check-sat)\n"
    )
}

fn run(folder: &Path, text: impl AsRef<[u8]>) -> Outcome {
    let file = folder.join("input.smt2");
    std::fs::write(&file, text).unwrap();
    foretell(&["--timeout", "60s", &file.to_string_lossy()])
}

#[track_caller]
fn assert_refused(outcome: &Outcome, words: &str) {
    let (code, stderr) = (outcome.code, &outcome.stderr);
    assert_eq!((outcome.stdout.as_str(), code), ("", Some(4)), "{stderr}");
    assert!(
        stderr.contains(words) && stderr.contains("input.smt2:3:"),
        "{stderr}"
    );
}

#[test]
fn deep_nesting_is_refused_with_its_place() {
    let folder = folder("nesting");
    let nested = |open: &str, core: &str, close: &str| {
        format!("{}{core}{}", open.repeat(DEPTH), close.repeat(DEPTH))
    };
    let shapes = [
        nested("(and (> y 0) ", "(>= x 0)", ")"),
        nested("(not ", "(>= x 0)", ")"),
        format!("(= x {})", nested("(+ y ", "0", ")")),
        nested("(let ((y (+ y 1))) ", "(= x y)", ")"),
        format!("(= b {})", nested("(store ", "a", " y 0)")),
        format!("(= x {})", nested("(ite (> y 0) 1 ", "0", ")")),
        nested("(", "true", ")"),
    ];
    for shape in shapes {
        assert_refused(
            &run(&folder, clauses(&shape)),
            "nested more than 100000 levels deep",
        );
    }
}

#[test]
fn long_chains_without_nesting_are_no_problem() {
    let folder = folder("chains");
    for shape in [
        format!("(and (>= x 0) {})", "(> y 0) ".repeat(100_000)),
        format!("(= x (+ {}))", "1 ".repeat(100_000)),
        format!("(and (>= x 0) (or {}))", "(= x y) (> x y) ".repeat(50_000)),
    ] {
        let outcome = run(&folder, clauses(&shape));
        assert_eq!(
            (outcome.first(), outcome.code),
            ("sat", Some(0)),
            "{}",
            outcome.stderr
        );
    }
}

#[test]
fn long_numbers_are_refused_with_their_place() {
    let folder = folder("numbers");
    let digits = "7".repeat(DEPTH);
    for constraint in [
        format!("(= x {digits})"),
        format!("(> (to_real x) 0.{digits})"),
        format!("(= x -{digits})"),
    ] {
        assert_refused(
            &run(&folder, clauses(&constraint)),
            "at most 100000 are read",
        );
    }
    assert_refused(
        &run(
            &folder,
            clauses(&format!("(= x (bv2nat (_ bv{digits} 99999999)))")),
        ),
        "65536 bits",
    );
}

#[test]
fn messages_quote_at_most_80_bytes() {
    let folder = folder("quotes");
    let long = "q".repeat(5000);
    for text in [
        format!("({long} 1)"),
        long.clone(),
        format!("(assert {long})"),
        format!("(assert |{long})"),
        format!("(set-info :{long} \"{long}\") (assert (= 1 {long}))"),
        format!("(declare-fun {long} () Nosuch{long})"),
        format!("(declare-fun {long} () Int) (declare-fun {long} () Int)"),
        format!("(assert (forall (({long} Int)) {long}))"),
        format!("(declare-fun |{long}| (Int) Bool) (assert (|{long}| true))"),
        format!("(assert (= \"{long}\" 1))"),
        format!("(assert ((_ {long} 1) 2))"),
        format!("{long})"),
        clauses(&format!("(({long} x) y)")),
    ] {
        let outcome = run(&folder, &text);
        let quoted = outcome.stderr.split(|c| c != 'q').map(str::len).max();
        assert!(
            matches!(outcome.code, Some(3 | 4)),
            "{:?} {}",
            outcome.code,
            outcome.stderr
        );
        assert!(quoted <= Some(80), "{quoted:?}: {}", outcome.stderr);
    }
}

#[test]
fn no_file_is_written_that_was_not_asked_for() {
    let folder = folder("channels");
    let input = foretell_testkit::corpus::root().join("corpus/chc/safe/shape_output_channel.smt2");
    let mut run = command(&["--engine", "kinduction", &input.to_string_lossy()]);
    let output = run.current_dir(&folder).output().unwrap();
    assert_eq!(output.stdout, b"sat\n");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}
