//! Theory lemmas kept from one query to the next: they are used, they are few, and no answer
//! depends on them.

use foretell_interpolate::{InterpolateOptions, Itp, Lemmas, Stats};
use foretell_kernel::{Interpolation, Interpolator, Strength};
use foretell_terms::{Term, TermStore};
use foretell_testkit::partition::chains::{array_copy, array_init, counter};
use foretell_testkit::partition::check::{path, tree_fault, with_cx};
use foretell_testkit::partition::generate::{Gen, Mode};
use std::time::Duration;

/// Interpolates with a store of lemmas and checks the answer.
fn ask(store: &TermStore, parts: &[Term], lemmas: &Lemmas, limit: u32) -> Stats {
    with_cx(store, Duration::from_secs(60), |cx| {
        let options = InterpolateOptions {
            lemmas: limit,
            ..InterpolateOptions::default()
        };
        let mut itp = Itp::new(Strength::Strong, options).with_lemmas(lemmas);
        match itp.sequence(parts, cx) {
            Ok(Interpolation::Interpolants(itps)) => {
                assert_eq!(tree_fault(parts, &path(parts.len()), &itps, cx), None);
            }
            Ok(Interpolation::Satisfiable(_)) => {}
            other => panic!("{other:?}"),
        }
        assert_eq!(itp.stats().rejected, 0);
        itp.stats()
    })
}

#[test]
fn lemmas_of_a_shorter_unrolling_serve_a_longer_one() {
    let store = TermStore::new();
    let lemmas = Lemmas::new();
    ask(&store, &array_init(&store, 4), &lemmas, 100);
    assert!(!lemmas.is_empty());
    let stats = ask(&store, &array_init(&store, 6), &lemmas, 100);
    assert!(stats.useful > 0, "{stats:?}");
    let off = ask(&store, &array_init(&store, 6), &lemmas, 0);
    assert_eq!((off.recalled, off.useful), (0, 0));
}

#[test]
fn the_store_is_bounded() {
    let store = TermStore::new();
    let lemmas = Lemmas::new();
    for n in 1..8 {
        for chain in [array_init, array_copy, counter] {
            ask(&store, &chain(&store, n), &lemmas, 7);
            assert!(lemmas.len() <= 7);
        }
    }
    assert!(!lemmas.is_empty());
}

/// The same names mean other things in other problems, of other sorts: still every answer is right.
#[test]
fn lemmas_of_other_problems_do_no_harm() {
    let lemmas = Lemmas::new();
    for seed in 0..25 {
        for mode in [
            Mode::Uf,
            Mode::Lra,
            Mode::Lia,
            Mode::UfLia,
            Mode::ChainInt,
            Mode::ChainReal,
        ] {
            let store = TermStore::new();
            let parts = Gen::new(&store, mode, seed).groups();
            ask(&store, &parts, &lemmas, 400);
        }
    }
}
