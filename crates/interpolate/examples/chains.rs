//! Unrolled loops: processor time, atoms, and what lemmas of shorter unrollings save.
//!
//! ```text
//! cargo run --release -p foretell-interpolate --example chains
//! ```
//!
//! First each chain alone; then all lengths up to 20 in a row, as a checker would ask them, once
//! without and once with lemmas kept from one query to the next.

#![allow(clippy::print_stdout)]

use foretell_interpolate::{InterpolateOptions, Itp, Lemmas};
use foretell_kernel::{Cx, Interpolation, Interpolator, Strength};
use foretell_terms::{Term, TermStore};
use foretell_testkit::partition::chains::{array_copy, array_init, counter};
use foretell_testkit::partition::check::with_cx;
use foretell_testkit::partition::trial::processor_time;
use std::time::Duration;

type Chain = fn(&TermStore, usize) -> Vec<Term>;

const CHAINS: [(&str, Chain); 3] = [
    ("array-init", array_init),
    ("array-copy", array_copy),
    ("counter", counter),
];

fn timed(itp: &mut Itp, parts: &[Term], cx: &Cx<'_>) -> (Duration, usize) {
    let start = processor_time().unwrap_or_default();
    let answer = itp.sequence(parts, cx);
    let took = processor_time().unwrap_or_default() - start;
    match answer {
        Ok(Interpolation::Interpolants(itps)) => (took, cx.terms.atoms(&itps).len()),
        other => {
            println!("no interpolants: {other:?}");
            (took, 0)
        }
    }
}

fn main() {
    let minute = Duration::from_secs(120);
    println!("chain       steps  processor s  atoms");
    for (name, make) in CHAINS {
        for n in [4, 8, 16, 32] {
            let store = TermStore::new();
            let parts = make(&store, n);
            with_cx(&store, minute, |cx| {
                let mut itp = Itp::new(Strength::Strong, InterpolateOptions::default());
                let (took, atoms) = timed(&mut itp, &parts, cx);
                println!("{name:<12} {n:>4} {:>12.3} {atoms:>6}", took.as_secs_f64());
            });
        }
    }
    println!(
        "\n1 to 20 steps in a row\nchain        lemmas  processor s  conflicts  recalled  useful"
    );
    for (name, make) in CHAINS {
        for limit in [0, InterpolateOptions::default().lemmas] {
            let store = TermStore::new();
            let lemmas = Lemmas::new();
            let options = InterpolateOptions {
                lemmas: limit,
                ..InterpolateOptions::default()
            };
            with_cx(&store, minute, |cx| {
                let mut itp = Itp::new(Strength::Strong, options).with_lemmas(&lemmas);
                let total: Duration = (1..=20)
                    .map(|n| timed(&mut itp, &make(&store, n), cx).0)
                    .sum();
                let (s, kept) = (itp.stats(), lemmas.len());
                println!(
                    "{name:<12} {kept:>6} {:>12.3} {:>10} {:>9} {:>7}",
                    total.as_secs_f64(),
                    s.conflicts,
                    s.recalled,
                    s.useful
                );
            });
        }
    }
}
