//! The rules of the house that neither the compiler nor clippy checks.
//!
//! * [`files`]: no Rust file is longer than 500 lines, each opens with a `//!` header, no open marks, no
//!   path of one machine; engines and layers name a paper, or say that
//!   they are a part or of this project (what lies in the folder of one is a part of it).
//! * [`dependencies`]: a crate depends only on what `docs/architecture.md` lists for it, and on nothing it
//!   does not use.
//! * [`surface`]: functions and constants that are public are used outside their crate, and options are
//!   read. What is exempt is in `xtask/tidy-allow.txt`, with a reason; an exemption that is not needed is a
//!   problem too.
//!
//! The commands of the README are run by `tools/smoke`.

mod dependencies;
mod files;
mod surface;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A Rust file: its path from the root, and its text.
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// Everything that is wrong, one line each.
pub(crate) fn problems(root: &Path) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    for folder in ["crates", "xtask", "fuzz"] {
        for path in rust_files(&root.join(folder))? {
            let text = fs::read_to_string(&path)?;
            let name = path.strip_prefix(root).unwrap_or(&path);
            let name = name.display().to_string();
            files.push(File { name, text });
        }
    }
    let allowed = fs::read_to_string(root.join("xtask/tidy-allow.txt"))?;
    let mut found: Vec<String> = files.iter().flat_map(files::problems).collect();
    let mut others = dependencies::problems(root, &files)?;
    others.extend(surface::problems(&files));
    found.extend(without_exempt(others, &allowed));
    Ok(found)
}

/// What is not exempt; `allowed` has lines `item path reason`, all of which must be needed. The item `*`
/// stands for all of a folder.
fn without_exempt(found: Vec<surface::Found>, allowed: &str) -> Vec<String> {
    let lines = allowed.lines().filter(|line| !line.starts_with('#'));
    let mut exempt: BTreeSet<String> = lines
        .map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect();
    let mut complaints = Vec::new();
    let mut used = BTreeSet::new();
    for (item, path, words) in found {
        let whole = |key: &&String| key.strip_prefix("* ").is_some_and(|f| path.starts_with(f));
        if let Some(key) = exempt.iter().find(whole) {
            used.insert(key.clone());
        } else if !exempt.remove(&format!("{item} {path}")) {
            complaints.push(format!("{path}: `{item}` {words}"));
        }
    }
    let idle = |key: &String| format!("xtask/tidy-allow.txt: `{key}` needs no exemption");
    complaints.extend(exempt.difference(&used).map(idle));
    complaints
}

fn rust_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut work) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = work.pop() {
        let entries = fs::read_dir(&folder)?.collect::<io::Result<Vec<_>>>()?;
        let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
        paths.sort();
        for path in paths {
            let skipped = ["target", "assets"].map(std::ffi::OsStr::new);
            if path.is_dir() && !skipped.iter().any(|s| path.file_name() == Some(s)) {
                work.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(path);
            }
        }
    }
    Ok(files)
}

/// The words of a text: letters, digits and underscores.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{problems, without_exempt};
    use std::path::Path;

    #[test]
    fn exemptions_are_needed_ones() {
        let found = || vec![("f".to_owned(), "a.rs".to_owned(), "is bad")];
        assert_eq!(without_exempt(found(), "# why\n").len(), 1);
        assert_eq!(without_exempt(found(), "f a.rs for later\n").len(), 0);
        assert_eq!(without_exempt(found(), "* a young\n").len(), 0);
        assert_eq!(without_exempt(Vec::new(), "* a young\n").len(), 1);
        assert_eq!(without_exempt(Vec::new(), "f a.rs for later\n").len(), 1);
    }

    #[test]
    fn the_repository_is_tidy() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let found = problems(root).unwrap();
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}
