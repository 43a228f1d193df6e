//! Cells: arrays seen at finitely many indices.
//!
//! Paper: none; the idea is folklore, see `project.rs`. The order of refinement follows Mann et al.,
//! "Counterexample-Guided Prophecy for Model Checking Modulo the Theory of Arrays", LMCS 18(3), 2022,
//! in that consecutive values come first; comparisons as predicates follow Seghir, Podelski, Wies,
//! SAS 2009 (`hints.rs`).
//!
//! ```text
//! initial(S)      tracked ← positions that init and the property read;  build(S, tracked)   // build.rs
//! refine(π)       a path with arrays as long as π?   genuine
//!                 for pools of positions, small ones first                                  // positions.rs
//!                   build(S, tracked, pool under labels) has no path of that length?
//!                     tracked ← tracked ∪ core of the labels;  build(S, tracked)
//!                 none?  give up
//! lift(Inv)       every cell is the element it stands for
//! ```
//!
//! The abstract system has no arrays, so that the engine beneath works with arithmetic alone.
//!
//! Limits: a property that depends on all elements of an array at once, seen through indices that
//! neither a frozen nor a current term names, has no proof over cells; then refinement gives up and the
//! verdict is unknown.

use foretell_formulas::arrays::{is_array, shape};
use foretell_formulas::{Quantifier, close};
use foretell_kernel::{
    Abstraction, Count, Cx, Event, Halt, Model, Reason, Refinement, Translation, Unsupported, Work,
    options,
};
use foretell_systems::{Invariant, Trace, TransitionSystem, Unroller};
use foretell_terms::{Sort, Term, TermSet};
use indexmap::IndexSet;

use super::build::{Built, Cell, Tracked, build, concretize};
use super::hints;
use super::polarity::without_quantifiers;
use super::positions::Miner;
use super::project::Position;
use crate::array_prophecy::arrays::unrolling::{Paths, Unrolling};

options! {
    /// Options of the cells of arrays.
    pub struct CellsOptions("cells") {
        /// How many positions that the steps read or write are tracked before a counterexample asks for
        /// them.
        eager: u32 = 0, 0..=1_000;
        /// The largest number of tracked positions.
        max_positions: u32 = 24, 0..=1_000;
        /// Whether comparisons of indices, and cells beside what is written there, are proposed as
        /// predicates (Seghir, Podelski, Wies).
        hints: bool = true;
        /// Whether the property is assumed in the pre-state of steps (Mann et al., section 6.1).
        assume_property: bool = true;
        /// Whether positions that occur nowhere are tried: those near others, and sums and differences
        /// of frozen ones.
        pool: bool = true;
        /// Whether the indices of the goal, and as many others of each shape, are declared arbitrary, so
        /// that an engine may close its frames over them.
        quantified: bool = false;
        /// How many indices that the goal does not name are made per shape of array; only with
        /// `quantified`.
        free_indices: u32 = 1, 0..=16;
        /// How many such indices are made when nothing else excludes a counterexample.
        max_free_indices: u32 = 2, 0..=16;
        /// Milliseconds the search for a path with arrays may take before the path counts as abstract.
        replay_ms: u64 = 5000, 0..=3_600_000;
    }
}

/// The abstraction of arrays to cells.
pub struct Cells {
    options: CellsOptions,
    /// In order of introduction.
    tracked: IndexSet<Position>,
    /// Positions made of parameters that only the property mentions.
    arbitrary: Vec<Position>,
    /// Positions at which arrays of the goal differ, made of parameters that only the property mentions.
    differences: Vec<Position>,
    /// Parameters that were made; the system given does not have them.
    made: Vec<Term>,
    /// How many were made for each shape of array.
    rounds: u32,
    cells: Vec<Cell>,
}

impl Cells {
    /// A layer with these options.
    pub fn new(options: CellsOptions) -> Cells {
        Cells {
            options,
            tracked: IndexSet::new(),
            arbitrary: Vec::new(),
            differences: Vec::new(),
            made: Vec::new(),
            rounds: 0,
            cells: Vec::new(),
        }
    }

    /// The positions tracked so far.
    pub fn tracked(&self) -> impl Iterator<Item = &Position> {
        self.tracked.iter()
    }

    /// The system over the cells at the tracked positions.
    fn abstracted(
        &mut self,
        concrete: &TransitionSystem,
        cx: &Cx<'_>,
    ) -> Result<TransitionSystem, Halt> {
        let Built {
            mut system,
            cells,
            differences,
        } = self.built(concrete, &[], cx)?;
        self.cells = cells;
        self.differences = differences;
        if self.options.hints {
            let more = hints::hints(concrete, &system, &self.cells, cx.terms);
            system.guide.hints.extend(more);
        }
        cx.events
            .emit(Event::Count(Count::Cells, self.cells.len() as u64));
        Ok(system)
    }

    fn built(
        &self,
        concrete: &TransitionSystem,
        more: &[Tracked],
        cx: &Cx<'_>,
    ) -> Result<Built, Halt> {
        let plain = |p: &Position| Tracked {
            position: p.clone(),
            label: None,
        };
        let tracked: Vec<Tracked> = self
            .tracked
            .iter()
            .map(plain)
            .chain(more.iter().cloned())
            .collect();
        let mut built = build(concrete, &tracked, &self.arbitrary, cx.terms)?;
        if self.options.assume_property {
            built
                .system
                .strengthen_trans(cx.terms, built.system.property);
        }
        Ok(built)
    }

    /// The system with the parameters that were made, and without what it says with quantifiers.
    fn extended(&self, concrete: &TransitionSystem, cx: &Cx<'_>) -> Result<TransitionSystem, Halt> {
        let refused = || Halt::Unsupported(Unsupported("quantifiers over cells".into()));
        let plain = |formula: Term| without_quantifiers(cx.terms, formula).ok_or_else(refused);
        let mut extended = concrete.clone();
        extended.params.extend(&self.made);
        extended.init = plain(concrete.init)?;
        extended.trans = plain(concrete.trans)?;
        extended.property = cx.terms.not(plain(cx.terms.not(concrete.property))?);
        Ok(extended)
    }

    /// Finds the arbitrary positions among those of the goal, and makes more.
    fn declare_arbitrary(&mut self, concrete: &TransitionSystem, cx: &Cx<'_>) {
        let terms = cx.terms;
        self.arbitrary.clear();
        self.made.clear();
        self.rounds = 0;
        if !self.options.quantified {
            return;
        }
        let fixed: TermSet = terms
            .free_vars(&[concrete.init, concrete.trans])
            .into_iter()
            .collect();
        let free = |t: &Term| concrete.params.contains(t) && !fixed.contains(t);
        let named = self.tracked.iter().filter(|p| p.iter().all(free));
        let apart = |p: &&Position| p.iter().collect::<IndexSet<_>>().len() == p.len();
        let mut used = TermSet::default();
        for position in named.filter(apart) {
            if position.iter().all(|t| !used.contains(t)) {
                used.extend(position);
                self.arbitrary.push(position.clone());
            }
        }
        for _ in 0..self.options.free_indices {
            // The limit on positions holds for these as well.
            if self.tracked.len() >= self.options.max_positions as usize {
                break;
            }
            self.add_indices(concrete, cx);
        }
    }

    /// Makes an arbitrary position for every shape of array.
    fn add_indices(&mut self, concrete: &TransitionSystem, cx: &Cx<'_>) {
        let terms = cx.terms;
        let symbols = concrete
            .current()
            .into_iter()
            .chain(concrete.params.iter().copied());
        let arrays = symbols.filter(|&t| is_array(terms, t));
        let shapes: IndexSet<Vec<Sort>> = arrays.map(|a| shape(terms, terms.sort(a)).0).collect();
        for sorts in shapes {
            let position: Position = sorts.iter().map(|&s| terms.fresh("index", s)).collect();
            self.made.extend(&position);
            self.tracked.insert(position.clone());
            self.arbitrary.push(position);
        }
        self.rounds += 1;
    }

    /// The run with arrays, if there is one of this length.
    fn replay(
        &self,
        concrete: &TransitionSystem,
        length: u32,
        cx: &Cx<'_>,
    ) -> Result<Option<Trace>, Halt> {
        let mut paths = Unrolling::new(concrete, length, "cells-replay", cx)?;
        let read = |model: &dyn Model, unroller: &mut Unroller| {
            unroller.trace(cx.terms, concrete, model, length)
        };
        let limit = Work::of_millis(self.options.replay_ms);
        match cx.within(limit, |cx| paths.check(&TermSet::default(), read, cx))? {
            Some(Paths::Some(trace)) => trace.map(Some),
            _ => Ok(None),
        }
    }

    /// The positions of a pool without which there is an abstract path of this length; `None` when there
    /// is one even with all of them.
    fn needed(
        &self,
        concrete: &TransitionSystem,
        pool: &[Position],
        length: u32,
        cx: &Cx<'_>,
    ) -> Result<Option<Vec<Position>>, Halt> {
        let label = |p: &Position| Tracked {
            position: p.clone(),
            label: Some(cx.terms.fresh("tracked", Sort::BOOL)),
        };
        let labelled: Vec<Tracked> = pool.iter().map(label).collect();
        let built = self.built(concrete, &labelled, cx)?;
        let mut paths = Unrolling::new(&built.system, length, "cells-paths", cx)?;
        let labels: TermSet = labelled.iter().filter_map(|t| t.label).collect();
        Ok(match paths.check(&labels, |_, _| (), cx)? {
            Paths::None(core) => {
                let core = crate::array_prophecy::arrays::reduce::core(&mut paths, core, cx)?;
                let kept = labelled
                    .iter()
                    .filter(|t| t.label.is_some_and(|l| core.contains(&l)));
                Some(kept.map(|t| t.position.clone()).collect())
            }
            Paths::Some(()) | Paths::Unknown(_) => None,
        })
    }

    /// Pools of positions, each with those before it.
    fn pools(&self, concrete: &TransitionSystem, cx: &Cx<'_>) -> Vec<Vec<Position>> {
        let mut miner = Miner::new(concrete, cx.terms);
        let steps = miner.positions(&[concrete.init, concrete.property, concrete.trans]);
        let mut basis: Vec<Position> = self.tracked.iter().cloned().collect();
        basis.extend(steps.iter().filter(|p| !self.tracked.contains(*p)).cloned());
        let first: Vec<Position> = basis[self.tracked.len()..].to_vec();
        let mut pools = vec![first.clone()];
        if self.options.pool {
            pools.push(first.into_iter().chain(miner.pool(&basis)).collect());
        }
        pools
    }
}

impl Translation for Cells {
    type From = TransitionSystem;
    type To = TransitionSystem;

    /// Formulas about indices that were made say nothing about the system given.
    fn up(&self, fact: Term, cx: &Cx<'_>) -> Vec<Term> {
        let made: Vec<&Term> = self
            .made
            .iter()
            .chain(self.differences.iter().flatten())
            .collect();
        let used = cx.terms.free_vars(&[fact]);
        if used.iter().any(|v| made.contains(&v)) {
            return Vec::new();
        }
        vec![concretize(&self.cells, cx.terms).apply(cx.terms, fact)]
    }

    /// Formulas about elements that are not tracked say nothing about cells.
    fn down(&self, fact: Term, cx: &Cx<'_>) -> Vec<Term> {
        let mut elements = concretize(&self.cells, cx.terms);
        let cells = self.cells.iter().map(|c| c.value);
        let pairs: Vec<(Term, Term)> = cells
            .map(|cell| (elements.apply(cx.terms, cell), cell))
            .collect();
        let image = cx.terms.substitute(fact, pairs);
        if cx.terms.any_subterm(image, is_array) {
            return Vec::new();
        }
        vec![image]
    }
}

impl Abstraction for Cells {
    fn initial(
        &mut self,
        concrete: &TransitionSystem,
        cx: &Cx<'_>,
    ) -> Result<TransitionSystem, Halt> {
        let symbols = concrete
            .current()
            .into_iter()
            .chain(concrete.params.iter().copied());
        if !symbols.into_iter().any(|t| is_array(cx.terms, t)) {
            return Err(Halt::Unsupported(Unsupported(
                "cells of a system without arrays".into(),
            )));
        }
        self.made.clear();
        let concrete = &self.extended(concrete, cx)?;
        let mut miner = Miner::new(concrete, cx.terms);
        self.tracked = miner
            .positions(&[concrete.init, concrete.property])
            .into_iter()
            .collect();
        let steps = miner.positions(&[concrete.trans]);
        self.tracked
            .extend(steps.into_iter().take(self.options.eager as usize));
        self.tracked.truncate(self.options.max_positions as usize);
        self.declare_arbitrary(concrete, cx);
        self.abstracted(&self.extended(concrete, cx)?, cx)
    }

    fn refine(
        &mut self,
        concrete: &TransitionSystem,
        system: &mut TransitionSystem,
        cex: &Trace,
        cx: &Cx<'_>,
    ) -> Result<Refinement<Trace>, Halt> {
        let length = u32::try_from(cex.steps.len().saturating_sub(1)).unwrap_or(u32::MAX);
        if let Some(trace) = self.replay(concrete, length, cx)? {
            return Ok(Refinement::Genuine(trace));
        }
        let given = concrete;
        let concrete = &self.extended(given, cx)?;
        for pool in self.pools(concrete, cx) {
            cx.budget.check()?;
            let Some(needed) = self.needed(concrete, &pool, length, cx)? else {
                continue;
            };
            let room = (self.options.max_positions as usize).saturating_sub(self.tracked.len());
            if needed.is_empty() || needed.len() > room {
                break;
            }
            for position in needed {
                explain(&position, cx);
                self.tracked.insert(position);
            }
            *system = self.abstracted(concrete, cx)?;
            return Ok(Refinement::Refined);
        }
        if self.options.quantified && self.rounds < self.options.max_free_indices {
            self.add_indices(given, cx);
            *system = self.abstracted(&self.extended(given, cx)?, cx)?;
            return Ok(Refinement::Refined);
        }
        let words = "no index term excludes a counterexample over cells that is not genuine";
        Ok(Refinement::GaveUp(Reason::Exhausted(words.into())))
    }

    fn lift(&self, proof: Invariant, cx: &Cx<'_>) -> Result<Invariant, Halt> {
        let mut elements = concretize(&self.cells, cx.terms);
        let mut proof = proof.map(&mut |term| Ok(elements.apply(cx.terms, term)))?;
        proof.formula = self.closed(proof.formula, cx);
        Ok(proof)
    }
}

impl Cells {
    /// `∀z. formula` for the arbitrary symbols it mentions, conjunct by conjunct.
    fn closed(&self, formula: Term, cx: &Cx<'_>) -> Term {
        let terms = cx.terms;
        let symbols = self.arbitrary.iter().chain(&self.differences).flatten();
        let symbols: Vec<Term> = symbols.copied().collect();
        let close = |conjunct: Term| close(terms, Quantifier::Forall, &symbols, conjunct);
        terms.and(terms.conjuncts(formula).into_iter().map(close))
    }
}

/// Tells the user what is tracked.
fn explain(position: &Position, cx: &Cx<'_>) {
    let indices: Vec<String> = position.iter().map(|&t| cx.terms.print(t)).collect();
    cx.events.emit(Event::Explain(&format!(
        "the elements at {} are tracked",
        indices.join(", ")
    )));
}
