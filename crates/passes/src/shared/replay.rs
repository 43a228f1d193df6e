//! What counterexample lifts share: the concrete values along a derivation.

use foretell_kernel::{Cx, Halt};
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
    for step in &mut derivation.steps {
        let clause = system
            .clauses
            .get(step.clause.index())
            .ok_or(Halt::NotLifted(pass))?;
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
    }
    Ok(derivation)
}

/// Gives the default of its sort to every variable without a value.
pub(crate) fn fill(terms: &TermStore, vars: &[Term], values: &mut Assignment) {
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
pub(crate) fn joined(values: &Assignment, functions: &Assignment) -> Assignment {
    let mut all = functions.clone();
    for (&term, value) in &values.values {
        all.insert(term, value.clone());
    }
    all
}
