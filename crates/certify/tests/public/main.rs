//! The checker from outside: what is right is accepted, what is wrong is not.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod corpus;
mod deep;
mod mutants;
mod pre_state;
mod proofs;
mod recursive;
mod refutations;
mod safe;

use foretell_certify::{CertifyOptions, CheckReport, Checker};
use foretell_kernel::{Budget, Cx};
use foretell_systems::Property;
use foretell_terms::TermStore;
use foretell_testkit::{over, with_cx};

/// Runs a test in a context over given terms.
fn with_terms<T>(terms: &TermStore, run: impl FnOnce(&Cx<'_>) -> T) -> T {
    over(terms, &Budget::unlimited(), run)
}

fn checked(check: impl FnOnce(&Checker<'_>) -> CheckReport) -> CheckReport {
    with_cx(|cx| {
        let options = CertifyOptions::default();
        check(&Checker::new(&options, cx))
    })
}

/// Checks a witness of a clause system.
fn chc(text: &str, witness: &str) -> CheckReport {
    checked(|checker| checker.chc(text, witness))
}

/// Checks a certificate of a transition system.
fn vmt(text: &str, witness: &str) -> CheckReport {
    checked(|checker| checker.vmt(text, witness, Property::Number(0)))
}
