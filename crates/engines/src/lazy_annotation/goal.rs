//! Goals: subgoals still to be derived, and the constraints of what was resolved so far.

use foretell_formulas::{Equations, implicant, known, solve};
use foretell_kernel::{Cx, Halt, Model};
use foretell_systems::{ChcSystem, ClauseId, Derivation, DerivationStep, Pred};
use foretell_terms::eval::Assignment;
use foretell_terms::{Substitution, Term, TermMap, TermSet};
use indexmap::IndexMap;

use super::annotation::Annotation;
use super::rules::{Rule, Rules};

/// A fact to be derived: a predicate (`None` is `false`), its arguments, all variables, and the
/// height its derivation may have.
#[derive(Clone, Debug)]
pub(super) struct Subgoal {
    pub(super) number: usize,
    pub(super) pred: Option<Pred>,
    pub(super) args: Vec<Term>,
    pub(super) level: u32,
}

/// A subgoal that was resolved with a clause.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    number: usize,
    clause: ClauseId,
    /// The clause's variables and their copies in the goal.
    vars: Vec<(Term, Term)>,
    children: Vec<usize>,
}

/// A goal `facts | constraints` (Definition 1).
#[derive(Clone, Debug)]
pub(super) struct Goal {
    /// The facts to be derived; never empty: the last is derived next.
    pub(super) facts: Vec<Subgoal>,
    /// The constraints, as decided: literals wherever the model could be spelled out.
    pub(super) constraints: Vec<Term>,
    /// Variables that equations define and that were eliminated from the constraints.
    definitions: Vec<(Term, Term)>,
    /// The resolution step that made this goal; `None` at the start.
    step: Option<Resolved>,
    /// Numbers given to subgoals so far.
    count: usize,
}

/// What a decision came to.
pub(super) enum Decision {
    Goal(Goal),
    /// No fact is left: the step that closed the last one, and all constraints.
    Closed(Resolved, Vec<Term>),
    /// The model cannot be read.
    Unreadable,
}

impl Goal {
    /// The goal `false`, by derivations whose body atoms have height ≤ `bound`.
    pub(super) fn start(bound: u32) -> Goal {
        let root = Subgoal {
            number: 0,
            pred: None,
            args: Vec::new(),
            level: bound + 1,
        };
        Goal {
            facts: vec![root],
            constraints: Vec::new(),
            definitions: Vec::new(),
            step: None,
            count: 1,
        }
    }

    /// The fact to be derived next.
    pub(super) fn next(&self) -> &Subgoal {
        self.facts
            .last()
            .expect("invariant: a goal has a fact to be derived")
    }

    /// `suff`: the constraints, and the annotation of the facts other than the next; over the given
    /// variables in place of the next fact's arguments.
    pub(super) fn suffix(
        &self,
        annotation: &Annotation,
        params: &[Term],
        cx: &Cx<'_>,
    ) -> Vec<Term> {
        let mut parts = self.constraints.clone();
        for fact in &self.facts[..self.facts.len() - 1] {
            let Some(pred) = fact.pred else { continue };
            let alpha = annotation.formula(pred, fact.level, cx.terms);
            parts.push(annotation.at(pred, &fact.args, alpha, cx.terms));
        }
        let to_params = self.next().args.iter().copied().zip(params.iter().copied());
        let mut map = Substitution::from_pairs(to_params);
        parts.iter().map(|&p| map.apply(cx.terms, p)).collect()
    }

    /// Resolves the next fact with the rule that a model chose, and decides the truth of the rule's
    /// atoms as in the model (Rstep, lines 5 and 6).
    pub(super) fn decide(&self, rules: &Rules, model: &dyn Model, cx: &Cx<'_>) -> Decision {
        let terms = cx.terms;
        let Some(rule) = rules
            .list
            .iter()
            .find(|r| model.holds(terms, r.chosen) == Some(true))
        else {
            return Decision::Unreadable;
        };
        let fact = self.next();
        let vars: Vec<(Term, Term)> = rule
            .vars
            .iter()
            .map(|&(v, _)| (v, terms.fresh(terms.var_name(v), terms.sort(v))))
            .collect();
        let copies = rule
            .vars
            .iter()
            .zip(&vars)
            .map(|(&(_, from), &(_, to))| (from, to));
        let params = rules.params.iter().copied().zip(fact.args.iter().copied());
        let mut map = Substitution::from_pairs(copies.chain(params));
        let mut goal = self.clone();
        goal.facts.pop();
        let mut literals: Vec<Term> = minterm(rule, model, cx)
            .into_iter()
            .map(|l| map.apply(terms, l))
            .collect();
        let mut children = Vec::new();
        for atom in &rule.body {
            let mut args: Vec<Term> = Vec::new();
            for &arg in &atom.args {
                let arg = name(map.apply(terms, arg), &args, &mut literals, cx);
                args.push(arg);
            }
            children.push(goal.count);
            let level = fact.level - 1;
            goal.facts.push(Subgoal {
                number: goal.count,
                pred: Some(atom.pred),
                args,
                level,
            });
            goal.count += 1;
        }
        goal.simplify(&literals, cx);
        let step = Resolved {
            number: fact.number,
            clause: rule.clause,
            vars,
            children,
        };
        if goal.facts.is_empty() {
            let solved = goal.definitions.iter().map(|&(v, t)| terms.eq(v, t));
            return Decision::Closed(step, solved.chain(goal.constraints).collect());
        }
        goal.step = Some(step);
        Decision::Goal(goal)
    }

    /// Adds literals, and eliminates what they define but the arguments of facts.
    ///
    /// The paper does not eliminate variables, and lets goals grow with the depth of the search (§3.2,
    /// "the variable elimination trade-off"). What equations define can go without loss: goals of
    /// deterministic steps then speak of one state.
    fn simplify(&mut self, literals: &[Term], cx: &Cx<'_>) {
        let kept: TermSet = self
            .facts
            .iter()
            .flat_map(|f| f.args.iter().copied())
            .collect();
        let goes = |v: Term| !kept.contains(&v);
        let solved = solve(cx.terms, literals, Equations::Direct, &goes);
        let mut map = solved.substitution();
        let before = std::mem::take(&mut self.constraints).into_iter();
        let mut all: TermSet = before.map(|c| map.apply(cx.terms, c)).collect();
        all.extend(solved.rest);
        self.constraints = all.into_iter().filter(|&c| !cx.terms.is_true(c)).collect();
        self.definitions.extend(solved.definitions);
    }
}

/// A variable equal to an argument and different from those given.
fn name(arg: Term, taken: &[Term], literals: &mut Vec<Term>, cx: &Cx<'_>) -> Term {
    if cx.terms.as_var(arg).is_some() && !taken.contains(&arg) {
        return arg;
    }
    let var = cx.terms.fresh("arg", cx.terms.sort(arg));
    literals.push(cx.terms.eq(var, arg));
    var
}

/// The decision: an implicant of the rule's constraint that is true in the model; the constraint
/// itself where the model cannot be spelled out.
fn minterm(rule: &Rule, model: &dyn Model, cx: &Cx<'_>) -> Vec<Term> {
    let values = model
        .assignment(cx.terms, &[rule.constraint])
        .map(|mut assignment| {
            assignment
                .values
                .retain(|t, _| cx.terms.as_var(*t).is_some());
            cx.terms.eval_all(&[rule.constraint], &assignment)
        });
    let literals = values.and_then(|v| implicant(cx.terms, &[rule.constraint], &known(&v)));
    literals.unwrap_or_else(|| cx.terms.conjuncts(rule.constraint))
}

/// The derivation of a closed goal: the steps of the search, and a model of all constraints.
pub(super) fn derivation(
    system: &ChcSystem,
    stack: &[Goal],
    last: &Resolved,
    model: &Assignment,
    cx: &Cx<'_>,
) -> Result<Derivation, Halt> {
    let unreadable = || Halt::Solver("the model has a value that cannot be represented".into());
    let steps: IndexMap<usize, &Resolved> = stack
        .iter()
        .filter_map(|g| g.step.as_ref())
        .chain([last])
        .map(|s| (s.number, s))
        .collect();
    let mut result = Derivation::default();
    let roots: Vec<Term> = system.clauses.iter().map(|c| c.constraint).collect();
    if !cx.terms.functions(&roots).is_empty() {
        result.functions = Assignment {
            values: TermMap::default(),
            functions: model.functions.clone(),
        };
    }
    let mut at: IndexMap<usize, usize> = IndexMap::new();
    let mut work = vec![0usize];
    while let Some(&number) = work.last() {
        let step = *steps.get(&number).ok_or_else(unreadable)?;
        let missing: Vec<usize> = step
            .children
            .iter()
            .copied()
            .filter(|c| !at.contains_key(c))
            .collect();
        if !missing.is_empty() {
            work.extend(missing);
            continue;
        }
        let mut values = Assignment::new();
        for &(var, copy) in &step.vars {
            values.insert(var, model.get(copy).cloned().ok_or_else(unreadable)?);
        }
        let premises = step.children.iter().map(|c| at[c]).collect();
        result.steps.push(DerivationStep {
            clause: step.clause,
            values,
            premises,
        });
        at.insert(number, result.steps.len() - 1);
        work.pop();
    }
    Ok(result)
}

/// Everything a derivation needs a value of.
pub(super) fn symbols(stack: &[Goal], last: &Resolved) -> Vec<Term> {
    let steps = stack.iter().filter_map(|g| g.step.as_ref()).chain([last]);
    steps
        .flat_map(|s| s.vars.iter().map(|(_, copy)| *copy))
        .collect()
}
