//! Values of integer, character and string literals.

use lang_c::ast;

use super::tree::ExprKind;

pub(super) fn constant(constant: &ast::Constant) -> ExprKind {
    match constant {
        ast::Constant::Integer(n) => integer(n),
        ast::Constant::Float(_) => ExprKind::Float,
        ast::Constant::Character(text) => character(text),
    }
}

fn integer(n: &ast::Integer) -> ExprKind {
    let radix = match n.base {
        ast::IntegerBase::Decimal => 10,
        ast::IntegerBase::Octal => 8,
        ast::IntegerBase::Hexadecimal => 16,
        ast::IntegerBase::Binary => 2,
    };
    let digits = if n.number.is_empty() { "0" } else { &*n.number };
    let Ok(value) = i128::from_str_radix(digits, radix) else {
        return ExprKind::Refused("an integer constant beyond 128 bits");
    };
    let longs = match n.suffix.size {
        ast::IntegerSize::Int => 0,
        ast::IntegerSize::Long => 1,
        ast::IntegerSize::LongLong => 2,
    };
    if n.suffix.imaginary {
        return ExprKind::Refused("imaginary constants");
    }
    ExprKind::Integer {
        value,
        unsigned: n.suffix.unsigned,
        longs,
        decimal: radix == 10,
    }
}

fn character(text: &str) -> ExprKind {
    let inner = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\''));
    let Some(inner) = inner else {
        return ExprKind::Refused("wide character constants");
    };
    match bytes(inner).as_deref() {
        // Plain `char` is signed: the value of '\xff' is -1.
        Some([byte]) => ExprKind::Character(i128::from(*byte as i8)),
        _ => ExprKind::Refused("character constants of several characters"),
    }
}

/// The bytes of the pieces of a string literal.
pub(super) fn text(pieces: &[String]) -> ExprKind {
    let mut out = Vec::new();
    for piece in pieces {
        let inner = piece.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
        match inner.and_then(bytes) {
            Some(bytes) => out.extend(bytes),
            None => return ExprKind::Refused("this string literal"),
        }
    }
    ExprKind::Text(out)
}

/// The bytes of the inside of a literal, escapes replaced.
fn bytes(inner: &str) -> Option<Vec<u8>> {
    let raw = inner.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        at += 1;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let escape = *raw.get(at)?;
        at += 1;
        let run = |from: usize, most: usize, radix: u32| {
            raw[from..]
                .iter()
                .take(most)
                .take_while(|&&b| (b as char).is_digit(radix))
                .count()
        };
        let value = match escape {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'\\' | b'\'' | b'"' | b'?' => escape,
            b'0'..=b'7' => {
                let len = run(at - 1, 3, 8);
                let value = u8::from_str_radix(&inner[at - 1..at - 1 + len], 8).ok()?;
                at += len - 1;
                value
            }
            b'x' => {
                let len = run(at, 2, 16);
                let value = u8::from_str_radix(inner.get(at..at + len)?, 16).ok()?;
                at += len;
                value
            }
            _ => return None,
        };
        out.push(value);
    }
    Some(out)
}
