//! A transition system as clauses over one predicate, for engines that run on clauses.
//!
//! ```text
//! I(x, p)                          ⇒ state(x, p)
//! state(x, p) ∧ T(x, i, x', p)     ⇒ state(x', p)
//! state(x, p) ∧ ¬P(x, p)           ⇒ false
//! ```
//!
//! `p` are the rigid parameters: arguments that every clause copies. Way back: the formula of `state`
//! over the system's own symbols is the invariant; a derivation is a path, and its values are the trace.
//!
//! Herbrandization: `P = ∀k. Q(x, k)` fails where `Q(x, k)` does for some `k`, so `k` is one more variable
//! of the last clause, from where it becomes a rigid parameter on the way down ([`crate::herbrand`]).

use foretell_formulas::prenex::{Binders, Opening, pull_existentials};
use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::{
    Atom, ChcProof, ChcSystem, Clause, Derivation, Invariant, Pred, Trace, TraceStep,
    TransitionSystem,
};
use foretell_terms::eval::Assignment;
use foretell_terms::{Sort, SortKind, Substitution, Term, TermStore};

use crate::shared::facts::Fact;

const NAME: &str = "clauses";

/// The pass.
pub struct Clauses;

/// The way back.
pub struct ClausesLift {
    /// The predicate's parameters and the symbols of the system they stand for.
    state: Vec<(Term, Term)>,
    /// How many of these are state variables; the rest are parameters.
    n_vars: usize,
    /// The variables of the step clause that stand for inputs.
    inputs: Vec<(Term, Term)>,
    /// For each clause: the variables that hold the state it leaves (`init`: the state it enters).
    held: [Vec<Term>; 3],
}

impl Pass for Clauses {
    type From = TransitionSystem;
    type To = ChcSystem;
    type Lift = ClausesLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&self, from: &TransitionSystem, cx: &Cx<'_>) -> Result<(ChcSystem, ClausesLift), Halt> {
        let terms = cx.terms;
        let symbols = [from.current(), from.params.clone()].concat();
        let sorts: Vec<Sort> = symbols.iter().map(|&s| terms.sort(s)).collect();
        let mut system = ChcSystem::default();
        let pred = system.add_pred(terms, "state", &sorts);
        let params = system.pred(pred).params.clone();
        let atom = |args: &[Term]| Atom {
            pred,
            args: args.to_vec(),
        };

        let (init, mut map) = copies(terms, &symbols);
        let constraint = map.apply(terms, from.init);
        let head = Some(atom(&init));
        system.clauses.push(clause(&init, vec![], constraint, head));

        let step = Step::new(from, &symbols, terms);
        let (body, head) = (vec![atom(&step.before)], Some(atom(&step.after)));
        let clause_of_step = clause(&step.vars, body, step.constraint, head);
        system.clauses.push(clause_of_step);

        let (bad, mut map) = copies(terms, &symbols);
        let constraint = map.apply(terms, violated(terms, from.property));
        let mut vars = bad.clone();
        let others = terms.free_vars(&[constraint]).into_iter();
        vars.extend(others.filter(|v| !bad.contains(v)));
        let body = vec![atom(&bad)];
        system.clauses.push(clause(&vars, body, constraint, None));

        let lift = ClausesLift {
            state: params.into_iter().zip(symbols).collect(),
            n_vars: from.vars.len(),
            inputs: step.inputs,
            held: [init, step.before, bad],
        };
        Ok((system, lift))
    }
}

/// Where a property does not hold, with a symbol for each of its universally quantified variables.
fn violated(terms: &TermStore, property: Term) -> Term {
    let mut binders = Binders::new(terms, Opening::Fresh);
    pull_existentials(&mut binders, terms.not(property))
}

/// Whether a system is without quantifiers as clauses although its property has some. Over uninterpreted
/// sorts there is an engine that takes them as they are.
pub fn has_universal_property(system: &TransitionSystem, terms: &TermStore) -> bool {
    let is_element = |&t: &Term| matches!(terms.kind(terms.sort(t)), SortKind::Uninterpreted(_));
    let formulas = [system.init, system.trans, system.property];
    let quantified = |formula: Term| terms.has_quantifier(formula);
    quantified(system.property)
        && !quantified(system.init)
        && !quantified(system.trans)
        && !quantified(violated(terms, system.property))
        && !terms.subterms(&formulas).iter().any(is_element)
}

fn clause(vars: &[Term], body: Vec<Atom>, constraint: Term, head: Option<Atom>) -> Clause {
    Clause {
        vars: vars.to_vec(),
        body,
        constraint,
        head,
        line: 0,
    }
}

/// The step over variables of its own.
struct Step {
    vars: Vec<Term>,
    before: Vec<Term>,
    after: Vec<Term>,
    inputs: Vec<(Term, Term)>,
    constraint: Term,
}

impl Step {
    fn new(from: &TransitionSystem, symbols: &[Term], terms: &TermStore) -> Step {
        let (before, mut map) = copies(terms, symbols);
        let mut copy = |symbol: Term| {
            let copy = terms.fresh(terms.var_name(symbol), terms.sort(symbol));
            map.insert(symbol, copy);
            copy
        };
        let mut after: Vec<Term> = from.vars.iter().map(|v| copy(v.next)).collect();
        let inputs: Vec<_> = from.inputs.iter().map(|&i| (i, copy(i))).collect();
        let chosen = inputs.iter().map(|i| i.1);
        let vars = before.iter().chain(&after).copied().chain(chosen);
        let vars = vars.collect();
        after.extend_from_slice(&before[from.vars.len()..]);
        Step {
            vars,
            before,
            after,
            inputs,
            constraint: map.apply(terms, from.trans),
        }
    }
}

fn copies(terms: &TermStore, symbols: &[Term]) -> (Vec<Term>, Substitution) {
    let fresh: Vec<Term> = symbols
        .iter()
        .map(|&s| terms.fresh(terms.var_name(s), terms.sort(s)))
        .collect();
    let map = Substitution::from_pairs(symbols.iter().copied().zip(fresh.iter().copied()));
    (fresh, map)
}

impl Translation for ClausesLift {
    type From = TransitionSystem;
    type To = ChcSystem;

    fn up(&self, (_, formula): Fact, cx: &Cx<'_>) -> Vec<Term> {
        vec![cx.terms.substitute(formula, self.state.iter().copied())]
    }

    fn down(&self, fact: Term, cx: &Cx<'_>) -> Vec<Fact> {
        let params = self.state.iter().map(|&(param, symbol)| (symbol, param));
        vec![(Pred(0), cx.terms.substitute(fact, params))]
    }
}

impl Lift for ClausesLift {
    fn proof(&self, proof: ChcProof, cx: &Cx<'_>) -> Result<Invariant, Halt> {
        let formula = *proof.formulas.first().ok_or(Halt::NotLifted(NAME))?;
        Ok(Invariant::inductive(
            cx.terms.substitute(formula, self.state.iter().copied()),
        ))
    }

    /// States are what the steps after them start from; the last one is what the query starts from.
    fn cex(&self, cex: Derivation, _cx: &Cx<'_>) -> Result<Trace, Halt> {
        let mut path = vec![
            cex.steps
                .len()
                .checked_sub(1)
                .ok_or(Halt::NotLifted(NAME))?,
        ];
        while let Some(&premise) = cex.steps[path[path.len() - 1]].premises.first() {
            path.push(premise);
        }
        path.reverse();
        let mut trace = Trace::default();
        trace.rigid.functions = cex.functions.functions.clone();
        for &at in &path[1..] {
            let step = &cex.steps[at];
            let held = self
                .held
                .get(step.clause.index())
                .ok_or(Halt::NotLifted(NAME))?;
            let mut state = Assignment::new();
            for (i, (&copy, &(_, symbol))) in held.iter().zip(&self.state).enumerate() {
                let value = step
                    .values
                    .get(copy)
                    .cloned()
                    .ok_or(Halt::NotLifted(NAME))?;
                let place = if i < self.n_vars {
                    &mut state
                } else {
                    &mut trace.rigid
                };
                place.insert(symbol, value);
            }
            let mut inputs = Assignment::new();
            for &(input, copy) in &self.inputs {
                if let Some(value) = step.values.get(copy) {
                    inputs.insert(input, value.clone());
                }
            }
            trace.steps.push(TraceStep { state, inputs });
        }
        Ok(trace)
    }
}

#[cfg(test)]
mod tests {
    use super::{Clauses, has_universal_property};
    use crate::testing::int;
    use foretell_kernel::{Lift, Pass};
    use foretell_systems::{
        ChcProof, ClauseId, Derivation, DerivationStep, StateVar, TransitionSystem,
    };
    use foretell_terms::Sort;
    use foretell_terms::eval::Assignment;
    use foretell_testkit::with_cx;

    #[test]
    fn a_universal_property_is_a_query_with_variables() {
        with_cx(|cx| {
            let s = cx.terms;
            let (x, y) = (s.new_var("x", Sort::INT), s.new_var("x'", Sort::INT));
            let state = vec![StateVar { cur: x, next: y }];
            let k = s.new_var("k", Sort::INT);
            let all = s.forall(&[k], s.or([s.lt(k, x), s.lt(s.int(5), k)]));
            let some = s.not(s.forall(&[k], s.le(x, k)));
            let guarded = s.or([s.lt(x, s.int(0)), all]);
            for (property, opened) in [(all, true), (guarded, true), (some, false)] {
                let init = s.eq(x, s.int(0));
                let ts = TransitionSystem::new(state.clone(), init, s.eq(y, x), property);
                assert_eq!(has_universal_property(&ts, s), opened);
                let (system, _) = Clauses.run(&ts, cx).unwrap();
                assert_eq!(system.validate(s), Ok(()));
                let goal = &system.clauses[2];
                assert_eq!(goal.vars.len(), 1 + usize::from(opened));
                assert_eq!(s.has_quantifier(goal.constraint), !opened);
            }
        });
    }

    #[test]
    fn witnesses_come_back() {
        with_cx(|cx| {
            let s = cx.terms;
            let x = StateVar {
                cur: s.new_var("x", Sort::INT),
                next: s.new_var("x'", Sort::INT),
            };
            let trans = s.eq(x.next, s.add2(x.cur, s.int(1)));
            let (init, property) = (s.eq(x.cur, s.int(0)), s.lt(x.cur, s.int(1)));
            let ts = TransitionSystem::new(vec![x], init, trans, property);
            let (system, lift) = Clauses.run(&ts, cx).unwrap();
            assert_eq!(system.validate(s), Ok(()));
            let proof = ChcProof {
                formulas: vec![s.le(s.int(0), system.preds[0].params[0])],
                witness: None,
            };
            let invariant = lift.proof(proof, cx).unwrap();
            assert_eq!(invariant.formula, s.le(s.int(0), x.cur));
            let step = |clause: u32, values: &[i64], premises: Vec<usize>| {
                let mut assignment = Assignment::new();
                for (&var, &value) in system.clauses[clause as usize].vars.iter().zip(values) {
                    assignment.insert(var, int(value));
                }
                DerivationStep {
                    clause: ClauseId(clause),
                    values: assignment,
                    premises,
                }
            };
            let derivation = Derivation {
                steps: vec![
                    step(0, &[0], vec![]),
                    step(1, &[0, 1], vec![0]),
                    step(2, &[1], vec![1]),
                ],
                functions: Assignment::new(),
            };
            let trace = lift.cex(derivation, cx).unwrap();
            let states = trace.steps.iter().map(|t| t.state.get(x.cur).cloned());
            assert_eq!(states.collect::<Vec<_>>(), [Some(int(0)), Some(int(1))]);
        });
    }
}
