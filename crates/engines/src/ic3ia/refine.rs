//! Refinement: is the abstract path concrete, and if not, which predicates exclude it?
//!
//! ```text
//! simulate(π)   I@0 ∧ c_0@0 ∧ T@0 ∧ c_1@1 ∧ … ∧ T@(k-1) ∧ c_k@k ∧ ¬P@k      satisfiable: genuine
//! refine(π)     atoms of sequence interpolants, else of weakest preconditions, else comparisons
//! ```
//!
//! (TACAS 2014, section 3.3.) The sources are tried in that order until one yields a predicate that
//! is not in ℙ yet; what a source yields is reduced by `minimise.rs`. When a row of refinements brings
//! new constants only, `diverge.rs` adds predicates of another kind.

use foretell_kernel::{Cx, Event, Halt, Interpolation, Strength, Work};
use foretell_systems::{Trace, TransitionSystem, Unroller};
use foretell_terms::{Term, TermSet};

use super::diverge::{self, Divergence};
use super::minimise::minimise;
use super::obligation::Node;
use super::options::Ic3iaOptions;
use super::queries::config;
use super::sources;
use crate::abstraction::{Cube, LiteralSolver, Predicates, Preimages, Reply, Stop, undecided};

/// What refinement came to.
pub(super) enum Refined {
    /// The path is concrete.
    Genuine(Trace),
    /// Predicates were added.
    Added,
    /// No source yields a predicate that is not in ℙ.
    Nothing,
}

/// The bounded unrolling of the system, kept between refinements.
pub(super) struct Refiner {
    unroller: Unroller,
    solver: LiteralSolver,
    /// `steps[i]` is the label of T@i.
    steps: Vec<Term>,
    divergence: Divergence,
}

impl Refiner {
    /// For a system as it is now.
    pub(super) fn new(
        system: &TransitionSystem,
        options: &Ic3iaOptions,
        cx: &Cx<'_>,
    ) -> Result<Refiner, Halt> {
        let mut solver = LiteralSolver::new(&config("ic3ia-simulate", system, options, cx), 0, cx);
        let mut unroller = Unroller::new(system);
        solver.assert(unroller.at(cx.terms, system.init, 0), cx)?;
        Ok(Refiner {
            unroller,
            solver,
            steps: Vec::new(),
            divergence: Divergence::default(),
        })
    }

    /// A run of length 0 to a bad state, if I ∧ ¬P has a model.
    pub(super) fn check_init(
        &mut self,
        system: &TransitionSystem,
        cx: &Cx<'_>,
    ) -> Result<Option<Trace>, Stop> {
        match self.simulate(system, &[Cube::new(Vec::new())], cx)? {
            Reply::Sat(trace) => Ok(Some(trace?)),
            Reply::Unsat(_) => Ok(None),
            Reply::Unknown(words) => Err(undecided(words)),
        }
    }

    /// Simulates a path and, if it is spurious, adds predicates against it.
    pub(super) fn refine(
        &mut self,
        system: &TransitionSystem,
        path: &[Node],
        predicates: &mut Predicates,
        options: &Ic3iaOptions,
        cx: &Cx<'_>,
    ) -> Result<Refined, Stop> {
        let cubes: Vec<Cube> = path.iter().map(|n| n.cube.clone()).collect();
        let core = match self.simulate(system, &cubes, cx)? {
            Reply::Sat(trace) => return Ok(Refined::Genuine(trace?)),
            Reply::Unsat(core) => core,
            Reply::Unknown(words) => return Err(undecided(words)),
        };
        let found = self.sources(system, (path, &cubes, &core), predicates, options, cx)?;
        let kept = if options.minimise_predicates && found.len() > 1 {
            minimise(system, &cubes, predicates, &found, options, cx)?
        } else {
            found
        };
        let widened = self.widen(system, &kept, predicates, options, cx)?;
        for &atom in kept.iter().chain(&widened) {
            cx.events.emit(Event::Predicate(atom));
            predicates.add(cx.terms, atom);
        }
        Ok(if kept.is_empty() && widened.is_empty() {
            Refined::Nothing
        } else {
            Refined::Added
        })
    }

    /// New atoms of the first source that yields any; the core is of the simulated path.
    fn sources(
        &mut self,
        system: &TransitionSystem,
        (path, cubes, core): (&[Node], &[Cube], &Cube),
        predicates: &Predicates,
        options: &Ic3iaOptions,
        cx: &Cx<'_>,
    ) -> Result<TermSet, Halt> {
        let mut found = TermSet::default();
        if options.interpolate {
            // What the path is spurious without need not be in the interpolants either.
            let steps = cubes.iter().zip(0..);
            let needed: Vec<Cube> = steps
                .map(|(c, step)| self.needed(c, step, core, cx))
                .collect();
            let interpolants = self.interpolate(system, &needed, options, cx)?;
            collect(&interpolants, predicates, &mut found, cx);
        }
        if options.preconditions && (found.is_empty() || options.always_preconditions) {
            let mut preimages = Preimages::new(system);
            let conditions = sources::preconditions(system, path, &mut preimages, cx);
            collect(&conditions, predicates, &mut found, cx);
        }
        if options.comparisons && found.is_empty() {
            let guards = predicates.guards(system, cx.terms);
            collect(&guards, predicates, &mut found, cx);
        }
        if options.comparisons && found.is_empty() {
            let comparisons = sources::comparisons(system, cubes, cx);
            collect(&comparisons, predicates, &mut found, cx);
        }
        Ok(found)
    }

    /// Predicates of another kind when refinement diverges.
    fn widen(
        &mut self,
        system: &TransitionSystem,
        new: &TermSet,
        predicates: &Predicates,
        options: &Ic3iaOptions,
        cx: &Cx<'_>,
    ) -> Result<TermSet, Halt> {
        let mut found = TermSet::default();
        let atoms = match self
            .divergence
            .note(new, predicates, options.diverge_after, cx)
        {
            Some(1) => diverge::hull(
                system,
                &mut self.unroller,
                &mut self.solver,
                &self.steps,
                cx,
            )?,
            Some(2) => diverge::comparisons(system, cx),
            Some(_) => diverge::remainders(system, cx),
            None => return Ok(found),
        };
        collect(&atoms, predicates, &mut found, cx);
        Ok(found)
    }

    /// Is there a run through these cubes?
    fn simulate(
        &mut self,
        system: &TransitionSystem,
        cubes: &[Cube],
        cx: &Cx<'_>,
    ) -> Result<Reply<Result<Trace, Halt>>, Halt> {
        let length = u32::try_from(cubes.len() - 1).expect("invariant: fewer than 2^32 steps");
        while self.steps.len() < length as usize {
            let step = u32::try_from(self.steps.len()).expect("invariant: fewer than 2^32 steps");
            let label = self.solver.label("step", cx);
            let formula = self.unroller.at(cx.terms, system.trans, step);
            self.solver.assert_under(label, formula, cx)?;
            self.steps.push(label);
        }
        let bad = self
            .unroller
            .at(cx.terms, cx.terms.not(system.property), length);
        let mut labels = self.steps[..length as usize].to_vec();
        labels.push(self.solver.temporarily(bad, cx)?);
        let mut lits = Vec::new();
        for (cube, step) in cubes.iter().zip(0..) {
            lits.extend(
                cube.lits()
                    .iter()
                    .map(|&l| self.unroller.at(cx.terms, l, step)),
            );
        }
        let mut unroller = self.unroller.clone();
        let read =
            |model: &dyn foretell_kernel::Model| unroller.trace(cx.terms, system, model, length);
        self.solver.ask(&labels, &lits, read, cx)
    }

    /// The literals of a cube whose timed copies are in a core.
    fn needed(&mut self, cube: &Cube, step: u32, core: &Cube, cx: &Cx<'_>) -> Cube {
        let in_core = |l: &Term| core.contains(self.unroller.at(cx.terms, *l, step));
        Cube::new(cube.lits().iter().copied().filter(in_core).collect())
    }

    /// The interpolants of the path over current values; empty when there are none to be had.
    fn interpolate(
        &mut self,
        system: &TransitionSystem,
        cubes: &[Cube],
        options: &Ic3iaOptions,
        cx: &Cx<'_>,
    ) -> Result<Vec<Term>, Halt> {
        let mut parts = Vec::with_capacity(cubes.len());
        let last = cubes.len() - 1;
        for (cube, step) in cubes.iter().zip(0u32..) {
            let mut formulas = vec![self.unroller.at(cx.terms, cube.term(cx.terms), step)];
            if step == 0 {
                formulas.push(self.unroller.at(cx.terms, system.init, 0));
            }
            let end = if step as usize == last {
                cx.terms.not(system.property)
            } else {
                system.trans
            };
            formulas.push(self.unroller.at(cx.terms, end, step));
            parts.push(cx.terms.and(formulas));
        }
        if parts.len() < 2 {
            return Ok(Vec::new());
        }
        let mut interpolator = cx.oracles.interpolator(Strength::Strong);
        let limit = Work::of_millis(options.interpolate_ms);
        let answer = cx.within(limit, |cx| interpolator.sequence(&parts, cx))?;
        let Some(Interpolation::Interpolants(interpolants)) = answer else {
            return Ok(Vec::new());
        };
        let timed = interpolants.into_iter().zip(1u32..);
        Ok(timed
            .map(|(i, step)| self.unroller.untime(cx.terms, i, step))
            .collect())
    }
}

/// The new atoms of some formulas.
fn collect(formulas: &[Term], predicates: &Predicates, into: &mut TermSet, cx: &Cx<'_>) {
    for atom in cx.terms.atoms(formulas) {
        into.extend(
            predicates
                .spell(cx.terms, atom)
                .filter(|&a| !predicates.contains(a)),
        );
    }
}
