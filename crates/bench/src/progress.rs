//! How a batch tells how far it is. Drawing is the caller's business.

use std::time::Duration;

use crate::row::Row;

/// How far a batch is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tally {
    /// Runs to do, those of earlier starts included.
    pub total: usize,
    /// Runs done, those of earlier starts included.
    pub done: usize,
    /// Runs done by earlier starts.
    pub resumed: usize,
    /// Runs going on.
    pub running: usize,
    /// Runs of this start that are solved.
    pub solved: usize,
    /// Runs of this start whose verdict contradicts the expected one.
    pub wrong: usize,
    /// Time since this start.
    pub elapsed: Duration,
}

impl Tally {
    /// The time still needed, if the runs to come are like those of this start.
    pub fn eta(&self) -> Option<Duration> {
        let fresh = self.done.checked_sub(self.resumed).filter(|&n| n > 0)?;
        let left = self.total.saturating_sub(self.done);
        Some(self.elapsed.mul_f64(left as f64 / fresh as f64))
    }
}

/// Is told what happens in a batch.
pub trait Progress {
    /// Called often, also when nothing ended.
    fn update(&mut self, tally: &Tally) {
        let _ = tally;
    }

    /// A run ended and is on disk.
    fn finished(&mut self, row: &Row, tally: &Tally) {
        let _ = (row, tally);
    }

    /// Something worth a line.
    fn note(&mut self, text: &str) {
        let _ = text;
    }
}

/// Says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eta_ignores_resumed_runs() {
        let elapsed = Duration::from_secs(10);
        let tally = Tally {
            total: 100,
            done: 60,
            resumed: 50,
            elapsed,
            ..Tally::default()
        };
        assert_eq!(tally.eta(), Some(Duration::from_secs(40)));
        assert_eq!(Tally { done: 50, ..tally }.eta(), None);
    }
}
