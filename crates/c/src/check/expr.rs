//! Values of expressions: effects come out in order, the value has none.

use std::rc::Rc;

use super::choice::Connective;
use super::ctype::CType;
use super::effects::has_effect;
use super::lower::Lowering;
use super::order;
use super::scope::Binding;
use super::value::{Place, PointerValue, Shape, Value};
use crate::error::{Code, Outcome, Span};
use crate::program::{Arith, CheckKind, Expr, IntType, Length, Rank};
use crate::syntax::tree::{Binary, Expr as Tree, ExprKind, Step, Unary};

impl Lowering {
    /// The value of a whole expression: its order of evaluation is checked first.
    pub(super) fn full(&mut self, e: &Tree) -> Outcome<Value> {
        order::check(e, &self.effects)?;
        self.value(e)
    }

    /// The value of an expression that is a number.
    pub(super) fn number(&mut self, e: &Tree) -> Outcome<(Expr, IntType)> {
        let value = self.value(e)?;
        self.as_number(value, e.span)
    }

    /// A value that is a number.
    pub(super) fn as_number(&mut self, value: Value, span: Span) -> Outcome<(Expr, IntType)> {
        match value {
            Value::Int(e, ty) => Ok((e, ty)),
            Value::Pointer(p, _) if p.target.is_none() && p.null == Expr::Bool(true) => {
                Ok((Expr::ZERO, IntType::size(self.settings.model)))
            }
            Value::Pointer(..) | Value::Memory { .. } => self.refuse(
                Code::Pointer,
                span,
                "unsupported: a pointer used as a number",
            ),
            Value::Void => {
                self.refuse(Code::Meaning, span, "a number is expected, nothing is here")
            }
            Value::Object(_) => self.refuse(
                Code::Meaning,
                span,
                "a number is expected, a struct is here",
            ),
        }
    }

    /// The truth of an expression.
    pub(super) fn truth(&mut self, e: &Tree) -> Outcome<Expr> {
        match self.value(e)? {
            Value::Pointer(p, _) => Ok(Expr::not(p.null)),
            value => Ok(Expr::truth(self.as_number(value, e.span)?.0)),
        }
    }

    /// The value of an expression without effects, which is not evaluated; none if it has effects.
    pub(super) fn dry(&mut self, e: &Tree) -> Outcome<Option<Value>> {
        if has_effect(e) {
            return Ok(None);
        }
        let (mark, n_checks) = (self.flow.mark(), self.checks.len());
        let value = self.value(e);
        self.flow.rewind(mark);
        self.checks.truncate(n_checks);
        Ok(Some(value?))
    }

    /// The type of what an expression designates, if it designates something stored.
    pub(super) fn dry_place(&mut self, e: &Tree) -> Outcome<Option<CType>> {
        let designates = matches!(
            e.kind,
            ExprKind::Name(_)
                | ExprKind::Index(..)
                | ExprKind::Member(..)
                | ExprKind::Unary(Unary::Deref, _)
        );
        if !designates || has_effect(e) {
            return Ok(None);
        }
        let (mark, n_checks) = (self.flow.mark(), self.checks.len());
        let place = self.place(e);
        self.flow.rewind(mark);
        self.checks.truncate(n_checks);
        Ok(place.ok().map(|p| p.ty))
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, e: &Tree) -> Outcome<Value> {
        match &e.kind {
            ExprKind::Name(name) => self.name_value(name, e),
            ExprKind::Integer { value, .. } => {
                let Some(ty) = self.integer_type(&e.kind) else {
                    let message = "the constant does not fit into any type";
                    return self.refuse(Code::Meaning, e.span, message);
                };
                Ok(Value::Int(Expr::Int(*value), ty))
            }
            ExprKind::Character(n) => Ok(Value::Int(Expr::Int(*n), IntType::INT)),
            ExprKind::Float => {
                self.refuse(Code::Float, e.span, "unsupported: floating-point numbers")
            }
            ExprKind::Text(bytes) => self.literal(bytes, e.span),
            ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Unary(Unary::Deref, _) => {
                let place = self.place(e)?;
                self.load(place, e.span)
            }
            ExprKind::Unary(op, a) => self.unary(*op, a, e.span),
            ExprKind::Binary(op, a, b) => self.binary_value(*op, a, b, e.span),
            ExprKind::And(a, b) => self.connective(Connective::And, a, b).map(bool_value),
            ExprKind::Or(a, b) => self.connective(Connective::Or, a, b).map(bool_value),
            ExprKind::Choose(c, a, b) => self.choose(c, a, b, e.span),
            ExprKind::Assign(op, place, value) => self.assign(*op, place, value, e.span),
            ExprKind::Step(step, place) => self.step(*step, place, e.span),
            ExprKind::Cast(ty, a) => self.cast(ty, a, e.span),
            ExprKind::SizeOfType(ty) => {
                let ty = self.type_of_name(ty)?;
                self.size_of(&ty, e.span)
            }
            ExprKind::SizeOf(a) => self.size_of_expr(a, e.span),
            ExprKind::Comma(list) => {
                let mut last = Value::Void;
                for part in list {
                    last = self.value(part)?;
                }
                Ok(last)
            }
            ExprKind::Call(callee, args) => self.call(callee, args, e.span),
            ExprKind::Block(list) => self.block_value(list),
            ExprKind::Forall(..) | ExprKind::Exists(..) => {
                self.refuse(Code::Operator, e.span, "quantifiers are for annotations")
            }
            ExprKind::Refused(what) => {
                self.refuse(Code::Operator, e.span, format!("unsupported: {what}"))
            }
        }
    }

    /// The type of an integer constant: the first that has its value, from what its suffix asks for.
    fn integer_type(&self, kind: &ExprKind) -> Option<IntType> {
        let ExprKind::Integer {
            value,
            unsigned,
            longs,
            decimal,
        } = *kind
        else {
            return None;
        };
        let model = self.settings.model;
        for (i, rank) in [Rank::Int, Rank::Long, Rank::LongLong]
            .into_iter()
            .enumerate()
        {
            if i < usize::from(longs) {
                continue;
            }
            let signed = IntType::signed(rank, model);
            if !unsigned && signed.holds(value) {
                return Some(signed);
            }
            let wide = IntType::unsigned(rank, model);
            if (unsigned || !decimal) && wide.holds(value) {
                return Some(wide);
            }
        }
        None
    }

    fn name_value(&mut self, name: &str, e: &Tree) -> Outcome<Value> {
        match self.scopes.find(name).cloned() {
            Some(Binding::Constant(n)) => Ok(Value::Int(Expr::Int(n), IntType::INT)),
            Some(Binding::Alias(pointer, ty)) => Ok(Value::Pointer(*pointer, ty)),
            Some(Binding::Object(..)) => {
                let place = self.place(e)?;
                self.load(place, e.span)
            }
            Some(Binding::Function(_)) => self.refuse(
                Code::Function,
                e.span,
                format!("unsupported: {name} as a pointer to a function"),
            ),
            Some(Binding::Typedef(_)) => self.refuse(
                Code::Meaning,
                e.span,
                format!("{name} is a type, not a value"),
            ),
            None => self.refuse(Code::Meaning, e.span, format!("{name} is not declared")),
        }
    }

    /// What is stored at a place: arrays become pointers to their first element.
    pub(super) fn load(&mut self, place: Place, span: Span) -> Outcome<Value> {
        match (&place.ty, &place.shape) {
            (_, Shape::Refused(what)) => {
                self.refuse(Code::Type, span, format!("unsupported: {what}"))
            }
            (CType::Int(ty), Shape::Leaf(var)) => {
                let value = if place.indices.is_empty() {
                    Expr::Var(*var)
                } else {
                    Expr::Cell(*var, place.indices.clone())
                };
                Ok(Value::Int(value, *ty))
            }
            (CType::Array(element, length), _) => {
                let element = (**element).clone();
                Ok(self.decay(&place, element, *length))
            }
            (CType::Struct(_), _) => Ok(Value::Object(place)),
            (CType::Pointer(_), Shape::Pointer(slot)) => {
                let pointer = self.slots[*slot].clone();
                let value = PointerValue {
                    target: pointer.target,
                    offset: Expr::Var(pointer.offset),
                    null: Expr::truth(Expr::Var(pointer.null)),
                };
                Ok(Value::Pointer(value, place.ty))
            }
            (ty, _) => {
                let message = format!("unsupported: a value of type {}", ty.name());
                self.refuse(Code::Type, span, message)
            }
        }
    }

    fn unary(&mut self, op: Unary, a: &Tree, span: Span) -> Outcome<Value> {
        let (value, ty) = match op {
            Unary::Address => return self.address(a, span),
            Unary::Not => {
                let truth = self.truth(a)?;
                return Ok(bool_value(Expr::not(truth)));
            }
            Unary::Minus => {
                let (value, ty) = self.number(a)?;
                self.minus(value, ty, span)
            }
            Unary::Complement => {
                let (value, ty) = self.number(a)?;
                self.complement(value, ty)
            }
            Unary::Plus | Unary::Deref => {
                let (value, ty) = self.number(a)?;
                (value, ty.promoted())
            }
        };
        Ok(Value::Int(value, ty))
    }

    /// The value of the left operand, kept if the right one has effects.
    pub(super) fn left_value(&mut self, a: &Tree, b: &Tree) -> Outcome<Value> {
        let value = self.value(a)?;
        match value {
            Value::Int(e, ty) if has_effect(b) => Ok(Value::Int(self.keep(e, ty), ty)),
            value => Ok(value),
        }
    }

    fn binary_value(&mut self, op: Binary, a: &Tree, b: &Tree, span: Span) -> Outcome<Value> {
        let left = self.left_value(a, b)?;
        let right = self.value(b)?;
        if matches!(left, Value::Pointer(..)) || matches!(right, Value::Pointer(..)) {
            return self.pointer_binary(op, left, right, span);
        }
        let left = self.as_number(left, a.span)?;
        let right = self.as_number(right, b.span)?;
        let (value, ty) = self.binary(op, left, right, span)?;
        Ok(Value::Int(value, ty))
    }

    fn assign(
        &mut self,
        op: Option<Binary>,
        place: &Tree,
        value: &Tree,
        span: Span,
    ) -> Outcome<Value> {
        let Some(op) = op else {
            // The value first: what a call changes must not move the place it is stored at.
            if has_effect(value) && !has_effect(place) {
                let value = self.value(value)?;
                let target = self.place(place)?;
                return self.store(target, value, span);
            }
            let target = self.place(place)?;
            let value = self.value(value)?;
            return self.store(target, value, span);
        };
        let target = self.place(place)?;
        let target = if has_effect(value) {
            self.keep_place(target)
        } else {
            target
        };
        let value = self.value(value)?;
        let old = self.load(target.clone(), place.span)?;
        if matches!(old, Value::Pointer(..)) {
            let moved = self.pointer_binary(op, old, value, span)?;
            return self.store(target, moved, span);
        }
        let (old, value) = (
            self.as_number(old, place.span)?,
            self.as_number(value, span)?,
        );
        let (result, ty) = self.binary(op, old, value, span)?;
        self.store(target, Value::Int(result, ty), span)
    }

    fn step(&mut self, step: Step, place: &Tree, span: Span) -> Outcome<Value> {
        let target = self.place(place)?;
        let old = self.load(target.clone(), place.span)?;
        let op = if step.up { Binary::Add } else { Binary::Sub };
        let one = Value::Int(Expr::Int(1), IntType::INT);
        if let Value::Pointer(pointer, ty) = old {
            let kept = PointerValue {
                offset: self.keep(
                    pointer.offset.clone(),
                    IntType::difference(self.settings.model),
                ),
                ..pointer.clone()
            };
            let moved = self.pointer_binary(op, Value::Pointer(pointer, ty.clone()), one, span)?;
            let new = self.store(target, moved, span)?;
            return Ok(if step.before {
                new
            } else {
                Value::Pointer(kept, ty)
            });
        }
        let (old, ty) = self.as_number(old, place.span)?;
        if ty.rank == Rank::Bool {
            return self.refuse(
                Code::Operator,
                span,
                "unsupported: ++ and -- of a truth value",
            );
        }
        let old = if step.before { old } else { self.keep(old, ty) };
        let (result, wide) =
            self.binary(op, (old.clone(), ty), (Expr::Int(1), IntType::INT), span)?;
        let new = self.store(target, Value::Int(result, wide), span)?;
        Ok(if step.before {
            new
        } else {
            Value::Int(old, ty)
        })
    }

    /// `sizeof e`
    fn size_of_expr(&mut self, e: &Tree, span: Span) -> Outcome<Value> {
        let ty = match &e.kind {
            ExprKind::Text(bytes) => {
                let length = Length::Const(bytes.len() as i128 + 1);
                CType::Array(Rc::new(CType::Int(IntType::CHAR)), length)
            }
            _ => self.type_of(e)?,
        };
        self.size_of(&ty, span)
    }

    /// The size of a type as a value.
    pub(super) fn size_of(&mut self, ty: &CType, span: Span) -> Outcome<Value> {
        let size = IntType::size(self.settings.model);
        if let Some(n) = ty.size(self.settings.model) {
            return Ok(Value::Int(Expr::Int(n), size));
        }
        if let CType::Array(element, Length::Var(length)) = ty
            && let Some(n) = element.size(self.settings.model)
        {
            let length = self.convert(Expr::Var(*length), size);
            return Ok(Value::Int(
                Expr::arith(Arith::Mul, size, length, Expr::Int(n)),
                size,
            ));
        }
        self.refuse(
            Code::Type,
            span,
            format!("unsupported: the size of {}", ty.name()),
        )
    }

    /// Records an assertion.
    pub(super) fn assertion(&mut self, kind: CheckKind, e: &Tree, span: Span) -> Outcome<()> {
        let holds = self.truth(e)?;
        self.check(kind, holds, span);
        Ok(())
    }
}

fn bool_value(e: Expr) -> Value {
    Value::Int(Expr::from_bool(e), IntType::INT)
}
