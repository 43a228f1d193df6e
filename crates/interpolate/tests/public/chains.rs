//! Unrolled loops: all cuts are valid, and the interpolants stay small.

#![allow(clippy::print_stdout)]

use foretell_interpolate::{InterpolateOptions, Itp};
use foretell_kernel::{Interpolation, Interpolator, Strength};
use foretell_terms::{Term, TermStore};
use foretell_testkit::partition::chains::{array_copy, array_init, counter};
use foretell_testkit::partition::check::{path, tree_fault, with_cx};
use std::time::{Duration, Instant};

fn longest() -> usize {
    std::env::var("FORETELL_CHAIN")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(16)
}

fn chain(name: &str, make: impl Fn(&TermStore, usize) -> Vec<Term>) {
    for n in [4, 8, 16, 32].into_iter().filter(|n| *n <= longest()) {
        let store = TermStore::new();
        let parts = make(&store, n);
        with_cx(&store, Duration::from_secs(120), |cx| {
            let mut itp = Itp::new(Strength::Strong, InterpolateOptions::default());
            let start = Instant::now();
            let answer = itp.sequence(&parts, cx).expect("the budget suffices");
            let time = start.elapsed();
            let Interpolation::Interpolants(itps) = answer else {
                panic!("{name} {n}: {answer:?}")
            };
            println!(
                "{name} {n}: {time:?}, {} atoms, {:?}",
                store.atoms(&itps).len(),
                itp.stats()
            );
            if n <= 4 {
                for (k, i) in itps.iter().enumerate() {
                    println!("  I{k} {}", store.print(*i));
                }
            }
            assert_eq!(
                tree_fault(&parts, &path(parts.len()), &itps, cx),
                None,
                "{name} {n}"
            );
        });
    }
}

#[test]
fn array_initialisation() {
    chain("array-init", array_init);
}

#[test]
fn array_copying() {
    chain("array-copy", array_copy);
}

#[test]
fn two_counters() {
    chain("counter", counter);
}
