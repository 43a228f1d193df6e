//! Quantifiers where they are needed, and only those that are.
//!
//! For `∀` over a disjunction (and dually `∃` over a conjunction):
//!
//! ```text
//! ∀x. A ∧ B           =  (∀x. A) ∧ (∀x. B)             variables made anew for each copy
//! ∀x. A ∨ B           =  A ∨ ∀x. B                     x not in A
//! ∀x y. A(x) ∨ B(y)   =  (∀x. A) ∨ (∀y. B)
//! ∀x. x ≠ t ∨ A       =  A[x := t]                     x not in t
//! ∀x. ∀y. A           =  ∀x y. A
//! ∀x. x < s ∨ t < x   =  t < s                         only bounds with factor 1 (Real: any)
//! ```
//!
//! Every sort has a value, so a variable that does not occur can go. A defining equality is used only
//! if the formula does not become much larger by it.

use foretell_terms::linear::Linear;
use foretell_terms::{Op, Rational, Sort, Substitution, Term, TermSet, TermStore};

use super::{Junction, Polarity, Rewriter};
use crate::comparison::{Comparison, Relation};

/// A definition with more nodes is put in for one occurrence only.
const SMALL_DEFINITION: usize = 12;

impl Rewriter<'_> {
    /// A quantifier over a simplified body.
    pub(super) fn quantify(&mut self, op: &Op, vars: &[Term], body: Term) -> Term {
        let store = self.store;
        let (inner, spread) = match op {
            Op::Forall => (Junction::Or, Junction::And),
            _ => (Junction::And, Junction::Or),
        };
        if store.op(body) == op {
            let (last, more) = store.args(body).split_last().unwrap_or((&body, &[]));
            let all: Vec<Term> = vars.iter().chain(more).copied().collect();
            return self.quantify(op, &all, *last);
        }
        if *store.op(body) == spread.op() {
            let parts: Vec<Term> = store
                .args(body)
                .to_vec()
                .into_iter()
                .map(|part| {
                    let (vars, part) = renamed(store, vars, part);
                    self.quantify(op, &vars, part)
                })
                .collect();
            return self.junction(spread, &parts);
        }
        let items = self.members(inner, body);
        if let Some((var, definition)) = self.defined(op, vars, &items) {
            let rest = store.substitute(body, [(var, definition)]);
            let left: Vec<Term> = vars.iter().copied().filter(|&v| v != var).collect();
            let rest = self.formula(rest, Polarity::Positive);
            return self.quantify(op, &left, rest);
        }
        if let Some((left, rest)) = self.eliminated(op, vars, &items) {
            let rest = self.formula(rest, Polarity::Positive);
            return self.quantify(op, &left, rest);
        }
        let parts: Vec<Term> = components(store, vars, &items)
            .into_iter()
            .map(|(vars, items)| {
                let part = match inner {
                    Junction::And => store.and(items),
                    Junction::Or => store.or(items),
                };
                match op {
                    Op::Forall => store.forall(&vars, part),
                    _ => store.exists(&vars, part),
                }
            })
            .collect();
        match parts.as_slice() {
            [one] => *one,
            _ => self.connect(inner, parts),
        }
    }

    /// The body without a variable that has only bounds in it (Fourier and Motzkin).
    fn eliminated(&self, op: &Op, vars: &[Term], items: &[Term]) -> Option<(Vec<Term>, Term)> {
        let store = self.store;
        let universal = *op == Op::Forall;
        let fact = |t: Term| if universal { store.not(t) } else { t };
        for &var in vars {
            let (own, mut rest): (Vec<Term>, Vec<Term>) = items
                .iter()
                .map(|&item| fact(item))
                .partition(|&t| store.subterms(&[t]).contains(&var));
            let bounds: Option<Vec<Bound>> = own.iter().map(|&t| bound(store, t, var)).collect();
            let Some(bounds) = bounds.filter(|b| !b.is_empty()) else {
                continue;
            };
            let side = |side| bounds.iter().filter(move |b| b.side == side);
            if side(Side::Lower).count() * side(Side::Upper).count() > bounds.len() {
                continue;
            }
            for low in side(Side::Lower) {
                rest.extend(
                    side(Side::Upper).map(|high| match low.strict || high.strict {
                        true => store.lt(low.at, high.at),
                        false => store.le(low.at, high.at),
                    }),
                );
            }
            let left = vars.iter().copied().filter(|&v| v != var).collect();
            let whole = store.and(rest);
            return Some((left, if universal { store.not(whole) } else { whole }));
        }
        None
    }

    /// A variable that the body defines, and its definition.
    fn defined(&self, op: &Op, vars: &[Term], items: &[Term]) -> Option<(Term, Term)> {
        let store = self.store;
        for &item in items {
            let fact = match op {
                Op::Forall => store.not(item),
                _ => item,
            };
            for &var in vars {
                let Some(term) = solved(store, fact, var) else {
                    continue;
                };
                let uses: usize = items.iter().map(|&i| occurrences(store, i, var)).sum();
                if size(store, term) <= SMALL_DEFINITION || 2 >= uses {
                    return Some((var, term));
                }
            }
        }
        None
    }
}

/// Which end of its values a bound gives a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

/// A bound of a variable by a term without it.
struct Bound {
    side: Side,
    at: Term,
    strict: bool,
}

/// The bound that a fact gives a variable; `None` when it says something else about it.
fn bound(store: &TermStore, fact: Term, var: Term) -> Option<Bound> {
    let comparison = Comparison::proper(store, fact)?;
    let (upper, strict) = match comparison.relation {
        Relation::Le => (true, false),
        Relation::Lt => (true, true),
        Relation::Ge => (false, false),
        Relation::Gt => (false, true),
        Relation::Eq | Relation::Ne => return None,
    };
    let (positive, at) = isolated(store, &comparison, var)?;
    let side = if upper == positive {
        Side::Upper
    } else {
        Side::Lower
    };
    Some(Bound { side, at, strict })
}

/// What a comparison compares a variable with, and whether its coefficient is positive.
fn isolated(store: &TermStore, comparison: &Comparison, var: Term) -> Option<(bool, Term)> {
    let sort = comparison.sort;
    let free_of = |t: Term| !store.subterms(&[t]).contains(&var);
    let (_, own) = comparison.form.iter().find(|(t, _)| *t == var)?;
    let mut rest = comparison.form.iter().filter(|(t, _)| *t != var);
    let unit = own.is_one() || (-own.clone()).is_one();
    if !(unit || sort == Sort::REAL) || !rest.clone().all(|(t, _)| free_of(*t)) {
        return None;
    }
    let scale = |q: &Rational| q.clone() / own.clone();
    let solution = Linear {
        terms: rest.by_ref().map(|(t, c)| (*t, -scale(c))).collect(),
        constant: scale(&comparison.bound),
    };
    let positive = !foretell_terms::number::is_negative(own);
    Some((positive, store.linear_term(&solution, sort)))
}

/// The term that a fact says a variable is equal to.
fn solved(store: &TermStore, fact: Term, var: Term) -> Option<Term> {
    let (atom, negated) = store.strip_not(fact);
    if atom == var {
        return Some(store.bool(!negated));
    }
    let sort = store.sort(var);
    let free_of = |t: Term| !store.subterms(&[t]).contains(&var);
    if sort == Sort::INT || sort == Sort::REAL {
        let comparison = Comparison::proper(store, fact)?;
        if comparison.relation != Relation::Eq {
            return None;
        }
        return isolated(store, &comparison, var).map(|(_, term)| term);
    }
    if negated || *store.op(atom) != Op::Eq {
        return None;
    }
    let (a, b) = (store.args(atom)[0], store.args(atom)[1]);
    [(a, b), (b, a)]
        .into_iter()
        .find(|&(x, t)| x == var && free_of(t))
        .map(|(_, t)| t)
}

/// The number of nodes, each counted once.
fn size(store: &TermStore, term: Term) -> usize {
    store.subterms(&[term]).len()
}

/// How often a variable occurs, counted by parents.
fn occurrences(store: &TermStore, formula: Term, var: Term) -> usize {
    store
        .subterms(&[formula])
        .into_iter()
        .map(|t| store.args(t).iter().filter(|&&a| a == var).count())
        .sum()
}

/// A copy of a quantified part with variables of its own.
fn renamed(store: &TermStore, vars: &[Term], part: Term) -> (Vec<Term>, Term) {
    let fresh: Vec<Term> = vars
        .iter()
        .map(|&v| store.fresh("k", store.sort(v)))
        .collect();
    let mut map = Substitution::from_pairs(vars.iter().copied().zip(fresh.iter().copied()));
    let part = map.apply(store, part);
    (fresh, part)
}

/// Members that share variables, with those variables; members without any come one by one.
fn components(store: &TermStore, vars: &[Term], items: &[Term]) -> Vec<(Vec<Term>, Vec<Term>)> {
    let mut groups: Vec<(TermSet, Vec<Term>)> = Vec::new();
    for &item in items {
        let inside = store.subterms(&[item]);
        let own: TermSet = vars
            .iter()
            .copied()
            .filter(|v| inside.contains(v))
            .collect();
        let (mut joined, mut members) = (own, vec![item]);
        let mut place = groups.len();
        let mut rest = Vec::new();
        for (at, (set, list)) in groups.into_iter().enumerate() {
            if set.iter().any(|v| joined.contains(v)) {
                joined.extend(set);
                members.splice(0..0, list);
                place = place.min(at);
            } else {
                rest.push((set, list));
            }
        }
        rest.insert(place.min(rest.len()), (joined, members));
        groups = rest;
    }
    let in_order = |set: &TermSet| vars.iter().copied().filter(|v| set.contains(v)).collect();
    groups
        .into_iter()
        .map(|(set, list)| (in_order(&set), list))
        .collect()
}
