//! Initialisers.
//!
//! What a list does not mention is zero. Inner braces may be left out for arrays and structs of
//! numbers only at the outermost level of nesting they have braces for; other elisions are refused.

use super::ctype::CType;
use super::lower::Lowering;
use super::value::{Place, PointerValue, Shape, Target, Value};
use crate::error::{Code, Outcome, Span};
use crate::program::{Expr, IntType, Length, Op, VarType};
use crate::syntax::tree::{Designator, ExprKind, Init};

type Items = [(Vec<Designator>, Init)];

impl Lowering {
    /// Gives an object the value of its initialiser.
    pub(super) fn initialise(&mut self, shape: &Shape, ty: &CType, init: &Init) -> Outcome<()> {
        let place = Place {
            shape: shape.clone(),
            indices: Vec::new(),
            ty: ty.clone(),
            freed: None,
        };
        match (ty, init) {
            (CType::Array(element, _), Init::Value(e)) => {
                let (ExprKind::Text(bytes), CType::Int(_), Shape::Leaf(var)) =
                    (&e.kind, &**element, shape)
                else {
                    return self.refuse(Code::Meaning, e.span, "an array needs a list in braces");
                };
                self.flow.push(Op::Fill(*var, 0));
                self.bytes(*var, bytes);
                Ok(())
            }
            (CType::Array(..) | CType::Struct(_), Init::List(items, span)) => {
                self.zero(shape);
                self.list(&place, items, *span)
            }
            (_, Init::List(items, span)) => match items.as_slice() {
                [(path, Init::Value(_))] if path.is_empty() => {
                    self.initialise(shape, ty, &items[0].1)
                }
                _ => self.refuse(Code::Meaning, *span, "one value is expected"),
            },
            (_, Init::Value(e)) => {
                let value = self.full(e)?;
                self.store(place, value, e.span).map(|_| ())
            }
        }
    }

    fn bytes(&mut self, var: crate::program::VarId, bytes: &[u8]) {
        for (i, &byte) in bytes.iter().enumerate() {
            let value = self.vars[var.index()]
                .ty
                .element()
                .convert(i128::from(byte));
            self.flow
                .push(Op::Store(var, vec![Expr::Int(i as i128)], Expr::Int(value)));
        }
    }

    /// The items of a list at a place that is zero already.
    fn list(&mut self, place: &Place, items: &Items, span: Span) -> Outcome<()> {
        let mut next = 0i128;
        for (path, item) in items {
            match path.as_slice() {
                [] => {}
                [Designator::Index(e)] => match self.constant_value(e)? {
                    Some(n) => next = n,
                    None => {
                        return self.refuse(Code::Meaning, span, "the index must be a constant");
                    }
                },
                [Designator::Member(name)] => next = self.member_number(place, name, span)?,
                _ => return self.refuse(Code::Operator, span, "unsupported: this designator"),
            }
            let part = self.part(place, next, span)?;
            self.item(&part, item, span)?;
            next += 1;
        }
        Ok(())
    }

    fn item(&mut self, part: &Place, item: &Init, span: Span) -> Outcome<()> {
        match (&part.ty, item) {
            (CType::Array(..) | CType::Struct(_), Init::List(items, span)) => {
                self.list(part, items, *span)
            }
            (CType::Array(..), Init::Value(_)) => self.refuse(
                Code::Operator,
                span,
                "unsupported: an initialiser without its inner braces",
            ),
            (CType::Struct(_), Init::Value(e)) => {
                let value = self.full(e)?;
                if !matches!(value, Value::Object(_)) {
                    return self.refuse(
                        Code::Operator,
                        span,
                        "unsupported: an initialiser without its inner braces",
                    );
                }
                self.store(part.clone(), value, e.span).map(|_| ())
            }
            (_, Init::Value(e)) => {
                let value = self.full(e)?;
                self.store(part.clone(), value, e.span).map(|_| ())
            }
            (_, Init::List(items, span)) => match items.as_slice() {
                [(path, inner)] if path.is_empty() => self.item(part, inner, *span),
                _ => self.refuse(Code::Meaning, *span, "one value is expected"),
            },
        }
    }

    fn part(&mut self, place: &Place, number: i128, span: Span) -> Outcome<Place> {
        match (&place.ty, &place.shape) {
            (CType::Array(element, length), _) => {
                let inside = match length {
                    Length::Const(n) => number < *n,
                    _ => {
                        return self.refuse(
                            Code::Meaning,
                            span,
                            "an array of variable length has no list",
                        );
                    }
                };
                if !inside || number < 0 {
                    return self.refuse(Code::Meaning, span, "more values than elements");
                }
                let mut indices = place.indices.clone();
                indices.push(Expr::Int(number));
                Ok(Place {
                    indices,
                    ty: (**element).clone(),
                    ..place.clone()
                })
            }
            (CType::Struct(s), Shape::Struct(fields)) => {
                let at = usize::try_from(number).unwrap_or(usize::MAX);
                match (s.members.get(at), fields.get(at)) {
                    (Some((_, ty)), Some((_, shape))) => Ok(Place {
                        shape: shape.clone(),
                        ty: ty.clone(),
                        ..place.clone()
                    }),
                    _ => self.refuse(Code::Meaning, span, "more values than members"),
                }
            }
            _ => self.refuse(Code::Type, span, "unsupported: a list for this type"),
        }
    }

    fn member_number(&self, place: &Place, name: &str, span: Span) -> Outcome<i128> {
        let CType::Struct(s) = &place.ty else {
            return self.refuse(Code::Meaning, span, format!("there is no member {name}"));
        };
        match s.members.iter().position(|(member, _)| member == name) {
            Some(at) => Ok(at as i128),
            None => self.refuse(Code::Meaning, span, format!("there is no member {name}")),
        }
    }

    /// How many elements a list fills.
    pub(super) fn list_length(&mut self, items: &Items) -> Outcome<i128> {
        let (mut next, mut most) = (0i128, 0i128);
        for (path, _) in items {
            if let [Designator::Index(e), ..] = path.as_slice()
                && let Some(n) = self.constant_value(e)?
            {
                next = n;
            }
            next += 1;
            most = most.max(next);
        }
        Ok(most)
    }

    /// A string literal as a value: an array of its own.
    pub(super) fn literal(&mut self, bytes: &[u8], span: Span) -> Outcome<Value> {
        let length = Length::Const(bytes.len() as i128 + 1);
        let var = self.new_var("text", VarType::Array(IntType::CHAR, 1), vec![length]);
        self.vars[var.index()].origin = crate::program::Origin::Made;
        self.flow.push(Op::Fill(var, 0));
        self.bytes(var, bytes);
        let _ = span;
        let element = CType::Int(IntType::CHAR);
        let target = Target {
            shape: Shape::Leaf(var),
            prefix: Vec::new(),
            length: Some(length),
            element: element.clone(),
            freed: None,
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
}
