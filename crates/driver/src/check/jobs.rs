//! What a worker is told when it starts.

use std::path::PathBuf;
use std::time::Duration;

use crate::check::Session;
use crate::check::schedule::Turn;
use crate::protocol::{Claim, Job, Place, Purpose, Tools};

/// A worker may always plan with this much; the supervisor's clock decides.
const MIN_PLAN: Duration = Duration::from_secs(1);

impl Session<'_> {
    /// The job on one line, then the file.
    pub(super) fn worker_input(&self, job: &Job) -> Vec<u8> {
        let mut input = serde_json::to_vec(job).unwrap_or_default();
        input.push(b'\n');
        input.extend_from_slice(&self.request.bytes);
        input
    }

    pub(super) fn job(&self, turn: Turn) -> Job {
        let configuration = self.request.steps[turn.step].configuration.clone();
        let mut common = self.request.common.clone();
        common.seed = common.seed.wrapping_add(self.request.steps[turn.step].seed);
        if self.request.steps.len() > 1 {
            let own = |path: PathBuf| path.with_extension(format!("{}.smt2", configuration.name));
            common.record = common.record.map(own);
        }
        let wall = self.request.limits.wall;
        let left = wall.map(|wall| wall.saturating_sub(self.started.elapsed()));
        let milliseconds = |d: Duration| u64::try_from(d.as_millis()).unwrap_or(u64::MAX);
        Job {
            configuration,
            ask: self.tasks[turn.task].ask.clone(),
            time_left: left.map(milliseconds),
            slice: self.plan(turn).map(milliseconds),
            eager: turn.step == 0,
            length: Some(self.request.bytes.len()),
            shared: self.tasks[turn.task].shared.clone(),
            purpose: Purpose::Answer,
            claim: None,
            place: Place::Here,
            common,
        }
    }

    /// The job of a worker on another machine, where our paths mean nothing.
    pub(super) fn job_elsewhere(&self, turn: Turn) -> Job {
        let mut job = self.job(turn);
        job.place = Place::Elsewhere;
        job.common.tools = Tools::default();
        job.common.record = None;
        job
    }

    /// The job of checking here what a worker elsewhere claims.
    pub(super) fn job_of_check(&self, turn: Turn, claim: Claim) -> Job {
        let mut job = self.job(turn);
        job.purpose = Purpose::Check;
        job.claim = Some(claim);
        job.eager = true;
        job.slice = None;
        job.shared.clear();
        job
    }

    /// What a worker may plan with: the second slice it will have while others wait, because it is only
    /// suspended after the first one, and its share of the processor time that is left when all slots are busy.
    fn plan(&self, turn: Turn) -> Option<Duration> {
        let slots = u32::try_from(self.request.jobs.max(1)).unwrap_or(u32::MAX);
        let share = self
            .request
            .limits
            .cpu
            .map(|cpu| (cpu / slots).saturating_sub(self.started.elapsed()));
        turn.next_slice()
            .filter(|_| !self.schedule.is_empty())
            .into_iter()
            .chain(share.map(|s| s.max(MIN_PLAN)))
            .min()
    }
}
