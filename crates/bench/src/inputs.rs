//! What to run: files, folders, lists, `.set` files, task definitions and manifests.
//!
//! | given | means |
//! |---|---|
//! | a folder | every `.smt2`, `.smt`, `.vmt`, `.c`, `.i`, `.btor2` below it; `.yml` beside a file gives its verdict |
//! | `x.set` | one pattern (`*`, `**`, `?`) per line, relative to the file; matches are files or `.yml` |
//! | `x.yml` | a task definition ([`crate::taskdef`]) |
//! | `x.tsv` | a manifest: a header line, then `file`, `expected`, `set`, … separated by tabs |
//! | `x.txt`, `x.list` | one path per line, relative to the list; `#` starts a comment |
//! | any other file | itself |
//!
//! Expected verdicts come from the definition or manifest, else from the names of the folders,
//! nearest first: `safe`, `unsafe`, and for Horn clauses `sat`, `unsat`, as words in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use foretell_kernel::VerdictKind;

use crate::error::BenchError;
use crate::taskdef;
use crate::verdict::{format, read_line};

/// Files that a folder is searched for.
const EXTENSIONS: [&str; 6] = ["smt2", "smt", "vmt", "c", "i", "btor2"];
/// Folders nested deeper than this are not searched.
const DEPTH_MAX: usize = 32;

/// One input to run every tool on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Name in results: stable between machines, unique in a suite.
    pub name: String,
    /// Where the file is.
    pub path: PathBuf,
    /// The set that it belongs to.
    pub set: String,
    /// The verdict it should have, if known.
    pub expected: Option<VerdictKind>,
}

/// Finds all tasks, each file once, sorted by name.
///
/// # Errors
/// When an input does not exist, is malformed, or nothing is found.
pub(crate) fn collect(inputs: &[PathBuf]) -> Result<Vec<Task>, BenchError> {
    let mut tasks = Tasks::default();
    for input in inputs {
        tasks.add_input(input)?;
    }
    let tasks = tasks.finish();
    if tasks.is_empty() {
        Err(BenchError::NothingToRun)
    } else {
        Ok(tasks)
    }
}

/// Tasks by the canonical path of their file.
#[derive(Default)]
struct Tasks(BTreeMap<PathBuf, Task>);

impl Tasks {
    fn add_input(&mut self, input: &Path) -> Result<(), BenchError> {
        let kind = fs::metadata(input).map_err(|e| BenchError::input(input, &e))?;
        if kind.is_dir() {
            return self.add_folder(input);
        }
        match extension(input) {
            "set" => self.add_set(input),
            "tsv" => self.add_manifest(input),
            "txt" | "list" | "lst" => self.add_list(input),
            "yml" | "yaml" => self.add_definition(input, &shown(input), &set_of(input)),
            _ => {
                self.add(input.to_owned(), shown(input), set_of(input), None);
                Ok(())
            }
        }
    }

    /// Adds a file; one that is already there keeps its place and gains what is new.
    fn add(&mut self, path: PathBuf, name: String, set: String, expected: Option<VerdictKind>) {
        let key = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        self.add_real(key, path, name, set, expected);
    }

    /// The same with the real path of the file.
    fn add_real(
        &mut self,
        key: PathBuf,
        path: PathBuf,
        name: String,
        set: String,
        expected: Option<VerdictKind>,
    ) {
        let task = self.0.entry(key).or_insert(Task {
            name,
            path,
            set,
            expected: None,
        });
        task.expected = task.expected.or(expected);
    }

    fn add_folder(&mut self, root: &Path) -> Result<(), BenchError> {
        let base = root
            .file_name()
            .map(|n| n.to_string_lossy().into_owned())
            .unwrap_or_default();
        let real = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        for Found { path, kind } in files_below(root)? {
            let relative = path.strip_prefix(root).unwrap_or(&path);
            let name = if base.is_empty() {
                shown(relative)
            } else {
                format!("{base}/{}", shown(relative))
            };
            let set = match relative.parent().and_then(|p| p.components().next()) {
                Some(Component::Normal(first)) => first.to_string_lossy().into_owned(),
                _ => base.clone(),
            };
            match extension(&path) {
                "yml" | "yaml" => {
                    // Folders hold other YAML too; what is no task definition is no task.
                    let _ = self.add_definition(&path, &name, &set);
                }
                _ => match kind {
                    // No folder on the way is a link: the real path needs no question to the disk, of
                    // which a suite would ask ten thousand at the start of every part.
                    Kind::Plain => {
                        self.add_real(real.join(relative), path.clone(), name, set, None)
                    }
                    Kind::Link => self.add(path, name, set, None),
                },
            }
        }
        Ok(())
    }

    fn add_definition(&mut self, path: &Path, name: &str, set: &str) -> Result<(), BenchError> {
        let text = fs::read_to_string(path).map_err(|e| BenchError::input(path, &e))?;
        let definition = taskdef::parse(&text).map_err(|e| BenchError::malformed(path, &e))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let name = Path::new(name).with_file_name(&definition.input);
        self.add(
            folder.join(&definition.input),
            shown(&name),
            set.to_owned(),
            definition.expected,
        );
        Ok(())
    }

    fn add_set(&mut self, path: &Path) -> Result<(), BenchError> {
        let set = stem(path);
        let folder = path.parent().unwrap_or(Path::new(""));
        for pattern in lines_of(path)? {
            let full = folder.join(&pattern);
            let found = glob::glob(&full.to_string_lossy())
                .map_err(|e| BenchError::malformed(path, &format!("pattern \"{pattern}\": {e}")))?;
            for file in found.flatten() {
                let name = shown(file.strip_prefix(folder).unwrap_or(&file));
                match extension(&file) {
                    "yml" | "yaml" => self.add_definition(&file, &name, &set)?,
                    _ => self.add(file, name, set.clone(), None),
                }
            }
        }
        Ok(())
    }

    fn add_list(&mut self, path: &Path) -> Result<(), BenchError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        for line in lines_of(path)? {
            let beside = folder.join(&line);
            let file = if beside.exists() {
                beside
            } else {
                PathBuf::from(&line)
            };
            match extension(&file) {
                "yml" | "yaml" => self.add_definition(&file, &line, &stem(path))?,
                // A missing file stays: it is reported as unreadable, in its own row.
                _ => self.add(file, line, stem(path), None),
            }
        }
        Ok(())
    }

    fn add_manifest(&mut self, path: &Path) -> Result<(), BenchError> {
        let text = fs::read_to_string(path).map_err(|e| BenchError::input(path, &e))?;
        let mut lines = text.lines();
        let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
        let column = |name: &str| header.iter().position(|h| h.trim() == name);
        let file = column("file")
            .ok_or_else(|| BenchError::malformed(path, "the header has no column \"file\""))?;
        let (expected, set) = (column("expected"), column("set"));
        let folder = path.parent().unwrap_or(Path::new(""));
        for line in lines.filter(|l| !l.trim().is_empty()) {
            let cells: Vec<&str> = line.split('\t').collect();
            let cell = |at: Option<usize>| at.and_then(|at| cells.get(at)).map_or("", |c| c.trim());
            let name = cell(Some(file));
            let set = if cell(set).is_empty() {
                set_of(Path::new(name))
            } else {
                cell(set).to_owned()
            };
            let verdict = VerdictKind::from_name(cell(expected).trim()).filter(|v| v.is_answer());
            self.add(folder.join(name), name.to_owned(), set, verdict);
        }
        Ok(())
    }

    /// Gives tasks that share a name their paths as names, and expectations from folder names.
    fn finish(self) -> Vec<Task> {
        let mut tasks: Vec<Task> = self.0.into_values().collect();
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        tasks
            .iter()
            .for_each(|t| *count.entry(t.name.clone()).or_default() += 1);
        for task in &mut tasks {
            if count[&task.name] > 1 {
                task.name = shown(&task.path);
            }
            if task.expected.is_none() {
                task.expected = expected_from_folders(task);
            }
        }
        tasks.sort_by(|a, b| a.name.cmp(&b.name));
        tasks
    }
}

/// The verdict that the folders' names tell; a name with both words tells nothing.
fn expected_from_folders(task: &Task) -> Option<VerdictKind> {
    let folders = Path::new(&task.name)
        .parent()
        .into_iter()
        .chain(task.path.parent());
    let names = folders.flat_map(|f| f.components().rev().collect::<Vec<_>>());
    for component in names {
        let Component::Normal(name) = component else {
            continue;
        };
        let name = name.to_string_lossy().to_lowercase();
        let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
        let has = |word: &str| words.contains(&word);
        match (has("safe") || has("true"), has("unsafe") || has("false")) {
            (true, false) => return Some(VerdictKind::Safe),
            (false, true) => return Some(VerdictKind::Unsafe),
            (true, true) => return None,
            (false, false) => {}
        }
        if has("sat") != has("unsat") {
            let text = fs::read(&task.path).unwrap_or_default();
            let answer = if has("sat") { "sat" } else { "unsat" };
            return read_line(format(&task.name, &text), answer);
        }
    }
    None
}

/// A file below a folder.
struct Found {
    path: PathBuf,
    kind: Kind,
}

/// Whether a path says where its file is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A file of its own.
    Plain,
    /// A link, or something else.
    Link,
}

/// All benchmark files and task definitions below a folder, sorted; links to folders are not
/// followed.
fn files_below(root: &Path) -> Result<Vec<Found>, BenchError> {
    let mut found = Vec::new();
    let mut folders = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|e| BenchError::input(&folder, &e))?;
        for entry in entries.flatten() {
            let path = entry.path();
            let kind = entry.file_type();
            let is_folder = kind.as_ref().is_ok_and(|t| t.is_dir());
            if is_folder && depth < DEPTH_MAX {
                folders.push((path, depth + 1));
            } else if !is_folder
                && (EXTENSIONS.contains(&extension(&path)) || extension(&path) == "yml")
            {
                let kind = match kind.is_ok_and(|t| t.is_file()) {
                    true => Kind::Plain,
                    false => Kind::Link,
                };
                found.push(Found { path, kind });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// The lines of a list: trimmed, without comments and empty ones.
fn lines_of(path: &Path) -> Result<Vec<String>, BenchError> {
    let text = fs::read_to_string(path).map_err(|e| BenchError::input(path, &e))?;
    let lines = text
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    Ok(lines.map(str::to_owned).collect())
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|e| e.to_str()).unwrap_or("")
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map_or_else(|| "all".to_owned(), |s| s.to_string_lossy().into_owned())
}

/// The set of a lone file: its folder's name.
fn set_of(path: &Path) -> String {
    let folder = path.parent().and_then(Path::file_name);
    folder.map_or_else(|| "all".to_owned(), |f| f.to_string_lossy().into_owned())
}

/// A path as a name, without leading `./`.
fn shown(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.strip_prefix("./").unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests;
