//! Arithmetic of C: promotions, conversions, checks of ranges.
//!
//! Signed results are exact and have a check of their range in front of what uses them; unsigned
//! results are reduced. A check that the types alone decide is left out.

use super::lower::Lowering;
use crate::error::{Code, Outcome, Span};
use crate::program::{Arith, CheckKind, Compare, Expr, IntType, Origin, Rank, VarType};
use crate::syntax::tree::Binary;

/// The number an expression is, if it is one.
pub(super) fn constant(e: &Expr) -> Option<i128> {
    if let Expr::Int(n) = e { Some(*n) } else { None }
}

fn is_truth(e: &Expr) -> bool {
    matches!(e, Expr::FromBool(_) | Expr::Int(0 | 1))
}

impl Lowering {
    /// A number converted to a type.
    pub(super) fn convert(&mut self, value: Expr, to: IntType) -> Expr {
        if let Expr::Int(n) = value {
            return Expr::Int(to.convert(n));
        }
        // Any number converted to a narrower type is any number of that type.
        if let Expr::Var(var) = value
            && self.flow.last_input() == Some(var)
            && self.vars[var.index()].origin == Origin::Made
            && self.vars[var.index()].ty.element().bits >= to.bits
        {
            self.vars[var.index()].ty = VarType::Int(to);
            return value;
        }
        if to.rank == Rank::Bool {
            return Expr::from_bool(Expr::truth(value));
        }
        let (low, high) = self.range(&value);
        if to.holds(low) && to.holds(high) {
            value
        } else {
            Expr::Convert(to, Box::new(value))
        }
    }

    /// Demands that a result of a signed type lies in its range.
    fn in_range(&mut self, value: &Expr, ty: IntType, span: Span) {
        let (low, high) = crate::program::range::unchecked(&self.vars, value);
        if !ty.signed || (ty.holds(low) && ty.holds(high)) {
            return;
        }
        let (least, greatest) = ty.range();
        self.check(
            CheckKind::Range,
            Expr::between(least, value.clone(), greatest),
            span,
        );
    }

    /// A binary operator on two numbers.
    pub(super) fn binary(
        &mut self,
        op: Binary,
        (a, a_type): (Expr, IntType),
        (b, b_type): (Expr, IntType),
        span: Span,
    ) -> Outcome<(Expr, IntType)> {
        if matches!(op, Binary::Shl | Binary::Shr) {
            return self.shift(op, (a, a_type.promoted()), b, span);
        }
        if matches!(op, Binary::BitAnd | Binary::BitOr | Binary::BitXor)
            && is_truth(&a)
            && is_truth(&b)
        {
            let (x, y) = (Expr::truth(a), Expr::truth(b));
            let result = match op {
                Binary::BitAnd => Expr::and(x, y),
                Binary::BitOr => Expr::or(x, y),
                _ => Expr::or(
                    Expr::and(x.clone(), Expr::not(y.clone())),
                    Expr::and(Expr::not(x), y),
                ),
            };
            return Ok((Expr::from_bool(result), IntType::INT));
        }
        let ty = a_type.common(b_type);
        let (a, b) = (self.convert(a, ty), self.convert(b, ty));
        let truth = |e: Expr| Ok((Expr::from_bool(e), IntType::INT));
        let value = match op {
            Binary::Lt => return truth(Expr::compare(Compare::Lt, a, b)),
            Binary::Gt => return truth(Expr::compare(Compare::Lt, b, a)),
            Binary::Le => return truth(Expr::compare(Compare::Le, a, b)),
            Binary::Ge => return truth(Expr::compare(Compare::Le, b, a)),
            Binary::Eq => return truth(Expr::equals(a, b)),
            Binary::Ne => return truth(Expr::not(Expr::equals(a, b))),
            Binary::Add => Expr::arith(Arith::Add, ty, a, b),
            Binary::Sub => Expr::arith(Arith::Sub, ty, a, b),
            Binary::Mul => Expr::arith(Arith::Mul, ty, a, b),
            Binary::Div | Binary::Rem => return Ok((self.divide(op, ty, a, b, span), ty)),
            Binary::BitAnd | Binary::BitOr | Binary::BitXor => {
                return self.bits(op, ty, a, b, span);
            }
            Binary::Shl | Binary::Shr => (Expr::ZERO, IntType::INT).0,
        };
        self.in_range(&value, ty, span);
        Ok((value, ty))
    }

    fn divide(&mut self, op: Binary, ty: IntType, a: Expr, b: Expr, span: Span) -> Expr {
        let zero = Expr::equals(b.clone(), Expr::ZERO);
        let mut defined = Expr::not(zero);
        let (least, _) = ty.range();
        if ty.signed && self.range(&a).0 <= least && self.range(&b).0 < 0 {
            let extreme = Expr::equals(a.clone(), Expr::Int(least));
            let minus_one = Expr::equals(b.clone(), Expr::Int(-1));
            defined = Expr::and(defined, Expr::not(Expr::and(extreme, minus_one)));
        }
        self.check(CheckKind::Division, defined, span);
        Expr::arith(
            if op == Binary::Div {
                Arith::Div
            } else {
                Arith::Rem
            },
            ty,
            a,
            b,
        )
    }

    fn shift(
        &mut self,
        op: Binary,
        (a, ty): (Expr, IntType),
        b: Expr,
        span: Span,
    ) -> Outcome<(Expr, IntType)> {
        let Some(amount) = constant(&b) else {
            return self.refuse(
                Code::Operator,
                span,
                "unsupported: a shift by an amount that is no constant",
            );
        };
        if amount < 0 || amount >= i128::from(ty.bits) {
            self.check(CheckKind::Shift, Expr::Bool(false), span);
            return Ok((Expr::ZERO, ty));
        }
        let power = Expr::Int(1i128 << amount);
        let a = self.convert(a, ty);
        if op == Binary::Shr {
            return Ok((Expr::arith(Arith::FloorDiv, ty, a, power), ty));
        }
        if ty.signed && self.range(&a).0 < 0 {
            let holds = Expr::compare(Compare::Le, Expr::ZERO, a.clone());
            self.check(CheckKind::Shift, holds, span);
        }
        let value = Expr::arith(Arith::Mul, ty, a, power);
        self.in_range(&value, ty, span);
        Ok((value, ty))
    }

    fn bits(
        &mut self,
        op: Binary,
        ty: IntType,
        a: Expr,
        b: Expr,
        span: Span,
    ) -> Outcome<(Expr, IntType)> {
        if let (Some(x), Some(y)) = (constant(&a), constant(&b)) {
            let value = match op {
                Binary::BitAnd => x & y,
                Binary::BitOr => x | y,
                _ => x ^ y,
            };
            return Ok((Expr::Int(ty.convert(value)), ty));
        }
        let (value, mask) = if constant(&a).is_some() {
            (b, a)
        } else {
            (a, b)
        };
        match (op, constant(&mask)) {
            (Binary::BitAnd, Some(mask)) if mask >= 0 && (mask + 1).count_ones() == 1 => Ok((
                Expr::arith(Arith::FloorRem, ty, value, Expr::Int(mask + 1)),
                ty,
            )),
            (Binary::BitAnd, Some(mask)) if self.clears_low(mask, ty).is_some() => {
                let low = self.clears_low(mask, ty).unwrap_or(1);
                let rest = Expr::arith(Arith::FloorRem, ty, value.clone(), Expr::Int(low));
                Ok((Expr::arith(Arith::Sub, ty, value, rest), ty))
            }
            (Binary::BitOr | Binary::BitXor, Some(0)) => Ok((value, ty)),
            _ => self.refuse(
                Code::Operator,
                span,
                "unsupported: &, | and ^ of numbers, except & with 2^k - 1 or its complement",
            ),
        }
    }

    /// For a mask that is all ones above its `k` lowest bits: `2^k`.
    fn clears_low(&self, mask: i128, ty: IntType) -> Option<i128> {
        let low = ty.convert(-1).wrapping_sub(mask) + 1;
        let low = if ty.signed { -mask } else { low };
        (low > 0 && low.count_ones() == 1 && ty.holds(low)).then_some(low)
    }

    /// `-a`
    pub(super) fn minus(&mut self, a: Expr, ty: IntType, span: Span) -> (Expr, IntType) {
        let ty = ty.promoted();
        let value = Expr::arith(Arith::Sub, ty, Expr::ZERO, a);
        self.in_range(&value, ty, span);
        (value, ty)
    }

    /// `~a`
    pub(super) fn complement(&self, a: Expr, ty: IntType) -> (Expr, IntType) {
        let ty = ty.promoted();
        let ones = if ty.signed { -1 } else { ty.range().1 };
        (Expr::arith(Arith::Sub, ty, Expr::Int(ones), a), ty)
    }
}
