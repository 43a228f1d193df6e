//! Formulas as people write them: a tree with `=>`, `<`, `-` and chains, which the store does not have.
//!
//! A tree means a term ([`Tree::meaning`]), and two texts are made from it: SMT-LIB and infix.

use foretell_terms::{Op, Term, TermStore};

/// A formula or term for readers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tree {
    /// A variable, constant or numeral.
    Leaf(Term),
    /// An operator and what it is applied to.
    Node(Head, Vec<Tree>),
    /// A quantifier, its variables and its body.
    Bind(Binder, Vec<Term>, Box<Tree>),
}

/// The operator of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Head {
    /// Negation.
    Not,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// `=>` from the first argument to the second.
    Implies,
    /// Equality of two.
    Equal,
    /// A chain of `<=`.
    Le,
    /// A chain of `<`.
    Lt,
    /// Sum.
    Plus,
    /// The first argument without the others.
    Minus,
    /// The negative of one argument.
    Negative,
    /// Product.
    Times,
    /// `bvult`.
    UnsignedLt,
    /// `bvslt`.
    SignedLt,
    /// The operator of this term.
    Like(Term),
}

/// A quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binder {
    /// For all.
    Forall,
    /// There is.
    Exists,
}

impl Tree {
    /// A list under an operator that means nothing for a single argument.
    pub(crate) fn joined(head: Head, mut items: Vec<Tree>) -> Tree {
        match (items.pop(), items.is_empty()) {
            (Some(one), true) => one,
            (Some(last), false) => {
                items.push(last);
                Tree::Node(head, items)
            }
            (None, _) => Tree::Node(head, items),
        }
    }

    /// The term that the tree means.
    pub fn meaning(&self, store: &TermStore) -> Term {
        match self {
            Tree::Leaf(term) => *term,
            Tree::Bind(binder, vars, body) => {
                let body = body.meaning(store);
                match binder {
                    Binder::Forall => store.forall(vars, body),
                    Binder::Exists => store.exists(vars, body),
                }
            }
            Tree::Node(head, items) => {
                let args: Vec<Term> = items.iter().map(|item| item.meaning(store)).collect();
                head.applied(store, &args)
            }
        }
    }

    /// Whether the tree is this variable.
    pub(crate) fn is_variable(&self, store: &TermStore) -> bool {
        matches!(self, Tree::Leaf(term) if store.as_var(*term).is_some())
    }
}

impl Head {
    fn applied(self, store: &TermStore, args: &[Term]) -> Term {
        let chain = |step: &dyn Fn(Term, Term) -> Term| {
            store.and(args.windows(2).map(|pair| step(pair[0], pair[1])))
        };
        let all = || args.iter().copied();
        match (self, args) {
            (Head::And, _) => store.and(all()),
            (Head::Or, _) => store.or(all()),
            (Head::Not, [a]) => store.not(*a),
            (Head::Implies, [a, b]) => store.implies(*a, *b),
            (Head::Equal, [a, b]) => store.eq(*a, *b),
            (Head::Le, _) => chain(&|a, b| store.le(a, b)),
            (Head::Lt, _) => chain(&|a, b| store.lt(a, b)),
            (Head::Plus, _) => store.add(args),
            (Head::Minus, [first, rest @ ..]) => rest.iter().fold(*first, |a, &b| store.sub(a, b)),
            (Head::Negative, [a]) => store.neg(*a),
            (Head::Times, _) => store.mul(args),
            (Head::UnsignedLt, [a, b]) => store.bv_ult(*a, *b),
            (Head::SignedLt, [a, b]) => store.bv_slt(*a, *b),
            (Head::Like(term), _) => {
                let node = store.node(term);
                store.rebuild(&node.op, args, node.sort)
            }
            // `joined` and the builders of shape.rs make no other lists.
            _ => store.tt(),
        }
    }
}

/// Whether a term has no arguments: a variable, constant or numeral.
pub(crate) fn is_leaf(store: &TermStore, term: Term) -> bool {
    store.args(term).is_empty() && !matches!(store.op(term), Op::Forall | Op::Exists)
}
