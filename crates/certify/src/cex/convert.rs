//! Derivations and runs to plain counterexamples and back.

use std::collections::BTreeMap;

use foretell_systems::plain::{
    FormatName, Plain, PlainFact, PlainState, PlainStep, Table, Tables, Values, tuple,
};
use foretell_systems::{
    ChcSystem, Clause, ClauseId, Counterexample, Derivation, DerivationStep, Pred, Property, Trace,
    TraceStep, TransitionSystem,
};
use foretell_terms::eval::{Assignment, FuncValue};
use foretell_terms::{Func, Term, TermStore, Value};

use crate::cex::replay::{Fact, replayed};
use crate::cex::settle::completed;
use crate::text::clauses::clip;

/// Symbols with names that differ from each other.
fn named(terms: &TermStore, symbols: &[Term]) -> Vec<(String, Term)> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut list = Vec::new();
    for &symbol in symbols {
        let own = terms.var_name(symbol).to_string();
        let count = seen.entry(own.clone()).or_insert(0);
        *count += 1;
        let name = if *count == 1 {
            own
        } else {
            format!("{own}#{count}")
        };
        list.push((name, symbol));
    }
    list
}

fn values_of(terms: &TermStore, symbols: &[Term], from: &Assignment) -> Values {
    let with_value = |(name, symbol): (String, Term)| Some((name, plain(terms, from.get(symbol)?)));
    named(terms, symbols)
        .into_iter()
        .filter_map(with_value)
        .collect()
}

fn plain(terms: &TermStore, value: &Value) -> Plain {
    Plain::of(terms, value)
}

fn tables_of(terms: &TermStore, functions: &[Func], from: &Assignment) -> Tables {
    let tuple = |args: &[Value]| args.iter().map(|a| plain(terms, a)).collect();
    let table = |&func: &Func| {
        let table = from.functions.get(&func)?;
        let cells = table.entries.iter();
        let table = Table {
            cells: cells
                .map(|(args, v)| (tuple(args), plain(terms, v)))
                .collect(),
            rest: table.default.as_ref().map(|v| Box::new(plain(terms, v))),
        };
        Some((terms.name(func).to_string(), table))
    };
    functions.iter().filter_map(table).collect()
}

/// The declared functions of a clause system.
fn chc_functions(terms: &TermStore, system: &ChcSystem) -> Vec<Func> {
    let mut roots = Vec::new();
    for clause in &system.clauses {
        roots.push(clause.constraint);
        roots.extend(
            clause
                .body
                .iter()
                .chain(&clause.head)
                .flat_map(|atom| atom.args.iter().copied()),
        );
    }
    terms.functions(&roots)
}

/// A derivation as plain data. Facts are shown as far as they can be evaluated.
pub fn from_derivation(
    terms: &TermStore,
    system: &ChcSystem,
    derivation: &Derivation,
) -> Counterexample {
    let (_, facts) = replayed(terms, system, derivation);
    Counterexample::Derivation {
        format: FormatName,
        functions: functions_of(terms, system, derivation),
        steps: PlainSteps::new(terms, system, derivation, &facts).collect(),
    }
}

/// The values of the declared functions.
pub(super) fn functions_of(
    terms: &TermStore,
    system: &ChcSystem,
    derivation: &Derivation,
) -> Tables {
    tables_of(terms, &chc_functions(terms, system), &derivation.functions)
}

/// The steps of a derivation as plain data, one after the other: a long one is many times larger so.
pub(super) struct PlainSteps<'a> {
    terms: &'a TermStore,
    system: &'a ChcSystem,
    derivation: &'a Derivation,
    facts: &'a [Fact],
    /// The variables of each clause with their names.
    names: Vec<Vec<(String, Term)>>,
    at: usize,
}

impl<'a> PlainSteps<'a> {
    /// `facts` are what the first steps derive.
    pub(super) fn new(
        terms: &'a TermStore,
        system: &'a ChcSystem,
        derivation: &'a Derivation,
        facts: &'a [Fact],
    ) -> PlainSteps<'a> {
        let clauses = system.clauses.iter();
        PlainSteps {
            terms,
            system,
            derivation,
            facts,
            names: clauses.map(|c| named(terms, &c.vars)).collect(),
            at: 0,
        }
    }

    fn fact(&self, (pred, args): &(Pred, Vec<Value>)) -> PlainFact {
        PlainFact {
            predicate: self.system.name(self.terms, *pred).to_string(),
            arguments: args.iter().map(|a| plain(self.terms, a)).collect(),
        }
    }
}

impl Iterator for PlainSteps<'_> {
    type Item = PlainStep;

    fn next(&mut self) -> Option<PlainStep> {
        let step = self.derivation.steps.get(self.at)?;
        let clause: Option<&Clause> = self.system.clauses.get(step.clause.index());
        let names = self.names.get(step.clause.index());
        let value = |(name, var): &(String, Term)| {
            let value = step.values.get(*var)?;
            Some((name.clone(), plain(self.terms, value)))
        };
        let fact = self.facts.get(self.at).and_then(Option::as_ref);
        self.at += 1;
        Some(PlainStep {
            clause: step.clause.0,
            line: clause.map(|c| c.line).filter(|&line| line > 0),
            values: names.into_iter().flatten().filter_map(value).collect(),
            premises: step.premises.clone(),
            derives: fact.map(|fact| self.fact(fact)),
        })
    }
}

/// A run as plain data.
pub fn from_trace(
    terms: &TermStore,
    system: &TransitionSystem,
    trace: &Trace,
    property: Property,
) -> Counterexample {
    let functions = terms.functions(&[system.init, system.trans, system.property]);
    let state = |step: &TraceStep| PlainState {
        values: values_of(terms, &system.current(), &step.state),
        inputs: values_of(terms, &system.inputs, &step.inputs),
    };
    Counterexample::Run {
        format: FormatName,
        property: Some(property),
        rigid: values_of(terms, &system.params, &trace.rigid),
        functions: tables_of(terms, &functions, &trace.rigid),
        states: trace.steps.iter().map(state).collect(),
    }
}

fn assign(terms: &TermStore, symbols: &[Term], values: &Values) -> Result<Assignment, String> {
    let known: BTreeMap<String, Term> = named(terms, symbols).into_iter().collect();
    let mut assignment = Assignment::new();
    for (name, plain) in values {
        let symbol = known
            .get(name)
            .ok_or_else(|| format!("there is no variable `{}` here", clip(name)))?;
        let sort = terms.sort(*symbol);
        let value = plain.value(terms, sort).ok_or_else(|| {
            format!(
                "the value of `{}` is not of sort {}",
                clip(name),
                terms.print_sort(sort)
            )
        })?;
        assignment.insert(*symbol, value);
    }
    Ok(assignment)
}

fn assign_tables(
    terms: &TermStore,
    functions: &[Func],
    tables: &Tables,
    assignment: &mut Assignment,
) -> Result<(), String> {
    for (name, table) in tables {
        let func = functions.iter().copied().find(|&f| terms.name(f) == name);
        let func = func.ok_or_else(|| format!("there is no function `{}`", clip(name)))?;
        let decl = terms.decl(func);
        let fault = || format!("the table of `{}` does not fit its declaration", clip(name));
        let mut read = FuncValue::default();
        for (index, cell) in &table.cells {
            let args: Vec<Value> = tuple(terms, index, &decl.args).ok_or_else(fault)?;
            read.entries
                .insert(args, cell.value(terms, decl.sort).ok_or_else(fault)?);
        }
        if let Some(rest) = &table.rest {
            read.default = Some(rest.value(terms, decl.sort).ok_or_else(fault)?);
        }
        assignment.functions.insert(func, read);
    }
    Ok(())
}

/// The derivation that plain data describe.
pub(crate) fn to_derivation(
    terms: &TermStore,
    system: &ChcSystem,
    cex: &Counterexample,
) -> Result<Derivation, String> {
    let Counterexample::Derivation {
        functions, steps, ..
    } = cex
    else {
        return Err("the counterexample is one of a transition system".into());
    };
    let mut derivation = Derivation::default();
    let known = chc_functions(terms, system);
    assign_tables(terms, &known, functions, &mut derivation.functions)?;
    for (i, step) in steps.iter().enumerate() {
        let (clause, number) = (ClauseId(step.clause), step.clause);
        let Some(known) = system.clauses.get(clause.index()) else {
            return Err(format!("step {i}: there is no clause {number}"));
        };
        if step.line.is_some_and(|line| line != known.line) {
            return Err(format!("step {i}: clause {number} is not at that line"));
        }
        let values =
            assign(terms, &known.vars, &step.values).map_err(|e| format!("step {i}: {e}"))?;
        derivation.steps.push(DerivationStep {
            clause,
            values,
            premises: step.premises.clone(),
        });
    }
    Ok(completed(terms, system, derivation))
}

/// The run that plain data describe.
pub(crate) fn to_trace(
    terms: &TermStore,
    system: &TransitionSystem,
    cex: &Counterexample,
    wanted: Property,
) -> Result<Trace, String> {
    let Counterexample::Run {
        property,
        rigid,
        functions,
        states,
        ..
    } = cex
    else {
        return Err("the counterexample is one of a clause system".into());
    };
    if property.is_some_and(|stated| stated != wanted) {
        return Err("the counterexample is for another property".into());
    }
    let mut trace = Trace {
        rigid: assign(terms, &system.params, rigid)?,
        steps: Vec::new(),
    };
    let known = terms.functions(&[system.init, system.trans, system.property]);
    assign_tables(terms, &known, functions, &mut trace.rigid)?;
    for (i, step) in states.iter().enumerate() {
        let state = assign(terms, &system.current(), &step.values)
            .map_err(|e| format!("state {i}: {e}"))?;
        let inputs =
            assign(terms, &system.inputs, &step.inputs).map_err(|e| format!("state {i}: {e}"))?;
        trace.steps.push(TraceStep { state, inputs });
    }
    Ok(trace)
}
