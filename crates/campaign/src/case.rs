//! One generated system with everything that is asked about it.
//!
//! ```text
//! Case(seed)
//!   system ← generator(seed);  truth ← enumeration, where the system is finite
//!   one engine on its text, sometimes with hints, another on a metamorphic variant, sometimes a third; some with random settings
//!   a finding: an answer against the truth, two answers against each other, a rejected witness,
//!              a text that was refused, a panic, more processor time than the limits allow
//! ```

use std::rc::Rc;
use std::time::Duration;

use foretell_driver::VerdictKind;
use foretell_frontends::{print_chc, print_vmt};
use foretell_kernel::Rng;
use foretell_systems::{ChcSystem, TransitionSystem};
use foretell_terms::TermStore;
use foretell_testkit::enumerate::{self, Truth};
use foretell_testkit::generate::{Generator, Shape};
use foretell_testkit::hints::any_hints;
use foretell_testkit::relations::Relation;
use foretell_testkit::sessions::print_rules;
use foretell_testkit::settings::{any_engine, any_settings};
use foretell_testkit::{Answer, Certified, Extras, Plan, RunLimits, Scripts};
use serde::{Deserialize, Serialize};

use crate::run::{Said, run};

/// What a run of a case may take.
pub const LIMITS: RunLimits = RunLimits {
    time: Duration::from_secs(2),
    queries: 60,
    ..RunLimits::NONE
};
/// Processor time that a run may take beyond its limit: the last query, the check, the way back.
pub(crate) const GRACE: f64 = 3.0;

/// What one case came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CaseReport {
    /// The seed that makes the system.
    pub seed: u64,
    /// What kind of system it is.
    pub kind: String,
    /// What enumeration says: `safe`, `unsafe`, or `open` where it cannot tell.
    pub truth: String,
    /// What each run said, as `engine:verdict`.
    pub runs: Vec<String>,
    /// What is wrong.
    pub findings: Vec<Found>,
    /// Processor time of the process and its solver so far, in seconds.
    pub cpu: f64,
}

/// Something that is wrong, with what reproduces it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Found {
    /// What is wrong: `wrong`, `conflict`, `rejected`, `refused`, `panic`, `overrun`, `crash`.
    pub kind: String,
    /// Details.
    pub words: String,
    /// The engine.
    pub engine: String,
    /// Its settings.
    pub settings: Vec<String>,
    /// The text.
    pub text: String,
}

/// A generated problem.
enum Generated {
    Clauses(ChcSystem),
    System(TransitionSystem),
}

/// A text with a plan.
#[derive(Clone, Debug)]
pub struct Question {
    /// The text.
    pub text: String,
    /// How it is checked.
    pub plan: Plan,
    /// The relation that made it from the first text; empty for that text itself.
    pub relation: &'static str,
}

impl Question {
    /// A finding about this question.
    pub fn found(&self, kind: &str, words: String) -> Found {
        Found {
            kind: kind.to_owned(),
            words,
            engine: self.plan.engine.clone(),
            settings: self.plan.settings.clone(),
            text: self.text.clone(),
        }
    }
}

/// Questions about one system whose answers must agree.
#[derive(Clone, Debug)]
pub struct Case {
    /// What kind of system it is.
    pub kind: String,
    /// What is known about it.
    pub truth: Truth,
    /// What is asked.
    pub questions: Vec<Question>,
}

impl Case {
    /// The case of a seed.
    pub fn generated(seed: u64) -> Case {
        let terms = TermStore::new();
        let rng = Rng::new(seed ^ 0x5eed_0000_0000);
        let (kind, system, truth) = generate(&terms, seed, &rng);
        Case {
            kind: kind.to_owned(),
            truth,
            questions: questions(&terms, &system, &rng),
        }
    }

    /// Asks the questions and judges the answers; `before` is told the number of each question first.
    pub fn judged(
        &self,
        seed: u64,
        scripts: &Rc<Scripts>,
        before: &mut dyn FnMut(usize),
    ) -> CaseReport {
        let (kind, truth) = (self.kind.clone(), name(self.truth).to_owned());
        let mut report = CaseReport {
            seed,
            kind,
            truth,
            runs: vec![],
            findings: vec![],
            cpu: 0.0,
        };
        let mut said: Option<(VerdictKind, String)> = None;
        for (number, question) in self.questions.iter().enumerate() {
            before(number);
            let answer = run(&question.text, &question.plan, scripts);
            let judged = judge(question, &answer, self.truth, said.as_ref());
            report
                .runs
                .push(format!("{}:{}", question.plan.engine, word(&answer.what)));
            report.findings.extend(
                judged
                    .into_iter()
                    .map(|(kind, words)| question.found(kind, words)),
            );
            if let Answer::Certified(Certified { verdict, .. }) = answer.what
                && verdict != VerdictKind::Unknown
            {
                said = Some((verdict, question.plan.engine.clone()));
            }
        }
        report
    }
}

fn generate(terms: &TermStore, seed: u64, rng: &Rng) -> (&'static str, Generated, Truth) {
    let wide = rng.below(4) == 0;
    let generator = if wide {
        Generator::wide(terms, seed)
    } else {
        Generator::new(terms, seed)
    };
    let (kind, system) = match rng.below(8) {
        0..=2 => ("vmt", Generated::System(generator.transition_system())),
        3..=5 => (
            "linear",
            Generated::Clauses(generator.clauses(Shape::Linear)),
        ),
        _ => (
            "nonlinear",
            Generated::Clauses(generator.clauses(Shape::NonLinear)),
        ),
    };
    let truth = match &system {
        _ if wide => Truth::Undecided,
        Generated::Clauses(system) => enumerate::clauses(terms, system),
        Generated::System(system) => enumerate::transition_system(terms, system),
    };
    (kind, system, truth)
}

/// What is asked about a system: an engine on it, another on a variant of it, sometimes a third.
fn questions(terms: &TermStore, system: &Generated, rng: &Rng) -> Vec<Question> {
    let text = print(terms, system, rng);
    let first = any_engine(rng).name;
    let mut second = any_engine(rng).name;
    if second == first {
        second = any_engine(rng).name;
    }
    let relation = Relation::ALL[usize::try_from(rng.below(5)).unwrap_or(0)];
    let variant = match system {
        Generated::Clauses(system) => Generated::Clauses(relation.clauses(terms, system, rng)),
        Generated::System(system) => Generated::System(relation.system(terms, system, rng)),
    };
    let variant = print(terms, &variant, rng);
    let mut list = vec![
        Question {
            text: text.clone(),
            plan: Plan {
                hints: hints(&text, rng),
                ..plan(first, rng)
            },
            relation: "",
        },
        Question {
            text: variant,
            plan: plan(second, rng),
            relation: relation.name(),
        },
    ];
    if rng.below(4) == 0 {
        list.push(Question {
            text,
            plan: plan(any_engine(rng).name, rng),
            relation: "",
        });
    }
    list
}

/// In one case of four hints, in one of four of these as a claim, right or wrong, in one of four with a byte
/// that is wrong.
fn hints(text: &str, rng: &Rng) -> String {
    if rng.below(4) > 0 {
        return String::new();
    }
    let mut hints = any_hints(text, rng);
    if rng.below(4) == 0 {
        let verdict = ["safe", "unsafe"][usize::try_from(rng.below(8) / 7).unwrap_or(0)];
        hints = format!("(claim all {verdict} {})\n", as_witness(&hints));
    }
    let mut hints = hints.into_bytes();
    if rng.below(4) == 0 && !hints.is_empty() {
        let place = usize::try_from(rng.below(hints.len() as u64)).unwrap_or(0);
        hints[place] = b"()p0 |\"#;"[usize::try_from(rng.below(9)).unwrap_or(0)];
    }
    String::from_utf8(hints).unwrap_or_default()
}

/// Definitions as what `--certificate` prints: a model, or the certificate of a transition system.
fn as_witness(hints: &str) -> String {
    let state = hints.strip_prefix("(define-fun hint () Bool ");
    match state.and_then(|formula| formula.trim_end().strip_suffix(')')) {
        Some(formula) => {
            let head = "(certificate (format foretell-1) (kind vmt) (property all)";
            format!("{head} (invariant {formula}))")
        }
        None => hints.to_owned(),
    }
}

fn plan(engine: &str, rng: &Rng) -> Plan {
    let entry = foretell_driver::registry::engine(engine);
    let settings = match entry {
        Ok(entry) if rng.below(3) == 0 => any_settings(entry, rng),
        _ => Vec::new(),
    };
    let extras = match rng.below(8) {
        0 => Extras::Model,
        1 => Extras::Minimise,
        _ => Extras::Nothing,
    };
    // Unrolling asks ever larger queries and never gives up on a safe system.
    let queries = if engine == "bmc" {
        [8, 12, 16, 30]
    } else {
        [20, 40, 60, 150]
    };
    let queries = queries[usize::try_from(rng.below(4)).unwrap_or(0)];
    let limits = RunLimits { queries, ..LIMITS };
    Plan {
        settings,
        extras,
        ..Plan::new(engine).within(limits)
    }
}

fn print(terms: &TermStore, system: &Generated, rng: &Rng) -> String {
    match system {
        Generated::Clauses(system) if rng.below(4) == 0 => print_rules(terms, system),
        Generated::Clauses(system) => print_chc(terms, system),
        Generated::System(system) => {
            let mut properties = vec![(rng.below(3), system.property)];
            if rng.below(4) == 0 {
                properties.push((7, terms.or2(system.property, system.init)));
            }
            print_vmt(terms, system, &properties)
        }
    }
}

/// What is wrong with an answer: kind and words.
fn judge(
    question: &Question,
    answer: &Said,
    truth: Truth,
    before: Option<&(VerdictKind, String)>,
) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let limit = LIMITS.time.as_secs_f64() + GRACE;
    if answer.cpu > limit {
        found.push(("overrun", format!("{:.1} s of processor time", answer.cpu)));
    }
    match &answer.what {
        Answer::Certified(Certified {
            verdict: VerdictKind::Unknown,
            ..
        }) => {}
        Answer::Certified(Certified { verdict, .. }) => {
            if contradicts(*verdict, truth) {
                found.push((
                    "wrong",
                    format!(
                        "{} against {} {}",
                        verdict.name(),
                        name(truth),
                        question.relation
                    ),
                ));
            }
            if let Some((other, engine)) = before.filter(|(other, _)| other != verdict) {
                let words = format!(
                    "{} against {} of {engine} {}",
                    verdict.name(),
                    other.name(),
                    question.relation
                );
                found.push(("conflict", words));
            }
        }
        Answer::Rejected(claimed, words) => {
            found.push(("rejected", format!("{} claim {words}", claimed.name())))
        }
        Answer::Refused(words) => found.push(("refused", words.clone())),
        Answer::Panic(words) => found.push(("panic", words.clone())),
    }
    found
}

fn contradicts(verdict: VerdictKind, truth: Truth) -> bool {
    matches!(
        (verdict, truth),
        (VerdictKind::Safe, Truth::Unsafe) | (VerdictKind::Unsafe, Truth::Safe)
    )
}

/// The word for an answer in a ledger.
pub fn word(what: &Answer) -> &'static str {
    match what {
        Answer::Certified(said) => said.verdict.name(),
        Answer::Rejected(..) => "rejected",
        Answer::Refused(_) => "refused",
        Answer::Panic(_) => "panic",
    }
}

fn name(truth: Truth) -> &'static str {
    match truth {
        Truth::Safe => "safe",
        Truth::Unsafe => "unsafe",
        Truth::Undecided => "open",
    }
}
