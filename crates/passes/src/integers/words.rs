//! The operators of words on integers.
//!
//! A word is a [`Sum`] that is congruent to it modulo `2^w`; only where its value matters (orders,
//! equations, arguments) is the sum brought into the range of the width:
//!
//! ```text
//! interval within the range                s
//! interval at most 2^w beyond              ite(s ≤ max, s, s − 2^w), ite(min ≤ s, s, s + 2^w), or both
//! else                                     (s + 2^(w−1)) mod 2^w − 2^(w−1)
//! ```
//!
//! | words | integers |
//! |---|---|
//! | `+ − ~`, times a numeral, `<<` by a numeral, lower bits | sums; nothing is wrapped |
//! | upper bits, `>>` by a numeral | `div` of the signed or unsigned value by a power of two |
//! | `concat`, extensions | upper part times a power of two plus the unsigned value of the lower one |
//! | `&` with a numeral | for each run of ones in it a difference of two `mod` |
//! | `\|`, `xor` with a numeral | `a + c − (a & c)`, `a + c − 2 (a & c)` |
//! | division and remainder by a numeral | `div`, `mod`, with the signs that the operator asks for |
//! | words of one bit | `ite` of −1 and 0 |
//!
//! Anything else has no image: products of variables, bits of two variables, shifts by variables.
//! In the ideal flavour sums are never brought into range.

use foretell_terms::{BvOp, Integer, Op, Term, TermStore};

use super::Flavour;
use super::interval::{Interval, Sum, power, residue};

/// A word as an argument.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) sum: &'a Sum,
    pub(super) width: u32,
}

/// How many runs of ones a mask may have.
const RUNS: usize = 4;

/// Makes integer terms of words.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub(super) terms: &'a TermStore,
    pub(super) flavour: Flavour,
}

impl Words<'_> {
    fn int(&self, n: &Integer) -> Term {
        self.terms.int(n.clone())
    }

    /// The signed value of a word, with what is known of it.
    pub(super) fn signed(&self, word: Word<'_>) -> (Term, Interval) {
        match self.flavour {
            Flavour::Exact => self.wrapped(word),
            Flavour::Ideal => {
                let term = word.sum.term(self.terms);
                (term, Interval::signed(word.width))
            }
        }
    }

    /// The signed value of the lowest bits of a sum.
    fn wrapped(&self, Word { sum, width }: Word<'_>) -> (Term, Interval) {
        let range = Interval::signed(width);
        if let Some(n) = sum.as_constant() {
            let n = residue(n, width);
            return (self.int(&n), Interval::point(&n));
        }
        let (s, modulus) = (sum.term(self.terms), power(width));
        match sum.range().filter(|_| self.flavour == Flavour::Exact) {
            Some(known) if known.is_within(&range) => (s, known),
            Some(known) if known.is_within(&range.widened(&modulus)) => {
                (self.once(s, &known, &range, &modulus), range)
            }
            _ => {
                let shifted = self.terms.sub(s, self.int(&range.low));
                let rest = self.terms.modulo(shifted, self.int(&modulus));
                (self.terms.add2(rest, self.int(&range.low)), range)
            }
        }
    }

    /// A term that is at most one modulus outside a range, brought into it.
    fn once(&self, s: Term, known: &Interval, range: &Interval, modulus: &Integer) -> Term {
        let (terms, mut value) = (self.terms, s);
        if known.high > range.high {
            let inside = terms.le(s, self.int(&range.high));
            value = terms.ite(inside, value, terms.sub(s, self.int(modulus)));
        }
        if known.low < range.low {
            let inside = terms.le(self.int(&range.low), s);
            value = terms.ite(inside, value, terms.add2(s, self.int(modulus)));
        }
        value
    }

    /// The unsigned value of a word, with what is known of it.
    pub(super) fn unsigned(&self, word: Word<'_>) -> (Term, Interval) {
        let (range, modulus) = (Interval::unsigned(word.width), power(word.width));
        if self.flavour == Flavour::Exact {
            return self.lowest(word);
        }
        let (s, known) = (word.sum.term(self.terms), Interval::signed(word.width));
        match word.sum.as_constant() {
            Some(_) => self.lowest(word),
            None => (self.once(s, &known, &range, &modulus), range),
        }
    }

    /// The unsigned value of the lowest bits of a sum.
    fn lowest(&self, Word { sum, width }: Word<'_>) -> (Term, Interval) {
        let (range, modulus) = (Interval::unsigned(width), power(width));
        if let Some(n) = sum.as_constant() {
            let n = residue(n, width);
            let n = if n < Integer::ZERO { n + modulus } else { n };
            return (self.int(&n), Interval::point(&n));
        }
        let s = sum.term(self.terms);
        match sum.range().filter(|_| self.flavour == Flavour::Exact) {
            Some(known) if known.is_within(&range) => (s, known),
            Some(known) if known.is_within(&range.widened(&modulus)) => {
                (self.once(s, &known, &range, &modulus), range)
            }
            _ => (self.terms.modulo(s, self.int(&modulus)), range),
        }
    }

    fn sum(&self, (term, range): (Term, Interval)) -> Sum {
        Sum::of(self.terms, term, Some(range))
    }

    /// Whether a word is negative.
    fn is_negative(&self, word: Word<'_>) -> Term {
        self.terms.lt(self.signed(word).0, self.terms.int(0))
    }

    /// Equality.
    pub(super) fn eq(&self, a: Word<'_>, b: Word<'_>) -> Term {
        let terms = self.terms;
        let apart = a.sum.clone().plus(&minus(b.sum));
        let modulus = power(a.width);
        let is_small = |r: Interval| -modulus.clone() < r.low && r.high < modulus;
        if self.flavour == Flavour::Exact && apart.range().is_some_and(is_small) {
            return self.equal(a.sum.term(terms), b.sum.term(terms));
        }
        self.equal(self.signed(a).0, self.signed(b).0)
    }

    /// An equation; one of a numeral with a choice of numerals is the condition of the choice.
    fn equal(&self, a: Term, b: Term) -> Term {
        let terms = self.terms;
        for (choice, numeral) in [(a, b), (b, a)] {
            let node = terms.node(choice);
            if node.op == Op::Ite
                && terms.is_numeral(numeral)
                && node.args[1..].iter().all(|&n| terms.is_numeral(n))
            {
                let branch = |n: Term| terms.bool(n == numeral);
                return terms.ite(node.args[0], branch(node.args[1]), branch(node.args[2]));
            }
        }
        terms.eq(a, b)
    }

    /// Signed `a <= b`.
    pub(super) fn sle(&self, a: Word<'_>, b: Word<'_>) -> Term {
        self.terms.le(self.signed(a).0, self.signed(b).0)
    }

    /// Unsigned `a <= b`: words that are not negative come first.
    pub(super) fn ule(&self, a: Word<'_>, b: Word<'_>) -> Term {
        let terms = self.terms;
        let (x, y) = (self.signed(a).0, self.signed(b).0);
        let below = |t: Term| terms.lt(t, terms.int(0));
        let ordered = terms.le(x, y);
        let first = terms.or2(below(y), ordered);
        let second = terms.and2(below(y), ordered);
        terms.ite(below(x), second, first)
    }

    /// The sum for an operator that gives words of a width; `None` when there is none.
    pub(super) fn apply(&self, op: BvOp, args: &[Word<'_>], width: u32) -> Option<Sum> {
        match (op, args) {
            (BvOp::Extract { high, low }, &[a]) => Some(self.extract(a, high, low)),
            (BvOp::Not, &[a]) => Some(a.sum.clone().complement(width)),
            (BvOp::Neg, &[a]) => Some(a.sum.clone().times(&-Integer::ONE, width)),
            (BvOp::ZeroExtend(_), &[a]) => Some(self.sum(self.unsigned(a))),
            (BvOp::SignExtend(_), &[a]) => Some(self.sum(self.signed(a))),
            (BvOp::Concat, &[a, b]) => {
                let upper = a.sum.clone().times(&power(b.width), width);
                Some(upper.plus(&self.sum(self.unsigned(b))))
            }
            (BvOp::Add, &[a, b]) => Some(a.sum.clone().plus(b.sum)),
            (BvOp::Mul, &[a, b]) => match (a.sum.as_constant(), b.sum.as_constant()) {
                (_, Some(n)) => Some(a.sum.clone().times(n, width)),
                (Some(n), _) => Some(b.sum.clone().times(n, width)),
                _ => None,
            },
            (BvOp::And | BvOp::Or | BvOp::Xor, &[a, b]) => self.bitwise(op, a, b),
            (BvOp::Shl | BvOp::Lshr | BvOp::Ashr, &[a, b]) => self.shift(op, a, b),
            (BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem | BvOp::Smod, &[a, b]) => {
                self.divide(op, a, b)
            }
            _ => None,
        }
    }

    fn extract(&self, a: Word<'_>, high: u32, low: u32) -> Sum {
        let width = high - low + 1;
        if low == 0 && self.flavour == Flavour::Exact {
            return a.sum.clone().times(&Integer::ONE, width);
        }
        let upper = if low == 0 {
            a.sum.clone()
        } else {
            self.shifted(a, low)
        };
        if high + 1 == a.width {
            return upper;
        }
        match self.flavour {
            Flavour::Exact => upper.times(&Integer::ONE, width),
            Flavour::Ideal => self.sum(self.wrapped(Word { sum: &upper, width })),
        }
    }

    /// The signed value without its lowest bits.
    fn shifted(&self, a: Word<'_>, by: u32) -> Sum {
        if by + 1 >= a.width {
            let (none, all) = (self.terms.int(0), self.terms.int(-1));
            let sign = self.terms.ite(self.is_negative(a), all, none);
            return self.sum((sign, Interval::signed(1)));
        }
        let term = self.terms.idiv(self.signed(a).0, self.int(&power(by)));
        self.sum((term, Interval::signed(a.width - by)))
    }

    fn shift(&self, op: BvOp, a: Word<'_>, b: Word<'_>) -> Option<Sum> {
        let by = self.unsigned_numeral(b)?;
        let by = u32::try_from(by).ok().filter(|&by| by < a.width);
        Some(match (op, by) {
            (_, Some(0)) => a.sum.clone(),
            (BvOp::Shl, Some(by)) => a.sum.clone().times(&power(by), a.width),
            (BvOp::Lshr, Some(by)) => {
                let term = self.terms.idiv(self.unsigned(a).0, self.int(&power(by)));
                self.sum((term, Interval::unsigned(a.width - by)))
            }
            (BvOp::Ashr, by) => self.shifted(a, by.unwrap_or(a.width - 1)),
            (_, _) => Sum::constant(Integer::ZERO),
        })
    }

    fn unsigned_numeral(&self, word: Word<'_>) -> Option<Integer> {
        word.sum.as_constant()?;
        self.terms.as_int(self.lowest(word).0).cloned()
    }

    fn bitwise(&self, op: BvOp, a: Word<'_>, b: Word<'_>) -> Option<Sum> {
        let (a, b) = match a.sum.as_constant() {
            Some(_) => (b, a),
            None => (a, b),
        };
        if a.width == 1 {
            return Some(self.bit(op, a, b));
        }
        let mask = self.unsigned_numeral(b)?;
        let both = self.masked(a, &mask)?;
        let sum = a.sum.clone().plus(b.sum);
        Some(match op {
            BvOp::And => both,
            BvOp::Or => sum.plus(&minus(&both)),
            _ => sum.plus(&minus(&both)).plus(&minus(&both)),
        })
    }

    /// An operator on single bits.
    fn bit(&self, op: BvOp, a: Word<'_>, b: Word<'_>) -> Sum {
        let (terms, other) = (self.terms, self.signed(b).0);
        let (set, clear) = match op {
            BvOp::And => (other, terms.int(0)),
            BvOp::Or => (terms.int(-1), other),
            _ => (terms.sub(terms.int(-1), other), other),
        };
        let term = terms.ite(self.is_negative(a), set, clear);
        self.sum((term, Interval::signed(1)))
    }

    /// `a & mask`, run by run: the bits from `low` to `high` are the lowest `high + 1` without the
    /// lowest `low`.
    fn masked(&self, a: Word<'_>, mask: &Integer) -> Option<Sum> {
        let two = Integer::from(2);
        let set = |i: u32| !((mask.clone() / power(i)) % two.clone()).is_zero();
        let lowest = |bits: u32| match bits {
            0 => Sum::default(),
            _ if bits == a.width => a.sum.clone(),
            _ => self.sum(self.lowest(Word {
                sum: a.sum,
                width: bits,
            })),
        };
        let (mut total, mut runs, mut at) = (Sum::default(), 0, 0);
        while at < a.width {
            if !set(at) {
                at += 1;
                continue;
            }
            let low = at;
            while at < a.width && set(at) {
                at += 1;
            }
            runs += 1;
            total = total.plus(&lowest(at)).plus(&minus(&lowest(low)));
        }
        (runs <= RUNS).then_some(total)
    }

    /// Division and remainder by a numeral.
    fn divide(&self, op: BvOp, a: Word<'_>, b: Word<'_>) -> Option<Sum> {
        let divisor = match op {
            BvOp::Udiv | BvOp::Urem => self.unsigned_numeral(b)?,
            _ => residue(b.sum.as_constant()?, b.width),
        };
        let (terms, width) = (self.terms, a.width);
        if divisor.is_zero() {
            return Some(match op {
                BvOp::Udiv => Sum::constant(-Integer::ONE),
                BvOp::Sdiv => {
                    let (one, all) = (terms.int(1), terms.int(-1));
                    let term = terms.ite(self.is_negative(a), one, all);
                    self.sum((term, Interval::signed(2)))
                }
                _ => a.sum.clone(),
            });
        }
        let negative = divisor < Integer::ZERO;
        let by = self.int(&if negative { -divisor } else { divisor });
        let range = Interval::signed(width + 1);
        if matches!(op, BvOp::Udiv | BvOp::Urem) {
            let value = self.unsigned(a).0;
            let term = match op {
                BvOp::Udiv => terms.idiv(value, by),
                _ => terms.modulo(value, by),
            };
            return Some(self.sum((term, Interval::unsigned(width))));
        }
        let value = self.signed(a).0;
        let opposite = terms.neg(value);
        let below = terms.lt(value, terms.int(0));
        // Truncation: the magnitude is divided, and the sign is that of the dividend.
        let apart =
            |positive: Term, negative: Term| terms.ite(below, terms.neg(negative), positive);
        let term = match op {
            BvOp::Sdiv if negative => {
                terms.neg(apart(terms.idiv(value, by), terms.idiv(opposite, by)))
            }
            BvOp::Sdiv => apart(terms.idiv(value, by), terms.idiv(opposite, by)),
            BvOp::Srem => apart(terms.modulo(value, by), terms.modulo(opposite, by)),
            _ if negative => terms.neg(terms.modulo(opposite, by)),
            _ => terms.modulo(value, by),
        };
        Some(self.sum((term, range)))
    }
}

fn minus(sum: &Sum) -> Sum {
    sum.clone().negated()
}
