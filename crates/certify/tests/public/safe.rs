//! Certificates of safety as text: right ones are accepted, wrong and malformed ones are not.

use super::{chc, vmt};
use foretell_certify::{CheckReport, Outcome};
use foretell_systems::Property;

const COUNTER: &str = "(set-logic HORN) ; a counter
(declare-fun |in v| (Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (|in v| 0 n))))
(assert (forall ((x Int) (n Int)) (! (=> (and (|in v| x n) (< x n)) (|in v| (+ x 1) n)) :named step)))
(assert (forall ((x Int) (n Int)) (=> (|in v| x n) (<= x n))))
(check-sat)
(get-model)
";

fn accepted(report: CheckReport) {
    assert_eq!(report.outcome, Outcome::Accepted);
}

fn rejected(report: CheckReport, words: &str) {
    match report.outcome {
        Outcome::Rejected(what) if what.contains(words) => {}
        outcome => panic!("expected a rejection with `{words}`, found {outcome:?}"),
    }
}

fn undecided(report: CheckReport, words: &str) {
    match report.outcome {
        Outcome::Undecided(why) if why.contains(words) => {}
        outcome => panic!("expected no decision with `{words}`, found {outcome:?}"),
    }
}

#[test]
fn models_in_all_layouts() {
    let definition = "(define-fun |in v| ((a Int) (b Int)) Bool (and (<= 0 a) (<= a b)))";
    for model in [
        definition.to_string(),
        format!("sat\n(model {definition})"),
        format!("sat ({definition})"),
        format!("; words\n{definition}"),
    ] {
        let report = chc(COUNTER, &model);
        assert_eq!(report.obligations.len(), 3);
        accepted(report);
    }
}

#[test]
fn wrong_models() {
    let model = |sorts: &str, body: &str| format!("(define-fun |in v| ({sorts}) Bool {body})");
    let (int, good) = ("(a Int) (b Int)", "(<= a b)");
    accepted(chc(COUNTER, &model(int, good)));
    rejected(chc(COUNTER, &model(int, "true")), "clause 2 (line 5)");
    rejected(chc(COUNTER, &model(int, "false")), "clause 0 (line 3)");
    rejected(chc(COUNTER, &model(int, "(< a b)")), "clause 0");
    rejected(chc(COUNTER, &model(int, "(<= b a)")), "clause 0");
    rejected(
        chc(COUNTER, &model("(a Int)", "(<= a 0)")),
        "wrong number of arguments",
    );
    rejected(chc(COUNTER, &model("(a Real) (b Int)", good)), "wrong sort");
    rejected(chc(COUNTER, ""), "no definition");
    rejected(
        chc(COUNTER, "(define-fun other () Bool true)"),
        "no predicate",
    );
    rejected(chc(COUNTER, &format!("{0} {0}", model(int, good))), "twice");
    rejected(
        chc(COUNTER, &(model(int, good) + "(assert false)")),
        "expected `(define-fun",
    );
    rejected(chc(COUNTER, &(model(int, good) + ")")), "bracket");
    undecided(chc(COUNTER, &model(int, "(<= a c)")), "error");
    undecided(chc(COUNTER, &model(int, "(+ a b)")), "error");
}

#[test]
fn unknown_commands_are_never_skipped() {
    let model = "(define-fun |in v| ((a Int) (b Int)) Bool (<= a b))";
    for command in [
        "(push 1)",
        "(include \"x\")",
        "(define-fun-rec f ((x Int)) Bool (not (f x)))",
        "(reset)",
        "word",
    ] {
        undecided(chc(&format!("{COUNTER}{command}"), model), "problem");
    }
    undecided(
        chc(&format!("{COUNTER}(declare-fun |in v| (Int) Bool)"), model),
        "twice",
    );
}

#[test]
fn the_rules_dialect() {
    let rules =
        "(declare-rel p (Int)) (declare-rel fail ()) (declare-var x Int) (declare-var y Int)
(rule (=> (= x 0) (p x)) first)
(rule (=> (and (p x) (= y (+ x 2))) (p y)))
(rule (=> (and (p x) (= x 7)) fail))";
    let model = |p: &str, fail: &str| {
        format!("(define-fun p ((x Int)) Bool {p}) (define-fun fail () Bool {fail})")
    };
    let even = "(= (mod x 2) 0)";
    accepted(chc(rules, &model(even, "false")));
    rejected(chc(rules, &model(even, "true")), "clause 3");
    rejected(chc(rules, &model("true", "false")), "clause 2");
    let query = rules
        .replace("declare-rel fail ()", "declare-rel fail (Int)")
        .replace("fail))", "(fail x)))");
    let model =
        "(define-fun p ((x Int)) Bool (= (mod x 2) 0)) (define-fun fail ((z Int)) Bool (= z 7))";
    rejected(
        chc(
            &format!("{query} (query fail :print-certificate true)"),
            model,
        ),
        "clause 3",
    );
    let model = model.replace("(= z 7)", "false");
    accepted(chc(
        &format!("{query} (query fail :print-certificate true)"),
        &model,
    ));
}

#[test]
fn constants_and_macros_of_the_text() {
    let text = "(declare-fun up (T) Bool) (define-fun up2 ((x T)) Bool (up (next x))) (define-sort T () Int)
(define-fun next ((x T)) T (+ x 1)) (declare-const N Int) (declare-fun f (Int) Int)
(assert (up (f N)))
(assert (forall ((x T)) (=> (up x) (up2 x))))
(assert (forall ((x T)) (=> (and (up x) (< x (f N))) false)))";
    // The text uses `next` before it is defined: the solver's parser refuses that, as it should.
    let model = "(define-fun up ((x Int)) Bool (>= x (f N)))";
    undecided(chc(text, model), "error");
    let (_, rest) = text.split_once('\n').expect("two lines");
    let first =
        "(define-sort T () Int) (define-fun next ((x T)) T (+ x 1)) (declare-fun up (T) Bool)
(define-fun up2 ((x T)) Bool (up (next x)))";
    let rest = rest.replace("(define-fun next ((x T)) T (+ x 1))", "");
    accepted(chc(&format!("{first}\n{rest}"), model));
    let wrong = "(define-fun up ((x Int)) Bool (>= x (f 0)))";
    rejected(chc(&format!("{first}\n{rest}"), wrong), "clause 0");
}

const FILL: &str = "(set-logic HORN)
(declare-fun loop ((Array Int Int) Int Int) Bool)
(assert (forall ((a (Array Int Int)) (n Int)) (loop a 0 n)))
(assert (forall ((a (Array Int Int)) (i Int) (n Int))
  (=> (and (loop a i n) (< i n)) (loop (store a i 7) (+ i 1) n))))
(assert (forall ((a (Array Int Int)) (i Int) (n Int) (z Int))
  (=> (and (loop a i n) (>= i n) (<= 0 z) (< z n)) (= (select a z) 7))))
";

#[test]
fn quantified_array_model() {
    let model = |op: &str| {
        format!(
            "(define-fun loop ((a (Array Int Int)) (i Int) (n Int)) Bool
  (and (<= 0 i) (forall ((j Int)) (=> (and (<= 0 j) ({op} j i)) (= (select a j) 7)))))"
        )
    };
    accepted(chc(FILL, &model("<")));
    rejected(chc(FILL, &model("<=")), "clause 0");
}

#[test]
fn prophecy_in_clauses() {
    let certificate = |target: &str, body: &str| {
        format!(
            "(certificate (format foretell-1) (kind chc) (prophecy p Int (target 2 {target}))
(define-fun loop ((a (Array Int Int)) (i Int) (n Int)) Bool {body}))"
        )
    };
    let good = "(and (<= 0 i) (=> (and (<= 0 p) (< p i)) (= (select a p) 7)))";
    accepted(chc(FILL, &certificate("z", good)));
    rejected(chc(FILL, &certificate("n", good)), "clause 2");
    rejected(
        chc(FILL, &certificate("z", &good.replace("< p", "<= p"))),
        "clause 0",
    );
    rejected(chc(FILL, &certificate("z", "true")), "clause 2");
    rejected(chc(FILL, &certificate("p", good)), "introduced later");
    rejected(
        chc(
            FILL,
            &certificate("z", good).replace("target 2", "target 1"),
        ),
        "no target",
    );
    rejected(
        chc(
            FILL,
            &certificate("z", good).replace("target 2", "target 9"),
        ),
        "does not exist",
    );
    let clash = certificate("n", "true").replace("prophecy p", "prophecy z");
    rejected(chc(FILL, &clash), "symbol of the problem");
}

/// The last cell written must be found again: history of where, prophecy of what is read.
const WRITER: &str = "(set-logic HORN)
(declare-fun w ((Array Int Int) Int) Bool)
(assert (forall ((a (Array Int Int)) (s Int)) (=> (= s 0) (w ((as const (Array Int Int)) 0) s))))
(assert (forall ((a (Array Int Int)) (s Int) (k Int)) (=> (w a s) (w (store a k 5) (+ s 1)))))
(assert (forall ((a (Array Int Int)) (s Int) (z Int))
  (=> (and (w a s) (distinct (select a z) 0) (distinct (select a z) 5)) false)))
(assert (forall ((a (Array Int Int)) (s Int)) (=> (w a s) (>= s 0))))
";

#[test]
fn history_and_prophecy_in_clauses() {
    let certificate = |update: &str, invariant: &str| {
        format!(
            "(certificate (format foretell-1) (kind chc)
(prophecy p Int (target 2 z)) (history h Int (update 0 0) (update 1 {update}))
(define-fun w ((a (Array Int Int)) (s Int)) Bool {invariant}))"
        )
    };
    let update = "(ite (= k p) (+ h 1) h)";
    let invariant = "(and (<= 0 h) (<= h s) (= (select a p) (ite (= h 0) 0 5)))";
    accepted(chc(WRITER, &certificate(update, invariant)));
    rejected(chc(WRITER, &certificate("h", invariant)), "clause 1");
    rejected(chc(WRITER, &certificate("(+ h 1)", invariant)), "clause 1");
    rejected(
        chc(
            WRITER,
            &certificate(update, &invariant.replace("0 5", "0 6")),
        ),
        "clause 1",
    );
    let missing = certificate(update, invariant).replace("(update 0 0) ", "");
    rejected(chc(WRITER, &missing), "no update for clause 0");
    let query = certificate(update, invariant).replace("(update 0 0)", "(update 0 0) (update 3 0)");
    rejected(chc(WRITER, &query), "it has no update");
    let late = "(certificate (format foretell-1) (kind chc)
(history h Int (update 0 0) (update 1 (ite (= k p) (+ h 1) h))) (prophecy p Int (target 2 z))
(define-fun w ((a (Array Int Int)) (s Int)) Bool (and (<= 0 h) (<= h s) (= (select a p) (ite (= h 0) 0 5)))))";
    rejected(chc(WRITER, late), "introduced later");
}

#[test]
fn auxiliaries_need_bodies_that_can_be_taken_apart() {
    let text = "(declare-fun p (Int) Bool) (declare-fun q (Int) Bool)
(assert (or (p 0) (not true)))
(assert (forall ((x Int)) (=> (or (p x) (exists ((y Int)) (let ((z y)) (and (q z) (= x z))))) (q x))))
(assert (forall ((x Int)) (or (not (q x)) (<= x 0))))";
    let certificate = "(certificate (format foretell-1) (kind chc) (prophecy r Int (target 2 x))
(define-fun p ((x Int)) Bool (= x 0)) (define-fun q ((x Int)) Bool (=> (= x r) (<= r 0))))";
    accepted(chc(text, certificate));
    let not_monotone = text.replace("(=> (or (p x)", "(=> (or (not (p x))");
    undecided(chc(&not_monotone, certificate), "not monotone");
    let history = certificate.replace(
        "(prophecy r Int (target 2 x))",
        "(history r Int (update 0 0) (update 1 0))",
    );
    rejected(chc(text, &history), "several body predicates");
}

#[test]
fn auxiliaries_named_like_operators() {
    // A name that means something to a solver is a variable here, so the certificate is nonsense.
    for name in ["and", "=>", "select", "true"] {
        let certificate = format!(
            "(certificate (format foretell-1) (kind chc) (prophecy {name} Bool)
(define-fun p ((x Int)) Bool (and {name} (=> (< x 0) (= (select {name} x) true)))))"
        );
        let text = "(declare-fun p (Int) Bool) (assert (forall ((x Int)) (not (p x))))";
        undecided(chc(text, &certificate), "error");
    }
}

const MEMORY: &str = "(set-logic QF_ALIA)
(declare-fun mem () (Array Int Int)) (declare-fun |mem'| () (Array Int Int))
(declare-fun out () Int) (declare-fun out1 () Int)
(declare-fun adr () Int) (declare-fun val () Int)
(define-fun .m () (Array Int Int) (! mem :next |mem'|))
(define-fun .o () Int (! out :next out1))
(define-fun .guard () Bool (let ((mem val)) (< mem 10)))
(define-fun .i () Bool (! (and (= mem ((as const (Array Int Int)) 0)) (= out 0)) :init true))
(define-fun .t () Bool (! (and (= |mem'| (ite .guard (store mem adr val) mem)) (= out1 (select mem adr))) :trans))
(define-fun .p () Bool (! (< out 10) :invar-property 0))
(define-fun .q () Bool (! (< out 9) :invar-property 1))
(assert true)
";

#[test]
fn quantified_invariant() {
    let certificate = "(certificate (format foretell-1) (kind vmt) (property 0) (k 1)
(invariant (and (forall ((adr Int)) (< (select mem adr) 10)) (< out 10))))";
    accepted(vmt(MEMORY, certificate));
    rejected(
        vmt(MEMORY, &certificate.replace("mem adr) 10", "mem adr) 9")),
        "consecution",
    );
    rejected(
        vmt(
            MEMORY,
            &certificate.replace("mem adr) 10", "mem adr) (- 1)"),
        ),
        "initiation",
    );
    rejected(
        vmt(MEMORY, &certificate.replace("(< out 10)", "(< out 11)")),
        "safety",
    );
    rejected(
        vmt(MEMORY, &certificate.replace("property 0", "property 1")),
        "another property",
    );
    rejected(
        vmt(MEMORY, &certificate.replace("(< out 10)", "(< out1 10)")),
        "next values",
    );
    rejected(
        vmt(MEMORY, &certificate.replace("foretell-1", "foretell-2")),
        "not known",
    );
}

#[test]
fn prophecy_and_history_in_states() {
    // `h` remembers what cell `p` holds; the invariant speaks about one cell only, no quantifier.
    let certificate = "(certificate (format foretell-1) (kind vmt)
(prophecy p Int (target adr))
(history h Int (next h1) (init 0) (update (ite (and (= adr p) (< val 10)) val h)))
(invariant (and (= (select mem p) h) (< h 10) (< out 10))))";
    // The value read at `adr` is below 10: `p` is the address that is read next.
    let text = MEMORY.replace(
        "(! (< out 10)",
        "(! (and (< out 10) (< (select mem adr) 10))",
    );
    accepted(vmt(&text, certificate));
    rejected(
        vmt(
            &text,
            &certificate.replace("(< val 10)) val h", "(< val 11)) val h"),
        ),
        "consecution",
    );
    rejected(
        vmt(&text, &certificate.replace("(init 0)", "(init 1)")),
        "initiation",
    );
    rejected(
        vmt(&text, &certificate.replace("target adr", "target val")),
        "safety",
    );
    rejected(
        vmt(&text, &certificate.replace("(target adr)", "(target h)")),
        "introduced later",
    );
    rejected(
        vmt(&text, &certificate.replace("(target adr)", "")),
        "one target",
    );
    rejected(
        vmt(&text, &certificate.replace("(init 0)", "")),
        "`init` and `update`",
    );
    rejected(
        vmt(&text, &certificate.replace("(init 0)", "(init out1)")),
        "next values",
    );
}

#[test]
fn k_induction() {
    let text = "(declare-fun x () Int) (declare-fun y () Int) (declare-fun x1 () Int) (declare-fun y1 () Int)
(define-fun sv0 () Int (! x :next x1)) (define-fun sv1 () Int (! y :next y1))
(define-fun init () Bool (! (and (= x 0) (= y 1)) :init))
(define-fun trans () Bool (! (and (= x1 y) (= y1 (- 1 x))) :trans))
(define-fun prop () Bool (! (<= x 1) :invar-property 0))";
    let certificate = |k: u32, f: &str| {
        format!("(certificate (format foretell-1) (kind vmt) (property 0) (k {k}) (invariant {f}))")
    };
    accepted(vmt(text, &certificate(4, "(<= x 1)")));
    rejected(vmt(text, &certificate(1, "(<= x 1)")), "consecution");
    rejected(vmt(text, &certificate(2, "(<= x 1)")), "induction step");
    rejected(vmt(text, &certificate(4, "(<= x 0)")), "base case");
    rejected(vmt(text, &certificate(4, "(<= x 2)")), "safety");
    rejected(vmt(text, &certificate(0, "(<= x 1)")), "depth");
}

#[test]
fn inputs_change_and_frozen_symbols_do_not() {
    let text = |annotation: &str| {
        format!(
            "(declare-const x Int) (declare-const x1 Int) (declare-const c Int)
(define-fun s () Int (! x :next x1)) {annotation}
(define-fun i () Bool (! (= x c) :init)) (define-fun t () Bool (! (= x1 c) :trans))
(define-fun p () Bool (! (= x c) :invar-property 0))"
        )
    };
    let certificate = "(certificate (format foretell-1) (kind vmt) (invariant (= x c)))";
    accepted(vmt(
        &text("(define-fun f () Int (! c :next c))"),
        certificate,
    ));
    rejected(vmt(&text(""), certificate), "consecution");
}

#[test]
fn axioms_and_next_values_without_declaration() {
    let text =
        "(declare-sort S 0) (declare-fun le (S S) Bool) (declare-fun c () S) (declare-fun x () S)
(define-fun sx () S (! x :next x1))
(define-fun i () Bool (! (= x c) :init)) (define-fun t () Bool (! true :trans))
(define-fun p () Bool (! (le c x) :invar-property 0))
(assert (forall ((y S)) (le c y)))";
    let certificate = "(certificate (format foretell-1) (kind vmt) (invariant true))";
    accepted(vmt(text, certificate));
    rejected(
        vmt(
            &text.replace("(assert (forall ((y S)) (le c y)))", ""),
            certificate,
        ),
        "safety",
    );
    // The axiom makes `c` rigid; as an input it would change.
    let frozen = text
        .replace("! true :trans", "! (= x1 c) :trans")
        .replace("(le c x) :inv", "(= x c) :inv");
    let certificate = "(certificate (format foretell-1) (kind vmt) (invariant (= x c)))";
    accepted(vmt(&frozen, certificate));
    rejected(
        vmt(
            &frozen.replace("(assert (forall ((y S)) (le c y)))", ""),
            certificate,
        ),
        "consecution",
    );
}

#[test]
fn malformed_systems() {
    let certificate = "(certificate (format foretell-1) (kind vmt) (invariant (< out 10)))";
    let broken = |from: &str, to: &str| vmt(&MEMORY.replace(from, to), certificate);
    undecided(broken(":next out1", ":next |mem'|"), "two `:next`");
    undecided(
        broken("(< out 10) :invar", "(< out1 10) :invar"),
        "next value",
    );
    undecided(
        broken("(assert true)", "(assert (< out 10))"),
        "an assertion about",
    );
    undecided(
        broken("(assert true)", "(assert .guard)"),
        "an assertion about",
    );
    undecided(broken(":trans", ":transition"), "`:trans`");
    undecided(broken(":init true", ":init false"), "`true` or absent");
    undecided(
        broken("(< out 10) :invar", "(and true (! (< out 10) :invar"),
        "",
    );
    rejected(
        broken(":invar-property 0", ":invar-property 5"),
        "no property 0",
    );
    assert_eq!(Property::All.to_string(), "all");
}
