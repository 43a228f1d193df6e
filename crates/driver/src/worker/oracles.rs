//! The oracles of a worker: Z3 for queries, a fresh Z3 process for certificates, interpolation.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use foretell_certify::SCRIPT_HEAD;
use foretell_interpolate::{InterpolateOptions, Itp, Lemmas};
use foretell_kernel::{
    Halt, Interpolator, Oracles, ScriptAnswer, Solver, SolverConfig, Strength, clock,
};
use foretell_process::{run_once, shim, split_words};
use foretell_solver::{
    FaultPlan, Recorder, Recording, ScriptProcess, StartedScript, Z3Oracles, Z3Solver,
};

use crate::protocol::{Faults, Job};
use crate::worker::statistics::Counter;

/// Z3 for queries and scripts, and the interpolator.
pub(crate) struct WorkerOracles {
    z3: Z3Oracles,
    interpolation: InterpolateOptions,
    /// Theory lemmas that pass from one interpolation to the next.
    lemmas: Lemmas,
    /// Where sessions are recorded, each in a file of its own.
    record: Option<PathBuf>,
    n_sessions: Cell<u32>,
    ready: Ready,
    /// Is told how far solver processes are.
    counter: Counter,
    /// The command of the Horn solver, where it is not Z3.
    command: Option<String>,
}

/// A solver process that was started before there was a certificate to check. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct Ready(Arc<Mutex<Option<StartedScript>>>);

impl Ready {
    /// Lets it read what the scripts to come begin with.
    pub(crate) fn expect(&self, head: &str) {
        let mut process = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(started) = process.as_mut() {
            started.expect(head);
        }
    }

    /// The process, for this script.
    fn take(&self, script: &str) -> Option<StartedScript> {
        let mut process = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        process.take().filter(|started| started.begins(script))
    }
}

/// A solver that says more than this is ended.
const MOST_SAID: usize = 64 << 20;

impl WorkerOracles {
    /// The oracles a job asks for.
    ///
    /// # Errors
    /// When the recording cannot be opened.
    pub(crate) fn new(
        job: &Job,
        interpolation: InterpolateOptions,
        counter: &Counter,
    ) -> io::Result<WorkerOracles> {
        let scripts = job
            .common
            .tools
            .z3
            .as_deref()
            .map(|z3| contained(ScriptProcess::z3(z3.to_owned()), None));
        let mut z3 = Z3Oracles {
            scripts,
            seed: job.common.seed as u32,
            ..Z3Oracles::default()
        };
        z3.faults = job.common.faults.map(FaultPlan::from);
        if let Some(path) = &job.common.record {
            // Found out now, not when the first query was asked for nothing.
            File::create(path)?;
        }
        let (lemmas, n_sessions) = (Lemmas::new(), Cell::new(0));
        // If it cannot be started now, the certificate will tell.
        let start = |process: &ScriptProcess| process.start(SCRIPT_HEAD).ok();
        let process = z3.scripts.as_ref().filter(|_| job.eager).and_then(start);
        let ready = Ready(Arc::new(Mutex::new(process)));
        Ok(WorkerOracles {
            z3,
            interpolation,
            lemmas,
            record: job.common.record.clone(),
            n_sessions,
            ready,
            counter: counter.clone(),
            command: job.configuration.command.clone(),
        })
    }

    /// The solver process for certificates.
    pub(crate) fn ready(&self) -> Ready {
        self.ready.clone()
    }
}

/// What a command prints for a text that is its standard input, and the file it is told to read.
fn run_command(command: &str, text: &str, limit: Duration) -> Result<String, Halt> {
    let fill = |word: String| word.replace("{file}", "/dev/stdin");
    let words = split_words(command).map_err(Halt::Solver)?;
    let words: Vec<String> = words.into_iter().map(fill).collect();
    let wait = |end: &_| clock::receive(end, limit);
    let said = run_once(&words, text.as_bytes(), wait, MOST_SAID)
        .map_err(|e| Halt::Solver(format!("{command}: {e}")))?;
    Ok(String::from_utf8_lossy(&said.output).into_owned())
}

impl From<Faults> for FaultPlan {
    fn from(faults: Faults) -> FaultPlan {
        FaultPlan::new(faults.unknown, faults.error, faults.seed).with_ends(faults.hang, faults.die)
    }
}

/// The file of a session: the first has the given name, the others are numbered, so that each can be
/// replayed by itself.
fn recording(path: &Path, session: u32) -> io::Result<Recording> {
    let path = if session == 0 {
        path.to_owned()
    } else {
        path.with_extension(format!("{session}.smt2"))
    };
    Ok(Recording::new(Box::new(BufWriter::new(File::create(
        path,
    )?))))
}

/// The same solver process, but started so that it dies with this process, by this executable or another
/// one that can do it.
pub(crate) fn contained(process: ScriptProcess, launcher: Option<&Path>) -> ScriptProcess {
    let (own, args) = shim::contained(&process.program, &process.args);
    let program = launcher.map_or(own, Path::to_owned);
    ScriptProcess {
        program,
        args,
        ..process
    }
}

impl Oracles for WorkerOracles {
    fn solver(&self, config: &SolverConfig) -> Box<dyn Solver> {
        let session = self.n_sessions.replace(self.n_sessions.get() + 1);
        let recording = self
            .record
            .as_deref()
            .and_then(|path| recording(path, session).ok());
        match recording.filter(|_| self.z3.faults.is_none()) {
            Some(recording) => {
                let mut config = config.clone();
                config.seed = config.seed.wrapping_add(self.z3.seed);
                Box::new(Recorder::new(Z3Solver::new(&config), recording))
            }
            None => self.z3.solver(config),
        }
    }

    /// The one place where an interpolator is chosen.
    fn interpolator(&self, strength: Strength) -> Box<dyn Interpolator> {
        Box::new(Itp::new(strength, self.interpolation.clone()).with_lemmas(&self.lemmas))
    }

    fn script(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        let process = self.z3.scripts.as_ref();
        let asked = script.matches("(check-sat)").count();
        let going = process.map(|process| (process.answered.clone(), asked));
        self.counter.script(going);
        let answers = match self.ready.take(script) {
            Some(started) => started.finish(script, limit),
            None => self.z3.script(script, limit),
        };
        self.counter.script(None);
        answers
    }

    fn expect(&self, head: &str) {
        self.ready.expect(head);
    }

    /// Z3, or the solver that the configuration names.
    fn horn(&self, text: &str, parameters: &[String], limit: Duration) -> Result<String, Halt> {
        match &self.command {
            Some(command) => run_command(command, text, limit),
            None => self.z3.horn(text, parameters, limit),
        }
    }
}
