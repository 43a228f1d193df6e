//! Liveness properties: does a formula hold for ever from some state of each run on?
//!
//! Papers: Biere, Artho, Schuppan, "Liveness Checking as Safety Checking", FMICS 2002 (lassos);
//! Claessen, Sörensson, "A liveness checking algorithm that counts", FMCAD 2012 (counting).
//!
//! ```text
//! check(P)                                              // P must hold for ever from some state on
//!   lasso(text)    text + a copy of the state taken at some moment, and whether ¬P was seen since;
//!                  bad: the state is the copy again, and ¬P was seen      a run to it is a lasso
//!   count(text, k) text + a counter of the states with ¬P; bad: it is larger than k
//!   for slices s, 2s, 4s, …
//!     lasso unsafe → unsafe;  lasso safe and finitely many states → safe
//!     count(k) safe → safe;   count(k) unsafe → the next k at once
//! ```
//!
//! Both are the original text with commands appended (several `:init` and `:trans` are conjoined), and
//! everything after that is an ordinary check: certificates and counterexamples are checked against the
//! text they are about, of which the original is the beginning.
//!
//! Soundness: a lasso is a run in which ¬P holds infinitely often. When no run has more than k states
//! with ¬P, then P holds from some state on. A system without lassos is live only if it has finitely
//! many states: without that a `safe` of the lasso text says nothing.
//!
//! Limits: a liveness property must be a definition without parameters, and one whose number of states
//! with ¬P depends on the input is not proved (there is no ranking function).

use std::time::{Duration, Instant};

use foretell_frontends::{Problem, Question, QuestionKind, end_of_script, read};
use foretell_kernel::VerdictKind;
use foretell_systems::{Property, TransitionSystem};
use foretell_terms::print::quote;
use foretell_terms::{SortKind, Term, TermStore};
use memchr::memmem;

use crate::check::{Incident, Observer, Report, Request, Selection, Settled, check_safety};
use crate::error::Error;
use crate::protocol::{Outcome, Reading, Refusal};
use crate::worker::statistics::Statistics;
use crate::worker::trail::Deeds;

/// The first slice of each of the two texts.
const FIRST_SLICE: Duration = Duration::from_secs(2);
/// Larger counts are not tried.
const MOST_COUNT: u32 = 64;

/// Whether a text has a liveness property, at first sight.
pub(super) fn may_be_live(bytes: &[u8]) -> bool {
    memmem::find(bytes, b":live-property").is_some()
}

/// Checks an input with liveness properties: the others first, as one, then each of these.
pub(super) fn check(request: &Request, observer: &mut dyn Observer) -> Result<Report, Error> {
    let started = Instant::now();
    let terms = TermStore::new();
    let refused = |list| Error::Refused(Refusal::Input(list));
    let input = read(&request.bytes, &terms).map_err(refused)?;
    let Problem::Vmt { system, .. } = &input.problem else {
        return check_safety(request, observer);
    };
    let is_live = |q: &&Question| q.kind == QuestionKind::Liveness;
    let chosen = |q: &&Question| match &request.selection {
        Selection::One(Property::Number(n)) => q.number == *n,
        Selection::Named(name) => q.name.as_ref() == Some(name),
        _ => true,
    };
    let asked: Vec<&Question> = input.questions.iter().filter(chosen).collect();
    let live: Vec<&Question> = asked.iter().copied().filter(is_live).collect();
    if live.is_empty() {
        return check_safety(request, observer);
    }
    let reading = Reading {
        format: input.format,
        questions: input.questions.clone(),
        asks_model: input.asks_model,
        warnings: input.warnings.clone(),
    };
    let mut report = if live.len() < asked.len() {
        let mut others = request.clone();
        others.selection = Selection::Each;
        check_safety(&others, observer)?
    } else {
        observer.read(&reading);
        Report {
            reading: Some(reading),
            ..Report::default()
        }
    };
    // `read` accepts only UTF-8.
    let text = std::str::from_utf8(&request.bytes).unwrap_or_default();
    for (i, question) in live.iter().enumerate() {
        let left = request
            .limits
            .wall
            .map(|wall| wall.saturating_sub(started.elapsed()));
        let share = left.map(|left| left / u32::try_from(live.len() - i).unwrap_or(1));
        let mut one = Live {
            request,
            text,
            system,
            question,
            terms: &terms,
            until: share.map(|share| Instant::now() + share),
            report: &mut report,
        };
        let settled = one.settle(observer)?;
        observer
            .settled(report.reading.as_ref(), &settled)
            .map_err(Error::Output)?;
        report.settled.push(settled);
    }
    report.elapsed = started.elapsed();
    Ok(report)
}

/// One liveness property while it is checked.
struct Live<'a> {
    request: &'a Request,
    text: &'a str,
    system: &'a TransitionSystem,
    question: &'a Question,
    terms: &'a TermStore,
    until: Option<Instant>,
    report: &'a mut Report,
}

/// Which of the two texts is tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trial {
    Lasso,
    Count(u32),
}

impl Live<'_> {
    fn settle(&mut self, observer: &mut dyn Observer) -> Result<Settled, Error> {
        let number = self.question.number;
        let unknown = |reason: &str| Settled {
            property: Some(number),
            outcome: Outcome::Unknown {
                reason: reason.to_owned(),
                rejected: None,
            },
            checks: Vec::new(),
            configuration: None,
            encoding: None,
        };
        if self.question.name.is_none() {
            return Ok(unknown("the liveness property is no definition of its own"));
        }
        let (mut slice, mut count, mut lassos) = (FIRST_SLICE, 0, true);
        while count <= MOST_COUNT {
            if lassos {
                let found = self.trial(Trial::Lasso, slice, observer)?;
                match found.outcome.verdict() {
                    VerdictKind::Unsafe => return Ok(found),
                    VerdictKind::Safe if self.is_finite() => return Ok(found),
                    VerdictKind::Safe => lassos = false,
                    VerdictKind::Unknown => {}
                }
            }
            loop {
                let found = self.trial(Trial::Count(count), slice, observer)?;
                match found.outcome.verdict() {
                    VerdictKind::Safe => return Ok(found),
                    VerdictKind::Unsafe if count < MOST_COUNT => count += 1 + count / 2,
                    VerdictKind::Unsafe | VerdictKind::Unknown => break,
                }
                if self.is_over() || self.report.interrupted {
                    break;
                }
            }
            if self.report.interrupted {
                return Ok(unknown("interrupted"));
            }
            if self.is_over() {
                return Ok(unknown("timeout"));
            }
            slice *= 2;
        }
        Ok(unknown("no bound on the states that violate it was found"))
    }

    fn is_over(&self) -> bool {
        self.until.is_some_and(|until| until <= Instant::now())
    }

    /// Whether the state has finitely many values.
    fn is_finite(&self) -> bool {
        let finite = |var: Term| {
            let kind = self.terms.kind(self.terms.sort(var));
            matches!(kind, SortKind::Bool | SortKind::BitVec(_))
        };
        self.system.vars.iter().all(|v| finite(v.cur))
    }

    /// One ordinary check of one of the texts.
    fn trial(
        &mut self,
        trial: Trial,
        slice: Duration,
        observer: &mut dyn Observer,
    ) -> Result<Settled, Error> {
        let numbers = self.report.reading.iter().flat_map(|r| &r.questions);
        let number = numbers
            .map(|q| q.number)
            .max()
            .map_or(0, |n| n.saturating_add(1));
        let commands = match trial {
            Trial::Lasso => self.lasso(number),
            Trial::Count(count) => self.count(number, count),
        };
        let (before, after) = self.text.split_at(end_of_script(self.text));
        let text = format!("{before}\n{commands}{after}");
        let mut request = self.request.clone();
        request.bytes = text.clone().into_bytes();
        request.selection = Selection::One(Property::Number(number));
        request.hints.clear();
        request.claims.clear();
        let left = self
            .until
            .map(|until| until.saturating_duration_since(Instant::now()));
        request.limits.wall = Some(left.map_or(slice, |left| left.min(slice)));
        let mut found = check_safety(&request, &mut Within(observer))?;
        self.report.interrupted |= found.interrupted;
        self.report.runs.append(&mut found.runs);
        let settled = found.settled.into_iter().next();
        let mut settled = settled.ok_or_else(|| Error::System("no answer".to_owned()))?;
        settled.property = Some(self.question.number);
        settled.encoding = Some(text);
        if let Outcome::Unsafe { violated, .. } = &mut settled.outcome {
            *violated = vec![self.question.number];
        }
        Ok(settled)
    }

    /// What names of our own begin with: nothing of the text does.
    fn stem(&self) -> String {
        let mut stem = "live!".to_owned();
        while self.text.contains(&stem) {
            stem.push('!');
        }
        stem
    }

    fn property(&self) -> String {
        quote(self.question.name.as_deref().unwrap_or_default())
    }

    /// Counts the states in which the formula does not hold.
    fn count(&self, number: u64, most: u32) -> String {
        let (s, p) = (self.stem(), self.property());
        variable(&s, "count", "Int")
            + &format!("(define-fun {s}init () Bool (! (= {s}count 0) :init true))\n")
            + &format!(
                "(define-fun {s}trans () Bool (! (= {s}count.next (ite {p} {s}count (+ {s}count 1))) \
                 :trans true))\n"
            )
            + &format!(
                "(define-fun {s}goal () Bool (! (<= {s}count {most}) :invar-property {number}))\n"
            )
    }

    /// Looks for a state that comes again with the formula violated in between.
    fn lasso(&self, number: u64) -> String {
        let (s, p, terms) = (self.stem(), self.property(), self.terms);
        let mut text = variable(&s, "saved", "Bool") + &variable(&s, "seen", "Bool");
        text += &format!("(declare-fun {s}save () Bool)\n");
        let mut steps = format!(
            "(= {s}saved.next (or {s}saved {s}save)) \
             (= {s}seen.next (and {s}saved.next (or {s}seen (not {p}))))"
        );
        let mut same = String::new();
        for (i, var) in self.system.vars.iter().enumerate() {
            let (name, sort) = (quote(terms.var_name(var.cur)), terms.sort(var.cur));
            let copy = format!("copy{i}");
            text += &variable(&s, &copy, &terms.print_sort(sort));
            steps +=
                &format!(" (= {s}{copy}.next (ite (and {s}save (not {s}saved)) {name} {s}{copy}))");
            same += &format!(" (= {name} {s}{copy})");
        }
        text += &format!(
            "(define-fun {s}init () Bool (! (and (not {s}saved) (not {s}seen)) :init true))\n"
        );
        text += &format!("(define-fun {s}trans () Bool (! (and {steps}) :trans true))\n");
        text += &format!(
            "(define-fun {s}goal () Bool (! (not (and {s}saved {s}seen{same})) \
             :invar-property {number}))\n"
        );
        text
    }
}

/// A state variable of our own.
fn variable(stem: &str, name: &str, sort: &str) -> String {
    format!(
        "(declare-fun {stem}{name} () {sort})\n(declare-fun {stem}{name}.next () {sort})\n\
         (define-fun {stem}{name}.var () {sort} (! {stem}{name} :next {stem}{name}.next))\n"
    )
}

/// Passes on what happens on the way, but neither readings nor answers.
struct Within<'a>(&'a mut dyn Observer);

impl Observer for Within<'_> {
    fn read(&mut self, _reading: &Reading) {}

    fn progress(&mut self, configuration: &str, statistics: &Statistics) {
        self.0.progress(configuration, statistics);
    }

    fn did(&mut self, configuration: &str, deeds: &Deeds) {
        self.0.did(configuration, deeds);
    }

    fn settled(&mut self, _reading: Option<&Reading>, _settled: &Settled) -> Result<(), String> {
        Ok(())
    }

    fn incident(&mut self, incident: &Incident) {
        self.0.incident(incident);
    }
}
