//! The ledger of a campaign: an append-only file of JSON lines.
//!
//! A block says which cases were done, what came of them and what they cost; a finding says what was
//! wrong and in which file it is kept. A torn last line (the machine stopped) is cut off at the next start,
//! and the cases it told of are done again.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::case::CaseReport;

/// The file's name within the folder of a campaign.
const FILE: &str = "ledger.jsonl";

/// A line of the ledger.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case")]
pub enum Line {
    /// Cases that were done.
    Block(Block),
    /// Something that was wrong.
    Finding(Entry),
}

/// Cases that were done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// The campaign.
    pub campaign: String,
    /// The commit it ran on.
    pub commit: String,
    /// The first case.
    pub from: u64,
    /// Behind the last case.
    pub to: u64,
    /// Cases by kind.
    pub kinds: BTreeMap<String, u64>,
    /// Cases by what is known about them.
    pub truth: BTreeMap<String, u64>,
    /// Runs by engine and answer.
    pub runs: BTreeMap<String, u64>,
    /// Findings by kind.
    pub findings: BTreeMap<String, u64>,
    /// Processor time.
    pub cpu_seconds: f64,
    /// Wall-clock time.
    pub wall_seconds: f64,
}

/// Something that was wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The campaign.
    pub campaign: String,
    /// The case.
    pub seed: u64,
    /// What is wrong.
    pub kind: String,
    /// Details.
    pub words: String,
    /// The engine.
    pub engine: String,
    /// Its settings.
    pub settings: Vec<String>,
    /// The file that shows it.
    pub file: String,
    /// The reduced file, where reduction succeeded.
    pub reduced: Option<String>,
}

impl Block {
    /// An empty block at this place.
    pub fn at(campaign: &str, commit: &str, from: u64) -> Block {
        let (campaign, commit) = (campaign.to_owned(), commit.to_owned());
        Block {
            campaign,
            commit,
            from,
            to: from,
            ..Block::default()
        }
    }

    /// Counts a case.
    pub fn add(&mut self, report: &CaseReport) {
        *self.kinds.entry(report.kind.clone()).or_default() += 1;
        *self.truth.entry(report.truth.clone()).or_default() += 1;
        for run in &report.runs {
            *self.runs.entry(run.clone()).or_default() += 1;
        }
        self.to = self.to.max(report.seed + 1);
    }

    /// Adds the figures of another block.
    pub fn merge(&mut self, other: &Block) {
        for (mine, theirs) in [
            (&mut self.kinds, &other.kinds),
            (&mut self.truth, &other.truth),
            (&mut self.runs, &other.runs),
            (&mut self.findings, &other.findings),
        ] {
            for (name, n) in theirs {
                *mine.entry(name.clone()).or_default() += n;
            }
        }
        self.to = self.to.max(other.to);
        self.cpu_seconds += other.cpu_seconds;
        self.wall_seconds += other.wall_seconds;
    }

    /// How many cases.
    pub fn cases(&self) -> u64 {
        self.kinds.values().sum()
    }
}

/// An open ledger; nobody else writes to it meanwhile.
pub struct Ledger {
    folder: PathBuf,
    file: File,
    /// Everything that is in it.
    pub lines: Vec<Line>,
}

impl Ledger {
    /// Opens the ledger of a folder and cuts off a torn line.
    ///
    /// # Errors
    /// When the folder cannot be written, or another campaign writes to it.
    pub fn open(folder: &Path) -> io::Result<Ledger> {
        fs::create_dir_all(folder)?;
        let path = folder.join(FILE);
        let file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(&path)?;
        file.try_lock()
            .map_err(|_| io::Error::other("another campaign writes to this ledger"))?;
        let text = fs::read(&path)?;
        let whole = text
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |at| at + 1);
        file.set_len(whole as u64)?;
        let lines = String::from_utf8_lossy(&text[..whole]);
        let lines = lines
            .lines()
            .map(serde_json::from_str)
            .collect::<Result<_, _>>()?;
        Ok(Ledger {
            folder: folder.to_owned(),
            file,
            lines,
        })
    }

    /// Writes a line; returns when it is on disk.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn append(&mut self, line: Line) -> io::Result<()> {
        let mut text = serde_json::to_string(&line)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())?;
        self.file.sync_data()?;
        self.lines.push(line);
        Ok(())
    }

    /// The first case of a campaign that was not done yet.
    pub fn next(&self, campaign: &str) -> u64 {
        self.total(campaign).to
    }

    /// All blocks of a campaign as one.
    pub fn total(&self, campaign: &str) -> Block {
        let mut total = Block::at(campaign, "", 0);
        for line in &self.lines {
            if let Line::Block(block) = line
                && block.campaign == campaign
            {
                total.merge(block);
            }
        }
        total
    }

    /// Keeps a text beside the ledger and gives its name.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn keep(&self, name: &str, text: &str) -> io::Result<String> {
        fs::write(self.folder.join(name), text)?;
        Ok(name.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, Ledger, Line};
    use std::io::Write;

    #[test]
    fn a_torn_line_is_cut_off_and_the_rest_goes_on() {
        let folder = std::env::temp_dir().join(format!("foretell-ledger-{}", std::process::id()));
        let mut block = Block::at("systems", "c", 0);
        (block.to, block.cpu_seconds) = (10, 1.5);
        let mut ledger = Ledger::open(&folder).unwrap();
        assert!(Ledger::open(&folder).is_err(), "two writers");
        ledger.append(Line::Block(block)).unwrap();
        drop(ledger);
        let mut file = std::fs::OpenOptions::new()
            .append(true)
            .open(folder.join("ledger.jsonl"))
            .unwrap();
        file.write_all(b"{\"line\":\"blo").unwrap();
        drop(file);
        let mut ledger = Ledger::open(&folder).unwrap();
        assert_eq!((ledger.next("systems"), ledger.next("faults")), (10, 0));
        let mut block = Block::at("systems", "c", 10);
        (block.to, block.cpu_seconds) = (25, 2.0);
        ledger.append(Line::Block(block)).unwrap();
        drop(ledger);
        let ledger = Ledger::open(&folder).unwrap();
        let total = ledger.total("systems");
        assert_eq!((total.to, total.cpu_seconds), (25, 3.5));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
