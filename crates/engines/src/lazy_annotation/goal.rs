//! Goals: subgoals still to be derived, and the constraints of what was resolved so far.

use foretell_formulas::{Equations, implicant, known, solve};
use foretell_kernel::{Cx, Model};
use foretell_systems::{ClauseId, Pred};
use foretell_terms::{Substitution, Term, TermSet};

use super::annotation::Annotation;
use super::finished::Finished;
use super::options::Decisions;
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

/// A subgoal that was resolved.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub(super) number: usize,
    pub(super) by: By,
}

/// What a subgoal was resolved with.
#[derive(Clone, Debug)]
pub(super) enum By {
    Clause {
        clause: ClauseId,
        /// The clause's variables and their copies in the goal.
        vars: Vec<(Term, Term)>,
        /// The numbers of the subgoals that its body makes.
        children: Vec<usize>,
    },
    /// A reached fact, at these arguments.
    Reached { fact: usize, args: Vec<Term> },
}

impl Resolved {
    /// The numbers of the subgoals that took its place.
    pub(super) fn children(&self) -> &[usize] {
        match &self.by {
            By::Clause { children, .. } => children,
            By::Reached { .. } => &[],
        }
    }
}

/// A goal `facts | constraints` (Definition 1).
#[derive(Clone, Debug)]
pub(super) struct Goal {
    /// The facts to be derived; never empty: the last is derived next.
    pub(super) facts: Vec<Subgoal>,
    /// The constraints, as decided: literals wherever the model could be spelled out.
    pub(super) constraints: Vec<Term>,
    /// Variables that equations define and that were eliminated from the constraints.
    pub(super) definitions: Vec<(Term, Term)>,
    /// The resolution step that made this goal; `None` at the start.
    pub(super) step: Option<Resolved>,
    /// Subgoals that were derived to the end, and the reached facts that they became.
    pub(super) reached: Vec<(usize, usize)>,
    /// Numbers given to subgoals so far.
    count: usize,
    /// Whether the arguments of the next fact were decided to be certain values.
    pub(super) bare: Bare,
}

/// Whether the arguments of the next fact were decided to be certain values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bare {
    No,
    Yes,
}

/// A part of `suff`.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Over the parameters of the next fact's predicate.
    pub(super) formula: Term,
    origin: Origin,
}

/// Where a part of `suff` comes from.
#[derive(Clone, Copy, Debug)]
enum Origin {
    Constraint(Term),
    /// The annotation of the fact with this number.
    Fact(usize),
}

/// How a decision is made.
#[derive(Clone, Copy)]
pub(super) struct How {
    pub(super) decisions: Decisions,
    /// The rule to be resolved with, if only one was allowed; else the model says which.
    pub(super) rule: Option<usize>,
}

/// What a decision came to.
pub(super) enum Decision {
    /// And the subgoals that it derived to the end, from the leaves up.
    Goal(Box<Goal>, Vec<Finished>),
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
            reached: Vec::new(),
            count: 1,
            bare: Bare::No,
        }
    }

    /// The clause whose resolution made this goal.
    pub(super) fn clause(&self) -> Option<ClauseId> {
        match self.step.as_ref()?.by {
            By::Clause { clause, .. } => Some(clause),
            By::Reached { .. } => None,
        }
    }

    /// Makes the fact at a position the next one.
    pub(super) fn prefer(&mut self, position: usize) {
        let fact = self.facts.remove(position);
        self.facts.push(fact);
    }

    /// The same goal with the arguments of the next fact decided.
    pub(super) fn fixed(&self, values: &[Term], cx: &Cx<'_>) -> Goal {
        let mut goal = self.clone();
        let equal = self.next().args.iter().zip(values);
        let equal = equal.map(|(&arg, &value)| cx.terms.eq(arg, value));
        goal.constraints.extend(equal);
        goal.bare = Bare::Yes;
        goal
    }

    /// Whether the goal has the fact with this number, and all that these parts come from.
    ///
    /// Facts keep their arguments as long as they are open, and annotations only grow: so if the parts
    /// and the annotation of the fact exclude each other, this goal is refuted.
    pub(super) fn has(&self, fact: Option<usize>, parts: &[Part]) -> bool {
        let open = |number: usize| self.facts.iter().any(|f| f.number == number);
        fact.is_none_or(open)
            && parts.iter().all(|part| match part.origin {
                Origin::Constraint(constraint) => self.constraints.contains(&constraint),
                Origin::Fact(number) => open(number),
            })
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
    ) -> Vec<Part> {
        let constraints = self.constraints.iter();
        let mut parts: Vec<(Term, Origin)> =
            constraints.map(|&c| (c, Origin::Constraint(c))).collect();
        for fact in &self.facts[..self.facts.len() - 1] {
            let Some(pred) = fact.pred else { continue };
            let alpha = annotation.formula(pred, fact.level, cx.terms);
            let here = annotation.at(pred, &fact.args, alpha, cx.terms);
            parts.push((here, Origin::Fact(fact.number)));
        }
        let to_params = self.next().args.iter().copied().zip(params.iter().copied());
        let mut map = Substitution::from_pairs(to_params);
        let renamed = parts.into_iter().map(|(formula, origin)| Part {
            formula: map.apply(cx.terms, formula),
            origin,
        });
        renamed.collect()
    }

    /// Resolves the next fact with the rule that a model chose, and decides the truth of the rule's
    /// atoms as in the model (Rstep, lines 5 and 6).
    pub(super) fn decide(
        &self,
        rules: &Rules,
        model: &dyn Model,
        how: How,
        cx: &Cx<'_>,
    ) -> Decision {
        let is_chosen = |r: &&Rule| model.holds(cx.terms, r.chosen) == Some(true);
        let rule = match how.rule {
            Some(position) => rules.list.get(position),
            None => rules.list.iter().find(is_chosen),
        };
        match rule {
            Some(rule) => self.resolved(rule, &decided(rule, model, how.decisions, cx), rules, cx),
            None => Decision::Unreadable,
        }
    }

    /// The goal with a rule in place of the next fact, and with these literals decided.
    fn resolved(&self, rule: &Rule, decided: &[Term], rules: &Rules, cx: &Cx<'_>) -> Decision {
        let terms = cx.terms;
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
        goal.bare = Bare::No;
        let mut literals: Vec<Term> = decided.iter().map(|&l| map.apply(terms, l)).collect();
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
        let by = By::Clause {
            clause: rule.clause,
            vars,
            children,
        };
        goal.made_by(fact.number, by, cx)
    }

    /// The goal with a reached fact in place of the next one.
    ///
    /// `formula` is that of the reached fact, over the parameters of the predicate.
    pub(super) fn with_reached(
        &self,
        (reached, formula): (usize, Term),
        params: &[Term],
        cx: &Cx<'_>,
    ) -> Decision {
        let fact = self.next();
        let mut goal = self.clone();
        goal.facts.pop();
        goal.bare = Bare::No;
        goal.reached.push((fact.number, reached));
        let pairs = params.iter().copied().zip(fact.args.iter().copied());
        let here = cx.terms.substitute(formula, pairs);
        goal.simplify(&cx.terms.conjuncts(here), cx);
        let by = By::Reached {
            fact: reached,
            args: fact.args.clone(),
        };
        goal.made_by(fact.number, by, cx)
    }

    fn made_by(mut self, number: usize, by: By, cx: &Cx<'_>) -> Decision {
        let step = Resolved { number, by };
        if self.facts.is_empty() {
            let solved = self.definitions.iter().map(|&(v, t)| cx.terms.eq(v, t));
            return Decision::Closed(step, solved.chain(self.constraints).collect());
        }
        self.step = Some(step);
        Decision::Goal(Box::new(self), Vec::new())
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

/// The decision: literals that are true in the model and imply the rule's constraint. The constraint
/// itself where nothing is decided, or where the model cannot be spelled out (appendix A.1).
fn decided(rule: &Rule, model: &dyn Model, decisions: Decisions, cx: &Cx<'_>) -> Vec<Term> {
    let whole = || cx.terms.conjuncts(rule.constraint);
    if decisions == Decisions::None {
        return whole();
    }
    let Some(mut assignment) = model.assignment(cx.terms, &[rule.constraint]) else {
        return whole();
    };
    assignment
        .values
        .retain(|t, _| cx.terms.as_var(*t).is_some());
    let values = cx.terms.eval_all(&[rule.constraint], &assignment);
    let truth = known(&values);
    let literals = match decisions {
        Decisions::Minterms => minterm(rule.constraint, &truth, cx),
        _ => implicant(cx.terms, &[rule.constraint], &truth),
    };
    literals.unwrap_or_else(whole)
}

/// The truth of every atom; `None` unless all are known and make the formula true.
fn minterm(formula: Term, truth: &dyn Fn(Term) -> Option<bool>, cx: &Cx<'_>) -> Option<Vec<Term>> {
    if truth(formula) != Some(true) {
        return None;
    }
    let literal = |atom: Term| match truth(atom)? {
        true => Some(atom),
        false => Some(cx.terms.not(atom)),
    };
    cx.terms
        .atoms(&[formula])
        .into_iter()
        .map(literal)
        .collect()
}
