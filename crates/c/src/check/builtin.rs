//! Functions that mean something by their name: inputs, assumptions, assertions, errors, memory.
//!
//! A function the file defines itself is its own definition, except `reach_error`, which is the
//! error whatever its body says.

use super::ctype::CType;
use super::lower::Lowering;
use super::scope::Binding;
use super::value::{Contents, Value};
use crate::error::{Code, Outcome, Span};
use crate::program::{Arith, CheckKind, Expr, InputKind, IntType, Op, Rank, VarType};
use crate::syntax::tree::{Expr as Tree, ExprKind};

/// What a name means where there is no body.
pub(super) enum Meaning {
    Input,
    Assume,
    Assert,
    Error,
    Stop,
    Allocate,
    AllocateZeroed,
    Free,
    Print,
    Expect,
    Unreachable,
}

pub(super) fn meaning(name: &str) -> Option<Meaning> {
    let input = ["__VERIFIER_nondet_", "nondet", "non_det", "nd_", "unknown"];
    Some(match name {
        "assume" | "__VERIFIER_assume" | "__CPROVER_assume" | "assume_abort_if_not" => {
            Meaning::Assume
        }
        "assert" | "sassert" | "__VERIFIER_assert" | "__CPROVER_assert" | "static_assert" => {
            Meaning::Assert
        }
        "reach_error" | "__VERIFIER_error" | "__assert_fail" | "__assert" | "__assert_rtn" => {
            Meaning::Error
        }
        "abort" | "exit" | "_exit" | "_Exit" => Meaning::Stop,
        "__builtin_unreachable" => Meaning::Unreachable,
        "malloc" | "alloca" | "__builtin_alloca" => Meaning::Allocate,
        "calloc" => Meaning::AllocateZeroed,
        "free" => Meaning::Free,
        "printf" | "puts" | "putchar" | "srand" => Meaning::Print,
        "__builtin_expect" => Meaning::Expect,
        "nd" | "rand" => Meaning::Input,
        _ if input.iter().any(|prefix| name.starts_with(prefix)) => Meaning::Input,
        _ => return None,
    })
}

impl Lowering {
    /// The value of a call of such a function; none where the call is an ordinary one.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        args: &[Tree],
        span: Span,
    ) -> Outcome<Option<Value>> {
        if self.defs.contains_key(name) && name != "reach_error" {
            return Ok(None);
        }
        let Some(meaning) = meaning(name) else {
            return Ok(None);
        };
        let value = match meaning {
            Meaning::Allocate
            | Meaning::AllocateZeroed
            | Meaning::Free
            | Meaning::Print
            | Meaning::Expect => self.library(&meaning, name, args, span)?,
            _ => self.verification(&meaning, name, args, span)?,
        };
        Ok(Some(value))
    }

    /// Functions of verifiers: inputs, assumptions, assertions, ends.
    fn verification(
        &mut self,
        meaning: &Meaning,
        name: &str,
        args: &[Tree],
        span: Span,
    ) -> Outcome<Value> {
        Ok(match (meaning, args) {
            (Meaning::Input, args) => {
                for arg in args {
                    self.value(arg)?;
                }
                self.outside(name, span)?
            }
            (Meaning::Assume, [condition]) => {
                let holds = self.truth(condition)?;
                self.flow.push(Op::Assume(holds));
                Value::Void
            }
            (Meaning::Assert, [condition, ..]) => {
                self.assertion(CheckKind::Assertion, condition, span)?;
                Value::Void
            }
            (Meaning::Error, _) => {
                self.check(CheckKind::ErrorCall, Expr::Bool(false), span);
                self.flow.stop();
                Value::Void
            }
            (Meaning::Stop, args) => {
                for arg in args {
                    self.value(arg)?;
                }
                self.flow.stop();
                Value::Void
            }
            (Meaning::Unreachable, _) => {
                self.check(CheckKind::Null, Expr::Bool(false), span);
                self.flow.stop();
                Value::Void
            }
            _ => return self.wrong_arguments(name, span),
        })
    }

    /// Functions of the library: memory and output.
    fn library(
        &mut self,
        meaning: &Meaning,
        name: &str,
        args: &[Tree],
        span: Span,
    ) -> Outcome<Value> {
        Ok(match (meaning, args) {
            (Meaning::Allocate, [size]) => {
                let bytes = self.byte_count(size)?;
                Value::Memory {
                    bytes,
                    contents: Contents::Unknown,
                    span,
                }
            }
            (Meaning::AllocateZeroed, [count, size]) => {
                let (a, b) = (self.byte_count(count)?, self.byte_count(size)?);
                let ty = IntType::size(self.settings.model);
                Value::Memory {
                    bytes: Expr::arith(Arith::Mul, ty, a, b),
                    contents: Contents::Zero,
                    span,
                }
            }
            (Meaning::Free, [pointer]) => {
                self.free(pointer, span)?;
                Value::Void
            }
            (Meaning::Print, args) => {
                for arg in args.iter().filter(|a| !matches!(a.kind, ExprKind::Text(_))) {
                    self.value(arg)?;
                }
                self.outside_of(IntType::INT, name, span)
            }
            (Meaning::Expect, [value, _]) => self.value(value)?,
            _ => return self.wrong_arguments(name, span),
        })
    }

    fn wrong_arguments(&self, name: &str, span: Span) -> Outcome<Value> {
        self.refuse(
            Code::Meaning,
            span,
            format!("{name} takes another number of arguments"),
        )
    }

    fn byte_count(&mut self, e: &Tree) -> Outcome<Expr> {
        let (value, _) = self.number(e)?;
        Ok(self.convert(value, IntType::size(self.settings.model)))
    }

    fn free(&mut self, pointer: &Tree, span: Span) -> Outcome<()> {
        let Value::Pointer(p, _) = self.value(pointer)? else {
            return self.refuse(Code::Meaning, span, "free of something that is no pointer");
        };
        if p.null == Expr::Bool(true) {
            return Ok(());
        }
        let Some(freed) = p.target.and_then(|t| t.freed) else {
            return self.refuse(
                Code::Pointer,
                span,
                "unsupported: free of memory that is not from malloc",
            );
        };
        let alive = Expr::equals(Expr::Var(freed), Expr::ZERO);
        let base = Expr::equals(p.offset, Expr::ZERO);
        let null = p.null.clone();
        self.check(
            CheckKind::Freed,
            Expr::or(null.clone(), Expr::and(alive, base)),
            span,
        );
        let after = Expr::Choose(Box::new([null, Expr::Var(freed), Expr::Int(1)]));
        self.flow.push(Op::Assign(freed, after));
        Ok(())
    }

    /// A value from a function without a body.
    fn outside(&mut self, name: &str, span: Span) -> Outcome<Value> {
        let declared = match self.scopes.find(name) {
            Some(Binding::Function(CType::Function(f))) => Some(f.result.clone()),
            _ => None,
        };
        let ty = match declared {
            Some(CType::Int(ty)) => ty,
            Some(CType::Void) => return Ok(Value::Void),
            Some(CType::Refused("floating-point numbers")) => {
                return self.refuse(Code::Float, span, "unsupported: floating-point numbers");
            }
            Some(other) => {
                let message = format!("unsupported: an input of type {}", other.name());
                return self.refuse(Code::Pointer, span, message);
            }
            None => {
                let ty = self.undeclared_type(name);
                if self.undeclared.iter().all(|(known, _)| known != name) {
                    self.undeclared.push((name.to_owned(), ty));
                }
                ty
            }
        };
        let value = self.outside_of(ty, name, span);
        if let (Value::Int(number, _), "rand") = (&value, name) {
            let positive = Expr::compare(crate::program::Compare::Le, Expr::ZERO, number.clone());
            self.flow.push(Op::Assume(positive));
        }
        Ok(value)
    }

    fn undeclared_type(&self, name: &str) -> IntType {
        let model = self.settings.model;
        let (rank, signed) = match name.strip_prefix("__VERIFIER_nondet_").unwrap_or("int") {
            "bool" => (Rank::Bool, false),
            "char" => (Rank::Char, true),
            "uchar" => (Rank::Char, false),
            "short" => (Rank::Short, true),
            "ushort" => (Rank::Short, false),
            "uint" | "unsigned_int" | "unsigned" => (Rank::Int, false),
            "long" => (Rank::Long, true),
            "ulong" => (Rank::Long, false),
            "longlong" => (Rank::LongLong, true),
            "ulonglong" => (Rank::LongLong, false),
            _ => (Rank::Int, true),
        };
        if signed {
            IntType::signed(rank, model)
        } else {
            IntType::unsigned(rank, model)
        }
    }

    fn outside_of(&mut self, ty: IntType, name: &str, span: Span) -> Value {
        let var = self.new_var("input", VarType::Int(ty), Vec::new());
        self.vars[var.index()].origin = crate::program::Origin::Made;
        self.input(var, InputKind::Call(name.to_owned()), span);
        Value::Int(Expr::Var(var), ty)
    }

    /// A call of a function that has neither a body nor a meaning.
    pub(super) fn bodyless(&mut self, name: &str, args: &[Tree], span: Span) -> Outcome<Value> {
        if !self.settings.extern_inputs {
            let message =
                format!("unsupported: {name} has no body (--extern nondet makes it an input)");
            return self.refuse(Code::Function, span, message);
        }
        for arg in args {
            if !matches!(self.value(arg)?, Value::Int(..)) {
                let message = format!("unsupported: a pointer given to {name}, which has no body");
                return self.refuse(Code::Function, span, message);
            }
        }
        self.outside(name, span)
    }
}
