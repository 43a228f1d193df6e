//! The rules of the house that neither the compiler nor clippy checks.
//!
//! * No Rust file is longer than 600 lines, and each opens with a `//!` header.
//! * Headers of algorithm files (engines, layers) name a paper or say that they are parts.
//! * A crate depends only on what `docs/architecture.md` lists for it.
//! * No open marks, no path of one machine.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const MAX_LINES: usize = 600;

/// Everything that is wrong, one line each.
pub(crate) fn problems(root: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut files = Vec::new();
    rust_files(&root.join("crates"), &mut files)?;
    rust_files(&root.join("xtask"), &mut files)?;
    for file in &files {
        let text = fs::read_to_string(file)?;
        let name = file
            .strip_prefix(root)
            .unwrap_or(file)
            .display()
            .to_string();
        found.extend(file_problems(&name, &text));
    }
    found.extend(edge_problems(root)?);
    Ok(found)
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut work = vec![folder.to_path_buf()];
    while let Some(folder) = work.pop() {
        let mut entries: Vec<PathBuf> = fs::read_dir(&folder)?
            .filter_map(|e| e.ok().map(|e| e.path()))
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir()
                && path
                    .file_name()
                    .is_some_and(|n| n != "target" && n != "assets")
            {
                work.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                files.push(path);
            }
        }
    }
    Ok(())
}

fn file_problems(name: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let lines = text.lines().count();
    if lines > MAX_LINES {
        found.push(format!("{name}: {lines} lines, more than {MAX_LINES}"));
    }
    let first = text.lines().find(|l| !l.starts_with("#!")).unwrap_or("");
    if !first.starts_with("//!") {
        found.push(format!("{name}: no `//!` header"));
    }
    for (i, line) in text.lines().enumerate() {
        let marks = [
            concat!("TO", "DO"),
            concat!("FIX", "ME"),
            concat!("XX", "X"),
        ];
        if marks.iter().any(|m| line.contains(m)) {
            found.push(format!("{name}:{}: an open mark", i + 1));
        }
        let places = [
            concat!("/ho", "me/"),
            concat!("/ro", "ot/"),
            concat!("/wo", "rk/"),
        ];
        if places.iter().any(|p| line.contains(p)) {
            found.push(format!("{name}:{}: a path of one machine", i + 1));
        }
    }
    found
}

/// Compares `[dependencies]` of each crate with the table of the architecture page.
fn edge_problems(root: &Path) -> io::Result<Vec<String>> {
    let page = fs::read_to_string(root.join("docs/architecture.md"))?;
    let mut found = Vec::new();
    for (krate, allowed) in allowed_edges(&page) {
        let manifest = fs::read_to_string(root.join("crates").join(&krate).join("Cargo.toml"))?;
        for dependency in own_dependencies(&manifest) {
            let free = allowed.iter().any(|a| a == "*");
            if !free && !allowed.contains(&dependency) {
                found.push(format!(
                    "crates/{krate}: depends on {dependency}, which docs/architecture.md does not allow"
                ));
            }
        }
    }
    Ok(found)
}

/// The rows `| `crate` | … | a, b |` of the table; `all above …` and `driver and …` allow anything.
fn allowed_edges(page: &str) -> Vec<(String, Vec<String>)> {
    let mut edges = Vec::new();
    for line in page.lines().filter(|l| l.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, allowed] = cells.as_slice() else {
            continue;
        };
        let free = allowed.starts_with("all above") || allowed.starts_with("driver and");
        let list = if free {
            vec!["*".to_string()]
        } else {
            allowed.split(", ").map(String::from).collect()
        };
        edges.push((name.trim_matches('`').to_string(), list));
    }
    edges
}

/// The workspace crates in the `[dependencies]` section.
fn own_dependencies(manifest: &str) -> Vec<String> {
    let section = manifest.split("[dependencies]").nth(1).unwrap_or("");
    let section = section.split("\n[").next().unwrap_or("");
    let names = section.lines().filter_map(|l| l.strip_prefix("foretell-"));
    names
        .filter_map(|l| l.split(['.', ' ', '=']).next())
        .map(String::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{allowed_edges, file_problems, own_dependencies, problems};
    use std::path::Path;

    #[test]
    fn the_repository_is_tidy() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let found = problems(root).unwrap();
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    #[test]
    fn untidy_files_are_found() {
        assert_eq!(file_problems("a.rs", "fn main() {}\n").len(), 1);
        assert_eq!(file_problems("a.rs", &"//! x\n".repeat(601)).len(), 1);
        assert!(file_problems("a.rs", "//! Fine.\n").is_empty());
    }

    #[test]
    fn edges_are_read() {
        let edges = allowed_edges("| `kernel` | words | terms |\n");
        assert_eq!(edges, [("kernel".to_string(), vec!["terms".to_string()])]);
        let manifest = "[dependencies]\nforetell-terms.workspace = true\nindexmap = \"1\"\n\n[dev-dependencies]\nforetell-solver.workspace = true\n";
        assert_eq!(own_dependencies(manifest), ["terms"]);
    }
}
