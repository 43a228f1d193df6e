//! Exit codes.

use std::process::ExitCode;

use foretell_driver::protocol::RefusalKind;
use foretell_driver::{Error, Verdict};

/// What the exit code says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Safe, or a command other than `check` succeeded.
    Safe,
    /// Our fault, or the output could not be written.
    Internal,
    /// The command line is wrong, or a file cannot be read.
    Usage,
    /// The input is malformed.
    Malformed,
    /// The input is outside the supported fragment.
    Unsupported,
    /// Unsafe; of `validate`: rejected.
    Unsafe,
    /// Unknown; of `validate`: undecided.
    Unknown,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Safe => 0,
            Exit::Internal => 1,
            Exit::Usage => 2,
            Exit::Malformed => 3,
            Exit::Unsupported => 4,
            Exit::Unsafe => 10,
            Exit::Unknown => 20,
        })
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Exit {
        match verdict {
            Verdict::Safe => Exit::Safe,
            Verdict::Unsafe => Exit::Unsafe,
            Verdict::Unknown => Exit::Unknown,
        }
    }
}

impl From<&Error> for Exit {
    fn from(error: &Error) -> Exit {
        match error {
            Error::Refused(refusal) => match refusal.kind {
                RefusalKind::Malformed => Exit::Malformed,
                RefusalKind::Unsupported => Exit::Unsupported,
                RefusalKind::NoSuchProperty { .. } => Exit::Usage,
            },
            Error::Usage(_) => Exit::Usage,
            _ => Exit::Internal,
        }
    }
}
