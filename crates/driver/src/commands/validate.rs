//! Checks of anybody's witness, in this process with a solver process of its own.

use std::path::Path;
use std::time::Duration;

use foretell_certify::cex::{is_counterexample, read_derivation, read_trace};
use foretell_certify::{CertifyOptions, Checker, ChosenGoal, Dialect, ScriptRunner};
pub use foretell_certify::{CheckReport, Outcome};
use foretell_certify::{OriginalClauses, OriginalSystem, check_derivation, check_trace};
use foretell_frontends::{Format, FreeSymbols, detect};
use foretell_kernel::{Budget, Cx, Halt, NullSink, Rng, ScriptAnswer};
use foretell_solver::{ScriptProcess, Z3Oracles};
use foretell_systems::Property;
use foretell_terms::TermStore;

use crate::error::Error;
use crate::protocol::{Ask, Tools};
use crate::registry;
use crate::worker::functions::FREE_SYMBOLS;
use crate::worker::input::{Rung, read_input};
use crate::worker::oracles::contained;

/// A solver executable that checks certificates.
pub(crate) struct ProcessRunner {
    process: ScriptProcess,
    name: &'static str,
    dialect: Dialect,
}

impl ProcessRunner {
    /// Z3.
    pub(crate) fn z3(program: &Path, launcher: Option<&Path>) -> ProcessRunner {
        let process = contained(ScriptProcess::z3(program.to_owned()), launcher);
        ProcessRunner {
            process,
            name: "z3",
            dialect: Dialect::Z3,
        }
    }

    /// cvc5.
    pub(crate) fn cvc5(program: &Path, launcher: Option<&Path>) -> ProcessRunner {
        let process = contained(ScriptProcess::cvc5(program.to_owned()), launcher);
        ProcessRunner {
            process,
            name: "cvc5",
            dialect: Dialect::Standard,
        }
    }
}

impl ScriptRunner for ProcessRunner {
    fn run(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        self.process.run(script, limit)
    }

    fn name(&self) -> &str {
        self.name
    }

    fn dialect(&self) -> Dialect {
        self.dialect
    }
}

/// What to validate.
pub struct Validation<'a> {
    /// The original text.
    pub text: &'a str,
    /// The witness.
    pub witness: &'a str,
    /// Which property of a transition system, or goal of clauses.
    pub property: Property,
    /// The solvers; every one that is named must accept.
    pub tools: &'a Tools,
    /// The executable that starts them; `None`: the running one.
    pub launcher: Option<&'a Path>,
    /// Settings of the checker.
    pub settings: &'a [String],
    /// The time it may take.
    pub limit: Option<Duration>,
}

/// Checks a witness; one report per solver.
///
/// # Errors
/// When there is no solver to ask, or a setting is wrong.
pub fn validate(what: &Validation<'_>) -> Result<Vec<CheckReport>, Error> {
    let options = registry::settings(what.settings)?.of::<CertifyOptions>()?;
    let budget = what.limit.map_or_else(Budget::unlimited, Budget::with_time);
    if is_counterexample(what.witness) {
        return replay(what, &options, &budget).map(|report| vec![report]);
    }
    let (z3, cvc5) = (what.tools.z3.as_deref(), what.tools.cvc5.as_deref());
    let z3 = z3.map(|program| ProcessRunner::z3(program, what.launcher));
    let cvc5 = cvc5.map(|program| ProcessRunner::cvc5(program, what.launcher));
    let runners: Vec<ProcessRunner> = z3.into_iter().chain(cvc5).collect();
    if runners.is_empty() {
        return Err(Error::Usage("no solver executable was found".to_owned()));
    }
    let goal = goal(what)?;
    let checkers = runners.iter().map(|runner| Checker {
        runner,
        options: &options,
        budget: &budget,
    });
    Ok(checkers
        .map(|checker| ask(what, goal.as_ref(), &checker))
        .collect())
}

/// The goal of clauses that is asked for by its number.
fn goal(what: &Validation<'_>) -> Result<Option<ChosenGoal>, Error> {
    if detect(what.text) == Format::Vmt || what.property == Property::All {
        return Ok(None);
    }
    let terms = TermStore::new();
    let input = read_input(what.text.as_bytes(), &Ask::One(what.property), &terms);
    Ok(match input.map_err(Error::Refused)?.problem {
        Rung::Clauses(_, _, goal) => goal,
        Rung::System(..) => None,
    })
}

/// Replays a counterexample on the problem as it is read from the text.
fn replay(
    what: &Validation<'_>,
    options: &CertifyOptions,
    budget: &Budget,
) -> Result<CheckReport, Error> {
    let (terms, rng) = (TermStore::new(), Rng::new(0));
    let scripts = what
        .tools
        .z3
        .as_deref()
        .map(|z3| contained(ScriptProcess::z3(z3.to_owned()), what.launcher));
    let oracles = Z3Oracles {
        scripts,
        ..Z3Oracles::default()
    };
    let cx = Cx {
        terms: &terms,
        events: &NullSink,
        budget,
        oracles: &oracles,
        rng: &rng,
    };
    let input = read_input(what.text.as_bytes(), &Ask::One(what.property), &terms)
        .map_err(Error::Refused)?;
    let malformed = |words: String| CheckReport {
        outcome: Outcome::Rejected(format!("witness, {words}")),
        obligations: Vec::new(),
        seconds: 0.0,
        solver: "evaluation".to_owned(),
    };
    Ok(match &input.problem {
        Rung::Clauses(system, free, goal) => match read_derivation(&terms, system, what.witness) {
            Ok(derivation) => {
                let original = OriginalClauses::new(what.text, system).about(goal.as_ref());
                let mut report = check_derivation(&original, &derivation, options, &cx).report;
                if report.outcome.is_accepted() && *free != FreeSymbols::None {
                    report.outcome = Outcome::Undecided(FREE_SYMBOLS.to_owned());
                }
                report
            }
            Err(words) => malformed(words),
        },
        Rung::System(system, choice) => match read_trace(&terms, system, what.witness, *choice) {
            Ok(trace) => {
                let original = OriginalSystem::new(what.text, system, *choice);
                check_trace(&original, &trace, options, &cx).report
            }
            Err(words) => malformed(words),
        },
    })
}

fn ask(what: &Validation<'_>, goal: Option<&ChosenGoal>, checker: &Checker<'_>) -> CheckReport {
    match (detect(what.text), goal) {
        (Format::Vmt, _) => checker.vmt(what.text, what.witness, what.property),
        (_, None) => checker.chc(what.text, what.witness),
        (_, Some(goal)) => checker.goal(what.text, what.witness, goal),
    }
}
