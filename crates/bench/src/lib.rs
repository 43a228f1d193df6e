//! Runs suites of files through tools, records, reports and compares.
//!
//! | module | what |
//! |---|---|
//! | `inputs`, `taskdef` | which files, with which expected verdicts |
//! | `tool`, `verdict` | command lines and what their answers mean |
//! | `run`, `options`, `progress` | the batch |
//! | `row`, `keys`, `journal` | results on disk, merging |
//! | `coverage`, `beat` | what is there of a batch in parts, and what runs |
//! | `table`, `report` | one HTML page and a CSV file |
//! | `compare` | what changed between two runs |
//! | [`emit`] | scripts for Slurm and GNU parallel, definitions for BenchExec |

mod beat;
mod compare;
mod coverage;
pub mod emit;
mod error;
mod inputs;
pub mod journal;
mod keys;
mod options;
mod progress;
mod report;
mod row;
mod run;
mod table;
pub mod taskdef;
mod tool;
mod verdict;

pub use compare::compare;
pub use coverage::{Coverage, Whole};
pub use error::BenchError;
pub use foretell_kernel::VerdictKind;
pub use journal::merge;
pub use options::{Attempt, BenchOptions, Pages, Shard};
pub use progress::{Progress, Silent, Tally};
pub use report::report;
pub use row::Row;
pub use run::{Summary, run};
pub use tool::Tool;
