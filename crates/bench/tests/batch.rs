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
use foretell_bench::{
    Attempt, BenchOptions, Coverage, Row, Shard, Silent, Tool, VerdictKind, merge, report, run,
};
use foretell_process::SignalPolicy;
use sha2::{Digest, Sha256};

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

/// Two starts of one part are alive on one folder and are killed again and again; then one ends.
#[test]
fn two_attempts_at_one_part_lose_and_double_nothing() {
    let (tasks, kills) = (number("FORETELL_TASKS", 24), number("FORETELL_REPEAT", 4));
    let root = fresh("attempts");
    let suite = root.join("suite");
    for n in 0..tasks {
        let answer = ["sat", "unsat", "unknown"][n % 3];
        input(&suite, &format!("safe/{n:03}.smt2"), answer);
    }
    let (inputs, out) = (suite.to_string_lossy(), root.join("out"));
    let own = format!("real={EXE} answer {{file}}");
    let part = |attempt: String| {
        let mut command = Command::new(EXE);
        command.args(["batch", &*inputs, &out.to_string_lossy(), "1", &own]);
        command.env("FORETELL_ATTEMPT", attempt);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let mut noise = 98765u32;
    let mut seen: BTreeMap<(String, String), VerdictKind> = BTreeMap::new();
    let mut both = 0;
    for kill in 0..kills {
        // The first has a name of its own; the second comes back under the one it had.
        let mut alive = [part(format!("{kill}-0")), part("again".to_owned())];
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // The first kill comes before either can have come far.
        let wait = if kill == 0 {
            5
        } else {
            u64::from(noise >> 24) + 20
        };
        std::thread::sleep(Duration::from_millis(wait));
        let running = |child: &mut std::process::Child| child.try_wait().unwrap().is_none();
        both += usize::from(alive.iter_mut().all(running));
        for child in &mut alive {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        // What was there before is there now.
        let now: BTreeMap<_, _> = if out.join("results.aagain.jsonl").exists() {
            let rows = load(&out).unwrap().rows.into_iter();
            rows.map(|r| ((r.key.tool, r.key.file), r.verdict))
                .collect()
        } else {
            BTreeMap::new()
        };
        assert!(
            seen.iter()
                .all(|(key, verdict)| now.get(key) == Some(verdict))
        );
        seen = now;
    }
    assert!(both > 0, "no kill came while both were alive");
    assert!(part("last".to_owned()).wait().unwrap().success());
    let all = root.join("all");
    merge(std::slice::from_ref(&out), &all).unwrap();
    assert_eq!(rows(&all).len(), tasks);
    let again = merge(&[out.clone(), out], &all).unwrap();
    assert_eq!(again.rows, 0, "a second merge adds nothing");
    fs::remove_dir_all(root).unwrap();
}

/// Writes the results of all parts after the first `real` ones as if they had been run: like those of
/// the first part.
fn pretend(batch: &BenchOptions, real: usize, shards: usize) {
    let path = |part: usize| {
        let name = format!("results.{part}-of-{shards}.a1-0.jsonl");
        batch.out.join(name)
    };
    let first = fs::read_to_string(path(1)).unwrap();
    let mut row: serde_json::Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    let mut texts = vec![String::new(); shards];
    for (number, task) in batch.tasks().unwrap().into_iter().enumerate() {
        let digest = Sha256::digest(fs::read(&task.path).unwrap());
        let digest: String = digest.iter().map(|b| format!("{b:02x}")).collect();
        row["file"] = task.name.into();
        row["sha256"] = digest.into();
        texts[number % shards] += &format!("{row}\n");
    }
    for (part, text) in (1..).zip(&texts).skip(real) {
        fs::write(path(part), text).unwrap();
    }
}

/// A suite as large as that of a competition, with a tool that does nothing. The full size:
/// `FORETELL_SUITE=10116 FORETELL_PARTS=20 cargo test -p foretell-bench --test batch competition -- --nocapture`;
/// after so many parts the results of the others are written as if they had been run.
#[test]
fn a_suite_as_large_as_a_competition_is_run_merged_and_reported() {
    let tasks = number("FORETELL_SUITE", 60);
    let root = fresh("suite");
    let suite = root.join("suite");
    for n in 0..tasks {
        input(&suite, &format!("set{}/safe/{n:05}.smt2", n % 7), "sat");
    }
    let (out, all) = (root.join("out"), root.join("all"));
    let own = format!("real={EXE} answer {{file}}");
    let mut batch = options(&[&suite], &out, &[&own]);
    let shards = batch.parts().unwrap();
    assert_eq!(shards, tasks.div_ceil(20));
    let real = number("FORETELL_PARTS", shards).min(shards);
    let began = Instant::now();
    for index in 1..=real {
        batch.shard = Some(Shard {
            index,
            count: shards,
        });
        batch.attempt = Some(Attempt::parse("1-0").unwrap());
        run(&batch, &mut Silent).unwrap();
    }
    let ran = began.elapsed() / (real * 20).min(tasks) as u32;
    batch.shard = None;
    pretend(&batch, real, shards);
    let began = Instant::now();
    let coverage = Coverage::new(&batch, shards).unwrap();
    assert_eq!(coverage.missing().unwrap(), None);
    assert_eq!(coverage.tally().unwrap().tally.solved, tasks);
    let (looked, began) = (began.elapsed(), Instant::now());
    // In a process of its own, which tells its highest memory.
    let merged = Command::new(EXE)
        .args(["merge", &out.to_string_lossy(), &all.to_string_lossy()])
        .output()
        .unwrap();
    let peak = String::from_utf8_lossy(&merged.stdout).trim().to_owned();
    let (joined, began) = (began.elapsed(), Instant::now());
    let page = report(std::slice::from_ref(&all), None).unwrap();
    let reported = began.elapsed();
    assert!(page.summary.contains(&format!("{tasks} of {tasks} solved")));
    assert_eq!(rows(&all).len(), tasks);
    let bytes = fs::metadata(all.join("results.jsonl")).unwrap().len();
    let html = fs::metadata(&page.html).unwrap().len();
    println!(
        "{tasks} tasks in {shards} parts, {real} of them run: {ran:.1?} each; missing {looked:.1?}, \
         merge {joined:.1?} with {peak} kB, report {reported:.1?}; results {bytes} B, page {html} B"
    );
    let peak: u64 = peak.parse().unwrap();
    assert!(peak < 500 << 10, "merge took {peak} kB");
    fs::remove_dir_all(root).unwrap();
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
