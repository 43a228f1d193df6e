//! Arrays of arrays become arrays with two indices.
//!
//! ```text
//! p(store(m, i, store(select(m, i), j, 0)), i)  ⇐ p(m, i) ∧ select(select(m, i), j) > 0
//! p(store(m, i, j, 0), i)                       ⇐ p(m, i) ∧ select(m, i, j) > 0
//! ```
//!
//! A sort `I → (J → E)` is flattened to `I × J → E` when its rows are only read cell by cell or
//! written back to where they came from: each row `select(m, i)`, possibly with stores on it, is an
//! argument of `select`, or is stored at `i` into `m` itself. A row that is compared, passed on,
//! copied elsewhere or written whole keeps the sort as it is. Sorts are treated from the outside in,
//! so that three dimensions are flattened in two rounds.
//!
//! The way back: formulas are written with nested arrays again; values are nested again.

mod back;
mod forward;

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::{ChcProof, ChcSystem, Derivation};
use foretell_terms::{Sort, Term, TermMap, TermSet, TermStore};

use crate::shared::facts::Fact;

/// The name of the pass.
const NAME: &str = "flatten";

/// The pass.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Flatten;

impl Pass for Flatten {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = FlattenLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, FlattenLift), Halt> {
        let (mut system, mut rounds) = (from.clone(), Vec::new());
        let mut refused: Vec<Sort> = Vec::new();
        while let Some(shape) = candidate(&system, &refused, cx.terms) {
            cx.budget.check()?;
            match forward::flatten(&system, &shape, cx.terms) {
                Some((flat, originals)) => {
                    system = flat;
                    rounds.push(Round { shape, originals });
                }
                None => refused.push(shape.nested),
            }
        }
        Ok((system, FlattenLift { rounds }))
    }
}

/// A sort of nested arrays and its flat form.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// `I → (J → E)`.
    nested: Sort,
    /// `J → E`.
    row: Sort,
    /// `I × J → E`.
    flat: Sort,
    /// The number of indices of the outer array.
    outer: usize,
}

/// One sort that was flattened.
struct Round {
    shape: Shape,
    /// Each new variable (parameters and clause variables) with the one it replaces.
    originals: TermMap<Term>,
}

/// A nested sort that occurs, is no row of another one and was not refused.
fn candidate(system: &ChcSystem, refused: &[Sort], terms: &TermStore) -> Option<Shape> {
    let sorts: indexmap::IndexSet<Sort> = terms
        .subterms(&roots(system))
        .into_iter()
        .map(|t| terms.sort(t))
        .collect();
    let is_row = |sort: Sort| {
        sorts
            .iter()
            .any(|&s| !refused.contains(&s) && terms.array_parts(s).is_some_and(|(_, e)| e == sort))
    };
    let nested = sorts.iter().copied().find(|&sort| {
        let element = terms.array_parts(sort).map(|(_, e)| e);
        let is_nested = element.is_some_and(|e| terms.array_parts(e).is_some());
        is_nested && !refused.contains(&sort) && !is_row(sort)
    })?;
    let (outer, row) = terms.array_parts(nested)?;
    let (inner, element) = terms.array_parts(row)?;
    let indices: Vec<Sort> = outer.iter().chain(inner).copied().collect();
    Some(Shape {
        nested,
        row,
        flat: terms.array_sort(&indices, element),
        outer: outer.len(),
    })
}

/// All terms of a system.
fn roots(system: &ChcSystem) -> Vec<Term> {
    let mut all: TermSet = system
        .preds
        .iter()
        .flat_map(|p| p.params.iter().copied())
        .collect();
    for clause in &system.clauses {
        all.insert(clause.constraint);
        all.extend(clause.vars.iter().copied());
        all.extend(
            clause
                .body
                .iter()
                .chain(&clause.head)
                .flat_map(|a| a.args.iter().copied()),
        );
    }
    all.into_iter().collect()
}

/// The way back.
pub(crate) struct FlattenLift {
    /// The flattened sorts in order.
    rounds: Vec<Round>,
}

impl Translation for FlattenLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, (pred, formula): Fact, cx: &Cx<'_>) -> Vec<Fact> {
        let nest = |formula, round| back::formula(round, formula, cx.terms);
        vec![(pred, self.rounds.iter().rev().fold(formula, nest))]
    }

    fn down(&self, (pred, formula): Fact, cx: &Cx<'_>) -> Vec<Fact> {
        let flatten = |formula, round| forward::formula(round, formula, cx.terms);
        let flat = self.rounds.iter().try_fold(formula, flatten);
        flat.map(|formula| (pred, formula)).into_iter().collect()
    }
}

impl Lift for FlattenLift {
    fn proof(&self, proof: ChcProof, cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        Ok(self
            .rounds
            .iter()
            .rev()
            .fold(proof, |proof, round| back::proof(round, proof, cx.terms)))
    }

    fn cex(&self, derivation: Derivation, cx: &Cx<'_>) -> Result<Derivation, Halt> {
        let unflatten = |d: Derivation, round: &Round| back::derivation(round, d, cx.terms);
        let nested = self.rounds.iter().rev().try_fold(derivation, unflatten);
        nested.ok_or(Halt::NotLifted(NAME))
    }
}

#[cfg(test)]
mod tests;
