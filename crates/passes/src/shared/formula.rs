//! What proof lifts do with formulas: instantiate them and close them.

use foretell_systems::{ChcSystem, Clause};
use foretell_terms::{Op, Substitution, Term, TermStore};

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
/// own.
pub fn close(terms: &TermStore, quantifier: Quantifier, vars: &[Term], formula: Term) -> Term {
    let free = terms.free_vars(&[formula]);
    let (mut bound, mut renaming) = (Vec::new(), Substitution::new());
    for &var in vars.iter().filter(|v| free.binary_search(v).is_ok()) {
        let own = terms.fresh(base_name(terms.var_name(var)), terms.sort(var));
        renaming.insert(var, own);
        bound.push(own);
    }
    let body = renaming.apply(terms, formula);
    match quantifier {
        Quantifier::Forall => terms.forall(&bound, body),
        Quantifier::Exists => terms.exists(&bound, body),
    }
}

/// Whether clauses have neither arrays nor quantifiers.
pub fn is_scalar(system: &ChcSystem, terms: &TermStore) -> bool {
    let atoms = |c: &Clause| {
        c.body
            .iter()
            .chain(&c.head)
            .flat_map(|a| a.args.clone())
            .collect::<Vec<_>>()
    };
    let roots: Vec<Term> = system
        .clauses
        .iter()
        .flat_map(|c| atoms(c).into_iter().chain([c.constraint]))
        .collect();
    let has_array = |&t: &Term| terms.array_parts(terms.sort(t)).is_some();
    !terms.subterms(&roots).iter().any(has_array) && !roots.iter().any(|&r| terms.has_quantifier(r))
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
