//! One worker for one question, beside a check.

use std::time::{Duration, Instant};

use foretell_process::{Limits, ProcessEvent};

use crate::check::Request;
use crate::error::Error;
use crate::portfolio::Configuration;
use crate::protocol::{Ask, Job, Message, Purpose};

/// A job about the whole text in which no engine runs; the settings of the checker count.
pub(crate) fn job(request: &Request, purpose: Purpose, limit: Duration) -> Job {
    let engine = "bmc".to_owned();
    Job {
        configuration: Configuration {
            name: engine.clone(),
            engine,
            ..Configuration::default()
        },
        ask: Ask::default(),
        time_left: u64::try_from(limit.as_millis()).ok(),
        length: Some(request.bytes.len()),
        purpose,
        common: request.common.clone(),
        ..Job::default()
    }
}

/// Starts a worker for a job about the text of a request, and gives its last message; `None` when there
/// was none in time.
///
/// # Errors
/// When the worker cannot be started.
pub(crate) fn ask(request: &Request, job: &Job, limit: Duration) -> Result<Option<Message>, Error> {
    let limits = Limits {
        wall: Some(limit),
        ..request.limits
    };
    let mut supervisor = request.host.supervisor(limits)?;
    let child = supervisor
        .spawn(request.host.worker())
        .map_err(|e| Error::System(e.to_string()))?;
    let mut input = serde_json::to_vec(job).unwrap_or_default();
    input.push(b'\n');
    input.extend_from_slice(&request.bytes);
    supervisor.send_bytes(child, input);
    let mut deadline = Instant::now() + limit;
    while let Some(event) = supervisor.next_event(Some(deadline)) {
        match event {
            ProcessEvent::Line { text, .. } => {
                let message: Option<Message> = serde_json::from_str(&text).ok();
                if let Some(last @ (Message::Learned(_) | Message::Answer(_))) = message {
                    supervisor.kill_all();
                    return Ok(Some(last));
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
    Ok(None)
}
