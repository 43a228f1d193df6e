//! Sums of bit-vectors: constants together, and none that stands on both sides.
//!
//! ```text
//! c + (d + x)    =  (c + d) + x        0 + x = x
//! c + x = d + y  iff  x = (d - c) + y
//! ```

use foretell_terms::{BvOp, Op, Term, TermStore};

/// A term whose outermost sum has one constant, last, that is not zero.
pub(super) fn sum(store: &TermStore, term: Term) -> Term {
    if *store.op(term) != Op::Bv(BvOp::Add) {
        return term;
    }
    let (rest, constant) = parts(store, term);
    joined(store, &rest, constant)
}

/// An equality of two sums with a constant on one side at most.
pub(super) fn equality(store: &TermStore, atom: Term) -> Term {
    let node = store.node(atom);
    if node.op != Op::Eq || store.width(store.sort(node.args[0])).is_none() {
        return atom;
    }
    let ((left, c), (right, d)) = (parts(store, node.args[0]), parts(store, node.args[1]));
    match (left.is_empty(), right.is_empty(), c, d) {
        (false, _, Some(c), d) => {
            let less = store.bv_op(BvOp::Neg, &[c]);
            let other = d.map_or(less, |d| store.bv_add(d, less));
            store.eq(
                joined(store, &left, None),
                joined(store, &right, Some(other)),
            )
        }
        (true, false, c, Some(d)) => {
            let less = store.bv_op(BvOp::Neg, &[d]);
            let other = c.map_or(less, |c| store.bv_add(c, less));
            store.eq(joined(store, &[], Some(other)), joined(store, &right, None))
        }
        _ => atom,
    }
}

/// The addends that are no constants, and the sum of those that are.
fn parts(store: &TermStore, term: Term) -> (Vec<Term>, Option<Term>) {
    let (mut rest, mut constant) = (Vec::new(), None);
    let mut work = vec![term];
    while let Some(part) = work.pop() {
        match store.op(part) {
            Op::Bv(BvOp::Add) => work.extend(store.args(part).iter().rev()),
            Op::BitVec(..) => {
                constant = Some(constant.map_or(part, |c| store.bv_add(c, part)));
            }
            _ => rest.push(part),
        }
    }
    (rest, constant)
}

fn joined(store: &TermStore, rest: &[Term], constant: Option<Term>) -> Term {
    let is_zero = |t: &Term| matches!(store.op(*t), Op::BitVec(_, bits) if bits.is_zero());
    let constant = constant.filter(|c| rest.is_empty() || !is_zero(c));
    let mut all = rest.iter().copied().chain(constant);
    match all.next() {
        Some(first) => all.fold(first, |sum, next| store.bv_add(sum, next)),
        None => store.tt(),
    }
}
