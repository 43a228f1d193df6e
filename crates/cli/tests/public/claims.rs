//! Answers whose check was not over: `--learned` writes them, `--hints` has them checked, nobody believes them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::{command, folder, foretell};

/// Counts by two; even forever.
const EVEN: &str = "(set-logic HORN)
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
(assert (forall ((x Int)) (=> (and (p x) (= x (- 2))) false)))
(check-sat)
";
const SYSTEM: &str = "(declare-fun x () Int) (declare-fun x1 () Int)
(define-fun sx () Int (! x :next x1))
(define-fun i () Bool (! (= x 0) :init true))
(define-fun t () Bool (! (= x1 (+ x 2)) :trans true))
(define-fun q () Bool (! (not (= x (- 2))) :invar-property 0))
";
/// The engine that proves nothing here.
const VAIN: [&str; 4] = ["-e", "bmc", "--set", "bmc.max_bound=1"];

/// A solver whose answers never come.
fn silent_z3(folder: &Path) -> PathBuf {
    let path = folder.join("silent-z3");
    fs::write(&path, "#!/bin/sh\nexec sleep 600\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// What a run that ends within the check of its proof leaves behind is an answer for the next run.
#[test]
fn a_proof_whose_check_was_not_over_is_checked_by_the_next_run() {
    let folder = folder("claims");
    for (name, text, answer) in [("even.smt2", EVEN, "sat"), ("even.vmt", SYSTEM, "safe")] {
        let (path, learned) = (folder.join(name), folder.join("learned"));
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let mut first = command(&["-e", "kinduction,ic3ia", "--timeout", "10s", path]);
        first.arg(format!("--learned={}", learned.to_str().unwrap()));
        let first = first.env("FORETELL_Z3", silent_z3(&folder)).output();
        assert_eq!(first.unwrap().status.code(), Some(20));
        let text = fs::read_to_string(&learned).unwrap();
        assert!(text.contains("\n(claim all safe\n"), "{text}");
        let outcome = foretell(&[&VAIN[..], &[path]].concat());
        assert_eq!(outcome.code, Some(20), "{}", outcome.stdout);
        let hints = ["--hints", learned.to_str().unwrap(), path];
        let outcome = foretell(&[&VAIN[..], &hints].concat());
        let told = (outcome.first(), outcome.code);
        assert_eq!(told, (answer, Some(0)), "{}", outcome.stderr);
    }
}

/// Each question that has an answer is a claim of its own.
#[test]
fn answers_to_single_questions_are_kept_for_the_next_run() {
    let folder = folder("claims-of-questions");
    let (path, learned) = (folder.join("two.smt2"), folder.join("learned"));
    let hard = "(assert (forall ((x Int)) (=> (and (p x) (> x 100000)) false)))\n(check-sat)";
    let text = EVEN.replace("(= x (- 2))", "(< x 0)");
    fs::write(&path, text.replace("(check-sat)", hard)).unwrap();
    let path = path.to_str().unwrap();
    let (all, limit) = (["--property", "all"], ["--timeout", "60s"]);
    let run = ["-e", "kinduction", "--set", "kinduction.max_k=5"];
    let write = format!("--learned={}", learned.to_str().unwrap());
    let first = foretell(&[&run[..], &all, &limit, &[&write, path]].concat());
    assert_eq!(first.code, Some(20), "{}", first.stdout);
    let text = fs::read_to_string(&learned).unwrap();
    assert!(text.contains("\n(claim 0 safe\n"), "{text}");
    let hints = ["--hints", learned.to_str().unwrap(), path];
    let outcome = foretell(&[&VAIN[..], &all, &limit, &hints].concat());
    assert_eq!(outcome.code, Some(20), "{}", outcome.stdout);
    // The two answers come in any order.
    let answered = |line: &str| line.starts_with("query 0 ") && line.ends_with(": sat");
    assert!(outcome.stdout.lines().any(answered), "{}", outcome.stdout);
}

/// A claim is worth no more than its check.
#[test]
fn a_wrong_claim_is_no_answer() {
    let folder = folder("wrong-claims");
    let (safe, unsafe_, hints) = ("safe.smt2", "unsafe.smt2", folder.join("hints"));
    fs::write(folder.join(safe), EVEN).unwrap();
    fs::write(folder.join(unsafe_), EVEN.replace("(- 2)", "2")).unwrap();
    for witness in [
        "safe (define-fun p ((x Int)) Bool true)",
        "safe (define-fun p ((x Int)) Bool false)",
        "safe (define-fun p ((x Int)) Bool (= x 0))",
        "safe (define-fun p ((x Int) (y Int)) Bool true)",
        "safe (define-fun q ((x Int)) Bool true)",
        "safe (certificate (format foretell-1) (kind vmt) (invariant true))",
        "safe (unsat)",
        "unsafe (define-fun p ((x Int)) Bool true)",
        "unsafe (counterexample)",
        "unsafe sat",
    ] {
        fs::write(&hints, format!("(claim all {witness})")).unwrap();
        for (name, code) in [(safe, Some(20)), (unsafe_, Some(10))] {
            let path = folder.join(name);
            let run = ["--hints", hints.to_str().unwrap(), path.to_str().unwrap()];
            let outcome = foretell(&[&VAIN[..], &run].concat());
            assert_eq!(outcome.code, code, "{witness}: {}", outcome.stderr);
        }
    }
}

#[test]
fn a_malformed_claim_has_a_place() {
    let folder = folder("malformed-claims");
    let (path, hints) = (folder.join("even.smt2"), folder.join("hints"));
    fs::write(&path, EVEN).unwrap();
    let witness = "(define-fun p ((x Int)) Bool (>= x 0))";
    for claim in [
        "(claim)",
        "(claim all safe)",
        "(claim all unknown (define-fun p ((x Int)) Bool true))",
        "(claim none safe (define-fun p ((x Int)) Bool true))",
        &format!("(claim safe {witness})"),
        &format!("(claim -1 safe {witness})"),
    ] {
        fs::write(&hints, format!("; claims\n  {claim}")).unwrap();
        let run = ["--hints", hints.to_str().unwrap(), path.to_str().unwrap()];
        let outcome = foretell(&run);
        let told = (outcome.stdout.as_str(), outcome.code);
        assert_eq!(told, ("", Some(3)), "{claim}");
        assert!(outcome.stderr.contains("hints:2:3"), "{}", outcome.stderr);
    }
}
