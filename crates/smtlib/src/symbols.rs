//! What names mean.
//!
//! Variables bound by `let` and quantifiers shadow declarations, declarations shadow nothing (they
//! may not reuse the name of an operator), and functions and sorts live in different name spaces.

use std::rc::Rc;

use foretell_terms::{Constructor, Func, Selector, Sort, Term};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::lexer::Token;

/// What a declared name stands for.
#[derive(Clone, Debug)]
pub enum Global {
    /// A declared function or constant.
    Function(Func),
    /// A defined function.
    Macro(Rc<Macro>),
    /// A constructor of a datatype.
    Constructor(Constructor),
    /// A selector of a datatype.
    Selector(Selector),
    /// A name whose declaration was faulty: uses of it are not reported again.
    Poisoned,
}

/// A function that is its body.
#[derive(Clone, Debug)]
pub struct Macro {
    /// The formal parameters, variables made for this definition.
    pub(crate) params: Vec<Term>,
    /// The body over the parameters.
    pub body: Term,
    /// Whether the body has a quantifier (then every expansion gets bound variables of its own).
    pub(crate) quantified: Quantified,
}

/// Whether a term has a quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quantified {
    /// It has one.
    Yes,
    /// It has none.
    No,
}

/// What a sort name stands for.
#[derive(Clone, Debug)]
pub(crate) enum SortName {
    /// A sort.
    Sort(Sort),
    /// A sort with parameters: their names, and the body to be read again at each use.
    Template(Rc<SortTemplate>),
    /// A datatype with parameters, applied to placeholders.
    Data(Sort),
    /// A name whose declaration was faulty.
    Poisoned,
}

/// The definition of a sort with parameters.
#[derive(Clone, Debug)]
pub(crate) struct SortTemplate {
    /// The names of the parameters.
    pub params: Vec<Box<str>>,
    /// The tokens of the body.
    pub(crate) tokens: Vec<Token>,
}

/// The position of a name in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NameId(usize);

#[derive(Clone, Debug, Default)]
struct Entry {
    global: Option<Global>,
    /// Innermost last.
    locals: Vec<Term>,
}

/// The table of names.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: IndexMap<Box<str>, Entry, FxBuildHasher>,
    sorts: IndexMap<Box<str>, SortName, FxBuildHasher>,
}

impl Symbols {
    /// The innermost variable of this name.
    pub(crate) fn local(&self, name: &str) -> Option<Term> {
        self.names.get(name)?.locals.last().copied()
    }

    /// The declaration of this name.
    pub fn global(&self, name: &str) -> Option<&Global> {
        self.names.get(name)?.global.as_ref()
    }

    /// Whether the name means anything at present.
    pub(crate) fn is_visible(&self, name: &str) -> bool {
        self.names
            .get(name)
            .is_some_and(|e| e.global.is_some() || !e.locals.is_empty())
    }

    /// How often the name is bound at present.
    pub(crate) fn n_bindings(&self, name: &str) -> usize {
        self.names.get(name).map_or(0, |e| e.locals.len())
    }

    /// The name's place in the table.
    pub fn id(&mut self, name: &str) -> NameId {
        if let Some(index) = self.names.get_index_of(name) {
            return NameId(index);
        }
        NameId(self.names.insert_full(name.into(), Entry::default()).0)
    }

    /// Declares a name.
    pub fn declare(&mut self, name: &str, global: Global) {
        let NameId(index) = self.id(name);
        self.names[index].global = Some(global);
    }

    /// Lets a name stand for a term until it is unbound.
    pub fn bind(&mut self, NameId(index): NameId, term: Term) {
        self.names[index].locals.push(term);
    }

    /// Undoes the last binding of the name.
    pub fn unbind(&mut self, NameId(index): NameId) {
        self.names[index].locals.pop();
    }

    /// The meaning of a sort name.
    pub(crate) fn sort(&self, name: &str) -> Option<&SortName> {
        self.sorts.get(name)
    }

    /// Declares a sort name.
    pub(crate) fn declare_sort(&mut self, name: &str, sort: SortName) {
        self.sorts.insert(name.into(), sort);
    }
}
