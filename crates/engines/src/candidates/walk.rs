//! Concrete states of each predicate, by executing rules with small inputs.
//!
//! ```text
//! repeat RUNS times
//!   state ← head of a rule without body; variables of the rule small and random   // fn apply
//!   repeat STEPS times
//!     note the state; state ← some rule from here whose guard holds
//! ```
//!
//! Nothing is asked of a solver: guards are evaluated. Inputs are small, so loops up to an input end
//! after a few rounds; loops up to a large numeral are seen in their beginning only.

use foretell_kernel::{Cx, Halt};
use foretell_systems::Pred;
use foretell_terms::eval::Assignment;
use foretell_terms::{Op, Sort, SortKind, Term, Value};

use crate::program::{Program, Rule};

/// Walks from the start.
const RUNS: usize = 48;
/// Steps of a walk.
const STEPS: usize = 90;
/// States that are kept of each predicate.
const MOST_STATES: usize = 160;
/// Values that are tried for the variables of a rule before it counts as not applicable.
const TRIES: usize = 6;
/// Inputs are below this.
const INPUTS: u64 = 7;

/// What a cell holds that nobody wrote: numbers that programs do not compute.
pub(super) const UNWRITTEN: i64 = 7_777_777;

/// The states of each predicate: values of its parameters.
pub(super) fn states(program: &Program<'_>, cx: &Cx<'_>) -> Result<Vec<Vec<Vec<Value>>>, Halt> {
    let mut seen: Vec<indexmap::IndexSet<Vec<Value>>> =
        vec![indexmap::IndexSet::new(); program.system.preds.len()];
    let starts: Vec<&Rule> = program
        .rules
        .iter()
        .filter(|r| r.body.is_empty() && r.to.is_some())
        .collect();
    for run in 0..RUNS {
        cx.budget.check()?;
        let Some(&start) = starts.get(run % starts.len().max(1)) else {
            break;
        };
        let mut at = apply(start, None, cx);
        for _ in 0..STEPS {
            let Some((pred, state)) = at else { break };
            let known = &mut seen[pred.index()];
            if known.len() < MOST_STATES {
                known.insert(state.clone());
            }
            at = next(program, pred, &state, cx);
        }
    }
    let lists = seen.into_iter().map(|set| set.into_iter().collect());
    Ok(lists.collect())
}

/// A step from a state by the first applicable rule, counted from a random one.
fn next(
    program: &Program<'_>,
    pred: Pred,
    state: &[Value],
    cx: &Cx<'_>,
) -> Option<(Pred, Vec<Value>)> {
    let rules: Vec<&Rule> = program
        .rules_from(pred)
        .filter(|r| r.to.is_some())
        .collect();
    let first = cx.rng.below(rules.len().max(1) as u64);
    let first = usize::try_from(first).unwrap_or(0);
    let here = Some((program.params(pred), state));
    (0..rules.len()).find_map(|k| apply(rules[(first + k) % rules.len()], here, cx))
}

/// What a rule leads to, if values for its variables are found under which its guard holds.
fn apply(
    rule: &Rule,
    from: Option<(&[Term], &[Value])>,
    cx: &Cx<'_>,
) -> Option<(Pred, Vec<Value>)> {
    let tries = if rule.locals.is_empty() { 1 } else { TRIES };
    for _ in 0..tries {
        let mut values = Assignment::new();
        if let Some((params, state)) = from {
            for (&param, value) in params.iter().zip(state) {
                values.insert(param, value.clone());
            }
        }
        choose(rule, &mut values, cx);
        if cx.terms.eval_bool(rule.guard, &values) == Ok(true) {
            let post = rule.post.iter().map(|&t| cx.terms.eval(t, &values).ok());
            return Some((rule.to?, post.collect::<Option<Vec<Value>>>()?));
        }
    }
    None
}

/// Values for the variables of a rule: what an equation of its guard says, else small ones.
fn choose(rule: &Rule, values: &mut Assignment, cx: &Cx<'_>) {
    let terms = cx.terms;
    for conjunct in terms.conjuncts(rule.guard) {
        if *terms.op(conjunct) != Op::Eq {
            continue;
        }
        let sides = terms.args(conjunct);
        for (var, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            if rule.locals.contains(&var)
                && values.get(var).is_none()
                && let Ok(value) = terms.eval(other, values)
            {
                values.insert(var, value);
            }
        }
    }
    for &local in &rule.locals {
        if values.get(local).is_none() {
            values.insert(local, small(terms.sort(local), cx));
        }
    }
}

fn small(sort: Sort, cx: &Cx<'_>) -> Value {
    let terms = cx.terms;
    match terms.kind(sort) {
        SortKind::Int => Value::Int(i64::try_from(cx.rng.below(INPUTS)).unwrap_or(0).into()),
        SortKind::Bool => Value::Bool(cx.rng.below(2) == 0),
        _ => {
            let flat = terms.array_parts(sort).is_some_and(|(_, e)| e == Sort::INT);
            let unwritten = || terms.constant_array_value(sort, Value::Int(UNWRITTEN.into()));
            match unwritten().filter(|_| flat) {
                Some(array) => Value::Array(array),
                None => terms.default_value(sort),
            }
        }
    }
}
