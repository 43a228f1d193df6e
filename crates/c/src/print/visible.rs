//! What can be said about variables at a loop: names, what it assigns, bounds of its counters.

use foretell_terms::Term;

use crate::program::bounds::Interval;
use crate::program::frame::{Frames, target};
use crate::program::loops::changed_in;
use crate::program::{
    Arith, Expr, Invariants, Length, Op, Origin, Point, PointId, Program, Var, VarId, VarType,
};

/// The name of a variable at a point, if it is visible there under its own name.
pub(super) fn name_at(
    program: &Program,
    found: &Invariants,
    point: &Point,
    term: Term,
) -> Option<String> {
    let now = found.vars.iter().position(|&v| v == term).map(VarId::new);
    let old = found.entry.iter().position(|&v| v == term).map(VarId::new);
    match (now, old) {
        (Some(var), _) => said(program, point, var),
        (None, Some(var)) => {
            // An index has no place inside of what was.
            let name = visible_name(program, point, var).filter(|n| !n.contains(Var::INDEX))?;
            Some(format!("\\at({name}, Pre)"))
        }
        (None, None) => None,
    }
}

/// The words of a variable at a point: its name, or, for one that the front end made and that got its
/// value once, the expression of that value, if nothing in it can have changed since.
fn said(program: &Program, point: &Point, id: VarId) -> Option<String> {
    if program.var(id).origin != Origin::Made {
        return visible_name(program, point, id);
    }
    let mut given = writes(program, id);
    let (Some(Op::Assign(_, value)), None) = (given.next(), given.next()) else {
        return None;
    };
    words(program, point, value)
}

/// The operations that give a variable a value.
fn writes(program: &Program, id: VarId) -> impl Iterator<Item = &Op> {
    let ops = program.edges.iter().flat_map(|e| &e.ops).map(|(op, _)| op);
    ops.filter(move |op| target(op) == Some(id))
}

fn words(program: &Program, point: &Point, e: &Expr) -> Option<String> {
    match e {
        Expr::Int(n) => Some(n.to_string()),
        Expr::Var(var) => {
            let once = writes(program, *var).take(2).count() < 2;
            once.then(|| said(program, point, *var))?
        }
        // A length lies in its type.
        Expr::Convert(_, inner) => words(program, point, inner),
        Expr::Arith(op @ (Arith::Add | Arith::Sub | Arith::Mul), _, pair) => {
            let sign = match op {
                Arith::Add => '+',
                Arith::Sub => '-',
                _ => '*',
            };
            let (a, b) = (
                words(program, point, &pair[0])?,
                words(program, point, &pair[1])?,
            );
            Some(format!("({a} {sign} {b})"))
        }
        _ => None,
    }
}

fn visible_name(program: &Program, point: &Point, id: VarId) -> Option<String> {
    let var = program.var(id);
    let inside = |v: &crate::program::Var| match v.origin {
        Origin::Source { scope } => scope.start <= point.span.start && point.span.end <= scope.end,
        Origin::Inlined | Origin::Made => false,
    };
    let mine = |v: &crate::program::Var| v.owner.is_none() || v.owner == Some(point.func);
    if !inside(var) || !mine(var) {
        return None;
    }
    // The innermost of several variables of one name is the one that is visible.
    let width = |v: &crate::program::Var| match v.origin {
        Origin::Source { scope } => scope.end - scope.start,
        _ => u32::MAX,
    };
    let hidden = program.vars.iter().enumerate().any(|(i, other)| {
        i != id.index()
            && other.name == var.name
            && inside(other)
            && mine(other)
            && width(other) <= width(var)
    });
    (!hidden).then(|| var.place(&[]))
}

/// What a loop assigns, as a list of places.
pub(super) fn assigns(
    program: &Program,
    frames: &Frames,
    head: PointId,
    point: &Point,
) -> Option<Vec<String>> {
    let mut places = Vec::new();
    for id in changed_in(program, frames, head) {
        let var = program.var(id);
        match var.origin {
            Origin::Source { scope } => {
                let local = point.span.start <= scope.start && scope.end <= point.span.end;
                // What is declared inside the loop is new in every round.
                if local && var.owner.is_some() && scope != point.span {
                    continue;
                }
                let name = visible_name(program, point, id)?;
                places.push(match var.ty {
                    VarType::Int(_) => name,
                    VarType::Array(..) => var.place(&ranges(program, point, &var.lengths)?),
                });
            }
            Origin::Inlined | Origin::Made => {}
        }
    }
    Some(places)
}

fn ranges(program: &Program, point: &Point, lengths: &[Length]) -> Option<Vec<String>> {
    let mut list = Vec::new();
    for length in lengths {
        let last = match length {
            Length::Const(n) => (n - 1).to_string(),
            Length::Var(var) => format!("{} - 1", said(program, point, *var)?),
            Length::Unknown => return None,
        };
        list.push(format!("0 .. {last}"));
    }
    Some(list)
}

/// The bounds of what a loop changes, in words, as far as the types do not say them.
pub(super) fn bounds(
    program: &Program,
    frames: &Frames,
    head: PointId,
    known: &[(VarId, Interval)],
) -> Vec<String> {
    let changed = changed_in(program, frames, head);
    let mut list = Vec::new();
    for (var, (low, high)) in known.iter().filter(|(v, _)| changed.contains(v)) {
        let Some(name) = visible_name(program, program.point(head), *var) else {
            continue;
        };
        let full = program.var(*var).ty.element().range();
        list.push(match (*low > full.0, *high < full.1) {
            (true, true) if low == high => format!("{name} == {low}"),
            (true, true) => format!("{low} <= {name} <= {high}"),
            (true, false) => format!("{low} <= {name}"),
            (false, _) => format!("{name} <= {high}"),
        });
    }
    list
}

/// Whether a variable is not negative, by its type or by its bounds.
pub(super) fn natural(
    program: &Program,
    found: &Invariants,
    known: Option<&Vec<(VarId, Interval)>>,
    term: Term,
) -> bool {
    let Some(at) = found.vars.iter().position(|&v| v == term) else {
        return false;
    };
    let var = VarId::new(at);
    let bounded = |(v, (low, _)): &(VarId, Interval)| *v == var && *low >= 0;
    !program.var(var).ty.element().signed || known.is_some_and(|k| k.iter().any(bounded))
}
