//! Builders of bit-vectors: the operators of [`BvOp`], and the rest of SMT-LIB in terms of them.

use crate::eval_bv;
use crate::number::{self, Integer, Natural};
use crate::op::{BvOp, Op};
use crate::sort::Sort;
use crate::store::{Term, TermStore};
use crate::value::Value;

impl TermStore {
    /// A numeral: `value` modulo `2^width`.
    pub fn bv(&self, value: impl Into<Integer>, width: u32) -> Term {
        let value = number::wrap(&value.into(), width);
        self.intern(Op::BitVec(width, value), &[], self.bv_sort(width))
    }

    /// The bit pattern of a bit-vector numeral.
    pub fn as_bv(&self, term: Term) -> Option<&Natural> {
        match self.op(term) {
            Op::BitVec(_, value) => Some(value),
            _ => None,
        }
    }

    /// The width of a bit-vector term.
    pub fn bv_width(&self, term: Term) -> u32 {
        self.width(self.sort(term))
            .expect("invariant: a bit-vector operator is applied to bit-vectors")
    }

    /// Application of a bit-vector operator, folded when all arguments are numerals.
    pub fn bv_op(&self, op: BvOp, args: &[Term]) -> Term {
        let values: Option<Vec<Value>> = args.iter().map(|&a| self.numeral_value(a)).collect();
        if let Some(result) = values.and_then(|values| eval_bv::apply(op, &values)) {
            return self.value_numeral(&result);
        }
        if matches!(op, BvOp::Ule | BvOp::Sle) && args[0] == args[1] {
            return self.tt();
        }
        if matches!(op, BvOp::ZeroExtend(0) | BvOp::SignExtend(0)) {
            return args[0];
        }
        let sort = self.bv_result_sort(op, args);
        if let BvOp::Extract { low: 0, .. } = op
            && self.sort(args[0]) == sort
        {
            return args[0];
        }
        self.intern(Op::Bv(op), args, sort)
    }

    fn bv_result_sort(&self, op: BvOp, args: &[Term]) -> Sort {
        match op {
            BvOp::Concat => self.bv_sort(self.bv_width(args[0]) + self.bv_width(args[1])),
            BvOp::Extract { high, low } => self.bv_sort(high - low + 1),
            BvOp::ZeroExtend(by) | BvOp::SignExtend(by) => {
                self.bv_sort(self.bv_width(args[0]) + by)
            }
            BvOp::Ule | BvOp::Sle => Sort::BOOL,
            BvOp::ToNat => Sort::INT,
            BvOp::FromInt(width) => self.bv_sort(width),
            _ => self.sort(args[0]),
        }
    }

    fn numeral_value(&self, term: Term) -> Option<Value> {
        match self.op(term) {
            Op::BitVec(width, value) => Some(Value::BitVec(*width, value.clone())),
            Op::Int(n) => Some(Value::Int(n.clone())),
            _ => None,
        }
    }

    fn value_numeral(&self, value: &Value) -> Term {
        match value {
            Value::Bool(b) => self.bool(*b),
            Value::Int(n) => self.int(n.clone()),
            Value::BitVec(width, bits) => self.bv(Integer::from(bits.clone()), *width),
            _ => unreachable!("invariant: bit-vector operators give Bool, Int or bit-vectors"),
        }
    }

    /// Unsigned `a <= b`.
    pub fn bv_ule(&self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::Ule, &[a, b])
    }

    /// Unsigned `a < b`.
    pub fn bv_ult(&self, a: Term, b: Term) -> Term {
        self.not(self.bv_ule(b, a))
    }

    /// Signed `a <= b`.
    pub fn bv_sle(&self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::Sle, &[a, b])
    }

    /// Signed `a < b`.
    pub fn bv_slt(&self, a: Term, b: Term) -> Term {
        self.not(self.bv_sle(b, a))
    }

    /// `a + b` modulo the width.
    pub fn bv_add(&self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::Add, &[a, b])
    }

    /// `a - b` modulo the width.
    pub fn bv_sub(&self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::Add, &[a, self.bv_op(BvOp::Neg, &[b])])
    }

    /// Bits `high` down to `low`.
    pub fn bv_extract(&self, a: Term, high: u32, low: u32) -> Term {
        self.bv_op(BvOp::Extract { high, low }, &[a])
    }

    /// Rotation to the left by a constant.
    pub fn bv_rotate_left(&self, a: Term, by: u32) -> Term {
        let width = self.bv_width(a);
        let by = by % width;
        if by == 0 {
            return a;
        }
        let (low, high) = (
            self.bv_extract(a, width - by - 1, 0),
            self.bv_extract(a, width - 1, width - by),
        );
        self.bv_op(BvOp::Concat, &[low, high])
    }

    /// One bit: whether the two vectors are equal.
    pub fn bv_comp(&self, a: Term, b: Term) -> Term {
        self.ite(self.eq(a, b), self.bv(1, 1), self.bv(0, 1))
    }
}
