//! The way down from clauses to what an engine runs on, with the way back.

use foretell_kernel::{Cx, Engine, Halt, Phase, Problem, Reason, Verdict};
use foretell_passes::pipeline;
use foretell_passes::{Arguments, Assume, Clauses, Equalities, LinearProgram, Reduced};
use foretell_systems::{ChcSystem, TransitionSystem};

use crate::registry::{Facts, Prepared, Proofs};
use crate::worker::exchange::Exchange;

/// Checks clauses with an engine: simplified, and as a transition system where that is possible.
pub(crate) fn check_clauses(
    system: &ChcSystem,
    prepared: &mut Prepared,
    exchange: Option<&Exchange<'_>>,
    cx: &Cx<'_>,
) -> Result<Verdict<ChcSystem>, Halt> {
    let simple = pipeline::simplify(system, &prepared.passes, cx)?;
    let simple = match exchange {
        Some(exchange) => with_facts(simple, prepared, exchange, cx)?,
        None => simple,
    };
    match (&mut prepared.on_systems, &mut prepared.on_clauses) {
        (Some(engine), _) if simple.problem.is_linear() => {
            let program = exchange
                .map(|_| LinearProgram::new(&simple.problem, cx))
                .transpose()?;
            let reduced = pipeline::to_transition_system(simple, &prepared.passes, cx)?;
            if let (Some(exchange), Some(program)) = (exchange, program) {
                exchange.descend(program);
            }
            run(&reduced, engine, cx)
        }
        (_, Some(engine)) => run(&simple, engine, cx),
        _ => Ok(unsupported("non-linear clauses")),
    }
}

/// The clauses with what other workers found out about them, as far as it could be proved again. The engine
/// that finds facts itself takes them as candidates.
fn with_facts(
    simple: Reduced<ChcSystem, ChcSystem>,
    prepared: &Prepared,
    exchange: &Exchange<'_>,
    cx: &Cx<'_>,
) -> Result<Reduced<ChcSystem, ChcSystem>, Halt> {
    if !prepared.sharing.enabled {
        return Ok(simple);
    }
    exchange.open(&simple.problem);
    if prepared.entry.facts == Facts::Proposed {
        return Ok(simple);
    }
    let facts = exchange.facts(&simple.problem, &prepared.sharing, cx)?;
    if facts.is_empty() {
        Ok(simple)
    } else {
        simple.then(&Assume { facts }, cx)
    }
}

/// Checks a transition system with an engine.
pub(crate) fn check_system(
    system: &TransitionSystem,
    prepared: &mut Prepared,
    cx: &Cx<'_>,
) -> Result<Verdict<TransitionSystem>, Halt> {
    let passes = &prepared.passes;
    let places = match prepared.entry.proofs {
        Proofs::OneStep => pipeline::to_places(system, passes, cx)?,
        Proofs::SeveralSteps => None,
    };
    if let Some(engine) = &mut prepared.on_systems {
        return match places {
            Some(places) => {
                let reduced = pipeline::to_transition_system(places, passes, cx)?;
                run(&reduced, engine, cx)
            }
            None => run(&Reduced::start(system), engine, cx),
        };
    }
    let Some(engine) = &mut prepared.on_clauses else {
        return Ok(unsupported("transition systems"));
    };
    let clauses = match places {
        Some(places) => places,
        None => Reduced::start(system)
            .then(&Clauses, cx)?
            .then(&Equalities, cx)?
            .then(&Arguments, cx)?,
    };
    run(&clauses, engine, cx)
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
