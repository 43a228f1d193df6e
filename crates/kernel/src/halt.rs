//! Why a step did not finish, or finished without an answer.

use std::fmt;

/// Why an engine gave up. A non-answer, never an error.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The engine explored everything up to this bound and found neither.
    BoundReached(u32),
    /// Refinement produced no new predicate.
    NoNewPredicate,
    /// The solver could not decide a query; its own words.
    SolverUnknown(String),
    /// The engine does not handle this problem.
    Unsupported(Unsupported),
    /// A witness failed its check; the words say which part.
    Certificate(String),
    /// The search space of the engine (templates, candidates) holds no proof.
    Exhausted(String),
    /// The run was stopped.
    Stopped(StopReason),
}

/// A feature an engine or front end does not handle, by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);

/// What stopped a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// A signal or the supervisor.
    Interrupted,
    /// The allowance of solver queries.
    Queries,
}

/// Why a step did not finish; travels by `?`.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Halt {
    /// The budget is used up or the run was cancelled.
    Stopped(StopReason),
    /// The solver failed (crashed, refused a term); not an answer.
    Solver(String),
    /// A layer or pass could not carry a witness back.
    NotLifted(&'static str),
    /// A pass or layer does not handle this problem.
    Unsupported(Unsupported),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StopReason::Time => "timeout",
            StopReason::Memory => "memory",
            StopReason::Interrupted => "interrupted",
            StopReason::Queries => "query limit",
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::BoundReached(bound) => write!(f, "bound {bound} reached"),
            Reason::NoNewPredicate => write!(f, "no new predicate"),
            Reason::SolverUnknown(words) => write!(f, "solver: {words}"),
            Reason::Unsupported(feature) => write!(f, "unsupported: {feature}"),
            Reason::Certificate(words) => write!(f, "certificate: {words}"),
            Reason::Exhausted(words) => write!(f, "exhausted: {words}"),
            Reason::Stopped(reason) => write!(f, "{reason}"),
        }
    }
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Halt::Stopped(reason) => write!(f, "{reason}"),
            Halt::Solver(words) => write!(f, "solver failure: {words}"),
            Halt::NotLifted(layer) => {
                write!(f, "the witness could not be carried back through {layer}")
            }
            Halt::Unsupported(feature) => write!(f, "unsupported: {feature}"),
        }
    }
}

impl std::error::Error for Halt {}

impl From<StopReason> for Halt {
    fn from(reason: StopReason) -> Halt {
        Halt::Stopped(reason)
    }
}

impl From<Halt> for Reason {
    fn from(halt: Halt) -> Reason {
        match halt {
            Halt::Stopped(reason) => Reason::Stopped(reason),
            Halt::Solver(words) => Reason::SolverUnknown(words),
            Halt::NotLifted(layer) => {
                Reason::Certificate(format!("not carried back through {layer}"))
            }
            Halt::Unsupported(feature) => Reason::Unsupported(feature),
        }
    }
}
