//! Equations read off runs: between numbers, and between a cell, its index and numbers.
//!
//! Sharma, Gupta, Hariharan, Aiken, Liang, Nori, "A data driven approach for algebraic loop
//! invariants", ESOP 2013: the polynomial equations that states satisfy are the linear equations
//! between the values of monomials.
//!
//! ```text
//! propose(program)
//!   states of each predicate p ← walk                                        // walk.rs
//!   number v of p          v = polynomial of what steps regularly, always
//!                          or but in one case (the first round)              // fn explained
//!   all numbers of p       equations of degree 2, if there are few numbers   // fn together
//!   array a of p, region R of its indices (all, below a number, from a number on; below 0)
//!                          a[y] = polynomial of y and numbers for y in R     // fn cells
//!                          and the same up to a numeral that queries compare with
//! ```
//!
//! Departures: Houdini proves or drops, all together, in place of refining by counterexamples; and
//! cells, with one index for all of them. Equations are found on some of the states and tried on all.
//! Limits: equations only; arrays with one index; what a walk does not reach is not seen.

use foretell_formulas::affine::{self, Hull};
use foretell_kernel::{Cx, Halt};
use foretell_systems::{ChcSystem, Pred};
use foretell_terms::eval::Assignment;
use foretell_terms::{Integer, Op, Rational, Sort, Term, TermStore, Value};

use super::walk::{self, UNWRITTEN, Unsaid};
use crate::houdini::{Pool, scalars};
use crate::program::Program;

/// Numbers whose products are looked at.
const MOST_BASE: usize = 4;
/// All numbers together are looked at when there are no more than this.
const MOST_TOGETHER: usize = 6;
/// Equations of all numbers together that are proposed.
const MOST_EQUATIONS: usize = 12;
/// Cells below this index are looked at.
const CELLS: i64 = 9;
/// Cells from this index on are looked at.
const FIRST_CELL: i64 = -2;
/// Numerals that bound regions.
const MOST_NUMERALS: usize = 2;
/// Moving numbers that bound regions.
const MOST_BOUNDS: usize = 3;
/// Fewer states than this say nothing.
const FEW: usize = 5;

/// Adds the equations that all seen states satisfy.
pub(super) fn propose(program: &Program<'_>, pool: &mut Pool, cx: &Cx<'_>) -> Result<(), Halt> {
    let states = walk::states(program, &program.rules, Unsaid::Marked, cx)?;
    for (pred, states) in program.system.pred_ids().zip(&states) {
        cx.budget.check()?;
        if states.len() < FEW {
            continue;
        }
        let view = View::new(program, pred, states, cx.terms);
        for clause in view.numbers() {
            pool.add(pred, &clause, 0, cx.terms);
        }
        view.cells(pool);
    }
    Ok(())
}

/// What cells are in terms of their index, by runs: the predicate, the index and the equation. Only of
/// arrays in which cells are computed from other cells, where no clause says it.
///
/// # Errors
/// When the run is over.
pub fn observed_cells(system: &ChcSystem, cx: &Cx<'_>) -> Result<Vec<(Pred, Term, Term)>, Halt> {
    let terms = cx.terms;
    let mut formulas: Vec<Term> = system.clauses.iter().map(|c| c.constraint).collect();
    let heads = system.clauses.iter().filter_map(|c| c.head.as_ref());
    formulas.extend(heads.flat_map(|h| h.args.iter().copied()));
    let reads = |t: Term| terms.any_subterm(t, |terms, t| *terms.op(t) == Op::Select);
    let all = terms.subterms(&formulas).into_iter();
    let writes = all.filter(|&t| *terms.op(t) == Op::Store);
    let mut values = writes.filter_map(|t| terms.args(t).last().copied());
    if !values.any(reads) {
        return Ok(Vec::new());
    }
    let program = Program::new(system, terms);
    let states = walk::states(&program, &program.rules, Unsaid::Marked, cx)?;
    let mut found = indexmap::IndexSet::new();
    for (pred, states) in system.pred_ids().zip(&states) {
        cx.budget.check()?;
        if states.len() >= FEW {
            let view = View::new(&program, pred, states, terms);
            let cells = view.cell_equations().into_iter();
            found.extend(cells.map(|(_, equation)| (pred, program.indices[0], equation)));
        }
    }
    Ok(found.into_iter().collect())
}

/// Positive numerals that queries compare something with: they may divide the indices of arrays.
pub(super) fn numerals(program: &Program<'_>, terms: &TermStore) -> Vec<Term> {
    let queries = program.rules.iter().filter(|rule| rule.to.is_none());
    let guards: Vec<Term> = queries.map(|rule| rule.guard).collect();
    let mut found = indexmap::IndexSet::new();
    for atom in terms.atoms(&guards) {
        if *terms.op(atom) == Op::Le {
            let sides = terms.args(atom).iter().copied();
            let positive = |&t: &Term| terms.as_int(t).is_some_and(|n| *n > Integer::ZERO);
            found.extend(sides.filter(positive));
        }
    }
    found.into_iter().take(MOST_NUMERALS).collect()
}

/// What was seen of one predicate.
struct View<'a> {
    program: &'a Program<'a>,
    pred: Pred,
    terms: &'a TermStore,
    states: Vec<Assignment>,
    numbers: Vec<Term>,
    /// Numbers that never change, then those that change by a constant in each round.
    regular: Vec<Term>,
}

impl<'a> View<'a> {
    fn new(
        program: &'a Program<'a>,
        pred: Pred,
        states: &[Vec<Value>],
        terms: &'a TermStore,
    ) -> View<'a> {
        let params = program.params(pred);
        let assignment = |state: &Vec<Value>| {
            let mut values = Assignment::new();
            for (&param, value) in params.iter().zip(state) {
                values.insert(param, value.clone());
            }
            values
        };
        let numbers = program.params_of_sort(pred, Sort::INT, terms);
        let is_regular = |x: &Term| is_regular(program, pred, *x, terms);
        let (frozen, moving): (Vec<Term>, Vec<Term>) =
            numbers.iter().partition(|x| program.is_frozen(**x));
        let steady = moving.into_iter().filter(is_regular);
        View {
            program,
            pred,
            terms,
            states: states.iter().map(assignment).collect(),
            regular: frozen.into_iter().chain(steady).take(MOST_BASE).collect(),
            numbers,
        }
    }

    /// Equations between numbers, some of them but in one case.
    fn numbers(&self) -> Vec<Vec<Term>> {
        let mut found = Vec::new();
        let mut left = self.regular.clone();
        let points: Vec<&Assignment> = self.states.iter().collect();
        let cases = scalars::cases(self.program, self.pred, self.terms);
        let base = monomials(&self.regular, self.terms);
        for &v in self.numbers.iter().filter(|v| !self.regular.contains(v)) {
            let columns = [base.as_slice(), &[v]].concat();
            if let Some(equation) = self.explained(&columns, &points) {
                found.push(vec![equation]);
                continue;
            }
            left.push(v);
            for &case in &cases {
                let outside = |p: &&&Assignment| self.terms.eval_bool(case, p) == Ok(false);
                let points: Vec<&Assignment> = points.iter().filter(outside).copied().collect();
                let equation = self.explained(&columns, &points);
                found.extend(equation.map(|e| vec![case, e]));
            }
        }
        if (2..=MOST_TOGETHER).contains(&left.len()) {
            let columns = products(&left, 2, self.terms);
            let together = self.equations(&columns, &points).into_iter();
            found.extend(together.map(|(_, e)| vec![e]).take(MOST_EQUATIONS));
        }
        found
    }

    /// Equations between cells, their index and numbers, as candidates.
    fn cells(&self, pool: &mut Pool) {
        let terms = self.terms;
        let [y, _] = self.program.indices;
        for (region, equation) in self.cell_equations() {
            for end in region.ends {
                let guards = region.guards.iter().chain(&end).map(|&g| terms.not(g));
                let mut clause: Vec<Term> = guards.collect();
                if region.side == Side::FromZero {
                    clause.push(terms.lt(y, terms.int(0)));
                }
                clause.push(equation);
                pool.add(self.pred, &clause, 1, terms);
            }
        }
    }

    /// Equations between cells, their index and numbers, each with where it holds.
    fn cell_equations(&self) -> Vec<(Region, Term)> {
        let terms = self.terms;
        let [y, _] = self.program.indices;
        let arrays: Vec<Term> = self.arrays();
        let cells: Vec<Term> = arrays.iter().map(|&a| terms.select(a, &[y])).collect();
        let points = self.points(y, &cells);
        let mut found = Vec::new();
        for &cell in &cells {
            for region in self.regions() {
                let inside = |p: &&Assignment| {
                    let seen = terms.eval(cell, p) != Ok(unwritten());
                    let holds = |&g: &Term| terms.eval_bool(g, p) == Ok(true);
                    let negative = matches!(p.get(y), Some(Value::Int(at)) if *at < Integer::ZERO);
                    let side = negative == (region.side == Side::Negative);
                    seen && side && region.guards.iter().all(holds)
                };
                let points: Vec<&Assignment> = points.iter().filter(inside).collect();
                if let Some(equation) = self.cell(cell, &cells, y, &points) {
                    found.push((region, equation));
                }
            }
        }
        found
    }

    /// What a cell is, in terms of its index, numbers and the cells of other arrays there.
    fn cell(&self, cell: Term, cells: &[Term], y: Term, points: &[&Assignment]) -> Option<Term> {
        let mut base = vec![y];
        base.extend(self.regular.iter().copied().take(MOST_BASE - 1));
        let mut columns = monomials(&base, self.terms);
        let others = self.numbers.iter().filter(|v| !self.regular.contains(v));
        columns.extend(others);
        let written = |c: &Term| {
            let seen = |p: &&Assignment| self.terms.eval(*c, p) != Ok(unwritten());
            *c != cell && points.iter().all(seen)
        };
        columns.extend(cells.iter().copied().filter(written));
        columns.push(cell);
        self.explained(&columns, points).or_else(|| {
            let short = [base.as_slice(), &[cell]].concat();
            self.explained(&short, points)
        })
    }

    fn arrays(&self) -> Vec<Term> {
        let flat = |p: &&Term| {
            let parts = self.terms.array_parts(self.terms.sort(**p));
            parts.is_some_and(|(i, e)| *i == [Sort::INT] && e == Sort::INT)
        };
        let params = self.program.params(self.pred).iter();
        params.filter(flat).copied().collect()
    }

    /// Each state with each index.
    fn points(&self, y: Term, cells: &[Term]) -> Vec<Assignment> {
        let mut points = Vec::new();
        if cells.is_empty() {
            return points;
        }
        for state in &self.states {
            for k in FIRST_CELL..CELLS {
                let mut point = state.clone();
                point.insert(y, Value::Int(k.into()));
                points.push(point);
            }
        }
        points
    }

    fn regions(&self) -> Vec<Region> {
        let terms = self.terms;
        let [y, _] = self.program.indices;
        let frozen = self
            .numbers
            .iter()
            .filter(|x| self.program.is_frozen(**x))
            .take(2);
        let mut ends: Vec<Option<Term>> = vec![None];
        ends.extend(frozen.map(|&t| Some(terms.lt(y, t))));
        let mut regions = vec![
            Region {
                side: Side::FromZero,
                guards: Vec::new(),
                ends: ends.clone(),
            },
            Region {
                side: Side::Negative,
                guards: vec![terms.lt(y, terms.int(0))],
                ends: vec![None],
            },
        ];
        let numerals = numerals(self.program, terms).into_iter();
        let below: Vec<Option<Term>> = numerals.map(|n| Some(terms.lt(y, n))).collect();
        let moving = self
            .numbers
            .iter()
            .filter(|x| !self.program.is_frozen(**x))
            .take(MOST_BOUNDS);
        for &m in moving {
            regions.push(Region {
                side: Side::FromZero,
                guards: vec![terms.lt(y, m)],
                ends: [None].into_iter().chain(below.iter().copied()).collect(),
            });
            regions.push(Region {
                side: Side::FromZero,
                guards: vec![terms.le(m, y)],
                ends: ends.clone(),
            });
        }
        regions
    }

    /// The equation that says what the last column is, if there is one.
    fn explained(&self, columns: &[Term], points: &[&Assignment]) -> Option<Term> {
        let last = *columns.last()?;
        let found = self.equations(columns, points);
        found.into_iter().find(|(v, _)| *v == last).map(|(_, e)| e)
    }

    /// The linear equations between the columns, each with the last column that it has.
    ///
    /// Contract: the points satisfy all of them.
    fn equations(&self, columns: &[Term], points: &[&Assignment]) -> Vec<(Term, Term)> {
        let terms = self.terms;
        if points.len() < columns.len() + 3 {
            return Vec::new();
        }
        let row = |p: &Assignment| -> Option<Vec<Rational>> {
            let value = |&c: &Term| terms.eval(c, p).ok()?.number();
            columns.iter().map(value).collect()
        };
        let mut hull = Hull::new(columns.to_vec());
        let some = 2 * columns.len() + 6;
        let stride = (points.len() / some).max(1);
        for point in points.iter().step_by(stride).take(some) {
            if hull.is_full() {
                return Vec::new();
            }
            if let Some(row) = row(point) {
                hull.add(row);
            }
        }
        let mut found = Vec::new();
        for form in hull.equations() {
            let (Some((last, _)), Some((sum, zero))) =
                (form.terms.last().cloned(), affine::sides(terms, &form))
            else {
                continue;
            };
            let equation = terms.canonical_atom(terms.eq(sum, zero));
            let small = form.terms.iter().all(|(_, c)| is_small(c));
            if small
                && points
                    .iter()
                    .all(|p| terms.eval_bool(equation, p) == Ok(true))
            {
                found.push((last, equation));
            }
        }
        found
    }
}

/// Which indices a region has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    FromZero,
    Negative,
}

/// Indices that are looked at together.
struct Region {
    side: Side,
    /// What holds of them.
    guards: Vec<Term>,
    /// Where it may end: a candidate for each.
    ends: Vec<Option<Term>>,
}

fn unwritten() -> Value {
    Value::Int(UNWRITTEN.into())
}

/// Coefficients of real programs are small; large ones fit the states by accident.
fn is_small(c: &Rational) -> bool {
    let bound = Rational::from(1000);
    *c <= bound && -c.clone() <= bound
}

/// Whether each round of the loop changes a number by a constant.
fn is_regular(program: &Program<'_>, pred: Pred, x: Term, terms: &TermStore) -> bool {
    let place = program.params(pred).iter().position(|&p| p == x);
    let mut rounds = program
        .rules_into(pred)
        .filter(|r| r.from == Some(pred))
        .filter_map(|r| r.post.get(place?));
    rounds.all(|&post| terms.linear(terms.sub(post, x)).terms.is_empty())
}

/// Products of numbers up to degree 3, or 2 where there are many.
fn monomials(base: &[Term], terms: &TermStore) -> Vec<Term> {
    products(base, if base.len() <= 2 { 3 } else { 2 }, terms)
}

/// Products up to a degree, by degree.
fn products(base: &[Term], degree: usize, terms: &TermStore) -> Vec<Term> {
    let mut all: indexmap::IndexSet<Term> = base.iter().copied().collect();
    let mut last: Vec<Term> = base.to_vec();
    for _ in 1..degree {
        let mut next = indexmap::IndexSet::new();
        for &m in &last {
            next.extend(base.iter().map(|&x| terms.mul(&[m, x])));
        }
        all.extend(next.iter().copied());
        last = next.into_iter().collect();
    }
    all.retain(|m| terms.as_int(*m) != Some(&Integer::ZERO));
    all.into_iter().collect()
}
