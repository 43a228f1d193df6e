//! From the tree to a [`Program`]: names, types, effects in order, checks.
//!
//! Calls are inlined while lowering, so that an array parameter *is* the caller's array; recursive
//! functions become functions of the program. Reading order: [`ctype`], [`value`] (what expressions
//! denote), [`scope`], [`flow`] (points and edges under construction), [`lower`] (the state and
//! whole programs), then by subject: [`declare`], [`stmt`], [`jumps`], [`expr`], [`choice`], [`arith`],
//! [`place`], [`pointer`], [`call`], [`builtin`], [`init`], [`order`], [`annotation`], [`contract`]
//! and [`outline`].

mod annotation;
mod arith;
mod builtin;
mod call;
mod choice;
mod contract;
mod ctype;
mod declare;
mod effects;
mod expr;
mod flow;
mod init;
mod jumps;
mod lower;
mod order;
mod outline;
mod place;
mod pointer;
mod scope;
mod stmt;
mod types;
mod value;

pub use contract::{Annotations, ClaimedInvariant};
pub use lower::{Settings, lower};
