//! Another Horn solver by its command: what it may say, and that nothing of it is believed.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::{Outcome, folder, foretell};

const SAFE: &str = "corpus/chc/safe/lia_counter_up.smt2";
const UNSAFE: &str = "corpus/chc/unsafe/lia_counter_reaches.smt2";

/// A solver that is this shell script.
fn solver(folder: &Path, name: &str, script: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path.to_string_lossy().into_owned()
}

/// A portfolio file in which only this command runs.
fn alone(folder: &Path, command: &str) -> String {
    let path = folder.join("portfolio.toml");
    let text = format!("[[configuration]]\nname = \"mine\"\ncommand = \"{command}\"\n");
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

fn with_alone(folder: &Path, command: &str, more: &[&str]) -> Outcome {
    let portfolio = alone(folder, command);
    let arguments = [&["--portfolio", &portfolio, "--engine", "mine"], more].concat();
    foretell(&arguments)
}

/// Z3 behind a script, which is told a file that it may open twice.
#[test]
fn a_model_is_certified() {
    let folder = folder("foreign-model");
    let z3 = foretell_testkit::backends::z3();
    let script = format!(
        "head -1 $1 >/dev/null; echo warning; {} -smt2 $1",
        z3.display()
    );
    let command = format!("{} {{file}}", solver(&folder, "good", &script));
    let outcome = with_alone(&folder, &command, &["--model", SAFE]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("define-fun"), "{}", outcome.stdout);
    let on_input = solver(&folder, "input", &format!("{} -in -smt2", z3.display()));
    let outcome = with_alone(&folder, &on_input, &[SAFE]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
}

/// Whatever it says, a wrong answer is none.
#[test]
fn nothing_is_believed() {
    let folder = folder("foreign-lies");
    let lies = [
        ("bare", "echo sat", UNSAFE),
        (
            "wrong",
            "echo sat; echo '(define-fun R0 ((x Int)) Bool true)'",
            UNSAFE,
        ),
        (
            "false",
            "echo sat; echo '(define-fun R0 ((x Int)) Bool false)'",
            UNSAFE,
        ),
        (
            "unread",
            "echo sat; echo '(define-fun R0 ((x Int)) Bool (<= 0 y'",
            UNSAFE,
        ),
        ("unsat", "echo unsat", SAFE),
        ("garbage", "head -c 100000 /dev/urandom", SAFE),
        ("endless", "yes sat", SAFE),
        ("silent", "exit 3", SAFE),
        ("death", "echo sa; kill -9 $$", SAFE),
        ("missing", "exec /nowhere/to/be/found", SAFE),
    ];
    for (name, script, file) in lies {
        let command = solver(&folder, name, script);
        let outcome = with_alone(&folder, &command, &["--timeout", "20s", file]);
        assert_eq!(outcome.code, Some(20), "{name}: {}", outcome.stdout);
        assert!(
            outcome.first().starts_with("unknown ("),
            "{name}: {}",
            outcome.stdout
        );
    }
}

/// One that never ends does not outlive the run, nor does what it started.
#[test]
fn one_that_hangs_is_ended() {
    let folder = folder("foreign-hangs");
    let mark = format!("9{}.31", std::process::id());
    let command = solver(
        &folder,
        "hang",
        &format!("sleep {mark} & echo unknown; sleep {mark}"),
    );
    let outcome = with_alone(&folder, &command, &["--timeout", "2s", SAFE]);
    assert_eq!(outcome.code, Some(20), "{}", outcome.stdout);
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|p| std::fs::read_to_string(p.path().join("cmdline")).ok());
    assert_eq!(lines.filter(|line| line.contains(&mark)).count(), 0);
}

/// Beside the engines; what it knows is told to them although its model is wrong.
#[test]
fn it_runs_beside_the_engines() {
    let folder = folder("foreign-beside");
    let command = solver(
        &folder,
        "hints",
        "echo sat; echo '(define-fun R0 ((x Int)) Bool (and (<= 0 x) (= x 77)))'",
    );
    let outcome = foretell(&["-v", "--foreign", &command, "--timeout", "60s", SAFE]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("foreign: started"),
        "{}",
        outcome.stderr
    );
    let usage = foretell(&["--own", "--foreign", &command, SAFE]);
    assert_eq!(usage.code, Some(2), "{}", usage.stderr);
    let usage = foretell(&["--engine", "other", SAFE]);
    assert_eq!(usage.code, Some(2), "{}", usage.stderr);
    assert!(usage.stderr.contains("--foreign"), "{}", usage.stderr);
    let usage = foretell(&["--foreign", "'open", SAFE]);
    assert_eq!(usage.code, Some(2), "{}", usage.stderr);
}
