//! Random formulas, random values, and quantifiers by instances.

use foretell_kernel::Rng;
use foretell_terms::eval::Assignment;
use foretell_terms::number::fraction;
use foretell_terms::{Integer, Natural, Op, Sort, SortKind, Term, TermStore, Value};

/// Variables of the sorts that models talk about.
pub(crate) fn variables(store: &TermStore) -> Vec<Term> {
    let array = store.array_sort(&[Sort::INT], Sort::INT);
    let sorts = [
        ("b", Sort::BOOL),
        ("c", Sort::BOOL),
        ("x", Sort::INT),
        ("y", Sort::INT),
        ("z", Sort::INT),
        ("r", Sort::REAL),
        ("s", Sort::REAL),
        ("v", store.bv_sort(2)),
        ("w", store.bv_sort(2)),
        ("a", array),
    ];
    sorts.map(|(name, sort)| store.new_var(name, sort)).to_vec()
}

/// A small value of a sort.
pub(crate) fn value(store: &TermStore, sort: Sort, rng: &Rng) -> Value {
    let small = || Integer::from(rng.below(7)) - Integer::from(3);
    match store.kind(sort) {
        SortKind::Bool => Value::Bool(rng.below(2) == 0),
        SortKind::Int => Value::Int(small()),
        SortKind::Real => Value::real(fraction(&small(), &Integer::from(1 + rng.below(2)))),
        SortKind::BitVec(width) => Value::BitVec(*width, Natural::from(rng.below(1 << width))),
        SortKind::Array { indices, element } => {
            let (indices, element) = (indices.clone(), *element);
            let default = value(store, element, rng);
            let mut array = store
                .constant_array_value(sort, default)
                .expect("an array sort");
            for _ in 0..rng.below(4) {
                let at = indices.iter().map(|&i| value(store, i, rng)).collect();
                array.store(at, value(store, element, rng));
            }
            Value::Array(array)
        }
        _ => Value::Element(sort, 0),
    }
}

/// Values of the variables.
pub(crate) fn valuation(store: &TermStore, vars: &[Term], rng: &Rng) -> Assignment {
    let mut assignment = Assignment::new();
    for &var in vars {
        assignment.insert(var, value(store, store.sort(var), rng));
    }
    assignment
}

/// Quantifiers over Int replaced by their instances at `-reach ..= reach`.
pub(crate) fn instances(store: &TermStore, formula: Term, reach: i64) -> Term {
    let mut done: foretell_terms::TermMap<Term> = foretell_terms::TermMap::default();
    for term in store.subterms(&[formula]) {
        let node = store.node(term);
        let args: Vec<Term> = node.args.iter().map(|a| done[a]).collect();
        let new = match (&node.op, args.split_last()) {
            (Op::Forall | Op::Exists, Some((&body, vars))) => {
                let mut parts = vec![body];
                for &var in vars {
                    let at = |part: Term| {
                        (-reach..=reach).map(move |n| store.substitute(part, [(var, store.int(n))]))
                    };
                    parts = parts.into_iter().flat_map(at).collect();
                }
                if node.op == Op::Forall {
                    store.and(parts)
                } else {
                    store.or(parts)
                }
            }
            _ => store.rebuild(&node.op, &args, node.sort),
        };
        done.insert(term, new);
    }
    done[&formula]
}
