//! The passes in order.
//!
//! ```text
//! unpack ▸ folds ▸ cone ▸ equalities ▸ constants ▸ arguments ▸ locations ▸ integers ▸ inline
//!        ▸ constants ▸ arguments ▸ twins ▸ rebase ▸ cone ▸ prefix_sums ▸ flatten    clauses to clauses
//! single_loop                                                                       clauses to a transition system
//! ```
//!
//! With [`PassOptions::validate`] (debug builds) the result is validated, see [`crate::shared::validate`].

use foretell_kernel::{Cx, Halt, Pass, Problem, Work};
use foretell_systems::{ChcSystem, TransitionSystem};

use crate::arguments::Arguments;
use crate::cone_of_influence::ConeOfInfluence;
use crate::constants::Constants;
use crate::equalities::Equalities;
use crate::flatten::Flatten;
use crate::folds::{Folds, Sums};
use crate::inline::{Inline, InlineOptions};
use crate::integers::{Flavour, Integers};
use crate::locations::Locations;
use crate::prefix_sums::{Demand, PrefixSums};
use crate::rebase::Rebase;
use crate::reduced::Reduced;
use crate::shared::validate;
use crate::single_loop::{SingleLoop, SingleLoopLift};
use crate::to_clauses::Clauses;
use crate::twins::Twins;
use crate::unpack::Unpack;

foretell_kernel::options! {
    /// Which passes run.
    pub struct PassOptions("passes") {
        /// Whether clauses are simplified at all.
        simplify: bool = true;
        /// Whether datatypes that are not recursive become their leaves.
        unpack: bool = true;
        /// Whether sums, and arrays of them, become a tag and the fields of all constructors.
        unpack_sums: bool = true;
        /// Whether lists and trees become integers computed by folds: more can be proved, and a
        /// derivation may not be one above.
        folds: bool = false;
        /// Whether folds compute the sum of the integers of a list or tree beside its size.
        fold_sums: bool = false;
        /// Whether words become integers. An operator without an integer form ends the run.
        integers: bool = false;
        /// Whether these integers never wrap around: proofs are candidates, of which what holds of
        /// words is kept, and a derivation may not be one above.
        integers_ideal: bool = false;
        /// Whether Boolean arguments that say where control is become locations.
        locations: bool = true;
        /// Whether predicates that are no loop headers are resolved away.
        inline: bool = true;
        /// A predicate stays when resolving it away makes more clauses than it removes by this many.
        inline_growth: usize = 16, 0..=1_000_000;
        /// No predicate is resolved away once the clauses are larger than this many terms together.
        inline_size: usize = 200_000, 0..=100_000_000;
        /// Whether arguments that are always equal become one, in clauses with several body atoms.
        twins: bool = true;
        /// Whether arrays that are always read and written at a base and an offset are counted from
        /// their base.
        rebase: bool = true;
        /// Whether sums over the cells of arrays that several loops compute become arguments.
        prefix_sums: bool = false;
        /// Whether all sums over the cells of arrays become arguments. Ends the run where there are none.
        all_prefix_sums: bool = false;
        /// Whether arrays of arrays become arrays with several indices. Layers that track single
        /// cells want it; the solver nests them again and may then have no flat value to show.
        flatten: bool = false;
        /// Whether every clause is checked against the translation.
        validate: bool = cfg!(debug_assertions);
        /// Up to how many steps reachable predicates must stay reachable, when validating.
        validate_bound: u32 = 4, 0..=64;
    }
}

/// Simplifies a system; the way back leads to the system given.
pub fn simplify(
    system: &ChcSystem,
    options: &PassOptions,
    cx: &Cx<'_>,
) -> Result<Reduced<ChcSystem, ChcSystem>, Halt> {
    let reduced = simplify_further(Reduced::start(system), options, cx)?;
    let ideal = options.integers && options.integers_ideal;
    if options.simplify && options.validate && !ideal {
        let found = cx.within(VALIDATION, |cx| {
            validate::reachability(system, &reduced.problem, options.validate_bound, cx)
        })?;
        found.unwrap_or_default().demand()?;
    }
    Ok(reduced)
}

/// Simplifies what some steps led to.
pub(crate) fn simplify_further<A: Problem + 'static>(
    mut reduced: Reduced<A, ChcSystem>,
    options: &PassOptions,
    cx: &Cx<'_>,
) -> Result<Reduced<A, ChcSystem>, Halt> {
    if !options.simplify {
        return Ok(reduced);
    }
    if options.unpack && cx.terms.has_data() {
        let sums = options.unpack_sums;
        reduced = reduced.then(&Unpack { sums }, cx)?;
    }
    if options.folds {
        let sums = match options.fold_sums {
            true => Sums::With,
            false => Sums::Without,
        };
        reduced = reduced.then(&Folds { sums }, cx)?;
    }
    reduced = reduced.then(&ConeOfInfluence, cx)?.then(&Equalities, cx)?;
    reduced = reduced.then(&Constants, cx)?.then(&Arguments, cx)?;
    if options.locations {
        reduced = reduced.then(&Locations, cx)?;
        reduced = tidied(reduced.then(&Constants, cx)?, cx)?;
    }
    if options.integers {
        let flavour = match options.integers_ideal {
            true => Flavour::Ideal,
            false => Flavour::Exact,
        };
        reduced = reduced.then(&Integers { flavour }, cx)?;
        reduced = reduced.then(&Equalities, cx)?;
    }
    if options.inline {
        let limits = InlineOptions {
            growth: options.inline_growth,
            size: options.inline_size,
        };
        reduced = reduced.then(&Inline { options: limits }, cx)?;
        reduced = tidied(reduced.then(&Constants, cx)?, cx)?;
    }
    if options.twins {
        reduced = tidied(reduced.then(&Twins, cx)?, cx)?;
    }
    if options.rebase {
        reduced = tidied(reduced.then(&Rebase, cx)?, cx)?;
    }
    reduced = reduced.then(&ConeOfInfluence, cx)?;
    reduced = sum_up(reduced, options, cx)?;
    if options.flatten {
        reduced = reduced.then(&Flatten, cx)?;
    }
    Ok(reduced)
}

/// Without definitions and arguments that a step has left over.
fn tidied<A: Problem + 'static>(
    reduced: Reduced<A, ChcSystem>,
    cx: &Cx<'_>,
) -> Result<Reduced<A, ChcSystem>, Halt> {
    reduced.then(&Equalities, cx)?.then(&Arguments, cx)
}

/// Sums in front of an index become arguments, where that is wanted.
fn sum_up<A: Problem + 'static>(
    reduced: Reduced<A, ChcSystem>,
    options: &PassOptions,
    cx: &Cx<'_>,
) -> Result<Reduced<A, ChcSystem>, Halt> {
    let demand = match (options.prefix_sums, options.all_prefix_sums) {
        (_, true) => Demand::All,
        (true, false) => Demand::Compared,
        (false, false) => return Ok(reduced),
    };
    reduced
        .then(&PrefixSums { demand }, cx)?
        .then(&Equalities, cx)
}

/// A transition system whose Boolean variables say where control is, as simplified clauses over its
/// locations; `None` when there is no such control. One whose words are to be integers is always
/// one of clauses.
pub fn to_places(
    system: &TransitionSystem,
    options: &PassOptions,
    cx: &Cx<'_>,
) -> Result<Option<Reduced<TransitionSystem, ChcSystem>>, Halt> {
    if !options.simplify || !(options.locations || options.integers) {
        return Ok(None);
    }
    let mut reduced = Reduced::start(system).then(&Clauses, cx)?;
    if options.locations {
        reduced = reduced.then(&Locations, cx)?;
    }
    match reduced.problem.preds.len() {
        0 | 1 if !options.integers => Ok(None),
        _ => simplify_further(reduced, options, cx).map(Some),
    }
}

/// Steps down to a transition system; `Halt::Unsupported` when the clauses are not linear.
pub fn to_transition_system<A: Problem + 'static>(
    reduced: Reduced<A, ChcSystem>,
    options: &PassOptions,
    cx: &Cx<'_>,
) -> Result<Reduced<A, TransitionSystem>, Halt> {
    if options.validate {
        reduced.then(&Validated, cx)
    } else {
        reduced.then(&SingleLoop, cx)
    }
}

/// What one validation may take at most.
const VALIDATION: Work = Work::of_millis(1000);

/// The step down with every clause checked against its result.
struct Validated;

impl Pass for Validated {
    type From = ChcSystem;
    type To = TransitionSystem;
    type Lift = SingleLoopLift;

    fn name(&self) -> &'static str {
        SingleLoop.name()
    }

    fn run(
        &self,
        from: &ChcSystem,
        cx: &Cx<'_>,
    ) -> Result<(TransitionSystem, SingleLoopLift), Halt> {
        let (system, lift) = SingleLoop.run(from, cx)?;
        let found = cx.within(VALIDATION, |cx| validate::translation(&system, &lift, cx))?;
        found.unwrap_or_default().demand()?;
        Ok((system, lift))
    }
}
