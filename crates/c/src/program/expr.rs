//! Expressions without effects, every conversion explicit.
//!
//! A node is a number or a truth value. Numbers are mathematical integers; an operation that names
//! an unsigned type reduces its result, one that names a signed type is exact and has a check of
//! its range in front of it.

use super::VarId;
use super::types::IntType;

/// Operations on two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arith {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, towards zero.
    Div,
    /// `%`, the sign of the dividend.
    Rem,
    /// Division towards minus infinity by a positive constant.
    FloorDiv,
    /// The remainder of `FloorDiv`.
    FloorRem,
}

/// Comparisons of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `==`
    Eq,
}

/// Which quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// For all.
    Forall,
    /// There is.
    Exists,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A number.
    Int(i128),
    /// A truth value.
    Bool(bool),
    /// The value of a variable.
    Var(VarId),
    /// A cell of an array.
    Cell(VarId, Vec<Expr>),
    /// An operation in a type.
    Arith(Arith, IntType, Box<[Expr; 2]>),
    /// A number converted to a type.
    Convert(IntType, Box<Expr>),
    /// A comparison.
    Compare(Compare, Box<[Expr; 2]>),
    /// Negation.
    Not(Box<Expr>),
    /// Conjunction.
    And(Vec<Expr>),
    /// Disjunction.
    Or(Vec<Expr>),
    /// The first if the condition holds, else the second: numbers.
    Choose(Box<[Expr; 3]>),
    /// 1 or 0.
    FromBool(Box<Expr>),
    /// Over mathematical integers; only in annotations.
    Quantified(Quantifier, Vec<VarId>, Box<Expr>),
}

impl Expr {
    /// The number 0.
    pub const ZERO: Expr = Expr::Int(0);

    /// `a op b`.
    pub fn compare(op: Compare, a: Expr, b: Expr) -> Expr {
        if let (Expr::Int(x), Expr::Int(y)) = (&a, &b) {
            return Expr::Bool(match op {
                Compare::Lt => x < y,
                Compare::Le => x <= y,
                Compare::Eq => x == y,
            });
        }
        Expr::Compare(op, Box::new([a, b]))
    }

    /// `a = b`.
    pub fn equals(a: Expr, b: Expr) -> Expr {
        Expr::compare(Compare::Eq, a, b)
    }

    /// `least <= a && a <= greatest`.
    pub fn between(least: i128, a: Expr, greatest: i128) -> Expr {
        let low = Expr::compare(Compare::Le, Expr::Int(least), a.clone());
        Expr::and(low, Expr::compare(Compare::Le, a, Expr::Int(greatest)))
    }

    /// The negation.
    #[expect(
        clippy::should_implement_trait,
        reason = "a constructor, not an operator"
    )]
    pub fn not(a: Expr) -> Expr {
        match a {
            Expr::Bool(b) => Expr::Bool(!b),
            Expr::Not(inner) => *inner,
            a => Expr::Not(Box::new(a)),
        }
    }

    /// The conjunction.
    pub fn and(a: Expr, b: Expr) -> Expr {
        match (a, b) {
            (Expr::Bool(true), x) | (x, Expr::Bool(true)) => x,
            (Expr::Bool(false), _) | (_, Expr::Bool(false)) => Expr::Bool(false),
            (Expr::And(mut list), x) => {
                list.push(x);
                Expr::And(list)
            }
            (a, b) => Expr::And(vec![a, b]),
        }
    }

    /// The disjunction.
    pub fn or(a: Expr, b: Expr) -> Expr {
        match (a, b) {
            (Expr::Bool(false), x) | (x, Expr::Bool(false)) => x,
            (Expr::Bool(true), _) | (_, Expr::Bool(true)) => Expr::Bool(true),
            (Expr::Or(mut list), x) => {
                list.push(x);
                Expr::Or(list)
            }
            (a, b) => Expr::Or(vec![a, b]),
        }
    }

    /// A truth value as a number.
    pub fn from_bool(a: Expr) -> Expr {
        match a {
            Expr::Bool(b) => Expr::Int(i128::from(b)),
            a => Expr::FromBool(Box::new(a)),
        }
    }

    /// A number as a truth value.
    pub fn truth(a: Expr) -> Expr {
        match a {
            Expr::FromBool(inner) => *inner,
            Expr::Int(n) => Expr::Bool(n != 0),
            a => Expr::not(Expr::equals(a, Expr::ZERO)),
        }
    }

    /// An operation, folded where both operands are known and the result is defined.
    pub fn arith(op: Arith, ty: IntType, a: Expr, b: Expr) -> Expr {
        if let (Expr::Int(x), Expr::Int(y)) = (&a, &b)
            && let Some(value) = compute(op, ty, *x, *y)
        {
            return Expr::Int(value);
        }
        match (op, &a, &b) {
            (Arith::Add | Arith::Sub, _, Expr::Int(0)) | (Arith::Mul, _, Expr::Int(1)) => a,
            (Arith::Add, Expr::Int(0), _) | (Arith::Mul, Expr::Int(1), _) => b,
            _ => Expr::Arith(op, ty, Box::new([a, b])),
        }
    }

    /// The parts of the expression.
    pub fn children(&self) -> &[Expr] {
        match self {
            Expr::Int(_) | Expr::Bool(_) | Expr::Var(_) => &[],
            Expr::Cell(_, list) | Expr::And(list) | Expr::Or(list) => list,
            Expr::Arith(_, _, pair) | Expr::Compare(_, pair) => &**pair,
            Expr::Choose(three) => &**three,
            Expr::Convert(_, one)
            | Expr::Not(one)
            | Expr::FromBool(one)
            | Expr::Quantified(_, _, one) => std::slice::from_ref(one),
        }
    }

    /// The parts of the expression, to be changed.
    pub fn children_mut(&mut self) -> &mut [Expr] {
        match self {
            Expr::Int(_) | Expr::Bool(_) | Expr::Var(_) => &mut [],
            Expr::Cell(_, list) | Expr::And(list) | Expr::Or(list) => list,
            Expr::Arith(_, _, pair) | Expr::Compare(_, pair) => &mut **pair,
            Expr::Choose(three) => &mut **three,
            Expr::Convert(_, one)
            | Expr::Not(one)
            | Expr::FromBool(one)
            | Expr::Quantified(_, _, one) => std::slice::from_mut(one),
        }
    }

    /// Calls a function on every variable that is read; what a quantifier binds is not.
    pub fn each_var(&self, visit: &mut dyn FnMut(VarId)) {
        if let Expr::Quantified(_, bound, body) = self {
            body.each_var(&mut |v| {
                if !bound.contains(&v) {
                    visit(v);
                }
            });
            return;
        }
        if let Expr::Var(var) | Expr::Cell(var, _) = self {
            visit(*var);
        }
        for child in self.children() {
            child.each_var(visit);
        }
    }
}

/// The result of an operation on numbers; nothing where it is not defined.
///
/// Unsigned results are reduced; signed ones are exact, also outside of their type.
pub fn compute(op: Arith, ty: IntType, a: i128, b: i128) -> Option<i128> {
    let exact = match op {
        Arith::Add => a.checked_add(b)?,
        Arith::Sub => a.checked_sub(b)?,
        Arith::Mul if ty.signed => a.checked_mul(b)?,
        // 2^bits divides 2^128, so that wrapping first changes nothing.
        Arith::Mul => return Some(reduce(a.wrapping_mul(b), ty)),
        Arith::Div => a.checked_div(b)?,
        Arith::Rem => a.checked_rem(b)?,
        Arith::FloorDiv => (b > 0).then(|| a.div_euclid(b))?,
        Arith::FloorRem => (b > 0).then(|| a.rem_euclid(b))?,
    };
    Some(if ty.signed { exact } else { reduce(exact, ty) })
}

fn reduce(value: i128, ty: IntType) -> i128 {
    value.rem_euclid(1i128 << ty.bits)
}
