//! Case splits: a formula as a disjunction of conjunctions of literals without `ite` and without a
//! read over a write (the paper: "function updates can be eliminated via case splits").
//!
//! ```text
//! a ∨ b                          a   |   b
//! … ite(c, s, t) …               c ∧ … s …   |   ¬c ∧ … t …
//! … store(a, i, v)[j] …          i = j ∧ … v …   |   i ≠ j ∧ … a[j] …
//! ```
//!
//! Contract: `⋁ cases(φ) ⇔ φ`. Beyond the limit the rest of a case stays as it is.

use foretell_terms::{Op, Sort, Term, TermSet, TermStore};

/// A formula stops being split when it has this many cases.
const MAX_CASES: usize = 48;

/// The cases of a conjunction, each as a list of conjuncts.
pub(super) fn cases(terms: &TermStore, formulas: &[Term]) -> Vec<Vec<Term>> {
    let mut work = vec![open(terms, formulas)];
    let mut done: Vec<Vec<Term>> = Vec::new();
    while let Some(case) = work.pop() {
        let Some(case) = case else { continue };
        let choices = if done.len() + work.len() < MAX_CASES {
            split(terms, &case)
        } else {
            None
        };
        match choices {
            None => done.push(case.into_iter().collect()),
            Some(branches) => work.extend(branches.into_iter().rev().map(|b| open(terms, &b))),
        }
    }
    done
}

/// Conjuncts with negations pushed down as far as conjunctions are gained; `None` when one is false.
fn open(terms: &TermStore, formulas: &[Term]) -> Option<TermSet> {
    let mut work: Vec<Term> = formulas.iter().rev().copied().collect();
    let mut found = TermSet::default();
    while let Some(formula) = work.pop() {
        let (atom, negated) = terms.strip_not(formula);
        match (terms.op(atom), negated) {
            (Op::And, false) => work.extend(terms.args(atom).iter().rev()),
            (Op::Or, true) => work.extend(terms.args(atom).iter().rev().map(|&a| terms.not(a))),
            (Op::True, false) | (Op::False, true) => {}
            (Op::True, true) | (Op::False, false) => return None,
            _ => {
                let literal = literal(terms, formula);
                if terms.is_false(literal) || found.contains(&terms.not(literal)) {
                    return None;
                }
                if !terms.is_true(literal) {
                    found.insert(literal);
                }
            }
        }
    }
    Some(found)
}

/// One spelling per literal.
pub(super) fn literal(terms: &TermStore, formula: Term) -> Term {
    let (atom, negated) = terms.strip_not(formula);
    if !terms.is_atom(atom) {
        return formula;
    }
    let canonical = terms.canonical_atom(atom);
    if negated {
        terms.not(canonical)
    } else {
        canonical
    }
}

/// The branches of the first thing to split.
fn split(terms: &TermStore, case: &TermSet) -> Option<Vec<Vec<Term>>> {
    let all: Vec<Term> = case.iter().copied().collect();
    for (at, &formula) in all.iter().enumerate() {
        let (inner, negated) = terms.strip_not(formula);
        let branches: Vec<Term> = match (terms.op(inner), negated) {
            (Op::Or, false) => terms.args(inner).to_vec(),
            (Op::And, true) => terms.args(inner).iter().map(|&a| terms.not(a)).collect(),
            (Op::Ite, _) => {
                let args = terms.args(inner);
                let side = |t: Term| if negated { terms.not(t) } else { t };
                vec![
                    terms.and2(args[0], side(args[1])),
                    terms.and2(terms.not(args[0]), side(args[2])),
                ]
            }
            _ => continue,
        };
        let with = |b: Term| {
            let mut branch = all.clone();
            branch[at] = b;
            branch
        };
        return Some(branches.into_iter().map(with).collect());
    }
    let (condition, term, then, other) = terms
        .subterms(&all)
        .into_iter()
        .find_map(|t| choice(terms, t))?;
    let branch = |condition: Term, value: Term| {
        let mut map = foretell_terms::Substitution::from_pairs([(term, value)]);
        let mut branch: Vec<Term> = all.iter().map(|&f| map.apply(terms, f)).collect();
        branch.push(condition);
        branch
    };
    Some(vec![
        branch(condition, then),
        branch(terms.not(condition), other),
    ])
}

/// A term with two possible values: condition, term, the value under the condition, the other one.
fn choice(terms: &TermStore, term: Term) -> Option<(Term, Term, Term, Term)> {
    let args = terms.args(term);
    match terms.op(term) {
        Op::Ite if terms.sort(term) != Sort::BOOL => Some((args[0], term, args[1], args[2])),
        Op::Select if *terms.op(args[0]) == Op::Store => {
            let write = terms.args(args[0]);
            let (at, value) = (&write[1..write.len() - 1], write[write.len() - 1]);
            let same = terms.and(
                at.iter()
                    .zip(&args[1..])
                    .map(|(&i, &j)| literal(terms, terms.eq(i, j))),
            );
            Some((same, term, value, terms.select(write[0], &args[1..])))
        }
        _ => None,
    }
}
