//! Workers on other machines: started through a launcher, spoken with like any other, not believed.
//!
//! ```text
//! said elsewhere          what happens here
//! hello                   another build is refused: no more workers are started there
//! anything before it      ignored
//! read, refused           not believed: the workers here read the input themselves
//! progress, found         shown
//! share                   passed on; whoever hears it proves it
//! safe, unsafe            a claim: a worker here checks the witness on the original text;
//!                         accepted: it is the answer; otherwise the turn counts as lost
//! end without an answer   lost: the turn is queued again, three times, then it is an incident
//! silence after hello     the same
//! ```
//!
//! The end is judged by the missing answer alone: `srun` ends with 0 when its node dies.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use foretell_process::{Cause, ChildId, Exit};

use crate::check::incident::Incident;
use crate::check::schedule::{Stage, Turn};
use crate::check::{Active, Happening, Observer, Run, Session};
use crate::error::Error;
use crate::protocol::{Answer, Message, Outcome};

/// How often a turn whose worker was lost is queued again.
const MOST_LOST: u32 = 3;
/// A worker that has said hello tells its progress ten times a second; after so long it is lost.
const SILENCE: Duration = Duration::from_secs(60);

/// What a worker is for, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// An engine on this machine.
    Here,
    /// An engine on another one.
    Elsewhere(Contact),
    /// The check of what a worker elsewhere claims, on this machine.
    Check,
    /// The check of what the hints claim, on this machine.
    Claim,
}

/// What is known of a worker on another machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Contact {
    /// When it last said something, once it has said which build it is.
    heard: Option<Instant>,
    /// Whether what it says is of no use any more.
    broken: bool,
}

impl Contact {
    /// Before it has said anything.
    pub(super) fn new() -> Contact {
        Contact {
            heard: None,
            broken: false,
        }
    }
}

impl Role {
    /// Whether it is on another machine.
    pub(super) fn is_elsewhere(self) -> bool {
        matches!(self, Role::Elsewhere(_))
    }

    /// Whether it looks for an answer.
    pub(super) fn searches(self) -> bool {
        matches!(self, Role::Here | Role::Elsewhere(_))
    }

    /// When it counts as lost if it says nothing until then.
    pub(super) fn silent_at(self) -> Option<Instant> {
        match self {
            Role::Elsewhere(contact) if !contact.broken => Some(contact.heard? + SILENCE),
            Role::Here | Role::Check | Role::Claim | Role::Elsewhere(_) => None,
        }
    }
}

/// What became of workers on other machines.
#[derive(Default)]
pub(super) struct Elsewhere {
    /// How often the worker of a turn (property, step) was lost.
    lost: BTreeMap<(usize, usize), u32>,
    /// Whether another build was met there.
    refused: bool,
    /// How many messages of each worker were passed on.
    pub(super) sent: BTreeMap<ChildId, usize>,
}

impl Session<'_> {
    /// How many workers may run on other machines.
    pub(super) fn remote_jobs(&self) -> usize {
        let remote = self.request.host.remote.as_ref();
        remote.map_or(0, |r| r.jobs) * usize::from(!self.elsewhere.refused)
    }

    /// A message from another machine.
    pub(super) fn line_from_elsewhere(
        &mut self,
        child: ChildId,
        message: Message,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let Some(active) = self.active.get_mut(&child) else {
            return Ok(());
        };
        let Role::Elsewhere(contact) = &mut active.role else {
            return Ok(());
        };
        if contact.broken || active.said.is_some() {
            return Ok(());
        }
        if let Message::Hello { build } = &message {
            contact.heard = Some(Instant::now());
            self.hello(child, build, observer);
            return Ok(());
        }
        if contact.heard.is_none() {
            return Ok(());
        }
        contact.heard = Some(Instant::now());
        let name = &self.request.steps[active.turn.step].configuration.name;
        match message {
            Message::Read(_) => {
                let read = active.started.elapsed();
                active.stage = Stage::Search { read };
            }
            Message::Progress(statistics) => {
                observer.progress(name, &statistics);
                active.statistics = statistics;
            }
            Message::Share(shared) => self.shares(child, shared, observer),
            Message::Events(deeds) => observer.did(name, &deeds),
            Message::Found { claim } => {
                observer.happened(name, &Happening::Found(claim));
                active.stage = Stage::Check;
            }
            Message::Answer(answer) => return self.claimed(child, *answer, observer),
            Message::Refused(_) => {
                contact.broken = true;
                self.supervisor.kill(child);
            }
            Message::Witness(_) | Message::Learned(_) | Message::Hello { .. } => {}
        }
        Ok(())
    }

    /// A worker elsewhere says which build it is.
    fn hello(&mut self, child: ChildId, build: &str, observer: &mut dyn Observer) {
        let expected = self.request.host.remote.as_ref().map(|r| r.build.as_str());
        if expected == Some(build) {
            return;
        }
        self.break_contact(child);
        self.supervisor.kill(child);
        if !self.elsewhere.refused {
            self.elsewhere.refused = true;
            let found: String = build.chars().filter(|c| !c.is_control()).take(80).collect();
            let expected = expected.unwrap_or_default();
            observer.incident(&Incident {
                what: format!(
                    "workers elsewhere are another build ({found}, here {expected}); none is used"
                ),
                files: Vec::new(),
            });
        }
    }

    /// A worker elsewhere answered: an `unknown` is what it is, everything else is checked here first.
    fn claimed(
        &mut self,
        child: ChildId,
        answer: Answer,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        if let Outcome::Unknown { .. } = answer.outcome {
            self.answered(child, answer, observer);
            return Ok(());
        }
        let Some(active) = self.active.get_mut(&child) else {
            return Ok(());
        };
        let (turn, verdict) = (active.turn, answer.outcome.verdict());
        active.statistics = answer.statistics;
        active.said = Some(format!("claims {}", verdict.name()));
        match answer.outcome.claim() {
            Some(claim) if self.is_open(turn.task) => {
                let job = self.job_of_check(turn, claim);
                self.start(turn, Role::Check, &job).map(drop)
            }
            _ => Ok(()),
        }
    }

    /// Nothing a worker elsewhere says counts any more.
    pub(super) fn break_contact(&mut self, child: ChildId) {
        let role = self.active.get_mut(&child).map(|active| &mut active.role);
        if let Some(Role::Elsewhere(contact)) = role {
            contact.broken = true;
        }
    }

    /// Ends the workers that have said nothing for too long.
    pub(super) fn end_silent(&mut self) {
        let now = Instant::now();
        let over = |a: &Active| a.role.silent_at().is_some_and(|at| at <= now);
        let silent = self.active.iter().filter(|(_, a)| over(a));
        for child in silent.map(|(&child, _)| child).collect::<Vec<_>>() {
            self.break_contact(child);
            self.supervisor.kill(child);
        }
    }

    /// Whether a worker that ended without an answer was lost, and its turn is queued again.
    pub(super) fn came_to_nothing(
        &mut self,
        active: &Active,
        exit: &Exit,
        observer: &mut dyn Observer,
    ) -> bool {
        let lost = match active.role {
            Role::Here | Role::Claim => false,
            Role::Elsewhere(contact) => contact.broken || exit.cause == Cause::Own,
            Role::Check => exit.cause == Cause::Own,
        };
        if !lost || !self.lose(active.turn, "no answer came", observer) {
            return false;
        }
        let configuration = &self.request.steps[active.turn.step].configuration.name;
        self.report.runs.push(Run {
            configuration: configuration.clone(),
            property: self.tasks[active.turn.task].number,
            started: active.started,
            limit: None,
            end: "lost".to_owned(),
            statistics: active.statistics.clone(),
            usage: exit.usage,
        });
        true
    }

    /// Queues a turn again whose worker was lost, unless that has happened too often.
    pub(super) fn lose(&mut self, turn: Turn, why: &str, observer: &mut dyn Observer) -> bool {
        let times = self
            .elsewhere
            .lost
            .entry((turn.task, turn.step))
            .or_default();
        *times += 1;
        if *times > MOST_LOST || !self.is_open(turn.task) {
            return false;
        }
        let name = &self.request.steps[turn.step].configuration.name;
        observer.happened(name, &Happening::Lost(why.to_owned()));
        self.schedule.retry(turn);
        true
    }
}
