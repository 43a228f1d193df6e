//! From terms to trees: where a reader expects the parts of a formula.
//!
//! * Comparisons: everything with a positive sign, variables solved for where they stand alone; of
//!   `<=` and `<` over Int the one with the shorter number.
//! * Disjunctions: negated members and bounds are the guard of an implication when something
//!   remains to be concluded.
//! * Under `∀` the bounds of the variables come first in the guard, lower ends before upper ends.
//! * Conjunctions: bounds of one variable become a chain, quantified members come last.

use foretell_terms::{BvOp, Op, Sort, Term, TermSet, TermStore};

use crate::arrange;
use crate::comparison::{Comparison, Relation};
use crate::tree::{Binder, Head, Tree, is_leaf};

/// The tree of a term or of a formula made by `normal`.
pub fn shape(store: &TermStore, term: Term) -> Tree {
    let node = store.node(term);
    if is_leaf(store, term) {
        return Tree::Leaf(term);
    }
    if let Some(comparison) = Comparison::proper(store, term) {
        return arrange::comparison(store, &comparison);
    }
    match &node.op {
        Op::And => conjunction(store, &node.args, &[]),
        Op::Or => disjunction(store, &node.args, &[]),
        Op::Not => negation(store, node.args[0]),
        Op::Forall | Op::Exists => quantifier(store, term),
        Op::Add | Op::Mul => arrange::sum(store, term),
        Op::Eq => {
            let sides = ordered_sides(store, node.args[0], node.args[1]);
            Tree::Node(Head::Equal, sides.map(|side| shape(store, side)).to_vec())
        }
        _ => {
            let args = node.args.iter().map(|&a| shape(store, a)).collect();
            Tree::Node(Head::Like(term), args)
        }
    }
}

/// Numerals stand on the right, variables on the left.
fn ordered_sides(store: &TermStore, a: Term, b: Term) -> [Term; 2] {
    let rank = |t: Term| match (store.is_numeral(t), is_leaf(store, t)) {
        (true, _) => 2,
        (false, false) => 1,
        (false, true) => 0,
    };
    if rank(a) > rank(b) { [b, a] } else { [a, b] }
}

fn negation(store: &TermStore, inner: Term) -> Tree {
    let node = store.node(inner);
    let strict = match node.op {
        Op::Bv(BvOp::Ule) => Some(Head::UnsignedLt),
        Op::Bv(BvOp::Sle) => Some(Head::SignedLt),
        _ => None,
    };
    match strict {
        Some(head) => Tree::Node(
            head,
            vec![shape(store, node.args[1]), shape(store, node.args[0])],
        ),
        None => Tree::Node(Head::Not, vec![shape(store, inner)]),
    }
}

/// The tree of the complement of a literal, or of a list of them.
fn complement(store: &TermStore, formula: Term) -> Tree {
    match store.op(formula) {
        Op::And => {
            let parts = store.args(formula).iter().map(|&a| store.not(a));
            disjunction(store, &parts.collect::<Vec<_>>(), &[])
        }
        _ => shape(store, store.not(formula)),
    }
}

fn conjunction(store: &TermStore, items: &[Term], bound: &[Term]) -> Tree {
    let quantified = |t: &Term| matches!(store.op(*t), Op::Forall | Op::Exists);
    let (last, first): (Vec<Term>, Vec<Term>) = items.iter().partition(|t| quantified(t));
    let guards = first.iter().filter(|t| is_guard(store, bound, **t));
    let others = first.iter().filter(|t| !is_guard(store, bound, **t));
    let ordered = guards.chain(others).chain(&last);
    let trees: Vec<Tree> = ordered.map(|&item| shape(store, item)).collect();
    Tree::joined(Head::And, chained(store, trees))
}

/// Joins `a <= v` and `v <= b` to `a <= v <= b`.
fn chained(store: &TermStore, trees: Vec<Tree>) -> Vec<Tree> {
    let mut kept: Vec<Tree> = Vec::new();
    for tree in trees {
        let place = kept
            .iter()
            .position(|old| meet(store, old, &tree).is_some());
        match place.and_then(|i| Some((i, meet(store, &kept[i], &tree)?))) {
            Some((i, chain)) => kept[i] = chain,
            None => kept.push(tree),
        }
    }
    kept
}

/// The chain of two comparisons of one kind that meet in a variable.
fn meet(store: &TermStore, a: &Tree, b: &Tree) -> Option<Tree> {
    let (Tree::Node(head, left), Tree::Node(other, right)) = (a, b) else {
        return None;
    };
    if head != other || !matches!(head, Head::Le | Head::Lt) || left.len() > 2 {
        return None;
    }
    let ends = [(left, right), (right, left)];
    let (low, high) = ends.into_iter().find(|(low, high)| {
        low.last() == high.first() && low.last().is_some_and(|v| v.is_variable(store))
    })?;
    Some(Tree::Node(
        *head,
        low.iter().chain(&high[1..]).cloned().collect(),
    ))
}

/// What a member of a disjunction is for the reader.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It is negated: its complement is a condition.
    Negated,
    /// An order, whose complement is an order.
    Order,
    /// Something to conclude.
    Conclusion,
}

fn role(store: &TermStore, item: Term) -> Role {
    if let Some(comparison) = Comparison::proper(store, item) {
        return match comparison.relation {
            Relation::Ne => Role::Negated,
            Relation::Eq => Role::Conclusion,
            _ => Role::Order,
        };
    }
    let (atom, negated) = store.strip_not(item);
    match store.op(atom) {
        Op::Bv(BvOp::Ule | BvOp::Sle) => Role::Order,
        Op::And if !negated => {
            let negated = |&part: &Term| role(store, part) == Role::Negated;
            if store.args(atom).iter().all(negated) {
                Role::Negated
            } else {
                Role::Conclusion
            }
        }
        _ if negated => Role::Negated,
        _ => Role::Conclusion,
    }
}

/// A disjunction; bounds of the variables just bound around it are its guard.
fn disjunction(store: &TermStore, items: &[Term], bound: &[Term]) -> Tree {
    let (bounds, rest): (Vec<Term>, Vec<Term>) =
        items.iter().partition(|t| is_guard(store, bound, **t));
    if !bounds.is_empty() && !rest.is_empty() {
        let (more, conclusion) = split(store, &rest);
        let guard = guard(store, bound, &bounds, &more);
        return Tree::Node(Head::Implies, vec![guard, alternatives(store, &conclusion)]);
    }
    let (conditions, conclusion) = split(store, items);
    if conditions.is_empty() {
        return alternatives(store, &conclusion);
    }
    let guard = guard(store, &[], &[], &conditions);
    if conclusion.is_empty() {
        return Tree::Node(Head::Not, vec![guard]);
    }
    Tree::Node(Head::Implies, vec![guard, alternatives(store, &conclusion)])
}

/// Conditions and conclusion among the members of a disjunction.
fn split(store: &TermStore, items: &[Term]) -> (Vec<Term>, Vec<Term>) {
    let has = |role_wanted| items.iter().any(|&t| role(store, t) == role_wanted);
    let is_condition = |&t: &Term| match role(store, t) {
        Role::Negated => items.len() > 1,
        Role::Order => has(Role::Conclusion),
        Role::Conclusion => false,
    };
    items.iter().partition(|t| is_condition(t))
}

fn alternatives(store: &TermStore, items: &[Term]) -> Tree {
    let trees = items.iter().map(|&item| shape(store, item)).collect();
    Tree::joined(Head::Or, trees)
}

/// The conjunction of the complements, bounds first, lower ends before upper ends.
fn guard(store: &TermStore, bound: &[Term], bounds: &[Term], conditions: &[Term]) -> Tree {
    let mut first: Vec<(usize, Tree)> = bounds
        .iter()
        .map(|&b| complement(store, b))
        .map(|tree| (end(bound, &tree), tree))
        .collect();
    first.sort_by_key(|(rank, _)| *rank);
    let first = first.into_iter().map(|(_, tree)| tree);
    let more = conditions.iter().map(|&c| complement(store, c));
    let flat = first.chain(more).flat_map(|tree| match tree {
        Tree::Node(Head::And, parts) => parts,
        other => vec![other],
    });
    Tree::joined(Head::And, chained(store, flat.collect()))
}

/// The place of a bound in a guard: by variable, then lower ends, upper ends, others.
fn end(bound: &[Term], tree: &Tree) -> usize {
    let place = |t: &Tree| bound.iter().position(|v| Tree::Leaf(*v) == *t);
    match tree {
        Tree::Node(Head::Le | Head::Lt, sides) if sides.len() == 2 => {
            match (place(&sides[1]), place(&sides[0])) {
                (Some(v), None) => 3 * v,
                (None, Some(v)) => 3 * v + 1,
                (Some(v), Some(w)) => 3 * v.max(w) + 2,
                _ => 3 * bound.len(),
            }
        }
        _ => 3 * bound.len() + 1,
    }
}

fn quantifier(store: &TermStore, term: Term) -> Tree {
    let node = store.node(term);
    let (body, vars) = node.args.split_last().unwrap_or((&term, &[]));
    let binder = if node.op == Op::Forall {
        Binder::Forall
    } else {
        Binder::Exists
    };
    let body = match (binder, store.op(*body)) {
        (Binder::Forall, Op::Or) => disjunction(store, store.args(*body), vars),
        (Binder::Exists, Op::And) => conjunction(store, store.args(*body), vars),
        _ => shape(store, *body),
    };
    Tree::Bind(binder, vars.to_vec(), Box::new(body))
}

/// Whether a literal restricts bound variables themselves, not what is read at them.
pub(crate) fn is_guard(store: &TermStore, bound: &[Term], literal: Term) -> bool {
    let (atom, _) = store.strip_not(literal);
    if bound.is_empty() || !matches!(store.op(atom), Op::Le | Op::Eq | Op::Bv(_)) {
        return false;
    }
    let mut touched = TermSet::default();
    touched.extend(bound.iter().copied());
    let mut mentions = false;
    for term in store.subterms(&[atom]) {
        mentions |= touched.contains(&term);
        let reads = !matches!(
            store.op(term),
            Op::Le | Op::Eq | Op::Add | Op::Mul | Op::Bv(_)
        );
        let below = store.args(term).iter().any(|a| touched.contains(a));
        if below && reads {
            return false;
        }
        if below {
            touched.insert(term);
        }
    }
    mentions && store.sort(store.args(atom)[0]) != Sort::BOOL
}
