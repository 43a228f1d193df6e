//! The state of the elaborator inside one term: open constructs and finished terms.

use std::rc::Rc;

use foretell_terms::{Constructor, Func, Selector, Sort, Term};

use crate::apply::Value;
use crate::builtin::Builtin;
use crate::data_terms::Match;
use crate::diagnostic::{Code, Diagnostic, Outcome};
use crate::lexer::Token;
use crate::reader::Sexp;
use crate::symbols::{Macro, NameId};

/// What is applied.
#[derive(Clone, Debug)]
pub(crate) enum Head {
    Builtin(Builtin),
    Function(Func),
    Macro(Rc<Macro>),
    ConstArray(Sort),
    Indexed(Vec<u32>),
    Construct(Constructor),
    Field(Selector),
    Is(Constructor),
    Update(Selector),
}

/// An open construct. `base` is the number of finished terms when it was opened.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) construct: Construct,
    /// The position of its opening parenthesis.
    pub(crate) open: usize,
    pub(crate) base: usize,
}

#[derive(Debug)]
pub(crate) enum Construct {
    Apply(Head),
    /// The list of bindings of a `let`.
    Bindings(Vec<NameId>),
    /// One binding.
    Binding,
    /// The body of a `let` with the names it binds.
    LetBody(Vec<NameId>),
    Quantifier(Quantifier, Vec<Term>, Vec<NameId>),
    Annotated,
    /// The term of a `match`.
    Scrutinee,
    /// The list of cases of a `match`.
    Cases(Match),
    /// One case: its constructor and the names it binds.
    Case(Option<Constructor>, Vec<NameId>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quantifier {
    Forall,
    Exists,
    Lambda,
}

/// The state of reading one term.
pub(crate) struct Machine<'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: &'a [Token],
    pub(crate) at: usize,
    pub(crate) frames: Vec<Frame>,
    pub(crate) values: Vec<Value>,
}

impl<'a> Machine<'a> {
    pub(crate) fn sexp(&self, at: usize) -> Sexp<'a> {
        Sexp {
            text: self.text,
            tokens: self.tokens,
            at,
        }
    }

    pub(crate) fn here(&self) -> Sexp<'a> {
        self.sexp(self.at)
    }

    pub(crate) fn push(&mut self, term: Term, at: usize) {
        self.values.push(Value { term, at });
    }

    /// The single term finished inside a construct.
    pub(crate) fn single(&self, frame: &Frame) -> Outcome<Value> {
        match self.values.get(frame.base..) {
            Some(&[value]) => Ok(value),
            Some([]) => Err(malformed(self.sexp(frame.open), "a term is missing here")),
            _ => {
                let second = self.values.get(frame.base + 1).map_or(frame.open, |v| v.at);
                Err(malformed(
                    self.sexp(second),
                    "one term expected, found another one",
                ))
            }
        }
    }
}

pub(crate) fn malformed(sexp: Sexp<'_>, message: impl Into<String>) -> Box<Diagnostic> {
    Diagnostic::error(Code::MalformedTerm, sexp.span(), message)
}
