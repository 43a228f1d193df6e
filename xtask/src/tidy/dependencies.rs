//! What the manifests say against what the architecture page allows and the code uses.

use std::fs;
use std::io;
use std::path::Path;

use super::surface::Found;
use super::{File, words};

/// What is wrong with the dependencies.
pub(super) fn problems(root: &Path, files: &[File]) -> io::Result<Vec<Found>> {
    let page = fs::read_to_string(root.join("docs/architecture.md"))?;
    let edges = allowed_edges(&page);
    let (mut found, mut manifests) = (Vec::new(), String::new());
    let mut names: Vec<_> = fs::read_dir(root.join("crates"))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    for krate in &names {
        let folder = format!("crates/{krate}");
        let manifest = fs::read_to_string(root.join(&folder).join("Cargo.toml"))?;
        found.extend(edge_problems(krate, &manifest, &edges));
        found.extend(unused(&folder, &manifest, files));
        manifests.push_str(&manifest);
    }
    manifests.push_str(&fs::read_to_string(root.join("xtask/Cargo.toml"))?);
    let whole = fs::read_to_string(root.join("Cargo.toml"))?;
    for name in section(&whole, "[workspace.dependencies]") {
        if !manifests.lines().any(|line| entry(line) == Some(name)) {
            found.push((
                name.into(),
                "Cargo.toml".into(),
                "is a dependency of no crate",
            ));
        }
    }
    Ok(found)
}

fn edge_problems(krate: &str, manifest: &str, edges: &[(String, Vec<String>)]) -> Vec<Found> {
    let path = format!("crates/{krate}/Cargo.toml");
    let Some((_, allowed)) = edges.iter().find(|(name, _)| name == krate) else {
        return vec![(
            krate.into(),
            path,
            "is not in the table of docs/architecture.md",
        )];
    };
    let own = section(manifest, "[dependencies]");
    own.filter_map(|name| name.strip_prefix("foretell-"))
        .filter(|name| !allowed.iter().any(|a| a == "*" || a == name))
        .map(|name| {
            (
                name.into(),
                path.clone(),
                "is an edge that docs/architecture.md does not allow",
            )
        })
        .collect()
}

/// The dependencies whose name occurs nowhere in the files that may use them.
fn unused(folder: &str, manifest: &str, files: &[File]) -> Vec<Found> {
    let tables = [
        ("[dependencies]", format!("{folder}/src/")),
        ("[dev-dependencies]", format!("{folder}/")),
    ];
    let mut found = Vec::new();
    for (table, place) in tables {
        for name in section(manifest, table) {
            let word = name.replace('-', "_");
            let mut own = files.iter().filter(|file| file.name.starts_with(&place));
            if !own.any(|file| words(&file.text).any(|w| w == word)) {
                found.push((
                    name.into(),
                    format!("{folder}/Cargo.toml"),
                    "is a dependency that is not used",
                ));
            }
        }
    }
    found
}

/// The rows `| `crate` | … | a, b |` of the table; `all above …` and `driver and …` allow anything.
fn allowed_edges(page: &str) -> Vec<(String, Vec<String>)> {
    let mut edges = Vec::new();
    for line in page.lines().filter(|l| l.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, allowed] = cells.as_slice() else {
            continue;
        };
        let free = allowed.starts_with("all above");
        let list = if free {
            vec!["*".to_string()]
        } else {
            allowed.split(", ").map(String::from).collect()
        };
        edges.push((name.trim_matches('`').to_string(), list));
    }
    edges
}

/// The names in a section of a manifest.
fn section<'m>(manifest: &'m str, title: &str) -> impl Iterator<Item = &'m str> {
    let lines = manifest.lines().skip_while(move |line| *line != title);
    let title = title.to_owned();
    let lines = lines.skip_while(move |line| *line == title);
    lines
        .take_while(|line| !line.starts_with('['))
        .filter_map(entry)
}

/// The name that a line of a manifest is about.
fn entry(line: &str) -> Option<&str> {
    let name = line.split(['.', ' ', '=']).next()?;
    (!name.is_empty() && !name.starts_with('#')).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::{File, allowed_edges, edge_problems, section, unused};

    const MANIFEST: &str = "[dependencies]\nforetell-terms.workspace = true\nindexmap = \"1\"\n\n[dev-dependencies]\nforetell-solver.workspace = true\n";

    #[test]
    fn edges_are_read() {
        let edges = allowed_edges("| `kernel` | words | terms |\n");
        assert_eq!(edges, [("kernel".to_string(), vec!["terms".to_string()])]);
        let names: Vec<&str> = section(MANIFEST, "[dependencies]").collect();
        assert_eq!(names, ["foretell-terms", "indexmap"]);
        assert!(edge_problems("kernel", MANIFEST, &edges).is_empty());
        assert_eq!(edge_problems("other", MANIFEST, &edges).len(), 1);
        let none = allowed_edges("| `kernel` | words | – |\n");
        assert_eq!(edge_problems("kernel", MANIFEST, &none).len(), 1);
    }

    #[test]
    fn what_is_not_used_is_found() {
        let file = |name: &str, text: &str| File {
            name: name.to_owned(),
            text: text.to_owned(),
        };
        let files = [
            file("crates/x/src/lib.rs", "use foretell_terms::Term;"),
            file(
                "crates/x/tests/a.rs",
                "use indexmap::IndexMap; use foretell_solver::Z3;",
            ),
        ];
        assert_eq!(unused("crates/x", MANIFEST, &files).len(), 1);
    }
}
