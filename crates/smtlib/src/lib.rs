//! SMT-LIB 2 text to terms and commands, with source positions.
//!
//! The reader is our own, written by hand over bytes, because five things are needed together that
//! no parser library offers: the rules dialect of Z3 beside SMT-LIB, recovery after an error in one
//! command so that all errors of a file are reported, nesting of a million levels without
//! recursion, files of a hundred megabytes, and the exact span of every expression. A generated
//! parser serves as an oracle for conformance in the fuzzing workspace only.
//!
//! What is read more leniently than the standard says, because Z3 reads it so and real files rely
//! on it: `-1` and `-1.5` are numerals; an `Int` term where a `Real` one is expected is converted
//! by `to_real`; `iff` and `implies` are known; arrays may have several indices; bound variables
//! may have the name of an operator. Everything else that is not in the fragment is refused by
//! name ([`Class::Unsupported`]), never guessed.
//!
//! Reading order: [`span`], [`diagnostic`], [`lexer`], [`reader`], [`symbols`], then the elaborator:
//! `sorts`, `builtin`, `apply`, `apply_bv`, [`elaborate`], `binder`, `lambda`, [`declare`].

mod apply;
mod apply_bv;
mod binder;
mod builtin;
pub mod declare;
pub mod diagnostic;
pub mod elaborate;
mod lambda;
pub mod lexer;
pub mod reader;
mod sorts;
pub mod span;
pub mod symbols;

/// Whether a name is an operator of a theory, which no declaration may take.
pub fn is_operator(name: &str) -> bool {
    builtin::builtin(name).is_some()
}

pub use diagnostic::{Class, Code, Diagnostic, Diagnostics, Outcome, Severity};
pub use elaborate::{Annotation, Elaborator};
pub use reader::{Command, Reader, Sexp};
pub use span::{LineIndex, Position, Span};

#[cfg(test)]
mod tests;
