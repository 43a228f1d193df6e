//! Tools: command lines with placeholders, and how their answers are read.

use std::path::Path;
use std::time::Duration;

use foretell_frontends::Format;
use foretell_kernel::VerdictKind;
use foretell_process::{Captured, Status, split_words};
use serde::{Deserialize, Serialize};

use crate::verdict::read_line;

/// What is known about the certificate behind an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certificate {
    /// The tool gave none, or does not tell.
    #[default]
    None,
    /// The tool says that it was checked.
    Checked,
    /// The tool says that its check failed.
    Failed,
}

/// An answer as read off a finished run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    /// The verdict.
    pub verdict: VerdictKind,
    /// Why there is no verdict, when there is none.
    pub reason: Option<String>,
    /// The certificate behind it.
    pub certificate: Certificate,
}

/// What a finished run left behind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finished<'a> {
    /// Language of the input.
    pub(crate) format: Format,
    /// Exit code or signal.
    pub status: Status,
    /// Standard output.
    pub stdout: &'a Captured,
    /// Standard error.
    pub stderr: &'a Captured,
}

/// Reads answers of one kind of tool. The hook for tools that say more than a word.
pub(crate) trait AnswerReader {
    /// The answer of a run that ended by itself.
    fn read(&self, run: &Finished<'_>) -> Answer;
}

/// Reads any solver: the lines of standard output that are verdict words.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlainReader;

impl AnswerReader for PlainReader {
    fn read(&self, run: &Finished<'_>) -> Answer {
        let text = run.stdout.text();
        let words: Vec<VerdictKind> = text
            .lines()
            .filter_map(|line| read_line(run.format, line))
            .collect();
        let mut answers = words.iter().copied().filter(|v| v.is_answer());
        let none = |reason: String| Answer {
            verdict: VerdictKind::Unknown,
            reason: Some(reason),
            certificate: Certificate::None,
        };
        let verdict = match answers.next() {
            Some(first) if answers.any(|v| v != first) => {
                return none("conflicting answers".into());
            }
            Some(first) => first,
            None if !words.is_empty() => return none(said_why(&text)),
            None => return none(no_answer(run, &text)),
        };
        if let Status::Signal(signal) = run.status {
            return none(format!("crash (signal {signal})"));
        }
        Answer {
            verdict,
            reason: None,
            certificate: Certificate::None,
        }
    }
}

/// The reason inside `unknown (…)`, else that the tool said unknown.
fn said_why(text: &str) -> String {
    let given = text
        .lines()
        .find_map(|l| l.trim().strip_prefix("unknown (")?.strip_suffix(')'));
    given.map_or_else(|| "tool says unknown".to_owned(), clip)
}

/// Why a run without any verdict word has none.
fn no_answer(run: &Finished<'_>, text: &str) -> String {
    let errors = run.stderr.text();
    let error = text
        .lines()
        .chain(errors.lines())
        .map(str::trim)
        .find(|l| l.starts_with("(error ") || l.starts_with("error") || l.contains(": error"));
    match (run.status, error) {
        (Status::Signal(signal), _) => format!("crash (signal {signal})"),
        (_, Some(line)) => format!("error: {}", clip(line)),
        (Status::Code(0), None) if text.trim().is_empty() => "no output".to_owned(),
        (Status::Code(0), None) => "no verdict in output".to_owned(),
        (Status::Code(code), None) => format!("exit code {code}"),
    }
}

/// At most 80 characters, on one line.
fn clip(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(80).collect()
}

/// Reads our own tool: a plain reader, strict about exit codes (0 safe, 10 unsafe). The tool prints
/// no verdict whose certificate was not checked, so an answer with its exit code has a checked one;
/// a check that was not passed is the reason `certificate …` of an unknown.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OwnReader;

impl AnswerReader for OwnReader {
    fn read(&self, run: &Finished<'_>) -> Answer {
        let mut answer = PlainReader.read(run);
        let expected_code = match answer.verdict {
            VerdictKind::Safe => 0,
            VerdictKind::Unsafe => 10,
            VerdictKind::Unknown => {
                if answer
                    .reason
                    .as_ref()
                    .is_some_and(|r| r.starts_with("certificate"))
                {
                    answer.certificate = Certificate::Failed;
                }
                return answer;
            }
        };
        if run.status == Status::Code(expected_code) {
            answer.certificate = Certificate::Checked;
        } else {
            answer.reason = Some(format!("{} with {:?}", answer.verdict, run.status));
            answer.verdict = VerdictKind::Unknown;
        }
        answer
    }
}

/// Whose tool it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Our own.
    Own,
    /// Any other.
    Foreign,
}

/// A command line to run on every input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tool {
    /// Name in results.
    pub name: String,
    /// Program and arguments with placeholders `{file}`, `{timeout}` (seconds), `{timeout_ms}`.
    pub words: Vec<String>,
    /// Whose it is.
    pub kind: Kind,
}

impl Tool {
    /// Reads `name=program arguments`; without `name=` the program's file name is the name. Words
    /// are split as a shell splits them, with quotes but without any expansion.
    ///
    /// # Errors
    /// A message when the text has no program or an open quote.
    pub fn parse(text: &str) -> Result<Tool, String> {
        let is_name = |n: &str| {
            !n.is_empty()
                && n.chars()
                    .all(|c| c.is_alphanumeric() || "-_.+@".contains(c))
        };
        let (name, line) = match text.split_once('=') {
            Some((name, line)) if is_name(name) => (Some(name), line),
            _ => (None, text),
        };
        let words = split_words(line)?;
        let program = words
            .first()
            .ok_or_else(|| format!("tool \"{text}\" names no program"))?;
        let base = Path::new(program)
            .file_name()
            .map_or(program.clone(), |n| n.to_string_lossy().into());
        Ok(Tool {
            name: name.map_or(base, str::to_owned),
            words,
            kind: Kind::Foreign,
        })
    }

    /// Our own executable with these arguments (`{file}` and the time limit are added).
    pub fn own(name: &str, executable: &Path, options: &[String]) -> Tool {
        let mut words = vec![executable.to_string_lossy().into_owned()];
        words.extend(options.iter().cloned());
        words.extend(["--timeout".into(), "{timeout_ms}ms".into(), "{file}".into()]);
        Tool {
            name: name.to_owned(),
            words,
            kind: Kind::Own,
        }
    }

    /// The command as it is written in results: words with blanks are quoted.
    pub(crate) fn template(&self) -> String {
        self.words
            .iter()
            .map(|w| quote(w))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The command for one input. Without `{file}` in the template the file comes last.
    pub fn command(&self, file: &str, timeout: Duration) -> Vec<String> {
        let seconds = timeout.as_secs_f64().ceil().max(1.0).to_string();
        let millis = timeout.as_millis().to_string();
        let fill = |word: &String| {
            word.replace("{timeout}", &seconds)
                .replace("{timeout_ms}", &millis)
                .replace("{file}", file)
        };
        let mut words: Vec<String> = self.words.iter().map(fill).collect();
        if !self.words.iter().any(|w| w.contains("{file}")) {
            words.push(file.to_owned());
        }
        words
    }

    /// How its answers are read.
    pub(crate) fn reader(&self) -> &'static dyn AnswerReader {
        match self.kind {
            Kind::Own => &OwnReader,
            Kind::Foreign => &PlainReader,
        }
    }
}

/// Quotes a word for a shell when needed.
pub(crate) fn quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,+@%{}".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests;
