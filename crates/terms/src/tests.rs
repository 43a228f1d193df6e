//! Unit tests of the term store.

use crate::eval::{Assignment, Undefined};
use crate::plan::Plan;
use crate::{BvOp, Integer, Rational, Sort, Term, TermStore, Value};

fn ints(s: &TermStore, names: &str) -> Vec<Term> {
    names.split(' ').map(|n| s.new_var(n, Sort::INT)).collect()
}

#[test]
fn equal_structure_is_one_term() {
    let s = TermStore::new();
    let v = ints(&s, "x y");
    assert_eq!(s.add2(v[0], v[1]), s.add2(v[1], v[0]));
    assert_eq!(s.add(&[v[0], s.int(1), s.int(-1)]), v[0]);
    assert_eq!(s.lt(v[0], v[1]), s.not(s.le(v[1], v[0])));
    assert_ne!(
        s.new_var("x", Sort::INT),
        v[0],
        "a declaration is an identity of its own"
    );
}

#[test]
fn connectives_meet_units_and_complements() {
    let s = TermStore::new();
    let (p, q) = (s.new_var("p", Sort::BOOL), s.new_var("q", Sort::BOOL));
    assert_eq!(s.and([p, s.tt(), p]), p);
    assert!(s.is_false(s.and([p, q, s.not(p)])));
    assert!(s.is_true(s.or([s.not(p), q, p])));
    assert!(s.is_true(s.and([])));
    assert_eq!(s.eq(s.not(p), q), s.not(s.eq(p, q)));
    assert_eq!(s.ite(s.not(p), q, s.ff()), s.and2(s.not(p), q));
}

#[test]
fn printing_reads_like_smtlib() {
    let s = TermStore::new();
    let v = ints(&s, "x |y");
    let x = v[0];
    assert_eq!(s.print(s.lt(x, s.int(-3))), "(< x (- 3))");
    assert_eq!(s.print(s.sub(x, s.int(2))), "(- x 2)");
    assert_eq!(s.print(s.new_var("a b", Sort::INT)), "|a b|");
    assert_eq!(s.print(s.new_var("", Sort::INT)), "||");
    assert_eq!(
        s.print(s.real(Rational::from_parts(Integer::from(-1), 3u8.into()))),
        "(- (/ 1.0 3.0))"
    );
    let big = s.mul(&[x, x]);
    assert_eq!(
        s.print(s.eq(s.add2(big, s.int(1)), s.idiv(big, s.int(2)))),
        "(let ((.1 (* x x))) (= (+ .1 1) (div .1 2)))"
    );
}

#[test]
fn arrays_read_what_was_written() {
    let s = TermStore::new();
    let sort = s.array_sort(&[Sort::INT], Sort::INT);
    let a = s.new_var("a", sort);
    let v = ints(&s, "i v");
    let written = s.store(a, &[v[0]], v[1]);
    assert_eq!(s.select(written, &[v[0]]), v[1]);
    assert_eq!(
        s.select(s.store(a, &[s.int(1)], v[1]), &[s.int(2)]),
        s.select(a, &[s.int(2)])
    );
    assert_eq!(s.store(a, &[v[0]], s.select(a, &[v[0]])), a);
    let mut env = Assignment::new();
    env.insert(a, s.default_value(sort));
    env.insert(v[0], Value::Int(4.into()));
    env.insert(v[1], Value::Int(7.into()));
    let Ok(Value::Array(array)) = s.eval(written, &env) else {
        panic!("an array")
    };
    assert_eq!(array.entries().count(), 1);
    assert_eq!(*array.select(&[Value::Int(4.into())]), Value::Int(7.into()));
}

#[test]
fn small_domains_compare_by_content() {
    let s = TermStore::new();
    let sort = s.array_sort(&[Sort::BOOL], Sort::INT);
    let zero = s.const_array(sort, s.int(0));
    let one = s.const_array(sort, s.int(1));
    let left = s.store(zero, &[s.tt()], s.int(1));
    let right = s.store(one, &[s.ff()], s.int(0));
    assert_eq!(s.eval_bool(s.eq(left, right), &Assignment::new()), Ok(true));
}

#[test]
fn undefined_parts_do_not_decide() {
    let s = TermStore::new();
    let v = ints(&s, "x y");
    let quotient = s.idiv(v[0], v[1]);
    let mut env = Assignment::new();
    env.insert(v[0], Value::Int(5.into()));
    env.insert(v[1], Value::Int(0.into()));
    assert_eq!(s.eval(quotient, &env), Err(Undefined::DivisionByZero));
    let guarded = s.ite(s.eq(v[1], s.int(0)), s.int(1), quotient);
    assert_eq!(s.eval(guarded, &env), Ok(Value::Int(1.into())));
    let decided = s.and2(s.eq(quotient, s.int(1)), s.eq(v[1], s.int(3)));
    assert_eq!(s.eval_bool(decided, &env), Ok(false));
}

#[test]
fn every_subterm_is_evaluated_once() {
    let s = TermStore::new();
    let v = ints(&s, "x y");
    let sum = s.add2(v[0], s.int(1));
    let formula = s.and2(s.le(sum, v[1]), s.le(sum, v[0]));
    let mut env = Assignment::new();
    env.insert(v[0], Value::Int(2.into()));
    env.insert(v[1], Value::Int(3.into()));
    let all = s.eval_all(&[formula], &env);
    assert_eq!(all[&sum], Ok(Value::Int(3.into())));
    assert_eq!(all[&s.le(sum, v[1])], Ok(Value::Bool(true)));
    assert_eq!(all[&formula], Ok(Value::Bool(false)));
}

/// A plan may be used again, and tells several terms that share parts.
#[test]
fn a_plan_is_evaluation_under_each_assignment() {
    let s = TermStore::new();
    let v = ints(&s, "x y");
    let sum = s.add2(v[0], s.int(1));
    let roots = [s.le(sum, v[1]), sum, s.idiv(sum, v[1]), sum, v[0]];
    let plan = Plan::new(&s, &roots);
    for (x, y) in [(2, 3), (5, 0), (-1, 2)] {
        let mut env = Assignment::new();
        env.insert(v[0], Value::Int(x.into()));
        let expected: Vec<_> = roots.iter().map(|&root| s.eval(root, &env)).collect();
        assert_eq!(plan.eval(&s, &env), expected);
        assert_eq!(expected[0], Err(Undefined::Symbol(v[1])));
        env.insert(v[1], Value::Int(y.into()));
        let expected: Vec<_> = roots.iter().map(|&root| s.eval(root, &env)).collect();
        assert_eq!(plan.eval(&s, &env), expected);
        assert_eq!(plan.first(&s, &env), Ok(Value::Bool(x < y)));
    }
}

/// A sheet says after every change what evaluation says, undefined parts included.
#[test]
fn a_sheet_is_evaluation() {
    let s = TermStore::new();
    let v = ints(&s, "x y z");
    let array = s.new_var("a", s.array_sort(&[Sort::INT], Sort::INT));
    let quotient = s.idiv(v[0], v[1]);
    let cell = s.select(s.store(array, &[v[1]], v[2]), &[s.add2(v[0], s.int(1))]);
    let chosen = s.ite(s.lt(v[0], v[2]), cell, quotient);
    let formula = s.and2(
        s.or2(s.le(chosen, v[1]), s.eq(quotient, s.int(0))),
        s.not(s.eq(cell, v[2])),
    );
    let mut env = Assignment::new();
    let number = |n: i64| Value::Int(n.into());
    let zeros = s.constant_array_value(s.sort(array), number(0));
    env.insert(array, Value::Array(zeros.expect("an array")));
    env.insert(v[2], number(2));
    let plan = s.plan(formula);
    let base = env.clone();
    let mut sheet = plan.under(&base);
    assert_eq!(*sheet.outcome(), s.eval(formula, &env));
    for (step, n) in (0..60).map(|i: i64| (i, (i * 7 + 3) % 5 - 1)) {
        let changed = v[usize::try_from(step % 3).unwrap_or(0)];
        env.insert(changed, number(n));
        sheet.put(changed, number(n));
        assert_eq!(*sheet.outcome(), s.eval(formula, &env), "step {step}");
    }
}

#[test]
fn logics_are_told_apart() {
    let s = TermStore::new();
    let (v, q) = (ints(&s, "x y"), s.new_var("q", Sort::REAL));
    let (linear, product) = (s.le(s.modulo(v[0], s.int(3)), v[1]), s.mul(&[v[0], v[1]]));
    let f = s.declare("f", &[Sort::INT], Sort::INT);
    let bits = s.new_var("b", s.bv_sort(8));
    assert_eq!(s.logic(&[linear]), Some("QF_LIA"));
    assert_eq!(s.logic(&[s.le(q, s.real(Rational::ONE))]), Some("QF_LRA"));
    assert_eq!(s.logic(&[s.bv_ule(bits, s.bv(1, 8))]), Some("QF_BV"));
    assert_eq!(s.logic(&[s.le(s.app(f, &[v[0]]), v[1])]), Some("QF_UFLIA"));
    assert_eq!(s.logic(&[linear, s.le(product, v[0])]), None);
    assert_eq!(s.logic(&[linear, s.eq(s.to_real(v[0]), q)]), None);
}

#[test]
fn division_is_euclidean() {
    for (a, b, q, r) in [
        (7, 2, 3, 1),
        (-7, 2, -4, 1),
        (7, -2, -3, 1),
        (-7, -2, 4, 1),
        (6, -3, -2, 0),
    ] {
        let s = TermStore::new();
        assert_eq!(s.idiv(s.int(a), s.int(b)), s.int(q), "{a} div {b}");
        assert_eq!(s.modulo(s.int(a), s.int(b)), s.int(r), "{a} mod {b}");
    }
}

#[test]
fn canonical_atoms_agree() {
    let s = TermStore::new();
    let v = ints(&s, "x y");
    let a = s.canonical_atom(s.le(s.add2(v[0], s.int(1)), v[1]));
    let (b, negated) = s.strip_not(s.canonical_atom(s.le(v[1], v[0])));
    assert!(!negated || s.not(b) != a);
    assert_eq!(a, s.not(s.canonical_atom(s.le(v[1], v[0]))));
    let twice = s.le(s.scale(&Rational::from(2), v[0]), s.int(5));
    assert_eq!(s.canonical_atom(twice), s.le(v[0], s.int(2)));
}

#[test]
fn bitvectors_follow_smtlib() {
    let s = TermStore::new();
    let c = |n: i64| s.bv(n, 8);
    assert_eq!(s.bv_op(BvOp::Udiv, &[c(5), c(0)]), c(255));
    assert_eq!(s.bv_op(BvOp::Sdiv, &[c(-7), c(2)]), c(-3));
    assert_eq!(s.bv_op(BvOp::Srem, &[c(-7), c(2)]), c(-1));
    assert_eq!(s.bv_op(BvOp::Smod, &[c(-7), c(2)]), c(1));
    assert_eq!(s.bv_op(BvOp::Ashr, &[c(-128), c(9)]), c(-1));
    assert_eq!(s.bv_op(BvOp::Shl, &[c(1), c(8)]), c(0));
    assert_eq!(s.bv_extract(c(0b1010_0000), 7, 4), s.bv(0b1010, 4));
    assert!(s.is_true(s.bv_slt(c(-1), c(0))));
    assert!(s.is_true(s.bv_ult(c(0), c(-1))));
}

#[test]
fn substitution_is_simultaneous() {
    let s = TermStore::new();
    let v = ints(&s, "x y");
    let t = s.le(v[0], s.add2(v[1], s.int(1)));
    assert_eq!(
        s.substitute(t, [(v[0], v[1]), (v[1], v[0])]),
        s.le(v[1], s.add2(v[0], s.int(1)))
    );
}

#[test]
fn a_million_levels_are_no_problem() {
    let s = TermStore::new();
    let p = s.new_var("p", Sort::BOOL);
    let x = s.new_var("x", Sort::INT);
    let sort = s.array_sort(&[Sort::INT], Sort::INT);
    let mut formula = p;
    let mut sum = x;
    let mut array = s.new_var("a", sort);
    for _ in 0..1_000_000 {
        formula = s.not(s.and2(formula, p));
    }
    // Sums and arrays go the same ways: a tenth of the levels is deep enough for any stack.
    for i in 0..100_000i64 {
        sum = s.ite(p, s.add2(sum, s.int(i % 3)), x);
        array = s.store(array, &[s.int(i)], x);
    }
    let goal = s.and([formula, s.eq(sum, x), s.eq(s.select(array, &[x]), x)]);
    assert!(s.print(goal).len() > 1_000_000);
    let mut env = Assignment::new();
    env.insert(p, Value::Bool(true));
    env.insert(x, Value::Int(3.into()));
    env.insert(s.subterms(&[array])[0], Value::Int(0.into()));
    assert!(s.eval(formula, &env).is_ok());
    let q = s.new_var("q", Sort::BOOL);
    assert_ne!(s.substitute(goal, [(p, q)]), goal);
}

#[test]
fn a_sign_never_nests_a_product() {
    let s = TermStore::new();
    let x = s.new_var("x", Sort::INT);
    let long = s.int(Integer::from(crate::number::power_of_two(300)));
    let product = s.mul(&[long, x]);
    let negative = s.mul(&[s.neg(long), x]);
    assert_eq!(s.neg(product), negative);
    assert_eq!(s.neg(negative), product);
    assert_eq!(s.add2(product, negative), s.int(0));
    // Long coefficients stay nested below others, and come out when those are one again.
    let [two, three] = [2, 3].map(|n| s.mul(&[s.int(n), product]));
    assert_eq!(s.args(three), [s.int(3), product]);
    assert_eq!(s.sub(three, two), product);
    assert_eq!(s.sub(three, s.add2(two, product)), s.int(0));
}

#[test]
fn what_was_there_before_is_no_change() {
    let s = TermStore::new();
    let sort = s.array_sort(&[Sort::INT], Sort::INT);
    let (a, i) = (s.new_var("a", sort), s.new_var("i", Sort::INT));
    let written = s.store(a, &[i], s.int(5));
    assert_eq!(s.store(written, &[i], s.select(a, &[i])), a);
    assert_eq!(s.store(a, &[i], s.select(a, &[i])), a);
}
