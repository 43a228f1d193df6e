//! Children that behave and children that do not. `FORETELL_REPEAT=50` repeats the kills that
//! often; `FORETELL_STRICT=1`, on an idle machine, asks for the bound on memory beyond its limit.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod living;

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use foretell_process::{
    Cause, Exit, Limit, Limits, Options, Output, ProcessEvent, SpawnError, Spec, Status, Stream,
    Supervisor,
};
use living::{all_gone, living};
use rustix::process::{Pid, Signal, kill_process};

const EXE: &str = env!("CARGO_BIN_EXE_foretell-process-testbin");

fn supervisor(limits: Limits) -> Supervisor {
    Supervisor::new(Options::new().unwrap().executable(EXE).limits(limits)).unwrap()
}

fn shell(script: &str) -> Spec {
    Spec::command("sh", ["-c", script])
}

/// All events until nothing is left.
fn events(supervisor: &mut Supervisor) -> Vec<ProcessEvent> {
    std::iter::from_fn(|| supervisor.next_event(None)).collect()
}

/// Runs one child to its end.
fn run(spec: Spec) -> Exit {
    let mut supervisor = supervisor(Limits::none());
    supervisor.spawn(spec).unwrap();
    match events(&mut supervisor).pop() {
        Some(ProcessEvent::Exit(exit)) => exit,
        other => panic!("expected an exit, not {other:?}"),
    }
}

/// A fraction of a second nobody else sleeps for, by which a test finds its processes again.
fn marker(test: u32) -> String {
    format!("{}{test:02}", std::process::id())
}

fn repeat() -> usize {
    std::env::var("FORETELL_REPEAT")
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(3)
}

#[test]
fn lines_go_both_ways() {
    let mut supervisor = supervisor(Limits::none());
    let child = supervisor
        .spawn(Spec::worker(["echo"]).piped().lines())
        .unwrap();
    supervisor.send_line(child, "one");
    let first = supervisor.next_event(None).unwrap();
    assert_eq!(
        first,
        ProcessEvent::Line {
            child,
            stream: Stream::Stdout,
            text: "got one".into()
        }
    );
    supervisor.send_line(child, "two");
    supervisor.close_input(child);
    let rest = events(&mut supervisor);
    assert!(matches!(&rest[0], ProcessEvent::Line { text, .. } if text == "got two"));
    assert!(
        matches!(&rest[1], ProcessEvent::Exit(e) if e.status == Status::Code(0) && e.cause == Cause::Own)
    );
    assert_eq!((rest.len(), supervisor.live()), (2, 0));
}

#[test]
fn many_lines_come_before_the_exit() {
    let mut supervisor = supervisor(Limits::none());
    let children: Vec<_> = (0..4)
        .map(|_| supervisor.spawn(shell("seq 2000").lines()).unwrap())
        .collect();
    let all = events(&mut supervisor);
    for child in children {
        let of_child = |e: &&ProcessEvent| match e {
            ProcessEvent::Line { child: c, .. } => *c == child,
            ProcessEvent::Exit(exit) => exit.child == child,
            _ => false,
        };
        let mine: Vec<_> = all.iter().filter(of_child).collect();
        assert_eq!(mine.len(), 2001);
        assert!(matches!(mine[1999], ProcessEvent::Line { text, .. } if text == "2000"));
        assert!(matches!(mine[2000], ProcessEvent::Exit(_)));
    }
}

#[test]
fn a_missing_program_is_an_error() {
    let mut supervisor = supervisor(Limits::none());
    let missing = supervisor.spawn(Spec::command("no-such-program-at-all", [""]));
    assert_eq!(
        missing,
        Err(SpawnError::NotFound("no-such-program-at-all".into()))
    );
    let folder = supervisor.spawn(Spec::command("/proc", [""]));
    assert_eq!(folder, Err(SpawnError::NotExecutable("/proc".into())));
    assert_eq!(supervisor.next_event(None), None);
}

#[test]
fn the_way_of_ending_is_told() {
    assert_eq!(run(shell("exit 7")).status, Status::Code(7));
    assert_eq!(run(shell("kill -SEGV $$")).status, Status::Signal(11));
    assert_eq!(run(shell("kill -KILL $$")).status, Status::Signal(9));
    assert_eq!(run(shell("kill -TERM $$")).status, Status::Signal(15));
    assert_eq!(run(Spec::worker(["abort"])).status, Status::Signal(6));
    let captured = run(shell("echo out; echo err >&2"));
    assert_eq!(
        (
            captured.stdout.text().as_str(),
            captured.stderr.text().as_str()
        ),
        ("out\n", "err\n")
    );
}

#[test]
fn output_is_bounded() {
    let exit = run(shell("yes | head -c 5000000").stdout(Output::Capture(1000)));
    assert_eq!(exit.stdout.head.len() + exit.stdout.tail.len(), 1000);
    assert_eq!(exit.stdout.omitted, 4_999_000);
}

#[test]
fn input_bytes_are_read() {
    let spec =
        Spec::command("wc", ["-c"]).input(foretell_process::Input::Bytes(vec![b'x'; 200_000]));
    assert_eq!(run(spec).stdout.text().trim(), "200000");
}

#[test]
fn used_time_and_memory_are_measured() {
    let exit = run(shell("\"$0\" spin-ms 150 & \"$0\" spin-ms 150; wait").arguments([EXE]));
    assert!(
        exit.usage.cpu >= Duration::from_millis(200),
        "{:?}",
        exit.usage
    );
    assert!(exit.usage.peak_memory > 100 << 10, "{:?}", exit.usage);
}

#[test]
fn the_wall_limit_ends_processes_that_left_their_group() {
    let m = marker(1);
    let script =
        format!("setsid sleep 61.{m} & (setsid sleep 62.{m} &) ; trap '' TERM INT; sleep 63.{m}");
    let mut supervisor = supervisor(Limits::none());
    let child = supervisor
        .spawn(shell(&script).limits(Limits::none().wall(Duration::from_millis(300))))
        .unwrap();
    let all = events(&mut supervisor);
    assert_eq!(
        all[0],
        ProcessEvent::LimitHit {
            child: Some(child),
            limit: Limit::Wall
        }
    );
    assert!(matches!(&all[1], ProcessEvent::Exit(e) if e.cause == Cause::Limit(Limit::Wall)));
    assert_eq!(living(&m), Vec::<String>::new());
}

#[test]
fn what_a_command_leaves_behind_is_killed() {
    let m = marker(2);
    let exit = run(shell(&format!(
        "(setsid sleep 64.{m} </dev/null >/dev/null 2>&1 &); echo done"
    )));
    assert_eq!(
        (exit.status, exit.stdout.text().as_str()),
        (Status::Code(0), "done\n")
    );
    assert_eq!(living(&m), Vec::<String>::new());
}

#[test]
fn the_memory_limit_counts_the_tree() {
    let limit = 150 << 20;
    let mut supervisor = supervisor(Limits::none());
    let spec = shell("\"$0\" eat 100 & \"$0\" eat 800; wait").arguments([EXE]);
    let child = supervisor
        .spawn(spec.limits(Limits::none().memory(limit)))
        .unwrap();
    let all = events(&mut supervisor);
    assert_eq!(
        all[0],
        ProcessEvent::LimitHit {
            child: Some(child),
            limit: Limit::Memory
        }
    );
    let ProcessEvent::Exit(exit) = &all[1] else {
        panic!("{all:?}")
    };
    assert!(exit.usage.peak_memory > limit);
    // How far beyond depends on how busy the machine is: the bound is for an otherwise idle one.
    if std::env::var_os("FORETELL_STRICT").is_some() {
        assert!(
            exit.usage.peak_memory < limit / 20 * 21 + (64 << 20),
            "{:?}",
            exit.usage
        );
    }
}

#[test]
fn the_largest_child_goes_first() {
    let mut supervisor = supervisor(Limits::none().memory(300 << 20));
    let small = supervisor
        .spawn(Spec::command(EXE, ["eat", "60"]).lines())
        .unwrap();
    let large = supervisor
        .spawn(Spec::command(EXE, ["eat", "2000"]))
        .unwrap();
    let is_exit = |event: &ProcessEvent| matches!(event, ProcessEvent::Exit(_));
    let mut all = Vec::new();
    while !all.last().is_some_and(is_exit) {
        all.push(supervisor.next_event(None).unwrap());
    }
    assert!(
        all.contains(&ProcessEvent::LimitHit {
            child: Some(large),
            limit: Limit::Memory
        }),
        "{all:?}"
    );
    let Some(ProcessEvent::Exit(exit)) = all.last() else {
        panic!("{all:?}")
    };
    assert_eq!(
        (exit.child, exit.cause),
        (large, Cause::Limit(Limit::Memory))
    );
    // The small one lives, and others may come.
    let other = supervisor.spawn(shell("true")).unwrap();
    supervisor.kill(small);
    let ends = events(&mut supervisor)
        .into_iter()
        .filter_map(|event| match event {
            ProcessEvent::Exit(exit) => Some((exit.child, exit.cause)),
            _ => None,
        });
    let ends: std::collections::BTreeMap<_, _> = ends.collect();
    assert_eq!((ends[&small], ends[&other]), (Cause::Killed, Cause::Own));
}

#[test]
fn a_single_child_beyond_the_limit_ends_everything() {
    let mut supervisor = supervisor(Limits::none().memory(200 << 20));
    supervisor
        .spawn(Spec::command(EXE, ["eat", "2000"]))
        .unwrap();
    let all = events(&mut supervisor);
    assert_eq!(
        all[0],
        ProcessEvent::LimitHit {
            child: None,
            limit: Limit::Memory
        }
    );
    assert_eq!(
        supervisor.spawn(shell("true")),
        Err(SpawnError::LimitReached(Limit::Memory))
    );
}

#[test]
fn the_address_space_limit_makes_allocation_fail() {
    let exit = run(Spec::command(EXE, ["eat", "800"]).address_space(200 << 20));
    assert_eq!(exit.status, Status::Signal(6), "{}", exit.stderr.text());
}

#[test]
fn the_cpu_limit_counts_the_tree() {
    let mut supervisor = supervisor(Limits::none());
    let spec = shell("\"$0\" spin & \"$0\" spin; wait").arguments([EXE]);
    let child = supervisor
        .spawn(spec.limits(Limits::none().cpu(Duration::from_millis(200))))
        .unwrap();
    let all = events(&mut supervisor);
    assert_eq!(
        all[0],
        ProcessEvent::LimitHit {
            child: Some(child),
            limit: Limit::Cpu
        }
    );
}

#[test]
fn the_supervisors_limit_ends_everything() {
    let m = marker(3);
    let mut supervisor = supervisor(Limits::none().wall(Duration::from_millis(300)));
    supervisor.spawn(shell(&format!("sleep 65.{m}"))).unwrap();
    supervisor.spawn(Spec::worker(["sleep", "60"])).unwrap();
    let all = events(&mut supervisor);
    assert_eq!(
        all[0],
        ProcessEvent::LimitHit {
            child: None,
            limit: Limit::Wall
        }
    );
    let limited = |e: &&ProcessEvent| matches!(e, ProcessEvent::Exit(x) if x.cause == Cause::Limit(Limit::Wall));
    assert_eq!(all.iter().filter(limited).count(), 2);
    assert_eq!(
        supervisor.spawn(shell("true")),
        Err(SpawnError::LimitReached(Limit::Wall))
    );
    assert!(living(&m).is_empty());
}

#[test]
fn kill_and_drop_leave_nothing() {
    for round in 0..repeat() {
        let m = format!("{}{round}", marker(4));
        let mut supervisor = supervisor(Limits::none());
        let first = supervisor
            .spawn(shell(&format!("setsid sleep 66.{m} & sleep 67.{m}")))
            .unwrap();
        let script = format!("echo up; (setsid sleep 68.{m} &); sleep 69.{m}");
        supervisor.spawn(shell(&script).lines()).unwrap();
        // A different moment of the start-up each round.
        (0..round % 11).for_each(|_| drop(living(&m)));
        supervisor.kill(first);
        while !matches!(supervisor.next_event(None), Some(ProcessEvent::Exit(_))) {}
        drop(supervisor);
        assert_eq!(living(&m), Vec::<String>::new());
    }
}

/// Starts a supervisor as a process of its own and waits until its tree is up.
fn supervising(script: &str) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut child = Command::new(EXE)
        .args(["supervise", script])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert!(line.contains("up"), "{line}");
    (child, out)
}

#[test]
fn a_killed_supervisor_leaves_nothing() {
    for round in 0..repeat() {
        let m = format!("{}{round}", marker(5));
        let script =
            format!("setsid sleep 71.{m} & (setsid sleep 72.{m} &); echo up; sleep 73.{m}");
        let (mut child, _out) = supervising(&script);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(all_gone(&m), "left: {:?}", living(&m));
    }
}

#[test]
fn a_supervisor_killed_at_any_moment_leaves_nothing() {
    for round in 0..repeat() {
        let m = format!("{}{round}", marker(6));
        let script =
            format!("setsid sleep 74.{m} & (setsid sleep 75.{m} &); echo up; sleep 76.{m}");
        let mut child = Command::new(EXE)
            .args(["supervise", &script])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // A different moment of the start-up each round: after so many looks at the process table.
        for _ in 0..(round * 7) % 23 {
            living(&m);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(all_gone(&m), "left: {:?}", living(&m));
    }
}

#[test]
fn an_interrupt_stops_and_a_second_ends_at_once() {
    let m = marker(7);
    let (mut child, mut out) = supervising(&format!("echo up; sleep 77.{m}"));
    let pid = Pid::from_child(&child);
    kill_process(pid, Signal::INT).unwrap();
    let mut text = String::new();
    out.read_to_string(&mut text).unwrap();
    assert!(
        text.contains("Interrupted { signal: 2 }") && text.contains("Killed"),
        "{text}"
    );
    assert_eq!(child.wait().unwrap().code(), Some(0));

    let (mut child, mut out) = supervising(&format!("echo up; sleep 78.{m} #stubborn"));
    let pid = Pid::from_child(&child);
    // Two in quick succession are one, a later one is meant.
    kill_process(pid, Signal::INT).unwrap();
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert!(line.contains("Interrupted"), "{line}");
    kill_process(pid, Signal::INT).unwrap();
    std::thread::sleep(Duration::from_millis(600));
    assert!(
        child.try_wait().unwrap().is_none(),
        "the second was taken as another one"
    );
    kill_process(pid, Signal::INT).unwrap();
    let status = child.wait().unwrap();
    assert_eq!((status.code(), status.signal()), (Some(130), None));
    assert!(all_gone(&m), "left: {:?}", living(&m));
}

/// Processes that fork and exit all the time, so that each one seen is soon gone, still cannot
/// escape.
#[test]
fn a_process_that_keeps_forking_is_caught() {
    for round in 0..repeat() {
        let m = format!("{}{round}", marker(8));
        let script = format!(
            "hop() {{ : {m}; (hop &); exit; }}; hop & (setsid sh -c 'sleep 79.{m}' &); sleep 80.{m}"
        );
        let mut supervisor = supervisor(Limits::none());
        let limits = Limits::none().wall(Duration::from_millis(150));
        supervisor.spawn(shell(&script).limits(limits)).unwrap();
        let all = events(&mut supervisor);
        assert!(
            matches!(
                all[0],
                ProcessEvent::LimitHit {
                    limit: Limit::Wall,
                    ..
                }
            ),
            "{all:?}"
        );
        assert_eq!(living(&m), Vec::<String>::new());

        let m = format!("{}{round}", marker(9));
        let (mut child, _out) = supervising(&format!(
            "hop() {{ : {m}; (hop &); exit; }}; hop & echo up; sleep 81"
        ));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(all_gone(&m), "left: {:?}", living(&m));
    }
}
