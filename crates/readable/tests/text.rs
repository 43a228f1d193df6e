//! What readers see, and that it reads back.

mod common;

use std::collections::BTreeSet;

use common::{instances, valuation, variables};
use expect_test::{Expect, expect};
use foretell_frontends::{Problem, read};
use foretell_kernel::Rng;
use foretell_readable::layout::layout;
use foretell_readable::{definitions, formula, model_text};
use foretell_smtlib::{Diagnostics, Elaborator, Reader};
use foretell_systems::ChcSystem;
use foretell_terms::{FuncMap, Sort, Term, TermStore};
use foretell_testkit::generate::Generator;

/// The formula of a text over these variables.
fn parse(store: &TermStore, vars: &[(String, Term)], text: &str) -> Term {
    let whole = format!("(formula {text})");
    let (mut reader, mut complaints) = (Reader::new(&whole), Diagnostics::default());
    let command = reader.next_command(&mut complaints).expect(text);
    let items: Vec<_> = command.sexp().items().collect();
    let mut elaborator = Elaborator::new(store);
    for (name, var) in vars {
        let id = elaborator.symbols().id(name);
        elaborator.symbols().bind(id, *var);
    }
    elaborator
        .term_of_sort(items[1], Sort::BOOL)
        .unwrap_or_else(|d| panic!("{text}: {}", d.message))
}

fn own_names(store: &TermStore, vars: &[Term]) -> Vec<(String, Term)> {
    vars.iter()
        .map(|&v| (store.var_name(v).to_owned(), v))
        .collect()
}

/// The readable text and the infix form of an SMT-LIB formula over some variables.
fn shows(text: &str, expected: &Expect) {
    let store = TermStore::new();
    let array = store.array_sort(&[Sort::INT], Sort::INT);
    let word = store.bv_sort(32);
    let sorts = [
        ("x", Sort::INT),
        ("y", Sort::INT),
        ("z", Sort::INT),
        ("i", Sort::INT),
        ("n", Sort::INT),
        ("b", Sort::BOOL),
        ("c", Sort::BOOL),
        ("a", array),
        ("w", word),
        ("r", Sort::REAL),
    ];
    let vars: Vec<Term> = sorts.map(|(n, s)| store.new_var(n, s)).to_vec();
    let term = parse(&store, &own_names(&store, &vars), text);
    let readable = formula(&store, term, &FuncMap::default(), &BTreeSet::new());
    let shown = format!("{}\n{}", readable.text, readable.infix.join("\n"));
    expected.assert_eq(&shown);
}

#[test]
fn linear_atoms_are_solved() {
    shows(
        "(<= (+ x (* (- 1) y)) 0)",
        &expect![[r#"
            (<= x y)
            x ≤ y"#]],
    );
    shows(
        "(= 0 (- (+ x (* 4 y)) z))",
        &expect![[r#"
            (= z (+ x (* 4 y)))
            z = x + 4 · y"#]],
    );
    shows(
        "(and (<= (* 2 x) 7) (< (- 1) y) (<= (+ z 1) i) (>= n 1))",
        &expect![[r#"
            (and (<= x 3) (<= 0 y) (< z i) (< 0 n))
            x ≤ 3
            0 ≤ y
            z < i
            0 < n"#]],
    );
    shows(
        "(and (<= x (- 1)) (< y 10) (<= (- z 5) (- i 7)) (<= (* 2.0 r) 1.0))",
        &expect![[r#"
            (and (< x 0) (< y 10) (<= (+ z 2) i) (<= r (/ 1.0 2.0)))
            x < 0
            y < 10
            z + 2 ≤ i
            r ≤ 1/2"#]],
    );
}

#[test]
fn bounds_that_meet_are_equalities() {
    shows(
        "(and (and (<= x y) (<= 0 z)) (<= y x) (<= z n) (<= z 8) (<= 0 z) (not (= n 3)) (<= n 3))",
        &expect![[r#"
            (and (= x y) (<= 0 z 8) (<= z n 2))
            x = y
            0 ≤ z ≤ 8
            z ≤ n ≤ 2"#]],
    );
    shows(
        "(and (= x 5) (<= y x) (or b (< x 3)) (or (<= y 9) c))",
        &expect![[r#"
            (and (= x 5) b (<= y 5))
            x = 5
            b
            y ≤ 5"#]],
    );
}

#[test]
fn guards_are_implications() {
    shows(
        "(and (or (not b) (= x 1)) (or (not b) (= y 2)) (or (not (= x 3)) (<= y 5)))",
        &expect![[r#"
            (and (=> b (and (= x 1) (= y 2))) (=> (= x 3) (<= y 5)))
            b → x = 1 ∧ y = 2
            x = 3 → y ≤ 5"#]],
    );
    shows(
        "(and (or (not b) c) (or b (not c)) (or (not b) (not (= x 4))))",
        &expect![[r#"
            (and (= b c) (not (and b (= x 4))))
            b = c
            ¬(b ∧ x = 4)"#]],
    );
}

#[test]
fn quantifiers_have_their_bounds_first() {
    shows(
        "(forall ((k0 Int)) (or (= 0 (select a k0)) (<= i k0) (< k0 0) (<= n k0)))",
        &expect![[r#"
            (forall ((k Int)) (=> (and (<= 0 k) (< k i) (< k n)) (= (select a k) 0)))
            ∀k. 0 ≤ k < i ∧ k < n → a[k] = 0"#]],
    );
    shows(
        "(forall ((p Int) (q Int)) (or b (not (= q x)) (< (select a p) (select a q)) (< p q)))",
        &expect![[r#"
            (or b (forall ((k Int)) (=> (<= x k) (< (select a k) (select a x)))))
            b ∨ (∀k. x ≤ k → a[k] < a[x])"#]],
    );
    shows(
        "(and (forall ((p Int)) (or (< p 0) (= 1 (select a p))))
              (forall ((q Int)) (or (<= (select a q) n) (< q 0))))",
        &expect![[r#"
            (forall ((k Int)) (=> (<= 0 k) (and (= (select a k) 1) (<= (select a k) n))))
            ∀k. 0 ≤ k → a[k] = 1 ∧ a[k] ≤ n"#]],
    );
}

#[test]
fn what_sentences_share_is_said_once() {
    shows(
        "(and (forall ((p Int)) (or (<= (+ i n) p) (< p 12) (= 1 (select a p))))
              (forall ((q Int)) (or (<= (+ i n) q) (<= q 0) (< 5 (select a q)))))",
        &expect![[r#"
            (forall ((k Int)) (=> (< k (+ i n)) (and (=> (<= 12 k) (= (select a k) 1)) (or (<= k 0) (<= 6 (select a k))))))
            ∀k. 12 ≤ k < i + n → a[k] = 1
            ∀k. 0 < k < i + n → 6 ≤ a[k]"#]],
    );
}

#[test]
fn vectors_are_patterns() {
    shows(
        "(and (bvult w (_ bv255 32)) (not (= ((_ extract 2 0) w) (_ bv5 3))))",
        &expect![[r#"
            (and (bvult w #x000000ff) (not (= ((_ extract 2 0) w) #b101)))
            w <ᵤ #x000000ff
            (_ extract 2 0)(w) ≠ #b101"#]],
    );
}

#[test]
fn names_are_shared_only_where_it_pays() {
    shows(
        "(and (<= (select a (+ x y z)) 3) (<= 4 (select a (+ x y i))))",
        &expect![[r#"
            (and (<= (select a (+ x y z)) 3) (<= 4 (select a (+ x y i))))
            a[x + y + z] ≤ 3
            4 ≤ a[x + y + i]"#]],
    );
    shows(
        "(and (< (select a (+ (* 2 x) (* 3 y))) i) (or b (= (select a (+ (* 2 x) (* 3 y))) n))
              (or c (= (select a (+ (* 2 x) (* 3 y))) z)))",
        &expect![[r#"
            (let ((t1 (select a (+ (* 2 x) (* 3 y))))) (and (< t1 i) (or b (= t1 n)) (or c (= t1 z))))
            a[2 · x + 3 · y] < i
            b ∨ a[2 · x + 3 · y] = n
            c ∨ a[2 · x + 3 · y] = z"#]],
    );
}

/// The readable text of a random formula parses to a formula with the same values.
#[test]
fn texts_read_back() {
    for seed in 0..100 {
        let store = TermStore::new();
        let vars = variables(&store);
        let rng = Rng::new(seed);
        let mut term = Generator::wide(&store, seed).formula(&vars, 4);
        if seed % 2 == 0 {
            let k = store.fresh("q", Sort::INT);
            let body = store.substitute(term, [(vars[3], k)]);
            term = store.and2(
                term,
                store.forall(&[k], store.or2(body, store.le(vars[2], k))),
            );
        }
        let text = formula(&store, term, &FuncMap::default(), &BTreeSet::new()).text;
        let back = parse(&store, &own_names(&store, &vars), &layout(&text, 40));
        let (one, two) = (instances(&store, term, 9), instances(&store, back, 9));
        for _ in 0..1000 {
            let values = valuation(&store, &vars, &rng);
            let (a, b) = (store.eval_bool(one, &values), store.eval_bool(two, &values));
            assert!(
                a == b,
                "{a:?} became {b:?}: {}\n{text}\n{values:?}",
                store.print(term)
            );
        }
    }
}

fn clauses(store: &TermStore, text: &str) -> ChcSystem {
    match read(text.as_bytes(), store).expect("a problem").problem {
        Problem::Chc(system) => system,
        Problem::Vmt { .. } => panic!("clauses expected"),
    }
}

#[test]
fn parameters_are_called_what_the_rules_call_them() {
    let store = TermStore::new();
    let system = clauses(
        &store,
        "(set-logic HORN)
         (declare-fun loop ((Array Int Int) Int Int Int) Bool)
         (declare-fun i2 (Int) Bool)
         (assert (forall ((a (Array Int Int)) (n Int)) (loop a 0 n n)))
         (assert (forall ((a (Array Int Int)) (i Int) (n Int) (k Int))
           (=> (and (loop a i n k) (< i n)) (loop (store a i 0) (+ i 1) n k))))
         (assert (forall ((b (Array Int Int)) (i Int) (n Int) (k Int))
           (=> (and (loop b i n k) (< i 0)) false)))
         (check-sat)",
    );
    let p = &system.preds[0].params;
    let bound = store.new_var("k", Sort::INT);
    let inside = store.or([
        store.lt(bound, store.int(0)),
        store.le(p[1], bound),
        store.eq(store.select(p[0], &[bound]), store.int(0)),
    ]);
    let formulas = [
        store.and([store.le(store.int(0), p[1]), store.forall(&[bound], inside)]),
        store.tt(),
    ];
    let avoid: BTreeSet<String> = ["loop", "i2"].map(str::to_owned).into();
    let text = model_text(&definitions(&store, &system, &formulas, &avoid));
    expect![[r#"
        (define-fun loop ((a (Array Int Int)) (i Int) (n Int) (k Int)) Bool
          (and (<= 0 i) (forall ((j Int)) (=> (<= 0 j (- i 1)) (= (select a j) 0)))))
        (define-fun i2 ((v0 Int)) Bool true)
    "#]]
    .assert_eq(&text);
}

#[test]
fn parameters_differ_from_each_other_and_from_symbols() {
    let store = TermStore::new();
    let system = clauses(
        &store,
        "(set-logic HORN)
         (declare-fun p (Int Int Int Int Int) Bool)
         (declare-fun x (Int) Bool)
         (assert (forall ((x Int) (mod Int)) (p 1 2 mod mod x)))
         (assert (forall ((|y z| Int)) (=> (p |y z| |y z| 3 4 5) false)))",
    );
    let avoid: BTreeSet<String> = ["p", "x"].map(str::to_owned).into();
    let formulas = [store.tt(), store.tt()];
    let text = model_text(&definitions(&store, &system, &formulas, &avoid));
    expect![[r#"
        (define-fun p ((|y z| Int) (|y z2| Int) (mod2 Int) (mod3 Int) (x2 Int)) Bool true)
        (define-fun x ((v0 Int)) Bool true)
    "#]]
    .assert_eq(&text);
}

#[test]
fn long_definitions_are_indented() {
    let store = TermStore::new();
    let names: Vec<String> = (0..12).map(|i| format!("counter{i}")).collect();
    let vars: Vec<Term> = names.iter().map(|n| store.new_var(n, Sort::INT)).collect();
    let bounds = vars.windows(2).flat_map(|w| {
        [
            store.lt(w[0], w[1]),
            store.not(store.eq(w[1], store.int(7))),
        ]
    });
    let readable = formula(
        &store,
        store.and(bounds.collect::<Vec<_>>()),
        &FuncMap::default(),
        &BTreeSet::new(),
    );
    let text = layout(&readable.text, 60);
    assert!(
        text.lines().all(|line| line.chars().count() <= 60),
        "{text}"
    );
    expect![[r#"
        (and (< counter0 counter1 counter2)
             (not (or (= counter1 7)
                      (= counter2 7)
                      (= counter3 7)
                      (= counter4 7)
                      (= counter5 7)
                      (= counter6 7)
                      (= counter7 7)
                      (= counter8 7)
                      (= counter9 7)
                      (= counter10 7)
                      (= counter11 7)))
             (< counter2 counter3 counter4)
             (< counter4 counter5 counter6)
             (< counter6 counter7 counter8)
             (< counter8 counter9 counter10)
             (< counter10 counter11))"#]]
    .assert_eq(&text);
}
