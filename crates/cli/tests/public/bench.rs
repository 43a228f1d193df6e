//! `foretell bench` from the command line: a batch with our own tool and others, interrupted and resumed,
//! reported, compared and merged.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const EXE: &str = env!("CARGO_BIN_EXE_foretell");

fn foretell(arguments: &[&str]) -> Output {
    Command::new(EXE)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A fresh folder with a suite of counters that our own tool decides at once.
fn suite(name: &str) -> (PathBuf, String, String) {
    let root =
        std::env::temp_dir().join(format!("foretell-cli-bench-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&root);
    for n in 0..3 {
        let counter = |bad: &str| {
            format!(
                "(set-logic HORN)\n(declare-fun p (Int) Bool)\n(assert (forall ((x Int)) (=> (= x {n}) (p x))))\n\
                 (assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))\n\
                 (assert (forall ((x Int)) (=> (and (p x) {bad}) false)))\n(check-sat)\n"
            )
        };
        for (folder, bad) in [("safe", "(< x 0)"), ("unsafe", "(= x 3)")] {
            fs::create_dir_all(root.join("suite").join(folder)).unwrap();
            fs::write(
                root.join("suite").join(folder).join(format!("{n}.smt2")),
                counter(bad),
            )
            .unwrap();
        }
    }
    let shown = |path: PathBuf| path.to_string_lossy().into_owned();
    let (inputs, out) = (shown(root.join("suite")), shown(root.join("out")));
    (root, inputs, out)
}

fn lines(out: &str) -> Vec<String> {
    let journal = Path::new(out).join("results.jsonl");
    fs::read_to_string(journal)
        .unwrap_or_default()
        .lines()
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_batch_is_run_resumed_reported_and_compared() {
    let (root, inputs, out) = suite("run");
    let liar = "liar=sh -c 'echo sat'";
    let batch = [
        "bench",
        &inputs,
        "-O",
        &out,
        "--tool",
        liar,
        "--tool",
        "gone=no-such-tool",
        "-t",
        "60s",
    ];
    let first = foretell(&batch);
    let told = text(&first);
    // The liar contradicts what is expected of the unsafe files.
    assert_eq!(first.status.code(), Some(10), "{first:?}");
    assert!(
        told.contains("foretell: 6 of 6 solved (3 safe, 3 unsafe), 0 wrong, 0 timeouts\n"),
        "{told}"
    );
    assert!(
        told.contains("liar: 3 of 6 solved (3 safe, 0 unsafe), 3 wrong"),
        "{told}"
    );
    assert!(
        String::from_utf8_lossy(&first.stderr).contains("no program \"no-such-tool\""),
        "{first:?}"
    );
    assert!(Path::new(&out).join("report.html").is_file(), "{told}");
    let rows = lines(&out);
    assert_eq!(rows.len(), 18);
    assert_eq!(
        rows.iter()
            .filter(|r| r.contains("\"certificate\":\"checked\""))
            .count(),
        6
    );
    let again = foretell(&batch);
    assert!(
        text(&again).contains("18 of 18 runs were there already"),
        "{again:?}"
    );
    assert_eq!(lines(&out), rows);

    let report = foretell(&["report", &out]);
    assert_eq!(report.status.code(), Some(0));
    assert!(text(&report).starts_with("CONTRADICTION "), "{report:?}");
    assert!(
        Path::new(&out).join("report.html").is_file()
            && Path::new(&out).join("report.csv").is_file()
    );
    let compared = foretell(&["compare", &out, &out, "--pair", "foretell=foretell"]);
    assert!(
        text(&compared).contains("solved 6 -> 6 (gained 0, lost 0)"),
        "{compared:?}"
    );
    let merged = root.join("merged").to_string_lossy().into_owned();
    let joined = foretell(&["merge", &out, &out, "-O", &merged]);
    assert_eq!(text(&joined), "18 results added, 18 were there already\n");
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn an_interrupted_batch_goes_on_later() {
    let (root, inputs, out) = suite("interrupt");
    let batch = ["bench", &inputs, "-O", &out, "--no-own", "-t", "60s"];
    let slow = [
        "--tool",
        "t=sh -c 'case $0 in *unsafe/2*) sleep 60;; esac; echo sat' {file}",
        "-q",
    ];
    let child = Command::new(EXE)
        .args(batch)
        .args(slow)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Five files end at once, the sixth does not.
    while lines(&out).len() < 5 {
        std::thread::yield_now();
    }
    assert!(
        Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    assert!(
        text(&output).contains("interrupted after 5 of 6 runs"),
        "{output:?}"
    );
    assert_eq!(lines(&out).len(), 5);
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn scripts_for_many_machines_are_written() {
    let (root, inputs, out) = suite("emit");
    let batch = [
        "bench",
        &inputs,
        "-O",
        &out,
        "--no-own",
        "--tool",
        "t=sh -c 'echo sat' {file}",
    ];
    let with = |more: &[&str]| foretell(&[&batch[..], more].concat());
    let slurm = with(&["--emit", "slurm", "--shards=3", "-j", "4"]);
    assert!(text(&slurm).contains("start with: sh "), "{slurm:?}");
    let script = fs::read_to_string(Path::new(&out).join("slurm/part.sh")).unwrap();
    assert!(
        script.contains("--array=1-3\n") && script.contains("--cpus-per-task=4\n"),
        "{script}"
    );
    assert!(
        script.contains(" bench ") && !script.contains("--emit"),
        "{script}"
    );
    let parallel = with(&["--emit", "parallel", "--shards=3"]);
    assert!(
        text(&parallel).contains("start with: bash "),
        "{parallel:?}"
    );
    // Two of three parts are there; the third writes the last rows, and then there is a report.
    for part in ["1/3", "3/3"] {
        let done = with(&["--shard", part, "--attempt", "x"]);
        // Half of the suite is unsafe, and this tool says otherwise.
        assert_eq!(done.status.code(), Some(10), "{done:?}");
    }
    let missing = with(&["--shards=3", "--missing"]);
    assert_eq!(
        (text(&missing).as_str(), missing.status.code()),
        ("2\n", Some(20))
    );
    assert!(!Path::new(&out).join("report.html").exists());
    assert_eq!(with(&["--shard", "2/3"]).status.code(), Some(10));
    let none = with(&["--shards=3", "--missing"]);
    assert_eq!(none.status.code(), Some(10), "{none:?}");
    assert!(Path::new(&out).join("report.html").exists());
    let watched = with(&["--shards=3", "--watch"]);
    assert!(
        text(&watched).starts_with("6/6 done, 0 running"),
        "{watched:?}"
    );
    let benchexec = foretell(&["bench", &inputs, "-O", &out, "--emit", "benchexec"]);
    assert_eq!(benchexec.status.code(), Some(0), "{benchexec:?}");
    assert!(Path::new(&out).join("benchexec/foretell.xml").is_file());
    let wrong = foretell(&["bench", &inputs, "-O", &out, "--shard", "4/3"]);
    assert_eq!(wrong.status.code(), Some(2));
    let nothing = foretell(&["bench", "/nowhere", "-O", &out]);
    assert_eq!(nothing.status.code(), Some(2), "{nothing:?}");
    fs::remove_dir_all(root).unwrap();
}

#[test]
fn rows_lead_to_pages_on_request() {
    let (root, inputs, out) = suite("pages");
    let other = "other=sh -c 'echo sat'";
    let batch = [
        "bench",
        &inputs,
        "-O",
        &out,
        "--only",
        "*0.smt2",
        "--tool",
        other,
        "--reports",
        "-q",
    ];
    foretell(&batch);
    let rows: Vec<serde_json::Value> = lines(&out)
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 4);
    let report = fs::read_to_string(Path::new(&out).join("report.html")).unwrap();
    for row in &rows {
        if row["tool"] == "other" {
            assert!(row["page"].is_null(), "{row}");
            continue;
        }
        let page = row["page"].as_str().unwrap();
        let text = fs::read_to_string(Path::new(&out).join(page)).unwrap();
        assert!(
            text.ends_with("</html>\n") && report.contains(page),
            "{row}"
        );
        // What is asked for besides is no part of what identifies the run.
        assert!(!row["command"].as_str().unwrap().contains("--report"));
    }
    let copy = root.join("copy").to_string_lossy().into_owned();
    assert_eq!(
        foretell(&["merge", &out, "-O", &copy]).status.code(),
        Some(0)
    );
    let page = rows.iter().find_map(|row| row["page"].as_str()).unwrap();
    assert!(Path::new(&copy).join(page).is_file());
    fs::remove_dir_all(root).unwrap();
}
