//! The way down from the input to what an engine runs on, with the way back.
//!
//! ```text
//! input ── Reduced ──▶ problem of the engine        proofs and counterexamples: Lift::{proof, cex}
//! wire ── Exchange (input's words) ── Translated ──▶ engine's words          facts: Lift::{up, down}
//! ```

use foretell_engines::observed_cells;
use foretell_formulas::arrays::is_array;
use foretell_kernel::{
    Alone, Cx, Engine, Event, Halt, Peers, Phase, Problem, Reason, Translated, Verdict, VerdictKind,
};

use foretell_passes::{
    Arguments, Assume, Clauses, Equalities, Reduced, Spelled, has_universal_property, simplify,
    to_places, to_transition_system,
};
use foretell_systems::{ChcSystem, TransitionSystem};
use foretell_terms::{TermSet, TermStore};

use crate::registry::{Facts, Prepared, Proofs};
use crate::worker::exchange::{Exchange, Wire, prove};
use crate::worker::seek::{Found, seek};
use crate::worker::vocabulary::Vocabulary;

/// Checks clauses with an engine: simplified, and as a transition system where that is possible.
pub(crate) fn check_clauses(
    system: &ChcSystem,
    prepared: &mut Prepared,
    wire: Option<&Wire<'_>>,
    cx: &Cx<'_>,
) -> Result<Verdict<ChcSystem>, Halt> {
    let words = || Vocabulary::of_clauses(system, cx.terms);
    let exchange = exchange(wire, prepared, words, cx);
    let (known, peers): (_, &dyn Peers<ChcSystem>) = match &exchange {
        Some(exchange) => (exchange.known(), exchange),
        None => (Vec::new(), &Alone),
    };
    let simple = simplify(system, &prepared.passes, cx)?;
    let mut simple = with_facts(simple, known, prepared, cx)?;
    if prepared.sharing.seek {
        match seek(&simple.problem, cx)? {
            Found::Proof(proof) => return Ok(Verdict::Safe(simple.lift.proof(proof, cx)?)),
            Found::Facts(facts) => {
                let facts = prove(&simple.problem, &facts, &prepared.sharing, cx)?;
                simple = simple.then(&Assume { facts }, cx)?;
            }
        }
    }
    if prepared.sharing.observe {
        let equations = observed_cells(&simple.problem, cx)?;
        if !equations.is_empty() {
            simple = simple.then(&Spelled { equations }, cx)?;
        }
    }
    match (&mut prepared.on_systems, &mut prepared.on_clauses) {
        (Some(engine), _) if simple.problem.is_linear() => {
            let reduced = to_transition_system(simple, &prepared.passes, cx)?;
            run(&reduced, engine, peers, cx)
        }
        (_, Some(engine)) => run(&simple, engine, peers, cx),
        _ => Ok(unsupported("non-linear clauses")),
    }
}

/// Checks a transition system with an engine.
pub(crate) fn check_system(
    system: &TransitionSystem,
    prepared: &mut Prepared,
    wire: Option<&Wire<'_>>,
    cx: &Cx<'_>,
) -> Result<Verdict<TransitionSystem>, Halt> {
    let words = || Vocabulary::of_system(system, cx.terms);
    let exchange = exchange(wire, prepared, words, cx);
    let (known, peers): (_, &dyn Peers<TransitionSystem>) = match &exchange {
        Some(exchange) => (exchange.known(), exchange),
        None => (Vec::new(), &Alone),
    };
    let known = known.into_iter().map(|(_, formula)| formula).collect();
    // A certificate of a system has the auxiliary variables of array engines; clauses would close over them.
    let keeps = prepared.on_systems.is_some() && has_arrays(system, cx.terms);
    // The variables of a universal property are those of a query.
    let opened = has_universal_property(system, cx.terms);
    let places = match prepared.entry.proofs {
        Proofs::OneStep if !keeps && !opened => to_places(system, &prepared.passes, cx)?,
        Proofs::OneStep | Proofs::SeveralSteps => None,
    };
    let clauses = match (places, &mut prepared.on_systems) {
        (Some(places), _) => places,
        (None, Some(engine)) if !opened => {
            return run(&Reduced::start(system), engine, peers, cx);
        }
        (None, _) => Reduced::start(system)
            .then(&Clauses, cx)?
            .then(&Equalities, cx)?
            .then(&Arguments, cx)?,
    };
    let clauses = with_facts(clauses, known, prepared, cx)?;
    match (&mut prepared.on_systems, &mut prepared.on_clauses) {
        (Some(engine), _) => {
            let mut reduced = to_transition_system(clauses, &prepared.passes, cx)?;
            let hints = system.guide.hints.iter();
            let hints = hints.flat_map(|&hint| reduced.lift.down(hint, cx));
            let hints: TermSet = hints.collect();
            reduced.problem.guide.hints.extend(hints);
            run(&reduced, engine, peers, cx)
        }
        (_, Some(engine)) => run(&clauses, engine, peers, cx),
        _ => Ok(unsupported("transition systems")),
    }
}

fn has_arrays(system: &TransitionSystem, terms: &TermStore) -> bool {
    let formulas = [system.init, system.trans, system.property];
    terms
        .subterms(&formulas)
        .iter()
        .any(|&t| is_array(terms, t))
}

/// The exchange with other workers, if there are any and they are wanted.
fn exchange<'a>(
    wire: Option<&'a Wire<'a>>,
    prepared: &Prepared,
    words: impl FnOnce() -> Vocabulary,
    cx: &Cx<'_>,
) -> Option<Exchange<'a>> {
    let wire = wire.filter(|_| prepared.sharing.enabled)?;
    Some(Exchange::new(wire, words(), cx))
}

/// The clauses with what other workers found out about them, as far as it could be proved again. The
/// engine that finds facts itself takes them as candidates.
fn with_facts<A: Problem + 'static>(
    reduced: Reduced<A, ChcSystem>,
    known: Vec<A::Fact>,
    prepared: &Prepared,
    cx: &Cx<'_>,
) -> Result<Reduced<A, ChcSystem>, Halt> {
    if prepared.entry.facts == Facts::Proposed {
        return Ok(reduced);
    }
    let known = known.into_iter().flat_map(|f| reduced.lift.down(f, cx));
    let known: Vec<_> = known.collect();
    let facts = prove(&reduced.problem, &known, &prepared.sharing, cx)?;
    if facts.is_empty() {
        Ok(reduced)
    } else {
        reduced.then(&Assume { facts }, cx)
    }
}

/// Runs an engine below some passes and carries its witness back up; engine and peers each speak in
/// words of their own.
fn run<A: Problem, B: Problem>(
    reduced: &Reduced<A, B>,
    engine: &mut dyn Engine<B>,
    peers: &dyn Peers<A>,
    cx: &Cx<'_>,
) -> Result<Verdict<A>, Halt> {
    if let Err(feature) = engine.accepts(&reduced.problem, cx) {
        return Ok(Verdict::Unknown(Reason::Unsupported(feature)));
    }
    let peers = Translated {
        words: &*reduced.lift,
        inner: peers,
    };
    let phase = Phase::Engine(engine.name());
    let verdict = cx.during(phase, || engine.check(&reduced.problem, &peers, cx))?;
    Ok(match verdict {
        Verdict::Safe(proof) => {
            cx.events.emit(Event::Found(VerdictKind::Safe));
            Verdict::Safe(reduced.lift.proof(proof, cx)?)
        }
        Verdict::Unsafe(cex) => {
            cx.events.emit(Event::Found(VerdictKind::Unsafe));
            Verdict::Unsafe(reduced.lift.cex(cex, cx)?)
        }
        Verdict::Unknown(reason) => Verdict::Unknown(reason),
    })
}

fn unsupported<P: Problem>(feature: &str) -> Verdict<P> {
    Verdict::Unknown(Reason::Unsupported(foretell_kernel::Unsupported(
        feature.to_owned(),
    )))
}

#[cfg(test)]
mod tests;
