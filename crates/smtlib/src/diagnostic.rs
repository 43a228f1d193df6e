//! What can be wrong with an input, with its place.
//!
//! Rendering (snippets, colours) belongs to the command line; here is only the data.

use std::fmt;

use crate::span::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The input was read, but something about it deserves attention.
    Warning,
    /// The input was not read.
    Error,
}

/// Whose fault an error is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// The text is not what its format allows (exit code 3).
    Malformed,
    /// The text uses a feature outside the supported fragment, which the message names (exit code 4).
    Unsupported,
}

/// What kind of thing is wrong; the words behind a code are stable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Code {
    /// The bytes are not UTF-8, or hold a NUL.
    Encoding,
    /// A character that starts no token.
    Character,
    /// A string or quoted symbol that does not end.
    Unterminated,
    /// An opening or closing parenthesis too many.
    Parenthesis,
    /// A command nobody knows.
    UnknownCommand,
    /// A command with the wrong parts.
    MalformedCommand,
    /// A term with the wrong parts.
    MalformedTerm,
    /// A symbol that is not declared.
    UnknownSymbol,
    /// A term of one sort where another is expected.
    SortMismatch,
    /// Too few or too many arguments.
    Arity,
    /// A second declaration of a name.
    Duplicate,
    /// A sort that is not declared.
    UnknownSort,
    /// A feature outside the fragment.
    Unsupported,
    /// A limit of the reader.
    Limit,
    /// A formula that is no Horn clause.
    NotHorn,
    /// The input asks no question.
    MissingGoal,
    /// A transition system with missing or contradictory parts.
    MalformedSystem,
    /// A free constant was closed universally.
    FreeConstant,
    /// A command was read and has no effect.
    Ignored,
    /// A symbol was used without declaration where that is harmless.
    Undeclared,
    /// A follow-up of an error reported already; never shown.
    Cascade,
}

impl Code {
    /// The code as users see it.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::Encoding => "E001",
            Code::Character => "E002",
            Code::Unterminated => "E003",
            Code::Parenthesis => "E004",
            Code::UnknownCommand => "E010",
            Code::MalformedCommand => "E011",
            Code::MalformedTerm => "E012",
            Code::UnknownSymbol => "E013",
            Code::SortMismatch => "E014",
            Code::Arity => "E015",
            Code::Duplicate => "E016",
            Code::UnknownSort => "E017",
            Code::Unsupported => "E020",
            Code::Limit => "E021",
            Code::NotHorn => "E030",
            Code::MissingGoal => "E031",
            Code::MalformedSystem => "E032",
            Code::FreeConstant => "W001",
            Code::Ignored => "W002",
            Code::Undeclared => "W003",
            Code::Cascade => "E000",
        }
    }

    /// The class of errors with this code.
    pub fn class(self) -> Class {
        match self {
            Code::Unsupported | Code::Limit | Code::NotHorn => Class::Unsupported,
            _ => Class::Malformed,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What kind of thing it is.
    pub code: Code,
    /// One line, lower case, no full stop; quotes at most 80 bytes of the input.
    pub message: String,
    /// The place.
    pub span: Span,
    /// Further lines: what would help, or why.
    pub notes: Vec<String>,
}

/// The result of reading a piece of the input.
pub type Outcome<T> = Result<T, Box<Diagnostic>>;

impl Diagnostic {
    /// An error.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        let severity = Severity::Error;
        Box::new(Diagnostic {
            severity,
            code,
            message: message.into(),
            span,
            notes: Vec::new(),
        })
    }

    /// A warning.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        let severity = Severity::Warning;
        Box::new(Diagnostic {
            severity,
            code,
            message: message.into(),
            span,
            notes: Vec::new(),
        })
    }

    /// A refusal of a feature, which the words name.
    pub fn unsupported(span: Span, feature: impl fmt::Display) -> Box<Diagnostic> {
        Diagnostic::error(Code::Unsupported, span, format!("unsupported: {feature}"))
    }

    /// Adds a line of help.
    pub(crate) fn note(mut self: Box<Self>, note: impl Into<String>) -> Box<Diagnostic> {
        self.notes.push(note.into());
        self
    }

    /// Malformed or unsupported.
    pub fn class(&self) -> Class {
        self.code.class()
    }
}

/// At most 80 bytes of the input, for use inside a message.
pub fn excerpt(text: &str) -> String {
    const LIMIT: usize = 80;
    let printable = |c: char| if c.is_control() { '\u{FFFD}' } else { c };
    if text.len() <= LIMIT {
        return text.chars().map(printable).collect();
    }
    let mut out = String::new();
    for c in text.chars().map(printable) {
        if out.len() + c.len_utf8() > LIMIT - '…'.len_utf8() {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

/// The errors and warnings of a file, in the order in which they were found.
///
/// Invariant: no cascade is kept, and not more than [`Diagnostics::LIMIT`] errors.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    n_errors: usize,
}

impl Diagnostics {
    /// Errors beyond this number are counted, not kept.
    pub(crate) const LIMIT: usize = 100;

    /// Adds one.
    #[expect(
        clippy::boxed_local,
        reason = "diagnostics travel boxed in every outcome"
    )]
    pub fn push(&mut self, diagnostic: Box<Diagnostic>) {
        if diagnostic.severity == Severity::Error {
            self.n_errors += 1;
        }
        if diagnostic.code != Code::Cascade && self.list.len() < Diagnostics::LIMIT {
            self.list.push(*diagnostic);
        }
    }

    /// Takes the error of an outcome, if it is one.
    pub fn absorb<T>(&mut self, outcome: Outcome<T>) -> Option<T> {
        outcome.map_err(|diagnostic| self.push(diagnostic)).ok()
    }

    /// Whether an error was added.
    pub fn failed(&self) -> bool {
        self.n_errors > 0
    }

    /// All that were kept.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.list
    }
}
