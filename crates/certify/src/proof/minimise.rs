//! Smaller proofs: conjuncts are dropped while every obligation stays accepted.
//!
//! Validators choke on large models, and people read small ones. The search is delta debugging
//! (Zeller and Hildebrandt, *Simplifying and isolating failure-inducing input*, 2002) for the
//! property "accepted": blocks of conjuncts are left out, halves first, single ones last. A trial
//! that is not accepted at once counts as a failure, so the result is accepted by construction. The
//! number of trials is limited; what was reached by then is returned.

use foretell_kernel::Cx;
use foretell_systems::{ChcProof, Invariant};
use foretell_terms::Term;

use crate::check::{clause_obligations, system_obligations};
use crate::original::{OriginalClauses, OriginalSystem};
use crate::proof::print;
use crate::report::CertifyOptions;
use crate::text::script::Checker;

/// Leaves out parts of a list while the rest passes, at most `trials` times asking.
pub(crate) fn shrink<T: Clone>(
    items: Vec<T>,
    trials: usize,
    passes: &mut dyn FnMut(&[T]) -> bool,
) -> Vec<T> {
    let mut kept = items;
    let mut left = trials;
    let mut block = kept.len().div_ceil(2);
    while block > 0 {
        let mut from = 0;
        while from < kept.len() {
            if left == 0 {
                return kept;
            }
            left -= 1;
            let to = (from + block).min(kept.len());
            let rest: Vec<T> = kept[..from].iter().chain(&kept[to..]).cloned().collect();
            if passes(&rest) {
                kept = rest;
            } else {
                from = to;
            }
        }
        block /= 2;
    }
    kept
}

/// The proof with as few conjuncts as the budget allows to find. The plain formulas change, the
/// witness with auxiliary variables stays. A proof that is not accepted comes back as it is.
pub fn minimise_proof(
    original: &OriginalClauses<'_>,
    proof: &ChcProof,
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> ChcProof {
    let conjuncts: Vec<(usize, Term)> = proof
        .formulas
        .iter()
        .enumerate()
        .flat_map(|(i, &formula)| cx.terms.conjuncts(formula).into_iter().map(move |c| (i, c)))
        .collect();
    let formulas = |parts: &[(usize, Term)]| -> Vec<Term> {
        let mut owned: Vec<Vec<Term>> = vec![Vec::new(); proof.formulas.len()];
        for &(owner, conjunct) in parts {
            owned[owner].push(conjunct);
        }
        owned.into_iter().map(|parts| cx.terms.and(parts)).collect()
    };
    let mut accepted = |parts: &[(usize, Term)]| {
        let model = original.model(&formulas(parts), cx.terms);
        let text = original.text();
        let posed = text.and_then(|text| clause_obligations(text, &model));
        posed.is_ok_and(|checks| {
            Checker::new(options, cx)
                .glance(&checks)
                .outcome
                .is_accepted()
        })
    };
    let kept = shrink(conjuncts, options.minimise_checks, &mut accepted);
    ChcProof {
        formulas: formulas(&kept),
        witness: proof.witness.clone(),
    }
}

/// The invariant with as few conjuncts as the budget allows to find; auxiliary variables stay.
pub fn minimise_invariant(
    original: &OriginalSystem<'_>,
    invariant: &Invariant,
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Invariant {
    let with = |parts: &[Term]| Invariant {
        formula: cx.terms.and(parts.iter().copied()),
        ..invariant.clone()
    };
    let mut accepted = |parts: &[Term]| {
        let certificate = print::invariant(original, &with(parts), cx.terms);
        let text = original.text();
        let posed = text.and_then(|t| system_obligations(t, &certificate, original.property));
        posed.is_ok_and(|checks| {
            Checker::new(options, cx)
                .glance(&checks)
                .outcome
                .is_accepted()
        })
    };
    let conjuncts = cx.terms.conjuncts(invariant.formula);
    with(&shrink(conjuncts, options.minimise_checks, &mut accepted))
}

#[cfg(test)]
mod tests {
    use super::shrink;

    #[test]
    fn what_is_needed_stays() {
        let mut asked = 0;
        let kept = shrink((0..64).collect(), usize::MAX, &mut |rest: &[i32]| {
            asked += 1;
            [3, 17, 60].iter().all(|n| rest.contains(n))
        });
        assert_eq!(kept, [3, 17, 60]);
        assert!(asked < 64, "blocks are tried before single items");
        assert_eq!(shrink(vec![1, 2], 0, &mut |_| true), [1, 2]);
        assert_eq!(shrink(vec![1, 2, 3], 99, &mut |_| true), Vec::<i32>::new());
    }
}
