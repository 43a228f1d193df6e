//! What can go wrong with a batch as a whole. What goes wrong with one run is a row, not an error.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a batch, report or comparison could not be made.
#[derive(Debug)]
pub enum BenchError {
    /// An input cannot be read.
    Input {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// An input list is malformed.
    Malformed {
        /// Which.
        path: PathBuf,
        /// How.
        reason: String,
    },
    /// No file was found.
    NothingToRun,
    /// Options contradict each other.
    Options(String),
    /// Results cannot be written.
    Output {
        /// Where.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Another process writes to the same results.
    Busy(PathBuf),
    /// Processes cannot be supervised.
    Supervisor(String),
}

impl BenchError {
    pub(crate) fn input(path: &Path, error: &io::Error) -> Self {
        BenchError::Input {
            path: path.to_owned(),
            reason: error.to_string(),
        }
    }

    pub(crate) fn malformed(path: &Path, reason: &str) -> Self {
        BenchError::Malformed {
            path: path.to_owned(),
            reason: reason.to_owned(),
        }
    }

    pub(crate) fn output(path: &Path, error: &io::Error) -> Self {
        BenchError::Output {
            path: path.to_owned(),
            reason: error.to_string(),
        }
    }
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BenchError::Input { path, reason } => {
                write!(f, "cannot read {}: {reason}", path.display())
            }
            BenchError::Malformed { path, reason } => write!(f, "{}: {reason}", path.display()),
            BenchError::NothingToRun => f.write_str("no input file found"),
            BenchError::Options(reason) => f.write_str(reason),
            BenchError::Output { path, reason } => {
                write!(f, "cannot write {}: {reason}", path.display())
            }
            BenchError::Busy(path) => write!(f, "{} is in use by another run", path.display()),
            BenchError::Supervisor(reason) => write!(f, "cannot supervise processes: {reason}"),
        }
    }
}

impl std::error::Error for BenchError {}
