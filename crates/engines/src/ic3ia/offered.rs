//! Clauses that others learnt, tried as lemmas of our own.
//!
//! ```text
//! heard(G):     its atoms become predicates;  a clause of literals over ℙ is offered
//! at a frame:   for each offered clause ¬c that F_1 does not say:
//!                 I ∧ c and I ∧ ¬c ∧ T ∧ c' are unsatisfiable?  F_1 … F_j ← F ∧ ¬c, j as far as it goes
//! ```
//!
//! A run that goes on from what an earlier one learnt (`--hints`) so has its frames again for two queries a
//! clause, instead of a search for each. Reusing proved clauses as candidates is incremental verification by
//! IC3 (Chockler, Ivrii, Matsliah, Moran, Nevo, FMCAD 2011). Nothing is believed: a clause is added under the
//! contract of every cube (`search.rs`). Limits: [`MOST`] clauses in all, of at most [`LONGEST`] literals.

use foretell_kernel::{Cx, Event, Halt, Peers};
use foretell_systems::TransitionSystem;
use foretell_terms::{Term, TermStore};

use super::search::Search;
use super::trace::Level;
use crate::abstraction::{Cube, Predicates, Reply};

/// At most so many clauses of others are tried.
const MOST: usize = 600;
/// Longer clauses are not tried.
const LONGEST: usize = 12;

/// The clauses of others, as cubes.
#[derive(Default)]
pub(super) struct Offered {
    waiting: Vec<Cube>,
    n_heard: usize,
}

impl Offered {
    /// Keeps a clause if it is one over ℙ.
    fn hear(&mut self, fact: Term, predicates: &Predicates, terms: &TermStore) {
        if self.n_heard >= MOST {
            return;
        }
        if let Some(cube) = excluded(fact, predicates, terms) {
            self.n_heard += 1;
            self.waiting.push(cube);
        }
    }
}

/// The cube that a clause over ℙ excludes.
fn excluded(clause: Term, predicates: &Predicates, terms: &TermStore) -> Option<Cube> {
    let literals = terms.disjuncts(clause);
    if literals.is_empty() || literals.len() > LONGEST {
        return None;
    }
    let opposite = |&literal: &Term| {
        let (atom, negated) = terms.strip_not(literal);
        let (atom, flipped) = terms.strip_not(terms.canonical_atom(atom));
        let said = predicates.contains(atom);
        said.then(|| {
            if negated == flipped {
                terms.not(atom)
            } else {
                atom
            }
        })
    };
    let cube = literals.iter().map(opposite).collect::<Option<_>>();
    cube.map(Cube::new)
}

impl Search {
    /// What others said becomes predicates, as far as it is about this system's variables, and its
    /// clauses are offered.
    pub(super) fn hear(&mut self, peers: &dyn Peers<TransitionSystem>, cx: &Cx<'_>) {
        let mut left = self.options.max_guards;
        let mut heard = peers.hear(cx);
        heard.retain(|&fact| !cx.terms.has_quantifier(fact));
        for atom in cx.terms.atoms(&heard) {
            if left > 0 && self.predicates.add(cx.terms, atom) {
                cx.events.emit(Event::Predicate(atom));
                left -= 1;
            }
        }
        if self.options.lemmas {
            let clauses = heard.iter().flat_map(|&fact| cx.terms.conjuncts(fact));
            for clause in clauses.collect::<Vec<Term>>() {
                self.offered.hear(clause, &self.predicates, cx.terms);
            }
        }
    }

    /// Tries what was offered since the last time.
    pub(super) fn take_offered(&mut self, cx: &Cx<'_>) -> Result<(), Halt> {
        for cube in std::mem::take(&mut self.offered.waiting) {
            cx.budget.check()?;
            let first = Level::INIT.above();
            let whole = self.predicates.location(&cube, cx.terms).len();
            let placed = !self.options.per_location || whole > 0;
            if !placed || self.trace.is_blocked(&cube, first) {
                continue;
            }
            self.queries.refresh(&self.trace, cx)?;
            let starts = self.queries.excludes_init(&cube, cx)?;
            if !matches!(starts, Reply::Unsat(_)) {
                continue;
            }
            let query = self.queries.rel_ind(&cube).at(first).assuming_clause();
            if let Reply::Unsat(_) = query.ask(cx)? {
                let level = self.push(&cube, first, cx)?;
                self.learn(cube, level, cx)?;
            }
        }
        Ok(())
    }
}
