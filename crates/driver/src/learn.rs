//! What a check learnt: one more worker that proves what it can of what the others said.

use std::time::Duration;

use crate::check::{Report, Request};
use crate::error::Error;
use crate::protocol::{Job, Learned, Message, Purpose};
use crate::single::{ask, job};

/// The part of a time limit that is kept for learning.
const SHARE: u32 = 10;
/// At most this is kept.
const MOST: Duration = Duration::from_secs(10);

/// The time to keep of a limit for [`learn`].
pub fn reserve(wall: Option<Duration>) -> Duration {
    wall.map_or(MOST, |wall| (wall / SHARE).min(MOST))
}

/// Proves what it can of what the workers of a check said to each other, within a time.
///
/// # Errors
/// When the worker cannot be started.
pub fn learn(request: &Request, report: &Report, limit: Duration) -> Result<Learned, Error> {
    let job = Job {
        shared: report.shared.clone(),
        ..job(request, Purpose::Learn, limit)
    };
    Ok(match ask(request, &job, limit)? {
        Some(Message::Learned(learned)) => learned,
        _ => Learned::default(),
    })
}
