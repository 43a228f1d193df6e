//! The general simplex method with bounds, explanations and undo.
//!
//! Dutertre, de Moura, "A fast linear-arithmetic solver for DPLL(T)", CAV 2006.
//!
//! ```text
//! check()
//!   while a basic variable b violates a bound (smallest first, Bland):
//!     find a non-basic n in b's row that can move b towards the bound (smallest first)
//!     none: the row and the bounds of its variables are a Farkas conflict
//!     pivot b and n, move b onto the bound
//! ```
//! Invariants: non-basic variables satisfy their bounds; rows express basic variables by non-basic
//! ones; the value of a basic variable is that of its row; `columns[v]` are the basic variables in
//! whose row `v` occurs; `suspects` contains every basic variable that may violate a bound.

use super::cert::CertId;
use crate::data::atoms::Bound;
use crate::data::bank::TId;
use crate::data::linear::{Lin, merge, primitive_factor};
use crate::data::rational::Rat;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;

/// A simplex variable: a term, or the value of a linear form.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Col(pub(crate) u32);

/// A value `real + delta * infinitesimal`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Value {
    /// The standard part.
    pub(crate) real: Rat,
    /// The coefficient of the infinitesimal.
    pub(crate) delta: Rat,
}

impl Value {
    /// The value 0.
    pub(crate) fn zero() -> Value {
        Value {
            real: Rat::ZERO,
            delta: Rat::ZERO,
        }
    }

    /// `self + c * other`.
    pub(crate) fn plus(&self, other: &Value, c: &Rat) -> Value {
        Value {
            real: &self.real + &(c * &other.real),
            delta: &self.delta + &(c * &other.delta),
        }
    }

    /// Whether the value is an integer.
    pub(crate) fn is_int(&self) -> bool {
        self.delta.is_zero() && self.real.is_int()
    }
}

/// A bound of a variable, with the certificate that states it.
#[derive(Clone, Debug)]
pub(crate) struct Limit {
    /// The bound.
    pub(crate) value: Value,
    /// The certificate; `None` for the goal of a probe.
    pub(crate) cert: Option<CertId>,
    /// `certificate = scale * (variable - bound)` up to sign; positive.
    pub(crate) scale: Rat,
}

/// Which bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// The lower bound.
    Lower,
    /// The upper bound.
    Upper,
}

/// A positive combination of certificates that is a contradiction; `goal` is the factor of the
/// probe's goal.
#[derive(Clone, Debug)]
pub(crate) struct Farkas {
    /// The certificates and their factors.
    pub(crate) parts: Vec<(CertId, Rat)>,
    /// The factor of the goal, if it takes part.
    pub(crate) goal: Rat,
}

#[derive(Debug, Default)]
struct Column {
    value: Option<Value>,
    lower: Option<Limit>,
    upper: Option<Limit>,
    row: Option<Vec<(Col, Rat)>>,
    rows: BTreeSet<Col>,
}

/// The tableau.
#[derive(Debug, Default)]
pub(crate) struct Simplex {
    columns: Vec<Column>,
    terms: IndexMap<TId, Col, FxBuildHasher>,
    forms: IndexMap<Vec<(TId, Rat)>, Col, FxBuildHasher>,
    trail: Vec<(Col, End, Option<Limit>)>,
    suspects: BTreeSet<Col>,
}

impl Simplex {
    fn fresh(&mut self) -> Col {
        self.columns.push(Column {
            value: Some(Value::zero()),
            ..Column::default()
        });
        Col(self.columns.len() as u32 - 1)
    }

    fn at(&self, v: Col) -> &Column {
        &self.columns[v.0 as usize]
    }

    fn at_mut(&mut self, v: Col) -> &mut Column {
        &mut self.columns[v.0 as usize]
    }

    /// The value of a variable.
    pub(crate) fn value(&self, v: Col) -> &Value {
        self.at(v)
            .value
            .as_ref()
            .expect("invariant: columns are created with a value")
    }

    /// The lower or upper bound of a variable.
    pub(crate) fn limit(&self, v: Col, end: End) -> Option<&Limit> {
        match end {
            End::Lower => self.at(v).lower.as_ref(),
            End::Upper => self.at(v).upper.as_ref(),
        }
    }

    /// The row of a basic variable.
    pub(crate) fn row(&self, v: Col) -> Option<&[(Col, Rat)]> {
        self.at(v).row.as_deref()
    }

    /// The variable of a term.
    pub(crate) fn term(&mut self, t: TId) -> Col {
        if let Some(v) = self.terms.get(&t) {
            return *v;
        }
        let v = self.fresh();
        self.terms.insert(t, v);
        v
    }

    /// The terms that have variables.
    pub(crate) fn term_columns(&self) -> impl Iterator<Item = (TId, Col)> + '_ {
        self.terms.iter().map(|(t, v)| (*t, *v))
    }

    /// The value of an expression in the current assignment.
    pub(crate) fn eval(&mut self, l: &Lin) -> Value {
        let mut out = Value {
            real: l.k.clone(),
            delta: Rat::ZERO,
        };
        for (t, c) in &l.terms {
            let v = self.term(*t);
            out = out.plus(self.value(v), c);
        }
        out
    }

    /// The linear form of the terms of `l`: `(v, m)` with `l - constant = m * v`.
    pub(crate) fn form(&mut self, l: &Lin) -> (Col, Rat) {
        if let [(t, c)] = l.terms.as_slice() {
            return (self.term(*t), c.clone());
        }
        let mut f = primitive_factor(&l.terms);
        if l.terms.first().is_some_and(|(_, c)| c.is_neg()) {
            f = -&f;
        }
        let key: Vec<(TId, Rat)> = l.terms.iter().map(|(t, c)| (*t, c * &f)).collect();
        if let Some(v) = self.forms.get(&key) {
            return (*v, f.recip());
        }
        let mut row: Vec<(Col, Rat)> = Vec::new();
        for (t, c) in &key {
            let v = self.term(*t);
            row = match &self.at(v).row {
                Some(r) => merge(&row, r, c),
                None => merge(&row, &[(v, Rat::ONE)], c),
            };
        }
        let v = self.fresh();
        let mut value = Value::zero();
        for (u, c) in &row {
            value = value.plus(self.value(*u), c);
            self.columns[u.0 as usize].rows.insert(v);
        }
        self.at_mut(v).value = Some(value);
        self.at_mut(v).row = Some(row);
        self.forms.insert(key, v);
        (v, f.recip())
    }

    /// A point to undo to.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Restores the bounds of a mark.
    pub(crate) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some((v, end, old)) = self.trail.pop() {
                match end {
                    End::Lower => self.at_mut(v).lower = old,
                    End::Upper => self.at_mut(v).upper = old,
                }
            }
        }
    }

    /// The values of all variables.
    pub(crate) fn values(&self) -> Vec<Option<Value>> {
        self.columns.iter().map(|c| c.value.clone()).collect()
    }

    /// Goes back to an earlier assignment of all variables that satisfies all bounds; it satisfies
    /// the rows of every basis.
    pub(crate) fn restore(&mut self, values: Vec<Option<Value>>) {
        debug_assert_eq!(values.len(), self.columns.len());
        for (c, v) in self.columns.iter_mut().zip(values) {
            c.value = v;
        }
        self.suspects.clear();
    }

    /// Asserts an inequality.
    pub(crate) fn assert(&mut self, bound: &Bound, cert: Option<CertId>) -> Result<(), Farkas> {
        let (l, strict) = (&bound.lin, bound.strict);
        if l.is_const() {
            let holds = if strict { l.k.is_neg() } else { !l.k.is_pos() };
            return if holds {
                Ok(())
            } else {
                Err(self.farkas(&[(cert, Rat::ONE, Rat::ONE)]))
            };
        }
        let (v, m) = self.form(l);
        let (end, delta) = if m.is_pos() {
            (End::Upper, Rat::MINUS_ONE)
        } else {
            (End::Lower, Rat::ONE)
        };
        let value = Value {
            real: (-&l.k).div(&m),
            delta: if strict { delta } else { Rat::ZERO },
        };
        self.bound(
            v,
            end,
            Limit {
                value,
                cert,
                scale: m.abs(),
            },
        )
    }

    fn bound(&mut self, v: Col, end: End, limit: Limit) -> Result<(), Farkas> {
        let tighter = match self.limit(v, end) {
            None => true,
            Some(old) => match end {
                End::Lower => limit.value > old.value,
                End::Upper => limit.value < old.value,
            },
        };
        if !tighter {
            return Ok(());
        }
        let new = limit.value.clone();
        let column = self.at_mut(v);
        let old = match end {
            End::Lower => column.lower.replace(limit),
            End::Upper => column.upper.replace(limit),
        };
        self.trail.push((v, end, old));
        let column = self.at(v);
        if let (Some(lo), Some(up)) = (&column.lower, &column.upper)
            && lo.value > up.value
        {
            let parts = [
                (lo.cert, Rat::ONE, lo.scale.clone()),
                (up.cert, Rat::ONE, up.scale.clone()),
            ];
            return Err(self.farkas(&parts));
        }
        let off = match end {
            End::Lower => *self.value(v) < new,
            End::Upper => *self.value(v) > new,
        };
        if off {
            if self.at(v).row.is_some() {
                self.suspects.insert(v);
            } else {
                self.move_to(v, &new)
            }
        }
        Ok(())
    }

    /// Collects certificates `(certificate, factor, scale)`.
    fn farkas(&self, bounds: &[(Option<CertId>, Rat, Rat)]) -> Farkas {
        let mut sum: IndexMap<CertId, Rat, FxBuildHasher> = IndexMap::default();
        let mut goal = Rat::ZERO;
        for (cert, factor, scale) in bounds {
            let f = factor.div(scale);
            match cert {
                Some(c) => {
                    let e = sum.entry(*c).or_insert(Rat::ZERO);
                    *e = &*e + &f;
                }
                None => goal = &goal + &f,
            }
        }
        Farkas {
            parts: sum.into_iter().filter(|(_, f)| !f.is_zero()).collect(),
            goal,
        }
    }

    /// Changes the value of a non-basic variable.
    pub(crate) fn move_to(&mut self, v: Col, new: &Value) {
        let diff = new.plus(self.value(v), &Rat::MINUS_ONE);
        self.at_mut(v).value = Some(new.clone());
        let rows: Vec<Col> = self.at(v).rows.iter().copied().collect();
        for b in rows {
            let c = self.coefficient(b, v);
            let value = self.value(b).plus(&diff, &c);
            self.at_mut(b).value = Some(value);
            self.suspects.insert(b);
        }
    }

    fn coefficient(&self, basic: Col, v: Col) -> Rat {
        let Some(row) = &self.at(basic).row else {
            return Rat::ZERO;
        };
        match row.binary_search_by_key(&v, |x| x.0) {
            Ok(i) => row[i].1.clone(),
            Err(_) => Rat::ZERO,
        }
    }

    fn violated(&self, v: Col) -> Option<End> {
        let c = self.at(v);
        let value = self.value(v);
        if c.lower.as_ref().is_some_and(|l| *value < l.value) {
            Some(End::Lower)
        } else if c.upper.as_ref().is_some_and(|u| *value > u.value) {
            Some(End::Upper)
        } else {
            None
        }
    }

    /// Restores all bounds, or explains why that is impossible.
    pub(crate) fn check(&mut self) -> Result<(), Farkas> {
        while let Some(&b) = self.suspects.first() {
            let Some(end) = self.violated(b) else {
                self.suspects.remove(&b);
                continue;
            };
            let Some(row) = self.at(b).row.as_ref() else {
                self.suspects.remove(&b);
                continue;
            };
            let entering = row.iter().find(|(n, c)| self.can_move(*n, towards(c, end)));
            let Some((n, c)) = entering.cloned() else {
                return Err(self.row_conflict(b, end));
            };
            let target = match self.limit(b, end) {
                Some(l) => l.value.clone(),
                None => return Ok(()),
            };
            let step = target.plus(self.value(b), &Rat::MINUS_ONE);
            let new = self.value(n).plus(&step, &c.recip());
            self.move_to(n, &new);
            self.pivot(b, n);
        }
        Ok(())
    }

    /// Whether a non-basic variable can move towards an end of its range.
    fn can_move(&self, n: Col, end: End) -> bool {
        let Some(limit) = self.limit(n, end) else {
            return true;
        };
        match end {
            End::Upper => *self.value(n) < limit.value,
            End::Lower => *self.value(n) > limit.value,
        }
    }

    fn row_conflict(&self, b: Col, end: End) -> Farkas {
        let mut bounds = Vec::new();
        let mut push = |limit: Option<&Limit>, f: Rat| {
            if let Some(l) = limit {
                bounds.push((l.cert, f, l.scale.clone()));
            }
        };
        push(self.limit(b, end), Rat::ONE);
        if let Some(row) = &self.at(b).row {
            for (n, c) in row {
                push(self.limit(*n, towards(c, end)), c.abs());
            }
        }
        self.farkas(&bounds)
    }

    /// Exchanges the basic variable `b` and the non-basic variable `n` of its row.
    fn pivot(&mut self, b: Col, n: Col) {
        let Some(row) = self.at_mut(b).row.take() else {
            return;
        };
        let a = row
            .iter()
            .find(|x| x.0 == n)
            .map_or(Rat::ONE, |x| x.1.clone());
        let minus = -&a.recip();
        let mut new: Vec<(Col, Rat)> = Vec::with_capacity(row.len());
        for (u, c) in &row {
            self.at_mut(*u).rows.remove(&b);
            if *u != n {
                new.push((*u, c * &minus));
            }
        }
        let place = new.partition_point(|x| x.0 < b);
        new.insert(place, (b, a.recip()));
        let users: Vec<Col> = std::mem::take(&mut self.at_mut(n).rows)
            .into_iter()
            .collect();
        for r in users {
            let Some(old) = self.at_mut(r).row.take() else {
                continue;
            };
            let c = old
                .iter()
                .find(|x| x.0 == n)
                .map_or(Rat::ZERO, |x| x.1.clone());
            let rest: Vec<(Col, Rat)> = old.into_iter().filter(|x| x.0 != n).collect();
            let updated = merge(&rest, &new, &c);
            self.relink(r, &rest, &updated);
            self.at_mut(r).row = Some(updated);
        }
        for (u, _) in &new {
            self.at_mut(*u).rows.insert(n);
        }
        self.at_mut(n).row = Some(new);
        self.suspects.insert(n);
        self.suspects.remove(&b);
    }

    /// Updates the column sets of a row that changed from `old` to `new`.
    fn relink(&mut self, r: Col, old: &[(Col, Rat)], new: &[(Col, Rat)]) {
        let before: IndexSet<Col, FxBuildHasher> = old.iter().map(|x| x.0).collect();
        let after: IndexSet<Col, FxBuildHasher> = new.iter().map(|x| x.0).collect();
        for u in before.difference(&after) {
            self.columns[u.0 as usize].rows.remove(&r);
        }
        for u in after.difference(&before) {
            self.columns[u.0 as usize].rows.insert(r);
        }
    }

    /// All variables.
    pub(crate) fn all_columns(&self) -> impl Iterator<Item = Col> + use<> {
        (0..self.columns.len() as u32).map(Col)
    }
}

/// Where a variable with this coefficient must go to repair the violated end of its row's variable.
fn towards(coefficient: &Rat, violated: End) -> End {
    if coefficient.is_pos() == (violated == End::Lower) {
        End::Upper
    } else {
        End::Lower
    }
}
