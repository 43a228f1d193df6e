//! What a check learnt: one more worker that proves what it can of what the others said.

use std::time::{Duration, Instant};

use foretell_process::{Limits, Output, ProcessEvent, Spec};

use crate::check::{Report, Request};
use crate::error::Error;
use crate::portfolio::Configuration;
use crate::protocol::{Ask, Job, Learned, Message, Purpose};

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
    let limits = Limits {
        wall: Some(limit),
        ..request.limits
    };
    let mut supervisor = request.host.supervisor(limits)?;
    let spec = Spec::worker(request.host.worker_arguments.iter().map(String::as_str));
    let spec = spec.piped().lines().stderr(Output::Capture(1 << 10));
    let child = supervisor
        .spawn(spec)
        .map_err(|e| Error::System(e.to_string()))?;
    supervisor.send_bytes(child, input(request, report, limit));
    let mut deadline = Instant::now() + limit;
    while let Some(event) = supervisor.next_event(Some(deadline)) {
        match event {
            ProcessEvent::Line { text, .. } => {
                if let Ok(Message::Learned(learned)) = serde_json::from_str(&text) {
                    supervisor.kill_all();
                    return Ok(learned);
                }
            }
            ProcessEvent::Overlong { .. } => {}
            ProcessEvent::Paused(pause) => deadline += pause,
            ProcessEvent::Exit(_)
            | ProcessEvent::LimitHit { .. }
            | ProcessEvent::Interrupted { .. } => break,
        }
    }
    supervisor.kill_all();
    Ok(Learned::default())
}

/// The job on one line, then the file.
fn input(request: &Request, report: &Report, limit: Duration) -> Vec<u8> {
    let engine = "bmc".to_owned();
    let job = Job {
        // No engine runs; the settings of the checker count.
        configuration: Configuration {
            name: engine.clone(),
            engine,
            settings: Vec::new(),
        },
        ask: Ask::default(),
        time_left: u64::try_from(limit.as_millis()).ok(),
        length: Some(request.bytes.len()),
        shared: report.shared.clone(),
        purpose: Purpose::Learn,
        common: request.common.clone(),
        ..Job::default()
    };
    let mut input = serde_json::to_vec(&job).unwrap_or_default();
    input.push(b'\n');
    input.extend_from_slice(&request.bytes);
    input
}
