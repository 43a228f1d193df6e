//! A derivation with merged clauses as one with the original clauses.
//!
//! ```text
//! expand(resolved, values, premises)
//!   expand(definition, its variables under values, the premises that came from its body)
//!   expand(use, its variables under values, the other premises and the step just made)
//! expand(original clause, values, premises)  =  a step
//! ```
//!
//! The recursion is a loop over a stack: a block may be made of thousands of clauses.

use foretell_kernel::Cx;
use foretell_systems::{Derivation, DerivationStep};
use foretell_terms::Term;
use foretell_terms::eval::Assignment;

use super::InlineLift;
use super::resolve::{Origin, OriginId, Part};
use crate::shared::replay::{fill, joined};

/// Each step becomes the steps of its tree; `None` when a value is undefined.
pub(super) fn expand(this: &InlineLift, derivation: Derivation, cx: &Cx<'_>) -> Option<Derivation> {
    let mut result = Derivation {
        steps: Vec::new(),
        functions: derivation.functions,
    };
    // The step of the result that derives what each step of the input derives.
    let mut roots: Vec<usize> = Vec::new();
    for step in derivation.steps {
        let merged = this.clauses.get(step.clause.index())?;
        let premises = step.premises.iter().map(|&p| roots.get(p).copied());
        let task = Task {
            origin: merged.origin,
            values: step.values,
            premises: premises.collect::<Option<Vec<usize>>>()?,
            hole: None,
        };
        expand_step(this, task, &mut result, cx)?;
        roots.push(result.steps.len().checked_sub(1)?);
    }
    Some(result)
}

/// A tree to be expanded.
struct Task {
    origin: OriginId,
    values: Assignment,
    /// The steps that derive its body atoms.
    premises: Vec<usize>,
    /// The premise that is derived by the step made last.
    hole: Option<usize>,
}

fn expand_step(this: &InlineLift, root: Task, result: &mut Derivation, cx: &Cx<'_>) -> Option<()> {
    let mut work = vec![root];
    while let Some(mut task) = work.pop() {
        if let Some(hole) = task.hole {
            *task.premises.get_mut(hole)? = result.steps.len().checked_sub(1)?;
        }
        match this.origins.get(task.origin) {
            Origin::Single(clause) => {
                let vars = &this.system.clause(*clause).vars;
                fill(cx.terms, vars, &mut task.values);
                result.steps.push(DerivationStep {
                    clause: *clause,
                    values: only(vars, task.values)?,
                    premises: task.premises,
                });
            }
            Origin::Resolved {
                definition,
                width,
                user,
                at,
            } => {
                let mut all = joined(&task.values, &result.functions).into_owned();
                let mentioned = definition.values.iter().chain(&user.values);
                let mentioned: Vec<Term> = mentioned.map(|&(_, t)| t).collect();
                fill(cx.terms, &cx.terms.free_vars(&mentioned), &mut all);
                let mut outer = task.premises;
                let inner = outer.splice(*at..at + width, [0]).collect();
                work.push(Task {
                    origin: user.origin,
                    values: own(user, &all, cx)?,
                    premises: outer,
                    hole: Some(*at),
                });
                work.push(Task {
                    origin: definition.origin,
                    values: own(definition, &all, cx)?,
                    premises: inner,
                    hole: None,
                });
            }
        }
    }
    Some(())
}

/// The values of these variables, which all have one.
fn only(vars: &[Term], values: Assignment) -> Option<Assignment> {
    if vars.len() == values.values.len() && values.functions.is_empty() {
        return Some(values);
    }
    let mut only = Assignment::with_room(vars.len());
    for &var in vars {
        only.insert(var, values.get(var)?.clone());
    }
    Some(only)
}

/// The values of the variables of a part.
fn own(part: &Part, values: &Assignment, cx: &Cx<'_>) -> Option<Assignment> {
    let mut own = Assignment::with_room(part.values.len());
    for &(var, term) in &part.values {
        own.insert(var, cx.terms.eval(term, values).ok()?);
    }
    Some(own)
}
