//! IC3 with implicit predicate abstraction.
//!
//! Paper: Cimatti, Griggio, Mover, Tonetta, "IC3 modulo theories via implicit predicate
//! abstraction", TACAS 2014. Blocking scheme: Eén, Mishchenko, Brayton, FMCAD 2011.
//!
//! ```text
//! check(I, T, P)                                  // fn check, fn sync
//!   ℙ ← atoms(I) ∪ atoms(P) ∪ guards(T);  F ← [I, ⊤]
//!   loop
//!     while F_k ∧ ¬P has a cube c                 // queries.rs: get_bad
//!       rec_block(c, k) finds a path π from I     // search.rs
//!         π concrete?  return Unsafe(π)           // refine.rs
//!         ℙ ← ℙ ∪ predicates that exclude π
//!     F ← F·[⊤];  propagate                       // propagate.rs
//!     F_i = F_{i+1}?  return Safe(F_i)
//! ```
//!
//! Departures from the paper: nothing is duplicated in one-step queries (`queries.rs` says why that
//! is the same query); guards of T are initial predicates; predecessors are lifted by weakest
//! preconditions (`lift.rs`), and when a lifted path yields no predicate the round is repeated with
//! full cubes before giving up.
//!
//! With `concrete` cubes are preimages, found by projecting a model's step (`foretell_formulas`), so that
//! every state of a cube has a step into the next: the baseline IC3(LRA) of the paper, which needs no
//! predicates and no refinement.
//!
//! Limits: when a query that must be decided is not, the verdict is unknown; when no source yields a
//! new predicate the verdict is unknown too ([`Reason::NoNewPredicate`]). Quantified formulas are
//! handed to the solver as they are; their atoms are no predicates.

mod closure;
mod diverge;
mod invariant;
mod minimise;
mod model;
mod obligation;
mod offered;
mod options;
mod predicates;
mod propagate;
mod queries;
mod refine;
mod search;
mod sources;
mod trace;

use foretell_kernel::{Cx, Engine, Event, Halt, Peers, Phase, Reason, Unsupported, Verdict};
use foretell_systems::transition::Change;
use foretell_systems::{Invariant, TransitionSystem};

pub use options::Ic3iaOptions;

use crate::abstraction::{Cube, Lifting, Predicates, Preimages, Reply, Stop, undecided};
use obligation::{Node, ObligationQueue};
use offered::Offered;
use queries::Queries;
use refine::{Refined, Refiner};
use search::{Blocking, Search};
use trace::{Level, Trace};

/// Within a frame so many new clauses make a message to the peers.
const MESSAGE: usize = 48;

/// The engine. It keeps its trace and predicates between calls: when it is called again with the
/// same system after monotone changes only, they are still valid and are used again.
#[derive(Default)]
pub struct Ic3ia {
    /// How it is to behave.
    pub options: Ic3iaOptions,
    search: Option<Search>,
}

impl Ic3ia {
    /// An engine with these options.
    pub fn new(options: Ic3iaOptions) -> Ic3ia {
        Ic3ia {
            options,
            search: None,
        }
    }

    /// A search for the system: the one of the last call, brought up to date, or a new one.
    fn sync(&mut self, system: &TransitionSystem, cx: &Cx<'_>) -> Result<Search, Halt> {
        let kept = self
            .search
            .take()
            .filter(|s| continues(&s.system, system, cx));
        let (mut predicates, trace) = match kept {
            Some(search) => (search.predicates, search.trace),
            None => (Predicates::default(), Trace::new()),
        };
        let kept = predicates.atoms().len();
        predicates.grow(system, &self.options, cx.terms);
        for &atom in predicates.atoms().iter().skip(kept) {
            cx.events.emit(Event::Predicate(atom));
        }
        Ok(Search {
            options: self.options.clone(),
            system: system.clone(),
            queue: ObligationQueue::default(),
            predicates,
            queries: Queries::new(system, &trace, &self.options, cx)?,
            trace,
            refiner: Refiner::new(system, &self.options, cx)?,
            preimages: Preimages::new(system),
            lifting: Lifting::by(&self.options),
            offered: Offered::default(),
        })
    }
}

/// Whether `new` is `old` after the changes logged since.
///
/// None of the logged changes enlarges the reachable set or shrinks the property, so cubes that were
/// unreachable within i steps still are, and frames that implied the property still do.
fn continues(old: &TransitionSystem, new: &TransitionSystem, cx: &Cx<'_>) -> bool {
    if old.revision() > new.revision() || old.inputs != new.inputs {
        return false;
    }
    let mut replayed = old.clone();
    for change in new.changes_since(old.revision()) {
        match *change {
            Change::AddedVar(var) => replayed.add_var(var),
            Change::AddedParam(param) => replayed.add_param(param),
            Change::StrengthenedInit(conjunct) => replayed.strengthen_init(cx.terms, conjunct),
            Change::StrengthenedTrans(conjunct) => replayed.strengthen_trans(cx.terms, conjunct),
            Change::WeakenedProperty(property) => replayed.weaken_property(property),
        }
    }
    replayed.vars == new.vars
        && old.guide.arbitrary == new.guide.arbitrary
        && replayed.params == new.params
        && (replayed.init, replayed.trans, replayed.property) == (new.init, new.trans, new.property)
}

impl Engine<TransitionSystem> for Ic3ia {
    fn name(&self) -> &'static str {
        "ic3ia"
    }

    fn accepts(&self, _system: &TransitionSystem, _cx: &Cx<'_>) -> Result<(), Unsupported> {
        Ok(())
    }

    fn check(
        &mut self,
        system: &TransitionSystem,
        peers: &dyn Peers<TransitionSystem>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<TransitionSystem>, Halt> {
        let mut search = self.sync(system, cx)?;
        let result = search.run(peers, cx);
        self.search = Some(search);
        match result {
            Ok(verdict) => Ok(verdict),
            Err(Stop::Unknown(reason)) => Ok(Verdict::Unknown(reason)),
            Err(Stop::Halt(halt)) => Err(halt),
        }
    }
}

impl Search {
    fn run(
        &mut self,
        peers: &dyn Peers<TransitionSystem>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<TransitionSystem>, Stop> {
        if let Some(cex) = self.refiner.check_init(&self.system, cx)? {
            return Ok(Verdict::Unsafe(cex));
        }
        if self.trace.frontier() == Level::INIT {
            self.extend(peers, cx)?;
        }
        loop {
            if let Some(verdict) = self.blocking_phase(peers, cx)? {
                return Ok(verdict);
            }
            self.extend(peers, cx)?;
            if let Some(cubes) = self.propagate(cx)? {
                return Ok(Verdict::Safe(self.invariant(&cubes, cx)?));
            }
        }
    }

    /// Excludes the bad states from the frontier, `F_k ⊨ P`; a verdict if that cannot be.
    fn blocking_phase(
        &mut self,
        peers: &dyn Peers<TransitionSystem>,
        cx: &Cx<'_>,
    ) -> Result<Option<Verdict<TransitionSystem>>, Stop> {
        loop {
            self.tell(MESSAGE, peers, cx);
            self.queries.refresh(&self.trace, cx)?;
            let frontier = self.trace.frontier();
            let bad = match self.queries.get_bad(frontier, &self.predicates, cx)? {
                Reply::Unsat(_) => return Ok(None),
                Reply::Sat(bad) => bad,
                Reply::Unknown(words) => return Err(undecided(words)),
            };
            let path = match self.rec_block(bad, cx)? {
                Blocking::Blocked => continue,
                Blocking::Path(path) => path,
            };
            self.queue.clear();
            match cx.during(Phase::Refine, || self.refine(&path, cx))? {
                Refined::Genuine(cex) => return Ok(Some(Verdict::Unsafe(cex))),
                Refined::Added | Refined::Nothing if self.options.concrete => {
                    return Err(undecided("no run goes through preimages".into()));
                }
                Refined::Added => {
                    cx.events.emit(Event::Refined);
                    self.lifting = Lifting::by(&self.options);
                }
                // A lifted path may be spurious without an abstract path behind it.
                Refined::Nothing if self.lifting == Lifting::On => self.lifting = Lifting::Off,
                Refined::Nothing => return Ok(Some(Verdict::Unknown(Reason::NoNewPredicate))),
            }
        }
    }

    /// Simulates a path and, if it is spurious, adds predicates against it.
    fn refine(&mut self, path: &[Node], cx: &Cx<'_>) -> Result<Refined, Stop> {
        let predicates = &mut self.predicates;
        self.refiner
            .refine(&self.system, path, predicates, &self.options, cx)
    }

    /// Tells the clauses learnt since the last time, if they are at least so many.
    fn tell(&mut self, least: usize, peers: &dyn Peers<TransitionSystem>, cx: &Cx<'_>) {
        let news = self.trace.news(least);
        if !news.is_empty() {
            peers.tell(news.iter().map(|cube| cube.clause(cx.terms)).collect(), cx);
        }
    }

    /// Opens the next frame.
    fn extend(&mut self, peers: &dyn Peers<TransitionSystem>, cx: &Cx<'_>) -> Result<(), Halt> {
        let length = self.trace.frontier().0;
        if length > 0 {
            cx.events.emit(Event::Bound(length));
        }
        self.tell(1, peers, cx);
        self.hear(peers, cx);
        self.trace.extend();
        self.queries.open_frame(self.trace.frontier(), cx)?;
        cx.events.emit(Event::Frame(self.trace.frontier().0));
        self.take_offered(cx)?;
        #[cfg(debug_assertions)]
        if self.options.paranoid {
            let broken = invariant::check_invariants(&self.trace, &self.system, &self.options, cx)?;
            debug_assert!(broken.is_empty(), "Lemma 1 fails: {broken:?}");
        }
        Ok(())
    }

    /// The invariant of a fixpoint, reduced.
    fn invariant(&self, cubes: &[Cube], cx: &Cx<'_>) -> Result<Invariant, Halt> {
        let clauses = invariant::minimise_invariant(cubes, &self.system, &self.options, cx)?;
        Ok(Invariant::inductive(cx.terms.and(clauses)))
    }
}

#[cfg(test)]
mod tests;
