//! The arguments of `bench`, `report`, `compare` and `merge`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use foretell_bench::{Attempt, Shard};
use foretell_process::limits::{parse_bytes, parse_duration};

/// The arguments of `bench`.
#[derive(Args, Debug)]
#[command(after_help = "\
Inputs are files, folders, lists (.txt, .list), .set files, task definitions (.yml) and manifests (.tsv with \
the columns file, expected, set). Expected verdicts come from definitions and manifests, else from folder names \
(safe, unsafe, sat, unsat).
Results are appended to OUT/results.jsonl; the same command goes on where it was interrupted. At the end \
OUT/report.html and OUT/report.csv are written, unless only a part was run.
Exit codes: 0 done, 10 a verdict contradicts the expected one or a certificate failed, 20 interrupted, or results are missing.")]
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
    /// Have each run of ours write a page that explains it to OUT/pages; the report links to it.
    #[arg(long)]
    pub(crate) reports: bool,
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
    /// Run only this part, such as 3/8; results of all parts can share a folder. A part writes no report.
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    pub(crate) shard: Option<Shard>,
    /// Names this start of a part: its results go to a file of their own, whoever else is alive.
    #[arg(long, value_name = "NAME", value_parser = Attempt::parse)]
    pub(crate) attempt: Option<Attempt>,
    /// Run nothing; write scripts for Slurm to OUT/slurm, for GNU parallel to OUT/parallel, or BenchExec
    /// definitions to OUT/benchexec.
    #[arg(long, value_name = "WHAT")]
    pub(crate) emit: Option<Emit>,
    /// The same as `--emit slurm`, and submit them.
    #[arg(long, conflicts_with = "emit")]
    pub(crate) submit: bool,
    /// How many parts there are; by default one for each 20 files, at most 1000.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) shards: Option<u64>,
    /// How many parts run at once: of a Slurm array in all, of GNU parallel on each host.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) at_once: Option<u64>,
    /// Run nothing; print the parts with missing results and exit with 20, or, when there are none, write
    /// the report.
    #[arg(long, conflicts_with_all = ["emit", "submit", "shard", "watch"])]
    pub(crate) missing: bool,
    /// Run nothing; show how far all parts are until nothing is missing.
    #[arg(long, conflicts_with_all = ["emit", "submit", "shard"])]
    pub(crate) watch: bool,
}

/// What to write instead of running.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Emit {
    /// Scripts for Slurm.
    Slurm,
    /// A script for GNU parallel.
    Parallel,
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
