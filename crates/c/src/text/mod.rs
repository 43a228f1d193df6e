//! Bytes to preprocessed text with the origin of every token.
//!
//! Reading order: [`lexer`] (tokens, comments, annotations), [`preprocess`] (directives and
//! macros), [`condition`] (`#if`), [`headers`] (the built-in ones), [`map`] (where a byte of the
//! preprocessed text comes from), [`guard`] (limits before the parser runs).

pub mod condition;
pub mod detect;
pub mod guard;
pub mod headers;
pub mod lexer;
pub mod map;
pub mod preprocess;

pub use map::{Location, SourceFile, SourceMap};
pub use preprocess::{Files, NoFiles, Preprocessed, preprocess};
