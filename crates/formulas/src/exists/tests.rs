//! What is left says the same, on all small values.

use foretell_terms::eval::Assignment;
use foretell_terms::{ArrayValue, Sort, Term, TermStore, Value};

use super::exists;

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> usize {
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from((self.0 >> 33) % n).unwrap_or(0)
    }
}

/// `x`, `y` integers, `p`, `q` truth values, `a` an array.
struct Vocabulary {
    terms: TermStore,
    vars: [Term; 5],
}

impl Vocabulary {
    fn new() -> Vocabulary {
        let terms = TermStore::new();
        let row = terms.array_sort(&[Sort::INT], Sort::INT);
        let sorts = [Sort::INT, Sort::INT, Sort::BOOL, Sort::BOOL, row];
        let names = ["x", "y", "p", "q", "a"];
        let vars = std::array::from_fn(|n| terms.new_var(names[n], sorts[n]));
        Vocabulary { terms, vars }
    }

    fn literal(&self, numbers: &mut Numbers) -> Term {
        let (terms, [x, y, p, q, a]) = (&self.terms, self.vars);
        let number = |n: usize| terms.int(i64::try_from(n).unwrap_or(0) - 2);
        let cell = |n: usize| terms.select(a, &[terms.int(i64::try_from(n).unwrap_or(0))]);
        let side = |n: usize, c: usize| match n {
            0 => x,
            1 => terms.add2(y, number(c)),
            2 => cell(c % 2),
            _ => number(c),
        };
        let left = side(numbers.below(4), numbers.below(5));
        let right = side(numbers.below(4), numbers.below(5));
        let found = match numbers.below(5) {
            0 => p,
            1 => q,
            2 => terms.eq(left, right),
            _ => terms.le(left, right),
        };
        match numbers.below(2) {
            0 => found,
            _ => terms.not(found),
        }
    }

    fn formula(&self, depth: u32, numbers: &mut Numbers) -> Term {
        if depth == 0 {
            return self.literal(numbers);
        }
        let mut part = || self.formula(depth - 1, numbers);
        let (a, b, c) = (part(), part(), part());
        match numbers.below(5) {
            0 => self.terms.eq(a, b),
            1 => self.terms.ite(a, b, c),
            2 => self.terms.or([a, b, c]),
            _ => self.terms.and([a, b, c]),
        }
    }

    fn holds(&self, formula: Term, values: &[Value; 5]) -> bool {
        let mut env = Assignment::new();
        for (&var, value) in self.vars.iter().zip(values) {
            env.insert(var, value.clone());
        }
        self.terms.eval_bool(formula, &env).expect("no quantifier")
    }

    /// Whether the formula holds for some value of a variable, out of enough of them.
    fn some(&self, formula: Term, var: usize, values: &[Value; 5]) -> bool {
        let mut candidates = candidates(var).into_iter();
        candidates.any(|value| {
            let mut values = values.clone();
            values[var] = value;
            self.holds(formula, &values)
        })
    }
}

fn row(zero: i64, one: i64) -> Value {
    let mut array = ArrayValue::constant(Value::Int(0.into()), None);
    for (index, value) in [(0, zero), (1, one)] {
        array.store(vec![Value::Int(index.into())], Value::Int(value.into()));
    }
    Value::Array(array)
}

fn candidates(var: usize) -> Vec<Value> {
    match var {
        0 | 1 => (-9..=9).map(|n| Value::Int(n.into())).collect(),
        2 | 3 => vec![Value::Bool(false), Value::Bool(true)],
        _ => (-9..=9)
            .flat_map(|m| (-9..=9).map(move |n| row(m, n)))
            .collect(),
    }
}

/// One variable of each sort in turn; the others take small values.
#[test]
fn what_is_left_says_the_same() {
    let mut numbers = Numbers(11);
    for var in [0, 2, 4] {
        let mut gone = 0;
        for _ in 0..60 {
            let vocabulary = Vocabulary::new();
            let terms = &vocabulary.terms;
            let before = vocabulary.formula(2, &mut numbers);
            let after = exists(terms, &[vocabulary.vars[var]], before);
            if terms.has_quantifier(after) {
                continue;
            }
            assert!(!terms.free_vars(&[after]).contains(&vocabulary.vars[var]));
            gone += 1;
            for _ in 0..12 {
                let small = |numbers: &mut Numbers| i64::try_from(numbers.below(4)).unwrap_or(0);
                let values = [
                    Value::Int((small(&mut numbers) - 1).into()),
                    Value::Int((small(&mut numbers) - 1).into()),
                    Value::Bool(numbers.below(2) == 0),
                    Value::Bool(numbers.below(2) == 0),
                    row(small(&mut numbers), small(&mut numbers) - 2),
                ];
                let expected = vocabulary.some(before, var, &values);
                let found = vocabulary.holds(after, &values);
                assert_eq!(expected, found, "{}", terms.print(before));
            }
        }
        assert!(gone > 40, "only {gone} times variable {var} was gone");
    }
}

/// `∃k c. 0 ≤ k ≤ 9 ∧ k ≠ 2 ∧ (k ≥ 30 ∧ x = 1 ∨ x = 0) ∧ c[3] = 7 ∧ 0 ≤ y` is `x = 0 ∧ 0 ≤ y`.
#[test]
fn what_says_nothing_of_others_goes() {
    let Vocabulary { terms, vars } = Vocabulary::new();
    let [x, y, _, _, a] = vars;
    let k = terms.new_var("k", Sort::INT);
    let n = |n: i64| terms.int(n);
    let late = terms.and2(terms.ge(k, n(30)), terms.eq(x, n(1)));
    let formula = terms.and([
        terms.ge(k, n(0)),
        terms.le(k, n(9)),
        terms.not(terms.eq(k, n(2))),
        terms.or2(late, terms.eq(x, n(0))),
        terms.eq(terms.select(a, &[n(3)]), n(7)),
        terms.le(n(0), y),
    ]);
    let left = exists(&terms, &[k, a], formula);
    let mut left = terms.conjuncts(left);
    left.sort_unstable();
    let mut expected = [terms.le(n(0), y), terms.eq(x, n(0))];
    expected.sort_unstable();
    assert_eq!(left, expected);
}

/// Quantifiers that nothing connects are bound apart.
#[test]
fn binders_are_small() {
    let Vocabulary { terms, vars } = Vocabulary::new();
    let [x, y, ..] = vars;
    let [k, m] = ["k", "m"].map(|name| terms.new_var(name, Sort::INT));
    let square = |v: Term| terms.mul(&[v, v]);
    let both = terms.and([
        terms.le(square(k), x),
        terms.le(square(m), y),
        terms.le(x, y),
    ]);
    let left = exists(&terms, &[k, m], both);
    let binders: Vec<Term> = (terms.conjuncts(left).into_iter())
        .filter(|&c| terms.has_quantifier(c))
        .collect();
    assert_eq!(binders.len(), 2, "{}", terms.print(left));
}
