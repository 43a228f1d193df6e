//! Names for what has none in a formula: parameters of predicates and bound variables.
//!
//! A parameter is called what the clauses call it: for each argument position the variable that
//! stands there in most bodies, then in most heads; among equally frequent ones the first. Bound
//! variables are `k`, `j`, …. No name is given twice where both could be meant, none is a symbol
//! that the text declares, none is a word of the theories.

use std::collections::BTreeSet;

use foretell_systems::{Atom, ChcSystem, Pred};
use foretell_terms::print::quote;
use foretell_terms::{FuncMap, Term, TermStore};
use indexmap::IndexMap;

use crate::tree::Tree;

/// Words that a solver may read as something else.
const THEORY_WORDS: [&str; 34] = [
    "and",
    "or",
    "not",
    "xor",
    "ite",
    "distinct",
    "select",
    "store",
    "const",
    "div",
    "mod",
    "abs",
    "rem",
    "to_real",
    "to_int",
    "is_int",
    "Int",
    "Real",
    "Bool",
    "Array",
    "BitVec",
    "concat",
    "extract",
    "repeat",
    "zero_extend",
    "sign_extend",
    "int2bv",
    "bv2nat",
    "bv2int",
    "define-fun",
    "is",
    "match",
    "certificate",
    "invariant",
];

/// Names for bound variables, in the order they are tried.
const BOUND: [&str; 8] = ["k", "j", "l", "m", "p", "q", "r", "s"];

/// Names that must not be given, and how new ones are found.
#[derive(Clone, Debug)]
pub(crate) struct Taken(BTreeSet<String>);

impl Taken {
    pub(crate) fn new(avoid: &BTreeSet<String>) -> Taken {
        Taken(avoid.clone())
    }

    fn is_free(&self, name: &str) -> bool {
        let operator = name.starts_with("bv") && name.len() > 2;
        !(self.0.contains(name) || THEORY_WORDS.contains(&name) || operator)
    }

    pub(crate) fn insert(&mut self, name: &str) {
        self.0.insert(name.to_owned());
    }

    /// A free name: the wish itself, or the wish with a number.
    pub(crate) fn take(&mut self, wish: &str) -> String {
        let mut name = wish.to_owned();
        let mut number = 2;
        while !self.is_free(&name) {
            let dash = if wish.ends_with(|c: char| c.is_ascii_digit()) {
                "_"
            } else {
                ""
            };
            name = format!("{wish}{dash}{number}");
            number += 1;
        }
        self.0.insert(name.clone());
        name
    }

    /// A free name for a bound variable.
    fn take_bound(&mut self) -> String {
        let free = BOUND.into_iter().find(|name| self.is_free(name));
        self.take(free.unwrap_or("k"))
    }

    /// A stem that makes no given name when a number follows.
    pub(crate) fn stem(&self) -> String {
        let numbered = |name: &str, stem: &str| {
            name.strip_prefix(stem)
                .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
        };
        ["t", "e", "part"]
            .into_iter()
            .map(str::to_owned)
            .chain((0..).map(|n| format!("part{n}_")))
            .find(|stem| !self.0.iter().any(|name| numbered(name, stem)))
            .unwrap_or_default()
    }
}

/// What the clauses call the arguments of each predicate.
pub(crate) struct Wishes(Vec<Vec<Option<String>>>);

impl Wishes {
    /// Reads the clauses.
    pub(crate) fn of(store: &TermStore, system: &ChcSystem) -> Wishes {
        let mut bodies = Votes::new(system);
        let mut heads = Votes::new(system);
        for clause in &system.clauses {
            clause
                .body
                .iter()
                .for_each(|atom| bodies.count(store, atom));
            clause.head.iter().for_each(|atom| heads.count(store, atom));
        }
        let both = bodies.0.into_iter().zip(heads.0);
        Wishes(
            both.map(|(body, head)| {
                let pairs = body.into_iter().zip(head);
                pairs
                    .map(|(b, h)| winner(&b).or_else(|| winner(&h)))
                    .collect()
            })
            .collect(),
        )
    }

    /// The wish for a parameter of a predicate.
    pub(crate) fn of_argument(&self, pred: Pred, place: usize) -> Option<&str> {
        self.0.get(pred.index())?.get(place)?.as_deref()
    }
}

/// How often each name stands at each argument position.
struct Votes(Vec<Vec<IndexMap<String, usize>>>);

impl Votes {
    fn new(system: &ChcSystem) -> Votes {
        let empty = |n: usize| vec![IndexMap::new(); n];
        Votes(system.preds.iter().map(|p| empty(p.params.len())).collect())
    }

    fn count(&mut self, store: &TermStore, atom: &Atom) {
        for (votes, &arg) in self.0[atom.pred.index()].iter_mut().zip(&atom.args) {
            if let Some(func) = store.as_var(arg) {
                *votes.entry(plain(store.name(func))).or_insert(0) += 1;
            }
        }
    }
}

/// A variable's name without the number that a renamed copy of a clause adds.
fn plain(name: &str) -> String {
    match name.rsplit_once('!') {
        Some((stem, number)) if !stem.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => {
            stem.to_owned()
        }
        _ => name.to_owned(),
    }
}

fn winner(votes: &IndexMap<String, usize>) -> Option<String> {
    let most = votes.values().max()?;
    votes
        .iter()
        .find(|(_, count)| *count == most)
        .map(|(name, _)| name.clone())
}

/// Names the parameters of a predicate, in order.
pub(crate) fn name_parameters(
    store: &TermStore,
    params: &[Term],
    wish: impl Fn(usize) -> Option<String>,
    taken: &mut Taken,
) -> FuncMap<String> {
    let mut names = FuncMap::default();
    for (place, &param) in params.iter().enumerate() {
        // A name with a bar or a backslash cannot be written.
        let wish = wish(place).filter(|w| !w.contains(['|', '\\']) && !w.is_empty());
        let name = taken.take(&wish.unwrap_or_else(|| format!("v{place}")));
        if let Some(func) = store.as_var(param) {
            names.insert(func, quote(&name));
        }
    }
    names
}

/// Names the bound variables of a tree: none like a name around it, the same side by side.
pub(crate) fn name_bound(
    store: &TermStore,
    tree: &Tree,
    taken: &Taken,
    names: &mut FuncMap<String>,
) {
    match tree {
        Tree::Leaf(_) => {}
        Tree::Node(_, items) => items
            .iter()
            .for_each(|item| name_bound(store, item, taken, names)),
        Tree::Bind(_, vars, body) => {
            let mut inner = taken.clone();
            for func in vars.iter().filter_map(|&v| store.as_var(v)) {
                names.insert(func, inner.take_bound());
            }
            name_bound(store, body, &inner, names);
        }
    }
}
