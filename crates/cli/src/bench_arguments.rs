//! The arguments of `bench`, `report`, `compare` and `merge`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use foretell_bench::Shard;
use foretell_process::limits::{parse_bytes, parse_duration};

/// The arguments of `bench`.
#[derive(Args, Debug)]
#[command(after_help = "\
Inputs are files, folders, lists (.txt, .list), .set files, task definitions (.yml) and manifests (.tsv with \
the columns file, expected, set). Expected verdicts come from definitions and manifests, else from folder names \
(safe, unsafe, sat, unsat).
Results are appended to OUT/results.jsonl; the same command goes on where it was interrupted. At the end \
OUT/report.html and OUT/report.csv are written.
Exit codes: 0 done, 10 a verdict contradicts the expected one or a certificate failed, 20 interrupted.")]
pub(crate) struct BenchArguments {
    /// What to run.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Folder of results.
    #[arg(
        long,
        short = 'O',
        value_name = "FOLDER",
        default_value = "bench-results"
    )]
    pub(crate) out: PathBuf,
    /// Only inputs whose name matches this pattern (`*`, `**`, `?`); may be repeated.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) only: Vec<String>,
    /// Time limit of each run.
    #[arg(long, short = 't', value_name = "TIME", value_parser = parse_duration, default_value = "20s")]
    pub(crate) timeout: Duration,
    /// Memory limit of each run, such as 4G.
    #[arg(long, short = 'm', value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory: Option<u64>,
    /// How many runs at once. More than half the cores makes times noisy.
    #[arg(long, short = 'j', value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,
    /// Show no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) tools: ToolArguments,
    #[command(flatten)]
    pub(crate) spread: SpreadArguments,
}

/// Which tools to run.
#[derive(Args, Debug)]
#[command(next_help_heading = "Tools")]
pub(crate) struct ToolArguments {
    /// Run another tool beside ours, such as 'z3=z3 -T:{timeout} {file}'; may be repeated.
    #[arg(long = "tool", value_name = "NAME=COMMAND")]
    pub(crate) tools: Vec<String>,
    /// Run ours with these options, such as 'bmc=--engine bmc'; may be repeated. Without any, ours runs
    /// once as it is.
    #[arg(long = "variant", value_name = "NAME=OPTIONS")]
    pub(crate) variants: Vec<String>,
    /// Do not run ours.
    #[arg(long, conflicts_with = "variants")]
    pub(crate) no_own: bool,
}

/// How to spread a batch over machines.
#[derive(Args, Debug)]
#[command(next_help_heading = "Many machines")]
pub(crate) struct SpreadArguments {
    /// Run only this part, such as 3/8; results of all parts can share a folder.
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    pub(crate) shard: Option<Shard>,
    /// Run nothing; print a Slurm job script, or write BenchExec definitions to OUT/benchexec.
    #[arg(long, value_name = "WHAT")]
    pub(crate) emit: Option<Emit>,
    /// How many parts the Slurm job has.
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) shards: usize,
}

/// What to write instead of running.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Emit {
    /// A job script for Slurm.
    Slurm,
    /// Definitions for BenchExec.
    Benchexec,
}

/// The arguments of `report`.
#[derive(Args, Debug)]
pub(crate) struct ReportArguments {
    /// Folders of results.
    #[arg(required = true, value_name = "FOLDER")]
    pub(crate) results: Vec<PathBuf>,
    /// The page; the CSV file is written beside it. By default report.html in the first folder.
    #[arg(long, short = 'O', value_name = "FILE.html")]
    pub(crate) out: Option<PathBuf>,
}

/// The arguments of `compare`.
#[derive(Args, Debug)]
pub(crate) struct CompareArguments {
    /// Results before.
    pub(crate) before: PathBuf,
    /// Results after.
    pub(crate) after: PathBuf,
    /// Compare this tool before with that tool after; may be repeated. By default tools of the same name.
    #[arg(long = "pair", value_name = "BEFORE=AFTER")]
    pub(crate) pairs: Vec<String>,
    /// Print JSON instead of text.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `merge`.
#[derive(Args, Debug)]
pub(crate) struct MergeArguments {
    /// Folders or files of results.
    #[arg(required = true, value_name = "RESULTS")]
    pub(crate) sources: Vec<PathBuf>,
    /// The folder that gets them all.
    #[arg(long, short = 'O', value_name = "FOLDER")]
    pub(crate) out: PathBuf,
}
