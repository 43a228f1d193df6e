//! Herbrandization of goals: the variables of a query become rigid parameters.
//!
//! ```text
//! false ⇐ loop(a, i, n) ∧ i ≥ n ∧ 0 ≤ z < n ∧ a[z] ≠ 0
//! ```
//!
//! becomes the property `loc = loop ⇒ ¬(i ≥ n ∧ 0 ≤ z < n ∧ a[z] ≠ 0)` with `z` rigid: the system is
//! safe for every value of `z` exactly when no value of `z` shows a violation. Each variable of each
//! query gets a parameter of its own, and the goal stays a predicate over its location instead of
//! becoming one more transition, so that `z` is known from the first state on and assuming the
//! property in pre-states is worth something.
//!
//! The way back: an invariant over the parameters is closed by `∀`; or, without quantifiers, each
//! parameter is a prophecy variable of the certificate, instantiated in its query by its own variable.

use foretell_systems::Clause;
use foretell_terms::{Term, TermStore};

use crate::program::{Binding, Symbols};

/// A query over the symbols of its location and its rigid parameters.
#[derive(Clone, Debug)]
pub(crate) struct Herbrandized {
    /// When the goal is violated.
    pub(crate) guard: Term,
    /// The rigid parameters made for variables of the query.
    pub(crate) params: Vec<Term>,
}

/// Makes a goal of a query whose body atom is already bound to the state symbols.
pub(crate) fn herbrandize(
    query: &Clause,
    binding: &mut Binding,
    symbols: &mut Symbols,
    terms: &TermStore,
) -> Herbrandized {
    let params = binding.bind_rest(query, symbols, terms);
    let mut conjuncts = binding.equations(terms);
    conjuncts.push(binding.apply(terms, query.constraint));
    Herbrandized {
        guard: terms.and(conjuncts),
        params,
    }
}
