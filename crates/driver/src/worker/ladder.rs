//! The way down from clauses to what an engine runs on, with the way back.

use foretell_kernel::{Cx, Engine, Halt, Phase, Problem, Reason, Verdict};
use foretell_passes::pipeline::{self, PassOptions};
use foretell_passes::{Arguments, Assume, Clauses, Equalities, LinearProgram, Reduced};
use foretell_systems::{ChcSystem, TransitionSystem};

use crate::registry::{EngineEntry, Facts, Proofs, Settings, sharing_options};
use crate::worker::exchange::Exchange;

/// Checks clauses with an engine: simplified, and as a transition system where that is possible.
pub(crate) fn check_clauses(
    system: &ChcSystem,
    entry: &EngineEntry,
    settings: &Settings,
    exchange: Option<&Exchange<'_>>,
    cx: &Cx<'_>,
) -> Result<Verdict<ChcSystem>, Halt> {
    let options = pass_options(settings)?;
    let simple = pipeline::simplify(system, &options, cx)?;
    let simple = match exchange {
        Some(exchange) => with_facts(simple, entry, settings, exchange, cx)?,
        None => simple,
    };
    match (entry.on_systems, entry.on_clauses) {
        (Some(make), _) if simple.problem.is_linear() => {
            let mut engine = make(settings).map_err(|e| Halt::Solver(e.to_string()))?;
            let program = exchange
                .map(|_| LinearProgram::new(&simple.problem, cx))
                .transpose()?;
            let reduced = pipeline::to_transition_system(simple, &options, cx)?;
            if let (Some(exchange), Some(program)) = (exchange, program) {
                exchange.descend(program);
            }
            run(&reduced, &mut engine, cx)
        }
        (_, Some(make)) => {
            let mut engine = make(settings).map_err(|e| Halt::Solver(e.to_string()))?;
            run(&simple, &mut engine, cx)
        }
        _ => Ok(unsupported("non-linear clauses")),
    }
}

/// The clauses with what other workers found out about them, as far as it could be proved again. The engine
/// that finds facts itself takes them as candidates.
fn with_facts(
    simple: Reduced<ChcSystem, ChcSystem>,
    entry: &EngineEntry,
    settings: &Settings,
    exchange: &Exchange<'_>,
    cx: &Cx<'_>,
) -> Result<Reduced<ChcSystem, ChcSystem>, Halt> {
    let options = sharing_options(settings).map_err(|e| Halt::Solver(e.to_string()))?;
    if !options.enabled {
        return Ok(simple);
    }
    exchange.open(&simple.problem);
    if entry.facts == Facts::Proposed {
        return Ok(simple);
    }
    let facts = exchange.facts(&simple.problem, &options, cx)?;
    if facts.is_empty() {
        Ok(simple)
    } else {
        simple.then(&Assume { facts }, cx)
    }
}

/// Checks a transition system with an engine.
pub(crate) fn check_system(
    system: &TransitionSystem,
    entry: &EngineEntry,
    settings: &Settings,
    cx: &Cx<'_>,
) -> Result<Verdict<TransitionSystem>, Halt> {
    let options = pass_options(settings)?;
    let places = match entry.proofs {
        Proofs::OneStep => pipeline::to_places(system, &options, cx)?,
        Proofs::SeveralSteps => None,
    };
    if let Some(make) = entry.on_systems {
        let mut engine = make(settings).map_err(|e| Halt::Solver(e.to_string()))?;
        return match places {
            Some(places) => run(
                &pipeline::to_transition_system(places, &options, cx)?,
                &mut engine,
                cx,
            ),
            None => run(&Reduced::start(system), &mut engine, cx),
        };
    }
    let Some(make) = entry.on_clauses else {
        return Ok(unsupported("transition systems"));
    };
    let mut engine = make(settings).map_err(|e| Halt::Solver(e.to_string()))?;
    let clauses = match places {
        Some(places) => places,
        None => Reduced::start(system)
            .then(&Clauses, cx)?
            .then(&Equalities, cx)?
            .then(&Arguments, cx)?,
    };
    run(&clauses, &mut engine, cx)
}

fn pass_options(settings: &Settings) -> Result<PassOptions, Halt> {
    let mut options = PassOptions::default();
    let set = settings.apply(PassOptions::GROUP, &mut |name, text| {
        options.set(name, text)
    });
    set.map_err(|e| Halt::Solver(e.to_string()))?;
    Ok(options)
}

/// Runs an engine below some passes and carries its witness back up.
fn run<A: Problem, B: Problem>(
    reduced: &Reduced<A, B>,
    engine: &mut dyn Engine<B>,
    cx: &Cx<'_>,
) -> Result<Verdict<A>, Halt> {
    if let Err(feature) = engine.accepts(&reduced.problem, cx) {
        return Ok(Verdict::Unknown(Reason::Unsupported(feature)));
    }
    let phase = Phase::Engine(engine.name());
    let verdict = cx.during(phase, || engine.check(&reduced.problem, cx))?;
    Ok(match verdict {
        Verdict::Safe(proof) => Verdict::Safe(reduced.lift.proof(proof, cx)?),
        Verdict::Unsafe(cex) => Verdict::Unsafe(reduced.lift.cex(cex, cx)?),
        Verdict::Unknown(reason) => Verdict::Unknown(reason),
    })
}

fn unsupported<P: Problem>(feature: &str) -> Verdict<P> {
    Verdict::Unknown(Reason::Unsupported(foretell_kernel::Unsupported(
        feature.to_owned(),
    )))
}
