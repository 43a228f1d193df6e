//! Copies of a text in time: each name at each time has a name of its own.
//!
//! ```text
//! copy j:   x ↦ x at j,  next(x) ↦ x at j+1,  input i ↦ i at j,  d ↦ d at j
//! ```
//!
//! Each copy renames every occurrence of a name, binders included, to a name that occurs nowhere
//! else, so all bindings are kept (see [`Document::print`]).

use std::collections::BTreeMap;

use crate::text::sexpr::{Document, Id};
use crate::text::vmt::Kind;

/// The names of timed copies.
pub(crate) struct Times<'t> {
    kinds: BTreeMap<&'t str, Kind<'t>>,
    /// No symbol of the problem or the witness starts with it.
    stem: String,
}

impl<'t> Times<'t> {
    /// Copies of these names, spelled with a stem that no symbol starts with.
    pub(crate) fn new(names: Vec<(&'t str, Kind<'t>)>, stem: String) -> Times<'t> {
        Times {
            kinds: names.into_iter().collect(),
            stem,
        }
    }

    /// The copy of a name at a time; rigid names stay.
    pub(crate) fn name(&self, name: &str, at: u32) -> String {
        match self.kinds.get(name) {
            Some(Kind::Next(current)) => {
                format!("|{}{}!{current}|", self.stem, at.saturating_add(1))
            }
            Some(Kind::Frozen) => format!("|{}!{name}|", self.stem),
            Some(_) => format!("|{}{at}!{name}|", self.stem),
            None => format!("|{name}|"),
        }
    }

    /// The conjunction of terms at a time.
    pub(crate) fn all(&self, doc: &Document<'_>, ids: &[Id], at: u32) -> String {
        let parts: Vec<String> = ids.iter().map(|&id| self.show(doc, id, at)).collect();
        match parts.as_slice() {
            [one] => one.clone(),
            _ => format!("(and {})", parts.join(" ")),
        }
    }

    /// A term or command at a time.
    pub(crate) fn show(&self, doc: &Document<'_>, id: Id, at: u32) -> String {
        doc.print(id, &|name| {
            self.kinds.contains_key(name).then(|| self.name(name, at))
        })
    }
}

/// A beginning of names that none of these symbols has.
pub(crate) fn unused_stem<'s>(
    symbols: impl Iterator<Item = &'s str> + Clone,
    wish: &str,
) -> String {
    let mut stem = wish.to_string();
    while symbols.clone().any(|s| s.starts_with(&stem)) {
        stem.push('!');
    }
    stem
}
