//! Many rounds of a loop in one step, where all of them are alike.
//!
//! ```text
//! a round went along edges e₁ … eₙ and changed numbers by s
//! is the next one, from x + t·s, the same for t = 0, 1, …?
//!   walk along e₁ … eₙ with every variable as x + t·s
//!     sums, differences, products with a constant: again of this form, while they stay in their type
//!     a condition: it holds for all t below a number that is computed from both sides
//!     anything else that depends on t, a write to an array, an input, a call: no
//!   at the end every variable is x + (t + 1)·s: by induction so many rounds are alike
//! the state is x + k·s for the least of all these numbers
//! ```
//!
//! So the state after the leap is the one an execution has after `k` rounds, not an estimate. Errors behind
//! loops of 2²⁸ rounds are found in this way; the compiled program makes all of them.

use indexmap::IndexMap;

use super::state::{Cell, State};
use crate::program::expr::compute;
use crate::program::{
    Arith, CheckKind, Compare, Edge, Expr, IntType, Op, PointId, Program, Rank, VarId,
};

/// Rounds of a loop before one is looked at; then again when their number doubles.
const FIRST: u32 = 256;
/// Edges of a round at most.
const LONGEST: usize = 512;
/// Fewer rounds than this are not worth it.
const LEAST: i128 = 16;

/// Looks at rounds while a program runs.
pub(super) struct Watch {
    rounds: Vec<u32>,
    open: Option<Round>,
}

/// A round under observation.
struct Round {
    head: PointId,
    calls: usize,
    edges: Vec<usize>,
    before: Vec<Option<i128>>,
}

impl Watch {
    pub(super) fn new(n_points: usize) -> Watch {
        Watch {
            rounds: vec![0; n_points],
            open: None,
        }
    }

    /// An edge was gone.
    pub(super) fn edge(&mut self, number: usize) {
        if let Some(round) = &mut self.open {
            round.edges.push(number);
            if round.edges.len() > LONGEST {
                self.open = None;
            }
        }
    }

    /// Execution is at the head of a loop, inside so many calls. Leaps if it can; over so many rounds.
    pub(super) fn head(
        &mut self,
        head: PointId,
        calls: usize,
        program: &Program,
        now: &mut State,
    ) -> Option<i128> {
        let count = &mut self.rounds[head.index()];
        *count = count.saturating_add(1);
        if let Some(round) = self.open.take_if(|r| r.head == head && r.calls == calls) {
            let (rounds, after) = leap(program, &round, now)?;
            for (var, value) in after {
                now.replace(var, Cell::Int(value));
            }
            return Some(rounds);
        }
        if self.open.is_none() && *count >= FIRST && count.is_power_of_two() {
            let before = (0..program.vars.len()).map(|v| number(now, VarId::new(v)));
            self.open = Some(Round {
                head,
                calls,
                edges: Vec::new(),
                before: before.collect(),
            });
        }
        None
    }
}

fn number(state: &State, var: VarId) -> Option<i128> {
    match state.get(var) {
        Cell::Int(n) => Some(*n),
        Cell::Array(_) => None,
    }
}

/// `base + t * slope`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Line {
    base: i128,
    slope: i128,
}

impl Line {
    fn fixed(base: i128) -> Line {
        Line { base, slope: 0 }
    }

    fn at(self, t: i128) -> Option<i128> {
        self.base.checked_add(self.slope.checked_mul(t)?)
    }
}

/// How many rounds are like this one, and the variables after them; `None` where too few are.
fn leap(program: &Program, round: &Round, now: &State) -> Option<(i128, Vec<(VarId, i128)>)> {
    let mut start: IndexMap<VarId, Line> = IndexMap::new();
    for (i, before) in round.before.iter().enumerate() {
        let var = VarId::new(i);
        if let (Some(before), Some(base)) = (before, number(now, var)) {
            let slope = base.checked_sub(*before)?;
            start.insert(var, Line { base, slope });
        }
    }
    let mut walk = Walk {
        program,
        state: now,
        lines: start.clone(),
        rounds: i128::from(u64::MAX),
    };
    let mut at = round.head;
    for &number in &round.edges {
        let edge = &program.edges[number];
        (edge.from == at).then_some(())?;
        walk.taken(number, edge)?;
        at = edge.to;
    }
    let again = start.iter().all(|(var, line)| {
        let next = Line {
            base: line.base + line.slope,
            slope: line.slope,
        };
        walk.lines.get(var) == Some(&next)
    });
    if !again || walk.rounds < LEAST {
        return None;
    }
    let moved = start.iter().filter(|(_, line)| line.slope != 0);
    let moved: Option<Vec<(VarId, i128)>> = moved
        .map(|(var, line)| Some((*var, line.at(walk.rounds)?)))
        .collect();
    Some((walk.rounds, moved?))
}

struct Walk<'a> {
    program: &'a Program,
    state: &'a State,
    lines: IndexMap<VarId, Line>,
    /// What was found so far holds for all `t` below this.
    rounds: i128,
}

impl Walk<'_> {
    /// Goes along an edge that execution takes.
    fn taken(&mut self, number: usize, edge: &Edge) -> Option<()> {
        let from_here = self.program.edges.iter().enumerate();
        let earlier = from_here.take(number).filter(|(_, e)| e.from == edge.from);
        for (_, other) in earlier {
            // Execution takes the first edge whose assumption holds.
            let Some((Op::Assume(e), _)) = other.ops.first() else {
                return None;
            };
            (!self.truth(e)?).then_some(())?;
        }
        for (op, _) in &edge.ops {
            match op {
                Op::Assume(e) => self.truth(e)?.then_some(())?,
                Op::Check(check) => {
                    let check = self.program.check(*check);
                    if check.kind != CheckKind::Hint {
                        self.truth(&check.holds)?.then_some(())?;
                    }
                }
                Op::Assign(var, e) => {
                    let line = self.number(e)?;
                    self.lines.insert(*var, line);
                }
                Op::Store(..) | Op::Fill(..) | Op::Copy(..) | Op::Input(..) | Op::Call { .. } => {
                    return None;
                }
            }
        }
        Some(())
    }

    fn number(&mut self, e: &Expr) -> Option<Line> {
        match e {
            Expr::Int(n) => Some(Line::fixed(*n)),
            Expr::Var(var) => self.lines.get(var).copied(),
            Expr::Cell(var, indices) => {
                let mut at = Vec::new();
                for index in indices {
                    let index = self.number(index)?;
                    (index.slope == 0).then(|| at.push(Expr::Int(index.base)))?;
                }
                self.state.number(&Expr::Cell(*var, at)).map(Line::fixed)
            }
            Expr::Arith(op, ty, pair) => {
                let (a, b) = (self.number(&pair[0])?, self.number(&pair[1])?);
                self.arith(*op, *ty, a, b)
            }
            Expr::Convert(ty, inner) => {
                let line = self.number(inner)?;
                if line.slope == 0 {
                    return Some(Line::fixed(ty.convert(line.base)));
                }
                (ty.rank != Rank::Bool).then_some(())?;
                self.stays_in(*ty, line)
            }
            Expr::Choose(three) => {
                let chosen = if self.truth(&three[0])? { 1 } else { 2 };
                self.number(&three[chosen])
            }
            truth => Some(Line::fixed(i128::from(self.truth(truth)?))),
        }
    }

    fn arith(&mut self, op: Arith, ty: IntType, a: Line, b: Line) -> Option<Line> {
        if a.slope == 0 && b.slope == 0 {
            return compute(op, ty, a.base, b.base).map(Line::fixed);
        }
        let line = match op {
            Arith::Add => Line {
                base: a.base.checked_add(b.base)?,
                slope: a.slope.checked_add(b.slope)?,
            },
            Arith::Sub => Line {
                base: a.base.checked_sub(b.base)?,
                slope: a.slope.checked_sub(b.slope)?,
            },
            Arith::Mul if a.slope == 0 || b.slope == 0 => {
                let (by, line) = if a.slope == 0 {
                    (a.base, b)
                } else {
                    (b.base, a)
                };
                Line {
                    base: line.base.checked_mul(by)?,
                    slope: line.slope.checked_mul(by)?,
                }
            }
            _ => return None,
        };
        // Signed results are exact; whether they lie in their type is a check of its own.
        if ty.signed {
            Some(line)
        } else {
            self.stays_in(ty, line)
        }
    }

    /// The line as long as it lies in a type.
    fn stays_in(&mut self, ty: IntType, line: Line) -> Option<Line> {
        let (least, greatest) = ty.range();
        ty.holds(line.base).then_some(())?;
        self.below(Line {
            base: line.base.checked_sub(greatest)?.checked_sub(1)?,
            slope: line.slope,
        })?;
        self.below(Line {
            base: least.checked_sub(line.base)?.checked_sub(1)?,
            slope: line.slope.checked_neg()?,
        })?;
        Some(line)
    }

    /// A line that is negative now: as long as it is.
    fn below(&mut self, line: Line) -> Option<()> {
        if line.slope > 0 {
            // base + t * slope <= -1
            let last = line
                .base
                .checked_neg()?
                .checked_sub(1)?
                .div_euclid(line.slope);
            self.rounds = self.rounds.min(last.checked_add(1)?);
        }
        Some(())
    }

    /// The truth of a condition now, and as long as it stays the same.
    fn truth(&mut self, e: &Expr) -> Option<bool> {
        match e {
            Expr::Bool(b) => Some(*b),
            Expr::Compare(op, pair) => {
                let (a, b) = (self.number(&pair[0])?, self.number(&pair[1])?);
                let difference = Line {
                    base: a.base.checked_sub(b.base)?,
                    slope: a.slope.checked_sub(b.slope)?,
                };
                self.compare(*op, difference)
            }
            Expr::Not(inner) => Some(!self.truth(inner)?),
            Expr::And(list) => {
                for part in list {
                    if !self.truth(part)? {
                        return Some(false);
                    }
                }
                Some(true)
            }
            Expr::Or(list) => {
                for part in list {
                    if self.truth(part)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            Expr::FromBool(inner) => self.truth(inner),
            Expr::Quantified(..) => None,
            number => {
                let line = self.number(number)?;
                self.compare(Compare::Eq, line).map(|zero| !zero)
            }
        }
    }

    /// Whether a line is below, not above, or equal to 0.
    fn compare(&mut self, op: Compare, line: Line) -> Option<bool> {
        let opposite = Line {
            base: line.base.checked_neg()?,
            slope: line.slope.checked_neg()?,
        };
        let less_one = |l: Line| -> Option<Line> {
            Some(Line {
                base: l.base.checked_sub(1)?,
                slope: l.slope,
            })
        };
        let truth = match op {
            Compare::Lt => line.base < 0,
            Compare::Le => line.base <= 0,
            Compare::Eq => line.base == 0,
        };
        match (op, truth) {
            (Compare::Lt, true) => self.below(line)?,
            (Compare::Lt, false) => self.below(less_one(opposite)?)?,
            (Compare::Le, true) => self.below(less_one(line)?)?,
            (Compare::Le, false) => self.below(opposite)?,
            (Compare::Eq, true) if line.slope == 0 => {}
            (Compare::Eq, true) => self.rounds = self.rounds.min(1),
            (Compare::Eq, false) if line.base < 0 => self.below(line)?,
            (Compare::Eq, false) => self.below(opposite)?,
        }
        Some(truth)
    }
}

#[cfg(test)]
mod tests {
    use crate::program::Group;
    use crate::run::{Effort, End, probe};
    use crate::text::NoFiles;
    use crate::{Settings, read};

    const EFFORT: Effort = Effort {
        runs: 1,
        operations: 200_000,
        long: 0,
        until: None,
    };

    /// The last value that a variable got on the way to a violation.
    fn last(body: &str, name: &str) -> Option<i128> {
        let text = format!("void reach_error() {{}}\nint main() {{ {body} }}");
        let program = read("x.c", text.as_bytes(), &NoFiles, &Settings::default()).expect("C");
        let run = probe(&program, Group::Assert, EFFORT)?;
        assert!(matches!(run.end, End::Violated(_)));
        let steps = run.steps.iter().rev();
        let mut of = steps.filter(|s| program.var(s.var).name == name);
        of.next().map(|s| s.value)
    }

    #[test]
    fn rounds_that_are_alike_are_made_at_once() {
        let simple = "unsigned x = 0; while (x < 0x0fffffff) x += 2; unsigned y = x; if (y % 2 == 0) reach_error();";
        assert_eq!(last(simple, "y"), Some(0x1000_0000));
        let phases = "unsigned x = 0, n = 0; while (x < 100000000) { if (x < 10000001) x++; else x += 2; n++; }
            unsigned y = n; if (x == 100000001) reach_error();";
        assert_eq!(last(phases, "y"), Some(10_000_001 + 45_000_000));
    }

    #[test]
    fn a_number_that_wraps_or_is_met_ends_the_leap() {
        let wraps =
            "unsigned x = 1, n = 0; while (x != 0) { x += 3; n++; } unsigned y = n; reach_error();";
        // 3 * n + 1 = 2^32
        assert_eq!(last(wraps, "y"), Some(1_431_655_765));
        let met = "int i = 0, s = 0; while (i < 2000000) { if (i == 1999990) s = 7; i++; } int y = s; reach_error();";
        assert_eq!(last(met, "y"), Some(7));
        let falls =
            "int i = 5000000, n = 0; while (i >= -7) { i -= 3; n++; } int y = n; reach_error();";
        assert_eq!(last(falls, "y"), Some(1_666_670));
    }

    #[test]
    fn rounds_that_are_not_alike_are_made_one_by_one() {
        let squares = "unsigned i = 0, s = 0; while (i < 2000) { s += i; i++; } unsigned y = s; reach_error();";
        assert_eq!(last(squares, "y"), Some(1_999_000));
        let cells =
            "int a[3000]; for (int i = 0; i < 3000; i++) a[i] = i; int y = a[2999]; reach_error();";
        assert_eq!(last(cells, "y"), Some(2999));
    }
}
