//! Tokens of C before preprocessing, comments left out, annotations kept.
//!
//! A comment is white space; one that begins with `@` is an annotation (ACSL) and is collected with
//! its place. A backslash at the end of a line joins it with the next one (between tokens).

use crate::error::{Code, Outcome, Span, Trouble};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name or keyword.
    Word,
    /// A number.
    Number,
    /// A character constant.
    Character,
    /// A string literal.
    Text,
    /// Anything else.
    Sign,
}

/// A token and what stands before it.
#[derive(Clone, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its spelling.
    pub text: Box<str>,
    /// The number of its file.
    pub file: usize,
    /// The offset of its first byte in the file.
    pub offset: usize,
    /// Whether it is the first of its line.
    pub first: bool,
    /// Whether white space stands before it.
    pub spaced: bool,
}

/// An annotation: the words of a comment that begins with `@`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The words behind the `@`.
    pub text: String,
    /// The offset of the words in the input.
    pub offset: usize,
    /// The offset behind the comment.
    pub end: usize,
}

/// The tokens of one file.
pub struct Lexed {
    /// The tokens.
    pub tokens: Vec<Token>,
    /// The annotations.
    pub annotations: Vec<Annotation>,
}

const LONG_SIGNS: [&str; 22] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=",
    "/=", "%=", "+=", "-=", "&=", "^=", "|=",
];

struct Lexer<'a> {
    text: &'a str,
    file: usize,
    at: usize,
    first: bool,
    spaced: bool,
    out: Lexed,
}

/// Reads the tokens of a file.
pub fn lex(text: &str, file: usize) -> Outcome<Lexed> {
    let out = Lexed {
        tokens: Vec::new(),
        annotations: Vec::new(),
    };
    let mut lexer = Lexer {
        text,
        file,
        at: 0,
        first: true,
        spaced: false,
        out,
    };
    while lexer.at < text.len() {
        lexer.step()?;
    }
    Ok(lexer.out)
}

impl Lexer<'_> {
    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn trouble(&self, message: &str) -> Box<Trouble> {
        Trouble::new(Code::Lexical, Span::new(self.at, self.at + 1), message)
    }

    fn step(&mut self) -> Outcome<()> {
        let rest = self.rest();
        match rest[0] {
            b'\n' => {
                self.first = true;
                self.spaced = true;
                self.at += 1;
            }
            b'\\' if rest[1..].starts_with(b"\n") || rest[1..].starts_with(b"\r\n") => {
                self.at += if rest[1] == b'\r' { 3 } else { 2 };
                self.spaced = true;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                self.at += 1;
                self.spaced = true;
            }
            b'/' if rest[1..].starts_with(b"/") => self.line_comment(),
            b'/' if rest[1..].starts_with(b"*") => self.block_comment()?,
            0 => return Err(self.trouble("a NUL byte in the text")),
            _ => self.token()?,
        }
        Ok(())
    }

    fn line_comment(&mut self) {
        let rest = self.rest();
        let len = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.annotation(self.at + 2, self.at + len, self.at + len);
        self.at += len;
        self.spaced = true;
    }

    fn block_comment(&mut self) -> Outcome<()> {
        let Some(len) = self.text[self.at + 2..].find("*/") else {
            return Err(self.trouble("a comment that does not end"));
        };
        let end = self.at + 2 + len + 2;
        self.annotation(self.at + 2, end - 2, end);
        self.at = end;
        self.spaced = true;
        Ok(())
    }

    fn annotation(&mut self, start: usize, stop: usize, end: usize) {
        let Some(words) = self.text.get(start..stop) else {
            return;
        };
        if let Some(words) = words.strip_prefix('@') {
            let text = words.strip_suffix('@').unwrap_or(words).to_owned();
            self.out.annotations.push(Annotation {
                text,
                offset: start + 1,
                end,
            });
        }
    }

    fn token(&mut self) -> Outcome<()> {
        let (kind, len) = self.measure()?;
        let text = &self.text[self.at..self.at + len];
        let token = Token {
            kind,
            text: text.into(),
            file: self.file,
            offset: self.at,
            first: self.first,
            spaced: self.spaced,
        };
        self.out.tokens.push(token);
        self.at += len;
        self.first = false;
        self.spaced = false;
        Ok(())
    }

    fn measure(&self) -> Outcome<(Kind, usize)> {
        let rest = self.rest();
        let first = rest[0];
        let run = |start: usize, test: &dyn Fn(u8) -> bool| {
            rest[start..]
                .iter()
                .position(|&b| !test(b))
                .map_or(rest.len(), |n| n + start)
        };
        let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
        if first.is_ascii_digit() || (first == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit))
        {
            let mut len = 1;
            while let Some(&b) = rest.get(len) {
                let sign =
                    matches!(b, b'+' | b'-') && matches!(rest[len - 1], b'e' | b'E' | b'p' | b'P');
                let hex = rest.len() > 1 && matches!(rest[1], b'x' | b'X');
                let exponent = sign && !(hex && matches!(rest[len - 1], b'e' | b'E'));
                if word(b) || b == b'.' || exponent {
                    len += 1;
                } else {
                    break;
                }
            }
            return Ok((Kind::Number, len));
        }
        if word(first) {
            return Ok((Kind::Word, run(1, &word)));
        }
        if first == b'"' || first == b'\'' {
            return self.quoted(first);
        }
        let sign = LONG_SIGNS.iter().find(|s| rest.starts_with(s.as_bytes()));
        if let Some(sign) = sign {
            return Ok((Kind::Sign, sign.len()));
        }
        if first.is_ascii_punctuation() {
            return Ok((Kind::Sign, 1));
        }
        Err(self.trouble("a character that starts no token of C"))
    }

    fn quoted(&self, quote: u8) -> Outcome<(Kind, usize)> {
        let rest = self.rest();
        let mut len = 1;
        loop {
            match rest.get(len) {
                None | Some(b'\n') => {
                    return Err(self.trouble("a literal that does not end on its line"));
                }
                Some(b'\\') => len += 2,
                Some(&b) if b == quote => break,
                Some(_) => len += 1,
            }
        }
        if !self.text.is_char_boundary(self.at + len + 1) {
            return Err(self.trouble("a literal with an escape that is no character"));
        }
        Ok((
            if quote == b'"' {
                Kind::Text
            } else {
                Kind::Character
            },
            len + 1,
        ))
    }
}
