//! The witnesses of the corpus, written by hand: the good ones are accepted, the wrong ones are
//! not.

mod common;

use std::path::PathBuf;

use common::with_cx;
use foretell_certify::{CertifyOptions, CheckReport, Checker};
use foretell_systems::Property;

/// The witnesses of a folder: name, problem, witness.
fn witnesses(folder: &str) -> Vec<(String, String, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let entries = std::fs::read_dir(root.join("witnesses").join(folder)).expect("the corpus");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let mut list = Vec::new();
    for file in files {
        let witness = std::fs::read_to_string(&file).expect("text");
        let problem = witness
            .lines()
            .find_map(|line| line.strip_prefix("; for: "))
            .expect("a problem");
        let problem = std::fs::read_to_string(root.join(problem.trim())).expect("text");
        list.push((
            file.file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned(),
            problem,
            witness,
        ));
    }
    list
}

fn checked(problem: &str, witness: &str) -> CheckReport {
    with_cx(|cx| {
        let options = CertifyOptions::default();
        let checker = Checker::new(&options, cx);
        if problem.contains(":next") {
            checker.vmt(problem, witness, Property::All)
        } else {
            checker.chc(problem, witness)
        }
    })
}

#[test]
fn good_witnesses() {
    let list = witnesses("good");
    assert!(list.len() >= 30);
    for (name, problem, witness) in list {
        let report = checked(&problem, &witness);
        assert!(report.outcome.is_accepted(), "{name}: {}", report.outcome);
    }
}

#[test]
fn wrong_witnesses() {
    let list = witnesses("wrong");
    assert!(list.len() >= 15);
    for (name, problem, witness) in list {
        let report = checked(&problem, &witness);
        assert!(!report.outcome.is_accepted(), "{name}");
    }
}
