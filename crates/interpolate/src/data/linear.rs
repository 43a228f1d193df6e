//! Linear expressions `c_1*t_1 + .. + c_n*t_n + k` over terms that are not themselves sums.
//!
//! Invariant: `terms` is sorted by term, without repetition and without zero coefficients, so equal
//! expressions are structurally equal.

use super::bank::TId;
use super::rational::Rat;

/// A linear expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Lin {
    /// The non-constant part; sorted by term, no zero coefficient.
    pub(crate) terms: Vec<(TId, Rat)>,
    /// The constant.
    pub(crate) k: Rat,
}

impl Lin {
    /// The constant `k`.
    pub(crate) fn constant(k: Rat) -> Lin {
        Lin {
            terms: Vec::new(),
            k,
        }
    }

    /// The expression 0.
    pub(crate) fn zero() -> Lin {
        Lin::constant(Rat::ZERO)
    }

    /// The expression `t`, for a term that is not a sum.
    pub(crate) fn var(t: TId) -> Lin {
        Lin {
            terms: vec![(t, Rat::ONE)],
            k: Rat::ZERO,
        }
    }

    /// Whether no term occurs.
    pub(crate) fn is_const(&self) -> bool {
        self.terms.is_empty()
    }

    /// `self + c * other`.
    pub(crate) fn plus(&self, other: &Lin, c: &Rat) -> Lin {
        if c.is_zero() {
            return self.clone();
        }
        let k = &self.k + &(c * &other.k);
        Lin {
            terms: merge(&self.terms, &other.terms, c),
            k,
        }
    }

    /// `self - other`.
    pub(crate) fn minus(&self, other: &Lin) -> Lin {
        self.plus(other, &Rat::MINUS_ONE)
    }

    /// `c * self`.
    pub(crate) fn times(&self, c: &Rat) -> Lin {
        if c.is_zero() {
            return Lin::zero();
        }
        Lin {
            terms: self.terms.iter().map(|(t, a)| (*t, a * c)).collect(),
            k: &self.k * c,
        }
    }

    /// `-self`.
    pub(crate) fn negated(&self) -> Lin {
        self.times(&Rat::MINUS_ONE)
    }

    /// `self + k`.
    pub(crate) fn shifted(&self, k: &Rat) -> Lin {
        Lin {
            terms: self.terms.clone(),
            k: &self.k + k,
        }
    }

    /// The coefficient of `t`.
    pub(crate) fn coef(&self, t: TId) -> Rat {
        match self.terms.binary_search_by_key(&t, |x| x.0) {
            Ok(i) => self.terms[i].1.clone(),
            Err(_) => Rat::ZERO,
        }
    }

    /// Whether all coefficients (not the constant) are integers.
    pub(crate) fn integral_coefs(&self) -> bool {
        self.terms.iter().all(|(_, c)| c.is_int())
    }

    /// The positive factor that makes the coefficients coprime integers; 1 for a constant.
    pub(crate) fn primitive_factor(&self) -> Rat {
        primitive_factor(&self.terms)
    }
}

/// The positive factor that makes the coefficients coprime integers; 1 for none.
pub(crate) fn primitive_factor<T>(terms: &[(T, Rat)]) -> Rat {
    let mut den = Rat::ONE;
    for (_, c) in terms {
        if !c.is_int() {
            den = Rat::lcm(&den, &c.denom());
        }
    }
    let mut g = Rat::ZERO;
    for (_, c) in terms {
        g = Rat::gcd(&g, &(c * &den));
    }
    if g.is_zero() { Rat::ONE } else { den.div(&g) }
}

/// Merges two sorted sparse vectors into `a + c * b`.
pub(crate) fn merge<T: Copy + Ord>(a: &[(T, Rat)], b: &[(T, Rat)], c: &Rat) -> Vec<(T, Rat)> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i].0 < b[j].0 {
            out.push(a[i].clone());
            i += 1;
        } else if a[i].0 > b[j].0 {
            out.push((b[j].0, &b[j].1 * c));
            j += 1;
        } else {
            let sum = &a[i].1 + &(&b[j].1 * c);
            if !sum.is_zero() {
                out.push((a[i].0, sum));
            }
            i += 1;
            j += 1;
        }
    }
    out.extend_from_slice(&a[i..]);
    out.extend(b[j..].iter().map(|(t, x)| (*t, x * c)));
    out
}
