//! Random problems: every answer is checked by Z3, and unsatisfiable problems get an answer.

#![allow(clippy::print_stdout)]

use foretell_interpolate::InterpolateOptions;
use foretell_kernel::Strength;
use foretell_testkit::partition::generate::Mode;
use foretell_testkit::partition::trial::{Arrangement, Limits, Tally, Trial};
use std::time::Duration;

fn cases(default: u64) -> u64 {
    std::env::var("FORETELL_FUZZ")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(default)
}

fn first() -> u64 {
    std::env::var("FORETELL_FUZZ_SEED")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0)
}

fn strength(seed: u64) -> Strength {
    [Strength::Strong, Strength::Weak, Strength::Symmetric][(seed % 3) as usize]
}

/// The modes to draw from: all, or the one named in the environment.
fn modes(all: &[Mode]) -> Vec<Mode> {
    let wanted = std::env::var("FORETELL_FUZZ_MODE").ok();
    all.iter()
        .copied()
        .filter(|m| wanted.as_ref().is_none_or(|w| *w == format!("{m:?}")))
        .collect()
}

fn arrangement(seed: u64) -> Arrangement {
    if seed % 5 < 3 {
        Arrangement::Sequence
    } else {
        Arrangement::Reversed
    }
}

fn assert_good(
    mode: Mode,
    arrange: impl Fn(u64) -> Arrangement,
    count: u64,
    options: &InterpolateOptions,
    what: &str,
) {
    let mut tally = Tally::default();
    let limits = Limits {
        clock: Duration::from_secs(20),
        processor: Duration::MAX,
    };
    for seed in first()..first() + count {
        let trial = Trial {
            mode,
            seed,
            arrangement: arrange(seed),
            strength: strength(seed),
        };
        let options = InterpolateOptions {
            settle: seed % 2 == 0,
            ..options.clone()
        };
        trial.run(&options, limits, &mut tally);
    }
    println!("{what} {mode:?}: {tally:?}");
    assert!(tally.is_good(), "{what} {mode:?}: {tally:?}");
}

#[test]
fn random_sequences() {
    for mode in modes(&Mode::ALL) {
        assert_good(
            mode,
            arrangement,
            cases(1600) / 20,
            &InterpolateOptions::default(),
            "sequence",
        );
    }
}

#[test]
fn random_trees() {
    for mode in modes(&[Mode::Uf, Mode::Lia, Mode::UfLra, Mode::UfLia]) {
        assert_good(
            mode,
            |_| Arrangement::Tree,
            cases(1600) / 16,
            &InterpolateOptions::default(),
            "tree",
        );
    }
}

/// The fallback alone must answer as well, if not always.
#[test]
fn fallback_alone() {
    let options = InterpolateOptions {
        fallback_only: true,
        ..InterpolateOptions::default()
    };
    for mode in [
        Mode::Uf,
        Mode::Lra,
        Mode::Lia,
        Mode::UfLia,
        Mode::Division,
        Mode::Mixed,
    ] {
        assert_good(mode, arrangement, cases(1600) / 80, &options, "fallback");
    }
    for mode in [Mode::Uf, Mode::Lia, Mode::UfLia] {
        assert_good(
            mode,
            |_| Arrangement::Tree,
            cases(1600) / 80,
            &options,
            "fallback tree",
        );
    }
}
