//! From what a run left behind to a report.
//!
//! The original text is read once more here, to name things and to play counterexamples; a text larger
//! than [`MOST_READ`] is not, and the report says so. A solver is asked once at most, for what a proof
//! needs (`needs.rs`), and nothing rests on what it says.

mod closed;
#[cfg(test)]
mod golden;
mod hints;
mod needs;
mod program;
mod safe;
mod steps;
mod trace;
mod tree;
pub(crate) mod words;

use std::fmt::Write as _;
use std::path::Path;

use foretell_driver::worker::input::{ReadInput, Rung, read_input};
use foretell_driver::{
    Ask, Diagnostic, Error, Format, Learned, Outcome, Property, Reading, Refusal, Report as Found,
    Request, Run as FoundRun, Settled, VerdictKind,
};
use foretell_terms::TermStore;
use sha2::{Digest, Sha256};

use crate::model::{
    Checked, Edge, Finding, Graph, Input, LearnedFacts, Obligation, Question, Refused, Report, Run,
    SCHEMA, Told, Tool, Verdict,
};
use crate::record::Record;
use words::Scope;

pub use program::of_program;

/// Larger inputs are not read once more.
const MOST_READ: usize = 2 << 20;

/// What every report says, whatever was found.
pub struct About<'a> {
    /// The path as it was given.
    pub path: String,
    /// The bytes of the input.
    pub bytes: &'a [u8],
    /// Who ran.
    pub tool: Tool,
    /// What was kept during the run.
    pub record: &'a Record,
}

impl About<'_> {
    fn input(&self, reading: Option<&Reading>) -> Input {
        let mut sha256 = String::new();
        for byte in Sha256::digest(self.bytes) {
            let _ = write!(sha256, "{byte:02x}");
        }
        let warnings = reading.map_or(&[][..], |r| &r.warnings);
        Input {
            path: self.path.clone(),
            bytes: self.bytes.len() as u64,
            sha256,
            format: reading.map(|r| r.format.name().to_owned()),
            warnings: findings(self.bytes, warnings),
        }
    }

    fn start(&self, reading: Option<&Reading>) -> Report {
        Report {
            schema: SCHEMA.to_owned(),
            tool: self.tool.clone(),
            input: self.input(reading),
            ..Report::default()
        }
    }
}

/// The report of a check.
pub fn of_check(
    about: &About<'_>,
    request: &Request,
    found: &Found,
    learned: Option<&Learned>,
) -> Report {
    let reading = found.reading.as_ref();
    let mut report = about.start(reading);
    let format = reading.map_or(Format::Horn, |r| r.format);
    report.verdict = verdict(found.verdict());
    report.answer = format.word(found.verdict()).to_owned();
    report.seconds = found.elapsed.as_secs_f64();
    report.runs = runs(about.record, &found.runs, &found.settled);
    report.waiting.clone_from(&found.not_started);
    let is_read = about.bytes.len() <= MOST_READ;
    if !is_read {
        let size = MOST_READ >> 20;
        report.cuts.push(format!(
            "The input is larger than {size} MB: formulas are shown as they were checked, without \
             names for parameters, source lines and relevant values."
        ));
    }
    let terms = TermStore::new();
    let whole = is_read
        .then(|| read_input(about.bytes, &Ask::default(), &terms).ok())
        .flatten();
    if let Some(input) = &whole {
        report.graph = graph(input, &terms);
        report.told = told(about.record, input, &terms);
    }
    let whole = whole.as_ref().map(|input| (input, &terms));
    // One proof is enough to wait for.
    let mut z3 = request.common.tools.z3.as_deref();
    for settled in &found.settled {
        let known = Known { about, whole, z3 };
        let question = known.question(settled, found);
        if question.proof.as_ref().is_some_and(|p| p.needs.is_some()) {
            z3 = None;
        }
        report.questions.push(question);
    }
    if found.verdict() == VerdictKind::Unknown {
        report.returning = hints::returning(&report.runs);
    }
    report.learned = learned.map(|learned| facts(learned, whole));
    report.hints = hints::hints(request, found, &report);
    report
}

/// The report about an input without an answer.
pub fn of_refusal(about: &About<'_>, error: &Error) -> Report {
    let (verdict, list) = match error {
        Error::Refused(Refusal::Input(list)) => (Verdict::Refused, findings(about.bytes, list)),
        Error::Refused(_) => (Verdict::Refused, Vec::new()),
        _ => (Verdict::Unknown, Vec::new()),
    };
    of_failure(about, verdict, error.to_string(), list)
}

/// The same in words that are known already.
pub fn of_failure(
    about: &About<'_>,
    verdict: Verdict,
    message: String,
    findings: Vec<Finding>,
) -> Report {
    let answer = match verdict {
        Verdict::Refused => "refused",
        Verdict::Safe | Verdict::Unsafe | Verdict::Unknown => "no answer",
    };
    Report {
        verdict,
        answer: answer.to_owned(),
        refusal: Some(Refused { message, findings }),
        ..about.start(None)
    }
}

fn verdict(kind: VerdictKind) -> Verdict {
    match kind {
        VerdictKind::Safe => Verdict::Safe,
        VerdictKind::Unsafe => Verdict::Unsafe,
        VerdictKind::Unknown => Verdict::Unknown,
    }
}

/// Findings with their lines.
fn findings(bytes: &[u8], list: &[Diagnostic]) -> Vec<Finding> {
    let one = |found: &Diagnostic| {
        let start = (found.span.start as usize).min(bytes.len());
        let begin = bytes[..start].iter().rposition(|&b| b == b'\n');
        let begin = begin.map_or(0, |at| at + 1);
        let end = bytes[start..].iter().position(|&b| b == b'\n');
        let end = end.map_or(bytes.len(), |at| start + at);
        let line = bytes[..begin].iter().filter(|&&b| b == b'\n').count() + 1;
        let before = String::from_utf8_lossy(&bytes[begin..start]);
        let source = String::from_utf8_lossy(&bytes[begin..end]);
        Finding {
            code: found.code.as_str().to_owned(),
            message: found.message.clone(),
            notes: found.notes.clone(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(before.chars().count() + 1).unwrap_or(u32::MAX),
            source: source.chars().take(200).collect(),
        }
    };
    list.iter().map(one).collect()
}

/// The runs in the order of their start.
fn runs(record: &Record, list: &[FoundRun], settled: &[Settled]) -> Vec<Run> {
    let one = |run: &FoundRun| {
        let start = record.seconds(run.started);
        let seconds = run.usage.wall.as_secs_f64();
        let statistics = &run.statistics;
        Run {
            name: run.configuration.clone(),
            property: run.property,
            start,
            seconds,
            end: run.end.clone(),
            answered: settled.iter().any(|s| {
                s.property == run.property && s.configuration.as_ref() == Some(&run.configuration)
            }),
            cpu: run.usage.cpu.as_secs_f64(),
            memory: run.usage.peak_memory,
            reach: statistics.reach(),
            bound: statistics.bound,
            frame: statistics.frame,
            phases: statistics.seconds.clone(),
            counts: statistics.counts.clone(),
            samples: record.samples(&run.configuration, start, start + seconds),
            events: record.deeds(&run.configuration, start, start + seconds),
        }
    };
    let mut runs: Vec<Run> = list.iter().map(one).collect();
    runs.sort_by(|a, b| a.start.total_cmp(&b.start));
    // Of several turns of one configuration, only the last may have answered.
    for at in 0..runs.len() {
        let again = |r: &Run| r.name == runs[at].name && r.property == runs[at].property;
        let later = runs[at + 1..].iter().any(again);
        runs[at].answered &= !later;
    }
    runs
}

/// What is known when a property is written about.
struct Known<'a> {
    about: &'a About<'a>,
    whole: Option<(&'a ReadInput<'a>, &'a TermStore)>,
    z3: Option<&'a Path>,
}

impl Known<'_> {
    /// The final word on a property.
    fn question(&self, settled: &Settled, found: &Found) -> Question {
        let mut question = named(settled, found);
        let ask = match settled.property {
            Some(number) => Ask::One(Property::Number(number)),
            None => Ask::default(),
        };
        match &settled.outcome {
            Outcome::Safe { certificate, model } => {
                let story = story(settled, found);
                let proof = self.proof(settled, &ask, certificate, model.as_ref());
                question.proof = Some(crate::model::Proof { story, ..proof });
            }
            Outcome::Unsafe { certificate, .. } => {
                let text = settled.encoding.as_ref().map(String::as_bytes);
                let text = text.unwrap_or(self.about.bytes);
                question.trace = Some(trace::trace(certificate, text, ask));
            }
            Outcome::Unknown { reason, .. } => question.reason = Some(reason.clone()),
        }
        question
    }

    /// Why a property holds: of one among several, as it is read alone.
    fn proof(
        &self,
        settled: &Settled,
        ask: &Ask,
        certificate: &str,
        model: Option<&foretell_driver::protocol::Model>,
    ) -> crate::model::Proof {
        let z3 = self.z3.filter(|_| settled.encoding.is_none());
        let Some((whole, terms)) = self.whole else {
            return safe::proof(certificate, model, None, None);
        };
        let alone = settled.property.filter(|_| settled.encoding.is_none());
        let alone = alone.and_then(|_| read_input(self.about.bytes, ask, terms).ok());
        let input = alone.as_ref().unwrap_or(whole);
        safe::proof(certificate, model, Some((input, terms)), z3)
    }
}

/// What every answer to a question says.
fn named(settled: &Settled, found: &Found) -> Question {
    let known = settled
        .property
        .and_then(|n| found.reading.as_ref()?.question(n));
    Question {
        number: settled.property,
        name: match (settled.property, known.and_then(|q| q.name.clone())) {
            (Some(number), Some(name)) => format!("property {number} ({name})"),
            (Some(number), None) => format!("property {number}"),
            (None, _) => String::new(),
        },
        line: known.map(|q| q.line),
        verdict: verdict(settled.outcome.verdict()),
        by: settled.configuration.clone(),
        checks: settled.checks.iter().map(checked).collect(),
        ..Question::default()
    }
}

fn checked(check: &foretell_certify::CheckReport) -> Checked {
    let obligation = |o: &foretell_certify::Obligation| Obligation {
        what: o.what.clone(),
        status: o.status.to_string(),
    };
    Checked {
        by: check.solver.clone(),
        seconds: check.seconds,
        obligations: check.obligations.iter().map(obligation).collect(),
    }
}

/// What the engine that answered did to the problem.
fn story(settled: &Settled, found: &Found) -> Vec<String> {
    let own = |run: &&FoundRun| {
        settled.configuration.as_ref() == Some(&run.configuration)
            && run.property == settled.property
    };
    let run = found.runs.iter().rfind(own);
    run.map_or_else(Vec::new, |run| run.statistics.explanations.clone())
}

/// The clauses as a graph.
fn graph(input: &ReadInput<'_>, terms: &TermStore) -> Option<Graph> {
    let Rung::Clauses(system, ..) = &input.problem else {
        return None;
    };
    let nodes = system.preds.iter().map(|p| terms.name(p.func).to_owned());
    let edges = system.clauses.iter().map(|clause| Edge {
        from: clause.body.iter().map(|a| a.pred.index()).collect(),
        to: clause.head.as_ref().map(|a| a.pred.index()),
        line: clause.line,
    });
    Some(Graph {
        nodes: nodes.collect(),
        edges: edges.collect(),
    })
}

/// Names for the parameters of each predicate; for a system, of its state.
pub(crate) fn parameters(input: &ReadInput<'_>, terms: &TermStore) -> Vec<(String, Scope)> {
    match &input.problem {
        Rung::Clauses(system, ..) => {
            let empty = vec![terms.tt(); system.preds.len()];
            let avoid = std::collections::BTreeSet::new();
            let named = foretell_readable::definitions(terms, system, &empty, &avoid);
            let pairs = named.iter().zip(&system.preds);
            pairs
                .map(|(definition, pred)| {
                    let names = definition.params.iter().map(|(name, _)| name.clone());
                    let scope = names.zip(pred.params.iter().copied()).collect();
                    (terms.name(pred.func).to_owned(), scope)
                })
                .collect()
        }
        Rung::System(system, _) => {
            let state = system.current().into_iter().chain(system.params.clone());
            let scope = state.map(|v| (terms.var_name(v).to_owned(), v)).collect();
            vec![(String::new(), scope)]
        }
    }
}

/// What engines told each other, each formula once.
fn told(record: &Record, input: &ReadInput<'_>, terms: &TermStore) -> Vec<Told> {
    let params = parameters(input, terms);
    let mut list: Vec<Told> = Vec::new();
    for (at, by, item) in record.told() {
        let Some((about, scope)) = params.get(item.predicate) else {
            continue;
        };
        let formula = words::told(terms, &item.formula, scope);
        let formula = formula.unwrap_or_else(|| item.formula.clone());
        if list
            .iter()
            .all(|t| t.formula != formula || t.about != *about)
        {
            list.push(Told {
                at: *at,
                by: by.clone(),
                about: about.clone(),
                formula,
            });
        }
    }
    list
}

/// What was proved although there is no answer.
fn facts(learned: &Learned, whole: Option<(&ReadInput<'_>, &TermStore)>) -> LearnedFacts {
    let parts = safe::parts(&learned.definitions, whole).parts;
    LearnedFacts {
        definitions: learned.definitions.clone(),
        parts,
        candidates: learned.candidates.len(),
    }
}
