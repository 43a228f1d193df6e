//! Visiting every expression of a tree.

use super::tree::{Derived, Designator, Expr, ExprKind, Init, Stmt, StmtKind, TypeName};

/// Calls a function on an expression and everything in it.
pub fn expr(e: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(e);
    match &e.kind {
        ExprKind::Forall(_, a)
        | ExprKind::Exists(_, a)
        | ExprKind::Member(a, _)
        | ExprKind::SizeOf(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Step(_, a) => {
            expr(a, visit);
        }
        ExprKind::Cast(ty, a) => {
            type_name(ty, visit);
            expr(a, visit);
        }
        ExprKind::Call(f, args) => {
            expr(f, visit);
            args.iter().for_each(|a| expr(a, visit));
        }
        ExprKind::SizeOfType(ty) => type_name(ty, visit),
        ExprKind::Binary(_, a, b)
        | ExprKind::Index(a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Assign(_, a, b) => {
            expr(a, visit);
            expr(b, visit);
        }
        ExprKind::Choose(c, a, b) => {
            expr(c, visit);
            expr(a, visit);
            expr(b, visit);
        }
        ExprKind::Comma(list) => list.iter().for_each(|a| expr(a, visit)),
        ExprKind::Block(list) => list.iter().for_each(|s| stmt(s, visit)),
        ExprKind::Name(_)
        | ExprKind::Integer { .. }
        | ExprKind::Character(_)
        | ExprKind::Float
        | ExprKind::Text(_)
        | ExprKind::Refused(_) => {}
    }
}

fn type_name(ty: &TypeName, visit: &mut dyn FnMut(&Expr)) {
    for derived in &ty.derived {
        if let Derived::Array(Some(size)) = derived {
            expr(size, visit);
        }
    }
}

fn init(i: &Init, visit: &mut dyn FnMut(&Expr)) {
    match i {
        Init::Value(e) => expr(e, visit),
        Init::List(items, _) => {
            for (path, item) in items {
                for designator in path {
                    if let Designator::Index(e) = designator {
                        expr(e, visit);
                    }
                }
                init(item, visit);
            }
        }
    }
}

/// Calls a function on every expression in a statement.
pub fn stmt(s: &Stmt, visit: &mut dyn FnMut(&Expr)) {
    match &s.kind {
        StmtKind::Block(list) => list.iter().for_each(|s| stmt(s, visit)),
        StmtKind::Declare(list) => {
            for declared in list {
                type_name(&declared.ty, visit);
                if let Some(i) = &declared.init {
                    init(i, visit);
                }
            }
        }
        StmtKind::Expr(e) => expr(e, visit),
        StmtKind::If(c, a, b) => {
            expr(c, visit);
            stmt(a, visit);
            if let Some(b) = b {
                stmt(b, visit);
            }
        }
        StmtKind::Switch(e, body) | StmtKind::While(e, body) | StmtKind::DoWhile(body, e) => {
            expr(e, visit);
            stmt(body, visit);
        }
        StmtKind::For(start, condition, step, body) => {
            if let Some(start) = start {
                stmt(start, visit);
            }
            condition.iter().chain(step).for_each(|e| expr(e, visit));
            stmt(body, visit);
        }
        StmtKind::Return(e) => {
            if let Some(e) = e {
                expr(e, visit);
            }
        }
        StmtKind::Case(e, body) => {
            expr(e, visit);
            stmt(body, visit);
        }
        StmtKind::Label(_, body) | StmtKind::Default(body) => stmt(body, visit),
        StmtKind::Empty
        | StmtKind::Goto(_)
        | StmtKind::Continue
        | StmtKind::Break
        | StmtKind::Refused(_) => {}
    }
}

/// Calls a function on every name that a statement declares.
pub fn names(s: &Stmt, visit: &mut dyn FnMut(&str)) {
    match &s.kind {
        StmtKind::Declare(list) => list.iter().for_each(|d| visit(&d.name)),
        StmtKind::Block(list) => list.iter().for_each(|s| names(s, visit)),
        StmtKind::If(_, a, b) => {
            names(a, visit);
            if let Some(b) = b {
                names(b, visit);
            }
        }
        StmtKind::For(start, _, _, body) => {
            if let Some(start) = start {
                names(start, visit);
            }
            names(body, visit);
        }
        StmtKind::Switch(_, body)
        | StmtKind::While(_, body)
        | StmtKind::DoWhile(body, _)
        | StmtKind::Label(_, body)
        | StmtKind::Case(_, body)
        | StmtKind::Default(body) => names(body, visit),
        _ => {}
    }
}

/// Whether a statement has labels that a `goto` may go back to.
pub fn has_label(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Label(..) => true,
        StmtKind::Block(list) => list.iter().any(has_label),
        StmtKind::If(_, a, b) => has_label(a) || b.as_deref().is_some_and(has_label),
        StmtKind::For(_, _, _, body)
        | StmtKind::Switch(_, body)
        | StmtKind::While(_, body)
        | StmtKind::DoWhile(body, _)
        | StmtKind::Case(_, body)
        | StmtKind::Default(body) => has_label(body),
        _ => false,
    }
}

/// Calls a function on every statement, outer ones first.
pub fn statements(s: &Stmt, visit: &mut dyn FnMut(&Stmt)) {
    visit(s);
    match &s.kind {
        StmtKind::Block(list) => list.iter().for_each(|s| statements(s, visit)),
        StmtKind::If(_, a, b) => {
            statements(a, visit);
            if let Some(b) = b {
                statements(b, visit);
            }
        }
        StmtKind::For(_, _, _, body)
        | StmtKind::Switch(_, body)
        | StmtKind::While(_, body)
        | StmtKind::DoWhile(body, _)
        | StmtKind::Label(_, body)
        | StmtKind::Case(_, body)
        | StmtKind::Default(body) => statements(body, visit),
        _ => {}
    }
}
