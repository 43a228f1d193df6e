//! Conditions of `#if`: constant expressions over integers.
//!
//! Precedence climbing over the tokens; names that are no macros count as 0, as the standard says.

use super::lexer::{Kind, Token};

/// The tokens with every `defined X` and `defined(X)` replaced by 1 or 0.
pub(super) fn resolve_defined(tokens: &[Token], known: &dyn Fn(&str) -> bool) -> Vec<Token> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if &*token.text != "defined" {
            out.push(token.clone());
            at += 1;
            continue;
        }
        let bracket = tokens.get(at + 1).is_some_and(|t| &*t.text == "(");
        let name = tokens.get(at + if bracket { 2 } else { 1 });
        let value = if name.is_some_and(|t| known(&t.text)) {
            "1"
        } else {
            "0"
        };
        out.push(Token {
            kind: Kind::Number,
            text: value.into(),
            ..token.clone()
        });
        at += if bracket { 4 } else { 2 };
    }
    out
}

/// The value of a constant expression, if it is one.
pub(super) fn evaluate(tokens: &[Token]) -> Option<i128> {
    let mut reader = Reader {
        tokens,
        at: 0,
        depth: 0,
    };
    let value = reader.binary(0)?;
    (reader.at == tokens.len()).then_some(value)
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

fn strength(sign: &str) -> Option<u8> {
    Some(match sign {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | "<=" | ">" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" => 10,
        _ => return None,
    })
}

impl Reader<'_> {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(|t| &*t.text)
    }

    fn binary(&mut self, least: u8) -> Option<i128> {
        let mut left = self.unary()?;
        while let Some(sign) = self.peek().map(str::to_owned) {
            let Some(level) = strength(&sign).filter(|&l| l > least) else {
                break;
            };
            self.at += 1;
            let right = self.binary(level)?;
            left = apply(&sign, left, right)?;
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<i128> {
        self.depth += 1;
        if self.depth > 200 {
            return None;
        }
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        let value = match &*token.text {
            "!" => Some(i128::from(self.unary()? == 0)),
            "-" => self.unary()?.checked_neg(),
            "+" => self.unary(),
            "~" => Some(!self.unary()?),
            "(" => {
                let value = self.binary(0)?;
                (self.peek() == Some(")")).then(|| self.at += 1)?;
                Some(value)
            }
            text if token.kind == Kind::Number => number(text),
            _ if token.kind == Kind::Word => Some(0),
            _ => None,
        };
        self.depth -= 1;
        value
    }
}

fn number(text: &str) -> Option<i128> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let lower = digits.to_ascii_lowercase();
    match (lower.strip_prefix("0x"), lower.strip_prefix('0')) {
        (Some(hex), _) => i128::from_str_radix(hex, 16).ok(),
        (None, Some(octal)) if !octal.is_empty() => i128::from_str_radix(octal, 8).ok(),
        _ => lower.parse().ok(),
    }
}

fn apply(sign: &str, a: i128, b: i128) -> Option<i128> {
    let shift = || u32::try_from(b).ok().filter(|&n| n < 64);
    match sign {
        "||" => Some(i128::from(a != 0 || b != 0)),
        "&&" => Some(i128::from(a != 0 && b != 0)),
        "|" => Some(a | b),
        "^" => Some(a ^ b),
        "&" => Some(a & b),
        "==" => Some(i128::from(a == b)),
        "!=" => Some(i128::from(a != b)),
        "<" => Some(i128::from(a < b)),
        "<=" => Some(i128::from(a <= b)),
        ">" => Some(i128::from(a > b)),
        ">=" => Some(i128::from(a >= b)),
        "<<" => a.checked_mul(1i128 << shift()?),
        ">>" => Some(a >> shift()?),
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        "%" => a.checked_rem(b),
        _ => None,
    }
}
