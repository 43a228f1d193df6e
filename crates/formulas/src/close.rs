//! Binders: formulas are closed under quantifiers and instantiated, and every binder gets variables of
//! its own.

use foretell_terms::{Op, Term, TermStore};

/// The formula with terms in place of its parameters, and every bound variable renamed.
///
/// Bound variables belong to one binder each (see [`Op::Forall`]); an instance is a new formula with
/// binders of its own.
pub fn instantiate(terms: &TermStore, formula: Term, params: &[Term], args: &[Term]) -> Term {
    let mut pairs: Vec<(Term, Term)> = params.iter().copied().zip(args.iter().copied()).collect();
    for var in bound_vars(terms, formula) {
        pairs.push((
            var,
            terms.fresh(base_name(terms.var_name(var)), terms.sort(var)),
        ));
    }
    terms.substitute(formula, pairs)
}

/// The variables bound by the quantifiers of a formula.
pub fn bound_vars(terms: &TermStore, formula: Term) -> Vec<Term> {
    let mut bound = foretell_terms::TermSet::default();
    for term in terms.subterms(&[formula]) {
        if matches!(terms.op(term), Op::Forall | Op::Exists) {
            let args = terms.args(term);
            bound.extend(args[..args.len() - 1].iter().copied());
        }
    }
    bound.into_iter().collect()
}

/// Which quantifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// For all.
    Forall,
    /// There is.
    Exists,
}

/// The formula closed over those of the variables that occur in it; binders get variables of their
/// own, named like those they close over.
pub fn close(terms: &TermStore, quantifier: Quantifier, vars: &[Term], formula: Term) -> Term {
    bind(terms, quantifier, vars, formula, |v| {
        base_name(terms.var_name(v))
    })
}

/// The same with one name for all bound variables.
pub fn close_as(
    terms: &TermStore,
    name: &str,
    quantifier: Quantifier,
    vars: &[Term],
    formula: Term,
) -> Term {
    bind(terms, quantifier, vars, formula, |_| name)
}

fn bind<'a>(
    terms: &TermStore,
    quantifier: Quantifier,
    vars: &[Term],
    formula: Term,
    name: impl Fn(Term) -> &'a str,
) -> Term {
    let free = terms.free_vars(&[formula]);
    let occurring = vars.iter().filter(|v| free.binary_search(v).is_ok());
    let pairs: Vec<(Term, Term)> = occurring
        .map(|&v| (v, terms.fresh(name(v), terms.sort(v))))
        .collect();
    let bound: Vec<Term> = pairs.iter().map(|p| p.1).collect();
    let body = terms.substitute(formula, pairs);
    match quantifier {
        Quantifier::Forall => terms.forall(&bound, body),
        Quantifier::Exists => terms.exists(&bound, body),
    }
}

/// A name without the number that made it fresh, so that renaming does not pile up numbers.
pub fn base_name(name: &str) -> &str {
    match name.rsplit_once('!') {
        Some((base, number)) if !base.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => {
            base
        }
        _ => name,
    }
}
