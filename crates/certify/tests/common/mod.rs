//! A solver for the tests.

#![allow(dead_code)]

use foretell_certify::{CertifyOptions, CheckReport, Checker};
use foretell_kernel::{Budget, Cx, NullSink, Rng};
use foretell_solver::Z3Oracles;
use foretell_systems::Property;
use foretell_terms::TermStore;

/// Runs something in a context whose scripts are read by the pinned Z3.
pub(crate) fn with_cx<T>(run: impl FnOnce(&Cx<'_>) -> T) -> T {
    let terms = TermStore::new();
    with_terms(&terms, run)
}

/// The same over given terms.
pub(crate) fn with_terms<T>(terms: &TermStore, run: impl FnOnce(&Cx<'_>) -> T) -> T {
    let oracles = Z3Oracles::new(std::env::var_os("FORETELL_Z3").map(Into::into));
    let (budget, rng) = (Budget::unlimited(), Rng::new(0));
    run(&Cx {
        terms,
        events: &NullSink,
        budget: &budget,
        oracles: &oracles,
        rng: &rng,
    })
}

fn checked(check: impl FnOnce(&Checker<'_>) -> CheckReport) -> CheckReport {
    with_cx(|cx| {
        let options = CertifyOptions::default();
        check(&Checker::new(&options, cx))
    })
}

/// Checks a witness of a clause system.
pub(crate) fn chc(text: &str, witness: &str) -> CheckReport {
    checked(|checker| checker.chc(text, witness))
}

/// Checks a certificate of a transition system.
pub(crate) fn vmt(text: &str, witness: &str) -> CheckReport {
    checked(|checker| checker.vmt(text, witness, Property::Number(0)))
}
