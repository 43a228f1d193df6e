//! The executable as a supervisor: what it reads, what it waits for, whom it stops and tells.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use super::{Outcome, command, folder, foretell};

const SAFE: &str = "corpus/chc/safe/lia_counter_up.smt2";
/// Is 114 a sum of three cubes? Nobody knows.
const HARD: &str = "(set-logic HORN)
(declare-fun p (Int Int Int) Bool)
(assert (forall ((x Int) (y Int) (z Int)) (=> (> (* x x) 0) (p x y z))))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (p x y z) (= (+ (* x x x) (* y y y) (* z z z)) 114)) false)))
(check-sat)
";

fn start(arguments: &[&str]) -> Child {
    let mut command = command(arguments);
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

pub(super) fn signal(child: &Child, name: &str) {
    let mut kill = std::process::Command::new("kill");
    let sent = kill.args([name, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

fn answer(output: &Output) -> (String, Option<i32>) {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (text, output.status.code())
}

/// Waits for something that must come.
pub(super) fn until(what: impl Fn() -> bool) {
    let give_up = Instant::now() + Duration::from_secs(60);
    while !what() {
        assert!(Instant::now() < give_up, "it did not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The states of a process and of its children, as the kernel names them.
pub(super) fn states(root: u32) -> Vec<char> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let text = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let Some((before, after)) = text.rsplit_once(") ") else {
            continue;
        };
        let mut fields = after.split(' ');
        let state = fields.next().and_then(|f| f.chars().next());
        let parent = fields.next().and_then(|f| f.parse::<u32>().ok());
        let own = before.split(' ').next().and_then(|f| f.parse::<u32>().ok());
        if own == Some(root) || parent == Some(root) {
            found.extend(state);
        }
    }
    found
}

/// A solver that takes its time: each process waits before it reads.
fn slow_z3(folder: &Path) -> PathBuf {
    let z3 = std::env::var("FORETELL_Z3").unwrap();
    let path = folder.join("slow-z3");
    std::fs::write(&path, format!("#!/bin/sh\nsleep 1\nexec {z3} \"$@\"\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// Slices are far shorter than the check of a certificate; a proof in hand is nevertheless kept.
#[test]
fn a_proof_that_is_being_checked_keeps_its_slot() {
    let folder = folder("slot");
    let mut run = command(&["-j", "1", "-e", "turns", "--format", "json", SAFE]);
    run.arg("--portfolio").arg(turns(&folder, "kinduction"));
    let output = run.env("FORETELL_Z3", slow_z3(&folder)).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    for run in json["runs"].as_array().unwrap() {
        let killed = run["end"] == "stopped" && run["statistics"]["phase"] == "certify";
        assert!(!killed, "{run}");
    }
}

#[test]
fn limits_hold_while_reading() {
    let folder = folder("reading");
    let fifo = folder.join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let fifo = fifo.to_string_lossy();
    // Nobody writes; somebody writes without an end; somebody keeps the pipe open.
    let output = start(&["-t", "300ms", &fifo]).wait_with_output().unwrap();
    assert_eq!(answer(&output), ("unknown (timeout)\n".into(), Some(20)));
    let output = start(&["-m", "100M", "/dev/zero"]).wait_with_output();
    let expected = ("unknown (memory)\n".into(), Some(20));
    assert_eq!(answer(&output.unwrap()), expected);
    let (reader, mut writer) = std::io::pipe().unwrap();
    writer.write_all(b"(set-logic HORN)\n").unwrap();
    let mut waiting = command(&["-t", "300ms", "--format", "json", "-"]);
    let output = waiting.stdin(reader).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (json["verdict"].as_str(), output.status.code()),
        (Some("unknown"), Some(20))
    );
    drop(writer);
}

#[test]
fn a_pipe_is_read_once() {
    let folder = folder("pipe");
    let fifo = folder.join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let child = start(&["-t", "60s", &fifo.to_string_lossy()]);
    let text = std::fs::read(foretell_testkit::corpus::root().join(SAFE)).unwrap();
    std::fs::write(&fifo, text).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(answer(&output), ("sat\n".into(), Some(0)));
}

#[test]
fn signals_are_answered_while_reading_and_two_are_one() {
    let folder = folder("signals");
    let hard = folder.join("hard.smt2");
    std::fs::write(&hard, HARD).unwrap();
    let fifo = folder.join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let expected = ("unknown (interrupted)\n".to_owned(), Some(20));
    // The handler is there as soon as the second thread is.
    let threads = |child: &Child| {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", child.id()));
        tasks.map_or(0, Iterator::count)
    };
    let child = start(&["-t", "60s", &fifo.to_string_lossy()]);
    until(|| threads(&child) >= 3);
    signal(&child, "-TERM");
    assert_eq!(answer(&child.wait_with_output().unwrap()), expected);
    let child = start(&["-t", "60s", "-j", "1", &hard.to_string_lossy()]);
    until(|| threads(&child) >= 3 && states(child.id()).len() > 1);
    signal(&child, "-INT");
    signal(&child, "-INT");
    assert_eq!(answer(&child.wait_with_output().unwrap()), expected);
}

/// Ctrl-Z and `fg`: workers stop and go on with the supervisor.
#[test]
fn a_stopped_supervisor_stops_its_workers() {
    let folder = folder("stopped");
    let hard = folder.join("hard.smt2");
    std::fs::write(&hard, HARD).unwrap();
    // As many engines as slots: none is suspended for another.
    let hard = hard.to_string_lossy();
    let child = start(&["-t", "60s", "-j", "2", "-e", "bmc,ic3ia", &hard]);
    until(|| states(child.id()).len() > 2);
    signal(&child, "-TSTP");
    until(|| states(child.id()).iter().all(|&state| "TZ".contains(state)));
    signal(&child, "-CONT");
    until(|| states(child.id()).iter().all(|&state| state != 'T'));
    signal(&child, "-INT");
    let expected = ("unknown (interrupted)\n".to_owned(), Some(20));
    assert_eq!(answer(&child.wait_with_output().unwrap()), expected);
}

#[test]
fn a_missing_solver_is_an_error_at_once() {
    for (variable, arguments) in [
        ("FORETELL_Z3", vec![SAFE]),
        ("FORETELL_CVC5", vec!["--cross-check", "cvc5", SAFE]),
    ] {
        let mut run = command(&arguments);
        let output = run.env(variable, "/no/such/solver").output().unwrap();
        assert_eq!(answer(&output), (String::new(), Some(2)));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains(variable), "{told}");
    }
}

#[test]
fn reproducers_are_private_few_and_say_how() {
    let cache = folder("cache");
    let root = cache.join("foretell/reproducers");
    for n in 0..25 {
        let old = root.join(format!("0-{n}"));
        std::fs::create_dir_all(&old).unwrap();
        std::fs::write(old.join("what.txt"), "old\n").unwrap();
    }
    let arguments = ["-e", "bmc", "--inject-faults", "die=1", "-t", "60s", SAFE];
    let mut run = command(&arguments);
    let output = run.env("XDG_CACHE_HOME", &cache).output().unwrap();
    assert_eq!(output.status.code(), Some(20));
    let saved: Vec<PathBuf> = std::fs::read_dir(&root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(saved.len(), 20);
    let new: Vec<&PathBuf> = saved
        .iter()
        .filter(|p| p.join("job.json").is_file())
        .collect();
    assert_eq!(new.len(), 1);
    let mode = std::fs::metadata(new[0]).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let told = std::fs::read_to_string(new[0].join("command.txt")).unwrap();
    let expected = "-e bmc --inject-faults die=1 -t 60s input.smt2\n";
    assert!(told.ends_with(expected), "{told}");
    let again = std::process::Command::new("sh")
        .args(["-c", &told])
        .env("XDG_CACHE_HOME", &cache)
        .output();
    assert_eq!(again.unwrap().status.code(), Some(20));
}

#[test]
fn verbose_is_a_line_per_event() {
    let Outcome { stderr, .. } = foretell(&["-v", "-e", "kinduction", SAFE]);
    for line in [
        "foretell: kinduction: started",
        "foretell: kinduction: found an answer (safe), which is checked",
        "foretell: kinduction: ended: safe",
    ] {
        assert!(stderr.lines().any(|l| l == line), "{stderr}");
    }
}

/// A portfolio with a solver that never answers, and an engine that needs several turns of it.
fn turns(folder: &Path, engine: &str) -> String {
    let hang = folder.join("hang");
    std::fs::write(&hang, "#!/bin/sh\nsleep 1000.25\n").unwrap();
    std::fs::set_permissions(&hang, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = folder.join("turns.toml");
    let text = format!(
        "[[configuration]]\nname = \"hang\"\ncommand = \"{}\"\n\
         [[schedule]]\nname = \"turns\"\nsteps = [\"{engine} 100ms\", \"hang 100ms\"]\n",
        hang.display()
    );
    std::fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

/// What a turn has done is not lost when it makes room: it is one run that answers.
#[test]
fn turns_are_suspended_and_go_on() {
    let folder = folder("suspended");
    let (portfolio, file) = (turns(&folder, "bmc"), folder.join("deep.smt2"));
    let text = "(set-logic HORN)(declare-fun p (Int Int) Bool)(assert (p 0 0))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (ite (< y 7) (+ y 1) 0)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (> x 1500)) false)))";
    std::fs::write(&file, text).unwrap();
    let file = file.to_string_lossy();
    let common = [
        "-v",
        "-j",
        "1",
        "--portfolio",
        &portfolio,
        "--engine",
        "turns",
    ];
    let outcome = foretell(&[&common[..], &["--timeout", "100s", &file]].concat());
    assert_eq!(outcome.code, Some(10), "{}", outcome.stderr);
    let count = |what: &str| outcome.stderr.matches(what).count();
    assert!(count("bmc: suspended") > 0, "{}", outcome.stderr);
    assert_eq!(count("bmc: ended"), 1, "{}", outcome.stderr);
    let hard = folder.join("hard.smt2");
    std::fs::write(&hard, HARD).unwrap();
    let hard = hard.to_string_lossy();
    let outcome = foretell(&[&common[..], &["--timeout", "3s", &hard]].concat());
    assert_eq!(outcome.code, Some(20), "{}", outcome.stderr);
    assert!(!is_running("1000.25"), "a solver was left");
}

/// Whether a process with this word on its command line lives.
fn is_running(word: &str) -> bool {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let mut lines = all.filter_map(|p| std::fs::read_to_string(p.path().join("cmdline")).ok());
    lines.any(|line| line.contains(word))
}

/// A signal ends those that are suspended too.
#[test]
fn a_signal_ends_suspended_turns() {
    let folder = folder("suspended-signal");
    let (portfolio, hard) = (turns(&folder, "bmc"), folder.join("hard.smt2"));
    std::fs::write(&hard, HARD).unwrap();
    let hard = hard.to_string_lossy();
    let child = start(&[
        "-j",
        "1",
        "--portfolio",
        &portfolio,
        "--engine",
        "turns",
        &hard,
    ]);
    until(|| states(child.id()).contains(&'T'));
    signal(&child, "-TSTP");
    until(|| states(child.id()).iter().all(|&state| state == 'T'));
    signal(&child, "-CONT");
    until(|| states(child.id()).iter().any(|&state| state != 'T'));
    signal(&child, "-INT");
    let (text, code) = answer(&child.wait_with_output().unwrap());
    assert_eq!((text.as_str(), code), ("unknown (interrupted)\n", Some(20)));
    assert!(
        !is_running(&portfolio.replace("turns.toml", "hang")),
        "a worker was left"
    );
}

/// A step that leaves others a start runs when they are through, and not at all when they answer.
#[test]
fn a_step_may_leave_others_a_start() {
    let path = folder("after").join("after.toml");
    let text = "[[configuration]]\nname = \"shallow\"\nengine = \"bmc\"\nsettings = [\"bmc.max_bound=2\"]\n\
         [[schedule]]\nname = \"first\"\nsteps = [\"kinduction\", \"shallow 1s after 1h\"]\n\
         [[schedule]]\nname = \"last\"\nsteps = [\"shallow\", \"kinduction after 1h\"]\n";
    std::fs::write(&path, text).unwrap();
    let path = path.to_string_lossy();
    let run = |schedule: &str| {
        let workers = ["-v", "-j", "4096", "--portfolio", &path];
        foretell(&[&workers[..], &["--engine", schedule, SAFE]].concat())
    };
    for (schedule, started) in [("first", 0), ("last", 1)] {
        let outcome = run(schedule);
        assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
        let count = outcome.stderr.matches("shallow: started").count();
        assert_eq!(count, started, "{}", outcome.stderr);
    }
}
