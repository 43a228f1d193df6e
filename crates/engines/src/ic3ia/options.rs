//! Options of the engine, one line each.

use foretell_kernel::options;

options! {
    /// Options of IC3 with implicit abstraction.
    pub struct Ic3iaOptions("ic3ia") {
        /// Whether literals are dropped from cubes before they are learnt.
        generalize: bool = true;
        /// Whether cubes are preimages by projection and no abstract states: nothing is refined (Cimatti,
        /// Griggio, CAV 2012, with under-approximated quantifier elimination).
        concrete: bool = false;
        /// Counterexamples to generalization handled per dropped literal; 0 turns them off
        /// (Hassan, Bradley, Somenzi, FMCAD 2013).
        ctg_max: u32 = 3, 0..=64;
        /// How deeply counterexamples to generalization nest (Hassan et al., FMCAD 2013).
        ctg_depth: u32 = 1, 0..=8;
        /// Whether predecessors are enlarged by an unsat core (Chockler et al., FMCAD 2011).
        lift: bool = true;
        /// Whether a blocked obligation is put back one level up (Eén, Mishchenko, Brayton, FMCAD 2011).
        reenqueue: bool = true;
        /// Solver queries between rebuilds of the solver; 0 is never .
        reset_every: u32 = 1500, 0..=1_000_000_000;
        /// Whether the predicates that the input names are initial predicates.
        hints: bool = true;
        /// Whether clauses that others learnt are tried as lemmas (Chockler et al., FMCAD 2011); on with
        /// `--hints`, unless it is set.
        lemmas: bool = false;
        /// Whether the atoms of T over the current state are initial predicates.
        guards: bool = true;
        /// The largest number of guard atoms taken as initial predicates.
        max_guards: u32 = 120, 0..=100_000;
        /// Whether sequence interpolants give predicates (Henzinger et al., POPL 2004; TACAS 2014, section 3.3).
        interpolate: bool = true;
        /// Milliseconds one interpolation may take before another source is tried.
        interpolate_ms: u64 = 4000, 0..=3_600_000;
        /// Whether weakest preconditions along the path give predicates (TACAS 2014, section 3.3).
        preconditions: bool = true;
        /// Whether weakest preconditions are added even where interpolants were found.
        always_preconditions: bool = false;
        /// Whether comparisons of variables are tried when every other source is dry.
        comparisons: bool = true;
        /// Refinements in a row that bring new constants only before predicates of another kind are
        /// added; 0 is never.
        diverge_after: u32 = 3, 0..=1_000_000;
        /// Whether new predicates are reduced to an unsat core of the abstract path (TACAS 2014, section 5.1).
        minimise_predicates: bool = true;
        /// Whether predicates over parameters, prophecy variables among them, are kept whatever the core
        /// says (Mann et al., LMCS 2022, section 6.1, "important variables").
        keep_important: bool = true;
        /// Whether redundant clauses are dropped from the invariant.
        minimise_invariant: bool = true;
        /// Whether frames are kept per control location: every cube names its location, given by the
        /// location variable or, without one, by the Boolean state variables if they are few. Engine
        /// `tree_ic3ia` has a tree over locations.
        per_location: bool = false;
        /// Whether frames are closed universally over the symbols the system declares arbitrary, and
        /// instantiated at the terms of each step.
        quantified_frames: bool = false;
        /// Whether the solvers use arithmetic that starts quickly.
        light_arithmetic: bool = true;
        /// Milliseconds one solver query may take before it counts as undecided; 0 is no limit.
        query_ms: u64 = 0, 0..=3_600_000;
        /// Whether the invariants of Lemma 1 are checked at every change of a frame (TACAS 2014,
        /// section 3.4; builds with debug assertions only).
        paranoid: bool = false;
        /// The seed of the solvers.
        seed: u32 = 0, 0..=u32::MAX;
    }
}
