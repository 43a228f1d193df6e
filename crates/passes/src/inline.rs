//! Large blocks: every predicate that is no loop header is resolved away.
//!
//! ```text
//! head(0) ⇐ true                              head(0) ⇐ true
//! body(x) ⇐ head(x) ∧ x < 9                   head(x + 1) ⇐ head(x) ∧ x < 9
//! head(x + 1) ⇐ body(x)                 →     false ⇐ head(x) ∧ x ≥ 9 ∧ x ≠ 9
//! exit(x) ⇐ head(x) ∧ x ≥ 9
//! fail ⇐ exit(x) ∧ x ≠ 9
//! false ⇐ fail
//! ```
//!
//! Loop headers are the targets of back edges of a depth-first search from the facts
//! ([`headers`]); without them the predicates form an acyclic graph and are eliminated one by one,
//! definitions first, by resolving each use with each definition ([`resolve`]). A predicate stays
//! when that would make too many clauses ([`InlineOptions`]). Non-linear clauses are resolved like
//! linear ones, one body atom after the other. Clauses are found by their predicates and their size is
//! kept up to date ([`blocks`]), so that a chain of thousands of predicates takes time in proportion to
//! its length.
//!
//! The ways back are in [`proof`] (strongest consequence of the definitions, or weakest condition of
//! the uses) and [`cex`] (each resolved clause remembers the clauses it is made of).

mod between;
mod blocks;
mod cex;
mod headers;
mod proof;
mod resolve;

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::{Atom, ChcProof, ChcSystem, Clause, ClauseId, Derivation, Pred};

use blocks::Blocks;
pub(crate) use headers::elimination_order;
use resolve::{Merged, Origins, resolvents};

use crate::shared::facts::Fact;

/// Limits of large-block inlining.
#[derive(Clone, Debug)]
pub(crate) struct InlineOptions {
    /// A predicate stays when resolving it away makes more clauses than it removes by this many.
    pub(crate) growth: usize,
    /// No predicate is resolved away once the clauses are larger than this many terms together.
    pub(crate) size: usize,
}

impl Default for InlineOptions {
    fn default() -> InlineOptions {
        InlineOptions {
            growth: 16,
            size: 200_000,
        }
    }
}

/// The name of the pass.
const NAME: &str = "inline";

/// The pass.
#[derive(Clone, Default, Debug)]
pub(crate) struct Inline {
    /// When to stop.
    pub(crate) options: InlineOptions,
}

impl Pass for Inline {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = InlineLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, InlineLift), Halt> {
        let mut blocks = Blocks::new(from, cx.terms);
        let mut eliminated = Vec::new();
        for pred in elimination_order(from) {
            cx.budget.check()?;
            if self.eliminate(pred, &mut blocks, cx)? == Step::Done {
                eliminated.push(pred);
            }
        }
        let clauses = blocks.slots.into_iter().flatten().collect();
        let lift = InlineLift::new(from, eliminated, clauses, blocks.origins);
        Ok((lift.small_system(), lift))
    }
}

/// Whether a predicate was resolved away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Done,
    TooLarge,
}

impl Inline {
    /// Resolves away a predicate that occurs in no clause on both sides, unless that would be too much.
    fn eliminate(&self, pred: Pred, blocks: &mut Blocks, cx: &Cx<'_>) -> Result<Step, Halt> {
        let definitions = blocks.alive(&blocks.defines[pred.index()]);
        let users = blocks.alive(&blocks.uses[pred.index()]);
        let occurrences = |&slot: &usize| {
            let clause = blocks.slots[slot].as_ref().map(|m| &m.clause.body);
            let atoms = clause.into_iter().flatten();
            atoms.filter(|a| a.pred == pred).count()
        };
        let made = users
            .iter()
            .map(|user| saturating_power(definitions.len(), occurrences(user)));
        let made = made.fold(0usize, usize::saturating_add);
        if made > definitions.len() + users.len() + self.options.growth {
            return Ok(Step::TooLarge);
        }
        let mut gone: Vec<(usize, Merged)> = Vec::new();
        for &slot in definitions.iter().chain(&users) {
            gone.extend(blocks.take(slot, cx.terms).map(|merged| (slot, merged)));
        }
        let (before, after) = gone.split_at(definitions.len());
        let definitions: Vec<&Merged> = before.iter().map(|(_, merged)| merged).collect();
        let mut result = Vec::new();
        // What is too large without the resolvents is too large with them.
        if blocks.size.total() <= self.options.size {
            for (_, user) in after {
                let origins = &mut blocks.origins;
                result.extend(resolvents(user, pred, &definitions, origins, cx)?);
            }
            let first = blocks.slots.len();
            result
                .into_iter()
                .for_each(|merged| blocks.push(merged, cx.terms));
            if blocks.size.total() <= self.options.size {
                return Ok(Step::Done);
            }
            for slot in first..blocks.slots.len() {
                blocks.take(slot, cx.terms);
            }
        }
        for (slot, merged) in gone {
            blocks.put_back(slot, merged, cx.terms);
        }
        Ok(Step::TooLarge)
    }
}

fn saturating_power(base: usize, exponent: usize) -> usize {
    base.saturating_pow(u32::try_from(exponent).unwrap_or(u32::MAX))
}

/// The way back.
pub(crate) struct InlineLift {
    /// The original clauses.
    system: ChcSystem,
    /// The predicates that went, each after everything eliminated that defines it.
    eliminated: Vec<Pred>,
    /// The predicates that stay, in order.
    kept: Vec<Pred>,
    /// The new number of each predicate; `None` when it went.
    places: Vec<Option<Pred>>,
    /// The new clauses, over the original predicates.
    clauses: Vec<Merged>,
    /// What they are made of.
    origins: Origins,
    /// The original clauses by the predicate in their head.
    by_head: Vec<Vec<ClauseId>>,
    /// The original clauses by the first predicate in their body.
    by_body: Vec<Vec<ClauseId>>,
}

impl InlineLift {
    fn new(
        from: &ChcSystem,
        eliminated: Vec<Pred>,
        clauses: Vec<Merged>,
        origins: Origins,
    ) -> InlineLift {
        let mut places: Vec<Option<Pred>> = from.pred_ids().map(Some).collect();
        for pred in &eliminated {
            places[pred.index()] = None;
        }
        let kept: Vec<Pred> = places.iter().copied().flatten().collect();
        for (place, pred) in kept.iter().enumerate() {
            places[pred.index()] = u32::try_from(place).ok().map(Pred);
        }
        let mut by_head = vec![Vec::new(); from.preds.len()];
        let mut by_body = vec![Vec::new(); from.preds.len()];
        for id in from.clause_ids() {
            let clause = from.clause(id);
            if let Some(head) = &clause.head {
                by_head[head.pred.index()].push(id);
            }
            if let Some(atom) = clause.body.first() {
                by_body[atom.pred.index()].push(id);
            }
        }
        InlineLift {
            system: from.clone(),
            eliminated,
            kept,
            places,
            clauses,
            origins,
            by_head,
            by_body,
        }
    }

    /// The original clauses that derive a predicate.
    fn definitions(&self, pred: Pred) -> impl Iterator<Item = &Clause> {
        let ids = self.by_head[pred.index()].iter();
        ids.map(|&id| self.system.clause(id))
    }

    /// The original clauses whose body begins with a predicate.
    fn uses(&self, pred: Pred) -> impl Iterator<Item = &Clause> {
        let ids = self.by_body[pred.index()].iter();
        ids.map(|&id| self.system.clause(id))
    }

    /// The new clauses over the predicates that stay.
    fn small_system(&self) -> ChcSystem {
        let rename = |atom: &Atom| Atom {
            pred: self.places[atom.pred.index()]
                .expect("invariant: eliminated predicates occur nowhere"),
            args: atom.args.clone(),
        };
        let clause = |m: &Merged| Clause {
            body: m.clause.body.iter().map(rename).collect(),
            head: m.clause.head.as_ref().map(rename),
            ..m.clause.clone()
        };
        let kept = self.kept.iter();
        ChcSystem {
            preds: kept.map(|&p| self.system.pred(p).clone()).collect(),
            clauses: self.clauses.iter().map(clause).collect(),
        }
    }
}

impl Translation for InlineLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, (pred, formula): Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        vec![(self.kept[pred.index()], formula)]
    }

    fn down(&self, (pred, formula): Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        let place = self.places[pred.index()];
        place.map(|pred| (pred, formula)).into_iter().collect()
    }
}

impl Lift for InlineLift {
    fn proof(&self, proof: ChcProof, cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        if self.eliminated.is_empty() {
            return Ok(proof);
        }
        let witness = match &proof.witness {
            Some(witness) => proof::witness(self, witness, cx)?,
            None => None,
        };
        Ok(ChcProof {
            formulas: proof::formulas(self, &proof.formulas, cx)?,
            witness,
        })
    }

    fn cex(&self, derivation: Derivation, cx: &Cx<'_>) -> Result<Derivation, Halt> {
        cex::expand(self, derivation, cx).ok_or(Halt::NotLifted(NAME))
    }
}

#[cfg(test)]
mod tests;
