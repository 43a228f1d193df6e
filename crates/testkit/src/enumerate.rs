//! Explicit-state enumeration: the truth about finite systems.
//!
//! ```text
//! reachable ← states with I;  repeat: add successors by T;  unsafe iff a reachable state violates P
//! facts ← ∅;  repeat: add heads of clauses whose bodies are facts;  unsafe iff a query's body is
//! ```
//!
//! Only sound for systems that never leave the domains of [`crate::domain`], as the generators make them.

use std::collections::BTreeSet;

use foretell_systems::{ChcSystem, Clause, TransitionSystem};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, TermStore, Value};

use crate::domain::Assignments;

/// What enumeration found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// No violation is reachable.
    Safe,
    /// A violation is reachable.
    Unsafe,
    /// The system is not finite enough, or evaluation was undefined (a division by zero).
    Undecided,
}

fn bind(vars: &[Term], values: &[Value], into: &mut Assignment) {
    for (&var, value) in vars.iter().zip(values) {
        into.insert(var, value.clone());
    }
}

/// Decides a transition system.
pub fn transition_system(terms: &TermStore, system: &TransitionSystem) -> Truth {
    decide_system(terms, system).unwrap_or(Truth::Undecided)
}

fn decide_system(terms: &TermStore, system: &TransitionSystem) -> Option<Truth> {
    let state = system.current();
    let next: Vec<Term> = system.vars.iter().map(|v| v.next).collect();
    for rigid in Assignments::new(terms, &system.params)? {
        let mut fixed = Assignment::new();
        bind(&system.params, &rigid, &mut fixed);
        let mut seen: BTreeSet<Vec<Value>> = BTreeSet::new();
        let mut work = Vec::new();
        for values in Assignments::new(terms, &state)? {
            let mut env = fixed.clone();
            bind(&state, &values, &mut env);
            if terms.eval_bool(system.init, &env).ok()? && seen.insert(values.clone()) {
                work.push(values);
            }
        }
        while let Some(values) = work.pop() {
            let mut env = fixed.clone();
            bind(&state, &values, &mut env);
            if !terms.eval_bool(system.property, &env).ok()? {
                return Some(Truth::Unsafe);
            }
            for inputs in Assignments::new(terms, &system.inputs)? {
                bind(&system.inputs, &inputs, &mut env);
                for after in Assignments::new(terms, &next)? {
                    bind(&next, &after, &mut env);
                    if terms.eval_bool(system.trans, &env).ok()? && seen.insert(after.clone()) {
                        work.push(after);
                    }
                }
            }
        }
    }
    Some(Truth::Safe)
}

/// Decides a clause system.
pub fn clauses(terms: &TermStore, system: &ChcSystem) -> Truth {
    decide_clauses(terms, system).unwrap_or(Truth::Undecided)
}

fn decide_clauses(terms: &TermStore, system: &ChcSystem) -> Option<Truth> {
    let mut facts: Vec<BTreeSet<Vec<Value>>> = vec![BTreeSet::new(); system.preds.len()];
    loop {
        let mut grown = false;
        for clause in &system.clauses {
            for values in Assignments::new(terms, &clause.vars)? {
                let mut env = Assignment::new();
                bind(&clause.vars, &values, &mut env);
                if !applies(terms, clause, &facts, &env)? {
                    continue;
                }
                match &clause.head {
                    None => return Some(Truth::Unsafe),
                    Some(head) => {
                        let tuple = head
                            .args
                            .iter()
                            .map(|&a| terms.eval(a, &env).ok())
                            .collect::<Option<Vec<_>>>()?;
                        grown |= facts[head.pred.index()].insert(tuple);
                    }
                }
            }
        }
        if !grown {
            return Some(Truth::Safe);
        }
    }
}

fn applies(
    terms: &TermStore,
    clause: &Clause,
    facts: &[BTreeSet<Vec<Value>>],
    env: &Assignment,
) -> Option<bool> {
    for atom in &clause.body {
        let tuple = atom
            .args
            .iter()
            .map(|&a| terms.eval(a, env).ok())
            .collect::<Option<Vec<_>>>()?;
        if !facts[atom.pred.index()].contains(&tuple) {
            return Some(false);
        }
    }
    terms.eval_bool(clause.constraint, env).ok()
}
