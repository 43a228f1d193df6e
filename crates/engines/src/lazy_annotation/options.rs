//! Options of the engine.

use foretell_kernel::options;

options! {
    /// Options of lazy annotation.
    pub struct LazyAnnotationOptions("lazy_annotation") {
        /// The greatest height of derivations to look for.
        max_bound: u32 = u32::MAX, 0..=u32::MAX;
        /// Whether disjuncts of learnt clauses are dropped (CAV 2014, section 4, interpolant generalization).
        generalize: bool = true;
        /// Whether interpolants are weak rather than strong.
        weak: bool = false;
        /// Whether conflicts over truth values and constants are learnt without interpolation.
        direct: bool = true;
        /// Whether the greatest inductive subset of the lemmas is looked for after each bound (CAV 2010).
        houdini: bool = true;
        /// Milliseconds one solver query may take before it counts as undecided.
        query_ms: u64 = 10_000, 0..=3_600_000;
    }
}
