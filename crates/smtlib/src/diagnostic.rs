//! What can be wrong with an input, with its place.
//!
//! Rendering (snippets, colours) belongs to the command line; here is only the data.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::span::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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
    /// The text uses a feature outside the supported fragment, which the message names (exit code
    /// 4).
    Unsupported,
}

impl Class {
    /// Whose fault it is that an input was refused for these reasons: the first error decides,
    /// later ones may follow from it.
    pub fn of(reasons: &[Diagnostic]) -> Class {
        let first = reasons.iter().find(|d| d.severity == Severity::Error);
        first.map_or(Class::Malformed, |d| d.code.class())
    }
}

/// Makes [`Code`] from one line per code: its name, what users see, and the class of its errors.
macro_rules! codes {
    ($(#[doc = $doc:literal] $name:ident = $text:literal, $class:ident;)+) => {
        /// What kind of thing is wrong; the words behind a code are stable.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        pub enum Code {
            $(#[doc = $doc] #[serde(rename = $text)] $name,)+
        }

        impl Code {
            /// The code as users see it.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)+
                }
            }

            /// The class of errors with this code.
            pub fn class(self) -> Class {
                match self {
                    $(Code::$name => Class::$class,)+
                }
            }
        }
    };
}

codes! {
    /// The bytes are not UTF-8, or hold a NUL.
    Encoding = "E001", Malformed;
    /// A character that starts no token.
    Character = "E002", Malformed;
    /// A string or quoted symbol that does not end.
    Unterminated = "E003", Malformed;
    /// An opening or closing parenthesis too many.
    Parenthesis = "E004", Malformed;
    /// A command nobody knows.
    UnknownCommand = "E010", Malformed;
    /// A command with the wrong parts.
    MalformedCommand = "E011", Malformed;
    /// A term with the wrong parts.
    MalformedTerm = "E012", Malformed;
    /// A symbol that is not declared.
    UnknownSymbol = "E013", Malformed;
    /// A term of one sort where another is expected.
    SortMismatch = "E014", Malformed;
    /// Too few or too many arguments.
    Arity = "E015", Malformed;
    /// A second declaration of a name.
    Duplicate = "E016", Malformed;
    /// A sort that is not declared.
    UnknownSort = "E017", Malformed;
    /// A feature outside the fragment.
    Unsupported = "E020", Unsupported;
    /// A limit of the reader.
    Limit = "E021", Unsupported;
    /// A formula that is no Horn clause.
    NotHorn = "E030", Unsupported;
    /// The input asks no question.
    MissingGoal = "E031", Malformed;
    /// A transition system with missing or contradictory parts.
    MalformedSystem = "E032", Malformed;
    /// A free constant was closed universally.
    FreeConstant = "W001", Malformed;
    /// A command was read and has no effect.
    Ignored = "W002", Malformed;
    /// A symbol was used without declaration where that is harmless.
    Undeclared = "W003", Malformed;
    /// The input has no goal, so that its answer is known at once.
    NothingAsked = "W004", Malformed;
    /// A follow-up of an error reported already; never shown.
    Cascade = "E000", Malformed;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Something wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
/// Invariant: no cascade is kept, and of errors and of warnings at most [`Diagnostics::LIMIT`]
/// each, so that warnings never crowd out an error. Messages are for people: what was left out must
/// not matter.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    n_errors: usize,
    n_warnings: usize,
}

impl Diagnostics {
    /// Errors and warnings beyond this number are counted, not kept.
    pub const LIMIT: usize = 100;

    /// Adds one.
    #[expect(
        clippy::boxed_local,
        reason = "diagnostics travel boxed in every outcome"
    )]
    pub fn push(&mut self, diagnostic: Box<Diagnostic>) {
        let count = match diagnostic.severity {
            Severity::Error => &mut self.n_errors,
            Severity::Warning => &mut self.n_warnings,
        };
        *count += 1;
        if diagnostic.code != Code::Cascade && *count <= Diagnostics::LIMIT {
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

    /// All that were kept; the last error tells how many were not.
    pub fn into_vec(mut self) -> Vec<Diagnostic> {
        let rest = self.n_errors.saturating_sub(Diagnostics::LIMIT);
        let mut errors = self.list.iter_mut().rev();
        let last = errors.find(|d| d.severity == Severity::Error);
        if let Some(last) = last.filter(|_| rest > 0) {
            last.notes.push(format!("{rest} more errors are not shown"));
        }
        self.list
    }
}
