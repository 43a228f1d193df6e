//! What tools answer and what it means.
//!
//! The same word means opposite things in different worlds, so an answer is read together with the
//! dialect of the input:
//!
//! | input | `sat` | `unsat` |
//! |---|---|---|
//! | HORN clauses (`assert`) | safe: the clauses have a model | unsafe |
//! | rules (`declare-rel`, `query`) | unsafe: the query is reachable | safe |
//! | VMT and other transition systems | unsafe: a counterexample exists | safe |
//!
//! `safe`, `unsafe`, `unknown`, and the words of program verifiers mean the same everywhere.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An answer about an input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The property holds.
    Safe,
    /// The property is violated.
    Unsafe,
    /// No answer.
    Unknown,
}

impl Verdict {
    /// Reads `safe`, `unsafe` or `unknown`.
    pub fn from_name(name: &str) -> Option<Verdict> {
        match name.trim() {
            "safe" => Some(Verdict::Safe),
            "unsafe" => Some(Verdict::Unsafe),
            "unknown" => Some(Verdict::Unknown),
            _ => None,
        }
    }

    /// The name as it is written in results.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Unsafe => "unsafe",
            Verdict::Unknown => "unknown",
        }
    }

    /// Whether this is `Safe` or `Unsafe`.
    pub(crate) fn is_answer(self) -> bool {
        self != Verdict::Unknown
    }

    /// Whether both are answers and differ.
    pub(crate) fn contradicts(self, other: Verdict) -> bool {
        self.is_answer() && other.is_answer() && self != other
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The language of an input, as far as it decides what an answer means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// Horn clauses as assertions.
    Horn,
    /// Horn clauses as rules with a query.
    Rules,
    /// A transition system or a program.
    System,
}

impl Dialect {
    /// Tells the dialect from the file's name and text.
    pub(crate) fn detect(name: &str, text: &[u8]) -> Dialect {
        if !(name.ends_with(".smt2") || name.ends_with(".smt")) {
            return Dialect::System;
        }
        let mut commands = Commands(text);
        commands
            .find_map(|command| match command {
                b"declare-rel" | b"rule" | b"query" => Some(Dialect::Rules),
                b"assert" => Some(Dialect::Horn),
                _ => None,
            })
            .unwrap_or(Dialect::Horn)
    }

    /// What an answer line means in this dialect; `None` when the line is no answer.
    pub(crate) fn read_line(self, line: &str) -> Option<Verdict> {
        let line = line.trim();
        let (sat, unsat) = match self {
            Dialect::Horn => (Verdict::Safe, Verdict::Unsafe),
            Dialect::Rules | Dialect::System => (Verdict::Unsafe, Verdict::Safe),
        };
        match line {
            "sat" => Some(sat),
            "unsat" => Some(unsat),
            "safe" | "SAFE" | "TRUE" | "VERIFICATION SUCCESSFUL" => Some(Verdict::Safe),
            "unsafe" | "UNSAFE" | "FALSE" | "VERIFICATION FAILED" => Some(Verdict::Unsafe),
            "unknown" | "UNKNOWN" | "timeout" => Some(Verdict::Unknown),
            _ if line.starts_with("unknown (") => Some(Verdict::Unknown),
            _ => None,
        }
    }
}

/// The head symbols of the top-level commands of SMT-LIB text. Reads over comments, strings and
/// quoted symbols; never fails.
struct Commands<'a>(&'a [u8]);

impl<'a> Iterator for Commands<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let mut depth = 0usize;
        let mut at = 0;
        while at < self.0.len() {
            let rest = &self.0[at..];
            let to = |end: u8| {
                rest[1..]
                    .iter()
                    .position(|&b| b == end)
                    .map_or(rest.len(), |n| n + 2)
            };
            match rest[0] {
                b';' => at += to(b'\n'),
                b'"' => at += to(b'"'),
                b'|' => at += to(b'|'),
                b')' => {
                    depth = depth.saturating_sub(1);
                    at += 1;
                }
                b'(' => {
                    depth += 1;
                    at += 1;
                    if depth == 1 {
                        let body = self.0[at..].trim_ascii_start();
                        let end = body
                            .iter()
                            .position(|b| b.is_ascii_whitespace() || b"();|\"".contains(b));
                        let head = &body[..end.unwrap_or(body.len())];
                        self.0 = skip_command(&self.0[at..]);
                        return Some(head);
                    }
                }
                _ => at += 1,
            }
        }
        None
    }
}

/// The text after the command whose body starts here.
fn skip_command(text: &[u8]) -> &[u8] {
    let mut depth = 1usize;
    let mut at = 0;
    while at < text.len() && depth > 0 {
        let rest = &text[at..];
        let to = |end: u8| {
            rest[1..]
                .iter()
                .position(|&b| b == end)
                .map_or(rest.len(), |n| n + 2)
        };
        at += match rest[0] {
            b';' => to(b'\n'),
            b'"' => to(b'"'),
            b'|' => to(b'|'),
            b'(' => {
                depth += 1;
                1
            }
            b')' => {
                depth -= 1;
                1
            }
            _ => 1,
        };
    }
    &text[at.min(text.len())..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dialect_decides_what_sat_means() {
        assert_eq!(Dialect::Horn.read_line(" sat\r"), Some(Verdict::Safe));
        assert_eq!(Dialect::Rules.read_line("sat"), Some(Verdict::Unsafe));
        assert_eq!(Dialect::System.read_line("unsat"), Some(Verdict::Safe));
        assert_eq!(
            Dialect::Horn.read_line("unknown (timeout)"),
            Some(Verdict::Unknown)
        );
        assert_eq!(Dialect::Horn.read_line("; sat"), None);
        assert_eq!(Dialect::Horn.read_line("(error \"unsat\")"), None);
    }

    #[test]
    fn dialects_are_told_by_commands_not_by_words() {
        let horn =
            b"; (query p)\n(set-info :x |(query|) (declare-fun f () Bool) (assert (query f))";
        assert_eq!(Dialect::detect("a.smt2", horn), Dialect::Horn);
        assert_eq!(
            Dialect::detect("a.smt2", b"(set-option :a \"(\")\n( declare-rel p ())"),
            Dialect::Rules
        );
        assert_eq!(Dialect::detect("a.vmt", b"(assert true)"), Dialect::System);
        for odd in [&b""[..], b"(", b"((((", b"|", b"\"", b")))(rule", b"(;"] {
            Dialect::detect("a.smt2", odd);
        }
    }

    #[test]
    fn only_answers_contradict() {
        assert!(Verdict::Safe.contradicts(Verdict::Unsafe));
        assert!(!Verdict::Safe.contradicts(Verdict::Unknown));
        assert!(!Verdict::Unknown.contradicts(Verdict::Unknown));
    }
}
