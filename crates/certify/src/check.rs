//! The checks of `safe`: a witness as text, or as terms, against the original text.

use foretell_kernel::{Cx, Phase};
use foretell_systems::{ChcProof, ChcSystem, Derivation, Invariant, Trace, TransitionSystem};

use crate::cex::recheck::{constants_agree, derivation_obligations, trace_obligations};
use crate::cex::replay::{replay_derivation, replay_trace};
use crate::cex::{Spelling, print_derivation, print_trace};
use crate::proof::certificate::CertificateText;
use crate::proof::clauses::witness_checks;
use crate::proof::model::{ModelText, model_checks};
use crate::proof::print;
use crate::proof::system::vmt_checks;
use crate::report::{CertifyOptions, CheckReport, Outcome, Refusal};
use crate::text::clauses::ChcText;
use crate::text::script::{Checker, Checks, ContextRunner};
use crate::text::sexpr::Document;
use crate::text::vmt::{PropertyChoice, VmtText};

/// A witness as text, and what became of it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Checked {
    /// The report.
    pub report: CheckReport,
    /// The text that was checked: this is what may be shown to the user as certificate.
    pub certificate: String,
}

/// The obligations of a witness text for a clause system: a plain model or a certificate with
/// auxiliary variables.
pub fn chc_obligations(text: &str, witness: &str) -> Result<Checks, Refusal> {
    let doc = Document::read(text).map_err(Refusal::Problem)?;
    let system = ChcText::read(&doc).map_err(Refusal::Problem)?;
    let words = Document::read(witness).map_err(|e| Refusal::witness(&e))?;
    if CertificateText::recognised(&words) {
        witness_checks(&system, &CertificateText::read(&words)?)
    } else {
        model_checks(&system, &ModelText::read(&words)?)
    }
}

/// The obligations of a certificate text for a property of a VMT system.
pub fn vmt_obligations(
    text: &str,
    witness: &str,
    property: PropertyChoice,
) -> Result<Checks, Refusal> {
    let doc = Document::read(text).map_err(Refusal::Problem)?;
    let system = VmtText::read(&doc).map_err(Refusal::Problem)?;
    let words = Document::read(witness).map_err(|e| Refusal::witness(&e))?;
    vmt_checks(&system, &CertificateText::read(&words)?, property)
}

impl Checker<'_> {
    /// Checks a witness text for a clause system.
    pub fn chc(&self, text: &str, witness: &str) -> CheckReport {
        self.decide(chc_obligations(text, witness))
    }

    /// Checks a certificate text for a property of a VMT system.
    pub fn vmt(&self, text: &str, witness: &str, property: PropertyChoice) -> CheckReport {
        self.decide(vmt_obligations(text, witness, property))
    }

    fn decide(&self, posed: Result<Checks, Refusal>) -> CheckReport {
        match posed {
            Ok(checks) => self.discharge(&checks),
            Err(refusal) => CheckReport::bare(Outcome::from(refusal), self.runner.name()),
        }
    }
}

/// Checks a proof of a clause system on the original text: the witness with auxiliary variables
/// first, if there is one, then the plain model. The certificate is the text that was accepted.
pub fn check_chc_proof(
    text: &str,
    system: &ChcSystem,
    proof: &ChcProof,
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Checked {
    within(
        cx,
        |checker| {
            if let Some(certificate) = print::print_witness(cx.terms, text, system, proof) {
                let report = checker.chc(text, &certificate);
                if report.outcome.is_accepted() {
                    return Checked {
                        report,
                        certificate,
                    };
                }
            }
            let certificate = print::print_model(cx.terms, text, system, &proof.formulas);
            Checked {
                report: checker.chc(text, &certificate),
                certificate,
            }
        },
        options,
    )
}

/// Checks an invariant of a VMT system on the original text.
pub fn check_invariant(
    text: &str,
    invariant: &Invariant,
    property: PropertyChoice,
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Checked {
    within(
        cx,
        |checker| {
            let certificate = print::print_invariant(cx.terms, text, invariant, property);
            Checked {
                report: checker.vmt(text, &certificate, property),
                certificate,
            }
        },
        options,
    )
}

/// Replays a derivation on the freshly read system by evaluation and, if the options say so, asks
/// every step a second time on the original text. Disagreement rejects; a second opinion that is
/// not to be had does not.
pub fn check_derivation(
    text: &str,
    system: &ChcSystem,
    derivation: &Derivation,
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Checked {
    within(
        cx,
        |checker| {
            let mut replayed = replay_derivation(cx.terms, system, derivation);
            if let (Outcome::Accepted, Err(why)) = (
                &replayed.outcome,
                constants_agree(cx.terms, text, system, derivation),
            ) {
                replayed.outcome = Outcome::Undecided(why);
            }
            let certificate = print_derivation(cx.terms, system, derivation, Spelling::Sexp);
            let posed = || derivation_obligations(cx.terms, text, system, derivation);
            Checked {
                report: second_opinion(checker, replayed, &posed),
                certificate,
            }
        },
        options,
    )
}

/// Replays a run on the freshly read system; otherwise like [`check_derivation`].
pub fn check_trace(
    text: &str,
    system: &TransitionSystem,
    trace: &Trace,
    property: PropertyChoice,
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Checked {
    within(
        cx,
        |checker| {
            let replayed = replay_trace(cx.terms, system, trace);
            let certificate = print_trace(cx.terms, system, trace, property, Spelling::Sexp);
            let posed = || trace_obligations(cx.terms, text, system, trace, property);
            Checked {
                report: second_opinion(checker, replayed, &posed),
                certificate,
            }
        },
        options,
    )
}

fn second_opinion(
    checker: &Checker<'_>,
    replayed: CheckReport,
    posed: &dyn Fn() -> Result<Checks, Refusal>,
) -> CheckReport {
    if !checker.options.recheck_unsafe || !replayed.outcome.is_accepted() {
        return replayed;
    }
    let Ok(checks) = posed() else {
        return replayed;
    };
    let second = checker.glance(&checks);
    let solver = match second.outcome {
        Outcome::Undecided(_) => replayed.solver,
        _ => format!("{}, {}", replayed.solver, second.solver),
    };
    let outcome = match second.outcome {
        Outcome::Rejected(what) => Outcome::Rejected(what),
        _ => replayed.outcome,
    };
    let mut obligations = replayed.obligations;
    obligations.extend(second.obligations);
    CheckReport {
        outcome,
        obligations,
        seconds: replayed.seconds + second.seconds,
        solver,
    }
}

fn within(
    cx: &Cx<'_>,
    check: impl FnOnce(&Checker<'_>) -> Checked,
    options: &CertifyOptions,
) -> Checked {
    let runner = ContextRunner(*cx);
    let checker = Checker {
        runner: &runner,
        options,
        budget: cx.budget,
    };
    cx.during(Phase::Certify, || check(&checker))
}
