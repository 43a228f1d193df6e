//! Bounds of expressions that follow from types alone.

use super::{Arith, Expr, Var, VarId};

/// The least and the greatest value an expression can have, given that variables respect their types
/// and that every check in front of it holds: a signed result lies in its type.
pub fn range(vars: &[Var], expr: &Expr) -> (i128, i128) {
    range_in(&|var| vars[var.index()].ty.element().range(), expr)
}

/// The same with bounds of variables and of the cells of arrays that are known otherwise.
pub fn range_in(of: &dyn Fn(VarId) -> (i128, i128), expr: &Expr) -> (i128, i128) {
    let (low, high) = unchecked_in(of, expr);
    match expr {
        Expr::Arith(_, ty, _) if ty.signed => (low.max(ty.range().0), high.min(ty.range().1)),
        _ => (low, high),
    }
}

/// The same without the check of the outermost operation.
pub fn unchecked(vars: &[Var], expr: &Expr) -> (i128, i128) {
    unchecked_in(&|var| vars[var.index()].ty.element().range(), expr)
}

fn unchecked_in(of: &dyn Fn(VarId) -> (i128, i128), expr: &Expr) -> (i128, i128) {
    match expr {
        Expr::Int(n) => (*n, *n),
        Expr::Var(var) | Expr::Cell(var, _) => of(*var),
        Expr::Arith(op, ty, pair) => {
            let bounds = arith(*op, range_in(of, &pair[0]), range_in(of, &pair[1]));
            match bounds {
                Some((low, high)) if ty.signed || (ty.holds(low) && ty.holds(high)) => (low, high),
                Some(_) if !ty.signed => ty.range(),
                _ if ty.signed => (i128::MIN, i128::MAX),
                _ => ty.range(),
            }
        }
        Expr::Convert(ty, inner) => {
            let (low, high) = range_in(of, inner);
            if ty.holds(low) && ty.holds(high) {
                (low, high)
            } else {
                ty.range()
            }
        }
        Expr::Choose(three) => {
            let (a, b) = (range_in(of, &three[1]), range_in(of, &three[2]));
            (a.0.min(b.0), a.1.max(b.1))
        }
        _ => (0, 1),
    }
}

fn arith(op: Arith, a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    match op {
        Arith::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
        Arith::Sub => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
        Arith::Mul => {
            let mut bounds: Option<(i128, i128)> = None;
            for x in [a.0, a.1] {
                for y in [b.0, b.1] {
                    let product = x.checked_mul(y)?;
                    let (low, high) = bounds.unwrap_or((product, product));
                    bounds = Some((low.min(product), high.max(product)));
                }
            }
            bounds
        }
        Arith::Div => {
            let most = a.0.checked_abs()?.max(a.1.checked_abs()?);
            // A quotient is at most as large as its dividend; it is not negative where both are not.
            if a.0 >= 0 && b.0 >= 0 {
                Some((0, a.1))
            } else {
                Some((-most, most))
            }
        }
        Arith::Rem => {
            let most = b.0.checked_abs()?.max(b.1.checked_abs()?).checked_sub(1)?;
            let low = if a.0 >= 0 { 0 } else { (-most).max(a.0) };
            let high = if a.1 <= 0 { 0 } else { most.min(a.1) };
            Some((low, high))
        }
        Arith::FloorDiv if b.0 == b.1 && b.0 > 0 => {
            Some((a.0.div_euclid(b.0), a.1.div_euclid(b.0)))
        }
        Arith::FloorRem if b.0 == b.1 && b.0 > 0 => Some((0, b.0 - 1)),
        Arith::FloorDiv | Arith::FloorRem => None,
    }
}
