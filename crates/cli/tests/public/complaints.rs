//! What users met once must not come back: the table in docs/testing.md names a test for each, and each of
//! these tests exists; those that had no better place are here.

use foretell_testkit::corpus::root;

use super::{folder, foretell};

/// The rows of the table: what was met, and the tests named beside it.
fn rows(text: &str) -> Vec<(&str, Vec<&str>)> {
    let (_, rest) = text.split_once("\n## What users met\n").unwrap();
    let section = rest.split("\n## ").next().unwrap();
    let lines = section.lines().filter(|line| line.starts_with("| B"));
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let tests = cells[3].split('`').skip(1).step_by(2);
            (cells[1], tests.collect())
        })
        .collect()
}

/// All text of the tests of this repository.
fn sources(folder: &std::path::Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|end| end == "rs") {
            *text += &std::fs::read_to_string(&path).unwrap();
        }
    }
}

#[test]
fn every_complaint_has_a_test() {
    let table = std::fs::read_to_string(root().join("docs/testing.md")).unwrap();
    let rows = rows(&table);
    let numbers: Vec<String> = (1..=18).map(|n| format!("B{n}")).collect();
    assert_eq!(rows.iter().map(|r| r.0).collect::<Vec<_>>(), numbers);
    let mut text = String::new();
    sources(&root().join("crates"), &mut text);
    for (number, tests) in rows {
        assert!(!tests.is_empty(), "{number}");
        for test in tests {
            let is_file = root().join(test).exists() && test.contains('/');
            let is_test = text.contains(&format!("#[test]\n    fn {test}()"))
                || text.contains(&format!("#[test]\nfn {test}()"));
            assert!(is_file || is_test, "{number}: there is no test {test}");
        }
    }
}

/// Names and descriptions are apart, and no default is a piece of our own source.
#[test]
fn options_are_a_table_that_can_be_read() {
    let text = foretell(&["options"]).stdout;
    let names = text
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let mut n_names = 0;
    for line in names {
        let (name, rest) = line.trim_start().split_once(' ').unwrap_or((line, ""));
        assert!(!name.is_empty() && !rest.trim().is_empty(), "{line}");
        let fine = |c: char| c.is_ascii_alphanumeric() || "_-.#".contains(c);
        assert!(name.chars().all(fine), "{line}");
        n_names += 1;
    }
    assert!(n_names > 50, "{n_names}");
    for piece in ["::", "cfg!", "usize", "u32", "u64", "bool"] {
        assert!(!text.contains(piece), "{piece}");
    }
}

#[test]
fn errors_that_are_not_shown_are_counted() {
    let mut text = "(set-logic HORN)(declare-fun p (Int) Bool)\n".to_owned();
    for n in 0..150 {
        text += &format!("(assert (p unknown{n}))\n");
    }
    let file = folder("many-errors").join("many.smt2");
    std::fs::write(&file, text).unwrap();
    let outcome = foretell(&[file.to_str().unwrap()]);
    assert_eq!((outcome.stdout.as_str(), outcome.code), ("", Some(3)));
    let shown = outcome.stderr.matches("error[").count();
    let words = format!("{} more errors are not shown", 150 - shown);
    assert!(
        outcome.stderr.contains(&words),
        "{words}: {}",
        outcome.stderr
    );
}
