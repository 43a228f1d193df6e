//! What one file must be like.

use super::File;

const MAX_LINES: usize = 500;

/// What is wrong with a file.
pub(super) fn problems(file: &File) -> Vec<String> {
    let File { name, text } = file;
    let mut found = Vec::new();
    let lines = text.lines().count();
    if lines > MAX_LINES {
        found.push(format!("{name}: {lines} lines, more than {MAX_LINES}"));
    }
    let header: Vec<&str> = text
        .lines()
        .skip_while(|l| l.starts_with("#!"))
        .take_while(|l| l.starts_with("//!"))
        .collect();
    if header.is_empty() {
        found.push(format!("{name}: no `//!` header"));
    }
    if is_algorithm(name) && !names_its_source(&header.join(" ")) {
        found.push(format!(
            "{name}: the header names no paper (with its year), and says neither that this is a part nor that it is of this project"
        ));
    }
    for (i, line) in text.lines().enumerate() {
        found.extend(line_problem(line).map(|words| format!("{name}:{}: {words}", i + 1)));
    }
    found
}

/// Whether a file is the root of an engine or a layer; what lies deeper is a part of it.
fn is_algorithm(name: &str) -> bool {
    let inside = ["crates/engines/src/", "crates/layers/src/"]
        .iter()
        .find_map(|folder| name.strip_prefix(folder));
    let Some(inside) = inside else {
        return false;
    };
    let root =
        !inside.contains('/') || inside.ends_with("/mod.rs") && inside.matches('/').count() == 1;
    root && !["lib.rs", "tests.rs"].contains(&inside)
}

fn names_its_source(header: &str) -> bool {
    let year = |word: &str| word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
    let mut words = super::words(header);
    words.any(|w| (year(w) && w.parse::<u32>().is_ok()) || ["part", "Part", "parts"].contains(&w))
        || header.contains("of this project")
}

fn line_problem(line: &str) -> Option<&'static str> {
    let marks = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
    ];
    let places = [
        concat!("/ho", "me/"),
        concat!("/ro", "ot/"),
        concat!("/wo", "rk/"),
    ];
    if marks.iter().any(|m| line.contains(m)) {
        return Some("an open mark");
    }
    let placed = places.iter().any(|p| line.contains(p));
    placed.then_some("a path of one machine")
}

#[cfg(test)]
mod tests {
    use super::{File, problems};

    fn found(name: &str, text: &str) -> usize {
        let (name, text) = (name.to_owned(), text.to_owned());
        problems(&File { name, text }).len()
    }

    #[test]
    fn untidy_files_are_found() {
        assert_eq!(found("a.rs", "fn main() {}\n"), 1);
        assert_eq!(found("a.rs", &"//! x\n".repeat(501)), 1);
        assert_eq!(found("a.rs", "//! Fine.\n"), 0);
    }

    #[test]
    fn algorithms_name_a_paper() {
        assert_eq!(found("crates/engines/src/x.rs", "//! Fast.\n"), 1);
        assert_eq!(found("crates/engines/src/x/mod.rs", "//! Fast.\n"), 1);
        assert_eq!(
            found("crates/engines/src/x.rs", "//! Somebody, CAV 2014.\n"),
            0
        );
        assert_eq!(found("crates/engines/src/x/deep.rs", "//! Fast.\n"), 0);
    }
}
