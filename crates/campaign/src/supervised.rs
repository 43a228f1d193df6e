//! One text below the product's supervisor, for faults that end a process: the worker that hangs is killed
//! at the limit, the worker that dies is an incident, and the other one goes on. Claims of hints are checked
//! beside the engines.

use std::time::Duration;

use foretell_driver::Common;
use foretell_driver::protocol::Tools;
use foretell_driver::worker::statistics::Statistics;
use foretell_driver::{
    Configuration, Ends, Host, Incident, Observer, Property, Reading, Request, Selection, Settled,
    Step, VerdictKind, check, hints,
};
use foretell_process::Limits;

use foretell_testkit::{Answer, Certified, Plan, Scripts};

/// The hidden command that makes the executable of the campaign a worker of the product.
pub(crate) const ENGINE: &str = "__engine";
/// What a run may take; a hang costs all of it.
const LIMIT: Duration = Duration::from_secs(1);
/// The engine beside that of the plan.
const OTHER: &str = "bmc";

/// Checks a text; the executable must serve [`ENGINE`].
pub fn run(text: &str, plan: &Plan, scripts: &Scripts) -> Answer {
    let step = |engine: &str| {
        let configuration = Configuration {
            name: engine.to_owned(),
            engine: engine.to_owned(),
            ..Configuration::default()
        };
        Step {
            configuration,
            slice: None,
            then: None,
            after: Duration::ZERO,
            seed: 0,
        }
    };
    let mut steps = vec![step(&plan.engine)];
    if plan.engine != OTHER {
        steps.push(step(OTHER));
    }
    // What cannot be read is as if it were not there.
    let hints = hints::read(text.as_bytes(), plan.hints.as_bytes()).unwrap_or_default();
    let request = Request {
        bytes: text.as_bytes().to_vec(),
        selection: Selection::One(Property::All),
        steps,
        jobs: 2,
        limits: Limits::none().wall(LIMIT),
        hints: hints.shared,
        claims: hints.claims,
        common: Common {
            settings: plan.settings.clone(),
            tools: Tools {
                z3: Some(scripts.z3().to_owned()),
                cvc5: None,
            },
            faults: plan.faults,
            ..Common::default()
        },
        ends: Ends::Awaited,
        host: Host::own(vec![ENGINE.to_owned()]),
    };
    let mut incidents = Incidents::default();
    let report = check(&request, &mut incidents);
    let failed = |words: &&String| words.contains(": worker failed");
    let rejected = |words: &&String| words.contains("\" was rejected");
    match (
        incidents.0.iter().find(failed),
        incidents.0.iter().find(rejected),
        report,
    ) {
        (Some(words), _, _) => Answer::Panic(words.clone()),
        (_, Some(words), _) => Answer::Rejected(VerdictKind::Unknown, words.clone()),
        (_, _, Ok(report)) => Answer::Certified(Certified {
            verdict: report.verdict(),
            words: String::new(),
        }),
        (_, _, Err(error)) => Answer::Refused(error.to_string()),
    }
}

/// Keeps the words of incidents.
#[derive(Default)]
struct Incidents(Vec<String>);

impl Observer for Incidents {
    fn read(&mut self, _reading: &Reading) {}

    fn progress(&mut self, _configuration: &str, _statistics: &Statistics) {}

    fn settled(&mut self, _reading: Option<&Reading>, _settled: &Settled) -> Result<(), String> {
        Ok(())
    }

    fn incident(&mut self, incident: &Incident) {
        self.0.push(incident.what.clone());
    }
}
