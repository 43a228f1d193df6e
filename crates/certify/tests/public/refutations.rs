//! Counterexamples: what the engines find on the corpus replays, survives both spellings and the
//! second opinion on the text; what was changed does not.

use std::time::Duration;

use super::with_terms;
use foretell_certify::cex;
use foretell_certify::{
    CertifyOptions, OriginalClauses, OriginalSystem, Outcome, Status, check_derivation,
    check_trace, replay_derivation, replay_trace,
};
use foretell_engines::{Bmc, BmcOptions, Unfold, UnfoldOptions};
use foretell_frontends::Problem;
use foretell_kernel::{Alone, Budget, Cx, Engine, Verdict};
use foretell_systems::{
    ChcSystem, ClauseId, Counterexample, Derivation, Property, Trace, TransitionSystem,
};
use foretell_terms::{ArrayValue, Integer, Term, TermStore, Value};

/// A counterexample in both spellings.
fn spellings(cex: &Counterexample) -> [String; 2] {
    let json = serde_json::to_string_pretty(cex).expect("no map has keys that are no strings");
    [cex::sexp::write(cex), json]
}

/// Names and texts of a folder of the corpus, without deep ones, which belong to the engines' tests.
fn corpus(folder: &str) -> Vec<(String, String)> {
    let cases = foretell_testkit::corpus(folder).into_iter();
    let shallow = cases.filter(|case| !case.name.contains("deep"));
    shallow
        .map(|case| (case.name.clone(), case.text().to_owned()))
        .collect()
}

fn derivation_of(system: &ChcSystem, cx: &Cx<'_>) -> Option<Derivation> {
    // What is deeper or harder than this is left to the engines' own tests.
    let budget = Budget::with_time(Duration::from_secs(5));
    let mut engine = Unfold::new(UnfoldOptions {
        max_height: 12,
        ..UnfoldOptions::default()
    });
    match engine.check(system, &Alone, &cx.with_budget(&budget)) {
        Ok(Verdict::Unsafe(derivation)) => Some(derivation),
        _ => None,
    }
}

fn trace_of(system: &TransitionSystem, cx: &Cx<'_>) -> Option<Trace> {
    let budget = Budget::with_time(Duration::from_secs(5));
    let mut engine = Bmc::new(BmcOptions {
        max_bound: 20,
        ..BmcOptions::default()
    });
    match engine.check(system, &Alone, &cx.with_budget(&budget)) {
        Ok(Verdict::Unsafe(trace)) => Some(trace),
        _ => None,
    }
}

/// The value, or one that differs from it.
fn other(value: &Value) -> Option<Value> {
    match value {
        Value::Bool(b) => Some(Value::Bool(!b)),
        Value::Int(n) => Some(Value::Int(n + Integer::ONE)),
        _ => None,
    }
}

/// Changed derivations: each is replayed as its steps say, never accepted when a step is wrong.
fn derivation_mutants(derivation: &Derivation) -> Vec<Derivation> {
    let mut mutants = Vec::new();
    let mut mutate = |change: &dyn Fn(&mut Derivation)| {
        let mut mutant = derivation.clone();
        change(&mut mutant);
        mutants.push(mutant);
    };
    mutate(&|d| drop(d.steps.pop()));
    mutate(&|d| d.steps.clear());
    mutate(&|d| drop(d.steps.remove(0)));
    mutate(&|d| d.steps.iter_mut().for_each(|s| s.clause = ClauseId(9999)));
    mutate(&|d| d.steps.iter_mut().for_each(|s| s.premises.push(0)));
    mutants
}

/// What is printed is read back and replayed; what was changed is not replayed.
fn survives_printing(name: &str, system: &ChcSystem, derivation: &Derivation, terms: &TermStore) {
    let replays = |derivation: &Derivation| {
        let report = replay_derivation(terms, system, derivation);
        report.outcome.is_accepted()
    };
    let plain = cex::convert::from_derivation(terms, system, derivation);
    for printed in spellings(&plain) {
        assert!(cex::is_counterexample(&printed));
        let read = cex::read_derivation(terms, system, &printed).expect("readable");
        assert!(replays(&read), "{name}");
        assert_eq!(cex::read(&printed).as_ref(), Ok(&plain), "{name}");
        let again = cex::convert::from_derivation(terms, system, &read);
        assert_eq!(again, plain, "{name}");
    }
    for mutant in derivation_mutants(derivation) {
        assert!(!replays(&mutant), "{name}");
    }
}

/// Values that follow from others are left out, and are those that were there; how many are left.
fn survives_shortening(
    name: &str,
    system: &ChcSystem,
    derivation: &Derivation,
    terms: &TermStore,
) -> [usize; 2] {
    let short = cex::settle::short(terms, system, derivation);
    let plain = cex::convert::from_derivation(terms, system, &short);
    let read = cex::read_derivation(terms, system, &cex::sexp::write(&plain)).expect("readable");
    let report = replay_derivation(terms, system, &read);
    assert!(report.outcome.is_accepted(), "{name}");
    for (step, whole) in read.steps.iter().zip(&derivation.steps) {
        for (&var, value) in &whole.values.values {
            assert_eq!(step.values.get(var), Some(value), "{name}");
        }
    }
    let told = |d: &Derivation| d.steps.iter().map(|s| s.values.values.len()).sum();
    [told(&short), told(derivation)]
}

#[test]
fn derivations_of_the_corpus() {
    let (mut replayed, mut confirmed, mut undecided) = (0, 0, Vec::new());
    let mut values = [0, 0];
    for (name, text) in corpus("chc/unsafe") {
        let terms = TermStore::new();
        with_terms(&terms, |cx| {
            let Ok(input) = foretell_frontends::read(text.as_bytes(), &terms) else {
                panic!("{name} is not read");
            };
            let Problem::Chc(system) = input.problem else {
                return;
            };
            let Some(derivation) = derivation_of(&system, cx) else {
                return;
            };
            let original = OriginalClauses::new(&text, &system);
            let checked = check_derivation(&original, &derivation, &CertifyOptions::default(), cx);
            if let Outcome::Undecided(why) = &checked.report.outcome {
                // What evaluation cannot decide it says so.
                let named = ["quantifier", "division by zero", "two values"];
                assert!(named.iter().any(|n| why.contains(n)), "{name}: {why}");
                undecided.push(name);
                return;
            }
            assert_eq!(checked.report.outcome, Outcome::Accepted, "{name}");
            replayed += 1;
            let mut obligations = checked.report.obligations.iter();
            confirmed += usize::from(obligations.all(|o| o.status == Status::Holds));
            survives_printing(&name, &system, &derivation, &terms);
            let told = survives_shortening(&name, &system, &derivation, &terms);
            values.iter_mut().zip(told).for_each(|(all, n)| *all += n);
        });
    }
    assert!(replayed >= 10, "only {replayed} derivations were found");
    let [told, of] = values;
    assert!(2 * told < of, "{told} values of {of} are told");
    assert!(undecided.len() <= 4, "{undecided:?}");
    assert!(
        confirmed >= 10,
        "only {confirmed} of {replayed} were confirmed on the text"
    );
}

#[test]
fn traces_of_the_corpus() {
    let mut confirmed = 0;
    for (name, text) in corpus("vmt/unsafe") {
        let terms = TermStore::new();
        with_terms(&terms, |cx| {
            let Ok(input) = foretell_frontends::read(text.as_bytes(), &terms) else {
                panic!("{name} is not read");
            };
            let Problem::Vmt { system, .. } = input.problem else {
                return;
            };
            let Some(trace) = trace_of(&system, cx) else {
                return;
            };
            let all = Property::All;
            let checked = check_trace(
                &OriginalSystem::new(&text, &system, all),
                &trace,
                &CertifyOptions::default(),
                cx,
            );
            assert_eq!(checked.report.outcome, Outcome::Accepted, "{name}");
            assert!(
                checked
                    .report
                    .obligations
                    .iter()
                    .all(|o| o.status == Status::Holds),
                "{name}"
            );
            confirmed += 1;
            let plain = cex::convert::from_trace(&terms, &system, &trace, all);
            for printed in spellings(&plain) {
                let read = cex::read_trace(&terms, &system, &printed, all).expect("readable");
                assert!(
                    replay_trace(&terms, &system, &read).outcome.is_accepted(),
                    "{name}"
                );
                assert!(cex::read_trace(&terms, &system, &printed, Property::Number(77)).is_err());
            }
        });
    }
    assert!(confirmed >= 3, "only {confirmed} runs were found");
}

/// Values that follow are known to all checks: a constant has one value, told or not.
#[test]
fn a_constant_that_follows_twice_has_one_value() {
    let text = "(declare-fun c () Int)
(declare-fun p (Int) Bool)
(assert (forall ((x Int)) (=> (and (= x 0) (= c 5)) (p x))))
(assert (forall ((x Int)) (=> (and (p x) (= c 6)) false)))";
    let told = "(counterexample (format foretell-1) (kind chc)
(step 0 (clause 0) (values) (premises) (derives p))
(step 1 (clause 1) (values) (premises 0) (derives false)))";
    let terms = TermStore::new();
    with_terms(&terms, |cx| {
        let input = foretell_frontends::read(text.as_bytes(), &terms).expect("readable");
        let Problem::Chc(system) = input.problem else {
            panic!("clauses")
        };
        let read = cex::read_derivation(&terms, &system, told).expect("readable");
        let original = OriginalClauses::new(text, &system);
        let checked = check_derivation(&original, &read, &CertifyOptions::default(), cx);
        assert!(!checked.report.outcome.is_accepted());
    });
}

const LOOP: &str = "(declare-fun p (Int (Array Int Int)) Bool)
(assert (forall ((a (Array Int Int))) (=> (= (select a 0) 5) (p 0 a))))
(assert (forall ((x Int) (a (Array Int Int))) (=> (p x a) (p (+ x 1) (store a x 7)))))
(assert (forall ((x Int) (a (Array Int Int))) (=> (and (p x a) (= x 1) (= (select a 0) 7)) false)))";

#[test]
fn a_derivation_by_hand() {
    let text = "(counterexample (format foretell-1) (kind chc)
(step 0 (clause 0) (line 2) (values (a (array (0 5) (else (- 1))))) (premises) (derives (p 0 (array (else 0)))))
(step 1 (clause 1) (values (x 0) (a (array (else (- 1)) (0 5)))) (premises 0) (derives false))
(step 2 (clause 2) (values (x 1) (a (array (0 7) (else (- 1))))) (premises 1) (derives false)))";
    let terms = TermStore::new();
    let input = foretell_frontends::read(LOOP.as_bytes(), &terms).expect("readable");
    let Problem::Chc(system) = input.problem else {
        panic!("clauses")
    };
    let outcome = |text: &str| {
        let read = cex::read_derivation(&terms, &system, text);
        read.map(|derivation| replay_derivation(&terms, &system, &derivation).outcome)
    };
    assert_eq!(outcome(text), Ok(Outcome::Accepted));
    for follows in ["(x 1) ", "(x 0) ", "(a (array (0 7) (else (- 1))))"] {
        let shorter = text.replacen(follows, "", 1);
        assert_ne!(shorter, text);
        assert_eq!(outcome(&shorter), Ok(Outcome::Accepted), "{follows}");
    }
    for (from, to) in [
        ("(0 5) (else (- 1))", "(0 4) (else (- 1))"),
        ("(x 0)", "(x 1)"),
        ("(0 7) (else (- 1))", "(0 7) (else 0)"),
        ("(premises 1)", "(premises 0)"),
        ("(premises 1)", "(premises 2)"),
        ("(premises 1)", "(premises)"),
        ("(clause 2)", "(clause 1)"),
        ("(values (a (array (0 5) (else (- 1)))))", "(values)"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        assert!(
            !outcome(&changed).expect("readable").is_accepted(),
            "{from} to {to}"
        );
    }
    for (from, to) in [
        ("(x 1)", "(y 1)"),
        ("(x 1)", "(x true)"),
        ("(x 1)", "(x (/ 1 2))"),
        ("(line 2)", "(line 3)"),
        ("(clause 2)", "(clause 3)"),
        ("(step 1", "(step 2"),
        ("(kind chc)", "(kind vmt)"),
        ("foretell-1", "foretell-0"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert!(outcome(&changed).is_err(), "{from} to {to}");
    }
}

#[test]
fn a_front_end_that_misreads_is_caught_by_the_second_opinion() {
    // The system says `x = 2` where the text says `x = 1`.
    let terms = TermStore::new();
    let misread = LOOP.replace("(= x 1)", "(= x 2)");
    let input = foretell_frontends::read(misread.as_bytes(), &terms).expect("readable");
    let Problem::Chc(system) = input.problem else {
        panic!("clauses")
    };
    with_terms(&terms, |cx| {
        let derivation = derivation_of(&system, cx).expect("a derivation");
        let options = CertifyOptions::default();
        assert!(
            replay_derivation(&terms, &system, &derivation)
                .outcome
                .is_accepted()
        );
        assert!(
            check_derivation(
                &OriginalClauses::new(&misread, &system),
                &derivation,
                &options,
                cx
            )
            .report
            .outcome
            .is_accepted()
        );
        let outcome = check_derivation(
            &OriginalClauses::new(LOOP, &system),
            &derivation,
            &options,
            cx,
        )
        .report
        .outcome;
        assert!(matches!(outcome, Outcome::Rejected(_)), "{outcome:?}");
    });
}

#[test]
fn one_value_of_a_constant_for_the_whole_text() {
    let text = "(declare-const N Int) (declare-fun up (Int) Bool)
(assert (=> (>= N 0) (up 0)))
(assert (forall ((x Int)) (=> (and (up x) (< x N)) (up (+ x 1)))))
(assert (forall ((x Int)) (=> (and (up x) (> x N)) false)))";
    let terms = TermStore::new();
    let input = foretell_frontends::read(text.as_bytes(), &terms).expect("readable");
    let Problem::Chc(system) = input.problem else {
        panic!("clauses")
    };
    with_terms(&terms, |cx| {
        let derivation = derivation_of(&system, cx).expect("each clause has its own N");
        let options = CertifyOptions::default();
        let outcome = check_derivation(
            &OriginalClauses::new(text, &system),
            &derivation,
            &options,
            cx,
        )
        .report
        .outcome;
        assert!(
            matches!(&outcome, Outcome::Undecided(why) if why.contains("two values")),
            "{outcome:?}"
        );
    });
}

#[test]
fn a_run_with_one_changed_value() {
    let text =
        "(declare-fun x () Int) (declare-fun x1 () Int) (declare-fun i () Int) (declare-fun f (Int) Int)
(define-fun s () Int (! x :next x1)) (define-fun a () Bool (! (= x 0) :init))
(define-fun t () Bool (! (= x1 (+ x (f i))) :trans)) (define-fun p () Bool (! (< x 5) :invar-property 3))";
    let terms = TermStore::new();
    let input = foretell_frontends::read(text.as_bytes(), &terms).expect("readable");
    let Problem::Vmt { system, .. } = input.problem else {
        panic!("a transition system")
    };
    with_terms(&terms, |cx| {
        let trace = trace_of(&system, cx).expect("a run");
        let three = Property::Number(3);
        let checked = check_trace(
            &OriginalSystem::new(text, &system, three),
            &trace,
            &CertifyOptions::default(),
            cx,
        );
        assert_eq!(checked.report.outcome, Outcome::Accepted);
        assert!(
            checked.report.solver.contains("z3"),
            "the text was asked too"
        );
        for at in 0..trace.steps.len() {
            let mut changed = trace.clone();
            for value in changed.steps[at].state.values.values_mut() {
                *value = other(value).expect("an integer");
            }
            // A larger last value still violates the property, but the step to it is wrong.
            assert!(
                !replay_trace(&terms, &system, &changed)
                    .outcome
                    .is_accepted(),
                "state {at}"
            );
        }
        let mut rigid = trace.clone();
        rigid.rigid.functions.clear();
        assert!(matches!(
            replay_trace(&terms, &system, &rigid).outcome,
            Outcome::Undecided(_)
        ));
    });
}

/// Along a run that writes one cell after the other an array is looked at where it changed: a cell of another
/// sort is found there, in a cell that is an array itself too, and so is one in an array that shares nothing.
#[test]
fn a_cell_of_another_sort_is_found_among_shared_ones() {
    const TEXT: &str = "(set-logic HORN)
        (define-sort A () (Array Int (Array Int Int)))
        (declare-fun p (A Int) Bool)
        (assert (forall ((a A) (i Int)) (=> (= i 0) (p a i))))
        (assert (forall ((a A) (b A) (i Int) (j Int))
          (=> (and (p a i) (= b (store a i (store (select a 0) i i))) (= j (+ i 1))) (p b j))))
        (assert (forall ((a A) (i Int)) (=> (and (p a i) (= i 8)) false)))";
    let terms = TermStore::new();
    with_terms(&terms, |cx| {
        let input = foretell_frontends::read(TEXT.as_bytes(), &terms);
        let Ok(Problem::Chc(system)) = input.map(|input| input.problem) else {
            panic!("clauses");
        };
        let derivation = derivation_of(&system, cx).expect("unsafe");
        let report = |derivation: &Derivation| replay_derivation(&terms, &system, derivation);
        assert!(report(&derivation).outcome.is_accepted());
        let (at, wrong) = (vec![Value::Int(0.into())], Value::Bool(true));
        let mut n_changed = 0;
        for step in 0..derivation.steps.len() {
            let vars: Vec<Term> = derivation.steps[step]
                .values
                .values
                .keys()
                .copied()
                .collect();
            for var in vars {
                let Some(Value::Array(array)) = derivation.steps[step].values.get(var) else {
                    continue;
                };
                let Value::Array(row) = array.select(&at) else {
                    panic!("rows");
                };
                let (mut shared, mut changed_row) = (array.clone(), row.clone());
                changed_row.store(at.clone(), wrong.clone());
                shared.store(at.clone(), Value::Array(changed_row));
                let mut indexed = array.clone();
                indexed.store(vec![wrong.clone()], Value::Array(row.clone()));
                let apart = ArrayValue::constant(wrong.clone(), None);
                for changed in [shared, indexed, apart] {
                    if changed == *array {
                        continue;
                    }
                    let mut mutant = derivation.clone();
                    mutant.steps[step].values.insert(var, Value::Array(changed));
                    let last = report(&mutant).obligations.pop().expect("one");
                    assert_eq!(last.status, Status::Fails);
                    assert!(last.what.contains("has another sort"), "{}", last.what);
                    n_changed += 1;
                }
            }
        }
        assert!(n_changed > 20, "{n_changed}");
    });
}
