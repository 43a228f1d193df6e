//! The vocabulary every other crate speaks: problems, verdicts, engines, passes, solvers, budgets and events.
