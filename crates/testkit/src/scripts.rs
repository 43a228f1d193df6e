//! One Z3 process that reads one script after another, reset between them.
//!
//! Starting a process takes longer than checking a small certificate. `(reset)` drops declarations,
//! assertions and learnt state; a script that sets options of the solver still gets a process of its own,
//! because those options may outlive a reset.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use foretell_kernel::{Halt, ScriptAnswer};
use foretell_process::shim;
use foretell_solver::{Reading, ScriptProcess};

/// Whether solver processes die with this one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeping {
    /// Yes: this executable serves the hidden commands of [`shim`].
    Contained,
    /// No: it is another executable, such as a test.
    Plain,
}

/// A Z3 process that reads one script after another.
pub struct Scripts {
    z3: PathBuf,
    keeping: Keeping,
    live: RefCell<Option<Live>>,
}

struct Live {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    number: u64,
}

impl Scripts {
    /// Scripts for this executable; it is started when the first one comes.
    pub fn new(z3: &Path, keeping: Keeping) -> Scripts {
        Scripts {
            z3: z3.to_owned(),
            keeping,
            live: RefCell::new(None),
        }
    }

    fn command(&self) -> (PathBuf, Vec<String>) {
        let args = vec!["-in".to_owned(), "-smt2".to_owned()];
        match self.keeping {
            Keeping::Contained => shim::contained(&self.z3, &args),
            Keeping::Plain => (self.z3.clone(), args),
        }
    }

    /// The executable.
    pub fn z3(&self) -> &Path {
        &self.z3
    }

    /// The id of the process, when it runs.
    pub fn process(&self) -> Option<u32> {
        self.live.borrow().as_ref().map(|live| live.child.id())
    }

    /// The answers to the `check-sat` commands of a script, in order.
    ///
    /// # Errors
    /// When the process cannot be started or died.
    pub fn run(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        // Options outlive a reset.
        if script.contains("(set-option :smt.") || script.contains("(set-option :rlimit") {
            let (program, args) = self.command();
            let process = ScriptProcess {
                args,
                reading: Reading::AsItComes,
                ..ScriptProcess::z3(program)
            };
            return process.run(script, limit);
        }
        let mut slot = self.live.borrow_mut();
        let mut live = match slot.take() {
            Some(live) => live,
            None => start(self.command())?,
        };
        let (answers, end) = live.ask(script, limit);
        match end {
            End::Whole => *slot = Some(live),
            End::Broken => live.stop(),
        }
        Ok(answers)
    }
}

impl Drop for Scripts {
    fn drop(&mut self) {
        if let Some(live) = self.live.borrow_mut().take() {
            live.stop();
        }
    }
}

fn start((program, args): (PathBuf, Vec<String>)) -> Result<Live, Halt> {
    let failed = |e: std::io::Error| Halt::Solver(format!("the solver process: {e}"));
    let mut command = Command::new(program);
    command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().map_err(failed)?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(Halt::Solver("no pipes".into()));
    };
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    Ok(Live {
        child,
        input,
        lines,
        number: 0,
    })
}

/// What became of the process.
enum End {
    Whole,
    Broken,
}

impl Live {
    fn ask(&mut self, script: &str, limit: Duration) -> (Vec<ScriptAnswer>, End) {
        self.number += 1;
        let mark = format!("end of script {}", self.number);
        let sent = write!(self.input, "(reset)\n{script}\n(echo \"{mark}\")\n")
            .and_then(|()| self.input.flush());
        if sent.is_err() {
            return (
                vec![ScriptAnswer::Unknown("the solver died".into())],
                End::Broken,
            );
        }
        let deadline = Instant::now() + limit;
        let (mut answers, mut failed) = (Vec::new(), false);
        loop {
            let Ok(line) = self
                .lines
                .recv_timeout(deadline.saturating_duration_since(Instant::now()))
            else {
                answers.push(ScriptAnswer::Unknown("timeout".into()));
                return (answers, End::Broken);
            };
            let line = line.trim();
            match line {
                _ if line == mark => return (answers, End::Whole),
                // What follows an error cannot be trusted.
                _ if failed || line.is_empty() => {}
                "sat" => answers.push(ScriptAnswer::Sat),
                "unsat" => answers.push(ScriptAnswer::Unsat),
                "unknown" | "timeout" => answers.push(ScriptAnswer::Unknown(line.into())),
                _ => {
                    failed = true;
                    answers.push(ScriptAnswer::Unknown(line.chars().take(200).collect()));
                }
            }
        }
    }

    fn stop(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
