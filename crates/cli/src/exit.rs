//! Exit codes.

use std::process::ExitCode;

use foretell_driver::{Class, Error, Refusal, VerdictKind};

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

impl Exit {
    /// The number.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Safe => 0,
            Exit::Internal => 1,
            Exit::Usage => 2,
            Exit::Malformed => 3,
            Exit::Unsupported => 4,
            Exit::Unsafe => 10,
            Exit::Unknown => 20,
        }
    }

    /// The word for it where there is no answer.
    pub(crate) fn fault(self) -> &'static str {
        match self {
            Exit::Usage => "usage",
            Exit::Malformed => "malformed",
            Exit::Unsupported => "unsupported",
            Exit::Safe | Exit::Internal | Exit::Unsafe | Exit::Unknown => "internal",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

impl From<VerdictKind> for Exit {
    fn from(verdict: VerdictKind) -> Exit {
        match verdict {
            VerdictKind::Safe => Exit::Safe,
            VerdictKind::Unsafe => Exit::Unsafe,
            VerdictKind::Unknown => Exit::Unknown,
        }
    }
}

impl From<&Error> for Exit {
    fn from(error: &Error) -> Exit {
        match error {
            Error::Refused(Refusal::Input(reasons)) => match Class::of(reasons) {
                Class::Malformed => Exit::Malformed,
                Class::Unsupported => Exit::Unsupported,
            },
            Error::Refused(Refusal::NoSuchProperty { .. }) | Error::Usage(_) => Exit::Usage,
            _ => Exit::Internal,
        }
    }
}
