//! What is asked of a check, what it tells while it goes on, and what it found.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use foretell_certify::CheckReport;
use foretell_kernel::VerdictKind;
use foretell_process::{Limit, Limits, Options, SignalPolicy, Spec, Stop, Supervisor, Usage};
use foretell_systems::Property;

use crate::check::connected;
use crate::check::incident::Incident;
use crate::claims::Claimed;
use crate::error::Error;
use crate::portfolio::Step;
use crate::protocol::{Common, Outcome, Reading, Shared, SharedItem};
use crate::resume::Unfinished;
use crate::worker::statistics::Statistics;
use crate::worker::trail::Deeds;

/// What to check, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// Which properties.
    pub selection: Selection,
    /// What to run, in this order.
    pub steps: Vec<Step>,
    /// How many workers may run at once.
    pub jobs: usize,
    /// Limits on the whole process tree.
    pub limits: Limits,
    /// What is known beforehand; nobody believes it.
    pub hints: Vec<Shared>,
    /// What somebody claims; it is checked first.
    pub claims: Vec<Claimed>,
    /// What every worker is told besides.
    pub common: Common,
    /// What becomes of the runs that an answer ends.
    pub ends: Ends,
    /// Where it runs.
    pub host: Host,
}

/// What becomes of runs when the last property has its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ends {
    /// The check waits until they are gone: the report says how each ended and what it used.
    #[default]
    Awaited,
    /// They are killed and left to the kernel; the report says of them what was last known.
    Left,
}

/// The process that supervises a check, and the executable of its workers.
#[derive(Clone, Debug)]
pub struct Host {
    /// The executable of the workers; `None`: the running one, which must serve them
    /// ([`foretell_process::shim`]).
    pub program: Option<PathBuf>,
    /// The arguments that make it a worker.
    pub worker_arguments: Vec<String>,
    /// Whether signals to this process end the check.
    pub signals: SignalPolicy,
    /// Ends the check when somebody sets it.
    pub stop: Option<Stop>,
    /// Workers on other machines, besides those here.
    pub remote: Option<Remote>,
}

/// Workers on other machines.
#[derive(Clone, Debug)]
pub struct Remote {
    /// The command that starts one and connects its standard input and output: a launcher such as `srun`
    /// or `ssh` with its words, then the executable there with the arguments of a worker.
    pub command: Vec<String>,
    /// How many may run at once.
    pub jobs: usize,
    /// The build that they must be ([`crate::worker::Home::build`]).
    pub build: String,
}

impl Host {
    /// This process, with these arguments for its workers.
    pub fn own(worker_arguments: Vec<String>) -> Host {
        Host {
            program: None,
            worker_arguments,
            signals: SignalPolicy::Watch,
            stop: None,
            remote: None,
        }
    }

    /// What is started as a worker here.
    pub fn worker(&self) -> Spec {
        let arguments = self.worker_arguments.iter().map(String::as_str);
        connected(Spec::worker(arguments))
    }

    /// A supervisor with these limits.
    pub(crate) fn supervisor(&self, limits: Limits) -> Result<Supervisor, Error> {
        let system = |e: std::io::Error| Error::System(e.to_string());
        let mut options = Options::new().map_err(system)?;
        if let Some(program) = &self.program {
            options = options.executable(program);
        }
        Supervisor::new(options.limits(limits).signals(self.signals)).map_err(system)
    }

    /// Whether somebody wants the check to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(Stop::is_set)
    }
}

/// Which properties of a transition system, or goals of clauses, are checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// As the format has it: each on its own for several queries and beside liveness.
    Natural,
    /// This one.
    One(Property),
    /// The one of this name.
    Named(String),
    /// Each on its own.
    Each,
    /// All as one, but each goal of clauses is proved on its own and the proofs are joined.
    Joined,
}

impl Selection {
    /// Whether every question of an input gets an answer of its own.
    pub fn is_each(&self, reading: &Reading) -> bool {
        match self {
            Selection::Natural => reading.wants_each(),
            Selection::Each => !reading.questions.is_empty(),
            Selection::One(_) | Selection::Named(_) | Selection::Joined => false,
        }
    }
}

/// Is told what happens while it happens.
pub trait Observer {
    /// The input was read.
    fn read(&mut self, reading: &Reading);

    /// A run got further: its configuration and how far it is.
    fn progress(&mut self, configuration: &str, statistics: &Statistics);

    /// Something worth a line happened to the run of a configuration.
    fn happened(&mut self, _configuration: &str, _what: &Happening) {}

    /// What the engine of a configuration did, when that was asked for (`events`).
    fn did(&mut self, _configuration: &str, _deeds: &Deeds) {}

    /// A worker said something that is new to the others.
    fn told(&mut self, _shared: &Shared) {}

    /// A property is settled. An error ends the whole check.
    fn settled(&mut self, reading: Option<&Reading>, settled: &Settled) -> Result<(), String>;

    /// Something went wrong that is no answer; the files show it to whoever looks into it.
    fn incident(&mut self, incident: &Incident);
}

/// What happens to the run of a configuration.
#[derive(Clone, Debug)]
pub enum Happening {
    /// It was started, for at most so long while others wait.
    Started(Option<Duration>),
    /// It told the others these formulas.
    Shared(Vec<SharedItem>),
    /// It found an answer and checks it.
    Found(VerdictKind),
    /// It was suspended, and goes on when its turn comes again.
    Suspended,
    /// It is gone, for this reason, in words.
    Ended(String),
    /// Its worker on another machine was lost, for this reason; it is started again.
    Lost(String),
}

/// The final word on one property.
#[derive(Clone, Debug)]
pub struct Settled {
    /// Its number, when properties are checked one by one.
    pub property: Option<u64>,
    /// The answer.
    pub outcome: Outcome,
    /// Who checked it.
    pub checks: Vec<CheckReport>,
    /// The configuration that found it.
    pub configuration: Option<String>,
    /// The text that the certificate is about, when it is not the input: of a liveness property, the input
    /// with commands added.
    pub encoding: Option<String>,
}

/// One run of a worker, for statistics.
#[derive(Clone, Debug)]
pub struct Run {
    /// The configuration.
    pub configuration: String,
    /// The property, when properties are checked one by one.
    pub property: Option<u64>,
    /// When it began.
    pub started: Instant,
    /// The limit that ended it.
    pub limit: Option<Limit>,
    /// How it ended, in a few words.
    pub end: String,
    /// How far it got.
    pub statistics: Statistics,
    /// What it used.
    pub usage: Usage,
}

/// The whole check.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What the input turned out to be, if that became known.
    pub reading: Option<Reading>,
    /// The properties in the order in which they were settled.
    pub settled: Vec<Settled>,
    /// The runs in the order in which they ended.
    pub runs: Vec<Run>,
    /// The configurations that never got a turn.
    pub not_started: Vec<String>,
    /// The turns that were not over, the next one first.
    pub unfinished: Vec<Unfinished>,
    /// Answers whose check was not over, when they were asked for (`witnesses`), and those to single
    /// questions.
    pub claims: Vec<Claimed>,
    /// What workers said to each other.
    pub shared: Vec<Shared>,
    /// Whether a signal ended it.
    pub interrupted: bool,
    /// The time it took.
    pub elapsed: Duration,
}

impl Report {
    /// The answer to the whole: unsafe if one property is, safe if all are.
    pub fn verdict(&self) -> VerdictKind {
        let verdicts = || self.settled.iter().map(|s| s.outcome.verdict());
        if verdicts().any(|v| v == VerdictKind::Unsafe) {
            VerdictKind::Unsafe
        } else if self.settled.is_empty() || verdicts().any(|v| v == VerdictKind::Unknown) {
            VerdictKind::Unknown
        } else {
            VerdictKind::Safe
        }
    }
}
