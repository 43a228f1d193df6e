//! Both directions against evaluation: every small word, random terms, random formulas; and the pass.

use expect_test::expect;
use foretell_kernel::{Cx, Halt, Lift, Pass, Rng, Translation};
use foretell_systems::{ChcProof, Pred};
use foretell_terms::eval::Assignment;
use foretell_terms::number::signed;
use foretell_terms::{BvOp, Integer, Sort, Term, TermMap, TermStore, Value};

use super::back::{Back, Reading};
use super::forward::{self, Exactness};
use super::{Flavour, Integers};
use crate::testing::{int, print_clauses, replay, steps};
use foretell_testkit::read::clauses;
use foretell_testkit::with_cx;

/// Words and the integers they become.
struct Pair {
    terms: TermStore,
    words: Vec<Term>,
    originals: TermMap<Term>,
}

impl Pair {
    fn new(widths: &[u32]) -> Pair {
        let terms = TermStore::new();
        let word = |&w: &u32| terms.new_var("x", terms.bv_sort(w));
        let words: Vec<Term> = widths.iter().map(word).collect();
        let pair = |&old: &Term| (terms.new_var("x", Sort::INT), old);
        let originals = words.iter().map(pair).collect();
        Pair {
            words,
            originals,
            terms,
        }
    }

    /// The integers.
    fn integers(&self) -> Vec<Term> {
        self.originals.keys().copied().collect()
    }

    /// A state above and the same below; the patterns are cut to the widths.
    fn states(&self, patterns: &[u64]) -> (Assignment, Assignment) {
        let (mut above, mut below) = (Assignment::new(), Assignment::new());
        for ((&new, &old), &pattern) in self.originals.iter().zip(patterns) {
            let width = self.terms.bv_width(old);
            let numeral = self.terms.bv(Integer::from(pattern), width);
            let bits = self.terms.as_bv(numeral).unwrap().clone();
            below.insert(new, Value::Int(signed(&bits, width)));
            above.insert(old, Value::BitVec(width, bits));
        }
        (above, below)
    }

    /// Whether a term and its image have the same value.
    #[track_caller]
    fn agrees(&self, term: Term, image: Term, patterns: &[u64]) {
        let (above, below) = self.states(patterns);
        let expected = match self.terms.eval(term, &above).unwrap() {
            Value::BitVec(width, bits) => Value::Int(signed(&bits, width)),
            other => other,
        };
        let found = self.terms.eval(image, &below).unwrap();
        let print = |t| self.terms.print(t);
        assert_eq!(
            found,
            expected,
            "{} became {} at {patterns:?}",
            print(term),
            print(image)
        );
    }

    fn image(&self, term: Term) -> Option<Term> {
        forward::formula(&self.originals, Flavour::Exact, term, &self.terms)
    }
}

const BINARY: [BvOp; 14] = [
    BvOp::Add,
    BvOp::Mul,
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
    BvOp::Udiv,
    BvOp::Urem,
    BvOp::Sdiv,
    BvOp::Srem,
    BvOp::Smod,
    BvOp::Shl,
    BvOp::Lshr,
    BvOp::Ashr,
    BvOp::Concat,
];

/// Every operator with these numerals on the right, on every word of a width.
fn with_numerals(width: u32, numerals: impl Iterator<Item = u64>) -> usize {
    let pair = Pair::new(&[width]);
    let (terms, x) = (&pair.terms, pair.words[0]);
    let mut translated = 0;
    for n in numerals {
        let n = terms.bv(Integer::from(n), width);
        let mut all: Vec<Term> = BINARY.iter().map(|&op| terms.bv_op(op, &[x, n])).collect();
        let sum = terms.bv_add(x, n);
        all.push(terms.bv_op(BvOp::Concat, &[n, x]));
        all.push(terms.bv_sle(sum, x));
        all.push(terms.bv_ule(sum, n));
        all.push(terms.bv_ule(n, sum));
        all.push(terms.eq(sum, n));
        all.push(terms.eq(terms.bv_op(BvOp::Mul, &[n, x]), x));
        for term in all {
            if let Some(image) = pair.image(term) {
                translated += 1;
                (0..1 << width).for_each(|value| pair.agrees(term, image, &[value]));
            }
        }
    }
    translated
}

#[test]
fn every_small_word_keeps_its_value() {
    for width in 1..=4 {
        let all = 1usize << width;
        // Masks of width 4 have two runs at most: nothing is refused.
        assert_eq!(with_numerals(width, 0..1 << width), all * 20);
    }
    let corners = [
        0, 1, 2, 3, 7, 15, 16, 31, 0x55, 126, 127, 128, 129, 254, 255,
    ];
    assert!(with_numerals(8, corners.into_iter()) >= corners.len() * 20 - 3);
}

#[test]
fn every_pair_of_small_words_keeps_its_order() {
    for width in 1..=4 {
        let pair = Pair::new(&[width, width]);
        let (terms, x, y) = (&pair.terms, pair.words[0], pair.words[1]);
        let (sum, difference) = (terms.bv_add(x, y), terms.bv_sub(x, y));
        let twice = terms.bv_add(sum, sum);
        let mut all = vec![sum, difference, twice, terms.bv_op(BvOp::Not, &[twice])];
        all.extend([terms.bv_ule(sum, difference), terms.bv_sle(difference, y)]);
        all.extend([
            terms.eq(sum, difference),
            terms.bv_ule(x, y),
            terms.eq(twice, x),
        ]);
        for high in 0..width {
            all.extend((0..=high).map(|low| terms.bv_extract(sum, high, low)));
        }
        for term in all {
            let image = pair.image(term).unwrap();
            for value in 0..1 << (2 * width) {
                pair.agrees(term, image, &[value & ((1 << width) - 1), value >> width]);
            }
        }
    }
}

/// A random term of a width over the words of a pair.
fn random_word(pair: &Pair, rng: &Rng, width: u32, depth: u32) -> Term {
    let terms = &pair.terms;
    let sub = |width| random_word(pair, rng, width, depth - 1);
    let numeral = || terms.bv(Integer::from(rng.next_u64()), width);
    if depth == 0 {
        let of_width = |x: &&Term| terms.bv_width(**x) == width;
        let own: Vec<Term> = pair.words.iter().filter(of_width).copied().collect();
        let at = rng.below(own.len() as u64 + 1);
        let at = usize::try_from(at).unwrap();
        return own.get(at).copied().unwrap_or_else(numeral);
    }
    match rng.below(9) {
        0 | 1 => terms.bv_add(sub(width), sub(width)),
        2 => terms.bv_sub(sub(width), sub(width)),
        3 => {
            let op = BINARY[usize::try_from(rng.below(13)).unwrap()];
            terms.bv_op(op, &[sub(width), numeral()])
        }
        4 => terms.bv_extract(sub(width + 3), width + 1, 2),
        5 if width > 1 => terms.bv_op(BvOp::Concat, &[sub(width - 1), sub(1)]),
        6 if width > 1 => {
            let extend = [BvOp::SignExtend(1), BvOp::ZeroExtend(1)];
            let which = usize::try_from(rng.below(2)).unwrap();
            terms.bv_op(extend[which], &[sub(width - 1)])
        }
        7 => {
            let nat = terms.bv_op(BvOp::ToNat, &[sub(width)]);
            terms.bv_op(BvOp::FromInt(width), &[nat])
        }
        _ => {
            let (a, b) = (sub(width), sub(width));
            let condition = match rng.below(3) {
                0 => terms.bv_ule(a, b),
                1 => terms.bv_sle(a, b),
                _ => terms.eq(a, b),
            };
            terms.ite(condition, sub(width), sub(width))
        }
    }
}

#[test]
fn random_words_keep_their_values() {
    let rng = Rng::new(7);
    let pair = Pair::new(&[1, 3, 8, 8, 32]);
    let mut translated = 0;
    for _ in 0..400 {
        let width = [1, 3, 8, 32][usize::try_from(rng.below(4)).unwrap()];
        let term = random_word(&pair, &rng, width, 3);
        if let Some(image) = pair.image(term) {
            translated += 1;
            for _ in 0..8 {
                let patterns: Vec<u64> = (0..5).map(|_| random_pattern(&rng)).collect();
                pair.agrees(term, image, &patterns);
            }
        }
    }
    assert!(translated >= 350, "{translated}");
}

/// Often near the ends of the ranges.
fn random_pattern(rng: &Rng) -> u64 {
    let near = [
        0u64,
        1,
        3,
        4,
        127,
        128,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
    ];
    match rng.below(3) {
        0 => rng.next_u64(),
        _ => near[usize::try_from(rng.below(9)).unwrap()].wrapping_sub(rng.below(2)),
    }
}

/// A random integer term.
fn random_integer(pair: &Pair, rng: &Rng, depth: u32) -> Term {
    let terms = &pair.terms;
    let sub = || random_integer(pair, rng, depth - 1);
    let small = || terms.int(Integer::from(rng.below(40)) - Integer::from(20));
    if depth == 0 {
        let own = pair.integers();
        let at = usize::try_from(rng.below(own.len() as u64 + 1)).unwrap();
        return own.get(at).copied().unwrap_or_else(small);
    }
    let divisor = || {
        let n = Integer::from(1 + rng.below(9));
        terms.int(if rng.below(3) == 0 { -n } else { n })
    };
    match rng.below(7) {
        0 | 1 => terms.add2(sub(), sub()),
        2 => terms.mul(&[small(), sub()]),
        3 => terms.modulo(sub(), divisor()),
        4 => terms.idiv(sub(), divisor()),
        5 => terms.mul(&[sub(), sub()]),
        _ => terms.ite(terms.le(sub(), sub()), sub(), sub()),
    }
}

#[test]
fn random_formulas_come_back() {
    let rng = Rng::new(11);
    let pair = Pair::new(&[1, 4, 8, 8, 32]);
    let terms = &pair.terms;
    let mut back = Back::new(&pair.originals, Reading::Extended, terms);
    let mut said = 0;
    for _ in 0..400 {
        let atom = || {
            let (a, b) = (
                random_integer(&pair, &rng, 2),
                random_integer(&pair, &rng, 2),
            );
            match rng.below(3) {
                0 => terms.eq(a, b),
                1 => terms.lt(a, b),
                _ => terms.le(a, b),
            }
        };
        let formula = terms.and2(terms.or2(atom(), atom()), terms.not(atom()));
        let above = terms.and(back.conjuncts(formula));
        for _ in 0..8 {
            let patterns: Vec<u64> = (0..5).map(|_| random_pattern(&rng)).collect();
            pair.agrees(above, formula, &patterns);
        }
        said += usize::from(!terms.is_numeral(above));
    }
    assert_eq!(back.exactness, Exactness::Exact, "nothing was left out");
    assert!(said >= 250, "{said}");
}

#[test]
fn simple_atoms_stay_at_their_width() {
    let pair = Pair::new(&[32, 32]);
    let (t, own) = (&pair.terms, pair.integers());
    let (x, y) = (own[0], own[1]);
    let up = |formula: Term, reading| {
        let mut back = Back::new(&pair.originals, reading, t);
        t.print(t.and(back.conjuncts(formula)))
    };
    let extended = |formula| up(formula, Reading::Extended);
    expect!["(bvsle x x)"].assert_eq(&extended(t.le(x, y)));
    expect!["(bvsle x #x00000007)"].assert_eq(&extended(t.le(x, t.int(7))));
    expect!["true"].assert_eq(&extended(t.le(x, t.int(1i64 << 31))));
    expect!["false"].assert_eq(&extended(t.eq(x, t.int(1i64 << 31))));
    let equation = t.eq(t.add2(x, y), t.int(1i64 << 31));
    expect!["(= #b010000000000000000000000000000000 (bvadd ((_ sign_extend 1) x) ((_ sign_extend 1) x)))"]
        .assert_eq(&extended(equation));
    expect!["(= #x80000000 (bvadd x x))"].assert_eq(&up(equation, Reading::Modular));
}

#[test]
fn integers_that_are_no_words_stay() {
    let pair = Pair::new(&[8]);
    let (t, x) = (&pair.terms, pair.integers()[0]);
    let n = t.new_var("n", Sort::INT);
    let mut back = Back::new(&pair.originals, Reading::Extended, t);
    let mixed = t.and(back.conjuncts(t.le(x, n)));
    expect!["(let ((.1 (ubv_to_int x))) (<= (ite (bvsle #x00 x) .1 (- .1 256)) n))"]
        .assert_eq(&t.print(mixed));
    let plain = t.le(n, t.int(3));
    assert_eq!(back.conjuncts(plain), [plain]);
}

const COUNTER: &str = "
    (define-sort W () (_ BitVec 8)) (declare-rel p (W W)) (declare-var x W) (declare-var y W)
    (declare-var n W)
    (rule (=> (bvsle #x00 n) (p #x00 n)))
    (rule (=> (and (p x n) (bvslt x n)) (p (bvadd x #x01) n)))
    (rule (=> (and (p x n) (bvult y #x05)) (p (bvadd x y) n)))
    (query (and (p x n) (bvsgt x n)))";

#[test]
fn clauses_assume_the_ranges_they_need() {
    with_cx(|cx| {
        let system = clauses(cx.terms, COUNTER);
        let flavour = Flavour::Exact;
        let (exact, _) = Integers { flavour }.run(&system, cx).unwrap();
        exact.validate(cx.terms).unwrap();
        expect![[r#"
            p(0, n) <= (<= 0 n), (<= (- 128) n), (<= n 127)
            p((+ x 1), n) <= p(x, n), (< x n), (<= (- 128) x), (<= x 127), (<= (- 128) n), (<= n 127)
            p((let ((.1 (+ y x))) (ite (<= .1 127) .1 (- (+ y x) 256))), n) <= p(x, n), (not (or (< y 0) (<= 5 y))), (<= (- 128) x), (<= x 127), (<= (- 128) y), (<= y 127)
            false <= p(x, n), (< n x), (<= (- 128) x), (<= x 127), (<= (- 128) n), (<= n 127)
        "#]].assert_eq(&print_clauses(&exact, cx));
        let flavour = Flavour::Ideal;
        let (ideal, _) = Integers { flavour }.run(&system, cx).unwrap();
        ideal.validate(cx.terms).unwrap();
        expect![[r#"
            p(0, n) <= (<= 0 n)
            p((+ x 1), n) <= p(x, n), (< x n)
            p((+ y x), n) <= p(x, n), (not (or (< y 0) (<= 5 y)))
            false <= p(x, n), (< n x)
        "#]]
        .assert_eq(&print_clauses(&ideal, cx));
    });
}

#[test]
fn derivations_wrap_around() {
    with_cx(|cx| {
        let system = clauses(cx.terms, COUNTER);
        let flavour = Flavour::Exact;
        let (below, lift) = Integers { flavour }.run(&system, cx).unwrap();
        let path: [(u32, &[(&str, Value)]); 3] = [
            (0, &[("n", int(1))]),
            (2, &[("x", int(0)), ("y", int(4)), ("n", int(1))]),
            (3, &[("x", int(4)), ("n", int(1))]),
        ];
        let derivation = steps(&below, cx, &path);
        replay(&below, &derivation, cx).unwrap();
        replay(&system, &lift.cex(derivation, cx).unwrap(), cx).unwrap();
    });
}

/// Over ideal integers an unsigned counter below 256 is never zero again.
#[test]
fn what_only_holds_of_ideal_integers_is_not_proved() {
    with_cx(|cx| {
        let text = "(define-sort W () (_ BitVec 8)) (declare-rel p (W)) (declare-var x W)
            (rule (p #x01)) (rule (=> (p x) (p (bvadd x #x01)))) (query (and (p x) (= x #x00)))";
        let system = clauses(cx.terms, text);
        let flavour = Flavour::Ideal;
        let (below, lift) = Integers { flavour }.run(&system, cx).unwrap();
        let x = below.preds[0].params[0];
        let proof = ChcProof {
            formulas: vec![cx.terms.le(cx.terms.int(1), x)],
            witness: None,
        };
        let lost = lift.proof(proof, cx).map(|p| p.formulas);
        assert_eq!(lost, Err(Halt::NotLifted("integers")));
    });
}

/// Sums that wrap around keep their equations.
#[test]
fn equations_of_ideal_integers_hold_modulo() {
    with_cx(|cx| {
        let text = "(define-sort W () (_ BitVec 8)) (declare-rel p (W W)) (declare-var x W)
            (declare-var y W) (rule (p #x00 #x00))
            (rule (=> (p x y) (p (bvadd x #x01) (bvadd y #x02))))
            (query (and (p x y) (not (= y (bvmul #x02 x)))))";
        let system = clauses(cx.terms, text);
        let flavour = Flavour::Ideal;
        let (below, lift) = Integers { flavour }.run(&system, cx).unwrap();
        let (t, params) = (cx.terms, &below.preds[0].params);
        let twice = t.mul(&[t.int(2), params[0]]);
        let proof = ChcProof {
            formulas: vec![t.and2(t.eq(params[1], twice), t.le(t.int(0), params[0]))],
            witness: None,
        };
        let proof = lift.proof(proof, cx).unwrap();
        expect!["(= p!1 (bvmul #x02 p!0))"].assert_eq(&t.print(proof.formulas[0]));
    });
}

#[test]
fn arrays_of_words_become_arrays_of_integers() {
    with_cx(|cx| {
        let text = "(define-sort A () (Array (_ BitVec 1) (_ BitVec 4))) (declare-rel p (A))
            (declare-var a A) (declare-var i (_ BitVec 1)) (rule (p a))
            (rule (=> (and (p a) (bvult #xc (select a i))) (p (store a i #x0))))
            (query (and (p a) (= (select a i) #x8)))";
        let system = clauses(cx.terms, text);
        let flavour = Flavour::Exact;
        let (below, lift) = Integers { flavour }.run(&system, cx).unwrap();
        below.validate(cx.terms).unwrap();
        expect![[r#"
            p(a) <= 
            p((store a i 0)) <= p(a), (let ((.1 (select a i))) (not (or (<= 0 .1) (<= .1 (- 4))))), (<= (- 1) i), (<= i 0), (<= (- 8) (select a i)), (<= (select a i) 7)
            false <= p(a), (= (- 8) (select a i)), (<= (- 1) i), (<= i 0), (<= (- 8) (select a i)), (<= (select a i) 7)
        "#]].assert_eq(&print_clauses(&below, cx));
        let (t, a) = (cx.terms, below.preds[0].params[0]);
        let Value::Array(mut value) = t.default_value(t.sort(a)) else {
            panic!("an array")
        };
        value.store(vec![int(-1)], int(-8));
        value.store(vec![int(5)], int(77));
        let value = Value::Array(value);
        let path: [(u32, &[(&str, Value)]); 2] = [
            (0, &[("a", value.clone())]),
            (1 + 1, &[("a", value), ("i", int(-1))]),
        ];
        let derivation = steps(&below, cx, &path);
        replay(&system, &lift.cex(derivation, cx).unwrap(), cx).unwrap();
        let j = t.fresh("j", Sort::INT);
        let cells = t.forall(&[j], t.le(t.select(a, &[j]), t.int(3)));
        let above = lift.up((Pred(0), cells), cx);
        expect!["(forall ((j!1 (_ BitVec 1))) (bvsle (select p!0 j!1) #x3))"]
            .assert_eq(&t.print(above[0].1));
    });
}

#[test]
fn facts_go_both_ways() {
    with_cx(|cx| {
        let system = clauses(cx.terms, COUNTER);
        let flavour = Flavour::Exact;
        let (_, lift) = Integers { flavour }.run(&system, cx).unwrap();
        let (t, params) = (cx.terms, &system.preds[0].params);
        let fact = t.bv_sle(params[0], params[1]);
        let below = lift.down((Pred(0), fact), cx);
        expect!["(<= p!0 p!1)"].assert_eq(&t.print(below[0].1));
        assert_eq!(lift.up(below[0], cx), [(Pred(0), fact)]);
        let product = t.eq(t.bv_op(BvOp::Mul, params), params[0]);
        assert_eq!(lift.down((Pred(0), product), cx), []);
    });
}

fn refuses(text: &str, cx: &Cx<'_>) -> bool {
    let system = clauses(cx.terms, text);
    let flavour = Flavour::Exact;
    let result = Integers { flavour }.run(&system, cx);
    matches!(result, Err(Halt::Unsupported(_)))
}

#[test]
fn operators_on_bits_are_refused() {
    with_cx(|cx| {
        let system = |step: &str| {
            format!(
                "(define-sort W () (_ BitVec 8)) (declare-rel p (W W)) (declare-var x W)
                (declare-var y W) (rule (p #x00 #x01)) (rule (=> (p x y) (p {step} y)))
                (query (p #x03 y))"
            )
        };
        assert!(refuses(&system("(bvmul x y)"), cx));
        assert!(refuses(&system("(bvor x y)"), cx));
        assert!(refuses(&system("(bvshl x y)"), cx));
        assert!(!refuses(&system("(bvor x #x03)"), cx));
        let none = "(declare-rel p (Int)) (rule (p 0)) (query (p 1))";
        assert!(!refuses(none, cx), "there are no words");
    });
}
