//! Tokens to commands and expressions.
//!
//! A command is one balanced expression at the top of the file, kept as a flat list of tokens in
//! which every opening parenthesis knows where its expression ends: nothing is nested in memory,
//! so nothing recurses. An error inside a command spoils that command only.

use crate::diagnostic::{Code, Diagnostic, Diagnostics, Outcome, excerpt};
use crate::lexer::{Lexer, Token, TokenKind};
use crate::span::Span;

/// Deeper nesting of parentheses is refused. The reader could go on; solvers, which check answers
/// on the original text, could not in any reasonable time.
pub(crate) const MAX_NESTING: usize = 100_000;

/// One expression at the top of the file.
#[derive(Clone, Debug)]
pub struct Command<'t> {
    text: &'t str,
    /// Invariant: balanced; `after` of every token is the position behind its expression.
    tokens: Vec<Token>,
}

impl<'t> Command<'t> {
    /// The whole expression.
    pub fn sexp(&self) -> Sexp<'_> {
        Sexp {
            text: self.text,
            tokens: &self.tokens,
            at: 0,
        }
    }

    /// The whole span.
    pub fn span(&self) -> Span {
        self.sexp().span()
    }
}

/// An expression inside a command.
#[derive(Clone, Copy, Debug)]
pub struct Sexp<'a> {
    /// The text of the file.
    pub(crate) text: &'a str,
    /// The tokens of the command.
    pub(crate) tokens: &'a [Token],
    /// The first token of the expression.
    pub(crate) at: usize,
}

impl<'a> Sexp<'a> {
    /// The first token.
    pub(crate) fn token(self) -> Token {
        self.tokens[self.at]
    }

    /// The position behind the expression.
    pub(crate) fn after(self) -> usize {
        self.token().after as usize
    }

    /// The place of the expression.
    pub fn span(self) -> Span {
        self.token().span.to(self.tokens[self.after() - 1].span)
    }

    /// Whether the expression is a list.
    pub fn is_list(self) -> bool {
        self.token().kind == TokenKind::Open
    }

    /// The name of a symbol, without bars; `None` for everything else.
    pub fn symbol(self) -> Option<&'a str> {
        symbol_name(self.text, self.token())
    }

    /// The symbol, or an error that says what was expected.
    pub(crate) fn expect_symbol(self, what: &str) -> Outcome<&'a str> {
        self.symbol()
            .ok_or_else(|| self.malformed(format!("{what} expected, found {}", self.describe())))
    }

    /// Whether this is the symbol without bars.
    pub fn is_word(self, word: &str) -> bool {
        self.token().kind == TokenKind::Symbol && self.token().span.text(self.text) == word
    }

    /// The text of a keyword with its colon.
    pub fn keyword(self) -> Option<&'a str> {
        (self.token().kind == TokenKind::Keyword).then(|| self.token().span.text(self.text))
    }

    /// The elements of a list; none for an atom.
    pub fn items(self) -> Items<'a> {
        let (at, end) = if self.is_list() {
            (self.at + 1, self.after() - 1)
        } else {
            (0, 0)
        };
        Items {
            text: self.text,
            tokens: self.tokens,
            at,
            end,
        }
    }

    /// The elements of a list, or an error that says what was expected.
    pub(crate) fn expect_list(self, what: &str) -> Outcome<Items<'a>> {
        if self.is_list() {
            return Ok(self.items());
        }
        Err(self.malformed(format!("{what} expected, found {}", self.describe())))
    }

    /// A number written in digits.
    pub fn small_number(self) -> Option<u32> {
        let token = self.token();
        (token.kind == TokenKind::Numeral).then(|| token.span.text(self.text).parse().ok())?
    }

    /// About the value of a numeral or decimal.
    pub fn number(self) -> Option<f64> {
        let token = self.token();
        let is_number = matches!(token.kind, TokenKind::Numeral | TokenKind::Decimal);
        is_number.then(|| token.span.text(self.text).parse().ok())?
    }

    /// A few words about the expression for a message.
    pub(crate) fn describe(self) -> String {
        if self.is_list() {
            "a list".into()
        } else {
            format!("`{}`", excerpt(self.span().text(self.text)))
        }
    }

    /// An error at this place about a malformed command.
    pub fn malformed(self, message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::error(Code::MalformedCommand, self.span(), message)
    }
}

/// The name a token stands for when it is a symbol: without bars.
pub(crate) fn symbol_name(text: &str, token: Token) -> Option<&str> {
    let raw = token.span.text(text);
    match token.kind {
        TokenKind::Symbol => Some(raw),
        TokenKind::Quoted => raw.get(1..raw.len() - 1),
        _ => None,
    }
}

/// The elements of a list.
#[derive(Clone, Debug)]
pub struct Items<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    end: usize,
}

impl<'a> Iterator for Items<'a> {
    type Item = Sexp<'a>;

    fn next(&mut self) -> Option<Sexp<'a>> {
        if self.at >= self.end {
            return None;
        }
        let sexp = Sexp {
            text: self.text,
            tokens: self.tokens,
            at: self.at,
        };
        self.at = sexp.after();
        Some(sexp)
    }
}

/// Reads a file command by command.
#[derive(Clone, Debug)]
pub struct Reader<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
}

impl<'t> Reader<'t> {
    /// A reader at the beginning of a text.
    pub fn new(text: &'t str) -> Reader<'t> {
        Reader {
            text,
            lexer: Lexer::new(text),
        }
    }

    /// The next command without error; errors on the way are reported and skipped.
    pub fn next_command(&mut self, diagnostics: &mut Diagnostics) -> Option<Command<'t>> {
        loop {
            let first = self.lexer.next_token()?;
            match diagnostics.absorb(first) {
                None => {}
                Some(token) if token.kind == TokenKind::Open => {
                    if let Some(command) = self.command(token, diagnostics) {
                        return Some(command);
                    }
                }
                Some(token) => diagnostics.push(self.stray(token)),
            }
        }
    }

    fn stray(&mut self, token: Token) -> Box<Diagnostic> {
        if token.kind == TokenKind::Close {
            return Diagnostic::error(Code::Parenthesis, token.span, "this `)` closes nothing");
        }
        // One report for a run of words that are no commands: this is not an SMT-LIB file.
        while let Some(next) = self.lexer.clone().next_token() {
            if matches!(next, Ok(t) if matches!(t.kind, TokenKind::Open | TokenKind::Close)) {
                break;
            }
            self.lexer.next_token();
        }
        let word = excerpt(token.span.text(self.text));
        Diagnostic::error(
            Code::MalformedCommand,
            token.span,
            format!("`(` expected, found `{word}`"),
        )
        .note("an input is a sequence of commands in parentheses")
    }

    fn command(&mut self, first: Token, diagnostics: &mut Diagnostics) -> Option<Command<'t>> {
        let mut tokens = vec![first];
        let mut open = vec![0usize];
        let mut spoiled = false;
        while let Some(&innermost) = open.last() {
            let Some(next) = self.lexer.next_token() else {
                if !spoiled {
                    let message = "this `(` is not closed: the input ends inside a command";
                    let span = tokens[innermost].span;
                    diagnostics.push(
                        Diagnostic::error(Code::Parenthesis, span, message)
                            .note(self.begins(first.span)),
                    );
                }
                return None;
            };
            let Some(mut token) = diagnostics.absorb(next) else {
                spoiled = true;
                continue;
            };
            let position = tokens.len();
            token.after = Span::new(position + 1, 0).start;
            match token.kind {
                TokenKind::Open => {
                    open.push(position);
                    if open.len() == MAX_NESTING + 1 && !spoiled {
                        spoiled = true;
                        diagnostics.push(self.too_deep(token.span, first.span));
                    }
                }
                TokenKind::Close => {
                    tokens[innermost].after = token.after;
                    open.pop();
                }
                _ => {}
            }
            tokens.push(token);
        }
        (!spoiled).then_some(Command {
            text: self.text,
            tokens,
        })
    }

    fn too_deep(&self, here: Span, first: Span) -> Box<Diagnostic> {
        let message = format!("parentheses nested more than {MAX_NESTING} levels deep");
        Diagnostic::error(Code::Limit, here, message).note(self.begins(first))
    }

    fn begins(&self, first: Span) -> String {
        let rest = &self.text[first.start as usize..];
        let line = rest.lines().next().unwrap_or("");
        format!("the command begins with `{}`", excerpt(line.trim_end()))
    }
}
