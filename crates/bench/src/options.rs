//! What a batch is asked to do.

use std::path::PathBuf;
use std::time::Duration;

use foretell_process::{Limits, SignalPolicy};

use crate::error::BenchError;
use crate::inputs::{self, Task};
use crate::tool::Tool;

/// One part of a batch that is spread over machines: part `index` (from 1) of `count`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which part, from 1.
    pub index: usize,
    /// How many parts.
    pub count: usize,
}

impl Shard {
    /// Reads `3/8`.
    ///
    /// # Errors
    /// A message when the text is no such pair with `1 <= 3 <= 8`.
    pub fn parse(text: &str) -> Result<Shard, String> {
        let wrong = || format!("\"{text}\" is no shard; try 1/8");
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let number = |t: &str| t.trim().parse::<usize>().map_err(|_| wrong());
        let shard = Shard {
            index: number(index)?,
            count: number(count)?,
        };
        if (1..=shard.count).contains(&shard.index) {
            Ok(shard)
        } else {
            Err(wrong())
        }
    }
}

/// Names one start of a part: two starts of one part that are alive at once, as after a network split,
/// write to different files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt(String);

impl Attempt {
    /// Reads a name of letters, digits, `-`, `_` and `.`.
    ///
    /// # Errors
    /// A message when the text is no such name.
    pub fn parse(text: &str) -> Result<Attempt, String> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if (1..=80).contains(&text.len()) && text.chars().all(plain) {
            Ok(Attempt(text.to_owned()))
        } else {
            Err(format!(
                "\"{text}\" is no name of an attempt; try letters, digits, dots and dashes"
            ))
        }
    }
}

/// Whether runs of our own tool leave a page that explains them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Pages {
    /// They do not.
    #[default]
    None,
    /// Each writes one into the folder of results.
    Written,
}

/// A part of a batch has about so many files, so that a scheduler can balance them.
const FILES_PER_PART: usize = 20;
/// Slurm takes no more parts unless told otherwise.
const MOST_PARTS: usize = 1000;

/// A batch: which tools on which files, under which limits, results where.
#[derive(Clone, Debug)]
pub struct BenchOptions {
    /// Files, folders, lists (see [`crate::inputs`]).
    pub inputs: Vec<PathBuf>,
    /// Only tasks whose name matches one of these patterns (`*`, `**`, `?`); all when empty.
    pub only: Vec<String>,
    /// The tools.
    pub tools: Vec<Tool>,
    /// Time limit of each run.
    pub timeout: Duration,
    /// Memory limit of each run's process tree.
    pub memory: Option<u64>,
    /// How many runs at once.
    pub jobs: usize,
    /// Folder of results; a run with results there goes on where it stopped.
    pub out: PathBuf,
    /// Which part of the batch.
    pub shard: Option<Shard>,
    /// Which start of that part.
    pub attempt: Option<Attempt>,
    /// Whether runs of our own tool leave a page.
    pub pages: Pages,
    /// The executable that holds the process shim; the running one when absent.
    pub executable: Option<PathBuf>,
    /// Whether SIGINT and SIGTERM end the batch in good order.
    pub signals: SignalPolicy,
}

impl BenchOptions {
    /// A batch with a limit of 20 s, one job, no tools yet.
    pub fn new(inputs: Vec<PathBuf>, out: PathBuf) -> Self {
        BenchOptions {
            inputs,
            only: Vec::new(),
            tools: Vec::new(),
            timeout: Duration::from_secs(20),
            memory: None,
            jobs: 1,
            out,
            shard: None,
            attempt: None,
            pages: Pages::None,
            executable: None,
            signals: SignalPolicy::Watch,
        }
    }

    /// All tasks of the batch, of all shards.
    ///
    /// # Errors
    /// When inputs or patterns are wrong or nothing is found.
    pub(crate) fn all_tasks(&self) -> Result<Vec<Task>, BenchError> {
        let pattern = |text: &String| {
            glob::Pattern::new(text)
                .map_err(|e| BenchError::Options(format!("pattern \"{text}\": {e}")))
        };
        let only = self
            .only
            .iter()
            .map(pattern)
            .collect::<Result<Vec<_>, _>>()?;
        let mut tasks = inputs::collect(&self.inputs)?;
        tasks.retain(|t| only.is_empty() || only.iter().any(|p| p.matches(&t.name)));
        if tasks.is_empty() {
            Err(BenchError::NothingToRun)
        } else {
            Ok(tasks)
        }
    }

    /// The tasks of this shard: every `count`-th.
    ///
    /// # Errors
    /// As [`BenchOptions::all_tasks`].
    pub fn tasks(&self) -> Result<Vec<Task>, BenchError> {
        let tasks = self.all_tasks()?;
        Ok(match self.shard {
            None => tasks,
            Some(shard) => tasks
                .into_iter()
                .skip(shard.index - 1)
                .step_by(shard.count)
                .collect(),
        })
    }

    /// How many parts the batch has when nobody says.
    ///
    /// # Errors
    /// As [`BenchOptions::tasks`].
    pub fn parts(&self) -> Result<usize, BenchError> {
        let files = self.all_tasks()?.len();
        Ok(files.div_ceil(FILES_PER_PART).clamp(1, MOST_PARTS))
    }

    /// Which part and which start of it, as in names of files.
    pub(crate) fn label(&self) -> String {
        let part = self.shard.map(|s| format!(".{}-of-{}", s.index, s.count));
        let attempt = self.attempt.as_ref().map(|a| format!(".a{}", a.0));
        part.unwrap_or_default() + &attempt.unwrap_or_default()
    }

    /// Name of the file this run appends to.
    pub(crate) fn journal_name(&self) -> String {
        format!("results{}.jsonl", self.label())
    }

    /// When a run is killed: a tool that keeps the limit itself gets a moment to say so.
    pub(crate) fn limits(&self) -> Limits {
        let grace = self.timeout.mul_f64(0.02).max(Duration::from_millis(500));
        Limits {
            wall: Some(self.timeout + grace),
            cpu: None,
            memory: self.memory,
        }
    }

    pub(crate) fn check(&self) -> Result<(), BenchError> {
        let problem = if self.tools.is_empty() {
            Some("no tool to run".to_owned())
        } else if self.timeout.is_zero() {
            Some("the time limit is zero".to_owned())
        } else {
            let mut names: Vec<&str> = self.tools.iter().map(|t| t.name.as_str()).collect();
            names.sort_unstable();
            names
                .windows(2)
                .find(|w| w[0] == w[1])
                .map(|w| format!("two tools are named \"{}\"", w[0]))
        };
        problem.map_or(Ok(()), |p| Err(BenchError::Options(p)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_read() {
        assert_eq!(Shard::parse("2/8"), Ok(Shard { index: 2, count: 8 }));
        for wrong in ["", "0/3", "4/3", "1", "a/b", "1/0", "-1/2"] {
            assert!(Shard::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_start_of_a_part_has_a_file_of_its_own() {
        let mut options = BenchOptions::new(Vec::new(), PathBuf::new());
        assert_eq!(options.journal_name(), "results.jsonl");
        options.shard = Some(Shard { index: 2, count: 8 });
        assert_eq!(options.journal_name(), "results.2-of-8.jsonl");
        options.attempt = Some(Attempt::parse("17-0").unwrap());
        assert_eq!(options.journal_name(), "results.2-of-8.a17-0.jsonl");
        for wrong in ["", "a/b", "a b", "\n"] {
            assert!(Attempt::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tools_need_different_names() {
        let mut options = BenchOptions::new(Vec::new(), PathBuf::new());
        assert!(options.check().is_err());
        options.tools = vec![Tool::parse("a=x").unwrap(), Tool::parse("a=y").unwrap()];
        assert!(options.check().unwrap_err().to_string().contains("\"a\""));
        options.tools.pop();
        assert!(options.check().is_ok());
    }
}
