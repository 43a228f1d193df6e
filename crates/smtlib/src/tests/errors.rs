//! Every error has a code and a place, and one error does not hide the next.

use foretell_terms::TermStore;

use super::run;
use crate::diagnostic::{Class, Code, excerpt};
use crate::{LineIndex, Severity};

/// The errors of a text as `line:column code message`.
fn errors(text: &str) -> Vec<String> {
    let terms = TermStore::new();
    let lines = LineIndex::new(text.as_bytes());
    let (_, diagnostics) = run(text, &terms);
    let shown = diagnostics.iter().map(|d| {
        let at = lines.position(text.as_bytes(), d.span.start);
        assert_eq!(d.severity, Severity::Error);
        format!("{}:{} {} {}", at.line, at.column, d.code, d.message)
    });
    shown.collect()
}

#[test]
fn all_errors_of_a_file_are_reported() {
    let text = "(declare-const x Int)
(t (+ x true))
(declare-const x Bool)
) (t (foo x))
stray words here
(t (select x 1)) (t \u{1}x)
(t (x 1)) (t (p))
(declare-fun f (Int Foo) Bool) (t (f 1 2))
(t |never";
    let expected = [
        "2:9 E014 argument 2 of `+`: expected Int or Real, found Bool",
        "3:16 E016 `x` is declared twice",
        "4:1 E004 this `)` closes nothing",
        "4:7 E013 unknown symbol `foo`",
        "5:1 E011 `(` expected, found `stray`",
        "6:12 E014 argument 1 of `select`: expected an array, found Int",
        "6:21 E002 unexpected character `\\u{1}`",
        "7:4 E015 `x` takes 0 arguments, found 1",
        "7:15 E013 unknown symbol `p`",
        "8:21 E017 unknown sort `Foo`",
        "9:4 E003 this quoted symbol does not end",
    ];
    assert_eq!(errors(text), expected);
}

/// One faulty command a line, and the first error it gives.
const MALFORMED: &str = "\
(t ())  ⇒  1:4 E012 a function symbol expected, found `)`
(t (let ((x)) x))  ⇒  1:10 E012 a term is missing here
(t (let (x) x))  ⇒  1:10 E012 a binding `(name term)` expected
(t (let ((x 1 2)) x))  ⇒  1:15 E012 one term expected, found another one
(t (let ((x 1)) x x))  ⇒  1:19 E012 one term expected, found another one
(t (forall () true))  ⇒  1:4 E012 a quantifier needs a list of variables with sorts
(t (forall ((x Int)) x))  ⇒  1:22 E012 the body of a quantifier must be Bool
(t (! true :named))  ⇒  none
(t (and))  ⇒  1:4 E012 `and` is applied to no argument
(t and)  ⇒  1:4 E012 `and` needs arguments
(t :key)  ⇒  1:4 E012 a term expected, found a keyword
(t (_ bv4 2))  ⇒  1:4 E012 the number does not fit into 2 bits
(t (_ foo 2))  ⇒  1:4 E012 unknown indexed symbol `foo`
(t ((_ extract 8 0) #xff))  ⇒  1:4 E012 bits 8 down to 0 of a bit-vector of 8 bits
(t ((_ foo 8) #xff))  ⇒  1:4 E013 unknown operator `foo` with 1 indices
(t ((f) 1))  ⇒  1:4 E012 a function symbol expected, found a list
(t (ite true 1))  ⇒  1:4 E015 `ite` takes 3 arguments, found 2
(t (= 1 true))  ⇒  1:9 E014 argument 2 of `=`: expected Int, found Bool
(t (bvadd #b1 #b11))  ⇒  1:15 E014 argument 2 of `bvadd`: expected (_ BitVec 1), found (_ BitVec 2)
(t ((as const Int) 1))  ⇒  1:4 E014 `as const` needs an array sort, found Int
(declare-fun f Int Int)  ⇒  1:16 E011 a list of sorts expected, found `Int`
(declare-fun f)  ⇒  1:1 E011 `(declare-fun name (sort …) sort)` expected
(declare-const and Int)  ⇒  1:16 E016 `and` is an operator already
(define-fun f ((x Int)) Bool x)  ⇒  1:30 E014 expected a term of sort Bool, found Int
(t (  ⇒  1:4 E004 this `(` is not closed: the input ends inside a command";

#[test]
fn malformed_terms_are_located() {
    for line in MALFORMED.lines() {
        let (text, expected) = line.split_once("  ⇒  ").unwrap();
        let found = errors(text);
        let first = found.first().map_or("none", String::as_str);
        assert_eq!(first, expected, "{text}");
        assert!(found.len() <= 1, "{text}: {found:?}");
    }
}

#[test]
fn features_outside_the_fragment_are_refused_by_name() {
    let cases = [
        (
            "(declare-codatatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))",
            "infinite data types",
        ),
        ("(declare-fun l () (List Int))", "built-in datatypes of Z3"),
        ("(declare-const s String)", "strings"),
        ("(declare-const s (Seq Int))", "sequences"),
        ("(declare-const s (_ FloatingPoint 8 24))", "floating-point"),
        ("(t \"text\")", "strings"),
        ("(t (str.len \"text\"))", "strings"),
        (
            "(define-fun-rec f ((x Int)) Int (f x))",
            "recursive functions",
        ),
        ("(push 1)", "assertion levels"),
        ("(include \"other\")", "reading other files"),
        (
            "(declare-sort List2 1)",
            "uninterpreted sorts with parameters",
        ),
        ("(t (par (A) true))", "`par`"),
        ("(t (lambda ((x Int)) x))", "`lambda`"),
        ("(t (fp.add RNE x y))", "floating-point"),
        ("(declare-const v (_ BitVec 70000))", "at most 65536 bits"),
    ];
    for (text, feature) in cases {
        let terms = TermStore::new();
        let (_, diagnostics) = run(text, &terms);
        let found = diagnostics.first().map(|d| (d.class(), d.message.clone()));
        let (class, message) = found.unwrap_or((Class::Malformed, "read".into()));
        assert!(
            class == Class::Unsupported && message.contains(feature),
            "{text}: {message}"
        );
    }
}

#[test]
fn uses_of_a_refused_declaration_are_not_reported() {
    let text = "(declare-codatatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))
      (declare-fun p (L) Bool) (t (p nil)) (t (is-cons (cons 1 nil))) (t (forall ((x L)) (p x)))";
    assert_eq!(errors(text).len(), 1);
}

#[test]
fn sorts_that_explode_are_refused() {
    let mut text = String::from("(define-sort D0 (T) (Array T T))\n");
    for i in 1..40 {
        text.push_str(&format!(
            "(define-sort D{i} (T) (Array (D{} T) (D{} T)))\n",
            i - 1,
            i - 1
        ));
    }
    assert!(errors(&text).iter().any(|e| e.contains("E021")));
    let deep = format!(
        "(declare-const a {}Int{})",
        "(Array Int ".repeat(70),
        ")".repeat(70)
    );
    assert!(errors(&deep)[0].contains("more than 64 levels"));
    let mut chain = String::from("(define-sort A0 () Int)\n");
    for i in 1..80 {
        chain.push_str(&format!("(define-sort A{i} () (Array Int A{}))\n", i - 1));
    }
    assert!(errors(&chain)[0].contains("more than 64 levels"));
}

#[test]
fn messages_quote_at_most_eighty_bytes() {
    let long = "ü".repeat(1000);
    assert!(excerpt(&long).len() <= 80);
    let found = errors(&format!("(t |{long}|)"));
    assert!(found[0].len() < 130, "{found:?}");
    assert_eq!(Code::UnknownSymbol.class(), Class::Malformed);
}
