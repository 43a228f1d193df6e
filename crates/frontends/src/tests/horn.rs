//! Shapes of Horn clauses.

use expect_test::{Expect, expect};
use foretell_terms::TermStore;

use super::{clauses, first_error, shown};
use crate::info::Counts;
use crate::{Feature, Format, detect, read};

const HEADER: &str = "(set-logic HORN)
(declare-fun p (Int) Bool) (declare-fun q (Int) Bool) (declare-fun r () Bool)
(declare-fun a ((Array Int Int) Bool) Bool)
";

/// The clauses of assertions over the predicates of the header.
fn check(assertions: &str, expected: Expect) {
    let terms = TermStore::new();
    let system = clauses(
        &format!("{HEADER}(assert (not r)) {assertions} (check-sat)"),
        &terms,
    );
    let lines = shown(&system, &terms);
    expected.assert_eq(&lines[1..].join("\n"));
}

fn refused(assertion: &str, expected: &str) {
    assert_eq!(
        first_error(&format!("{HEADER}{assertion}\n(check-sat)")),
        expected,
        "{assertion}"
    );
}

#[test]
fn plain_clauses() {
    check(
        "(assert (p 0)) (assert (forall ((x Int)) (=> (and (p x) (< x 9)) (q (+ x 1)))))
         (assert (forall ((x Int)) (=> (q x) (< x 10))))",
        expect![[r#"
             => p(0)
            p(x), (< x 9) => q((+ x 1))
            q(x), (<= 10 x) => false"#]],
    );
}

#[test]
fn heads_with_terms_and_repeated_variables() {
    check(
        "(assert (forall ((x Int) (b (Array Int Int))) (=> (and (p x) r) (a (store b x x) (> x 0)))))",
        expect!["p(x), r() => a((store b x x), (< 0 x))"],
    );
}

#[test]
fn negations_and_clausal_form() {
    check(
        "(assert (forall ((x Int)) (or (not (p x)) (> x 3) (q x))))
         (assert (forall ((x Int)) (not (and (p x) (q x) (= x 2)))))
         (assert (not (exists ((x Int)) (and (q x) (= x 2)))))",
        expect![[r#"
            p(x), (<= x 3) => q(x)
            p(x), q(x), (= x 2) => false
            q(x), (= 2 x) => false"#]],
    );
}

#[test]
fn nested_implications_and_quantifiers() {
    check(
        "(assert (forall ((x Int)) (=> (p x) (forall ((y Int)) (=> (> y x) (q y) (p y))))))
         (assert (forall ((x Int)) (=> (exists ((y Int)) (and (q y) (exists ((z Int)) (= (* 2 z) (+ x y))))) (p x))))",
        expect![[r#"
            p(x), q(y), (< x y) => p(y)
            q(y), (= (* 2 z) (+ x y)) => p(x)"#]],
    );
}

#[test]
fn conjunctive_heads_and_equivalences() {
    check(
        "(assert (forall ((x Int)) (=> (p x) (and (q x) (> x 0) (< x 9)))))
         (assert (forall ((x Int)) (= (q x) (and (p x) (> x 5)))))",
        expect![[r#"
            p(x) => q(x)
            p(x), (not (and (< 0 x) (< x 9))) => false
            q(x) => p(x)
            q(x), (<= x 5) => false
            p(x), (< 5 x) => q(x)"#]],
    );
}

#[test]
fn disjunctive_bodies_and_ite() {
    check(
        "(assert (forall ((x Int)) (=> (or (p x) (and r (> x 1)) (= x 5) (= x 6)) (q x))))
         (assert (forall ((x Int)) (=> (and (q x) (or (= x 1) (= x 2))) (p x))))
         (assert (forall ((x Int)) (ite (p x) (q x) (< x 7))))",
        expect![[r#"
            p(x) => q(x)
            r(), (< 1 x) => q(x)
            (or (= 5 x) (= 6 x)) => q(x)
            q(x), (or (= 1 x) (= x 2)) => p(x)
            p(x) => q(x)
            (<= 7 x) => p(x)"#]],
    );
}

#[test]
fn quantified_goals_become_clause_variables() {
    check(
        "(assert (forall ((b (Array Int Int))) (=> (a b true) (forall ((k Int)) (=> (< 0 k 9) (= (select b k) 1))))))
         (assert (forall ((b (Array Int Int))) (=> (and (a b true) (not (forall ((k Int)) (= (select b k) 1)))) false)))
         (assert (forall ((b (Array Int Int))) (=> (and (a b true) (forall ((k Int)) (= (select b k) 1))) r)))",
        expect![[r#"
            a(b, true), (and (< 0 k) (< k 9) (not (= (select b k) 1))) => false
            a(b, true), (not (= 1 (select b k))) => false
            a(b, true), (forall ((k Int)) (= 1 (select b k))) => r()"#]],
    );
}

#[test]
fn a_quantifier_of_both_polarities_stays_apart() {
    // The first occurrence is opened, the second stays: two different variables.
    check(
        "(assert (forall ((x Int)) (=> (let ((e (exists ((y Int)) (= x (* 2 y))))) (and (p x) e (= e (> x 0)))) (q x))))",
        expect![
            "p(x), (and (= x (* 2 y)) (not (= (<= x 0) (exists ((y Int)) (= (* 2 y) x))))) => q(x)"
        ],
    );
}

#[test]
fn existential_heads_with_a_definition() {
    check(
        "(assert (forall ((x Int)) (=> (p x) (exists ((y Int)) (and (= y (+ x 1)) (q y))))))",
        expect!["p(x) => q((+ x 1))"],
    );
}

#[test]
fn shapes_that_are_no_horn_clauses_are_refused() {
    refused(
        "(assert (forall ((x Int)) (or (p x) (q x))))",
        "4:1 E030 not a Horn clause: both `p` and `q` occur positively",
    );
    refused(
        "(assert (forall ((x Int)) (=> (forall ((y Int)) (p y)) (q x))))",
        "4:1 E020 unsupported: a universal quantifier over the predicate `p` in a clause body",
    );
    refused(
        "(assert (forall ((x Int)) (=> (p x) (exists ((y Int)) (q (+ x y))))))",
        "4:1 E020 unsupported: an existential quantifier over the predicate `q` in a head",
    );
    refused(
        "(assert (forall ((x Int)) (= x (ite (p x) 1 2))))",
        "4:1 E020 unsupported: the predicate `p` inside a term",
    );
    refused(
        "(assert (forall ((b (Array Int Int))) (a b r)))",
        "4:1 E020 unsupported: the predicate `r` inside an argument",
    );
    let heads: Vec<String> = (0..20).map(|i| format!("(and (p x) (> x {i}))")).collect();
    refused(
        &format!("(assert (forall ((x Int)) (or {})))", heads.join(" ")),
        "4:1 E021 this formula becomes too many clauses: disjunctions over predicates multiply",
    );
}

#[test]
fn scripts_that_ask_something_else_are_refused() {
    assert_eq!(first_error("").split(' ').nth(1), Some("E031"));
    let smt = "(set-logic QF_LIA)(declare-const x Int)(assert (> x 3))(check-sat)";
    assert!(first_error(smt).contains("no set of Horn clauses (logic QF_LIA)"));
    let smt = "(declare-const x Int)(assert (> x 3))(check-sat)";
    assert!(first_error(smt).contains("no set of Horn clauses (logic none)"));
    refused(
        "(assert (not r)) (check-sat) (assert (p 0))",
        "4:30 E020 unsupported: an assertion after check-sat",
    );
    refused("(assert (not r)) (exit) (nonsense", "none");
    refused("(frobnicate)", "4:2 E010 unknown command `frobnicate`");
}

#[test]
fn free_constants_belong_to_each_clause() {
    let terms = TermStore::new();
    let text = format!(
        "{HEADER}(declare-const n Int)(declare-const m Int)
      (assert (p n))(assert (=> (p n) (> n 0)))(check-sat)"
    );
    let input = read(text.as_bytes(), &terms).unwrap();
    assert_eq!(input.warnings.len(), 1);
    assert_eq!(input.warnings[0].code.as_str(), "W001");
    let system = clauses(&text, &terms);
    assert_eq!(
        shown(&system, &terms),
        [" => p(n)", "p(n), (<= n 0) => false"]
    );
    assert_ne!(system.clauses[0].vars, system.clauses[1].vars);
}

#[test]
fn rules_and_queries() {
    let terms = TermStore::new();
    let text = "(declare-rel p (Int)) (declare-rel bad (Int Bool)) (declare-rel fail ())
      (declare-var x Int) (declare-var y Int) (define-fun next ((i Int)) Int (+ i 1))
      (rule (p 0) start) (rule (=> (and (p x) (= y (next x))) (p y)))
      (rule (=> (p x) (bad x (> x 3))))
      (query bad :print-certificate true) (query (and (p y) (< y 0))) (query (p 7))";
    let system = clauses(text, &terms);
    let expected = [
        " => p(0)",
        "p(x), (= y (+ x 1)) => p(y)",
        "p(x) => bad(x, (< 3 x))",
        "bad(bad.0, bad.1) => false",
        "p(y), (< y 0) => false",
        "p(7) => false",
    ];
    assert_eq!(shown(&system, &terms), expected);
    let lines: Vec<u32> = system.clauses.iter().map(|c| c.line).collect();
    assert_eq!(lines, [3, 3, 4, 5, 5, 5]);
    let fail = "(declare-rel fail ()) (declare-var x Int) (rule (=> (> x 3) fail))";
    assert_eq!(
        shown(&clauses(fail, &terms), &terms),
        ["(< 3 x) => fail()", "fail() => false"]
    );
}

#[test]
fn without_a_goal_there_is_a_warning() {
    for text in [
        "(declare-rel p ()) (rule p)",
        "(set-logic HORN) (declare-fun p () Bool) (assert p) (check-sat)",
    ] {
        let terms = TermStore::new();
        let input = read(text.as_bytes(), &terms).expect(text);
        let codes: Vec<&str> = input.warnings.iter().map(|w| w.code.as_str()).collect();
        assert_eq!(codes, ["W004"], "{text}");
    }
}

#[test]
fn commands_decide_the_dialect_wherever_they_stand() {
    for (text, expected) in [
        (
            "(set-logic HORN) (declare-rel p ()) (rule p) (query p)",
            Format::Z3Rules,
        ),
        (
            "(set-logic HORN) (declare-fun p () Bool) (assert p) (query p)",
            Format::Z3Rules,
        ),
        ("(declare-rel p ()) (assert p) (check-sat)", Format::Horn),
        ("(declare-rel p ())", Format::Z3Rules),
        (
            "(set-logic HORN) (assert (! true :init true)) (check-sat)",
            Format::Horn,
        ),
        (
            "(set-logic HORN) (check-sat) (exit) (query p)",
            Format::Horn,
        ),
        (
            "(define-fun i () Bool (! true :init true)) (rule p)",
            Format::Vmt,
        ),
    ] {
        assert_eq!(detect(text), expected, "{text}");
    }
}

#[test]
fn counts_and_features() {
    let terms = TermStore::new();
    let text = format!(
        "{HEADER}(assert (not r))(assert (forall ((x Int)) (=> (and (p x) (q (* x x))) r)))(check-sat)"
    );
    let info = read(text.as_bytes(), &terms).unwrap().info;
    let counts = Counts::Chc {
        predicates: 4,
        clauses: 2,
        queries: 1,
        facts: 0,
        widest_body: 2,
    };
    assert_eq!(info.counts, counts);
    assert!(!info.is_linear());
    let features: Vec<Feature> = info.features.iter().copied().collect();
    assert_eq!(
        features,
        [
            Feature::Integers,
            Feature::Arrays,
            Feature::NonlinearArithmetic
        ]
    );
    assert_eq!(info.sorts, ["Bool", "Int", "(Array Int Int)"]);
}

#[test]
fn many_choices_in_a_body_are_predicates() {
    let choice = |i: usize| format!("(or (p x{i}) (exists ((y Int)) (and (q y) (< y x{i}))))");
    let body: Vec<String> = (0..12).map(choice).collect();
    let vars: Vec<String> = (0..12).map(|i| format!("(x{i} Int)")).collect();
    let (body, vars) = (body.join(" "), vars.join(" "));
    let text = format!(
        "{HEADER}(assert (not r)) (declare-fun case!4 (Int) Bool)
         (assert (forall ({vars}) (=> (and {body} (< x0 x1)) (p (+ x0 x11)))))"
    );
    let terms = TermStore::new();
    let system = clauses(&text, &terms);
    let lines = shown(&system, &terms);
    assert_eq!(lines.len(), 1 + 1 + 24, "{lines:#?}");
    let main = lines.iter().find(|l| l.ends_with("p((+ x0 x11))")).unwrap();
    assert!(
        main.contains("case!!5(x0)") && main.contains("(< x0 x1)"),
        "{main}"
    );
    let mine: Vec<&String> = lines
        .iter()
        .filter(|l| l.ends_with("=> case!!5(x0)"))
        .collect();
    assert_eq!(mine.len(), 2, "{lines:#?}");
    assert!(
        mine[0].starts_with("p(x0)") || mine[1].starts_with("p(x0)"),
        "{mine:?}"
    );
}

#[test]
fn an_assertion_about_functions_alone_is_no_goal() {
    let terms = TermStore::new();
    let text = "(set-logic HORN)(declare-fun f (Int) Int)(declare-fun p (Int) Bool)
        (assert (forall ((x Int)) (> (f x) 0)))(assert (p (f 1)))
        (assert (forall ((x Int)) (=> (p x) (> x 0))))";
    let input = read(text.as_bytes(), &terms).unwrap();
    assert_eq!(input.questions.len(), 1);
    assert_eq!(input.goals[0].line, 3);
}

#[test]
fn a_large_disjunction_does_not_overflow_the_stack() {
    let nested = format!(
        "{}(p 0){}",
        "(and (> x 1) (or (p x) ".repeat(3000),
        "))".repeat(3000)
    );
    let text = format!("{HEADER}(assert (forall ((x Int)) (=> {nested} false)))(check-sat)");
    let work = move || first_error(&text) == "none";
    assert!(
        std::thread::Builder::new()
            .stack_size(256 << 10)
            .spawn(work)
            .unwrap()
            .join()
            .unwrap()
    );
}
