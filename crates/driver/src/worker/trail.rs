//! What an engine does, deed by deed: lemmas and proof obligations, for whoever looks at the run later.
//!
//! ```text
//! lemma        level, number of literals, text
//! obligation   level, number of literals, its number (the same literals have the same one), how often it
//!              came so far, and its text when it comes for the second time
//! ```
//!
//! Kept only where the job asks for it (`events`). Terms are read and none is made, so a run takes the same
//! steps with and without it. Texts are in the engine's own words, after all passes.
//! Limits: [`MOST_DEEDS`] in all, after which an obligation is told only when it has come 2, 4, 8, … times;
//! [`MOST_KNOWN`] different obligations; [`MOST_TEXTS`] texts, those of formulas of more than [`LARGEST`]
//! parts are left out.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use foretell_kernel::Event;
use foretell_terms::{Term, TermStore};
use serde::{Deserialize, Serialize};

/// At most so many deeds of a run are told one by one.
const MOST_DEEDS: usize = 2000;
/// At most so many different obligations are told apart.
const MOST_KNOWN: usize = 4000;
/// At most so many texts of a run are told.
const MOST_TEXTS: usize = 400;
/// Formulas of more subterms have no text.
const LARGEST: usize = 200;

/// What an engine did, and by which of its own moments.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Deeds {
    /// Seconds from the start of the worker to now.
    pub now: f64,
    /// What it did, in this order.
    pub list: Vec<Deed>,
}

/// Something an engine did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Deed {
    /// Seconds from the start of the worker.
    pub at: f64,
    /// The level: how many steps from the initial states.
    pub level: u32,
    /// How many literals it has.
    pub literals: usize,
    /// What it is.
    #[serde(flatten)]
    pub kind: DeedKind,
    /// SMT-LIB text in the words of the engine, where it is told.
    pub text: Option<String>,
}

/// What an engine can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DeedKind {
    /// It learnt a clause that holds up to its level.
    Lemma,
    /// It has to show that no state with these literals is reached at its level.
    Obligation {
        /// The same literals have the same number.
        number: usize,
        /// How often it came, this time included.
        times: u64,
    },
}

/// Deeds that were not told yet. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Outbox(Arc<Mutex<Vec<Deed>>>);

impl Outbox {
    fn put(&self, deed: Deed) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.push(deed);
    }

    /// What waits, if something does.
    pub(super) fn take(&self, now: f64) -> Option<Deeds> {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let list = std::mem::take(&mut *list);
        (!list.is_empty()).then_some(Deeds { now, list })
    }
}

/// Keeps what an engine does.
pub(super) struct Trail<'a> {
    terms: &'a TermStore,
    outbox: &'a Outbox,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    n_deeds: usize,
    n_texts: usize,
    /// The obligations by their literals: number, and how often each came.
    known: BTreeMap<Vec<Term>, (usize, u64)>,
}

impl<'a> Trail<'a> {
    pub(super) fn new(terms: &'a TermStore, outbox: &'a Outbox) -> Trail<'a> {
        Trail {
            terms,
            outbox,
            state: RefCell::default(),
        }
    }

    /// Keeps an event if it is a lemma or an obligation.
    pub(super) fn keep(&self, event: Event<'_>, now: impl Fn() -> f64) {
        let mut state = self.state.borrow_mut();
        let deed = match event {
            Event::Lemma(level, clause) => state.lemma(self.terms, level, clause),
            Event::Obligation(level, literals) => state.obligation(self.terms, level, literals),
            _ => None,
        };
        if let Some(deed) = deed {
            state.n_deeds += 1;
            self.outbox.put(Deed { at: now(), ..deed });
        }
    }
}

impl State {
    fn lemma(&mut self, terms: &TermStore, level: u32, clause: Term) -> Option<Deed> {
        (self.n_deeds < MOST_DEEDS).then(|| Deed {
            at: 0.0,
            level,
            literals: terms.disjuncts(clause).len(),
            kind: DeedKind::Lemma,
            text: self.text(terms, &[clause]),
        })
    }

    fn obligation(&mut self, terms: &TermStore, level: u32, literals: &[Term]) -> Option<Deed> {
        let next = self.known.len();
        if next >= MOST_KNOWN && !self.known.contains_key(literals) {
            return None;
        }
        let (number, times) = self.known.entry(literals.to_vec()).or_insert((next, 0));
        *times += 1;
        let (number, times) = (*number, *times);
        let again = times > 1 && times.is_power_of_two();
        (again || self.n_deeds < MOST_DEEDS).then(|| Deed {
            at: 0.0,
            level,
            literals: literals.len(),
            kind: DeedKind::Obligation { number, times },
            text: (times == 2).then(|| self.text(terms, literals)).flatten(),
        })
    }

    /// The text of a conjunction.
    fn text(&mut self, terms: &TermStore, parts: &[Term]) -> Option<String> {
        if self.n_texts >= MOST_TEXTS || terms.subterms(parts).len() > LARGEST {
            return None;
        }
        self.n_texts += 1;
        let shown: Vec<String> = parts.iter().map(|&part| terms.print(part)).collect();
        Some(match shown.as_slice() {
            [one] => one.clone(),
            [] => "true".to_owned(),
            some => format!("(and {})", some.join(" ")),
        })
    }
}

#[cfg(test)]
mod tests {
    use foretell_kernel::Event;
    use foretell_terms::{Sort, TermStore};

    use super::{DeedKind, MOST_DEEDS, Outbox, Trail};

    #[test]
    fn the_same_literals_are_the_same_obligation_and_no_term_is_made() {
        let terms = TermStore::new();
        let (x, y) = (terms.new_var("x", Sort::INT), terms.new_var("y", Sort::INT));
        let literals = [terms.le(x, y), terms.not(terms.le(y, x))];
        let clause = terms.or(literals);
        let (n_terms, outbox) = (terms.len(), Outbox::default());
        let trail = Trail::new(&terms, &outbox);
        trail.keep(Event::Obligation(3, &literals), || 0.5);
        trail.keep(Event::Obligation(2, &literals[..1]), || 0.6);
        trail.keep(Event::Obligation(4, &literals), || 0.7);
        trail.keep(Event::Lemma(1, clause), || 0.8);
        trail.keep(Event::Frame(2), || 0.9);
        assert_eq!(terms.len(), n_terms);
        let told = outbox.take(1.0).unwrap();
        assert!(outbox.take(1.0).is_none());
        let obligation = |number, times| DeedKind::Obligation { number, times };
        let kinds: Vec<(u32, DeedKind)> = told.list.iter().map(|d| (d.level, d.kind)).collect();
        assert_eq!(
            kinds,
            [
                (3, obligation(0, 1)),
                (2, obligation(1, 1)),
                (4, obligation(0, 2)),
                (1, DeedKind::Lemma)
            ]
        );
        let texts: Vec<Option<&str>> = told.list.iter().map(|d| d.text.as_deref()).collect();
        assert!(texts[0].is_none() && texts[1].is_none());
        assert!(texts[2].is_some_and(|t| t.starts_with("(and ")) && texts[3].is_some());
        assert_eq!((told.list[3].literals, told.list[3].at), (2, 0.8));
        let line = serde_json::to_string(&told).unwrap();
        assert_eq!(serde_json::from_str::<super::Deeds>(&line).unwrap(), told);
    }

    #[test]
    fn a_long_run_tells_little() {
        let (terms, outbox) = (TermStore::new(), Outbox::default());
        let trail = Trail::new(&terms, &outbox);
        let literal = [terms.tt()];
        for _ in 0..1 << 16 {
            trail.keep(Event::Obligation(1, &literal), || 0.0);
        }
        let told = outbox.take(0.0).unwrap().list;
        // Powers of two above the limit: 2^11 to 2^16.
        assert_eq!(told.len(), MOST_DEEDS + 6);
        let last = DeedKind::Obligation {
            number: 0,
            times: 1 << 16,
        };
        assert_eq!(told.last().unwrap().kind, last);
    }
}
