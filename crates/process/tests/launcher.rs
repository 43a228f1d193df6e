//! Launchers of processes elsewhere: asked to end, then killed, and nothing is left of them here.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod living;

use foretell_process::{Cause, Limits, Options, ProcessEvent, Spec, Status, Supervisor};
use living::all_gone;

const EXE: &str = env!("CARGO_BIN_EXE_foretell-process-testbin");

fn supervisor() -> Supervisor {
    let options = Options::new().unwrap().executable(EXE);
    Supervisor::new(options.limits(Limits::none())).unwrap()
}

/// All events until nothing is left.
fn events(supervisor: &mut Supervisor) -> Vec<ProcessEvent> {
    std::iter::from_fn(|| supervisor.next_event(None)).collect()
}

#[test]
fn a_launcher_is_asked_before_it_is_killed() {
    let mark = format!("{}30", std::process::id());
    // One that ends what it started, one that ignores the signal and leaves a child behind.
    let polite = format!("trap 'echo asked; exit 7' TERM; echo up; sleep 9.{mark} & wait");
    let stubborn = format!("trap '' TERM; echo up; sleep 8.{mark}; sleep 8.{mark}");
    for (script, status, asked) in [
        (polite, Status::Code(7), true),
        (stubborn, Status::Signal(9), false),
    ] {
        let mut supervisor = supervisor();
        let child = supervisor
            .spawn(Spec::remote("sh", ["-c", &script]).piped().lines())
            .unwrap();
        let first = supervisor.next_event(None);
        assert!(
            matches!(first, Some(ProcessEvent::Line { .. })),
            "{first:?}"
        );
        supervisor.kill(child);
        let rest = events(&mut supervisor);
        let said =
            |e: &ProcessEvent| matches!(e, ProcessEvent::Line { text, .. } if text == "asked");
        assert_eq!(rest.iter().any(said), asked, "{rest:?}");
        let Some(ProcessEvent::Exit(exit)) = rest.last() else {
            panic!("expected an exit, not {rest:?}");
        };
        assert_eq!((exit.status, exit.cause), (status, Cause::Killed));
        assert!(all_gone(&mark));
    }
    // Without anybody waiting for the end.
    let mut supervisor = supervisor();
    let script = format!("trap '' TERM; echo up; sleep 7.{mark}; sleep 7.{mark}");
    supervisor
        .spawn(Spec::remote("sh", ["-c", &script]).lines())
        .unwrap();
    supervisor.next_event(None);
    drop(supervisor);
    assert!(all_gone(&mark));
}
