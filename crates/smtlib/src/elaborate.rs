//! Terms.
//!
//! The elaborator walks the tokens of a term once, from left to right, with a stack of open
//! constructs and a stack of finished terms, and builds straight into the term store:
//!
//! ```text
//! atom                  push its term
//! (f                    open an application           )   pop its arguments, push the application
//! (let (                open the list of bindings     )   bind all names at once
//!        (x             open a binding                )   nothing
//!                       …body                         )   unbind
//! (forall ((x S) …)     bind fresh variables          )   unbind, push the quantified body
//! (! …                  open an annotated term        )   nothing
//! ```
//!
//! Bound variables are new symbols for every binder, so that substitution cannot capture. They keep
//! the user's name unless it means something already, in which case a number is added: printed text
//! then never confuses two variables. Errors leave the names as they were before the term.

use foretell_terms::{Sort, Term, TermStore};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::apply::Call;
use crate::builtin;
use crate::diagnostic::{Code, Diagnostic, Outcome, excerpt};
use crate::lambda::Lambdas;
use crate::lexer::TokenKind;
use crate::literal::unknown;
use crate::machine::{Construct, Frame, Head, Machine, Quantifier, malformed};
use crate::reader::Sexp;
use crate::span::Span;
use crate::symbols::{Global, Symbols};
use crate::templates::Templates;

/// Turns expressions into terms and sorts; owns the names of a file.
#[derive(Clone)]
pub struct Elaborator<'s> {
    pub(crate) terms: &'s TermStore,
    pub(crate) symbols: Symbols,
    /// How deeply the array sorts made here nest.
    pub(crate) sort_depths: IndexMap<Sort, u32, FxBuildHasher>,
    pub(crate) annotations: Vec<Annotation>,
    pub(crate) lambdas: Lambdas,
    pub(crate) templates: Templates,
}

/// An attribute that was attached to a term with `!`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The keyword with its colon.
    pub key: String,
    /// The place of the keyword.
    pub key_span: Span,
    /// The place of the value, if there is one.
    pub value: Option<Span>,
    /// The annotated term.
    pub term: Term,
}

impl Annotation {
    /// The value as a name: the text of the value without quoting bars; a list is no name.
    pub fn value_name<'t>(&self, text: &'t str) -> Option<&'t str> {
        let raw = self
            .value
            .map(|span| span.text(text))
            .filter(|raw| !raw.starts_with('('))?;
        let bare = raw
            .strip_prefix('|')
            .and_then(|rest| rest.strip_suffix('|'));
        Some(bare.unwrap_or(raw))
    }
}

impl<'s> Elaborator<'s> {
    /// An elaborator that knows the operators of the theories and no declaration.
    pub fn new(terms: &'s TermStore) -> Elaborator<'s> {
        Elaborator {
            terms,
            symbols: Symbols::default(),
            sort_depths: IndexMap::default(),
            annotations: Vec::new(),
            lambdas: Lambdas::default(),
            templates: Templates::default(),
        }
    }

    /// The names of the file.
    pub fn symbols(&mut self) -> &mut Symbols {
        &mut self.symbols
    }

    /// The store terms are built in.
    pub fn terms(&self) -> &'s TermStore {
        self.terms
    }

    /// The annotations met since the last call.
    pub fn take_annotations(&mut self) -> Vec<Annotation> {
        std::mem::take(&mut self.annotations)
    }

    /// The term an expression stands for.
    pub fn term(&mut self, sexp: Sexp<'_>) -> Outcome<Term> {
        let Sexp { text, tokens, at } = sexp;
        let mut machine = Machine {
            text,
            tokens,
            at,
            frames: Vec::new(),
            values: Vec::new(),
        };
        let outcome = self.run(&mut machine, sexp.after());
        if outcome.is_err() {
            self.unwind(&machine);
        }
        outcome?;
        let term = machine.values[0].term;
        self.lambdas.refuse(self.terms, term, sexp)?;
        self.refuse_open(term, sexp)?;
        Ok(term)
    }

    /// The term an expression stands for, which must have this sort (an Int may become a Real).
    pub fn term_of_sort(&mut self, sexp: Sexp<'_>, sort: Sort) -> Outcome<Term> {
        let term = self.term(sexp)?;
        let found = self.terms.sort(term);
        if found == sort {
            return Ok(term);
        }
        if sort == Sort::REAL && found == Sort::INT {
            return Ok(self.terms.to_real(term));
        }
        let (expected, found) = (self.terms.print_sort(sort), self.terms.print_sort(found));
        let message = format!(
            "expected a term of sort {}, found {}",
            excerpt(&expected),
            excerpt(&found)
        );
        Err(Diagnostic::error(Code::SortMismatch, sexp.span(), message))
    }

    fn run(&mut self, machine: &mut Machine<'_>, end: usize) -> Outcome<()> {
        while machine.at < end {
            match machine.tokens[machine.at].kind {
                TokenKind::Open => self.open(machine)?,
                TokenKind::Close => self.close(machine)?,
                TokenKind::Keyword => self.attribute(machine)?,
                _ => {
                    self.forbid_in_bindings(machine)?;
                    let term = self.atom(machine.here())?;
                    machine.push(term, machine.at);
                    machine.at += 1;
                }
            }
        }
        Ok(())
    }

    fn forbid_in_bindings(&self, machine: &Machine<'_>) -> Outcome<()> {
        match machine.frames.last() {
            Some(Frame {
                construct: Construct::Bindings(_),
                ..
            }) => Err(malformed(
                machine.here(),
                "a binding `(name term)` expected",
            )),
            _ => Ok(()),
        }
    }

    fn open(&mut self, machine: &mut Machine<'_>) -> Outcome<()> {
        if let Some(Frame {
            construct: Construct::Bindings(_),
            ..
        }) = machine.frames.last()
        {
            return self.open_binding(machine);
        }
        if self.open_in_match(machine)? {
            return Ok(());
        }
        let open = machine.at;
        let head = machine.sexp(open + 1);
        if head.token().kind == TokenKind::Symbol {
            match head.token().span.text(machine.text) {
                "let" => return self.open_let(machine),
                "forall" => return self.open_quantifier(machine, Quantifier::Forall),
                "exists" => return self.open_quantifier(machine, Quantifier::Exists),
                "lambda" => return self.open_quantifier(machine, Quantifier::Lambda),
                "!" => {
                    machine.at = open + 2;
                    let base = machine.values.len();
                    machine.frames.push(Frame {
                        construct: Construct::Annotated,
                        open,
                        base,
                    });
                    return Ok(());
                }
                "_" | "as" => {
                    let term = self.qualified(machine.sexp(open))?;
                    machine.push(term, open);
                    machine.at = machine.sexp(open).after();
                    return Ok(());
                }
                "match" => return self.open_match(machine),
                "par" | "choice" => {
                    let word = head.token().span.text(machine.text);
                    return Err(Diagnostic::unsupported(
                        machine.sexp(open).span(),
                        format!("`{word}`"),
                    ));
                }
                _ => {}
            }
        }
        let head_term = self.head(machine.sexp(open), head)?;
        machine.at = head.after();
        let base = machine.values.len();
        machine.frames.push(Frame {
            construct: Construct::Apply(head_term),
            open,
            base,
        });
        Ok(())
    }

    /// What the head of an application stands for.
    fn head(&mut self, whole: Sexp<'_>, head: Sexp<'_>) -> Outcome<Head> {
        if let Some(name) = head.symbol() {
            if self.symbols.local(name).is_some() {
                let message = format!("`{}` is a variable, not a function", excerpt(name));
                return Err(malformed(head, message));
            }
            return match self.symbols.global(name) {
                Some(Global::Function(func)) => Ok(Head::Function(*func)),
                Some(Global::Macro(definition)) => Ok(Head::Macro(definition.clone())),
                Some(Global::Constructor(constructor)) => Ok(Head::Construct(*constructor)),
                Some(Global::Selector(selector)) => Ok(Head::Field(*selector)),
                Some(Global::Poisoned) => Err(Diagnostic::error(Code::Cascade, head.span(), "")),
                None => builtin::builtin(name)
                    .map(Head::Builtin)
                    .or_else(|| self.tester(name))
                    .ok_or_else(|| unknown(head, name)),
            };
        }
        if let Some(known) = self.data_head(head)? {
            return Ok(known);
        }
        let mut items = head.items();
        match (items.next(), items.next()) {
            (Some(word), Some(name)) if word.is_word("_") && name.symbol().is_some() => {
                let number = |item: Sexp<'_>| {
                    item.small_number()
                        .ok_or_else(|| malformed(item, "an index expected that is a small number"))
                };
                items
                    .map(number)
                    .collect::<Outcome<Vec<u32>>>()
                    .map(Head::Indexed)
            }
            (Some(word), Some(name)) if word.is_word("as") => {
                self.as_head(head, name, items.next())
            }
            _ => Err(malformed(
                whole,
                format!("a function symbol expected, found {}", head.describe()),
            )),
        }
    }

    fn as_head(&mut self, head: Sexp<'_>, name: Sexp<'_>, sort: Option<Sexp<'_>>) -> Outcome<Head> {
        let sort = sort.ok_or_else(|| malformed(head, "`as` needs a sort"))?;
        let sort_value = self.sort(sort)?;
        if name.is_word("const") && self.symbols.global("const").is_none() {
            return Ok(Head::ConstArray(sort_value));
        }
        let inner = self.head(head, name)?;
        if let Head::Construct(constructor) = inner
            && let Some(at) = self.at_sort(constructor, sort_value)
        {
            return Ok(Head::Construct(at));
        }
        let result = match &inner {
            Head::Function(func) => Some(self.terms.decl(*func).sort),
            Head::Macro(definition) => Some(self.terms.sort(definition.body)),
            _ => None,
        };
        if result.is_some_and(|result| result != sort_value) {
            let message = format!(
                "`{}` has another sort",
                excerpt(name.symbol().unwrap_or(""))
            );
            return Err(Diagnostic::error(Code::SortMismatch, sort.span(), message));
        }
        Ok(inner)
    }

    fn close(&mut self, machine: &mut Machine<'_>) -> Outcome<()> {
        let frame = machine
            .frames
            .last()
            .ok_or_else(|| malformed(machine.here(), "a term expected"))?;
        match &frame.construct {
            Construct::Apply(head) => {
                let term = self.finish_application(machine, frame, head)?;
                let (base, open) = (frame.base, frame.open);
                machine.values.truncate(base);
                machine.frames.pop();
                machine.push(term, open);
            }
            Construct::Bindings(_) => self.close_bindings(machine)?,
            Construct::Binding | Construct::Annotated => {
                machine.single(frame)?;
                let open = frame.open;
                machine.frames.pop();
                if let Some(value) = machine.values.last_mut() {
                    value.at = open;
                }
            }
            Construct::LetBody(_) | Construct::Quantifier(..) => self.close_scope(machine)?,
            Construct::Case(..) => self.close_case(machine)?,
            Construct::Cases(_) => self.close_cases(machine)?,
            Construct::Scrutinee => {
                let place = machine.sexp(frame.open);
                return Err(malformed(place, "`match` needs a term and a list of cases"));
            }
        }
        machine.at += 1;
        Ok(())
    }

    fn finish_application(
        &self,
        machine: &Machine<'_>,
        frame: &Frame,
        head: &Head,
    ) -> Outcome<Term> {
        let sexp = machine.sexp(frame.open);
        let args = &machine.values[frame.base..];
        let first = machine.sexp(frame.open + 1);
        let name = first
            .symbol()
            .or_else(|| first.items().nth(1).and_then(Sexp::symbol))
            .unwrap_or("");
        if args.is_empty() && !matches!(head, Head::Construct(_)) {
            let message = format!("`{}` is applied to no argument", excerpt(name));
            return Err(malformed(sexp, message).note("a constant is written without parentheses"));
        }
        let call = Call {
            terms: self.terms,
            lambdas: &self.lambdas,
            templates: &self.templates,
            sexp,
            name,
            args,
        };
        match head {
            Head::Builtin(op) => call.builtin(*op),
            Head::Function(func) => call.function(*func),
            Head::Macro(definition) => self.expand(definition, &call),
            Head::ConstArray(sort) => call.const_array(*sort),
            Head::Indexed(indices) => call.indexed(indices),
            Head::Construct(constructor) => call.construct(*constructor),
            Head::Field(selector) => call.field(*selector),
            Head::Is(constructor) => call.is(*constructor),
            Head::Update(selector) => call.update(*selector),
        }
    }
}
