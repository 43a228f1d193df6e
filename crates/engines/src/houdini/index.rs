//! Index terms: where clauses read and write arrays.

use foretell_formulas::arrays::accesses;
use foretell_systems::Pred;
use foretell_terms::{Sort, Term, TermSet, TermStore};

use crate::program::{Program, Rule};

/// The index terms of a rule that are of sort Int, one by one.
pub(crate) fn rule_terms(rule: &Rule, terms: &TermStore) -> Vec<Term> {
    let mut roots = rule.post.clone();
    roots.push(rule.guard);
    let mut found = TermSet::default();
    for tuple in accesses(terms, &roots) {
        found.extend(
            tuple
                .into_iter()
                .filter(|&t| terms.sort(t) == Sort::INT && !terms.has_quantifier(t)),
        );
    }
    found.into_iter().collect()
}

/// Index tuples of a rule with the given number of indices.
pub(crate) fn rule_tuples(rule: &Rule, arity: usize, terms: &TermStore) -> Vec<Vec<Term>> {
    let mut roots = rule.post.clone();
    roots.push(rule.guard);
    let tuples = accesses(terms, &roots).into_iter();
    tuples
        .filter(|t| t.len() == arity && t.iter().all(|&i| terms.sort(i) == Sort::INT))
        .collect()
}

/// Index terms of the rules that leave a predicate, over its parameters only.
pub(crate) fn access_terms(program: &Program<'_>, pred: Pred, terms: &TermStore) -> Vec<Term> {
    let params = program.params(pred);
    let mut found = TermSet::default();
    for rule in program.rules_from(pred) {
        for term in rule_terms(rule, terms) {
            let vars = terms.free_vars(&[term]);
            if !vars.is_empty() && vars.iter().all(|v| params.contains(v)) {
                found.insert(term);
            }
        }
    }
    found.into_iter().collect()
}
