//! Builders of integer and real arithmetic.
//!
//! Sums are kept in a light normal form: nested short sums are merged, like terms are collected,
//! addends are ordered by creation and the numeral comes last. Long nested sums are left nested
//! (merging them one level at a time would be quadratic).

use dashu_base::BitTest;

use crate::TermMap;
use crate::number::{self, Integer, Rational};
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, TermStore};

/// A nested sum with more addends than this stays one addend.
const MERGE_LIMIT: usize = 16;
/// Coefficients longer than this are not multiplied out: nested products of a million levels would
/// otherwise make numerals of a million digits on every level.
const MERGE_BITS: usize = 256;

fn is_short(q: &Rational) -> bool {
    q.numerator().bit_len() <= MERGE_BITS && q.denominator().bit_len() <= MERGE_BITS
}

/// `1` or `-1`: a product with it is not longer.
fn is_sign(q: &Rational) -> bool {
    q.is_one() || (-q.clone()).is_one()
}

/// Whether two coefficients become one.
fn merge(a: &Rational, b: &Rational) -> bool {
    is_sign(a) || is_sign(b) || (is_short(a) && is_short(b))
}

impl TermStore {
    /// An integer numeral.
    pub fn int(&self, value: impl Into<Integer>) -> Term {
        self.intern(Op::Int(value.into()), &[], Sort::INT)
    }

    /// A real numeral.
    pub fn real(&self, value: Rational) -> Term {
        self.intern(Op::Real(Box::new(value)), &[], Sort::REAL)
    }

    /// A numeral of sort Int or Real; `None` when a fraction is asked of Int.
    pub fn numeral(&self, value: &Rational, sort: Sort) -> Option<Term> {
        if sort == Sort::REAL {
            return Some(self.real(value.clone()));
        }
        number::to_integer(value).map(|n| self.int(n))
    }

    /// The value of an Int or Real numeral.
    pub fn as_number(&self, term: Term) -> Option<Rational> {
        match self.op(term) {
            Op::Int(n) => Some(number::rational(n)),
            Op::Real(q) => Some((**q).clone()),
            _ => None,
        }
    }

    /// The value of an Int numeral.
    pub fn as_int(&self, term: Term) -> Option<&Integer> {
        match self.op(term) {
            Op::Int(n) => Some(n),
            _ => None,
        }
    }

    /// The coefficient and the rest: `c * t` gives `(c, t)`, anything else `(1, itself)`.
    pub(crate) fn split_coefficient(&self, term: Term) -> (Rational, Term) {
        let node = self.node(term);
        if node.op == Op::Mul
            && let Some(c) = self.as_number(node.args[0])
        {
            let rest = if node.args.len() == 2 {
                node.args[1]
            } else {
                self.intern(Op::Mul, &node.args[1..], node.sort)
            };
            return (c, rest);
        }
        (Rational::ONE, term)
    }

    /// `c * t`. For Int the coefficient must be an integer.
    pub fn scale(&self, c: &Rational, t: Term) -> Term {
        let sort = self.sort(t);
        let numeral = self
            .numeral(c, sort)
            .expect("invariant: integer terms are scaled by integers");
        self.mul(&[numeral, t])
    }

    /// Sum.
    pub fn add(&self, args: &[Term]) -> Term {
        let sort = self.sort(args[0]);
        let mut constant = Rational::ZERO;
        let mut addends: TermMap<Rational> = TermMap::default();
        let mut take = |t: Term| {
            if let Some(value) = self.as_number(t) {
                constant += value;
            } else {
                let (c, rest) = self.split_coefficient(t);
                *addends.entry(rest).or_insert(Rational::ZERO) += c;
            }
        };
        for &arg in args {
            let node = self.node(arg);
            if node.op == Op::Add && (node.args.len() <= MERGE_LIMIT || args.len() == 1) {
                node.args.iter().for_each(|&a| take(a));
            } else {
                take(arg);
            }
        }
        self.sum(addends, &constant, sort)
    }

    /// `sum of coefficient * term, plus constant`, of sort Int or Real.
    fn sum(&self, mut addends: TermMap<Rational>, constant: &Rational, sort: Sort) -> Term {
        self.unnest(&mut addends);
        addends.retain(|_, c| !c.is_zero());
        addends.sort_unstable_keys();
        let mut parts: Vec<Term> = addends.iter().map(|(&t, c)| self.scale(c, t)).collect();
        if !constant.is_zero() || parts.is_empty() {
            parts.push(
                self.numeral(constant, sort)
                    .expect("invariant: integer sums have integer constants"),
            );
        }
        if parts.len() == 1 {
            parts[0]
        } else {
            self.intern(Op::Add, &parts, sort)
        }
    }

    /// `1 * (c * t)` is `c * t`, also where `c` was too long to be multiplied by what is one now.
    fn unnest(&self, addends: &mut TermMap<Rational>) {
        while let Some((&term, sign)) = addends
            .iter()
            .find(|&(&t, c)| is_sign(c) && !self.split_coefficient(t).0.is_one())
        {
            let (c, rest) = self.split_coefficient(term);
            let c = c * sign;
            addends.swap_remove(&term);
            *addends.entry(rest).or_insert(Rational::ZERO) += c;
        }
    }

    /// Sum of two.
    pub fn add2(&self, a: Term, b: Term) -> Term {
        self.add(&[a, b])
    }

    /// `-a`.
    pub fn neg(&self, a: Term) -> Term {
        self.scale(&-Rational::ONE, a)
    }

    /// `a - b`.
    pub fn sub(&self, a: Term, b: Term) -> Term {
        self.add(&[a, self.neg(b)])
    }

    /// Product.
    pub fn mul(&self, args: &[Term]) -> Term {
        let sort = self.sort(args[0]);
        let numerals = args.iter().filter_map(|&arg| self.as_number(arg));
        let mut coefficient = numerals.fold(Rational::ONE, |product, value| product * value);
        let mut factors = Vec::new();
        for &arg in args.iter().filter(|&&arg| self.as_number(arg).is_none()) {
            if self.node(arg).op == Op::Mul
                && self.args(arg).len() <= MERGE_LIMIT
                && merge(&coefficient, &self.split_coefficient(arg).0)
            {
                for &factor in self.args(arg) {
                    match self.as_number(factor) {
                        Some(value) => coefficient *= value,
                        None => factors.push(factor),
                    }
                }
            } else {
                factors.push(arg);
            }
        }
        self.product(&coefficient, factors, sort)
    }

    fn product(&self, coefficient: &Rational, mut factors: Vec<Term>, sort: Sort) -> Term {
        let numeral = |q: &Rational| {
            self.numeral(q, sort)
                .expect("invariant: integer products have integer coefficients")
        };
        if coefficient.is_zero() || factors.is_empty() {
            return numeral(coefficient);
        }
        factors.sort_unstable();
        if factors.len() == 1 && coefficient.is_one() {
            return factors[0];
        }
        if factors.len() == 1
            && self.node(factors[0]).op == Op::Add
            && self.args(factors[0]).len() <= MERGE_LIMIT
            && self
                .args(factors[0])
                .iter()
                .all(|&t| merge(coefficient, &self.split_coefficient(t).0))
        {
            let parts: Vec<Term> = self
                .args(factors[0])
                .iter()
                .map(|&t| self.scale(coefficient, t))
                .collect();
            return self.add(&parts);
        }
        if !coefficient.is_one() {
            factors.insert(0, numeral(coefficient));
        }
        self.intern(Op::Mul, &factors, sort)
    }

    /// `a <= b`.
    pub fn le(&self, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b), "comparison of two sorts");
        if a == b {
            return self.tt();
        }
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b)) {
            return self.bool(x <= y);
        }
        self.intern(Op::Le, &[a, b], Sort::BOOL)
    }

    /// `a < b`, that is `not (b <= a)`.
    pub fn lt(&self, a: Term, b: Term) -> Term {
        self.not(self.le(b, a))
    }

    /// `a >= b`, that is `b <= a`.
    pub fn ge(&self, a: Term, b: Term) -> Term {
        self.le(b, a)
    }

    /// `a > b`, that is `not (a <= b)`.
    pub fn gt(&self, a: Term, b: Term) -> Term {
        self.not(self.le(a, b))
    }

    /// Euclidean division `(div a b)`.
    pub fn idiv(&self, a: Term, b: Term) -> Term {
        if let Some(divisor) = self.as_int(b).filter(|n| !n.is_zero()) {
            if divisor.is_one() {
                return a;
            }
            if let Some(n) = self.as_int(a) {
                return self.int(number::div_mod(n, divisor).0);
            }
        }
        self.intern(Op::IDiv, &[a, b], Sort::INT)
    }

    /// Euclidean remainder `(mod a b)`.
    pub fn modulo(&self, a: Term, b: Term) -> Term {
        if let Some(divisor) = self.as_int(b).filter(|n| !n.is_zero()) {
            if divisor.is_one() {
                return self.int(0);
            }
            if let Some(n) = self.as_int(a) {
                return self.int(number::div_mod(n, divisor).1);
            }
        }
        self.intern(Op::Mod, &[a, b], Sort::INT)
    }

    /// Real division `(/ a b)`.
    pub fn rdiv(&self, a: Term, b: Term) -> Term {
        match self.as_number(b) {
            Some(q) if !q.is_zero() => self.scale(&(Rational::ONE / q), a),
            _ => self.intern(Op::RDiv, &[a, b], Sort::REAL),
        }
    }

    /// `|a|`.
    pub fn abs(&self, a: Term) -> Term {
        let zero = self
            .numeral(&Rational::ZERO, self.sort(a))
            .expect("invariant: zero exists in Int and Real");
        self.ite(self.le(zero, a), a, self.neg(a))
    }

    /// The real number of an integer.
    pub fn to_real(&self, a: Term) -> Term {
        match self.as_int(a) {
            Some(n) => self.real(number::rational(n)),
            None => self.intern(Op::ToReal, &[a], Sort::REAL),
        }
    }

    /// The floor of a real number. Over integers it is a division:
    /// `floor((c1*n1 + … + k) / q) = (div (c1*n1 + … + k) q)` for a positive `q`.
    pub fn to_int(&self, a: Term) -> Term {
        match self.op(a) {
            Op::Real(q) => self.int(number::floor(q)),
            Op::ToReal => self.args(a)[0],
            _ => self
                .quotient(a)
                .map(|(dividend, divisor)| self.idiv(dividend, self.int(divisor)))
                .unwrap_or_else(|| self.intern(Op::ToInt, &[a], Sort::INT)),
        }
    }

    /// A real term whose variable parts are integers, as an integer term and a positive divisor.
    fn quotient(&self, a: Term) -> Option<(Term, Integer)> {
        let mut form = self.linear(a);
        for (part, _) in &mut form.terms {
            if *self.op(*part) != Op::ToReal {
                return None;
            }
            *part = self.args(*part)[0];
        }
        let divisor = form.make_integral();
        Some((self.linear_term(&form, Sort::INT), divisor))
    }

    /// Whether a real number is an integer.
    pub fn is_int(&self, a: Term) -> Term {
        self.eq(self.to_real(self.to_int(a)), a)
    }
}
