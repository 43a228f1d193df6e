//! The search for a derivation of `false` whose body atoms have height ≤ a bound.
//!
//! ```text
//! run                                                        stack ← [false at level bound + 1]
//!   loop: G ← the last goal, P(x) at level i its next fact
//!     a reached fact ψ of P, ψ(x) ∧ suff has a model: push G with ψ(x) in place of P(x)     // reached.rs
//!     F_{P,i}(x) ∧ suff has a model: push G resolved with a rule; no fact left: a derivation
//!     none, used ⊆ suff:
//!       G is the first goal: there is no derivation
//!       learn from F_{P,i} ∧ used                            // learn.rs
//!       take back G, and every goal before it that has P(x) and all of `used`     // fn take_back
//!       take back every goal that α refutes, the facts replaced by their annotations     // fn sweep
//!       raise lemmas of the predicate the search is back at; while one rises, take back that goal   // fn eagerly
//!     undecided: ask another solver, then rule by rule (fn resolve), then of one state (fn fix)
//!     nothing learnt: the same of one state, about which there is always something to learn
//! ```
//!
//! Back-jumping: a goal that has P(x) and `used` is refuted by the new annotation of P, so the steps from it
//! on were not needed. Linear clauses never jump: each step replaces the only fact.
//!
//! Sweeping is ours: a lemma holds of all facts of its predicate, so it may refute goals far down the stack.
//! α is a model of the rules, so a goal is refuted if the one it was resolved from is: the goals that are
//! refuted are the last ones of the stack, and the first of them is found by doubling steps and bisection.
//!
//! Invariant: the first goal is taken back only by a query about it that is unsatisfiable. Every other goal
//! may be taken back at any time: the one before it is asked again.

use foretell_kernel::{Answer, Cx, Event, Halt, Model, Peers, Reason, Work};
use foretell_systems::{ChcSystem, Derivation, Pred};
use foretell_terms::Term;

use super::Heads;
use super::annotation::Annotation;
use super::converge::{Raised, eagerly};
use super::derivation::{Sources, close};
use super::finished::finished;
use super::goal::{Bare, Decision, Goal, How, Part, Subgoal};
use super::learn::{Learner, Learnt, Numbers, Site};
use super::options::LazyAnnotationOptions;
use super::reached::Facts;
use super::rules::{Allowed, Asked, Assumed, Found, Query, Rules};
use super::scores::Scores;

/// What a bounded search came to.
pub(super) enum Outcome {
    Derivation(Derivation),
    /// α(·, bound) excludes `false`.
    Unsat,
    GaveUp(Reason),
}

/// Whether the search goes on.
enum Next {
    On,
    GiveUp(Reason),
}

/// A bounded search.
pub(super) struct Search<'a> {
    pub(super) system: &'a ChcSystem,
    pub(super) annotation: &'a mut Annotation,
    pub(super) heads: &'a mut Heads,
    pub(super) learner: &'a mut Learner,
    pub(super) scores: &'a mut Scores,
    pub(super) facts: &'a mut Facts,
    pub(super) options: &'a LazyAnnotationOptions,
    pub(super) bound: u32,
    /// The goals, each made from the one before it; the first is `false`.
    pub(super) stack: Vec<Goal>,
    /// Who is told of new lemmas.
    pub(super) peers: &'a dyn Peers<ChcSystem>,
}

impl Search<'_> {
    /// Searches up to the bound.
    pub(super) fn run(mut self, cx: &Cx<'_>) -> Result<Outcome, Halt> {
        self.stack = vec![Goal::start(self.bound)];
        loop {
            cx.budget.check()?;
            let every = self.options.tell_every;
            if every > 0 && self.annotation.n_news() >= every {
                self.peers.tell(self.annotation.news(), cx);
            }
            let goal = self.goal();
            let (level, params) = (goal.next().level, self.params());
            cx.events.emit(Event::Obligation(level, &goal.constraints));
            let suffix = goal.suffix(self.annotation, &params, cx);
            let found = match self.by_reached(&suffix, cx)? {
                Some(decision) => Found::Sat(decision),
                None => self.resolve(&suffix, cx)?,
            };
            let next = match found {
                Found::Sat(Decision::Goal(mut next, finished)) => {
                    self.facts
                        .record(self.system, self.heads, &mut next, &finished, cx);
                    self.descend(*next, cx)?
                }
                Found::Sat(Decision::Closed(last, constraints)) => {
                    let sources = Sources {
                        system: self.system,
                        heads: self.heads,
                        facts: self.facts,
                    };
                    return close(sources, &self.stack, &last, &constraints, cx);
                }
                Found::Unsat(_) if self.stack.len() == 1 => return Ok(Outcome::Unsat),
                Found::Unsat(used) => {
                    let used: Vec<Part> = used.into_iter().map(|u| suffix[u].clone()).collect();
                    self.conflict(&used, cx)?
                }
                Found::Sat(Decision::Unreadable) => {
                    self.fix("a model without values".into(), cx)?
                }
                Found::Unknown(words) => self.fix(words, cx)?,
            };
            if let Next::GiveUp(why) = next {
                return Ok(Outcome::GaveUp(why));
            }
        }
    }

    fn goal(&self) -> &Goal {
        self.stack
            .last()
            .expect("invariant: the first goal is never taken back")
    }

    fn params(&self) -> Vec<Term> {
        self.heads.rules(self.goal().next().pred).params.clone()
    }

    /// Is some reached fact of P satisfiable together with suff, for the next fact `P(x)` of the goal?
    fn by_reached(&mut self, suffix: &[Part], cx: &Cx<'_>) -> Result<Option<Decision>, Halt> {
        let goal = self.goal();
        let Some(pred) = goal.next().pred.filter(|_| self.facts.are_kept()) else {
            return Ok(None);
        };
        let suffix: Vec<Term> = suffix.iter().map(|p| p.formula).collect();
        let rules = self.heads.rules(Some(pred));
        let (stack, goal) = (&self.stack, &self.stack[self.stack.len() - 1]);
        let decide = |fact: (usize, Term), model: &dyn Model| {
            let decision = goal.with_reached(fact, &rules.params, cx);
            with_finished(decision, stack, rules, model, cx)
        };
        self.facts.ask(pred, &suffix, decide, cx)
    }

    /// Is `F_{P,i}(x) ∧ suff` satisfiable for the next fact `P(x)` of the goal? If so, decides.
    fn resolve(&mut self, suffix: &[Part], cx: &Cx<'_>) -> Result<Found<Decision>, Halt> {
        let suffix: Vec<Term> = suffix.iter().map(|p| p.formula).collect();
        let rules = self.heads.rules(self.goal().next().pred);
        if self.options.scores
            && let Some(best) = self.scores.best(rules)
        {
            let found = self.ask(&suffix, Allowed::Only(&best), Asked::Incremental, cx)?;
            if is_decided(&found) && matches!(found, Found::Sat(_)) {
                return Ok(found);
            }
        }
        let mut found = self.ask(&suffix, Allowed::All, Asked::Incremental, cx)?;
        if !is_decided(&found) {
            found = self.ask(&suffix, Allowed::All, Asked::Anew, cx)?;
        }
        if !is_decided(&found) {
            found = self.rule_by_rule(&suffix, cx)?;
        }
        Ok(found)
    }

    /// The same, of each rule by itself.
    fn rule_by_rule(&mut self, suffix: &[Term], cx: &Cx<'_>) -> Result<Found<Decision>, Halt> {
        let count = self.heads.rules(self.goal().next().pred).list.len();
        let mut used: Vec<usize> = Vec::new();
        let mut undecided = None;
        for rule in 0..count {
            match self.ask(suffix, Allowed::Only(&[rule]), Asked::Anew, cx)? {
                Found::Unsat(more) => used.extend(more),
                Found::Unknown(words) => undecided = Some(words),
                found @ Found::Sat(_) => return Ok(found),
            }
        }
        used.sort_unstable();
        used.dedup();
        Ok(undecided.map_or(Found::Unsat(used), Found::Unknown))
    }

    fn ask(
        &mut self,
        suffix: &[Term],
        allowed: Allowed<'_>,
        asked: Asked,
        cx: &Cx<'_>,
    ) -> Result<Found<Decision>, Halt> {
        let goal = self
            .stack
            .last()
            .expect("invariant: the first goal is never taken back");
        let fact = goal.next();
        let how = How {
            decisions: self.options.decided(),
            rule: match allowed {
                Allowed::Only(&[rule]) => Some(rule),
                _ => None,
            },
        };
        let query = Query {
            assumed: Assumed::Level(fact.level - 1),
            allowed,
            extra: suffix,
        };
        let (stack, kept) = (&self.stack, self.facts.are_kept());
        let decide = |rules: &Rules, model: &dyn Model| match goal.decide(rules, model, how, cx) {
            decision if kept => with_finished(decision, stack, rules, model, cx),
            decision => decision,
        };
        let head = self.heads.of(fact.pred);
        head.query(self.annotation, &query, asked, decide, cx)
    }

    /// Goes on with a goal, unless its facts can be refuted together.
    fn descend(&mut self, mut goal: Goal, cx: &Cx<'_>) -> Result<Next, Halt> {
        if self.options.tree {
            let bound = self.bound;
            let learnt = self
                .learner
                .together(self.annotation, self.heads, &goal, bound, cx)?;
            if learnt == Learnt::Refuted {
                return Ok(Next::On);
            }
        }
        if self.options.scores {
            let score = |p: &usize| self.scores.highest(self.heads.rules(goal.facts[*p].pred));
            if let Some(best) = (0..goal.facts.len()).max_by_key(score) {
                goal.prefer(best);
            }
        }
        self.stack.push(goal);
        Ok(Next::On)
    }

    /// Learns from a conflict, and takes back what it refutes.
    fn conflict(&mut self, used: &[Part], cx: &Cx<'_>) -> Result<Next, Halt> {
        let fact = self.goal().next();
        let (number, site) = (fact.number, self.site(fact.pred, fact.level));
        let core: Vec<Term> = used.iter().map(|p| p.formula).collect();
        let head = self.heads.of(Some(site.pred));
        self.annotation.count_growth(site.pred);
        match self.learner.learn(self.annotation, head, site, &core, cx)? {
            Learnt::Refuted => self.take_back(Some(number), used),
            Learnt::Beside => self.take_back(None, used),
            Learnt::Weaker => drop(self.stack.pop()),
            Learnt::Nothing => {
                return self.fix("neither an interpolant nor a state to exclude".into(), cx);
            }
        }
        // Where calls are derived once, deriving them again costs less than asking about every goal.
        if self.options.sweep && (self.options.reached == 0 || self.heads.are_linear()) {
            self.sweep(site.pred, cx)?;
        }
        while self.options.eager && self.stack.len() > 1 {
            let fact = self.goal().next();
            let site = self.site(fact.pred, fact.level);
            let raised = eagerly(self.annotation, self.heads, (site.pred, site.level), cx)?;
            if raised == Raised::None {
                break;
            }
            self.stack.pop();
        }
        Ok(Next::On)
    }

    fn site(&self, pred: Option<Pred>, level: u32) -> Site {
        Site {
            pred: pred.expect("invariant: `false` is a fact of the first goal only"),
            level,
            bound: self.bound,
            numbers: match self.goal().reached.is_empty() {
                true => Numbers::Rules,
                false => Numbers::States,
            },
        }
    }

    /// Takes back the last goal, which the annotation of a fact and the used parts refute, and with it all
    /// goals before that are refuted by the same.
    fn take_back(&mut self, fact: Option<usize>, used: &[Part]) {
        let last = self.stack.len() - 1;
        let refuted = |g: &usize| self.options.backjump && self.stack[*g].has(fact, used);
        let first = (1..last).find(refuted).unwrap_or(last);
        for goal in self.stack.drain(first..).skip(1) {
            if let Some(clause) = goal.clause() {
                self.scores.lower(clause);
            }
        }
    }

    /// Takes back the goals that the annotation refutes, after that of a predicate grew.
    fn sweep(&mut self, pred: Pred, cx: &Cx<'_>) -> Result<(), Halt> {
        let (mut open, mut refuted, mut step) = (1, self.stack.len(), 1);
        while open < refuted {
            cx.budget.check()?;
            let middle = refuted.saturating_sub(step).max(open);
            if self.is_refuted(&self.stack[middle], pred, cx)? {
                (refuted, step) = (middle, step * 2);
            } else {
                (open, step) = (middle + 1, step.div_ceil(2));
            }
            step = step.min((refuted - open).div_ceil(2)).max(1);
        }
        self.stack.truncate(refuted);
        Ok(())
    }

    /// Whether the annotation excludes a goal; asked only if it grew for a fact of the predicate.
    fn is_refuted(&self, goal: &Goal, pred: Pred, cx: &Cx<'_>) -> Result<bool, Halt> {
        let concerns =
            |f: &Subgoal| f.pred == Some(pred) && self.annotation.has_grown(pred, f.level);
        if !goal.facts.iter().any(concerns) {
            return Ok(false);
        }
        let limit = Work::of_millis(self.options.sweep_ms);
        let mut config = self.heads.config.clone().with_limit(limit);
        config.purpose = "lazy_annotation-sweep";
        let mut solver = cx.oracles.solver(&config);
        for &constraint in &goal.constraints {
            solver.assert(cx.terms, constraint)?;
        }
        for fact in &goal.facts {
            let Some(pred) = fact.pred else { continue };
            let alpha = self.annotation.formula(pred, fact.level, cx.terms);
            let here = self.annotation.at(pred, &fact.args, alpha, cx.terms);
            solver.assert(cx.terms, here)?;
        }
        Ok(matches!(solver.check(&[], cx)?, Answer::Unsat(_)))
    }

    /// A query that nobody decides: goes on with one state of the goal.
    fn fix(&mut self, words: String, cx: &Cx<'_>) -> Result<Next, Halt> {
        let goal = self.goal();
        let fact = goal.next();
        let give_up = Ok(Next::GiveUp(Reason::SolverUnknown(words)));
        let Some(pred) = fact.pred.filter(|_| goal.bare == Bare::No) else {
            return give_up;
        };
        let mut solver = cx
            .oracles
            .solver(&self.learner.config("lazy_annotation-fix"));
        let alpha = self.annotation.formula(pred, fact.level, cx.terms);
        let here = self.annotation.at(pred, &fact.args, alpha, cx.terms);
        solver.assert(cx.terms, here)?;
        for part in goal.suffix(self.annotation, &fact.args, cx) {
            solver.assert(cx.terms, part.formula)?;
        }
        let sort = |arg: &Term| cx.terms.sort(*arg);
        let values: Option<Vec<Term>> = match solver.check(&[], cx)? {
            Answer::Unsat(_) => {
                self.stack.pop();
                return Ok(Next::On);
            }
            Answer::Unknown(_) => None,
            Answer::Sat(model) => {
                let value = |arg: &Term| model.value(cx.terms, *arg).map(|v| (v, sort(arg)));
                let values: Option<Vec<_>> = fact.args.iter().map(value).collect();
                let term = |(value, sort)| cx.terms.value_term(&value, sort);
                values.and_then(|v| v.into_iter().map(term).collect())
            }
        };
        match values {
            Some(values) => {
                let fixed = goal.fixed(&values, cx);
                self.stack.push(fixed);
                Ok(Next::On)
            }
            None => give_up,
        }
    }
}

/// Whether an answer is one that the search can use.
fn is_decided(found: &Found<Decision>) -> bool {
    !matches!(found, Found::Unknown(_) | Found::Sat(Decision::Unreadable))
}

/// A decision, with the subgoals that it derives to the end.
fn with_finished(
    mut decision: Decision,
    stack: &[Goal],
    rules: &Rules,
    model: &dyn Model,
    cx: &Cx<'_>,
) -> Decision {
    if let Decision::Goal(next, subgoals) = &mut decision {
        *subgoals = finished(stack, next, rules, model, cx);
    }
    decision
}
