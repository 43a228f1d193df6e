//! What can go wrong besides an honest `unknown`.

use std::fmt;

use foretell_kernel::{OptionError, VerdictKind};
use foretell_smtlib::Class;

use crate::protocol::Refusal;

/// Why there is no report.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The input was refused; where and why.
    Refused(Refusal),
    /// A setting or a portfolio is wrong.
    Usage(String),
    /// Two engines gave contradictory answers, each with an accepted witness.
    Soundness {
        /// The configurations.
        configurations: [String; 2],
        /// What they answered.
        verdicts: [VerdictKind; 2],
    },
    /// The processes could not be started.
    System(String),
    /// The observer asked to stop, because what it had to write could not be written.
    Output(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Refused(Refusal::Input(reasons)) => match Class::of(reasons) {
                Class::Malformed => write!(f, "the input is malformed"),
                Class::Unsupported => write!(f, "the input is outside the supported fragment"),
            },
            Error::Refused(Refusal::NoSuchProperty { asked, known }) if known.is_empty() => {
                write!(f, "there is no property {asked}: the input asks nothing")
            }
            Error::Refused(Refusal::NoSuchProperty { asked, known }) => {
                let known = known.join(", ");
                write!(f, "there is no property {asked}; the file has {known}")
            }
            Error::Usage(words) | Error::Output(words) => write!(f, "{words}"),
            Error::System(words) => write!(f, "cannot start a worker: {words}"),
            Error::Soundness {
                configurations: [a, b],
                verdicts: [x, y],
            } => {
                write!(f, "soundness: `{a}` answered {x}, `{b}` answered {y}")
            }
        }
    }
}

impl std::error::Error for Error {}

/// A wrong setting is the fault of whoever wrote it.
impl From<OptionError> for Error {
    fn from(error: OptionError) -> Error {
        Error::Usage(error.to_string())
    }
}
