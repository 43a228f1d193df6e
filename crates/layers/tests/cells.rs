//! Cells of arrays on the corpus: every answer is checked on the original text.

#![allow(clippy::unwrap_used)]

mod common;

use foretell_kernel::Budget;
use foretell_layers::CellsOptions;
use foretell_terms::TermStore;

/// The answer on a corpus file, which must have passed its check.
fn expect(file: &str, verdict: &str) {
    let path = format!("{}/../../corpus/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let budget = Budget::unlimited().with_queries(20_000);
    let answer = common::cells(&text, CellsOptions::default(), &budget, &TermStore::new());
    assert_eq!((answer.verdict.as_str(), answer.check.as_str()), (verdict, "accepted"), "{file}");
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
