//! Random sessions with Z3 in process: levels, assumptions, and queries that are cut off in
//! between.
//!
//! Every answer is held against that of a new solver that is asked the same once; a model must
//! satisfy what was asked when it is evaluated here, and a core alone must be unsatisfiable.
//! `FORETELL_SESSIONS` says how many sessions are played.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use foretell_kernel::{Answer, Budget, Cx, NullSink, Oracles, Rng, Solver, SolverConfig, Work};
use foretell_solver::Z3Oracles;
use foretell_terms::{Func, Sort, SortKind, Term, TermStore};

/// Random terms over a few symbols of each sort.
struct Terms<'t> {
    s: &'t TermStore,
    rng: &'t Rng,
    symbols: [Vec<Term>; 4],
    /// From an index and a thing to a number, and back to a thing.
    functions: (Func, Func),
}

impl<'t> Terms<'t> {
    fn new(s: &'t TermStore, rng: &'t Rng) -> Terms<'t> {
        let thing = s.mk_sort(SortKind::Uninterpreted("Thing".into()));
        let array = s.array_sort(&[Sort::INT], Sort::INT);
        let symbols = [Sort::BOOL, Sort::INT, thing, array]
            .map(|sort| ["a", "b", "c"].map(|name| s.new_var(name, sort)).to_vec());
        let functions = (
            s.declare("f", &[Sort::INT, thing], Sort::INT),
            s.declare("g", &[thing, Sort::INT], thing),
        );
        Terms {
            s,
            rng,
            symbols,
            functions,
        }
    }

    fn pick(&self, sort: usize) -> Term {
        let list = &self.symbols[sort];
        list[usize::try_from(self.rng.below(list.len() as u64)).unwrap()]
    }

    fn formula(&self, depth: u32) -> Term {
        let s = self.s;
        if depth == 0 {
            return self.pick(0);
        }
        let below = || self.formula(depth - 1);
        match self.rng.below(8) {
            0 => s.not(below()),
            1 | 2 => s.or([below(), below(), below()]),
            3 => s.and2(below(), below()),
            4 => s.le(self.number(depth - 1), self.number(depth - 1)),
            5 => s.eq(self.number(depth - 1), self.number(depth - 1)),
            6 => s.eq(self.thing(depth - 1), self.thing(depth - 1)),
            _ => s.eq(self.array(depth - 1), self.array(depth - 1)),
        }
    }

    fn number(&self, depth: u32) -> Term {
        let s = self.s;
        if depth == 0 {
            return if self.rng.below(3) == 0 {
                s.int(self.rng.below(4))
            } else {
                self.pick(1)
            };
        }
        let below = || self.number(depth - 1);
        match self.rng.below(6) {
            0 => s.add2(below(), below()),
            1 => s.sub(below(), below()),
            2 => s.ite(self.formula(depth - 1), below(), below()),
            3 => s.app(self.functions.0, &[below(), self.thing(depth - 1)]),
            4 => s.select(self.array(depth - 1), &[below()]),
            _ => self.number(0),
        }
    }

    fn thing(&self, depth: u32) -> Term {
        if depth == 0 || self.rng.below(3) == 0 {
            return self.pick(2);
        }
        self.s.app(
            self.functions.1,
            &[self.thing(depth - 1), self.number(depth - 1)],
        )
    }

    fn array(&self, depth: u32) -> Term {
        if depth == 0 || self.rng.below(3) == 0 {
            return self.pick(3);
        }
        self.s.store(
            self.array(depth - 1),
            &[self.number(depth - 1)],
            self.number(depth - 1),
        )
    }
}

fn config(rng: &Rng) -> SolverConfig {
    let plain = SolverConfig::new("session");
    match rng.below(5) {
        0 => plain.with_minimal_cores(),
        1 => plain.quantifier_free(),
        2 => plain.with_light_arithmetic(),
        3 => plain.direct(),
        _ => plain,
    }
}

/// What a new solver says, asked once.
fn is_satisfiable(formulas: &[Term], cx: &Cx<'_>) -> Option<bool> {
    let mut solver = cx.oracles.solver(&SolverConfig::new("fresh"));
    formulas
        .iter()
        .for_each(|&f| solver.assert(cx.terms, f).unwrap());
    match solver.check(&[], cx).unwrap() {
        Answer::Sat(_) => Some(true),
        Answer::Unsat(_) => Some(false),
        Answer::Unknown(_) => None,
    }
}

/// One query of a session, checked.
fn query(solver: &mut dyn Solver, asserted: &[Term], assumptions: &[Term], cx: &Cx<'_>) {
    let all = [asserted, assumptions].concat();
    let shown = || cx.terms.print(cx.terms.and(all.iter().copied()));
    match solver.check(assumptions, cx).unwrap() {
        Answer::Unknown(_) => {}
        Answer::Sat(model) => {
            if let Some(values) = model.assignment(cx.terms, &all) {
                for &formula in &all {
                    assert_ne!(
                        cx.terms.eval_bool(formula, &values),
                        Ok(false),
                        "no model of {}",
                        shown()
                    );
                }
            }
            drop(model);
            assert_ne!(is_satisfiable(&all, cx), Some(false), "sat: {}", shown());
        }
        Answer::Unsat(core) => {
            assert!(core.iter().all(|c| assumptions.contains(c)), "{}", shown());
            let needed = [asserted, &core].concat();
            assert_ne!(
                is_satisfiable(&needed, cx),
                Some(true),
                "unsat: {}",
                shown()
            );
        }
    }
}

/// Asks with so little left that the query is probably cut off.
fn cut_off(solver: &mut dyn Solver, units: u64, cx: &Cx<'_>) -> usize {
    let part = cx.budget.slice(Work::of_millis(50));
    part.spend(Work(part.work_left().unwrap().0 - units - Work::STEP.0));
    usize::from(solver.check(&[], &cx.with_budget(&part)).is_err())
}

fn session(seed: u64) -> usize {
    let (terms, rng, oracles) = (TermStore::new(), Rng::new(seed), Z3Oracles::default());
    let budget = Budget::unlimited();
    let cx = Cx {
        terms: &terms,
        events: &NullSink,
        budget: &budget,
        oracles: &oracles,
        rng: &rng,
    };
    let random = Terms::new(&terms, &rng);
    let mut solver = oracles.solver(&config(&rng));
    let (mut asserted, mut levels, mut cut) = (Vec::new(), Vec::new(), 0);
    for _ in 0..12 {
        match rng.below(6) {
            0 => {
                solver.push();
                levels.push(asserted.len());
            }
            1 if !levels.is_empty() => {
                solver.pop();
                asserted.truncate(levels.pop().unwrap());
            }
            2 => {
                cut += cut_off(solver.as_mut(), 16 << rng.below(9), &cx);
                query(solver.as_mut(), &asserted, &[], &cx);
            }
            3 => {
                let assumptions = [random.formula(2), random.pick(0)];
                query(solver.as_mut(), &asserted, &assumptions, &cx);
            }
            _ => {
                let formula = random.formula(4);
                solver.assert(&terms, formula).unwrap();
                asserted.push(formula);
                query(solver.as_mut(), &asserted, &[], &cx);
            }
        }
    }
    cut
}

#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let wanted = std::env::var("FORETELL_SESSIONS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(200);
    let cut: usize = (0..wanted).map(session).sum();
    assert!(cut > 10, "{cut} queries were cut off");
}
