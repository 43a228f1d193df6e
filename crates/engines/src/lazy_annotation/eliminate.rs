//! Elimination of variables that equations define.
//!
//! ```text
//! eliminate(literals, kept)
//!   while some literals have the form v = t (or v, ¬v for a truth value), v ∉ kept, v ∉ t
//!     take a set of them in which no v occurs in any t; substitute all at once
//! ```
//!
//! The paper does not eliminate variables, and lets goals grow with the depth of the search (§3.2, "the
//! variable elimination trade-off"). What equations define can go without loss: goals of deterministic
//! steps then speak of one state.

use foretell_kernel::Cx;
use foretell_terms::{Op, Sort, Substitution, Term, TermSet, TermStore};

/// Substitutes defined variables in the literals and in the rest; returns the definitions, in order:
/// literals and rest before ⟺ ∃ defined variables. definitions ∧ literals and rest after.
pub(super) fn eliminate(
    literals: &mut Vec<Term>,
    rest: &mut [Term],
    kept: &TermSet,
    cx: &Cx<'_>,
) -> Vec<(Term, Term)> {
    let mut definitions = Vec::new();
    loop {
        let round = independent(literals, kept, cx.terms);
        if round.is_empty() {
            return definitions;
        }
        let mut map = Substitution::from_pairs(round.iter().copied());
        for part in literals.iter_mut().chain(rest.iter_mut()) {
            *part = map.apply(cx.terms, *part);
        }
        let mut seen = TermSet::default();
        literals.retain(|&l| !cx.terms.is_true(l) && seen.insert(l));
        definitions.extend(round);
    }
}

/// Definitions v = t among the literals such that no v occurs in any t.
fn independent(literals: &[Term], kept: &TermSet, terms: &TermStore) -> Vec<(Term, Term)> {
    let (mut defined, mut used) = (TermSet::default(), TermSet::default());
    let mut round = Vec::new();
    for &literal in literals {
        for (var, term) in definitions(literal, terms) {
            let below = terms.free_vars(&[term]);
            let fits = !kept.contains(&var)
                && !defined.contains(&var)
                && !used.contains(&var)
                && !below.iter().any(|v| *v == var || defined.contains(v));
            if fits {
                defined.insert(var);
                used.extend(below);
                round.push((var, term));
                break;
            }
        }
    }
    round
}

/// The ways to read a literal as a definition of a variable.
fn definitions(literal: Term, terms: &TermStore) -> Vec<(Term, Term)> {
    let (atom, negated) = terms.strip_not(literal);
    if terms.as_var(atom).is_some() && terms.sort(atom) == Sort::BOOL {
        return vec![(atom, terms.bool(!negated))];
    }
    if negated || *terms.op(atom) != Op::Eq {
        return Vec::new();
    }
    let [a, b] = terms.args(atom) else {
        return Vec::new();
    };
    let is_var = |t: Term| terms.as_var(t).is_some();
    [(*a, *b), (*b, *a)]
        .into_iter()
        .filter(|(v, _)| is_var(*v))
        .collect()
}
