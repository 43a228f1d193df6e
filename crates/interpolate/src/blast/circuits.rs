//! Bit-vector operators as circuits over truth values, least significant bit first.
//!
//! Ripple-carry adders, shift-and-add multipliers, restoring dividers, barrel shifters; division by
//! zero as SMT-LIB has it (all ones, and the dividend as remainder).

use foretell_terms::{Term, TermStore};

/// A word: bits, least significant first.
pub(crate) type Word = Vec<Term>;

/// Builds circuits in a store.
pub(crate) struct Circuits<'a> {
    /// Where the gates are built.
    pub(crate) store: &'a TermStore,
}

impl Circuits<'_> {
    /// The word of a number given by its bits.
    pub(crate) fn constant(&self, bits: impl Iterator<Item = bool>) -> Word {
        bits.map(|b| self.store.bool(b)).collect()
    }

    /// Zero of a width.
    pub(crate) fn zero(&self, width: usize) -> Word {
        vec![self.store.ff(); width]
    }

    /// Bitwise complement.
    pub(crate) fn not(&self, a: &[Term]) -> Word {
        a.iter().map(|x| self.store.not(*x)).collect()
    }

    /// A gate on every pair of bits.
    pub(crate) fn zip(&self, a: &[Term], b: &[Term], gate: impl Fn(Term, Term) -> Term) -> Word {
        a.iter().zip(b).map(|(x, y)| gate(*x, *y)).collect()
    }

    /// `if c then a else b`.
    pub(crate) fn choose(&self, c: Term, a: &[Term], b: &[Term]) -> Word {
        self.zip(a, b, |x, y| self.store.ite(c, x, y))
    }

    /// Equality.
    pub(crate) fn eq(&self, a: &[Term], b: &[Term]) -> Term {
        self.store.and(self.zip(a, b, |x, y| self.store.eq(x, y)))
    }

    /// `a + b + carry` and the carry out.
    fn add_carry(&self, a: &[Term], b: &[Term], carry: Term) -> (Word, Term) {
        let s = self.store;
        let mut carry = carry;
        let mut sum = Vec::with_capacity(a.len());
        for (x, y) in a.iter().zip(b) {
            let half = s.xor(*x, *y);
            sum.push(s.xor(half, carry));
            carry = s.or2(s.and2(*x, *y), s.and2(half, carry));
        }
        (sum, carry)
    }

    /// `a + b`.
    pub(crate) fn add(&self, a: &[Term], b: &[Term]) -> Word {
        self.add_carry(a, b, self.store.ff()).0
    }

    /// `a - b`, and whether `a >= b` unsigned.
    fn subtract(&self, a: &[Term], b: &[Term]) -> (Word, Term) {
        self.add_carry(a, &self.not(b), self.store.tt())
    }

    /// `-a`.
    pub(crate) fn neg(&self, a: &[Term]) -> Word {
        self.subtract(&self.zero(a.len()), a).0
    }

    /// `a * b`.
    pub(crate) fn mul(&self, a: &[Term], b: &[Term]) -> Word {
        let n = a.len();
        let mut sum = self.zero(n);
        for (i, bit) in b.iter().enumerate() {
            let mut row = self.zero(i);
            row.extend(a[..n - i].iter().map(|x| self.store.and2(*x, *bit)));
            sum = self.add(&sum, &row);
        }
        sum
    }

    /// Unsigned `a <= b`.
    pub(crate) fn ule(&self, a: &[Term], b: &[Term]) -> Term {
        self.subtract(b, a).1
    }

    /// Signed `a <= b`.
    pub(crate) fn sle(&self, a: &[Term], b: &[Term]) -> Term {
        let flip = |w: &[Term]| {
            let mut w = w.to_vec();
            if let Some(top) = w.last_mut() {
                *top = self.store.not(*top);
            }
            w
        };
        self.ule(&flip(a), &flip(b))
    }

    /// Unsigned quotient and remainder.
    pub(crate) fn divide(&self, a: &[Term], b: &[Term]) -> (Word, Word) {
        let n = a.len();
        // One more bit, so that the shifted remainder fits.
        let mut divisor = b.to_vec();
        divisor.push(self.store.ff());
        let mut rest = self.zero(n + 1);
        let mut quotient = vec![self.store.ff(); n];
        for i in (0..n).rev() {
            rest.pop();
            rest.insert(0, a[i]);
            let (difference, fits) = self.subtract(&rest, &divisor);
            quotient[i] = fits;
            rest = self.choose(fits, &difference, &rest);
        }
        rest.truncate(n);
        (quotient, rest)
    }

    fn magnitude(&self, a: &[Term]) -> Word {
        let sign = self.sign(a);
        self.choose(sign, &self.neg(a), a)
    }

    fn sign(&self, a: &[Term]) -> Term {
        a.last().copied().unwrap_or_else(|| self.store.ff())
    }

    /// Signed division, truncating.
    pub(crate) fn sdiv(&self, a: &[Term], b: &[Term]) -> Word {
        let q = self.divide(&self.magnitude(a), &self.magnitude(b)).0;
        let differ = self.store.xor(self.sign(a), self.sign(b));
        self.choose(differ, &self.neg(&q), &q)
    }

    /// Signed remainder, sign of the dividend.
    pub(crate) fn srem(&self, a: &[Term], b: &[Term]) -> Word {
        let r = self.divide(&self.magnitude(a), &self.magnitude(b)).1;
        self.choose(self.sign(a), &self.neg(&r), &r)
    }

    /// Signed modulus, sign of the divisor.
    pub(crate) fn smod(&self, a: &[Term], b: &[Term]) -> Word {
        let u = self.divide(&self.magnitude(a), &self.magnitude(b)).1;
        let zero = self.eq(&u, &self.zero(u.len()));
        let (minus, sa, sb) = (self.neg(&u), self.sign(a), self.sign(b));
        let negative = self.choose(sb, &minus, &self.add(&minus, b));
        let positive = self.choose(sb, &self.add(&u, b), &u);
        let out = self.choose(sa, &negative, &positive);
        self.choose(zero, &u, &out)
    }

    /// A shift of `a` by the number `b`, in steps of powers of two; `fill` comes in where bits are
    /// missing.
    pub(crate) fn shift(&self, a: &[Term], b: &[Term], fill: Term, to: Shift) -> Word {
        let n = a.len();
        let mut word = a.to_vec();
        let mut beyond = self.store.ff();
        for (i, bit) in b.iter().enumerate() {
            match 1usize.checked_shl(i as u32).filter(|d| *d < n) {
                Some(d) => {
                    let at = |j: usize| match to {
                        Shift::Left => j.checked_sub(d).map_or(fill, |k| word[k]),
                        Shift::Right => word.get(j + d).copied().unwrap_or(fill),
                    };
                    let moved: Word = (0..n).map(at).collect();
                    word = self.choose(*bit, &moved, &word);
                }
                None => beyond = self.store.or2(beyond, *bit),
            }
        }
        self.choose(beyond, &vec![fill; n], &word)
    }
}

/// The direction of a shift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shift {
    /// Towards the most significant bit.
    Left,
    /// Towards the least significant bit.
    Right,
}
