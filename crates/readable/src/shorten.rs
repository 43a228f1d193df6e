//! Trees with shorter texts: spellings that are harder on the eye than they are short stay away.
//!
//! ```text
//! (and (<= 12 k) (< k n))                (< 11 k n)
//! (and (<= 0 k) (< k n))                 (<= 0 k (- n 1))           over Int; only where `and` goes
//! (and (not a) (not b) (not c) d)        (and (not (or a b c)) d)   from three on, or where `and` goes
//! ```

use foretell_terms::{Op, Sort, Term, TermStore};

use crate::shape::shape;
use crate::tree::{Head, Tree};

/// A tree that means the same.
pub fn shorten(store: &TermStore, tree: Tree) -> Tree {
    match tree {
        Tree::Leaf(_) => tree,
        Tree::Bind(binder, vars, body) => Tree::Bind(binder, vars, Box::new(shorten(store, *body))),
        Tree::Node(head, items) => {
            let items: Vec<Tree> = items.into_iter().map(|i| shorten(store, i)).collect();
            match head {
                Head::And => Tree::joined(Head::And, negations(ranges(store, items))),
                _ => Tree::Node(head, items),
            }
        }
    }
}

/// Bounds of one variable by `<=` and `<` become one chain.
fn ranges(store: &TermStore, items: Vec<Tree>) -> Vec<Tree> {
    let n_members = items.len();
    let mut kept: Vec<Tree> = Vec::new();
    for item in items {
        let chain = |old: &Tree| range(store, old, &item, n_members);
        match kept
            .iter()
            .enumerate()
            .find_map(|(i, old)| Some((i, chain(old)?)))
        {
            Some((i, chain)) => kept[i] = chain,
            None => kept.push(item),
        }
    }
    kept
}

/// One chain for two bounds of one variable over the integers, of which one is strict; they stand in a list
/// with so many members.
fn range(store: &TermStore, a: &Tree, b: &Tree, n_members: usize) -> Option<Tree> {
    let alone = n_members == 2;
    let (a, b) = (bound(a)?, bound(b)?);
    let (low, high) = [(a, b), (b, a)]
        .into_iter()
        .find(|(low, high)| low.2 == high.1)?;
    let (variable, ends) = (low.2, (low.1, high.2));
    if !variable.is_variable(store) || small(store, variable).is_none() {
        return None;
    }
    match (low.0, high.0) {
        (Head::Le, Head::Lt) => match number(store, ends.0) {
            Some(n) if is_positive(store, n) => {
                Some((Head::Lt, shifted(store, n, -1), ends.1.clone()))
            }
            _ if alone || number(store, ends.1).is_some() => {
                let below = small(store, ends.1)?;
                Some((Head::Le, ends.0.clone(), shifted(store, below, -1)))
            }
            _ => None,
        },
        (Head::Lt, Head::Le) => {
            let above = small(store, ends.0)?;
            let pays = alone || number(store, ends.0).is_some();
            pays.then(|| (Head::Le, shifted(store, above, 1), ends.1.clone()))
        }
        _ => None,
    }
    .map(|(head, first, last)| Tree::Node(head, vec![first, variable.clone(), last]))
}

/// The head and the sides of a comparison of two.
fn bound(tree: &Tree) -> Option<(Head, &Tree, &Tree)> {
    match tree {
        Tree::Node(head @ (Head::Le | Head::Lt), sides) => match sides.as_slice() {
            [a, b] => Some((*head, a, b)),
            _ => None,
        },
        _ => None,
    }
}

fn number(store: &TermStore, tree: &Tree) -> Option<Term> {
    small(store, tree).filter(|&term| matches!(store.op(term), Op::Int(_)))
}

fn is_positive(store: &TermStore, number: Term) -> bool {
    let value = store.as_number(number);
    value.is_some_and(|q| !q.is_zero() && !foretell_terms::number::is_negative(&q))
}

/// A variable or numeral.
fn small(store: &TermStore, tree: &Tree) -> Option<Term> {
    match tree {
        Tree::Leaf(term) if store.sort(*term) == Sort::INT => Some(*term),
        _ => None,
    }
}

fn shifted(store: &TermStore, term: Term, by: i64) -> Tree {
    shape(store, store.add2(term, store.int(by)))
}

/// Negated members under one negation.
fn negations(items: Vec<Tree>) -> Vec<Tree> {
    let negated = |tree: &Tree| matches!(tree, Tree::Node(Head::Not, _));
    let count = items.iter().filter(|tree| negated(tree)).count();
    if count < 2 || (count == 2 && items.len() > 2) {
        return items;
    }
    let mut kept: Vec<Tree> = Vec::new();
    let mut inside: Vec<Tree> = Vec::new();
    let mut place = None;
    for item in items {
        match item {
            Tree::Node(Head::Not, parts) => {
                place.get_or_insert(kept.len());
                inside.extend(parts.into_iter().flat_map(members));
            }
            other => kept.push(other),
        }
    }
    let all = Tree::Node(Head::Not, vec![Tree::joined(Head::Or, inside)]);
    kept.insert(place.unwrap_or_default(), all);
    kept
}

fn members(tree: Tree) -> Vec<Tree> {
    match tree {
        Tree::Node(Head::Or, parts) => parts,
        other => vec![other],
    }
}
