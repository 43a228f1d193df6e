//! One attempt of the reducer: which symptom a text shows.

use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use foretell_driver::VerdictKind;
use foretell_frontends::{Problem, print_chc};
use foretell_kernel::{Budget, Cx, ScriptAnswer};
use foretell_passes::{Clauses, Reduced};
use foretell_solver::ScriptProcess;
use foretell_terms::TermStore;
use foretell_testkit::{Answer, Certified, Plan, RunLimits, Scripts, over};

use crate::case::{GRACE, LIMITS};
use crate::run::run;

/// The queries a run of an attempt may ask: as many as any run of a campaign.
const QUERIES: u64 = 150;
/// How long Z3's own Horn engine may take.
const REFERENCE: Duration = Duration::from_secs(5);

/// What a text shows with an engine: the word of the symptom, with the gist of a message.
pub fn symptom(
    text: &str,
    engine: &str,
    settings: Vec<String>,
    scripts: &Rc<Scripts>,
    z3: &Path,
) -> String {
    let limits = RunLimits {
        queries: QUERIES,
        ..LIMITS
    };
    let plan = Plan {
        settings,
        ..Plan::new(engine).within(limits)
    };
    let said = run(text, &plan, scripts);
    if said.cpu > LIMITS.time.as_secs_f64() + GRACE {
        return "overrun".to_owned();
    }
    match said.what {
        Answer::Certified(Certified {
            verdict: VerdictKind::Unknown,
            ..
        }) => "unknown".to_owned(),
        Answer::Certified(Certified { verdict, .. }) => match reference(text, z3) {
            Some(other) if other != verdict => "wrong".to_owned(),
            _ => verdict.name().to_owned(),
        },
        Answer::Rejected(..) => "rejected".to_owned(),
        Answer::Refused(words) => format!("refused: {}", gist(&words)),
        Answer::Panic(words) => format!("panic: {}", gist(&words)),
    }
}

/// The words of a message that do not depend on names and numbers: the same defect says the same.
fn gist(words: &str) -> String {
    let line = words.lines().next().unwrap_or("");
    let outside = line.split('`').step_by(2).collect::<Vec<_>>().join("``");
    outside.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// What Z3's own Horn engine says about a text, as clauses.
pub fn reference(text: &str, z3: &Path) -> Option<VerdictKind> {
    let terms = TermStore::new();
    let clauses = match foretell_frontends::read(text.as_bytes(), &terms)
        .ok()?
        .problem
    {
        Problem::Chc(system) => print_chc(&terms, &system),
        Problem::Vmt { system, .. } => {
            let down = |cx: &Cx<'_>| Reduced::start(&system).then(&Clauses, cx);
            let reduced = over(&terms, &Budget::with_time(REFERENCE), down).ok()?;
            print_chc(&terms, &reduced.problem)
        }
    };
    match ScriptProcess::z3(z3.to_owned())
        .run(&clauses, REFERENCE)
        .ok()?
        .as_slice()
    {
        [ScriptAnswer::Sat] => Some(VerdictKind::Safe),
        [ScriptAnswer::Unsat] => Some(VerdictKind::Unsafe),
        _ => None,
    }
}
