//! What ways back do with facts: drop what the other side has no words for.

use foretell_systems::Pred;
use foretell_terms::{Term, TermStore};

/// A formula over the parameters of a predicate.
pub(crate) type Fact = (Pred, Term);

/// What a formula says about these symbols alone: its conjuncts without others; none, if that is
/// nothing.
pub(crate) fn within(terms: &TermStore, formula: Term, symbols: &[Term]) -> Option<Term> {
    let own = |c: &Term| terms.free_vars(&[*c]).iter().all(|v| symbols.contains(v));
    let kept = terms.and(terms.conjuncts(formula).into_iter().filter(own));
    (!terms.is_true(kept) && !terms.is_false(kept)).then_some(kept)
}
