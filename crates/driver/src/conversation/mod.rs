//! A conversation in SMT-LIB: commands in, answers out, until it ends.
//!
//! ```text
//! command      declarations, definitions, assertions, rules: kept as text, level by level
//!   push, pop, reset, reset-assertions: levels of text
//!   check-sat, query: read what is new ▸ a whole check of the text so far ▸ sat, unsat or unknown
//!   get-model, get-proof, get-certificate, get-info: about the last check
//! ```
//!
//! There is no incremental state to get wrong: the text that counts is checked anew, and what is said of
//! it was checked on it. What a check learnt goes to the next one as hints, which it proves again
//! ([`memory`]). A command with a fault is answered by a located error and is as if it had not
//! been said. Faults are told with the next answer, or at once when `:print-success` is on.

mod memory;
mod script;
mod split;

use std::time::Duration;

use foretell_kernel::VerdictKind;
use foretell_smtlib::{Class, Diagnostic};

use crate::check::{Observer, Report, Request, check};
use crate::conversation::memory::Memory;
use crate::conversation::script::{Script, error};
pub use crate::conversation::split::{Command, Splitter};
use crate::error::Error;
use crate::protocol::{Outcome, Refusal};
use foretell_frontends::Format;

/// What the other side asked for by `set-option`.
#[derive(Clone, Default, Debug)]
pub struct Wishes {
    /// The time for one check.
    pub timeout: Option<Duration>,
    /// Settings of engines, `group.option=value`.
    pub settings: Vec<String>,
}

/// Makes a request of a text.
pub type Prepare<'p> = dyn Fn(Vec<u8>, &Wishes) -> Result<Request, Error> + 'p;

/// What is said to a command.
#[derive(Debug)]
pub enum Reply {
    /// This, and the conversation goes on.
    Says(String),
    /// Nothing more.
    Ends,
}

/// A conversation.
pub struct Conversation<'p> {
    prepare: &'p Prepare<'p>,
    script: Script,
    wishes: Wishes,
    success: Success,
    last: Option<Last>,
    memory: Memory,
}

/// Whether a command without an answer is acknowledged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Success {
    Silent,
    Printed,
}

/// What the last check found.
struct Last {
    format: Format,
    outcome: Option<Outcome>,
    elapsed: Duration,
}

impl<'p> Conversation<'p> {
    /// A conversation whose checks are prepared by a function.
    pub fn new(prepare: &'p Prepare<'p>) -> Conversation<'p> {
        Conversation {
            prepare,
            script: Script::default(),
            wishes: Wishes::default(),
            success: Success::Silent,
            last: None,
            memory: Memory::default(),
        }
    }

    /// What is left to be told when it ends: the faults that were not told yet.
    pub fn end(&mut self) -> String {
        self.script.settle().concat()
    }

    /// Follows one command.
    pub fn say(&mut self, command: Command, observer: &mut dyn Observer) -> Reply {
        let words = words(&command.text);
        let rest: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        let answer = match (words.first().map_or("", String::as_str), rest.as_slice()) {
            ("exit", []) => return Reply::Ends,
            ("set-option", [name, value]) => self.option(name, value),
            ("set-option", _) => Err("write (set-option :name value)".to_owned()),
            ("set-info", _) => Ok(String::new()),
            ("echo", [text]) => Ok(format!("{}\n", text.trim_matches('"'))),
            ("push", levels) => number(levels).map(|n| {
                self.script.push(n);
                String::new()
            }),
            ("pop", levels) => number(levels).and_then(|n| match self.script.pop(n) {
                true => Ok(String::new()),
                false => Err(format!("there are not {n} levels to pop")),
            }),
            ("reset", []) => {
                *self = Conversation::new(self.prepare);
                Ok(String::new())
            }
            ("reset-assertions", []) => {
                let states = ["(assert", "(rule"];
                self.script
                    .retain(|c| !states.iter().any(|s| c.text.starts_with(s)));
                Ok(String::new())
            }
            ("check-sat", []) => return Reply::Says(self.check("(check-sat)", &command, observer)),
            ("query", [_]) => return Reply::Says(self.check(&command.text, &command, observer)),
            ("get-model" | "get-proof" | "get-certificate", []) => self.witness(&words[0]),
            ("get-info", [key]) => self.info(key),
            ("exit" | "echo" | "reset" | "reset-assertions" | "check-sat" | "query", _)
            | ("get-model" | "get-proof" | "get-certificate" | "get-info", _) => {
                Err(format!("`{}` has other arguments", words[0]))
            }
            (word, _) if word.is_empty() || !command.text.starts_with('(') => {
                return Reply::Says(self.no_command(&command));
            }
            _ => {
                self.script.add(command.clone());
                let faults = match self.success {
                    Success::Printed => self.script.settle(),
                    Success::Silent => Vec::new(),
                };
                if !faults.is_empty() {
                    return Reply::Says(faults.concat());
                }
                Ok(String::new())
            }
        };
        Reply::Says(self.answered(&command, answer))
    }

    /// What is said where a command should be, in the words of the reader.
    fn no_command(&mut self, command: &Command) -> String {
        let before = self.script.settle().concat();
        let words = self.script.fault(command).unwrap_or_else(|| {
            let shown: String = command.text.chars().take(40).collect();
            let (line, column) = (command.line, command.column);
            error(&format!(
                "line {line} column {column}: a command was expected, not `{shown}`"
            ))
        });
        before + &words
    }

    /// An answer, an acknowledgement, or an error at the place of the command.
    fn answered(&mut self, command: &Command, answer: Result<String, String>) -> String {
        match answer {
            Ok(text) if text.is_empty() && self.success == Success::Printed => "success\n".into(),
            Ok(text) if text.is_empty() => text,
            Ok(text) => self.script.settle().concat() + &text,
            Err(words) => {
                let (line, column) = (command.line, command.column);
                self.script.settle().concat()
                    + &error(&format!("line {line} column {column}: {words}"))
            }
        }
    }

    /// Reads what is new and checks the text so far.
    fn check(&mut self, goal: &str, command: &Command, observer: &mut dyn Observer) -> String {
        self.last = None;
        let faults = self.script.settle().concat();
        let bytes = self.script.text(goal).into_bytes();
        let report = (self.prepare)(bytes, &self.wishes).and_then(|mut request| {
            request.hints.extend(self.memory.hints(&request.bytes));
            check(&request, observer)
        });
        faults
            + &match report {
                Ok(report) => self.remember(&report),
                Err(Error::Refused(Refusal::Input(reasons))) => self.refused(&reasons, command),
                Err(other) => {
                    let (line, column) = (command.line, command.column);
                    error(&format!("line {line} column {column}: {other}"))
                }
            }
    }

    fn remember(&mut self, report: &Report) -> String {
        let format = report.reading.as_ref().map_or(Format::Horn, |r| r.format);
        self.memory.keep(report);
        self.last = Some(Last {
            format,
            outcome: report.settled.first().map(|s| s.outcome.clone()),
            elapsed: report.elapsed,
        });
        format!("{}\n", format.word(report.verdict()))
    }

    /// What is outside the fragment has the answer `unknown`; what is wrong has none.
    fn refused(&self, reasons: &[Diagnostic], goal: &Command) -> String {
        let told: String = self
            .script
            .locate(reasons, Some(goal))
            .into_iter()
            .map(|(_, w)| w)
            .collect();
        match Class::of(reasons) {
            Class::Malformed => told,
            Class::Unsupported => told + "unknown\n",
        }
    }

    fn option(&mut self, name: &str, value: &str) -> Result<String, String> {
        match (name, value) {
            (":print-success", "true") => self.success = Success::Printed,
            (":print-success", "false") => self.success = Success::Silent,
            (":timeout", _) => {
                let ms = value.parse().map_err(|_| "write milliseconds".to_owned())?;
                self.wishes.timeout = (ms > 0).then(|| Duration::from_millis(ms));
            }
            _ => match name.strip_prefix(":foretell.") {
                Some(option) => self.wishes.settings.push(format!("{option}={value}")),
                // As SMT-LIB answers to an option that has no meaning here.
                None if name.starts_with(':') => return Ok(self.unsupported()),
                None => return Err("write (set-option :name value)".to_owned()),
            },
        }
        Ok(String::new())
    }

    /// Options of other tools are no reason to stop: silent unless acknowledgements are wanted.
    fn unsupported(&self) -> String {
        match self.success {
            Success::Printed => "unsupported\n".into(),
            Success::Silent => String::new(),
        }
    }

    fn witness(&self, which: &str) -> Result<String, String> {
        let outcome = self.last.as_ref().and_then(|last| last.outcome.as_ref());
        let wanted = match (which, outcome) {
            (
                "get-model",
                Some(Outcome::Safe {
                    model: Some(model), ..
                }),
            ) => {
                return Ok(format!("(\n{}\n)\n", model.text.trim_end()));
            }
            ("get-model", _) => "model",
            ("get-proof", Some(Outcome::Unsafe { certificate, .. })) => {
                return Ok(format!("{}\n", certificate.trim_end()));
            }
            ("get-proof", _) => "proof",
            (_, Some(outcome)) if outcome.verdict() != VerdictKind::Unknown => {
                let text = outcome.certificate().unwrap_or_default();
                return Ok(format!("(\n{}\n)\n", text.trim_end()));
            }
            _ => "certificate",
        };
        Err(format!(
            "there is no {wanted}: the last check did not give one"
        ))
    }

    fn info(&self, key: &str) -> Result<String, String> {
        let quoted = |text: &str| text.replace('"', "\"\"");
        let value = match key {
            ":name" => "\"foretell\"".to_owned(),
            ":version" => format!("\"{}\"", env!("CARGO_PKG_VERSION")),
            ":error-behavior" => "continued-execution".to_owned(),
            ":reason-unknown" => match self.last.as_ref().map(|last| &last.outcome) {
                Some(Some(Outcome::Unknown { reason, .. })) => format!("\"{}\"", quoted(reason)),
                _ => return Err("the last check was not unknown".to_owned()),
            },
            ":all-statistics" => {
                let last = self.last.as_ref().ok_or("there was no check")?;
                let (seconds, format) = (last.elapsed.as_secs_f64(), last.format.name());
                return Ok(format!("(:time {seconds:.3} :format {format})\n"));
            }
            _ => return Ok("unsupported\n".to_owned()),
        };
        Ok(format!("({key} {value})\n"))
    }
}

/// The words of a command at its top level: symbols, strings with their quotes, inner lists as they stand.
fn words(text: &str) -> Vec<String> {
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let mut splitter = Splitter::default();
    // The splitter hands words and lists on as they end; a blank ends the last.
    let mut found = splitter.feed(inner.unwrap_or_default().as_bytes());
    found.extend(splitter.feed(b" "));
    found.into_iter().map(|c| c.text).collect()
}

fn number(words: &[&str]) -> Result<usize, String> {
    match words {
        [] => Ok(1),
        [n] => n
            .parse()
            .ok()
            .filter(|n| *n <= 1_000_000)
            .ok_or_else(|| "write a number of levels, at most a million".to_owned()),
        _ => Err("write one number of levels".to_owned()),
    }
}
