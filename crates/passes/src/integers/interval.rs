//! Intervals of integers, and linear sums whose addends have one.

use foretell_terms::number::power_of_two;
use foretell_terms::{Integer, Term, TermMap, TermStore};

/// All integers from `low` to `high`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    pub(super) low: Integer,
    pub(super) high: Integer,
}

/// Words of a proof are not wider than this.
const WIDEST: u32 = 1024;

/// `2^exponent`.
pub(super) fn power(exponent: u32) -> Integer {
    Integer::from(power_of_two(exponent))
}

/// The signed number of `width` bits that is `n` modulo `2^width`.
pub(super) fn residue(n: &Integer, width: u32) -> Integer {
    let modulus = power(width);
    let mut rest = n.clone() % modulus.clone();
    if rest < Integer::ZERO {
        rest += modulus.clone();
    }
    if rest >= power(width - 1) {
        rest -= modulus;
    }
    rest
}

impl Interval {
    pub(super) fn point(n: &Integer) -> Interval {
        Interval {
            low: n.clone(),
            high: n.clone(),
        }
    }

    /// The signed values of words of a width.
    pub(super) fn signed(width: u32) -> Interval {
        let half = power(width - 1);
        Interval {
            low: -half.clone(),
            high: half - Integer::ONE,
        }
    }

    /// The unsigned values of words of a width.
    pub(super) fn unsigned(width: u32) -> Interval {
        Interval {
            low: Integer::ZERO,
            high: power(width) - Integer::ONE,
        }
    }

    pub(super) fn plus(&self, other: &Interval) -> Interval {
        Interval {
            low: &self.low + &other.low,
            high: &self.high + &other.high,
        }
    }

    pub(super) fn times(&self, other: &Interval) -> Interval {
        let ends = [
            &self.low * &other.low,
            &self.low * &other.high,
            &self.high * &other.low,
            &self.high * &other.high,
        ];
        let [a, b, c, d] = ends;
        let low = a.clone().min(b.clone()).min(c.clone()).min(d.clone());
        let high = a.max(b).max(c).max(d);
        Interval { low, high }
    }

    pub(super) fn hull(&self, other: &Interval) -> Interval {
        Interval {
            low: self.low.clone().min(other.low.clone()),
            high: self.high.clone().max(other.high.clone()),
        }
    }

    /// Whether no number of it lies outside the other one.
    pub(super) fn is_within(&self, other: &Interval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// The same with so much more room on both sides.
    pub(super) fn widened(&self, by: &Integer) -> Interval {
        Interval {
            low: &self.low - by,
            high: &self.high + by,
        }
    }

    /// The least width whose signed values are enough; `None` when it is not reasonable.
    pub(super) fn width(&self) -> Option<u32> {
        (1..=WIDEST).find(|&width| self.is_within(&Interval::signed(width)))
    }
}

/// `c1*t1 + … + cn*tn + constant`, no coefficient zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    /// The coefficient of each addend, and what is known of its value.
    parts: TermMap<(Integer, Option<Interval>)>,
    constant: Integer,
}

impl Sum {
    pub(super) fn constant(n: Integer) -> Sum {
        Sum {
            parts: TermMap::default(),
            constant: n,
        }
    }

    /// A term as it is; a numeral is a constant.
    pub(super) fn of(terms: &TermStore, term: Term, range: Option<Interval>) -> Sum {
        match terms.as_int(term) {
            Some(n) => Sum::constant(n.clone()),
            None => Sum {
                parts: [(term, (Integer::ONE, range))].into_iter().collect(),
                constant: Integer::ZERO,
            },
        }
    }

    /// The number, if there are no addends.
    pub(super) fn as_constant(&self) -> Option<&Integer> {
        self.parts.is_empty().then_some(&self.constant)
    }

    pub(super) fn plus(mut self, other: &Sum) -> Sum {
        for (&term, (factor, range)) in &other.parts {
            let own = self.parts.entry(term);
            own.or_insert((Integer::ZERO, range.clone())).0 += factor;
        }
        self.parts.retain(|_, (factor, _)| !factor.is_zero());
        self.constant += &other.constant;
        self
    }

    /// A multiple; coefficients are kept small modulo `2^width`.
    pub(super) fn times(mut self, by: &Integer, width: u32) -> Sum {
        for (factor, _) in self.parts.values_mut() {
            *factor = residue(&(&*factor * by), width);
        }
        self.parts.retain(|_, (factor, _)| !factor.is_zero());
        self.constant = residue(&(self.constant * by), width);
        self
    }

    pub(super) fn negated(mut self) -> Sum {
        for (factor, _) in self.parts.values_mut() {
            *factor = -factor.clone();
        }
        self.constant = -self.constant;
        self
    }

    /// `-s - 1`, the bitwise complement.
    pub(super) fn complement(self, width: u32) -> Sum {
        self.times(&-Integer::ONE, width)
            .plus(&Sum::constant(-Integer::ONE))
    }

    /// What is known of its value.
    pub(super) fn range(&self) -> Option<Interval> {
        let start = Some(Interval::point(&self.constant));
        self.parts.values().fold(start, |total, (factor, range)| {
            let part = range.as_ref()?.times(&Interval::point(factor));
            Some(total?.plus(&part))
        })
    }

    /// The sum as an integer term.
    pub(super) fn term(&self, terms: &TermStore) -> Term {
        let scaled = |(&t, (c, _)): (&Term, &(Integer, _))| terms.mul(&[terms.int(c.clone()), t]);
        let mut addends: Vec<Term> = self.parts.iter().map(scaled).collect();
        addends.push(terms.int(self.constant.clone()));
        terms.add(&addends)
    }
}
