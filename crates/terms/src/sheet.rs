//! Evaluation of one term again and again: a sheet of cells, one for each subterm, of which only those are
//! computed anew that depend on what was changed.
//!
//! The meaning is that of [`eval`](crate::eval): every cell is what `eval` would say of its term.

use crate::eval::{Assignment, Outcome, Outcomes, conclude};
use crate::op::Op;
use crate::store::{Term, TermStore};
use crate::value::Value;

/// The cells of a term and which of them each one reads.
pub struct Plan<'a> {
    store: &'a TermStore,
    /// The subterms in ascending order: what a cell reads stands before it. The term itself is the last.
    order: Vec<Term>,
    /// The places of the arguments of each cell, one after the other.
    reads: Vec<usize>,
    /// Where the arguments of each cell begin; one more entry than cells.
    begins: Vec<usize>,
}

impl TermStore {
    /// What is needed to evaluate a term under many assignments.
    pub fn plan(&self, root: Term) -> Plan<'_> {
        let order = self.subterms(&[root]);
        let (mut reads, mut begins) = (Vec::new(), vec![0]);
        for &term in &order {
            let place = |arg: &Term| order.binary_search(arg).unwrap_or_default();
            reads.extend(self.args(term).iter().map(place));
            begins.push(reads.len());
        }
        Plan {
            store: self,
            order,
            reads,
            begins,
        }
    }
}

impl<'a> Plan<'a> {
    /// The cells under an assignment.
    pub fn under(&'a self, assignment: &'a Assignment) -> Sheet<'a> {
        let mut sheet = Sheet {
            plan: self,
            assignment,
            cells: Vec::with_capacity(self.order.len()),
            changed: vec![false; self.order.len()],
        };
        for place in 0..self.order.len() {
            let outcome = match assignment.get(self.order[place]) {
                Some(value) => Ok(value.clone()),
                None => sheet.computed(place),
            };
            sheet.cells.push(outcome);
        }
        sheet
    }

    fn reads(&self, place: usize) -> &[usize] {
        &self.reads[self.begins[place]..self.begins[place + 1]]
    }
}

/// A term and everything below it, evaluated.
pub struct Sheet<'a> {
    plan: &'a Plan<'a>,
    assignment: &'a Assignment,
    cells: Vec<Outcome>,
    /// Which cells were changed since the last change began; all false in between.
    changed: Vec<bool>,
}

impl Sheet<'_> {
    /// The value of the term.
    pub fn outcome(&self) -> &Outcome {
        &self.cells[self.cells.len() - 1]
    }

    /// Gives a subterm another value than the assignment does, which must say nothing of terms above it.
    pub fn put(&mut self, term: Term, value: Value) {
        let Ok(first) = self.plan.order.binary_search(&term) else {
            return;
        };
        self.cells[first] = Ok(value);
        self.changed[first] = true;
        for place in first + 1..self.cells.len() {
            if self.plan.reads(place).iter().any(|&at| self.changed[at]) {
                self.cells[place] = self.computed(place);
                self.changed[place] = true;
            }
        }
        self.changed[first..].fill(false);
    }

    fn computed(&self, place: usize) -> Outcome {
        let reads = self.plan.reads(place);
        let term = self.plan.order[place];
        if let &[a, b] = reads
            && let (Ok(a), Ok(b)) = (&self.cells[a], &self.cells[b])
            && let Some(value) = of_two(self.plan.store.op(term), a, b)
        {
            return Ok(value);
        }
        let outcomes: Outcomes = reads.iter().map(|&at| self.cells[at].clone()).collect();
        conclude(self.plan.store, self.assignment, term, outcomes)
    }
}

/// The commonest operators of two arguments, without copies of these.
fn of_two(op: &Op, a: &Value, b: &Value) -> Option<Value> {
    match (op, a, b) {
        (Op::Eq, a, b) => Some(Value::Bool(a == b)),
        (Op::Le, Value::Int(a), Value::Int(b)) => Some(Value::Bool(a <= b)),
        (Op::Add, Value::Int(a), Value::Int(b)) => Some(Value::Int(a + b)),
        (Op::Mul, Value::Int(a), Value::Int(b)) => Some(Value::Int(a * b)),
        (Op::Select, Value::Array(array), index) => {
            Some(array.select(std::slice::from_ref(index)).clone())
        }
        _ => None,
    }
}
