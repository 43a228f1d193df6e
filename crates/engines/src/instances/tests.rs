//! Invariants over any number of elements, found on few.

use foretell_kernel::{Alone, Engine, Verdict};
use foretell_testkit::read::system;
use foretell_testkit::with_cx;

use super::Instances;

/// One token is at an element, which passes it on; marks follow it.
const TOKEN: &str = "
    (declare-sort node 0) (declare-fun after (node) node)
    (declare-fun at () (Array node Bool)) (declare-fun at+ () (Array node Bool))
    (declare-fun home () node) (declare-fun home+ () node)
    (define-fun .at () (Array node Bool) (! at :next at+))
    (define-fun .home () node (! home :next home+))
    (define-fun .i () Bool (! (forall ((n node)) (= (select at n) (= n home))) :init true))
    (define-fun .t () Bool (! (and (select at home)
        (= at+ (store (store at home false) (after home) true)) (= home+ STEP)) :trans true))
    (define-fun .p () Bool (! (forall ((a node) (b node))
        (=> (and (select at a) (select at b)) (= a b))) :invar-property 0))";

#[test]
fn a_token_stays_one_however_many_nodes_there_are() {
    with_cx(|cx| {
        let system = system(cx.terms, &TOKEN.replace("STEP", "(after home)"));
        let verdict = Instances::default().check(&system, &Alone, cx);
        let Ok(Verdict::Safe(proof)) = verdict else {
            panic!("safe")
        };
        assert_eq!(proof.k, 1);
        assert!(cx.terms.has_quantifier(proof.formula));
    });
}

#[test]
fn an_unsafe_instance_is_no_proof() {
    with_cx(|cx| {
        let text = TOKEN
            .replace("STEP", "home")
            .replace("(store at home false)", "at");
        let system = system(cx.terms, &text);
        let verdict = Instances::default().check(&system, &Alone, cx);
        assert!(matches!(verdict, Ok(Verdict::Unknown(_))));
    });
}

#[test]
fn systems_without_elements_are_refused() {
    with_cx(|cx| {
        let text = "(declare-fun x () Bool) (declare-fun x+ () Bool)
            (define-fun .x () Bool (! x :next x+)) (define-fun .i () Bool (! x :init true))
            (define-fun .t () Bool (! x+ :trans true)) (define-fun .p () Bool (! x :invar-property 0))";
        let system = system(cx.terms, text);
        assert!(Instances::default().accepts(&system, cx).is_err());
    });
}
