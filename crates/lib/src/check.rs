//! A check, from a text and wishes to an answer: the one place where names become a [`Request`].

use std::path::PathBuf;
use std::time::Duration;

use foretell_driver::{
    Common, Ends, Error, Host, Portfolio, Request, Selection, Step, check as run_check,
};
use foretell_process::{Limits, SignalPolicy, Stop};

use crate::answer::{Answer, Event, Follow};
use crate::host;

/// How many workers run at once when nobody says.
const JOBS: usize = 2;

/// What is to be checked, and how.
#[derive(Clone, Debug)]
pub struct Check {
    bytes: Vec<u8>,
    selection: Selection,
    engine: String,
    engines: Engines,
    portfolio: Option<Portfolio>,
    foreign: Vec<String>,
    jobs: usize,
    limits: Limits,
    common: Common,
    program: Option<PathBuf>,
    signals: SignalPolicy,
    stop: Option<Stop>,
    elsewhere: Option<Elsewhere>,
}

/// Workers on other machines, besides those here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elsewhere {
    /// A command that runs the words that follow it on another machine and connects standard input and
    /// output: `srun` or `ssh` with its options.
    pub launcher: Vec<String>,
    /// The executable `foretell` there; `None`: at the same path as here. It must be the same build.
    pub program: Option<PathBuf>,
    /// How many workers run there at once.
    pub jobs: usize,
}

/// Which engines may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engines {
    /// All.
    #[default]
    All,
    /// Only those of this project, no other solver.
    Own,
}

impl Check {
    /// A check of a text in any of the formats: HORN, rules, VMT.
    pub fn new(text: impl Into<Vec<u8>>) -> Check {
        Check {
            bytes: text.into(),
            selection: Selection::Natural,
            engine: "auto".to_owned(),
            engines: Engines::All,
            portfolio: None,
            foreign: Vec::new(),
            jobs: JOBS,
            limits: Limits::none(),
            common: Common {
                model: true,
                ..Common::default()
            },
            program: None,
            signals: SignalPolicy::Ignore,
            stop: None,
            elsewhere: None,
        }
    }

    /// The same about another text.
    pub fn text(self, text: impl Into<Vec<u8>>) -> Check {
        Check {
            bytes: text.into(),
            ..self
        }
    }

    /// The time it may take; then the answer is `unknown`.
    pub fn timeout(mut self, limit: Duration) -> Check {
        self.limits.wall = Some(limit);
        self
    }

    /// The memory it may take, in bytes, with all its processes.
    pub fn memory(mut self, bytes: u64) -> Check {
        self.limits.memory = Some(bytes);
        self
    }

    /// All limits at once.
    pub fn limits(self, limits: Limits) -> Check {
        Check { limits, ..self }
    }

    /// How many workers run at once.
    pub fn jobs(self, jobs: usize) -> Check {
        Check { jobs, ..self }
    }

    /// Workers on other machines besides; nothing they say is believed.
    pub fn elsewhere(self, elsewhere: Elsewhere) -> Check {
        Check {
            elsewhere: Some(elsewhere),
            ..self
        }
    }

    /// The engine or portfolio; `auto` when nobody says.
    pub fn engine(self, name: impl Into<String>) -> Check {
        Check {
            engine: name.into(),
            ..self
        }
    }

    /// Which engines may run.
    pub fn engines(self, engines: Engines) -> Check {
        Check { engines, ..self }
    }

    /// Another Horn solver beside the engines, by its command: `golem --print-witness {file}`. It reads
    /// SMT-LIB from the file or from standard input; its models are checked like all others, and nothing
    /// else it says is an answer.
    pub fn foreign(mut self, command: impl Into<String>) -> Check {
        self.foreign.push(command.into());
        self
    }

    /// Portfolios besides those that are built in, as TOML.
    ///
    /// # Errors
    /// When the text cannot be read.
    pub fn portfolio(mut self, text: &str) -> Result<Check, Error> {
        let mut portfolio = self.known()?;
        portfolio.extend(text)?;
        self.portfolio = Some(portfolio);
        Ok(self)
    }

    /// Which properties: one by its number or name, or each on its own.
    pub fn property(self, selection: Selection) -> Check {
        Check { selection, ..self }
    }

    /// A setting of `foretell options`, `group.option=value`.
    pub fn set(mut self, setting: impl Into<String>) -> Check {
        self.common.settings.push(setting.into());
        self
    }

    /// Everything that workers are told besides: seed, solvers, how much of witnesses is kept.
    pub fn common(self, common: Common) -> Check {
        Check { common, ..self }
    }

    /// The executable `foretell` that is the workers.
    pub fn program(self, program: impl Into<PathBuf>) -> Check {
        Check {
            program: Some(program.into()),
            ..self
        }
    }

    /// Whether SIGINT and SIGTERM to this process end the check; without this they are left alone.
    pub fn signals(self, signals: SignalPolicy) -> Check {
        Check { signals, ..self }
    }

    /// A handle that ends the check from another thread: its answer is then `unknown`.
    pub fn stop_handle(&mut self) -> Stop {
        self.stop.get_or_insert_default().clone()
    }

    /// Runs it.
    ///
    /// # Errors
    /// When a name is wrong, the input is refused, or workers cannot be started.
    pub fn run(self) -> Result<Answer, Error> {
        self.follow(|_| {})
    }

    /// Runs it and tells what happens.
    ///
    /// # Errors
    /// As [`Check::run`].
    pub fn follow(self, tell: impl FnMut(&Event<'_>)) -> Result<Answer, Error> {
        let request = self.request()?;
        run_check(&request, &mut Follow(tell)).map(Answer)
    }

    /// What the supervisor is asked, with every name resolved.
    ///
    /// # Errors
    /// When there is no such engine, or a solver or the executable is missing.
    pub fn request(mut self) -> Result<Request, Error> {
        let steps = self.steps(&self.bytes)?;
        let bytes = std::mem::take(&mut self.bytes);
        Ok(Request {
            bytes,
            steps,
            ..self.template()?
        })
    }

    /// The same without the text and without what runs on it.
    ///
    /// # Errors
    /// When a solver or the executable is missing.
    pub fn template(&self) -> Result<Request, Error> {
        let program = host::program(self.program.as_deref())?;
        let mut common = self.common.clone();
        if common.tools.z3.is_none() {
            common.tools.z3 = Some(host::z3(program.as_deref())?);
        }
        let elsewhere = self.elsewhere.as_ref();
        let remote = elsewhere.map(|e| host::remote(e, program.as_deref(), &common.tools));
        let host = Host {
            remote: remote.transpose()?,
            program,
            signals: self.signals,
            stop: self.stop.clone(),
            ..Host::own(vec![host::WORKER.to_owned()])
        };
        Ok(Request {
            bytes: Vec::new(),
            selection: self.selection.clone(),
            steps: Vec::new(),
            jobs: self.jobs,
            limits: self.limits,
            hints: Vec::new(),
            claims: Vec::new(),
            common,
            ends: Ends::Awaited,
            host,
        })
    }

    /// What runs on a text, in this order.
    ///
    /// # Errors
    /// When there is no such engine or portfolio, or nothing is left to run.
    pub fn steps(&self, text: &[u8]) -> Result<Vec<Step>, Error> {
        let slots = self.jobs + self.elsewhere.as_ref().map_or(0, |e| e.jobs);
        let mut steps = self.known()?.steps_for(&self.engine, slots, text)?;
        let foreign = self.foreign.iter().enumerate();
        let foreign = foreign.map(|(n, command)| Portfolio::foreign(command, n));
        let foreign: Vec<Step> = foreign.collect::<Result<_, _>>()?;
        // After the engine that answers most, so that they start at once where there are two slots.
        steps.splice(1.min(steps.len())..1.min(steps.len()), foreign);
        if self.engines == Engines::Own {
            steps.retain(Step::is_own);
        }
        match steps.is_empty() {
            true => Err(Error::Usage("`--own` leaves no engine to run".into())),
            false => Ok(steps),
        }
    }

    /// The portfolios there are.
    fn known(&self) -> Result<Portfolio, Error> {
        match &self.portfolio {
            Some(portfolio) => Ok(portfolio.clone()),
            None => Portfolio::built_in(),
        }
    }
}
