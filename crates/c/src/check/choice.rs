//! Choices: `&&`, `||`, `?:` and conditions.
//!
//! A choice stays an expression where its parts only have values; where a part has effects or checks it
//! becomes two ways, so that a check sits exactly on the paths that evaluate it.

use super::effects::has_effect;
use super::lower::Lowering;
use super::value::Value;
use crate::error::{Code, Outcome, Span};
use crate::program::{Expr, IntType, Op, PointId, PointKind};
use crate::syntax::tree::{Expr as Tree, ExprKind, Unary};

/// Which connective.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Connective {
    And,
    Or,
}

impl Lowering {
    /// `a && b` or `a || b`: a formula where the right side only has a value, else two ways.
    pub(super) fn connective(&mut self, which: Connective, a: &Tree, b: &Tree) -> Outcome<Expr> {
        let conjunction = which == Connective::And;
        let left = self.truth(a)?;
        if self.may_be_value(b) {
            let (mark, n_checks) = (self.flow.mark(), self.checks.len());
            let right = self.truth(b)?;
            if self.flow.unchanged(&mark) {
                return Ok(if conjunction {
                    Expr::and(left, right)
                } else {
                    Expr::or(left, right)
                });
            }
            self.flow.rewind(mark);
            self.checks.truncate(n_checks);
            self.ways.insert(b.span);
        }
        let result = self.temporary("t", IntType::INT);
        let (more, done) = (
            self.flow.point(PointKind::Join),
            self.flow.point(PointKind::Join),
        );
        let shortcut = self.flow.point(PointKind::Join);
        if conjunction {
            self.flow.fork(left, more, shortcut);
        } else {
            self.flow.fork(left, shortcut, more);
        }
        self.flow.start(more);
        let right = self.truth(b)?;
        self.flow.push(Op::Assign(result, Expr::from_bool(right)));
        self.flow.goto(done);
        self.flow.start(shortcut);
        self.flow
            .push(Op::Assign(result, Expr::Int(i128::from(!conjunction))));
        self.flow.goto(done);
        self.flow.start(done);
        Ok(Expr::truth(Expr::Var(result)))
    }

    pub(super) fn choose(&mut self, c: &Tree, a: &Tree, b: &Tree, span: Span) -> Outcome<Value> {
        let condition = self.truth(c)?;
        if self.may_be_value(a) && self.may_be_value(b) {
            let (mark, n_checks) = (self.flow.mark(), self.checks.len());
            let (x, y) = (self.value(a)?, self.value(b)?);
            if let (true, Value::Int(x, x_type), Value::Int(y, y_type)) =
                (self.flow.unchanged(&mark), &x, &y)
            {
                let ty = x_type.common(*y_type);
                let parts = [
                    condition,
                    self.convert(x.clone(), ty),
                    self.convert(y.clone(), ty),
                ];
                return Ok(Value::Int(Expr::Choose(Box::new(parts)), ty));
            }
            self.flow.rewind(mark);
            self.checks.truncate(n_checks);
            // One of them is more than a value; both are taken for it.
            self.ways.extend([a.span, b.span]);
        }
        let (then, otherwise) = (
            self.flow.point(PointKind::Join),
            self.flow.point(PointKind::Join),
        );
        self.flow.fork(condition, then, otherwise);
        self.flow.start(then);
        let x = self.value(a)?;
        let after_x = self.flow.cut(PointKind::Join);
        self.flow.stop();
        self.flow.start(otherwise);
        let y = self.value(b)?;
        let after_y = self.flow.cut(PointKind::Join);
        self.flow.stop();
        self.joined([(after_x, x), (after_y, y)], span)
    }

    /// The value of whichever of two ways was taken.
    fn joined(&mut self, ways: [(Option<PointId>, Value); 2], span: Span) -> Outcome<Value> {
        let done = self.flow.point(PointKind::Join);
        let common = match &ways {
            [(_, Value::Int(_, a)), (_, Value::Int(_, b))] => Some(a.common(*b)),
            // A way that does not come back has no value.
            [(None, _), (_, Value::Int(_, ty))] | [(_, Value::Int(_, ty)), (None, _)] => Some(*ty),
            [(_, Value::Void), _] | [_, (_, Value::Void)] => None,
            _ => {
                return self.refuse(
                    Code::Operator,
                    span,
                    "unsupported: this kind of value of ?:",
                );
            }
        };
        let result = common.map(|ty| (self.temporary("t", ty), ty));
        for (after, value) in ways {
            let Some(after) = after else { continue };
            self.flow.start(after);
            if let (Some((var, ty)), Value::Int(value, _)) = (result, value) {
                let value = self.convert(value, ty);
                self.flow.push(Op::Assign(var, value));
            }
            self.flow.goto(done);
        }
        self.resume(done);
        Ok(result.map_or(Value::Void, |(var, ty)| Value::Int(Expr::Var(var), ty)))
    }

    /// Goes one way if an expression holds, the other way if not.
    pub(super) fn branch(&mut self, e: &Tree, then: PointId, otherwise: PointId) -> Outcome<()> {
        match &e.kind {
            ExprKind::Unary(Unary::Not, a) => return self.branch(a, otherwise, then),
            ExprKind::And(a, b) | ExprKind::Or(a, b) if !self.is_formula(e)? => {
                let middle = self.flow.point(PointKind::Join);
                if matches!(e.kind, ExprKind::And(..)) {
                    self.branch(a, middle, otherwise)?;
                } else {
                    self.branch(a, then, middle)?;
                }
                self.flow.start(middle);
                return self.branch(b, then, otherwise);
            }
            _ => {}
        }
        let condition = self.truth(e)?;
        self.flow.fork(condition, then, otherwise);
        Ok(())
    }

    /// Whether an expression is a value without checks.
    fn is_formula(&mut self, e: &Tree) -> Outcome<bool> {
        if !self.may_be_value(e) {
            return Ok(false);
        }
        let (mark, n_checks) = (self.flow.mark(), self.checks.len());
        self.truth(e)?;
        let formula = self.flow.unchanged(&mark);
        self.flow.rewind(mark);
        self.checks.truncate(n_checks);
        if !formula {
            self.ways.insert(e.span);
        }
        Ok(formula)
    }

    /// Whether it is worth trying to take an expression for a value. What was tried in vain is not tried
    /// again: choices inside choices would be tried as often as there are ways through them.
    fn may_be_value(&self, e: &Tree) -> bool {
        !self.ways.contains(&e.span) && !has_effect(e)
    }
}
