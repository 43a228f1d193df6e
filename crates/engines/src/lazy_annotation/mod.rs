//! Lazy annotation: conflict-driven search for a derivation of `false` over Horn clauses.
//!
//! McMillan, "Lazy Annotation Revisited", CAV 2014, figure 1, with the convergence of "Lazy Annotation
//! for Program Testing and Verification", CAV 2010.
//!
//! ```text
//! check(S)                                                   // fn check
//!   for k = 0, 1, …                                          α(P, i) over-approximates the facts of height ≤ i
//!     search(false at level k+1)                             // fn search
//!     a derivation: Unsafe
//!     propagate, houdini: an inductive α: Safe               // converge.rs
//!
//! search(G)                                                  // the stack of `search` holds the goals
//!   P(x) at level i ← a fact of G; suff ← the rest
//!   while F_{P,i}(x) ∧ suff has a model                      F: some rule of P, its body under α(·, i−1)
//!     D ← the rule the model chose, its atoms decided        // goal.rs, fn decide
//!     no fact left: a derivation
//!     search(suff ∪ body ∪ D)
//!   α(P, i) ← α(P, i) ∧ generalize(Itp(F_{P,i}(x), suff))    // learn.rs
//! ```
//!
//! Deviations. (1) The unwinding is by height, not by a graph: `P` at level i stands for derivations of
//! height ≤ i, so a lemma of a level holds at all lower ones, as in PDR. (2) The rules of a head are one
//! disjunction with one interpolant, not one interpolant each. (3) Variables that equations define are
//! eliminated from goals, and a conflict over truth values and constants alone is learnt as it is. (4) Clauses are generalised by relative
//! induction, which the paper leaves as a question. (5) No back-jumping, no relevance scores.
//!
//! Limits: interpolants are quantifier-free, so array programs that need quantified invariants are not
//! proved here; a query the solver cannot decide, or an interpolant that is not found, ends the run.

mod annotation;
mod converge;
mod goal;
mod learn;
mod options;
mod rules;
#[cfg(test)]
mod tests;

use foretell_kernel::{
    Answer, Cx, Engine, Event, Halt, Model, Peers, Reason, SolverConfig, Unsupported, Verdict, Work,
};
use foretell_systems::{ChcSystem, Derivation, Pred};
use foretell_terms::Term;
use foretell_terms::eval::Assignment;

pub use options::LazyAnnotationOptions;

use annotation::Annotation;
use goal::{Decision, Goal, Resolved};
use learn::Learner;
use rules::{Assumed, Found, Head, Rules};

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
        let mut annotation = Annotation::new(system);
        let mut learner = Learner::new(self.options.clone(), cx);
        for bound in 0..=self.options.max_bound {
            match search(system, &mut annotation, &mut heads, &mut learner, bound, cx)? {
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
}

impl Heads {
    fn new(
        system: &ChcSystem,
        options: &LazyAnnotationOptions,
        cx: &Cx<'_>,
    ) -> Result<Heads, Halt> {
        let config = SolverConfig::new("lazy_annotation")
            .quantifier_free()
            .with_logic(cx.terms.logic(&system.formulas()))
            .with_limit(Work::of_millis(options.query_ms));
        let of_preds = system
            .pred_ids()
            .map(|p| Head::new(system, Some(p), &config, cx));
        let of_preds = of_preds.collect::<Result<Vec<Head>, Halt>>()?;
        Ok(Heads {
            of_preds,
            of_false: Head::new(system, None, &config, cx)?,
        })
    }

    fn of(&mut self, pred: Option<Pred>) -> &mut Head {
        match pred {
            Some(pred) => &mut self.of_preds[pred.index()],
            None => &mut self.of_false,
        }
    }
}

/// What a bounded search came to.
enum Outcome {
    Derivation(Derivation),
    /// α(·, bound) excludes `false`.
    Unsat,
    GaveUp(Reason),
}

/// Searches for a derivation of `false` whose body atoms have height ≤ `bound`.
fn search(
    system: &ChcSystem,
    annotation: &mut Annotation,
    heads: &mut Heads,
    learner: &mut Learner,
    bound: u32,
    cx: &Cx<'_>,
) -> Result<Outcome, Halt> {
    let mut stack = vec![Goal::start(bound)];
    while let Some(goal) = stack.last() {
        cx.budget.check()?;
        let fact = goal.next();
        cx.events
            .emit(Event::Obligation(fact.level, &goal.constraints));
        match resolve(annotation, heads.of(fact.pred), goal, cx)? {
            Found::Sat(Decision::Goal(next)) => stack.push(next),
            Found::Sat(Decision::Closed(last, constraints)) => {
                return close(system, &stack, &last, &constraints, cx);
            }
            Found::Sat(Decision::Unreadable) => {
                return Ok(Outcome::GaveUp(Reason::SolverUnknown(
                    "a model without values".into(),
                )));
            }
            Found::Unsat(core) => {
                let head = heads.of(fact.pred);
                if let Some(why) = learner.learn(annotation, head, goal, (&core, bound), cx)? {
                    return Ok(Outcome::GaveUp(why));
                }
                stack.pop();
            }
            Found::Unknown(words) => return Ok(Outcome::GaveUp(Reason::SolverUnknown(words))),
        }
    }
    Ok(Outcome::Unsat)
}

/// Is `F_{P,i}(x) ∧ suff` satisfiable for the next fact `P(x)` of a goal? If so, decides.
fn resolve(
    annotation: &Annotation,
    head: &mut Head,
    goal: &Goal,
    cx: &Cx<'_>,
) -> Result<Found<Decision>, Halt> {
    let fact = goal.next();
    let suffix = goal.suffix(annotation, &head.rules.params, cx);
    let assumed = Assumed::Level(fact.level - 1);
    let decide = |rules: &Rules, model: &dyn Model| goal.decide(rules, model, cx);
    head.query(annotation, &assumed, &suffix, decide, cx)
}

/// A goal without facts: its constraints have a model, which is read as a derivation.
fn close(
    system: &ChcSystem,
    stack: &[Goal],
    last: &Resolved,
    constraints: &[Term],
    cx: &Cx<'_>,
) -> Result<Outcome, Halt> {
    let mut solver = cx
        .oracles
        .solver(&SolverConfig::new("lazy_annotation-derivation"));
    for &part in constraints {
        solver.assert(cx.terms, part)?;
    }
    let mut roots = goal::symbols(stack, last);
    roots.extend(constraints);
    let assignment: Option<Assignment> = match solver.check(&[], cx)? {
        Answer::Sat(model) => model.assignment(cx.terms, &roots),
        Answer::Unsat(_) => {
            return Ok(Outcome::GaveUp(Reason::SolverUnknown(
                "two solvers disagree".into(),
            )));
        }
        Answer::Unknown(words) => return Ok(Outcome::GaveUp(Reason::SolverUnknown(words))),
    };
    let Some(assignment) = assignment else {
        return Ok(Outcome::GaveUp(Reason::SolverUnknown(
            "a model without values".into(),
        )));
    };
    Ok(Outcome::Derivation(goal::derivation(
        system,
        stack,
        last,
        &assignment,
        cx,
    )?))
}
