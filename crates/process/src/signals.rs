//! SIGINT, SIGTERM and SIGHUP: the first asks to stop, a second ends the process at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use signal_hook::SigId;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

/// Exit code after a second interrupt.
const EXIT_INTERRUPTED_TWICE: i32 = 130;

/// A flag that says that somebody wants the work to stop. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Whether the flag is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
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
        let all = [SIGINT, SIGTERM, SIGHUP];
        let mut handlers = Vec::new();
        // Registered first, hence asked first: at the first signal the flag is still unset.
        for signal in [SIGINT, SIGTERM] {
            let armed = Arc::clone(&stop.0);
            let id = signal_hook::flag::register_conditional_shutdown(
                signal,
                EXIT_INTERRUPTED_TWICE,
                armed,
            )?;
            handlers.push(id);
        }
        for signal in all {
            handlers.push(signal_hook::flag::register(signal, Arc::clone(&stop.0))?);
        }
        let mut signals = Signals::new(all)?;
        let handle = signals.handle();
        let thread = std::thread::Builder::new()
            .name("signals".into())
            .spawn(move || signals.forever().for_each(on_signal))?;
        Ok(SignalWatch {
            handle,
            thread: Some(thread),
            handlers,
        })
    }
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
