//! Several ways into one state.
//!
//! ```text
//! s + 1 if c,  s - 1 if ¬c            s + ite(c, 1, -1)                what both have stays outside
//! a[3 := u] if c,  a[4 := v] if ¬c    a[3 := ite(c, u, a[3])][4 := ite(c, a[4], v)]
//! conditions  d ∧ c,  d ∧ ¬c          d
//! ```
//!
//! Where the two conditions do not exclude each other by a literal, a new Boolean input chooses.

use foretell_terms::linear::Linear;
use foretell_terms::{Sort, Term, TermMap, TermSet, TermStore};

use super::explore::{Way, is_arithmetic};
use super::proof::Cells;

/// Arguments and condition of the state that these ways lead to.
pub(super) fn merged(terms: &TermStore, ways: &[Way]) -> (Vec<Term>, Term) {
    let mut ways = ways.iter();
    let Some(first) = ways.next() else {
        return (Vec::new(), terms.ff());
    };
    let (mut args, mut condition) = (first.args.clone(), first.condition);
    for way in ways {
        if way.args == args {
            condition = terms.or2(condition, way.condition);
            condition = factored(terms, condition);
            continue;
        }
        let (choice, both) = either(terms, condition, way.condition);
        let pairs = args.iter().zip(&way.args);
        args = pairs.map(|(&a, &b)| join(terms, choice, a, b)).collect();
        condition = both;
    }
    (args, condition)
}

/// `(d ∧ c) ∨ (d ∧ e)` as `d ∧ (c ∨ e)`.
fn factored(terms: &TermStore, condition: Term) -> Term {
    let [a, b] = terms.disjuncts(condition)[..] else {
        return condition;
    };
    let (common, a, b) = split(terms, a, b);
    terms.and2(common, terms.or2(a, b))
}

/// What two conditions have in common, and what each says besides.
fn split(terms: &TermStore, a: Term, b: Term) -> (Term, Term, Term) {
    let (a, b): (TermSet, TermSet) = (
        terms.conjuncts(a).into_iter().collect(),
        terms.conjuncts(b).into_iter().collect(),
    );
    let common = terms.and(a.iter().filter(|t| b.contains(*t)).copied());
    let own = |x: &TermSet, y: &TermSet| terms.and(x.iter().filter(|t| !y.contains(*t)).copied());
    (common, own(&a, &b), own(&b, &a))
}

/// What holds in the first case and not in the second, and the condition of both together.
fn either(terms: &TermStore, a: Term, b: Term) -> (Term, Term) {
    let (common, own_a, own_b) = split(terms, a, b);
    let of_b: TermSet = terms.conjuncts(own_b).into_iter().collect();
    let parts = terms.conjuncts(own_a);
    let exclusive = parts.iter().find(|&&p| of_b.contains(&terms.not(p)));
    if let Some(&choice) = exclusive {
        let both = terms.or2(own_a, own_b);
        return (choice, terms.and2(common, both));
    }
    let choice = terms.fresh("in", Sort::BOOL);
    (choice, terms.and2(common, terms.ite(choice, own_a, own_b)))
}

/// `ite(choice, a, b)` with what both share outside.
fn join(terms: &TermStore, choice: Term, a: Term, b: Term) -> Term {
    if a == b {
        return a;
    }
    let sort = terms.sort(a);
    if is_arithmetic(sort) {
        return join_numbers(terms, choice, (a, b), sort);
    }
    match (Cells::of(terms, a), Cells::of(terms, b)) {
        (Some(x), Some(y)) if x.base == y.base => join_cells(terms, choice, &x, &y),
        _ => terms.ite(choice, a, b),
    }
}

fn join_numbers(terms: &TermStore, choice: Term, (a, b): (Term, Term), sort: Sort) -> Term {
    let (x, y) = (terms.linear(a), terms.linear(b));
    let of_y: TermMap<_> = y.terms.iter().cloned().collect();
    let shared = |(t, c): &&(Term, _)| of_y.get(t) == Some(c);
    let common: Vec<_> = x.terms.iter().filter(shared).cloned().collect();
    let gone: TermSet = common.iter().map(|(t, _)| *t).collect();
    let rest = |form: Linear| {
        let terms_left = form.terms.into_iter().filter(|(t, _)| !gone.contains(t));
        let left = Linear {
            terms: terms_left.collect(),
            constant: form.constant,
        };
        terms.linear_term(&left, sort)
    };
    let outside = Linear {
        terms: common,
        constant: foretell_terms::Rational::ZERO,
    };
    let chosen = terms.ite(choice, rest(x), rest(y));
    terms.add2(terms.linear_term(&outside, sort), chosen)
}

fn join_cells(terms: &TermStore, choice: Term, x: &Cells, y: &Cells) -> Term {
    let indices: TermSet = x.cells.keys().chain(y.cells.keys()).copied().collect();
    let mut array = x.base;
    for index in indices {
        let value = |of: &Cells| {
            let stored = of.cells.get(&index).copied();
            stored.unwrap_or_else(|| terms.select(of.base, &[index]))
        };
        let value = join(terms, choice, value(x), value(y));
        array = terms.store(array, &[index], value);
    }
    array
}
