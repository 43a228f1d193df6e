//! What counterexample lifts share: the concrete values along a derivation.

use std::borrow::Cow;

use foretell_kernel::{Answer, Cx, Halt, SolverConfig};
use foretell_systems::{ChcSystem, Clause, Derivation};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, TermStore, Value};

/// Gives every clause variable of a derivation a value.
///
/// A variable without a value that is the argument of a body atom takes the value the premise
/// derived; any other one is free and takes the default of its sort. Steps must be in order.
/// `pass` is named when a head has no value (a division by zero).
pub(crate) fn complete(
    system: &ChcSystem,
    mut derivation: Derivation,
    pass: &'static str,
    cx: &Cx<'_>,
) -> Result<Derivation, Halt> {
    let mut heads: Vec<Vec<Value>> = Vec::new();
    let last_uses = last_uses(&derivation);
    for (i, step) in derivation.steps.iter_mut().enumerate() {
        let clause = system
            .clauses
            .get(step.clause.index())
            .ok_or(Halt::NotLifted(pass))?;
        let missing = clause.vars.len().saturating_sub(step.values.values.len());
        step.values.values.reserve(missing);
        for (atom, &premise) in clause.body.iter().zip(&step.premises) {
            let derived = heads.get(premise).ok_or(Halt::NotLifted(pass))?;
            for (&arg, value) in atom.args.iter().zip(derived) {
                if cx.terms.as_var(arg).is_some() && step.values.get(arg).is_none() {
                    step.values.insert(arg, value.clone());
                }
            }
        }
        fill(cx.terms, &clause.vars, &mut step.values);
        heads.push(
            head_values(clause, &step.values, &derivation.functions, cx)
                .ok_or(Halt::NotLifted(pass))?,
        );
        for &premise in &step.premises {
            if last_uses.get(premise) == Some(&i) {
                heads[premise] = Vec::new();
            }
        }
    }
    Ok(derivation)
}

/// For each step the last one that it is a premise of; itself where there is none.
fn last_uses(derivation: &Derivation) -> Vec<usize> {
    let mut last: Vec<usize> = (0..derivation.steps.len()).collect();
    for (i, step) in derivation.steps.iter().enumerate() {
        for &premise in &step.premises {
            if let Some(last) = last.get_mut(premise) {
                *last = i;
            }
        }
    }
    last
}

/// Gives the default of its sort to every variable without a value.
pub(crate) fn fill(terms: &TermStore, vars: &[Term], values: &mut Assignment) {
    values
        .values
        .reserve(vars.len().saturating_sub(values.values.len()));
    for &var in vars {
        if values.get(var).is_none() {
            values.insert(var, terms.default_value(terms.sort(var)));
        }
    }
}

/// The values a clause derives; none for a query. `None` when one is undefined.
pub(crate) fn head_values(
    clause: &Clause,
    values: &Assignment,
    functions: &Assignment,
    cx: &Cx<'_>,
) -> Option<Vec<Value>> {
    let all = joined(values, functions);
    let args = clause.head.iter().flat_map(|head| &head.args);
    args.map(|&arg| cx.terms.eval(arg, &all).ok()).collect()
}

/// The values of one step together with the values of declared functions.
pub(crate) fn joined<'a>(values: &'a Assignment, functions: &Assignment) -> Cow<'a, Assignment> {
    if functions.values.is_empty() && functions.functions.is_empty() {
        return Cow::Borrowed(values);
    }
    let mut all = functions.clone();
    for (&term, value) in &values.values {
        all.insert(term, value.clone());
    }
    Cow::Owned(all)
}

/// The derivation with values that a solver finds for its clauses. `pass` is named when there are none.
pub(crate) fn natively(
    system: &ChcSystem,
    mut derivation: Derivation,
    pass: &'static str,
    cx: &Cx<'_>,
) -> Result<Derivation, Halt> {
    let terms = cx.terms;
    let mut solver = cx.oracles.solver(&SolverConfig::new(pass));
    let mut steps: Vec<Clause> = Vec::new();
    for step in &derivation.steps {
        let clause = system.clause(step.clause).renamed(terms);
        solver.assert(terms, clause.constraint)?;
        for (atom, &premise) in clause.body.iter().zip(&step.premises) {
            let shown = steps.get(premise).and_then(|c| c.head.as_ref());
            let shown = shown.ok_or(Halt::NotLifted(pass))?;
            for (&a, &b) in atom.args.iter().zip(&shown.args) {
                solver.assert(terms, terms.eq(a, b))?;
            }
        }
        steps.push(clause);
    }
    let Answer::Sat(model) = solver.check(&[], cx)? else {
        return Err(Halt::NotLifted(pass));
    };
    for (step, clause) in derivation.steps.iter_mut().zip(&steps) {
        let own = &system.clause(step.clause).vars;
        let mut values = Assignment::new();
        for (&var, &renamed) in own.iter().zip(&clause.vars) {
            let value = model.value(terms, renamed);
            values.insert(var, value.ok_or(Halt::NotLifted(pass))?);
        }
        step.values = values;
    }
    derivation.functions = Assignment::new();
    Ok(derivation)
}

/// Whether a derivation whose variables all have values is one: constraints hold, and body atoms are
/// what their premises derived.
pub(crate) fn holds(system: &ChcSystem, derivation: &Derivation, cx: &Cx<'_>) -> bool {
    let mut heads: Vec<Option<Vec<Value>>> = Vec::new();
    for step in &derivation.steps {
        let Some(clause) = system.clauses.get(step.clause.index()) else {
            return false;
        };
        let all = joined(&step.values, &derivation.functions);
        let value = |t: Term| cx.terms.eval(t, &all).ok();
        let values = |args: &[Term]| args.iter().map(|&t| value(t)).collect::<Option<Vec<_>>>();
        let derived = clause
            .body
            .iter()
            .zip(&step.premises)
            .all(|(atom, &premise)| {
                let shown = heads.get(premise).and_then(Option::as_ref);
                shown.is_some() && values(&atom.args).as_ref() == shown
            });
        if !derived || value(clause.constraint) != Some(Value::Bool(true)) {
            return false;
        }
        let head = clause.head.as_ref();
        heads.push(head.and_then(|head| values(&head.args)));
    }
    true
}
