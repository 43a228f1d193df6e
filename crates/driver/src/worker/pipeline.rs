//! The straight line from text to a checked answer, in one process.
//!
//! ```text
//! verify(text, job)
//!   problem ← frontends::read(text)                  // or located errors
//!   verdict ← passes ▸ engine ▸ way back             // ladder.rs
//!   safe:    certify::check on the original text     // fresh solver process, its own parser
//!            (if somebody reads it: of the readable form first, readable.rs)
//!   unsafe:  certify::replay on the original problem // evaluation, no solver
//!   a check that is not passed: unknown (certificate), the witness is kept for the report
//! ```
//!
//! Nothing else in the product turns an engine's verdict into an answer.

use std::time::Duration;

use foretell_certify::{
    CertifyOptions, CheckReport, Checked, Checker, ChosenGoal, OriginalClauses, OriginalSystem,
    check_derivation, check_invariant, check_proof, check_trace, invariant_text, proof_text,
    replay_trace, without_irrelevant_inputs,
};
use foretell_frontends::{
    Format, FreeSymbols, Goal, Problem, Question, QuestionKind, end_of_script, read,
};
use foretell_kernel::{Cx, Event, Reason, Verdict, VerdictKind};
use foretell_systems::{
    ChcProof, ChcSystem, Derivation, Invariant, Property, Trace, TransitionSystem,
};
use foretell_terms::{Term, TermStore};

use crate::commands::validate::ProcessRunner;
use crate::protocol::{Ask, Detail, Job, Model, Outcome, Reading, Refusal, RejectedWitness};
use crate::registry::Prepared;
use crate::worker::exchange::{Inbox, Wire};
use crate::worker::functions::{choose as choose_functions, left_open, respecting};
use crate::worker::ladder::{check_clauses, check_system};
use crate::worker::readable::Writer;

/// An input that was read.
pub struct ReadInput<'t> {
    /// The original text.
    pub text: &'t str,
    /// The problem, with the chosen property.
    pub problem: Rung,
    /// What the input turned out to be.
    pub reading: Reading,
    /// Its goals, and the formulas of its properties.
    parts: Parts,
}

/// What tells which of several questions a counterexample answers.
#[derive(Default)]
struct Parts {
    goals: Vec<Goal>,
    properties: Vec<(u64, Term)>,
}

/// The rung of the ladder an input enters on.
pub enum Rung {
    /// Horn clauses, what they leave open, and the goal they have when the text has others too.
    Clauses(ChcSystem, FreeSymbols, Option<ChosenGoal>),
    /// A transition system and which of the text's properties it has.
    System(TransitionSystem, Property),
}

/// Reads an input and chooses the property.
///
/// # Errors
/// The located reasons for which it was refused.
pub fn read_input<'t>(
    bytes: &'t [u8],
    ask: &Ask,
    terms: &TermStore,
) -> Result<ReadInput<'t>, Refusal> {
    let input = read(bytes, terms).map_err(Refusal::Input)?;
    // `read` accepts only UTF-8.
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let reading = Reading {
        format: input.format,
        questions: input.questions,
        asks_model: input.asks_model,
        warnings: input.warnings,
    };
    let property = choose(ask, &reading)?;
    let mut parts = Parts::default();
    let problem = match input.problem {
        Problem::Chc(system) => {
            let (system, goal) = with_goal(system, &input.goals, property);
            parts.goals = input.goals;
            Rung::Clauses(system, input.free_symbols, goal)
        }
        Problem::Vmt { system, properties } => {
            let rung = with_property(system, &properties, property);
            parts.properties = properties;
            rung
        }
    };
    Ok(ReadInput {
        text,
        problem,
        reading,
        parts,
    })
}

impl ReadInput<'_> {
    /// The text with commands added to its end, before `(exit)`.
    pub(crate) fn with_commands(&self, commands: &str) -> String {
        let (before, after) = self.text.split_at(end_of_script(self.text));
        format!("{before}\n{commands}\n{after}")
    }

    /// The rules of clauses, without goals.
    pub(crate) fn rules(&self, system: &ChcSystem) -> (ChcSystem, ChosenGoal) {
        let mut rules = system.clone();
        rules.clauses.retain(|clause| clause.head.is_some());
        let goals = self.parts.goals.iter();
        let dropped = goals.map(|goal| (goal.command, goal.line)).collect();
        let kept = None;
        (rules, ChosenGoal { kept, dropped })
    }

    /// The goal whose clause ends a derivation; of a system that has all of them.
    fn derived(&self, derivation: &Derivation) -> Vec<u64> {
        let last = derivation.steps.last().map(|step| step.clause.index());
        let numbered = (0..).zip(&self.parts.goals);
        let ends = |(_, goal): &(u64, &Goal)| last.is_some_and(|l| goal.clauses.contains(&l));
        numbered.filter(ends).map(|(number, _)| number).collect()
    }

    /// The properties that the last state of a run violates.
    fn violated(&self, system: &TransitionSystem, trace: &Trace, terms: &TermStore) -> Vec<u64> {
        let violates = |formula: Term| {
            let mut one = system.clone();
            one.property = formula;
            replay_trace(terms, &one, trace).outcome.is_accepted()
        };
        let properties = self.parts.properties.iter();
        properties.filter(|p| violates(p.1)).map(|p| p.0).collect()
    }
}

/// The property that is asked for, among those that engines check.
fn choose(ask: &Ask, reading: &Reading) -> Result<Property, Refusal> {
    let checked = |q: &&Question| q.kind != QuestionKind::Liveness;
    let mut questions = reading.questions.iter().filter(checked);
    // Clauses without a goal are safe; a system that asks only for liveness is no worker's business.
    let has_some = reading.questions.iter().any(|q| checked(&q));
    let is_vmt = reading.format == Format::Vmt;
    let number = |q: &Question| Property::Number(q.number);
    let (found, asked) = match ask {
        Ask::One(Property::All) if has_some => return Ok(Property::All),
        Ask::Natural if has_some && !reading.wants_each() => return Ok(Property::All),
        Ask::One(Property::All) | Ask::Natural | Ask::First if !has_some && !is_vmt => {
            return Ok(Property::All);
        }
        Ask::One(Property::All) | Ask::Natural | Ask::First => (questions.next(), "all".to_owned()),
        Ask::One(Property::Number(n)) => (questions.find(|q| q.number == *n), n.to_string()),
        Ask::Named(name) => {
            let named = questions.find(|q| q.name.as_ref() == Some(name));
            (named, format!("`{name}`"))
        }
    };
    found.map(number).ok_or_else(|| {
        let known = reading.questions.iter().filter(checked);
        let known = known.map(|q| match &q.name {
            Some(name) => format!("{} (`{name}`)", q.number),
            None => q.number.to_string(),
        });
        let known = known.collect();
        Refusal::NoSuchProperty { asked, known }
    })
}

/// The clauses with one goal only, when one of several is asked for.
fn with_goal(
    mut system: ChcSystem,
    goals: &[Goal],
    property: Property,
) -> (ChcSystem, Option<ChosenGoal>) {
    let chosen = match property {
        Property::Number(n) if goals.len() > 1 => usize::try_from(n).ok(),
        Property::Number(_) | Property::All => None,
    };
    let Some((at, goal)) = chosen.and_then(|n| Some((n, goals.get(n)?))) else {
        return (system, None);
    };
    let mut numbers = 0..system.clauses.len();
    let other = |n| {
        goals
            .iter()
            .enumerate()
            .any(|(i, g)| i != at && g.clauses.contains(&n))
    };
    system
        .clauses
        .retain(|_| !numbers.next().is_some_and(other));
    let place = |goal: &Goal| (goal.command, goal.line);
    let others = goals.iter().enumerate().filter(|(i, _)| *i != at);
    let dropped = others.map(|(_, goal)| place(goal)).collect();
    let kept = Some(place(goal));
    (system, Some(ChosenGoal { kept, dropped }))
}

fn with_property(
    mut system: TransitionSystem,
    properties: &[(u64, Term)],
    property: Property,
) -> Rung {
    let chosen = properties
        .iter()
        .find(|p| property == Property::Number(p.0));
    if let Some(&(_, formula)) = chosen {
        system.property = formula;
    }
    Rung::System(system, property)
}

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
    verify_sharing(input, job, prepared, known, cx)
}

/// The same, in exchange with other workers.
pub(crate) fn verify_sharing(
    input: &ReadInput<'_>,
    job: &Job,
    prepared: &mut Prepared,
    wire: Option<&Wire<'_>>,
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
        Rung::Clauses(system, free, goal) => choose_functions(input.reading.format, system, cx)
            .and_then(|chosen| {
                let system = chosen.as_ref().map_or(system, |c| &c.system);
                let verdict = check_clauses(system, prepared, wire, cx)?;
                if chosen.is_some() && matches!(verdict, Verdict::Unsafe(_)) {
                    return Ok(left_open(Vec::new()));
                }
                let functions = chosen.as_ref().map_or("", |c| &c.definitions);
                let answer = on_clauses(verdict, system, (goal.as_ref(), functions), &certifier);
                Ok(respecting(*free, answer))
            }),
        Rung::System(system, choice) => check_system(system, prepared, wire, cx)
            .map(|verdict| on_system(verdict, system, *choice, &certifier)),
    };
    answered.unwrap_or_else(|halt| (unknown(&Reason::from(halt)), Vec::new()))
}

pub(super) fn on_clauses(
    verdict: Verdict<ChcSystem>,
    system: &ChcSystem,
    (goal, functions): (Option<&ChosenGoal>, &str),
    certifier: &Certifier<'_>,
) -> (Outcome, Vec<CheckReport>) {
    let original = OriginalClauses::new(certifier.input.text, system).about(goal);
    let original = original.with_functions(functions);
    match verdict {
        Verdict::Safe(proof) => certifier.solution(&original, system, &proof),
        Verdict::Unsafe(derivation) => {
            let (options, cx) = (&certifier.options, certifier.cx);
            let checked = check_derivation(&original, &derivation, options, cx);
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
        system: &ChcSystem,
        proof: &ChcProof,
    ) -> (Outcome, Vec<CheckReport>) {
        self.tell(|| proof_text(original, proof, self.cx.terms));
        let writer = self.writer();
        let readable = writer
            .as_ref()
            .and_then(|w| w.model(original, system, proof));
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
