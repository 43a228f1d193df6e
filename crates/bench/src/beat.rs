//! The sign of life of a part: a small file beside the results, replaced now and then.
//!
//! Whoever watches a batch from another machine sees from it what runs at the moment; results never
//! depend on it. The file is removed when the part ends; one that is old belongs to a dead part.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::emit::write_file;
use crate::options::BenchOptions;
use crate::progress::Tally;

/// How often the file is replaced.
const EVERY: Duration = Duration::from_secs(20);
/// After so long without a sign a part counts as dead.
const DEAD_AFTER: Duration = Duration::from_secs(90);

/// What a part tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Sign {
    /// When, in seconds since 1970.
    time: u64,
    /// Runs going on.
    running: usize,
}

/// A part's own file.
pub(crate) struct Beat {
    path: PathBuf,
    last: Option<(Instant, usize)>,
}

impl Beat {
    /// For one start of one part.
    pub(crate) fn new(options: &BenchOptions) -> Beat {
        let name = format!("alive{}.json", options.label());
        let path = options.out.join(name);
        Beat { path, last: None }
    }

    /// Writes the file when it is due; nobody minds when that fails.
    pub(crate) fn tell(&mut self, tally: &Tally) {
        let due = |(at, running): (Instant, usize)| {
            at.elapsed() >= EVERY || (running == 0 && tally.running > 0)
        };
        if self.last.is_some_and(|last| !due(last)) {
            return;
        }
        self.last = Some((Instant::now(), tally.running));
        let sign = Sign {
            time: now(),
            running: tally.running,
        };
        let text = serde_json::to_string(&sign).unwrap_or_default();
        let _ = write_file(&self.path, &text);
    }
}

impl Drop for Beat {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// How many runs go on in all parts that gave a sign of late.
pub(crate) fn running(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|e| e.path()).filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("alive.") && name.ends_with(".json")
    });
    let signs = paths.filter_map(|path| serde_json::from_slice::<Sign>(&fs::read(path).ok()?).ok());
    let recent = |sign: &Sign| sign.time + DEAD_AFTER.as_secs() >= now();
    signs.filter(recent).map(|sign| sign.running).sum()
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |d| d.as_secs())
}
