//! Options of the interpolator.

foretell_kernel::options! {
    /// Options of the interpolator.
    pub struct InterpolateOptions("interpolate") {
        /// Conflicts after which a refutation attempt is given up.
        conflicts: u64 = 200_000, 0..=1_000_000_000;
        /// Final checks after which a refutation attempt is given up.
        rounds: u64 = 20_000, 0..=1_000_000_000;
        /// Gomory cuts per final check.
        cuts: u32 = 8, 0..=1_000;
        /// Nested roundings in one certificate.
        depth: u32 = 3, 0..=64;
        /// Milliseconds for one refutation attempt.
        attempt_ms: u64 = 10_000, 0..=3_600_000;
        /// Milliseconds for one query to the oracle.
        query_ms: u64 = 10_000, 0..=3_600_000;
        /// Let the oracle minimise the core of a query before it is refuted.
        minimal_cores: bool = false;
        /// Pairs of cubes that the fallback may refute; 0 switches the fallback off.
        fallback: u32 = 400, 0..=1_000_000;
        /// Theory lemmas kept for later queries of the run; 0 switches this off.
        lemmas: u32 = 400, 0..=1_000_000;
        /// Skip the refutation of the whole, so that only the fallback answers.
        fallback_only: bool = false;
        /// Functions with arguments may occur in every interpolant.
        rigid_functions: bool = false;
        /// Oracle queries per cut to find parts of interpolants that can be dropped; 0 switches
        /// this off.
        polish: u32 = 24, 0..=100_000;
        /// Say interpolants over bits with comparisons of words, where the oracle confirms that
        /// they suffice.
        words: bool = true;
        /// Replace bounds by weaker ones with constants of the problem, and equalities by halves,
        /// where possible.
        settle: bool = false;
    }
}
