//! Random problems: every answer is checked by Z3, and unsatisfiable problems get an answer.

#![allow(clippy::print_stdout)]

mod common;

use common::check::{path, satisfiable, tree_fault, with_cx};
use common::generate::{Gen, Mode};
use foretell_interpolate::{InterpolateOptions, Itp};
use foretell_kernel::{Cx, Halt, Interpolation, Interpolator, PartTree, Strength};
use foretell_terms::{Term, TermStore};
use std::time::Duration;

/// The counts of one run, with the names of what went unanswered or was rejected.
#[derive(Clone, Default, Debug)]
struct Tally {
    unsatisfiable: usize,
    answered: usize,
    fallback: u64,
    rejected: u64,
    remarks: Vec<String>,
}

/// One problem: a tree of parts.
struct Case {
    name: String,
    parts: Vec<Term>,
    parents: Vec<Option<usize>>,
}

fn cases(default: u64) -> u64 {
    std::env::var("FORETELL_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn first() -> u64 {
    std::env::var("FORETELL_FUZZ_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn strength(seed: u64) -> Strength {
    [Strength::Strong, Strength::Weak, Strength::Symmetric][(seed % 3) as usize]
}

/// A halt counts as a missing answer.
fn stopped(halt: Halt) -> Interpolation {
    Interpolation::Unknown(halt.into())
}

/// The modes to draw from: all, or the one named in the environment.
fn modes(all: &[Mode]) -> Vec<Mode> {
    let wanted = std::env::var("FORETELL_FUZZ_MODE").ok();
    all.iter().copied().filter(|m| wanted.as_ref().is_none_or(|w| *w == format!("{m:?}"))).collect()
}

impl Tally {
    fn judge(&mut self, case: &Case, itp: &Itp, answer: Interpolation, cx: &Cx<'_>) {
        let name = &case.name;
        if itp.stats().rejected > 0 {
            self.rejected += itp.stats().rejected;
            self.remarks.push(format!("{name}: rejected"));
        }
        self.fallback += itp.stats().fallbacks;
        match answer {
            Interpolation::Interpolants(itps) => {
                self.unsatisfiable += 1;
                self.answered += 1;
                let fault = tree_fault(&case.parts, &case.parents, &itps, cx);
                assert_eq!(fault, None, "{name}");
            }
            Interpolation::Satisfiable(_) => {
                assert_ne!(satisfiable(&case.parts, cx), Some(false), "{name}");
            }
            Interpolation::Unknown(why) => {
                if satisfiable(&case.parts, cx) == Some(false) {
                    self.unsatisfiable += 1;
                    self.remarks.push(format!("{name}: {why}"));
                }
            }
        }
    }

    fn assert_complete(&self, name: &str) {
        println!("{name}: {self:?}");
        assert_eq!(self.rejected, 0, "{name}: an answer failed its check: {self:?}");
        assert!(self.answered * 1000 >= self.unsatisfiable * 995, "{name}: {self:?}");
    }
}

fn sequences(mode: Mode, count: u64, options: &InterpolateOptions) -> Tally {
    let mut tally = Tally::default();
    for seed in first()..first() + count {
        let store = TermStore::new();
        let parts = Gen::new(&store, mode, seed).groups();
        let parents = path(parts.len());
        let case = Case { name: format!("{mode:?} {seed}"), parts, parents };
        with_cx(&store, Duration::from_secs(20), |cx| {
            let options = InterpolateOptions { settle: seed % 2 == 0, ..options.clone() };
            let mut itp = Itp::new(strength(seed), options);
            let answer = itp.sequence(&case.parts, cx).unwrap_or_else(stopped);
            tally.judge(&case, &itp, answer, cx);
        });
    }
    tally
}

fn trees(mode: Mode, count: u64, options: &InterpolateOptions) -> Tally {
    let mut tally = Tally::default();
    for seed in first()..first() + count {
        let store = TermStore::new();
        let (parts, parents) = Gen::new(&store, mode, seed + 7_000_000).tree();
        let case = Case { name: format!("tree {mode:?} {seed}"), parts, parents };
        with_cx(&store, Duration::from_secs(20), |cx| {
            let options = InterpolateOptions { settle: seed % 2 == 0, ..options.clone() };
            let mut itp = Itp::new(strength(seed), options);
            let tree = PartTree { parts: case.parts.clone(), parents: case.parents.clone() };
            let answer = itp.tree(&tree, cx).unwrap_or_else(stopped);
            tally.judge(&case, &itp, answer, cx);
        });
    }
    tally
}

#[test]
fn random_sequences() {
    for mode in modes(&Mode::ALL) {
        sequences(mode, cases(1600) / 10, &InterpolateOptions::default())
            .assert_complete(&format!("{mode:?}"));
    }
}

#[test]
fn random_trees() {
    for mode in modes(&[Mode::Uf, Mode::Lia, Mode::UfLra, Mode::UfLia]) {
        trees(mode, cases(1600) / 16, &InterpolateOptions::default())
            .assert_complete(&format!("tree {mode:?}"));
    }
}

/// The fallback alone must answer as well, if not always.
#[test]
fn fallback_alone() {
    let options = InterpolateOptions { fallback_only: true, ..InterpolateOptions::default() };
    for mode in [Mode::Uf, Mode::Lra, Mode::Lia, Mode::UfLia, Mode::Division, Mode::Mixed] {
        sequences(mode, cases(1600) / 80, &options).assert_complete(&format!("fallback {mode:?}"));
    }
    for mode in [Mode::Uf, Mode::Lia, Mode::UfLia] {
        trees(mode, cases(1600) / 80, &options).assert_complete(&format!("fallback tree {mode:?}"));
    }
}
