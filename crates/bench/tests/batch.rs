//! Batches with tools that misbehave, and batches that are killed.
//!
//! The gate kills a batch of 40 tasks 5 times. The full test is
//! `FORETELL_TASKS=200 FORETELL_REPEAT=20 cargo test --release -p foretell-bench --test batch`.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use foretell_bench::journal::load;
use foretell_bench::{BenchOptions, Row, Shard, Silent, Tool, VerdictKind, merge, run};
use foretell_process::SignalPolicy;

const EXE: &str = env!("CARGO_BIN_EXE_foretell-bench-testbin");

/// A fresh folder.
fn fresh(name: &str) -> PathBuf {
    let root = std::env::temp_dir().join(format!("foretell-batch-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).unwrap();
    root
}

/// Writes an input whose last line tells the tool what to do.
fn input(root: &Path, name: &str, what: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(
        path,
        format!("(set-logic HORN)\n(assert true) ; {name}\n; {what}"),
    )
    .unwrap();
}

fn options(inputs: &[&Path], out: &Path, tools: &[&str]) -> BenchOptions {
    let mut options = BenchOptions::new(
        inputs.iter().map(|p| p.to_path_buf()).collect(),
        out.to_owned(),
    );
    options.tools = tools.iter().map(|t| Tool::parse(t).unwrap()).collect();
    options.executable = Some(EXE.into());
    options.signals = SignalPolicy::Ignore;
    options.jobs = 2;
    options
}

fn rows(out: &Path) -> BTreeMap<(String, String), Row> {
    let loaded = load(out).unwrap();
    assert_eq!(loaded.skipped, Vec::<String>::new());
    let count = loaded.rows.len();
    let map: BTreeMap<_, _> = loaded
        .rows
        .into_iter()
        .map(|r| ((r.key.tool.clone(), r.key.file.clone()), r))
        .collect();
    assert_eq!(map.len(), count, "a row is doubled");
    map
}

/// Command lines of living processes that contain `text`.
fn living(text: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|e| fs::read(e.path().join("cmdline")).ok());
    let lines = lines.map(|l| String::from_utf8_lossy(&l).replace('\0', " "));
    lines.filter(|l| l.contains(text)).collect()
}

#[test]
fn every_misfortune_is_a_row() {
    let root = fresh("misfortune");
    let suite = root.join("suite");
    for what in [
        "sat", "unsat", "unknown", "garbage", "hang", "crash", "fork",
    ] {
        input(&suite, &format!("safe/{what}.smt2"), what);
    }
    std::os::unix::fs::symlink("/nowhere", suite.join("safe/unreadable.smt2")).unwrap();
    let own = format!("real={EXE} answer {{file}}");
    let mut options = options(
        &[&suite],
        &root.join("out"),
        &[&own, "gone=no-such-tool {file}"],
    );
    options.timeout = Duration::from_secs(2);
    let summary = run(&options, &mut Silent).unwrap();
    assert_eq!(
        (summary.tally.total, summary.tally.done, summary.interrupted),
        (16, 16, false)
    );
    assert_eq!(summary.wrong, ["real: suite/safe/unsat.smt2"]);
    let rows = rows(&root.join("out"));
    let told = |file: &str| {
        let row = &rows[&("real".to_owned(), format!("suite/safe/{file}.smt2"))];
        (row.verdict, row.reason.as_deref().unwrap_or(""))
    };
    assert_eq!(told("sat"), (VerdictKind::Safe, ""));
    assert_eq!(told("unsat"), (VerdictKind::Unsafe, ""));
    assert_eq!(told("unknown"), (VerdictKind::Unknown, "tool says unknown"));
    assert_eq!(
        told("garbage"),
        (VerdictKind::Unknown, "no verdict in output")
    );
    assert_eq!(told("hang"), (VerdictKind::Unknown, "timeout"));
    assert_eq!(told("crash"), (VerdictKind::Unknown, "crash (signal 6)"));
    assert_eq!(told("fork"), (VerdictKind::Safe, ""));
    assert_eq!(
        told("unreadable"),
        (VerdictKind::Unknown, "unreadable file")
    );
    let missing = rows
        .values()
        .filter(|r| r.reason.as_deref() == Some("missing tool"))
        .count();
    assert_eq!(missing, 7);
    assert_eq!(living(&suite.to_string_lossy()), Vec::<String>::new());
    for row in rows.values().filter(|r| r.exit.is_some()) {
        let log = fs::read_to_string(root.join("out").join(row.log.as_ref().unwrap())).unwrap();
        assert!(log.starts_with("$ ") && log.contains("answer"));
    }
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn a_second_start_runs_only_what_changed() {
    let root = fresh("resume");
    let suite = root.join("suite");
    (0..6).for_each(|n| input(&suite, &format!("{n}.smt2"), "sat"));
    let own = format!("real={EXE} answer {{file}}");
    let options = options(&[&suite], &root.join("out"), &[&own]);
    assert_eq!(run(&options, &mut Silent).unwrap().tally.resumed, 0);
    input(&suite, "3.smt2", "unsat");
    let again = run(&options, &mut Silent).unwrap();
    assert_eq!((again.tally.resumed, again.tally.done), (5, 6));
    let other = BenchOptions {
        timeout: Duration::from_secs(21),
        ..options
    };
    assert_eq!(run(&other, &mut Silent).unwrap().tally.resumed, 0);
    assert_eq!(load(&root.join("out")).unwrap().rows.len(), 6 + 1 + 6);
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn shards_cover_the_batch_once() {
    let root = fresh("shards");
    let suite = root.join("suite");
    (0..7).for_each(|n| input(&suite, &format!("{n}.smt2"), "sat"));
    let own = format!("real={EXE} answer {{file}}");
    let outs: Vec<PathBuf> = (1..=3).map(|n| root.join(format!("out{n}"))).collect();
    for (n, out) in outs.iter().enumerate() {
        let mut part = options(&[&suite], out, &[&own]);
        part.shard = Some(Shard {
            index: n + 1,
            count: 3,
        });
        run(&part, &mut Silent).unwrap();
    }
    let merged = merge(&outs, &root.join("all")).unwrap();
    assert_eq!((merged.rows, merged.doubled), (7, 0));
    let resumed = run(&options(&[&suite], &root.join("all"), &[&own]), &mut Silent).unwrap();
    assert_eq!(resumed.tally.resumed, 7);
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn a_full_disk_is_an_error_and_resumes() {
    let root = fresh("full");
    let suite = root.join("suite");
    (0..12).for_each(|n| input(&suite, &format!("{n:02}.smt2"), "sat"));
    let out = root.join("out");
    let own = format!("real={EXE} answer {{file}}");
    // A limit on file sizes stands for the full disk: writes fail, the first of them half done.
    let script = "trap '' XFSZ; ulimit -f 2; exec \"$0\" batch \"$@\"";
    let full = Command::new("sh")
        .args([
            "-c",
            script,
            EXE,
            &suite.to_string_lossy(),
            &out.to_string_lossy(),
            "1",
            &own,
        ])
        .output()
        .unwrap();
    assert!(!full.status.success());
    assert!(
        String::from_utf8_lossy(&full.stderr).contains("cannot write"),
        "{full:?}"
    );
    let summary = run(&options(&[&suite], &out, &[&own]), &mut Silent).unwrap();
    assert!((1..12).contains(&summary.tally.resumed), "{summary:?}");
    assert_eq!(rows(&out).len(), 12);
    fs::remove_file(out.join("results.jsonl")).unwrap();
    std::os::unix::fs::symlink("/dev/full", out.join("results.jsonl")).unwrap();
    assert!(run(&options(&[&suite], &out, &[&own]), &mut Silent).is_err());
    fs::remove_dir_all(root).unwrap();
}

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

/// Lets a batch run for a while and kills it, again and again; how often that was in the middle of
/// it. What was finished before is still there afterwards, byte for byte.
fn kill_repeatedly(
    batch: &dyn Fn() -> Command,
    journal: &Path,
    tasks: usize,
    kills: usize,
) -> usize {
    let length = || fs::metadata(journal).map_or(0, |m| m.len());
    let mut seen: Vec<u8> = Vec::new();
    let mut noise = 12345u32;
    let mut unfinished = 0;
    for _ in 0..kills {
        let mut child = batch().spawn().unwrap();
        // Some rows on, and some moment within the next run.
        let target = length() + (tasks * 300 / (kills + 2)) as u64;
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let until = Instant::now() + Duration::from_micros(u64::from(noise >> 18));
        while (length() < target || Instant::now() < until) && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let now = fs::read(journal).unwrap_or_default();
        assert!(now.starts_with(&seen));
        let whole = now.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        seen = now[..whole].to_vec();
        let rows = seen.iter().filter(|&&b| b == b'\n').count();
        unfinished += usize::from(rows > 0 && rows < tasks);
    }
    unfinished
}

/// Kills a batch again and again, each time a little later; then lets it end.
#[test]
fn a_killed_batch_loses_and_doubles_nothing() {
    let (tasks, kills) = (number("FORETELL_TASKS", 40), number("FORETELL_REPEAT", 5));
    let root = fresh("killed");
    let suite = root.join("suite");
    for n in 0..tasks {
        let answer = ["sat", "unsat", "unknown", "fork"][n % 4];
        input(&suite, &format!("safe/{n:03}.smt2"), answer);
    }
    let (inputs, out) = (suite.to_string_lossy(), root.join("out"));
    let own = format!("real={EXE} answer {{file}}");
    let batch = || {
        let mut command = Command::new(EXE);
        command.args(["batch", &*inputs, &out.to_string_lossy(), "2", &own]);
        command.stdout(Stdio::null());
        command
    };
    let unfinished = kill_repeatedly(&batch, &out.join("results.jsonl"), tasks, kills);
    assert!(unfinished > 0, "no kill came in the middle of the batch");
    assert!(batch().status().unwrap().success());
    let interrupted = rows(&out);
    let plain = root.join("plain");
    run(&options(&[&suite], &plain, &[&own]), &mut Silent).unwrap();
    let uninterrupted = rows(&plain);
    let verdicts = |rows: &BTreeMap<_, Row>| -> Vec<_> {
        rows.iter()
            .map(|(key, row): (&(String, String), _)| (key.clone(), row.verdict))
            .collect()
    };
    assert_eq!(interrupted.len(), tasks);
    assert_eq!(verdicts(&interrupted), verdicts(&uninterrupted));
    let give_up = Instant::now() + Duration::from_secs(20);
    while !living(&inputs).is_empty() && Instant::now() < give_up {}
    assert_eq!(living(&inputs), Vec::<String>::new());
    fs::remove_dir_all(root).unwrap();
}
