//! The process that does the cases: it may hang or crash, the campaign goes on with the next one.

use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;

use foretell_testkit::{Keeping, Scripts};
use serde::{Deserialize, Serialize};

use crate::case::{Case, CaseReport};
use crate::faults::Corpus;

/// Solvers recurse over terms; the stack is reserved, not used.
pub const STACK: usize = 512 << 20;

/// What a worker says, one JSON value per line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// A question of a case is asked now.
    Asks(u64, usize),
    /// A case is done.
    Done(Box<CaseReport>),
}

/// Where cases come from.
pub enum Source {
    /// The generators.
    Systems,
    /// The corpus, with injected faults.
    Faults(Corpus),
}

impl Source {
    /// The source of a campaign.
    ///
    /// # Errors
    /// When there is no such campaign.
    pub fn of(campaign: &str) -> io::Result<Source> {
        match campaign {
            "systems" => Ok(Source::Systems),
            "faults" => Ok(Source::Faults(Corpus::read())),
            _ => Err(io::Error::other(format!("there is no campaign {campaign}"))),
        }
    }

    /// The case of a number.
    pub fn case(&self, number: u64) -> Case {
        match self {
            Source::Systems => Case::generated(number),
            Source::Faults(corpus) => corpus.case(number),
        }
    }
}

/// Does cases and tells about them.
///
/// # Errors
/// When nobody listens any more.
pub fn work(
    source: &Source,
    z3: &Path,
    from: u64,
    to: u64,
    output: &mut dyn Write,
) -> io::Result<()> {
    let scripts = Rc::new(Scripts::new(z3, Keeping::Contained));
    for seed in from..to {
        let case = source.case(seed);
        let mut heard = Ok(());
        let mut report = case.judged(seed, &scripts, &mut |number| {
            if heard.is_ok() {
                heard = tell(output, &Told::Asks(seed, number));
            }
        });
        heard?;
        report.cpu = cpu_seconds("self")
            + scripts
                .process()
                .map_or(0.0, |id| cpu_seconds(&id.to_string()));
        tell(output, &Told::Done(Box::new(report)))?;
    }
    Ok(())
}

fn tell(output: &mut dyn Write, told: &Told) -> io::Result<()> {
    let mut line = serde_json::to_string(told)?;
    line.push('\n');
    output.write_all(line.as_bytes())?;
    output.flush()
}

/// Processor time of a process and its children that ended, in seconds.
fn cpu_seconds(process: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name, in parentheses, may contain anything; fields 14 to 17 follow it.
    let fields = stat
        .rsplit_once(')')
        .map_or("", |(_, rest)| rest)
        .split_whitespace();
    let ticks: u64 = fields
        .skip(11)
        .take(4)
        .filter_map(|f| f.parse::<u64>().ok())
        .sum();
    ticks as f64 / rustix::param::clock_ticks_per_second() as f64
}
