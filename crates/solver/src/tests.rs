//! Unit tests of the backends.

use std::cell::RefCell;
use std::io::Write;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use foretell_kernel::{
    Answer, Budget, Cx, Halt, NullSink, Oracles, Rng, ScriptAnswer, Solver, SolverConfig,
    StopReason, Work,
};
use foretell_terms::{
    BvOp, ConstructorDecl, FieldDecl, Sort, SortKind, Spelling, TermStore, Value,
};

use crate::{FaultPlan, Recorder, Recording, Z3Oracles, Z3Solver};

fn with_cx<T>(oracles: &Z3Oracles, f: impl FnOnce(&TermStore, &Cx<'_>) -> T) -> T {
    let terms = TermStore::new();
    let (budget, rng) = (Budget::unlimited(), Rng::new(0));
    f(
        &terms,
        &Cx {
            terms: &terms,
            events: &NullSink,
            budget: &budget,
            oracles,
            rng: &rng,
        },
    )
}

fn solver(oracles: &Z3Oracles) -> Box<dyn Solver> {
    oracles.solver(&SolverConfig::new("test"))
}

#[test]
fn cores_are_subsets_of_the_assumptions() {
    let oracles = Z3Oracles::default();
    with_cx(&oracles, |s, cx| {
        let (p, q, x) = (
            s.new_var("p", Sort::BOOL),
            s.new_var("q", Sort::BOOL),
            s.new_var("x", Sort::INT),
        );
        let mut z3 = solver(&oracles);
        z3.assert(s, s.implies(p, s.le(x, s.int(0)))).unwrap();
        let positive = s.lt(s.int(0), x);
        let Answer::Unsat(core) = z3.check(&[q, p, positive], cx).unwrap() else {
            panic!("unsat")
        };
        assert!(core.contains(&p) && core.contains(&positive) && !core.contains(&q));
        let Answer::Sat(model) = z3.check(&[q, p], cx).unwrap() else {
            panic!("sat")
        };
        assert_eq!(model.holds(s, q), Some(true));
        let Some(Value::Int(n)) = model.value(s, x) else {
            panic!("a value")
        };
        assert!(n <= 0.into());
    });
}

/// The product of two numbers of 40 bits, both above 1, is this prime: never, but Z3 would need
/// hours.
fn hard_query(s: &TermStore) -> foretell_terms::Term {
    let wide = s.bv_sort(40);
    let (x, y) = (s.new_var("x", wide), s.new_var("y", wide));
    let extended = |t| s.bv_op(BvOp::ZeroExtend(40), &[t]);
    let product = s.bv_op(BvOp::Mul, &[extended(x), extended(y)]);
    let one = s.bv(1, 40);
    let above = |t| s.not(s.bv_op(BvOp::Ule, &[t, one]));
    let prime = s.bv(1_099_511_627_689_u64, 80);
    s.and([s.eq(product, prime), above(x), above(y)])
}

#[test]
fn limits_are_work() {
    let oracles = Z3Oracles::default();
    with_cx(&oracles, |s, cx| {
        let query = hard_query(s);
        let own = SolverConfig::new("test").with_limit(Work::of_millis(20));
        for config in [own.clone(), own.direct()] {
            let mut limited = oracles.solver(&config);
            limited.assert(s, query).unwrap();
            assert!(
                matches!(limited.check(&[], cx).unwrap(), Answer::Unknown(_)),
                "by its own limit"
            );
        }

        let part = cx.budget.slice(Work::of_millis(30));
        let mut free = solver(&oracles);
        free.assert(s, query).unwrap();
        let answer = free.check(&[], &cx.with_budget(&part)).map(drop);
        assert_eq!(
            answer,
            Err(Halt::Stopped(StopReason::Time)),
            "by the part of the run"
        );
        assert_eq!(part.work_left(), Some(Work(0)));
        assert_eq!(cx.budget.check(), Ok(()), "the whole goes on");
    });
}

/// A query that takes hours ends when its time is over, and the next ones are not concerned.
#[test]
fn the_clock_stands_behind_work() {
    let oracles = Z3Oracles::default();
    with_cx(&oracles, |s, cx| {
        let query = hard_query(s);
        let mut hard = solver(&oracles);
        for _ in 0..8 {
            hard.push();
            hard.assert(s, query).unwrap();
            let part = cx.budget.within(Duration::from_millis(30));
            let answer = hard.check(&[], &cx.with_budget(&part)).map(drop);
            assert_eq!(answer, Err(Halt::Stopped(StopReason::Time)));
            hard.pop();
            assert!(matches!(hard.check(&[], cx).unwrap(), Answer::Sat(_)));
            let mut other = solver(&oracles);
            other.assert(s, s.ff()).unwrap();
            assert!(matches!(other.check(&[], cx).unwrap(), Answer::Unsat(_)));
        }
    });
}

/// After a limit, Z3 itself says `unsat` of such formulas, which have models: the limit must fall
/// into the time when it takes the conditional apart, hence the number of attempts.
#[test]
fn a_query_after_one_that_was_cut_off_is_answered_rightly() {
    let oracles = Z3Oracles::default();
    with_cx(&oracles, |s, cx| {
        let sort = s.mk_sort(SortKind::Uninterpreted("A".into()));
        let clause = || {
            let (a, b) = (s.new_var("a", sort), s.new_var("b", sort));
            let (x, y) = (s.new_var("x", Sort::INT), s.new_var("y", Sort::INT));
            s.or([s.eq(a, b), s.not(s.le(x, s.ite(s.le(x, y), y, x)))])
        };
        let mut cut = 0;
        for (clauses, units) in (1..8).flat_map(|n| (4..11).map(move |k| (n, 1 << k))) {
            let mut z3 = solver(&oracles);
            let formulas: Vec<_> = (0..clauses).map(|_| clause()).collect();
            formulas.iter().for_each(|&f| z3.assert(s, f).unwrap());
            let part = cx.budget.slice(Work::of_millis(10));
            part.spend(Work(part.work_left().unwrap().0 - units - Work::STEP.0));
            cut += usize::from(z3.check(&[], &cx.with_budget(&part)).is_err());
            let answer = z3.check(&[], cx).unwrap();
            assert!(
                matches!(answer, Answer::Sat(_)),
                "{clauses} clauses after {units}"
            );
        }
        assert!(cut > 10, "{cut} queries were cut off");
    });
}

/// Levels, assumptions and definitions survive the exchange of the solver.
#[test]
fn a_new_solver_knows_what_the_old_one_knew() {
    let oracles = Z3Oracles::default();
    with_cx(&oracles, |s, cx| {
        let (x, p) = (s.new_var("x", Sort::INT), s.new_var("p", Sort::BOOL));
        let hard = hard_query(s);
        let config = SolverConfig::new("test").with_limit(Work::of_millis(50));
        let mut z3 = oracles.solver(&config);
        // Deep enough that parts are named; it says x <= 3 as long as no escape is open.
        let deep = (0..500).fold(s.le(x, s.int(3)), |t, _| {
            let (needed, escape) = (
                s.new_var("needed", Sort::BOOL),
                s.new_var("escape", Sort::BOOL),
            );
            z3.assert(s, s.not(escape)).unwrap();
            s.and2(needed, s.or([escape, t]))
        });
        z3.assert(s, s.implies(p, deep)).unwrap();
        z3.push();
        z3.assert(s, s.le(s.int(3), x)).unwrap();
        z3.push();
        z3.assert(s, hard).unwrap();
        assert!(matches!(z3.check(&[], cx).unwrap(), Answer::Unknown(_)));
        z3.pop();
        assert!(matches!(z3.check(&[p], cx).unwrap(), Answer::Sat(_)));
        let above = s.lt(s.int(3), x);
        assert!(
            matches!(z3.check(&[above, p], cx).unwrap(), Answer::Unsat(core) if core.contains(&p))
        );
        z3.push();
        z3.assert(s, hard).unwrap();
        assert!(matches!(z3.check(&[], cx).unwrap(), Answer::Unknown(_)));
        // Renewed with two levels open.
        assert!(matches!(
            z3.check(&[above, p], cx).unwrap(),
            Answer::Unsat(_)
        ));
        z3.pop();
        z3.pop();
        assert!(matches!(
            z3.check(&[p, s.lt(x, s.int(0))], cx).unwrap(),
            Answer::Sat(_)
        ));
    });
}

#[test]
fn levels_forget_what_was_asserted_in_them() {
    let oracles = Z3Oracles::default();
    with_cx(&oracles, |s, cx| {
        let x = s.new_var("x", Sort::INT);
        let mut z3 = solver(&oracles);
        z3.push();
        z3.assert(s, s.ff()).unwrap();
        assert!(matches!(
            z3.check(&[s.le(x, x)], cx).unwrap(),
            Answer::Unsat(_)
        ));
        z3.pop();
        assert!(matches!(z3.check(&[], cx).unwrap(), Answer::Sat(_)));
    });
}

#[test]
fn models_give_arrays_functions_and_vectors() {
    let oracles = Z3Oracles::default();
    with_cx(&oracles, |s, cx| {
        let sort = s.array_sort(&[Sort::INT, Sort::INT], Sort::INT);
        let a = s.new_var("a", sort);
        let f = s.declare("f", &[Sort::INT], Sort::INT);
        let v = s.new_var("v", s.bv_sort(8));
        let mut z3 = solver(&oracles);
        let cell = s.select(a, &[s.int(1), s.int(2)]);
        let formulas = [
            s.eq(cell, s.int(7)),
            s.eq(s.app(f, &[s.int(3)]), s.int(-4)),
            s.eq(s.bv_op(BvOp::Mul, &[v, s.bv(3, 8)]), s.bv(1, 8)),
        ];
        for formula in formulas {
            z3.assert(s, formula).unwrap();
        }
        let Answer::Sat(model) = z3.check(&[], cx).unwrap() else {
            panic!("sat")
        };
        let env = model.assignment(s, &formulas).unwrap();
        for formula in formulas {
            assert_eq!(s.eval_bool(formula, &env), Ok(true), "{}", s.print(formula));
        }
    });
}

#[test]
fn deep_terms_are_named() {
    let oracles = Z3Oracles::default();
    with_cx(&oracles, |s, cx| {
        let (p, q) = (s.new_var("p", Sort::BOOL), s.new_var("q", Sort::BOOL));
        let mut t = q;
        for _ in 0..20_000 {
            t = s.not(s.and2(t, p));
        }
        let mut z3 = solver(&oracles);
        z3.push();
        z3.assert(s, p).unwrap();
        z3.assert(s, s.xor(t, q)).unwrap();
        assert!(matches!(z3.check(&[], cx).unwrap(), Answer::Unsat(_)));
        z3.pop();
        z3.assert(s, s.xor(t, q)).unwrap();
        assert!(matches!(z3.check(&[s.not(p)], cx).unwrap(), Answer::Sat(_)));
        assert!(matches!(z3.check(&[p], cx).unwrap(), Answer::Unsat(_)));
    });
}

#[test]
fn faults_are_never_answers() {
    let oracles = Z3Oracles {
        faults: Some(FaultPlan::new(2, 3, 7)),
        ..Z3Oracles::default()
    };
    with_cx(&oracles, |s, cx| {
        let mut z3 = solver(&oracles);
        z3.assert(s, s.ff()).unwrap();
        let (mut unsat, mut faults) = (0, 0);
        for _ in 0..60 {
            match z3.check(&[], cx) {
                Ok(Answer::Unsat(_)) => unsat += 1,
                Ok(Answer::Unknown(_)) | Err(Halt::Solver(_)) => faults += 1,
                other => panic!("unexpected {:?}", other.err()),
            }
        }
        assert!(unsat > 5 && faults > 20);
    });
}

#[derive(Clone, Default)]
struct Buffer(Rc<RefCell<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn recordings_replay() {
    let Some(program) = std::env::var_os("FORETELL_Z3").map(PathBuf::from) else {
        panic!("FORETELL_Z3 is set by .cargo/config.toml")
    };
    let buffer = Buffer::default();
    let recording = Recording::new(Box::new(buffer.clone()));
    let oracles = Z3Oracles::new(Some(program));
    with_cx(&oracles, |s, cx| {
        let x = s.new_var("x|y".replace('|', " ").as_str(), Sort::INT);
        let z3 = Z3Solver::new(&SolverConfig::default());
        let mut z3 = Recorder::new(z3, recording);
        z3.assert(s, s.lt(s.int(0), x)).unwrap();
        let sort = s.mk_sort(SortKind::Uninterpreted("a sort".into()));
        let array = s.array_sort(&[Sort::INT], sort);
        let (a, b, c) = (
            s.new_var("a", array),
            s.new_var("b", sort),
            s.new_var("c", sort),
        );
        z3.assert(s, s.and([s.eq(s.select(a, &[x]), b), s.not(s.eq(b, c))]))
            .unwrap();
        let _ = z3.check(&[s.lt(x, s.int(0))], cx).unwrap();
        let _ = z3.check(&[s.lt(x, s.int(5))], cx).unwrap();
    });
    let text = String::from_utf8(buffer.0.borrow().clone()).unwrap();
    let answers = oracles.script(&text, Duration::from_secs(20)).unwrap();
    assert_eq!(answers, [ScriptAnswer::Unsat, ScriptAnswer::Sat], "{text}");
}

/// A list of integers or of truth values, under the same name.
fn list_sort(s: &TermStore, element: Sort) -> Sort {
    let list = s.declare_data("Lst", None);
    let field = |selector: &str, sort| FieldDecl {
        selector: selector.into(),
        sort,
    };
    let constructor = |name: &str, fields: Vec<FieldDecl>| ConstructorDecl {
        name: name.into(),
        fields: fields.into(),
        spelling: Spelling::Plain,
    };
    let cons = constructor("cons", vec![field("hd", element), field("tl", list)]);
    s.define_data(list, vec![constructor("nil", Vec::new()), cons]);
    list
}

#[test]
fn datatypes_of_one_name_stay_apart_and_values_come_back() {
    let oracles = Z3Oracles::new(None);
    for element in [Sort::INT, Sort::BOOL, Sort::INT] {
        with_cx(&oracles, |s, cx| {
            let list = list_sort(s, element);
            let array = s.array_sort(&[list], list);
            let (x, a) = (s.new_var("x", list), s.new_var("a", array));
            let constructors: Vec<_> = s.constructors(list).collect();
            let (nil, cons) = (s.construct(constructors[0], &[]), constructors[1]);
            let tail = s.selectors(cons).nth(1).unwrap();
            let inner = s.field(tail, x);
            let formula = s.and([
                s.is(cons, x),
                s.is(cons, inner),
                s.eq(s.select(a, &[x]), nil),
            ]);
            let mut z3 = solver(&oracles);
            z3.assert(s, formula).unwrap();
            let Answer::Sat(model) = z3.check(&[], cx).unwrap() else {
                panic!("a list of two is there");
            };
            let values = model.assignment(s, &[formula]).unwrap();
            drop(model);
            assert_eq!(s.eval_bool(formula, &values), Ok(true), "{values:?}");
            z3.assert(s, s.eq(s.field(tail, inner), x)).unwrap();
            // No list contains itself.
            assert!(matches!(z3.check(&[], cx).unwrap(), Answer::Unsat(_)));
        });
    }
}

#[test]
fn script_errors_and_timeouts_are_unknown() {
    let program = std::env::var_os("FORETELL_Z3").map(PathBuf::from);
    let oracles = Z3Oracles::new(program);
    let answers = oracles
        .script(
            "(check-sat)\n(assert foo)\n(check-sat)",
            Duration::from_secs(20),
        )
        .unwrap();
    assert!(matches!(answers[1], ScriptAnswer::Unknown(_)) && answers.len() == 2);
    let endless = "(declare-fun f (Int) Int)(assert (forall ((x Int)) (= (f (f x)) (+ x 1))))\
                   (assert (forall ((x Int) (y Int)) (= (f (* x y)) (* (f x) (f y)))))(check-sat)";
    let answers = oracles.script(endless, Duration::from_millis(300)).unwrap();
    assert!(!answers.contains(&ScriptAnswer::Sat));
    assert!(
        Z3Oracles::default()
            .script("", Duration::from_secs(1))
            .is_err()
    );
}

#[test]
fn a_script_begun_early_is_the_same_script() {
    let Some(program) = std::env::var_os("FORETELL_Z3").map(PathBuf::from) else {
        return;
    };
    let process = crate::ScriptProcess::z3(program);
    let head = "(declare-fun x () Int)\n(assert (< x 0))\n";
    let script = format!("{head}(check-sat)\n(assert (< 0 x))\n(check-sat)");
    let whole = process.run(&script, Duration::from_secs(20)).unwrap();
    assert_eq!(whole, [ScriptAnswer::Sat, ScriptAnswer::Unsat]);
    let started = process.start(head).unwrap();
    assert!(started.begins(&script));
    assert_eq!(
        started.finish(&script, Duration::from_secs(20)).unwrap(),
        whole
    );
    let started = process.start(head).unwrap();
    assert!(!started.begins("(check-sat)"));
    assert!(
        started
            .finish("(check-sat)", Duration::from_secs(20))
            .is_err(),
        "another script"
    );
    // More of the beginning, and what is no beginning.
    let mut started = process.start("(declare-fun x () Int)\n").unwrap();
    started.expect(head);
    started.expect("(declare-fun y () Int)\n");
    assert!(started.begins(&script) && !started.begins("(declare-fun x () Int)\n(check-sat)"));
    assert_eq!(
        started.finish(&script, Duration::from_secs(20)).unwrap(),
        whole
    );
    // A text that hides the mark of the end ends with the process.
    assert_eq!(
        process
            .run("(check-sat)\n(assert \"", Duration::from_secs(20))
            .unwrap()[0],
        ScriptAnswer::Sat
    );
}

/// Z3 reads in blocks: what is there is to be answered although the next block never comes.
#[test]
fn answers_do_not_wait_for_the_next_block() {
    let Some(program) = std::env::var_os("FORETELL_Z3").map(PathBuf::from) else {
        return;
    };
    let process = crate::ScriptProcess::z3(program);
    for length in (1000..1040).step_by(3) {
        let head = format!("; {}\n", "x".repeat(length));
        let mut started = process.start("").unwrap();
        started.expect(&head);
        let script = head + "(check-sat)";
        assert_eq!(
            started.finish(&script, Duration::from_secs(2)).unwrap(),
            [ScriptAnswer::Sat],
            "{length}"
        );
    }
}
