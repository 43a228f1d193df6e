//! The hidden command that runs one engine for the supervisor.

use std::io;

use crate::exit::Exit;
use crate::streams::notice;

pub(crate) fn run() -> Exit {
    let outcome = foretell_process::shim::enter_worker()
        .and_then(|()| foretell_driver::worker::run(io::stdin(), io::stdout()));
    match outcome {
        Ok(()) => Exit::Safe,
        Err(error) => {
            notice(&error.to_string());
            Exit::Internal
        }
    }
}
