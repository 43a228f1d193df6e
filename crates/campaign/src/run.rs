//! One text through the product's pipeline, with everything that may go wrong caught: in this process, or
//! below the supervisor ([`supervised`]) when faults are to end a process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use foretell_testkit::{Answer, Plan, Scripts, attempt};

use crate::supervised;

/// Checks are short, unless the plan says otherwise.
const SHORT: [&str; 2] = ["certify.seconds=2", "certify.attempts=2"];

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// The answer.
    pub what: Answer,
    /// Processor time of this thread, in seconds.
    pub cpu: f64,
}

/// Checks a text.
pub fn run(text: &str, plan: &Plan, scripts: &Rc<Scripts>) -> Said {
    let begin = thread_seconds();
    let mut plan = plan.clone();
    plan.settings.splice(0..0, SHORT.map(str::to_owned));
    let check = || match plan.needs_processes() {
        true => supervised::run(text, &plan, scripts),
        false => attempt(text.as_bytes(), &plan, scripts),
    };
    let what = catch_unwind(AssertUnwindSafe(check))
        .unwrap_or_else(|payload| Answer::Panic(words(payload.as_ref())));
    Said {
        what,
        cpu: thread_seconds() - begin,
    }
}

/// The processor time of this thread.
pub(crate) fn thread_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// The words of a panic.
pub fn words(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic".to_owned())
}
