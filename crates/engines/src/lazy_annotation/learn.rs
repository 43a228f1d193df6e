//! Learning from a conflict: an interpolant of the prefix and the suffix, made general.
//!
//! ```text
//! learn(P, i, core)                                        F_{P,i}(x) ∧ core unsatisfiable, core ⊆ suff(G)
//!   I ← ⋁_rules Itp(rule, its core), or Itp(F_{P,i}(x), core)        // fn interpolant
//!   I missing, or no set of short clauses: I ← sampled(F_{P,i}(x), core)   // sample.rs
//!   still missing: exclude states of the core one by one             // states.rs
//!   for each conjunct ⋁ l_j of I                                     // fn keep
//!     drop l_j while F_{P,i}, with the rest assumed of its own body atoms, implies the rest
//!     α(P, i) ← α(P, i) ∧ the rest;  raise its level while F_{P,i+1} implies it
//! ```
//!
//! Invariant kept by every way of learning: what is added to α(P, i) is implied by F_{P,i} under α(·, i−1).
//! Interpolants are implied by their prefix, a disjunction of them by the disjunction of the prefixes;
//! generalised clauses and excluded states are shown to be implied by a query.

use foretell_kernel::{
    Budget, Cx, Event, Halt, Interpolation, Interpolator, PartTree, SolverConfig, StopReason,
    Strength, Work,
};
use foretell_systems::Pred;
use foretell_terms::{Op, Term, TermStore};

use super::annotation::Annotation;
use super::options::LazyAnnotationOptions;
use super::rules::{Allowed, Asked, Assumed, Found, Head, Query};

/// The most clauses a disjunction of conjunctions is multiplied out into.
const MOST_CLAUSES: usize = 32;
/// A clause with more literals is not short.
const SHORT: usize = 4;
/// Implicants that are sampled when there is no other interpolant.
const LAST_SAMPLES: u32 = 8;

/// Computes what to learn.
pub(super) struct Learner {
    itp: Box<dyn Interpolator>,
    pub(super) options: LazyAnnotationOptions,
}

/// The predicate and level that a conflict is about, and the bound of the search.
#[derive(Clone, Copy)]
pub(super) struct Site {
    pub(super) pred: Pred,
    pub(super) level: u32,
    pub(super) bound: u32,
    pub(super) numbers: Numbers,
}

/// Where the numbers of a conflict come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// From the rules.
    Rules,
    /// Also from states that were decided: one of many, to be learnt more from.
    States,
}

/// What learning from a conflict came to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Learnt {
    /// α(P, i) excludes the core.
    Refuted,
    /// The core is unsatisfiable by itself: nothing about P was needed.
    Beside,
    /// α(P, i) excludes some states of the core.
    Weaker,
    /// Nothing could be learnt.
    Nothing,
}

impl Learner {
    pub(super) fn new(options: LazyAnnotationOptions, cx: &Cx<'_>) -> Learner {
        let strength = if options.weak {
            Strength::Weak
        } else {
            Strength::Strong
        };
        Learner {
            itp: cx.oracles.interpolator(strength),
            options,
        }
    }

    /// How a solver that helps to learn is made.
    pub(super) fn config(&self, purpose: &'static str) -> SolverConfig {
        SolverConfig::new(purpose).with_limit(Work::of_millis(self.options.query_ms))
    }

    /// Strengthens α(P, i) so that it excludes the core, or at least some of its states.
    ///
    /// Requires: `F_{P,i} ∧ core` is unsatisfiable.
    pub(super) fn learn(
        &mut self,
        annotation: &mut Annotation,
        head: &mut Head,
        site: Site,
        core: &[Term],
        cx: &Cx<'_>,
    ) -> Result<Learnt, Halt> {
        if self.is_control(core, head, site, cx) {
            let lemma = cx.terms.not(cx.terms.and(core.iter().copied()));
            self.keep(annotation, head, site, lemma, cx)?;
            return Ok(Learnt::Refuted);
        }
        let states = self.options.states;
        let found = if states < 2 {
            self.interpolant(annotation, head, site, core, cx)?
        } else {
            None
        };
        let simple = |itp: &Term| states == 0 || !is_complex(*itp, cx.terms);
        if !found.as_ref().is_some_and(simple) {
            let learnt = self.exclude(annotation, head, site, core, cx)?;
            if learnt != Learnt::Nothing {
                return Ok(learnt);
            }
        }
        match found {
            Some(itp) if cx.terms.is_true(itp) => Ok(Learnt::Beside),
            Some(itp) => {
                self.keep(annotation, head, site, itp, cx)?;
                Ok(Learnt::Refuted)
            }
            None => Ok(Learnt::Nothing),
        }
    }

    /// Adds what F_{P,i} implies to α(P, i), clause by clause, made general.
    pub(super) fn keep(
        &self,
        annotation: &mut Annotation,
        head: &mut Head,
        site: Site,
        learnt: Term,
        cx: &Cx<'_>,
    ) -> Result<(), Halt> {
        for clause in cx.terms.conjuncts(learnt) {
            let clause = self.generalize(annotation, head, (site.pred, clause), site.level, cx)?;
            let claim = (site.pred, clause);
            let mut level = site.level;
            let most = if self.options.push { site.bound } else { level };
            while level < most && head.implies(annotation, claim, level + 1, cx)? {
                level += 1;
            }
            annotation.add_at(site.pred, clause, (site.level, level), cx.terms);
            cx.events.emit(Event::Lemma(level, clause));
        }
        Ok(())
    }

    /// An interpolant of F_{P,i} and the core, if one is found.
    fn interpolant(
        &mut self,
        annotation: &Annotation,
        head: &mut Head,
        site: Site,
        core: &[Term],
        cx: &Cx<'_>,
    ) -> Result<Option<Term>, Halt> {
        let suffix = cx.terms.and(core.iter().copied());
        let prefix = head.formula(annotation, site.level, cx);
        let found = if self.options.per_rule && head.rules.list.len() > 1 {
            self.per_rule(annotation, head, site, core, cx)?
        } else {
            self.between(prefix, suffix, cx)?
        };
        let samples = match found {
            Some(itp) if !is_complex(itp, cx.terms) => return Ok(found),
            Some(_) => self.options.samples,
            None => self.options.samples.max(LAST_SAMPLES),
        };
        if samples == 0 {
            return Ok(found);
        }
        Ok(self.sampled(prefix, suffix, samples, cx)?.or(found))
    }

    /// One interpolant for each rule (figure 1): their disjunction is one for all.
    fn per_rule(
        &mut self,
        annotation: &Annotation,
        head: &mut Head,
        site: Site,
        core: &[Term],
        cx: &Cx<'_>,
    ) -> Result<Option<Term>, Halt> {
        let mut cases = Vec::new();
        for rule in 0..head.rules.list.len() {
            let prefix = head.one(annotation, rule, site.level, cx);
            if cx.terms.is_false(prefix) {
                continue;
            }
            let only = [rule];
            let query = Query {
                assumed: Assumed::Level(site.level - 1),
                allowed: Allowed::Only(&only),
                extra: core,
            };
            let found = head.query(annotation, &query, Asked::Incremental, |_, _| (), cx)?;
            let suffix = match found {
                Found::Unsat(used) => cx.terms.and(used.into_iter().map(|u| core[u])),
                Found::Sat(()) | Found::Unknown(_) => cx.terms.and(core.iter().copied()),
            };
            match self.between(prefix, suffix, cx)? {
                Some(case) => cases.push(case),
                None => return Ok(None),
            }
        }
        Ok(Some(clauses(&cases, cx.terms)))
    }

    /// An interpolant of two formulas; `None` when none is found in time.
    pub(super) fn between(
        &mut self,
        prefix: Term,
        suffix: Term,
        cx: &Cx<'_>,
    ) -> Result<Option<Term>, Halt> {
        let slice = self.slice(cx);
        let answer = self
            .itp
            .sequence(&[prefix, suffix], &cx.with_budget(&slice));
        Ok(found(answer, cx)?.and_then(|itps| itps.first().copied()))
    }

    /// Interpolants of a tree, one for each node but the root; `None` when none are found in time.
    pub(super) fn of_tree(
        &mut self,
        tree: &PartTree,
        cx: &Cx<'_>,
    ) -> Result<Option<Vec<Term>>, Halt> {
        let slice = self.slice(cx);
        let answer = self.itp.tree(tree, &cx.with_budget(&slice));
        found(answer, cx)
    }

    fn slice(&self, cx: &Cx<'_>) -> Budget {
        let work = Work::of_millis(self.options.interpolation_ms);
        cx.budget.slice(work)
    }

    /// Whether a core speaks of the parameters alone, and only of truth values and of equality with
    /// numerals of the rules: then its negation is an interpolant. One from a proof may be more general about
    /// numbers; for control it seldom is, and it costs more than the conflict itself.
    fn is_control(&self, core: &[Term], head: &Head, site: Site, cx: &Cx<'_>) -> bool {
        let terms = cx.terms;
        let flat = |literal: &Term| match terms.op(terms.strip_not(*literal).0) {
            Op::Eq if site.numbers == Numbers::Rules => terms
                .args(terms.strip_not(*literal).0)
                .iter()
                .any(|&a| terms.is_numeral(a)),
            _ => terms.as_var(terms.strip_not(*literal).0).is_some(),
        };
        self.options.direct
            && core.iter().all(flat)
            && terms
                .free_vars(core)
                .iter()
                .all(|v| head.rules.params.contains(v))
    }

    /// Drops disjuncts as long as the clause stays inductive relative to α (§4, interpolant
    /// generalization).
    fn generalize(
        &self,
        annotation: &Annotation,
        head: &mut Head,
        (pred, clause): (Pred, Term),
        level: u32,
        cx: &Cx<'_>,
    ) -> Result<Term, Halt> {
        let mut literals = cx.terms.disjuncts(clause);
        if !self.options.generalize || literals.len() < 2 {
            return Ok(clause);
        }
        let mut position = 0;
        while position < literals.len() && literals.len() > 1 {
            let mut fewer = literals.clone();
            fewer.remove(position);
            let candidate = cx.terms.or(fewer.iter().copied());
            if head.implies(annotation, (pred, candidate), level, cx)? {
                literals = fewer;
            } else {
                position += 1;
            }
        }
        Ok(cx.terms.or(literals))
    }
}

/// The interpolants of an answer. A part of the budget that is used up is no end of the run.
fn found(answer: Result<Interpolation, Halt>, cx: &Cx<'_>) -> Result<Option<Vec<Term>>, Halt> {
    match answer {
        Ok(Interpolation::Interpolants(itps)) => Ok(Some(itps)),
        Ok(Interpolation::Satisfiable(_) | Interpolation::Unknown(_)) => Ok(None),
        Err(Halt::Stopped(StopReason::Time)) => {
            cx.budget.check()?;
            Ok(None)
        }
        Err(halt) => Err(halt),
    }
}

/// Whether a formula is no conjunction of short clauses.
fn is_complex(formula: Term, terms: &TermStore) -> bool {
    terms.conjuncts(formula).into_iter().any(|clause| {
        let literals = terms.disjuncts(clause);
        literals.len() > SHORT
            || !literals
                .iter()
                .all(|&l| terms.is_atom(terms.strip_not(l).0))
    })
}

/// The disjunction of these formulas, as clauses if they are few.
pub(super) fn clauses(cases: &[Term], terms: &TermStore) -> Term {
    let lists: Vec<Vec<Term>> = cases.iter().map(|&c| terms.conjuncts(c)).collect();
    let few = |n: &usize| *n <= MOST_CLAUSES;
    let size = lists
        .iter()
        .try_fold(1usize, |n, list| n.checked_mul(list.len()).filter(few));
    if size.is_none() {
        return terms.or(cases.iter().copied());
    }
    let mut sum = vec![terms.ff()];
    for list in lists {
        let longer = sum
            .iter()
            .flat_map(|&s| list.iter().map(move |&c| terms.or([s, c])));
        sum = longer.collect();
    }
    terms.and(sum)
}
