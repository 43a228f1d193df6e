//! Bit-vector operators on values, as SMT-LIB defines them.

use crate::number::{self, Integer, Natural};
use crate::op::BvOp;
use crate::value::Value;

/// The value of an operator on values; `None` when the arguments do not fit it.
pub(crate) fn apply(op: BvOp, args: &[Value]) -> Option<Value> {
    match (op, args) {
        (BvOp::FromInt(width), [Value::Int(n)]) => {
            Some(Value::BitVec(width, number::wrap(n, width)))
        }
        (_, [Value::BitVec(width, a)]) => unary(op, *width, a),
        (_, [Value::BitVec(width, a), Value::BitVec(other, b)]) => binary(op, *width, a, *other, b),
        _ => None,
    }
}

fn unary(op: BvOp, width: u32, a: &Natural) -> Option<Value> {
    let vector = |width: u32, n: Integer| Some(Value::BitVec(width, number::wrap(&n, width)));
    let unsigned = Integer::from(a.clone());
    match op {
        BvOp::Extract { high, low } => vector(
            high.checked_sub(low)? + 1,
            Integer::from(a.clone() >> low as usize),
        ),
        BvOp::Not => vector(width, -unsigned - Integer::ONE),
        BvOp::Neg => vector(width, -unsigned),
        BvOp::ZeroExtend(by) => vector(width.checked_add(by)?, unsigned),
        BvOp::SignExtend(by) => vector(width.checked_add(by)?, number::signed(a, width)),
        BvOp::ToNat => Some(Value::Int(unsigned)),
        _ => None,
    }
}

fn binary(op: BvOp, width: u32, a: &Natural, other: u32, b: &Natural) -> Option<Value> {
    if op == BvOp::Concat {
        let joined = (Integer::from(a.clone()) << other as usize) + Integer::from(b.clone());
        let total = width.checked_add(other)?;
        return Some(Value::BitVec(total, number::wrap(&joined, total)));
    }
    if width != other {
        return None;
    }
    let vector = |n: Integer| Some(Value::BitVec(width, number::wrap(&n, width)));
    let (x, y) = (Integer::from(a.clone()), Integer::from(b.clone()));
    let (signed_x, signed_y) = (number::signed(a, width), number::signed(b, width));
    match op {
        BvOp::And => Some(Value::BitVec(width, a & b)),
        BvOp::Or => Some(Value::BitVec(width, a | b)),
        BvOp::Xor => Some(Value::BitVec(width, a ^ b)),
        BvOp::Add => vector(x + y),
        BvOp::Mul => vector(x * y),
        BvOp::Udiv if b.is_zero() => vector(-Integer::ONE),
        BvOp::Udiv => vector(x / y),
        BvOp::Urem if b.is_zero() => vector(x),
        BvOp::Urem => vector(x % y),
        // Division by zero: 1 for a negative dividend, else all ones.
        BvOp::Sdiv if b.is_zero() => vector(if signed_x < Integer::ZERO {
            Integer::ONE
        } else {
            -Integer::ONE
        }),
        BvOp::Sdiv => vector(signed_x / signed_y),
        BvOp::Srem | BvOp::Smod if b.is_zero() => vector(signed_x),
        BvOp::Srem => vector(signed_x % signed_y),
        BvOp::Smod => {
            let remainder = signed_x % signed_y.clone();
            let adjust =
                !remainder.is_zero() && (remainder < Integer::ZERO) != (signed_y < Integer::ZERO);
            vector(if adjust {
                remainder + signed_y
            } else {
                remainder
            })
        }
        BvOp::Shl => shift(width, b, |by| x << by, Integer::ZERO),
        BvOp::Lshr => shift(width, b, |by| x >> by, Integer::ZERO),
        BvOp::Ashr => {
            let fill = if signed_x < Integer::ZERO {
                -Integer::ONE
            } else {
                Integer::ZERO
            };
            shift(width, b, |by| signed_x >> by, fill)
        }
        BvOp::Ule => Some(Value::Bool(a <= b)),
        BvOp::Sle => Some(Value::Bool(signed_x <= signed_y)),
        _ => None,
    }
}

/// A shift by at least the width gives `all_out`.
fn shift(
    width: u32,
    by: &Natural,
    shifted: impl FnOnce(usize) -> Integer,
    all_out: Integer,
) -> Option<Value> {
    let result = match u32::try_from(by.clone()) {
        Ok(by) if by < width => shifted(by as usize),
        _ => all_out,
    };
    Some(Value::BitVec(width, number::wrap(&result, width)))
}
