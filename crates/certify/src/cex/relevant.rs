//! Values of a run that do not matter.
//!
//! A value is left out when the replay says the same without it. Evaluation promises that a defined
//! result holds for every value of what is undefined, so a run that is accepted without the value
//! of an input is a run whatever that input is.
//!
//! ```text
//! for every step: leave out blocks of inputs, halves first, while T stays true
//! ```
//!
//! Limits: inputs only (a state without a value concerns two steps), and so many evaluations of the
//! transition relation as [`MOST_NODES`] allows. What is left then stays.

use foretell_systems::{Trace, TransitionSystem};
use foretell_terms::{Term, TermStore};

use super::replay::{joined, restricted, step_values};
use crate::proof::minimise::shrink;

/// Nodes of the transition relation evaluated for one run.
const MOST_NODES: usize = 20_000_000;

/// The run without the values of inputs that no step depends on.
pub fn without_irrelevant_inputs(
    terms: &TermStore,
    system: &TransitionSystem,
    trace: &Trace,
) -> Trace {
    let mut short = trace.clone();
    let size = terms.subterms(&[system.trans]).len().max(1);
    let trials = MOST_NODES / size / trace.steps.len().max(1);
    let current = system.current();
    for i in 1..trace.steps.len() {
        let now = joined(
            &trace.rigid,
            restricted(&trace.steps[i - 1].state, &current),
        );
        let values = step_values(system, &now, &trace.steps[i].state);
        let inputs = &trace.steps[i - 1].inputs;
        let mut holds = |kept: &[Term]| {
            let values = joined(&values, restricted(inputs, kept));
            terms.eval_bool(system.trans, &values) == Ok(true)
        };
        if holds(&system.inputs) {
            let kept = shrink(system.inputs.clone(), trials, &mut holds);
            short.steps[i - 1].inputs = restricted(inputs, &kept);
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::without_irrelevant_inputs;
    use crate::cex::replay::replay_trace;
    use foretell_systems::{StateVar, Trace, TraceStep, TransitionSystem};
    use foretell_terms::eval::Assignment;
    use foretell_terms::{Integer, Sort, Term, TermStore, Value};

    fn values(pairs: &[(Term, i64)]) -> Assignment {
        let mut all = Assignment::new();
        for &(term, n) in pairs {
            all.insert(term, Value::Int(Integer::from(n)));
        }
        all
    }

    /// Only the chosen input matters, and which one it is depends on the state.
    #[test]
    fn inputs_that_decide_nothing_are_left_out() {
        let s = TermStore::new();
        let [x, next, a, b] = ["x", "x1", "a", "b"].map(|name| s.new_var(name, Sort::INT));
        let chosen = s.ite(s.le(x, s.int(0)), a, b);
        let init = s.eq(x, s.int(0));
        let property = s.le(x, s.int(6));
        let vars = vec![StateVar { cur: x, next }];
        let trans = s.eq(next, s.add2(x, chosen));
        let mut system = TransitionSystem::new(vars, init, trans, property);
        system.inputs = vec![a, b];
        let step = |at: i64, inputs: &[(Term, i64)]| TraceStep {
            state: values(&[(x, at)]),
            inputs: values(inputs),
        };
        let trace = Trace {
            rigid: Assignment::new(),
            steps: vec![
                step(0, &[(a, 3), (b, 9)]),
                step(3, &[(a, 9), (b, 4)]),
                step(7, &[]),
            ],
        };
        let short = without_irrelevant_inputs(&s, &system, &trace);
        let kept: Vec<Vec<Term>> = short
            .steps
            .iter()
            .map(|step| step.inputs.values.keys().copied().collect())
            .collect();
        assert_eq!(kept, [vec![a], vec![b], vec![]]);
        assert!(replay_trace(&s, &system, &short).outcome.is_accepted());
        for i in 0..2 {
            let mut less = short.clone();
            less.steps[i].inputs = Assignment::new();
            assert!(!replay_trace(&s, &system, &less).outcome.is_accepted());
        }
    }
}
