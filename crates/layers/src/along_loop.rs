//! The running property: a goal that speaks of the end of a loop, in a form that holds along the loop.
//!
//! Idea: none of the papers; Mann et al., LMCS 18(3), 2022, section 6.1, assume the property in the
//! pre-state of steps, which is worth something only if it speaks of states inside the loop.
//!
//! ```text
//! goal        ¬(i ≥ n ∧ 0 ≤ z < n ∧ a[z] ≠ 0)                    E = (i ≥ n), the exit
//! running     ¬(0 ≤ z < n ∧ z < i ∧ a[z] ≠ 0)                    D = (z < i), by the monotone counter
//!
//! initial(S)     for each goal ¬K (a conjunct of P): an exit E ∈ K over state variables without cells;
//!                a bound D ∈ {z < i, z ≤ i, i < z, i ≤ z} with K ⊨ D, for a rigid z and a variable i of E
//!                P ← P with ¬(K \ {E} ∪ {D}) for ¬K,   if I satisfies it
//! refine(π)      π violates P?  genuine;  else P is the goal again
//! lift(Inv)      Inv, closed over its auxiliary variables
//! ```
//!
//! The running property implies the goal, since `K ⊨ D`. So a proof of it is a proof of the goal, and a
//! counterexample to it that does not violate the goal says only that it was guessed wrongly: then it is
//! dropped. An invariant with auxiliary variables may need the running property in the pre-state, which a
//! certificate of the goal does not offer; `∀π ∃η … Inv` implies it (see
//! [`foretell_systems::auxiliary`]), hence the closure.
//!
//! Off by default: on the developer files it proved nothing that was not proved without it, and the
//! stronger goal asks for invariants of the first of two loops that the goal itself does not need.
//!
//! Limits: integer counters; one exit per goal; goals that are met at a location without counter stay.

use foretell_formulas::{Quantifier, close_as};
use foretell_kernel::{
    Abstraction, Answer, Cx, Event, Halt, Reason, Refinement, Solver, SolverConfig, Translation,
    options,
};
use foretell_systems::{Auxiliary, Invariant, Trace, TransitionSystem};
use foretell_terms::eval::Assignment;
use foretell_terms::{Op, Sort, Term, TermSet, TermStore};

options! {
    /// Options of the running property.
    pub struct RunningOptions("running") {
        /// Whether a goal about the end of a loop is first tried in a form that holds along the loop.
        enabled: bool = false;
        /// Goals with more conjuncts than this are left alone.
        conjuncts: usize = 24, 0..=10_000;
        /// At most so many counters and rigid indices are compared with each other in a goal.
        pairs: usize = 12, 0..=1_000;
    }
}

/// The layer that tries the running property first.
pub struct Running {
    options: RunningOptions,
    /// Whether the property is the running one at present.
    stronger: bool,
}

impl Running {
    /// A layer with these options.
    pub fn new(options: RunningOptions) -> Running {
        Running {
            options,
            stronger: false,
        }
    }

    /// The property with each goal in its running form, where it has one.
    fn property(&self, system: &TransitionSystem, cx: &Cx<'_>) -> Result<Term, Halt> {
        let terms = cx.terms;
        let mut conjuncts = Vec::new();
        for goal in terms.conjuncts(system.property) {
            let violated = terms.conjuncts(terms.not(goal));
            let running = match violated.len() <= self.options.conjuncts {
                true => self.running(system, &violated, cx)?,
                false => None,
            };
            conjuncts.push(running.map_or(goal, |all| terms.not(terms.and(all))));
        }
        Ok(terms.and(conjuncts))
    }

    /// A goal without its exit, its rigid index bounded by a counter instead.
    fn running(
        &self,
        system: &TransitionSystem,
        violated: &[Term],
        cx: &Cx<'_>,
    ) -> Result<Option<Vec<Term>>, Halt> {
        let terms = cx.terms;
        let mut solver = cx.oracles.solver(&SolverConfig::new("running-property"));
        for &conjunct in violated {
            solver.assert(terms, conjunct)?;
        }
        for (at, &exit) in violated.iter().enumerate() {
            let Some(counters) = counters(system, exit, terms) else {
                continue;
            };
            let rest = [&violated[..at], &violated[at + 1..]].concat();
            let indices: Vec<Term> = rigid_indices(system, &rest, terms).collect();
            let pairs = indices
                .iter()
                .flat_map(|&z| counters.iter().map(move |&i| (z, i)));
            for (z, i) in pairs.take(self.options.pairs) {
                let bounds = [
                    terms.lt(z, i),
                    terms.lt(i, z),
                    terms.le(z, i),
                    terms.le(i, z),
                ];
                for bound in bounds.into_iter().filter(|b| !rest.contains(b)) {
                    if !refuted(solver.as_mut(), terms.not(bound), cx)? {
                        continue;
                    }
                    let running = [rest.as_slice(), &[bound]].concat();
                    if excludes(system.init, &running, cx)? {
                        return Ok(Some(running));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// The integer state variables of an exit: a comparison of numbers without cells.
fn counters(system: &TransitionSystem, exit: Term, terms: &TermStore) -> Option<Vec<Term>> {
    let (atom, _) = terms.strip_not(exit);
    let compares = matches!(terms.op(atom), Op::Le | Op::Eq)
        && terms.sort(terms.args(atom)[0]) == Sort::INT
        && !terms.any_subterm(atom, |_, t| matches!(terms.op(t), Op::Select));
    let location = system.guide.control.as_ref().map(|c| c.var);
    let state: TermSet = system.current().into_iter().collect();
    let is_counter =
        |v: &Term| state.contains(v) && Some(*v) != location && terms.sort(*v) == Sort::INT;
    let counters: Vec<Term> = terms
        .free_vars(&[atom])
        .into_iter()
        .filter(is_counter)
        .collect();
    (compares && !counters.is_empty()).then_some(counters)
}

/// Integer parameters that occur in an index of a cell.
fn rigid_indices<'a>(
    system: &'a TransitionSystem,
    conjuncts: &[Term],
    terms: &'a TermStore,
) -> impl Iterator<Item = Term> + 'a {
    let reads = terms
        .subterms(conjuncts)
        .into_iter()
        .filter(|&t| *terms.op(t) == Op::Select);
    let indices: Vec<Term> = reads
        .flat_map(|read| terms.args(read)[1..].to_vec())
        .collect();
    let symbols = terms.free_vars(&indices).into_iter();
    symbols.filter(move |v| system.params.contains(v) && terms.sort(*v) == Sort::INT)
}

/// Whether the solver's assertions contradict a formula; undecided counts as no.
fn refuted(solver: &mut dyn Solver, formula: Term, cx: &Cx<'_>) -> Result<bool, Halt> {
    solver.push();
    solver.assert(cx.terms, formula)?;
    let answer = solver.check(&[], cx)?;
    let unsat = matches!(answer, Answer::Unsat(_));
    drop(answer);
    solver.pop();
    Ok(unsat)
}

/// Whether no initial state satisfies all of the conjuncts.
fn excludes(init: Term, conjuncts: &[Term], cx: &Cx<'_>) -> Result<bool, Halt> {
    let mut solver = cx.oracles.solver(&SolverConfig::new("running-property"));
    for &formula in [init].iter().chain(conjuncts) {
        solver.assert(cx.terms, formula)?;
    }
    let answer = solver.check(&[], cx)?;
    Ok(matches!(answer, Answer::Unsat(_)))
}

/// The values of parameters and of the last state.
fn last_state(cex: &Trace) -> Assignment {
    let mut all = cex.rigid.clone();
    for (&symbol, value) in cex
        .steps
        .iter()
        .rev()
        .take(1)
        .flat_map(|step| &step.state.values)
    {
        all.insert(symbol, value.clone());
    }
    all
}

impl Translation for Running {
    type From = TransitionSystem;
    type To = TransitionSystem;

    fn up(&self, fact: Term, _cx: &Cx<'_>) -> Vec<Term> {
        vec![fact]
    }

    fn down(&self, fact: Term, _cx: &Cx<'_>) -> Vec<Term> {
        vec![fact]
    }
}

impl Abstraction for Running {
    fn initial(
        &mut self,
        concrete: &TransitionSystem,
        cx: &Cx<'_>,
    ) -> Result<TransitionSystem, Halt> {
        self.stronger = false;
        let mut system = concrete.clone();
        if !self.options.enabled || cx.terms.has_quantifier(concrete.property) {
            return Ok(system);
        }
        system.property = self.property(concrete, cx)?;
        self.stronger = system.property != concrete.property;
        if self.stronger {
            let words = format!(
                "along the loop it is shown that `{}`",
                cx.terms.print(system.property)
            );
            cx.events.emit(Event::Explain(&words));
        }
        Ok(system)
    }

    fn refine(
        &mut self,
        concrete: &TransitionSystem,
        system: &mut TransitionSystem,
        cex: &Trace,
        cx: &Cx<'_>,
    ) -> Result<Refinement<Trace>, Halt> {
        match cx.terms.eval_bool(concrete.property, &last_state(cex)) {
            Ok(false) => return Ok(Refinement::Genuine(cex.clone())),
            Ok(true) | Err(_) if self.stronger => {}
            Ok(true) => {
                let words = "the counterexample does not violate the property";
                return Ok(Refinement::GaveUp(Reason::Certificate(words.into())));
            }
            // What evaluation leaves open is judged by whoever replays the counterexample.
            Err(_) => return Ok(Refinement::Genuine(cex.clone())),
        }
        self.stronger = false;
        cx.events.emit(Event::Explain(
            "the property does not hold along the loop; only its end matters",
        ));
        *system = concrete.clone();
        Ok(Refinement::Refined)
    }

    fn lift(&self, proof: Invariant, cx: &Cx<'_>) -> Result<Invariant, Halt> {
        if !self.stronger || proof.auxiliaries.is_empty() {
            return Ok(proof);
        }
        let mut closed = proof.formula;
        for auxiliary in proof.auxiliaries.iter().rev() {
            let quantifier = match auxiliary {
                Auxiliary::Prophecy { .. } => Quantifier::Forall,
                Auxiliary::History { .. } => Quantifier::Exists,
            };
            closed = close_as(cx.terms, "k", quantifier, &[auxiliary.var()], closed);
        }
        Ok(Invariant::inductive(closed))
    }
}

#[cfg(test)]
mod tests;
