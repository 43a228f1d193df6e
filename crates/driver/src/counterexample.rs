//! Counterexamples as plain data: values as text, arrays sparse.

use foretell_systems::{ChcSystem, Derivation, DerivationStep, Trace, TransitionSystem};
use foretell_terms::eval::{Assignment, FuncValue};
use foretell_terms::{Sort, Term, TermStore, Value};
use serde::{Deserialize, Serialize};

/// A way to a bad state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Counterexample {
    /// A run of a transition system.
    Trace {
        /// Values that hold for the whole run: parameters and functions.
        rigid: Vec<Binding>,
        /// The states; the last one violates the property.
        states: Vec<State>,
    },
    /// A derivation of `false` from clauses.
    Derivation {
        /// Values of declared functions.
        functions: Vec<Binding>,
        /// The steps, each from earlier ones; the last one derives `false`.
        steps: Vec<Step>,
    },
}

/// One state of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The state variables.
    pub values: Vec<Binding>,
    /// The inputs of the step that leaves the state; empty in the last one.
    pub inputs: Vec<Binding>,
}

/// One use of a clause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The derived fact; `None` is `false`.
    pub fact: Option<Fact>,
    /// The line of the clause in the input, 0 when it has none.
    pub line: u32,
    /// The steps it uses.
    pub premises: Vec<usize>,
    /// The values of the clause's variables.
    pub values: Vec<Binding>,
}

/// A predicate on values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// The name of the predicate.
    pub predicate: String,
    /// The arguments.
    pub arguments: Vec<Shown>,
}

/// A name with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// The name.
    pub name: String,
    /// The sort, as SMT-LIB.
    pub sort: String,
    /// The value.
    pub value: Shown,
}

/// A value as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Shown {
    /// A value in SMT-LIB syntax.
    Plain(String),
    /// An array or a function: the cells that differ from the rest.
    Cells {
        /// Indices and value of each cell.
        cells: Vec<(Vec<Shown>, Shown)>,
        /// The value everywhere else, if it is known.
        rest: Option<Box<Shown>>,
    },
}

/// The run of a transition system as data.
pub fn of_trace(terms: &TermStore, system: &TransitionSystem, trace: &Trace) -> Counterexample {
    let current = system.current();
    let states = trace.steps.iter().map(|step| State {
        values: bindings(terms, &current, &step.state),
        inputs: bindings(terms, &system.inputs, &step.inputs),
    });
    let states = states.collect();
    let mut rigid = bindings(terms, &system.params, &trace.rigid);
    rigid.extend(functions(terms, &trace.rigid));
    Counterexample::Trace { rigid, states }
}

/// A derivation as data.
pub fn of_derivation(
    terms: &TermStore,
    system: &ChcSystem,
    derivation: &Derivation,
) -> Counterexample {
    let steps = derivation
        .steps
        .iter()
        .map(|s| step(terms, system, &derivation.functions, s))
        .collect();
    Counterexample::Derivation {
        functions: functions(terms, &derivation.functions),
        steps,
    }
}

fn step(terms: &TermStore, system: &ChcSystem, rigid: &Assignment, step: &DerivationStep) -> Step {
    let clause = system.clause(step.clause);
    let mut all = step.values.clone();
    all.values
        .extend(rigid.values.iter().map(|(t, v)| (*t, v.clone())));
    all.functions
        .extend(rigid.functions.iter().map(|(f, v)| (*f, v.clone())));
    let fact = clause.head.as_ref().map(|head| Fact {
        predicate: system.name(terms, head.pred).to_owned(),
        arguments: head
            .args
            .iter()
            .map(|&arg| match terms.eval(arg, &all) {
                Ok(value) => shown(terms, &value, terms.sort(arg)),
                Err(_) => Shown::Plain("?".to_owned()),
            })
            .collect(),
    });
    let values = bindings(terms, &clause.vars, &step.values);
    Step {
        fact,
        line: clause.line,
        premises: step.premises.clone(),
        values,
    }
}

fn bindings(terms: &TermStore, symbols: &[Term], values: &Assignment) -> Vec<Binding> {
    let bind = |&symbol: &Term| {
        let (sort, value) = (terms.sort(symbol), values.get(symbol)?);
        Some(Binding {
            name: terms.var_name(symbol).to_owned(),
            sort: terms.print_sort(sort),
            value: shown(terms, value, sort),
        })
    };
    symbols.iter().filter_map(bind).collect()
}

fn functions(terms: &TermStore, values: &Assignment) -> Vec<Binding> {
    let bind = |func: foretell_terms::Func, table: &FuncValue| {
        let decl = terms.decl(func);
        let args: Vec<String> = decl.args.iter().map(|&s| terms.print_sort(s)).collect();
        let cell = |(at, value): (&Vec<Value>, &Value)| {
            let at = at
                .iter()
                .zip(decl.args.iter())
                .map(|(v, &s)| shown(terms, v, s))
                .collect();
            (at, shown(terms, value, decl.sort))
        };
        Binding {
            name: terms.name(func).to_owned(),
            sort: format!("({}) {}", args.join(" "), terms.print_sort(decl.sort)),
            value: Shown::Cells {
                cells: table.entries.iter().map(cell).collect(),
                rest: table
                    .default
                    .as_ref()
                    .map(|v| Box::new(shown(terms, v, decl.sort))),
            },
        }
    };
    values
        .functions
        .iter()
        .map(|(&func, table)| bind(func, table))
        .collect()
}

/// A value as text. Nesting is that of the sort.
fn shown(terms: &TermStore, value: &Value, sort: Sort) -> Shown {
    match (value, terms.array_parts(sort)) {
        (Value::Array(array), Some((indices, element))) => {
            let cell = |(at, value): (&Vec<Value>, &Value)| {
                let at = at
                    .iter()
                    .zip(indices)
                    .map(|(v, &s)| shown(terms, v, s))
                    .collect();
                (at, shown(terms, value, element))
            };
            Shown::Cells {
                cells: array.entries().map(cell).collect(),
                rest: Some(Box::new(shown(terms, array.default_value(), element))),
            }
        }
        _ => Shown::Plain(terms.print_value(value, sort)),
    }
}
