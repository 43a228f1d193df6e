//! Terms without arguments: names, numbers, bit-vectors and names with a sort.

use foretell_terms::number::power_of_two;
use foretell_terms::{Integer, Natural, Rational, Term};

use crate::apply::Call;
use crate::builtin::{self, Builtin};
use crate::diagnostic::{Code, Diagnostic, Outcome, excerpt};
use crate::elaborate::Elaborator;
use crate::lexer::TokenKind;
use crate::machine::malformed;
use crate::reader::{Sexp, symbol_name};
use crate::sorts::MAX_WIDTH;
use crate::symbols::Global;

impl Elaborator<'_> {
    /// `(_ bvN width)` and `(as symbol sort)`.
    pub(crate) fn qualified(&mut self, sexp: Sexp<'_>) -> Outcome<Term> {
        let mut items = sexp.items().skip(1);
        let (name, argument, rest) = (items.next(), items.next(), items.next());
        let (Some(name), Some(argument), None) = (name, argument, rest) else {
            return Err(self.not_qualified(sexp, name));
        };
        if sexp.items().next().is_some_and(|word| word.is_word("as")) {
            let sort = self.sort(argument)?;
            let term = self.atom(name)?;
            return self
                .templates
                .retarget(self.terms, term, sort)
                .ok_or_else(|| malformed(sexp, "the term has another sort"));
        }
        let digits = name
            .symbol()
            .and_then(|n| n.strip_prefix("bv"))
            .filter(|d| is_digits(d));
        let Some(digits) = digits else {
            return Err(self.not_qualified(sexp, Some(name)));
        };
        let width = argument.small_number().filter(|&w| w > 0 && w <= MAX_WIDTH);
        let Some(width) = width else {
            let message = format!("a bit-vector has 1 to {MAX_WIDTH} bits");
            return Err(Diagnostic::error(Code::Limit, argument.span(), message));
        };
        self.bit_vector(digits, 10, width, sexp)
    }

    fn not_qualified(&self, sexp: Sexp<'_>, name: Option<Sexp<'_>>) -> Box<Diagnostic> {
        let word = name.and_then(Sexp::symbol).unwrap_or("");
        if matches!(word, "+oo" | "-oo" | "+zero" | "-zero" | "NaN") {
            return Diagnostic::unsupported(sexp.span(), "floating-point numbers");
        }
        if let Some(feature) = builtin::foreign(word).or((word == "char").then_some("strings")) {
            return Diagnostic::unsupported(sexp.span(), format!("{feature} (`{word}`)"));
        }
        malformed(sexp, format!("unknown indexed symbol `{}`", excerpt(word)))
    }

    fn bit_vector(&self, digits: &str, radix: u32, width: u32, sexp: Sexp<'_>) -> Outcome<Term> {
        let value = natural(digits, radix, sexp)?;
        if value >= power_of_two(width) {
            let message = format!("the number does not fit into {width} bits");
            return Err(malformed(sexp, message));
        }
        Ok(self.terms.bv(Integer::from(value), width))
    }

    pub(crate) fn atom(&mut self, sexp: Sexp<'_>) -> Outcome<Term> {
        let token = sexp.token();
        let raw = token.span.text(sexp.text);
        match token.kind {
            TokenKind::Symbol | TokenKind::Quoted => {
                self.constant(sexp, symbol_name(sexp.text, token).unwrap_or(raw))
            }
            TokenKind::Numeral => Ok(self.terms.int(integer(raw, sexp)?)),
            TokenKind::Decimal => {
                let (whole, places) = raw.split_once('.').unwrap_or((raw, ""));
                let digits = integer(&format!("{whole}{places}"), sexp)?;
                let scale = Natural::from(10u8).pow(places.len());
                Ok(self.terms.real(Rational::from_parts(digits, scale)))
            }
            TokenKind::Hex | TokenKind::Binary => {
                let (radix, bits) = if token.kind == TokenKind::Hex {
                    (16, 4)
                } else {
                    (2, 1)
                };
                let width = u32::try_from((raw.len() - 2) * bits)
                    .ok()
                    .filter(|&w| w <= MAX_WIDTH);
                let width = width.ok_or_else(|| {
                    let message = format!("bit-vectors have at most {MAX_WIDTH} bits");
                    Diagnostic::error(Code::Limit, sexp.span(), message)
                })?;
                self.bit_vector(&raw[2..], radix, width, sexp)
            }
            TokenKind::String => Err(Diagnostic::unsupported(sexp.span(), "strings")),
            TokenKind::Keyword => Err(malformed(sexp, "a term expected, found a keyword")),
            TokenKind::Open | TokenKind::Close => Err(malformed(sexp, "a term expected")),
        }
    }

    fn constant(&mut self, sexp: Sexp<'_>, name: &str) -> Outcome<Term> {
        if let Some(term) = self.symbols.local(name) {
            return Ok(term);
        }
        let call = Call {
            terms: self.terms,
            lambdas: &self.lambdas,
            templates: &self.templates,
            sexp,
            name,
            args: &[],
        };
        match self.symbols.global(name) {
            Some(Global::Function(func)) => call.function(*func),
            Some(Global::Macro(definition)) => self.expand(definition, &call),
            Some(Global::Constructor(constructor)) => call.construct(*constructor),
            Some(Global::Selector(selector)) => call.field(*selector),
            Some(Global::Poisoned) => Err(Diagnostic::error(Code::Cascade, sexp.span(), "")),
            None => match builtin::builtin(name) {
                Some(op @ (Builtin::True | Builtin::False)) => call.builtin(op),
                Some(_) => Err(malformed(sexp, format!("`{name}` needs arguments"))),
                None => Err(unknown(sexp, name)),
            },
        }
    }
}

pub(crate) fn unknown(sexp: Sexp<'_>, name: &str) -> Box<Diagnostic> {
    if let Some(feature) = builtin::foreign(name) {
        return Diagnostic::unsupported(sexp.span(), format!("{feature} (`{}`)", excerpt(name)));
    }
    Diagnostic::error(
        Code::UnknownSymbol,
        sexp.span(),
        format!("unknown symbol `{}`", excerpt(name)),
    )
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

fn natural(digits: &str, radix: u32, sexp: Sexp<'_>) -> Outcome<Natural> {
    Natural::from_str_radix(digits, radix).map_err(|_| malformed(sexp, "malformed number"))
}

fn integer(digits: &str, sexp: Sexp<'_>) -> Outcome<Integer> {
    match digits.strip_prefix('-') {
        Some(magnitude) => Ok(-Integer::from(natural(magnitude, 10, sexp)?)),
        None => natural(digits, 10, sexp).map(Integer::from),
    }
}
