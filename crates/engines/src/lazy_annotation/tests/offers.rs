//! What others say: right or wrong, it is proved before it is used.

use std::cell::RefCell;

use foretell_kernel::{Budget, Cx, Engine, Event, EventSink, Peers, Verdict};
use foretell_systems::{ChcSystem, Pred};
use foretell_terms::{Term, TermStore};
use foretell_testkit::read::clauses;
use foretell_testkit::told;

use super::super::{LazyAnnotation, LazyAnnotationOptions};
use super::MCCARTHY;
use crate::tests::judge::is_model;

/// Says formulas once, and keeps what it is told.
struct Says(RefCell<Vec<(Pred, Term)>>, RefCell<usize>);

impl Peers<ChcSystem> for Says {
    fn tell(&self, facts: Vec<(Pred, Term)>, _cx: &Cx<'_>) {
        *self.1.borrow_mut() += facts.len();
    }

    fn hear(&self, _cx: &Cx<'_>) -> Vec<(Pred, Term)> {
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

/// The obligations of a run that hears a summary and something wrong.
fn opened(options: LazyAnnotationOptions) -> (usize, usize) {
    let (terms, sink) = (TermStore::new(), Obligations::default());
    let system = clauses(&terms, MCCARTHY);
    let [n, r] = *system.preds[0].params else {
        panic!("two parameters")
    };
    let below = terms.or2(terms.gt(n, terms.int(100)), terms.eq(r, terms.int(91)));
    let above = terms.or2(
        terms.le(n, terms.int(100)),
        terms.eq(r, terms.sub(n, terms.int(10))),
    );
    let wrong = terms.le(r, terms.int(91));
    let said = [terms.and2(below, above), wrong].map(|fact| (Pred(0), fact));
    let peers = Says(RefCell::new(said.to_vec()), RefCell::default());
    told(
        &terms,
        &Budget::unlimited(),
        &sink,
        |cx| match LazyAnnotation::new(options).check(&system, &peers, cx) {
            Ok(Verdict::Safe(proof)) => assert!(is_model(&system, &proof, cx)),
            _ => panic!("it is safe"),
        },
    );
    (sink.0.take(), peers.1.take())
}

#[test]
fn what_others_learnt_is_tried_as_lemmas() {
    let options = |lemmas| LazyAnnotationOptions {
        lemmas,
        tell_every: 1,
        ..LazyAnnotationOptions::default()
    };
    assert_eq!(opened(options(true)), (0, 0));
    let (searched, told) = opened(options(false));
    assert!(searched > 0 && told > 0);
}
