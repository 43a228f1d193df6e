//! Small programs with known answers.

use foretell_kernel::{Alone, Engine, Verdict};
use foretell_testkit::read::clauses;
use foretell_testkit::with_cx;

use super::{Symbolic, SymbolicOptions};

enum Seen {
    /// The formulas, as text.
    Safe(Vec<String>),
    Unsafe(usize),
    Unknown,
}

fn check(text: &str) -> Seen {
    with_cx(|cx| {
        let system = clauses(cx.terms, text);
        let options = SymbolicOptions {
            max_states: 200,
            ..SymbolicOptions::default()
        };
        match Symbolic::new(options).check(&system, &Alone, cx).unwrap() {
            Verdict::Safe(proof) => {
                let text = |&f: &_| cx.terms.print(f);
                Seen::Safe(proof.formulas.iter().map(text).collect())
            }
            Verdict::Unsafe(run) => Seen::Unsafe(run.steps.len()),
            Verdict::Unknown(_) => Seen::Unknown,
        }
    })
}

/// Signs of cells are counted twice, the second time with two cells exchanged.
const SIGNS: &str = "
    (declare-rel f (Int (Array Int Int) Int)) (declare-rel g (Int (Array Int Int) Int Int))
    (declare-var i Int) (declare-var a (Array Int Int)) (declare-var s Int) (declare-var t Int)
    (rule (f 0 a 0))
    (rule (=> (and (f i a s) (< i 5) (< 0 (select a i))) (f (+ i 1) a (+ s 1))))
    (rule (=> (and (f i a s) (< i 5) (not (< 0 (select a i)))) (f (+ i 1) a (- s 1))))
    (rule (=> (and (f i a s) (>= i 5)) (g 0 (store (store a 0 (select a 4)) 4 (select a 0)) s 0)))
    (rule (=> (and (g i a s t) (< i 5) (< 0 (select a i))) (g (+ i 1) a s (+ t 1))))
    (rule (=> (and (g i a s t) (< i 5) (not (< 0 (select a i)))) (g (+ i 1) a s (- t 1))))
    (query (and (g i a s t) (>= i 5) (not (= s t))))";

#[test]
fn sums_over_the_same_cells_are_the_same_term() {
    let Seen::Safe(formulas) = check(SIGNS) else {
        panic!("the sums are equal");
    };
    assert!(
        !formulas.iter().any(|f| f.contains("exists")),
        "{formulas:?}"
    );
}

#[test]
fn a_run_is_made_of_a_model_through_merged_states() {
    let wrong = SIGNS.replace("(not (= s t))", "(= s t) (= s 3)");
    let Seen::Unsafe(steps) = check(&wrong) else {
        panic!("four cells above zero");
    };
    assert_eq!(steps, 1 + 5 + 1 + 5 + 1);
}

#[test]
fn a_loop_with_an_open_bound_is_given_up() {
    let text = "
        (declare-rel p (Int Int)) (declare-var x Int) (declare-var n Int)
        (rule (p 0 n))
        (rule (=> (and (p x n) (< x n)) (p (+ x 1) n)))
        (query (and (p x n) (< x 0)))";
    assert!(matches!(check(text), Seen::Unknown));
}

#[test]
fn neighbours_become_an_interval() {
    let text = "
        (declare-rel p (Int)) (declare-var x Int)
        (rule (p 3))
        (rule (=> (and (p x) (< x 90)) (p (+ x 1))))
        (query (and (p x) (> x 90)))";
    let Seen::Safe(formulas) = check(text) else {
        panic!("ninety is the end");
    };
    assert_eq!(formulas.len(), 1);
    assert!(formulas[0].len() < 50, "{}", formulas[0]);
}

#[test]
fn a_run_without_choices_is_followed_further() {
    let text = "
        (declare-rel p (Int Int)) (declare-var x Int) (declare-var n Int)
        (rule (p 0 n))
        (rule (=> (and (p x n) (< x 700)) (p (+ x 1) (ite (< x 350) (+ n 1) (- n 1)))))
        (query (and (p x n) (= x 700) (= n 4711)))";
    assert!(matches!(check(text), Seen::Unsafe(702)));
}
