//! An answer from another machine, checked as if an engine here had found it.
//!
//! ```text
//! recheck(text, claim)
//!   unsafe:  the counterexample is read on the problem of the text, then as any other (pipeline.rs)
//!   safe:    the certificate is text already: its obligations are put to a fresh solver here
//!            a model beside it is checked too, and left out when it is not accepted
//!   a witness of the other kind, or one that cannot be read: rejected
//! ```
//!
//! Whatever is printed afterwards comes from this check: which questions are answered, which text was
//! accepted. Only the form of a model for people is lost, because it cannot be checked.

use foretell_certify::cex::{is_counterexample, read_derivation, read_trace};
use foretell_certify::{
    CheckReport, Checked, Checker, OriginalClauses, OriginalSystem, Outcome as CheckOutcome,
};
use foretell_kernel::{Cx, Verdict, VerdictKind};

use crate::protocol::{Claim, Job, Model, Outcome};
use crate::registry::Prepared;
use crate::worker::functions::respecting;
use crate::worker::input::{ReadInput, Rung};
use crate::worker::pipeline::{Certifier, on_clauses, on_system, rejected};

/// Checks a claim.
pub(super) fn recheck(
    input: &ReadInput<'_>,
    job: &Job,
    claim: &Claim,
    prepared: &Prepared,
    cx: &Cx<'_>,
) -> (Outcome, Vec<CheckReport>) {
    let certifier = Certifier {
        input,
        options: prepared.certify.clone(),
        job,
        model: claim.model.is_some(),
        cx,
    };
    let shown = match is_counterexample(&claim.witness) {
        true => VerdictKind::Unsafe,
        false => VerdictKind::Safe,
    };
    if shown != claim.verdict {
        return malformed(claim, "it is a witness of the other kind");
    }
    match (&input.problem, claim.verdict) {
        (_, VerdictKind::Unknown) => malformed(claim, "it claims nothing"),
        (Rung::Clauses(system, free, goal), VerdictKind::Unsafe) => {
            match read_derivation(cx.terms, system, &claim.witness) {
                Ok(derivation) => {
                    let verdict = Verdict::Unsafe(derivation);
                    let original = OriginalClauses::new(input.text, system).about(goal.as_ref());
                    respecting(
                        *free,
                        on_clauses(verdict, &original, goal.as_ref(), &certifier),
                    )
                }
                Err(words) => malformed(claim, &words),
            }
        }
        (Rung::System(system, choice), VerdictKind::Unsafe) => {
            match read_trace(cx.terms, system, &claim.witness, *choice) {
                Ok(trace) => on_system(Verdict::Unsafe(trace), system, *choice, &certifier),
                Err(words) => malformed(claim, &words),
            }
        }
        (Rung::Clauses(system, _, goal), VerdictKind::Safe) => {
            let original = OriginalClauses::new(input.text, system).about(goal.as_ref());
            let ask = |checker: &Checker<'_>, text: &str| checker.proof(&original, text);
            proof(claim, &certifier, ask)
        }
        (Rung::System(system, choice), VerdictKind::Safe) => {
            let original = OriginalSystem::new(input.text, system, *choice);
            let ask = |checker: &Checker<'_>, text: &str| checker.invariant(&original, text);
            proof(claim, &certifier, ask)
        }
    }
}

/// Checks a certificate of safety, and the model beside it.
fn proof(
    claim: &Claim,
    certifier: &Certifier<'_>,
    ask: impl Fn(&Checker<'_>, &str) -> CheckReport,
) -> (Outcome, Vec<CheckReport>) {
    let accepted = |text: &str| {
        let checker = Checker::new(&certifier.options, certifier.cx);
        ask(&checker, text)
    };
    let checked = Checked {
        report: accepted(&claim.witness),
        certificate: claim.witness.clone(),
    };
    certifier.settle_proof(checked, &ask, |certificate| {
        let text = claim.model.clone()?;
        let holds = text.as_str() == certificate || accepted(&text).outcome.is_accepted();
        holds.then_some(Model {
            text,
            checked: true,
            infix: Vec::new(),
        })
    })
}

/// A witness that was not even read.
fn malformed(claim: &Claim, words: &str) -> (Outcome, Vec<CheckReport>) {
    let report = CheckReport {
        outcome: CheckOutcome::Rejected(format!("witness, {words}")),
        obligations: Vec::new(),
        seconds: 0.0,
        solver: "nobody".to_owned(),
    };
    rejected(claim.verdict, claim.witness.clone(), report)
}
