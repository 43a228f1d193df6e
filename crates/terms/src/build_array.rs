//! Builders of arrays.
//!
//! Read-over-write is simplified where the indices are the same term or different numerals:
//!
//! ```text
//! select(store(a, i, v), i)  =  v
//! select(store(a, i, v), j)  =  select(a, j)     i, j different numerals
//! select(const(v), i)        =  v
//! store(a, i, select(a, i))  =  a
//! ```

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Term, TermStore};

impl TermStore {
    /// `select a i1 … in`.
    pub fn select(&self, array: Term, indices: &[Term]) -> Term {
        let (_, element) = self
            .array_parts(self.sort(array))
            .expect("invariant: select is applied to an array");
        let mut array = array;
        loop {
            let node = self.node(array);
            match node.op {
                Op::ConstArray => return node.args[0],
                Op::Store => {
                    let written = &node.args[1..node.args.len() - 1];
                    if written == indices {
                        return node.args[node.args.len() - 1];
                    }
                    if !self.surely_different(written, indices) {
                        break;
                    }
                    array = node.args[0];
                }
                _ => break,
            }
        }
        let mut args = vec![array];
        args.extend_from_slice(indices);
        self.intern(Op::Select, &args, element)
    }

    /// Some position holds two different numerals, or two constructor terms that differ.
    fn surely_different(&self, a: &[Term], b: &[Term]) -> bool {
        a.iter().zip(b).any(|(&x, &y)| {
            x != y
                && ((self.is_numeral(x) && self.is_numeral(y))
                    || self.eq_data(x, y).is_some_and(|e| self.is_false(e)))
        })
    }

    /// `store a i1 … in v`.
    pub fn store(&self, array: Term, indices: &[Term], value: Term) -> Term {
        let below = self.node(array);
        let mut base = array;
        if below.op == Op::Store && below.args[1..below.args.len() - 1] == *indices {
            base = below.args[0];
        }
        let node = self.node(value);
        let reads = node.op == Op::Select && node.args[1..] == *indices;
        if reads && (node.args[0] == array || node.args[0] == base) {
            return node.args[0];
        }
        let mut args = vec![base];
        args.extend_from_slice(indices);
        args.push(value);
        self.intern(Op::Store, &args, self.sort(array))
    }

    /// The array of this sort that is `value` everywhere.
    pub fn const_array(&self, sort: Sort, value: Term) -> Term {
        self.intern(Op::ConstArray, &[value], sort)
    }
}
