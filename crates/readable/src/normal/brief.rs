//! The same in fewer characters: what sentences have in common is said once.
//!
//! ```text
//! (∀x. A) ∧ (∀y. B)              =  ∀x. A ∧ B[y := x]            variables of the same sorts
//! (l ∨ A) ∧ (l ∨ B) ∧ …          =  l ∨ (A ∧ B ∧ …)              the literal that saves most first
//! ```
//!
//! For printing only: conjuncts are no longer apart. Whoever prints takes the shorter of the two texts.

use foretell_terms::{Op, Sort, Substitution, Term, TermMap, TermStore};

/// About what a new implication and a new conjunction cost in characters.
const NEW_LISTS: usize = 12;
/// Longer lists are left as they are.
const MOST_MEMBERS: usize = 200;

/// An equivalent formula, probably with a shorter text.
pub fn brief(store: &TermStore, formula: Term) -> Term {
    let node = store.node(formula);
    match (&node.op, node.args.split_last()) {
        (Op::And, _) => {
            let items: Vec<Term> = node.args.iter().map(|&a| brief(store, a)).collect();
            conjunction(store, items)
        }
        (Op::Or, _) => store.or(node.args.iter().map(|&a| brief(store, a))),
        (Op::Forall, Some((body, vars))) => store.forall(vars, brief(store, *body)),
        (Op::Exists, Some((body, vars))) => store.exists(vars, brief(store, *body)),
        _ => formula,
    }
}

fn conjunction(store: &TermStore, items: Vec<Term>) -> Term {
    if items.len() > MOST_MEMBERS {
        return store.and(items);
    }
    let items = one_quantifier(store, items);
    factored(store, items)
}

/// Sentences about all values of variables of the same sorts.
struct Group {
    sorts: Vec<Sort>,
    /// Where the first of them stands.
    place: usize,
    vars: Vec<Term>,
    bodies: Vec<Term>,
}

/// Sentences about all values of variables of the same sorts become one.
fn one_quantifier(store: &TermStore, items: Vec<Term>) -> Vec<Term> {
    let mut kept: Vec<Term> = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    for item in items {
        let node = store.node(item);
        let Some((&body, vars)) = node.args.split_last().filter(|_| node.op == Op::Forall) else {
            kept.push(item);
            continue;
        };
        let sorts: Vec<Sort> = vars.iter().map(|&v| store.sort(v)).collect();
        match groups.iter_mut().find(|group| group.sorts == sorts) {
            Some(group) => {
                let pairs = vars.iter().copied().zip(group.vars.iter().copied());
                let body = Substitution::from_pairs(pairs).apply(store, body);
                group.bodies.extend(store.conjuncts(body));
            }
            None => {
                groups.push(Group {
                    sorts,
                    place: kept.len(),
                    vars: vars.to_vec(),
                    bodies: store.conjuncts(body),
                });
                kept.push(item);
            }
        }
    }
    for group in groups {
        kept[group.place] = store.forall(&group.vars, factored(store, group.bodies));
    }
    kept
}

/// A conjunction of clauses in which common literals are said once.
fn factored(store: &TermStore, mut items: Vec<Term>) -> Term {
    while let Some(literal) = best(store, &items) {
        let has = |item: &Term| store.disjuncts(*item).contains(&literal);
        let place = items.iter().position(has).unwrap_or_default();
        let (with, mut rest): (Vec<Term>, Vec<Term>) = items.iter().partition(|item| has(item));
        let inner = with.iter().map(|&item| {
            let others = store.disjuncts(item).into_iter();
            store.or(others.filter(|&l| l != literal))
        });
        let inner = store.disjuncts(factored(store, inner.collect()));
        let whole = store.or([literal].into_iter().chain(inner));
        rest.insert(place.min(rest.len()), whole);
        items = rest;
    }
    store.and(items.iter().flat_map(|&item| store.conjuncts(item)))
}

/// The literal that saves most when it is said once.
fn best(store: &TermStore, items: &[Term]) -> Option<Term> {
    let mut uses: TermMap<usize> = TermMap::default();
    for &item in items {
        let literals = store.disjuncts(item);
        for &literal in literals.iter().filter(|_| literals.len() > 1) {
            *uses.entry(literal).or_insert(0) += 1;
        }
    }
    let gain = |literal: Term, uses: usize| {
        let length = store.print(literal).len() + 1;
        (length * (uses - 1)).checked_sub(NEW_LISTS)
    };
    let all = uses.iter().filter(|(_, uses)| **uses > 1);
    let gains = all.filter_map(|(&literal, &uses)| Some((gain(literal, uses)?, literal)));
    gains
        .max_by_key(|(gain, _)| *gain)
        .map(|(_, literal)| literal)
}
