//! What the ways back of several passes share: replaying derivations, moving
//! auxiliary variables, and checking a translation on random models.

pub(crate) mod facts;
pub(crate) mod replay;
pub(crate) mod validate;
pub(crate) mod witness;

use foretell_formulas::arrays::is_array;
use foretell_systems::ChcSystem;
use foretell_terms::TermStore;

/// Whether clauses have neither arrays nor quantifiers.
pub(crate) fn is_scalar(system: &ChcSystem, terms: &TermStore) -> bool {
    let roots = system.formulas();
    !terms.subterms(&roots).iter().any(|&t| is_array(terms, t))
        && !roots.iter().any(|&r| terms.has_quantifier(r))
}
