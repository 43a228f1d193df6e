//! Answers that nobody has checked yet: those of an earlier run, and those that this one leaves.
//!
//! ```text
//! the hints claim something     a worker checks the witness on the text, as that of a worker elsewhere
//!                               accepted: it is the answer; otherwise it is told, and no more
//! obligations                   have more time than those of an engine that others wait for
//! slots                         checks run beside the engines, one for two slots; the only slot is theirs for
//!                               half of the time
//! the run ends without answer   kept: witnesses whose check was not over or not decided, and the answers
//!                               to other questions
//! ```
//!
//! A claim is text that anybody may have written. It is worth no more than the check of it.

use std::time::{Duration, Instant};

use foretell_certify::Outcome as CheckOutcome;
use foretell_kernel::VerdictKind;
use foretell_systems::Property;

use crate::check::remote::Role;
use crate::check::schedule::{LENT_AFTER, Turn};
use crate::check::{Active, Session, Settled};
use crate::claims::Claimed;
use crate::error::Error;
use crate::protocol::{Claim, RejectedWitness};

/// What a check of a claim is called where a configuration has its name.
pub(super) const NAME: &str = "hints";
/// Without a limit a check of a claim lends its slot, and an obligation takes no longer than this.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bounds of the time for an obligation: the checker has no less anyway, and takes no more.
const LEAST_SECONDS: Duration = Duration::from_secs(10);
const MOST_SECONDS: Duration = Duration::from_secs(86_400);

impl Session<'_> {
    /// Starts a check of what the hints claim, if there is something to check: whether it was started.
    pub(super) fn start_claim(&mut self) -> Result<bool, Error> {
        let most = (self.request.jobs / 2).max(1);
        let checks = self.active.values().filter(|a| a.role == Role::Claim);
        if checks.count() >= most {
            return Ok(false);
        }
        let open = |property: Property| {
            let about = |task: &usize| self.about(*task) == property;
            let mut tasks = (0..self.tasks.len()).filter(|&task| self.is_open(task));
            tasks.find(about)
        };
        let mut waiting = self.claims.iter().enumerate();
        let next = waiting.find_map(|(i, claim)| Some((i, open(claim.property)?)));
        let Some((place, task)) = next else {
            return Ok(false);
        };
        let claim = self.claims.remove(place).claim;
        let turn = Turn {
            task,
            step: 0,
            slice: None,
            then: None,
        };
        let mut job = self.job_of_check(turn, claim.clone());
        // What comes later wins, so the user may say otherwise.
        let patient = format!("certify.seconds={}", self.patience().as_secs_f64());
        job.common.settings.insert(0, patient);
        let child = self.start(turn, Role::Claim, &job)?;
        if let Some(active) = child.and_then(|child| self.active.get_mut(&child)) {
            active.claim = Some(claim);
            active.checking = Some(Instant::now());
        }
        Ok(true)
    }

    /// What one obligation of a claim may take in one attempt. The run before, which had less time for it,
    /// may have tried every way in vain; so more than half of this one goes to the first way.
    fn patience(&self) -> Duration {
        let wall = self.request.limits.wall;
        let most = wall.map_or(PATIENCE, |wall| wall * 3 / 2);
        most.clamp(LEAST_SECONDS, MOST_SECONDS)
    }

    /// Which property a task is about, in the words of claims.
    fn about(&self, task: usize) -> Property {
        self.tasks[task]
            .number
            .map_or(Property::All, Property::Number)
    }

    /// When the slot of a worker is lent to another one: a check that takes long may never end, and the
    /// others would never get a turn. The check goes on beside them.
    pub(super) fn lends_from(&self, active: &Active) -> Option<Instant> {
        let patience = match (active.role, self.request.limits.wall) {
            // What no other engine would have waited for must not cost an answer.
            (Role::Claim, _) if self.request.jobs > 1 => Duration::ZERO,
            (Role::Claim, None) => PATIENCE,
            (Role::Claim, Some(wall)) => LENT_AFTER.max(wall / 2),
            _ => LENT_AFTER,
        };
        active.checking.map(|since| since + patience)
    }

    /// Keeps what is in hand when everything ends.
    pub(super) fn keep_claims(&mut self) {
        let mut running: Vec<(usize, Claim)> = Vec::new();
        for active in self.active.values_mut() {
            running.extend(active.claim.take().map(|claim| (active.turn.task, claim)));
        }
        for (task, claim) in running {
            self.keep_claim(task, claim);
        }
        self.report.claims.append(&mut self.claims);
    }

    /// Keeps a witness whose check could not be decided.
    pub(super) fn keep_undecided(&mut self, task: usize, witness: &RejectedWitness) {
        let undecided = matches!(witness.report.outcome, CheckOutcome::Undecided(_));
        if undecided && witness.claimed == VerdictKind::Safe && self.request.common.witnesses {
            self.keep_claim(task, Claim::new(witness.claimed, &witness.witness));
        }
    }

    fn keep_claim(&mut self, task: usize, claim: Claim) {
        let property = self.about(task);
        self.report.claims.push(Claimed { property, claim });
    }

    /// The answers to single questions, for a run that looks for the others.
    pub(super) fn keep_answers(&mut self) {
        let answered = |settled: &Settled| {
            let claim = settled.outcome.clone().claim()?;
            let property = Property::Number(settled.property?);
            Some(Claimed { property, claim })
        };
        let answered: Vec<Claimed> = self.report.settled.iter().filter_map(answered).collect();
        self.report.claims.extend(answered);
    }
}
