//! Reached facts: states of predicates that are known to be derivable.
//!
//! Komuravelli, Gurfinkel, Chaki, "SMT-Based Model Checking for Recursive Programs", CAV 2014 (reachability
//! facts); the paper on lazy annotation has over-approximations only.
//!
//! ```text
//! ρ(P) ← ∅                                        every state of ρ(P) has a derivation, of whatever height
//! record: a subgoal P(x) of a goal was derived to the end by a rule, its body by facts ρ_1 … ρ_n, model μ
//!   ψ ← literals of the rule and of ρ_1 … ρ_n at its body that are true in μ, projected to x;  or x = μ(x)
//!   ρ(P) ← ρ(P) ∪ {ψ}
//! ask:    goal G with the next fact P(x): does some ψ of ρ(P) hold together with suff(G)?
//!   if so, G goes on with ψ(x) in place of P(x)   // search.rs, fn by_reached
//! derive: a state of ψ, once more by its rule, from states of ρ_1 … ρ_n        // derivation.rs
//! ```
//!
//! A call that was derived once is not derived again: without this a goal holds the whole tree of a
//! computation, with it only its different calls. A reached fact may be higher than its subgoal allows; what
//! is derived with it is derived all the same. The search ends as before: taking a reached fact is a
//! decision, and a conflict under it is learnt from before the decision can be made again.
//!
//! Limit: declared functions. A fact would hold for one interpretation of them only, so there are none then.

use foretell_formulas::project;
use foretell_kernel::{Answer, Cx, Halt, Model, Solver, SolverConfig};
use foretell_systems::{Atom, ChcSystem, ClauseId, Pred};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, TermSet};

use super::Heads;
use super::finished::Finished;
use super::goal::Goal;
use super::rules::Rule;
use super::sample::literals;
use super::states::bare;

/// Derivable states of a predicate.
pub(super) struct Reached {
    pub(super) pred: Pred,
    /// Over the parameters.
    pub(super) formula: Term,
    /// Every state has a derivation by this clause from states of the premises.
    pub(super) clause: ClauseId,
    /// Numbers of facts, all smaller than its own.
    pub(super) premises: Vec<usize>,
}

/// All reached facts.
pub(super) struct Facts {
    list: Vec<Reached>,
    of_preds: Vec<Vec<usize>>,
    solver: Box<dyn Solver>,
    /// The most facts of a predicate.
    most: usize,
}

impl Facts {
    /// None; at most so many of a predicate.
    pub(super) fn new(system: &ChcSystem, config: &SolverConfig, most: u32, cx: &Cx<'_>) -> Facts {
        let interpreted = cx.terms.functions(&system.formulas()).is_empty();
        Facts {
            list: Vec::new(),
            of_preds: vec![Vec::new(); system.preds.len()],
            solver: cx.oracles.solver(config),
            most: if interpreted { most as usize } else { 0 },
        }
    }

    /// Whether facts are kept at all.
    pub(super) fn are_kept(&self) -> bool {
        self.most > 0
    }

    /// The fact with a number.
    pub(super) fn get(&self, number: usize) -> &Reached {
        &self.list[number]
    }

    /// The body of a rule, as reached by these facts, and the rule itself.
    pub(super) fn body(
        &self,
        system: &ChcSystem,
        rule: &Rule,
        premises: &[usize],
        cx: &Cx<'_>,
    ) -> Vec<Term> {
        let at = |(atom, &fact): (&Atom, &usize)| {
            let params = system.pred(atom.pred).params.iter().copied();
            let pairs = params.zip(atom.args.iter().copied());
            cx.terms.substitute(self.list[fact].formula, pairs)
        };
        let mut parts: Vec<Term> = rule.body.iter().zip(premises).map(at).collect();
        parts.push(rule.constraint);
        parts
    }

    /// Does a reached fact of the predicate hold together with these formulas over its parameters?
    pub(super) fn ask<T>(
        &mut self,
        pred: Pred,
        suffix: &[Term],
        read: impl FnOnce((usize, Term), &dyn Model) -> T,
        cx: &Cx<'_>,
    ) -> Result<Option<T>, Halt> {
        let facts = &self.of_preds[pred.index()];
        if facts.is_empty() {
            return Ok(None);
        }
        let formula = |&fact: &usize| (fact, self.list[fact].formula);
        self.solver.push();
        let any = cx.terms.or(facts.iter().map(|f| formula(f).1));
        self.solver.assert(cx.terms, any)?;
        for &part in suffix {
            self.solver.assert(cx.terms, part)?;
        }
        let found = match self.solver.check(&[], cx)? {
            Answer::Sat(model) => {
                let holds = |(_, f): &(usize, Term)| model.holds(cx.terms, *f) == Some(true);
                let fact = facts.iter().map(formula).find(holds);
                fact.map(|fact| read(fact, model.as_ref()))
            }
            Answer::Unsat(_) | Answer::Unknown(_) => None,
        };
        self.solver.pop();
        Ok(found)
    }

    /// Keeps what subgoals of a goal that were derived to the end have reached.
    pub(super) fn record(
        &mut self,
        system: &ChcSystem,
        heads: &Heads,
        goal: &mut Goal,
        finished: &[Finished],
        cx: &Cx<'_>,
    ) {
        for subgoal in finished {
            let fact = |n: &usize| goal.reached.iter().find(|r| r.0 == *n).map(|r| r.1);
            let premises: Option<Vec<usize>> = subgoal.children.iter().map(fact).collect();
            let Some(premises) = premises else { return };
            match self.reach(system, heads, subgoal, premises, cx) {
                Some(fact) => goal.reached.push((subgoal.number, fact)),
                None => return,
            }
        }
    }

    /// The number of a fact that has the state of a subgoal; a new one, if there was none.
    fn reach(
        &mut self,
        system: &ChcSystem,
        heads: &Heads,
        subgoal: &Finished,
        premises: Vec<usize>,
        cx: &Cx<'_>,
    ) -> Option<usize> {
        let head = system.clause(subgoal.clause).head.as_ref()?;
        let rules = heads.rules(Some(head.pred));
        let rule = rules.list.iter().find(|r| r.clause == subgoal.clause)?;
        let mut values = Assignment::new();
        for (&param, &arg) in rules.params.iter().zip(&head.args) {
            values.insert(param, cx.terms.eval(arg, &subgoal.values).ok()?);
        }
        let has =
            |fact: &&usize| cx.terms.eval_bool(self.list[**fact].formula, &values) == Ok(true);
        let known = &self.of_preds[head.pred.index()];
        if let Some(&fact) = known.iter().find(has) {
            return Some(fact);
        }
        if known.len() >= self.most {
            return None;
        }
        for &(var, copy) in &rule.vars {
            values.insert(copy, subgoal.values.get(var)?.clone());
        }
        let parts = self.body(system, rule, &premises, cx);
        let cube = literals(&parts, values.clone(), cx)?;
        let eliminate: TermSet = rule.vars.iter().map(|v| v.1).collect();
        let cube = project(cx.terms, &cube, &eliminate, &values)
            .or_else(|| bare(&rules.params, &values, cx))?;
        self.list.push(Reached {
            pred: head.pred,
            formula: cx.terms.and(cube),
            clause: subgoal.clause,
            premises,
        });
        let number = self.list.len() - 1;
        self.of_preds[head.pred.index()].push(number);
        Some(number)
    }
}
