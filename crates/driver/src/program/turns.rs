//! Who of several groups is checked next, and how long. Pure data, no clock of its own.
//!
//! ```text
//! while groups are open
//!   for each of them: a slice; answered, or given up by itself: closed
//!   slices × 4
//! the only open group gets all the time that is left
//! where two more rounds of slices do not fit, the open groups share what is left in equal parts
//! ```
//!
//! So an unanswered group starves no other, also without any limit, and the time of one that is quickly
//! done goes to the others.

use std::time::Duration;

/// The slices of the first round.
const FIRST: Duration = Duration::from_secs(6);
/// By how much slices grow from round to round.
const GROWTH: u32 = 4;
/// With less than this, nothing is tried.
const LEAST: Duration = Duration::from_millis(200);

/// How long a group is checked in a round (counted from 0) in which so many are open, itself included;
/// `None`: until it is answered.
pub(super) fn slice(round: u32, n_open: u32, left: Option<Duration>) -> Option<Duration> {
    if n_open < 2 {
        return left;
    }
    let own = FIRST.saturating_mul(GROWTH.saturating_pow(round));
    match left {
        Some(left) if left < own.saturating_mul(2 * n_open) => Some(left / n_open),
        _ => Some(own),
    }
}

/// Whether a time is long enough to try anything in it.
pub(super) fn is_worth(left: Option<Duration>) -> bool {
    left.is_none_or(|left| left >= LEAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn the_last_one_gets_everything() {
        assert_eq!(slice(0, 1, Some(seconds(50))), Some(seconds(50)));
        assert_eq!(slice(3, 1, None), None);
    }

    #[test]
    fn several_get_slices_that_grow() {
        assert_eq!(slice(0, 3, Some(seconds(60))), Some(seconds(6)));
        assert_eq!(slice(0, 3, None), Some(seconds(6)));
        assert_eq!(slice(2, 3, None), Some(seconds(96)));
    }

    #[test]
    fn what_is_left_is_shared_in_equal_parts_at_the_end() {
        assert_eq!(slice(1, 3, Some(seconds(42))), Some(seconds(14)));
        assert_eq!(slice(0, 3, Some(seconds(21))), Some(seconds(7)));
        assert_eq!(slice(0, 2, Some(seconds(0))), Some(seconds(0)));
        assert!(!is_worth(Some(Duration::ZERO)));
        assert!(is_worth(None) && is_worth(Some(seconds(1))));
    }
}
