//! Limits on nesting and on the length of expressions, checked before the parser runs.
//!
//! The parser is recursive and would exhaust the stack on hostile texts: this loop counts open
//! brackets, prefix operators in a row and operators between two separators.

use crate::error::{Code, Outcome, Span, Trouble};

/// Nested brackets, and prefix operators in a row.
pub const DEEPEST: usize = 256;
/// `else` in one function: each one nests the rest of its chain.
pub const MOST_ELSE: usize = 2048;
/// Operators of one expression.
pub const LONGEST: usize = 4096;

/// Refuses a text the parser could not take.
pub fn check(text: &str) -> Outcome<()> {
    let bytes = text.as_bytes();
    let refuse =
        |at: usize, what: &str| Err(Trouble::new(Code::Limit, Span::new(at, at + 1), what));
    let (mut depth, mut prefix, mut operators, mut at) = (0usize, 0usize, 0usize, 0usize);
    let (mut words, mut elses) = (0usize, 0usize);
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => {
                depth += 1;
                prefix = 0;
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                prefix = 0;
                if depth == 0 && bytes[at] == b'}' {
                    elses = 0;
                }
            }
            b'"' | b'\'' => {
                at = behind_literal(bytes, at);
                prefix = 0;
            }
            b';' | b',' => {
                operators = 0;
                prefix = 0;
                words = 0;
            }
            b if b.is_ascii_whitespace() => {}
            b if b.is_ascii_alphanumeric() || b == b'_' => {
                let len = bytes[at..]
                    .iter()
                    .position(|&b| !(b.is_ascii_alphanumeric() || b == b'_'));
                let end = len.map_or(bytes.len(), |n| at + n);
                // `if if if …`, `else if else if …` and `sizeof sizeof …` nest as well.
                if &text[at..end] == "else" {
                    elses += 1;
                }
                match &text[at..end] {
                    "if" | "else" | "while" | "for" | "do" | "sizeof" | "switch" => words += 1,
                    _ => prefix = 0,
                }
                at = end - 1;
            }
            _ => {
                prefix += 1;
                operators += 1;
            }
        }
        if depth > DEEPEST || prefix > DEEPEST || words > DEEPEST {
            return refuse(at, "nested more than 256 deep");
        }
        if elses > MOST_ELSE {
            return refuse(at, "more than 2048 `else` in one function");
        }
        if operators > LONGEST {
            return refuse(at, "more than 4096 operators in one expression");
        }
        at += 1;
    }
    Ok(())
}

/// The offset of the quote that ends a literal, or of the end of the text.
fn behind_literal(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}
