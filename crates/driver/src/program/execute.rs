//! A counterexample compiled and run.
//!
//! The compiled program confirms if it ends with the mark of the error, by a failed `assert`, or by a
//! report of a sanitizer that names the line of the violated check. It contradicts if it ends as if
//! nothing had happened. Anything else (it does not compile, it runs out of stack or time, types
//! have other sizes) says nothing. Limits always apply: time, memory, no input.

use std::path::{Path, PathBuf};
use std::time::Duration;

use foretell_c::print::harness::{HIT, Harness, Target};
use foretell_c::program::{CheckKind, Group, Program};
use foretell_c::run::{End, Run};
use foretell_process::{Exit, Limits, Options, Output, ProcessEvent, Spec, Status, Supervisor};

use super::Confirmation;
use crate::error::Error;

/// A C compiler.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// Its path.
    pub path: PathBuf,
}

const COMPILING: Duration = Duration::from_secs(20);
const RUNNING: Duration = Duration::from_secs(5);
const MEMORY: u64 = 1 << 30;
const KEPT: usize = 64 << 10;

/// Compiles and runs a harness in a folder: what it confirms, or nothing if it contradicts.
pub(super) fn confirm(
    program: &Program,
    run: &Run,
    harness: &Harness,
    compiler: &Compiler,
    folder: &Path,
) -> Result<Option<Confirmation>, Error> {
    let replayed = Ok(Some(Confirmation::Replayed));
    // A compiled program does not look at annotations.
    if matches!(run.end, End::Violated(id) if program.check(id).kind == CheckKind::Annotation) {
        return replayed;
    }
    // Without sanitizers a compiled program tells of assertions alone.
    let asserted =
        matches!(run.end, End::Violated(id) if program.check(id).kind.group() == Group::Assert);
    if harness.target == Target::Bare && !asserted {
        return replayed;
    }
    for (name, text) in &harness.files {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        let written = std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, text));
        written.map_err(|e| Error::Output(format!("cannot write {}: {e}", path.display())))?;
    }
    let place = folder.to_string_lossy();
    let compiled = start(&compiler.path, &harness.target.arguments(&place), COMPILING)?;
    if compiled.is_none_or(|exit| exit.status != Status::Code(0)) {
        return replayed;
    }
    let Some(exit) = start(&folder.join("prog"), &[], RUNNING)? else {
        return replayed;
    };
    Ok(judge(program, run, harness, &exit))
}

fn judge(program: &Program, run: &Run, harness: &Harness, exit: &Exit) -> Option<Confirmation> {
    let End::Violated(id) = run.end else {
        return Some(Confirmation::Replayed);
    };
    let check = program.check(id);
    let said = exit.stderr.text();
    let reports = reports_at(&said, program.source.line(check.span));
    let confirmed = match check.kind.group() {
        Group::Assert => {
            exit.status == Status::Code(HIT)
                || (exit.status == Status::Signal(6) && said.contains("Assertion"))
        }
        Group::Overflow => reports.iter().any(|r| r.contains("runtime error")),
        Group::Memory => !reports.is_empty(),
    };
    match (confirmed, exit.status) {
        (true, _) => Some(Confirmation::Executed),
        // An address sanitizer sees only what leaves its object far enough; silence says nothing.
        (false, Status::Code(0)) if check.kind.group() == Group::Assert && harness.complete => None,
        (false, _) => Some(Confirmation::Replayed),
    }
}

/// The reports of sanitizers about a line: a runtime error says it with a column, the summary of an error of
/// addresses without.
fn reports_at(said: &str, line: u32) -> Vec<&str> {
    let place = format!("prog.c:{line}");
    let is_at = |report: &&str| {
        let mut after = report.match_indices(&place).map(|(i, _)| i + place.len());
        after.any(|end| !report[end..].starts_with(|c: char| c.is_ascii_digit()))
    };
    let is_report = |said: &&str| {
        said.contains("runtime error") || said.starts_with("SUMMARY: AddressSanitizer")
    };
    said.lines().filter(is_report).filter(is_at).collect()
}

/// Runs a program to its end within limits.
fn start(path: &Path, arguments: &[String], time: Duration) -> Result<Option<Exit>, Error> {
    let system = |e: String| Error::System(e);
    let limits = Limits::none().wall(time).memory(MEMORY);
    let options = Options::new()
        .map_err(|e| system(e.to_string()))?
        .limits(limits);
    let mut supervisor = Supervisor::new(options).map_err(|e| system(e.to_string()))?;
    let spec = Spec::command(path, arguments.iter().map(String::as_str))
        .stdout(Output::Discard)
        .stderr(Output::Capture(KEPT));
    if supervisor.spawn(spec).is_err() {
        return Ok(None);
    }
    while let Some(event) = supervisor.next_event(None) {
        if let ProcessEvent::Exit(exit) = event {
            return Ok(Some(exit));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::reports_at;

    #[test]
    fn a_report_names_its_line() {
        let freed = "    #1 0x55 in main prog.c:6\nSUMMARY: AddressSanitizer: heap-use-after-free \
                     prog.c:7 in main\n";
        assert_eq!(reports_at(freed, 7).len(), 1);
        assert!(reports_at(freed, 6).is_empty(), "where it was freed");
        let overflow = "prog.c:71:9: runtime error: signed integer overflow";
        assert!(reports_at(overflow, 7).is_empty());
        assert_eq!(reports_at(overflow, 71).len(), 1);
    }
}
