//! Integer terms as words that are wide enough.
//!
//! Addition and multiplication of words are those of integers modulo `2^n`. So a sum may be computed at
//! any width, and means the integer sum where its signed value has room in that width: only the result
//! counts, not what is between.

use foretell_terms::number::{floor, fraction};
use foretell_terms::{BvOp, Integer, Term, TermStore};

use super::interval::{Interval, power};

/// A word whose signed value is an integer term.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    /// The word.
    pub(super) term: Term,
    /// What its signed value can be; this fits its width.
    pub(super) range: Interval,
}

/// Multiples of wide words, and a constant.
#[derive(Default)]
pub(super) struct WideSum {
    pub(super) parts: Vec<(Integer, Wide)>,
    pub(super) constant: Integer,
}

impl WideSum {
    pub(super) fn range(&self) -> Interval {
        let start = Interval::point(&self.constant);
        let add = |total: Interval, (factor, wide): &(Integer, Wide)| {
            total.plus(&wide.range.times(&Interval::point(factor)))
        };
        self.parts.iter().fold(start, add)
    }

    /// The greatest width of a part.
    pub(super) fn widest(&self, terms: &TermStore) -> Option<u32> {
        let widths = self.parts.iter().map(|(_, w)| terms.bv_width(w.term));
        widths.max()
    }

    /// The sum modulo `2^width`.
    pub(super) fn at(&self, terms: &TermStore, width: u32) -> Term {
        let part = |(factor, wide): &(Integer, Wide)| {
            let term = wide.at(terms, width);
            if factor.is_one() {
                term
            } else if *factor == -Integer::ONE {
                terms.bv_op(BvOp::Neg, &[term])
            } else {
                let factor = terms.bv(factor.clone(), width);
                terms.bv_op(BvOp::Mul, &[factor, term])
            }
        };
        let constant = (!self.constant.is_zero() || self.parts.is_empty())
            .then(|| terms.bv(self.constant.clone(), width));
        let mut all = self.parts.iter().map(part).chain(constant);
        let first = all.next().unwrap_or_else(|| terms.bv(0, width));
        all.fold(first, |sum, next| terms.bv_add(sum, next))
    }

    pub(super) fn wide(&self, terms: &TermStore) -> Option<Wide> {
        let range = self.range();
        let term = self.at(terms, range.width()?);
        Some(Wide { term, range })
    }
}

impl Wide {
    pub(super) fn numeral(terms: &TermStore, n: &Integer) -> Option<Wide> {
        let range = Interval::point(n);
        let term = terms.bv(n.clone(), range.width()?);
        Some(Wide { term, range })
    }

    /// The word at a width, modulo `2^width`.
    pub(super) fn at(&self, terms: &TermStore, width: u32) -> Term {
        let own = terms.bv_width(self.term);
        if own < width {
            terms.bv_op(BvOp::SignExtend(width - own), &[self.term])
        } else {
            terms.bv_extract(self.term, width - 1, 0)
        }
    }

    fn negated(self, terms: &TermStore) -> Option<Wide> {
        let sum = WideSum {
            parts: vec![(-Integer::ONE, self)],
            constant: Integer::ZERO,
        };
        sum.wide(terms)
    }

    pub(super) fn product(&self, other: &Wide, terms: &TermStore) -> Option<Wide> {
        let range = self.range.times(&other.range);
        let width = range.width()?;
        let args = [self.at(terms, width), other.at(terms, width)];
        let term = terms.bv_op(BvOp::Mul, &args);
        Some(Wide { term, range })
    }

    pub(super) fn choice(condition: Term, a: &Wide, b: &Wide, terms: &TermStore) -> Option<Wide> {
        let range = a.range.hull(&b.range);
        let width = range.width()?;
        let term = terms.ite(condition, a.at(terms, width), b.at(terms, width));
        Some(Wide { term, range })
    }

    /// The Euclidean remainder by a numeral other than zero.
    pub(super) fn modulo(&self, by: &Integer, terms: &TermStore) -> Option<Wide> {
        let by = magnitude(by)?;
        let range = Interval {
            low: Integer::ZERO,
            high: &by - Integer::ONE,
        };
        if let Some(bits) = exponent(&by).filter(|&bits| bits > 0) {
            let low = self.at(terms, bits);
            let term = terms.bv_op(BvOp::ZeroExtend(1), &[low]);
            return Some(Wide { term, range });
        }
        // The divisor is positive, and so is a signed modulus then.
        let width = self.range.hull(&Interval::point(&by)).width()?;
        let args = [self.at(terms, width), terms.bv(by, width)];
        let term = terms.bv_op(BvOp::Smod, &args);
        Some(Wide { term, range })
    }

    /// The Euclidean quotient by a numeral other than zero.
    pub(super) fn quotient(&self, by: &Integer, terms: &TermStore) -> Option<Wide> {
        let size = magnitude(by)?;
        let range = Interval {
            low: floor(&fraction(&self.range.low, &size)),
            high: floor(&fraction(&self.range.high, &size)),
        };
        let positive = if let Some(bits) = exponent(&size) {
            let own = terms.bv_width(self.term).max(bits + 1);
            let term = terms.bv_extract(self.at(terms, own), own - 1, bits);
            Wide { term, range }
        } else {
            // What is left after the remainder is a multiple.
            let rest = WideSum {
                parts: vec![
                    (Integer::ONE, self.clone()),
                    (-Integer::ONE, self.modulo(&size, terms)?),
                ],
                constant: Integer::ZERO,
            };
            let width = rest.range().hull(&Interval::point(&size)).width()?;
            let args = [rest.at(terms, width), terms.bv(size, width)];
            let term = terms.bv_op(BvOp::Sdiv, &args);
            Wide { term, range }
        };
        match *by < Integer::ZERO {
            true => positive.negated(terms),
            false => Some(positive),
        }
    }
}

fn magnitude(n: &Integer) -> Option<Integer> {
    let size = if *n < Integer::ZERO {
        -n.clone()
    } else {
        n.clone()
    };
    (!size.is_zero()).then_some(size)
}

/// `k` with `n = 2^k`.
fn exponent(n: &Integer) -> Option<u32> {
    let range = Interval::point(n).width()?;
    // A power of two needs one bit more than its exponent, and one for the sign.
    let bits = range.checked_sub(2)?;
    (*n == power(bits)).then_some(bits)
}
