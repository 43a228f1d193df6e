//! The straight line from text to a checked answer, in one process.
//!
//! ```text
//! verify(text, job)
//!   problem ← frontends::read(text)                  // or located errors
//!   verdict ← passes ▸ engine ▸ way back             // ladder.rs
//!     (meanwhile: certify reads the original text, and the solver of the check what its scripts begin with)
//!   safe:    certify::check on the original text     // fresh solver process, its own parser
//!            (if somebody reads it: of the readable form first, readable.rs)
//!   unsafe:  certify::replay on the original problem // evaluation, no solver
//!   a check that is not passed: unknown (certificate), the witness is kept for the report
//! ```
//!
//! Nothing else in the product turns an engine's verdict into an answer.

use std::thread;
use std::time::Duration;

use foretell_certify::{
    CertifyOptions, CheckReport, Checked, Checker, ChosenGoal, OriginalClauses, OriginalSystem,
    ReadText, check_derivation, check_invariant, check_proof, check_trace, invariant_text,
    proof_text, without_irrelevant_inputs,
};
use foretell_kernel::{Cx, Event, Halt, Reason, Verdict, VerdictKind};
use foretell_systems::{ChcProof, ChcSystem, Invariant, Property, TransitionSystem};

use crate::commands::validate::ProcessRunner;
use crate::protocol::{Detail, Job, Model, Outcome, RejectedWitness};
use crate::registry::Prepared;
use crate::worker::deep;
use crate::worker::exchange::{Inbox, Wire};
use crate::worker::functions::{choose as choose_functions, left_open, respecting};
use crate::worker::input::{ReadInput, Rung};
use crate::worker::ladder::{check_clauses, check_system};
use crate::worker::oracles::Ready;
use crate::worker::readable::Writer;

/// Checks a problem with an engine, alone but for what the job says that others said; the answer was
/// checked on the original text.
pub fn verify(
    input: &ReadInput<'_>,
    job: &Job,
    prepared: &mut Prepared,
    cx: &Cx<'_>,
) -> (Outcome, Vec<CheckReport>) {
    let inbox = Inbox::default();
    for message in &job.shared {
        inbox.put(message.clone());
    }
    let wire = Wire {
        inbox,
        send: &|_| (),
    };
    let known = (!job.shared.is_empty()).then_some(&wire);
    verify_sharing(input, job, prepared, (known, &Ready::default()), cx)
}

/// The same, in exchange with other workers, and with a solver process that waits for scripts.
pub(crate) fn verify_sharing(
    input: &ReadInput<'_>,
    job: &Job,
    prepared: &mut Prepared,
    (wire, ready): (Option<&Wire<'_>>, &Ready),
    cx: &Cx<'_>,
) -> (Outcome, Vec<CheckReport>) {
    let certifier = Certifier {
        input,
        options: prepared.certify.clone(),
        job,
        model: job.common.model || input.reading.asks_model,
        cx,
    };
    let answered = match &input.problem {
        Rung::Clauses(system, free, goal) => thread::scope(|scope| {
            // Nothing depends on this before there is a verdict.
            let aside = deep().spawn_scoped(scope, || read_aside(input.text, ready));
            let chosen = choose_functions(input.reading.format, system, cx)?;
            let system = chosen.as_ref().map_or(system, |c| &c.system);
            let verdict = check_clauses(system, prepared, wire, cx)?;
            if chosen.is_some() && matches!(verdict, Verdict::Unsafe(_)) {
                return Ok(left_open(Vec::new()));
            }
            let text = aside.ok().and_then(|reading| reading.join().ok());
            let text = text.unwrap_or_else(|| ReadText::read(input.text));
            let functions = chosen.as_ref().map_or("", |c| &c.definitions);
            let original = OriginalClauses::of(text, system).about(goal.as_ref());
            let original = original.with_functions(functions);
            let answer = on_clauses(verdict, &original, goal.as_ref(), &certifier);
            Ok(respecting(*free, answer))
        }),
        Rung::System(system, choice) => check_system(system, prepared, wire, cx)
            .map(|verdict| on_system(verdict, system, *choice, &certifier)),
    };
    answered.unwrap_or_else(|halt: Halt| (unknown(&Reason::from(halt)), Vec::new()))
}

/// Reads clauses for their certificates, and lets the solver read what its scripts begin with.
fn read_aside<'t>(text: &'t str, ready: &Ready) -> ReadText<'t> {
    let text = ReadText::read(text);
    if let Some(head) = text.script_head() {
        ready.expect(&head);
    }
    text
}

pub(super) fn on_clauses(
    verdict: Verdict<ChcSystem>,
    original: &OriginalClauses<'_>,
    goal: Option<&ChosenGoal>,
    certifier: &Certifier<'_>,
) -> (Outcome, Vec<CheckReport>) {
    match verdict {
        Verdict::Safe(proof) => certifier.solution(original, &proof),
        Verdict::Unsafe(derivation) => {
            let (options, cx) = (&certifier.options, certifier.cx);
            let checked = check_derivation(original, &derivation, options, cx);
            let violated = match goal {
                Some(_) => Vec::new(),
                None => certifier.input.derived(&derivation),
            };
            settle_cex(checked, violated)
        }
        Verdict::Unknown(reason) => (unknown(&reason), Vec::new()),
    }
}

pub(super) fn on_system(
    verdict: Verdict<TransitionSystem>,
    system: &TransitionSystem,
    choice: Property,
    certifier: &Certifier<'_>,
) -> (Outcome, Vec<CheckReport>) {
    let original = OriginalSystem::new(certifier.input.text, system, choice);
    match verdict {
        Verdict::Safe(invariant) => certifier.invariant(&original, &invariant),
        Verdict::Unsafe(trace) => {
            let (options, cx) = (&certifier.options, certifier.cx);
            let trace = match certifier.job.common.counterexample {
                Detail::Relevant => without_irrelevant_inputs(cx.terms, system, &trace),
                Detail::Everything => trace,
            };
            let checked = check_trace(&original, &trace, options, cx);
            let violated = match choice {
                Property::All => certifier.input.violated(system, &trace, cx.terms),
                Property::Number(number) => vec![number],
            };
            settle_cex(checked, violated)
        }
        Verdict::Unknown(reason) => (unknown(&reason), Vec::new()),
    }
}

fn unknown(reason: &Reason) -> Outcome {
    Outcome::Unknown {
        reason: reason.to_string(),
        rejected: None,
    }
}

/// Checks witnesses on the original text and turns them into outcomes.
pub(super) struct Certifier<'a> {
    pub(super) input: &'a ReadInput<'a>,
    pub(super) options: CertifyOptions,
    pub(super) job: &'a Job,
    /// Whether somebody will read the proof.
    pub(super) model: bool,
    pub(super) cx: &'a Cx<'a>,
}

impl Certifier<'_> {
    /// How a proof is made for reading, if somebody will read it and wants no more than that.
    fn writer(&self) -> Option<Writer<'_>> {
        let wanted = self.model && self.job.common.proof == Detail::Relevant;
        wanted.then_some(Writer {
            options: &self.options,
            cx: self.cx,
        })
    }

    /// Tells what is going to be checked, if somebody wants to know: the check may not end in time.
    fn tell(&self, witness: impl FnOnce() -> String) {
        if self.job.common.witnesses {
            let event = Event::Witness(VerdictKind::Safe, &witness());
            self.cx.events.emit(event);
        }
    }

    fn solution(
        &self,
        original: &OriginalClauses<'_>,
        proof: &ChcProof,
    ) -> (Outcome, Vec<CheckReport>) {
        self.tell(|| proof_text(original, proof, self.cx.terms));
        let writer = self.writer();
        let readable = writer.as_ref().and_then(|w| w.model(original, proof));
        let second = |checker: &Checker<'_>, witness: &str| checker.proof(original, witness);
        let shown = readable.as_ref().map(|(checked, infix)| Model {
            text: checked.certificate.clone(),
            checked: true,
            infix: infix.clone(),
        });
        if let (Some((checked, _)), None) = (readable, &proof.witness) {
            return self.settle_proof(checked, second, |_| shown);
        }
        let smaller = writer.map(|w| w.with_needed_variables(original, proof));
        let proof = smaller.as_ref().unwrap_or(proof);
        let checked = check_proof(original, proof, &self.options, self.cx);
        let plain =
            |certificate: &str| self.model.then(|| self.model(original, proof, certificate));
        self.settle_proof(checked, second, |certificate| {
            shown.or_else(|| plain(certificate))
        })
    }

    fn invariant(
        &self,
        original: &OriginalSystem<'_>,
        invariant: &Invariant,
    ) -> (Outcome, Vec<CheckReport>) {
        self.tell(|| invariant_text(original, invariant, self.cx.terms));
        let writer = self.writer();
        let readable = writer.and_then(|w| w.certificate(original, invariant));
        let checked = readable
            .unwrap_or_else(|| check_invariant(original, invariant, &self.options, self.cx));
        let second = |checker: &Checker<'_>, witness: &str| checker.invariant(original, witness);
        self.settle_proof(checked, second, |_| None)
    }

    /// The answer to a claim of safety after its check, and after the second opinion if one is wanted.
    pub(super) fn settle_proof(
        &self,
        checked: Checked,
        second: impl Fn(&Checker<'_>, &str) -> CheckReport,
        model: impl FnOnce(&str) -> Option<Model>,
    ) -> (Outcome, Vec<CheckReport>) {
        let Checked {
            report,
            certificate,
        } = checked;
        if !report.outcome.is_accepted() {
            return rejected(VerdictKind::Safe, certificate, report);
        }
        let mut checks = vec![report];
        if let Some(cvc5) = &self.job.common.tools.cvc5 {
            let runner = ProcessRunner::cvc5(cvc5, None);
            let checker = Checker {
                runner: &runner,
                options: &self.options,
                budget: self.cx.budget,
            };
            let report = second(&checker, &certificate);
            if !report.outcome.is_accepted() {
                return rejected(VerdictKind::Safe, certificate, report);
            }
            checks.push(report);
        }
        let model = model(&certificate);
        (Outcome::Safe { certificate, model }, checks)
    }

    /// The plain model of a proof. Where the certificate is another text, the model is checked too, in half
    /// of the time that is left: the answer stands without it.
    fn model(&self, original: &OriginalClauses<'_>, proof: &ChcProof, certificate: &str) -> Model {
        let text = original.model(&proof.formulas, self.cx.terms);
        if text == certificate {
            return Model {
                text,
                checked: true,
                infix: Vec::new(),
            };
        }
        let half = self
            .cx
            .budget
            .remaining()
            .map_or(Duration::MAX, |left| left / 2);
        let budget = self.cx.budget.within(half);
        let limited = self.cx.with_budget(&budget);
        let checker = Checker::new(&self.options, &limited);
        let checked = checker.proof(original, &text).outcome.is_accepted();
        let infix = Vec::new();
        Model {
            text,
            checked,
            infix,
        }
    }
}

/// The answer to a claim of a counterexample after its replay.
fn settle_cex(checked: Checked, violated: Vec<u64>) -> (Outcome, Vec<CheckReport>) {
    let Checked {
        report,
        certificate,
    } = checked;
    if report.outcome.is_accepted() {
        let outcome = Outcome::Unsafe {
            certificate,
            violated,
        };
        (outcome, vec![report])
    } else {
        rejected(VerdictKind::Unsafe, certificate, report)
    }
}

pub(super) fn rejected(
    claimed: VerdictKind,
    witness: String,
    report: CheckReport,
) -> (Outcome, Vec<CheckReport>) {
    let words = format!("{claimed} claim {}", report.outcome);
    let reason = Reason::Certificate(words).to_string();
    let rejected = Some(RejectedWitness {
        claimed,
        witness,
        report,
    });
    (Outcome::Unknown { reason, rejected }, Vec::new())
}
