//! Runs that are deep, and runs that have to choose.

use foretell_kernel::{Alone, Engine, Verdict};
use foretell_testkit::read::clauses;
use foretell_testkit::with_cx;

use super::{Simulate, SimulateOptions};

fn check(text: &str, max_depth: usize) -> Option<usize> {
    with_cx(|cx| {
        let system = clauses(cx.terms, text);
        let options = SimulateOptions {
            max_depth,
            ..SimulateOptions::default()
        };
        match Simulate::new(options).check(&system, &Alone, cx).unwrap() {
            Verdict::Unsafe(run) => Some(run.steps.len()),
            _ => None,
        }
    })
}

const COUNTER: &str = "
    (declare-rel p (Int Int)) (declare-var x Int) (declare-var n Int) (declare-var b Bool)
    (rule (=> (= n 700) (p 0 n)))
    (rule (=> (and (p x n) (< x n)) (p (+ x 1) n)))
    (rule (=> (and (p x n) (>= x n) (= n (+ (* 3 x) 7))) (p 0 n)))
    (query (and (p x n) (= x 700)))";

#[test]
fn a_run_without_choices_is_followed_to_its_end() {
    assert_eq!(check(COUNTER, 1024), Some(702));
    assert_eq!(check(COUNTER, 256), None, "deeper than it looks");
}

#[test]
fn open_values_are_guessed_or_asked_for() {
    let text = "
        (declare-rel p (Int Int)) (declare-var x Int) (declare-var y Int) (declare-var z Int)
        (rule (=> (and (> y 1000) (= (mod y 77) 5)) (p 0 y)))
        (rule (=> (and (p x y) (< x 9) (= (+ z z) (+ x x 2))) (p z y)))
        (query (and (p x y) (= x 9)))";
    assert_eq!(check(text, 256), Some(11));
}

/// A third of all choices have no successor, and an array that is the same everywhere violates nothing.
#[test]
fn dead_ends_are_left_and_arrays_differ_from_cell_to_cell() {
    let text = "
        (declare-rel p (Int Int (Array Int Int))) (declare-var a (Array Int Int))
        (declare-var x Int) (declare-var y Int) (declare-var z Int)
        (rule (p 0 0 a))
        (rule (=> (and (p x y a) (< x 200) (<= -9 y 9)) (p (+ x 1) z (store a (+ x 9) y))))
        (query (and (p x y a) (= x 200) (not (= (select a 3) (select a 300)))))";
    assert_eq!(check(text, 1024), Some(202));
}
