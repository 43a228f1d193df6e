//! The clock behind Z3's queries: a thread that interrupts the query of its owner when its time is
//! over.
//!
//! Z3 has a time limit of its own, but it starts a thread for each query, which takes half a
//! millisecond, many times what a small query takes. Here one thread looks at the clock now and
//! then for all queries of a thread.

use std::cell::OnceCell;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use foretell_kernel::clock;
use z3::{Context, ContextHandle};

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(20);

/// When the query that runs is to end, if one does.
///
/// Invariant: whoever interrupts holds the lock, so nothing is interrupted after its query has
/// returned.
#[derive(Default)]
struct Watch(Mutex<Option<Instant>>);

impl Watch {
    fn set(&self, until: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = until;
    }

    fn interrupt_if_late(&self, handle: &ContextHandle<'_>) {
        let until = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if until.is_some_and(|until| clock::now() >= until) {
            handle.interrupt();
        }
    }
}

thread_local! {
    static WATCH: OnceCell<Arc<Watch>> = const { OnceCell::new() };
}

/// The result of a query of this thread that is interrupted after `limit`, give or take a tick.
pub(super) fn under_clock<T>(limit: Duration, query: impl FnOnce() -> T) -> T {
    let until = clock::now().checked_add(limit);
    if until.is_none() {
        return query();
    }
    let watch = WATCH.with(|watch| Arc::clone(watch.get_or_init(start)));
    watch.set(until);
    let result = query();
    watch.set(None);
    result
}

/// Starts the thread that looks at the clock for this one, as long as this one lives.
fn start() -> Arc<Watch> {
    let watch = Arc::new(Watch::default());
    let weak = Arc::downgrade(&watch);
    // The context lives as long as its thread; the other one must be able to name it a tick longer.
    let context: &'static Context = Box::leak(Box::new(Context::thread_local()));
    let handle = context.handle();
    // Without the thread queries have no clock but the supervisor's.
    let _ = thread::Builder::new()
        .name("watch".into())
        .spawn(move || look(&weak, &handle));
    watch
}

fn look(watch: &Weak<Watch>, handle: &ContextHandle<'_>) {
    loop {
        thread::sleep(TICK);
        let Some(watch) = watch.upgrade() else { return };
        watch.interrupt_if_late(handle);
    }
}
