//! Operators and nodes.
//!
//! The operator set is small on purpose: subtraction, `<`, `>=`, `=>`, `xor`, `distinct`, `abs` and
//! the like exist only as builders that express them by what is here, so that every client handles
//! one spelling. In particular `a < b` is `not (b <= a)`: an order atom and its complement are one
//! atom.

use smallvec::SmallVec;

use crate::data::{Constructor, Selector};
use crate::number::{Integer, Natural, Rational};
use crate::sort::Sort;
use crate::store::{Func, Term};

/// The operator of a node.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// The constant `true`.
    True,
    /// The constant `false`.
    False,
    /// An integer numeral.
    Int(Integer),
    /// A real numeral.
    Real(Box<Rational>),
    /// A bit-vector numeral of a width.
    BitVec(u32, Natural),
    /// Application of a declared function; with no argument, a variable or constant.
    App(Func),
    /// Negation; one argument.
    Not,
    /// Conjunction; two or more distinct arguments.
    And,
    /// Disjunction; two or more distinct arguments.
    Or,
    /// Equality of two terms of one sort (also equivalence of truth values).
    Eq,
    /// `if c then a else b`, of any sort.
    Ite,
    /// Sum of two or more arguments, at most one numeral, which then comes last.
    Add,
    /// Product of two or more arguments, at most one numeral, which then comes first.
    Mul,
    /// `a <= b` over Int or Real.
    Le,
    /// Euclidean integer division.
    IDiv,
    /// Remainder of Euclidean integer division.
    Mod,
    /// Real division by something that is not a numeral other than zero.
    RDiv,
    /// The real number of an integer.
    ToReal,
    /// The floor of a real number.
    ToInt,
    /// `select a i1 … in`.
    Select,
    /// `store a i1 … in v`.
    Store,
    /// The array that is the argument everywhere; the sort of the node says which array sort.
    ConstArray,
    /// A bit-vector operator.
    Bv(BvOp),
    /// A constructor of a datatype applied to its fields.
    Construct(Constructor),
    /// A field of a value; unspecified for values of other constructors.
    Field(Selector),
    /// Whether a value was made by a constructor, which has fields and is not the only one.
    Is(Constructor),
    /// `forall v1 … vn. body`: the arguments are the bound variables, then the body.
    ///
    /// Invariant: a bound variable is made for one binder only, so substitution cannot capture.
    Forall,
    /// `exists v1 … vn. body`; like [`Op::Forall`].
    Exists,
}

/// Bit-vector operators. `bvsub`, `bvult`, `bvslt`, `bvnand`, rotations and the like are builders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BvOp {
    /// Concatenation of two vectors, the more significant first.
    Concat,
    /// Bits `high` down to `low`.
    Extract {
        /// The most significant bit kept.
        high: u32,
        /// The least significant bit kept.
        low: u32,
    },
    /// Bitwise complement.
    Not,
    /// Bitwise conjunction of two vectors.
    And,
    /// Bitwise disjunction of two vectors.
    Or,
    /// Bitwise exclusive or of two vectors.
    Xor,
    /// Two's-complement negation.
    Neg,
    /// Sum of two vectors.
    Add,
    /// Product of two vectors.
    Mul,
    /// Unsigned division; all ones when the divisor is zero.
    Udiv,
    /// Unsigned remainder; the dividend when the divisor is zero.
    Urem,
    /// Signed division, truncating.
    Sdiv,
    /// Signed remainder, sign of the dividend.
    Srem,
    /// Signed modulus, sign of the divisor.
    Smod,
    /// Shift left.
    Shl,
    /// Logical shift right.
    Lshr,
    /// Arithmetic shift right.
    Ashr,
    /// Unsigned `<=`.
    Ule,
    /// Signed `<=`.
    Sle,
    /// Zero extension by so many bits.
    ZeroExtend(u32),
    /// Sign extension by so many bits.
    SignExtend(u32),
    /// The unsigned integer value.
    ToNat,
    /// The vector of this width that an integer is modulo `2^width`.
    FromInt(u32),
}

/// A node of the term graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// The operator.
    pub op: Op,
    /// The arguments; each is smaller (older) than the term of this node.
    pub args: SmallVec<[Term; 4]>,
    /// The sort of the whole.
    pub sort: Sort,
}
