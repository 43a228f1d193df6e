//! How much of a batch is there: over all parts, from the results in its folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use crate::beat;
use crate::error::BenchError;
use crate::journal;
use crate::keys;
use crate::options::BenchOptions;
use crate::progress::Tally;
use crate::row::{Key, Row};
use crate::tool::Certificate;

/// The rate of progress is that of the last so many seconds.
const WINDOW: u64 = 900;

/// All runs of a batch with the parts they belong to.
pub struct Coverage {
    out: PathBuf,
    /// The part of each run, from 1.
    parts: BTreeMap<Key, usize>,
    /// When somebody began to look, in seconds since 1970.
    since: u64,
}

impl Coverage {
    /// Reads all inputs of a batch that has so many parts.
    ///
    /// # Errors
    /// When inputs or options are wrong.
    pub fn new(options: &BenchOptions, shards: usize) -> Result<Coverage, BenchError> {
        options.check()?;
        let tools = keys::programs(options);
        let mut parts = BTreeMap::new();
        for (number, task) in options.all_tasks()?.iter().enumerate() {
            for keyed in keys::of_task(options, task, &tools) {
                parts.insert(keyed.key, number % shards.max(1) + 1);
            }
        }
        Ok(Coverage {
            out: options.out.clone(),
            parts,
            since: beat::now(),
        })
    }

    /// The parts with a run that is not there, in the form of Slurm's `--array`: `1,4-6`. `None` when
    /// nothing is missing.
    ///
    /// # Errors
    /// When results cannot be read.
    pub fn missing(&self) -> Result<Option<String>, BenchError> {
        let done: BTreeSet<Key> = self.rows()?.into_iter().map(|row| row.key).collect();
        let open = self.parts.iter().filter(|(key, _)| !done.contains(key));
        let open: BTreeSet<usize> = open.map(|(_, &part)| part).collect();
        Ok((!open.is_empty()).then(|| ranges(&open)))
    }

    /// How far all parts are together.
    ///
    /// # Errors
    /// When results cannot be read.
    pub fn tally(&self) -> Result<Whole, BenchError> {
        let mut rows: BTreeMap<Key, Row> = BTreeMap::new();
        for row in self.rows()? {
            rows.entry(row.key.clone()).or_insert(row);
        }
        let failed = |row: &Row| row.certificate == Certificate::Failed;
        let now = beat::now();
        let first = rows.values().map(|r| r.time).min().unwrap_or(now);
        let begin = first.max(now.saturating_sub(WINDOW));
        let recent = rows.values().filter(|r| r.time >= begin).count();
        let left = self.parts.len() - rows.len();
        let seconds = now.saturating_sub(begin).max(1);
        // The runs of the window tell how long the rest takes.
        let rest = (recent > 0).then(|| left as u64 * seconds / recent as u64);
        Ok(Whole {
            tally: Tally {
                total: self.parts.len(),
                done: rows.len(),
                running: beat::running(&self.out).min(left),
                solved: rows.values().filter(|r| r.is_solved()).count(),
                wrong: rows.values().filter(|r| r.is_wrong()).count(),
                elapsed: Duration::from_secs(now - first.min(self.since)),
                ..Tally::default()
            },
            left: rest.filter(|_| left > 0).map(Duration::from_secs),
            failed_certificates: rows.values().filter(|r| failed(r)).count(),
        })
    }

    /// The results of this batch, of all its parts and attempts; none when nothing was written yet.
    fn rows(&self) -> Result<Vec<Row>, BenchError> {
        let loaded = match journal::load(&self.out) {
            Ok(loaded) => loaded,
            // Parts that wait in a queue have no folder yet, or an empty one.
            Err(BenchError::Input { .. } | BenchError::Malformed { .. }) => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let own = |row: &Row| self.parts.contains_key(&row.key);
        Ok(loaded.rows.into_iter().filter(own).collect())
    }
}

/// How far a batch is, all parts together.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Whole {
    /// The counts.
    pub tally: Tally,
    /// How long the rest is expected to take.
    pub left: Option<Duration>,
    /// Runs whose certificate failed.
    pub failed_certificates: usize,
}

/// `1,4-6`.
fn ranges(numbers: &BTreeSet<usize>) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let shown = runs.iter().map(|&(a, b)| match a == b {
        true => a.to_string(),
        false => format!("{a}-{b}"),
    });
    shown.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_listed_as_slurm_wants_them() {
        let list = |numbers: &[usize]| ranges(&numbers.iter().copied().collect());
        assert_eq!(list(&[3]), "3");
        assert_eq!(list(&[1, 4, 5, 6, 9, 10]), "1,4-6,9-10");
    }
}
