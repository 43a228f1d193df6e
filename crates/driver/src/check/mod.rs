//! The supervisor: starts workers, owns the clock, takes the first checked answer.
//!
//! ```text
//! check(request)
//!   loop
//!     free slot ∧ a turn waits: start a worker for it
//!     what happens:  read      → learn format and properties, queue the other properties
//!                    refused   → end: the input is wrong
//!                    answer    → safe or unsafe: kill the other runs of this property
//!                    exit      → settle a property nobody runs for any more
//!                    limit, signal → everything is killed; open properties are unknown
//! ```
//!
//! A property is settled only after all its workers are gone, so that an answer that contradicts
//! the first one is seen and is an error, never a verdict.

pub(crate) mod incident;
pub(crate) mod schedule;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use foretell_certify::CheckReport;
use foretell_kernel::VerdictKind;
use foretell_process::{
    Cause, ChildId, Exit, Limits, Options, Output, ProcessEvent, SignalPolicy, Spec, Status,
    Stream, Supervisor, Usage,
};

use foretell_systems::Property;

pub use crate::check::incident::Incident;
use crate::check::incident::{contradiction, crashed, rejected};
use crate::check::schedule::{Schedule, Turn};
use crate::error::Error;
use crate::portfolio::Step;
use crate::protocol::{Answer, Ask, Common, Job, Message, Outcome, Reading, Shared};
use crate::registry::Prepared;
use crate::worker::statistics::Statistics;

/// After a limit or a signal, workers that were killed get this long to disappear.
const LAST_CALL: Duration = Duration::from_millis(300);
/// A worker may always plan with this much; the supervisor's clock decides.
const MIN_PLAN: Duration = Duration::from_secs(1);
/// At most so many messages between the workers of a property are kept and passed on.
const MOST_SHARED: usize = 200;
/// How much of a worker's standard error is kept.
const STDERR_KEPT: usize = 64 << 10;

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
    /// What every worker is told besides.
    pub common: Common,
    /// The arguments that make this executable a worker.
    pub worker_arguments: Vec<String>,
}

/// Which properties of a transition system are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// This one.
    One(Property),
    /// Each on its own.
    Each,
}

/// Is told what happens while it happens.
pub trait Observer {
    /// The input was read.
    fn read(&mut self, reading: &Reading);

    /// A run got further: its configuration and how far it is.
    fn progress(&mut self, configuration: &str, statistics: &Statistics);

    /// A property is settled. An error ends the whole check.
    fn settled(&mut self, reading: Option<&Reading>, settled: &Settled) -> Result<(), String>;

    /// Something went wrong that is no answer; the files show it to whoever looks into it.
    fn incident(&mut self, incident: &Incident);
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
}

/// One run of a worker, for statistics.
#[derive(Clone, Debug)]
pub struct Run {
    /// The configuration.
    pub configuration: String,
    /// The property, when properties are checked one by one.
    pub property: Option<u64>,
    /// How it ended, in a few words.
    pub end: String,
    /// How far it got.
    pub statistics: Statistics,
    /// What it used.
    pub usage: Usage,
}

/// The whole check.
#[derive(Clone, Debug)]
pub struct Report {
    /// What the input turned out to be, if that became known.
    pub reading: Option<Reading>,
    /// The properties in the order in which they were settled.
    pub settled: Vec<Settled>,
    /// The runs in the order in which they ended.
    pub runs: Vec<Run>,
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

/// Checks an input.
///
/// # Errors
/// When a setting is wrong, the input is refused, workers cannot be started, the observer gives up, or
/// two answers contradict each other.
pub fn check(request: &Request, observer: &mut dyn Observer) -> Result<Report, Error> {
    for step in &request.steps {
        Prepared::new(&step.configuration, &request.common.settings)?;
    }
    let system = |e: std::io::Error| Error::System(e.to_string());
    let options = Options::new()
        .map_err(system)?
        .limits(request.limits)
        .signals(SignalPolicy::Watch);
    let supervisor = Supervisor::new(options).map_err(system)?;
    let mut session = Session {
        request,
        supervisor,
        schedule: Schedule::single(&request.steps),
        active: BTreeMap::new(),
        tasks: vec![Task::new(request.selection)],
        report: Report {
            reading: None,
            settled: Vec::new(),
            runs: Vec::new(),
            elapsed: Duration::ZERO,
        },
        started: Instant::now(),
        stopped: None,
    };
    session.run(observer)?;
    session.report.elapsed = session.started.elapsed();
    Ok(session.report)
}

/// A check while it goes on.
struct Session<'r> {
    request: &'r Request,
    supervisor: Supervisor,
    schedule: Schedule,
    active: BTreeMap<ChildId, Active>,
    tasks: Vec<Task>,
    report: Report,
    started: Instant,
    /// Why everything was stopped, and when to wait no longer.
    stopped: Option<(String, Instant)>,
}

/// A worker that runs.
struct Active {
    turn: Turn,
    started: Instant,
    statistics: Statistics,
    /// Its last message, in words.
    said: Option<String>,
    /// Whether it was stopped because its slice was over.
    sliced: bool,
}

/// A property.
struct Task {
    ask: Ask,
    number: Option<u64>,
    answers: Vec<(String, Answer)>,
    reasons: Vec<(String, String)>,
    /// What its workers told each other.
    shared: Vec<Shared>,
    settled: bool,
}

impl Task {
    fn new(selection: Selection) -> Task {
        let (ask, number) = match selection {
            Selection::One(Property::All) => (Ask::default(), None),
            Selection::One(Property::Number(n)) => (Ask::One(Property::Number(n)), Some(n)),
            Selection::Each => (Ask::First, None),
        };
        Task {
            ask,
            number,
            answers: Vec::new(),
            reasons: Vec::new(),
            shared: Vec::new(),
            settled: false,
        }
    }
}

impl Session<'_> {
    fn run(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        loop {
            self.fill()?;
            if self.active.is_empty() {
                break;
            }
            match self.supervisor.next_event(self.next_deadline()) {
                Some(event) => self.handle(event, observer)?,
                None if self.stopped.is_some() => break,
                None => self.end_slices(),
            }
            self.settle(observer)?;
        }
        self.leave_rest();
        self.schedule.clear();
        self.settle(observer)
    }

    /// The runs whose end takes longer than anybody waits are reported as they were last seen.
    fn leave_rest(&mut self) {
        let end = self
            .stopped
            .as_ref()
            .map_or("stopped", |(why, _)| why.as_str())
            .to_owned();
        for (_, active) in std::mem::take(&mut self.active) {
            let usage = Usage {
                wall: active.started.elapsed(),
                ..Usage::default()
            };
            self.report.runs.push(Run {
                configuration: self.request.steps[active.turn.step]
                    .configuration
                    .name
                    .clone(),
                property: self.tasks[active.turn.task].number,
                end: end.clone(),
                statistics: active.statistics,
                usage,
            });
        }
    }

    /// Starts workers while there are slots and turns.
    fn fill(&mut self) -> Result<(), Error> {
        while self.stopped.is_none() && self.active.len() < self.request.jobs.max(1) {
            let Some(turn) = self.schedule.next() else {
                break;
            };
            let spec = Spec::worker(self.request.worker_arguments.iter().map(String::as_str))
                .piped()
                .lines()
                .stderr(Output::Capture(STDERR_KEPT));
            match self.supervisor.spawn(spec) {
                Ok(child) => {
                    let active = Active {
                        turn,
                        started: Instant::now(),
                        statistics: Statistics::default(),
                        said: None,
                        sliced: false,
                    };
                    self.active.insert(child, active);
                    let input = self.worker_input(turn);
                    self.supervisor.send_bytes(child, input);
                }
                Err(foretell_process::SpawnError::LimitReached(limit)) => {
                    self.stop(&limit.to_string())
                }
                Err(error) => return Err(Error::System(error.to_string())),
            }
        }
        Ok(())
    }

    /// The job on one line, then the file.
    fn worker_input(&self, turn: Turn) -> Vec<u8> {
        let mut input = serde_json::to_vec(&self.job(turn)).unwrap_or_default();
        input.push(b'\n');
        input.extend_from_slice(&self.request.bytes);
        input
    }

    fn job(&self, turn: Turn) -> Job {
        let configuration = self.request.steps[turn.step].configuration.clone();
        let mut common = self.request.common.clone();
        if self.request.steps.len() > 1 {
            let own = |path: PathBuf| path.with_extension(format!("{}.smt2", configuration.name));
            common.record = common.record.map(own);
        }
        let wall = self.request.limits.wall;
        let left = wall.map(|wall| wall.saturating_sub(self.started.elapsed()));
        let milliseconds = |d: Duration| u64::try_from(d.as_millis()).unwrap_or(u64::MAX);
        Job {
            configuration,
            ask: self.tasks[turn.task].ask,
            time_left: left.map(milliseconds),
            slice: self.plan(turn).map(milliseconds),
            eager: turn.step == 0,
            length: Some(self.request.bytes.len()),
            shared: self.tasks[turn.task].shared.clone(),
            common,
        }
    }

    /// What a worker may plan with: its slice while others wait, and its share of the processor time
    /// that is left when all slots are busy.
    fn plan(&self, turn: Turn) -> Option<Duration> {
        let slots = u32::try_from(self.request.jobs.max(1)).unwrap_or(u32::MAX);
        let share = self
            .request
            .limits
            .cpu
            .map(|cpu| (cpu / slots).saturating_sub(self.started.elapsed()));
        let slice = turn.slice.filter(|_| !self.schedule.is_empty());
        slice
            .into_iter()
            .chain(share.map(|s| s.max(MIN_PLAN)))
            .min()
    }

    /// When something must be done even if nothing happens.
    fn next_deadline(&self) -> Option<Instant> {
        if let Some((_, last_call)) = &self.stopped {
            return Some(*last_call);
        }
        if self.schedule.is_empty() {
            return None;
        }
        let ends = self.active.values().filter(|a| !a.sliced);
        ends.filter_map(|a| a.turn.slice.map(|slice| a.started + slice))
            .min()
    }

    /// Stops the runs whose slice is over while others wait.
    fn end_slices(&mut self) {
        let now = Instant::now();
        for (&child, active) in &mut self.active {
            let over = active
                .turn
                .slice
                .is_some_and(|slice| active.started + slice <= now);
            if over && !active.sliced && !self.schedule.is_empty() {
                active.sliced = true;
                self.supervisor.kill(child);
            }
        }
    }

    /// Everything ends now.
    fn stop(&mut self, why: &str) {
        if self.stopped.is_none() {
            self.stopped = Some((why.to_owned(), Instant::now() + LAST_CALL));
            self.schedule.clear();
            self.supervisor.kill_all();
        }
    }

    fn handle(&mut self, event: ProcessEvent, observer: &mut dyn Observer) -> Result<(), Error> {
        match event {
            ProcessEvent::Line {
                child,
                stream: Stream::Stdout,
                text,
            } => self.line(child, &text, observer),
            ProcessEvent::Overlong { child, .. } => {
                self.supervisor.kill(child);
                Ok(())
            }
            ProcessEvent::Exit(exit) => {
                self.ended(&exit, observer);
                Ok(())
            }
            ProcessEvent::LimitHit { child: None, limit } => {
                self.stop(&limit.to_string());
                Ok(())
            }
            ProcessEvent::Interrupted { .. } => {
                self.stop("interrupted");
                Ok(())
            }
            ProcessEvent::Line { .. } | ProcessEvent::LimitHit { .. } => Ok(()),
        }
    }

    /// A line of a worker. What comes after the end was called, or is no message, is ignored: the
    /// worker's exit tells.
    fn line(
        &mut self,
        child: ChildId,
        text: &str,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let Ok(message) = serde_json::from_str::<Message>(text) else {
            return Ok(());
        };
        let Some(active) = self
            .active
            .get_mut(&child)
            .filter(|_| self.stopped.is_none())
        else {
            return Ok(());
        };
        let (task, name) = (
            active.turn.task,
            &self.request.steps[active.turn.step].configuration.name,
        );
        match message {
            Message::Read(reading) => self.learn(reading, observer),
            Message::Refused(refusal) => return Err(Error::Refused(refusal)),
            Message::Progress(statistics) => {
                observer.progress(name, &statistics);
                active.statistics = statistics;
            }
            Message::Share(shared) => self.pass_on(child, task, shared),
            Message::Answer(answer) => {
                active.statistics = answer.statistics.clone();
                active.said = Some(answer.outcome.verdict().name().to_owned());
                if let Outcome::Unknown {
                    reason,
                    rejected: witness,
                } = &answer.outcome
                {
                    active.said = Some(reason.clone());
                    if let Some(witness) = witness {
                        observer.incident(&rejected(name, witness, &self.request.bytes));
                    }
                    self.tasks[task]
                        .reasons
                        .push((name.clone(), reason.clone()));
                } else {
                    self.tasks[task].answers.push((name.clone(), *answer));
                    self.end_task(task);
                }
            }
        }
        Ok(())
    }

    /// Hands what a worker said to the others on the same property, now and when they start.
    fn pass_on(&mut self, from: ChildId, task: usize, shared: Shared) {
        let known = &mut self.tasks[task].shared;
        if known.len() >= MOST_SHARED || known.contains(&shared) {
            return;
        }
        let line = serde_json::to_string(&shared).unwrap_or_default();
        known.push(shared);
        for (&child, _) in self
            .active
            .iter()
            .filter(|(c, a)| **c != from && a.turn.task == task)
        {
            self.supervisor.send_line(child, &line);
        }
    }

    /// The first worker that read the input tells what it is.
    fn learn(&mut self, reading: Reading, observer: &mut dyn Observer) {
        if self.report.reading.is_some() {
            return;
        }
        observer.read(&reading);
        if self.request.selection == Selection::Each && !reading.properties.is_empty() {
            self.tasks[0].number = reading.properties.first().copied();
            for &number in &reading.properties[1..] {
                self.tasks
                    .push(Task::new(Selection::One(Property::Number(number))));
            }
            self.schedule
                .add_tasks(self.tasks.len(), &self.request.steps);
            for active in self.active.values_mut() {
                // Runs that started before the other properties were known share the time now.
                active.turn.slice = active
                    .turn
                    .slice
                    .or(Some(crate::check::schedule::FAIR_SLICE));
            }
        }
        self.report.reading = Some(reading);
    }

    /// Nobody needs to run for this property any more.
    fn end_task(&mut self, task: usize) {
        self.schedule.forget(task);
        for (&child, _) in self.active.iter().filter(|(_, a)| a.turn.task == task) {
            self.supervisor.kill(child);
        }
    }

    /// A worker is gone.
    fn ended(&mut self, exit: &Exit, observer: &mut dyn Observer) {
        let Some(active) = self.active.remove(&exit.child) else {
            return;
        };
        let turn = active.turn;
        let configuration = self.request.steps[turn.step].configuration.name.clone();
        let end = match (&active.said, exit.cause) {
            (Some(said), _) => said.clone(),
            (None, Cause::Limit(limit)) => {
                self.tasks[turn.task]
                    .reasons
                    .push((configuration.clone(), limit.to_string()));
                limit.to_string()
            }
            (None, Cause::Killed) => "stopped".to_owned(),
            (None, Cause::Own) => {
                let words = match exit.status {
                    Status::Code(code) => format!("worker failed (code {code})"),
                    Status::Signal(signal) => died_of(signal),
                };
                let job = serde_json::to_string_pretty(&self.job(turn)).unwrap_or_default();
                let stderr = exit.stderr.text();
                observer.incident(&crashed(
                    &configuration,
                    &words,
                    &job,
                    &stderr,
                    &self.request.bytes,
                ));
                self.tasks[turn.task]
                    .reasons
                    .push((configuration.clone(), words.clone()));
                words
            }
        };
        if active.sliced
            && active.said.is_none()
            && exit.cause == Cause::Killed
            && self.is_open(turn.task)
        {
            self.schedule.again(turn);
        }
        let property = self.tasks[turn.task].number;
        let (statistics, usage) = (active.statistics, exit.usage);
        self.report.runs.push(Run {
            configuration,
            property,
            end,
            statistics,
            usage,
        });
    }

    fn is_open(&self, task: usize) -> bool {
        self.stopped.is_none() && self.tasks[task].answers.is_empty() && !self.tasks[task].settled
    }

    /// Settles every property nobody runs or will run for.
    fn settle(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        for index in 0..self.tasks.len() {
            let running = self.active.values().any(|a| a.turn.task == index);
            if self.tasks[index].settled || running || self.schedule.has(index) {
                continue;
            }
            self.tasks[index].settled = true;
            let settled = self.final_word(index, observer)?;
            observer
                .settled(self.report.reading.as_ref(), &settled)
                .map_err(Error::Output)?;
            self.report.settled.push(settled);
        }
        Ok(())
    }

    fn final_word(&mut self, index: usize, observer: &mut dyn Observer) -> Result<Settled, Error> {
        let stopped = self.stopped.as_ref().map(|(why, _)| why.clone());
        let task = &mut self.tasks[index];
        let property = task.number;
        let mut answers = std::mem::take(&mut task.answers).into_iter();
        let Some((configuration, answer)) = answers.next() else {
            let reason = stopped.unwrap_or_else(|| join_reasons(&task.reasons));
            let outcome = Outcome::Unknown {
                reason,
                rejected: None,
            };
            return Ok(Settled {
                property,
                outcome,
                checks: Vec::new(),
                configuration: None,
            });
        };
        if let Some((other, second)) =
            answers.find(|(_, a)| a.outcome.verdict() != answer.outcome.verdict())
        {
            let verdicts = [answer.outcome.verdict(), second.outcome.verdict()];
            let configurations = [configuration, other];
            observer.incident(&contradiction(
                &configurations,
                [&answer, &second],
                &self.request.bytes,
            ));
            return Err(Error::Soundness {
                configurations,
                verdicts,
            });
        }
        let Answer {
            outcome, checks, ..
        } = answer;
        Ok(Settled {
            property,
            outcome,
            checks,
            configuration: Some(configuration),
        })
    }
}

/// What happened to a worker that died of a signal nobody here sent.
fn died_of(signal: i32) -> String {
    match signal {
        9 => "worker was killed from outside (signal 9): perhaps the machine ran out of memory"
            .to_owned(),
        6 => "worker aborted (signal 6)".to_owned(),
        _ => format!("worker crashed (signal {signal})"),
    }
}

/// One line for why nobody found an answer.
fn join_reasons(reasons: &[(String, String)]) -> String {
    let first = reasons
        .first()
        .map_or("no engine was run", |(_, reason)| reason);
    let text = if reasons.iter().all(|(_, reason)| reason == first) {
        first.to_owned()
    } else {
        let all: Vec<String> = reasons
            .iter()
            .map(|(name, reason)| format!("{name}: {reason}"))
            .collect();
        all.join("; ")
    };
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(400)
        .collect()
}
