//! One attempt of the reducer: which symptom a text shows.

use std::path::Path;
use std::time::Duration;

use foretell_driver::Verdict;
use foretell_driver::protocol::PropertyRequest;
use foretell_driver::worker::pipeline::{Rung, read_input};
use foretell_frontends::print_chc;
use foretell_kernel::{Budget, Cx, NullSink, Rng, ScriptAnswer};
use foretell_passes::{Clauses, Reduced};
use foretell_solver::{ScriptProcess, Z3Oracles};
use foretell_terms::TermStore;

use crate::case::{GRACE, LIMITS};
use crate::oracles::Scripts;
use crate::run::{Extras, Plan, RunLimits, What, run};

/// The queries a run of an attempt may ask: as many as any run of a campaign.
const QUERIES: u64 = 150;
/// How long Z3's own Horn engine may take.
const REFERENCE: Duration = Duration::from_secs(5);

/// What a text shows with an engine: the word of the symptom, with the gist of a message.
pub fn symptom(
    text: &str,
    engine: &str,
    settings: Vec<String>,
    scripts: &Scripts,
    z3: &Path,
) -> String {
    let limits = RunLimits {
        queries: QUERIES,
        ..LIMITS
    };
    let plan = Plan {
        engine: engine.to_owned(),
        settings,
        extras: Extras::Nothing,
        faults: None,
        limits,
    };
    let said = run(text, &plan, scripts);
    if said.cpu > LIMITS.time.as_secs_f64() + GRACE {
        return "overrun".to_owned();
    }
    match said.what {
        What::Verdict(Verdict::Unknown, _) => "unknown".to_owned(),
        What::Verdict(verdict, _) => match reference(text, z3) {
            Some(other) if other != verdict => "wrong".to_owned(),
            _ => verdict.name().to_owned(),
        },
        What::Rejected(..) => "rejected".to_owned(),
        What::Refused(words) => format!("refused: {}", gist(&words)),
        What::Panic(words) => format!("panic: {}", gist(&words)),
    }
}

/// The words of a message that do not depend on names and numbers: the same defect says the same.
fn gist(words: &str) -> String {
    let line = words.lines().next().unwrap_or("");
    let outside = line.split('`').step_by(2).collect::<Vec<_>>().join("``");
    outside.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// What Z3's own Horn engine says about a text, as clauses.
pub fn reference(text: &str, z3: &Path) -> Option<Verdict> {
    let terms = TermStore::new();
    let input = read_input(text.as_bytes(), PropertyRequest::Together, &terms).ok()?;
    let clauses = match input.problem {
        Rung::Clauses(system) => print_chc(&terms, &system),
        Rung::System(system, _) => {
            let (budget, rng, oracles) = (
                Budget::with_time(REFERENCE),
                Rng::new(0),
                Z3Oracles::default(),
            );
            let cx = Cx {
                terms: &terms,
                events: &NullSink,
                budget: &budget,
                oracles: &oracles,
                rng: &rng,
            };
            print_chc(
                &terms,
                &Reduced::start(&system).then(&Clauses, &cx).ok()?.problem,
            )
        }
    };
    match ScriptProcess::z3(z3.to_owned())
        .run(&clauses, REFERENCE)
        .ok()?
        .as_slice()
    {
        [ScriptAnswer::Sat] => Some(Verdict::Safe),
        [ScriptAnswer::Unsat] => Some(Verdict::Unsafe),
        _ => None,
    }
}
