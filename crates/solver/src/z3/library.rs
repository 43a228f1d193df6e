//! What all solvers share: settings of the whole library, and the context of a thread.

use std::cell::Cell;
use std::mem;
use std::rc::Rc;
use std::sync::Once;

use z3::{Context, Params, Solver, Translate};

/// What the evaluation of one term in a model may take, about half a second.
const MOST_STEPS: &str = "2000000";

/// So many solvers of a thread are left to the end of the process.
const LEFT: u32 = 32;

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

/// Makes what the solvers of this thread share, which takes milliseconds; the first solver makes it otherwise.
pub fn prepare() {
    settle();
    BLANK.with(|_| ());
}

thread_local! {
    /// A solver whose strategy is Z3's main procedure, and which was never asked or told anything.
    static BLANK: Solver = blank();
    /// How many solvers were left.
    static N_LEFT: Cell<u32> = const { Cell::new(0) };
}

/// The parameter is read when Z3's own solver is made, which happens at its first use.
fn blank() -> Solver {
    z3::set_global_param("tactic.default_tactic", "smt");
    let solver = Solver::new();
    let _ = solver.get_assertions();
    z3::set_global_param("tactic.default_tactic", "");
    solver
}

/// A solver whose strategy is Z3's main procedure. A copy of a blank one takes Z3, with its parameters, three
/// fifths of the time of a new one, for which it reads the name of the strategy with a parser that is made for
/// that. A copy has none of the parameters of the solver it was made from.
pub(super) fn direct(params: &Params) -> Solver {
    let solver = BLANK.with(|blank| blank.translate(&Context::thread_local()));
    solver.set_params(params);
    solver
}

/// Leaves a small solver that is not needed any more to the end of the process, if it is one of the first. Z3
/// takes about as long to take one apart as to copy it, and many runs are over after a few. Which ones are left must not
/// depend on the clock: Z3 numbers its terms by what there is.
pub(super) fn leave(solver: &Rc<Solver>) {
    let left = N_LEFT.get();
    if left < LEFT {
        N_LEFT.set(left + 1);
        mem::forget(Rc::clone(solver));
    }
}
