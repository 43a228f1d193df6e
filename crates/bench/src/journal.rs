//! Results on disk: append-only JSON lines that survive `kill -9`.
//!
//! Each row is one `write` to a file opened for appending, followed by `fdatasync`. A row that a
//! crash tore has no line end; it is cut off at the next start, and its run is done again. A file
//! is locked while it is written, so two runs never share one. A start that has a name of its own
//! (an attempt) writes to a file that nobody else writes to, and goes on where there are no locks.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::error::BenchError;
use crate::row::{Key, ROW_VERSION, Row};

/// Rows read from results, with what was not understood.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Loaded {
    /// The rows in the order of files and lines.
    pub rows: Vec<Row>,
    /// Lines that are no rows: `file:line`.
    pub skipped: Vec<String>,
}

/// Reads all rows of a folder (`results*.jsonl`) or of one file.
///
/// # Errors
/// When the path cannot be read or holds no results.
pub fn load(path: &Path) -> Result<Loaded, BenchError> {
    let mut loaded = Loaded::default();
    for file in files(path)? {
        let bytes = fs::read(&file).map_err(|e| BenchError::input(&file, &e))?;
        let ended = bytes.iter().filter(|&&b| b == b'\n').count();
        for (number, line) in bytes.split(|&b| b == b'\n').enumerate() {
            if line.trim_ascii().is_empty() {
                continue;
            }
            match serde_json::from_slice::<Row>(line) {
                Ok(row) if row.v <= ROW_VERSION => loaded.rows.push(row),
                // What has no line end is being written, or was torn: its run is done again.
                _ if number == ended => {}
                _ => loaded
                    .skipped
                    .push(format!("{}:{}", file.display(), number + 1)),
            }
        }
    }
    Ok(loaded)
}

/// The result files of a folder, sorted; a file is itself.
fn files(path: &Path) -> Result<Vec<PathBuf>, BenchError> {
    let kind = fs::metadata(path).map_err(|e| BenchError::input(path, &e))?;
    if kind.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path).map_err(|e| BenchError::input(path, &e))?;
    let is_result = |p: &PathBuf| {
        let name = p.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("results") && name.ends_with(".jsonl") && p.is_file()
    };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .map(|e| e.path())
        .filter(is_result)
        .collect();
    found.sort();
    if found.is_empty() {
        return Err(BenchError::malformed(
            path,
            "no results*.jsonl in this folder",
        ));
    }
    Ok(found)
}

/// What keeps others from a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Guard {
    /// A lock.
    Lock,
    /// Its name; a lock too, where there are locks.
    Name,
}

/// The file that a run appends to.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    /// Keys of all rows in the folder; appending one of them again is refused.
    done: BTreeSet<Key>,
}

impl Drop for Journal {
    /// Closing is not enough: a process that is just being started has the file open too, until its program
    /// begins, and would keep it locked so long.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl Journal {
    /// Opens (or makes) `folder/name`, cuts off a torn row, and learns what is done already.
    ///
    /// # Errors
    /// When the folder cannot be written or another run holds the file.
    pub(crate) fn open(folder: &Path, name: &str, guard: Guard) -> Result<Journal, BenchError> {
        fs::create_dir_all(folder).map_err(|e| BenchError::output(folder, &e))?;
        let path = folder.join(name);
        let failed = |e: std::io::Error| BenchError::output(&path, &e);
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(&path)
            .map_err(failed)?;
        if !file.metadata().is_ok_and(|m| m.is_file()) {
            return Err(BenchError::malformed(&path, "not a regular file"));
        }
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(BenchError::Busy(path)),
            Err(fs::TryLockError::Error(_)) if guard == Guard::Name => {}
            Err(fs::TryLockError::Error(error)) => return Err(failed(error)),
        }
        cut_torn_row(&mut file).map_err(failed)?;
        // The file's name must survive a crash as well.
        File::open(folder)
            .and_then(|f| f.sync_all())
            .map_err(failed)?;
        let done = load(folder)?.rows.into_iter().map(|row| row.key).collect();
        Ok(Journal { path, file, done })
    }

    /// Whether this run is recorded already.
    pub(crate) fn contains(&self, key: &Key) -> bool {
        self.done.contains(key)
    }

    /// Records a run; returns when it is on disk. A key that is there already is not written again.
    ///
    /// # Errors
    /// When the disk refuses: the row may then be torn and will be cut off at the next start.
    pub(crate) fn append(&mut self, row: &Row) -> Result<(), BenchError> {
        self.write(row)?;
        self.sync()
    }

    /// Writes a run without waiting for the disk.
    fn write(&mut self, row: &Row) -> Result<(), BenchError> {
        if !self.done.insert(row.key.clone()) {
            return Ok(());
        }
        let failed = |e: std::io::Error| BenchError::output(&self.path, &e);
        let mut line = serde_json::to_vec(row).map_err(|e| failed(e.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(failed)
    }

    /// Waits until what was written is on disk.
    fn sync(&self) -> Result<(), BenchError> {
        let failed = |e: std::io::Error| BenchError::output(&self.path, &e);
        self.file.sync_data().map_err(failed)
    }
}

/// Shortens the file to its last line end.
fn cut_torn_row(file: &mut File) -> std::io::Result<()> {
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut block = vec![0; 64 << 10];
    let whole = end;
    while end > 0 {
        let start = end.saturating_sub(block.len() as u64);
        let part = &mut block[..(end - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(part)?;
        if let Some(at) = part.iter().rposition(|&b| b == b'\n') {
            end = start + at as u64 + 1;
            break;
        }
        end = start;
    }
    if end < whole {
        file.set_len(end).and_then(|()| file.sync_all())
    } else {
        Ok(())
    }
}

/// Merges result folders or files into one folder: each key once, logs and pages copied beside.
///
/// # Errors
/// When a source cannot be read or the target cannot be written.
pub fn merge(sources: &[PathBuf], target: &Path) -> Result<Merged, BenchError> {
    let mut journal = Journal::open(target, "results.jsonl", Guard::Lock)?;
    let mut merged = Merged::default();
    for source in sources {
        let loaded = load(source)?;
        merged.skipped.extend(loaded.skipped);
        let mut logs = Logs::new(source, target);
        for row in loaded.rows {
            if journal.contains(&row.key) {
                merged.doubled += 1;
                continue;
            }
            for file in row.log.iter().chain(&row.page) {
                logs.copy(file);
            }
            journal.write(&row)?;
            merged.rows += 1;
        }
    }
    // Once for all: a merge that was torn is done again.
    journal.sync()?;
    Ok(merged)
}

/// What a merge did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Merged {
    /// Rows added.
    pub rows: usize,
    /// Rows left out because their key was there already.
    pub doubled: usize,
    /// Lines that are no rows: `file:line`.
    pub skipped: Vec<String>,
}

/// Copies logs and pages from one folder of results to another; one that is missing is no loss of a result.
struct Logs<'a> {
    /// Absent when both folders are the same.
    from: Option<PathBuf>,
    target: &'a Path,
    /// Folders that are there.
    made: BTreeSet<PathBuf>,
}

impl<'a> Logs<'a> {
    fn new(source: &Path, target: &'a Path) -> Logs<'a> {
        let folder = if source.is_dir() {
            source
        } else {
            source.parent().unwrap_or(source)
        };
        let same = fs::canonicalize(folder).ok() == fs::canonicalize(target).ok();
        Logs {
            from: (!same).then(|| folder.to_owned()),
            target,
            made: BTreeSet::new(),
        }
    }

    fn copy(&mut self, log: &str) {
        let mut parts = Path::new(log).components();
        let safe = parts.all(|c| matches!(c, std::path::Component::Normal(_)));
        let to = self.target.join(log);
        let (Some(from), Some(folder), true) = (&self.from, to.parent(), safe) else {
            return;
        };
        if !self.made.contains(folder) && fs::create_dir_all(folder).is_ok() {
            self.made.insert(folder.to_owned());
        }
        let _ = fs::copy(from.join(log), &to);
    }
}

#[cfg(test)]
mod tests;
