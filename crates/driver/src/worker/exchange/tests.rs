//! Tests of the exchange: what is told can be read, and nothing hostile gets through.

use std::cell::RefCell;

use foretell_frontends::{Problem, read};
use foretell_kernel::{Budget, Cx, Peers, Rng};
use foretell_solver::Z3Oracles;
use foretell_systems::{ChcSystem, Pred};
use foretell_terms::{Sort, Term, TermStore};

use super::{Exchange, Inbox, Wire};
use crate::protocol::{Shared, SharedItem};
use crate::worker::statistics::Counter;
use crate::worker::vocabulary::Vocabulary;

const TEXT: &str = "(set-logic HORN)\n(declare-fun p (Int (Array Int Int)) Bool)\n\
    (assert (forall ((a (Array Int Int))) (p 0 a)))\n\
    (assert (forall ((i Int) (a (Array Int Int))) (=> (and (p i a) (< i 9)) (p (+ i 1) (store a i 0)))))\n\
    (assert (forall ((i Int) (a (Array Int Int))) (=> (and (p i a) (< 9 i)) false)))\n";

fn clauses(text: &str, terms: &TermStore) -> ChcSystem {
    match read(text.as_bytes(), terms).expect("well-formed").problem {
        Problem::Chc(system) => system,
        Problem::Vmt { .. } => panic!("clauses expected"),
    }
}

/// Runs a test with a context over these terms whose events are counted.
fn with_cx<R>(terms: &TermStore, counter: &Counter, test: impl FnOnce(&Cx<'_>) -> R) -> R {
    let (budget, rng, oracles) = (Budget::unlimited(), Rng::new(0), Z3Oracles::default());
    test(&Cx {
        terms,
        events: counter,
        budget: &budget,
        oracles: &oracles,
        rng: &rng,
    })
}

fn hear(exchange: &Exchange<'_>, cx: &Cx<'_>) -> Vec<(Pred, Term)> {
    Peers::<ChcSystem>::hear(exchange, cx)
}

/// What an exchange on `TEXT` takes of these messages, and how many formulas it ignores.
fn taken(messages: impl Fn(&str) -> Vec<Shared>) -> (Vec<String>, u64) {
    let (terms, counter, inbox) = (TermStore::new(), Counter::default(), Inbox::default());
    let system = clauses(TEXT, &terms);
    let wire = Wire {
        inbox: inbox.clone(),
        send: &|_| (),
    };
    let texts = with_cx(&terms, &counter, |cx| {
        let vocabulary = Vocabulary::of_clauses(&system, &terms);
        let fingerprint = vocabulary.fingerprint.clone();
        let exchange = Exchange::new(&wire, vocabulary, cx);
        messages(&fingerprint)
            .into_iter()
            .for_each(|m| inbox.put(m));
        let heard = hear(&exchange, cx).into_iter();
        heard.map(|(_, formula)| terms.print(formula)).collect()
    });
    (texts, counter.snapshot().count("shared ignored"))
}

fn message(fingerprint: &str, formulas: &[&str]) -> Vec<Shared> {
    let item = |f: &&str| SharedItem {
        predicate: 0,
        formula: (*f).to_owned(),
    };
    vec![Shared {
        fingerprint: fingerprint.to_owned(),
        items: formulas.iter().map(item).collect(),
    }]
}

#[test]
fn what_is_told_is_what_is_taken() {
    let (terms, counter) = (TermStore::new(), Counter::default());
    let system = clauses(TEXT, &terms);
    let told: RefCell<Vec<Shared>> = RefCell::default();
    let wire = Wire {
        inbox: Inbox::default(),
        send: &|shared| told.borrow_mut().push(shared),
    };
    let [i, a] = system.preds[0].params[..] else {
        panic!("two parameters")
    };
    let k = terms.new_var("i", Sort::INT);
    let cell = terms.le(terms.select(a, &[k]), terms.int(-3));
    let formula = terms.forall(&[k], terms.or2(terms.le(i, k), cell));
    let foreign = terms.eq(terms.new_var("foreign", Sort::INT), i);
    with_cx(&terms, &counter, |cx| {
        let exchange = Exchange::new(&wire, Vocabulary::of_clauses(&system, &terms), cx);
        let facts = || vec![(Pred(0), formula), (Pred(0), foreign)];
        Peers::<ChcSystem>::tell(&exchange, facts(), cx);
        Peers::<ChcSystem>::tell(&exchange, facts(), cx);
    });
    let told = told.into_inner();
    assert_eq!(told.len(), 1, "nothing is told twice");
    assert_eq!(told[0].items.len(), 1, "a foreign variable stays at home");
    let other = TermStore::new();
    let system = clauses(TEXT, &other);
    let wire = Wire {
        inbox: Inbox::default(),
        send: &|_| (),
    };
    with_cx(&other, &counter, |cx| {
        let exchange = Exchange::new(&wire, Vocabulary::of_clauses(&system, &other), cx);
        wire.inbox.put(told[0].clone());
        let [(pred, heard)] = hear(&exchange, cx)[..] else {
            panic!("one fact")
        };
        let words = Vocabulary::of_clauses(&system, &other);
        let said = words.print(pred, heard, &other);
        assert_eq!(said.as_ref(), Some(&told[0].items[0].formula));
        assert!(hear(&exchange, cx).is_empty(), "each is given once");
    });
}

#[test]
fn hostile_messages_are_ignored_and_counted() {
    let (texts, ignored) = taken(|f| message(f, &["(<= p0 9)"]));
    assert_eq!((texts.len(), ignored), (1, 0));
    let zeros = "(forall ((x Int)) (or (< x 0) (<= p0 x) (= (select p1 x) 0)))";
    let (texts, ignored) = taken(|f| message(f, &[zeros]));
    assert_eq!((texts.len(), ignored), (1, 0), "one universal quantifier");
    let long = format!("(< p0 {})", "1".repeat(5000));
    let garbage = [
        "",
        ")",
        "(",
        "(<= p0",
        "(<= p0 9) (<= p0 8)",
        "(<= p0 9)) (exit) ((",
        "p0",
        "(+ p0 1)",
        "(< p1 p0)",
        "(<= p7 0)",
        "(<= foreign 0)",
        "(p 0 p1)",
        "\u{0}\u{ffff}",
        "(let ((p0 p1)) (= p0 1))",
        "(exists ((x Int)) (< x p0))",
        "(or (< p0 1) (forall ((x Int)) (< x p0)))",
        "(assert true)",
        long.as_str(),
    ];
    let (texts, ignored) = taken(|f| message(f, &garbage));
    assert_eq!(texts, Vec::<String>::new());
    assert_eq!(ignored, garbage.len() as u64);
    let (texts, ignored) = taken(|_| message("0000000000000000", &["(<= p0 9)", "(<= p0 8)"]));
    assert_eq!((texts.len(), ignored), (0, 2), "other clauses");
    let wrong = |f: &str| {
        let mut messages = message(f, &["(<= p0 9)"]);
        messages[0].items[0].predicate = usize::MAX;
        messages
    };
    assert_eq!(taken(wrong), (Vec::new(), 1), "no such predicate");
}

#[test]
fn fingerprints_tell_clauses_apart() {
    let print = |text: &str| {
        let terms = TermStore::new();
        Vocabulary::of_clauses(&clauses(text, &terms), &terms).fingerprint
    };
    assert_eq!(print(TEXT), print(TEXT));
    assert_ne!(print(TEXT), print(&TEXT.replace("(< i 9)", "(< i 8)")));
    assert_ne!(
        print(TEXT),
        print(&TEXT.replace("(store a i 0)", "(store a i 1)"))
    );
}
