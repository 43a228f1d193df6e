//! Predicates that can be `false`: what no clause reaches needs no formula.
//!
//! ```text
//! every P with a clause  P ⇒ false  and no constraint is false: its formula says nothing else
//! N ← all predicates
//! while an obligation concludes some P ∈ N, has no premise in N, and its premises and context are
//!   satisfiable (or that is not known):   N ← N \ {P}
//! every P ∈ N becomes false
//! ```
//!
//! `false` is stronger than what was there, so whatever used P is still proved; and what P concludes is
//! proved because the loop ended. Limits: one query for each obligation, none where something starts.

use foretell_kernel::Halt;
use foretell_terms::Term;

use super::{Obligation, Proof, Search};

/// Makes predicates `false` where that is a proof too, as far as the budget goes.
pub(super) fn reached(search: &mut Search<'_>) -> Result<(), Halt> {
    let ff = search.cx.terms.ff();
    let obligations = search.obligations.iter();
    let owners: Vec<usize> = obligations.filter_map(|o| forbidden(search, o)).collect();
    for owner in owners {
        search.conjuncts[owner] = vec![ff];
    }
    let mut never = vec![true; search.conjuncts.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for n in 0..search.obligations.len() {
            let obligation = &search.obligations[n];
            let Some(seen) = &obligation.conclusion else {
                continue;
            };
            let owner = seen.owner;
            let is_never = |owner: usize| never[owner] || search.conjuncts[owner].contains(&ff);
            if !never[owner] || obligation.premises.iter().any(|p| is_never(p.owner)) {
                continue;
            }
            search.cx.budget.check()?;
            if obligation.is_entry() || !search.excludes(n)? {
                never[owner] = false;
                changed = true;
            }
        }
    }
    for (owner, _) in never.iter().enumerate().filter(|(_, never)| **never) {
        search.conjuncts[owner] = vec![ff];
    }
    Ok(())
}

/// The predicate that an obligation excludes, whatever its arguments are.
fn forbidden(search: &Search<'_>, obligation: &Obligation) -> Option<usize> {
    let ([only], None) = (obligation.premises.as_slice(), &obligation.conclusion) else {
        return None;
    };
    let any = |&(_, arg): &(Term, Term)| search.cx.terms.as_var(arg).is_some();
    let mut args: Vec<Term> = only.terms.iter().map(|(_, arg)| *arg).collect();
    args.sort_unstable();
    args.dedup();
    let free = search.cx.terms.is_true(obligation.context) && only.terms.iter().all(any);
    (free && args.len() == only.terms.len()).then_some(only.owner)
}

impl Search<'_> {
    /// Whether the premises and the context of an obligation exclude each other.
    fn excludes(&mut self, n: usize) -> Result<bool, Halt> {
        Ok(matches!(self.prove(n, None, None)?, Proof::By(_)))
    }
}
