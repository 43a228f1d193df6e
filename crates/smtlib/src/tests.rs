//! Tests of the reader and the elaborator.

mod data;
mod errors;
mod operators;
mod properties;

use foretell_terms::{Sort, Term, TermStore};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::lexer::{Lexer, MAX_DIGITS, TokenKind, decode};
use crate::reader::{MAX_NESTING, Reader};
use crate::span::Position;
use crate::{Elaborator, LineIndex, Span};

/// The commands of a text carried out; what went wrong; the formulas asserted.
fn run(text: &str, terms: &TermStore) -> (Vec<Term>, Vec<Diagnostic>) {
    let mut elaborator = Elaborator::new(terms);
    let mut diagnostics = Diagnostics::default();
    let mut reader = Reader::new(text);
    let mut asserted = Vec::new();
    while let Some(command) = reader.next_command(&mut diagnostics) {
        let sexp = command.sexp();
        let outcome = match elaborator.declaration(sexp) {
            Ok(None) => {
                let formula = sexp.items().nth(1).unwrap_or(sexp);
                elaborator.term(formula).map(|term| asserted.push(term))
            }
            other => other.map(|_| ()),
        };
        diagnostics.absorb(outcome);
    }
    (asserted, diagnostics.into_vec())
}

/// The terms of a text without errors.
fn good(text: &str, terms: &TermStore) -> Vec<Term> {
    let (asserted, diagnostics) = run(text, terms);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    asserted
}

fn tokens(text: &str) -> Vec<(TokenKind, String)> {
    let mut lexer = Lexer::new(text);
    let mut found = Vec::new();
    while let Some(token) = lexer.next_token() {
        let token = token.unwrap();
        found.push((token.kind, token.span.text(text).to_string()));
    }
    found
}

#[test]
fn every_kind_of_token() {
    use TokenKind::{Binary, Close, Decimal, Hex, Keyword, Numeral, Open, Quoted, String, Symbol};
    let text = "\u{FEFF}; note (\n(a-b |c d| :k 12 1.50 #xAf\t#b01 \"s\"\"t\"\r\n -7 -7.5 -x -7x <= |ü\n|)";
    let expected = [
        (Open, "("),
        (Symbol, "a-b"),
        (Quoted, "|c d|"),
        (Keyword, ":k"),
        (Numeral, "12"),
        (Decimal, "1.50"),
        (Hex, "#xAf"),
        (Binary, "#b01"),
        (String, "\"s\"\"t\""),
        (Numeral, "-7"),
        (Decimal, "-7.5"),
        (Symbol, "-x"),
        (Symbol, "-7x"),
        (Symbol, "<="),
        (Quoted, "|ü\n|"),
        (Close, ")"),
    ];
    let expected: Vec<(TokenKind, std::string::String)> = expected
        .iter()
        .map(|(kind, text)| (*kind, text.to_string()))
        .collect();
    assert_eq!(tokens(text), expected);
}

#[test]
fn bytes_that_are_no_text_are_located() {
    assert_eq!(decode(b"(a)\0").unwrap_err().span.start, 3);
    assert_eq!(decode(b"(a \xFF)").unwrap_err().span.start, 3);
    assert_eq!(decode("(ü)".as_bytes()).unwrap(), "(ü)");
}

#[test]
fn positions_count_lines_and_characters() {
    let text = "\u{FEFF}ab\r\nüx\n";
    let lines = LineIndex::new(text.as_bytes());
    let position = |offset| lines.position(text.as_bytes(), offset);
    assert_eq!(position(3), Position { line: 1, column: 1 });
    assert_eq!(position(4), Position { line: 1, column: 2 });
    assert_eq!(position(7), Position { line: 2, column: 1 });
    assert_eq!(position(9), Position { line: 2, column: 2 });
    assert_eq!(position(11), Position { line: 3, column: 1 });
}

#[test]
fn a_sort_with_parameters_is_read_at_each_use() {
    let terms = TermStore::new();
    let text = "(define-sort Grid (T U) (Array T (Array T U)))
      (define-sort Row () (Array Int Bool))
      (declare-const g (Grid Int Real)) (declare-const r Row) (declare-sort S 0) (declare-const s S)
      (x g) (x r) (x s)";
    let sorts: Vec<String> = good(text, &terms)
        .iter()
        .map(|&t| terms.print_sort(terms.sort(t)))
        .collect();
    assert_eq!(
        sorts,
        ["(Array Int (Array Int Real))", "(Array Int Bool)", "S"]
    );
}

#[test]
fn names_shadow_and_come_back() {
    let terms = TermStore::new();
    let text = "(declare-const x Int) (declare-const y Int)
      (t (let ((x y) (y x)) (let ((x (+ x y))) (- x y))))
      (t (and (exists ((x Bool)) x) (< x y)))
      (t (let ((and 1)) (+ and x)))
      (t x)";
    let found = good(text, &terms);
    assert_eq!(terms.print(found[0]), "y");
    assert_eq!(
        terms.print(found[1]),
        "(and (exists ((x!1 Bool)) x!1) (< x y))"
    );
    assert_eq!(terms.print(found[2]), "(+ x 1)");
    assert_eq!(terms.print(found[3]), "x");
}

#[test]
fn errors_leave_no_binding_behind() {
    let terms = TermStore::new();
    let text =
        "(declare-const x Int) (t (let ((x true)) (forall ((x Bool)) (and x 1)))) (t (+ x 1))";
    let (found, errors) = run(text, &terms);
    assert_eq!(errors.len(), 1);
    assert_eq!(terms.print(found[0]), "(+ x 1)");
}

#[test]
fn definitions_are_expanded_without_capture() {
    let terms = TermStore::new();
    let text = "(declare-const z Int)
      (define-fun below ((a Int) (b Real)) Bool (forall ((y Int)) (=> (< y a) (< y b))))
      (t (below (ite (below z 1) z 0) 2))";
    let found = good(text, &terms);
    // The two copies of the quantifier have variables of their own.
    let binders = terms
        .subterms(&found)
        .into_iter()
        .filter(|&t| terms.has_quantifier(t));
    let mut bound: Vec<Term> = binders
        .filter(|&t| matches!(terms.op(t), foretell_terms::Op::Forall))
        .map(|t| terms.args(t)[0])
        .collect();
    bound.sort_unstable();
    bound.dedup();
    assert_eq!(bound.len(), 2);
    assert_eq!(terms.free_vars(&found).len(), 1);
}

#[test]
fn annotations_are_collected_with_their_terms() {
    let terms = TermStore::new();
    let text =
        "(declare-const x Int) (define-fun d () Int (! x :next |x'| :flag :pattern ((f x) y)))";
    let mut elaborator = Elaborator::new(&terms);
    let mut reader = Reader::new(text);
    let mut diagnostics = Diagnostics::default();
    while let Some(command) = reader.next_command(&mut diagnostics) {
        diagnostics.absorb(elaborator.declaration(command.sexp()));
    }
    assert!(!diagnostics.failed());
    let found = elaborator.take_annotations();
    let keys: Vec<&str> = found.iter().map(|a| a.key.as_str()).collect();
    assert_eq!(keys, [":next", ":flag", ":pattern"]);
    assert_eq!(found[0].value_name(text), Some("x'"));
    assert_eq!(found[1].value, None);
    assert_eq!(
        found[2].value.map(|span: Span| span.text(text)),
        Some("((f x) y)")
    );
    assert!(found.iter().all(|a| terms.sort(a.term) == Sort::INT));
}

#[test]
fn named_terms_can_be_used_later() {
    let terms = TermStore::new();
    let found = good(
        "(declare-const x Int) (t (! (> x 0) :named pos)) (t (not pos))",
        &terms,
    );
    assert_eq!(terms.print(found[1]), "(<= x 0)");
}

#[test]
fn lambdas_vanish_in_equations_and_reads() {
    let terms = TermStore::new();
    let text = "(declare-const a (Array Int (Array Int Bool))) (declare-const k Int)
      (t (= a (lambda ((i Int)) (lambda ((j Int)) (< (+ i k) j)))))
      (t (select (select (store a 3 (lambda ((j Int)) (> j k))) 3) 9))
      (t (= (ite (> k 0) (lambda ((i Int)) i) ((as const (Array Int Int)) 0)) ((as const (Array Int Int)) 1)))";
    let found: Vec<String> = good(text, &terms).iter().map(|&t| terms.print(t)).collect();
    assert_eq!(
        found,
        [
            "(forall ((i!0 Int) (i!1 Int)) (not (= (select (select a i!0) i!1) (<= i!1 (+ k i!0)))))",
            "(< k 9)",
            "(forall ((i!2 Int)) (= 1 (ite (<= k 0) 0 i!2)))",
        ]
    );
}

#[test]
fn sharing_below_quantifiers_survives_printing() {
    let terms = TermStore::new();
    let mut body = String::from("(+ x y z)");
    for _ in 0..60 {
        body = format!("(let ((s {body})) (+ (* s s) x))");
    }
    let text = format!(
        "(declare-const z Int)
        (t (forall ((x Int)) (or (> (* x z) 1) (= (* x z) 2) (exists ((y Int)) (let ((t {body})) (> (* t t) t))))))"
    );
    let printed = terms.print(good(&text, &terms)[0]);
    assert!(printed.len() < 4000, "{}", printed.len());
    let other = TermStore::new();
    let again = good(&format!("(declare-const z Int) (t {printed})"), &other);
    assert_eq!(other.print(again[0]).len(), printed.len());
    assert_eq!(
        other.subterms(&again).len(),
        terms.subterms(&good(&text, &terms)).len()
    );
}

/// Nested text of a shape: opening and closing part per level around a core.
fn nested(open: &str, core: &str, close: &str, depth: usize) -> String {
    let declarations =
        "(declare-const b Bool) (declare-const x Int) (declare-const a (Array Int Int))";
    format!(
        "{declarations} (t {}{core}{})",
        open.repeat(depth),
        close.repeat(depth)
    )
}

#[test]
fn deep_terms_are_read_on_a_small_stack() {
    const DEPTH: usize = 30_000;
    let shapes = [
        ("(and (> x 1) ", "b", ")"),
        ("(or b (and (> x 1) ", "b", "))"),
        ("(not ", "b", ")"),
        ("(=> b ", "(> x 0)", ")"),
        ("(+ x ", "1", ")"),
        ("(- ", "x", " x)"),
        ("(+ 1 (* 2 ", "x", "))"),
        ("(let ((y x)) ", "(> y 0)", ")"),
        ("(let ((y ", "x", ")) y)"),
        ("(store ", "a", " x 1)"),
        ("(select a ", "x", ")"),
        ("(ite b x ", "1", ")"),
        ("(ite ", "b", " (> x 0) false)"),
        ("(= b ", "(> x 0)", ")"),
        ("(forall ((y Int)) ", "(> y x)", ")"),
        ("(! ", "b", " :note n)"),
        ("(div ", "x", " 3)"),
    ];
    let work = move || {
        for (open, core, close) in shapes {
            let terms = TermStore::new();
            let found = good(&nested(open, core, close, DEPTH), &terms);
            let text = terms.print(found[0]);
            assert!(!text.is_empty());
        }
        for (open, core, close) in [("(", "b", ")"), ("(let (", "b", "))"), ("(x ", "b", ")")] {
            let terms = TermStore::new();
            let (_, errors) = run(&nested(open, core, close, DEPTH), &terms);
            assert_eq!(errors.len(), 1, "{open}");
        }
    };
    std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn nesting_and_numbers_have_limits() {
    let terms = TermStore::new();
    for (depth, n_errors) in [(MAX_NESTING - 1, 0), (MAX_NESTING, 1), (1_000_000, 1)] {
        let text = nested("(not ", "b", ")", depth);
        let (found, errors) = run(&text, &terms);
        assert_eq!(
            (found.len(), errors.len()),
            (1 - n_errors, n_errors),
            "{depth}"
        );
        for error in errors {
            let start = text.find("(t ").unwrap() + 3 + 5 * (MAX_NESTING - 1);
            assert_eq!(
                (error.code, error.span.start as usize),
                (Code::Limit, start)
            );
        }
    }
    for (digits, n_errors) in [(MAX_DIGITS, 0), (MAX_DIGITS + 1, 1), (1_000_000, 1)] {
        let text = format!("(t (> 0 {}))", "7".repeat(digits));
        let (_, errors) = run(&text, &terms);
        let codes: Vec<Code> = errors.iter().map(|e| e.code).collect();
        assert_eq!(codes, vec![Code::Limit; n_errors], "{digits}");
    }
}
