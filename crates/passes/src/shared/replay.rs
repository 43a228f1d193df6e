//! What counterexample lifts share: the concrete values along a derivation.

use std::borrow::Cow;

use foretell_kernel::{Answer, Cx, Halt, SolverConfig};
use foretell_systems::{ChcSystem, Clause, Derivation, DerivationStep};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, TermStore, Value};

/// Gives every clause variable of a derivation a value.
///
/// A variable without a value that is the argument of a body atom takes the value the premise
/// derived; any other one is free and takes the default of its sort. Steps must be in order.
/// `pass` is named when such a value is undefined (a division by zero).
pub(crate) fn complete(
    system: &ChcSystem,
    mut derivation: Derivation,
    pass: &'static str,
    cx: &Cx<'_>,
) -> Result<Derivation, Halt> {
    for i in 0..derivation.steps.len() {
        complete_step(system, &mut derivation, i, cx).ok_or(Halt::NotLifted(pass))?;
    }
    Ok(derivation)
}

fn complete_step(
    system: &ChcSystem,
    derivation: &mut Derivation,
    at: usize,
    cx: &Cx<'_>,
) -> Option<()> {
    let (earlier, rest) = derivation.steps.split_at_mut(at);
    let step = rest.first_mut()?;
    let clause = system.clauses.get(step.clause.index())?;
    make_room(clause.vars.len(), &mut step.values);
    for (atom, &premise) in clause.body.iter().zip(&step.premises) {
        let shown = Shown::new(system, earlier.get(premise)?, &derivation.functions)?;
        for (&arg, &made) in atom.args.iter().zip(shown.args) {
            if step.values.get(arg).is_none() && cx.terms.as_var(arg).is_some() {
                step.values.insert(arg, shown.value(made, cx)?);
            }
        }
    }
    fill(cx.terms, &clause.vars, &mut step.values);
    Some(())
}

/// What an earlier step derived; a value is computed when it is asked for.
struct Shown<'a> {
    args: &'a [Term],
    values: &'a Assignment,
    functions: &'a Assignment,
}

impl<'a> Shown<'a> {
    fn new(
        system: &'a ChcSystem,
        step: &'a DerivationStep,
        functions: &'a Assignment,
    ) -> Option<Shown<'a>> {
        let head = system.clauses.get(step.clause.index())?.head.as_ref()?;
        Some(Shown {
            args: &head.args,
            values: &step.values,
            functions,
        })
    }

    fn value(&self, arg: Term, cx: &Cx<'_>) -> Option<Value> {
        cx.terms
            .eval(arg, &joined(self.values, self.functions))
            .ok()
    }
}

/// Room for so many values and no more: long derivations are large.
pub(crate) fn make_room(wanted: usize, values: &mut Assignment) {
    let missing = wanted.saturating_sub(values.values.len());
    values.values.reserve_exact(missing);
}

/// Gives the default of its sort to every variable without a value.
pub(crate) fn fill(terms: &TermStore, vars: &[Term], values: &mut Assignment) {
    make_room(vars.len(), values);
    for &var in vars {
        if values.get(var).is_none() {
            values.insert(var, terms.default_value(terms.sort(var)));
        }
    }
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
