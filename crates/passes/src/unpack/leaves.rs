//! Terms and their leaves: packing by constructors, taking apart by selectors and testers, and what
//! holds of the leaves of every value.

use std::rc::Rc;

use foretell_terms::{Constructor, Sort, Term, TermStore};

use super::shape::{Kind, Shape, cut, default_leaf, width};

/// The number of a constructor of an enumeration.
pub(super) fn number(terms: &TermStore, shape: &Shape, index: usize) -> Term {
    if shape.leaves == [Sort::BOOL] {
        terms.bool(index == 1)
    } else {
        terms.int(index)
    }
}

/// What holds of the leaves of a value: tags and numbers in their range, leaves of constructors that
/// were not used at their default. Each condition comes with the leaf that it is about.
pub(super) fn canonical(
    terms: &TermStore,
    shape: &Shape,
    leaves: &[Term],
    conditions: &mut Vec<(Term, Term)>,
) {
    let range = |leaf: Term, n: usize| {
        terms.and2(
            terms.le(terms.int(0), leaf),
            terms.le(leaf, terms.int(n - 1)),
        )
    };
    match &shape.kind {
        Kind::Leaf | Kind::Array(..) => {}
        Kind::Enumeration => {
            if shape.leaves == [Sort::INT] {
                let n = terms.constructors(shape.sort).len();
                conditions.push((leaves[0], range(leaves[0], n)));
            }
        }
        Kind::Tuple(_, fields) => {
            for (field, own) in cut(fields, leaves) {
                canonical(terms, field, own, conditions);
            }
        }
        Kind::Sum(variants) => {
            conditions.push((leaves[0], range(leaves[0], variants.len())));
            let mut rest = &leaves[1..];
            for (i, fields) in variants.iter().enumerate() {
                let (own, others) = rest.split_at(width(fields));
                rest = others;
                for (field, own) in cut(fields, own) {
                    canonical(terms, field, own, conditions);
                }
                let used = terms.eq(leaves[0], terms.int(i));
                conditions.extend(own.iter().filter_map(|&leaf| {
                    let unused = terms.eq(leaf, default_leaf(terms, terms.sort(leaf))?);
                    Some((leaf, terms.or2(used, unused)))
                }));
            }
        }
    }
}

/// A value by constructors from its leaves; `None` for split arrays.
pub(super) fn pack(terms: &TermStore, shape: &Shape, leaves: &[Term]) -> Option<Term> {
    let choose = |constructors: Vec<Term>, tag: &dyn Fn(usize) -> Term| {
        let (last, rest) = constructors.split_last()?;
        let chain = rest.iter().enumerate().rev();
        Some(chain.fold(*last, |other, (i, &c)| terms.ite(tag(i), c, other)))
    };
    let all = |fields: &[Rc<Shape>], leaves: &[Term]| {
        let packed = cut(fields, leaves).map(|(field, own)| pack(terms, field, own));
        packed.collect::<Option<Vec<Term>>>()
    };
    match &shape.kind {
        Kind::Leaf => leaves.first().copied(),
        Kind::Array(..) => None,
        Kind::Tuple(constructor, fields) => {
            Some(terms.construct(*constructor, &all(fields, leaves)?))
        }
        Kind::Enumeration => {
            let constructors = terms.constructors(shape.sort);
            let values = constructors.map(|c| terms.construct(c, &[])).collect();
            choose(values, &|i| terms.eq(leaves[0], number(terms, shape, i)))
        }
        Kind::Sum(variants) => {
            let mut rest = &leaves[1..];
            let mut values = Vec::new();
            for (constructor, fields) in terms.constructors(shape.sort).zip(variants) {
                let (own, others) = rest.split_at(width(fields));
                rest = others;
                values.push(terms.construct(constructor, &all(fields, own)?));
            }
            choose(values, &|i| terms.eq(leaves[0], terms.int(i)))
        }
    }
}

/// The leaves of a term that stays, by selectors and testers; `None` for split arrays.
pub(super) fn apart(terms: &TermStore, shape: &Shape, whole: Term) -> Option<Vec<Term>> {
    let fields = |constructor: Constructor, fields: &[Rc<Shape>]| {
        let mut leaves = Vec::new();
        for (selector, field) in terms.selectors(constructor).zip(fields) {
            leaves.extend(apart(terms, field, terms.field(selector, whole))?);
        }
        Some(leaves)
    };
    match &shape.kind {
        Kind::Leaf => Some(vec![whole]),
        Kind::Array(..) => None,
        Kind::Tuple(constructor, parts) => fields(*constructor, parts),
        Kind::Enumeration => Some(vec![tag(terms, shape, whole)]),
        Kind::Sum(variants) => {
            let mut leaves = vec![tag(terms, shape, whole)];
            for (constructor, parts) in terms.constructors(shape.sort).zip(variants) {
                let is = terms.is(constructor, whole);
                for leaf in fields(constructor, parts)? {
                    let default = default_leaf(terms, terms.sort(leaf))?;
                    leaves.push(terms.ite(is, leaf, default));
                }
            }
            Some(leaves)
        }
    }
}

/// The number of the constructor of a term that stays.
pub(super) fn tag(terms: &TermStore, shape: &Shape, whole: Term) -> Term {
    let constructors: Vec<Constructor> = terms.constructors(shape.sort).collect();
    let of = |i: usize| match shape.kind {
        Kind::Enumeration => number(terms, shape, i),
        _ => terms.int(i),
    };
    if shape.leaves == [Sort::BOOL] {
        return terms.is(constructors[1], whole);
    }
    let last = of(constructors.len() - 1);
    let chain = constructors[..constructors.len() - 1]
        .iter()
        .enumerate()
        .rev();
    chain.fold(last, |other, (i, &c)| {
        terms.ite(terms.is(c, whole), of(i), other)
    })
}
