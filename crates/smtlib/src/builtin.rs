//! The operators of the theories, by name.

use foretell_terms::BvOp;

/// An operator of Core, Ints, Reals, ArraysEx or FixedSizeBitVectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Builtin {
    True,
    False,
    Not,
    And,
    Or,
    Xor,
    Implies,
    Eq,
    Distinct,
    Ite,
    Add,
    Sub,
    Mul,
    Divide,
    Div,
    Mod,
    Abs,
    Compare(Comparison),
    ToReal,
    ToInt,
    IsInt,
    Select,
    Store,
    /// A bit-vector operator of one or two arguments.
    Bv(BvOp),
    /// A bit-vector operator of two or more arguments, associating to the left.
    BvLeft(BvOp),
    /// A bit-vector comparison.
    BvCompare(Comparison, Signedness),
    BvSub,
    BvNegated(BvOp),
    BvComp,
    BvReduceOr,
    BvReduceAnd,
    SignedToInt,
    /// Whether an operation overflows.
    Overflow(OverflowOf, Signedness),
    /// Whether signed negation overflows.
    NegOverflow,
}

/// An order relation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Le,
    Lt,
    Ge,
    Gt,
}

/// How a bit pattern is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Signedness {
    Signed,
    Unsigned,
}

/// The operation whose overflow is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OverflowOf {
    Add,
    Sub,
    Mul,
    Div,
}

/// The operator of a name, if it is one.
pub(crate) fn builtin(name: &str) -> Option<Builtin> {
    if let Some(rest) = name.strip_prefix("bv") {
        return bit_vector(rest);
    }
    Some(match name {
        "true" => Builtin::True,
        "false" => Builtin::False,
        "not" => Builtin::Not,
        "and" => Builtin::And,
        "or" => Builtin::Or,
        "xor" => Builtin::Xor,
        "=>" | "implies" => Builtin::Implies,
        "=" | "iff" => Builtin::Eq,
        "distinct" => Builtin::Distinct,
        "ite" => Builtin::Ite,
        "+" => Builtin::Add,
        "-" => Builtin::Sub,
        "*" => Builtin::Mul,
        "/" => Builtin::Divide,
        "div" => Builtin::Div,
        "mod" => Builtin::Mod,
        "abs" => Builtin::Abs,
        "<=" => Builtin::Compare(Comparison::Le),
        "<" => Builtin::Compare(Comparison::Lt),
        ">=" => Builtin::Compare(Comparison::Ge),
        ">" => Builtin::Compare(Comparison::Gt),
        "to_real" => Builtin::ToReal,
        "to_int" => Builtin::ToInt,
        "is_int" => Builtin::IsInt,
        "select" => Builtin::Select,
        "store" => Builtin::Store,
        "concat" => Builtin::BvLeft(BvOp::Concat),
        "ubv_to_int" => Builtin::Bv(BvOp::ToNat),
        "sbv_to_int" => Builtin::SignedToInt,
        _ => return None,
    })
}

/// The divisions with `_i` are what Z3 makes of the others once a zero divisor is dealt with; it
/// reads them as the same functions, zero divisor included.
fn bit_vector(rest: &str) -> Option<Builtin> {
    use Signedness::{Signed, Unsigned};
    Some(match rest {
        "not" => Builtin::Bv(BvOp::Not),
        "neg" => Builtin::Bv(BvOp::Neg),
        "and" => Builtin::BvLeft(BvOp::And),
        "or" => Builtin::BvLeft(BvOp::Or),
        "xor" => Builtin::BvLeft(BvOp::Xor),
        "add" => Builtin::BvLeft(BvOp::Add),
        "mul" => Builtin::BvLeft(BvOp::Mul),
        "sub" => Builtin::BvSub,
        "nand" => Builtin::BvNegated(BvOp::And),
        "nor" => Builtin::BvNegated(BvOp::Or),
        "xnor" => Builtin::BvNegated(BvOp::Xor),
        "udiv" | "udiv_i" => Builtin::Bv(BvOp::Udiv),
        "urem" | "urem_i" => Builtin::Bv(BvOp::Urem),
        "sdiv" | "sdiv_i" => Builtin::Bv(BvOp::Sdiv),
        "srem" | "srem_i" => Builtin::Bv(BvOp::Srem),
        "smod" | "smod_i" => Builtin::Bv(BvOp::Smod),
        "shl" => Builtin::Bv(BvOp::Shl),
        "lshr" => Builtin::Bv(BvOp::Lshr),
        "ashr" => Builtin::Bv(BvOp::Ashr),
        "comp" => Builtin::BvComp,
        "redor" => Builtin::BvReduceOr,
        "redand" => Builtin::BvReduceAnd,
        "2nat" => Builtin::Bv(BvOp::ToNat),
        "ule" => Builtin::BvCompare(Comparison::Le, Unsigned),
        "ult" => Builtin::BvCompare(Comparison::Lt, Unsigned),
        "uge" => Builtin::BvCompare(Comparison::Ge, Unsigned),
        "ugt" => Builtin::BvCompare(Comparison::Gt, Unsigned),
        "sle" => Builtin::BvCompare(Comparison::Le, Signed),
        "slt" => Builtin::BvCompare(Comparison::Lt, Signed),
        "sge" => Builtin::BvCompare(Comparison::Ge, Signed),
        "sgt" => Builtin::BvCompare(Comparison::Gt, Signed),
        "nego" => Builtin::NegOverflow,
        "uaddo" => Builtin::Overflow(OverflowOf::Add, Unsigned),
        "saddo" => Builtin::Overflow(OverflowOf::Add, Signed),
        "usubo" => Builtin::Overflow(OverflowOf::Sub, Unsigned),
        "ssubo" => Builtin::Overflow(OverflowOf::Sub, Signed),
        "umulo" => Builtin::Overflow(OverflowOf::Mul, Unsigned),
        "smulo" => Builtin::Overflow(OverflowOf::Mul, Signed),
        "sdivo" => Builtin::Overflow(OverflowOf::Div, Signed),
        _ => return None,
    })
}

/// Operators of Z3 that no standard names.
const Z3_ONLY: &str = "bvsdiv0 bvudiv0 bvsrem0 bvurem0 \
    bvsmod0 bvumul_noovfl bvsmul_noovfl bvsmul_noudfl ext_rotate_left ext_rotate_right rem div0 \
    mod0 rem0 ^ map default array-ext as-array if bit2bool";

/// Operators of theories outside the fragment: their names, and the feature to name in a refusal.
const FOREIGN: [(&str, &str); 4] = [
    (Z3_ONLY, "an operator that only Z3 knows"),
    (
        "sin cos tan asin acos atan sinh cosh tanh exp log sqrt pi",
        "transcendental functions",
    ),
    ("fp RNE RNA RTP RTN RTZ", "floating-point numbers"),
    ("nil insert head tail", crate::sorts::BUILT_IN),
];

/// The same for whole families of operators, by what their names begin with.
const FOREIGN_PREFIXES: [(&str, &str); 8] = [
    ("fp.", "floating-point numbers"),
    ("to_fp", "floating-point numbers"),
    ("str.", "strings"),
    ("re.", "regular expressions"),
    ("seq.", "sequences"),
    ("set.", "sets"),
    ("bag.", "bags"),
    ("int.pow2", "powers of two"),
];

/// Why a name that is no operator here is one elsewhere: the feature to name in a refusal.
pub(crate) fn foreign(name: &str) -> Option<&'static str> {
    let exact = |names: &str| names.split_ascii_whitespace().any(|known| known == name);
    let word = FOREIGN.iter().find(|(names, _)| exact(names));
    let family = || {
        let begins = |(prefix, _): &&(&str, _)| name.starts_with(prefix);
        FOREIGN_PREFIXES.iter().find(begins)
    };
    word.or_else(family).map(|(_, feature)| *feature)
}
