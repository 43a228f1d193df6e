//! Reproducers: what shows an incident to whoever looks into it.
//!
//! They lie in the user's own cache folder, can be read by nobody else, and are not many: the oldest
//! goes when there is no room. Each says by which command it is repeated.

use std::fs;
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use foretell_driver::Incident;

use crate::streams::notice;

/// So many are kept in the folder that nobody named.
const MOST: usize = 20;
/// The input of an incident among its files.
const INPUT: &str = "input.smt2";

/// Saves what reproduces an incident; gives the folder.
pub(crate) fn save(folder: Option<&Path>, incident: &Incident) -> Result<PathBuf, String> {
    let root = folder.map_or_else(own_folder, Path::to_owned);
    let failed = |e: io::Error| format!("cannot save a reproducer in {}: {e}", root.display());
    private(&root).map_err(failed)?;
    if folder.is_none() {
        make_room(&root);
    }
    let target = (0..u32::MAX)
        .map(|n| root.join(format!("{}-{n}", std::process::id())))
        .find(|path| !path.exists())
        .unwrap_or_else(|| root.clone());
    private(&target).map_err(failed)?;
    for (name, contents) in &incident.files {
        fs::write(target.join(name), contents).map_err(failed)?;
    }
    fs::write(target.join("what.txt"), format!("{}\n", incident.what)).map_err(failed)?;
    let command = command(&std::env::args().collect::<Vec<_>>(), &target);
    fs::write(target.join("command.txt"), command).map_err(failed)?;
    Ok(target)
}

/// `foretell/reproducers` in the user's cache folder, or in the one for temporary files.
fn own_folder() -> PathBuf {
    let absolute = |name: &str| {
        let folder = std::env::var_os(name).map(PathBuf::from);
        folder.filter(|path| path.is_absolute())
    };
    let cache = absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|h| h.join(".cache")));
    let cache = cache.unwrap_or_else(std::env::temp_dir);
    cache.join("foretell").join("reproducers")
}

/// A folder that only its owner may look into.
fn private(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
}

/// Removes the oldest until there is room for one more.
fn make_room(root: &Path) {
    let age = |path: &PathBuf| -> Option<SystemTime> { fs::metadata(path).ok()?.modified().ok() };
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    let mut saved: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.join("what.txt").is_file())
        .collect();
    saved.sort_by_key(age);
    let surplus = (saved.len() + 1).saturating_sub(MOST);
    for path in &saved[..surplus] {
        // Another run may have been quicker.
        let _ = fs::remove_dir_all(path);
    }
}

/// The command of this run on the input that was saved.
fn command(arguments: &[String], folder: &Path) -> String {
    let input = folder.join(INPUT);
    let is_input = |argument: &str| {
        argument == "-" || fs::read(argument).is_ok_and(|a| fs::read(&input).is_ok_and(|b| a == b))
    };
    let mut words: Vec<String> = arguments
        .iter()
        .enumerate()
        .map(|(at, word)| match at > 0 && is_input(word) {
            true => quoted(INPUT),
            false => quoted(word),
        })
        .collect();
    if input.is_file() && !words.iter().any(|word| word == INPUT) {
        words.push(quoted(INPUT));
    }
    let folder = quoted(&folder.to_string_lossy());
    format!("cd {folder} && {}\n", words.join(" "))
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Saves the command line of a run that failed inside this process, and the files it names.
pub(crate) fn save_panic() {
    let arguments: Vec<String> = std::env::args().collect();
    let mut files = Vec::new();
    for argument in arguments.iter().skip(1).filter(|a| Path::new(a).is_file()) {
        let name = Path::new(argument)
            .file_name()
            .map(|n| n.to_string_lossy().into_owned());
        if let (Some(name), Ok(bytes)) = (name, fs::read(argument)) {
            files.push((name, bytes));
        }
    }
    let incident = Incident {
        what: "internal error of the supervisor".to_owned(),
        files,
    };
    match save(None, &incident) {
        Ok(folder) => notice(&format!("internal error, saved in {}", folder.display())),
        Err(error) => notice(&format!("internal error; {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("--engine=bmc"), "--engine=bmc");
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
