//! Pointers: arithmetic, comparison, casts, new memory.

use std::rc::Rc;

use super::ctype::CType;
use super::lower::Lowering;
use super::value::{Contents, PointerValue, Target, Value, same_target};
use crate::error::{Code, Outcome, Span};
use crate::program::{Arith, Compare, Expr, InputKind, IntType, Length, Op};
use crate::syntax::tree::{Binary, Expr as Tree, TypeName};

impl Lowering {
    /// A binary operator with a pointer among its operands.
    pub(super) fn pointer_binary(
        &mut self,
        op: Binary,
        a: Value,
        b: Value,
        span: Span,
    ) -> Outcome<Value> {
        match (op, a, b) {
            (Binary::Add | Binary::Sub, Value::Pointer(p, ty), Value::Int(n, _)) => {
                let way = if op == Binary::Add {
                    Arith::Add
                } else {
                    Arith::Sub
                };
                let offset = Expr::arith(way, IntType::EXACT, p.offset.clone(), n);
                Ok(Value::Pointer(PointerValue { offset, ..p }, ty))
            }
            (Binary::Add, Value::Int(n, _), Value::Pointer(p, ty)) => {
                let offset = Expr::arith(Arith::Add, IntType::EXACT, p.offset.clone(), n);
                Ok(Value::Pointer(PointerValue { offset, ..p }, ty))
            }
            (Binary::Sub, Value::Pointer(p, _), Value::Pointer(q, _)) => {
                self.same_object(&p, &q, span)?;
                let ty = IntType::difference(self.settings.model);
                Ok(Value::Int(
                    Expr::arith(Arith::Sub, ty, p.offset, q.offset),
                    ty,
                ))
            }
            (op, Value::Pointer(p, _), other) | (op, other, Value::Pointer(p, _))
                if matches!(other, Value::Int(Expr::Int(0), _)) =>
            {
                self.null_test(op, p.null, span)
            }
            (op, Value::Pointer(p, _), Value::Pointer(q, _)) => {
                self.compare_pointers(op, p, q, span)
            }
            _ => self.refuse(
                Code::Pointer,
                span,
                "unsupported: this operation on a pointer",
            ),
        }
    }

    fn null_test(&mut self, op: Binary, null: Expr, span: Span) -> Outcome<Value> {
        let truth = match op {
            Binary::Eq => null,
            Binary::Ne => Expr::not(null),
            _ => {
                return self.refuse(
                    Code::Pointer,
                    span,
                    "unsupported: this operation with a null pointer",
                );
            }
        };
        Ok(Value::Int(Expr::from_bool(truth), IntType::INT))
    }

    fn compare_pointers(
        &mut self,
        op: Binary,
        p: PointerValue,
        q: PointerValue,
        span: Span,
    ) -> Outcome<Value> {
        match (&p.target, &q.target) {
            (None, _) if p.null == Expr::Bool(true) => return self.null_test(op, q.null, span),
            (_, None) if q.null == Expr::Bool(true) => return self.null_test(op, p.null, span),
            _ => {}
        }
        self.same_object(&p, &q, span)?;
        let (a, b) = (p.offset, q.offset);
        let equal = Expr::or(
            Expr::and(p.null.clone(), q.null.clone()),
            Expr::and(
                Expr::and(Expr::not(p.null), Expr::not(q.null)),
                Expr::equals(a.clone(), b.clone()),
            ),
        );
        let truth = match op {
            Binary::Eq => equal,
            Binary::Ne => Expr::not(equal),
            Binary::Lt => Expr::compare(Compare::Lt, a, b),
            Binary::Gt => Expr::compare(Compare::Lt, b, a),
            Binary::Le => Expr::compare(Compare::Le, a, b),
            Binary::Ge => Expr::compare(Compare::Le, b, a),
            _ => {
                return self.refuse(
                    Code::Pointer,
                    span,
                    "unsupported: this operation on two pointers",
                );
            }
        };
        Ok(Value::Int(Expr::from_bool(truth), IntType::INT))
    }

    fn same_object(&self, p: &PointerValue, q: &PointerValue, span: Span) -> Outcome<()> {
        match (&p.target, &q.target) {
            (Some(a), Some(b)) if same_target(a, b) => Ok(()),
            _ => self.refuse(
                Code::Pointer,
                span,
                "unsupported: pointers to two objects compared",
            ),
        }
    }

    /// A value as a pointer of a type.
    pub(super) fn as_pointer(
        &mut self,
        value: Value,
        ty: &CType,
        span: Span,
    ) -> Outcome<PointerValue> {
        let CType::Pointer(element) = ty else {
            return self.refuse(Code::Pointer, span, "a pointer is expected");
        };
        match value {
            Value::Int(Expr::Int(0), _) => Ok(PointerValue::null()),
            Value::Pointer(p, CType::Pointer(from)) => {
                let fits = matches!(**element, CType::Void)
                    || matches!(*from, CType::Void)
                    || element.same(&from)
                    || p.target.as_ref().is_some_and(|t| t.element.same(element));
                if !fits && p.target.is_some() {
                    let message =
                        format!("unsupported: {} read as {}", from.name(), element.name());
                    return self.refuse(Code::Pointer, span, message);
                }
                Ok(p)
            }
            Value::Memory {
                bytes,
                contents,
                span,
            } => self.memory(bytes, contents, element.clone(), span),
            _ => self.refuse(
                Code::Pointer,
                span,
                "unsupported: a number used as a pointer",
            ),
        }
    }

    /// New memory as an array of elements of a type.
    fn memory(
        &mut self,
        bytes: Expr,
        contents: Contents,
        element: Rc<CType>,
        span: Span,
    ) -> Outcome<PointerValue> {
        if self.loop_depth > 0 || self.func().index() > 0 {
            return self.refuse(
                Code::Pointer,
                span,
                "unsupported: new memory in a loop or a recursive function",
            );
        }
        let Some(size) = element.size(self.settings.model).filter(|&n| n > 0) else {
            return self.refuse(Code::Pointer, span, "unsupported: new memory of this type");
        };
        let ty = IntType::size(self.settings.model);
        let length = self.temporary("length", ty);
        let count = Expr::arith(Arith::FloorDiv, ty, bytes, Expr::Int(size));
        self.flow.push(Op::Assign(length, count));
        let dims = vec![Length::Var(length)];
        let name = format!("memory{}", self.slots.len());
        let shape = self.shape(&name, &element, &dims, span)?;
        if contents == Contents::Zero {
            self.zero(&shape);
        } else {
            self.unknown(&shape, &InputKind::Memory(element.name()), span);
        }
        let freed = self.temporary("freed", IntType::INT);
        self.flow.push(Op::Assign(freed, Expr::ZERO));
        let target = Target {
            shape,
            prefix: Vec::new(),
            length: Some(Length::Var(length)),
            element: (*element).clone(),
            freed: Some(freed),
        };
        Ok(PointerValue {
            target: Some(target),
            offset: Expr::ZERO,
            null: Expr::Bool(false),
        })
    }

    /// `(T) e`
    pub(super) fn cast(&mut self, ty: &TypeName, e: &Tree, span: Span) -> Outcome<Value> {
        let ty = self.type_of_name(ty)?;
        let value = self.value(e)?;
        match &ty {
            CType::Void => Ok(Value::Void),
            CType::Int(to) => match value {
                Value::Pointer(p, _) if to.rank == crate::program::Rank::Bool => {
                    Ok(Value::Int(Expr::from_bool(Expr::not(p.null)), *to))
                }
                value => {
                    let (number, _) = self.as_number(value, e.span)?;
                    Ok(Value::Int(self.convert(number, *to), *to))
                }
            },
            CType::Pointer(to) => {
                // Memory gets its type when it is stored, unless the cast says one.
                if let (Value::Memory { .. }, CType::Void) = (&value, &**to) {
                    return Ok(value);
                }
                let pointer = self.as_pointer(value, &ty, span)?;
                Ok(Value::Pointer(pointer, ty))
            }
            CType::Refused(what) => self.refuse(Code::Type, span, format!("unsupported: {what}")),
            _ => self.refuse(
                Code::Operator,
                span,
                format!("unsupported: a cast to {}", ty.name()),
            ),
        }
    }
}
