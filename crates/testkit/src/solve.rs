//! One text through the product's pipeline, in this process, and always to a checked answer:
//! read ▸ passes ▸ engine ▸ way back ▸ certify.
//!
//! [`solve`] and [`must`] are for tests about a text and an engine by name; [`Plan`] says the rest;
//! [`attempt`] calls nothing a failure, for those who look for failures.

use std::rc::Rc;
use std::time::{Duration, Instant};

use foretell_certify::{CheckReport, Outcome as CheckOutcome};
use foretell_driver::hints;
use foretell_driver::protocol::{
    Ask, Common, Detail, Faults, Job, Outcome, Refusal, RejectedWitness,
};
use foretell_driver::registry::Prepared;
use foretell_driver::worker::input::read_input;
use foretell_driver::worker::pipeline::verify;
use foretell_driver::{Configuration, Property, VerdictKind};
use foretell_kernel::{Budget, Cx, NullSink, Rng, Work};
use foretell_solver::FaultPlan;
use foretell_terms::TermStore;

use crate::backends::{Backends, scripts};
use crate::corpus::{Case, Expected};
use crate::scripts::Scripts;

/// How a text is to be checked.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The engine.
    pub engine: String,
    /// Settings, `group.option=value`.
    pub settings: Vec<String>,
    /// The property.
    pub property: Property,
    /// What to do besides.
    pub extras: Extras,
    /// Candidate invariants, as for `--hints`; what cannot be read is as if it were not there.
    pub hints: String,
    /// Faults to inject into the solver.
    pub faults: Option<Faults>,
    /// What it may take.
    pub limits: RunLimits,
}

impl Plan {
    /// An engine with its default options, without limits.
    pub fn new(engine: &str) -> Plan {
        Plan {
            engine: engine.to_owned(),
            settings: Vec::new(),
            property: Property::All,
            extras: Extras::Nothing,
            hints: String::new(),
            faults: None,
            limits: RunLimits::NONE,
        }
    }

    /// The same with limits.
    pub fn within(self, limits: RunLimits) -> Plan {
        Plan { limits, ..self }
    }

    /// The same with settings.
    pub fn with(mut self, settings: &[&str]) -> Plan {
        self.settings.extend(settings.iter().map(|&s| s.to_owned()));
        self
    }

    /// The same for the property a file of the corpus is about.
    pub fn about(mut self, case: &Case) -> Plan {
        if let Some(number) = case.property() {
            self.property = Property::Number(number);
        }
        self
    }

    /// Whether it needs processes of its own: faults end them, or claims are checked by one beside the engine.
    pub fn needs_processes(&self) -> bool {
        self.faults.is_some_and(|f| f.hang > 0 || f.die > 0) || self.hints.contains("(claim ")
    }
}

/// What a run does besides answering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extras {
    /// Nothing.
    Nothing,
    /// The model is made, with everything that was found.
    Model,
    /// The model is made smaller and readable.
    Minimise,
}

/// What a run may take.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// Wall-clock time.
    pub time: Duration,
    /// Solver queries.
    pub queries: u64,
    /// Work.
    pub work: Work,
}

impl RunLimits {
    /// No limit that matters.
    pub const NONE: RunLimits = RunLimits {
        time: Duration::from_secs(3600),
        queries: u64::MAX,
        work: Work::of_millis(3_600_000),
    };
}

/// A checked answer, or an honest `unknown`.
#[derive(Clone, Debug, PartialEq)]
pub struct Certified {
    /// The answer.
    pub verdict: VerdictKind,
    /// The certificate that was checked; for `unknown`, the reason.
    pub words: String,
}

/// The answer of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// What the product would print.
    Certified(Certified),
    /// The checker rejected the engine's witness: not wrong, but a defect. Claim and words.
    Rejected(VerdictKind, String),
    /// The text was refused.
    Refused(String),
    /// A panic; its words.
    Panic(String),
}

/// What an engine says about a text.
///
/// # Panics
/// When the text is refused, or the witness rejected.
#[track_caller]
pub fn solve(text: &str, plan: &Plan) -> Certified {
    match attempt(text.as_bytes(), plan, &scripts()) {
        Answer::Certified(certified) => certified,
        other => panic!("{}: {other:?}\n{text}", plan.engine),
    }
}

/// Asserts that an engine decides a file of the corpus as its folder says.
///
/// # Panics
/// When it does not.
#[track_caller]
pub fn must(case: &Case, plan: &Plan) -> Certified {
    let said = solve(case.text(), &plan.clone().about(case));
    let fits = match case.expected {
        Expected::Safe => said.verdict == VerdictKind::Safe,
        Expected::Unsafe => said.verdict == VerdictKind::Unsafe,
        _ => false,
    };
    assert!(fits, "{} × {}: {said:?}", case.name, plan.engine);
    said
}

/// Checks a text.
pub fn attempt(bytes: &[u8], plan: &Plan, scripts: &Rc<Scripts>) -> Answer {
    let (terms, rng) = (TermStore::new(), Rng::new(0));
    let input = match read_input(bytes, &Ask::One(plan.property), &terms) {
        Ok(input) => input,
        Err(refusal) => return Answer::Refused(refused(&refusal)),
    };
    let mut job = job(plan);
    if let Ok(hints) = hints::read(bytes, plan.hints.as_bytes()) {
        job.shared = hints.shared;
    }
    let mut prepared = match Prepared::new(&job.configuration, &job.common.settings) {
        Ok(prepared) => prepared,
        Err(error) => return Answer::Refused(error.to_string()),
    };
    let mut oracles = Backends::over(scripts);
    oracles.interpolation = prepared.interpolate.clone();
    oracles.z3.faults = plan.faults.map(FaultPlan::from);
    let whole = Budget::with_time(plan.limits.time).with_queries(plan.limits.queries);
    let cx = Cx {
        terms: &terms,
        events: &NullSink,
        budget: &whole.slice(plan.limits.work),
        oracles: &oracles,
        rng: &rng,
    };
    let started = Instant::now();
    match answer(verify(&input, &job, &mut prepared, &cx).0) {
        // A witness that cannot be decided in time is no defect.
        Answer::Rejected(_, words) if started.elapsed() >= plan.limits.time => {
            Answer::Certified(Certified {
                verdict: VerdictKind::Unknown,
                words,
            })
        }
        answer => answer,
    }
}

/// The first reason of a refusal.
fn refused(refusal: &Refusal) -> String {
    let first = match refusal {
        Refusal::Input(reasons) => reasons.first(),
        Refusal::NoSuchProperty { .. } => None,
    };
    first
        .map(|reason| reason.message.clone())
        .unwrap_or_default()
}

fn answer(outcome: Outcome) -> Answer {
    let verdict = outcome.verdict();
    let words = match outcome {
        Outcome::Safe { certificate, .. } | Outcome::Unsafe { certificate, .. } => certificate,
        Outcome::Unknown { reason, rejected } => match rejected {
            Some(RejectedWitness {
                claimed,
                report:
                    CheckReport {
                        outcome: outcome @ CheckOutcome::Rejected(_),
                        ..
                    },
                ..
            }) => return Answer::Rejected(claimed, outcome.to_string()),
            _ => reason,
        },
    };
    Answer::Certified(Certified { verdict, words })
}

fn job(plan: &Plan) -> Job {
    let configuration = Configuration {
        name: plan.engine.clone(),
        engine: plan.engine.clone(),
        ..Configuration::default()
    };
    Job {
        configuration,
        ask: Ask::One(plan.property),
        common: Common {
            settings: plan.settings.clone(),
            model: plan.extras != Extras::Nothing,
            proof: match plan.extras {
                Extras::Minimise => Detail::Relevant,
                Extras::Model | Extras::Nothing => Detail::Everything,
            },
            faults: plan.faults,
            ..Common::default()
        },
        ..Job::default()
    }
}
