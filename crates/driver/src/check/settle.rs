//! The final word on a property, when all its workers are gone or nobody waits for that.

use std::time::Instant;

use crate::check::incident::contradiction;
use crate::check::{Ends, Observer, Session, Settled};
use crate::error::Error;
use crate::protocol::{Answer, Outcome};

impl Session<'_> {
    /// Settles every property nobody runs or will run for.
    pub(super) fn settle(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        if (0..self.tasks.len()).any(|index| self.is_decided(index)) {
            self.hear_all(observer)?;
        }
        for index in 0..self.tasks.len() {
            let running = self.active.values().any(|a| a.turn.task == index);
            let open = (running || self.schedule.has(index)) && !self.is_decided(index);
            if self.tasks[index].settled || open {
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

    /// Whether a property has its answer, and nobody waits for the end of its runs.
    fn is_decided(&self, index: usize) -> bool {
        let task = &self.tasks[index];
        self.request.ends == Ends::Left && !task.settled && !task.answers.is_empty()
    }

    /// Whether everything ends when this property has its answer.
    pub(super) fn ends_with(&self, index: usize) -> bool {
        let mut others = self.tasks.iter().enumerate().filter(|(n, _)| *n != index);
        self.request.ends == Ends::Left && others.all(|(_, task)| task.settled)
    }

    /// Whether all is settled, and nobody waits for the end of the runs that are left.
    pub(super) fn needs_no_end(&self) -> bool {
        self.request.ends == Ends::Left && self.tasks.iter().all(|task| task.settled)
    }

    /// Takes in what workers have said until now.
    fn hear_all(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        while let Some(event) = self.supervisor.next_event(Some(Instant::now())) {
            self.handle(event, observer)?;
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
                encoding: None,
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
            encoding: None,
        })
    }
}

/// One short sentence for why nobody found an answer; what each engine said is told with its run.
fn join_reasons(reasons: &[(String, String)]) -> String {
    match reasons.first() {
        None => "no engine was run".to_owned(),
        Some((_, first)) if reasons.iter().all(|(_, reason)| reason == first) => first.to_owned(),
        Some(_) => format!("none of {} engines found an answer", reasons.len()),
    }
}
