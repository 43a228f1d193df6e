//! Which literals a proof needs: they are left out of its conjuncts one by one while the proof stands.
//!
//! ```text
//! for each conjunct  c = ∀x. l₁ ∨ … ∨ lₙ  about P, and each lᵢ, the longest first:
//!   c' ← c without lᵢ             stronger than c: whatever c proves, c' proves
//!   if every obligation that concludes something about P concludes c':  c ← c'
//! ```
//!
//! This is how IC3 makes clauses general (Bradley, *SAT-based model checking without unrolling*, 2011),
//! here for a proof that is done, so that its text becomes shorter. A shorter clause may make others
//! superfluous. Limits: of a disjunction, its members only; one literal is always left.

use foretell_kernel::Halt;
use foretell_terms::{Op, Term, TermStore};

use super::{Place, Proof, Search};

/// Leaves literals out of the conjuncts of a proof, as far as the budget goes.
pub(super) fn leave_out(search: &mut Search<'_>, kept: &[Place]) {
    let terms = search.cx.terms;
    for &(owner, i) in kept {
        for literal in literals(terms, search.conjuncts[owner][i]) {
            let whole = search.conjuncts[owner][i];
            let Some(shorter) = without(terms, whole, literal) else {
                continue;
            };
            search.conjuncts[owner][i] = shorter;
            let stands = search.cx.budget.check().is_ok()
                && matches!(search.concludes((owner, i), kept), Ok(true));
            if !stands {
                search.conjuncts[owner][i] = whole;
            }
        }
    }
}

impl Search<'_> {
    /// Whether everything that concludes something about an owner concludes this conjunct.
    pub(super) fn concludes(&mut self, place: Place, kept: &[Place]) -> Result<bool, Halt> {
        for n in self.concluding[place.0].clone() {
            if let Proof::None = self.prove(n, Some(place), Some(kept))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The clause of a formula, and the variables of the quantifier around it.
fn clause(terms: &TermStore, formula: Term) -> (Vec<Term>, Vec<Term>) {
    match terms.op(formula) {
        Op::Forall => {
            let args = terms.args(formula);
            let (body, vars) = args.split_last().unwrap_or((&formula, &[]));
            (vars.to_vec(), terms.disjuncts(*body))
        }
        _ => (Vec::new(), terms.disjuncts(formula)),
    }
}

/// The literals of a clause with two or more, those with the longest text first.
fn literals(terms: &TermStore, formula: Term) -> Vec<Term> {
    let (_, mut list) = clause(terms, formula);
    if list.len() < 2 {
        return Vec::new();
    }
    list.sort_by_cached_key(|&literal| std::cmp::Reverse(terms.print(literal).len()));
    list
}

/// The clause without a literal; `None` when that is its last one.
fn without(terms: &TermStore, formula: Term, literal: Term) -> Option<Term> {
    let (vars, mut list) = clause(terms, formula);
    list.retain(|&other| other != literal);
    let rest = (!list.is_empty()).then(|| terms.or(list))?;
    Some(match vars.is_empty() {
        true => rest,
        false => terms.forall(&vars, rest),
    })
}
