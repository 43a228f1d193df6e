//! Linear clauses as one transition system.
//!
//! ```text
//! p(0)      ⇐ true                    init      loc = 0 ∧ x = 0
//! p(x + 1)  ⇐ p(x) ∧ x < 9            trans     loc = 0 ∧ x < 9 ∧ loc' = 0 ∧ x' = x + 1
//! q(x)      ⇐ p(x) ∧ x ≥ 9                    ∨ loc = 0 ∧ x ≥ 9 ∧ loc' = 1 ∧ x' = x
//! false     ⇐ q(x) ∧ x ≠ 9            property  loc = 1 ⇒ x = 9
//! ```
//!
//! [`LinearProgram`] decides symbols, locations and what is rigid; here its parts are put together:
//! init is the disjunction of the starts (and of the entry, if there is one), the transition relation
//! the disjunction of the rules, each renamed apart, and the property the conjunction of the goals.
//! With one location only there is no location variable.
//!
//! The way back, for an inductive invariant `Inv` with rigid parameters `π` that are no arguments of
//! the predicate `p` at location `i`:
//!
//! ```text
//! F_p(params)  =  ∀π. Inv[loc := i, slots of p := params, dead slots := defaults]
//! ```
//!
//! Every rule keeps the dead slots at their defaults and all parameters unchanged, hence consecution
//! of `Inv` is the contract of each clause; a query instantiates its own parameters. The same fact
//! without quantifiers is returned as a witness in which every `π` is a prophecy variable.
//!
//! A run is carried back by evaluating the parts: the start that holds in the first state, the rule
//! that holds between two states, the goal that is violated in the last one.
//!
//! A formula for each predicate cannot talk about several steps, so that an invariant with induction depth
//! above 1 is first made one of depth 1 ([`crate::induction`]).

mod cex;
mod proof;

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::{
    ChcProof, ChcSystem, Control, Derivation, Invariant, Pred, StateVar, Trace, TransitionSystem,
};
use foretell_terms::{Sort, Term, TermStore};

use crate::induction::in_one_step;
use crate::program::{LOCATION, LOCATION_NEXT, LinearProgram, Location, ProgramRule};
use crate::shared::facts::{Fact, within};

/// The name of the pass.
const NAME: &str = "single_loop";

/// The pass from linear clauses to a transition system.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct SingleLoop;

impl Pass for SingleLoop {
    type From = ChcSystem;
    type To = TransitionSystem;
    type Lift = SingleLoopLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(
        &self,
        from: &ChcSystem,
        cx: &Cx<'_>,
    ) -> Result<(TransitionSystem, SingleLoopLift), Halt> {
        let program = LinearProgram::new(from, cx)?;
        let location = (program.places.len() > 1).then(|| StateVar {
            cur: cx.terms.new_var(LOCATION, Sort::INT),
            next: cx.terms.new_var(LOCATION_NEXT, Sort::INT),
        });
        let lift = SingleLoopLift {
            system: from.clone(),
            program,
            location,
        };
        Ok((lift.transition_system(cx.terms), lift))
    }
}

/// The way back from the transition system.
pub(crate) struct SingleLoopLift {
    /// The clauses.
    system: ChcSystem,
    /// Their automaton.
    program: LinearProgram,
    /// The location variable; `None` when there is one location.
    location: Option<StateVar>,
}

impl SingleLoopLift {
    /// The automaton the system was made from.
    pub(crate) fn program(&self) -> &LinearProgram {
        &self.program
    }

    /// The original clauses.
    pub(crate) fn clauses(&self) -> &ChcSystem {
        &self.system
    }

    /// The location variable; `None` when there is one location.
    pub(crate) fn location(&self) -> Option<StateVar> {
        self.location
    }

    fn transition_system(&self, terms: &TermStore) -> TransitionSystem {
        let program = &self.program;
        let relations = program.rules.iter().map(|r| self.relation(r, terms));
        let trans = terms.or(relations.collect::<Vec<Term>>());
        let mut vars: Vec<StateVar> = self.location.into_iter().collect();
        vars.extend(&program.vars);
        let mut system = TransitionSystem::new(vars, self.init(terms), trans, self.property(terms));
        system.inputs = program
            .rules
            .iter()
            .flat_map(|r| r.inputs.iter().copied())
            .collect();
        system.params = program.params.clone();
        let names = || program.places.iter().map(|p| p.name.clone()).collect();
        system.guide.control = self.location.map(|v| Control {
            var: v.cur,
            names: names(),
        });
        system
    }

    /// One disjunct of the transition relation.
    fn relation(&self, rule: &ProgramRule, terms: &TermStore) -> Term {
        let at = self.at(rule.from, Time::Current, terms);
        let then = self.at(rule.to, Time::Next, terms);
        // One flat conjunction: engines look for equations among the conjuncts.
        terms.and(
            [at].into_iter()
                .chain(terms.conjuncts(rule.relation))
                .chain([then]),
        )
    }

    fn init(&self, terms: &TermStore) -> Term {
        let program = &self.program;
        let start = |at: Location, states: Term| {
            let here = self.at(at, Time::Current, terms);
            terms.and([here].into_iter().chain(terms.conjuncts(states)))
        };
        let defaults = program
            .vars
            .iter()
            .zip(&program.defaults)
            .map(|(v, &d)| terms.eq(v.cur, d));
        let entry = program.entry().map(|at| start(at, terms.and(defaults)));
        terms.or(program
            .starts
            .iter()
            .map(|s| start(s.at, s.states))
            .chain(entry))
    }

    fn property(&self, terms: &TermStore) -> Term {
        let holds = |at: Location, guard: Term| {
            terms.implies(self.at(at, Time::Current, terms), terms.not(guard))
        };
        terms.and(self.program.goals.iter().map(|g| holds(g.at, g.guard)))
    }

    /// Being at a location.
    fn at(&self, location: Location, time: Time, terms: &TermStore) -> Term {
        let Some(var) = self.location else {
            return terms.tt();
        };
        let symbol = match time {
            Time::Current => var.cur,
            Time::Next => var.next,
        };
        terms.eq(symbol, terms.int(location.0))
    }
}

/// Which end of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Time {
    Current,
    Next,
}

impl Translation for SingleLoopLift {
    type From = ChcSystem;
    type To = TransitionSystem;

    /// What a formula about states says at each location about the parameters alone.
    fn up(&self, fact: Term, cx: &Cx<'_>) -> Vec<Fact> {
        let at = |pred: Pred| {
            let params = &self.system.pred(pred).params;
            let here = self.located(pred, fact, cx.terms);
            Some((pred, within(cx.terms, here, params)?))
        };
        self.system.pred_ids().filter_map(at).collect()
    }

    /// A formula about the parameters of a predicate, at its location.
    fn down(&self, (pred, formula): Fact, cx: &Cx<'_>) -> Vec<Term> {
        let at = self.program.location(pred);
        let slots = self.program.places[at.index()].args.iter();
        let slots = slots.map(|&slot| self.program.current(slot));
        let params = self.system.pred(pred).params.iter().copied();
        let states = cx.terms.substitute(formula, params.zip(slots));
        let here = self.at(at, Time::Current, cx.terms);
        vec![cx.terms.implies(here, states)]
    }
}

impl Lift for SingleLoopLift {
    fn proof(&self, proof: Invariant, cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        let system = self.transition_system(cx.terms);
        let proof = in_one_step(&system, proof, cx)?.ok_or(Halt::NotLifted(NAME))?;
        Ok(proof::lift(self, &proof, cx.terms))
    }

    fn cex(&self, trace: Trace, cx: &Cx<'_>) -> Result<Derivation, Halt> {
        cex::lift(self, &trace, cx).ok_or(Halt::NotLifted(NAME))
    }
}

#[cfg(test)]
mod tests;
