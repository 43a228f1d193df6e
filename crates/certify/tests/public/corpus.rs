//! The witnesses of the corpus, written by hand: the good ones are accepted, the wrong ones are not.

use foretell_certify::CheckReport;
use foretell_systems::Property;
use foretell_testkit::{Case, case, corpus};

use super::checked;

/// What the checker says of a witness, with the problem it is for.
fn report(witness: &Case) -> CheckReport {
    let problem = case(witness.directive("for").expect("a problem"));
    checked(|checker| match problem.name.starts_with("vmt") {
        true => checker.vmt(problem.text(), witness.text(), Property::All),
        false => checker.chc(problem.text(), witness.text()),
    })
}

#[test]
fn good_witnesses() {
    let list = corpus("witnesses/good");
    assert!(list.len() >= 30);
    for witness in list {
        let outcome = report(&witness).outcome;
        assert!(outcome.is_accepted(), "{}: {outcome}", witness.name);
    }
}

#[test]
fn wrong_witnesses() {
    let list = corpus("witnesses/wrong");
    assert!(list.len() >= 15);
    for witness in list {
        let outcome = report(&witness).outcome;
        assert!(!outcome.is_accepted(), "{}", witness.name);
    }
}
