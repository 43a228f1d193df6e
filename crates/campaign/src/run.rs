//! One text through the product's pipeline, in this process: read ▸ passes ▸ engine ▸ way back ▸ certify.
//! Only faults that end a process need the supervisor ([`supervised`]).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use foretell_driver::protocol::{Faults, Job, Outcome, PropertyRequest, Tools};
use foretell_driver::registry::Prepared;
use foretell_driver::worker::pipeline::{read_input, verify};
use foretell_driver::{Configuration, Verdict};
use foretell_kernel::{Budget, Cx, NullSink, Rng};
use foretell_solver::FaultPlan;
use foretell_terms::TermStore;

use crate::oracles::{CampaignOracles, Scripts};
use crate::supervised;

/// How a text is to be checked.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The engine.
    pub engine: String,
    /// Settings, `group.option=value`.
    pub settings: Vec<String>,
    /// What to do besides.
    pub extras: Extras,
    /// Faults to inject into the solver.
    pub faults: Option<Faults>,
    /// What it may take.
    pub limits: RunLimits,
}

impl Plan {
    /// Whether its faults end the process, so that it must be one of its own.
    pub fn needs_processes(&self) -> bool {
        self.faults.is_some_and(|f| f.hang > 0 || f.die > 0)
    }
}

/// What a run does besides answering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extras {
    /// Nothing.
    Nothing,
    /// The model is made.
    Model,
    /// The proof is made smaller.
    Minimise,
}

/// What a run may take.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Wall-clock time.
    pub time: Duration,
    /// Solver queries.
    pub queries: u64,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// The answer.
    pub what: What,
    /// Processor time of this thread, in seconds.
    pub cpu: f64,
}

/// The answer of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A checked answer, or an honest `unknown` with its reason.
    Verdict(Verdict, String),
    /// The checker rejected the engine's witness: not wrong, but a defect. Claim and words.
    Rejected(Verdict, String),
    /// The text was refused.
    Refused(String),
    /// A panic; its words.
    Panic(String),
}

/// Checks a text.
pub fn run(text: &str, plan: &Plan, scripts: &Scripts) -> Said {
    let begin = thread_seconds();
    let check = if plan.needs_processes() {
        supervised::run
    } else {
        in_process
    };
    let what = catch_unwind(AssertUnwindSafe(|| check(text, plan, scripts)))
        .unwrap_or_else(|payload| What::Panic(words(payload.as_ref())));
    Said {
        what,
        cpu: thread_seconds() - begin,
    }
}

/// The processor time of this thread.
pub fn thread_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The words of a panic.
pub fn words(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic".to_owned())
}

fn in_process(text: &str, plan: &Plan, scripts: &Scripts) -> What {
    let (terms, rng) = (TermStore::new(), Rng::new(0));
    let input = match read_input(text.as_bytes(), PropertyRequest::Together, &terms) {
        Ok(input) => input,
        Err(refusal) => {
            let first = refusal.findings.first().map(|f| f.message.clone());
            return What::Refused(first.unwrap_or_default());
        }
    };
    let job = job(plan);
    let mut prepared = match Prepared::new(&job.configuration, &job.settings) {
        Ok(prepared) => prepared,
        Err(error) => return What::Refused(error.to_string()),
    };
    let faults = plan.faults.map(FaultPlan::from);
    let oracles = CampaignOracles::new(scripts, prepared.interpolate.clone(), faults, 0);
    let budget = Budget::with_time(plan.limits.time).with_queries(plan.limits.queries);
    let cx = Cx {
        terms: &terms,
        events: &NullSink,
        budget: &budget,
        oracles: &oracles,
        rng: &rng,
    };
    let started = Instant::now();
    match verify(&input, &job, &mut prepared, &cx).0 {
        Outcome::Safe { .. } => What::Verdict(Verdict::Safe, String::new()),
        Outcome::Unsafe { .. } => What::Verdict(Verdict::Unsafe, String::new()),
        Outcome::Unknown { reason, rejected } => match rejected {
            // A witness that cannot be decided in time is no defect.
            Some(r)
                if r.verdict.starts_with("rejected") && started.elapsed() < plan.limits.time =>
            {
                What::Rejected(r.claimed, r.verdict)
            }
            _ => What::Verdict(Verdict::Unknown, reason),
        },
    }
}

/// The settings of a run: checks are short, then what the plan says.
pub(crate) fn settings(plan: &Plan) -> Vec<String> {
    let short = ["certify.seconds=2", "certify.attempts=2"].map(str::to_owned);
    short
        .into_iter()
        .chain(plan.settings.iter().cloned())
        .collect()
}

fn job(plan: &Plan) -> Job {
    let configuration = Configuration {
        name: plan.engine.clone(),
        engine: plan.engine.clone(),
        settings: Vec::new(),
    };
    Job {
        configuration,
        property: PropertyRequest::Together,
        settings: settings(plan),
        seed: 0,
        time_left: None,
        slice: None,
        eager: false,
        length: None,
        shared: Vec::new(),
        tools: Tools::default(),
        model: plan.extras == Extras::Model,
        minimise: plan.extras == Extras::Minimise,
        faults: plan.faults,
        record: None,
    }
}
