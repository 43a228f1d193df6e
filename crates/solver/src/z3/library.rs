//! What all solvers share: settings of the whole library, and the context of a thread.

use std::sync::Once;

/// What the evaluation of one term in a model may take, about half a second.
const MOST_STEPS: &str = "2000000";

static SETTLED: Once = Once::new();

/// Settings of the whole library.
pub(super) fn settle() {
    SETTLED.call_once(|| {
        // Functions are read off entry by entry: compressing them first costs more than it saves.
        z3::set_global_param("model.compact", "false");
        // Some models with arrays of truth values are evaluated for ever: such a value is not to be had.
        z3::set_global_param("model_evaluator.max_steps", MOST_STEPS);
    });
}

/// Makes what the solvers of this thread share, which takes milliseconds; the first one makes it otherwise.
pub fn prepare() {
    settle();
    drop(z3::Context::thread_local());
}
