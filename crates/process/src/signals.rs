//! SIGINT, SIGTERM and SIGHUP: the first asks to stop, one that comes later ends the process at once.
//!
//! Signals within half a second are one: a terminal and a program that passes signals on (`timeout`,
//! `docker`, `make`) send the same one twice.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use signal_hook::SigId;
use signal_hook::consts::{SIGHUP, SIGINT, SIGSTOP, SIGTERM, SIGTSTP};
use signal_hook::iterator::{Handle, Signals};

/// Exit code after a later interrupt.
const EXIT_INTERRUPTED_TWICE: i32 = 130;
/// Signals that come within this time are one.
const ONE_SIGNAL: Duration = Duration::from_millis(500);

/// A flag that says that somebody wants the work to stop. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Whether the flag is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Sets it.
    pub fn set(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// The thread that waits for signals; handlers are removed when this is dropped.
pub(crate) struct SignalWatch {
    handle: Handle,
    thread: Option<JoinHandle<()>>,
    handlers: Vec<SigId>,
}

impl SignalWatch {
    /// Sets `stop` and calls `on_signal` with the signal's number for every signal received.
    pub(crate) fn start(stop: Stop, on_signal: impl Fn(i32) + Send + 'static) -> io::Result<Self> {
        SignalWatch::with_pause(stop, on_signal, None)
    }

    /// The same; SIGTSTP is handed to `pauses`, if there is somebody to be told.
    pub(crate) fn with_pause(
        stop: Stop,
        on_signal: impl Fn(i32) + Send + 'static,
        pauses: Option<Box<dyn Fn() + Send>>,
    ) -> io::Result<Self> {
        let ends = [SIGINT, SIGTERM, SIGHUP];
        let mut handlers = Vec::new();
        for signal in ends {
            handlers.push(signal_hook::flag::register(signal, Arc::clone(&stop.0))?);
        }
        let mut signals = Signals::new(ends)?;
        if pauses.is_some() {
            signals.add_signal(SIGTSTP)?;
        }
        let handle = signals.handle();
        let thread = std::thread::Builder::new()
            .name("signals".into())
            .spawn(move || {
                let mut first = None;
                for signal in signals.forever() {
                    match (&pauses, signal) {
                        (Some(pause), SIGTSTP) => pause(),
                        _ => {
                            let since: Instant = *first.get_or_insert_with(Instant::now);
                            if signal != SIGHUP && since.elapsed() >= ONE_SIGNAL {
                                signal_hook::low_level::exit(EXIT_INTERRUPTED_TWICE);
                            }
                            on_signal(signal);
                        }
                    }
                }
            })?;
        Ok(SignalWatch {
            handle,
            thread: Some(thread),
            handlers,
        })
    }
}

/// Stops this process, and gives the time until it goes on.
pub(crate) fn stop_myself() -> Duration {
    let before = Instant::now();
    // To this very thread, so that it does not run on until another one has noticed.
    let _ = signal_hook::low_level::raise(SIGSTOP);
    before.elapsed()
}

impl Drop for SignalWatch {
    fn drop(&mut self) {
        self.handle.close();
        for id in self.handlers.drain(..) {
            signal_hook::low_level::unregister(id);
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
