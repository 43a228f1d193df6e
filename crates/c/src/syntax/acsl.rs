//! Annotations in ACSL, as far as they are read.
//!
//! `assert P;` and `check P;` in front of a statement are goals; `requires` and `ensures` in front
//! of a function are its contract; `loop invariant` in front of a loop is a hint or a goal.
//! `loop assigns`, `loop variant`, `assigns`, `ghost` and the like are skipped with a note. A
//! predicate is a formula over mathematical integers: `\forall integer k; …`, `\exists`, `==>`,
//! `<==>`, `&&`, `||`, `!`, chained comparisons, arithmetic, `a[i]`, `\true`, `\false`; in contracts
//! `\result`, `\old(e)`, `\at(e, Pre)`, and, in `requires`, `\valid(…)`, which says nothing here:
//! every access is checked where it happens. A goal that is not understood is an error, never
//! dropped.

use super::tree::{Binary, Expr, ExprKind, Unary};
use crate::error::{Code, Outcome, Span, Trouble};
use crate::text::lexer::{Annotation, Kind, Token, lex};

/// What an annotation says.
#[derive(Clone, Debug)]
pub enum Item {
    /// This must hold here.
    Assert(Expr),
    /// This is said to hold whenever the loop is entered or entered again.
    Invariant(Expr),
    /// This must hold when the function is called.
    Requires(Expr),
    /// This must hold when it returns.
    Ensures(Expr),
    /// An invariant that is not understood.
    NotUnderstood(Box<Trouble>),
    /// Something that is read and skipped, by its word.
    Skipped(String),
}

/// The names of what only annotations can say.
pub const RESULT: &str = "$result";
/// The value an expression had when the function was called.
pub const OLD: &str = "$old";

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    span: Span,
    valid: Valid,
}

/// Whether `\valid` may be said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Valid {
    Known,
    Unknown,
}

/// Reads an annotation. Its place is that of the statement it stands in front of.
pub fn read(annotation: &Annotation, span: Span) -> Outcome<Vec<Item>> {
    // The sign of ACSL's words is no token of C.
    let text = annotation.text.replace('\\', "$").replace('@', " ");
    let tokens = lex(&text, 0)
        .map_err(|t| Trouble::new(Code::Annotation, span, t.message))?
        .tokens;
    let mut reader = Reader {
        tokens,
        at: 0,
        depth: 0,
        span,
        valid: Valid::Unknown,
    };
    let mut items = Vec::new();
    while let Some(word) = reader.word() {
        match &*word {
            "assert" | "check" => {
                items.push(Item::Assert(reader.formula()?));
                reader.expect(";")?;
            }
            "requires" => {
                reader.valid = Valid::Known;
                items.push(Item::Requires(reader.formula()?));
                reader.expect(";")?;
                reader.valid = Valid::Unknown;
            }
            "ensures" => {
                items.push(Item::Ensures(reader.formula()?));
                reader.expect(";")?;
            }
            "loop" if reader.eat("invariant") => items.push(reader.invariant()),
            _ => {
                let next = reader.tokens.get(reader.at).map(|t| t.text.to_string());
                let name = if word == "loop" {
                    format!("loop {}", next.unwrap_or_default())
                } else {
                    word
                };
                items.push(Item::Skipped(name));
                while reader.at < reader.tokens.len() && !reader.eat(";") {
                    reader.at += 1;
                }
            }
        }
    }
    Ok(items)
}

impl Reader {
    fn word(&mut self) -> Option<String> {
        let word = self.tokens.get(self.at)?.text.to_string();
        self.at += 1;
        Some(word)
    }

    /// What follows `loop invariant`; nothing depends on it, so it need not be understood.
    fn invariant(&mut self) -> Item {
        let read = self.formula().and_then(|e| self.expect(";").map(|()| e));
        match read {
            Ok(e) => Item::Invariant(e),
            Err(trouble) => {
                self.depth = 0;
                while self.at < self.tokens.len() && !self.eat(";") {
                    self.at += 1;
                }
                Item::NotUnderstood(trouble)
            }
        }
    }

    /// `(e)` or `(e, Pre)` behind `\old` or `\at`.
    fn earlier(&mut self, word: &str) -> Outcome<ExprKind> {
        self.expect("(")?;
        let inner = self.formula()?;
        let mut kind = None;
        if word == "$at" {
            self.expect(",")?;
            kind = self.word();
        }
        self.expect(")")?;
        match kind.as_deref() {
            Some("Here") => return Ok(inner.kind),
            None | Some("Pre" | "Old") => {}
            Some(label) => return self.unknown(label).map(|e| e.kind),
        }
        let old = Box::new(self.node(ExprKind::Name(OLD.to_owned())));
        Ok(ExprKind::Call(old, vec![inner]))
    }

    /// What stands in parentheses is not looked at.
    fn skipped(&mut self) -> Outcome<()> {
        self.expect("(")?;
        let mut open = 1;
        while open > 0 {
            match self.word().as_deref() {
                Some("(") => open += 1,
                Some(")") => open -= 1,
                Some(_) => {}
                None => return self.expect(")"),
            }
        }
        Ok(())
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |t| &t.text)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.peek() == sign;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Outcome<()> {
        if self.eat(sign) {
            return Ok(());
        }
        let message = format!("annotation: {sign} expected, `{}` found", self.peek());
        Err(Trouble::new(Code::Annotation, self.span, message))
    }

    fn node(&self, kind: ExprKind) -> Expr {
        Expr {
            kind,
            span: self.span,
        }
    }

    fn not(&self, a: Expr) -> Expr {
        self.node(ExprKind::Unary(Unary::Not, Box::new(a)))
    }

    fn or(&self, a: Expr, b: Expr) -> Expr {
        self.node(ExprKind::Or(Box::new(a), Box::new(b)))
    }

    fn and(&self, a: Expr, b: Expr) -> Expr {
        self.node(ExprKind::And(Box::new(a), Box::new(b)))
    }

    /// Quantifiers and equivalences bind least, then implications.
    fn formula(&mut self) -> Outcome<Expr> {
        self.depth += 1;
        if self.depth > 200 {
            return Err(Trouble::new(
                Code::Limit,
                self.span,
                "annotation: nested more than 200 deep",
            ));
        }
        let result = self.formula_inside();
        self.depth -= 1;
        result
    }

    fn formula_inside(&mut self) -> Outcome<Expr> {
        for (word, universal) in [("$forall", true), ("$exists", false)] {
            if !self.eat(word) {
                continue;
            }
            let ty = self.word().unwrap_or_default();
            if !matches!(&*ty, "integer" | "int") {
                let message = format!("annotation: quantification over {ty}");
                return Err(Trouble::new(Code::Annotation, self.span, message));
            }
            let mut names = vec![self.word().unwrap_or_default()];
            while self.eat(",") {
                names.push(self.word().unwrap_or_default());
            }
            self.expect(";")?;
            let body = Box::new(self.formula()?);
            let kind = if universal {
                ExprKind::Forall(names, body)
            } else {
                ExprKind::Exists(names, body)
            };
            return Ok(self.node(kind));
        }
        let left = self.implication()?;
        // `<==>` comes from the lexer in two pieces.
        if self.peek() == "<="
            && self
                .tokens
                .get(self.at + 1)
                .is_some_and(|t| &*t.text == "=")
        {
            self.at += 2;
            self.expect(">")?;
            let right = self.implication()?;
            let (not_left, not_right) = (self.not(left.clone()), self.not(right.clone()));
            let (one, other) = (self.or(not_left, right), self.or(not_right, left));
            return Ok(self.and(one, other));
        }
        Ok(left)
    }

    fn implication(&mut self) -> Outcome<Expr> {
        let left = self.disjunction()?;
        // `==>` comes from the lexer as `==` and `>`.
        if self.peek() == "=="
            && self
                .tokens
                .get(self.at + 1)
                .is_some_and(|t| &*t.text == ">")
        {
            self.at += 2;
            let right = self.formula()?;
            let not_left = self.not(left);
            return Ok(self.or(not_left, right));
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Outcome<Expr> {
        let mut left = self.conjunction()?;
        while self.eat("||") {
            let right = self.conjunction()?;
            left = self.or(left, right);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Outcome<Expr> {
        let mut left = self.comparison()?;
        while self.eat("&&") {
            let right = self.comparison()?;
            left = self.and(left, right);
        }
        Ok(left)
    }

    /// `a <= b < c` means both.
    fn comparison(&mut self) -> Outcome<Expr> {
        let first = self.sum()?;
        let mut left = first.clone();
        let mut all: Option<Expr> = None;
        loop {
            let op = match self.peek() {
                "<" => Binary::Lt,
                ">" => Binary::Gt,
                "<=" if self.next_is_not("=") => Binary::Le,
                ">=" => Binary::Ge,
                "==" if self.next_is_not(">") => Binary::Eq,
                "!=" => Binary::Ne,
                _ => break,
            };
            self.at += 1;
            let right = self.sum()?;
            let one = self.node(ExprKind::Binary(
                op,
                Box::new(left),
                Box::new(right.clone()),
            ));
            all = Some(match all {
                Some(known) => self.and(known, one),
                None => one,
            });
            left = right;
        }
        Ok(all.unwrap_or(first))
    }

    fn next_is_not(&self, sign: &str) -> bool {
        self.tokens
            .get(self.at + 1)
            .is_none_or(|t| &*t.text != sign)
    }

    fn sum(&mut self) -> Outcome<Expr> {
        let operators = [("+", Binary::Add), ("-", Binary::Sub)];
        self.chain(&operators, Self::product)
    }

    fn product(&mut self) -> Outcome<Expr> {
        let operators = [("*", Binary::Mul), ("/", Binary::Div), ("%", Binary::Rem)];
        self.chain(&operators, Self::factor)
    }

    /// Operands between operators of one strength, from the left.
    fn chain(
        &mut self,
        operators: &[(&str, Binary)],
        operand: fn(&mut Self) -> Outcome<Expr>,
    ) -> Outcome<Expr> {
        let mut left = operand(self)?;
        while let Some(&(_, op)) = operators.iter().find(|(sign, _)| *sign == self.peek()) {
            self.at += 1;
            let right = operand(self)?;
            left = self.node(ExprKind::Binary(op, Box::new(left), Box::new(right)));
        }
        Ok(left)
    }

    fn factor(&mut self) -> Outcome<Expr> {
        self.depth += 1;
        if self.depth > 200 {
            return Err(Trouble::new(
                Code::Limit,
                self.span,
                "annotation: nested more than 200 deep",
            ));
        }
        let mut base = if self.eat("!") {
            let inner = self.factor()?;
            self.not(inner)
        } else if self.eat("-") {
            let inner = Box::new(self.factor()?);
            self.node(ExprKind::Unary(Unary::Minus, inner))
        } else if self.eat("(") {
            let inner = self.formula()?;
            self.expect(")")?;
            inner
        } else {
            self.atom()?
        };
        while self.eat("[") {
            let index = Box::new(self.sum()?);
            self.expect("]")?;
            base = self.node(ExprKind::Index(Box::new(base), index));
        }
        self.depth -= 1;
        Ok(base)
    }

    fn atom(&mut self) -> Outcome<Expr> {
        let Some(token) = self.tokens.get(self.at).cloned() else {
            return Err(Trouble::new(
                Code::Annotation,
                self.span,
                "annotation: it ends too early",
            ));
        };
        self.at += 1;
        let kind = match (&*token.text, token.kind) {
            ("$true", _) => integer(1),
            ("$false", _) => integer(0),
            ("$result", _) => ExprKind::Name(RESULT.to_owned()),
            (word @ ("$old" | "$at"), _) => self.earlier(word)?,
            ("$valid" | "$valid_read", _) if self.valid == Valid::Known => {
                self.skipped()?;
                integer(1)
            }
            (text, Kind::Number) => match text.parse() {
                Ok(value) => integer(value),
                Err(_) => return self.unknown(text),
            },
            (text, Kind::Word) if !text.starts_with('$') => ExprKind::Name(text.to_owned()),
            (text, _) => return self.unknown(text),
        };
        Ok(self.node(kind))
    }

    fn unknown(&self, text: &str) -> Outcome<Expr> {
        let message = format!(
            "annotation: `{}` is not understood",
            text.replace('$', "\\")
        );
        Err(Trouble::new(Code::Annotation, self.span, message))
    }
}

fn integer(value: i128) -> ExprKind {
    ExprKind::Integer {
        value,
        unsigned: false,
        longs: 0,
        decimal: true,
    }
}
