//! Workers behind a launcher that delays, cuts, repeats and forges what they say, and dies.
//!
//! Every kind of trouble once; `FORETELL_SEEDS=100` makes it ten times, at other places.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::{Outcome, command, folder, foretell};

/// A launcher: `launcher FOLDER SEED COMMAND…`. The first two starts are the worst ones.
const LAUNCHER: &str = r#"#!/bin/bash
folder=$1; seed=$2; shift 2
RANDOM=$seed
echo x >>"$folder/starts"
start=$(wc -l <"$folder/starts")
cut=$((RANDOM % 3 + 1))  # a worker says at least hello, read, found and its answer
other() {  # the same job about another file
  IFS= read -r job
  size=$(stat -c %s "$1")
  { sed -E 's/"length":[0-9]+/"length":'"$size"'/' <<<"$job"; cat "$1"; cat; } | "${@:2}"
}
early() { [ "$start" -le 2 ]; }
case $((seed % 10)) in
0) exec "$@" ;;
1) "$@" | while IFS= read -r line; do sleep 0.0$((RANDOM % 5)); printf '%s\n' "$line"; done ;;
2) "$@" | while IFS= read -r line; do printf '%s\n%s\n' "$line" "$line"; done ;;
3) early || exec "$@"
   "$@" | while IFS= read -r line; do
     cut=$((cut - 1)); [ $cut -gt 0 ] && { printf '%s\n' "$line"; continue; }
     printf '%s' "${line:0:$((RANDOM % ${#line}))}"; exit 0
   done ;;
4) early || exec "$@"
   "$@" | while IFS= read -r line; do
     cut=$((cut - 1)); [ $cut -gt 0 ] || kill -9 -$$; printf '%s\n' "$line"
   done ;;
5) other "$folder/safe.smt2" "$@" ;;
6) other "$folder/unsafe.smt2" "$@" ;;
7) "$@" | sed -u -E 's/"verdict":"unsafe"/"verdict":"UNSAFE"/; s/"verdict":"safe"/"verdict":"unsafe"/; s/UNSAFE/safe/' ;;
8) "$@" | sed -u -E 's/"build":"[^"]*"/"build":"another"/' ;;
9) early || exec "$@"
   echo 'srun: error: Node failure' >&2; exit 0 ;;
esac
"#;

/// A counter that is safe below a bound or unsafe after five steps.
fn counter(bad: &str) -> String {
    format!(
        "(set-logic HORN)\n(declare-fun p (Int Int) Bool)\n\
         (assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (p x y))))\n\
         (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y 2)))))\n\
         (assert (forall ((x Int) (y Int)) (=> (and (p x y) {bad}) false)))\n(check-sat)\n"
    )
}

/// A folder with the launcher, a safe and an unsafe file.
fn scene(name: &str) -> PathBuf {
    let root = folder(name);
    let launcher = root.join("launcher");
    fs::write(&launcher, LAUNCHER).unwrap();
    fs::set_permissions(&launcher, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(root.join("safe.smt2"), counter("(< x 0)")).unwrap();
    fs::write(root.join("unsafe.smt2"), counter("(= y 10)")).unwrap();
    root
}

/// Runs a check whose only useful engine is started elsewhere first.
fn check(root: &Path, file: &str, seed: usize) -> Outcome {
    let _ = fs::remove_file(root.join("starts"));
    let launch = format!("{0}/launcher {0} {seed}", root.display());
    let file = root.join(file).to_string_lossy().into_owned();
    foretell(&[
        "--engine",
        "bmc,kinduction",
        "--set",
        "bmc.max_bound=1",
        "--jobs",
        "1",
        "--launch",
        &launch,
        "--remote-jobs",
        "1",
        "--timeout",
        "60",
        "-v",
        &file,
    ])
}

/// Command lines of living processes that contain `text`.
fn living(text: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|e| fs::read(e.path().join("cmdline")).ok());
    let lines = lines.map(|l| String::from_utf8_lossy(&l).replace('\0', " "));
    lines.filter(|l| l.contains(text)).collect()
}

#[test]
fn no_launcher_makes_a_wrong_verdict() {
    let seeds = std::env::var("FORETELL_SEEDS").ok();
    let seeds: usize = seeds.and_then(|v| v.parse().ok()).unwrap_or(10);
    let root = scene("elsewhere");
    for seed in 0..seeds {
        // Each kind of trouble with either file, at the latest every twenty seeds.
        let is_safe = (seed / 10 + seed) % 2 == 0;
        let (file, answer) = match is_safe {
            true => ("safe.smt2", "sat"),
            false => ("unsafe.smt2", "unsat"),
        };
        let run = check(&root, file, seed);
        assert_eq!(run.first(), answer, "seed {seed}: {}", run.stderr);
        let said = |words: &str| run.stderr.contains(words);
        let lost = said("lost elsewhere");
        match seed % 10 {
            0..=2 => assert!(!lost && said("claims"), "seed {seed}: {}", run.stderr),
            3 | 4 | 9 => assert!(lost, "seed {seed}: {}", run.stderr),
            // A witness of the other file; of this very file it is a good one.
            5 => assert_eq!(lost, !is_safe, "seed {seed}: {}", run.stderr),
            6 => assert_eq!(lost, is_safe, "seed {seed}: {}", run.stderr),
            7 => assert!(lost && said("rejected"), "seed {seed}: {}", run.stderr),
            _ => assert!(lost && said("another build"), "seed {seed}: {}", run.stderr),
        }
        let left = living(&root.to_string_lossy());
        assert!(left.is_empty(), "seed {seed}: {left:?}");
    }
}

#[test]
fn a_launcher_that_always_lies_leaves_the_answer_unknown() {
    let root = scene("always");
    let launch = format!("{0}/launcher {0} 5", root.display());
    let file = root.join("unsafe.smt2").to_string_lossy().into_owned();
    // The slot here is taken by an engine that finds nothing, so that every turn goes elsewhere.
    let run = foretell(&[
        "--engine",
        "candidates,kinduction",
        "--set",
        "candidates.query_ms=3600000",
        "--jobs",
        "1",
        "--launch",
        &launch,
        "--remote-jobs",
        "1",
        "--timeout",
        "60",
        "-v",
        &file,
    ]);
    assert_ne!(run.first(), "sat", "{}", run.stderr);
    assert!(run.stderr.contains("rejected"), "{}", run.stderr);
}

#[test]
fn facts_flow_to_other_machines_and_are_kept() {
    let root = scene("facts");
    let file = root.join("sum.smt2");
    // x counts, y follows it; that y is even and not negative is worth telling.
    fs::write(&file, counter("(and (= x 1000) (distinct y 2000))")).unwrap();
    let (file, facts) = (file.to_string_lossy(), root.join("facts.jsonl"));
    let launch = format!("{0}/launcher {0} 0", root.display());
    let facts_file = facts.to_string_lossy().into_owned();
    let arguments = [
        "--engine",
        "bmc,ic3ia",
        "--jobs",
        "1",
        "--launch",
        &launch,
        "--remote-jobs",
        "1",
        "--timeout",
        "60",
        "--stats",
        "--facts",
        &facts_file,
        &file,
    ];
    let first = foretell(&arguments);
    assert_eq!(first.first(), "sat", "{}", first.stderr);
    let kept = fs::read_to_string(&facts).unwrap();
    assert!(kept.contains("\"fingerprint\""), "{kept}");
    // A line of another problem, one that is no message, one that was torn.
    let noise = "{\"fingerprint\":\"00\",\"items\":[]}\nno json\n{\"finger";
    fs::write(&facts, format!("{kept}{noise}")).unwrap();
    let second = foretell(&arguments);
    assert_eq!(second.first(), "sat", "{}", second.stderr);
    assert!(second.stderr.contains("2 lines"), "{}", second.stderr);
    assert!(second.stderr.contains("shared taken"), "{}", second.stderr);
    let again = fs::read_to_string(&facts).unwrap();
    assert!(again.starts_with(&format!("{kept}{noise}\n")), "{again}");
}

#[test]
fn false_facts_are_not_believed() {
    let root = scene("false-facts");
    let file = root.join("unsafe.smt2").to_string_lossy().into_owned();
    let facts = root.join("facts.jsonl");
    let facts_file = facts.to_string_lossy().into_owned();
    let run = |more: &[&str]| {
        let common = [
            "--engine",
            "candidates,kinduction",
            "--facts",
            &facts_file,
            "--timeout",
            "60",
        ];
        foretell(&[&common[..], more, &[file.as_str()]].concat())
    };
    assert_eq!(run(&[]).first(), "unsat");
    let fingerprint = fs::read_to_string(&facts).unwrap();
    let fingerprint = fingerprint.split('"').nth(3).unwrap_or("0").to_owned();
    // It would make the bad state unreachable.
    let lie = format!(
        "{{\"fingerprint\":\"{fingerprint}\",\"items\":[{{\"predicate\":0,\"formula\":\"(< p1 10)\"}}]}}\n"
    );
    fs::write(&facts, lie).unwrap();
    let second = run(&["-j", "1"]);
    assert_eq!(second.first(), "unsat", "{}", second.stderr);
}

/// Three goals, each proved on its own, here and elsewhere; the certificate is one of the whole text.
#[test]
fn goals_are_proved_apart_and_certified_together() {
    let root = scene("joined");
    let goals = |third: &str| {
        let query = |bad: &str| {
            format!("(assert (forall ((x Int) (y Int)) (=> (and (p x y) {bad}) false)))\n")
        };
        let text = counter("(< x 0)").replace("(check-sat)\n", "");
        text + &query("(< y x)") + &query(third) + "(check-sat)\n"
    };
    let (file, proof) = (root.join("goals.smt2"), root.join("proof"));
    fs::write(&file, goals("(distinct y (+ x x))")).unwrap();
    let (name, launch) = (
        file.to_string_lossy(),
        format!("{0}/launcher {0} 0", root.display()),
    );
    let certificate = format!("--certificate={}", proof.display());
    let common = [
        "--property",
        "joined",
        "--launch",
        &launch,
        "--remote-jobs",
        "1",
        "--timeout",
    ];
    let run = foretell(&[&common[..], &["60", &certificate, &*name]].concat());
    assert_eq!(run.first(), "sat", "{}", run.stderr);
    let validated = foretell(&["validate", &name, &proof.to_string_lossy()]);
    assert_eq!(
        validated.code,
        Some(0),
        "{}{}",
        validated.stdout,
        validated.stderr
    );
    fs::write(&file, goals("(= y 8)")).unwrap();
    let run = foretell(&[&common[..], &["60", &*name]].concat());
    assert_eq!(run.first(), "unsat", "{}", run.stderr);
}

#[test]
fn what_is_wrong_with_a_launcher_is_said_at_once() {
    let file = "examples/array_init.smt2";
    let missing = foretell(&["--launch", "no-such-launcher", "--remote-jobs", "2", file]);
    assert_eq!(missing.code, Some(1), "{}", missing.stderr);
    assert!(
        missing.stderr.contains("no-such-launcher"),
        "{}",
        missing.stderr
    );
    let open = foretell(&["--launch", "ssh 'host", "--remote-jobs", "2", file]);
    assert_eq!(open.code, Some(2), "{}", open.stderr);
    let alone = command(&["--launch", "ssh host", file]).output().unwrap();
    assert_eq!(alone.status.code(), Some(2));
}
