//! The text of a conversation: commands in levels, the last of which may not have been read yet.
//!
//! Contract: what [`Script::text`] gives contains only commands in which the reader found no fault.

use foretell_smtlib::{Diagnostic, Severity};

use crate::commands::survey::survey;
use crate::conversation::split::Command;
use crate::error::Error;
use crate::protocol::Refusal;

/// The commands that count.
#[derive(Debug, Default)]
pub(crate) struct Script {
    commands: Vec<Command>,
    /// How many there were at each `push`.
    levels: Vec<usize>,
    /// How many were read without a fault.
    read: usize,
}

impl Script {
    pub(crate) fn add(&mut self, command: Command) {
        self.commands.push(command);
    }

    pub(crate) fn push(&mut self, n: usize) {
        let here = self.commands.len();
        self.levels.extend(std::iter::repeat_n(here, n));
    }

    /// Whether there were as many levels.
    pub(crate) fn pop(&mut self, n: usize) -> bool {
        if n > self.levels.len() {
            return false;
        }
        let kept = self.levels.len() - n;
        if let Some(&first) = self.levels.get(kept) {
            self.commands.truncate(first);
        }
        self.levels.truncate(kept);
        self.read = self.read.min(self.commands.len());
        true
    }

    /// Forgets the commands that are not to be kept, and all levels.
    pub(crate) fn retain(&mut self, kept: impl Fn(&Command) -> bool) {
        self.commands.retain(kept);
        self.levels.clear();
        self.read = 0;
    }

    /// Reads the commands that were not read yet; those with a fault are dropped, and told.
    pub(crate) fn settle(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        while self.read < self.commands.len() {
            let faults = match survey(self.text("").as_bytes()) {
                Err(Error::Refused(Refusal::Input(reasons))) => self.locate(&reasons, None),
                _ => Vec::new(),
            };
            // What is said of the end of the text is no fault of a command.
            let unread = self.read..self.commands.len();
            let new: Vec<_> = faults
                .into_iter()
                .filter(|(n, _)| unread.contains(n))
                .collect();
            let Some(&(first, _)) = new.iter().min_by_key(|(n, _)| n) else {
                break;
            };
            // What comes later may be wrong only because of the first.
            told.extend(
                new.iter()
                    .filter(|(n, _)| *n == first)
                    .map(|(_, w)| w.clone()),
            );
            self.commands.remove(first);
            for level in &mut self.levels {
                *level -= usize::from(*level > first);
            }
            self.read = first;
        }
        self.read = self.commands.len();
        told
    }

    /// All commands, and one more behind them.
    pub(crate) fn text(&self, last: &str) -> String {
        let texts = self.commands.iter().map(|c| c.text.as_str());
        texts
            .chain([last])
            .fold(String::new(), |out, c| out + c + "\n")
    }

    /// What the reader says of something that is no command, if it says something.
    pub(crate) fn fault(&self, text: &Command) -> Option<String> {
        match survey(self.text(&text.text).as_bytes()) {
            Err(Error::Refused(Refusal::Input(reasons))) => {
                let n = self.commands.len();
                let found = self.locate(&reasons, Some(text)).into_iter();
                found.filter(|(at, _)| *at == n).map(|(_, w)| w).next()
            }
            _ => None,
        }
    }

    /// The errors among these findings, each with the number of its command and in words. Those behind
    /// the last command are about `next`, which comes after it.
    pub(crate) fn locate(
        &self,
        findings: &[Diagnostic],
        next: Option<&Command>,
    ) -> Vec<(usize, String)> {
        let errors = findings.iter().filter(|f| f.severity == Severity::Error);
        errors.map(|f| self.locate_one(f, next)).collect()
    }

    fn locate_one(&self, finding: &Diagnostic, next: Option<&Command>) -> (usize, String) {
        let mut start = 0;
        let at = finding.span.start as usize;
        let words = format!("{} [{}]", finding.message, finding.code.as_str());
        for (n, command) in self.commands.iter().chain(next).enumerate() {
            let end = start + command.text.len();
            if at < end || n == self.commands.len() {
                let (line, column) = command.place((at - start).min(command.text.len()));
                return (n, error(&format!("line {line} column {column}: {words}")));
            }
            start = end + 1;
        }
        (self.commands.len(), error(&words))
    }
}

/// An error as SMT-LIB writes it.
pub(crate) fn error(words: &str) -> String {
    format!("(error \"{}\")\n", words.replace('"', "\"\""))
}
