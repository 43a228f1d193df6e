//! Exact numbers: one alias each for naturals, integers and rationals, and SMT-LIB's division.
//!
//! The aliases are the only place that names the number library; everybody else says `Integer`.

/// A natural number of any size.
pub type Natural = dashu_int::UBig;
/// An integer of any size.
pub type Integer = dashu_int::IBig;
/// A rational number of any size, always in lowest terms.
pub type Rational = dashu_ratio::RBig;

use dashu_base::{Abs, DivRemEuclid, Sign, UnsignedAbs};

/// SMT-LIB `(div a b)` and `(mod a b)` for `b != 0`: `a = b * q + r` with `0 <= r < |b|`.
pub(crate) fn div_mod(a: &Integer, b: &Integer) -> (Integer, Integer) {
    let (quotient, remainder) = a.clone().div_rem_euclid(b.clone());
    (quotient, Integer::from(remainder))
}

/// The rational `n / 1`.
pub fn rational(n: &Integer) -> Rational {
    Rational::from(n.clone())
}

/// The fraction `numerator / denominator` for a denominator other than zero.
pub fn fraction(numerator: &Integer, denominator: &Integer) -> Rational {
    let (sign, magnitude) = denominator.clone().into_parts();
    let numerator = if sign == Sign::Negative {
        -numerator.clone()
    } else {
        numerator.clone()
    };
    Rational::from_parts(numerator, magnitude)
}

/// Whether the rational is an integer.
pub fn is_integer(q: &Rational) -> bool {
    q.denominator().is_one()
}

/// The integer value of a rational that is one.
pub fn to_integer(q: &Rational) -> Option<Integer> {
    is_integer(q).then(|| q.numerator().clone())
}

/// The greatest integer not above `q`.
pub fn floor(q: &Rational) -> Integer {
    div_mod(q.numerator(), &Integer::from(q.denominator().clone())).0
}

/// Whether the rational is below zero.
pub fn is_negative(q: &Rational) -> bool {
    q.numerator().sign() == Sign::Negative && !q.is_zero()
}

/// The magnitude of an integer.
pub fn magnitude(n: &Integer) -> Natural {
    n.clone().abs().unsigned_abs()
}

/// `2^width`.
pub fn power_of_two(width: u32) -> Natural {
    Natural::ONE << (width as usize)
}

/// The residue of an integer modulo `2^width`, as an unsigned number.
pub(crate) fn wrap(n: &Integer, width: u32) -> Natural {
    let modulus = Integer::from(power_of_two(width));
    magnitude(&div_mod(n, &modulus).1)
}

/// Reads a two's-complement bit pattern of the given width as a signed integer.
pub fn signed(pattern: &Natural, width: u32) -> Integer {
    let value = Integer::from(pattern.clone());
    if width > 0 && pattern.bit((width - 1) as usize) {
        value - Integer::from(power_of_two(width))
    } else {
        value
    }
}

/// Whether bit `index` of the pattern is set.
pub fn bit(pattern: &Natural, index: u32) -> bool {
    pattern.bit(index as usize)
}

use dashu_base::BitTest;
