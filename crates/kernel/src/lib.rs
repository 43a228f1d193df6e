//! The vocabulary every other crate speaks: problems, verdicts, engines, passes, solvers, budgets
//! and events. No algorithm lives here, and no backend: engines ask [`Oracles`] for solvers.
//!
//! Reading order: [`problem`], [`engine`], [`peers`], [`solver`], [`interpolator`], [`context`],
//! [`budget`], [`event`], [`halt`], [`options`].

pub mod budget;
pub mod clock;
pub mod context;
pub mod engine;
pub mod event;
pub mod halt;
pub mod interpolator;
pub mod options;
pub mod peers;
pub mod problem;
pub mod solver;

pub use budget::{Budget, CancelFlag, Work};
pub use context::{Cx, Oracles, Rng};
pub use engine::{Abstraction, Engine, Lift, Pass, Refinement};
pub use event::{Count, Event, EventSink, NullSink, Phase};
pub use halt::{Halt, Reason, StopReason, Unsupported};
pub use interpolator::{Interpolation, Interpolator, PartTree, Strength};
pub use options::{OptionError, OptionTable, Settings};
pub use peers::{Alone, Peers, Translated, Translation};
pub use problem::{Problem, Verdict, VerdictKind};
pub use solver::{Answer, Model, ScriptAnswer, Solver, SolverConfig, Strategy};
