//! One result, as one line of JSON.

use foretell_kernel::VerdictKind;
use serde::{Deserialize, Serialize};

use crate::tool::Certificate;

/// Version of the row's format; readers skip rows of a higher one.
pub(crate) const ROW_VERSION: u32 = 1;

/// What identifies a run: the same key is never run twice in one folder of results.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Key {
    /// Name of the tool.
    pub tool: String,
    /// Its command line with placeholders, which carries its options.
    pub command: String,
    /// First 16 hexadecimal digits of the SHA-256 of its program file; `missing` without one.
    pub program: String,
    /// Name of the input.
    pub file: String,
    /// SHA-256 of the input; `unreadable` when it could not be read.
    pub(crate) sha256: String,
    /// Time limit in milliseconds.
    pub(crate) timeout_ms: u64,
    /// Memory limit in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) memory_limit: Option<u64>,
}

/// One run of one tool on one input.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Format version.
    pub v: u32,
    /// What was run.
    #[serde(flatten)]
    pub key: Key,
    /// The input's set.
    pub set: String,
    /// The verdict it should have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<VerdictKind>,
    /// The verdict it got.
    pub verdict: VerdictKind,
    /// Why it got none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The certificate behind it.
    #[serde(default)]
    pub certificate: Certificate,
    /// Exit code, or minus the signal's number; absent when nothing ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<i32>,
    /// Seconds on the wall clock.
    pub wall: f64,
    /// Seconds of processor time of the whole process tree.
    pub cpu: f64,
    /// Highest resident memory of the whole process tree, in bytes.
    pub(crate) peak: u64,
    /// Path of the log, relative to the folder of results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    /// Path of the page that explains the run, relative to the folder of results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// When it ended, in seconds since 1970.
    pub time: u64,
    /// Name and kind of the machine.
    pub machine: String,
    /// How many runs were going on beside it, itself included.
    pub jobs: usize,
}

impl Row {
    /// Whether the verdict contradicts the expected one.
    pub fn is_wrong(&self) -> bool {
        self.expected.is_some_and(|e| self.verdict.contradicts(e))
    }

    /// Whether this run counts as solved: an answer, not wrong, no failed certificate.
    pub(crate) fn is_solved(&self) -> bool {
        self.verdict.is_answer() && !self.is_wrong() && self.certificate != Certificate::Failed
    }
}
