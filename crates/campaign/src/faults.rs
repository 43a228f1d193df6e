//! The corpus under injected faults: a solver that says `unknown`, fails, hangs or dies at a random rate
//! must never lead to a wrong answer.
//!
//! Case `n` is file `n mod files` with an engine, rates and a seed drawn from `n`; what is known about it
//! is the folder it lies in. In one case of four the solver also hangs and dies: those run in processes
//! of their own, below the product's supervisor.

use std::time::Duration;

use foretell_driver::protocol::Faults;
use foretell_kernel::Rng;
use foretell_testkit::corpus::{self, Expected};
use foretell_testkit::enumerate::Truth;
use foretell_testkit::settings::any_engine;
use foretell_testkit::{Plan, RunLimits};

use crate::case::{Case, Question};

/// What a run may take.
const LIMITS: RunLimits = RunLimits {
    time: Duration::from_secs(2),
    queries: 120,
    ..RunLimits::NONE
};
/// One query in so many fails.
const RATES: [u64; 6] = [0, 3, 10, 30, 100, 300];

/// The files of the corpus that have an answer and one property.
pub struct Corpus {
    files: Vec<corpus::Case>,
}

impl Corpus {
    /// Reads the corpus.
    pub fn read() -> Corpus {
        let mut files = corpus::problems();
        files.retain(|file| file.expected != Expected::Open && file.property().is_none());
        Corpus { files }
    }

    /// The case of a number.
    pub fn case(&self, number: u64) -> Case {
        let place = usize::try_from(number).unwrap_or(0) % self.files.len();
        let file = &self.files[place];
        let rng = Rng::new(number ^ 0xfa17_0000_0000);
        let rate = || RATES[usize::try_from(rng.below(6)).unwrap_or(0)];
        let mut faults = Faults {
            unknown: rate(),
            error: rate(),
            seed: rng.next_u64(),
            ..Faults::default()
        };
        if rng.below(4) == 0 {
            (faults.hang, faults.die) = (rate(), rate());
        }
        let plan = Plan {
            faults: Some(faults),
            ..Plan::new(any_engine(&rng).name).within(LIMITS)
        };
        let (kind, truth) = match file.expected {
            Expected::Safe => ("safe", Truth::Safe),
            _ => ("unsafe", Truth::Unsafe),
        };
        Case {
            kind: kind.to_owned(),
            truth,
            questions: vec![Question {
                text: file.text().to_owned(),
                plan,
                relation: "",
            }],
        }
    }
}
