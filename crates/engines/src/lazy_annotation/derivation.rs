//! From a goal without facts to a derivation: a model of its constraints, and the reached facts that it uses
//! derived once more.
//!
//! ```text
//! close(stack, last, C)
//!   μ ← a model of C;  a step for each resolution with a clause, its variables as in μ
//!   open ← the reached facts that were used, with their arguments in μ
//!   while open: the greatest (ψ, v) of open, by the rule of ψ from states of its premises at v     // fn derive
//! ```
//!
//! A reached fact has premises of smaller numbers only, so each pair is derived once, and in this order what
//! needs it is known before.

use std::collections::BTreeSet;

use foretell_kernel::{Answer, Cx, Halt, Reason, SolverConfig};
use foretell_systems::{ChcSystem, Derivation, DerivationStep};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, TermMap};
use indexmap::IndexMap;

use super::Heads;
use super::goal::{By, Goal, Resolved};
use super::reached::Facts;
use super::search::Outcome;

/// What a step of a derivation is needed for: a subgoal, or a reached fact at values.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Need {
    Subgoal(usize),
    Reached(usize, Vec<Term>),
}

/// A step whose premises are not numbered yet.
struct Loose {
    need: Need,
    step: DerivationStep,
    premises: Vec<Need>,
}

/// Where derivations come from.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    pub(super) system: &'a ChcSystem,
    pub(super) heads: &'a Heads,
    pub(super) facts: &'a Facts,
}

/// A goal without facts: its constraints have a model, which is read as a derivation.
pub(super) fn close(
    sources: Sources<'_>,
    stack: &[Goal],
    last: &Resolved,
    constraints: &[Term],
    cx: &Cx<'_>,
) -> Result<Outcome, Halt> {
    let gave_up = |words| Ok(Outcome::GaveUp(Reason::SolverUnknown(words)));
    let steps: IndexMap<usize, &Resolved> = stack
        .iter()
        .filter_map(|g| g.step.as_ref())
        .chain([last])
        .map(|s| (s.number, s))
        .collect();
    let mut roots: Vec<Term> = steps.values().flat_map(|s| symbols(s)).collect();
    roots.extend(constraints);
    let model = match model(constraints, &roots, cx)? {
        Ok(model) => model,
        Err(words) => return gave_up(words),
    };
    let mut loose = Vec::new();
    for step in steps.values() {
        loose.extend(of_step(step, &steps, &model, cx)?);
    }
    if let Err(words) = derive(sources, &mut loose, cx)? {
        return gave_up(words);
    }
    let mut result = ordered(loose)?;
    let roots: Vec<Term> = sources
        .system
        .clauses
        .iter()
        .map(|c| c.constraint)
        .collect();
    if !cx.terms.functions(&roots).is_empty() {
        result.functions = Assignment {
            values: TermMap::default(),
            functions: model.functions,
        };
    }
    Ok(Outcome::Derivation(result))
}

/// A model of a conjunction, or why there is none.
fn model(parts: &[Term], roots: &[Term], cx: &Cx<'_>) -> Result<Result<Assignment, String>, Halt> {
    let mut words = String::new();
    for seed in 0..3 {
        let mut config = SolverConfig::new("lazy_annotation-derivation");
        config.seed = seed;
        let mut solver = cx.oracles.solver(&config);
        for &part in parts {
            solver.assert(cx.terms, part)?;
        }
        words = match solver.check(&[], cx)? {
            Answer::Sat(model) => match model.assignment(cx.terms, roots) {
                Some(values) => return Ok(Ok(values)),
                None => "a model without values".into(),
            },
            Answer::Unsat(_) => "two solvers disagree".into(),
            Answer::Unknown(why) => why,
        };
    }
    Ok(Err(words))
}

/// Everything that a step needs a value of.
fn symbols(step: &Resolved) -> Vec<Term> {
    match &step.by {
        By::Clause { vars, .. } => vars.iter().map(|v| v.1).collect(),
        By::Reached { args, .. } => args.clone(),
    }
}

fn unreadable() -> Halt {
    Halt::Solver("the model has a value that cannot be represented".into())
}

/// The step by a clause; none for a reached fact.
fn of_step(
    step: &Resolved,
    steps: &IndexMap<usize, &Resolved>,
    model: &Assignment,
    cx: &Cx<'_>,
) -> Result<Option<Loose>, Halt> {
    let By::Clause {
        clause,
        vars,
        children,
    } = &step.by
    else {
        return Ok(None);
    };
    let mut values = Assignment::new();
    for &(var, copy) in vars {
        values.insert(var, model.get(copy).cloned().ok_or_else(unreadable)?);
    }
    let mut premises = Vec::new();
    for child in children {
        let child = *steps.get(child).ok_or_else(unreadable)?;
        premises.push(match &child.by {
            By::Clause { .. } => Need::Subgoal(child.number),
            By::Reached { fact, args } => Need::Reached(*fact, at(args, model, cx)?),
        });
    }
    Ok(Some(Loose {
        need: Need::Subgoal(step.number),
        step: DerivationStep {
            clause: *clause,
            values,
            premises: Vec::new(),
        },
        premises,
    }))
}

/// The values of these terms, as terms.
fn at(args: &[Term], model: &Assignment, cx: &Cx<'_>) -> Result<Vec<Term>, Halt> {
    let value = |&arg: &Term| {
        let value = cx.terms.eval(arg, model).ok()?;
        cx.terms.value_term(&value, cx.terms.sort(arg))
    };
    let values: Option<Vec<Term>> = args.iter().map(value).collect();
    values.ok_or_else(unreadable)
}

/// Adds steps for the reached facts that are needed.
fn derive(
    sources: Sources<'_>,
    loose: &mut Vec<Loose>,
    cx: &Cx<'_>,
) -> Result<Result<(), String>, Halt> {
    let needs = loose.iter().flat_map(|l| l.premises.iter().cloned());
    let mut open: BTreeSet<Need> = needs.filter(|n| matches!(n, Need::Reached(..))).collect();
    while let Some(need) = open.pop_last() {
        cx.budget.check()?;
        let Need::Reached(number, values) = &need else {
            continue;
        };
        let fact = sources.facts.get(*number);
        let rules = sources.heads.rules(Some(fact.pred));
        let Some(rule) = rules.list.iter().find(|r| r.clause == fact.clause) else {
            return Err(unreadable());
        };
        let mut parts = sources.facts.body(sources.system, rule, &fact.premises, cx);
        let equal = rules.params.iter().zip(values);
        parts.extend(equal.map(|(&p, &v)| cx.terms.eq(p, v)));
        let mut roots: Vec<Term> = rule.vars.iter().map(|v| v.1).collect();
        roots.extend(&parts);
        let model = match model(&parts, &roots, cx)? {
            Ok(model) => model,
            Err(words) => return Ok(Err(words)),
        };
        let mut values = Assignment::new();
        for &(var, copy) in &rule.vars {
            values.insert(var, model.get(copy).cloned().ok_or_else(unreadable)?);
        }
        let mut premises = Vec::new();
        for (atom, &premise) in rule.body.iter().zip(&fact.premises) {
            premises.push(Need::Reached(premise, at(&atom.args, &model, cx)?));
        }
        open.extend(premises.iter().cloned());
        let step = DerivationStep {
            clause: fact.clause,
            values,
            premises: Vec::new(),
        };
        loose.push(Loose {
            need,
            step,
            premises,
        });
    }
    Ok(Ok(()))
}

/// The steps that the subgoal `false` needs, each after its premises.
fn ordered(loose: Vec<Loose>) -> Result<Derivation, Halt> {
    let mut steps: IndexMap<Need, (DerivationStep, Vec<Need>)> = loose
        .into_iter()
        .map(|l| (l.need, (l.step, l.premises)))
        .collect();
    let mut result = Derivation::default();
    let mut done: IndexMap<Need, usize> = IndexMap::new();
    let mut work = vec![Need::Subgoal(0)];
    while let Some(need) = work.last().cloned() {
        if done.contains_key(&need) {
            work.pop();
            continue;
        }
        let (_, premises) = steps.get(&need).ok_or_else(unreadable)?;
        let missing = premises.iter().filter(|p| !done.contains_key(*p));
        let missing: Vec<Need> = missing.cloned().collect();
        if !missing.is_empty() {
            work.extend(missing);
            continue;
        }
        let (mut step, premises) = steps.swap_remove(&need).ok_or_else(unreadable)?;
        step.premises = premises.iter().map(|p| done[p]).collect();
        result.steps.push(step);
        done.insert(need, result.steps.len() - 1);
        work.pop();
    }
    Ok(result)
}
