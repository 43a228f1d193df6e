//! Recursion on integers: down to a numeral.
//!
//! ```text
//! (<= x n) false, (< n x) true, …     the argument is above a numeral
//! (- x n), (+ x (- n)), 0 < n         something less
//! ```
//!
//! Every call is made where the argument is above one of the finitely many numerals of a command, with an
//! argument that is at least one less: there is no infinite chain of calls.

use super::Branch;
use crate::text::sexpr::{Document, Id};

/// The operators that give these terms their meaning.
pub(super) const OPERATORS: [&str; 7] = ["+", "-", "<", "<=", ">", ">=", "Int"];

/// The branch of a condition in which the argument is above a numeral.
pub(super) fn above(doc: &Document<'_>, condition: Id, argument: &str) -> Option<Branch> {
    let [_, left, right] = doc.list(condition)? else {
        return None;
    };
    let on_left = doc.symbol(*left) == Some(argument) && numeral(doc, *right).is_some();
    let on_right = doc.symbol(*right) == Some(argument) && numeral(doc, *left).is_some();
    match (doc.head(condition)?, on_left, on_right) {
        ("<" | "<=", true, _) | (">" | ">=", _, true) => Some(Branch::Else),
        ("<" | "<=", _, true) | (">" | ">=", true, _) => Some(Branch::Then),
        _ => None,
    }
}

/// Whether a term is the argument less a positive numeral.
pub(super) fn is_less(doc: &Document<'_>, term: Id, argument: &str) -> bool {
    let Some([_, left, right]) = doc.list(term) else {
        return false;
    };
    let is_argument = |id: Id| doc.symbol(id) == Some(argument);
    let is = |id: Id, sign: Sign| numeral(doc, id) == Some(sign);
    match doc.head(term) {
        Some("-") => is_argument(*left) && is(*right, Sign::Positive),
        Some("+") => {
            is_argument(*left) && is(*right, Sign::Negative)
                || is_argument(*right) && is(*left, Sign::Negative)
        }
        _ => false,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Negative,
    Zero,
    Positive,
}

/// The sign of an integer numeral.
fn numeral(doc: &Document<'_>, id: Id) -> Option<Sign> {
    let (digits, sign) = match doc.list(id) {
        Some([minus, digits]) if doc.token_of(*minus) == Some("-") => (*digits, Sign::Negative),
        Some(_) => return None,
        None => (id, Sign::Positive),
    };
    let digits = doc.token_of(digits)?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    match digits.bytes().all(|b| b == b'0') {
        true => Some(Sign::Zero),
        false => Some(sign),
    }
}
