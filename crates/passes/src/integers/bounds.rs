//! What the conjuncts of a clause say of the range of its words.
//!
//! ```text
//! x <ₛ n        x ≤ max − 1, so that x + 1 does not wrap
//! x ≤ₛ 9, x = y, x ≠ max, x ≤ᵤ 9
//! ```
//!
//! Only orders and equations of variables and numerals count. They are conjuncts of the clause below as
//! well, so what is simplified by them is simplified where they hold.

use foretell_terms::number::signed;
use foretell_terms::{BvOp, Integer, Op, Term, TermMap, TermStore};

use super::interval::Interval;

/// How often the conjuncts are gone through.
const ROUNDS: usize = 3;

/// The ranges of words that are variables, where a constraint holds.
pub(super) fn bounds(terms: &TermStore, constraint: Term) -> TermMap<Interval> {
    let mut bounds = Bounds {
        terms,
        known: TermMap::default(),
    };
    let conjuncts = terms.conjuncts(constraint);
    for _ in 0..ROUNDS {
        conjuncts.iter().for_each(|&c| bounds.learn(c));
    }
    // Where a range is empty the clause says nothing, in any words.
    bounds.known.retain(|_, range| range.low <= range.high);
    bounds.known
}

struct Bounds<'a> {
    terms: &'a TermStore,
    known: TermMap<Interval>,
}

impl Bounds<'_> {
    fn of(&self, term: Term) -> Option<Interval> {
        let width = self.terms.width(self.terms.sort(term))?;
        match self.terms.op(term) {
            Op::BitVec(_, bits) => Some(Interval::point(&signed(bits, width))),
            _ if self.terms.as_var(term).is_some() => {
                let known = self.known.get(&term).cloned();
                Some(known.unwrap_or_else(|| Interval::signed(width)))
            }
            _ => None,
        }
    }

    fn narrow(&mut self, term: Term, to: Interval) {
        if self.terms.as_var(term).is_some() {
            self.known.insert(term, to);
        }
    }

    fn learn(&mut self, conjunct: Term) {
        let (atom, negated) = self.terms.strip_not(conjunct);
        let &[a, b] = self.terms.args(atom) else {
            return;
        };
        let (Some(left), Some(right)) = (self.of(a), self.of(b)) else {
            return;
        };
        match (self.terms.op(atom), negated) {
            (Op::Bv(BvOp::Sle), false) => self.ordered((a, left), (b, right), &Integer::ZERO),
            (Op::Bv(BvOp::Sle), true) => self.ordered((b, right), (a, left), &Integer::ONE),
            // Below a word that is not negative there are only such.
            (Op::Bv(BvOp::Ule), false) if right.low >= Integer::ZERO => {
                let low = left.low.max(Integer::ZERO);
                let left = Interval { low, ..left };
                self.ordered((a, left), (b, right), &Integer::ZERO);
            }
            (Op::Bv(BvOp::Ule), true) if left.low >= Integer::ZERO => {
                let low = right.low.max(Integer::ZERO);
                let right = Interval { low, ..right };
                self.ordered((b, right), (a, left), &Integer::ONE);
            }
            (Op::Eq, false) => {
                let both = Interval {
                    low: left.low.max(right.low),
                    high: left.high.min(right.high),
                };
                self.narrow(a, both.clone());
                self.narrow(b, both);
            }
            (Op::Eq, true) => {
                self.differ(a, left.clone(), &right);
                self.differ(b, right, &left);
            }
            _ => {}
        }
    }

    /// `a + gap ≤ b`.
    fn ordered(
        &mut self,
        (a, left): (Term, Interval),
        (b, right): (Term, Interval),
        gap: &Integer,
    ) {
        let upper = left.high.clone().min(&right.high - gap);
        let lower = right.low.clone().max(&left.low + gap);
        self.narrow(
            a,
            Interval {
                high: upper,
                ..left
            },
        );
        self.narrow(
            b,
            Interval {
                low: lower,
                ..right
            },
        );
    }

    /// `a` is not the only value of the other one.
    fn differ(&mut self, a: Term, own: Interval, other: &Interval) {
        let Interval { mut low, mut high } = own;
        if other.low == other.high {
            if low == other.low {
                low += Integer::ONE;
            } else if high == other.low {
                high -= Integer::ONE;
            }
        }
        self.narrow(a, Interval { low, high });
    }
}
