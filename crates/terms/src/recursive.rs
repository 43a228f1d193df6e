//! Functions that are defined by recursion over a datatype.
//!
//! For builders, evaluation and solvers such a function is a declared one; its definition is printed
//! with the models that mention it. Whether a definition may be believed is decided where models are
//! checked.

use crate::print::{Names, Printer};
use crate::print_sharing::Sharing;
use crate::store::{Func, Term, TermStore};
use crate::{FuncMap, TermMap};

/// `func(params) = body`, where the body may mention functions of this kind.
#[derive(Clone, Debug)]
pub struct Recursive {
    /// The function.
    pub func: Func,
    /// Its arguments, variables; recursion is over the first.
    pub params: Vec<Term>,
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

    /// The definitions of the functions that occur in terms or in these definitions: groups of
    /// functions that need each other, each after the groups it needs.
    pub fn recursives(&self, roots: &[Term]) -> Vec<Vec<&Recursive>> {
        let mut reached: FuncMap<FuncMap<()>> = FuncMap::default();
        for func in self.needed(self.functions(roots)).into_keys() {
            reached.insert(func, self.needed(vec![func]));
        }
        let mut order: Vec<Func> = reached.keys().copied().collect();
        // Who needs another group reaches more than that group.
        order.sort_by_key(|func| reached[func].len());
        let mut groups: Vec<Vec<&Recursive>> = Vec::new();
        for func in order {
            let Some(definition) = self.recursive(func) else {
                continue;
            };
            let same = |d: &&Recursive| {
                reached[&func].contains_key(&d.func) && reached[&d.func].contains_key(&func)
            };
            match groups.iter_mut().find(|group| group.iter().any(same)) {
                Some(group) => group.push(definition),
                None => groups.push(vec![definition]),
            }
        }
        groups
    }

    /// The functions with a definition that these need, themselves included.
    fn needed(&self, mut work: Vec<Func>) -> FuncMap<()> {
        let mut found: FuncMap<()> = FuncMap::default();
        while let Some(func) = work.pop() {
            if let Some(definition) = self.recursive(func)
                && found.insert(func, ()).is_none()
            {
                work.extend(self.functions(&[definition.body]));
            }
        }
        found
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
