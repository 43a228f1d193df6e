//! What workers say, and how they end.

use std::time::{Duration, Instant};

use foretell_frontends::{Question, QuestionKind};
use foretell_process::{Cause, ChildId, Exit, ProcessEvent, Status, Stream};
use foretell_systems::Property;

use crate::check::claimed::NAME;
use crate::check::incident::{crashed, rejected};
use crate::check::remote::Role;
use crate::check::schedule::{FAIR_SLICE, Stage, Turn};
use crate::check::{Happening, Observer, Run, Selection, Session, Task};
use crate::error::Error;
use crate::protocol::{Answer, Message, Outcome, Reading, Shared};

/// At most so many messages between the workers of a property are kept and passed on; with workers on
/// other machines so many more for each of them. At most so many are taken from one worker.
const MOST_SHARED: usize = 200;

impl Session<'_> {
    /// Something happened.
    pub(super) fn handle(
        &mut self,
        event: ProcessEvent,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        match event {
            ProcessEvent::Line {
                child,
                stream: Stream::Stdout,
                text,
            } => self.line(child, &text, observer),
            ProcessEvent::Overlong { child, .. } => {
                self.break_contact(child);
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
            ProcessEvent::Paused(pause) => {
                self.go_on_after(pause);
                Ok(())
            }
            ProcessEvent::Interrupted { .. } => {
                self.report.interrupted = true;
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
        if self.stopped.is_some() {
            return Ok(());
        }
        if matches!(message, Message::Found { .. } | Message::Answer(_)) {
            self.rouse(child);
        }
        let Some(active) = self.active.get_mut(&child) else {
            return Ok(());
        };
        if active.role.is_elsewhere() {
            return self.line_from_elsewhere(child, message, observer);
        }
        let name = match active.role {
            Role::Claim => NAME,
            _ => &self.request.steps[active.turn.step].configuration.name,
        };
        match message {
            Message::Read(reading) => {
                if active.role == Role::Here {
                    active.stage = Stage::Search {
                        read: active.started.elapsed(),
                    };
                }
                self.learn(reading, observer);
            }
            Message::Refused(refusal) => return Err(Error::Refused(refusal)),
            Message::Progress(statistics) => {
                observer.progress(name, &statistics);
                active.statistics = statistics;
            }
            Message::Share(shared) => self.shares(child, shared, observer),
            Message::Events(deeds) => observer.did(name, &deeds),
            Message::Found { claim } => {
                observer.happened(name, &Happening::Found(claim));
                active.stage = Stage::Check;
                active.checking = Some(Instant::now());
            }
            Message::Witness(claim) => active.claim = Some(claim),
            Message::Answer(answer) => self.answered(child, *answer, observer),
            // Only asked for elsewhere (`learn`), and only of others (`remote`).
            Message::Learned(_) | Message::Hello { .. } => {}
        }
        Ok(())
    }

    /// Everything stood still for so long: no slice counts that.
    fn go_on_after(&mut self, pause: Duration) {
        self.started += pause;
        for active in self.active.values_mut() {
            active.started += pause;
            active.since += pause;
            active.checking = active.checking.map(|since| since + pause);
        }
    }

    /// A worker's last word: an answer ends the other runs of its property.
    pub(super) fn answered(&mut self, child: ChildId, answer: Answer, observer: &mut dyn Observer) {
        let Some(active) = self.active.get_mut(&child) else {
            return;
        };
        let task = active.turn.task;
        let name = match active.role {
            Role::Claim => NAME.to_owned(),
            _ => self.request.steps[active.turn.step]
                .configuration
                .name
                .clone(),
        };
        active.claim = None;
        active.statistics = answer.statistics.clone();
        if let Outcome::Unknown {
            reason,
            rejected: witness,
        } = &answer.outcome
        {
            active.said = Some(reason.clone());
            let (turn, role) = (active.turn, active.role);
            if let Some(witness) = witness {
                self.keep_undecided(task, witness);
                if role != Role::Claim {
                    observer.incident(&rejected(&name, witness, &self.request.bytes));
                }
            }
            let lost = match role {
                Role::Claim => true,
                Role::Check => self.lose(turn, reason, observer),
                Role::Here | Role::Elsewhere(_) => false,
            };
            if !lost {
                self.tasks[task].reasons.push((name, reason.clone()));
            }
        } else {
            active.said = Some(answer.outcome.verdict().name().to_owned());
            self.tasks[task].answers.push((name, answer));
            self.end_task(task);
        }
    }

    /// A worker has something for the others.
    pub(super) fn shares(&mut self, from: ChildId, shared: Shared, observer: &mut dyn Observer) {
        let Some(active) = self.active.get(&from) else {
            return;
        };
        let name = &self.request.steps[active.turn.step].configuration.name;
        observer.happened(name, &Happening::Shared(shared.items.clone()));
        self.pass_on(from, active.turn.task, shared, observer);
    }

    /// Hands what a worker said to the others on the same property, now and when they start; what was
    /// said before is left out.
    fn pass_on(&mut self, from: ChildId, task: usize, shared: Shared, observer: &mut dyn Observer) {
        let most = MOST_SHARED * (1 + self.remote_jobs());
        let sent = self.elsewhere.sent.entry(from).or_default();
        let known = &mut self.tasks[task];
        if *sent >= MOST_SHARED || known.shared.len() >= most {
            return;
        }
        let Some(news) = known.news(shared) else {
            return;
        };
        *sent += 1;
        observer.told(&news);
        let line = serde_json::to_string(&news).unwrap_or_default();
        known.shared.push(news);
        for (&child, _) in self
            .active
            .iter()
            .filter(|(c, a)| **c != from && a.turn.task == task && a.role.searches())
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
        if let Selection::Named(name) = &self.request.selection {
            let named = |q: &&Question| q.name.as_ref() == Some(name);
            self.tasks[0].number = reading.questions.iter().find(named).map(|q| q.number);
        }
        if self.request.selection.is_each(&reading) {
            self.divide(&reading.questions);
        }
        self.report.reading = Some(reading);
    }

    /// Every question but liveness becomes a task of its own; the first one has been running already.
    fn divide(&mut self, questions: &[Question]) {
        let checked = questions
            .iter()
            .filter(|q| q.kind != QuestionKind::Liveness);
        let numbers: Vec<u64> = checked.map(|q| q.number).collect();
        self.tasks[0].number = numbers.first().copied();
        for &number in numbers.iter().skip(1) {
            let one = Selection::One(Property::Number(number));
            self.tasks.push(Task::new(&one, &self.request.hints));
        }
        if numbers.len() > 1 {
            self.schedule.add_tasks(numbers.len(), &self.request.steps);
            for active in self.active.values_mut() {
                // Runs that started before the other properties were known share the time now.
                active.turn.slice = active.turn.slice.or(Some(FAIR_SLICE));
            }
        }
    }

    /// Nobody needs to run for this property any more. When nobody waits for the end of the last runs either,
    /// the answer comes first.
    fn end_task(&mut self, task: usize) {
        self.schedule.forget(task);
        if self.ends_with(task) {
            return;
        }
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
        let configuration = self.name(turn, active.role).to_owned();
        if active.said.is_none() && self.came_to_nothing(&active, exit, observer) {
            return;
        }
        let end = match (&active.said, exit.cause) {
            (Some(said), _) => said.clone(),
            (None, Cause::Killed) => "stopped".to_owned(),
            (None, Cause::Limit(limit)) => limit.to_string(),
            (None, Cause::Own) => self.crashed(turn, exit, observer),
        };
        if active.said.is_none() && exit.cause != Cause::Killed {
            let why = (configuration.clone(), end.clone());
            self.tasks[turn.task].reasons.push(why);
        }
        let unfinished = active.said.is_none() && exit.cause == Cause::Killed;
        if active.sliced && unfinished && self.is_open(turn.task) {
            self.schedule.again(turn);
        }
        observer.happened(&configuration, &Happening::Ended(end.clone()));
        let configuration = match active.role {
            Role::Check => format!("check of {configuration}"),
            Role::Here | Role::Elsewhere(_) | Role::Claim => configuration,
        };
        self.report.runs.push(Run {
            configuration,
            property: self.tasks[turn.task].number,
            started: active.started,
            limit: match exit.cause {
                Cause::Limit(limit) => Some(limit),
                Cause::Own | Cause::Killed => None,
            },
            end,
            statistics: active.statistics,
            usage: exit.usage,
        });
    }

    /// A worker that ended by itself without an answer: what happened, in words.
    fn crashed(&self, turn: Turn, exit: &Exit, observer: &mut dyn Observer) -> String {
        let words = match exit.status {
            Status::Code(code) => format!("worker failed (code {code})"),
            Status::Signal(signal) => died_of(signal),
        };
        let configuration = &self.request.steps[turn.step].configuration.name;
        let job = serde_json::to_string_pretty(&self.job(turn)).unwrap_or_default();
        let (stderr, bytes) = (exit.stderr.text(), &self.request.bytes);
        observer.incident(&crashed(configuration, &words, &job, &stderr, bytes));
        words
    }

    pub(super) fn is_open(&self, task: usize) -> bool {
        self.stopped.is_none() && self.tasks[task].answers.is_empty() && !self.tasks[task].settled
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
