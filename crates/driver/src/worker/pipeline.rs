//! The straight line from text to a checked answer, in one process.
//!
//! ```text
//! verify(text, job)
//!   problem ← frontends::read(text)                  // or located errors
//!   verdict ← passes ▸ engine ▸ way back             // ladder.rs
//!   safe:    certify::check on the original text     // fresh solver process, its own parser
//!   unsafe:  certify::replay on the original problem // evaluation, no solver
//!   a check that is not passed: unknown (certificate), the witness is kept for the report
//! ```
//!
//! Nothing else in the product turns an engine's verdict into an answer.

use std::time::Duration;

use foretell_certify::{
    CertifyOptions, CheckReport, Checked, Checker, OriginalClauses, OriginalSystem, PropertyChoice,
    Status, check_derivation, check_invariant, check_proof, check_trace, minimise_invariant,
    minimise_proof,
};
use foretell_frontends::{Input, Problem, read};
use foretell_kernel::{Cx, Reason, Verdict as KernelVerdict};
use foretell_smtlib::{Class, Diagnostic, Lexer, TokenKind};
use foretell_systems::{ChcProof, ChcSystem, Invariant, TransitionSystem};
use foretell_terms::{SortKind, Term, TermStore};

use crate::commands::validate::ProcessRunner;
use crate::counterexample::{Counterexample, of_derivation, of_trace};
use crate::protocol::{
    CheckSummary, Finding, Format, Job, Model, Outcome, PropertyRequest, Reading, Refusal,
    RefusalKind, RejectedWitness, Severity, Verdict,
};
use crate::registry::Prepared;
use crate::worker::exchange::Exchange;
use crate::worker::ladder::{check_clauses, check_system};

/// An input that was read.
pub struct ReadInput<'t> {
    /// The original text.
    pub text: &'t str,
    /// The problem, with the chosen property.
    pub problem: Rung,
    /// What the input turned out to be.
    pub reading: Reading,
}

/// The rung of the ladder an input enters on.
pub enum Rung {
    /// Horn clauses.
    Clauses(ChcSystem),
    /// A transition system and which of the text's properties it has.
    System(TransitionSystem, PropertyChoice),
}

/// Reads an input and chooses the property.
///
/// # Errors
/// The located reasons for which it was refused.
pub fn read_input<'t>(
    bytes: &'t [u8],
    request: PropertyRequest,
    terms: &TermStore,
) -> Result<ReadInput<'t>, Refusal> {
    let input = read(bytes, terms).map_err(|list| refusal(&list))?;
    // `read` accepts only UTF-8.
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let reading = reading(&input, text);
    let problem = match input.problem {
        Problem::Chc(system) => match request {
            PropertyRequest::Number(number) => return Err(no_property(number, &[])),
            _ => Rung::Clauses(system),
        },
        Problem::Vmt { system, properties } => with_property(system, &properties, request)?,
    };
    Ok(ReadInput {
        text,
        problem,
        reading,
    })
}

fn with_property(
    mut system: TransitionSystem,
    properties: &[(u64, foretell_terms::Term)],
    request: PropertyRequest,
) -> Result<Rung, Refusal> {
    let known: Vec<u64> = properties.iter().map(|p| p.0).collect();
    let chosen = match request {
        PropertyRequest::Together => None,
        PropertyRequest::Nth(place) => properties.get(place),
        PropertyRequest::Number(n) => Some(
            properties
                .iter()
                .find(|p| p.0 == n)
                .ok_or_else(|| no_property(n, &known))?,
        ),
    };
    let choice = match chosen {
        None => PropertyChoice::All,
        Some(&(number, formula)) => {
            system.property = formula;
            PropertyChoice::Number(u32::try_from(number).map_err(|_| no_property(number, &known))?)
        }
    };
    Ok(Rung::System(system, choice))
}

fn no_property(number: u64, known: &[u64]) -> Refusal {
    Refusal {
        kind: RefusalKind::NoSuchProperty {
            number,
            known: known.to_vec(),
        },
        findings: Vec::new(),
    }
}

/// The first error decides whose fault it is: later ones may follow from it.
fn refusal(list: &[Diagnostic]) -> Refusal {
    let first = list
        .iter()
        .find(|d| d.severity == foretell_smtlib::Severity::Error);
    let kind = match first.map(Diagnostic::class) {
        Some(Class::Unsupported) => RefusalKind::Unsupported,
        _ => RefusalKind::Malformed,
    };
    Refusal {
        kind,
        findings: list.iter().map(finding).collect(),
    }
}

fn reading(input: &Input, text: &str) -> Reading {
    let format = match input.format {
        foretell_frontends::Format::Horn => Format::Horn,
        foretell_frontends::Format::Z3Rules => Format::Z3Rules,
        foretell_frontends::Format::Vmt => Format::Vmt,
    };
    let properties = match &input.problem {
        Problem::Chc(_) => Vec::new(),
        Problem::Vmt { properties, .. } => properties.iter().map(|p| p.0).collect(),
    };
    let warnings = input.warnings.iter().map(finding).collect();
    Reading {
        format,
        properties,
        asks_model: asks_model(text),
        warnings,
    }
}

/// A front end's message as data.
pub(crate) fn finding(diagnostic: &Diagnostic) -> Finding {
    Finding {
        severity: match diagnostic.severity {
            foretell_smtlib::Severity::Warning => Severity::Warning,
            foretell_smtlib::Severity::Error => Severity::Error,
        },
        code: diagnostic.code.as_str().to_owned(),
        message: diagnostic.message.clone(),
        span: (diagnostic.span.start as usize, diagnostic.span.end as usize),
        notes: diagnostic.notes.clone(),
    }
}

/// Whether the script contains the command `(get-model)`.
fn asks_model(text: &str) -> bool {
    let mut lexer = Lexer::new(text);
    let (mut depth, mut at_head) = (0usize, false);
    while let Some(Ok(token)) = lexer.next_token() {
        match token.kind {
            TokenKind::Open => {
                depth += 1;
                at_head = depth == 1;
                continue;
            }
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ if at_head && token.span.text(text) == "get-model" => return true,
            _ => {}
        }
        at_head = false;
    }
    false
}

/// Checks a problem with an engine; the answer was checked on the original text.
pub fn verify(
    input: &ReadInput<'_>,
    job: &Job,
    prepared: &mut Prepared,
    cx: &Cx<'_>,
) -> (Outcome, Vec<CheckSummary>) {
    verify_sharing(input, job, prepared, None, cx)
}

/// The same, in exchange with other workers.
pub(crate) fn verify_sharing(
    input: &ReadInput<'_>,
    job: &Job,
    prepared: &mut Prepared,
    exchange: Option<&Exchange<'_>>,
    cx: &Cx<'_>,
) -> (Outcome, Vec<CheckSummary>) {
    let certifier = Certifier {
        text: input.text,
        options: prepared.certify.clone(),
        job,
        model: job.model || input.reading.asks_model,
        cx,
    };
    let answered = match &input.problem {
        Rung::Clauses(system) => check_clauses(system, prepared, exchange, cx)
            .map(|verdict| on_clauses(verdict, system, &certifier))
            .map(|answer| respecting_free_symbols(answer, input, system, cx.terms)),
        Rung::System(system, choice) => check_system(system, prepared, cx)
            .map(|verdict| on_system(verdict, system, *choice, &certifier)),
    };
    answered.unwrap_or_else(|halt| (unknown(&Reason::from(halt)), Vec::new()))
}

/// A derivation fixes the meaning of declared constants, functions and sorts, each clause its own
/// constants even; another meaning may make the clauses safe. So with such symbols a proof counts
/// (it holds for every meaning), a derivation does not.
fn respecting_free_symbols(
    answer: (Outcome, Vec<CheckSummary>),
    input: &ReadInput<'_>,
    system: &ChcSystem,
    terms: &TermStore,
) -> (Outcome, Vec<CheckSummary>) {
    let constants = input
        .reading
        .warnings
        .iter()
        .any(|w| w.code == FREE_CONSTANT);
    if !matches!(answer.0, Outcome::Unsafe { .. })
        || !(constants || has_free_functions(system, terms))
    {
        return answer;
    }
    let words = "free symbols: false is derivable for some meaning of the declared constants, functions or sorts";
    (
        Outcome::Unknown {
            reason: words.into(),
            rejected: None,
        },
        answer.1,
    )
}

/// The code of the warning about a constant that is read as a variable of each clause.
const FREE_CONSTANT: &str = "W001";

fn has_free_functions(system: &ChcSystem, terms: &TermStore) -> bool {
    let mut roots = Vec::new();
    for clause in &system.clauses {
        roots.push(clause.constraint);
        roots.extend(
            clause
                .body
                .iter()
                .chain(&clause.head)
                .flat_map(|a| a.args.iter().copied()),
        );
    }
    let uninterpreted = |t: &Term| matches!(terms.kind(terms.sort(*t)), SortKind::Uninterpreted(_));
    !terms.functions(&roots).is_empty() || terms.subterms(&roots).iter().any(uninterpreted)
}

fn on_clauses(
    verdict: KernelVerdict<ChcSystem>,
    system: &ChcSystem,
    certifier: &Certifier<'_>,
) -> (Outcome, Vec<CheckSummary>) {
    let original = OriginalClauses::new(certifier.text, system);
    match verdict {
        KernelVerdict::Safe(proof) => certifier.solution(&original, &proof),
        KernelVerdict::Unsafe(derivation) => {
            let (options, cx) = (&certifier.options, certifier.cx);
            let checked = check_derivation(&original, &derivation, options, cx);
            settle_cex(of_derivation(cx.terms, system, &derivation), checked)
        }
        KernelVerdict::Unknown(reason) => (unknown(&reason), Vec::new()),
    }
}

fn on_system(
    verdict: KernelVerdict<TransitionSystem>,
    system: &TransitionSystem,
    choice: PropertyChoice,
    certifier: &Certifier<'_>,
) -> (Outcome, Vec<CheckSummary>) {
    let original = OriginalSystem::new(certifier.text, system, choice);
    match verdict {
        KernelVerdict::Safe(invariant) => certifier.invariant(&original, &invariant),
        KernelVerdict::Unsafe(trace) => {
            let (options, cx) = (&certifier.options, certifier.cx);
            let checked = check_trace(&original, &trace, options, cx);
            settle_cex(of_trace(cx.terms, system, &trace), checked)
        }
        KernelVerdict::Unknown(reason) => (unknown(&reason), Vec::new()),
    }
}

fn unknown(reason: &Reason) -> Outcome {
    Outcome::Unknown {
        reason: reason.to_string(),
        rejected: None,
    }
}

/// Checks witnesses on the original text and turns them into outcomes.
struct Certifier<'a> {
    text: &'a str,
    options: CertifyOptions,
    job: &'a Job,
    /// Whether the model of clauses is wanted.
    model: bool,
    cx: &'a Cx<'a>,
}

impl Certifier<'_> {
    fn solution(
        &self,
        original: &OriginalClauses<'_>,
        proof: &ChcProof,
    ) -> (Outcome, Vec<CheckSummary>) {
        let smaller;
        let proof = if self.job.minimise {
            smaller = minimise_proof(original, proof, &self.options, self.cx);
            &smaller
        } else {
            proof
        };
        let checked = check_proof(original, proof, &self.options, self.cx);
        let second = |checker: &Checker<'_>, witness: &str| checker.proof(original, witness);
        let model =
            |certificate: &str| self.model.then(|| self.model(original, proof, certificate));
        self.settle_proof(checked, second, model)
    }

    fn invariant(
        &self,
        original: &OriginalSystem<'_>,
        invariant: &Invariant,
    ) -> (Outcome, Vec<CheckSummary>) {
        let smaller;
        let invariant = if self.job.minimise {
            smaller = minimise_invariant(original, invariant, &self.options, self.cx);
            &smaller
        } else {
            invariant
        };
        let checked = check_invariant(original, invariant, &self.options, self.cx);
        let second = |checker: &Checker<'_>, witness: &str| checker.invariant(original, witness);
        self.settle_proof(checked, second, |_| None)
    }

    /// The answer to a claim of safety after its check, and after the second opinion if one is wanted.
    fn settle_proof(
        &self,
        checked: Checked,
        second: impl Fn(&Checker<'_>, &str) -> CheckReport,
        model: impl FnOnce(&str) -> Option<Model>,
    ) -> (Outcome, Vec<CheckSummary>) {
        let Checked {
            report,
            certificate,
        } = checked;
        if !report.outcome.is_accepted() {
            return rejected(Verdict::Safe, certificate, &report);
        }
        let mut checks = vec![summary(&report)];
        if let Some(cvc5) = &self.job.tools.cvc5 {
            let runner = ProcessRunner::cvc5(cvc5);
            let checker = Checker {
                runner: &runner,
                options: &self.options,
                budget: self.cx.budget,
            };
            let report = second(&checker, &certificate);
            if !report.outcome.is_accepted() {
                return rejected(Verdict::Safe, certificate, &report);
            }
            checks.push(summary(&report));
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
        Model { text, checked }
    }
}

/// The answer to a claim of a counterexample after its replay.
fn settle_cex(counterexample: Counterexample, checked: Checked) -> (Outcome, Vec<CheckSummary>) {
    let Checked {
        report,
        certificate,
    } = checked;
    if report.outcome.is_accepted() {
        let certificate = Some(certificate);
        return (
            Outcome::Unsafe {
                counterexample,
                certificate,
            },
            vec![summary(&report)],
        );
    }
    rejected(Verdict::Unsafe, certificate, &report)
}

fn rejected(
    claimed: Verdict,
    witness: String,
    report: &CheckReport,
) -> (Outcome, Vec<CheckSummary>) {
    let verdict = report.outcome.to_string();
    let lines = report.obligations.iter().map(|o| match &o.status {
        Status::Holds => format!("holds: {}", o.what),
        Status::Fails => format!("fails: {}", o.what),
        Status::Open(why) => format!("open: {} ({why})", o.what),
    });
    let report = lines.collect();
    let reason = Reason::Certificate(format!("{} claim {verdict}", claimed.name())).to_string();
    let rejected = Some(RejectedWitness {
        claimed,
        witness,
        verdict,
        report,
    });
    (Outcome::Unknown { reason, rejected }, Vec::new())
}

fn summary(report: &CheckReport) -> CheckSummary {
    CheckSummary {
        by: report.solver.clone(),
        obligations: report.obligations.len(),
        seconds: report.seconds,
    }
}
