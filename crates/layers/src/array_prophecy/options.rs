//! Options of the layer.

use foretell_kernel::options;

options! {
    /// Options of counterexample-guided prophecy.
    pub struct ArrayProphecyOptions("prophecy") {
        /// Whether equality of arrays becomes an uninterpreted predicate (section 6.1).
        weak: bool = false;
        /// Whether the property is assumed in the pre-state of steps (section 6.1).
        assume_property: bool = true;
        /// Whether instances at rigid indices are added before any counterexample asks for them.
        eager: bool = true;
        /// Abstract counterexamples up to this length are excluded before the engine runs first.
        bounds: u32 = 8, 0..=1_000;
        /// Whether the engine beneath starts anew after a prophecy variable was added: what it learnt
        /// before describes paths that are gone.
        restart: bool = true;
        /// How many bounds beyond the counterexample are refined before the engine runs again.
        ahead: u32 = 3, 0..=1_000;
        /// Whether atoms about rigid cells are spelled out for engines that take predicates from the
        /// transition relation (Seghir, Podelski, Wies, SAS 2009).
        seeds: bool = true;
        /// How often an index that changes is replaced by a frozen term before it is foretold.
        frozen_terms: u32 = 4, 0..=1_000;
        /// Whether non-consecutive instances are found by a refutation that starts at the property (Vick, McMillan).
        directed: bool = true;
        /// Whether history variables take values under conditions rather than a fixed number of steps
        /// before the end (Vick, McMillan).
        conditional: bool = true;
        /// Whether a condition is made from the one path that asked for it, as a conjunction of any
        /// length that is then shortened (Vick, McMillan); otherwise from one or two literals that
        /// serve all paths that asked.
        one_path: bool = false;
        /// Whether atoms of interpolants become conditions where others do not suffice (Vick, McMillan).
        interpolants: bool = true;
        /// Whether systems without arrays are taken too; the engine beneath then decides alone.
        without_arrays: bool = false;
        /// Whether instances within a step are kept only if an unsat core names them (section 6.1).
        filter_consecutive: bool = true;
        /// Whether instances across steps are kept only if an unsat core names them, the longest delays
        /// dropped first (section 6.1).
        filter_non_consecutive: bool = true;
        /// Whether a history variable brings the predicate that it equals what it will take next
        /// (section 6.1).
        history_predicates: bool = false;
        /// Whether an index that no step uses may be added, for infinite index sorts (section 6.1).
        lambda: bool = true;
        /// The longest delay of a prophecy target.
        max_delay: u32 = 12, 0..=1_000;
    }
}
