//! Exact rationals with a machine-word fast path.
//!
//! Invariant: a value is `Small(n, d)` iff `n` and `d` fit (`d > 0`, `gcd(n, d) = 1`, `n >
//! i64::MIN`); otherwise it is `Big`. Hence derived equality and hashing are equality of numbers,
//! and no operation can overflow.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

/// An exact rational number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Rat(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64, i64),
    Big(Box<RBig>),
}

use Repr::{Big, Small};

fn gcd128(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            return i128::from(gcd64(x, y));
        }
        (a, b) = (b, a % b);
    }
    a as i128
}

fn gcd64(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn fits(x: i128) -> bool {
    x > i128::from(i64::MIN) && x <= i128::from(i64::MAX)
}

impl Rat {
    /// The number 0.
    pub(crate) const ZERO: Rat = Rat(Small(0, 1));
    /// The number 1.
    pub(crate) const ONE: Rat = Rat(Small(1, 1));
    /// The number -1.
    pub(crate) const MINUS_ONE: Rat = Rat(Small(-1, 1));

    /// The integer `n`.
    #[cfg(test)]
    pub(crate) fn int(n: i64) -> Rat {
        Rat::ratio(i128::from(n), 1)
    }

    /// `n / d` for `d > 0`, where both products of two words and their sums fit.
    fn ratio(n: i128, d: i128) -> Rat {
        debug_assert!(d > 0);
        let (n, d) = if d == 1 {
            (n, d)
        } else {
            let g = gcd128(n, d);
            (n / g, d / g)
        };
        if fits(n) && fits(d) {
            Rat(Small(n as i64, d as i64))
        } else {
            Rat(Big(Box::new(RBig::from_parts(
                IBig::from(n),
                UBig::from(d.unsigned_abs()),
            ))))
        }
    }

    /// The value of a big rational.
    pub(crate) fn from_big(r: RBig) -> Rat {
        if let (Ok(n), Ok(d)) = (i64::try_from(r.numerator()), i64::try_from(r.denominator()))
            && n > i64::MIN
        {
            return Rat(Small(n, d));
        }
        Rat(Big(Box::new(r)))
    }

    /// The value of a big integer.
    pub(crate) fn from_int(n: IBig) -> Rat {
        Rat::from_big(RBig::from(n))
    }

    /// This value as a big rational.
    pub(crate) fn to_big(&self) -> RBig {
        match &self.0 {
            Small(n, d) => RBig::from_parts(IBig::from(*n), UBig::from(d.unsigned_abs())),
            Big(r) => (**r).clone(),
        }
    }

    /// Whether the value is 0.
    pub(crate) fn is_zero(&self) -> bool {
        matches!(self.0, Small(0, _))
    }

    /// Whether the value is 1.
    pub(crate) fn is_one(&self) -> bool {
        matches!(self.0, Small(1, 1))
    }

    /// Whether the value is an integer.
    pub(crate) fn is_int(&self) -> bool {
        match &self.0 {
            Small(_, d) => *d == 1,
            Big(r) => r.denominator().is_one(),
        }
    }

    /// -1, 0 or 1.
    pub(crate) fn signum(&self) -> i32 {
        match &self.0 {
            Small(n, _) => n.signum() as i32,
            Big(r) => match RBig::cmp(r, &RBig::ZERO) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            },
        }
    }

    /// Whether the value is above 0.
    pub(crate) fn is_pos(&self) -> bool {
        self.signum() > 0
    }

    /// Whether the value is below 0.
    pub(crate) fn is_neg(&self) -> bool {
        self.signum() < 0
    }

    /// The absolute value.
    pub(crate) fn abs(&self) -> Rat {
        if self.is_neg() { -self } else { self.clone() }
    }

    /// The reciprocal of a non-zero value.
    pub(crate) fn recip(&self) -> Rat {
        match &self.0 {
            Small(n, d) => {
                debug_assert!(*n != 0);
                Rat(Small(d * n.signum(), n.abs()))
            }
            Big(r) => Rat::from_big(RBig::ONE / (**r).clone()),
        }
    }

    /// The quotient by a non-zero value.
    pub(crate) fn div(&self, other: &Rat) -> Rat {
        if other.is_one() {
            self.clone()
        } else {
            self * &other.recip()
        }
    }

    /// The greatest integer not above the value.
    pub(crate) fn floor(&self) -> Rat {
        match &self.0 {
            Small(n, d) => Rat(Small(n.div_euclid(*d), 1)),
            Big(r) => Rat::from_int(r.floor()),
        }
    }

    /// The least integer not below the value.
    pub(crate) fn ceil(&self) -> Rat {
        -&(-self).floor()
    }

    /// `self - floor(self)`, in `[0, 1)`.
    pub(crate) fn frac(&self) -> Rat {
        self - &self.floor()
    }

    /// The positive denominator.
    pub(crate) fn denom(&self) -> Rat {
        match &self.0 {
            Small(_, d) => Rat(Small(*d, 1)),
            Big(r) => Rat::from_int(IBig::from(r.denominator().clone())),
        }
    }

    /// The non-negative greatest common divisor of two integers.
    pub(crate) fn gcd(a: &Rat, b: &Rat) -> Rat {
        if let (Small(x, 1), Small(y, 1)) = (&a.0, &b.0) {
            return Rat::ratio(i128::from(gcd64(x.unsigned_abs(), y.unsigned_abs())), 1);
        }
        let (mut x, mut y) = (a.abs(), b.abs());
        while !y.is_zero() {
            let r = &x - &(&y * &x.div(&y).floor());
            x = y;
            y = r;
        }
        x
    }

    /// The least common multiple of two non-zero integers.
    pub(crate) fn lcm(a: &Rat, b: &Rat) -> Rat {
        (a * &b.div(&Rat::gcd(a, b))).abs()
    }
}

impl Add for &Rat {
    type Output = Rat;
    fn add(self, o: &Rat) -> Rat {
        match (&self.0, &o.0) {
            (Small(a, 1), Small(b, 1)) => Rat::ratio(i128::from(*a) + i128::from(*b), 1),
            (Small(a, b), Small(c, d)) => {
                let (a, b, c, d) = (
                    i128::from(*a),
                    i128::from(*b),
                    i128::from(*c),
                    i128::from(*d),
                );
                Rat::ratio(a * d + c * b, b * d)
            }
            _ => Rat::from_big(self.to_big() + o.to_big()),
        }
    }
}

impl Sub for &Rat {
    type Output = Rat;
    fn sub(self, o: &Rat) -> Rat {
        self + &-o
    }
}

impl Mul for &Rat {
    type Output = Rat;
    fn mul(self, o: &Rat) -> Rat {
        match (&self.0, &o.0) {
            (Small(a, b), Small(c, d)) => Rat::ratio(
                i128::from(*a) * i128::from(*c),
                i128::from(*b) * i128::from(*d),
            ),
            _ => Rat::from_big(self.to_big() * o.to_big()),
        }
    }
}

impl Neg for &Rat {
    type Output = Rat;
    fn neg(self) -> Rat {
        match &self.0 {
            Small(n, d) => Rat(Small(-n, *d)),
            Big(r) => Rat::from_big(-(**r).clone()),
        }
    }
}

impl PartialOrd for Rat {
    fn partial_cmp(&self, o: &Rat) -> Option<Ordering> {
        Some(self.cmp(o))
    }
}

impl Ord for Rat {
    fn cmp(&self, o: &Rat) -> Ordering {
        match (&self.0, &o.0) {
            (Small(a, b), Small(c, d)) => {
                if b == d {
                    a.cmp(c)
                } else {
                    (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
                }
            }
            _ => self.to_big().cmp(&o.to_big()),
        }
    }
}

impl fmt::Debug for Rat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Small(n, 1) => write!(f, "{n}"),
            Small(n, d) => write!(f, "{n}/{d}"),
            Big(r) => write!(f, "{r}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_overflow_into_big_numbers_and_come_back() {
        let a = Rat::int(i64::MAX);
        let square = &a * &a;
        assert!(matches!(square.0, Big(_)));
        assert_eq!(square.div(&a), a);
        assert_eq!(&(&square + &Rat::ONE) - &square, Rat::ONE);
        let min = Rat::int(i64::MIN);
        assert!(matches!(min.0, Big(_)));
        assert_eq!(&min + &Rat::ONE, -&a);
    }

    #[test]
    fn rounding_is_towards_minus_infinity() {
        let half = Rat::int(-3).div(&Rat::int(2));
        assert_eq!(half.floor(), Rat::int(-2));
        assert_eq!(half.ceil(), Rat::int(-1));
        assert_eq!(half.frac(), Rat::ONE.div(&Rat::int(2)));
        assert_eq!(Rat::gcd(&Rat::int(-12), &Rat::int(18)), Rat::int(6));
        assert_eq!(Rat::lcm(&Rat::int(4), &Rat::int(6)), Rat::int(12));
    }
}
