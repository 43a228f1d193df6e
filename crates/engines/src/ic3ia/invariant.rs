//! Invariants: reducing one before it leaves the engine, and checking those of the trace.

use foretell_kernel::{Cx, Halt};
use foretell_systems::TransitionSystem;
use foretell_terms::{Term, TermMap, TermSet};

use super::closure::Closure;
use super::options::Ic3iaOptions;
use super::queries::config;
#[cfg(debug_assertions)]
use super::trace::{Level, Trace};
use crate::abstraction::{Cube, LiteralSolver, Reply};

/// An inductive subset of inductive clauses that still excludes the bad states.
///
/// ```text
/// S ← core of ⋀C ∧ ¬P;   for each clause d of S:  S ← S ∪ core of ⋀C ∧ T ∧ ¬d'
/// ```
///
/// Initiation holds for every clause. An undecided query gives all clauses back.
pub(super) fn minimise_invariant(
    cubes: &[Cube],
    system: &TransitionSystem,
    options: &Ic3iaOptions,
    cx: &Cx<'_>,
) -> Result<Vec<Term>, Halt> {
    let clauses: Vec<Term> = cubes.iter().map(|c| c.clause(cx.terms)).collect();
    if !options.minimise_invariant {
        return Ok(clauses);
    }
    let mut solver = LiteralSolver::new(
        &config("ic3ia-invariant", system, options, cx).with_minimal_cores(),
        0,
        cx,
    );
    let trans = solver.label("trans", cx);
    solver.assert_under(trans, system.trans, cx)?;
    let no_trans = cx.terms.not(trans);
    let mut priming = system.priming();
    let bad = solver.temporarily(cx.terms.not(system.property), cx)?;
    let mut closure = closure(system, options);
    let closed: TermMap<Term> = clauses
        .iter()
        .map(|&c| (closure.closed(c, cx), c))
        .collect();
    let strong: Vec<Term> = closed.keys().copied().collect();
    let Reply::Unsat(core) = solver.ask(&[no_trans, bad], &strong, |_| (), cx)? else {
        return Ok(clauses);
    };
    let mut needed: TermSet = core.lits().iter().copied().collect();
    let mut checked = 0;
    while checked < needed.len() {
        let clause = closed[&needed[checked]];
        checked += 1;
        let broken = priming.apply(cx.terms, cx.terms.not(clause));
        let goal = solver.temporarily(broken, cx)?;
        // What is needed anyway is tried first.
        let own: Vec<Term> = needed.iter().copied().collect();
        if let Reply::Unsat(_) = solver.ask(&[trans, goal], &own, |_| (), cx)? {
            continue;
        }
        let Reply::Unsat(core) = solver.ask(&[trans, goal], &strong, |_| (), cx)? else {
            return Ok(clauses);
        };
        needed.extend(core.lits().iter().copied());
    }
    Ok(needed.iter().map(|strong| closed[strong]).collect())
}

/// How the frames of a run were closed.
fn closure(system: &TransitionSystem, options: &Ic3iaOptions) -> Closure {
    if options.quantified_frames {
        Closure::new(system)
    } else {
        Closure::default()
    }
}

/// The invariants of Lemma 1 (TACAS 2014, section 3.4) that fail; for debug builds and tests.
///
/// ```text
/// I ⇒ F_1,   F_i ⇒ F_{i+1},   F_i ∧ T ⇒ F_{i+1}',   F_i ⇒ P for i < k
/// ```
#[cfg(debug_assertions)]
pub(super) fn check_invariants(
    trace: &Trace,
    system: &TransitionSystem,
    options: &Ic3iaOptions,
    cx: &Cx<'_>,
) -> Result<Vec<String>, Halt> {
    let mut broken = Vec::new();
    let mut closure = closure(system, options);
    let frame = |level: Level| {
        let clauses = trace.cubes(level).map(|c| c.clause(cx.terms));
        if level == Level::INIT {
            system.init
        } else {
            cx.terms.and(clauses)
        }
    };
    let mut priming = system.priming();
    for i in 0..trace.frontier().0 {
        let (here, above) = (frame(Level(i)), frame(Level(i + 1)));
        let step = cx.terms.and2(closure.closed(here, cx), system.trans);
        let claims = [
            ("inclusion", here, above),
            ("consecution", step, priming.apply(cx.terms, above)),
            ("safety", here, system.property),
        ];
        for (name, premise, conclusion) in claims {
            let mut solver = cx
                .oracles
                .solver(&foretell_kernel::SolverConfig::new("ic3ia-paranoid"));
            solver.assert(cx.terms, premise)?;
            solver.assert(cx.terms, cx.terms.not(conclusion))?;
            if let foretell_kernel::Answer::Sat(_) = solver.check(&[], cx)? {
                broken.push(format!("{name} at level {i}"));
            }
        }
    }
    Ok(broken)
}

/// What the addition of one clause must keep of Lemma 1, with the frames as they are after it:
///
/// ```text
/// I ⇒ ¬c,   F_{i-1} ∧ T ⇒ ¬c'
/// ```
///
/// Lower frames imply F_{i-1}, so their steps are covered too.
#[cfg(debug_assertions)]
pub(super) fn check_clause(
    cube: &Cube,
    level: Level,
    trace: &Trace,
    system: &TransitionSystem,
    options: &Ic3iaOptions,
    cx: &Cx<'_>,
) -> Result<Vec<String>, Halt> {
    let below = match level.below() {
        Level::INIT => system.init,
        below => cx.terms.and(trace.cubes(below).map(|c| c.clause(cx.terms))),
    };
    let state = cube.term(cx.terms);
    let claims = [
        ("initiation", cx.terms.and2(system.init, state)),
        (
            "consecution",
            cx.terms.and([
                closure(system, options).closed(below, cx),
                system.trans,
                system.next(cx.terms, state),
            ]),
        ),
    ];
    let mut broken = Vec::new();
    for (name, impossible) in claims {
        let mut solver = cx
            .oracles
            .solver(&foretell_kernel::SolverConfig::new("ic3ia-paranoid"));
        solver.assert(cx.terms, impossible)?;
        if let foretell_kernel::Answer::Sat(_) = solver.check(&[], cx)? {
            broken.push(format!("{name} at level {}", level.0));
        }
    }
    Ok(broken)
}
