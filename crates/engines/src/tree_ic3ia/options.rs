//! Options of the engine, one line each.

use foretell_kernel::options;

options! {
    /// Options of IC3 over a reachability tree.
    pub struct TreeIc3iaOptions("tree_ic3ia") {
        /// Whether literals are dropped from cubes before they are learnt.
        generalize: bool = true;
        /// Whether a dropped literal may be justified by induction along the rounds of a loop at one
        /// location.
        induction: bool = true;
        /// Whether predecessors are enlarged by an unsat core (Chockler et al., FMCAD 2011).
        lift: bool = true;
        /// Whether a node with children may be covered, which cuts its subtree (McMillan, CAV 2006).
        cover_inner: bool = true;
        /// Whether the newest open node is expanded first; the oldest is otherwise.
        depth_first: bool = false;
        /// Solver queries of one location between rebuilds of its solver; 0 is never.
        reset_every: u32 = 1500, 0..=1_000_000_000;
        /// Whether the atoms of rules over the parameters of their body are initial predicates.
        guards: bool = true;
        /// The largest number of guard atoms taken as initial predicates of a location.
        max_guards: u32 = 120, 0..=100_000;
        /// Whether sequence interpolants give predicates (Henzinger et al., POPL 2004; TACAS 2014, section 3.3).
        interpolate: bool = true;
        /// Milliseconds one interpolation may take before another source is tried.
        interpolate_ms: u64 = 4000, 0..=3_600_000;
        /// Whether weakest preconditions along the path give predicates where interpolants give none
        /// (TACAS 2014, section 3.3).
        preconditions: bool = true;
        /// Whether new predicates are reduced to an unsat core of the abstract path (TACAS 2014, section 5.1).
        minimise_predicates: bool = true;
        /// Whether the solvers use arithmetic that starts quickly.
        light_arithmetic: bool = true;
        /// Milliseconds one solver query may take before it counts as undecided; 0 is no limit.
        query_ms: u64 = 0, 0..=3_600_000;
        /// The seed of the solvers.
        seed: u32 = 0, 0..=u32::MAX;
    }
}
