//! What queries say may be assumed before a step, and nowhere else.

use super::chc;
use foretell_certify::Outcome;

/// Cells of `c` are copied to cells of `b`, both chosen freely; no cell of `b` exceeds 1.
const COPIER: &str = "(declare-fun w ((Array Int Int) (Array Int Int)) Bool)
(assert (w ((as const (Array Int Int)) 1) ((as const (Array Int Int)) 0)))
(assert (forall ((c (Array Int Int)) (b (Array Int Int)) (x Int) (y Int))
  (=> (w c b) (w c (store b y (select c x))))))
(assert (forall ((c (Array Int Int)) (b (Array Int Int)) (z Int))
  (=> (and (w c b) (> (select b z) 1)) false)))
";

/// The index copied from in the last step is foretold. That the cells not written are right is what
/// the query says about the state before.
const INVARIANT: &str = "(and (<= (select a p) 1) (=> (= h p) (<= (select b q) 1)))";

fn certificate(target: &str, invariant: &str) -> String {
    format!(
        "(certificate (format foretell-1) (kind chc)
(prophecy q Int (target 2 {target})) (history h Int (update 0 0) (update 1 x)) (prophecy p Int (target 2 h))
(define-fun w ((a (Array Int Int)) (b (Array Int Int))) Bool {invariant}))"
    )
}

fn accepted(text: &str, witness: &str) {
    assert_eq!(chc(text, witness).outcome, Outcome::Accepted);
}

fn rejected(text: &str, witness: &str, words: &str) {
    match chc(text, witness).outcome {
        Outcome::Rejected(what) if what.contains(words) => {}
        outcome => panic!("expected a rejection with `{words}`, found {outcome:?}"),
    }
}

#[test]
fn a_query_is_assumed_before_a_step() {
    accepted(COPIER, &certificate("z", INVARIANT));
    // Equations define the variables that are neither arguments nor foretold.
    let defined = COPIER
        .replace("(z Int))", "(z Int) (v Int))")
        .replace("(> (select b z) 1)", "(= v (select b z)) (> v 1)");
    accepted(&defined, &certificate("z", INVARIANT));
}

#[test]
fn a_query_is_not_assumed_of_itself() {
    rejected(COPIER, &certificate("z", "true"), "clause 2");
    rejected(COPIER, &certificate("z", "(<= (select a p) 1)"), "clause 2");
}

#[test]
fn a_query_is_not_assumed_after_the_step() {
    // What is copied may be anything: only the state after the step violates the query.
    let free = COPIER.replace("(store b y (select c x))", "(store b y x)");
    rejected(&free, &certificate("z", INVARIANT), "clause 1");
}

#[test]
fn a_query_says_no_more_than_it_does() {
    // Another bound, another predicate, an instance that is not foretold.
    rejected(
        &COPIER.replace("(select b z) 1", "(select b z) 2"),
        &certificate("z", INVARIANT),
        "clause 1",
    );
    rejected(
        &COPIER.replace("(select b z) 1", "(select c z) 1"),
        &certificate("z", INVARIANT),
        "clause 1",
    );
    rejected(COPIER, &certificate("0", INVARIANT), "clause");
    let guarded = COPIER.replace("(> (select b z) 1)", "(> (select b z) 1) (> z 7)");
    rejected(&guarded, &certificate("z", INVARIANT), "clause 1");
}

#[test]
fn queries_of_several_atoms_say_nothing_about_one() {
    let two = COPIER.replace("(and (w c b) (>", "(and (w c b) (w b c) (>");
    let without_history =
        "(certificate (format foretell-1) (kind chc) (prophecy q Int (target 2 z))
(prophecy p Int (target 2 z))
(define-fun w ((a (Array Int Int)) (b (Array Int Int))) Bool (=> (= p q) (<= (select b q) 1))))";
    rejected(&two, without_history, "clause 1");
    let below = COPIER.replace(
        "(and (w c b) (> (select b z) 1))",
        "(or false (and (w c b) (> (select b z) 1)))",
    );
    rejected(&below, &certificate("z", INVARIANT), "clause 1");
}

/// The same in rules, where `fail` stands for the violation.
const RULES: &str = "(declare-rel w ((Array Int Int) (Array Int Int))) (declare-rel fail ())
(declare-var c (Array Int Int)) (declare-var b (Array Int Int))
(declare-var x Int) (declare-var y Int) (declare-var z Int)
(rule (w ((as const (Array Int Int)) 1) ((as const (Array Int Int)) 0)))
(rule (=> (w c b) (w c (store b y (select c x)))))
(rule (=> (and (w c b) (> (select b z) 1)) fail))
(query fail)";

#[test]
fn a_rule_with_a_false_head_is_a_query() {
    let with = |fail: &str| {
        let definition = format!("(define-fun fail () Bool {fail}))");
        let text = certificate("z", INVARIANT);
        text.strip_suffix(')')
            .map(|open| open.to_string() + &definition)
            .unwrap_or_default()
    };
    accepted(RULES, &with("false"));
    rejected(RULES, &with("true"), "clause 2 is no query");
    rejected(RULES, &with("(not true)"), "clause 2 is no query");
    rejected(
        RULES,
        &with("false").replace("(update 1 x)", "(update 1 x) (update 2 h)"),
        "is no query",
    );
    rejected(
        RULES,
        &with("false").replace("target 2 z", "target 2 0"),
        "clause",
    );
    // A rule that is reached: its head is not false, whatever the certificate says.
    let reached = RULES.replace("(> (select b z) 1)", "(> (select b z) 0)");
    rejected(&reached, &with("false"), "clause");
}
