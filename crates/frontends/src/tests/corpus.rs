//! The corpus: what it calls an error is refused where it says, the rest is read and printed again.

use std::path::{Path, PathBuf};

use foretell_smtlib::{Class, Severity};
use foretell_terms::TermStore;

use crate::{Problem, print_chc, print_vmt, read};

/// The problem files below a folder of the corpus, in order.
fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus")
        .join(folder);
    let mut found: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "smt2" || e == "vmt"))
        .collect();
    found.sort();
    assert!(!found.is_empty(), "{folder}");
    found
}

fn directive(path: &Path, key: &str) -> Option<String> {
    let beside = PathBuf::from(format!("{}.expect", path.display()));
    let bytes = std::fs::read(if beside.exists() {
        beside
    } else {
        path.to_path_buf()
    })
    .unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let line = text.lines().find_map(|line| {
        line.trim_start_matches(['\u{FEFF}', ';', ' '])
            .strip_prefix(key)
    });
    line.map(|value| value.trim().to_string())
}

#[test]
fn error_files_are_refused_with_a_place() {
    for path in files("chc/error").into_iter().chain(files("vmt/error")) {
        let bytes = std::fs::read(&path).unwrap();
        let terms = TermStore::new();
        let diagnostics = read(&bytes, &terms)
            .map(|_| ())
            .expect_err(&path.display().to_string());
        let errors: Vec<_> = diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error)
            .collect();
        assert!(
            errors
                .iter()
                .all(|d| d.span.end as usize <= bytes.len() + 1),
            "{}",
            path.display()
        );
        let malformed = errors.iter().any(|d| d.class() == Class::Malformed);
        let exit = if malformed { "3" } else { "4" };
        assert_eq!(
            directive(&path, "exit:").as_deref().unwrap_or(exit),
            exit,
            "{}",
            path.display()
        );
        if let Some(words) = directive(&path, "expect-error:") {
            let said = diagnostics
                .iter()
                .any(|d| d.message.to_lowercase().contains(&words.to_lowercase()));
            assert!(said, "{}: {words} in {diagnostics:?}", path.display());
        }
    }
}

#[test]
fn good_files_are_read_and_survive_printing() {
    let folders = [
        "chc/safe",
        "chc/unsafe",
        "chc/unknown",
        "vmt/safe",
        "vmt/unsafe",
    ];
    for path in folders.into_iter().flat_map(files) {
        let terms = TermStore::new();
        let input = read(&std::fs::read(&path).unwrap(), &terms);
        let input = input.unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
        let text = print(&input.problem, &terms);
        let other = TermStore::new();
        let again = read(text.as_bytes(), &other);
        let again =
            again.unwrap_or_else(|errors| panic!("{}: {errors:?} in\n{text}", path.display()));
        assert_eq!(again.info.counts, input.info.counts, "{}", path.display());
        assert_eq!(
            again.info.features,
            input.info.features,
            "{}",
            path.display()
        );
    }
}

fn print(problem: &Problem, terms: &TermStore) -> String {
    match problem {
        Problem::Chc(system) => {
            assert_eq!(system.validate(terms), Ok(()));
            print_chc(terms, system)
        }
        Problem::Vmt { system, properties } => {
            assert_eq!(system.validate(terms), Ok(()));
            print_vmt(terms, system, properties)
        }
    }
}
