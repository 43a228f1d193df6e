//! Blocking and generalization: the inner loops of IC3.
//!
//! ```text
//! rec_block(c, k)                                   // FMCAD 2011, figure 6
//!   Q ← {(c, k)}
//!   while Q has (s, i) of least i
//!     s meets I?            return the path from s
//!     F_i excludes s?       continue
//!     F_{i-1} ∧ ¬s ∧ T ∧ s' has a model μ?
//!       Q ← Q ∪ {(lift(μ), i-1), (s, i)}
//!     else
//!       g ← generalize(core, i); push g forward to j; F_1 … F_j ← F ∧ ¬g
//!       Q ← Q ∪ {(s, j+1)}  if j < k
//! generalize(c, i)                                  // FMCAD 2013: mic, down, ctg
//!   for each literal l of c: try c \ l, once CTGs that stand in the way are blocked
//! ```
//!
//! Contract of every cube added at level i: `I ∧ c` and `F_{i-1} ∧ ¬c ∧ T ∧ c'` were *unsatisfiable*;
//! an undecided query never blocks anything.

use foretell_kernel::{Cx, Event, Halt};
use foretell_systems::TransitionSystem;
use foretell_terms::{Substitution, Term};

use super::model::Predecessor;
use super::obligation::{Node, NodeId, ObligationQueue};
use super::offered::Offered;
use super::options::Ic3iaOptions;
use super::queries::Queries;
use super::refine::Refiner;
use super::trace::{Level, Trace};
use crate::abstraction::{Cube, Lifting, Predicates, Preimages, Reply, Stop, Valuation, undecided};

/// What blocking came to.
pub(super) enum Blocking {
    /// The bad cube is excluded from the frontier.
    Blocked,
    /// An abstract path from I to the bad cube.
    Path(Vec<Node>),
}

impl Lifting {
    /// As the options say.
    pub(super) fn by(options: &Ic3iaOptions) -> Lifting {
        if options.lift {
            Lifting::On
        } else {
            Lifting::Off
        }
    }
}

/// The search for one system.
pub(super) struct Search {
    pub(super) options: Ic3iaOptions,
    pub(super) system: TransitionSystem,
    pub(super) trace: Trace,
    pub(super) queue: ObligationQueue,
    pub(super) predicates: Predicates,
    pub(super) queries: Queries,
    pub(super) refiner: Refiner,
    pub(super) preimages: Preimages,
    pub(super) lifting: Lifting,
    pub(super) offered: Offered,
}

impl Search {
    /// Blocks a bad state at the frontier, `F_k ⊨ ¬bad`, or finds an abstract path from I to it.
    pub(super) fn rec_block(&mut self, bad: Valuation, cx: &Cx<'_>) -> Result<Blocking, Stop> {
        let mut bad = bad;
        // Arbitrary symbols the goal does not speak of stay free for its predecessors.
        for smaller in self.queries.closure.smaller(&bad.cube, cx) {
            if let Reply::Unsat(_) = self.queries.excludes_good(&smaller, cx)? {
                bad.cube = smaller;
                break;
            }
        }
        let cube = self.bad_cube(&bad, cx)?;
        let frontier = self.trace.frontier();
        if let Some(path) = self.open(cube, &bad, None, frontier, cx)? {
            return Ok(Blocking::Path(path));
        }
        while let Some((id, level)) = self.queue.pop() {
            cx.budget.check().map_err(Halt::from)?;
            self.queries.refresh(&self.trace, cx)?;
            if let Some(path) = self.block(id, level, cx)? {
                return Ok(Blocking::Path(path));
            }
        }
        Ok(Blocking::Blocked)
    }

    /// Opens an obligation ⟨cube, level⟩; if `I ∧ cube` is satisfiable, the path from there.
    fn open(
        &mut self,
        cube: Cube,
        state: &Valuation,
        successor: Option<NodeId>,
        level: Level,
        cx: &Cx<'_>,
    ) -> Result<Option<Vec<Node>>, Stop> {
        cx.events.emit(Event::Obligation(level.0, cube.lits()));
        let (meets_init, init_core) = match self.queries.excludes_init(&cube, cx)? {
            Reply::Unsat(core) => (false, core),
            Reply::Sat(()) => (true, Cube::new(Vec::new())),
            Reply::Unknown(words) => return Err(undecided(words)),
        };
        let id = self.queue.node(Node {
            cube,
            init_core,
            model: state.values.clone(),
            successor,
        });
        if meets_init || level == Level::INIT {
            return Ok(Some(self.queue.path(id)));
        }
        self.queue.push(id, level);
        Ok(None)
    }

    /// Handles one obligation: `F_{level-1} ∧ ¬cube ∧ T ∧ cube'` has a model, whose state becomes an
    /// obligation one level below, or a clause that implies ¬cube is learnt.
    fn block(&mut self, id: NodeId, level: Level, cx: &Cx<'_>) -> Result<Option<Vec<Node>>, Stop> {
        let cube = self.queue.get(id).cube.clone();
        if self.trace.is_blocked(&cube, level) {
            self.reenqueue(id, level);
            return Ok(None);
        }
        let mut answer = self.predecessor(&cube, level, cx)?;
        if let Reply::Unknown(_) = answer {
            // A fresh solver may decide what a tired one could not.
            self.queries.rebuild(&self.trace, cx)?;
            answer = self.predecessor(&cube, level, cx)?;
        }
        match answer {
            Reply::Unsat(core) => {
                let init_core = self.queue.get(id).init_core.clone();
                let core = self.outside_init(self.located(core, &cube, cx), &init_core, cx)?;
                let cube = match self.options.generalize {
                    true => self.generalize(core, level, 0, cx)?,
                    false => core,
                };
                let level = self.push(&cube, level, cx)?;
                self.learn(cube, level, cx)?;
                self.reenqueue(id, level);
                Ok(None)
            }
            Reply::Sat(found) => {
                let predecessor = self.predecessor_cube(&found, &cube, cx)?;
                let state = found.state;
                self.queue.push(id, level);
                self.open(predecessor, &state, Some(id), level.below(), cx)
            }
            Reply::Unknown(words) => Err(undecided(words)),
        }
    }

    /// What is blocked for a bad state.
    fn bad_cube(&mut self, bad: &Valuation, cx: &Cx<'_>) -> Result<Cube, Stop> {
        if self.options.concrete {
            let negation = cx.terms.not(self.system.property);
            let mut here = Preimages::of_step(negation, Substitution::new(), &[]);
            return concrete(bad, &[], &mut here, cx);
        }
        Ok(match self.queries.excludes_good(&bad.cube, cx)? {
            Reply::Unsat(core) if self.lifting == Lifting::On => self.located(core, &bad.cube, cx),
            _ => bad.cube.clone(),
        })
    }

    /// What is blocked for a state with a step into a cube.
    fn predecessor_cube(
        &mut self,
        found: &Predecessor,
        cube: &Cube,
        cx: &Cx<'_>,
    ) -> Result<Cube, Stop> {
        let (state, preimages) = (&found.state, &mut self.preimages);
        if self.options.concrete {
            return concrete(state, cube.lits(), preimages, cx);
        }
        Ok(match self.lifting {
            Lifting::On => {
                let solver = &mut self.queries.state;
                let lifted = preimages.lift_predecessor(state, cube, solver, cx)?;
                self.located(lifted.union(&found.aimed), &state.cube, cx)
            }
            Lifting::Off => state.cube.clone(),
        })
    }

    /// A model of `F_{level-1} ∧ ¬cube ∧ T ∧ cube'`.
    fn predecessor(
        &mut self,
        cube: &Cube,
        level: Level,
        cx: &Cx<'_>,
    ) -> Result<Reply<Predecessor>, Halt> {
        let query = self.queries.rel_ind(cube).at(level).assuming_clause();
        query.predecessor(&self.predicates, cx)
    }

    /// Puts a cube blocked at `level` back one level up.
    fn reenqueue(&mut self, id: NodeId, level: Level) {
        if self.options.reenqueue && level < self.trace.frontier() {
            self.queue.push(id, level.above());
        }
    }

    /// The cube, with the literals of `init_core` put back unless `I ⊨ ¬cube`; `I ⊨ ¬init_core`.
    fn outside_init(&mut self, cube: Cube, init_core: &Cube, cx: &Cx<'_>) -> Result<Cube, Halt> {
        if init_core.subsumes(&cube) {
            return Ok(cube);
        }
        Ok(match self.queries.excludes_init(&cube, cx)? {
            Reply::Unsat(_) => cube,
            Reply::Sat(()) | Reply::Unknown(_) => cube.union(init_core),
        })
    }

    /// The highest level with `F_{level-1} ∧ ¬cube ∧ T ⊨ ¬cube'`, from one where it holds.
    pub(super) fn push(&mut self, cube: &Cube, from: Level, cx: &Cx<'_>) -> Result<Level, Halt> {
        let mut level = from;
        while level < self.trace.frontier() {
            let query = self
                .queries
                .rel_ind(cube)
                .at(level.above())
                .assuming_clause();
            match query.ask(cx)? {
                Reply::Unsat(_) => level = level.above(),
                _ => break,
            }
        }
        Ok(level)
    }

    /// Adds the clause ¬cube to F_1 … F_level. Requires `I ⊨ ¬cube` and
    /// `F_{level-1} ∧ ¬cube ∧ T ⊨ ¬cube'`.
    pub(super) fn learn(&mut self, cube: Cube, level: Level, cx: &Cx<'_>) -> Result<(), Halt> {
        cx.events.emit(Event::Lemma(level.0, cube.clause(cx.terms)));
        self.queries.add_clause(&cube, level, cx)?;
        self.trace.add(cube.clone(), level);
        #[cfg(debug_assertions)]
        if self.options.paranoid {
            let broken = super::invariant::check_clause(
                &cube,
                level,
                &self.trace,
                &self.system,
                &self.options,
                cx,
            )?;
            debug_assert!(broken.is_empty(), "Lemma 1 fails: {broken:?}");
        }
        Ok(())
    }

    /// With frames per location: the cube with the literals of `whole ⇒ cube` that name the location.
    ///
    /// The clause of `cube ∧ location` belongs to the frame of that location alone,
    /// `F_i = ⋀_l (at l ⇒ F_i[l])`; it is weaker than that of the cube, and since `whole` implies it, a
    /// query that assumed ¬whole justifies it as well.
    pub(super) fn located(&self, cube: Cube, whole: &Cube, cx: &Cx<'_>) -> Cube {
        if !self.options.per_location {
            return cube;
        }
        cube.union(&self.predicates.location(whole, cx.terms))
    }

    /// Drops literals (mic): the result g ⊆ cube has `I ⊨ ¬g` and `F_{level-1} ∧ ¬g ∧ T ⊨ ¬g'`, as the
    /// cube given.
    fn generalize(
        &mut self,
        cube: Cube,
        level: Level,
        depth: u32,
        cx: &Cx<'_>,
    ) -> Result<Cube, Stop> {
        let mut cube = cube;
        let mut kept: Vec<Term> = Vec::new();
        if self.options.per_location {
            kept.extend(self.predicates.location(&cube, cx.terms).lits());
        }
        loop {
            // Arithmetic atoms are older than what refinement found: drop the newest first.
            let Some(&lit) = cube.lits().iter().rev().find(|l| !kept.contains(l)) else {
                return Ok(cube);
            };
            if cube.len() == 1 {
                return Ok(cube);
            }
            match self.down(cube.without(lit), &kept, level, depth, cx)? {
                Some(smaller) => cube = smaller,
                None => kept.push(lit),
            }
        }
    }

    /// Makes a cube inductive by blocking what stands in the way (down): some g ⊆ cube with `I ⊨ ¬g`,
    /// `F_{level-1} ∧ ¬g ∧ T ⊨ ¬g'` and all literals of the cube that are to be kept; `None` if none is
    /// found.
    fn down(
        &mut self,
        cube: Cube,
        kept: &[Term],
        level: Level,
        depth: u32,
        cx: &Cx<'_>,
    ) -> Result<Option<Cube>, Stop> {
        let mut cube = cube;
        let mut ctgs = 0;
        let blocking = depth < self.options.ctg_depth && self.options.ctg_max > 0;
        loop {
            let init_core = match self.queries.excludes_init(&cube, cx)? {
                Reply::Unsat(core) => core,
                _ => return Ok(None),
            };
            let query = self.queries.rel_ind(&cube).at(level).assuming_clause();
            let answer = if blocking {
                query.predecessor(&self.predicates, cx)?.map(Some)
            } else {
                query.ask(cx)?.map(|()| None)
            };
            let ctg = match answer {
                Reply::Unsat(core) => {
                    let core = self.located(core, &cube, cx);
                    return Ok(Some(self.outside_init(core, &init_core, cx)?));
                }
                Reply::Sat(Some(found)) => found.state,
                Reply::Sat(None) | Reply::Unknown(_) => return Ok(None),
            };
            if ctgs < self.options.ctg_max && self.block_ctg(&ctg, level, depth, cx)? {
                ctgs += 1;
                continue;
            }
            ctgs = 0;
            let joined = cube.join(&ctg.cube);
            if joined.len() == cube.len()
                || kept
                    .iter()
                    .any(|&l| cube.contains(l) && !joined.contains(l))
            {
                return Ok(None);
            }
            cube = joined;
        }
    }

    /// Tries to learn a clause that excludes a counterexample to generalization from F_{level-1}; says
    /// whether it did.
    fn block_ctg(
        &mut self,
        ctg: &Valuation,
        level: Level,
        depth: u32,
        cx: &Cx<'_>,
    ) -> Result<bool, Stop> {
        if level <= Level(1) {
            return Ok(false);
        }
        let init_core = match self.queries.excludes_init(&ctg.cube, cx)? {
            Reply::Unsat(core) => core,
            _ => return Ok(false),
        };
        let query = self
            .queries
            .rel_ind(&ctg.cube)
            .at(level.below())
            .assuming_clause();
        let core = match query.ask(cx)? {
            Reply::Unsat(core) => {
                self.outside_init(self.located(core, &ctg.cube, cx), &init_core, cx)?
            }
            _ => return Ok(false),
        };
        let pushed = self.push(&core, level.below(), cx)?;
        let cube = self.generalize(core, pushed, depth + 1, cx)?;
        self.learn(cube, pushed, cx)?;
        Ok(true)
    }
}

/// Literals, no predicates in general, all of whose states have a step into the target.
fn concrete(
    state: &Valuation,
    target: &[Term],
    preimages: &mut Preimages,
    cx: &Cx<'_>,
) -> Result<Cube, Stop> {
    let values = state.values.as_ref();
    let found = values.and_then(|v| preimages.preimage(target, v, cx));
    let found = found.map(Cube::new);
    found.ok_or_else(|| undecided("a preimage could not be projected".into()))
}
