//! Subgoals that a decision derives to the end, with the values that its model gives them.
//!
//! ```text
//! finished(G, G', μ)                              G' is G with its next fact resolved, μ a model of the query
//!   n ← the subgoal that was resolved; none, if its rule has a body
//!   while all subgoals of n are derived: n with the values of its rule's variables in μ;  n ← the one it is of
//! ```
//!
//! Variables that were eliminated from the goal get the values of what defines them, last ones first.

use foretell_kernel::{Cx, Model};
use foretell_systems::ClauseId;
use foretell_terms::eval::Assignment;
use foretell_terms::{Substitution, Term, TermSet};

use super::goal::{By, Goal, Resolved};
use super::rules::Rules;

/// A subgoal whose derivation is complete.
#[derive(Clone, Debug)]
pub(super) struct Finished {
    pub(super) number: usize,
    pub(super) clause: ClauseId,
    /// The numbers of the subgoals of its body.
    pub(super) children: Vec<usize>,
    /// Values of the clause's variables.
    pub(super) values: Assignment,
}

/// The subgoals that the step from the last goal of the stack to the next derives to the end.
pub(super) fn finished(
    stack: &[Goal],
    next: &Goal,
    rules: &Rules,
    model: &dyn Model,
    cx: &Cx<'_>,
) -> Vec<Finished> {
    let steps = chain(stack, next);
    let (Some(last), Some(step)) = (stack.last(), next.step.as_ref()) else {
        return Vec::new();
    };
    let wanted = steps.iter().flat_map(|s| copies(s).iter().map(|v| v.1));
    let wanted: TermSet = wanted.collect();
    if wanted.is_empty() && steps.is_empty() {
        return Vec::new();
    }
    let renamed = renaming(last, step, rules);
    let Some(values) = valuation(last, renamed, wanted, model, cx) else {
        return Vec::new();
    };
    let read = |step: &&Resolved| {
        let By::Clause {
            clause,
            vars,
            children,
        } = &step.by
        else {
            return None;
        };
        let mut own = Assignment::new();
        for &(var, copy) in vars {
            own.insert(var, values.get(copy)?.clone());
        }
        Some(Finished {
            number: step.number,
            clause: *clause,
            children: children.clone(),
            values: own,
        })
    };
    steps.iter().map_while(read).collect()
}

/// The steps by clauses that are complete with the last one, from the leaves up.
fn chain<'a>(stack: &'a [Goal], next: &'a Goal) -> Vec<&'a Resolved> {
    let mut result = Vec::new();
    let Some(mut step) = next.step.as_ref().filter(|s| s.children().is_empty()) else {
        return result;
    };
    let mut done: Vec<usize> = next.reached.iter().map(|r| r.0).collect();
    loop {
        if matches!(step.by, By::Clause { .. }) {
            result.push(step);
        }
        done.push(step.number);
        let number = step.number;
        let mut before = stack.iter().rev().filter_map(|g| g.step.as_ref());
        let parent = before.find(|s| s.children().contains(&number));
        match parent.filter(|p| p.number > 0 && p.children().iter().all(|c| done.contains(c))) {
            Some(parent) => step = parent,
            None => return result,
        }
    }
}

fn copies(step: &Resolved) -> &[(Term, Term)] {
    match &step.by {
        By::Clause { vars, .. } => vars,
        By::Reached { .. } => &[],
    }
}

/// What the variables of a goal and of the step from it are called in the query about its next fact.
fn renaming(last: &Goal, step: &Resolved, rules: &Rules) -> Substitution {
    let args = last.next().args.iter().copied();
    let mut pairs: Vec<(Term, Term)> = args.zip(rules.params.iter().copied()).collect();
    if let By::Clause { clause, vars, .. } = &step.by
        && let Some(rule) = rules.list.iter().find(|r| r.clause == *clause)
    {
        let own = vars.iter().zip(&rule.vars);
        pairs.extend(own.map(|(&(_, here), &(_, there))| (here, there)));
    }
    Substitution::from_pairs(pairs)
}

/// Values of the wanted variables of a goal and of the step from it; `None` if one has none.
fn valuation(
    last: &Goal,
    mut renamed: Substitution,
    mut wanted: TermSet,
    model: &dyn Model,
    cx: &Cx<'_>,
) -> Option<Assignment> {
    let mut defined: Vec<(Term, Term)> = Vec::new();
    for &(var, term) in &last.definitions {
        if wanted.swap_remove(&var) {
            wanted.extend(cx.terms.free_vars(&[term]));
            defined.push((var, term));
        }
    }
    let mut values = Assignment::new();
    for var in wanted {
        let name = renamed.apply(cx.terms, var);
        values.insert(var, model.value(cx.terms, name)?);
    }
    for (var, term) in defined.into_iter().rev() {
        values.insert(var, cx.terms.eval(term, &values).ok()?);
    }
    Some(values)
}
