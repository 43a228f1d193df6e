//! A formula closed under `∃`, with as few variables as can be had cheaply.
//!
//! ```text
//! exists(x̄, φ)                                                          // fn exists
//!   repeat: open the quantifiers among the conjuncts of φ
//!           solve, factor, resolve bounds (eliminate.rs)
//!           take cases (cases.rs); until nothing changes
//!   bind what is left around those conjuncts that share it              // fn bound
//! ```

use foretell_terms::{Op, Term, TermSet, TermStore};

use crate::cases::fewer;
use crate::close::{Quantifier, close};
use crate::eliminate::{eliminate, resolved};

/// So many rounds of elimination.
const ROUNDS: usize = 6;

/// `∃vars. formula`. Bound variables of the formula belong to one binder each, and are reused.
pub fn exists(terms: &TermStore, vars: &[Term], formula: Term) -> Term {
    let (conjuncts, left) = without(terms, vars, formula);
    bound(terms, &left, conjuncts)
}

/// The conjuncts of a formula with the same meaning under `∃`, and the variables to be bound.
fn without(terms: &TermStore, vars: &[Term], formula: Term) -> (Vec<Term>, Vec<Term>) {
    let mut vars = vars.to_vec();
    let mut now = opened(terms, formula, &mut vars);
    for _ in 0..ROUNDS {
        let going: TermSet = vars.iter().copied().collect();
        let goes = |v: Term| going.contains(&v);
        let solved = eliminate(terms, now, &goes);
        now = terms.and(resolved(terms, solved.rest, &goes));
        let Some(next) = fewer(terms, now, &mut vars) else {
            break;
        };
        now = opened(terms, next, &mut vars);
    }
    (terms.conjuncts(now), vars)
}

/// The formula without the existential quantifiers among its conjuncts, whose variables are added.
fn opened(terms: &TermStore, formula: Term, vars: &mut Vec<Term>) -> Term {
    let mut work = vec![formula];
    let mut found = Vec::new();
    while let Some(term) = work.pop() {
        let args = terms.args(term);
        match terms.op(term) {
            Op::And => work.extend(args.iter().rev()),
            Op::Exists => {
                vars.extend_from_slice(&args[..args.len() - 1]);
                work.push(args[args.len() - 1]);
            }
            _ => found.push(term),
        }
    }
    terms.and(found)
}

/// The conjunction with each variable bound around the conjuncts that it connects.
fn bound(terms: &TermStore, vars: &[Term], conjuncts: Vec<Term>) -> Term {
    let vars: TermSet = vars.iter().copied().collect();
    let own = |c: Term| -> Vec<Term> {
        let free = terms.free_vars(&[c]).into_iter();
        free.filter(|v| vars.contains(v)).collect()
    };
    let mut groups: Vec<(TermSet, Vec<Term>)> = Vec::new();
    for conjunct in conjuncts {
        let mut group: (TermSet, Vec<Term>) = (own(conjunct).into_iter().collect(), Vec::new());
        let (apart, joined): (Vec<_>, Vec<_>) =
            (groups.into_iter()).partition(|(vars, _)| vars.is_disjoint(&group.0));
        for (vars, conjuncts) in joined {
            group.0.extend(vars);
            group.1.extend(conjuncts);
        }
        group.1.push(conjunct);
        groups = apart;
        groups.push(group);
    }
    let closed = groups.into_iter().map(|(vars, conjuncts)| {
        let vars: Vec<Term> = vars.into_iter().collect();
        close(terms, Quantifier::Exists, &vars, terms.and(conjuncts))
    });
    terms.and(closed)
}

#[cfg(test)]
mod tests;
