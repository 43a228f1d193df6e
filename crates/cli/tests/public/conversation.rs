//! `--in`: transcripts, faults, and every check equal to a fresh run on the text so far.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use foretell_testkit::corpus::root;
use foretell_testkit::sessions::{Figures, judge, killed};

use crate::folder;

/// What is answered to an input.
fn talk(input: &str) -> (Vec<String>, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_foretell"))
        .args(["--in", "--timeout", "60"])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    (
        text.lines().map(str::to_owned).collect(),
        output.status.code(),
    )
}

const LOOP: &str = "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (p 0))
(assert (forall ((x Int)) (=> (and (p x) (< x 10)) (p (+ x 1)))))\n";

#[test]
fn levels_models_and_proofs() {
    let input = format!(
        "{LOOP}(push 1)
(assert (forall ((x Int)) (=> (p x) (<= x 10))))
(check-sat)
(get-model)
(get-proof)
(pop)
(assert (forall ((x Int)) (=> (p x) (< x 2))))
(check-sat)
(get-model)
(echo \"done\")
(exit)
(check-sat)\n"
    );
    let (lines, code) = talk(&input);
    assert_eq!(code, Some(0));
    let model = lines.iter().position(|line| line == "(").unwrap();
    let end = lines.iter().position(|line| line == ")").unwrap();
    assert_eq!(lines[0], "sat");
    assert!(lines[model + 1].starts_with("(define-fun p "), "{lines:?}");
    let wanted = [
        "(error \"line 9 column 1: there is no proof: the last check did not give one\")",
        "unsat",
        "(error \"line 13 column 1: there is no model: the last check did not give one\")",
        "done",
    ];
    assert_eq!(lines[end + 1..], wanted);
}

#[test]
fn faults_are_located_and_forgotten() {
    let input = format!(
        "{LOOP}(assert (forall ((x Int)) (=> (q x) (< x 2))))
garbage
(frobnicate 1)
)
(assert (forall ((x Int)) (=> (p x) (<= x 10))))
(check-sat)
(pop 3)
(get-info :reason-unknown)
(get-info :name)
(assert (p"
    );
    let (lines, code) = talk(&input);
    assert_eq!(code, Some(0));
    let found: Vec<&str> = lines.iter().map(|l| l.get(..22).unwrap_or(l)).collect();
    let wanted = [
        "(error \"line 5 column 3",
        "(error \"line 6 column 1",
        "(error \"line 7 column 2",
        "(error \"line 8 column 1",
        "sat",
        "(error \"line 11 column 1",
        "(error \"line 12 column 1",
        "(:name \"foretell\")",
    ];
    for (line, start) in found.iter().zip(wanted) {
        assert!(
            start.starts_with(line) || line.starts_with(start),
            "{lines:#?}"
        );
    }
    assert!(lines.len() == wanted.len() + 1, "{lines:#?}");
}

#[test]
fn success_is_printed_when_asked_for() {
    let input = format!("(set-option :print-success true)\n{LOOP}(assert (q 1))\n(check-sat)\n");
    let (lines, _) = talk(&input);
    assert_eq!(lines[..5], ["success"; 5]);
    assert!(lines[5].starts_with("(error \"line 6 column "), "{lines:?}");
    assert_eq!(lines[6..], ["sat"]);
}

#[test]
fn rules_are_queried_one_after_the_other() {
    let input = "(declare-rel p (Int))\n(declare-var x Int)\n(declare-rel low ())
(declare-rel high ())\n(rule (p 0))\n(rule (=> (and (p x) (< x 10)) (p (+ x 1))))
(rule (=> (and (p x) (> x 5)) low))\n(rule (=> (and (p x) (> x 10)) high))
(query low)\n(query high)\n";
    assert_eq!(talk(input).0, ["sat", "unsat"]);
}

#[test]
fn every_check_equals_a_fresh_run() {
    let folder = folder("conversation");
    let program = Path::new(env!("CARGO_BIN_EXE_foretell"));
    let n = std::env::var("FORETELL_CONVERSATIONS").ok();
    let n = n.and_then(|n| n.parse().ok()).unwrap_or(8);
    let mut all = Figures::default();
    for seed in 0..n {
        all.add(&judge(program, &folder, seed).unwrap_or_else(|words| panic!("{words}")));
    }
    let said = |word| all.words.get(word).copied().unwrap_or(0);
    assert!(
        said("sat") > 3 && said("unsat") > 3 && all.faults > 3,
        "{all:?}"
    );
}

#[test]
fn a_client_that_is_killed_leaves_no_process() {
    let program = Path::new(env!("CARGO_BIN_EXE_foretell"));
    let below = killed(program, Duration::from_millis(600)).unwrap();
    // The conversation, a worker and its solver, at least.
    assert!(below > 2, "{below}");
}

#[test]
fn what_was_proved_before_is_proved_again() {
    // The second goal is a part of the first, the third is wrong although both were proved.
    let input = format!(
        "{LOOP}(push)
(assert (forall ((x Int)) (=> (p x) (<= x 10))))
(check-sat)
(pop)
(declare-fun q (Int) Bool)
(assert (forall ((x Int)) (=> (p x) (q (+ x 1)))))
(assert (forall ((x Int)) (=> (q x) (<= x 11))))
(check-sat)
(assert (forall ((x Int)) (=> (q x) (p (+ x 1)))))
(check-sat)\n"
    );
    assert_eq!(talk(&input).0, ["sat", "sat", "unsat"]);
}
