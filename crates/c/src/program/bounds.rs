//! Bounds of numbers at the heads of loops.
//!
//! Interval analysis (P. Cousot, R. Cousot, *Static determination of dynamic properties of programs*,
//! 1976):
//!
//! ```text
//! at the entry every variable may be anything its type allows
//! until nothing changes, points in the order of `order.rs`
//!   a point holds the hull of what comes along its edges
//!   a bound of what a loop changes that grows at its head again goes to the end of the type
//! then twice: every point anew from what comes along its edges
//! ```
//!
//! What holds after the last step is inductive: it is what the edges make of something that was. Results of
//! signed arithmetic lie in their type, as everywhere where undefined behaviour is another question. Checks
//! are not used, so the bounds hold whether or not they do. Cells of arrays are not looked at.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::frame::{Frames, target};
use super::loops::changed_in;
use super::order::places;
use super::range::range_in;
use super::{Compare, Edge, Expr, Op, PointId, PointKind, Program, VarId, VarType};

/// A least and a greatest value.
pub type Interval = (i128, i128);

/// What is known at a point; a variable without entry is anything its type allows.
type Known = IndexMap<VarId, Interval>;

/// Changes of a head after which its bounds are widened.
const PATIENCE: usize = 2;
/// Points that are looked at, at most, times their number.
const MOST: usize = 40;

/// For each head of a loop that can be reached, the bounds of the variables that have any.
pub fn at_heads(program: &Program) -> IndexMap<PointId, Vec<(VarId, Interval)>> {
    let mut found = IndexMap::new();
    for function in &program.functions {
        let mut analysis = Analysis::new(program, function.entry);
        if !analysis.settle(function.entry) {
            continue;
        }
        analysis.tighten(function.entry);
        for (i, known) in analysis.known.iter().enumerate() {
            let point = PointId::new(i);
            if let (Some(known), PointKind::LoopHead) = (known, program.point(point).kind) {
                found.insert(point, known.iter().map(|(v, i)| (*v, *i)).collect());
            }
        }
    }
    found
}

struct Analysis<'a> {
    program: &'a Program,
    frames: Frames,
    order: Vec<PointId>,
    places: Vec<Option<usize>>,
    out: Vec<Vec<&'a Edge>>,
    back: Vec<Vec<&'a Edge>>,
    /// Nothing where execution cannot be.
    known: Vec<Option<Known>>,
}

impl<'a> Analysis<'a> {
    fn new(program: &'a Program, entry: PointId) -> Analysis<'a> {
        let n = program.points.len();
        let places = places(program, entry);
        let mut order: Vec<PointId> = (0..n).map(PointId::new).collect();
        order.retain(|p| places[p.index()].is_some());
        order.sort_by_key(|p| places[p.index()]);
        let (mut out, mut back) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for edge in &program.edges {
            out[edge.from.index()].push(edge);
            back[edge.to.index()].push(edge);
        }
        Analysis {
            program,
            frames: Frames::new(program),
            order,
            places,
            out,
            back,
            known: vec![None; n],
        }
    }

    /// Goes on until nothing changes; whether it came to that.
    fn settle(&mut self, entry: PointId) -> bool {
        self.known[entry.index()] = Some(Known::new());
        let mut changes = vec![0usize; self.known.len()];
        let mut waiting: BTreeSet<usize> = self.places[entry.index()].into_iter().collect();
        let mut left = MOST * self.known.len();
        while let Some(place) = waiting.pop_first() {
            if left == 0 {
                return false;
            }
            left -= 1;
            let point = self.order[place];
            let Some(known) = self.known[point.index()].clone() else {
                continue;
            };
            for edge in self.out[point.index()].clone() {
                let Some(after) = self.along(edge, known.clone()) else {
                    continue;
                };
                let to = edge.to.index();
                let head = self.program.point(edge.to).kind == PointKind::LoopHead;
                let joined = match &self.known[to] {
                    None => after,
                    Some(old) if head && changes[to] >= PATIENCE => {
                        self.widened(edge.to, old, &after)
                    }
                    Some(old) => self.hull(old, &after),
                };
                if self.known[to].as_ref() != Some(&joined) {
                    self.known[to] = Some(joined);
                    changes[to] += 1;
                    waiting.extend(self.places[to]);
                }
            }
        }
        true
    }

    /// Every point anew, twice.
    fn tighten(&mut self, entry: PointId) {
        for point in self.order.clone().into_iter().chain(self.order.clone()) {
            if point == entry {
                continue;
            }
            let mut anew: Option<Known> = None;
            for edge in self.back[point.index()].clone() {
                let from = self.known[edge.from.index()].clone();
                let Some(after) = from.and_then(|k| self.along(edge, k)) else {
                    continue;
                };
                anew = Some(match anew {
                    None => after,
                    Some(old) => self.hull(&old, &after),
                });
            }
            self.known[point.index()] = anew;
        }
    }

    fn full(&self, var: VarId) -> Interval {
        self.program.var(var).ty.element().range()
    }

    fn of(&self, known: &Known, var: VarId) -> Interval {
        known.get(&var).copied().unwrap_or_else(|| self.full(var))
    }

    /// Enters an interval; nothing where it is empty.
    fn set(&self, known: &mut Known, var: VarId, (low, high): Interval) -> Option<()> {
        let full = self.full(var);
        let interval = (low.max(full.0), high.min(full.1));
        if interval.0 > interval.1 {
            return None;
        }
        if interval == full {
            known.shift_remove(&var);
        } else {
            known.insert(var, interval);
        }
        Some(())
    }

    fn hull(&self, a: &Known, b: &Known) -> Known {
        let mut both = Known::new();
        for (&var, x) in a {
            let y = self.of(b, var);
            // A hull is never empty.
            let _ = self.set(&mut both, var, (x.0.min(y.0), x.1.max(y.1)));
        }
        both
    }

    /// The hull, with what is new outside of the old bounds as far as the type goes.
    fn widened(&self, head: PointId, old: &Known, new: &Known) -> Known {
        let mut both = self.hull(old, new);
        // What the loop itself does not change grows no further than the loops around it.
        let changed = changed_in(self.program, &self.frames, head);
        for (&var, x) in old.iter().filter(|(var, _)| changed.contains(var)) {
            let (y, full) = (self.of(new, var), self.full(var));
            let low = if y.0 < x.0 { full.0 } else { x.0 };
            let high = if y.1 > x.1 { full.1 } else { x.1 };
            let _ = self.set(&mut both, var, (low, high));
        }
        both
    }

    fn value(&self, known: &Known, e: &Expr) -> Interval {
        range_in(&|var| self.of(known, var), e)
    }

    /// What is known behind an edge; nothing where it cannot be gone.
    fn along(&self, edge: &Edge, mut known: Known) -> Option<Known> {
        for (op, _) in &edge.ops {
            match op {
                Op::Assume(e) => self.assume(&mut known, e)?,
                Op::Assign(var, e) => {
                    let value = self.value(&known, e);
                    self.set(&mut known, *var, value)?;
                }
                Op::Copy(to, from) => match self.program.var(*to).ty {
                    VarType::Int(_) => {
                        let value = self.of(&known, *from);
                        self.set(&mut known, *to, value)?;
                    }
                    VarType::Array(..) => {}
                },
                Op::Call { callee, .. } => {
                    for var in &self.frames.of(*callee).written {
                        known.shift_remove(var);
                    }
                    target(op).map(|var| known.shift_remove(&var));
                }
                Op::Input(var, _) => {
                    known.shift_remove(var);
                }
                Op::Store(..) | Op::Fill(..) | Op::Check(_) => {}
            }
        }
        Some(known)
    }

    /// Uses a condition.
    fn assume(&self, known: &mut Known, e: &Expr) -> Option<()> {
        match e {
            Expr::Bool(false) => None,
            Expr::And(list) => list.iter().try_for_each(|part| self.assume(known, part)),
            Expr::FromBool(inner) => self.assume(known, inner),
            Expr::Compare(Compare::Lt, pair) => self.ordered(known, &pair[0], 1, &pair[1]),
            Expr::Compare(Compare::Le, pair) => self.ordered(known, &pair[0], 0, &pair[1]),
            Expr::Compare(Compare::Eq, pair) => {
                self.ordered(known, &pair[0], 0, &pair[1])?;
                self.ordered(known, &pair[1], 0, &pair[0])
            }
            Expr::Not(inner) => match &**inner {
                Expr::Bool(true) => None,
                Expr::Compare(Compare::Lt, pair) => self.ordered(known, &pair[1], 0, &pair[0]),
                Expr::Compare(Compare::Le, pair) => self.ordered(known, &pair[1], 1, &pair[0]),
                Expr::Or(list) => list
                    .iter()
                    .try_for_each(|part| self.assume(known, &Expr::not(part.clone()))),
                _ => Some(()),
            },
            _ => Some(()),
        }
    }

    /// Uses `a + distance <= b`.
    fn ordered(&self, known: &mut Known, a: &Expr, distance: i128, b: &Expr) -> Option<()> {
        let (x, y) = (self.value(known, a), self.value(known, b));
        if x.0.saturating_add(distance) > y.1 {
            return None;
        }
        if let Expr::Var(var) = a {
            self.set(known, *var, (x.0, x.1.min(y.1.saturating_sub(distance))))?;
        }
        if let Expr::Var(var) = b {
            self.set(known, *var, (y.0.max(x.0.saturating_add(distance)), y.1))?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::at_heads;
    use crate::text::NoFiles;
    use crate::{Settings, read};

    /// The bounds of a variable at the heads of the loops, in the order of the text.
    fn bounds(body: &str, name: &str) -> Vec<Option<(i128, i128)>> {
        let text = format!("extern int nondet_int(void);\nint main() {{ {body} }}");
        let program = read("x.c", text.as_bytes(), &NoFiles, &Settings::default()).expect("C");
        let mut heads: Vec<_> = at_heads(&program).into_iter().collect();
        heads.sort_by_key(|(p, _)| program.point(*p).span.start);
        let of = |list: Vec<(super::VarId, super::Interval)>| {
            let mut mine = list
                .into_iter()
                .filter(|(v, _)| program.var(*v).name == name);
            mine.next().map(|(_, interval)| interval)
        };
        heads.into_iter().map(|(_, list)| of(list)).collect()
    }

    const MOST: i128 = i32::MAX as i128;

    #[test]
    fn counters_have_bounds() {
        let twice = "int i; for (i = 0; i < 100; i++) ; for (i = 7; i >= -3; i -= 2) ;";
        assert_eq!(bounds(twice, "i"), [Some((0, 100)), Some((-5, 7))]);
        let open = "int n = nondet_int(); int i = 3; while (i < n) i += 2;";
        assert_eq!(bounds(open, "i"), [Some((3, MOST))]);
        let nested = "for (int i = 0; i < 9; i++) for (int j = i; j < 20; j++) ;";
        assert_eq!(bounds(nested, "i"), [Some((0, 9)), Some((0, 8))]);
        assert_eq!(bounds(nested, "j")[1], Some((0, 20)));
    }

    #[test]
    fn what_comes_from_outside_has_none() {
        let text = "int i = 0; while (i < 9) { i = nondet_int(); }";
        assert_eq!(bounds(text, "i"), [None]);
        let both =
            "int i = 0, k = 0; while (nondet_int()) { if (nondet_int()) i++; else i--; k = 1; }";
        assert_eq!(bounds(both, "i"), [None]);
        assert_eq!(bounds(both, "k"), [Some((0, 1))]);
    }
}
