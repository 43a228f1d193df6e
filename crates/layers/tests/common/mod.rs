//! Runs array layers on a text and checks the answer on that text.

#![allow(dead_code, clippy::unwrap_used)]

use std::time::Duration;

use foretell_certify::{
    CertifyOptions, PropertyChoice, check_chc_proof, check_derivation, check_invariant, check_trace,
};
use foretell_engines::ic3ia::{Ic3ia, Ic3iaOptions};
use foretell_frontends::Problem;
use foretell_interpolate::{InterpolateOptions, Itp};
use foretell_kernel::{
    Budget, Cx, Engine, EventSink, Halt, Interpolator, NullSink, Oracles, Rng, ScriptAnswer,
    Solver, SolverConfig, Strength, Verdict,
};
use foretell_layers::{
    ArrayProphecy, ArrayProphecyOptions, Cegar, Cells, CellsOptions, Values, ValuesOptions,
};
use foretell_passes::{PassOptions, simplify, to_transition_system};
use foretell_solver::Z3Oracles;
use foretell_systems::TransitionSystem;
use foretell_terms::TermStore;

/// Z3 with our own interpolation.
pub(crate) struct Backends(Z3Oracles);

impl Backends {
    pub(crate) fn new() -> Backends {
        Backends(Z3Oracles::new(
            std::env::var_os("FORETELL_Z3").map(Into::into),
        ))
    }
}

impl Oracles for Backends {
    fn solver(&self, config: &SolverConfig) -> Box<dyn Solver> {
        self.0.solver(config)
    }

    fn interpolator(&self, strength: Strength) -> Box<dyn Interpolator> {
        Box::new(Itp::new(strength, InterpolateOptions::default()))
    }

    fn script(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        self.0.script(script, limit)
    }
}

/// The answer and the outcome of its check.
#[derive(Default)]
pub(crate) struct Answer {
    /// `safe`, `unsafe`, or why neither.
    pub verdict: String,
    /// What the checker said, if it was asked.
    pub check: String,
    /// Prophecy variables in the proof.
    pub prophecies: usize,
    /// The certificate.
    pub certificate: String,
}

/// Runs on a text within a budget.
pub(crate) fn answer(
    text: &str,
    options: ArrayProphecyOptions,
    budget: &Budget,
    events: &dyn EventSink,
    terms: &TermStore,
) -> Answer {
    let (oracles, rng) = (Backends::new(), Rng::new(0));
    let cx = Cx {
        terms,
        events,
        budget,
        oracles: &oracles,
        rng: &rng,
    };
    run(text, options, &cx).unwrap_or_else(|halt| Answer {
        verdict: format!("halt: {halt}"),
        ..Answer::default()
    })
}

fn run(text: &str, options: ArrayProphecyOptions, cx: &Cx<'_>) -> Result<Answer, Halt> {
    let input = foretell_frontends::read(text.as_bytes(), cx.terms)
        .map_err(|d| Halt::Solver(format!("{:?}", d.first().map(|d| d.message.clone()))))?;
    let arrays = Cegar::new(
        "arrays",
        ArrayProphecy::new(options),
        Ic3ia::new(Ic3iaOptions::default()),
    );
    let mut engine = Cegar::new("prophecy", Values::new(ValuesOptions::default()), arrays);
    let mut result = checked(text, input.problem, &mut engine, cx)?;
    if !result.check.is_empty() {
        result.prophecies = engine.engine.abstraction.prophecies();
    }
    Ok(result)
}

/// Runs cells of arrays on a text within a budget.
pub(crate) fn cells(
    text: &str,
    options: CellsOptions,
    budget: &Budget,
    terms: &TermStore,
) -> Answer {
    let (oracles, rng) = (Backends::new(), Rng::new(0));
    let cx = Cx {
        terms,
        events: &NullSink,
        budget,
        oracles: &oracles,
        rng: &rng,
    };
    let input = foretell_frontends::read(text.as_bytes(), cx.terms).unwrap();
    let quantified_frames = options.quantified;
    let ic3ia = Ic3ia::new(Ic3iaOptions {
        quantified_frames,
        ..Ic3iaOptions::default()
    });
    let arrays = Cegar::new("arrays", Cells::new(options), ic3ia);
    let mut engine = Cegar::new("cells", Values::new(ValuesOptions::default()), arrays);
    checked(text, input.problem, &mut engine, &cx).unwrap_or_else(|halt| Answer {
        verdict: format!("halt: {halt}"),
        ..Answer::default()
    })
}

/// What an engine says about a problem, checked on its text.
fn checked(
    text: &str,
    problem: Problem,
    engine: &mut dyn Engine<TransitionSystem>,
    cx: &Cx<'_>,
) -> Result<Answer, Halt> {
    let fresh = Budget::with_time(Duration::from_secs(60));
    let calm = cx.with_budget(&fresh);
    let check = CertifyOptions::default();
    let mut result = Answer::default();
    let checked = match problem {
        Problem::Vmt { system, .. } => match engine.check(&system, cx)? {
            Verdict::Safe(proof) => {
                result.verdict = "safe".into();
                check_invariant(text, &proof, PropertyChoice::All, &check, &calm)
            }
            Verdict::Unsafe(trace) => {
                result.verdict = "unsafe".into();
                check_trace(text, &system, &trace, PropertyChoice::All, &check, &calm)
            }
            Verdict::Unknown(reason) => {
                return Ok(Answer {
                    verdict: format!("unknown: {reason}"),
                    ..result
                });
            }
        },
        Problem::Chc(clauses) => {
            let reduced = simplify(&clauses, &PassOptions::default(), cx)?;
            let down = to_transition_system(reduced, &PassOptions::default(), cx)?;
            match engine.check(&down.problem, cx)? {
                Verdict::Safe(proof) => {
                    result.verdict = "safe".into();
                    check_chc_proof(
                        text,
                        &clauses,
                        &down.lift.proof(proof, &calm)?,
                        &check,
                        &calm,
                    )
                }
                Verdict::Unsafe(trace) => {
                    result.verdict = "unsafe".into();
                    check_derivation(text, &clauses, &down.lift.cex(trace, &calm)?, &check, &calm)
                }
                Verdict::Unknown(reason) => {
                    return Ok(Answer {
                        verdict: format!("unknown: {reason}"),
                        ..result
                    });
                }
            }
        }
    };
    result.check = checked.report.outcome.to_string();
    result.certificate = checked.certificate;
    Ok(result)
}
