//! Datatypes that are not recursive become their leaves.
//!
//! ```text
//! p(mk(0, false))                      ⇐ true                          p(0, false)     ⇐ true
//! p(mk(fst x + 1, snd x))              ⇐ p(x)                    →     p(x₀ + 1, x₁)   ⇐ p(x₀, x₁)
//! q(store(a, i, mk(1, snd(a[i]))), i)  ⇐ q(a, i)                       q(store(a₀, i, 1), store(a₁, i, a₁[i]), i) ⇐ q(a₀, a₁, i)
//! ```
//!
//! Tuples, units and enumerations, arrays of them and indexed by them, go by a bijection; sums become
//! a tag and the fields of all constructors, those of constructors not used at a default
//! ([`shape`]). Recursive types stay.
//!
//! Arrays of sums and of enumerations with more than two values are an over-approximation: cells that
//! are read are assumed to hold values, others may hold anything. A proof below is one above; a
//! derivation below need not be one above, which exact replay decides. `passes.unpack_sums` keeps
//! sums and these arrays whole.
//!
//! The way back ([`back`], [`value`]): formulas by selectors and testers in the original signature,
//! values packed by constructors.

mod back;
mod forward;
mod leaves;
mod shape;
mod value;

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::{ChcProof, ChcSystem, Derivation};
use foretell_terms::{Op, Sort, Term, TermStore};
use indexmap::IndexSet;

use crate::shared::facts::Fact;
use crate::shared::replay;
use forward::Leaves;
use shape::{Shapes, Sums};

/// The name of the pass.
const NAME: &str = "unpack";

/// The pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unpack {
    /// Whether sums, and arrays of sums and of enumerations, are taken apart.
    pub(crate) sums: bool,
}

impl Pass for Unpack {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = UnpackLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, UnpackLift), Halt> {
        let sums = if self.sums { Sums::Apart } else { Sums::Whole };
        let (sorts, border) = sorts(from, cx.terms);
        let shapes = Shapes::new(cx.terms, &sorts, &border, sums);
        cx.budget.check()?;
        let (to, leaves) = forward::unpack(from, shapes, cx.terms)
            .unwrap_or_else(|| (from.clone(), Leaves::default()));
        let lift = UnpackLift {
            system: from.clone(),
            leaves,
            sorts,
            border,
            sums,
        };
        Ok((to, lift))
    }
}

/// The sorts that occur, and those in signatures of declared functions.
fn sorts(system: &ChcSystem, terms: &TermStore) -> (IndexSet<Sort>, IndexSet<Sort>) {
    let mut roots: Vec<Term> = system.preds.iter().flat_map(|p| p.params.clone()).collect();
    for clause in &system.clauses {
        roots.push(clause.constraint);
        let atoms = clause.body.iter().chain(&clause.head);
        roots.extend(atoms.flat_map(|a| a.args.iter().copied()));
    }
    let (mut sorts, mut border) = (IndexSet::new(), IndexSet::new());
    for term in terms.subterms(&roots) {
        let node = terms.node(term);
        sorts.insert(node.sort);
        if matches!(node.op, Op::App(_)) && !node.args.is_empty() {
            border.insert(node.sort);
            border.extend(node.args.iter().map(|&a| terms.sort(a)));
        }
    }
    (sorts, border)
}

/// The way back.
pub(crate) struct UnpackLift {
    /// The system before.
    system: ChcSystem,
    /// The leaves of every variable; none when nothing was changed.
    leaves: Leaves,
    /// What the shapes of sorts depend on.
    sorts: IndexSet<Sort>,
    border: IndexSet<Sort>,
    sums: Sums,
}

impl Translation for UnpackLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, (pred, formula): Fact, cx: &Cx<'_>) -> Vec<Fact> {
        let above = back::Back::new(&self.leaves, cx.terms).formula(formula);
        above.map(|formula| (pred, formula)).into_iter().collect()
    }

    fn down(&self, (pred, formula): Fact, cx: &Cx<'_>) -> Vec<Fact> {
        let mut shapes = Shapes::new(cx.terms, &self.sorts, &self.border, self.sums);
        let below = forward::formula(&self.leaves, &mut shapes, formula, cx.terms);
        below.map(|formula| (pred, formula)).into_iter().collect()
    }
}

impl Lift for UnpackLift {
    fn proof(&self, proof: ChcProof, cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        back::proof(&self.leaves, proof, cx.terms).ok_or(Halt::NotLifted(NAME))
    }

    fn cex(&self, derivation: Derivation, cx: &Cx<'_>) -> Result<Derivation, Halt> {
        if self.leaves.is_empty() {
            return Ok(derivation);
        }
        let packed = value::derivation(&self.leaves, &self.system, derivation, cx.terms);
        let packed = packed.ok_or(Halt::NotLifted(NAME))?;
        replay::complete(&self.system, packed, NAME, cx)
    }
}

#[cfg(test)]
mod tests;
