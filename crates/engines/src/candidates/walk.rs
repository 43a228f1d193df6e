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
use foretell_terms::{ArrayValue, Op, Sort, SortKind, Term, Value};

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
/// Cells of an array of any contents that get numbers of their own.
const FILLED: i64 = 8;

/// What a cell holds that nobody wrote: numbers that programs do not compute.
pub(super) const UNWRITTEN: i64 = 7_777_777;

/// What a walk takes for values that nothing says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unsaid {
    /// Numbers from 0 on; cells that nobody wrote can be told from all others.
    Marked,
    /// Numbers of both signs; cells of any contents.
    Random,
}

/// The states of each predicate of a program with these rules: values of its parameters.
pub(super) fn states(
    program: &Program<'_>,
    rules: &[Rule],
    unsaid: Unsaid,
    cx: &Cx<'_>,
) -> Result<Vec<Vec<Vec<Value>>>, Halt> {
    let walk = Walk { rules, unsaid, cx };
    let mut seen: Vec<indexmap::IndexSet<Vec<Value>>> =
        vec![indexmap::IndexSet::new(); program.system.preds.len()];
    let starts: Vec<&Rule> = rules
        .iter()
        .filter(|r| r.body.is_empty() && r.to.is_some())
        .collect();
    let (runs, steps) = match unsaid {
        Unsaid::Marked => (RUNS, STEPS),
        Unsaid::Random => (RUNS / 2, 3 * STEPS),
    };
    for run in 0..runs {
        let Some(&start) = starts.get(run % starts.len().max(1)) else {
            break;
        };
        let mut at = walk.apply(start, None);
        for _ in 0..steps {
            cx.budget.check()?;
            let Some((pred, state)) = at else { break };
            let known = &mut seen[pred.index()];
            if known.len() < MOST_STATES {
                known.insert(state.clone());
            }
            at = walk.next(program, pred, &state);
        }
    }
    let lists = seen.into_iter().map(|set| set.into_iter().collect());
    Ok(lists.collect())
}

struct Walk<'a> {
    rules: &'a [Rule],
    unsaid: Unsaid,
    cx: &'a Cx<'a>,
}

impl Walk<'_> {
    /// A step from a state by the first applicable rule, counted from a random one.
    fn next(
        &self,
        program: &Program<'_>,
        pred: Pred,
        state: &[Value],
    ) -> Option<(Pred, Vec<Value>)> {
        let from = self.rules.iter().filter(|r| r.from == Some(pred));
        let rules: Vec<&Rule> = from.filter(|r| r.to.is_some()).collect();
        let first = self.cx.rng.below(rules.len().max(1) as u64);
        let first = usize::try_from(first).unwrap_or(0);
        let here = Some((program.params(pred), state));
        (0..rules.len()).find_map(|k| self.apply(rules[(first + k) % rules.len()], here))
    }

    /// What a rule leads to, if values for its variables are found under which its guard holds.
    fn apply(&self, rule: &Rule, from: Option<(&[Term], &[Value])>) -> Option<(Pred, Vec<Value>)> {
        let terms = self.cx.terms;
        let tries = if rule.locals.is_empty() { 1 } else { TRIES };
        for _ in 0..tries {
            let mut values = Assignment::new();
            if let Some((params, state)) = from {
                for (&param, value) in params.iter().zip(state) {
                    values.insert(param, value.clone());
                }
            }
            self.choose(rule, &mut values);
            if terms.eval_bool(rule.guard, &values) == Ok(true) {
                let post = rule.post.iter().map(|&t| terms.eval(t, &values).ok());
                return Some((rule.to?, post.collect::<Option<Vec<Value>>>()?));
            }
        }
        None
    }

    /// Values for the variables of a rule: what an equation of its guard says, else small ones.
    fn choose(&self, rule: &Rule, values: &mut Assignment) {
        let terms = self.cx.terms;
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
                values.insert(local, self.small(terms.sort(local)));
            }
        }
    }

    fn small(&self, sort: Sort) -> Value {
        let terms = self.cx.terms;
        match terms.kind(sort) {
            SortKind::Int => self.number(),
            SortKind::Bool => Value::Bool(self.cx.rng.below(2) == 0),
            _ => {
                let flat = terms
                    .array_parts(sort)
                    .is_some_and(|(i, e)| *i == [Sort::INT] && e == Sort::INT);
                let array = terms
                    .constant_array_value(sort, Value::Int(UNWRITTEN.into()))
                    .filter(|_| flat);
                match array {
                    Some(array) => Value::Array(self.filled(array)),
                    None => terms.default_value(sort),
                }
            }
        }
    }

    fn number(&self) -> Value {
        let n = i64::try_from(self.cx.rng.below(INPUTS)).unwrap_or(0);
        let negative = self.unsaid == Unsaid::Random && self.cx.rng.below(4) == 0;
        Value::Int(if negative { -n } else { n }.into())
    }

    fn filled(&self, mut array: ArrayValue) -> ArrayValue {
        if self.unsaid == Unsaid::Random {
            for k in 0..FILLED {
                array.store(vec![Value::Int(k.into())], self.number());
            }
        }
        array
    }
}
