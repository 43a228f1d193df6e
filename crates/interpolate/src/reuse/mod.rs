//! Theory lemmas kept from one query to the next.
//!
//! ```text
//! after a refutation     every theory lemma its proof uses is kept, without its time (schema.rs)
//! before the next one    every lemma is tried at every time the query has; an instance all of whose literals are in
//!                        the search already is proved anew, by its theory, from these literals alone, and added
//! ```
//! Soundness does not rest on the store: an instance is a guess which literals contradict each
//! other, and what enters the search is the refutation that congruence closure or arithmetic gives
//! of them, with a certificate of its own, as interpolation needs it. A store may therefore be
//! shared by interpolators of one run, and even of several problems.
//!
//! Limits: lemmas over names of our own (values of `ite`, definitional variables) are not kept, nor
//! large ones; the number kept and the number of trials per query are bounded, lemmas that were of
//! no use for longest go first.

mod directory;
mod schema;

use crate::border::symbols::Symbols;
use crate::proof::StepId;
use crate::refute::Refuter;
use foretell_terms::TermStore;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::cell::RefCell;
use std::rc::Rc;

pub(crate) use directory::Directory;
pub(crate) use schema::{Fact, Known, Schema};

/// Instances tried per query.
const TRIALS: usize = 4_000;

/// A store of theory lemmas, to be shared by the interpolators of a run.
#[derive(Clone, Default, Debug)]
pub struct Lemmas(Rc<RefCell<Store>>);

/// What the store did in one query.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct Reuse {
    /// Instances added to the search.
    pub(crate) added: u64,
    /// Instances that the proof uses.
    pub(crate) useful: u64,
}

/// The lemmas.
#[derive(Default, Debug)]
struct Store {
    /// By their text.
    lemmas: IndexMap<String, Entry, FxBuildHasher>,
    queries: u64,
}

/// A lemma.
#[derive(Debug)]
struct Entry {
    schema: Schema,
    /// How often it was found.
    found: u32,
    /// The query in which it was of use last.
    used: u64,
}

/// How often a lemma must have been found to be tried: what occurs at one time only is not worth
/// it.
const OFTEN: u32 = 2;

impl Lemmas {
    /// An empty store.
    pub fn new() -> Lemmas {
        Lemmas::default()
    }

    /// The number of lemmas.
    pub fn len(&self) -> usize {
        self.0.borrow().lemmas.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds instances to a search; returns the steps that prove them, with the place of their
    /// lemma.
    pub(crate) fn recall(
        &self,
        store: &TermStore,
        symbols: &Symbols,
        refuter: &mut Refuter,
    ) -> Recalled {
        let mut this = self.0.borrow_mut();
        this.queries += 1;
        let mut recalled = Recalled::default();
        if this.lemmas.is_empty() {
            return recalled;
        }
        let directory = Directory::new(store, symbols);
        let mut trials = 0;
        for (place, entry) in this
            .lemmas
            .values()
            .enumerate()
            .filter(|(_, e)| e.found >= OFTEN)
        {
            for shift in entry.schema.shifts(&directory) {
                trials += 1;
                if trials > TRIALS {
                    return recalled;
                }
                if let Some(step) = refuter.recall(&entry.schema, &directory, shift) {
                    recalled.0.push((step, place));
                }
            }
        }
        recalled
    }

    /// Keeps the lemmas that a proof uses, at most `limit`.
    pub(crate) fn keep(&self, query: &Proved<'_>, recalled: &Recalled, limit: usize) -> Reuse {
        let mut this = self.0.borrow_mut();
        let now = this.queries;
        let mut reuse = Reuse {
            added: recalled.0.len() as u64,
            useful: 0,
        };
        let used = |s: StepId| query.used.get(s.0 as usize).copied().unwrap_or(false);
        for (step, place) in &recalled.0 {
            if used(*step) {
                reuse.useful += 1;
                this.lemmas[*place].used = now;
            }
        }
        let directory = Directory::new(query.store, query.symbols);
        for (step, fact) in query.refuter.facts() {
            if used(*step)
                && let Some((text, schema)) = Schema::of(&query.refuter.world, &directory, fact)
            {
                let entry = this.lemmas.entry(text).or_insert(Entry {
                    schema,
                    found: 0,
                    used: now,
                });
                entry.found += 1;
                entry.used = now;
            }
        }
        if this.lemmas.len() > limit {
            let mut ages: Vec<u64> = this.lemmas.values().map(|e| e.used).collect();
            ages.sort_unstable();
            let oldest = ages[this.lemmas.len() - limit.div_ceil(2)];
            this.lemmas.retain(|_, e| e.used >= oldest);
            this.lemmas.truncate(limit);
        }
        reuse
    }
}

/// The instances added to a search: the step that proves each, and the place of its lemma.
#[derive(Default, Debug)]
pub(crate) struct Recalled(Vec<(StepId, usize)>);

/// A finished refutation.
pub(crate) struct Proved<'a> {
    /// The outer terms.
    pub(crate) store: &'a TermStore,
    /// The symbols.
    pub(crate) symbols: &'a Symbols,
    /// The search.
    pub(crate) refuter: &'a Refuter,
    /// Which steps the proof uses.
    pub(crate) used: Vec<bool>,
}
