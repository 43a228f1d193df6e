//! Unpacking, and both ways back.

use expect_test::{Expect, expect};
use foretell_frontends::Problem;
use foretell_kernel::{Cx, Lift, Pass};
use foretell_systems::{ChcProof, ChcSystem};
use foretell_terms::{Term, Value};

use super::Unpack;
use crate::testing::{int, print_clauses, replay, steps};
use foretell_testkit::with_cx;

const TYPES: &str = "(set-logic HORN)
    (declare-datatypes ((Two 0) (Unit 0)) (((mk (fst Int) (snd U3))) ((unit))))
    (declare-datatypes ((U3 0)) (((red) (green) (blue))))";

/// The group's first type uses one that is declared later in the same command.
const TYPES_IN_ORDER: &str = "(set-logic HORN)
    (declare-datatypes ((Two 0) (U3 0) (Flag 0) (Unit 0) (Sum 0) (Lst 0))
      (((mk (fst Int) (snd U3))) ((red) (green) (blue)) ((off) (on)) ((unit))
       ((none) (some (it Int) (of Two))) ((nil) (cons (hd Two) (tl Lst)))))";

fn read(clauses: &str, cx: &Cx<'_>) -> ChcSystem {
    let text = format!("{TYPES_IN_ORDER} {clauses}");
    match foretell_frontends::read(text.as_bytes(), cx.terms)
        .unwrap()
        .problem
    {
        Problem::Chc(system) => system,
        Problem::Vmt { .. } => panic!("clauses"),
    }
}

fn check(clauses: &str, expect: &Expect) {
    with_cx(|cx| {
        let system = read(clauses, cx);
        let (flat, _) = Unpack { sums: true }.run(&system, cx).unwrap();
        flat.validate(cx.terms).unwrap();
        expect.assert_eq(&print_clauses(&flat, cx));
    });
}

/// The formula of the first predicate above, for one below over its leaves.
fn lifted(clauses: &str, below: &dyn Fn(&Cx<'_>, &[Term]) -> Term, expect: &Expect) {
    with_cx(|cx| {
        let system = read(clauses, cx);
        let (flat, lift) = Unpack { sums: true }.run(&system, cx).unwrap();
        let mut formulas = vec![cx.terms.tt(); flat.preds.len()];
        formulas[0] = below(cx, &flat.preds[0].params);
        let proof = ChcProof {
            formulas,
            witness: None,
        };
        let above = lift.proof(proof, cx).unwrap();
        expect.assert_eq(&cx.terms.print(above.formulas[0]));
    });
}

#[test]
fn a_type_used_before_its_declaration_is_refused() {
    with_cx(|cx| {
        let text = format!("{TYPES} (declare-fun p (Two) Bool) (assert (p (mk 0 red)))");
        assert!(foretell_frontends::read(text.as_bytes(), cx.terms).is_err());
    });
}

#[test]
fn tuples_units_and_enumerations_become_leaves() {
    check(
        "(declare-fun p (Two Unit Flag) Bool) (declare-fun q (Unit) Bool)
         (assert (forall ((u Unit)) (p (mk 0 red) u off)))
         (assert (forall ((x Two) (u Unit) (f Flag)) (=> (and (p x u f) (= f on)) (p (mk (+ (fst x) 1) blue) u off))))
         (assert (forall ((x Two) (y Two) (u Unit)) (=> (and (p x u off) (p y unit off) (distinct x y) (distinct (snd x) red green blue)) (q u))))
         (assert (forall ((u Unit)) (=> (q u) false)))",
        &expect![[r#"
            p(0, 0, false) <= 
            p((+ x.0 1), 2, false) <= p(x.0, x.1, f.0), f.0, (<= 0 x.1), (<= x.1 2)
            q() <= p(x.0, x.1, false), p(y.0, y.1, false), (not (and (= x.0 y.0) (= x.1 y.1))), (not (= 0 x.1)), (not (= 1 x.1)), (not (= 2 x.1)), (<= 0 x.1), (<= x.1 2), (<= 0 y.1), (<= y.1 2)
            false <= q()
        "#]],
    );
}

#[test]
fn arrays_are_split_and_indexed_by_leaves() {
    check(
        "(declare-fun p ((Array Two Two) (Array Unit Int) (Array Int Flag)) Bool)
         (assert (p ((as const (Array Two Two)) (mk 0 red)) ((as const (Array Unit Int)) 1) ((as const (Array Int Flag)) on)))
         (assert (forall ((a (Array Int Two)) (b (Array Unit Int)) (c (Array Int Flag)) (i Int))
            (=> (= (fst (select a i)) (select b unit))
                (= (select c (+ (fst (select (store a 3 (mk 1 red)) i)) 1)) on))))
         (assert (forall ((a (Array Two Two)) (b (Array Unit Int)) (c (Array Int Flag))) (=> (p a b c) false)))",
        &expect![[r#"
            p(((as const (Array Two Two)) (mk 0 red)), 1, ((as const (Array Int Bool)) true)) <= 
            false <= (= b.0 (select a.0 i)), (not (select c.0 (+ (select (store a.0 3 1) i) 1)))
            false <= p(a, b.0, c.0)
        "#]],
    );
}

#[test]
fn sums_have_a_tag_and_canonical_leaves() {
    check(
        "(declare-fun p (Sum) Bool)
         (assert (p none))
         (assert (forall ((s Sum)) (=> (and (p s) ((_ is some) s) (> (it s) 0)) (p (some (- (it s) 1) (of s))))))
         (assert (forall ((s Sum)) (=> (and (p s) (> (it s) 7)) false)))",
        &expect![[r#"
            p(0, 0, 0, 0) <= 
            p(1, (- s.1 1), s.2, s.3) <= p(s.0, s.1, s.2, s.3), (= 1 s.0), (< 0 s.1), (<= 0 s.0), (<= s.0 1), (<= 0 s.3), (<= s.3 2), (or (= 1 s.0) (= 0 s.1)), (or (= 1 s.0) (= 0 s.2)), (or (= 1 s.0) (= 0 s.3))
            false <= p(s.0, s.1, s.2, s.3), (< 7 (ite (= 1 s.0) s.1 u!0)), (<= 0 s.0), (<= s.0 1), (<= 0 s.3), (<= s.3 2), (or (= 1 s.0) (= 0 s.1)), (or (= 1 s.0) (= 0 s.2)), (or (= 1 s.0) (= 0 s.3))
        "#]],
    );
}

#[test]
fn recursive_types_stay_and_get_packed_fields() {
    check(
        "(declare-fun p (Lst Two) Bool)
         (assert (forall ((x Two)) (p nil x)))
         (assert (forall ((l Lst) (x Two)) (=> (p l x) (p (cons x l) (hd l)))))
         (assert (forall ((l Lst) (x Two)) (=> (and (p l x) (= (hd l) x)) false)))",
        &expect![[r#"
            p(nil, x.0, x.1) <= (<= 0 x.1), (<= x.1 2)
            p((cons (mk x.0 (ite (= 0 x.1) red (ite (= x.1 1) green blue))) l), (fst (hd l)), (let ((.1 (snd (hd l)))) (ite (= red .1) 0 (ite (= green .1) 1 2)))) <= p(l, x.0, x.1), (<= 0 x.1), (<= x.1 2)
            false <= p(l, x.0, x.1), (= x.0 (fst (hd l))), (let ((.1 (snd (hd l)))) (= x.1 (ite (= red .1) 0 (ite (= green .1) 1 2)))), (<= 0 x.1), (<= x.1 2)
        "#]],
    );
}

const PARTS: &str = "(declare-fun p (Two Sum (Array Int Two)) Bool)
    (assert (forall ((x Two) (s Sum) (a (Array Int Two))) (=> (p x s a) false)))";

#[test]
fn leaves_become_paths_and_testers() {
    lifted(
        PARTS,
        &|cx, leaves| {
            let t = cx.terms;
            // Leaves: x.fst, x.snd | s.tag, s.it, s.of.fst, s.of.snd | a.fst, a.snd
            t.and([
                t.le(leaves[0], leaves[4]),
                t.eq(leaves[1], t.int(2)),
                t.le(leaves[1], t.int(1)),
                t.eq(leaves[2], t.int(1)),
                t.not(t.eq(leaves[2], t.int(9))),
            ])
        },
        &expect![
            "(let ((.1 (snd p!0))) (let ((.2 ((_ is some) p!1))) (and (<= (fst p!0) (ite .2 (fst (of p!1)) 0)) (= .1 blue) (or (= .1 red) (= .1 green)) .2)))"
        ],
    );
}

#[test]
fn views_of_arrays_are_read_and_compared() {
    lifted(
        "(declare-fun p ((Array Int Two) (Array Int Two)) Bool)
         (assert (forall ((a (Array Int Two)) (b (Array Int Two))) (=> (p a b) false)))",
        &|cx, l| {
            let t = cx.terms;
            let written = t.store(l[0], &[t.int(1)], t.int(2));
            t.or([
                t.and([t.eq(l[0], l[2]), t.eq(l[1], l[3])]),
                t.eq(l[0], l[2]),
                t.le(t.select(written, &[t.select(l[2], &[t.int(0)])]), t.int(5)),
            ])
        },
        &expect![
            "(let ((.1 (fst (select p!1 0)))) (or (= p!0 p!1) (forall ((j!0 Int)) (= (fst (select p!0 j!0)) (fst (select p!1 j!0)))) (<= (ite (= 1 .1) 2 (fst (select p!0 .1))) 5)))"
        ],
    );
}

#[test]
fn values_are_packed() {
    with_cx(|cx| {
        let system = read(
            "(declare-fun p (Two Sum (Array Two Sum)) Bool)
             (assert (forall ((x Two) (a (Array Two Sum))) (=> (= (fst x) 1) (p x (some 4 x) (store a x (some 3 x))))))
             (assert (forall ((x Two) (s Sum) (a (Array Two Sum)))
                (=> (and (p x s a) (= (snd x) blue) (= (fst (of s)) 1) (= (it (select a (mk 1 blue))) 3)) false)))",
            cx,
        );
        // An array indexed by something with an enumeration stays as it is.
        let (flat, lift) = Unpack { sums: true }.run(&system, cx).unwrap();
        let mut vars = system.clauses[0].vars.iter().copied();
        let a = vars.find(|&v| cx.terms.var_name(v) == "a").unwrap();
        let array = cx.terms.default_value(cx.terms.sort(a));
        let below: [(u32, &[(&str, Value)]); 1] =
            [(0, &[("x.0", int(1)), ("x.1", int(2)), ("a", array)])];
        let mut derivation = steps(&flat, cx, &below);
        let mut last = derivation.steps[0].clone();
        last.clause = foretell_systems::ClauseId(1);
        last.premises = vec![0];
        last.values = foretell_terms::eval::Assignment::new();
        derivation.steps.push(last);
        let above = lift.cex(derivation, cx).unwrap();
        replay(&system, &above, cx).unwrap();
    });
}
