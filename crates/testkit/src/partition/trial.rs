//! One random problem put to the interpolator, and what came of it; counts over many.

use super::check::{path, satisfiable, tree_fault, with_cx};
use super::generate::{Gen, Mode};
use foretell_interpolate::{InterpolateOptions, Itp};
use foretell_kernel::{Cx, Interpolation, Interpolator, PartTree, Strength};
use foretell_terms::{Term, TermStore};
use std::time::Duration;

/// How the groups of a problem hang together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrangement {
    /// In a sequence.
    Sequence,
    /// In a sequence, last group first.
    Reversed,
    /// In a random tree.
    Tree,
}

/// A random problem and how it is put.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// What the formulas are made of.
    pub mode: Mode,
    /// The seed of the generator.
    pub seed: u64,
    /// How the groups hang together.
    pub arrangement: Arrangement,
    /// The strength asked for.
    pub strength: Strength,
}

/// What an answer may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time on the clock: the budget of the question.
    pub clock: Duration,
    /// Processor time: an answer that took more counts as missing.
    pub processor: Duration,
}

/// The processor time of this thread, where the system tells it.
pub fn processor_time() -> Option<Duration> {
    let words = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    words
        .split(' ')
        .next()?
        .parse()
        .ok()
        .map(Duration::from_nanos)
}

/// What came of a trial.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Satisfiable, or undecided by Z3 as well.
    NotUnsatisfiable,
    /// Interpolants that passed the independent check.
    Answered,
    /// The problem is unsatisfiable, but no interpolants came.
    Missing(String),
    /// A wrong answer.
    Wrong(String),
}

impl Trial {
    /// The trial's name.
    pub fn name(&self) -> String {
        format!(
            "{:?} {} {:?} {:?}",
            self.mode, self.seed, self.arrangement, self.strength
        )
    }

    fn problem(&self, store: &TermStore) -> (Vec<Term>, Vec<Option<usize>>) {
        match self.arrangement {
            Arrangement::Tree => Gen::new(store, self.mode, self.seed + 7_000_000).tree(),
            Arrangement::Sequence | Arrangement::Reversed => {
                let mut parts = Gen::new(store, self.mode, self.seed).groups();
                if self.arrangement == Arrangement::Reversed {
                    parts.reverse();
                }
                let parents = path(parts.len());
                (parts, parents)
            }
        }
    }

    /// Asks for interpolants within the limits and judges the answer; counts go to `tally`.
    pub fn run(&self, options: &InterpolateOptions, limits: Limits, tally: &mut Tally) {
        let store = TermStore::new();
        let (parts, parents) = self.problem(&store);
        with_cx(&store, limits.clock, |cx| {
            let start = processor_time();
            let mut itp = Itp::new(self.strength, options.clone());
            let answer = match self.arrangement {
                Arrangement::Tree => itp.tree(
                    &PartTree {
                        parts: parts.clone(),
                        parents: parents.clone(),
                    },
                    cx,
                ),
                _ => itp.sequence(&parts, cx),
            };
            let answer = answer.unwrap_or_else(|halt| Interpolation::Unknown(halt.into()));
            let took = processor_time()
                .zip(start)
                .map_or(Duration::ZERO, |(end, start)| end - start);
            let outcome = match judge(&parts, &parents, answer, cx) {
                Outcome::Answered if took > limits.processor => {
                    Outcome::Missing(format!("took {took:?}"))
                }
                outcome => outcome,
            };
            tally.count(self, &itp, &outcome);
            tally.slowest = tally.slowest.max(took);
        });
    }
}

fn judge(parts: &[Term], parents: &[Option<usize>], answer: Interpolation, cx: &Cx<'_>) -> Outcome {
    match answer {
        Interpolation::Interpolants(itps) => match tree_fault(parts, parents, &itps, cx) {
            None => Outcome::Answered,
            Some(fault) if fault.ends_with("undecided") => Outcome::Missing(fault),
            Some(fault) => Outcome::Wrong(fault),
        },
        Interpolation::Satisfiable(_) if satisfiable(parts, cx) == Some(false) => {
            Outcome::Wrong("a model of an unsatisfiable problem".into())
        }
        Interpolation::Unknown(why) if satisfiable(parts, cx) == Some(false) => {
            Outcome::Missing(why.to_string())
        }
        _ => Outcome::NotUnsatisfiable,
    }
}

/// The counts of many trials, with the names of what went unanswered, was wrong, or failed its
/// check.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Trials.
    pub trials: usize,
    /// Unsatisfiable problems.
    pub unsatisfiable: usize,
    /// Answered ones.
    pub answered: usize,
    /// Answers of the fallback.
    pub fallback: u64,
    /// Answers that failed the check within the crate and were not returned.
    pub rejected: u64,
    /// Wrong answers.
    pub wrong: usize,
    /// The most processor time a question took.
    pub slowest: Duration,
    /// Names.
    pub remarks: Vec<String>,
}

impl Tally {
    fn count(&mut self, trial: &Trial, itp: &Itp, outcome: &Outcome) {
        self.trials += 1;
        self.fallback += itp.stats().fallbacks;
        self.rejected += itp.stats().rejected;
        if itp.stats().rejected > 0 {
            self.remarks.push(format!("{}: rejected", trial.name()));
        }
        match outcome {
            Outcome::NotUnsatisfiable => return,
            Outcome::Answered => self.answered += 1,
            Outcome::Missing(why) => self.remarks.push(format!("{}: {why}", trial.name())),
            Outcome::Wrong(why) => {
                self.wrong += 1;
                self.remarks.push(format!("{}: WRONG, {why}", trial.name()));
            }
        }
        self.unsatisfiable += 1;
    }

    /// Whether no answer is wrong and at least 99.5 % of the unsatisfiable problems are answered.
    pub fn is_good(&self) -> bool {
        self.wrong == 0 && self.rejected == 0 && self.answered * 1000 >= self.unsatisfiable * 995
    }
}
