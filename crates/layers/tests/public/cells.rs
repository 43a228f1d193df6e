//! Cells of arrays on the corpus: every answer is checked on the original text.

use super::solved;

/// The answer on a corpus file is that of its folder.
fn cells(file: &str) {
    solved(file, "cells", &[]);
}

/// The same with frames quantified over indices; the certificate.
fn quantified(file: &str) -> String {
    solved(file, "quantified", &[])
}

#[test]
fn one_frozen_cell_proves_a_loop() {
    cells("chc/safe/array_init.smt2");
    cells("chc/safe/array_conditional.smt2");
    cells("vmt/safe/paper_qaa_ranges.vmt");
}

#[test]
fn arrays_are_copied_and_passed_on() {
    cells("chc/safe/array_copy.smt2");
    cells("chc/safe/paper_qaa_copy_if.smt2");
    cells("chc/safe/array_two_arrays.smt2");
}

/// The element one step back is tracked once a counterexample asks for it.
#[test]
fn moving_cells_are_found() {
    cells("chc/safe/array_recurrence.smt2");
    cells("chc/safe/paper_qaa_insertion_sort_inner.smt2");
}

#[test]
fn arrays_of_arrays_have_cells_too() {
    cells("chc/safe/array2d_one_loop.smt2");
    cells("chc/safe/array_multi_index.smt2");
}

#[test]
fn indices_and_elements_have_any_sort() {
    cells("chc/safe/array_bv_index.smt2");
    cells("chc/safe/array_bool_index.smt2");
    cells("chc/safe/array_bool_elements.smt2");
}

/// Only a run over arrays that was replayed counts, also where indices are few.
#[test]
fn counterexamples_are_replayed() {
    cells("chc/unsafe/array_init_short.smt2");
    cells("chc/unsafe/array_equality.smt2");
    cells("chc/unsafe/array_bv_index_alias.smt2");
}

/// What one index does not show: sums, and elements that move from index to index.
#[test]
fn quantified_frames_prove_what_no_single_index_shows() {
    let proof = quantified("chc/safe/paper_hps_fig2_sum.smt2");
    assert!(proof.contains("(forall (("), "{proof}");
    quantified("chc/safe/paper_cgp_sec52_nonterminating.smt2");
    quantified("chc/safe/paper_hps_fig1_scatter.smt2");
}

/// A second arbitrary index is made once nothing else excludes a counterexample.
#[test]
fn arbitrary_indices_are_added_on_demand() {
    quantified("chc/safe/paper_hps_fig9.smt2");
}

#[test]
fn quantified_frames_refute_too() {
    quantified("chc/unsafe/array_init_short.smt2");
    quantified("chc/unsafe/array_sum_const.smt2");
}

/// The goal that two whole arrays are equal has a rigid index of its own.
#[test]
fn equal_arrays_differ_nowhere() {
    cells("chc/safe/array_equality.smt2");
}
