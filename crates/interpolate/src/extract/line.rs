//! Literals as sets on a line: what comparisons of one linear form say of each other.

use crate::data::atoms::{Atom, Lit};
use crate::data::bank::{Node, TId};
use crate::data::linear::Lin;
use crate::data::rational::Rat;
use crate::world::World;

/// The set of values of a form that satisfy a literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Span {
    /// At most (or below) a bound.
    Below(Rat, Edge),
    /// At least (or above) a bound.
    Above(Rat, Edge),
    /// One point.
    Point(Rat),
    /// All but one point.
    Not(Rat),
}

/// Whether an end belongs to its span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edge {
    /// The end belongs to it.
    Closed,
    /// The end does not.
    Open,
}

/// A literal about a linear form.
#[derive(Clone, Debug)]
pub(crate) struct OnLine {
    /// The form: coprime integer coefficients, the first positive.
    pub(crate) form: Vec<(TId, Rat)>,
    /// The values that satisfy the literal.
    pub(crate) span: Span,
}

/// The form and span of an arithmetic literal.
pub(crate) fn on_line(world: &World, lit: Lit) -> Option<OnLine> {
    let lin = match world.atoms.get(lit.atom()) {
        Atom::Le(_) => {
            let b = world.atoms.le_bound(&world.bank, lit)?;
            let (form, bound, sign) = normal(&b.lin);
            let edge = if b.strict { Edge::Open } else { Edge::Closed };
            let span = if sign > 0 {
                Span::Below(bound, edge)
            } else {
                Span::Above(bound, edge)
            };
            return Some(OnLine { form, span });
        }
        Atom::Eq(..) => world.atoms.eq_lin(&world.bank, lit.atom())?,
        _ => return None,
    };
    let (form, bound, _) = normal(&lin);
    let span = if lit.is_pos() {
        Span::Point(bound)
    } else {
        Span::Not(bound)
    };
    Some(OnLine { form, span })
}

/// `l = factor * (form - bound)`: the form, the bound and the sign of the factor.
fn normal(l: &Lin) -> (Vec<(TId, Rat)>, Rat, i32) {
    let mut f = l.primitive_factor();
    let sign = l.terms.first().map_or(1, |t| t.1.signum());
    if sign < 0 {
        f = -&f;
    }
    (
        l.terms.iter().map(|(t, c)| (*t, c * &f)).collect(),
        -&(&l.k * &f),
        sign,
    )
}

/// Whether no value is in both spans.
pub(crate) fn disjoint(a: &Span, b: &Span) -> bool {
    use Span::{Above, Below, Not, Point};
    let apart = |up: &Rat, e: Edge, low: &Rat, f: Edge| {
        up < low || (up == low && (e == Edge::Open || f == Edge::Open))
    };
    match (a, b) {
        (Below(u, e), Above(l, f)) | (Above(l, f), Below(u, e)) => apart(u, *e, l, *f),
        (Below(u, e), Point(p)) | (Point(p), Below(u, e)) => apart(u, *e, p, Edge::Closed),
        (Above(l, f), Point(p)) | (Point(p), Above(l, f)) => apart(p, Edge::Closed, l, *f),
        (Point(p), Point(q)) => p != q,
        (Point(p), Not(q)) | (Not(q), Point(p)) => p == q,
        _ => false,
    }
}

/// Decides a comparison whose floor terms are only bounded: `Some(true)` if it always holds.
pub(crate) fn decided(world: &World, lit: Lit) -> Option<bool> {
    let b = world.atoms.le_bound(&world.bank, lit)?;
    let (mut high, mut low) = (b.lin.clone(), b.lin.clone());
    for (t, c) in &b.lin.terms {
        let Node::Floor(l) = world.bank.node(*t) else {
            continue;
        };
        let d = l
            .terms
            .iter()
            .fold(l.k.denom(), |d, (_, c)| Rat::lcm(&d, &c.denom()));
        // l - (d-1)/d <= floor(l) <= l
        let under = l.shifted(&-&(&Rat::ONE - &d.recip()));
        let (up, down) = if c.is_pos() { (l, &under) } else { (&under, l) };
        high = high.plus(&Lin::var(*t), &-c).plus(up, c);
        low = low.plus(&Lin::var(*t), &-c).plus(down, c);
    }
    let holds = |k: &Rat| if b.strict { k.is_neg() } else { !k.is_pos() };
    if high.is_const() && holds(&high.k) {
        Some(true)
    } else if low.is_const() && !holds(&low.k) {
        Some(false)
    } else {
        None
    }
}
