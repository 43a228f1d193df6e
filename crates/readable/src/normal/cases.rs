//! Cases as sentences: what all have in common, and what holds in each where they exclude each other.
//!
//! ```text
//! (c ∧ A) ∨ … ∨ (c ∧ Z)       =   c ∧ (A ∨ … ∨ Z)
//! (g₁ ∧ R₁) ∨ … ∨ (gₙ ∧ Rₙ)   =   (g₁ ∨ … ∨ gₙ) ∧ (g₁ ⇒ R₁) ∧ … ∧ (gₙ ⇒ Rₙ)
//!                                  where every gᵢ has a literal whose complement is in the j-th case, j ≠ i
//! ```
//!
//! Invariants over places come as such disjunctions. As sentences they can be left out one by one by
//! whoever minimises the formula: a place that needs nothing is then not mentioned, nor that there are no
//! others where nobody needs it. Limits: [`MOST_CASES`] cases; complements are seen in the spelling only.

use foretell_terms::{Op, Term, TermStore};

/// More cases are left as they are.
const MOST_CASES: usize = 64;

/// An equivalent formula in which cases are sentences of their own, as far as they can be.
pub fn cases(store: &TermStore, formula: Term) -> Term {
    let parts = store.conjuncts(formula).into_iter();
    store.and(parts.flat_map(|part| sentences(store, part).unwrap_or_else(|| vec![part])))
}

/// The sentences of one disjunction, if its members have something in common or exclude each other.
fn sentences(store: &TermStore, formula: Term) -> Option<Vec<Term>> {
    let members = store.disjuncts(formula);
    let proper = members.iter().any(|&m| *store.op(m) == Op::And);
    if members.len() < 2 || members.len() > MOST_CASES || !proper {
        return None;
    }
    let lists: Vec<Vec<Term>> = members.iter().map(|&m| store.conjuncts(m)).collect();
    let is_common = |l: &Term| lists.iter().all(|list| list.contains(l));
    let common: Vec<Term> = lists[0].iter().copied().filter(is_common).collect();
    if !common.is_empty() {
        let own = |list: &Vec<Term>| store.and(list.iter().copied().filter(|l| !is_common(l)));
        let rest = store.or(lists.iter().map(own));
        let rest = sentences(store, rest).unwrap_or_else(|| vec![rest]);
        return Some(common.into_iter().chain(rest).collect());
    }
    let mut all = Vec::new();
    let mut guards = Vec::new();
    for (i, list) in lists.iter().enumerate() {
        let guard = guard(store, &lists, i)?;
        let outside: Vec<Term> = guard.iter().map(|&l| store.not(l)).collect();
        let inside = list.iter().filter(|l| !guard.contains(l));
        all.extend(inside.map(|&l| store.or(outside.iter().copied().chain([l]))));
        guards.push(store.and(guard));
    }
    all.push(store.or(guards));
    Some(all)
}

/// Few literals of a case that exclude all others.
fn guard(store: &TermStore, lists: &[Vec<Term>], own: usize) -> Option<Vec<Term>> {
    let mut open: Vec<usize> = (0..lists.len()).filter(|&j| j != own).collect();
    let excludes = |literal: Term, j: usize| lists[j].contains(&store.not(literal));
    let mut guard = Vec::new();
    while !open.is_empty() {
        let count = |l: &Term| open.iter().filter(|&&j| excludes(*l, j)).count();
        let most = lists[own].iter().map(count).max().filter(|&n| n > 0)?;
        let best = *lists[own].iter().find(|l| count(l) == most)?;
        open.retain(|&j| !excludes(best, j));
        guard.push(best);
    }
    Some(guard)
}
