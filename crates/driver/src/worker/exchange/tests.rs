//! Tests of the exchange: what is told can be read, and nothing hostile gets through.

use std::cell::RefCell;

use foretell_frontends::{Problem, read};
use foretell_kernel::{Event, EventSink};
use foretell_systems::ChcSystem;
use foretell_terms::TermStore;

use super::{Exchange, Inbox, SharingSink};
use crate::protocol::{Shared, SharedItem, SharedKind};
use crate::worker::statistics::Counter;

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

/// What an exchange on `TEXT` takes of these messages, and how many formulas it ignores.
fn taken(messages: impl Fn(&str) -> Vec<Shared>) -> (Vec<String>, u64) {
    let (terms, counter, inbox) = (TermStore::new(), Counter::default(), Inbox::default());
    let system = clauses(TEXT, &terms);
    let exchange = Exchange::new(&terms, inbox.clone(), &|_| (), &counter);
    exchange.open(&system);
    let fingerprint = exchange
        .vocabulary
        .borrow()
        .as_ref()
        .map(|v| v.fingerprint.clone())
        .unwrap();
    messages(&fingerprint)
        .into_iter()
        .for_each(|m| inbox.put(m));
    let hints = exchange.hints();
    assert!(hints.iter().all(|h| h.predicate == Some(0)));
    let texts = hints.iter().map(|h| terms.print(h.formula)).collect();
    (texts, counter.snapshot().count("shared ignored"))
}

fn message(fingerprint: &str, formulas: &[&str]) -> Vec<Shared> {
    let item = |f: &&str| SharedItem {
        kind: SharedKind::Fact,
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
    let tell = |shared| told.borrow_mut().push(shared);
    let exchange = Exchange::new(&terms, Inbox::default(), &tell, &counter);
    exchange.open(&system);
    let [i, a] = system.preds[0].params[..] else {
        panic!("two parameters")
    };
    let formula = terms.le(terms.select(a, &[i]), terms.int(-3));
    let sink = SharingSink(&exchange);
    sink.emit(Event::Fact(0, formula));
    sink.emit(Event::Fact(
        0,
        terms.eq(terms.new_var("foreign", foretell_terms::Sort::INT), i),
    ));
    sink.emit(Event::Note("end"));
    let told = told.into_inner();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].items.len(), 1, "a foreign variable stays at home");
    let other = TermStore::new();
    let system = clauses(TEXT, &other);
    let inbox = Inbox::default();
    let exchange = Exchange::new(&other, inbox.clone(), &|_| (), &counter);
    exchange.open(&system);
    inbox.put(told[0].clone());
    let [hint] = exchange.hints()[..] else {
        panic!("one hint")
    };
    assert_eq!(other.print(hint.formula), terms.print(formula));
    assert!(exchange.hints().is_empty(), "each is given once");
}

#[test]
fn hostile_messages_are_ignored_and_counted() {
    let (texts, ignored) = taken(|f| message(f, &["(<= p0 9)"]));
    assert_eq!((texts.len(), ignored), (1, 0));
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
        "(forall ((x Int)) (< x p0))",
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
        super::Vocabulary::new(&clauses(text, &terms), &terms).fingerprint
    };
    assert_eq!(print(TEXT), print(TEXT));
    assert_ne!(print(TEXT), print(&TEXT.replace("(< i 9)", "(< i 8)")));
    assert_ne!(
        print(TEXT),
        print(&TEXT.replace("(store a i 0)", "(store a i 1)"))
    );
}
