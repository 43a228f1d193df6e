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

/// Index terms of the rules that leave a predicate, and of what comes one step later, over its
/// parameters only.
pub(crate) fn access_terms(program: &Program<'_>, pred: Pred, terms: &TermStore) -> Vec<Term> {
    let mut found: TermSet = own_terms(program, pred, terms);
    for rule in program.rules_from(pred) {
        let Some(to) = rule.to.filter(|&to| to != pred) else {
            continue;
        };
        for term in own_terms(program, to, terms) {
            found.extend(rule.wp(program, term, terms).filter(|&t| {
                let moved = terms.as_var(t).is_none();
                moved && is_over(program, pred, t, terms)
            }));
        }
    }
    found.into_iter().collect()
}

fn own_terms(program: &Program<'_>, pred: Pred, terms: &TermStore) -> TermSet {
    let rules = program.rules_from(pred);
    let all = rules.flat_map(|rule| rule_terms(rule, terms));
    all.filter(|&t| is_over(program, pred, t, terms)).collect()
}

fn is_over(program: &Program<'_>, pred: Pred, term: Term, terms: &TermStore) -> bool {
    let (vars, params) = (terms.free_vars(&[term]), program.params(pred));
    !vars.is_empty() && vars.iter().all(|v| params.contains(v))
}
