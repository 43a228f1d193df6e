//! Which format a text is in.
//!
//! Comments, strings and what is behind `(exit)` aside:
//!
//! ```text
//! a command `rule` or `query`                                        the rules dialect
//! `declare-rel` or `declare-var`, and nothing is asserted            the rules dialect
//! an annotation of VMT-LIB (`:next`, `:init`, …) inside a term,
//!   before `(set-logic HORN)` and every command of the rules dialect VMT-LIB
//! otherwise                                                          HORN
//! ```
//!
//! A text that is none of them is taken for HORN, whose reader reports what is missing.

use foretell_kernel::VerdictKind;
use foretell_smtlib::{Lexer, TokenKind};
use serde::{Deserialize, Serialize};

/// A format of inputs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// SMT-LIB with Horn clauses as assertions.
    Horn,
    /// The rules dialect of Z3.
    Z3Rules,
    /// VMT-LIB.
    Vmt,
}

impl Format {
    /// The name users see.
    pub fn name(self) -> &'static str {
        match self {
            Format::Horn => "horn",
            Format::Z3Rules => "z3-rules",
            Format::Vmt => "vmt",
        }
    }

    /// The word for an answer to an input of this format.
    pub fn word(self, verdict: VerdictKind) -> &'static str {
        match (self, verdict) {
            (Format::Horn, VerdictKind::Safe) | (Format::Z3Rules, VerdictKind::Unsafe) => "sat",
            (Format::Horn, VerdictKind::Unsafe) | (Format::Z3Rules, VerdictKind::Safe) => "unsat",
            (Format::Vmt, _) | (_, VerdictKind::Unknown) => verdict.name(),
        }
    }
}

/// Where a script ends: at `(exit)`, or at the end of the text.
pub fn end_of_script(text: &str) -> usize {
    let mut lexer = Lexer::new(text);
    let mut depth = 0usize;
    let mut opened = None;
    while let Some(next) = lexer.next_token() {
        let Ok(token) = next else { continue };
        match token.kind {
            TokenKind::Open => {
                depth += 1;
                opened = Some(token.span.start as usize);
                continue;
            }
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Symbol if depth == 1 && token.span.text(text) == "exit" => {
                if let Some(start) = opened {
                    return start;
                }
            }
            _ => {}
        }
        opened = None;
    }
    text.len()
}

/// What was seen of a text.
#[derive(Default)]
struct Signs {
    /// `(set-logic HORN)`.
    logic: bool,
    /// A declaration of the rules dialect.
    relations: bool,
    /// An assertion.
    assertions: bool,
}

/// Whether the words of the rules dialect occur at all, be it in comments or names.
fn mentions_rules(text: &str) -> bool {
    let words = ["rule", "query", "declare-rel", "declare-var"];
    words.iter().any(|word| text.contains(word))
}

/// The format of a text. Of most only the beginning is taken apart.
pub fn detect(text: &str) -> Format {
    let mut lexer = Lexer::new(text);
    let mut signs = Signs::default();
    let mut depth = 0usize;
    // The name of the current command, once it is known.
    let mut command: Option<&str> = None;
    while let Some(next) = lexer.next_token() {
        let Ok(token) = next else { continue };
        let word = token.span.text(text);
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => {
                depth = depth.saturating_sub(1);
                if depth == 0 && command.take() == Some("exit") {
                    break;
                }
            }
            TokenKind::Symbol if depth == 1 && command.is_none() => {
                match word {
                    "rule" | "query" => return Format::Z3Rules,
                    "declare-rel" | "declare-var" => signs.relations = true,
                    "assert" => signs.assertions = true,
                    _ => {}
                }
                command = Some(word);
            }
            TokenKind::Symbol if command == Some("set-logic") && word == "HORN" => {
                if !signs.relations && !mentions_rules(&text[token.span.start as usize..]) {
                    break;
                }
                signs.logic = true;
            }
            TokenKind::Keyword if depth >= 2 && !signs.logic && !signs.relations => {
                if matches!(
                    word,
                    ":next" | ":init" | ":trans" | ":invar-property" | ":live-property"
                ) {
                    return Format::Vmt;
                }
            }
            _ => {}
        }
    }
    if signs.relations && !signs.assertions {
        Format::Z3Rules
    } else {
        Format::Horn
    }
}
