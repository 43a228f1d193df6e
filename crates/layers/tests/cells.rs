//! Cells of arrays on the corpus: every answer is checked on the original text.

#![allow(clippy::unwrap_used)]

mod common;

use foretell_kernel::Budget;
use foretell_layers::CellsOptions;
use foretell_terms::TermStore;

/// The answer on a corpus file, which must have passed its check.
fn expect(file: &str, verdict: &str) {
    checked(file, verdict, CellsOptions::default());
}

/// The same with frames quantified over indices.
fn expect_quantified(file: &str, verdict: &str) -> String {
    checked(
        file,
        verdict,
        CellsOptions {
            quantified: true,
            ..CellsOptions::default()
        },
    )
}

fn checked(file: &str, verdict: &str, options: CellsOptions) -> String {
    let path = format!("{}/../../corpus/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let budget = Budget::unlimited().with_queries(20_000);
    let answer = common::cells(&text, options, &budget, &TermStore::new());
    assert_eq!(
        (answer.verdict.as_str(), answer.check.as_str()),
        (verdict, "accepted"),
        "{file}"
    );
    answer.certificate
}

#[test]
fn one_frozen_cell_proves_a_loop() {
    expect("chc/safe/array_init.smt2", "safe");
    expect("chc/safe/array_conditional.smt2", "safe");
    expect("vmt/safe/paper_qaa_ranges.vmt", "safe");
}

#[test]
fn arrays_are_copied_and_passed_on() {
    expect("chc/safe/array_copy.smt2", "safe");
    expect("chc/safe/paper_qaa_copy_if.smt2", "safe");
    expect("chc/safe/array_two_arrays.smt2", "safe");
}

/// The element one step back is tracked once a counterexample asks for it.
#[test]
fn moving_cells_are_found() {
    expect("chc/safe/array_recurrence.smt2", "safe");
    expect("chc/safe/paper_qaa_insertion_sort_inner.smt2", "safe");
}

#[test]
fn arrays_of_arrays_have_cells_too() {
    expect("chc/safe/array2d_one_loop.smt2", "safe");
    expect("chc/safe/array_multi_index.smt2", "safe");
}

#[test]
fn indices_and_elements_have_any_sort() {
    expect("chc/safe/array_bv_index.smt2", "safe");
    expect("chc/safe/array_bool_index.smt2", "safe");
    expect("chc/safe/array_bool_elements.smt2", "safe");
}

/// Only a run over arrays that was replayed counts, also where indices are few.
#[test]
fn counterexamples_are_replayed() {
    expect("chc/unsafe/array_init_short.smt2", "unsafe");
    expect("chc/unsafe/array_equality.smt2", "unsafe");
    expect("chc/unsafe/array_bv_index_alias.smt2", "unsafe");
}

/// What one index does not show: sums, and elements that move from index to index.
#[test]
fn quantified_frames_prove_what_no_single_index_shows() {
    let proof = expect_quantified("chc/safe/paper_hps_fig2_sum.smt2", "safe");
    assert!(proof.contains("(forall (("), "{proof}");
    expect_quantified("chc/safe/paper_cgp_sec52_nonterminating.smt2", "safe");
    expect_quantified("chc/safe/paper_hps_fig1_scatter.smt2", "safe");
}

/// A second arbitrary index is made once nothing else excludes a counterexample.
#[test]
fn arbitrary_indices_are_added_on_demand() {
    expect_quantified("chc/safe/paper_hps_fig9.smt2", "safe");
}

#[test]
fn quantified_frames_refute_too() {
    expect_quantified("chc/unsafe/array_init_short.smt2", "unsafe");
    expect_quantified("chc/unsafe/array_sum_const.smt2", "unsafe");
}

/// The goal that two whole arrays are equal has a rigid index of its own.
#[test]
fn equal_arrays_differ_nowhere() {
    expect("chc/safe/array_equality.smt2", "safe");
}
