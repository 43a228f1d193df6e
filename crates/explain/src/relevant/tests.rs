//! Relevant values against generated systems: with them alone a counterexample is accepted, without any
//! one of them it is not, and what is left out may really be anything.

use std::collections::BTreeMap;

use foretell_systems::{
    ChcSystem, ClauseId, Derivation, DerivationStep, Trace, TraceStep, TransitionSystem,
};
use foretell_terms::eval::Assignment;
use foretell_terms::{Sort, Term, TermStore, Value};
use foretell_testkit::domain::{Assignments, values};
use foretell_testkit::generate::{Generator, Shape};

use super::derivation::DerivationPlay;
use super::partial::{Part, Player};
use super::run::RunPlay;
use super::{Knowledge, Places, Spot};

fn bound(vars: &[Term], values: &[Value]) -> Assignment {
    let mut made = Assignment::new();
    for (&var, value) in vars.iter().zip(values) {
        made.insert(var, value.clone());
    }
    made
}

/// Whether there are few values to try for these variables together.
fn are_few(terms: &TermStore, vars: &[Term]) -> bool {
    let sizes = vars
        .iter()
        .map(|&v| values(terms, terms.sort(v)).map_or(1000, |l| l.len()));
    sizes.product::<usize>() <= 300
}

/// A state, and the place of the one before it with the inputs of the step.
type Seen = (Vec<Value>, Option<(usize, Vec<Value>)>);

/// A shortest run to a violation, by enumeration.
fn refuted(terms: &TermStore, system: &TransitionSystem) -> Option<Trace> {
    let state = system.current();
    let next: Vec<Term> = system.vars.iter().map(|v| v.next).collect();
    if !are_few(terms, &[&state[..], &next[..], &system.inputs[..]].concat()) {
        return None;
    }
    let mut seen: Vec<Seen> = Vec::new();
    for values in Assignments::new(terms, &state)? {
        if terms.eval_bool(system.init, &bound(&state, &values)).ok()? {
            seen.push((values, None));
        }
    }
    let mut at = 0;
    while at < seen.len().min(60) {
        let now = seen[at].0.clone();
        if !terms
            .eval_bool(system.property, &bound(&state, &now))
            .ok()?
        {
            return Some(trace(&seen, at, &state, &system.inputs));
        }
        for inputs in Assignments::new(terms, &system.inputs)? {
            for after in Assignments::new(terms, &next)? {
                let mut env = bound(&state, &now);
                env.values.extend(bound(&system.inputs, &inputs).values);
                env.values.extend(bound(&next, &after).values);
                let is_new = || !seen.iter().any(|(s, _)| *s == after);
                if terms.eval_bool(system.trans, &env).ok()? && is_new() {
                    seen.push((after, Some((at, inputs.clone()))));
                }
            }
        }
        at += 1;
    }
    None
}

fn trace(seen: &[Seen], end: usize, state: &[Term], inputs: &[Term]) -> Trace {
    let (mut steps, mut at, mut leaving) = (Vec::new(), Some(end), Vec::new());
    while let Some(number) = at {
        let (values, parent) = &seen[number];
        steps.push(TraceStep {
            state: bound(state, values),
            inputs: bound(inputs, &leaving),
        });
        leaving = parent.as_ref().map_or_else(Vec::new, |(_, i)| i.clone());
        at = parent.as_ref().map(|(n, _)| *n);
    }
    steps.reverse();
    Trace {
        rigid: Assignment::new(),
        steps,
    }
}

/// A derivation of `false`, by enumeration.
fn derived(terms: &TermStore, system: &ChcSystem) -> Option<Derivation> {
    if !system.clauses.iter().all(|c| are_few(terms, &c.vars)) {
        return None;
    }
    let mut facts: BTreeMap<(usize, Vec<Value>), usize> = BTreeMap::new();
    let mut steps: Vec<DerivationStep> = Vec::new();
    for _ in 0..4 {
        for (number, clause) in system.clauses.iter().enumerate() {
            for values in Assignments::new(terms, &clause.vars)? {
                let env = bound(&clause.vars, &values);
                if !terms.eval_bool(clause.constraint, &env).ok()? {
                    continue;
                }
                let tuple = |args: &[Term]| -> Option<Vec<Value>> {
                    args.iter().map(|&a| terms.eval(a, &env).ok()).collect()
                };
                let mut premises = Some(Vec::new());
                for atom in &clause.body {
                    let known = facts.get(&(atom.pred.index(), tuple(&atom.args)?));
                    premises = premises.zip(known).map(|(mut list, &p): (Vec<usize>, _)| {
                        list.push(p);
                        list
                    });
                }
                let Some(premises) = premises else { continue };
                let step = DerivationStep {
                    clause: ClauseId(u32::try_from(number).unwrap()),
                    values: env.clone(),
                    premises,
                };
                let Some(head) = &clause.head else {
                    steps.push(step);
                    return Some(Derivation {
                        steps,
                        functions: Assignment::new(),
                    });
                };
                let fact = (head.pred.index(), tuple(&head.args)?);
                if steps.len() < 40 && !facts.contains_key(&fact) {
                    facts.insert(fact, steps.len());
                    steps.push(step);
                }
            }
        }
    }
    None
}

/// Both promises about a minimal set of places; how many places it left out.
fn judged(places: Places, accepted: &dyn Fn(&Places) -> bool) -> usize {
    let minimal = places.minimal(accepted).expect("the whole is accepted");
    assert!(accepted(&minimal), "with these alone it is accepted");
    for number in minimal.known() {
        assert!(
            !accepted(&minimal.without(number)),
            "without {number} it is not"
        );
    }
    let (all, known) = minimal.counts();
    all - known
}

/// Another value than this one, where there is one.
fn other(terms: &TermStore, sort: Sort, value: &Value, choice: usize) -> Value {
    let all = values(terms, sort).unwrap_or_default();
    let others: Vec<Value> = all.into_iter().filter(|v| v != value).collect();
    let chosen = choice
        .checked_rem(others.len())
        .map(|at| others[at].clone());
    chosen.unwrap_or_else(|| value.clone())
}

/// A chosen value with something else wherever it does not matter.
fn changed(
    terms: &TermStore,
    places: &Places,
    at: (Option<usize>, Term),
    value: &Value,
) -> Option<Value> {
    let own = places.of.get(&at)?.clone();
    let (mut whole, sort) = (value.clone(), terms.sort(at.1));
    for number in own {
        let (place, knowledge) = &places.list[number];
        if *knowledge == Knowledge::Known {
            continue;
        }
        let Value::Array(array) = &whole else {
            whole = other(terms, sort, &whole, number);
            continue;
        };
        let (_, element) = terms.array_parts(sort)?;
        let mut made = array.clone();
        match &place.spot {
            Spot::Cell(index) => {
                let cell = made.select(index).clone();
                made.store(index.clone(), other(terms, element, &cell, number));
            }
            Spot::Rest | Spot::Whole => {
                let rest = other(terms, element, array.default_value(), number);
                made = terms.constant_array_value(sort, rest)?;
                let cells = array.entries();
                cells.for_each(|(index, v)| made.store(index.clone(), v.clone()));
            }
        }
        whole = Value::Array(made);
    }
    Some(whole)
}

/// The run with something else for every value that does not matter, and what follows from that.
fn realised(terms: &TermStore, play: &RunPlay<'_>, run: &Trace, places: &Places) -> Option<Trace> {
    let (mut steps, mut before) = (Vec::<TraceStep>::new(), Assignment::new());
    for (number, step) in run.steps.iter().enumerate() {
        let (mut state, mut env) = (Assignment::new(), before.clone());
        let vars = play.system().vars.iter();
        let mut open: Vec<_> = vars.map(|v| (v.cur, v.next)).collect();
        // What follows may follow from what follows.
        while !open.is_empty() {
            let n_open = open.len();
            open.retain(|&(cur, next)| {
                let chosen = step.state.get(cur);
                let chosen = chosen.and_then(|v| changed(terms, places, (Some(number), cur), v));
                let follows = || terms.eval(play.definition(number, cur)?, &env).ok();
                let Some(value) = chosen.or_else(follows) else {
                    return true;
                };
                env.insert(if number == 0 { cur } else { next }, value.clone());
                state.insert(cur, value);
                false
            });
            if open.len() == n_open {
                return None;
            }
        }
        let mut inputs = Assignment::new();
        for &input in &play.system().inputs {
            let value = step.inputs.get(input);
            let value = value.and_then(|v| changed(terms, places, (Some(number), input), v));
            value.into_iter().for_each(|v| inputs.insert(input, v));
        }
        before = state.clone();
        before.values.extend(inputs.values.clone());
        steps.push(TraceStep { state, inputs });
    }
    let rigid = Assignment::new();
    Some(Trace { rigid, steps })
}

/// Whatever does not matter may really be anything: the exact checker accepts the run with other values.
#[test]
fn what_does_not_matter_may_be_anything() {
    let (mut n_runs, mut n_changed, mut seed) = (0, 0, 0);
    while n_runs < 200 || n_changed < 8 {
        seed += 2;
        assert!(
            seed < 40_000,
            "{n_runs} runs, {n_changed} with other values"
        );
        let terms = TermStore::new();
        let system = Generator::new(&terms, seed).transition_system();
        let Some(run) = refuted(&terms, &system) else {
            continue;
        };
        let (play, places) = RunPlay::new(&terms, &system, &run);
        let player = Player::new(&terms, places.counts().0);
        let Some(minimal) = places.minimal(|p| play.play(p, &player).is_some()) else {
            continue;
        };
        let made = realised(&terms, &play, &run, &minimal).expect("all else follows");
        let report = foretell_certify::replay_trace(&terms, &system, &made);
        assert!(report.outcome.is_accepted(), "{seed}: {report:?}\n{made:?}");
        n_runs += 1;
        n_changed += usize::from(format!("{:?}", made.steps) != format!("{:?}", run.steps));
    }
}

#[test]
fn what_matters_is_enough_and_not_too_much() {
    let (mut n_runs, mut n_derivations, mut n_left_out) = (0, 0, 0);
    let mut seed = 0;
    while n_runs + n_derivations < 200 {
        seed += 1;
        assert!(
            seed < 4000,
            "{n_runs} runs and {n_derivations} derivations in {seed} systems"
        );
        let terms = TermStore::new();
        let generator = Generator::new(&terms, seed);
        if seed % 2 == 0 {
            let system = generator.transition_system();
            let Some(run) = refuted(&terms, &system) else {
                continue;
            };
            let (play, places) = RunPlay::new(&terms, &system, &run);
            let player = Player::new(&terms, places.counts().0);
            let accepted = |places: &Places| play.play(places, &player).is_some();
            // Two spellings of one array over a finite domain are not compared.
            if accepted(&places) {
                n_left_out += judged(places, &accepted);
                n_runs += 1;
            }
        } else {
            let system = generator.clauses(Shape::NonLinear);
            let Some(derivation) = derived(&terms, &system) else {
                continue;
            };
            let made = DerivationPlay::new(&terms, &system, &derivation);
            let (play, places) = made.unwrap();
            let player = Player::new(&terms, places.counts().0);
            let accepted = |places: &Places| play.play(places, &player).is_some();
            if accepted(&places) {
                n_left_out += judged(places, &accepted);
                n_derivations += 1;
            }
        }
    }
    assert!(n_runs > 20 && n_derivations > 20 && n_left_out > 50);
}

/// `b` is a copy of `a` but for cell 0: only the two cells 0 and how many there are matter.
#[test]
fn cells_that_are_copied_do_not_matter() {
    let text = "(set-logic HORN)
        (declare-fun p ((Array Int Int) (Array Int Int) Int) Bool)
        (assert (forall ((a (Array Int Int)) (b (Array Int Int))) (p a b 1)))
        (assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int))
          (=> (and (p a b i) (< i 3)) (p a (store b i (select a i)) (+ i 1)))))
        (assert (forall ((a (Array Int Int)) (b (Array Int Int)) (i Int) (k Int))
          (=> (and (p a b i) (>= i 3) (<= 0 k) (< k 3)) (= (select a k) (select b k)))))";
    let terms = TermStore::new();
    let system = foretell_testkit::read::clauses(&terms, text);
    let array = |cells: &[(i64, i64)], rest: i64| {
        let int = |n: i64| Value::Int(foretell_terms::Integer::from(n));
        let sort = terms.array_sort(&[Sort::INT], Sort::INT);
        let mut made = terms.constant_array_value(sort, int(rest)).unwrap();
        cells
            .iter()
            .for_each(|&(i, v)| made.store(vec![int(i)], int(v)));
        Value::Array(made)
    };
    let int = |n: i64| Value::Int(foretell_terms::Integer::from(n));
    let a = array(&[(0, 5), (1, 8), (2, 9)], 4);
    let bs = [
        array(&[(0, 10)], 11),
        array(&[(0, 10), (1, 8)], 11),
        array(&[(0, 10), (1, 8), (2, 9)], 11),
    ];
    let step = |clause: u32, values: Vec<Value>, premises: Vec<usize>| DerivationStep {
        clause: ClauseId(clause),
        values: bound(&system.clauses[clause as usize].vars, &values),
        premises,
    };
    let derivation = Derivation {
        steps: vec![
            step(0, vec![a.clone(), bs[0].clone()], vec![]),
            step(1, vec![a.clone(), bs[0].clone(), int(1)], vec![0]),
            step(1, vec![a.clone(), bs[1].clone(), int(2)], vec![1]),
            step(2, vec![a, bs[2].clone(), int(3), int(0)], vec![2]),
        ],
        functions: Assignment::new(),
    };
    let (play, places) = DerivationPlay::new(&terms, &system, &derivation).unwrap();
    let player = Player::new(&terms, places.counts().0);
    let minimal = places.minimal(|p| play.play(p, &player).is_some()).unwrap();
    let known = minimal.known();
    let spots: Vec<&Spot> = known.iter().map(|&n| &minimal.list[n].0.spot).collect();
    let zero = Spot::Cell(vec![int(0)]);
    assert_eq!(spots, [&zero, &zero, &Spot::Whole]);
    let steps = play.play(&minimal, &player).unwrap();
    let Part::Array(last) = &steps[2].fact[1] else {
        panic!()
    };
    assert!(matches!(last.at(&[int(2)]), Part::Unknown(_)));
    assert_eq!(last.at(&[int(0)]), &Part::Known(int(10)));
}
