//! The questions IC3 asks, and the two solvers that answer them.
//!
//! ```text
//! rel_ind(c, i)       F_{i-1} ∧ ¬c ∧ T ∧ c'   unsatisfiable?      (AbsRelInd, TACAS 2014, formula 3)
//! get_bad             F_k ∧ ¬P                satisfiable?
//! excludes_init(c)    I ∧ c                   unsatisfiable?
//! ```
//!
//! The abstract query of the paper duplicates X and X' and links the copies by EQ_ℙ. Here F_i, c and
//! ¬c are formulas over ℙ, so the copies `X := X̄`, `X' := X̄'` satisfy EQ_ℙ and every conjunct keeps
//! its truth value: the query without duplicates is equisatisfiable, and it is the one posed. The
//! abstraction is in the cubes, which can speak about ℙ only. (Over several steps the copies do
//! matter: see `minimise.rs`.)
//!
//! Invariant: the main solver holds T under `trans`, I under `init`, and under the label of level i
//! the clauses stored at level i; each frame label implies the next, so that the label of level i
//! switches on F_i.

use super::closure::Closure;
use super::model::{self, Predecessor};
use super::options::Ic3iaOptions;
use super::trace::{Level, Trace};
use crate::abstraction::{Cube, LiteralSolver, Predicates, Reply, Valuation};
use foretell_kernel::{Cx, Halt, Model, SolverConfig, Work};
use foretell_systems::{TransitionSystem, solver_config};
use foretell_terms::{Substitution, Term};

/// The solvers and what they need to know of the system.
pub(super) struct Queries {
    /// Knows T and the frames.
    main: LiteralSolver,
    /// Knows I and P over the current state only: small and quick.
    pub(super) state: LiteralSolver,
    labels: Labels,
    frames: Vec<Term>,
    priming: Substitution,
    symbols: Vec<Term>,
    formulas: Vec<Term>,
    /// Empty unless frames are quantified.
    pub(super) closure: Closure,
}

/// The labels of the system's formulas.
struct Labels {
    /// In both solvers: the initial states.
    init: Term,
    /// In the main solver: the transition relation.
    trans: Term,
    /// In the main solver: the bad states.
    bad: Term,
    /// In the state solver: the good states.
    good: Term,
}

/// A question of relative induction, `F_{i-1} ∧ T ∧ c'`, with or without ¬c in the state before.
pub(super) struct RelInd<'q> {
    queries: &'q mut Queries,
    cube: &'q Cube,
    level: Level,
    assumed: Assumed,
}

/// What is assumed of the state before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Assumed {
    /// The clause is known to hold in the frame already.
    Nothing,
    /// The clause ¬c.
    Clause,
}

/// The configuration of the engine's solvers.
pub(super) fn config(
    purpose: &'static str,
    system: &TransitionSystem,
    options: &Ic3iaOptions,
    cx: &Cx<'_>,
) -> SolverConfig {
    let mut config = solver_config(purpose, system, cx);
    let formulas = [system.init, system.trans, system.property];
    if !formulas.iter().any(|&f| cx.terms.has_quantifier(f)) {
        config = config.quantifier_free();
    }
    config.light_arithmetic &= options.light_arithmetic;
    config.seed = options.seed;
    if options.query_ms > 0 {
        config = config.with_limit(Work::of_millis(options.query_ms));
    }
    config
}

impl Queries {
    /// Solvers for a system and a trace that holds for it.
    pub(super) fn new(
        system: &TransitionSystem,
        trace: &Trace,
        options: &Ic3iaOptions,
        cx: &Cx<'_>,
    ) -> Result<Queries, Halt> {
        let mut main = LiteralSolver::new(
            &config("ic3ia", system, options, cx),
            options.reset_every,
            cx,
        );
        let mut state = LiteralSolver::new(
            &config("ic3ia-state", system, options, cx),
            options.reset_every,
            cx,
        );
        let labels = Labels {
            init: main.label("init", cx),
            trans: main.label("trans", cx),
            bad: main.label("bad", cx),
            good: state.label("good", cx),
        };
        let mut closure = if options.quantified_frames {
            Closure::new(system)
        } else {
            Closure::default()
        };
        main.assert_under(labels.init, closure.closed(system.init, cx), cx)?;
        main.assert_under(labels.trans, system.trans, cx)?;
        main.assert_under(labels.bad, cx.terms.not(system.property), cx)?;
        state.assert_under(labels.init, system.init, cx)?;
        state.assert_under(labels.good, system.property, cx)?;
        // Only what applies functions is needed to spell a model out: the symbols are known.
        let mut functional = vec![system.trans, system.init, system.property];
        functional.retain(|&f| !cx.terms.functions(&[f]).is_empty());
        let mut queries = Queries {
            main,
            state,
            labels,
            frames: Vec::new(),
            priming: system.priming(),
            symbols: model::symbols(system),
            formulas: functional,
            closure,
        };
        for level in 1..=trace.frontier().0 {
            queries.open_frame(Level(level), cx)?;
            for cube in trace.delta(Level(level)) {
                queries.add_clause(cube, Level(level), cx)?;
            }
        }
        Ok(queries)
    }

    /// Makes the label of a new frame.
    pub(super) fn open_frame(&mut self, level: Level, cx: &Cx<'_>) -> Result<(), Halt> {
        while self.frames.len() < level.index() {
            let label = self.main.label("frame", cx);
            if let Some(&last) = self.frames.last() {
                self.main.assert(cx.terms.implies(last, label), cx)?;
            }
            self.frames.push(label);
        }
        Ok(())
    }

    /// Asserts ¬cube in the frame of this level.
    pub(super) fn add_clause(
        &mut self,
        cube: &Cube,
        level: Level,
        cx: &Cx<'_>,
    ) -> Result<(), Halt> {
        let clause = self.closure.closed(cube.clause(cx.terms), cx);
        self.main
            .assert_under(self.frames[level.index() - 1], clause, cx)
    }

    /// Rebuilds the solvers when they have grown stale.
    pub(super) fn refresh(&mut self, trace: &Trace, cx: &Cx<'_>) -> Result<(), Halt> {
        if self.main.is_stale() {
            self.rebuild(trace, cx)?;
        }
        if self.state.is_stale() {
            self.state.reset(Vec::new(), cx)?;
        }
        Ok(())
    }

    /// Rebuilds the main solver from the trace, without subsumed clauses and temporary ones.
    pub(super) fn rebuild(&mut self, trace: &Trace, cx: &Cx<'_>) -> Result<(), Halt> {
        let closure = &mut self.closure;
        let frames = self.frames.iter().zip(1..).map(|(&label, level)| {
            let clauses = trace
                .delta(Level(level))
                .iter()
                .map(|c| closure.closed(c.clause(cx.terms), cx));
            (label, clauses.collect())
        });
        self.main.reset(frames.collect(), cx)
    }

    /// Is the clause ¬cube inductive relative to a frame, I unless another is said?
    pub(super) fn rel_ind<'q>(&'q mut self, cube: &'q Cube) -> RelInd<'q> {
        RelInd {
            queries: self,
            cube,
            level: Level::INIT.above(),
            assumed: Assumed::Nothing,
        }
    }

    /// A state of F_level ∧ ¬P.
    pub(super) fn get_bad(
        &mut self,
        level: Level,
        predicates: &Predicates,
        cx: &Cx<'_>,
    ) -> Result<Reply<Valuation>, Halt> {
        let labels = [
            cx.terms.not(self.labels.trans),
            self.labels.bad,
            self.frame(level),
        ];
        let (symbols, formulas) = (&self.symbols, &self.formulas);
        self.main.ask(
            &labels,
            &[],
            |m| Valuation::read(m, predicates, symbols, formulas, cx),
            cx,
        )
    }

    /// `I ∧ cube`; unsatisfiable with a subset of the cube.
    pub(super) fn excludes_init(&mut self, cube: &Cube, cx: &Cx<'_>) -> Result<Reply<()>, Halt> {
        self.state.ask(&[self.labels.init], cube.lits(), |_| (), cx)
    }

    /// `P ∧ cube`; unsatisfiable with a subset of the cube, all of whose states are bad.
    pub(super) fn excludes_good(&mut self, cube: &Cube, cx: &Cx<'_>) -> Result<Reply<()>, Halt> {
        self.state.ask(&[self.labels.good], cube.lits(), |_| (), cx)
    }

    fn frame(&self, level: Level) -> Term {
        if level == Level::INIT {
            self.labels.init
        } else {
            self.frames[level.index() - 1]
        }
    }
}

impl RelInd<'_> {
    /// Relative to the frame below this level.
    pub(super) fn at(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// With ¬cube in the state before, where it is not known to hold.
    pub(super) fn assuming_clause(mut self) -> Self {
        self.assumed = Assumed::Clause;
        self
    }

    /// `F_{level-1} ∧ [¬cube] ∧ T ∧ cube'`; unsatisfiable with a subset of the cube.
    pub(super) fn ask(mut self, cx: &Cx<'_>) -> Result<Reply<()>, Halt> {
        let posed = self.pose(cx)?;
        let answer = self
            .queries
            .main
            .ask(&posed.labels, &posed.next, |_| (), cx)?;
        Ok(posed.unprimed(self.cube, answer))
    }

    /// The same, with the state before as seen through ℙ; if there is one in which arbitrary symbols
    /// have the values the step looks at, it is preferred.
    pub(super) fn predecessor(
        mut self,
        predicates: &Predicates,
        cx: &Cx<'_>,
    ) -> Result<Reply<Predecessor>, Halt> {
        let posed = self.pose(cx)?;
        let queries = self.queries;
        let (symbols, formulas) = (&queries.symbols, &queries.formulas);
        let read = |m: &dyn Model| Valuation::read(m, predicates, symbols, formulas, cx);
        if let Some(aim) = queries.closure.aim(self.cube, cx) {
            let mut aimed = posed.labels.clone();
            aimed.push(queries.main.temporarily(aim, cx)?);
            if let Reply::Sat(state) = queries.main.ask(&aimed, &posed.next, read, cx)? {
                let aimed = queries.closure.kept(self.cube, &state.cube, cx);
                return Ok(Reply::Sat(Predecessor { state, aimed }));
            }
        }
        let answer = queries.main.ask(&posed.labels, &posed.next, read, cx)?;
        let aimed = Cube::new(Vec::new());
        Ok(posed
            .unprimed(self.cube, answer)
            .map(|state| Predecessor { state, aimed }))
    }

    fn pose(&mut self, cx: &Cx<'_>) -> Result<Posed, Halt> {
        let queries = &mut *self.queries;
        let mut labels = vec![queries.labels.trans, queries.frame(self.level.below())];
        if self.assumed == Assumed::Clause {
            let clause = queries.closure.closed(self.cube.clause(cx.terms), cx);
            labels.push(queries.main.temporarily(clause, cx)?);
        }
        let lits = self.cube.lits().iter();
        let next = lits.map(|&l| queries.priming.apply(cx.terms, l)).collect();
        Ok(Posed { labels, next })
    }
}

/// A question of relative induction as it is put to the solver.
struct Posed {
    labels: Vec<Term>,
    /// The literals of the cube after the step, in their order.
    next: Vec<Term>,
}

impl Posed {
    /// The answer with a core in terms of the cube.
    fn unprimed<T>(&self, cube: &Cube, answer: Reply<T>) -> Reply<T> {
        match answer {
            Reply::Unsat(core) => {
                let pairs = cube.lits().iter().zip(&self.next);
                let kept = pairs.filter(|(_, n)| core.contains(**n));
                Reply::Unsat(Cube::new(kept.map(|(&l, _)| l).collect()))
            }
            other => other,
        }
    }
}
