//! A fresh solver process that reads SMT-LIB text with its own parser.
//!
//! Used for certificates: what we mean by the original text is what another program reads in it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use foretell_kernel::{Halt, ScriptAnswer, clock};

/// Runs scripts with a solver executable.
#[derive(Clone, Debug)]
pub struct ScriptProcess {
    /// The executable.
    pub program: PathBuf,
    /// Its arguments; the script is written to its standard input.
    pub args: Vec<String>,
    /// How it reads that.
    pub reading: Reading,
    /// Counts the answers while they come.
    pub answered: Answered,
}

/// How a solver reads its standard input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// Every command as soon as it is there.
    AsItComes,
    /// In blocks: the end of what is there is read when as many blanks follow as fill the block.
    Blocks,
}

/// A multiple of the blocks that solvers read (Z3: 1024 bytes).
const BLOCK: usize = 4096;

impl Reading {
    /// The blanks after a text of which everything is to be read now.
    fn filling(self, length: usize) -> String {
        match self {
            Reading::AsItComes => String::new(),
            Reading::Blocks => " ".repeat(length.next_multiple_of(BLOCK) - length),
        }
    }
}

/// How many lines the solver has written for the script it is at. Clones share the count.
#[derive(Clone, Default, Debug)]
pub struct Answered(Arc<AtomicUsize>);

impl Answered {
    /// The count.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    fn begin(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    fn one(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl ScriptProcess {
    /// Z3 reading from standard input as from any file, in blocks: with `-in` it reads character by character,
    /// and flushes its output before each of them, which takes a third of the time of reading.
    pub fn z3(program: PathBuf) -> ScriptProcess {
        ScriptProcess {
            program,
            args: vec!["-smt2".into(), "/dev/stdin".into()],
            reading: Reading::Blocks,
            answered: Answered::default(),
        }
    }

    /// cvc5 reading from standard input, constant arrays included.
    pub fn cvc5(program: PathBuf) -> ScriptProcess {
        ScriptProcess {
            program,
            args: vec![
                "--lang=smt2".into(),
                "--incremental".into(),
                "--arrays-exp".into(),
                "-".into(),
            ],
            reading: Reading::AsItComes,
            answered: Answered::default(),
        }
    }

    /// The answers to the `check-sat` commands of a script, in order. An error line ends the list
    /// with `Unknown`: what follows an error cannot be trusted.
    pub fn run(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        self.start("")?.finish(script, limit)
    }

    /// What the solver prints for a script with these arguments beside its own, as far as it gets.
    pub fn output(
        &self,
        arguments: &[String],
        script: &str,
        limit: Duration,
    ) -> Result<String, Halt> {
        let args = [self.args.as_slice(), arguments].concat();
        let process = ScriptProcess {
            args,
            ..self.clone()
        };
        Ok(process.start("")?.rest(script, limit).0)
    }

    /// Starts the solver and hands it the beginning of a script whose rest is not known yet, so
    /// that it is ready when the rest comes.
    pub fn start(&self, head: &str) -> Result<StartedScript, Halt> {
        let failed = |e: std::io::Error| Halt::Solver(format!("{}: {e}", self.program.display()));
        let mut child = Command::new(&self.program)
            .args(&self.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let input = child.stdin.take();
        let mut started = StartedScript {
            child: Some(child),
            input,
            head: String::new(),
            reading: self.reading,
            answered: self.answered.clone(),
        };
        started.expect(head);
        Ok(started)
    }
}

/// What a solver says when it is through with a script. The end of its process would tell as well,
/// but later: solvers tidy up.
const END: &str = "end of script";

/// So long a solver that is through with its script may wait to be killed.
const IDLE: Duration = Duration::from_millis(20);

/// How a solver process ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// It was through with the script.
    Finished,
    /// Its time was over.
    Killed,
}

/// A solver process that has read the beginning of a script and waits for the rest.
///
/// Contract: the solver reads the same bytes in the same order as if the whole script had been
/// written at once; only the moment differs, and blanks between two commands.
pub struct StartedScript {
    /// There until it is killed.
    child: Option<Child>,
    input: Option<ChildStdin>,
    head: String,
    reading: Reading,
    answered: Answered,
}

/// A longer beginning is not written before the rest is known: the pipe takes no more while the solver starts.
const LONGEST_HEAD: usize = 32 << 10;

impl StartedScript {
    /// Hands the solver more of the beginning of its script: whole commands, up to the end of this text. One that
    /// begins otherwise than what the solver has read, or a long one, is left for later.
    pub fn expect(&mut self, head: &str) {
        let more = head.strip_prefix(self.head.as_str()).unwrap_or_default();
        if more.is_empty() || head.len() > LONGEST_HEAD {
            return;
        }
        if let Some(pipe) = self.input.as_mut() {
            // A solver that exits early closes the pipe; its output tells what happened.
            let _ = pipe.write_all(more.as_bytes());
            let _ = pipe.write_all(self.reading.filling(more.len()).as_bytes());
        }
        self.head.push_str(more);
    }

    /// Whether this script begins with what the solver was given.
    pub fn begins(&self, script: &str) -> bool {
        script.starts_with(&self.head)
    }

    /// Gives the solver the rest of a script that begins as it was told; see
    /// [`ScriptProcess::run`].
    pub fn finish(self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        let rest = script.strip_prefix(self.head.as_str());
        let rest = rest.ok_or_else(|| Halt::Solver("the script begins otherwise".into()))?;
        let (output, end) = self.rest(rest, limit);
        // What it printed before it was killed still counts.
        let mut list = answers(&output);
        if end == End::Killed {
            list.push(ScriptAnswer::Unknown("timeout".into()));
        }
        Ok(list)
    }

    /// Gives the solver the rest of a script; what it prints, and how it ended.
    fn rest(mut self, rest: &str, limit: Duration) -> (String, End) {
        let mut text = format!("{rest}\n(echo \"{END}\")\n");
        text += &self.reading.filling(text.len());
        let (sender, receiver) = mpsc::channel();
        let (input, output) = (
            self.input.take(),
            self.child.as_mut().and_then(|c| c.stdout.take()),
        );
        // The pipe stays open while the process lives: at its end a solver begins to tidy up.
        let (open, closed) = mpsc::channel::<()>();
        thread::spawn(move || {
            if let Some(mut pipe) = input {
                let _ = pipe.write_all(text.as_bytes());
                let _ = closed.recv();
            }
        });
        let answered = self.answered.clone();
        answered.begin();
        thread::spawn(move || {
            let output = output.map(|pipe| read_to_end(pipe, &answered));
            let _ = sender.send(output.unwrap_or_default());
        });
        let output = clock::receive(&receiver, limit);
        match output {
            Ok(output) => {
                self.end_later(open);
                (output, End::Finished)
            }
            Err(_) => {
                self.end();
                let late = receiver.recv_timeout(Duration::from_secs(1));
                (late.unwrap_or_default(), End::Killed)
            }
        }
    }

    /// Kills the process. Waiting for it is left to a thread: a dead process gives back its memory
    /// first.
    fn end(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            thread::spawn(move || child.wait());
        }
    }
}

impl StartedScript {
    /// Kills a process that has nothing more to do, soon: for a moment it would share a processor with
    /// whoever waits for its answer.
    fn end_later(&mut self, open: Sender<()>) {
        if let Some(mut child) = self.child.take() {
            thread::spawn(move || {
                thread::sleep(IDLE);
                let _ = child.kill();
                drop(open);
                child.wait()
            });
        }
    }
}

impl Drop for StartedScript {
    fn drop(&mut self) {
        self.end();
    }
}

/// What a solver writes up to the end of the script or of the process.
fn read_to_end(pipe: impl Read, answered: &Answered) -> String {
    let mut output = String::new();
    for line in BufReader::new(pipe).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        if line.trim().trim_matches('"') == END {
            break;
        }
        answered.one();
        output.push_str(&line);
        output.push('\n');
    }
    output
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
