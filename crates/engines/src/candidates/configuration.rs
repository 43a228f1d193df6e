//! Which candidates are built, from cheap to dear.

/// Which candidates are built.
#[derive(Clone, Copy)]
pub(super) struct Configuration {
    /// The name in events.
    pub(super) name: &'static str,
    pub(super) guards: Guards,
    /// What the goal assumes about its variables is assumed too.
    pub(super) domain: Domain,
    pub(super) cells: Cells,
}

/// Comparisons that a candidate is guarded by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Guards {
    /// At most one comparison.
    One,
    /// A lower and an upper one.
    LowerUpper,
    /// Any two comparisons.
    Two,
    /// One comparison and one condition of the program, at the index or of the state.
    WithCondition,
}

/// Where indices may lie.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Domain {
    /// What the goal says of its variables.
    Goal,
    /// Indices from 0 on.
    NonNegative,
}

/// What is said of cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cells {
    /// Atoms of the goal and of the rules only.
    FromProgram,
    /// Also every cell against numerals, parameters, its index and other cells.
    Compared,
    /// Also the equations that runs satisfy, and all scalar candidates once more.
    Observed,
    /// Cells that point to cells, and nothing else.
    Linked,
}

impl Configuration {
    /// From cheap to dear.
    pub(super) fn schedule() -> Vec<Configuration> {
        use Cells::{Compared, FromProgram, Linked, Observed};
        use Domain::{Goal, NonNegative};
        use Guards::{LowerUpper, One, Two, WithCondition};
        let make = |name, guards, domain, cells| Configuration {
            name,
            guards,
            domain,
            cells,
        };
        vec![
            make("linked cells", One, NonNegative, Linked),
            make("goal domain, one guard", One, Goal, FromProgram),
            make("non-negative, one guard", One, NonNegative, FromProgram),
            make("observed equations", One, NonNegative, Observed),
            make("observed equations, goal domain", One, Goal, Observed),
            make(
                "lower and upper guard",
                LowerUpper,
                NonNegative,
                FromProgram,
            ),
            make("compared cells", One, NonNegative, Compared),
            make(
                "goal domain, lower and upper guard",
                LowerUpper,
                Goal,
                FromProgram,
            ),
            make("two comparisons", Two, NonNegative, FromProgram),
            make("conditions", WithCondition, NonNegative, FromProgram),
            make("linked cells, two guards", Two, NonNegative, Linked),
            make("compared cells, two guards", LowerUpper, Goal, Compared),
        ]
    }
}
