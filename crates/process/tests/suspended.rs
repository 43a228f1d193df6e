//! Children that are suspended: they wait, go on, and die like all others.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod living;

use std::time::{Duration, Instant};

use foretell_process::{Cause, Limits, Options, ProcessEvent, Spec, Supervisor};
use living::{all_gone, living};

const EXE: &str = env!("CARGO_BIN_EXE_foretell-process-testbin");

fn supervisor() -> Supervisor {
    Supervisor::new(
        Options::new()
            .unwrap()
            .executable(EXE)
            .limits(Limits::none()),
    )
    .unwrap()
}

/// The next line of a child.
fn line(supervisor: &mut Supervisor) -> String {
    match supervisor.next_event(None) {
        Some(ProcessEvent::Line { text, .. }) => text,
        other => panic!("expected a line, not {other:?}"),
    }
}

/// Whether the process with this word on its command line is stopped.
fn is_stopped(word: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let file =
        |p: &std::path::Path, name| std::fs::read_to_string(p.join(name)).unwrap_or_default();
    let mut found = processes.filter(|p| file(&p.path(), "cmdline").contains(word));
    let state = |p: std::fs::DirEntry| file(&p.path(), "stat").contains(") T ");
    found.next().is_some_and(state)
}

/// Waits for something that must come.
fn until(what: impl Fn() -> bool) {
    let give_up = Instant::now() + Duration::from_secs(60);
    while !what() {
        assert!(Instant::now() < give_up, "it did not come");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn it_waits_and_goes_on() {
    let mut supervisor = supervisor();
    let word = |n: u32| format!("turn-{n}-{}", std::process::id());
    let spec = |n| Spec::worker(["echo".to_owned(), word(n)]).piped().lines();
    let (child, other) = (
        supervisor.spawn(spec(0)).unwrap(),
        supervisor.spawn(spec(1)).unwrap(),
    );
    supervisor.send_line(child, "one");
    assert_eq!(line(&mut supervisor), "got one");
    for _ in 0..3 {
        supervisor.suspend(child);
        supervisor.suspend(child);
        until(|| is_stopped(&word(0)));
        supervisor.send_line(child, "two");
        let soon = Instant::now() + Duration::from_millis(100);
        assert_eq!(supervisor.next_event(Some(soon)), None, "it is suspended");
        supervisor.send_line(other, "other");
        assert_eq!(line(&mut supervisor), "got other");
        supervisor.wake(child);
        assert_eq!(line(&mut supervisor), "got two");
    }
    supervisor.wake(other);
    supervisor.close_input(child);
    supervisor.close_input(other);
    let ends = std::iter::from_fn(|| supervisor.next_event(None));
    let own = |e: &ProcessEvent| matches!(e, ProcessEvent::Exit(exit) if exit.cause == Cause::Own);
    assert_eq!(ends.filter(own).count(), 2);
}

#[test]
fn it_dies_like_any_other() {
    let marker = format!("suspended-{}", std::process::id());
    let spec = || Spec::worker(["sleep", "100", &marker]);
    let mut first = supervisor();
    let child = first.spawn(spec()).unwrap();
    first.suspend(child);
    first.kill(child);
    let end = first.next_event(None);
    assert!(
        matches!(&end, Some(ProcessEvent::Exit(e)) if e.cause == Cause::Killed),
        "{end:?}"
    );
    first.wake(child);
    let child = first.spawn(spec()).unwrap();
    first.suspend(child);
    first.kill_all();
    assert!(matches!(
        first.next_event(None),
        Some(ProcessEvent::Exit(_))
    ));
    let child = first.spawn(spec()).unwrap();
    first.suspend(child);
    drop(first);
    assert!(all_gone(&marker), "{:?}", living(&marker));
}
