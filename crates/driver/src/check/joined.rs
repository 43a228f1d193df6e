//! Clauses with several goals: each is proved on its own, and the proofs are joined into one certificate.
//!
//! ```text
//! check(clauses with goals G₁ … Gₙ)
//!   each Gᵢ is a task of its own, on all slots
//!   one is unsafe          → so is the whole; the others are stopped
//!   all have models Mᵢ     → M(p) = M₁(p) ∧ … ∧ Mₙ(p), checked once on the whole text
//!   otherwise              → unknown
//! ```
//!
//! Why it works: the models of the rules are closed under conjunction (a rule whose body holds in all Mᵢ
//! has a head that holds in all of them), and a goal that one of them refutes the conjunction refutes.
//! Nothing depends on that: the joint certificate is checked like any other.
//!
//! Limits: only plain models are joined, no certificates with auxiliary variables and no recursive
//! functions; transition systems have one property of all anyway.

use std::time::{Duration, Instant};

use foretell_certify::{Document, Id};
use foretell_frontends::Format;
use foretell_kernel::VerdictKind;
use foretell_process::Stop;

use crate::check::{
    Happening, Incident, Observer, Report, Request, Selection, Settled, check_safety,
};
use crate::error::Error;
use crate::learn::reserve;
use crate::protocol::{Answer, Claim, Job, Message, Outcome, Purpose, Reading, Shared};
use crate::single::{ask, job};
use crate::worker::statistics::Statistics;
use crate::worker::trail::Deeds;

/// Checks every goal on its own, and the whole by what became of them.
pub(super) fn check(request: &Request, observer: &mut dyn Observer) -> Result<Report, Error> {
    let started = Instant::now();
    let mut each = request.clone();
    each.selection = Selection::Each;
    each.common.model = true;
    let kept = reserve(request.limits.wall);
    each.limits.wall = request.limits.wall.map(|wall| wall.saturating_sub(kept));
    let stop = each.host.stop.get_or_insert_default().clone();
    let mut goals = Goals {
        inner: observer,
        // Whoever has a handle of his own keeps it for himself.
        stop: request.host.stop.is_none().then_some(stop),
    };
    let mut report = check_safety(&each, &mut goals)?;
    let settled = join(request, &report, kept)?;
    if settled.outcome.verdict() == VerdictKind::Unsafe && request.host.stop.is_none() {
        report.interrupted = false;
    }
    observer
        .settled(report.reading.as_ref(), &settled)
        .map_err(Error::Output)?;
    report.settled = vec![settled];
    report.elapsed = started.elapsed();
    Ok(report)
}

/// The word on the whole.
fn join(request: &Request, report: &Report, limit: Duration) -> Result<Settled, Error> {
    let unsafe_goal = |s: &&Settled| s.outcome.verdict() == VerdictKind::Unsafe;
    if let Some(found) = report.settled.iter().find(unsafe_goal) {
        return Ok(found.clone());
    }
    let unknown = |s: &&Settled| s.outcome.verdict() == VerdictKind::Unknown;
    let n_unknown = report.settled.iter().filter(unknown).count();
    if n_unknown > 0 || report.settled.is_empty() {
        let n = report.settled.len();
        return Ok(open(format!("{n_unknown} of {n} goals are unknown")));
    }
    let is_vmt = |reading: &Reading| reading.format == Format::Vmt;
    if report.reading.as_ref().is_some_and(is_vmt) {
        return Ok(open(
            "the parts of a transition system are not joined".to_owned(),
        ));
    }
    let models = report.settled.iter().map(|s| match &s.outcome {
        Outcome::Safe { model, .. } => model.as_ref().map(|m| m.text.as_str()),
        Outcome::Unsafe { .. } | Outcome::Unknown { .. } => None,
    });
    let models: Option<Vec<&str>> = models.collect();
    let Some(witness) = models.and_then(|models| conjunction(&models)) else {
        return Ok(open("the models of the goals cannot be joined".to_owned()));
    };
    let n = report.settled.len();
    let job = Job {
        claim: Some(Claim {
            verdict: VerdictKind::Safe,
            model: Some(witness.clone()),
            witness,
        }),
        ..job(request, Purpose::Check, limit)
    };
    match ask(request, &job, limit)? {
        Some(Message::Answer(answer)) => {
            let Answer {
                outcome, checks, ..
            } = *answer;
            Ok(Settled {
                property: None,
                outcome,
                checks,
                configuration: Some(format!("the models of {n} goals together")),
                encoding: None,
            })
        }
        _ => Ok(open(
            "timeout while the joint certificate was checked".to_owned(),
        )),
    }
}

fn open(reason: String) -> Settled {
    Settled {
        property: None,
        outcome: Outcome::Unknown {
            reason,
            rejected: None,
        },
        checks: Vec::new(),
        configuration: None,
        encoding: None,
    }
}

/// One model that says what all of them say; `None` when one is no plain model.
fn conjunction(models: &[&str]) -> Option<String> {
    let documents: Vec<Document<'_>> = models
        .iter()
        .map(|text| Document::read(text).ok())
        .collect::<Option<_>>()?;
    let parts: Vec<Vec<Definition>> = documents.iter().map(definitions).collect::<Option<_>>()?;
    let first = parts.first()?;
    let mut text = String::new();
    for own in first {
        let mut bodies = Vec::new();
        for part in &parts {
            let same = part.iter().find(|d| d.name == own.name)?;
            bodies.push(same.body_over(own)?);
        }
        bodies.dedup();
        let params: Vec<String> = own
            .params
            .iter()
            .map(|(n, s)| format!("({n} {s})"))
            .collect();
        let body = match bodies.as_slice() {
            [one] => one.clone(),
            some => format!("(and {})", some.join(" ")),
        };
        let (name, params) = (&own.name, params.join(" "));
        text += &format!("(define-fun {name} ({params}) Bool {body})\n");
    }
    let complete = parts.iter().all(|part| part.len() == first.len());
    complete.then_some(text)
}

/// A definition of a predicate, as text.
struct Definition {
    name: String,
    /// Names and sorts.
    params: Vec<(String, String)>,
    body: String,
}

impl Definition {
    /// The body over the parameters of another definition of the same predicate.
    fn body_over(&self, other: &Definition) -> Option<String> {
        let names = |d: &Definition| d.params.iter().map(|p| p.0.clone()).collect::<Vec<_>>();
        if self.params.len() != other.params.len() {
            return None;
        }
        if names(self) == names(other) {
            return Some(self.body.clone());
        }
        // A `let` binds all at once.
        let pairs = self.params.iter().zip(&other.params);
        let bound: Vec<String> = pairs.map(|(a, b)| format!("({} {})", a.0, b.0)).collect();
        Some(format!("(let ({}) {})", bound.join(" "), self.body))
    }
}

/// The definitions of a plain model.
fn definitions(doc: &Document<'_>) -> Option<Vec<Definition>> {
    let is_definition = |id: Id| doc.head(id) == Some("define-fun");
    let mut found = Vec::new();
    for &root in doc.roots() {
        if is_definition(root) {
            found.push(definition(doc, root)?);
            continue;
        }
        // An answer word in front, or the definitions in one list with or without a word.
        for &item in doc.list(root).unwrap_or_default() {
            match is_definition(item) {
                true => found.push(definition(doc, item)?),
                false if doc.list(item).is_some() => return None,
                false => {}
            }
        }
    }
    Some(found)
}

fn definition(doc: &Document<'_>, id: Id) -> Option<Definition> {
    let &[_, name, params, _, body] = doc.list(id)? else {
        return None;
    };
    let param = |&id: &Id| match doc.list(id)? {
        &[name, sort] => Some((doc.show(name), doc.show(sort))),
        _ => None,
    };
    Some(Definition {
        name: doc.show(name),
        params: doc.list(params)?.iter().map(param).collect::<Option<_>>()?,
        body: doc.show(body),
    })
}

/// Passes on what happens, but not the answers to goals; the first that is unsafe ends the others.
struct Goals<'a> {
    inner: &'a mut dyn Observer,
    stop: Option<Stop>,
}

impl Observer for Goals<'_> {
    fn read(&mut self, reading: &Reading) {
        self.inner.read(reading);
    }

    fn progress(&mut self, configuration: &str, statistics: &Statistics) {
        self.inner.progress(configuration, statistics);
    }

    fn happened(&mut self, configuration: &str, what: &Happening) {
        self.inner.happened(configuration, what);
    }

    fn did(&mut self, configuration: &str, deeds: &Deeds) {
        self.inner.did(configuration, deeds);
    }

    fn told(&mut self, shared: &Shared) {
        self.inner.told(shared);
    }

    fn settled(&mut self, _reading: Option<&Reading>, settled: &Settled) -> Result<(), String> {
        if settled.outcome.verdict() == VerdictKind::Unsafe
            && let Some(stop) = &self.stop
        {
            stop.set();
        }
        Ok(())
    }

    fn incident(&mut self, incident: &Incident) {
        self.inner.incident(incident);
    }
}

#[cfg(test)]
mod tests {
    use super::conjunction;

    #[test]
    fn models_are_joined_over_the_same_parameters() {
        let a = "(define-fun p ((x Int) (y Int)) Bool (< x y))(define-fun q () Bool true)";
        let b = "((define-fun q () Bool true)\n(define-fun p ((y Int) (x Int)) Bool (> x 0)))";
        let joined = conjunction(&[a, b]).unwrap();
        let p = "(define-fun p ((x Int) (y Int)) Bool (and (< x y) (let ((y x) (x y)) (> x 0))))\n";
        assert_eq!(joined, format!("{p}(define-fun q () Bool true)\n"));
        for wrong in [
            "(define-fun p ((x Int)) Bool true)(define-fun q () Bool true)",
            "(define-fun p ((x Int) (y Int)) Bool true)",
            "(certificate (format foretell-1) (kind chc))",
            "(define-fun-rec f ((x Int)) Int 0)",
            ")",
        ] {
            assert_eq!(conjunction(&[a, wrong]), None, "{wrong}");
        }
    }
}
