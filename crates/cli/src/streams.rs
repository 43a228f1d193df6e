//! The two streams: answers, and everything else.

use std::io::{self, Write};

/// Writes to standard output at once; a closed pipe or a full disk is an error, not a panic.
pub(crate) fn answer(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes an answer; says on standard error when that failed.
pub(crate) fn answer_or_notice(text: &str) -> Result<(), String> {
    answer(text).map_err(|e| format!("cannot write the answer: {e}"))
}

/// Writes lines to standard error, each marked, so that none looks like an answer.
pub(crate) fn notice(text: &str) {
    let mut marked = String::new();
    for line in text.lines() {
        marked.push_str("foretell: ");
        marked.push_str(line);
        marked.push('\n');
    }
    raw(&marked);
}

/// Writes text to standard error that cannot be taken for an answer by its form.
pub(crate) fn raw(text: &str) {
    // There is nobody left to tell when standard error is closed.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
