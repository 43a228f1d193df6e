//! Runs suites of files through tools, records, reports and compares.
//!
//! | module | what |
//! |---|---|
//! | [`inputs`], [`taskdef`] | which files, with which expected verdicts |
//! | [`tool`], [`verdict`] | command lines and what their answers mean |
//! | [`run`], [`options`], [`progress`] | the batch |
//! | [`row`], [`journal`] | results on disk, merging |
//! | [`report`] | one HTML page and a CSV file |
//! | [`compare`] | what changed between two runs |
//! | [`emit`] | job scripts for Slurm, definitions for BenchExec |

pub mod compare;
pub mod emit;
mod error;
pub mod inputs;
pub mod journal;
pub mod options;
pub mod progress;
pub mod report;
pub mod row;
pub mod run;
pub mod table;
pub mod taskdef;
pub mod tool;
pub mod verdict;

pub use compare::{Comparison, compare};
pub use error::BenchError;
pub use journal::merge;
pub use options::{BenchOptions, Shard};
pub use progress::{Progress, Silent, Tally};
pub use report::{Report, report};
pub use row::Row;
pub use run::{Summary, run};
pub use tool::Tool;
pub use verdict::Verdict;
