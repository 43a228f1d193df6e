//! What workers on the same property tell each other while they run.
//!
//! ```text
//! engine ── Event::Fact, Event::Idea, Event::Lemma ──▶ Exchange ── text ──▶ supervisor ──▶ other workers
//! engine ◀── Oracles::hints ── Exchange ◀── text (the job, then lines) ── supervisor
//! ```
//!
//! Nothing that arrives is trusted. A message about other clauses (by fingerprint), a text that is no
//! formula over the parameters, too much text: ignored, and counted as `shared ignored`. Facts known when
//! a worker starts are proved again by Houdini and assumed only then ([`Exchange::facts`]); everything else
//! is a predicate or a candidate.

use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use foretell_kernel::{
    Cx, Event, EventSink, Halt, Hint, Interpolator, Oracles, ScriptAnswer, Solver, SolverConfig,
    Strength, Work,
};
use foretell_systems::{ChcSystem, Pred};
use foretell_terms::{Term, TermStore};

use crate::protocol::{Shared, SharedItem, SharedKind};
use crate::worker::vocabulary::{Vocabulary, pred};

foretell_kernel::options! {
    /// What workers take from each other.
    pub struct SharingOptions("sharing") {
        /// Whether anything is told or taken.
        enabled: bool = true;
        /// Whether facts of others are proved again and assumed.
        facts: bool = true;
        /// The most facts that are assumed for one predicate.
        max_facts: usize = 24, 0..=10_000;
    }
}

/// A worker tells at most so many formulas.
const MOST_TOLD: usize = 600;
/// So many formulas make a message.
const BATCH: usize = 48;
/// At most so many formulas are taken from one message.
const MOST_TAKEN: usize = 600;
/// What proving one fact of others again may take.
const FACT_WORK: Work = Work::of_millis(500);
/// What proving all of them again may take.
const FACTS_WORK: Work = Work::of_millis(2000);

/// Messages that arrived and were not looked at.
#[derive(Clone, Default)]
pub(crate) struct Inbox(Arc<Mutex<Vec<Shared>>>);

impl Inbox {
    /// Adds a message.
    pub(crate) fn put(&self, message: Shared) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(message);
    }

    fn take(&self) -> Vec<Shared> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// One worker's side of the exchange.
pub(crate) struct Exchange<'a> {
    terms: &'a TermStore,
    inbox: Inbox,
    /// Set when the clauses are known; without it nothing is told or taken.
    vocabulary: RefCell<Option<Vocabulary>>,
    /// What was not told yet.
    waiting: RefCell<Vec<SharedItem>>,
    n_told: Cell<usize>,
    tell: &'a dyn Fn(Shared),
    events: &'a dyn EventSink,
    /// Facts that came with the job: predicates and formulas.
    known: RefCell<Vec<(usize, Term)>>,
}

impl<'a> Exchange<'a> {
    /// An exchange that tells by `tell` and whose own events go to `events`.
    pub(crate) fn new(
        terms: &'a TermStore,
        inbox: Inbox,
        tell: &'a dyn Fn(Shared),
        events: &'a dyn EventSink,
    ) -> Exchange<'a> {
        Exchange {
            terms,
            inbox,
            vocabulary: RefCell::default(),
            waiting: RefCell::default(),
            n_told: Cell::new(0),
            tell,
            events,
            known: RefCell::default(),
        }
    }

    /// The clauses are known: what came with the job can be read.
    pub(crate) fn open(&self, system: &ChcSystem) {
        *self.vocabulary.borrow_mut() = Some(Vocabulary::new(system, self.terms));
        let known = self.read_all();
        self.known.borrow_mut().extend(known);
    }

    /// The engine runs on the transition system of the clauses.
    pub(crate) fn descend(&self, program: foretell_passes::LinearProgram) {
        if let Some(vocabulary) = self.vocabulary.borrow_mut().as_mut() {
            vocabulary.descend(program);
        }
    }

    /// Those of the formulas known at the start that are inductive together, each proved here and now.
    ///
    /// # Errors
    /// When the run is over.
    pub(crate) fn facts(
        &self,
        system: &ChcSystem,
        options: &SharingOptions,
        cx: &Cx<'_>,
    ) -> Result<Vec<(Pred, Term)>, Halt> {
        let all: Vec<(Pred, Term)> = self
            .known
            .borrow()
            .iter()
            .filter_map(|&(p, f)| Some((pred(p)?, f)))
            .collect();
        if !options.facts || all.is_empty() {
            return Ok(Vec::new());
        }
        let facts = cx.within(FACTS_WORK, |cx| {
            foretell_engines::inductive_facts(system, &all, FACT_WORK, cx)
        })?;
        let mut kept: Vec<(Pred, Term)> = Vec::new();
        for (pred, fact) in facts.unwrap_or_default() {
            if kept.iter().filter(|(p, _)| *p == pred).count() < options.max_facts {
                kept.push((pred, fact));
            }
        }
        self.events
            .emit(Event::Count("shared facts", kept.len() as u64));
        Ok(kept)
    }

    /// All formulas of the messages that wait; what is no formula about our clauses is ignored.
    fn read_all(&self) -> Vec<(usize, Term)> {
        let vocabulary = self.vocabulary.borrow();
        let Some(vocabulary) = vocabulary.as_ref() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        for message in self.inbox.take() {
            if message.fingerprint != vocabulary.fingerprint {
                self.events
                    .emit(Event::Count("shared ignored", message.items.len() as u64));
                continue;
            }
            for item in message.items.iter().take(MOST_TAKEN) {
                match vocabulary.read(item.predicate, &item.formula, self.terms) {
                    Ok(formula) => found.push((item.predicate, formula)),
                    Err(_) => self.events.emit(Event::Count("shared ignored", 1)),
                }
            }
        }
        if !found.is_empty() {
            self.events
                .emit(Event::Count("shared taken", found.len() as u64));
        }
        found
    }

    /// What arrived since the last call, in the words of the engine's problem.
    fn hints(&self) -> Vec<Hint> {
        let mut news: Vec<(usize, Term)> = std::mem::take(&mut *self.known.borrow_mut());
        news.extend(self.read_all());
        let vocabulary = self.vocabulary.borrow();
        let Some(vocabulary) = vocabulary.as_ref() else {
            return Vec::new();
        };
        let hint = |(predicate, formula): (usize, Term)| Hint {
            predicate: u32::try_from(predicate)
                .ok()
                .filter(|_| !vocabulary.is_system()),
            formula: vocabulary.down(predicate, formula, self.terms),
        };
        news.into_iter().map(hint).collect()
    }

    /// Looks for something to tell in an event.
    fn see(&self, event: Event<'_>) {
        match event {
            Event::Fact(predicate, formula) => {
                self.add(SharedKind::Fact, predicate as usize, formula)
            }
            Event::Idea(predicate, formula) => {
                self.add(SharedKind::Idea, predicate as usize, formula)
            }
            Event::Lemma(_, formula) => {
                let up = self
                    .vocabulary
                    .borrow()
                    .as_ref()
                    .map(|v| v.up(formula, self.terms));
                for (predicate, formula) in up.unwrap_or_default() {
                    self.add(SharedKind::Lemma, predicate, formula);
                }
            }
            Event::Frame(_) | Event::Note(_) | Event::Leave(_) => self.flush(),
            _ => {}
        }
        if self.waiting.borrow().len() >= BATCH {
            self.flush();
        }
    }

    fn add(&self, kind: SharedKind, predicate: usize, formula: Term) {
        if self.n_told.get() >= MOST_TOLD {
            return;
        }
        let vocabulary = self.vocabulary.borrow();
        let text = vocabulary
            .as_ref()
            .and_then(|v| v.print(predicate, formula, self.terms));
        if let Some(formula) = text {
            self.n_told.set(self.n_told.get() + 1);
            self.waiting.borrow_mut().push(SharedItem {
                kind,
                predicate,
                formula,
            });
        }
    }

    fn flush(&self) {
        let items = std::mem::take(&mut *self.waiting.borrow_mut());
        if let Some(vocabulary) = self
            .vocabulary
            .borrow()
            .as_ref()
            .filter(|_| !items.is_empty())
        {
            self.events
                .emit(Event::Count("shared told", items.len() as u64));
            (self.tell)(Shared {
                fingerprint: vocabulary.fingerprint.clone(),
                items,
            });
        }
    }
}

/// Events go where they went, and to the exchange.
pub(crate) struct SharingSink<'a>(pub(crate) &'a Exchange<'a>);

impl EventSink for SharingSink<'_> {
    fn emit(&self, event: Event<'_>) {
        self.0.events.emit(event);
        self.0.see(event);
    }
}

/// Oracles with what other workers say.
pub(crate) struct SharingOracles<'a> {
    pub(crate) own: &'a dyn Oracles,
    pub(crate) exchange: &'a Exchange<'a>,
}

impl Oracles for SharingOracles<'_> {
    fn solver(&self, config: &SolverConfig) -> Box<dyn Solver> {
        self.own.solver(config)
    }

    fn interpolator(&self, strength: Strength) -> Box<dyn Interpolator> {
        self.own.interpolator(strength)
    }

    fn script(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        self.own.script(script, limit)
    }

    fn hints(&self) -> Vec<Hint> {
        self.exchange.hints()
    }
}

#[cfg(test)]
mod tests;
