//! Functions that are defined by recursion over a datatype.
//!
//! For builders, evaluation and solvers such a function is a declared one; its definition is printed
//! with the models that mention it. Whether a definition may be believed is decided where models are
//! checked.

use crate::print::{Names, Printer};
use crate::print_sharing::Sharing;
use crate::store::{Func, Term, TermStore};
use crate::{FuncMap, TermMap};

/// `func(param) = body`, where the body may mention functions of this kind.
#[derive(Clone, Copy, Debug)]
pub struct Recursive {
    /// The function.
    pub func: Func,
    /// Its argument, a variable.
    pub param: Term,
    /// The value.
    pub body: Term,
}

impl TermStore {
    /// Defines a declared function; it keeps its first definition.
    pub fn define_recursive(&self, definition: Recursive) {
        self.recursives.push(Box::new(definition));
    }

    /// The definition of a function.
    pub fn recursive(&self, func: Func) -> Option<&Recursive> {
        self.recursives.iter().find(|d| d.func == func)
    }

    /// The definitions of the functions that occur in terms or in these definitions.
    pub fn recursives(&self, roots: &[Term]) -> Vec<Recursive> {
        let mut found: FuncMap<Recursive> = FuncMap::default();
        let mut work = self.functions(roots);
        while let Some(func) = work.pop() {
            if let Some(definition) = self.recursive(func)
                && found.insert(func, *definition).is_none()
            {
                work.extend(self.functions(&[definition.body]));
            }
        }
        found.into_values().collect()
    }

    /// SMT-LIB text of a term in which nothing has a `let` name: where a call stands matters in a
    /// recursive definition.
    pub fn print_in_full(&self, term: Term, names: &dyn Names) -> String {
        Printer {
            store: self,
            names,
            bound: TermMap::default(),
            sharing: Sharing::default(),
            n_lets: 0,
            out: String::new(),
        }
        .run(term)
    }
}
