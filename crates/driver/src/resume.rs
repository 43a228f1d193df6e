//! A run that goes on where an earlier one ended.
//!
//! ```text
//! an earlier run   leaves the turns that were not over: the configuration, how long it had run, how often it
//!                  was tried
//! this run         first   whoever has not had the whole turn of the schedule, as the schedule gives it
//!                  then    the others, the longest in front, because so the most of them fit beside each other
//!                          a turn starts anew, so its slice is up to twice what it had: once to be where it
//!                          was, once to get further; less where not all of them would get a turn
//!                          each with a seed it has not had: what chance made long may be short the next time
//!                  last    configurations that had given up
//! ```
//!
//! The names and times come from a text that a user may have written, so a name that no step has is passed
//! over and a time is no more than a wish.

use std::cmp::Reverse;
use std::time::Duration;

use crate::portfolio::Step;

/// A turn that was not over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The configuration.
    pub configuration: String,
    /// How long it had run.
    pub had: Duration,
    /// In how many runs, one after the other.
    pub tries: u64,
}

/// Longer times are not believed.
const MOST: Duration = Duration::from_secs(24 * 3600);

/// A turn gets at least so many times what it had, and at most twice.
const LEAST_GROWTH: f64 = 1.25;

/// How far the seeds of one try are from those of the next; more than any schedule has.
const SEEDS: u64 = 1000;

/// How often a step was tried when its turn is over.
pub(crate) fn tries(step: &Step) -> u64 {
    step.seed / SEEDS + 1
}

/// The steps of a run that goes on after these turns, where there is so much time for all slots together.
pub fn resumed(steps: Vec<Step>, turns: &[Unfinished], room: Option<Duration>) -> Vec<Step> {
    let had = |turn: &Unfinished| turn.had.min(MOST).as_secs_f64();
    let all: f64 = turns.iter().map(had).sum();
    let growth = room.map_or(2.0, |room| room.as_secs_f64() / all.max(1.0));
    let growth = growth.clamp(LEAST_GROWTH, 2.0);
    let turn = |step: &Step| {
        let name = &step.configuration.name;
        turns.iter().find(|turn| turn.configuration == *name)
    };
    let rank = |step: &Step| match turn(step) {
        Some(turn) if !is_served(step, turn) => (0, Reverse(Duration::ZERO)),
        Some(turn) => (1, Reverse(turn.had)),
        None => (2, Reverse(Duration::ZERO)),
    };
    let mut steps = steps;
    steps.sort_by_key(rank);
    for step in &mut steps {
        let Some(turn) = turn(step) else { continue };
        step.after = Duration::ZERO;
        if is_served(step, turn) {
            let wanted = turn.had.min(MOST).mul_f64(growth);
            step.slice = step.slice.map(|slice| slice.max(wanted));
            step.seed = step.seed.wrapping_add(SEEDS.wrapping_mul(turn.tries));
        }
    }
    steps
}

/// Whether a step has had the whole turn that the schedule gives it. Times are told in tenths of a second.
fn is_served(step: &Step, turn: &Unfinished) -> bool {
    let had = turn.had.saturating_add(Duration::from_millis(50));
    step.slice.is_some_and(|slice| had >= slice)
}

/// What `--hints` reads of these turns; nothing when there are none.
pub fn text(turns: &[Unfinished]) -> String {
    if turns.is_empty() {
        return String::new();
    }
    let one = |turn: &Unfinished| {
        let name = foretell_terms::print::quote(&turn.configuration);
        let tries = match turn.tries {
            1 => String::new(),
            tries => format!(" {tries}"),
        };
        format!(" ({name} {:.1}{tries})", turn.had.as_secs_f64())
    };
    let all: String = turns.iter().map(one).collect();
    format!("(turns{all})\n")
}

#[cfg(test)]
mod tests {
    use super::{SEEDS, Unfinished, resumed, text, tries};
    use crate::portfolio::{Portfolio, Step};
    use std::time::Duration;

    fn turn(name: &str, seconds: u64) -> Unfinished {
        Unfinished {
            configuration: name.to_owned(),
            had: Duration::from_secs(seconds),
            tries: 1,
        }
    }

    fn scalar() -> Vec<Step> {
        let portfolio = Portfolio::built_in().expect("is read");
        portfolio.steps("scalar", 2).expect("is known")
    }

    #[test]
    fn what_was_not_over_comes_first_with_time_to_get_further() {
        let steps = scalar();
        let n_steps = steps.len();
        let turns = [turn("bmc", 7), turn("no such", 1), turn("ic3ia", 0)];
        let resumed = resumed(steps, &turns, None);
        assert_eq!(resumed.len(), n_steps, "nobody is lost");
        assert_eq!(resumed[0].configuration.name, "ic3ia");
        assert_eq!(resumed[0].slice, Some(Duration::from_secs(1)), "a turn");
        assert_eq!(resumed[1].configuration.name, "bmc");
        assert_eq!(resumed[1].slice, Some(Duration::from_secs(14)));
        let seeds: Vec<u64> = resumed.iter().take(3).map(|s| s.seed).collect();
        assert_eq!(seeds, [0, SEEDS, 0], "who had a turn has another seed");
        assert_eq!(
            text(&turns),
            "(turns (bmc 7.0) (|no such| 1.0) (ic3ia 0.0))\n"
        );
        let again = [Unfinished {
            tries: tries(&resumed[1]),
            ..turn("bmc", 7)
        }];
        assert_eq!(text(&again), "(turns (bmc 7.0 2))\n");
    }

    #[test]
    fn turns_are_fitted_to_the_time_there_is() {
        let together = |seconds| {
            let turns = [turn("bmc", 4), turn("spacer", 6), turn("candidates", 6)];
            let room = Some(Duration::from_secs(seconds));
            let first = resumed(scalar(), &turns, room).into_iter().take(3);
            let told = first.map(|s| (s.configuration.name, s.slice.map(|s| s.as_secs_f64())));
            told.collect::<Vec<_>>()
        };
        let told = |name: &str, seconds| (name.to_owned(), Some(seconds));
        let longest_first = |spacer, bmc| {
            let candidates = told("candidates", spacer);
            [candidates, told("spacer", spacer), told("bmc", bmc)]
        };
        assert_eq!(together(24), longest_first(9.0, 6.0));
        assert_eq!(together(100), longest_first(12.0, 8.0));
        assert_eq!(together(2), longest_first(7.5, 5.0));
    }
}
