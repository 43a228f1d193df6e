//! A formula as a conjunction of parts, as far as these stay few.
//!
//! ```text
//! parts(φ)   formulas C1, …, Cn with  φ  ⇔  C1 ∧ … ∧ Cn,  n ≤ most
//!   parts(A ∧ B)   parts(A) ∪ parts(B)             parts(¬¬A)      parts(A)
//!   parts(A ∨ B)   {C ∨ D | C ∈ parts(A), D ∈ parts(B)}
//!   parts(¬(A ∧ B)), parts(¬(A ∨ B))               by De Morgan
//!   anything else, and a disjunction that would have too many parts: itself
//! ```
//!
//! What must be shown of a conjunction can be shown of its parts one by one, which a solver often does in a
//! fraction of the time.

use std::collections::BTreeSet;

use foretell_terms::{Op, Term, TermStore};

/// The members of a disjunction, in order.
type Clause = BTreeSet<Term>;

/// The parts of a formula, at most so many.
pub fn parts(terms: &TermStore, formula: Term, most: usize) -> Vec<Term> {
    let conjuncts = terms.conjuncts(formula);
    let mut room = most.saturating_sub(conjuncts.len());
    let (mut seen, mut all) = (BTreeSet::new(), Vec::new());
    for conjunct in conjuncts {
        let opened = opened(terms, conjunct, room + 1);
        room -= opened.len().saturating_sub(1);
        for clause in opened {
            if seen.insert(clause.clone()) {
                all.push(terms.or(clause));
            }
        }
    }
    all
}

/// The parts of a formula where they are at most so many, which is at least one; else itself.
fn opened(terms: &TermStore, formula: Term, most: usize) -> Vec<Clause> {
    let (positive, negated) = terms.strip_not(formula);
    let node = terms.node(positive);
    let sign = |t: Term| if negated { terms.not(t) } else { t };
    let kids = || node.args.iter().map(|&a| sign(a));
    let found = match (&node.op, negated) {
        (Op::And, false) | (Op::Or, true) => {
            kids().flat_map(|kid| opened(terms, kid, most)).collect()
        }
        (Op::Or, false) | (Op::And, true) => kids().fold(vec![Clause::new()], |rows, kid| {
            let wide = opened(terms, kid, (most / rows.len()).max(1));
            let joined = |row: &Clause, part: &Clause| row.union(part).copied().collect();
            let pairs = rows
                .iter()
                .flat_map(|row| wide.iter().map(move |part| (row, part)));
            pairs.map(|(row, part)| joined(row, part)).collect()
        }),
        _ => Vec::new(),
    };
    match (1..=most).contains(&found.len()) {
        true => found,
        false => vec![Clause::from([formula])],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_terms::Sort;

    fn vars(terms: &TermStore) -> Vec<Term> {
        let name = |i: usize| terms.new_var(&format!("b{i}"), Sort::BOOL);
        (0..5).map(name).collect()
    }

    #[test]
    fn a_negated_disjunction_of_pairs_falls_apart() {
        let terms = TermStore::new();
        let b = vars(&terms);
        let inner = terms.or([terms.and([b[1], b[2]]), terms.and([b[3], b[4]])]);
        let formula = terms.not(terms.and([b[0], inner]));
        let shown: Vec<String> = parts(&terms, formula, 8)
            .iter()
            .map(|&p| terms.print(p))
            .collect();
        assert_eq!(
            shown,
            [
                "(or (not b0) (not b1) (not b2))",
                "(or (not b0) (not b3) (not b4))"
            ]
        );
        let whole = terms.or([terms.not(b[0]), terms.not(inner)]);
        assert_eq!(parts(&terms, formula, 1), [whole]);
        assert_eq!(parts(&terms, terms.bool(true), 8), []);
    }

    /// A formula, by a number: every kind of shape over five variables.
    fn formula(terms: &TermStore, b: &[Term], seed: &mut u64, depth: u32) -> Term {
        *seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let pick = *seed >> 33;
        if depth == 0 {
            return b[pick as usize % b.len()];
        }
        let kids: Vec<Term> = (0..2 + pick as usize % 2)
            .map(|_| formula(terms, b, seed, depth - 1))
            .collect();
        match pick % 7 {
            0..=2 => terms.and(kids),
            3 | 4 => terms.or(kids),
            5 => terms.not(terms.and(kids)),
            _ => terms.not(terms.or(kids)),
        }
    }

    #[test]
    fn the_parts_are_the_formula() {
        let terms = TermStore::new();
        let b = vars(&terms);
        let mut seed = 1;
        for most in [1, 2, 3, 5, 9, 40] {
            for _ in 0..200 {
                let whole = formula(&terms, &b, &mut seed, 4);
                let found = parts(&terms, whole, most);
                assert!(found.len() <= most.max(terms.conjuncts(whole).len()));
                let again = terms.and(found);
                for row in 0..32_u32 {
                    let value = |i: usize| terms.bool(row >> i & 1 == 1);
                    let pairs = || b.iter().enumerate().map(|(i, &v)| (v, value(i)));
                    let same = terms.eq(whole, again);
                    assert_eq!(terms.substitute(same, pairs()), terms.bool(true));
                }
            }
        }
    }
}
