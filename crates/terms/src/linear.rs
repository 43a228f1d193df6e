//! Linear forms: `c1*t1 + … + cn*tn + k`.
//!
//! Every Int or Real term has one; what is not a sum, a product with a numeral or a numeral is an
//! opaque `ti`. Used to compare and canonicalise arithmetic atoms.

use crate::TermMap;
use crate::number::{self, Integer, Rational};
use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, TermStore};
use dashu_base::Gcd;

/// A linear form; no coefficient is zero, terms in ascending order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Linear {
    /// Coefficients of the opaque terms.
    pub terms: Vec<(Term, Rational)>,
    /// The constant.
    pub constant: Rational,
}

impl TermStore {
    /// The linear form of an Int or Real term.
    pub fn linear(&self, term: Term) -> Linear {
        let mut terms: TermMap<Rational> = TermMap::default();
        let mut constant = Rational::ZERO;
        let mut work = vec![(Rational::ONE, term)];
        while let Some((factor, t)) = work.pop() {
            if let Some(value) = self.as_number(t) {
                constant += factor * value;
                continue;
            }
            if *self.op(t) == Op::Add {
                work.extend(self.args(t).iter().map(|&a| (factor.clone(), a)));
                continue;
            }
            let (c, rest) = self.split_coefficient(t);
            if rest != t {
                work.push((factor * c, rest));
                continue;
            }
            *terms.entry(t).or_insert(Rational::ZERO) += factor;
        }
        terms.retain(|_, c| !c.is_zero());
        terms.sort_unstable_keys();
        Linear {
            terms: terms.into_iter().collect(),
            constant,
        }
    }

    /// The term of a linear form; for Int every number must be an integer.
    pub fn linear_term(&self, form: &Linear, sort: Sort) -> Term {
        let mut parts: Vec<Term> = form.terms.iter().map(|(t, c)| self.scale(c, *t)).collect();
        parts.push(
            self.numeral(&form.constant, sort)
                .expect("invariant: integer forms have integer constants"),
        );
        self.add(&parts)
    }

    /// One spelling for order and equality atoms over Int and Real: variables on the left with
    /// coprime integer coefficients, the first one positive, and a numeral on the right (rounded
    /// for Int). The result may be a negated atom or a constant; other formulas come back
    /// unchanged.
    pub fn canonical_atom(&self, atom: Term) -> Term {
        let node = self.node(atom);
        let arithmetic = matches!(node.op, Op::Le | Op::Eq) && {
            let sort = self.sort(node.args[0]);
            sort == Sort::INT || sort == Sort::REAL
        };
        if !arithmetic {
            return atom;
        }
        let sort = self.sort(node.args[0]);
        let mut form = self.linear(self.sub(node.args[0], node.args[1]));
        if form.terms.is_empty() {
            let holds = if node.op == Op::Eq {
                form.constant.is_zero()
            } else {
                form.constant <= Rational::ZERO
            };
            return self.bool(holds);
        }
        form.make_primitive();
        let bound = -form.constant.clone();
        let flipped = number::is_negative(&form.terms[0].1);
        let left = Linear {
            terms: form
                .terms
                .iter()
                .map(|(t, c)| (*t, if flipped { -c.clone() } else { c.clone() }))
                .collect(),
            constant: Rational::ZERO,
        };
        let lhs = self.linear_term(&left, sort);
        if node.op == Op::Eq {
            let bound = if flipped { -bound } else { bound };
            return self
                .numeral(&bound, sort)
                .map_or_else(|| self.ff(), |b| self.eq(lhs, b));
        }
        self.canonical_bound(
            lhs,
            bound,
            if flipped { Side::Lower } else { Side::Upper },
            sort,
        )
    }

    /// `lhs <= bound`, or for a lower side `lhs >= -bound`.
    fn canonical_bound(&self, lhs: Term, bound: Rational, side: Side, sort: Sort) -> Term {
        let numeral = |q: &Rational| {
            self.numeral(q, sort)
                .expect("invariant: bounds over Int were rounded")
        };
        match (side, sort == Sort::INT) {
            (Side::Upper, true) => self.le(lhs, self.int(number::floor(&bound))),
            (Side::Upper, false) => self.le(lhs, numeral(&bound)),
            // lhs >= -bound, over Int: not (lhs <= ceil(-bound) - 1), and ceil(-b) = -floor(b).
            (Side::Lower, true) => {
                self.not(self.le(lhs, self.int(-number::floor(&bound) - Integer::ONE)))
            }
            (Side::Lower, false) => self.le(numeral(&-bound), lhs),
        }
    }
}

#[derive(Clone, Copy)]
enum Side {
    Upper,
    Lower,
}

/// The least common denominator.
fn denominator<'a>(numbers: impl Iterator<Item = &'a Rational>) -> Integer {
    numbers.fold(Integer::ONE, |all, q| {
        let own = Integer::from(q.denominator().clone());
        let common = Integer::from((&all).gcd(&own));
        all * own / common
    })
}

impl Linear {
    /// Multiplies by the least positive integer that makes every number an integer; returns it.
    pub(crate) fn make_integral(&mut self) -> Integer {
        let numbers = self.terms.iter().map(|(_, c)| c);
        let scale = denominator(numbers.chain([&self.constant]));
        let factor = number::rational(&scale);
        for (_, c) in &mut self.terms {
            *c *= factor.clone();
        }
        self.constant *= factor;
        scale
    }

    /// Scales by a positive number so that the coefficients are coprime integers.
    pub fn make_primitive(&mut self) {
        let scale = number::rational(&denominator(self.terms.iter().map(|(_, c)| c)));
        let mut divisor = number::Natural::ZERO;
        for (_, c) in &mut self.terms {
            *c *= scale.clone();
            let n = number::magnitude(c.numerator());
            divisor = if divisor.is_zero() { n } else { divisor.gcd(n) };
        }
        if divisor.is_zero() {
            return;
        }
        let divide = Rational::from_parts(Integer::ONE, divisor);
        for (_, c) in &mut self.terms {
            *c *= divide.clone();
        }
        self.constant = self.constant.clone() * scale * divide;
    }
}
