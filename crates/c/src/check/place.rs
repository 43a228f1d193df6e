//! Places: what an expression designates, and storing there.

use super::ctype::CType;
use super::lower::Lowering;
use super::scope::Binding;
use super::value::{Place, PointerValue, Shape, Slot, Target, Value, same_target};
use crate::error::{Code, Outcome, Span};
use crate::program::{Arith, CheckKind, Compare, Expr, IntType, Length, Op, Rank, VarId, VarType};
use crate::syntax::tree::{Expr as Tree, ExprKind, Unary};

impl Lowering {
    /// What an expression designates.
    pub(super) fn place(&mut self, e: &Tree) -> Outcome<Place> {
        match &e.kind {
            ExprKind::Name(name) => match self.scopes.find(name).cloned() {
                Some(Binding::Object(shape, ty)) => Ok(Place {
                    shape,
                    indices: Vec::new(),
                    ty,
                    freed: None,
                }),
                Some(_) => self.refuse(Code::Meaning, e.span, format!("{name} cannot be assigned")),
                None => self.refuse(Code::Meaning, e.span, format!("{name} is not declared")),
            },
            ExprKind::Index(a, i) => {
                let base = self.left_value(a, i)?;
                let (index, _) = self.number(i)?;
                match base {
                    Value::Pointer(pointer, _) => self.element(pointer, index, e.span),
                    _ => self.refuse(
                        Code::Meaning,
                        a.span,
                        "only arrays and pointers have elements",
                    ),
                }
            }
            ExprKind::Unary(Unary::Deref, a) => match self.value(a)? {
                Value::Pointer(pointer, _) => self.element(pointer, Expr::ZERO, e.span),
                _ => self.refuse(Code::Meaning, a.span, "only pointers can be followed"),
            },
            ExprKind::Member(a, name) => {
                let place = self.place(a)?;
                self.member(place, name, e.span)
            }
            ExprKind::Cast(_, _) => {
                self.refuse(Code::Operator, e.span, "unsupported: assignment to a cast")
            }
            _ => match self.value(e)? {
                Value::Object(place) => Ok(place),
                _ => self.refuse(
                    Code::Meaning,
                    e.span,
                    "this designates nothing that is stored",
                ),
            },
        }
    }

    fn member(&mut self, place: Place, name: &str, span: Span) -> Outcome<Place> {
        let (CType::Struct(ty), Shape::Struct(fields)) = (&place.ty, &place.shape) else {
            if let Shape::Refused(what) = place.shape {
                return self.refuse(Code::Type, span, format!("unsupported: {what}"));
            }
            return self.refuse(
                Code::Meaning,
                span,
                format!("{} has no members", place.ty.name()),
            );
        };
        let found = fields
            .iter()
            .zip(&ty.members)
            .find(|((field, _), _)| field == name);
        let Some(((_, shape), (_, ty))) = found else {
            return self.refuse(Code::Meaning, span, format!("there is no member {name}"));
        };
        Ok(Place {
            shape: shape.clone(),
            ty: ty.clone(),
            ..place
        })
    }

    /// The element of a pointer at an index, with its checks.
    pub(super) fn element(
        &mut self,
        pointer: PointerValue,
        index: Expr,
        span: Span,
    ) -> Outcome<Place> {
        let Some(target) = pointer.target else {
            if pointer.null == Expr::Bool(true) {
                self.check(CheckKind::Null, Expr::Bool(false), span);
            }
            let message = "unsupported: a pointer whose object is not known here";
            return self.refuse(Code::Pointer, span, message);
        };
        self.check(CheckKind::Null, Expr::not(pointer.null), span);
        if let Some(freed) = target.freed.filter(|_| self.frees) {
            self.check(
                CheckKind::Freed,
                Expr::equals(Expr::Var(freed), Expr::ZERO),
                span,
            );
        }
        let at = Expr::arith(Arith::Add, IntType::EXACT, pointer.offset, index);
        let mut indices = target.prefix.clone();
        let inside = match target.length {
            None => Expr::equals(at, Expr::ZERO),
            Some(length) => {
                indices.push(at.clone());
                let low = Expr::compare(Compare::Le, Expr::ZERO, at.clone());
                let high = match length {
                    Length::Const(n) => Expr::compare(Compare::Lt, at, Expr::Int(n)),
                    Length::Var(n) => Expr::compare(Compare::Lt, at, Expr::Var(n)),
                    Length::Unknown => Expr::Bool(true),
                };
                Expr::and(low, high)
            }
        };
        self.check(CheckKind::Bounds, inside, span);
        let Target {
            shape,
            element,
            freed,
            ..
        } = target;
        Ok(Place {
            shape,
            indices,
            ty: element,
            freed,
        })
    }

    /// An array as a pointer to its first element.
    pub(super) fn decay(&self, place: &Place, element: CType, length: Length) -> Value {
        let target = Target {
            shape: place.shape.clone(),
            prefix: place.indices.clone(),
            length: Some(length),
            element: element.clone(),
            freed: place.freed,
        };
        let pointer = PointerValue {
            target: Some(target),
            offset: Expr::ZERO,
            null: Expr::Bool(false),
        };
        Value::Pointer(pointer, CType::Pointer(std::rc::Rc::new(element)))
    }

    /// `&e`
    pub(super) fn address(&mut self, e: &Tree, span: Span) -> Outcome<Value> {
        if let ExprKind::Unary(Unary::Deref, inner) = &e.kind {
            return self.value(inner);
        }
        if let ExprKind::Index(a, i) = &e.kind {
            // The element behind the last one has an address, so there is no check of bounds here.
            let base = self.left_value(a, i)?;
            let index = self.value(i)?;
            return self.pointer_binary(crate::syntax::tree::Binary::Add, base, index, span);
        }
        let place = self.place(e)?;
        let element = place.ty.clone();
        let target = Target {
            shape: place.shape,
            prefix: place.indices,
            length: None,
            element: element.clone(),
            freed: place.freed,
        };
        let pointer = PointerValue {
            target: Some(target),
            offset: Expr::ZERO,
            null: Expr::Bool(false),
        };
        Ok(Value::Pointer(
            pointer,
            CType::Pointer(std::rc::Rc::new(element)),
        ))
    }

    /// A place whose indices do not change when something happens in between.
    pub(super) fn keep_place(&mut self, place: Place) -> Place {
        let ty = IntType::difference(self.settings.model);
        let indices = place
            .indices
            .iter()
            .map(|i| self.keep(i.clone(), ty))
            .collect();
        Place { indices, ..place }
    }

    /// Stores a value and gives it back, converted to the type of the place.
    pub(super) fn store(&mut self, place: Place, value: Value, span: Span) -> Outcome<Value> {
        match (&place.ty, &place.shape) {
            (_, Shape::Refused(what)) => {
                self.refuse(Code::Type, span, format!("unsupported: {what}"))
            }
            (CType::Int(ty), Shape::Leaf(var)) => {
                let (ty, var) = (*ty, *var);
                self.store_number(var, ty, place.indices, value, span)
            }
            (CType::Pointer(_), Shape::Pointer(slot)) => {
                let (slot, ty) = (*slot, place.ty.clone());
                let value = self.as_pointer(value, &ty, span)?;
                self.store_pointer(slot, value, &ty, span)
            }
            (CType::Struct(_), _) => match value {
                Value::Object(from) => {
                    self.copy(&place, &from, span)?;
                    Ok(Value::Object(place))
                }
                _ => self.refuse(Code::Meaning, span, "a struct is expected"),
            },
            (CType::Array(..), _) => self.refuse(
                Code::Meaning,
                span,
                "an array cannot be assigned; declare a pointer for memory from malloc",
            ),
            (ty, _) => self.refuse(
                Code::Type,
                span,
                format!("unsupported: assignment to {}", ty.name()),
            ),
        }
    }

    fn store_number(
        &mut self,
        var: VarId,
        ty: IntType,
        indices: Vec<Expr>,
        value: Value,
        span: Span,
    ) -> Outcome<Value> {
        let number = match value {
            Value::Pointer(p, _) if ty.rank == Rank::Bool => Expr::from_bool(Expr::not(p.null)),
            value => {
                let (number, _) = self.as_number(value, span)?;
                self.convert(number, ty)
            }
        };
        let stored = if indices.is_empty() {
            self.flow.push(Op::Assign(var, number.clone()));
            Expr::Var(var)
        } else {
            self.flow
                .push(Op::Store(var, indices.clone(), number.clone()));
            Expr::Cell(var, indices)
        };
        // The number was written over what it reads: what is stored now is the value.
        Ok(Value::Int(
            if reads(&number, var) { stored } else { number },
            ty,
        ))
    }

    fn store_pointer(
        &mut self,
        slot: usize,
        value: PointerValue,
        ty: &CType,
        span: Span,
    ) -> Outcome<Value> {
        let Slot {
            target,
            offset,
            null,
        } = self.slots[slot].clone();
        if let Some(new) = &value.target {
            match &target {
                None => {
                    let wide = IntType::difference(self.settings.model);
                    let prefix = new
                        .prefix
                        .iter()
                        .map(|i| self.keep(i.clone(), wide))
                        .collect();
                    self.slots[slot].target = Some(Target {
                        prefix,
                        ..new.clone()
                    });
                }
                Some(old) if same_target(old, new) => {}
                Some(_) => {
                    let message = "unsupported: a pointer that may point to several objects";
                    return self.refuse(Code::Pointer, span, message);
                }
            }
        }
        self.flow.push(Op::Assign(offset, value.offset));
        self.flow
            .push(Op::Assign(null, Expr::from_bool(value.null)));
        let stored = PointerValue {
            target: self.slots[slot].target.clone(),
            offset: Expr::Var(offset),
            null: Expr::truth(Expr::Var(null)),
        };
        Ok(Value::Pointer(stored, ty.clone()))
    }

    /// Copies a struct, member by member.
    fn copy(&mut self, to: &Place, from: &Place, span: Span) -> Outcome<()> {
        let (CType::Struct(a), CType::Struct(b)) = (&to.ty, &from.ty) else {
            return self.refuse(Code::Meaning, span, "a struct is expected");
        };
        if !std::rc::Rc::ptr_eq(a, b) {
            return self.refuse(Code::Meaning, span, "structs of two types");
        }
        for (name, ty) in &a.members.clone() {
            let (target, origin) = (
                self.member(to.clone(), name, span)?,
                self.member(from.clone(), name, span)?,
            );
            match ty {
                CType::Struct(_) => self.copy(&target, &origin, span)?,
                CType::Array(..) => self.copy_array(&target, &origin, span)?,
                _ => {
                    let value = self.load(origin, span)?;
                    self.store(target, value, span)?;
                }
            }
        }
        Ok(())
    }

    fn copy_array(&mut self, to: &Place, from: &Place, span: Span) -> Outcome<()> {
        match (&to.shape, &from.shape) {
            (Shape::Leaf(a), Shape::Leaf(b))
                if to.indices.is_empty() && from.indices.is_empty() =>
            {
                if let VarType::Array(..) = self.vars[a.index()].ty {
                    self.flow.push(Op::Copy(*a, *b));
                }
                Ok(())
            }
            _ => self.refuse(
                Code::Type,
                span,
                "unsupported: copying arrays inside arrays of structs",
            ),
        }
    }
}

fn reads(e: &Expr, var: VarId) -> bool {
    let mut found = false;
    e.each_var(&mut |v| found |= v == var);
    found
}
