//! Counterexample-guided prophecy on the corpus: every answer is checked on the original text.

#![allow(clippy::unwrap_used)]

mod common;

use foretell_kernel::{Budget, NullSink};
use foretell_layers::ArrayProphecyOptions;
use foretell_terms::TermStore;

/// The answer on a corpus file, which must have passed its check.
fn checked(file: &str, options: ArrayProphecyOptions) -> common::Answer {
    let path = format!("{}/../../corpus/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let budget = Budget::unlimited().with_queries(20_000);
    let answer = common::answer(&text, options, &budget, &NullSink, &TermStore::new());
    assert_eq!(answer.check, "accepted", "{file}: {}\n{}", answer.verdict, answer.certificate);
    answer
}

fn expect(file: &str, verdict: &str) {
    assert_eq!(checked(file, ArrayProphecyOptions::default()).verdict, verdict, "{file}");
}

/// Fig. 1(b) of the paper: one prophecy variable, for the read index one step before the check.
#[test]
fn the_running_example_gets_the_prophecy_of_the_paper() {
    let answer = checked("vmt/safe/paper_cgp_fig1_running.vmt", ArrayProphecyOptions::default());
    assert_eq!((answer.verdict.as_str(), answer.prophecies), ("safe", 1));
    assert_eq!(answer.certificate.matches("(history ").count(), 1, "{}", answer.certificate);
    assert!(answer.certificate.contains("(update ir)"), "{}", answer.certificate);
}

#[test]
fn the_running_example_is_proved_under_weak_abstraction() {
    let options = ArrayProphecyOptions { weak: true, ..ArrayProphecyOptions::default() };
    assert_eq!(checked("vmt/safe/paper_cgp_fig1_running.vmt", options).verdict, "safe");
}

/// A mirrored loop and two loops in sequence: the atoms that are spelled out suffice.
#[test]
fn mirrored_and_sequential_loops_are_proved() {
    for file in ["vmt/safe/array_two_phases.vmt", "chc/safe/array_append.smt2", "chc/safe/array_reverse.smt2"]
    {
        expect(file, "safe");
    }
}

/// Fig. 9 of the second paper: with the property in the pre-state a delay of one suffices.
#[test]
fn the_copy_through_free_indices_is_proved() {
    expect("vmt/safe/paper_hps_fig9.vmt", "safe");
}

#[test]
fn loops_over_arrays_need_the_goal_index_only() {
    for file in ["vmt/safe/array_init_vmt.vmt", "vmt/safe/array_copy_vmt.vmt", "chc/safe/array_init.smt2"] {
        let answer = checked(file, ArrayProphecyOptions::default());
        assert_eq!((answer.verdict.as_str(), answer.prophecies), ("safe", 0), "{file}");
    }
}

#[test]
fn instances_are_found_without_the_eager_ones() {
    let options = ArrayProphecyOptions { eager: false, ..ArrayProphecyOptions::default() };
    assert_eq!(checked("vmt/safe/array_init_vmt.vmt", options.clone()).verdict, "safe");
    assert_eq!(checked("vmt/safe/paper_cgp_fig1_running.vmt", options).verdict, "safe");
}

#[test]
fn counterexamples_are_replayed() {
    for file in ["array_index_swap", "array_scatter_wrong", "array_stale_read"] {
        expect(&format!("vmt/unsafe/{file}.vmt"), "unsafe");
    }
    expect("chc/unsafe/array_init_short.smt2", "unsafe");
}
