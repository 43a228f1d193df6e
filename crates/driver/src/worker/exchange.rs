//! What workers on the same property tell each other while they run.
//!
//! ```text
//! engine ── Peers::tell ──▶ Exchange ── text ──▶ supervisor ──▶ other workers
//! engine ◀── Peers::hear ── Exchange ◀── text (the job, then lines) ── supervisor
//! ```
//!
//! The exchange speaks of the clauses of the input; a transition system counts as clauses over one
//! predicate, whose parameters are its state. Each rung below translates into its own words
//! ([`foretell_kernel::Translated`]).
//!
//! Nothing that arrives is trusted. A message about another problem (by fingerprint), a text that is
//! no formula over the parameters, too much text: ignored, and counted as `shared ignored`. Facts known
//! when a worker starts are proved again by Houdini and assumed only then ([`prove`]); everything else
//! is a predicate or a candidate.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use foretell_kernel::{Count, Cx, Event, Halt, Peers, Work};
use foretell_systems::{ChcSystem, Pred, TransitionSystem};
use foretell_terms::Term;

use crate::protocol::{Shared, SharedItem};
use crate::worker::vocabulary::Vocabulary;

foretell_kernel::options! {
    /// What workers take from each other.
    pub struct SharingOptions("sharing") {
        /// Whether anything is told or taken.
        enabled: bool = true;
        /// Whether facts of others are proved again and assumed.
        facts: bool = true;
        /// The most facts that are assumed for one predicate.
        max_facts: usize = 24, 0..=10_000;
        /// The most atoms of a fact that is assumed: clauses of others add a case to every rule.
        max_atoms: usize = 1, 1..=10_000;
        /// Whether candidate invariants are sought before the engine starts, and assumed.
        seek: bool = false;
        /// Whether equations that runs satisfy, about cells that are computed from other cells, are spelled
        /// out for the engine.
        observe: bool = false;
    }
}

/// A worker tells at most so many formulas.
const MOST_TOLD: usize = 600;
/// At most so many formulas are taken from one message.
const MOST_TAKEN: usize = 600;
/// What proving one fact of others again may take.
const FACT_WORK: Work = Work::of_millis(500);
/// What proving all of them again may take.
const FACTS_WORK: Work = Work::of_millis(2000);

/// A formula over the parameters of a predicate.
type Fact = (Pred, Term);

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

/// The wire to the other workers.
pub(crate) struct Wire<'a> {
    /// What arrived.
    pub(crate) inbox: Inbox,
    /// Sends a message.
    pub(crate) send: &'a dyn Fn(Shared),
}

/// One worker's side of the exchange about one problem.
pub(crate) struct Exchange<'a> {
    wire: &'a Wire<'a>,
    vocabulary: Vocabulary,
    told: RefCell<BTreeSet<Fact>>,
    /// What came with the job and no engine heard yet.
    known: RefCell<Vec<Fact>>,
}

impl<'a> Exchange<'a> {
    /// An exchange in these words; what came with the job is read.
    pub(crate) fn new(wire: &'a Wire<'a>, vocabulary: Vocabulary, cx: &Cx<'_>) -> Exchange<'a> {
        let exchange = Exchange {
            wire,
            vocabulary,
            told: RefCell::default(),
            known: RefCell::default(),
        };
        let known = exchange.read(cx);
        exchange.known.replace(known);
        exchange
    }

    /// What came with the job.
    pub(crate) fn known(&self) -> Vec<Fact> {
        self.known.borrow().clone()
    }

    /// All formulas of the messages that wait; what is no formula about our problem is ignored.
    fn read(&self, cx: &Cx<'_>) -> Vec<Fact> {
        let (mut found, mut ignored) = (Vec::new(), 0);
        for message in self.wire.inbox.take() {
            if message.fingerprint != self.vocabulary.fingerprint {
                ignored += message.items.len();
                continue;
            }
            for item in message.items.iter().take(MOST_TAKEN) {
                match self
                    .vocabulary
                    .read(item.predicate, &item.formula, cx.terms)
                {
                    Ok(fact) => found.push(fact),
                    Err(_) => ignored += 1,
                }
            }
        }
        count(Count::SharedIgnored, ignored, cx);
        count(Count::SharedTaken, found.len(), cx);
        found
    }
}

impl Peers<ChcSystem> for Exchange<'_> {
    fn tell(&self, facts: Vec<Fact>, cx: &Cx<'_>) {
        let mut told = self.told.borrow_mut();
        let mut items = Vec::new();
        for (pred, formula) in facts {
            if told.len() >= MOST_TOLD {
                break;
            }
            if let Some(text) = self.vocabulary.print(pred, formula, cx.terms)
                && told.insert((pred, formula))
            {
                items.push(SharedItem {
                    predicate: pred.index(),
                    formula: text,
                });
            }
        }
        if !items.is_empty() {
            count(Count::SharedTold, items.len(), cx);
            (self.wire.send)(Shared {
                fingerprint: self.vocabulary.fingerprint.clone(),
                items,
            });
        }
    }

    fn hear(&self, cx: &Cx<'_>) -> Vec<Fact> {
        let mut news = self.known.take();
        news.extend(self.read(cx));
        news
    }
}

impl Peers<TransitionSystem> for Exchange<'_> {
    fn tell(&self, facts: Vec<Term>, cx: &Cx<'_>) {
        let facts = facts.into_iter().map(|formula| (Pred(0), formula));
        Peers::<ChcSystem>::tell(self, facts.collect(), cx);
    }

    fn hear(&self, cx: &Cx<'_>) -> Vec<Term> {
        let heard = Peers::<ChcSystem>::hear(self, cx).into_iter();
        heard.map(|(_, formula)| formula).collect()
    }
}

fn count(what: Count, number: usize, cx: &Cx<'_>) {
    if number > 0 {
        cx.events.emit(Event::Count(what, number as u64));
    }
}

/// Those of the facts that are inductive together, each proved here and now.
///
/// # Errors
/// When the run is over.
pub(crate) fn prove(
    system: &ChcSystem,
    facts: &[Fact],
    options: &SharingOptions,
    cx: &Cx<'_>,
) -> Result<Vec<Fact>, Halt> {
    if !options.facts || facts.is_empty() {
        return Ok(Vec::new());
    }
    let split = |&(pred, fact): &Fact| {
        let parts = cx.terms.conjuncts(fact);
        parts.into_iter().map(move |part| (pred, part))
    };
    // No engine takes quantified constraints; what is quantified is a candidate.
    let short = |&(_, fact): &Fact| {
        !cx.terms.has_quantifier(fact) && cx.terms.atoms(&[fact]).len() <= options.max_atoms
    };
    let facts: Vec<Fact> = facts.iter().flat_map(split).filter(short).collect();
    let proved = cx.within(FACTS_WORK, |cx| {
        foretell_engines::inductive_facts(system, &facts, FACT_WORK, cx)
    })?;
    let mut kept: Vec<Fact> = Vec::new();
    for (pred, fact) in proved.unwrap_or_default() {
        if kept.iter().filter(|(p, _)| *p == pred).count() < options.max_facts {
            kept.push((pred, fact));
        }
    }
    count(Count::SharedFacts, kept.len(), cx);
    Ok(kept)
}

#[cfg(test)]
mod tests;
