//! Tests on small systems: every verdict is checked, invariants by fresh queries, runs by evaluation.

use std::cell::RefCell;

use foretell_kernel::{
    Alone, Answer, Budget, Cx, Engine, Event, EventSink, Halt, OptionTable, Oracles, Peers, Reason,
    SolverConfig, Verdict,
};
use foretell_solver::{FaultPlan, Z3Oracles};
use foretell_systems::{Invariant, Trace, TransitionSystem};
use foretell_terms::{Term, TermStore};
use foretell_testkit::{Backends, over, read, told, with_cx, within};

use super::{Ic3ia, Ic3iaOptions};
use systems::{alternating, counters, relations, systems, vmt};

mod corpus;
mod systems;

fn paranoid() -> Ic3iaOptions {
    Ic3iaOptions {
        paranoid: true,
        ..Ic3iaOptions::default()
    }
}

fn check(text: &str, options: Ic3iaOptions) -> &'static str {
    let (terms, budget) = (TermStore::new(), Budget::unlimited().with_queries(30_000));
    let system = read::system(&terms, text);
    over(&terms, &budget, |cx| {
        ask(&system, options, cx).expect("within the budget")
    })
}

/// What the engine says, judged.
fn ask(
    system: &TransitionSystem,
    options: Ic3iaOptions,
    cx: &Cx<'_>,
) -> Result<&'static str, Halt> {
    let verdict = Ic3ia::new(options).check(system, &Alone, cx)?;
    Ok(judge(verdict, system, cx))
}

fn judge(
    verdict: Verdict<TransitionSystem>,
    system: &TransitionSystem,
    cx: &Cx<'_>,
) -> &'static str {
    match verdict {
        Verdict::Safe(proof) => {
            assert_inductive(&proof, system, cx);
            "safe"
        }
        Verdict::Unsafe(trace) => {
            assert_run(&trace, system, cx.terms);
            "unsafe"
        }
        Verdict::Unknown(_) => "unknown",
    }
}

fn assert_valid(premise: Term, conclusion: Term, cx: &Cx<'_>) {
    let (budget, oracles) = (Budget::unlimited(), Z3Oracles::default());
    let cx = cx.with_budget(&budget);
    let mut solver = oracles.solver(&SolverConfig::new("test"));
    solver.assert(cx.terms, premise).unwrap();
    solver.assert(cx.terms, cx.terms.not(conclusion)).unwrap();
    assert!(
        matches!(solver.check(&[], &cx).unwrap(), Answer::Unsat(_)),
        "{}",
        cx.terms.print(conclusion)
    );
}

fn assert_inductive(proof: &Invariant, system: &TransitionSystem, cx: &Cx<'_>) {
    assert_eq!(proof.k, 1);
    assert_valid(system.init, proof.formula, cx);
    let step = cx.terms.and2(proof.formula, system.trans);
    assert_valid(step, system.next(cx.terms, proof.formula), cx);
    assert_valid(proof.formula, system.property, cx);
}

fn assert_run(trace: &Trace, system: &TransitionSystem, terms: &TermStore) {
    let mut values = trace.rigid.clone();
    for (i, step) in trace.steps.iter().enumerate() {
        values.values.extend(step.state.values.clone());
        if i == 0 {
            assert_eq!(terms.eval_bool(system.init, &values), Ok(true));
        }
        let Some(next) = trace.steps.get(i + 1) else {
            assert_eq!(terms.eval_bool(system.property, &values), Ok(false));
            return;
        };
        values.values.extend(step.inputs.values.clone());
        for var in &system.vars {
            values.insert(var.next, next.state.get(var.cur).unwrap().clone());
        }
        assert_eq!(terms.eval_bool(system.trans, &values), Ok(true));
    }
    panic!("a run has at least one state");
}

#[test]
fn divergence_is_overcome() {
    for (text, expected) in relations() {
        assert_eq!(check(&text, paranoid()), expected, "{text}");
    }
}

#[test]
fn small_systems_are_decided() {
    for (text, expected) in systems() {
        assert_eq!(check(&text, paranoid()), expected, "{text}");
    }
}

#[test]
fn no_option_changes_a_verdict() {
    let settings = [
        "ctg_max=0",
        "generalize=false",
        "ctg_depth=2",
        "lift=false",
        "reenqueue=false",
        "reset_every=7",
        "guards=false",
        "interpolate=false",
        "preconditions=false",
        "always_preconditions=true",
        "minimise_predicates=false",
        "minimise_invariant=false",
        "seed=5",
        "diverge_after=0",
        "diverge_after=1",
        "per_location=true",
        "hints=false",
        "light_arithmetic=false",
    ];
    for setting in settings {
        let (name, value) = setting.split_once('=').unwrap();
        let mut options = paranoid();
        options.set(name, value).unwrap();
        for (text, expected) in systems() {
            let found = check(&text, options.clone());
            assert!(
                found == expected || found == "unknown",
                "{setting} says {found} for\n{text}"
            );
        }
    }
}

/// Cubes that are preimages leave nothing to refine, and paths of them are runs.
#[test]
fn concrete_cubes_need_no_refinement() {
    let copied = |property| {
        let step = "(and (= x+ x) (= y+ x))";
        let vars = [("x", "Real"), ("y", "Real")];
        vmt(&vars, &[], "(and (= x 0.0) (= y 0.0))", step, property)
    };
    let counted = vmt(
        &[("x", "Int")],
        &[("in", "Int")],
        "(= x 0)",
        "(and (<= in 2) (= x+ (+ x in)))",
        "(< x 5)",
    );
    for (text, expected) in [
        (copied("(= y 0.0)"), "safe"),
        (copied("(< y 0.0)"), "unsafe"),
        (counted, "unsafe"),
    ] {
        let options = Ic3iaOptions {
            concrete: true,
            guards: false,
            ..paranoid()
        };
        let (terms, sink) = (TermStore::new(), Refinements::default());
        let system = read::system(&terms, &text);
        let budget = Budget::unlimited().with_queries(5000);
        let said = told(&terms, &budget, &sink, |cx| {
            ask(&system, options, cx).expect("within the budget")
        });
        assert_eq!((said, sink.0.take()), (expected, 0), "{text}");
    }
}

#[derive(Default)]
struct Refinements(RefCell<usize>);

impl EventSink for Refinements {
    fn emit(&self, event: Event<'_>) {
        *self.0.borrow_mut() += usize::from(matches!(event, Event::Refined));
    }
}

#[test]
fn faults_never_become_verdicts() {
    for seed in 0..8 {
        for (text, expected) in systems().into_iter().take(6) {
            let budget = Budget::unlimited().with_queries(5000);
            within(&budget, |cx| {
                let system = read::system(cx.terms, &text);
                let oracles = Backends::faulty(FaultPlan::new(4, 40, seed));
                let cx = Cx {
                    oracles: &oracles,
                    ..*cx
                };
                if let Ok(found) = ask(&system, Ic3iaOptions::default(), &cx) {
                    let fits = found == expected || found == "unknown";
                    assert!(fits, "seed {seed}: {found}");
                }
            });
        }
    }
}

#[test]
fn no_progress_is_reported() {
    let mut options = paranoid();
    for source in ["interpolate", "preconditions", "comparisons", "guards"] {
        options.set(source, "false").unwrap();
    }
    options.set("diverge_after", "0").unwrap();
    let text = vmt(
        &[("x", "Int")],
        &[],
        "(= x 0)",
        "(= x+ (+ x 2))",
        "(not (= x 7))",
    );
    with_cx(|cx| {
        let system = read::system(cx.terms, &text);
        let verdict = Ic3ia::new(options).check(&system, &Alone, cx).unwrap();
        assert!(matches!(verdict, Verdict::Unknown(Reason::NoNewPredicate)));
    });
}

/// Notes for each lemma whether it mentions a variable.
struct Mentions<'a>(&'a TermStore, Term, RefCell<Vec<bool>>);

impl EventSink for Mentions<'_> {
    fn emit(&self, event: Event<'_>) {
        if let Event::Lemma(_, clause) = event {
            self.2
                .borrow_mut()
                .push(self.0.free_vars(&[clause]).contains(&self.1));
        }
    }
}

#[test]
fn with_frames_per_location_every_lemma_names_its_location() {
    let terms = TermStore::new();
    let system = read::system(&terms, &alternating("(or up (not (= x 5)))"));
    let sink = Mentions(&terms, system.vars[0].cur, RefCell::default());
    let options = Ic3iaOptions {
        per_location: true,
        ..paranoid()
    };
    let said = told(&terms, &Budget::unlimited(), &sink, |cx| {
        ask(&system, options, cx).unwrap()
    });
    assert_eq!(said, "safe");
    let named = sink.2.borrow();
    assert!(!named.is_empty() && named.iter().all(|&n| n), "{named:?}");
}

#[test]
fn predicates_of_the_input_are_used() {
    let text = vmt(
        &[("x", "Int")],
        &[],
        "(= x 0)",
        "(= x+ (+ x 2))",
        "(not (= x 7))",
    );
    let hinted = text + "(define-fun .hint () Bool (! (= 0 (mod x 2)) :predicate true))\n";
    for (hints, expected) in [("true", "safe"), ("false", "unknown")] {
        let mut options = paranoid();
        for source in ["interpolate", "preconditions", "comparisons", "guards"] {
            options.set(source, "false").unwrap();
        }
        options.set("diverge_after", "0").unwrap();
        options.set("hints", hints).unwrap();
        assert_eq!(check(&hinted, options), expected, "hints: {hints}");
    }
}

/// Says formulas once.
struct Says(RefCell<Vec<Term>>);

impl Peers<TransitionSystem> for Says {
    fn tell(&self, _facts: Vec<Term>, _cx: &Cx<'_>) {}

    fn hear(&self, _cx: &Cx<'_>) -> Vec<Term> {
        self.0.take()
    }
}

#[derive(Default)]
struct Obligations(RefCell<usize>);

impl EventSink for Obligations {
    fn emit(&self, event: Event<'_>) {
        *self.0.borrow_mut() += usize::from(matches!(event, Event::Obligation(..)));
    }
}

/// Clauses of others are proved before they are lemmas: what is right spares the search, what is wrong
/// changes nothing.
#[test]
fn clauses_of_others_are_tried_as_lemmas() {
    let text = vmt(
        &[("x", "Int"), ("y", "Int")],
        &[],
        "(and (= x 0) (= y 0))",
        "(and (= x+ (+ x 1)) (= y+ (+ y 1)))",
        "(or (not (= x 5)) (= y 5))",
    );
    let opened = |lemmas: bool| {
        let (terms, sink) = (TermStore::new(), Obligations::default());
        let system = read::system(&terms, &text);
        let (x, y) = (system.vars[0].cur, system.vars[1].cur);
        let said = Says(RefCell::new(vec![
            terms.and([terms.le(x, y), terms.le(y, x)]),
            terms.or2(terms.le(x, terms.int(2)), terms.le(y, terms.int(1))),
            terms.le(x, terms.int(0)),
        ]));
        let options = Ic3iaOptions {
            lemmas,
            ..paranoid()
        };
        told(&terms, &Budget::unlimited(), &sink, |cx| {
            let verdict = Ic3ia::new(options).check(&system, &said, cx).unwrap();
            assert_eq!(judge(verdict, &system, cx), "safe");
        });
        sink.0.take()
    };
    assert_eq!(opened(true), 0);
    assert!(opened(false) > 0);
}

#[derive(Default)]
struct Lemmas(RefCell<usize>);

impl EventSink for Lemmas {
    fn emit(&self, event: Event<'_>) {
        *self.0.borrow_mut() += usize::from(matches!(event, Event::Lemma(..)));
    }
}

#[test]
fn a_changed_system_is_taken_up_where_it_was_left() {
    let text = vmt(
        &[("x", "Int"), ("y", "Int")],
        &[("in", "Int")],
        "(and (= x 0) (= y 0))",
        "(and (= x+ (+ x 1)) (= y+ (+ y in)))",
        "(or (< x 3) (<= y x))",
    );
    let (terms, sink) = (TermStore::new(), Lemmas::default());
    told(&terms, &Budget::unlimited(), &sink, |cx| {
        let mut system = read::system(&terms, &text);
        let mut engine = Ic3ia::new(paranoid());
        let mut ask = |system: &TransitionSystem| {
            judge(engine.check(system, &Alone, cx).unwrap(), system, cx)
        };
        assert_eq!(ask(&system), "unsafe");
        let input = system.inputs[0];
        system.strengthen_trans(&terms, terms.le(input, terms.int(1)));
        assert_eq!(ask(&system), "safe");
        let warm = *sink.0.borrow();
        let far = terms.le(terms.int(100), system.vars[0].cur);
        system.weaken_property(terms.or2(system.property, far));
        assert_eq!(ask(&system), "safe");
        assert!(*sink.0.borrow() - warm <= 4, "the frames were kept");
        let other = read::system(&terms, &counters("(<= y x)"));
        assert_eq!(ask(&other), "safe");
    });
}
