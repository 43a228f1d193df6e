//! What can be wrong with a C text, and where.
//!
//! A code says what kind of thing it is and whether the text is no C (`Malformed`) or C outside of
//! what is read (`Unsupported`). Places are offsets of the preprocessed text until
//! [`crate::text::SourceMap`] turns them into a file, a line and a column.

use std::fmt;

use crate::text::{Location, SourceMap};

/// A piece of the preprocessed text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte behind the last one.
    pub end: u32,
}

impl Span {
    /// The span between two offsets.
    pub fn new(start: usize, end: usize) -> Span {
        let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span {
            start: narrow(start),
            end: narrow(end),
        }
    }
}

/// Whose fault an error is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// The text is no C (exit code 3).
    Malformed,
    /// The text uses something outside of what is read (exit code 4).
    Unsupported,
}

/// What kind of thing is wrong; the words behind a code are stable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Code {
    /// Bytes that are no text, or a token that does not end.
    Lexical,
    /// A directive of the preprocessor that makes no sense.
    Directive,
    /// A file that is not there, or may not be read.
    Include,
    /// The grammar of C.
    Syntax,
    /// A name, or a use of a name, that the declarations do not allow.
    Meaning,
    /// A limit: nesting, size, expansion.
    Limit,
    /// Floating-point numbers.
    Float,
    /// A pointer that may point to several objects, or to none that is known.
    Pointer,
    /// A function that has no body, or a pointer to a function.
    Function,
    /// A type that is not read: unions, bit-fields, `volatile`.
    Type,
    /// An operator or expression that is not read.
    Operator,
    /// Two effects without an order between them.
    Order,
    /// A statement that is not read.
    Statement,
    /// An annotation that is not understood.
    Annotation,
}

impl Code {
    /// The code as users see it.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::Lexical => "C001",
            Code::Directive => "C002",
            Code::Include => "C003",
            Code::Syntax => "C004",
            Code::Meaning => "C005",
            Code::Limit => "C010",
            Code::Float => "C011",
            Code::Pointer => "C012",
            Code::Function => "C013",
            Code::Type => "C014",
            Code::Operator => "C015",
            Code::Order => "C016",
            Code::Statement => "C017",
            Code::Annotation => "C018",
        }
    }

    /// Whether the text is no C, or C outside of what is read.
    pub fn class(self) -> Class {
        match self {
            Code::Lexical | Code::Directive | Code::Include | Code::Syntax | Code::Meaning => {
                Class::Malformed
            }
            _ => Class::Unsupported,
        }
    }
}

/// Something wrong at a place of the preprocessed text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// What kind of thing it is.
    pub code: Code,
    /// One line, lower case, no full stop.
    pub message: String,
    /// The place.
    pub span: Span,
}

/// The outcome of a step of reading.
pub type Outcome<T> = Result<T, Box<Trouble>>;

impl Trouble {
    /// An error.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Box<Trouble> {
        Box::new(Trouble {
            code,
            span,
            message: message.into(),
        })
    }

    /// The error with its place in the user's files.
    pub fn located(&self, source: &SourceMap) -> Located {
        Located {
            code: self.code,
            message: self.message.clone(),
            location: source.location(self.span),
        }
    }
}

/// An error as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Located {
    /// What kind of thing it is.
    pub code: Code,
    /// One line, lower case, no full stop.
    pub message: String,
    /// File, line and column.
    pub location: Location,
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Location {
            file, line, column, ..
        } = &self.location;
        write!(
            f,
            "{file}:{line}:{column}: error[{}]: {}",
            self.code.as_str(),
            self.message
        )
    }
}
