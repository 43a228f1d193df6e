//! A derivation of `false` as the inputs of an execution.
//!
//! The derivation is walked in the order of execution: the steps that lead to a point, then, at a
//! call, the steps inside the callee (from its entry on; how its arguments were derived is the way
//! that was walked already). Every clause knows which of its variables are inputs; in printed
//! clauses their names say it, so a derivation that comes back as text is read the same way.

use foretell_systems::Derivation;
use foretell_terms::{TermStore, Value};

use crate::encode::{Encoded, PredKind};
use crate::program::{InputId, InputValue};

/// One step of a derivation, as far as inputs are concerned.
#[derive(Clone, Debug)]
pub struct View {
    /// What the derived predicate stands for; none for `false`.
    pub head: Option<PredKind>,
    /// The steps it uses, in the order of the body.
    pub premises: Vec<usize>,
    /// The inputs of the clause, in order.
    pub inputs: Vec<(InputId, InputValue)>,
}

/// The inputs of the execution that a derivation describes, in order. The last step is the query.
pub fn inputs_of(steps: &[View]) -> Vec<(InputId, InputValue)> {
    let mut inputs = Vec::new();
    let Some(last) = steps.len().checked_sub(1) else {
        return inputs;
    };
    // A work list instead of recursion: a way may be very long.
    let mut work = vec![Task::Walk(last, Whole::Yes)];
    while let Some(task) = work.pop() {
        match task {
            Task::Take(step) => inputs.extend(steps[step].inputs.iter().cloned()),
            Task::Walk(step, whole) => {
                work.push(Task::Take(step));
                for (i, &premise) in steps[step].premises.iter().enumerate().rev() {
                    match steps.get(premise).and_then(|s| s.head) {
                        Some(PredKind::Pre(_)) if whole == Whole::No => {}
                        Some(PredKind::Sum(_)) if i > 0 => {
                            work.push(Task::Walk(premise, Whole::No))
                        }
                        Some(_) => work.push(Task::Walk(premise, whole)),
                        None => {}
                    }
                }
            }
        }
    }
    inputs
}

/// How much of a way is walked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    /// From the start of the program.
    Yes,
    /// From the entry of the function.
    No,
}

enum Task {
    Walk(usize, Whole),
    Take(usize),
}

/// The steps of a derivation from the clauses of a program.
pub fn views(encoded: &Encoded, derivation: &Derivation, terms: &TermStore) -> Vec<View> {
    let view = |step: &foretell_systems::DerivationStep| {
        let head = encoded.system.clause(step.clause).head.as_ref();
        let inputs = encoded.clauses[step.clause.index()]
            .1
            .iter()
            .map(|(site, var)| {
                let value = step.values.get(*var).cloned();
                (
                    *site,
                    input_value(&value.unwrap_or_else(|| terms.default_value(terms.sort(*var)))),
                )
            });
        View {
            head: head.map(|h| encoded.preds[h.pred.index()].0),
            premises: step.premises.clone(),
            inputs: inputs.collect(),
        }
    };
    derivation.steps.iter().map(view).collect()
}

/// What a predicate of a printed system stands for, by its name.
pub fn kind_by_name(encoded: &Encoded, terms: &TermStore, name: &str) -> Option<PredKind> {
    let mut preds = encoded.system.preds.iter().zip(&encoded.preds);
    preds
        .find(|(decl, _)| terms.name(decl.func) == name)
        .map(|(_, (kind, _))| *kind)
}

/// The place of an input and its position among those of the clause, by the name of the variable.
pub fn input_by_name(name: &str) -> Option<(usize, InputId)> {
    let rest = name.strip_prefix("in!")?;
    let mut parts = rest.split('!');
    let site: usize = parts.next()?.parse().ok()?;
    let position: usize = parts.next()?.parse().ok()?;
    Some((position, InputId::new(site)))
}

fn number(value: &Value) -> i128 {
    match value {
        Value::Int(n) => i128::try_from(n.clone()).unwrap_or(0),
        Value::Bool(b) => i128::from(*b),
        _ => 0,
    }
}

/// A value of the solver as an input: nested arrays by all their indices.
pub fn input_value(value: &Value) -> InputValue {
    let Value::Array(array) = value else {
        return InputValue::Int(number(value));
    };
    let mut cells = Vec::new();
    for (index, cell) in array.entries() {
        let at: Vec<i128> = index.iter().map(number).collect();
        match input_value(cell) {
            InputValue::Int(n) => cells.push((at, n)),
            InputValue::Array(_, inner) => {
                for (rest, n) in inner {
                    let mut whole = at.clone();
                    whole.extend(rest);
                    cells.push((whole, n));
                }
            }
        }
    }
    let default = match input_value(array.default_value()) {
        InputValue::Int(n) | InputValue::Array(n, _) => n,
    };
    InputValue::Array(default, cells)
}
