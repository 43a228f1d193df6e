//! What runs refute is not proposed.
//!
//! Ernst, Cockrell, Griswold, Notkin, "Dynamically discovering likely program invariants to support
//! program evolution", ICSE 1999, as a filter in front of Houdini.
//!
//! ```text
//! points of p    states of p that walks reach × pairs of small indices        // walk.rs
//!                where none is reached: those of the program in miniature     // miniature.rs
//! falses(l)      the points at which a literal l is false, as bits, once      // fn falses_of
//! refuted(C)     ⋂ { falses(l) : l in C } ≠ ∅                                 // fn refutes
//! ```
//!
//! Departure: a state that a walk reaches is reachable, so a clause that is false there is no invariant
//! and nothing is lost by leaving it out. What a program in miniature refutes is only less likely; whoever
//! asks says whether that counts. What is left is a guess, as all candidates are.
//! Limits: predicates behind non-linear clauses are not reached; nothing is refuted there.

use foretell_kernel::{Cx, Halt};
use foretell_systems::Pred;
use foretell_terms::eval::Assignment;
use foretell_terms::{Substitution, Term, TermMap, TermStore, Value};

use super::miniature;
use super::walk::{self, Unsaid};
use crate::program::Program;

/// States of a predicate that are looked at.
const MOST_STATES: usize = 32;
/// Fewer states than this say little.
const FEW: usize = 5;
/// Indices from 0 up to this are looked at.
const INDICES: usize = 6;

/// How much a refutation must be worth.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// Only runs of the program itself count.
    Runs,
    /// Those of the program in miniature as well.
    Miniatures,
}

/// What was seen of each predicate.
pub(super) struct Seen {
    indices: [Term; 2],
    per_pred: Vec<Points>,
}

#[derive(Default)]
struct Points {
    states: Vec<Assignment>,
    /// What makes the program small in which they were seen; `None`: it is the program itself.
    small: Option<Substitution>,
    /// A word for each state; its bit `i * INDICES + j` is about the indices `i` and `j`.
    falses: TermMap<Vec<u64>>,
}

impl Seen {
    /// Walks, and keeps some states of each predicate. Without arrays there is nothing to look at.
    pub(super) fn new(program: &Program<'_>, cx: &Cx<'_>) -> Result<Seen, Halt> {
        let preds: Vec<Pred> = program.system.pred_ids().collect();
        let is_array = |p: &Term| cx.terms.array_parts(cx.terms.sort(*p)).is_some();
        let mut seen = Seen {
            indices: program.indices,
            per_pred: preds.iter().map(|_| Points::default()).collect(),
        };
        if !preds
            .iter()
            .any(|&p| program.params(p).iter().any(is_array))
        {
            return Ok(seen);
        }
        let states = walk::states(program, &program.rules, Unsaid::Random, cx)?;
        for (&pred, states) in preds.iter().zip(&states) {
            seen.per_pred[pred.index()].states = some(program, pred, states);
        }
        if preds.iter().all(|&p| seen.knows(p)) {
            return Ok(seen);
        }
        if let Some((small, rules)) = miniature::of(program, cx.terms) {
            let states = walk::states(program, &rules, Unsaid::Random, cx)?;
            let enough = |(_, s): &(&Pred, &Vec<Vec<Value>>)| s.len() >= FEW;
            for (&pred, states) in preds.iter().zip(&states).filter(enough) {
                let points = &mut seen.per_pred[pred.index()];
                if points.states.len() < FEW {
                    points.states = some(program, pred, states);
                    points.small = Some(small.clone());
                }
            }
        }
        Ok(seen)
    }

    /// Whether enough was seen of a predicate to say something about it.
    pub(super) fn knows(&self, pred: Pred) -> bool {
        self.per_pred[pred.index()].states.len() >= FEW
    }

    /// Whether a predicate was seen in miniature only.
    pub(super) fn is_small(&self, pred: Pred) -> bool {
        self.per_pred[pred.index()].small.is_some()
    }

    /// Whether a clause is false at some point that was seen.
    pub(super) fn refutes(
        &mut self,
        pred: Pred,
        clause: &[Term],
        trust: Trust,
        terms: &TermStore,
    ) -> bool {
        let indices = self.indices;
        let points = &mut self.per_pred[pred.index()];
        if points.states.is_empty() || (trust == Trust::Runs && points.small.is_some()) {
            return false;
        }
        for &literal in clause {
            if !points.falses.contains_key(&literal) {
                let falses = points.falses_of(literal, indices, terms);
                points.falses.insert(literal, falses);
            }
        }
        let sets: Vec<&Vec<u64>> = clause.iter().map(|l| &points.falses[l]).collect();
        let common = |state: usize| sets.iter().fold(u64::MAX, |all, set| all & set[state]);
        (0..points.states.len()).any(|state| common(state) != 0)
    }
}

impl Points {
    /// The points at which a literal is false; it is evaluated once for all that do not differ for it.
    fn falses_of(&self, literal: Term, [y, y2]: [Term; 2], terms: &TermStore) -> Vec<u64> {
        let literal = match &self.small {
            Some(small) => small.clone().apply(terms, literal),
            None => literal,
        };
        let vars = terms.free_vars(&[literal]);
        let rows = if vars.contains(&y) { INDICES } else { 1 };
        let columns = if vars.contains(&y2) { INDICES } else { 1 };
        let plan = terms.plan(literal);
        let word = |state: &Assignment| {
            let mut found = [[false; INDICES]; INDICES];
            let mut sheet = plan.under(state);
            for (i, row) in found.iter_mut().take(rows).enumerate() {
                sheet.put(y, number(i));
                for (j, cell) in row.iter_mut().take(columns).enumerate() {
                    sheet.put(y2, number(j));
                    *cell = *sheet.outcome() == Ok(Value::Bool(false));
                }
            }
            let pairs = (0..INDICES).flat_map(|i| (0..INDICES).map(move |j| (i, j)));
            let set = pairs.filter(|&(i, j)| found[i.min(rows - 1)][j.min(columns - 1)]);
            set.fold(0, |word, (i, j)| word | 1u64 << (i * INDICES + j))
        };
        self.states.iter().map(word).collect()
    }
}

/// Some of the states, from all parts of the walks.
fn some(program: &Program<'_>, pred: Pred, states: &[Vec<Value>]) -> Vec<Assignment> {
    let stride = states.len().div_ceil(MOST_STATES).max(1);
    let assignment = |state: &Vec<Value>| {
        let mut values = Assignment::new();
        for (&param, value) in program.params(pred).iter().zip(state) {
            values.insert(param, value.clone());
        }
        values
    };
    states.iter().step_by(stride).map(assignment).collect()
}

fn number(n: usize) -> Value {
    Value::Int(i64::try_from(n).unwrap_or(0).into())
}
