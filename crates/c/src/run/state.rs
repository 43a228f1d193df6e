//! Values of variables and of expressions during a run.

use indexmap::IndexMap;

use crate::program::expr::compute;
use crate::program::{Compare, Expr, InputValue, Program, Quantifier, VarId, VarType};

/// What a variable holds.
#[derive(Clone, Debug)]
pub enum Cell {
    /// A number.
    Int(i128),
    /// Numbers by index.
    Array(Table),
}

/// Numbers by index: one value everywhere but at some places.
///
/// Invariant: an index below the length of `dense` has its number there and nowhere else.
#[derive(Clone, Debug)]
pub struct Table {
    default: i128,
    /// The numbers at the indices 0, 1, … of an array of one dimension.
    dense: Vec<i128>,
    /// All others.
    sparse: IndexMap<Vec<i128>, i128>,
}

/// Indices beyond this are never dense.
const MOST_DENSE: usize = 1 << 22;

impl Table {
    /// One number everywhere.
    pub fn new(default: i128) -> Table {
        Table {
            default,
            dense: Vec::new(),
            sparse: IndexMap::new(),
        }
    }

    /// The number where nothing was written.
    pub fn default_value(&self) -> i128 {
        self.default
    }

    /// The places that were written, and their numbers.
    pub fn entries(&self) -> impl Iterator<Item = (Vec<i128>, i128)> {
        let dense = (0i128..).zip(&self.dense).map(|(i, n)| (vec![i], *n));
        dense.chain(self.sparse.iter().map(|(at, n)| (at.clone(), *n)))
    }

    /// The number at one index.
    fn at(&self, index: i128) -> i128 {
        let place = usize::try_from(index).ok();
        match place.and_then(|i| self.dense.get(i)) {
            Some(n) => *n,
            None if self.sparse.is_empty() => self.default,
            None => self.get(&[index]),
        }
    }

    fn get(&self, indices: &[i128]) -> i128 {
        *self.sparse.get(indices).unwrap_or(&self.default)
    }

    /// Writes a number.
    pub fn set(&mut self, indices: Vec<i128>, value: i128) {
        if let [index] = indices[..]
            && let Ok(i) = usize::try_from(index)
            && i < MOST_DENSE
            && i < 2 * self.dense.len() + 1024
        {
            if i >= self.dense.len() {
                self.grow((i + 1).max(2 * self.dense.len()));
            }
            self.dense[i] = value;
            return;
        }
        self.sparse.insert(indices, value);
    }

    fn grow(&mut self, length: usize) {
        self.dense.resize(length, self.default);
        let dense = &mut self.dense;
        self.sparse.retain(|at, value| match at[..] {
            [index] => match usize::try_from(index).ok().and_then(|i| dense.get_mut(i)) {
                Some(place) => {
                    *place = *value;
                    false
                }
                None => true,
            },
            _ => true,
        });
    }
}

/// Instances of a quantifier that are looked at, at most.
const MOST_INSTANCES: i128 = 1_000_000;

/// The comparisons that hold wherever an instance matters: where the body of `\exists` is true,
/// where that of `\forall` is false.
fn demands<'e>(e: &'e Expr, which: Quantifier, found: &mut Vec<(Compare, &'e Expr, &'e Expr)>) {
    let flipped = match which {
        Quantifier::Forall => Quantifier::Exists,
        Quantifier::Exists => Quantifier::Forall,
    };
    match (e, which) {
        (Expr::Not(inner), _) => demands(inner, flipped, found),
        (Expr::FromBool(inner), _) => demands(inner, which, found),
        (Expr::And(list), Quantifier::Exists) | (Expr::Or(list), Quantifier::Forall) => {
            list.iter().for_each(|e| demands(e, which, found));
        }
        (Expr::Compare(op, pair), Quantifier::Exists) => found.push((*op, &pair[0], &pair[1])),
        (Expr::Compare(Compare::Lt, pair), Quantifier::Forall) => {
            found.push((Compare::Le, &pair[1], &pair[0]));
        }
        (Expr::Compare(Compare::Le, pair), Quantifier::Forall) => {
            found.push((Compare::Lt, &pair[1], &pair[0]));
        }
        _ => {}
    }
}

/// The values of all variables.
#[derive(Clone, Debug)]
pub struct State {
    cells: Vec<Cell>,
}

impl State {
    /// Everything zero.
    pub fn new(program: &Program) -> State {
        let cell = |ty| match ty {
            VarType::Int(_) => Cell::Int(0),
            VarType::Array(..) => Cell::Array(Table::new(0)),
        };
        State {
            cells: program.vars.iter().map(|v| cell(v.ty)).collect(),
        }
    }

    /// What a variable holds.
    pub fn get(&self, var: VarId) -> &Cell {
        &self.cells[var.index()]
    }

    /// Replaces what a variable holds, and gives back what it held.
    pub fn replace(&mut self, var: VarId, cell: Cell) -> Cell {
        std::mem::replace(&mut self.cells[var.index()], cell)
    }

    /// Writes a number at the indices of a variable.
    pub fn set(&mut self, var: VarId, indices: Vec<i128>, value: i128) {
        match &mut self.cells[var.index()] {
            Cell::Int(n) => *n = value,
            Cell::Array(table) => table.set(indices, value),
        }
    }

    /// Gives a variable a value from outside, reduced to its type.
    pub fn take(&mut self, var: VarId, ty: VarType, value: &InputValue) {
        let element = ty.element();
        self.cells[var.index()] = match (ty, value) {
            (VarType::Int(ty), InputValue::Int(n)) => Cell::Int(ty.convert(*n)),
            (VarType::Int(ty), InputValue::Array(n, _)) => Cell::Int(ty.convert(*n)),
            (VarType::Array(..), InputValue::Int(n)) => {
                Cell::Array(Table::new(element.convert(*n)))
            }
            (VarType::Array(..), InputValue::Array(default, cells)) => {
                let mut table = Table::new(element.convert(*default));
                for (at, n) in cells {
                    table.set(at.clone(), element.convert(*n));
                }
                Cell::Array(table)
            }
        };
    }

    /// The value of a number; none where it is not defined.
    pub fn number(&self, e: &Expr) -> Option<i128> {
        match e {
            Expr::Int(n) => Some(*n),
            Expr::Var(var) => match self.get(*var) {
                Cell::Int(n) => Some(*n),
                Cell::Array(..) => None,
            },
            Expr::Cell(var, indices) => {
                let Cell::Array(table) = self.get(*var) else {
                    return None;
                };
                if let [index] = &indices[..] {
                    return Some(table.at(self.number(index)?));
                }
                let at: Option<Vec<i128>> = indices.iter().map(|i| self.number(i)).collect();
                Some(table.get(&at?))
            }
            Expr::Arith(op, ty, pair) => {
                compute(*op, *ty, self.number(&pair[0])?, self.number(&pair[1])?)
            }
            Expr::Convert(ty, inner) => Some(ty.convert(self.number(inner)?)),
            Expr::Choose(three) => self.number(if self.truth(&three[0])? {
                &three[1]
            } else {
                &three[2]
            }),
            other => Some(i128::from(self.truth(other)?)),
        }
    }

    /// The truth of a quantified formula, where its variables have bounds; none elsewhere.
    fn quantified(&self, which: Quantifier, vars: &[VarId], body: &Expr) -> Option<bool> {
        let Some((var, rest)) = vars.split_first() else {
            return self.truth(body);
        };
        let (low, high) = self.bounds(which, vars, body)?;
        if high.checked_sub(low)? > MOST_INSTANCES {
            return None;
        }
        let wanted = which == Quantifier::Exists;
        let mut inner = self.clone();
        for n in low..=high {
            inner.set(*var, Vec::new(), n);
            if inner.quantified(which, rest, body)? == wanted {
                return Some(wanted);
            }
        }
        Some(!wanted)
    }

    /// Numbers between which the first of these variables must lie for the body to matter.
    fn bounds(&self, which: Quantifier, vars: &[VarId], body: &Expr) -> Option<(i128, i128)> {
        let mut conditions = Vec::new();
        demands(body, which, &mut conditions);
        let (mut low, mut high): (Option<i128>, Option<i128>) = (None, None);
        let is_var = |e: &Expr| *e == Expr::Var(vars[0]);
        let known = |e: &Expr| {
            let mut free = true;
            e.each_var(&mut |v| free &= !vars.contains(&v));
            if free { self.number(e) } else { None }
        };
        for (op, a, b) in conditions {
            let strict = i128::from(op == Compare::Lt);
            if is_var(a)
                && let Some(n) = known(b)
            {
                high = Some(high.map_or(n - strict, |h| h.min(n - strict)));
            }
            if is_var(b)
                && let Some(n) = known(a)
            {
                low = Some(low.map_or(n + strict, |l| l.max(n + strict)));
            }
            if op == Compare::Eq {
                // An equation is both, whichever side the variable is on.
                let value = if is_var(a) { known(b) } else { known(a) };
                if (is_var(a) || is_var(b))
                    && let Some(n) = value
                {
                    (low, high) = (Some(n), Some(n));
                }
            }
        }
        Some((low?, high?))
    }

    /// The truth of a formula; none where it is not defined.
    pub fn truth(&self, e: &Expr) -> Option<bool> {
        match e {
            Expr::Bool(b) => Some(*b),
            Expr::Compare(op, pair) => {
                let (a, b) = (self.number(&pair[0])?, self.number(&pair[1])?);
                Some(match op {
                    Compare::Lt => a < b,
                    Compare::Le => a <= b,
                    Compare::Eq => a == b,
                })
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
            Expr::Quantified(which, vars, body) => self.quantified(*which, vars, body),
            number => Some(self.number(number)? != 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn a_table_holds_what_was_written() {
        let mut table = Table::new(7);
        let places = [5_000_000, -1, 3000, 2999, 0, 1500, 9000, 3001, 3000];
        for (n, at) in (0i128..).zip(places) {
            table.set(vec![at], n);
        }
        let found: Vec<i128> = places.iter().map(|&at| table.at(at)).collect();
        assert_eq!(found, [0, 1, 8, 3, 4, 5, 6, 7, 8]);
        assert_eq!((table.at(1), table.at(4_000_000)), (7, 7));
        let mut odd: Vec<(Vec<i128>, i128)> = table.entries().filter(|e| e.1 != 7).collect();
        odd.sort_unstable();
        let at: Vec<i128> = odd.iter().map(|(at, _)| at[0]).collect();
        assert_eq!(at, [-1, 0, 1500, 2999, 3000, 9000, 5_000_000]);
    }

    #[test]
    fn several_indices_are_one_place() {
        let mut table = Table::new(0);
        table.set(vec![1, 2], 3);
        table.set(vec![2, 1], 4);
        assert_eq!((table.get(&[1, 2]), table.get(&[2, 1])), (3, 4));
    }
}
