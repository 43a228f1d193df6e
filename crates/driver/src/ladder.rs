//! The way down from clauses to what an engine runs on, with the way back.

use foretell_kernel::{Cx, Engine, Event, Halt, Phase, Problem, Reason, Verdict};
use foretell_passes::{Arguments, ConeOfInfluence, Constants, Equalities, Reduced, SingleLoop};
use foretell_systems::{ChcSystem, TransitionSystem};

use crate::registry::{EngineEntry, Settings};

/// Checks clauses with an engine: simplified, and as a transition system where that is possible.
pub(crate) fn check_clauses(
    system: &ChcSystem,
    entry: &EngineEntry,
    settings: &Settings,
    cx: &Cx<'_>,
) -> Result<Verdict<ChcSystem>, Halt> {
    let simple = simplified(system, cx)?;
    match (entry.on_systems, entry.on_clauses) {
        (Some(make), _) if simple.problem.is_linear() => {
            let mut engine = make(settings).map_err(|e| Halt::Solver(e.to_string()))?;
            run(&simple.then(&SingleLoop, cx)?, &mut engine, cx)
        }
        (_, Some(make)) => {
            let mut engine = make(settings).map_err(|e| Halt::Solver(e.to_string()))?;
            run(&simple, &mut engine, cx)
        }
        _ => Ok(unsupported("non-linear clauses")),
    }
}

/// Checks a transition system with an engine.
pub(crate) fn check_system(
    system: &TransitionSystem,
    entry: &EngineEntry,
    settings: &Settings,
    cx: &Cx<'_>,
) -> Result<Verdict<TransitionSystem>, Halt> {
    let Some(make) = entry.on_systems else { return Ok(unsupported("transition systems")) };
    let mut engine = make(settings).map_err(|e| Halt::Solver(e.to_string()))?;
    run(&Reduced::start(system), &mut engine, cx)
}

/// The clauses after all passes that keep them clauses.
fn simplified(system: &ChcSystem, cx: &Cx<'_>) -> Result<Reduced<ChcSystem, ChcSystem>, Halt> {
    Reduced::start(system)
        .then(&ConeOfInfluence, cx)?
        .then(&Equalities, cx)?
        .then(&Constants, cx)?
        .then(&Arguments, cx)?
        .then(&ConeOfInfluence, cx)
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
    let name = engine.name();
    cx.events.emit(Event::Enter(Phase::Engine(name)));
    let verdict = engine.check(&reduced.problem, cx);
    cx.events.emit(Event::Leave(Phase::Engine(name)));
    Ok(match verdict? {
        Verdict::Safe(proof) => Verdict::Safe(reduced.lift.proof(proof, cx)?),
        Verdict::Unsafe(cex) => Verdict::Unsafe(reduced.lift.cex(cex, cx)?),
        Verdict::Unknown(reason) => Verdict::Unknown(reason),
    })
}

fn unsupported<P: Problem>(feature: &str) -> Verdict<P> {
    Verdict::Unknown(Reason::Unsupported(foretell_kernel::Unsupported(feature.to_owned())))
}
