//! Counterexample-guided prophecy on the corpus: every answer is checked on the original text.

#![allow(clippy::unwrap_used)]

mod common;

use foretell_kernel::{Budget, NullSink};
use foretell_layers::ArrayProphecyOptions;
use foretell_terms::TermStore;

fn corpus(file: &str) -> String {
    format!("{}/../../corpus/{file}", env!("CARGO_MANIFEST_DIR"))
}

/// The answer on a corpus file, which must have passed its check.
fn checked(file: &str, options: ArrayProphecyOptions) -> common::Answer {
    let text = std::fs::read_to_string(corpus(file)).unwrap();
    let budget = Budget::unlimited().with_queries(20_000);
    let answer = common::answer(&text, options, &budget, &NullSink, &TermStore::new());
    assert_eq!(
        answer.check, "accepted",
        "{file}: {}\n{}",
        answer.verdict, answer.certificate
    );
    answer
}

fn expect(file: &str, verdict: &str) {
    assert_eq!(
        checked(file, ArrayProphecyOptions::default()).verdict,
        verdict,
        "{file}"
    );
}

/// Fig. 1(b) of the paper: one prophecy variable, for the read index one step before the check.
#[test]
fn the_running_example_gets_the_prophecy_of_the_paper() {
    let answer = checked(
        "vmt/safe/paper_cgp_fig1_running.vmt",
        ArrayProphecyOptions::default(),
    );
    assert_eq!((answer.verdict.as_str(), answer.prophecies), ("safe", 1));
    assert_eq!(
        answer.certificate.matches("(history ").count(),
        1,
        "{}",
        answer.certificate
    );
    assert!(
        answer.certificate.contains("(update ir)"),
        "{}",
        answer.certificate
    );
}

/// Fig. 3 and 4 of the first paper: the index one step before the error is foretold.
#[test]
fn init_array_gets_the_prophecy_of_the_paper() {
    let answer = checked(
        "vmt/safe/paper_cgp_fig4_init_array.vmt",
        ArrayProphecyOptions::default(),
    );
    assert_eq!((answer.verdict.as_str(), answer.prophecies), ("safe", 1));
    assert!(
        answer.certificate.contains("(update j)"),
        "{}",
        answer.certificate
    );
}

/// Section 5.2 of the first paper, with the remedy named there: the first index at which a negative
/// value is read is foretold.
#[test]
fn the_example_that_does_not_end_gets_its_remedy() {
    for file in [
        "vmt/safe/paper_cgp_sec52_nonterminating.vmt",
        "chc/safe/paper_cgp_sec52_nonterminating.smt2",
    ] {
        let answer = checked(file, ArrayProphecyOptions::default());
        assert_eq!(answer.verdict, "safe");
        assert!(
            answer.certificate.contains("(history seen!"),
            "{}",
            answer.certificate
        );
        assert!(
            answer
                .certificate
                .contains("(and (< (select a i1) 0) (not seen!"),
            "{}",
            answer.certificate
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
        let answer = checked(file, ArrayProphecyOptions::default());
        assert_eq!(
            (answer.verdict.as_str(), answer.prophecies),
            ("safe", 1),
            "{file}"
        );
        assert!(
            answer.certificate.contains(update),
            "{file}: {}",
            answer.certificate
        );
    }
}

/// The appendix of the second paper: a fixed delay does not suffice for Fig. 9, a condition does, unless
/// the property is assumed in the pre-state.
#[test]
fn fixed_delays_need_the_property_in_the_pre_state() {
    let file = "vmt/safe/paper_hps_fig9.vmt";
    let alone = ArrayProphecyOptions {
        assume_property: false,
        ..ArrayProphecyOptions::default()
    };
    assert_eq!(checked(file, alone.clone()).verdict, "safe");
    let delays = ArrayProphecyOptions {
        conditional: false,
        ..ArrayProphecyOptions::default()
    };
    assert_eq!(checked(file, delays).verdict, "safe");
    let neither = ArrayProphecyOptions {
        conditional: false,
        ..alone
    };
    let text = std::fs::read_to_string(corpus(file)).unwrap();
    let budget = Budget::unlimited().with_queries(60);
    let answer = common::answer(&text, neither, &budget, &NullSink, &TermStore::new());
    assert_eq!(answer.verdict, "halt: query limit");
}

/// The bounds 100000 and 99999 share a symbol, and the invariant gets its numbers back.
#[test]
fn large_constants_are_abstracted() {
    let answer = checked(
        "vmt/safe/array_large_bound.vmt",
        ArrayProphecyOptions::default(),
    );
    assert_eq!((answer.verdict.as_str(), answer.prophecies), ("safe", 1));
    assert!(
        !answer.certificate.contains("constant!"),
        "{}",
        answer.certificate
    );
}

#[test]
fn the_running_example_is_proved_under_weak_abstraction() {
    let options = ArrayProphecyOptions {
        weak: true,
        ..ArrayProphecyOptions::default()
    };
    assert_eq!(
        checked("vmt/safe/paper_cgp_fig1_running.vmt", options).verdict,
        "safe"
    );
}

/// A mirrored loop and two loops in sequence: the atoms that are spelled out suffice.
#[test]
fn mirrored_and_sequential_loops_are_proved() {
    for file in [
        "vmt/safe/array_two_phases.vmt",
        "chc/safe/array_append.smt2",
        "chc/safe/array_reverse.smt2",
    ] {
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
    for file in [
        "vmt/safe/array_init_vmt.vmt",
        "vmt/safe/array_copy_vmt.vmt",
        "chc/safe/array_init.smt2",
    ] {
        let answer = checked(file, ArrayProphecyOptions::default());
        assert_eq!(
            (answer.verdict.as_str(), answer.prophecies),
            ("safe", 0),
            "{file}"
        );
    }
}

#[test]
fn instances_are_found_without_the_eager_ones() {
    let options = ArrayProphecyOptions {
        eager: false,
        ..ArrayProphecyOptions::default()
    };
    assert_eq!(
        checked("vmt/safe/array_init_vmt.vmt", options.clone()).verdict,
        "safe"
    );
    assert_eq!(
        checked("vmt/safe/paper_cgp_fig1_running.vmt", options).verdict,
        "safe"
    );
}

#[test]
fn counterexamples_are_replayed() {
    for file in [
        "array_index_swap",
        "array_scatter_wrong",
        "array_stale_read",
    ] {
        expect(&format!("vmt/unsafe/{file}.vmt"), "unsafe");
    }
    expect("chc/unsafe/array_init_short.smt2", "unsafe");
}

/// An index that no step uses shows that two constant arrays differ; one-bit indices have none to spare.
#[test]
fn lambda_is_for_infinite_index_sorts() {
    let file = "vmt/safe/array_constants_differ.vmt";
    let text = std::fs::read_to_string(corpus(file)).unwrap();
    let run = |lambda: bool| {
        let options = ArrayProphecyOptions {
            lambda,
            ..ArrayProphecyOptions::default()
        };
        let budget = Budget::unlimited().with_queries(2_000);
        common::answer(&text, options, &budget, &NullSink, &TermStore::new()).verdict
    };
    assert!(run(false).contains("no axiom instance"), "{}", run(false));
    assert!(!run(true).contains("no axiom instance"), "{}", run(true));
    expect("vmt/unsafe/array_constants_meet_bv.vmt", "unsafe");
}

/// The filters, and the predicates of targets, matter for speed only.
#[test]
fn the_running_example_is_proved_without_filters() {
    let default = ArrayProphecyOptions::default;
    for options in [
        ArrayProphecyOptions {
            filter_near: false,
            ..default()
        },
        ArrayProphecyOptions {
            filter_far: false,
            ..default()
        },
        ArrayProphecyOptions {
            target_predicates: false,
            ..default()
        },
        ArrayProphecyOptions {
            directed: false,
            conditional: false,
            ..default()
        },
    ] {
        assert_eq!(
            checked("vmt/safe/paper_cgp_fig1_running.vmt", options).verdict,
            "safe"
        );
    }
}
