//! Exact evaluation.
//!
//! Evaluation is total on what it can know and says so where it cannot: a symbol without a value, a
//! division by zero or selector of another constructor (SMT-LIB leaves their values open) and a
//! quantifier are *undefined*, and an undefined part makes the whole undefined only if the whole
//! depends on it. `and` with a false argument is false whatever the rest is; `ite` looks at the
//! chosen branch only. Hence a defined result holds for **every** value of the undefined parts,
//! which is what a replayed counterexample must promise.

use crate::eval_bv;
use crate::number;
use crate::op::{Node, Op};
use crate::plan::Plan;
use crate::store::{Func, Term, TermStore};
use crate::value::Value;
use crate::{FuncMap, TermMap};
use std::collections::BTreeMap;

use smallvec::SmallVec;

/// Why a term has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// A variable or function application without a value.
    Symbol(Term),
    /// The result depends on a division by zero.
    DivisionByZero,
    /// The result depends on a field that the value's constructor does not have.
    WrongConstructor,
    /// The result depends on a quantifier.
    Quantifier,
    /// An operator met values it is not defined for: the term is ill-sorted.
    IllSorted,
}

impl std::fmt::Display for Undefined {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Undefined::Symbol(_) => write!(f, "a symbol has no value"),
            Undefined::DivisionByZero => write!(f, "the result depends on a division by zero"),
            Undefined::WrongConstructor => {
                write!(f, "the result depends on a selector of another constructor")
            }
            Undefined::Quantifier => write!(f, "the result depends on a quantifier"),
            Undefined::IllSorted => write!(f, "an operator met values of the wrong sort"),
        }
    }
}

/// A finite table with a default: the value of a declared function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FuncValue {
    /// The listed points.
    pub entries: BTreeMap<Vec<Value>, Value>,
    /// The value elsewhere, if known.
    pub default: Option<Value>,
}

/// Values of variables and functions.
#[derive(Clone, Default, Debug)]
pub struct Assignment {
    /// Values of variables, and of any other term one wishes to fix.
    pub values: TermMap<Value>,
    /// Values of functions with arguments.
    pub functions: FuncMap<FuncValue>,
}

impl Assignment {
    /// No values.
    pub fn new() -> Assignment {
        Assignment::default()
    }

    /// No values yet, but room for so many.
    pub fn with_room(values: usize) -> Assignment {
        Assignment {
            values: TermMap::with_capacity_and_hasher(values, Default::default()),
            functions: FuncMap::default(),
        }
    }

    /// Gives a term a value.
    pub fn insert(&mut self, term: Term, value: Value) {
        self.values.insert(term, value);
    }

    /// The value given to a term.
    pub fn get(&self, term: Term) -> Option<&Value> {
        self.values.get(&term)
    }

    fn apply(&self, func: Func, args: &[Value]) -> Option<Value> {
        let table = self.functions.get(&func)?;
        table.entries.get(args).or(table.default.as_ref()).cloned()
    }
}

/// A value, or why there is none.
pub type Outcome = Result<Value, Undefined>;
/// Those of the arguments of a term.
pub(crate) type Outcomes = SmallVec<[Outcome; 3]>;
type Values = SmallVec<[Value; 3]>;

impl TermStore {
    /// The value of a term under an assignment.
    pub fn eval(&self, root: Term, assignment: &Assignment) -> Outcome {
        // Most of what is evaluated along a run are variables.
        if let Some(value) = assignment.get(root) {
            return Ok(value.clone());
        }
        Plan::new(self, &[root]).first(self, assignment)
    }

    /// The values of the roots and of everything below them, in one pass.
    pub fn eval_all(&self, roots: &[Term], assignment: &Assignment) -> TermMap<Outcome> {
        let parts = self.subterms(roots);
        let outcomes = Plan::new(self, &parts).eval(self, assignment);
        parts.into_iter().zip(outcomes).collect()
    }

    /// The truth value of a formula under an assignment.
    pub fn eval_bool(&self, root: Term, assignment: &Assignment) -> Result<bool, Undefined> {
        match self.eval(root, assignment)? {
            Value::Bool(b) => Ok(b),
            _ => Err(Undefined::IllSorted),
        }
    }
}

/// What follows for a term from the outcomes of its arguments.
pub(crate) fn conclude(
    store: &TermStore,
    assignment: &Assignment,
    term: Term,
    outcomes: Outcomes,
) -> Outcome {
    let node = store.node(term);
    match &node.op {
        Op::True => Ok(Value::Bool(true)),
        Op::False => Ok(Value::Bool(false)),
        Op::Int(n) => Ok(Value::Int(n.clone())),
        Op::Real(q) => Ok(Value::real((**q).clone())),
        Op::BitVec(width, bits) => Ok(Value::BitVec(*width, bits.clone())),
        Op::And => connective(outcomes, &Value::Bool(false)),
        Op::Or => connective(outcomes, &Value::Bool(true)),
        Op::Ite => choice(outcomes),
        Op::Forall | Op::Exists => Err(Undefined::Quantifier),
        Op::App(func) => {
            let args = outcomes.into_iter().collect::<Result<Values, _>>()?;
            assignment
                .apply(*func, &args)
                .ok_or(Undefined::Symbol(term))
        }
        _ => strict(store, node, outcomes.into_iter().collect::<Result<_, _>>()?),
    }
}

/// `absorbing` among the arguments decides; otherwise every argument must be defined.
fn connective(outcomes: Outcomes, absorbing: &Value) -> Outcome {
    if outcomes.iter().any(|o| o.as_ref() == Ok(absorbing)) {
        return Ok(absorbing.clone());
    }
    let undefined = outcomes.into_iter().find_map(Result::err);
    undefined.map_or(Ok(Value::Bool(*absorbing == Value::Bool(false))), Err)
}

/// The branch that the condition chooses.
fn choice(outcomes: Outcomes) -> Outcome {
    let mut outcomes = outcomes.into_iter();
    let (Some(condition), Some(then), Some(other)) =
        (outcomes.next(), outcomes.next(), outcomes.next())
    else {
        return Err(Undefined::IllSorted);
    };
    match condition {
        Ok(Value::Bool(true)) => then,
        Ok(Value::Bool(false)) => other,
        Ok(_) => Err(Undefined::IllSorted),
        // Both branches agree: the condition does not matter.
        Err(_) if then.is_ok() && then == other => then,
        Err(why) => Err(why),
    }
}

/// Operators that need all their arguments.
fn strict(store: &TermStore, node: &Node, mut args: Values) -> Outcome {
    match (&node.op, args.as_mut_slice()) {
        (Op::Not, [Value::Bool(a)]) => Ok(Value::Bool(!*a)),
        (Op::Eq, [a, b]) => Ok(Value::Bool(a == b)),
        (Op::Le, [Value::Int(a), Value::Int(b)]) => Ok(Value::Bool(a <= b)),
        (Op::Le, [Value::Real(a), Value::Real(b)]) => Ok(Value::Bool(a <= b)),
        (Op::Add | Op::Mul, _) => fold_numbers(&node.op, args),
        (Op::IDiv | Op::Mod, [Value::Int(a), Value::Int(b)]) => {
            if b.is_zero() {
                return Err(Undefined::DivisionByZero);
            }
            let (quotient, remainder) = number::div_mod(a, b);
            Ok(Value::Int(if node.op == Op::IDiv {
                quotient
            } else {
                remainder
            }))
        }
        (Op::RDiv, [Value::Real(a), Value::Real(b)]) => {
            if b.is_zero() {
                Err(Undefined::DivisionByZero)
            } else {
                Ok(Value::real((**a).clone() / (**b).clone()))
            }
        }
        (Op::ToReal, [Value::Int(n)]) => Ok(Value::real(number::rational(n))),
        (Op::ToInt, [Value::Real(q)]) => Ok(Value::Int(number::floor(q))),
        (Op::Select, [Value::Array(array), indices @ ..]) => Ok(array.select(indices).clone()),
        (Op::Store, [Value::Array(_), ..]) => store_cell(args),
        (Op::ConstArray, [_]) => {
            let default = args.swap_remove(0);
            store
                .constant_array_value(node.sort, default)
                .map(Value::Array)
                .ok_or(Undefined::IllSorted)
        }
        (Op::Construct(constructor), _) => Ok(Value::Data(*constructor, args.into_vec())),
        (Op::Is(constructor), [Value::Data(made, _)]) => Ok(Value::Bool(made == constructor)),
        (Op::Field(selector), [Value::Data(made, fields)]) => {
            if *made != selector.constructor {
                return Err(Undefined::WrongConstructor);
            }
            let at = selector.field as usize;
            (at < fields.len())
                .then(|| fields.swap_remove(at))
                .ok_or(Undefined::IllSorted)
        }
        (Op::Bv(op), _) => eval_bv::apply(*op, &args).ok_or(Undefined::IllSorted),
        _ => Err(Undefined::IllSorted),
    }
}

fn store_cell(mut args: Values) -> Outcome {
    let value = args.pop().ok_or(Undefined::IllSorted)?;
    let mut rest = args.into_iter();
    let Some(Value::Array(mut array)) = rest.next() else {
        return Err(Undefined::IllSorted);
    };
    array.store(rest.collect(), value);
    Ok(Value::Array(array))
}

fn fold_numbers(op: &Op, args: Values) -> Outcome {
    let mut rest = args.into_iter();
    let first = rest.next().ok_or(Undefined::IllSorted)?;
    rest.try_fold(first, |total, next| match (total, next) {
        (Value::Int(a), Value::Int(b)) => {
            Ok(Value::Int(if *op == Op::Add { a + b } else { a * b }))
        }
        (Value::Real(a), Value::Real(b)) => {
            Ok(Value::real(if *op == Op::Add { *a + *b } else { *a * *b }))
        }
        _ => Err(Undefined::IllSorted),
    })
}
