//! The refuter alone against Z3: a refutation means unsatisfiable, and the other way round almost
//! always.

use super::support::sequence;
use crate::query::Found;
use crate::world::Labelling;
use foretell_kernel::Budget;
use foretell_terms::TermStore;
use foretell_testkit::over;
use foretell_testkit::partition::check::satisfiable;
use foretell_testkit::partition::generate::{Gen, Mode};

#[test]
fn verdicts_agree_with_z3() {
    let count = std::env::var("FORETELL_FUZZ")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(600)
        / 6;
    let unlimited = Budget::unlimited();
    let wanted = std::env::var("FORETELL_FUZZ_MODE").ok();
    for mode in [
        Mode::Uf,
        Mode::Lra,
        Mode::Lia,
        Mode::UfLra,
        Mode::UfLia,
        Mode::Mixed,
    ] {
        if wanted.as_ref().is_some_and(|w| *w != format!("{mode:?}")) {
            continue;
        }
        let (mut refuted, mut missed) = (0, Vec::new());
        for seed in 500_000..500_000 + count {
            let store = TermStore::new();
            let groups = Gen::new(&store, mode, seed).groups();
            match (
                sequence(&store, &groups, Labelling::McMillan),
                over(&store, &unlimited, |cx| satisfiable(&groups, cx)),
            ) {
                (Found::Interpolants(_), verdict) => {
                    assert_ne!(
                        verdict,
                        Some(true),
                        "{mode:?} {seed}: refuted but satisfiable"
                    );
                    refuted += 1;
                }
                (_, Some(false)) => missed.push(seed),
                _ => {}
            }
        }
        println!("{mode:?}: refuted {refuted}, missed {missed:?}");
        assert!(
            missed.len() * 200 <= refuted,
            "{mode:?}: refuted {refuted}, missed {missed:?}"
        );
    }
}
