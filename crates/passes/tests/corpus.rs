//! Every file of the corpus below all passes: whatever the engines find is carried back and accepted
//! on the original text.

mod common;

use std::path::{Path, PathBuf};
use std::time::Duration;

use common::{Lifted, certify, read, solve, with_budget};
use foretell_certify::Outcome;
use foretell_kernel::Budget;
use foretell_passes::PassOptions;
use foretell_terms::TermStore;

fn files(verdict: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus/chc")
        .join(verdict);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|e| e.expect("a file").path())
        .collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "smt2"));
    files.sort();
    files
}

/// How many files were decided, each with an accepted witness.
fn decided(verdict: &str, options: &PassOptions) -> usize {
    let mut count = 0;
    for file in files(verdict) {
        let text = std::fs::read_to_string(&file).expect("text");
        let terms = TermStore::new();
        let Some(system) = read(&text, &terms) else {
            continue;
        };
        let budget = Budget::with_time(Duration::from_millis(400));
        let lifted = with_budget(&terms, &budget, |cx| solve(&system, options, 12, cx));
        let lifted = match lifted {
            Ok(lifted) => lifted,
            Err(foretell_kernel::Halt::NotLifted(pass)) => {
                panic!("{}: lost in {pass}", file.display())
            }
            Err(_) => continue,
        };
        let contradicts = matches!(
            (&lifted, verdict),
            (Lifted::Safe(_), "unsafe") | (Lifted::Unsafe(_), "safe")
        );
        assert!(!contradicts, "{}: {lifted:?}", file.display());
        let report = with_budget(&terms, &Budget::unlimited(), |cx| {
            certify(&text, &system, &lifted, cx)
        });
        if let Some(report) = report {
            let name = file.display();
            let rejected = matches!(report.outcome, Outcome::Rejected(_));
            assert!(!rejected, "{name}: {:?} {lifted:?}", report.outcome);
            count += usize::from(report.outcome.is_accepted());
        }
    }
    count
}

#[test]
fn unsafe_files_with_all_passes() {
    let count = decided("unsafe", &PassOptions::default());
    assert!(count >= 50, "{count}");
}

#[test]
fn unsafe_files_without_simplification() {
    let count = decided(
        "unsafe",
        &PassOptions {
            simplify: false,
            ..PassOptions::default()
        },
    );
    assert!(count >= 50, "{count}");
}

#[test]
fn safe_files_with_all_passes() {
    let count = decided(
        "safe",
        &PassOptions {
            flatten: true,
            ..PassOptions::default()
        },
    );
    assert!(count >= 50, "{count}");
}
