//! Bytes to tokens.

use crate::diagnostic::{Code, Diagnostic, Outcome};
use crate::span::Span;

/// More digits than this in a number are refused: solvers take quadratic time to read them.
pub(crate) const MAX_DIGITS: usize = 100_000;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// `(`
    Open,
    /// `)`
    Close,
    /// A simple symbol.
    Symbol,
    /// A symbol in bars; the span includes them.
    Quoted,
    /// A symbol that starts with a colon.
    Keyword,
    /// Decimal digits, possibly after a minus sign.
    Numeral,
    /// Digits, a point, digits, possibly after a minus sign.
    Decimal,
    /// `#x…`
    Hex,
    /// `#b…`
    Binary,
    /// A string in double quotes; the span includes them.
    String,
}

/// A token and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
    /// In a list of tokens of a command: the position behind the expression that starts here.
    pub(crate) after: u32,
}

/// Checks that the bytes are text a lexer can work on: UTF-8 without NUL, shorter than 4 GB.
pub fn decode(bytes: &[u8]) -> Outcome<&str> {
    let at = |offset: usize| Span::new(offset, offset + 1);
    if u32::try_from(bytes.len()).is_err() {
        return Err(Diagnostic::error(
            Code::Limit,
            at(0),
            "the input is larger than 4 GB",
        ));
    }
    if let Some(offset) = bytes.iter().position(|&b| b == 0) {
        let message = "the input holds a NUL byte: it is binary, or encoded in UTF-16";
        return Err(Diagnostic::error(Code::Encoding, at(offset), message));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        Diagnostic::error(
            Code::Encoding,
            at(error.valid_up_to()),
            "the input is not valid UTF-8",
        )
    })
}

/// Splits a text into tokens, skipping blanks, comments and a byte order mark.
#[derive(Clone, Debug)]
pub struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    /// A lexer at the beginning of a text.
    pub fn new(text: &'t str) -> Lexer<'t> {
        let at = if text.starts_with('\u{FEFF}') {
            '\u{FEFF}'.len_utf8()
        } else {
            0
        };
        Lexer { text, at }
    }

    /// The next token; `None` at the end. After an error the lexer is behind the offence.
    pub fn next_token(&mut self) -> Option<Outcome<Token>> {
        self.skip_blanks();
        let first = *self.text.as_bytes().get(self.at)?;
        let start = self.at;
        let kind = match first {
            b'(' => self.single(TokenKind::Open),
            b')' => self.single(TokenKind::Close),
            b'|' => self.quoted(),
            b'"' => self.string(),
            b'#' => self.radix(),
            b':' => self.keyword(),
            b'0'..=b'9' => self.number(),
            b'-' if self.peek(1).is_some_and(|b| b.is_ascii_digit()) => self.number(),
            _ if is_symbol(first) => {
                self.skip_while(is_symbol);
                Ok(TokenKind::Symbol)
            }
            _ => self.unexpected("unexpected character"),
        };
        Some(kind.map(|kind| Token {
            kind,
            span: Span::new(start, self.at),
            after: 0,
        }))
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn skip_while(&mut self, test: impl Fn(u8) -> bool) {
        while self.peek(0).is_some_and(&test) {
            self.at += 1;
        }
    }

    fn skip_blanks(&mut self) {
        loop {
            self.skip_while(|b| b.is_ascii_whitespace() || b == 0x0B);
            if self.peek(0) != Some(b';') {
                return;
            }
            self.skip_while(|b| b != b'\n' && b != b'\r');
        }
    }

    fn single(&mut self, kind: TokenKind) -> Outcome<TokenKind> {
        self.at += 1;
        Ok(kind)
    }

    /// Skips one character and says that it has no business here.
    fn unexpected(&mut self, what: &str) -> Outcome<TokenKind> {
        let start = self.at;
        let c = self.text[start..].chars().next().unwrap_or('?');
        self.at += c.len_utf8();
        let shown: String = if c.is_control() {
            c.escape_unicode().collect()
        } else {
            c.to_string()
        };
        Err(Diagnostic::error(
            Code::Character,
            Span::new(start, self.at),
            format!("{what} `{shown}`"),
        ))
    }

    fn quoted(&mut self) -> Outcome<TokenKind> {
        let start = self.at;
        self.at += 1;
        self.skip_while(|b| b != b'|' && b != b'\\' && !is_control(b));
        match self.peek(0) {
            Some(b'|') => self.single(TokenKind::Quoted),
            Some(byte) => {
                let offence = self.at;
                self.skip_while(|b| b != b'|');
                self.at = (self.at + 1).min(self.text.len());
                let message = match byte {
                    b'\\' => "a quoted symbol must not contain a backslash",
                    _ => "a quoted symbol must not contain a control character",
                };
                Err(Diagnostic::error(
                    Code::Character,
                    Span::new(offence, offence + 1),
                    message,
                ))
            }
            None => {
                let message = "this quoted symbol does not end";
                Err(Diagnostic::error(
                    Code::Unterminated,
                    Span::new(start, start + 1),
                    message,
                ))
            }
        }
    }

    fn string(&mut self) -> Outcome<TokenKind> {
        let start = self.at;
        loop {
            self.at += 1;
            self.skip_while(|b| b != b'"');
            match (self.peek(0), self.peek(1)) {
                (None, _) => {
                    let message = "this string does not end";
                    return Err(Diagnostic::error(
                        Code::Unterminated,
                        Span::new(start, start + 1),
                        message,
                    ));
                }
                // A doubled quote stands for one inside the string.
                (Some(_), Some(b'"')) => self.at += 1,
                (Some(_), _) => return self.single(TokenKind::String),
            }
        }
    }

    fn radix(&mut self) -> Outcome<TokenKind> {
        let start = self.at;
        let (kind, digit): (_, fn(u8) -> bool) = match self.peek(1) {
            Some(b'x') => (TokenKind::Hex, |b| b.is_ascii_hexdigit()),
            Some(b'b') => (TokenKind::Binary, |b| b == b'0' || b == b'1'),
            _ => return self.unexpected("`#x` or `#b` expected at"),
        };
        self.at += 2;
        self.skip_while(digit);
        if self.at == start + 2 || self.peek(0).is_some_and(is_symbol) {
            self.skip_while(is_symbol);
            let message = "malformed bit-vector literal";
            return Err(Diagnostic::error(
                Code::Character,
                Span::new(start, self.at),
                message,
            ));
        }
        Ok(kind)
    }

    fn keyword(&mut self) -> Outcome<TokenKind> {
        self.at += 1;
        let start = self.at;
        self.skip_while(is_symbol);
        if self.at == start {
            let span = Span::new(start - 1, start);
            return Err(Diagnostic::error(
                Code::Character,
                span,
                "a keyword needs a name after the colon",
            ));
        }
        Ok(TokenKind::Keyword)
    }

    fn number(&mut self) -> Outcome<TokenKind> {
        let start = self.at;
        self.at += 1;
        self.skip_while(|b| b.is_ascii_digit());
        let mut kind = TokenKind::Numeral;
        if self.peek(0) == Some(b'.') && self.peek(1).is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
            self.skip_while(|b| b.is_ascii_digit());
            kind = TokenKind::Decimal;
        }
        if self.peek(0).is_some_and(is_symbol) {
            self.skip_while(is_symbol);
            // `-1x` is a symbol by the standard; only `-` followed by nothing but digits is a
            // numeral.
            if self.text.as_bytes()[start] == b'-' {
                return Ok(TokenKind::Symbol);
            }
            let message = "a symbol must not start with a digit";
            return Err(Diagnostic::error(
                Code::Character,
                Span::new(start, self.at),
                message,
            ));
        }
        if self.at - start > MAX_DIGITS {
            let message = format!(
                "a number of {} characters: at most {MAX_DIGITS} are read",
                self.at - start
            );
            return Err(Diagnostic::error(
                Code::Limit,
                Span::new(start, self.at),
                message,
            ));
        }
        Ok(kind)
    }
}

/// Characters that are neither printed nor blanks; a symbol with one could not be told from others.
fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\r' | b'\n')
}

fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}
