//! Values of variables and of expressions during a run.

use indexmap::IndexMap;

use crate::program::expr::compute;
use crate::program::{Compare, Expr, InputValue, Program, VarId, VarType};

/// What a variable holds.
#[derive(Clone, Debug)]
pub enum Cell {
    /// A number.
    Int(i128),
    /// Numbers by index: one value everywhere but at these places.
    Array(i128, IndexMap<Vec<i128>, i128>),
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
            VarType::Array(..) => Cell::Array(0, IndexMap::new()),
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
            Cell::Array(_, map) => {
                map.insert(indices, value);
            }
        }
    }

    /// Gives a variable a value from outside, reduced to its type.
    pub fn take(&mut self, var: VarId, ty: VarType, value: &InputValue) {
        let element = ty.element();
        self.cells[var.index()] = match (ty, value) {
            (VarType::Int(ty), InputValue::Int(n)) => Cell::Int(ty.convert(*n)),
            (VarType::Int(ty), InputValue::Array(n, _)) => Cell::Int(ty.convert(*n)),
            (VarType::Array(..), InputValue::Int(n)) => {
                Cell::Array(element.convert(*n), IndexMap::new())
            }
            (VarType::Array(..), InputValue::Array(default, cells)) => {
                let cells = cells
                    .iter()
                    .map(|(at, n)| (at.clone(), element.convert(*n)));
                Cell::Array(element.convert(*default), cells.collect())
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
                let at: Option<Vec<i128>> = indices.iter().map(|i| self.number(i)).collect();
                match self.get(*var) {
                    Cell::Array(default, map) => Some(*map.get(&at?).unwrap_or(default)),
                    Cell::Int(_) => None,
                }
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
            Expr::Quantified(..) => None,
            number => Some(self.number(number)? != 0),
        }
    }
}
