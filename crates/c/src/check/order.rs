//! Two effects on one object without an order between them, or an effect and a read: refused.
//!
//! C leaves open in which order the operands of most operators are evaluated. A text whose meaning
//! depends on it is refused; the others are evaluated from left to right. Cells of arrays count by
//! their index expressions only.

use indexmap::IndexSet;

use super::effects::{Effects, has_effect, root};
use crate::error::{Code, Outcome, Trouble};
use crate::syntax::tree::{Expr, ExprKind};
use crate::syntax::walk;

/// What an operand reads and writes, by name.
#[derive(Default)]
struct Touch {
    reads: IndexSet<String>,
    writes: IndexSet<String>,
}

/// Refuses an expression whose value depends on the order of evaluation.
pub(super) fn check(e: &Expr, effects: &Effects) -> Outcome<()> {
    if !has_effect(e) {
        return Ok(());
    }
    let mut found = Ok(());
    walk::expr(e, &mut |e| {
        if found.is_ok() {
            found = check_node(e, effects);
        }
    });
    found
}

fn check_node(e: &Expr, effects: &Effects) -> Outcome<()> {
    match &e.kind {
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => separate(e, &[a, b], effects),
        ExprKind::Assign(op, place, value) => {
            // A plain variable is written after the value is there.
            if !matches!((op, &place.kind), (None, ExprKind::Name(_))) {
                separate(e, &[place, value], effects)?;
            }
            match root(place) {
                Some(name) if direct_writes(value).contains(name) => conflict(e, name),
                _ => Ok(()),
            }
        }
        ExprKind::Call(_, args) => {
            let args: Vec<&Expr> = args.iter().collect();
            separate(e, &args, effects)
        }
        _ => Ok(()),
    }
}

fn separate(e: &Expr, operands: &[&Expr], effects: &Effects) -> Outcome<()> {
    if operands.iter().filter(|o| has_effect(o)).count() == 0 {
        return Ok(());
    }
    let touched: Vec<Touch> = operands.iter().map(|o| touch(o, effects)).collect();
    for (i, a) in touched.iter().enumerate() {
        for (j, b) in touched.iter().enumerate() {
            let shared = a.writes.iter().find(|name| {
                let read = i != j && b.reads.contains(*name);
                read || (i < j && b.writes.contains(*name))
            });
            if let Some(name) = shared {
                return conflict(e, name);
            }
        }
    }
    Ok(())
}

fn conflict(e: &Expr, name: &str) -> Outcome<()> {
    let message =
        format!("unsupported: the value depends on when {name} changes inside the expression");
    Err(Trouble::new(Code::Order, e.span, message))
}

/// Names that an operand assigns itself.
fn direct_writes(e: &Expr) -> IndexSet<String> {
    let mut names = IndexSet::new();
    walk::expr(e, &mut |e| {
        if let ExprKind::Assign(_, place, _) | ExprKind::Step(_, place) = &e.kind {
            names.extend(root(place).map(str::to_owned));
        }
    });
    names
}

fn touch(e: &Expr, effects: &Effects) -> Touch {
    let mut touch = Touch {
        writes: direct_writes(e),
        ..Touch::default()
    };
    // The place of an assignment is not read by it; everything else that is named is.
    let mut targets = Vec::new();
    walk::expr(e, &mut |e| match &e.kind {
        ExprKind::Assign(None, place, _) => {
            if let ExprKind::Name(_) = place.kind {
                targets.push(place.span);
            }
        }
        ExprKind::Call(callee, _) => {
            targets.push(callee.span);
            if let ExprKind::Name(name) = &callee.kind {
                touch.writes.extend(effects.assigned_by(name));
            }
        }
        _ => {}
    });
    walk::expr(e, &mut |e| {
        if let ExprKind::Name(name) = &e.kind
            && !targets.contains(&e.span)
        {
            touch.reads.insert(name.clone());
        }
    });
    touch
}
