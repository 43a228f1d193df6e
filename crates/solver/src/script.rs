//! A fresh solver process that reads SMT-LIB text with its own parser.
//!
//! Used for certificates: what we mean by the original text is what another program reads in it.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use foretell_kernel::{Halt, ScriptAnswer};

/// Runs scripts with a solver executable.
#[derive(Clone, Debug)]
pub struct ScriptProcess {
    /// The executable.
    pub program: PathBuf,
    /// Its arguments; the script is written to its standard input.
    pub args: Vec<String>,
}

impl ScriptProcess {
    /// Z3 reading from standard input.
    pub fn z3(program: PathBuf) -> ScriptProcess {
        ScriptProcess { program, args: vec!["-in".into(), "-smt2".into()] }
    }

    /// cvc5 reading from standard input, constant arrays included.
    pub fn cvc5(program: PathBuf) -> ScriptProcess {
        ScriptProcess {
            program,
            args: vec!["--lang=smt2".into(), "--incremental".into(), "--arrays-exp".into(), "-".into()],
        }
    }

    /// The answers to the `check-sat` commands of a script, in order. An error line ends the list
    /// with `Unknown`: what follows an error cannot be trusted.
    pub fn run(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        let failed = |e: std::io::Error| Halt::Solver(format!("{}: {e}", self.program.display()));
        let mut child = Command::new(&self.program)
            .args(&self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let (sender, receiver) = mpsc::channel();
        let mut stdin = child.stdin.take();
        let mut stdout = child.stdout.take();
        let text = script.to_string();
        let writer = thread::spawn(move || {
            if let Some(pipe) = stdin.as_mut() {
                // A solver that exits early closes the pipe; its output tells what happened.
                let _ = pipe.write_all(text.as_bytes());
            }
            drop(stdin);
        });
        thread::spawn(move || {
            let mut output = Vec::new();
            if let Some(pipe) = stdout.as_mut() {
                let _ = pipe.read_to_end(&mut output);
            }
            let _ = sender.send(output);
        });
        let output = receiver.recv_timeout(limit);
        end(&mut child);
        let _ = writer.join();
        match output {
            Ok(output) => Ok(answers(&String::from_utf8_lossy(&output))),
            Err(_) => {
                // What it printed before it was killed still counts.
                let partial = receiver.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
                let mut list = answers(&String::from_utf8_lossy(&partial));
                list.push(ScriptAnswer::Unknown("timeout".into()));
                Ok(list)
            }
        }
    }
}

fn end(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

fn answers(output: &str) -> Vec<ScriptAnswer> {
    let mut list = Vec::new();
    for line in output.lines().map(str::trim).filter(|l| !l.is_empty()) {
        match line {
            "sat" => list.push(ScriptAnswer::Sat),
            "unsat" => list.push(ScriptAnswer::Unsat),
            "unknown" | "timeout" => list.push(ScriptAnswer::Unknown(line.into())),
            _ => {
                list.push(ScriptAnswer::Unknown(line.chars().take(200).collect()));
                break;
            }
        }
    }
    list
}
