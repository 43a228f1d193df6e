//! Lazy annotation: conflict-driven search for a derivation of `false` over Horn clauses.
//!
//! McMillan, "Lazy Annotation Revisited", CAV 2014, figure 1 and section 4, with the convergence of "Lazy
//! Annotation for Program Testing and Verification", CAV 2010.
//!
//! ```text
//! check(S)                                                   // fn check
//!   for k = 0, 1, …                                          α(P, i) over-approximates the facts of height ≤ i
//!     search(false at level k+1)                             // search.rs
//!     a derivation: Unsafe
//!     propagate, houdini: an inductive α: Safe               // converge.rs
//!
//! search(G)                                                  // search.rs: the stack holds the goals
//!   P(x) at level i ← a fact of G; suff ← the rest
//!   while F_{P,i}(x) ∧ suff has a model                      F: some rule of P, its body under α(·, i−1)
//!     D ← the rule the model chose, its atoms decided        // goal.rs, fn decide
//!     no fact left: a derivation
//!     search(suff ∪ body ∪ D)
//!   α(P, i) ← α(P, i) ∧ generalize(Itp(F_{P,i}(x), suff))    // learn.rs, sample.rs, states.rs
//! ```
//!
//! Invariant: α is only strengthened by what F implies, so it stays a model of the rules whatever the
//! order of the search is. The parts that change the order (scores, back-jumping, eager propagation,
//! fixed states) cannot make an answer wrong: the bound counts as searched only when the goal `false`
//! itself, with α in place of the facts, is unsatisfiable.
//!
//! Deviations. (1) The unwinding is by height unless `unwinding` says otherwise: `P` at level i stands for
//! derivations of height ≤ i, so a lemma of a level holds at all lower ones, as in PDR. The graph has a node
//! for each predicate and depth, not for each call. (2) The rules of a head are one
//! query, and by default one interpolant (`per_rule`). (3) Variables that equations define are eliminated
//! from goals, and a conflict over truth values and constants alone is learnt as it is (`direct`).
//! (4) Clauses are generalised by relative induction, which the paper leaves as a question. (5) Decisions
//! are implicants by default (`decisions`). (6) What was derived once is used again (`reached`, reached.rs).
//!
//! Limits: interpolants are quantifier-free, so array programs that need quantified invariants are not
//! proved here. A query that is not decided is asked again, of another solver and rule by rule, and then of
//! one state; only if that is undecided too, or if a derivation cannot be read, the run ends.

mod annotation;
mod converge;
mod derivation;
mod finished;
mod goal;
mod learn;
mod options;
mod reached;
mod rules;
mod sample;
mod scores;
mod search;
mod states;
#[cfg(test)]
mod tests;
mod tree;

use foretell_kernel::{
    Cx, Engine, Event, Halt, Peers, Reason, SolverConfig, Unsupported, Verdict, Work,
};
use foretell_systems::{ChcSystem, Pred};

pub use options::LazyAnnotationOptions;

use annotation::Annotation;
use learn::Learner;
use reached::Facts;
use rules::{Head, Rules};
use scores::Scores;
use search::{Outcome, Search};

/// Lazy annotation over clause systems.
#[derive(Default)]
pub struct LazyAnnotation {
    options: LazyAnnotationOptions,
}

impl LazyAnnotation {
    /// The engine with these options.
    pub fn new(options: LazyAnnotationOptions) -> LazyAnnotation {
        LazyAnnotation { options }
    }
}

impl Engine<ChcSystem> for LazyAnnotation {
    fn name(&self) -> &'static str {
        "lazy_annotation"
    }

    fn accepts(&self, system: &ChcSystem, cx: &Cx<'_>) -> Result<(), Unsupported> {
        let quantified = |c: &foretell_systems::Clause| cx.terms.has_quantifier(c.constraint);
        match system.clauses.iter().any(quantified) {
            true => Err(Unsupported("quantified constraint".into())),
            false => Ok(()),
        }
    }

    fn check(
        &mut self,
        system: &ChcSystem,
        peers: &dyn Peers<ChcSystem>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<ChcSystem>, Halt> {
        let mut heads = Heads::new(system, &self.options, cx)?;
        let mut annotation = Annotation::new(system, self.options.unwound());
        let mut learner = Learner::new(self.options.clone(), cx);
        let mut scores = Scores::new(system);
        let config = Heads::config("lazy_annotation-reached", system, &self.options, cx);
        let mut facts = Facts::new(system, &config, self.options.reached, cx);
        for bound in 0..=self.options.max_bound {
            if self.options.lemmas
                && let Some(proof) = converge::take_offers(&mut annotation, &mut heads, peers, cx)?
            {
                return Ok(Verdict::Safe(proof));
            }
            let search = Search {
                system,
                annotation: &mut annotation,
                heads: &mut heads,
                learner: &mut learner,
                scores: &mut scores,
                facts: &mut facts,
                options: &self.options,
                bound,
                stack: Vec::new(),
                peers,
            };
            match search.run(cx)? {
                Outcome::Derivation(derivation) => return Ok(Verdict::Unsafe(derivation)),
                Outcome::GaveUp(why) => return Ok(Verdict::Unknown(why)),
                Outcome::Unsat => cx.events.emit(Event::Bound(bound)),
            }
            peers.tell(annotation.news(), cx);
            if let Some(proof) = converge::propagate(&mut annotation, &mut heads, bound, cx)? {
                return Ok(Verdict::Safe(proof));
            }
            if self.options.houdini
                && let Some(proof) = converge::houdini(&annotation, &mut heads, cx)?
            {
                return Ok(Verdict::Safe(proof));
            }
        }
        Ok(Verdict::Unknown(Reason::BoundReached(
            self.options.max_bound,
        )))
    }
}

/// The rules of every predicate, and of `false`.
struct Heads {
    of_preds: Vec<Head>,
    of_false: Head,
    /// How a solver for one query about goals is made.
    config: SolverConfig,
}

impl Heads {
    /// How a solver for queries about the rules is made.
    fn config(
        purpose: &'static str,
        system: &ChcSystem,
        options: &LazyAnnotationOptions,
        cx: &Cx<'_>,
    ) -> SolverConfig {
        SolverConfig::new(purpose)
            .quantifier_free()
            .with_logic(cx.terms.logic(&system.formulas()))
            .with_limit(Work::of_millis(options.query_ms))
    }

    fn new(
        system: &ChcSystem,
        options: &LazyAnnotationOptions,
        cx: &Cx<'_>,
    ) -> Result<Heads, Halt> {
        let config = Heads::config("lazy_annotation", system, options, cx);
        let of_preds = system
            .pred_ids()
            .map(|p| Head::new(system, Some(p), &config, cx));
        let of_preds = of_preds.collect::<Result<Vec<Head>, Halt>>()?;
        Ok(Heads {
            of_preds,
            of_false: Head::new(system, None, &config, cx)?,
            config,
        })
    }

    fn of(&mut self, pred: Option<Pred>) -> &mut Head {
        match pred {
            Some(pred) => &mut self.of_preds[pred.index()],
            None => &mut self.of_false,
        }
    }

    /// Whether no rule has several body atoms.
    fn are_linear(&self) -> bool {
        let heads = self.of_preds.iter().chain([&self.of_false]);
        let mut rules = heads.flat_map(|h| &h.rules.list);
        rules.all(|r| r.body.len() <= 1)
    }

    fn rules(&self, pred: Option<Pred>) -> &Rules {
        match pred {
            Some(pred) => &self.of_preds[pred.index()].rules,
            None => &self.of_false.rules,
        }
    }
}
