//! Types as they are written, resolved.

use std::cell::OnceCell;
use std::rc::Rc;

use super::arith::constant;
use super::ctype::{CType, Signature, StructType};
use super::lower::Lowering;
use super::scope::Binding;
use super::value::Value;
use crate::error::{Code, Outcome, Span};
use crate::program::{CheckKind, Compare, Expr, IntType, Length, Rank};
use crate::syntax::tree::{Base, Derived, Expr as Tree, ExprKind, Member, Size, TypeName};

impl Lowering {
    /// The type of a written type. Lengths of variable arrays are evaluated here.
    pub(super) fn type_of_name(&mut self, name: &TypeName) -> Outcome<CType> {
        let mut ty = self.base_type(&name.base, name.span)?;
        for derived in name.derived.iter().rev() {
            ty = match derived {
                Derived::Pointer => CType::Pointer(Rc::new(ty)),
                Derived::Array(size) => {
                    let length = match size {
                        Some(size) => self.length(size)?,
                        None => Length::Unknown,
                    };
                    CType::Array(Rc::new(ty), length)
                }
                Derived::Function(_) => CType::Function(Rc::new(Signature { result: ty })),
            };
        }
        Ok(ty)
    }

    fn base_type(&mut self, base: &Base, span: Span) -> Outcome<CType> {
        let model = self.settings.model;
        Ok(match base {
            Base::Void => CType::Void,
            Base::Bool => CType::Int(IntType::BOOL),
            Base::Integer { unsigned, size } => {
                let rank = match size {
                    Size::Char => Rank::Char,
                    Size::Short => Rank::Short,
                    Size::Int => Rank::Int,
                    Size::Long => Rank::Long,
                    Size::LongLong => Rank::LongLong,
                };
                let make = if *unsigned {
                    IntType::unsigned
                } else {
                    IntType::signed
                };
                CType::Int(make(rank, model))
            }
            Base::Float => CType::Refused("floating-point numbers"),
            Base::Struct(tag, members) => {
                self.struct_type(tag.as_deref(), members.as_deref(), span)?
            }
            Base::Enum(constants) => {
                self.enumeration(constants)?;
                CType::Int(IntType::INT)
            }
            Base::Named(name) => match self.scopes.find(name) {
                Some(Binding::Typedef(ty)) => ty.clone(),
                None if name == "__builtin_va_list" => CType::Refused("variable arguments"),
                _ => return self.refuse(Code::Meaning, span, format!("{name} is not a type")),
            },
            Base::TypeOf(e) => self.type_of(e)?,
            Base::Refused(what) => CType::Refused(what),
        })
    }

    fn struct_type(
        &mut self,
        tag: Option<&str>,
        members: Option<&[Member]>,
        span: Span,
    ) -> Outcome<CType> {
        let Some(members) = members else {
            return Ok(match tag.and_then(|t| self.scopes.find_tag(t)) {
                Some(ty) => CType::Struct(ty),
                None => CType::Refused("a struct that is not defined before its use"),
            });
        };
        let mut list = Vec::new();
        for member in members {
            let ty = self.type_of_name(&member.ty)?;
            if list.iter().any(|(name, _)| *name == member.name) {
                return self.refuse(Code::Meaning, span, format!("two members {}", member.name));
            }
            list.push((member.name.clone(), ty));
        }
        let ty = Rc::new(StructType {
            tag: tag.unwrap_or("").to_owned(),
            alias: OnceCell::new(),
            members: list,
        });
        if let Some(tag) = tag {
            self.scopes.declare_tag(tag, ty.clone());
        }
        Ok(CType::Struct(ty))
    }

    fn enumeration(&mut self, constants: &[(String, Option<Tree>, Span)]) -> Outcome<()> {
        let mut next = 0;
        for (name, value, span) in constants {
            if let Some(value) = value {
                let Some(number) = self.constant_value(value)? else {
                    return self.refuse(Code::Meaning, *span, format!("{name} is not a constant"));
                };
                next = number;
            }
            self.scopes.declare(name, Binding::Constant(next));
            next += 1;
        }
        Ok(())
    }

    /// The value of an expression if it is a constant.
    pub(super) fn constant_value(&mut self, e: &Tree) -> Outcome<Option<i128>> {
        match self.dry(e)? {
            Some(Value::Int(value, _)) => Ok(constant(&value)),
            _ => Ok(None),
        }
    }

    /// The length of an array from its brackets.
    fn length(&mut self, size: &Tree) -> Outcome<Length> {
        if let Some(n) = self.constant_value(size)? {
            if n < 0 {
                return self.refuse(
                    Code::Meaning,
                    size.span,
                    "the length of an array is negative",
                );
            }
            return Ok(Length::Const(n));
        }
        if self.frames.is_empty() {
            return self.refuse(
                Code::Meaning,
                size.span,
                "the length of this array must be a constant",
            );
        }
        let (value, ty) = self.number(size)?;
        let positive = Expr::compare(Compare::Lt, Expr::ZERO, value.clone());
        self.check(CheckKind::ArrayLength, positive, size.span);
        if let (ExprKind::Name(name), Expr::Var(var), Some(frame)) =
            (&size.kind, &value, self.frames.last())
            && self.loop_depth == 0
            && self.effects.frozen(name, &frame.name, size.span)
        {
            return Ok(Length::Var(*var));
        }
        let var = self.temporary("length", ty);
        self.flow.push(crate::program::Op::Assign(var, value));
        Ok(Length::Var(var))
    }

    /// The type of an expression, which is not evaluated.
    pub(super) fn type_of(&mut self, e: &Tree) -> Outcome<CType> {
        if let Some(ty) = self.dry_place(e)? {
            return Ok(ty);
        }
        match self.dry(e)? {
            Some(Value::Int(_, ty)) => Ok(CType::Int(ty)),
            Some(Value::Pointer(_, ty)) => Ok(ty),
            Some(Value::Object(place)) => Ok(place.ty),
            _ => self.refuse(
                Code::Operator,
                e.span,
                "unsupported: the type of an expression with effects",
            ),
        }
    }
}
