//! Which processes of a test live.

use std::time::{Duration, Instant};

/// Command lines of living processes that contain `text`.
pub(crate) fn living(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(mut line) = std::fs::read(entry.path().join("cmdline")) else {
            continue;
        };
        line.iter_mut().filter(|b| **b == 0).for_each(|b| *b = b' ');
        let line = String::from_utf8_lossy(&line).into_owned();
        if line.contains(text) {
            found.push(line);
        }
    }
    found
}

/// Waits until no process with this marker lives.
pub(crate) fn all_gone(text: &str) -> bool {
    let give_up = Instant::now() + Duration::from_secs(20);
    while Instant::now() < give_up {
        if living(text).is_empty() {
            return true;
        }
        std::thread::yield_now();
    }
    false
}
