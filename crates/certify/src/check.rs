//! The four questions: is this proof, invariant, derivation, run a witness about the original text?
//!
//! ```text
//! safe     proof, invariant     printed as a certificate; its obligations on the text     solver
//! unsafe   derivation, run      replayed on the system of the front end                   evaluation
//!                               and, if the options say so, asked on the text             solver
//! ```
//!
//! A second opinion that disagrees rejects a counterexample; one that is not to be had does not.

use foretell_kernel::{Cx, Phase};
use foretell_systems::{ChcProof, Derivation, Invariant, Property, Trace};
use foretell_terms::TermStore;

use crate::cex::recheck::{constants_agree, derivation_obligations, trace_obligations};
use crate::cex::replay::{replay_trace, replayed};
use crate::cex::settle::{is_long, names, shortened};
use crate::cex::{convert, sexp};
use crate::original::{ChosenGoal, OriginalClauses, OriginalSystem};
use crate::proof::certificate::CertificateText;
use crate::proof::clauses::witness_checks;
use crate::proof::model::{ModelText, model_checks};
use crate::proof::print;
use crate::proof::system::vmt_checks;
use crate::report::{CertifyOptions, CheckReport, Outcome, Refusal};
use crate::text::clauses::ChcText;
use crate::text::round::head;
use crate::text::script::{Checker, Checks};
use crate::text::sexpr::Document;
use crate::text::vmt::VmtText;

/// A witness as text, and what became of it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Checked {
    /// The report.
    pub report: CheckReport,
    /// The text that was checked: this is what may be shown to the user as certificate.
    pub certificate: String,
}

/// Checks a proof of a clause system on the original text: the witness with auxiliary variables
/// first, if there is one, then the plain model. The certificate is the text that was accepted.
pub fn check_proof(
    original: &OriginalClauses<'_>,
    proof: &ChcProof,
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Checked {
    let checker = Checker::new(options, cx);
    let checked = |certificate: String| Checked {
        report: checker.proof(original, &certificate),
        certificate,
    };
    cx.during(Phase::Certify, || {
        let witness = print::witness(original, proof, cx.terms).map(checked);
        witness
            .filter(|checked| checked.report.outcome.is_accepted())
            .unwrap_or_else(|| checked(original.model(&proof.formulas, cx.terms)))
    })
}

/// What [`check_proof`] checks first.
pub fn proof_text(original: &OriginalClauses<'_>, proof: &ChcProof, terms: &TermStore) -> String {
    print::witness(original, proof, terms).unwrap_or_else(|| original.model(&proof.formulas, terms))
}

/// What [`check_invariant`] checks.
pub fn invariant_text(
    original: &OriginalSystem<'_>,
    invariant: &Invariant,
    terms: &TermStore,
) -> String {
    print::invariant(original, invariant, terms)
}

/// Checks an invariant of a transition system on the original text.
pub fn check_invariant(
    original: &OriginalSystem<'_>,
    invariant: &Invariant,
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Checked {
    cx.during(Phase::Certify, || {
        let certificate = print::invariant(original, invariant, cx.terms);
        let report = Checker::new(options, cx).invariant(original, &certificate);
        Checked {
            report,
            certificate,
        }
    })
}

/// Replays a derivation of a clause system, and asks each of its steps on the original text.
pub fn check_derivation(
    original: &OriginalClauses<'_>,
    derivation: &Derivation,
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Checked {
    let (terms, system) = (cx.terms, original.system);
    cx.during(Phase::Certify, || {
        let (mut replayed, facts) = replayed(terms, system, derivation);
        if replayed.outcome.is_accepted()
            && let Err(why) = constants_agree(original, derivation, terms)
        {
            replayed.outcome = Outcome::Undecided(why);
        }
        let posed = || derivation_obligations(original, derivation, &facts, terms);
        let report = Checker::new(options, cx).second_opinion(replayed, posed);
        let certificate = match is_long(derivation) {
            true => {
                let short = shortened(terms, system, derivation, &facts);
                sexp::write_derivation(terms, system, &short, &names(&facts))
            }
            false => sexp::write_derivation(terms, system, derivation, &facts),
        };
        Checked {
            report,
            certificate,
        }
    })
}

/// Replays a run of a transition system, and asks each of its steps on the original text.
pub fn check_trace(
    original: &OriginalSystem<'_>,
    trace: &Trace,
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Checked {
    let (terms, system) = (cx.terms, original.system);
    cx.during(Phase::Certify, || {
        let replayed = replay_trace(terms, system, trace);
        let posed = || trace_obligations(original, trace, terms);
        Checked {
            report: Checker::new(options, cx).second_opinion(replayed, posed),
            certificate: sexp::write(&convert::from_trace(
                terms,
                system,
                trace,
                original.property,
            )),
        }
    })
}

/// The obligations of a witness text for a clause system.
pub fn chc_obligations(text: &str, witness: &str) -> Result<Checks, Refusal> {
    let text = ChcText::read(text).map_err(Refusal::Problem)?;
    clause_obligations(&text, witness, &|_| ())
}

/// The obligations of a certificate text for a property of a VMT system.
pub fn vmt_obligations(text: &str, witness: &str, property: Property) -> Result<Checks, Refusal> {
    let text = VmtText::read(text).map_err(Refusal::Problem)?;
    system_obligations(&text, witness, property)
}

/// Of a plain model, or of a certificate with auxiliary variables. Where the prelude of the obligations is known
/// before them it is announced.
pub(crate) fn clause_obligations(
    text: &ChcText<'_>,
    witness: &str,
    announce: &dyn Fn(&str),
) -> Result<Checks, Refusal> {
    let words = Document::read(witness).map_err(|e| Refusal::witness(&e))?;
    if CertificateText::recognised(&words) {
        witness_checks(text, &CertificateText::read(&words)?)
    } else {
        model_checks(text, &ModelText::read(&words)?, announce)
    }
}

pub(crate) fn system_obligations(
    text: &VmtText<'_>,
    witness: &str,
    property: Property,
) -> Result<Checks, Refusal> {
    let words = Document::read(witness).map_err(|e| Refusal::witness(&e))?;
    vmt_checks(text, &CertificateText::read(&words)?, property)
}

impl Checker<'_> {
    /// Checks anybody's witness text for a clause system.
    pub fn chc(&self, text: &str, witness: &str) -> CheckReport {
        self.decide(chc_obligations(text, witness))
    }

    /// The same for one goal of it.
    pub fn goal(&self, text: &str, witness: &str, goal: &ChosenGoal) -> CheckReport {
        let text = ChcText::read(text).and_then(|text| text.about(goal));
        let text = text.map_err(Refusal::Problem);
        self.decide(text.and_then(|text| clause_obligations(&text, witness, &|_| ())))
    }

    /// Checks anybody's certificate text for a property of a VMT system.
    pub fn vmt(&self, text: &str, witness: &str, property: Property) -> CheckReport {
        self.decide(vmt_obligations(text, witness, property))
    }

    /// Checks a witness text for clauses that were read before.
    pub fn proof(&self, original: &OriginalClauses<'_>, witness: &str) -> CheckReport {
        let text = original.text();
        let announce = |prelude: &str| {
            if let Some(head) = head(prelude) {
                self.runner.expect(&head);
            }
        };
        self.decide(text.and_then(|text| clause_obligations(text, witness, &announce)))
    }

    /// Checks a certificate text for a transition system that was read before.
    pub fn invariant(&self, original: &OriginalSystem<'_>, witness: &str) -> CheckReport {
        let text = original.text();
        self.decide(text.and_then(|text| system_obligations(text, witness, original.property)))
    }

    fn decide(&self, posed: Result<Checks, Refusal>) -> CheckReport {
        match posed {
            Ok(checks) => self.discharge(&checks),
            Err(refusal) => CheckReport::bare(Outcome::from(refusal), self.runner.name()),
        }
    }

    /// A replay with what the text says to it.
    fn second_opinion(
        &self,
        replayed: CheckReport,
        posed: impl FnOnce() -> Result<Checks, Refusal>,
    ) -> CheckReport {
        if !self.options.recheck_unsafe || !replayed.outcome.is_accepted() {
            return replayed;
        }
        let Ok(checks) = posed() else {
            return replayed;
        };
        let second = self.glance(&checks);
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
}
