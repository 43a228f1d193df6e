//! The passes in order.
//!
//! ```text
//! cone ▸ equalities ▸ constants ▸ arguments ▸ inline ▸ constants ▸ arguments ▸ cone ▸ flatten      clauses to clauses
//! single_loop                                                                                       clauses to a transition system
//! ```

use foretell_kernel::{Cx, Halt};
use foretell_systems::{ChcSystem, TransitionSystem};

use crate::arguments::Arguments;
use crate::cone_of_influence::ConeOfInfluence;
use crate::constants::Constants;
use crate::equalities::Equalities;
use crate::flatten::Flatten;
use crate::inline::{Inline, InlineOptions};
use crate::lift::Reduced;
use crate::single_loop::SingleLoop;

foretell_kernel::options! {
    /// Which passes run.
    pub struct PassOptions("passes") {
        /// Whether clauses are simplified at all.
        simplify: bool = true;
        /// Whether predicates that are no loop headers are resolved away.
        inline: bool = true;
        /// A predicate stays when resolving it away makes more clauses than it removes by this many.
        inline_growth: usize = 16;
        /// No predicate is resolved away once the clauses are larger than this many terms together.
        inline_size: usize = 200_000;
        /// Whether arrays of arrays become arrays with several indices.
        flatten: bool = true;
    }
}

/// Simplifies a system; the way back leads to the system given.
pub fn simplify(
    system: &ChcSystem,
    options: &PassOptions,
    cx: &Cx<'_>,
) -> Result<Reduced<ChcSystem, ChcSystem>, Halt> {
    let mut reduced = Reduced::start(system);
    if !options.simplify {
        return Ok(reduced);
    }
    reduced = reduced.then(&ConeOfInfluence, cx)?.then(&Equalities, cx)?;
    reduced = reduced.then(&Constants, cx)?.then(&Arguments, cx)?;
    if options.inline {
        let limits = InlineOptions { growth: options.inline_growth, size: options.inline_size };
        reduced = reduced.then(&Inline { options: limits }, cx)?;
        reduced = reduced.then(&Constants, cx)?.then(&Equalities, cx)?.then(&Arguments, cx)?;
    }
    reduced = reduced.then(&ConeOfInfluence, cx)?;
    if options.flatten {
        reduced = reduced.then(&Flatten, cx)?;
    }
    Ok(reduced)
}

/// Steps down to a transition system; `Halt::Unsupported` when the clauses are not linear.
pub fn to_transition_system(
    reduced: Reduced<ChcSystem, ChcSystem>,
    cx: &Cx<'_>,
) -> Result<Reduced<ChcSystem, TransitionSystem>, Halt> {
    reduced.then(&SingleLoop, cx)
}
