//! Contexts for tests.

use foretell_kernel::{Budget, Cx, EventSink, NullSink, Rng};
use foretell_terms::TermStore;

use crate::backends::Backends;

/// Runs a test in a context over fresh terms, without limits.
pub fn with_cx<T>(run: impl FnOnce(&Cx<'_>) -> T) -> T {
    within(&Budget::unlimited(), run)
}

/// The same within a budget.
pub fn within<T>(budget: &Budget, run: impl FnOnce(&Cx<'_>) -> T) -> T {
    over(&TermStore::new(), budget, run)
}

/// The same over given terms.
pub fn over<T>(terms: &TermStore, budget: &Budget, run: impl FnOnce(&Cx<'_>) -> T) -> T {
    told(terms, budget, &NullSink, run)
}

/// The same with events that go somewhere.
pub fn told<T>(
    terms: &TermStore,
    budget: &Budget,
    events: &dyn EventSink,
    run: impl FnOnce(&Cx<'_>) -> T,
) -> T {
    let (oracles, rng) = (Backends::default(), Rng::new(0));
    run(&Cx {
        terms,
        events,
        budget,
        oracles: &oracles,
        rng: &rng,
    })
}
