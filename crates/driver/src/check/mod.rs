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
//! A property is settled after all its workers are gone, so that an answer that contradicts the first one is
//! seen and is an error, never a verdict. Where nobody wants to know how the runs ended ([`Ends::Left`]) it is
//! settled when everything that workers said until then was heard, and their end is left to the kernel.

mod claimed;
mod events;
pub(crate) mod incident;
mod jobs;
mod joined;
mod live;
mod remote;
mod report;
pub(crate) mod schedule;
mod settle;
mod suspended;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use foretell_process::{ChildId, Output, SpawnError, Spec, Supervisor, Usage};
use foretell_systems::Property;

pub use crate::check::incident::Incident;
use crate::check::remote::{Elsewhere, Role};
pub use crate::check::report::{
    Ends, Happening, Host, Observer, Remote, Report, Request, Run, Selection, Settled,
};
use crate::check::schedule::{Schedule, Stage, Turn};
use crate::claims::Claimed;
use crate::error::Error;
use crate::protocol::{Answer, Ask, Claim, Job, Shared};
use crate::registry::Prepared;
use crate::resume::{Unfinished, tries};
use crate::worker::statistics::Statistics;

/// After a limit or a signal, workers that were killed get this long to disappear.
const LAST_CALL: Duration = Duration::from_millis(300);
/// How much of a worker's standard error is kept.
const STDERR_KEPT: usize = 64 << 10;
/// A step that waits at the beginning waits so many times as long for one that checks an answer.
const WAITS_FOR_CHECK: u32 = 3;
/// How often somebody who may stop the check is asked.
const LOOK: Duration = Duration::from_millis(50);

/// With the streams that a worker has.
pub(crate) fn connected(spec: Spec) -> Spec {
    spec.piped().lines().stderr(Output::Capture(STDERR_KEPT))
}

/// Checks an input.
///
/// # Errors
/// When a setting is wrong, the input is refused, workers cannot be started, the observer gives up, or
/// two answers contradict each other.
pub fn check(request: &Request, observer: &mut dyn Observer) -> Result<Report, Error> {
    if live::may_be_live(&request.bytes) {
        live::check(request, observer)
    } else if request.selection == Selection::Joined {
        joined::check(request, observer)
    } else {
        check_safety(request, observer)
    }
}

/// Checks everything but liveness properties, which nobody gets to see here.
fn check_safety(request: &Request, observer: &mut dyn Observer) -> Result<Report, Error> {
    for step in &request.steps {
        Prepared::new(&step.configuration, &request.common.settings)?;
    }
    let supervisor = request.host.supervisor(request.limits)?;
    let mut session = Session {
        request,
        supervisor,
        schedule: Schedule::single(&request.steps),
        active: BTreeMap::new(),
        tasks: vec![Task::new(&request.selection, &request.hints)],
        report: Report::default(),
        started: Instant::now(),
        stopped: None,
        waiting: Vec::new(),
        elsewhere: Elsewhere::default(),
        all_busy: std::thread::available_parallelism()
            .is_ok_and(|processors| usize::from(processors) <= request.jobs),
        claims: request.claims.clone(),
    };
    session.run(observer)?;
    session.note_rest();
    session.report.elapsed = session.started.elapsed();
    if request.ends == Ends::Left {
        session.supervisor.leave();
    }
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
    /// The steps that ran or waited then, the next one first.
    waiting: Vec<usize>,
    /// What became of workers on other machines.
    elsewhere: Elsewhere,
    /// Whether there are no more processors than workers.
    all_busy: bool,
    /// What the hints claim and nobody has looked at yet.
    claims: Vec<Claimed>,
}

/// A worker that runs.
struct Active {
    turn: Turn,
    role: Role,
    stage: Stage,
    started: Instant,
    /// From when its slice counts.
    since: Instant,
    statistics: Statistics,
    /// Its last message, in words.
    said: Option<String>,
    /// Whether it was stopped because its slice was over.
    sliced: bool,
    /// Whether it is suspended. Invariant: its turn waits then, unless it is being killed.
    suspended: bool,
    /// Since when it has been checking an answer.
    checking: Option<Instant>,
    /// What it checks, as far as it is known.
    claim: Option<Claim>,
}

/// A property.
struct Task {
    ask: Ask,
    number: Option<u64>,
    answers: Vec<(String, Answer)>,
    reasons: Vec<(String, String)>,
    /// What its workers told each other.
    shared: Vec<Shared>,
    /// The formulas in it: fingerprint, predicate, text.
    known: BTreeSet<(String, usize, String)>,
    settled: bool,
}

impl Task {
    fn new(selection: &Selection, hints: &[Shared]) -> Task {
        let (ask, number) = match selection {
            Selection::Natural => (Ask::Natural, None),
            Selection::One(Property::All) | Selection::Joined => (Ask::default(), None),
            Selection::One(Property::Number(n)) => (Ask::One(Property::Number(*n)), Some(*n)),
            Selection::Named(name) => (Ask::Named(name.clone()), None),
            Selection::Each => (Ask::First, None),
        };
        let mut task = Task {
            ask,
            number,
            answers: Vec::new(),
            reasons: Vec::new(),
            shared: Vec::new(),
            known: BTreeSet::new(),
            settled: false,
        };
        for hint in hints {
            let news = task.news(hint.clone());
            task.shared.extend(news);
        }
        task
    }

    /// What of a message nobody said before; `None` when that is nothing.
    fn news(&mut self, mut message: Shared) -> Option<Shared> {
        let fingerprint = &message.fingerprint;
        message.items.retain(|item| {
            let formula = (fingerprint.clone(), item.predicate, item.formula.clone());
            self.known.insert(formula)
        });
        (!message.items.is_empty()).then_some(message)
    }
}

impl Session<'_> {
    fn run(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        loop {
            if self.request.host.is_stopped() && self.stopped.is_none() {
                self.report.interrupted = true;
                self.stop("stopped");
            }
            self.fill(observer)?;
            if self.active.is_empty() || self.needs_no_end() {
                break;
            }
            match self.supervisor.next_event(self.next_deadline()) {
                Some(event) => self.handle(event, observer)?,
                None if self.stopped.is_some() => break,
                None => {
                    self.end_slices(observer);
                    self.end_silent();
                }
            }
            self.settle(observer)?;
        }
        self.leave_rest();
        self.schedule.clear();
        self.settle(observer)
    }

    /// What is left to tell when all is over.
    fn note_rest(&mut self) {
        let names = self.request.steps.iter().map(|s| &s.configuration.name);
        let ran = |name: &&String| self.report.runs.iter().any(|r| r.configuration == **name);
        self.report.not_started = names.filter(|name| !ran(name)).cloned().collect();
        self.report.unfinished = self.unfinished();
        self.keep_answers();
        let shared = self
            .tasks
            .iter_mut()
            .flat_map(|task| std::mem::take(&mut task.shared));
        self.report.shared = shared.collect();
    }

    /// The turns that were not over when everything was stopped, and the time that each had had.
    fn unfinished(&self) -> Vec<Unfinished> {
        let had = |configuration: &String| {
            let runs = self.report.runs.iter();
            let own = runs.filter(|run| run.configuration == *configuration);
            own.map(|run| run.usage.wall).sum()
        };
        let steps = self.waiting.iter().map(|&step| &self.request.steps[step]);
        let turns = steps.map(|step| Unfinished {
            had: had(&step.configuration.name),
            configuration: step.configuration.name.clone(),
            tries: tries(step),
        });
        turns.collect()
    }

    /// What a worker is called.
    fn name(&self, turn: Turn, role: Role) -> &str {
        match role {
            Role::Claim => claimed::NAME,
            Role::Here | Role::Elsewhere(_) | Role::Check => {
                &self.request.steps[turn.step].configuration.name
            }
        }
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
                configuration: self.name(active.turn, active.role).to_owned(),
                property: self.tasks[active.turn.task].number,
                started: active.started,
                limit: None,
                end: end.clone(),
                statistics: active.statistics,
                usage,
            });
        }
    }

    /// Starts workers while there are slots and turns.
    fn fill(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        while self.stopped.is_none()
            && let Some(role) = self.free_slot()
        {
            if role == Role::Here && self.start_claim()? {
                continue;
            }
            let Some(turn) = self.schedule.next() else {
                break;
            };
            if self.goes_on(turn, observer) {
                continue;
            }
            let job = match role {
                Role::Elsewhere(_) => self.job_elsewhere(turn),
                Role::Here | Role::Check | Role::Claim => self.job(turn),
            };
            let name = &self.request.steps[turn.step].configuration.name;
            observer.happened(name, &Happening::Started(turn.slice));
            self.start(turn, role, &job)?;
        }
        Ok(())
    }

    /// Starts a worker and gives it its job.
    fn start(&mut self, turn: Turn, role: Role, job: &Job) -> Result<Option<ChildId>, Error> {
        let host = &self.request.host;
        let spec = match (role, &host.remote) {
            (Role::Elsewhere(_), Some(remote)) => {
                let mut words = remote.command.iter();
                connected(Spec::remote(
                    words.next().cloned().unwrap_or_default(),
                    words,
                ))
            }
            _ => host.worker(),
        };
        match self.supervisor.spawn(spec) {
            Ok(child) => {
                let checks = matches!(role, Role::Check | Role::Claim);
                let active = Active {
                    turn,
                    role,
                    stage: if checks { Stage::Check } else { Stage::Read },
                    started: Instant::now(),
                    since: Instant::now(),
                    statistics: Statistics::default(),
                    said: None,
                    sliced: false,
                    suspended: false,
                    checking: None,
                    claim: None,
                };
                self.active.insert(child, active);
                let input = self.worker_input(job);
                self.supervisor.send_bytes(child, input);
                Ok(Some(child))
            }
            Err(SpawnError::LimitReached(limit)) => {
                self.stop(&limit.to_string());
                Ok(None)
            }
            Err(error) => Err(Error::System(error.to_string())),
        }
    }

    /// Where a worker may be started: here first, unless the next turn waits. Slots here of workers that have been checking for long
    /// are lent, each once.
    fn free_slot(&self) -> Option<Role> {
        let (now, jobs) = (Instant::now(), self.request.jobs.max(1));
        let awake = || self.active.values().filter(|a| !a.suspended);
        let here = || awake().filter(|a| matches!(a.role, Role::Here | Role::Claim));
        let lent = |a: &&Active| self.lends_from(a).is_some_and(|from| from <= now);
        let lent = here().filter(lent).count().min(jobs);
        if here().count() < jobs + lent && self.waits_until().is_none() {
            return Some(Role::Here);
        }
        let elsewhere = |a: &&Active| matches!(a.role, Role::Elsewhere(_));
        let busy = self.active.values().filter(elsewhere).count();
        (busy < self.remote_jobs()).then(|| Role::Elsewhere(remote::Contact::new()))
    }

    /// Until when the next turn leaves the processors to those that run, if it does (portfolio.rs). Who
    /// checks an answer is nearly through, and is left alone for longer.
    fn waits_until(&self) -> Option<Instant> {
        let next = self.schedule.steps().next()?;
        let checks = |a: &Active| a.stage == Stage::Check && !a.suspended;
        let times = match self.active.values().any(checks) {
            true => WAITS_FOR_CHECK,
            false => 1,
        };
        let until = self.started + self.request.steps[next].after * times;
        let waits = self.all_busy && !self.active.is_empty() && until > Instant::now();
        waits.then_some(until)
    }

    /// When something must be done even if nothing happens.
    fn next_deadline(&self) -> Option<Instant> {
        if let Some((_, last_call)) = &self.stopped {
            return Some(*last_call);
        }
        let ends = self.active.values().filter(|a| !a.sliced && !a.suspended);
        let look = self
            .request
            .host
            .stop
            .as_ref()
            .map(|_| Instant::now() + LOOK);
        let ends = ends.filter_map(|a| self.end_of_slice(a));
        let now = Instant::now();
        let lends = self.active.values().filter_map(|a| self.lends_from(a));
        let lends = lends.filter(|&from| from > now && !self.schedule.is_empty());
        let silent = self.active.values().filter_map(|a| a.role.silent_at());
        let waits = self.waits_until();
        let idle = ends.chain(lends).chain(look);
        idle.chain(silent).chain(waits).min()
    }

    /// The runs whose slice is over while others wait make room.
    fn end_slices(&mut self, observer: &mut dyn Observer) {
        let now = Instant::now();
        let is_over = |a: &Active| self.end_of_slice(a).is_some_and(|end| end <= now);
        let running = self.active.iter();
        let running = running.filter(|(_, a)| !a.sliced && !a.suspended);
        let over: Vec<ChildId> = running
            .filter_map(|(&child, a)| is_over(a).then_some(child))
            .collect();
        for child in over {
            self.make_room(child, observer);
        }
    }

    /// When a worker has to make room, if it has to.
    fn end_of_slice(&self, active: &Active) -> Option<Instant> {
        if let (Stage::Check, Some(since)) = (active.stage, active.checking) {
            return self.end_of_check(active, since);
        }
        let slice = self.schedule.room_after(&active.turn, active.stage);
        slice.map(|slice| active.since + slice)
    }

    /// Everything ends now.
    fn stop(&mut self, why: &str) {
        if self.stopped.is_none() {
            self.stopped = Some((why.to_owned(), Instant::now() + LAST_CALL));
            // What is claimed is checked by the run that goes on, so its engine need not find it again.
            let searching = |a: &&Active| a.role != Role::Claim && a.claim.is_none();
            let running = self.active.values().filter(|a| !a.suspended);
            let running = running.filter(searching);
            let running = running.map(|a| a.turn.step);
            self.waiting = running.chain(self.schedule.steps()).collect();
            self.keep_claims();
            self.schedule.clear();
            self.supervisor.kill_all();
        }
    }
}
