//! Replay of counterexamples by exact evaluation; no solver is asked.
//!
//! ```text
//! Derivation   every step i with clause C = (p1(t1) ∧ … ∧ φ ⇒ h) and values σ:
//!                premise j is an earlier step that derived pj at exactly σ(tj);  σ(φ) is true
//!              the last step uses a query
//! Trace        I holds in the first state; T holds between neighbours under the step's inputs;
//!              P is false in the last state
//! ```
//!
//! What evaluation cannot determine (a missing value, a division by zero, a quantifier) leaves the
//! replay undecided: a counterexample must not rest on a value that the standard leaves open.

use std::borrow::Cow;
use std::time::Instant;

use foretell_systems::{
    ChcSystem, Clause, Derivation, DerivationStep, Pred, Trace, TransitionSystem,
};
use foretell_terms::eval::{Assignment, Undefined};
use foretell_terms::{Sort, SortKind, Term, TermStore, Value};

use crate::report::{CheckReport, Obligation, Status};

/// An array is looked through as a whole where more cells than this have changed.
const FEW: usize = 16;

/// Who decided a replay.
const EVALUATOR: &str = "evaluation";

/// A derived fact: a predicate and the values of its arguments; `None` for `false`.
pub(crate) type Fact = Option<(Pred, Vec<Value>)>;

/// Replays a derivation on a clause system, which must have been read from the original text.
pub fn replay_derivation(
    terms: &TermStore,
    system: &ChcSystem,
    derivation: &Derivation,
) -> CheckReport {
    replayed(terms, system, derivation).0
}

/// The replay of a derivation, and what its steps derive up to the first that is none.
pub(crate) fn replayed(
    terms: &TermStore,
    system: &ChcSystem,
    derivation: &Derivation,
) -> (CheckReport, Vec<Fact>) {
    let started = Instant::now();
    let mut facts: Vec<Fact> = Vec::new();
    let mut obligations = Vec::new();
    for (i, step) in derivation.steps.iter().enumerate() {
        let outcome = derive(terms, system, &derivation.functions, step, &facts);
        let line = system
            .clauses
            .get(step.clause.index())
            .map_or(0, |c| c.line);
        let mut what = format!("step {i}: clause {} (line {line})", step.clause.0);
        let status = match outcome {
            Ok(fact) => {
                facts.push(fact);
                Status::Holds
            }
            Err(Fault::Wrong(words)) => {
                what += &format!(": {words}");
                Status::Fails
            }
            Err(Fault::Undefined(why)) => Status::Open(why),
        };
        let done = status != Status::Holds;
        obligations.push(Obligation { what, status });
        if done {
            let seconds = started.elapsed().as_secs_f64();
            return (CheckReport::of(obligations, seconds, EVALUATOR), facts);
        }
    }
    let status = if facts.last() == Some(&None) {
        Status::Holds
    } else {
        Status::Fails
    };
    obligations.push(Obligation {
        what: "the last step derives false".into(),
        status,
    });
    let seconds = started.elapsed().as_secs_f64();
    (CheckReport::of(obligations, seconds, EVALUATOR), facts)
}

/// Why a step is not a step.
pub(crate) enum Fault {
    /// It is wrong.
    Wrong(String),
    /// It depends on something without a value.
    Undefined(String),
}

impl From<Undefined> for Fault {
    fn from(why: Undefined) -> Fault {
        Fault::Undefined(why.to_string())
    }
}

/// The fact that a step derives from earlier ones.
pub(crate) fn derive(
    terms: &TermStore,
    system: &ChcSystem,
    functions: &Assignment,
    step: &DerivationStep,
    facts: &[Fact],
) -> Result<Fact, Fault> {
    let wrong = |what: &str| Fault::Wrong(what.into());
    let Some(clause) = system.clauses.get(step.clause.index()) else {
        return Err(wrong("there is no such clause"));
    };
    if step.premises.len() != clause.body.len() {
        return Err(wrong(
            "the number of premises differs from the number of body predicates",
        ));
    }
    let values = known(functions, &step.values, &clause.vars);
    well_sorted(terms, &values, |var, value| {
        nearest(terms, clause, &step.premises, facts, (var, value))
    })?;
    for (atom, &premise) in clause.body.iter().zip(&step.premises) {
        let Some(Some((pred, expected))) = facts.get(premise) else {
            return Err(wrong("a premise is no earlier step with a fact"));
        };
        if *pred != atom.pred || !are_values(terms, &atom.args, &values, expected)? {
            return Err(wrong("a premise derived another fact"));
        }
    }
    if !terms.eval_bool(clause.constraint, &values)? {
        return Err(wrong("the constraint is false"));
    }
    match &clause.head {
        None => Ok(None),
        Some(head) => Ok(Some((head.pred, evaluate(terms, &head.args, &values)?))),
    }
}

/// A value of the sort of a variable that a premise derived, and that the value of the variable is, or was before
/// a few writes: what was computed has its sort, and large arrays are not looked through in each step.
fn nearest<'a>(
    terms: &TermStore,
    clause: &Clause,
    premises: &[usize],
    facts: &'a [Fact],
    (var, value): (Term, &Value),
) -> Option<&'a Value> {
    let atoms = clause.body.iter().zip(premises);
    let derived = atoms.flat_map(|(atom, &premise)| {
        let fact = facts.get(premise).and_then(Option::as_ref);
        let fact = fact.filter(|(pred, _)| *pred == atom.pred);
        let args = fact.map_or(&[][..], |(_, args)| args);
        atom.args.iter().zip(args)
    });
    let mut same = derived.clone().filter(|&(&arg, _)| arg == var);
    if let Some((_, derived)) = same.find(|&(_, derived)| derived == value) {
        return Some(derived);
    }
    let Value::Array(array) = value else {
        return None;
    };
    let sort = terms.sort(var);
    let mut like = derived.filter(|&(&arg, _)| terms.sort(arg) == sort);
    let is_near = |derived: &Value| match derived {
        Value::Array(known) => array.entries_beyond(known).nth(FEW).is_none(),
        _ => false,
    };
    like.find(|&(_, derived)| is_near(derived))
        .map(|(_, derived)| derived)
}

fn evaluate(terms: &TermStore, args: &[Term], values: &Assignment) -> Result<Vec<Value>, Fault> {
    args.iter()
        .map(|&arg| terms.eval(arg, values).map_err(Fault::from))
        .collect()
}

/// Whether these are the values of the arguments.
fn are_values(
    terms: &TermStore,
    args: &[Term],
    values: &Assignment,
    expected: &[Value],
) -> Result<bool, Fault> {
    if args.len() != expected.len() {
        return Ok(false);
    }
    for (&arg, expected) in args.iter().zip(expected) {
        let is_value = match values.get(arg) {
            Some(value) => value == expected,
            None => terms.eval(arg, values)? == *expected,
        };
        if !is_value {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The values of these variables and of the functions: nothing else may differ from step to step.
fn known<'a>(functions: &Assignment, values: &'a Assignment, vars: &[Term]) -> Cow<'a, Assignment> {
    // Different variables, as many of which have values as there are values: nothing else has one.
    let of_vars = vars.iter().filter(|&&var| values.get(var).is_some());
    let is_all = vars.is_sorted_by(|a, b| a < b) && of_vars.count() == values.values.len();
    let is_plain = values.functions.is_empty() && functions.functions.is_empty();
    match is_all && is_plain && functions.values.is_empty() {
        true => Cow::Borrowed(values),
        false => Cow::Owned(joined(functions, restricted(values, vars))),
    }
}

/// The values of these variables alone: nothing else may differ from step to step.
pub(crate) fn restricted(values: &Assignment, to: &[Term]) -> Assignment {
    let mut kept = Assignment::with_room(to.len());
    for &var in to {
        if let Some(value) = values.get(var) {
            kept.insert(var, value.clone());
        }
    }
    kept
}

/// Both assignments; the second wins.
pub(crate) fn joined(first: &Assignment, mut second: Assignment) -> Assignment {
    for (&term, value) in &first.values {
        if second.get(term).is_none() {
            second.insert(term, value.clone());
        }
    }
    for (&func, table) in &first.functions {
        let entry = second.functions.entry(func);
        entry.or_insert_with(|| table.clone());
    }
    second
}

/// Values are given to variables only, and are of their sorts; functions likewise. What they share with a value of
/// their sort, if one is known, is not looked at.
fn well_sorted<'a>(
    terms: &TermStore,
    values: &Assignment,
    known: impl Fn(Term, &Value) -> Option<&'a Value>,
) -> Result<(), Fault> {
    for (&term, value) in &values.values {
        if terms.as_var(term).is_none() {
            return Err(Fault::Wrong(
                "a value is given to a term that is no variable".into(),
            ));
        }
        if !is_value_near(terms, value, terms.sort(term), known(term, value)) {
            return Err(Fault::Wrong(format!(
                "the value of {} has another sort",
                terms.var_name(term)
            )));
        }
    }
    for (&func, table) in &values.functions {
        let decl = terms.decl(func);
        let entry = |(args, value): (&Vec<Value>, &Value)| {
            args.len() == decl.args.len()
                && args
                    .iter()
                    .zip(&decl.args)
                    .all(|(v, &s)| is_value_of(terms, v, s))
                && is_value_of(terms, value, decl.sort)
        };
        let default = table
            .default
            .as_ref()
            .is_none_or(|v| is_value_of(terms, v, decl.sort));
        if !default || !table.entries.iter().all(entry) {
            return Err(Fault::Wrong(format!(
                "the table of {} has other sorts",
                terms.name(func)
            )));
        }
    }
    Ok(())
}

/// Replays a run on a transition system, which must have been read from the original text.
pub fn replay_trace(terms: &TermStore, system: &TransitionSystem, trace: &Trace) -> CheckReport {
    let started = Instant::now();
    let mut obligations = Vec::new();
    let last = trace.steps.len().saturating_sub(1);
    let current = system.current();
    let mut rigid = restricted(&trace.rigid, &system.params);
    rigid.functions.clone_from(&trace.rigid.functions);
    for (i, step) in trace.steps.iter().enumerate() {
        let now = joined(&rigid, restricted(&step.state, &current));
        let mut pose = |what: String, formula: Term, values: &Assignment, wanted: Truth| {
            let status = match well_sorted(terms, values, |_, _| None)
                .and_then(|()| Ok(terms.eval_bool(formula, values)?))
            {
                Ok(value) if value == (wanted == Truth::True) => Status::Holds,
                Ok(_) | Err(Fault::Wrong(_)) => Status::Fails,
                Err(Fault::Undefined(why)) => Status::Open(why),
            };
            obligations.push(Obligation { what, status });
        };
        if i == 0 {
            pose(
                "the first state is initial".into(),
                system.init,
                &now,
                Truth::True,
            );
        }
        match trace.steps.get(i + 1) {
            Some(next) => {
                let inputs = restricted(&step.inputs, &system.inputs);
                let values = step_values(system, &joined(&now, inputs), &next.state);
                pose(
                    format!("the step from state {i} to {}", i + 1),
                    system.trans,
                    &values,
                    Truth::True,
                );
            }
            None => pose(
                format!("state {last} violates the property"),
                system.property,
                &now,
                Truth::False,
            ),
        }
    }
    CheckReport::of(obligations, started.elapsed().as_secs_f64(), EVALUATOR)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    True,
    False,
}

/// The values of current and next symbols in one step.
pub(crate) fn step_values(
    system: &TransitionSystem,
    now: &Assignment,
    next: &Assignment,
) -> Assignment {
    let mut values = now.clone();
    for var in &system.vars {
        if let Some(value) = next.get(var.cur) {
            values.insert(var.next, value.clone());
        }
    }
    values
}

/// Whether a value belongs to a sort.
pub(crate) fn is_value_of(terms: &TermStore, value: &Value, sort: Sort) -> bool {
    is_value_near(terms, value, sort, None)
}

/// The same; the parts of arrays that a value of this sort has too belong to it.
fn is_value_near(terms: &TermStore, value: &Value, sort: Sort, known: Option<&Value>) -> bool {
    let mut work = vec![(value, sort, known)];
    while let Some((value, sort, known)) = work.pop() {
        let fits = match (value, terms.kind(sort)) {
            (Value::Bool(_), SortKind::Bool) | (Value::Int(_), SortKind::Int) => true,
            (Value::Real(_), SortKind::Real) => true,
            (Value::BitVec(width, _), SortKind::BitVec(wanted)) => width == wanted,
            (Value::Element(own, _), SortKind::Uninterpreted(_)) => *own == sort,
            (Value::Data(made, fields), SortKind::Data(_)) => {
                let decls = terms.data(sort).map_or(&[][..], |d| d.constructors());
                let decl = decls.get(made.index as usize);
                made.sort == sort
                    && decl.is_some_and(|c| {
                        let sorts = c.fields.iter().map(|f| f.sort);
                        work.extend(fields.iter().zip(sorts).map(|(v, s)| (v, s, None)));
                        fields.len() == c.fields.len()
                    })
            }
            (Value::Array(array), SortKind::Array { indices, element }) => {
                work.push((array.default_value(), *element, None));
                let mut cell = |(index, cell), known| {
                    let index: &Vec<Value> = index;
                    work.push((cell, *element, known));
                    work.extend(index.iter().zip(indices).map(|(v, &s)| (v, s, None)));
                    index.len() == indices.len()
                };
                match known {
                    Some(Value::Array(known)) => array
                        .entries_beyond(known)
                        .all(|entry| cell(entry, Some(known.select(entry.0)))),
                    _ => array.entries().all(|entry| cell(entry, None)),
                }
            }
            _ => false,
        };
        if !fits {
            return false;
        }
    }
    true
}
