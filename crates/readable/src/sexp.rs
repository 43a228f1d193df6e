//! Trees as SMT-LIB text, before layout.

use foretell_terms::print::{Names, bit_vector, integer, real};
use foretell_terms::{Func, FuncMap, Op, Term, TermStore};

use crate::tree::{Binder, Head, Tree};

/// Text with its structure.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sexp {
    /// A symbol, a numeral, or an operator such as `(as const …)`.
    Atom(String),
    /// A list in parentheses.
    List(Vec<Sexp>),
}

impl Sexp {
    pub(crate) fn atom(text: impl Into<String>) -> Sexp {
        Sexp::Atom(text.into())
    }

    /// The length of the text on one line.
    pub fn width(&self) -> usize {
        match self {
            Sexp::Atom(text) => text.chars().count(),
            Sexp::List(items) => {
                let inside: usize = items.iter().map(Sexp::width).sum();
                inside + items.len().saturating_sub(1) + 2
            }
        }
    }
}

impl std::fmt::Display for Sexp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Sexp::Atom(text) => f.write_str(text),
            Sexp::List(items) => {
                f.write_str("(")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(" ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str(")")
            }
        }
    }
}

/// Names given to variables; others keep their own.
#[derive(Clone, Default, Debug)]
pub struct Given {
    /// The names, quoted where they must be.
    pub names: FuncMap<String>,
    /// The beginning of names for shared parts.
    pub let_stem: String,
}

impl Names for Given {
    fn name(&self, store: &TermStore, func: Func) -> String {
        self.names
            .get(&func)
            .cloned()
            .unwrap_or_else(|| foretell_terms::print::quote(store.name(func)))
    }

    fn let_name(&self, number: usize) -> String {
        format!("{}{number}", self.let_stem)
    }
}

/// The text of a tree.
pub fn sexp(store: &TermStore, tree: &Tree, names: &Given) -> Sexp {
    match tree {
        Tree::Leaf(term) => Sexp::Atom(leaf(store, *term, names)),
        Tree::Node(head, items) => {
            let mut list = vec![Sexp::Atom(head_text(store, *head, names))];
            list.extend(items.iter().map(|item| sexp(store, item, names)));
            Sexp::List(list)
        }
        Tree::Bind(binder, vars, body) => {
            let word = match binder {
                Binder::Forall => "forall",
                Binder::Exists => "exists",
            };
            let vars = vars.iter().map(|&v| {
                let sort = store.print_sort(store.sort(v));
                Sexp::List(vec![Sexp::Atom(leaf(store, v, names)), Sexp::Atom(sort)])
            });
            Sexp::List(vec![
                Sexp::atom(word),
                Sexp::List(vars.collect()),
                sexp(store, body, names),
            ])
        }
    }
}

fn leaf(store: &TermStore, term: Term, names: &Given) -> String {
    match store.op(term) {
        Op::Int(n) => integer(n),
        Op::Real(q) => real(q),
        Op::BitVec(width, bits) => bit_vector(*width, bits),
        _ => store.print_operator(term, names),
    }
}

fn head_text(store: &TermStore, head: Head, names: &Given) -> String {
    match head {
        Head::Not => "not",
        Head::And => "and",
        Head::Or => "or",
        Head::Implies => "=>",
        Head::Equal => "=",
        Head::Le => "<=",
        Head::Lt => "<",
        Head::Plus => "+",
        Head::Minus | Head::Negative => "-",
        Head::Times => "*",
        Head::UnsignedLt => "bvult",
        Head::SignedLt => "bvslt",
        Head::Like(term) => return store.print_operator(term, names),
    }
    .into()
}
