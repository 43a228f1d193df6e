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
//! linear ones, one body atom after the other.
//!
//! The ways back are in [`proof`] (strongest consequence of the definitions, or weakest condition of
//! the uses) and [`cex`] (each resolved clause remembers the clauses it is made of).

mod between;
mod cex;
mod headers;
mod proof;
mod resolve;

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::{Atom, ChcProof, ChcSystem, Clause, Derivation, Pred};

pub(crate) use headers::elimination_order;
use resolve::{Merged, resolvents};

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
        let mut clauses: Vec<Merged> = from
            .clause_ids()
            .map(|id| Merged::single(from, id))
            .collect();
        let mut eliminated = Vec::new();
        for pred in elimination_order(from) {
            cx.budget.check()?;
            if let Some(without) = self.eliminate(pred, &clauses, cx)? {
                clauses = without;
                eliminated.push(pred);
            }
        }
        let lift = InlineLift {
            system: from.clone(),
            eliminated,
            clauses,
        };
        Ok((lift.small_system(), lift))
    }
}

impl Inline {
    /// The clauses without a predicate that occurs in no clause on both sides; `None` when that
    /// would be too many.
    fn eliminate(
        &self,
        pred: Pred,
        clauses: &[Merged],
        cx: &Cx<'_>,
    ) -> Result<Option<Vec<Merged>>, Halt> {
        let (definitions, others): (Vec<&Merged>, Vec<&Merged>) = clauses
            .iter()
            .partition(|m| m.clause.head.as_ref().is_some_and(|h| h.pred == pred));
        let occurrences = |m: &Merged| m.clause.body.iter().filter(|a| a.pred == pred).count();
        let (users, rest): (Vec<&Merged>, Vec<&Merged>) =
            others.into_iter().partition(|m| occurrences(m) > 0);
        let made = users
            .iter()
            .map(|m| saturating_power(definitions.len(), occurrences(m)));
        let made = made.fold(0usize, usize::saturating_add);
        if made > definitions.len() + users.len() + self.options.growth {
            return Ok(None);
        }
        let mut result: Vec<Merged> = rest.into_iter().cloned().collect();
        for user in users {
            result.extend(resolvents(user, pred, &definitions, cx)?);
        }
        let roots: Vec<_> = result.iter().flat_map(Merged::roots).collect();
        Ok((cx.terms.subterms(&roots).len() <= self.options.size).then_some(result))
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
    /// The new clauses, over the original predicates.
    clauses: Vec<Merged>,
}

impl InlineLift {
    /// The predicates that stay, in order.
    fn kept(&self) -> Vec<Pred> {
        self.system
            .pred_ids()
            .filter(|p| !self.eliminated.contains(p))
            .collect()
    }

    /// The new clauses over the predicates that stay.
    fn small_system(&self) -> ChcSystem {
        let kept = self.kept();
        let rename = |atom: &Atom| Atom {
            pred: place(&kept, atom.pred).expect("invariant: eliminated predicates occur nowhere"),
            args: atom.args.clone(),
        };
        let clause = |m: &Merged| Clause {
            body: m.clause.body.iter().map(rename).collect(),
            head: m.clause.head.as_ref().map(rename),
            ..m.clause.clone()
        };
        ChcSystem {
            preds: kept.iter().map(|&p| self.system.pred(p).clone()).collect(),
            clauses: self.clauses.iter().map(clause).collect(),
        }
    }
}

/// The new number of a predicate; `None` when it went.
fn place(kept: &[Pred], pred: Pred) -> Option<Pred> {
    let place = kept.iter().position(|&p| p == pred)?;
    u32::try_from(place).ok().map(Pred)
}

impl Translation for InlineLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, (pred, formula): Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        vec![(self.kept()[pred.index()], formula)]
    }

    fn down(&self, (pred, formula): Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        let place = place(&self.kept(), pred);
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
        cex::expand(self, &derivation, cx).ok_or(Halt::NotLifted(NAME))
    }
}

#[cfg(test)]
mod tests;
