//! The executable under limits and signals: what it answers, and that nothing is left running.
//!
//! The gate runs each case a few times. The full measurement, on an otherwise idle machine, is
//! `FORETELL_REPEAT=60 FORETELL_STRICT=1 cargo test --release -p foretell --test public limits`: it also asks that
//! the process tree is gone half a second after the limit and that interrupts are answered in a second.

use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const EXE: &str = env!("CARGO_BIN_EXE_foretell");
/// The environment variable by which a test finds the processes it started.
const MARK: &str = "FORETELL_TEST_MARK";

/// Is 114 a sum of three cubes? Nobody knows.
const OPEN_PROBLEM: &str = "(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (> (* x x) 0) (> (* y y) 0)) (p x y z))))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (p x y z) (= (+ (* x x x) (* y y y) (* z z z)) 114)) false)))
(check-sat)
";

fn repeat(default: usize) -> usize {
    std::env::var("FORETELL_REPEAT")
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

fn is_strict() -> bool {
    std::env::var_os("FORETELL_STRICT").is_some()
}

/// A file that no engine decides.
fn hard_file(test: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!(
        "foretell-limits-{}-{test}.smt2",
        std::process::id()
    ));
    std::fs::write(&path, OPEN_PROBLEM).unwrap();
    path
}

fn mark(test: &str, round: usize) -> String {
    format!("{}-{test}-{round}", std::process::id())
}

fn start(arguments: &[&str], mark: &str) -> Child {
    let mut command = Command::new(EXE);
    command.args(arguments).env(MARK, mark).stdin(Stdio::null());
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Ids of living processes that inherited the mark.
fn marked(mark: &str) -> Vec<String> {
    let wanted = format!("{MARK}={mark}\0");
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let alive = entries.filter(|entry| {
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        environment
            .windows(wanted.len())
            .any(|w| w == wanted.as_bytes())
    });
    alive
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect()
}

/// Waits until no process with the mark lives.
fn all_gone(mark: &str) -> bool {
    let give_up = Instant::now() + Duration::from_secs(20);
    while !marked(mark).is_empty() {
        if Instant::now() > give_up {
            return false;
        }
    }
    true
}

/// Waits until a worker has its job: then it starts a solver. The first worker starts before anybody knows what it
/// is for.
fn workers_are_up(mark: &str) {
    let give_up = Instant::now() + Duration::from_secs(60);
    while marked(mark).len() < 3 && Instant::now() < give_up {}
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_time_limit_is_kept() {
    let file = hard_file("time");
    for round in 0..repeat(2) {
        let mark = mark("time", round);
        let begin = Instant::now();
        let output = start(&["-t", "1s", &file.to_string_lossy()], &mark)
            .wait_with_output()
            .unwrap();
        let left = marked(&mark);
        let elapsed = begin.elapsed();
        assert_eq!(
            (text(&output).as_str(), output.status.code()),
            ("unknown (timeout)\n", Some(20))
        );
        assert_eq!(left, Vec::<String>::new());
        if is_strict() {
            assert!(
                elapsed <= Duration::from_millis(1500),
                "round {round}: {elapsed:?}"
            );
        }
    }
    std::fs::remove_file(file).unwrap();
}

#[test]
fn the_memory_limit_is_kept() {
    let file = hard_file("memory");
    for round in 0..repeat(2) {
        let mark = mark("memory", round);
        let output = start(
            &["-t", "60s", "-j", "1", "-m", "60M", &file.to_string_lossy()],
            &mark,
        )
        .wait_with_output()
        .unwrap();
        assert_eq!(
            (text(&output).as_str(), output.status.code()),
            ("unknown (memory)\n", Some(20))
        );
        assert_eq!(marked(&mark), Vec::<String>::new());
    }
    std::fs::remove_file(file).unwrap();
}

#[test]
fn the_processor_time_limit_is_kept() {
    let file = hard_file("cpu");
    let mark = mark("cpu", 0);
    let arguments = ["-t", "60s", "--cpu-limit", "1s", &file.to_string_lossy()];
    let output = start(&arguments, &mark).wait_with_output().unwrap();
    assert_eq!(
        (text(&output).as_str(), output.status.code()),
        ("unknown (cpu limit)\n", Some(20))
    );
    assert_eq!(marked(&mark), Vec::<String>::new());
    std::fs::remove_file(file).unwrap();
}

#[test]
fn an_interrupt_is_answered() {
    let file = hard_file("interrupt");
    for round in 0..repeat(2) {
        let mark = mark("interrupt", round);
        let child = start(&["-t", "60s", &file.to_string_lossy()], &mark);
        workers_are_up(&mark);
        let signal = if round % 2 == 0 { "-INT" } else { "-TERM" };
        let begin = Instant::now();
        assert!(
            Command::new("kill")
                .args([signal, &child.id().to_string()])
                .status()
                .unwrap()
                .success()
        );
        let output = child.wait_with_output().unwrap();
        let elapsed = begin.elapsed();
        assert_eq!(
            (text(&output).as_str(), output.status.code()),
            ("unknown (interrupted)\n", Some(20))
        );
        let reached = String::from_utf8_lossy(&output.stderr).into_owned();
        // Whichever engines come first say how far they got.
        let is_told = |line: &str| line.starts_with("foretell: ") && line.contains(" after ");
        assert!(reached.lines().any(is_told), "{reached}");
        assert_eq!(marked(&mark), Vec::<String>::new());
        if is_strict() {
            assert!(
                elapsed <= Duration::from_secs(1),
                "round {round}: {elapsed:?}"
            );
        }
    }
    std::fs::remove_file(file).unwrap();
}

/// A plain answer does not wait for the runs that it ends, but they are told to end before it is over.
#[test]
fn an_answer_leaves_nothing() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/array_init.smt2"
    );
    for (round, more) in ["--quiet", "--stats"].into_iter().enumerate() {
        let mark = mark("answer", round);
        let output = start(&["-j", "3", more, file], &mark)
            .wait_with_output()
            .unwrap();
        assert_eq!(
            (text(&output).as_str(), output.status.code()),
            ("sat\n", Some(0))
        );
        assert!(all_gone(&mark), "{more}: left {:?}", marked(&mark));
    }
}

#[test]
fn a_kill_at_any_moment_leaves_nothing() {
    let file = hard_file("kill");
    for round in 0..repeat(4) {
        let mark = mark("kill", round);
        let mut child = start(&["-t", "60s", &file.to_string_lossy()], &mark);
        // A different moment each round: from before the first worker to long after.
        (0..(round * 5) % 31).for_each(|_| drop(marked(&mark)));
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(9));
        assert!(all_gone(&mark), "round {round}: left {:?}", marked(&mark));
    }
    std::fs::remove_file(file).unwrap();
}

/// A solver that never returns is killed with its worker; one that dies is an incident, not an answer.
#[test]
fn a_solver_that_hangs_or_dies_gives_no_answer() {
    let file = hard_file("faults");
    let folder = std::env::temp_dir().join(format!("foretell-limits-{}-saved", std::process::id()));
    let run = |faults: &str, round: usize| {
        let mark = mark("faults", round);
        let (file, folder) = (file.to_string_lossy(), folder.to_string_lossy());
        let arguments = [
            "-t",
            "3s",
            "--inject-faults",
            faults,
            "--reproducers",
            &folder,
            "-e",
            "bmc",
            &file,
        ];
        let output = start(&arguments, &mark).wait_with_output().unwrap();
        assert_eq!(marked(&mark), Vec::<String>::new());
        assert_eq!(output.status.code(), Some(20));
        (
            text(&output),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    assert_eq!(run("hang=1", 0).0, "unknown (timeout)\n");
    let (answer, notes) = run("die=1", 1);
    assert_eq!(answer, "unknown (worker aborted (signal 6))\n");
    assert!(notes.contains("bmc: worker aborted (signal 6)"), "{notes}");
    let saved: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    assert!(
        saved.len() == 1 && saved[0].join("job.json").is_file(),
        "{saved:?}"
    );
    std::fs::remove_dir_all(folder).unwrap();
    std::fs::remove_file(file).unwrap();
}
