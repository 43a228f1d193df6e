//! SMT-LIB 2 text to terms and commands, with source positions.
//!
//! The reader is our own, written by hand over bytes, because five things are needed together that
//! no parser library offers: the rules dialect of Z3 beside SMT-LIB, recovery after an error in one
//! command so that all errors of a file are reported, nesting of a million levels without
//! recursion, files of a hundred megabytes, and the exact span of every expression.
//!
//! What is read more leniently than the standard says, because Z3 reads it so and real files rely
//! on it: `-1` and `-1.5` are numerals; an `Int` term where a `Real` one is expected is converted
//! by `to_real`; `iff` and `implies` are known; arrays may have several indices; bound variables
//! may have the name of an operator. Everything else that is not in the fragment is refused by
//! name ([`Class::Unsupported`]), never guessed.
//!
//! Reading order: `span`, `diagnostic`, `lexer`, `reader`, `symbols`, then the elaborator: `sorts`,
//! `builtin`, `apply`, `apply_bv`, `machine`, `elaborate`, `literal`, `binder`, `lambda`,
//! `templates`, `data_terms`, `data`, `declare`.

mod apply;
mod apply_bv;
mod binder;
mod builtin;
mod data;
mod data_terms;
mod declare;
mod diagnostic;
mod elaborate;
mod lambda;
mod lexer;
mod literal;
mod machine;
mod reader;
mod sorts;
mod span;
mod symbols;
mod templates;

pub use declare::{Declared, unknown_command};
pub use diagnostic::{Class, Code, Diagnostic, Diagnostics, Outcome, Severity, excerpt};
pub use elaborate::{Annotation, Elaborator};
pub use lexer::{Lexer, TokenKind, decode};
pub use reader::{Command, Reader, Sexp};
pub use span::{LineIndex, Span};
pub use symbols::Global;

/// Whether a name is an operator of a theory, which no declaration may take.
pub fn is_operator(name: &str) -> bool {
    builtin::builtin(name).is_some()
}

#[cfg(test)]
mod tests;
