//! From a model of a query's condition to the run that it describes.

use foretell_kernel::Model;
use foretell_systems::{Derivation, DerivationStep};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, Value};

use super::explore::{Exploration, Goal, Way};

/// The run into the goal; `None` when the model leaves it open.
///
/// ```text
/// backwards: a state's way whose condition holds and whose arguments have the state's values
/// ```
pub(super) fn derivation(
    exploration: &Exploration<'_>,
    goal: &Goal,
    model: &dyn Model,
) -> Option<Derivation> {
    let mut taken: Vec<(usize, Vec<Term>, Option<usize>)> =
        vec![(goal.rule, goal.locals.clone(), goal.from)];
    let inputs = inputs(exploration, goal, model);
    let terms = exploration.terms;
    let values = |list: &[Term]| -> Option<Vec<Value>> {
        list.iter().map(|&t| terms.eval(t, &inputs).ok()).collect()
    };
    let mut at = goal.from;
    while let Some(state) = at.map(|s| &exploration.states[s]) {
        let here = values(&state.args)?;
        let fits = |way: &&Way| {
            terms.eval_bool(way.condition, &inputs) == Ok(true)
                && values(&way.args).as_ref() == Some(&here)
        };
        let way = state.ways.iter().find(fits)?;
        taken.push((way.rule, way.locals.clone(), way.from));
        at = way.from;
    }
    taken.reverse();
    let mut steps = Vec::new();
    for (rule, locals, from) in taken {
        let shape = &exploration.program.rules[rule];
        let id = exploration.program.system.clause_ids().nth(rule)?;
        let clause = exploration.program.system.clause(id);
        let mut own = Assignment::new();
        if let (Some(state), [atom]) = (from, clause.body.as_slice()) {
            let before = values(&exploration.states[state].args)?;
            for (&arg, value) in atom.args.iter().zip(before) {
                if terms.as_var(arg).is_some() {
                    own.insert(arg, value);
                }
            }
        }
        for (&local, value) in shape.locals.iter().zip(values(&locals)?) {
            own.insert(local, value);
        }
        steps.push(DerivationStep {
            clause: id,
            values: own,
            premises: steps.len().checked_sub(1).into_iter().collect(),
        });
    }
    Some(Derivation {
        steps,
        functions: Assignment::new(),
    })
}

/// The inputs' values; what the model does not need is anything.
fn inputs(exploration: &Exploration<'_>, goal: &Goal, model: &dyn Model) -> Assignment {
    let terms = exploration.terms;
    let mut roots = vec![goal.condition];
    roots.extend(&goal.locals);
    for way in exploration.states.iter().flat_map(|s| &s.ways) {
        roots.extend(way.args.iter().chain(&way.locals));
        roots.push(way.condition);
    }
    let mut values = Assignment::new();
    for var in terms.free_vars(&roots) {
        let value = model.value(terms, var);
        let value = value.unwrap_or_else(|| terms.default_value(terms.sort(var)));
        values.insert(var, value);
    }
    values
}
