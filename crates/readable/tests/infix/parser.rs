//! A parser for the infix notation, written from its description and not from its writer.
//!
//! ```text
//! formula  ::= (∀|∃) binder (, binder)* . formula | or [→ formula]
//! binder   ::= name [: sort]                         without a sort: Int
//! or       ::= and (∨ and)*          and ::= comparison (∧ comparison)*
//! comparison ::= sum ((= ≠ ≤ < ≤ᵤ <ᵤ ≤ₛ <ₛ) sum)*    a chain is a conjunction
//! sum      ::= product ((+|-) product)*
//! product  ::= unary ((· | mod | div | /) unary)*
//! unary    ::= (¬|-) unary | closed
//! closed   ::= first ( "[" formulas [:= formula] "]" )*
//! first    ::= number | vector | "(" formula ")" | (if formula then formula else formula)
//!            | [else formula] | name [ "(" formulas ")" ] | (_ …)(formulas) | (as …) ["(" formulas ")"]
//! ```

use foretell_terms::{Integer, Natural, Rational};

/// What a text says, before sorts are known.
#[derive(Clone, Debug)]
pub(crate) enum Ast {
    Number(Rational),
    Vector(u32, Natural),
    /// A name, or `(_ …)` or `(as …)`, and its arguments.
    Call(String, Vec<Ast>),
    Select(Box<Ast>, Vec<Ast>),
    Store(Box<Ast>, Vec<Ast>, Box<Ast>),
    Everywhere(Box<Ast>),
    If(Box<[Ast; 3]>),
    Not(Box<Ast>),
    Negative(Box<Ast>),
    And(Vec<Ast>),
    Or(Vec<Ast>),
    Implies(Box<[Ast; 2]>),
    /// Sides, and the signs between them.
    Chain(Vec<Ast>, Vec<&'static str>),
    Binary(&'static str, Box<[Ast; 2]>),
    /// `∀` or `∃`, names with the texts of their sorts, the body.
    Bind(char, Vec<(String, Option<String>)>, Box<Ast>),
}

/// The signs of comparisons; longer ones first.
const COMPARISONS: [&str; 8] = ["≤ᵤ", "<ᵤ", "≤ₛ", "<ₛ", "≠", "≤", "<", "="];
const WORDS: [&str; 7] = ["if", "then", "else", "mod", "div", "true", "false"];

pub(crate) struct Parser<'t> {
    rest: &'t str,
    /// How sorts are written.
    sorts: &'t [String],
}

fn is_inside(c: char) -> bool {
    c.is_alphanumeric() || "_!@$%^&~?.'#:-".contains(c)
}

/// Reads a whole text.
pub(crate) fn parse(text: &str, sorts: &[String]) -> Ast {
    let mut parser = Parser { rest: text, sorts };
    let ast = parser.formula();
    assert!(
        parser.rest.is_empty(),
        "`{}` is left of {text}",
        parser.rest
    );
    ast
}

impl<'t> Parser<'t> {
    fn takes(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn need(&mut self, token: &str) {
        assert!(self.takes(token), "`{token}` expected at `{}`", self.rest);
    }

    /// One of these signs with blanks around it.
    fn between(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        let found = signs
            .iter()
            .find(|s| self.rest.starts_with(&format!(" {s} ")));
        let sign = *found?;
        self.rest = &self.rest[sign.len() + 2..];
        Some(sign)
    }

    fn formula(&mut self) -> Ast {
        for sign in ['∀', '∃'] {
            if self.takes(&sign.to_string()) {
                return self.quantifier(sign);
            }
        }
        let left = self.or();
        match self.between(&["→"]) {
            Some(_) => Ast::Implies(Box::new([left, self.formula()])),
            None => left,
        }
    }

    fn quantifier(&mut self, sign: char) -> Ast {
        let mut vars = Vec::new();
        loop {
            let name = self.name().expect("a variable");
            let sort = self.takes(": ").then(|| self.sort());
            vars.push((name, sort));
            if !self.takes(", ") {
                break;
            }
        }
        self.need(". ");
        Ast::Bind(sign, vars, Box::new(self.formula()))
    }

    fn sort(&mut self) -> String {
        let known = self
            .sorts
            .iter()
            .filter(|s| self.rest.starts_with(s.as_str()));
        let longest = known.max_by_key(|s| s.len()).expect("a sort").clone();
        self.rest = &self.rest[longest.len()..];
        longest
    }

    fn or(&mut self) -> Ast {
        let mut parts = vec![self.and()];
        while self.between(&["∨"]).is_some() {
            parts.push(self.and());
        }
        single(parts, Ast::Or)
    }

    fn and(&mut self) -> Ast {
        let mut parts = vec![self.comparison()];
        while self.between(&["∧"]).is_some() {
            parts.push(self.comparison());
        }
        single(parts, Ast::And)
    }

    fn comparison(&mut self) -> Ast {
        let (mut sides, mut signs) = (vec![self.sum()], Vec::new());
        while let Some(sign) = self.between(&COMPARISONS) {
            signs.push(sign);
            sides.push(self.sum());
        }
        single(sides, |sides| Ast::Chain(sides, signs))
    }

    fn sum(&mut self) -> Ast {
        let mut left = self.product();
        while let Some(sign) = self.between(&["+", "-"]) {
            left = Ast::Binary(sign, Box::new([left, self.product()]));
        }
        left
    }

    fn product(&mut self) -> Ast {
        let mut left = self.unary();
        while let Some(sign) = self.between(&["·", "mod", "div", "/"]) {
            left = Ast::Binary(sign, Box::new([left, self.unary()]));
        }
        left
    }

    fn unary(&mut self) -> Ast {
        if self.takes("¬") {
            return Ast::Not(Box::new(self.unary()));
        }
        if self.takes("-") {
            return Ast::Negative(Box::new(self.unary()));
        }
        self.closed()
    }

    fn closed(&mut self) -> Ast {
        let mut ast = self.first();
        while self.takes("[") {
            let at = self.formulas();
            ast = if self.takes(" := ") {
                let value = self.formula();
                Ast::Store(Box::new(ast), at, Box::new(value))
            } else {
                Ast::Select(Box::new(ast), at)
            };
            self.need("]");
        }
        ast
    }

    fn formulas(&mut self) -> Vec<Ast> {
        let mut list = vec![self.formula()];
        while self.takes(", ") {
            list.push(self.formula());
        }
        list
    }

    fn first(&mut self) -> Ast {
        if self.takes("[else ") {
            let value = self.formula();
            self.need("]");
            return Ast::Everywhere(Box::new(value));
        }
        if self.takes("(if ") {
            let condition = self.formula();
            self.need(" then ");
            let yes = self.formula();
            self.need(" else ");
            let no = self.formula();
            self.need(")");
            return Ast::If(Box::new([condition, yes, no]));
        }
        if self.rest.starts_with("(_ ") || self.rest.starts_with("(as ") {
            return self.called(Self::balanced);
        }
        if self.takes("(") {
            let inner = self.formula();
            self.need(")");
            return inner;
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number();
        }
        if self.takes("#") {
            return self.vector();
        }
        for word in ["true", "false"] {
            let after = self.rest.strip_prefix(word);
            if after.is_some_and(|rest| !rest.starts_with(is_inside)) {
                self.need(word);
                return Ast::Call(word.to_owned(), Vec::new());
            }
        }
        self.called(|parser| parser.name().expect("a name"))
    }

    fn called(&mut self, head: impl FnOnce(&mut Self) -> String) -> Ast {
        let head = head(self);
        let mut arguments = Vec::new();
        if self.takes("(") {
            arguments = self.formulas();
            self.need(")");
        }
        Ast::Call(head, arguments)
    }

    /// A group of SMT-LIB.
    fn balanced(&mut self) -> String {
        let mut depth = 0;
        let end = self.rest.char_indices().find(|(_, c)| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth == 0
        });
        let (text, rest) = self.rest.split_at(end.expect("a parenthesis").0 + 1);
        self.rest = rest;
        text.to_owned()
    }

    fn name(&mut self) -> Option<String> {
        if self.takes("|") {
            let (name, rest) = self.rest.split_once('|')?;
            self.rest = rest;
            return Some(name.to_owned());
        }
        let end = self.rest.find(|c: char| !is_inside(c));
        let whole = &self.rest[..end.unwrap_or(self.rest.len())];
        let name = whole.trim_end_matches(['.', ':']);
        self.rest = &self.rest[name.len()..];
        assert!(!WORDS.contains(&name), "`{name}` is no name");
        let begins = !name.starts_with(|c: char| c.is_numeric() || "'#:-".contains(c));
        (!name.is_empty() && begins).then(|| name.to_owned())
    }

    fn digits(&mut self) -> Integer {
        let end = self.rest.find(|c: char| !c.is_ascii_digit());
        let (digits, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        digits.parse().expect("digits")
    }

    fn number(&mut self) -> Ast {
        let numerator = self.digits();
        let denominator = match self.takes("/") {
            true => self.digits(),
            false => Integer::from(1),
        };
        let value = foretell_terms::number::fraction(&numerator, &denominator);
        Ast::Number(value)
    }

    fn vector(&mut self) -> Ast {
        let (radix, per_digit) = match self.takes("x") {
            true => (16, 4),
            false => {
                self.need("b");
                (2, 1)
            }
        };
        let end = self.rest.find(|c: char| !c.is_ascii_hexdigit());
        let (digits, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        let bits = Natural::from_str_radix(digits, radix).expect("digits");
        Ast::Vector(per_digit * u32::try_from(digits.len()).expect("few"), bits)
    }
}

fn single(mut parts: Vec<Ast>, joined: impl FnOnce(Vec<Ast>) -> Ast) -> Ast {
    match (parts.pop(), parts.is_empty()) {
        (Some(only), true) => only,
        (last, _) => {
            parts.extend(last);
            joined(parts)
        }
    }
}
