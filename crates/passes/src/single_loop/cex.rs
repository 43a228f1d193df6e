//! A run of the transition system as a derivation.

use foretell_kernel::Cx;
use foretell_systems::{ClauseId, Derivation, DerivationStep, StateVar, Trace, TraceStep};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, Value};

use super::SingleLoopLift;
use crate::program::Location;

/// The derivation; `None` when evaluation refutes every rule for some step.
pub(super) fn lift(this: &SingleLoopLift, trace: &Trace, cx: &Cx<'_>) -> Option<Derivation> {
    let mut derivation = Derivation::default();
    derivation.functions.functions = trace.rigid.functions.clone();
    let first = trace.steps.first()?;
    let start = frame(this, trace, first, None);
    let at = location(this, &start)?;
    if this.program().entry() != Some(at) {
        let facts = this.program().starts.iter().filter(|s| s.at == at);
        let fact = explanation(facts, |s| s.states, &start, cx)?;
        push(&mut derivation, fact.clause, &fact.values, &start, cx)?;
    }
    for pair in trace.steps.windows(2) {
        let step = frame(this, trace, &pair[0], Some(&pair[1]));
        let (from, to) = (
            location(this, &step)?,
            location(this, &frame(this, trace, &pair[1], None))?,
        );
        let rules = this
            .program()
            .rules
            .iter()
            .filter(|r| r.from == from && r.to == to);
        let rule = explanation(rules, |r| r.relation, &step, cx)?;
        push(&mut derivation, rule.clause, &rule.values, &step, cx)?;
    }
    let last = frame(this, trace, trace.steps.last()?, None);
    let at = location(this, &last)?;
    let goals = this.program().goals.iter().filter(|g| g.at == at);
    let goal = explanation(goals, |g| g.guard, &last, cx)?;
    push(&mut derivation, goal.clause, &goal.values, &last, cx)?;
    Some(derivation)
}

fn push(
    derivation: &mut Derivation,
    clause: ClauseId,
    bindings: &[(Term, Term)],
    frame: &Assignment,
    cx: &Cx<'_>,
) -> Option<()> {
    let mut values = Assignment::new();
    for &(var, symbol) in bindings {
        values.insert(var, cx.terms.eval(symbol, frame).ok()?);
    }
    // Linear clauses: the only premise is the step before; the first step has none.
    let premises = derivation.steps.len().checked_sub(1).into_iter().collect();
    derivation.steps.push(DerivationStep {
        clause,
        values,
        premises,
    });
    Some(())
}

/// The first part whose formula holds; or else the first whose truth evaluation leaves open (a
/// quantifier, a division by zero), which whoever replays the derivation has to judge.
fn explanation<'p, P>(
    parts: impl Iterator<Item = &'p P>,
    formula: impl Fn(&P) -> Term,
    frame: &Assignment,
    cx: &Cx<'_>,
) -> Option<&'p P> {
    let mut open = None;
    for part in parts {
        match cx.terms.eval_bool(formula(part), frame) {
            Ok(true) => return Some(part),
            Ok(false) => {}
            Err(_) => open = open.or(Some(part)),
        }
    }
    open
}

/// The values of all symbols in one state, and of the next symbols if there is a next state.
fn frame(
    this: &SingleLoopLift,
    trace: &Trace,
    now: &TraceStep,
    then: Option<&TraceStep>,
) -> Assignment {
    let mut all = trace.rigid.clone();
    for (&symbol, value) in now.state.values.iter().chain(&now.inputs.values) {
        all.insert(symbol, value.clone());
    }
    let vars = this
        .location()
        .into_iter()
        .chain(this.program().vars.iter().copied());
    for StateVar { cur, next } in vars {
        if let Some(value) = then.and_then(|t| t.state.get(cur)) {
            all.insert(next, value.clone());
        }
    }
    all
}

fn location(this: &SingleLoopLift, frame: &Assignment) -> Option<Location> {
    let Some(var) = this.location() else {
        return Some(Location(0));
    };
    match frame.get(var.cur)? {
        Value::Int(n) => u32::try_from(n).ok().map(Location),
        _ => None,
    }
}
