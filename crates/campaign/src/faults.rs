//! The corpus under injected faults: a solver that says `unknown`, fails, hangs or dies at a random rate
//! must never lead to a wrong answer.
//!
//! Case `n` is file `n mod files` with an engine, rates and a seed drawn from `n`; what is known about it
//! is the folder it lies in. In one case of four the solver also hangs and dies: those run in processes
//! of their own, below the product's supervisor.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use foretell_driver::protocol::Faults;
use foretell_kernel::Rng;
use foretell_testkit::enumerate::Truth;

use crate::case::{Case, Question};
use crate::run::{Extras, Plan, RunLimits};
use crate::settings::any_engine;

/// What a run may take.
const LIMITS: RunLimits = RunLimits {
    time: Duration::from_secs(2),
    queries: 120,
};
/// One query in so many fails.
const RATES: [u64; 6] = [0, 3, 10, 30, 100, 300];

/// The files of the corpus that have an answer.
pub struct Corpus {
    files: Vec<(String, String, Truth)>,
}

impl Corpus {
    /// Reads the corpus.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn read(root: &Path) -> io::Result<Corpus> {
        let folders = [
            ("chc/safe", Truth::Safe),
            ("chc/unsafe", Truth::Unsafe),
            ("vmt/safe", Truth::Safe),
            ("vmt/unsafe", Truth::Unsafe),
        ];
        let mut files = Vec::new();
        for (folder, truth) in folders {
            let entries = fs::read_dir(root.join(folder))?.collect::<io::Result<Vec<_>>>()?;
            let mut paths: Vec<_> = entries.into_iter().map(|e| e.path()).collect();
            paths.sort();
            for path in paths
                .iter()
                .filter(|p| p.extension().is_some_and(|e| e != "expect"))
            {
                // A file that is no UTF-8, or whose verdict belongs to one property, is left to other tests.
                let Ok(text) = fs::read_to_string(path) else {
                    continue;
                };
                if text.lines().any(|l| l.starts_with("; property:")) {
                    continue;
                }
                let name = path
                    .file_name()
                    .map(|n| n.to_string_lossy().into_owned())
                    .unwrap_or_default();
                files.push((format!("{folder}/{name}"), text, truth));
            }
        }
        Ok(Corpus { files })
    }

    /// The case of a number.
    pub fn case(&self, number: u64) -> Case {
        let place = usize::try_from(number).unwrap_or(0) % self.files.len().max(1);
        let Some((name, text, truth)) = self.files.get(place) else {
            return Case {
                kind: "none".into(),
                truth: Truth::Undecided,
                questions: Vec::new(),
            };
        };
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
            engine: any_engine(&rng).name.to_owned(),
            settings: Vec::new(),
            extras: Extras::Nothing,
            faults: Some(faults),
            limits: LIMITS,
        };
        let kind = name
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder)
            .to_owned();
        Case {
            kind,
            truth: *truth,
            questions: vec![Question {
                text: text.clone(),
                plan,
                relation: "",
            }],
        }
    }
}
