//! Counterexample-guided prophecy on the corpus: every answer is checked on the original text.

use super::{limited, solved};

const RUNNING: &str = "vmt/safe/paper_cgp_fig1_running.vmt";

/// The certificate of the answer on a corpus file.
fn certificate(file: &str, settings: &[&str]) -> String {
    solved(file, "prophecy", settings)
}

fn prophecies(certificate: &str) -> usize {
    certificate.matches("(prophecy prophecy!").count()
}

/// Fig. 1(b) of the paper: one prophecy variable, for the read index one step before the check.
#[test]
fn the_running_example_gets_the_prophecy_of_the_paper() {
    let certificate = certificate(RUNNING, &[]);
    assert_eq!(prophecies(&certificate), 1);
    assert_eq!(certificate.matches("(history ").count(), 1, "{certificate}");
    assert!(certificate.contains("(update ir)"), "{certificate}");
}

/// Fig. 3 and 4 of the first paper: the index one step before the error is foretold.
#[test]
fn init_array_gets_the_prophecy_of_the_paper() {
    let certificate = certificate("vmt/safe/paper_cgp_fig4_init_array.vmt", &[]);
    assert_eq!(prophecies(&certificate), 1);
    assert!(certificate.contains("(update j)"), "{certificate}");
}

/// Section 5.2 of the first paper, with the remedy named there: the first index at which a negative
/// value is read is foretold.
#[test]
fn the_example_that_does_not_end_gets_its_remedy() {
    for file in [
        "vmt/safe/paper_cgp_sec52_nonterminating.vmt",
        "chc/safe/paper_cgp_sec52_nonterminating.smt2",
    ] {
        let certificate = certificate(file, &[]);
        assert!(certificate.contains("(history seen!"), "{certificate}");
        assert!(
            certificate.contains("(and (< (select a i1) 0) (not seen!"),
            "{certificate}"
        );
    }
}

/// The history variables of the second paper: Fig. 1 keeps x when i is the goal's index, Fig. 2 keeps
/// i as long as the sum is not negative, Fig. 9 keeps x when y is the goal's index.
#[test]
fn captures_are_those_of_the_paper() {
    let expected = [
        (
            "vmt/safe/paper_hps_fig1_scatter.vmt",
            "(update (ite (= i Z) x history!",
        ),
        (
            "chc/safe/paper_hps_fig1_scatter.smt2",
            "(update 3 (ite (= i aux1) x history!",
        ),
        (
            "chc/safe/paper_hps_fig2_sum.smt2",
            "(update 3 (ite (<= 0 j) i history!",
        ),
        (
            "vmt/safe/paper_hps_fig9.vmt",
            "(update (ite (= y Z) x history!",
        ),
        (
            "chc/safe/paper_hps_fig9.smt2",
            "(update 1 (ite (= y aux0) x history!",
        ),
    ];
    for (file, update) in expected {
        let certificate = certificate(file, &[]);
        assert_eq!(prophecies(&certificate), 1, "{file}");
        assert!(certificate.contains(update), "{file}: {certificate}");
    }
}

/// The appendix of the second paper: a fixed delay does not suffice for Fig. 9, a condition does, unless
/// the property is assumed in the pre-state.
#[test]
fn fixed_delays_need_the_property_in_the_pre_state() {
    let file = "vmt/safe/paper_hps_fig9.vmt";
    certificate(file, &["prophecy.assume_property=false"]);
    certificate(file, &["prophecy.conditional=false"]);
    let neither = [
        "prophecy.assume_property=false",
        "prophecy.conditional=false",
    ];
    assert_eq!(limited(file, "prophecy", &neither, 60).words, "query limit");
}

/// Figure 9 with three ghosts: the index is kept when the goal's cell is written, for each of the three
/// cells. One counterexample asks for one condition; a condition that serves all would not be found.
#[test]
fn one_counterexample_asks_for_one_condition() {
    let settings = [
        "prophecy.one_path=true",
        "prophecy.eager=false",
        "prophecy.bounds=0",
        "prophecy.ahead=0",
        "prophecy.seeds=false",
        "prophecy.frozen_terms=0",
        "prophecy.assume_property=false",
    ];
    let certificate = certificate("vmt/safe/paper_hps_fig9_three_ghosts.vmt", &settings);
    assert_eq!(prophecies(&certificate), 3);
    for ghost in ["Z1", "Z2", "Z3"] {
        let keeps = |equation: String| {
            certificate.contains(&format!("(update (ite (= {equation}) x history!"))
        };
        let kept = keeps(format!("y {ghost}")) || keeps(format!("{ghost} y"));
        assert!(kept, "{certificate}");
    }
    for (file, write) in [("paper_hps_fig9", "y"), ("paper_hps_fig1_scatter", "i")] {
        let certificate = solved(&format!("vmt/safe/{file}.vmt"), "prophecy", &settings);
        assert_eq!(prophecies(&certificate), 1, "{certificate}");
        let update = format!("(update (ite (= {write} Z) x history!");
        assert!(certificate.contains(&update), "{certificate}");
    }
}

/// The bounds 100000 and 99999 share a symbol, and the invariant gets its numbers back.
#[test]
fn large_constants_are_abstracted() {
    let certificate = certificate("vmt/safe/array_large_bound.vmt", &[]);
    assert_eq!(prophecies(&certificate), 1);
    assert!(!certificate.contains("constant!"), "{certificate}");
}

#[test]
fn the_running_example_is_proved_under_weak_abstraction() {
    certificate(RUNNING, &["prophecy.weak=true"]);
}

/// A mirrored loop and two loops in sequence: the atoms that are spelled out suffice.
#[test]
fn mirrored_and_sequential_loops_are_proved() {
    for file in [
        "vmt/safe/array_two_phases.vmt",
        "chc/safe/array_append.smt2",
        "chc/safe/array_reverse.smt2",
    ] {
        certificate(file, &[]);
    }
}

/// Fig. 9 of the second paper: with the property in the pre-state a delay of one suffices.
#[test]
fn the_copy_through_free_indices_is_proved() {
    certificate("vmt/safe/paper_hps_fig9.vmt", &[]);
}

#[test]
fn loops_over_arrays_need_the_goal_index_only() {
    for file in [
        "vmt/safe/array_init_vmt.vmt",
        "vmt/safe/array_copy_vmt.vmt",
        "chc/safe/array_init.smt2",
    ] {
        let certificate = certificate(file, &[]);
        assert_eq!(prophecies(&certificate), 0, "{file}");
    }
}

#[test]
fn instances_are_found_without_the_eager_ones() {
    certificate("vmt/safe/array_init_vmt.vmt", &["prophecy.eager=false"]);
    certificate(RUNNING, &["prophecy.eager=false"]);
}

#[test]
fn counterexamples_are_replayed() {
    for file in [
        "array_index_swap",
        "array_scatter_wrong",
        "array_stale_read",
    ] {
        certificate(&format!("vmt/unsafe/{file}.vmt"), &[]);
    }
    certificate("chc/unsafe/array_init_short.smt2", &[]);
}

/// An index that no step uses shows that two constant arrays differ, and a history variable that keeps
/// above all indices says so in the certificate; one-bit indices have none to spare.
#[test]
fn lambda_is_for_infinite_index_sorts() {
    let file = "vmt/safe/array_constants_stay_different.vmt";
    let without = limited(file, "prophecy", &["prophecy.lambda=false"], 2_000).words;
    assert!(without.contains("no axiom instance"), "{without}");
    let certificate = certificate(file, &[]);
    assert!(certificate.contains("(prophecy lambda!"), "{certificate}");
    solved("vmt/unsafe/array_constants_meet_bv.vmt", "prophecy", &[]);
}

/// Arrays that are equal because no cell differs: the cell at which they would is an index of its own.
#[test]
fn equal_arrays_are_proved_equal() {
    for file in [
        "vmt/safe/array_extensionality.vmt",
        "chc/safe/array_extensionality.smt2",
    ] {
        certificate(file, &[]);
        certificate(file, &["prophecy.weak=true"]);
    }
    // The cell is foretold; it is a cell of the problem by a quantifier, and no auxiliary variable.
    let certificate = certificate("vmt/safe/array_equal_at_the_end.vmt", &[]);
    assert_eq!(prophecies(&certificate), 0, "{certificate}");
    assert!(certificate.contains("forall"), "{certificate}");
}

/// The filters, and the predicates of history variables, matter for speed only.
#[test]
fn the_running_example_is_proved_without_filters() {
    for settings in [
        &["prophecy.filter_consecutive=false"][..],
        &["prophecy.filter_non_consecutive=false"],
        &["prophecy.history_predicates=true"],
        &["prophecy.directed=false", "prophecy.conditional=false"],
    ] {
        certificate(RUNNING, settings);
    }
}
