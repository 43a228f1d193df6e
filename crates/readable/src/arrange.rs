//! Sums and comparisons with positive signs on both sides.

use foretell_terms::number;
use foretell_terms::{Op, Rational, Sort, Term, TermStore};

use crate::comparison::{Comparison, Relation};
use crate::shape::shape;
use crate::tree::{Head, Tree};

/// One side of a comparison: `sum of coefficient * term, plus constant`.
#[derive(Clone, Default)]
struct Side {
    terms: Vec<(Term, Rational)>,
    constant: Rational,
}

impl Side {
    /// A single term without coefficient and constant.
    fn is_single(&self) -> bool {
        self.terms.len() == 1 && self.terms[0].1.is_one() && self.constant.is_zero()
    }

    fn tree(&self, store: &TermStore, sort: Sort) -> Tree {
        let mut parts: Vec<Tree> = self
            .terms
            .iter()
            .map(|(t, c)| product(store, c, *t, sort))
            .collect();
        if parts.is_empty() || !self.constant.is_zero() {
            parts.push(numeral(store, &self.constant, sort));
        }
        Tree::joined(Head::Plus, parts)
    }

    /// About how long the constant makes the text.
    fn cost(&self) -> usize {
        if self.constant.is_zero() {
            return 0;
        }
        let digits = self.constant.numerator().to_string().len();
        let sign = if number::is_negative(&self.constant) {
            3
        } else {
            0
        };
        let plus = match self.terms.len() {
            0 => 0,
            1 => 5,
            _ => 1,
        };
        digits + sign + plus
    }
}

fn numeral(store: &TermStore, value: &Rational, sort: Sort) -> Tree {
    Tree::Leaf(
        store
            .numeral(value, sort)
            .expect("invariant: forms over Int have integer numbers"),
    )
}

/// `c * t` with a positive coefficient.
fn product(store: &TermStore, c: &Rational, t: Term, sort: Sort) -> Tree {
    let tree = shape_factor(store, t);
    if c.is_one() {
        return tree;
    }
    let mut factors = vec![numeral(store, c, sort)];
    match tree {
        Tree::Node(Head::Times, more) => factors.extend(more),
        other => factors.push(other),
    }
    Tree::Node(Head::Times, factors)
}

/// An opaque term of a sum: a product of several variables, or anything that is no sum.
fn shape_factor(store: &TermStore, t: Term) -> Tree {
    if *store.op(t) == Op::Mul {
        let factors = store.args(t).iter().map(|&f| shape(store, f)).collect();
        return Tree::Node(Head::Times, factors);
    }
    shape(store, t)
}

/// The two sides of `form ⋈ bound`, each with positive coefficients; the constant stays apart.
fn sides(comparison: &Comparison) -> (Side, Side) {
    let (mut left, mut right) = (Side::default(), Side::default());
    for (term, c) in &comparison.form {
        if number::is_negative(c) {
            right.terms.push((*term, -c.clone()));
        } else {
            left.terms.push((*term, c.clone()));
        }
    }
    (left, right)
}

/// Puts `surplus` (what the left has more than the right) where it is positive, or beside nothing.
fn place(left: &mut Side, right: &mut Side, surplus: Rational) {
    if left.terms.is_empty() || (!right.terms.is_empty() && !number::is_negative(&surplus)) {
        left.constant = surplus;
    } else {
        right.constant = -surplus;
    }
}

/// A comparison as people write it.
pub(crate) fn comparison(store: &TermStore, comparison: &Comparison) -> Tree {
    let (left, right) = sides(comparison);
    let bound = comparison.bound.clone();
    let sort = comparison.sort;
    match comparison.relation {
        Relation::Eq => equality(store, (left, right), bound, sort),
        Relation::Ne => {
            let inner = equality(store, (left, right), bound, sort);
            Tree::Node(Head::Not, vec![inner])
        }
        Relation::Le => order(store, (left, right), (-bound, Head::Le), sort),
        Relation::Lt => order(store, (left, right), (-bound, Head::Lt), sort),
        Relation::Ge => order(store, (right, left), (bound, Head::Le), sort),
        Relation::Gt => order(store, (right, left), (bound, Head::Lt), sort),
    }
}

/// `left + surplus ⋈ right`.
fn order(
    store: &TermStore,
    (left, right): (Side, Side),
    (surplus, head): (Rational, Head),
    sort: Sort,
) -> Tree {
    let placed = |surplus: Rational| {
        let (mut left, mut right) = (left.clone(), right.clone());
        place(&mut left, &mut right, surplus);
        (left, right)
    };
    let tree = |(left, right): (Side, Side), head| {
        Tree::Node(head, vec![left.tree(store, sort), right.tree(store, sort)])
    };
    let plain = placed(surplus.clone());
    if sort != Sort::INT {
        return tree(plain, head);
    }
    let strict = placed(surplus - Rational::ONE);
    let cost = |(left, right): &(Side, Side)| left.cost() + right.cost();
    let round = |(left, right): &(Side, Side)| {
        let constant = left.constant.clone() + right.constant.clone();
        constant.numerator().to_string().ends_with('0') && !constant.is_zero()
    };
    // `<=` is one character longer, which alone is no reason to change a number.
    let (longer, shorter) = (cost(&plain) + 1, cost(&strict));
    let rounder = round(&strict) && !round(&plain);
    if shorter + 1 < longer || (shorter <= longer && rounder) {
        tree(strict, Head::Lt)
    } else {
        tree(plain, Head::Le)
    }
}

/// `left = right + bound`, solved for a single term where there is one.
fn equality(
    store: &TermStore,
    (mut left, mut right): (Side, Side),
    bound: Rational,
    sort: Sort,
) -> Tree {
    place(&mut left, &mut right, -bound);
    let rank = |side: &Side| match (side.terms.as_slice(), side.is_single()) {
        ([], _) => 3,
        (_, false) => 2,
        ([(t, _), ..], true) => usize::from(store.as_var(*t).is_some()),
    };
    if rank(&right) < rank(&left) {
        std::mem::swap(&mut left, &mut right);
    }
    let sides = vec![left.tree(store, sort), right.tree(store, sort)];
    Tree::Node(Head::Equal, sides)
}

/// A sum or product that stands by itself.
pub(crate) fn sum(store: &TermStore, term: Term) -> Tree {
    let sort = store.sort(term);
    let form = store.linear(term);
    let (mut plus, mut minus) = (Side::default(), Side::default());
    for (t, c) in form.terms {
        if number::is_negative(&c) {
            minus.terms.push((t, -c));
        } else {
            plus.terms.push((t, c));
        }
    }
    if number::is_negative(&form.constant) {
        minus.constant = -form.constant;
    } else {
        plus.constant = form.constant;
    }
    let empty = |side: &Side| side.terms.is_empty() && side.constant.is_zero();
    if empty(&minus) {
        return plus.tree(store, sort);
    }
    let negative = minus.tree(store, sort);
    if empty(&plus) {
        return Tree::Node(Head::Negative, vec![negative]);
    }
    let mut parts = vec![plus.tree(store, sort)];
    match negative {
        Tree::Node(Head::Plus, more) => parts.extend(more),
        other => parts.push(other),
    }
    Tree::Node(Head::Minus, parts)
}
