//! The command line as data.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use foretell_driver::program::Group;
use foretell_driver::protocol::Faults;
use foretell_driver::{Property, Selection};
use foretell_process::limits::{parse_bytes, parse_duration};

use crate::bench_arguments::{BenchArguments, CompareArguments, MergeArguments, ReportArguments};
use crate::elsewhere::ElsewhereArguments;
use crate::options_command::OptionsArguments;

/// Model checker for infinite-state systems and programs with arrays.
///
/// Reads C, SMT-LIB HORN, the rules dialect of Z3, and VMT-LIB; the content decides which. Every answer
/// is checked before it is printed.
#[derive(Parser, Debug)]
#[command(name = "foretell", version = VERSION, args_conflicts_with_subcommands = true)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// What to do, if not `check`.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// The arguments of `check`, which may be left out.
    #[command(flatten)]
    pub(crate) check: CheckArguments,
}

const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("FORETELL_COMMIT"),
    ")"
);

const EXIT_CODES: &str = "\
Exit codes: 0 safe, 10 unsafe, 20 unknown, 1 internal error or failed output, 2 usage, \
3 malformed input, 4 unsupported input.
Answers: HORN files `sat` (safe) or `unsat` (unsafe); files with `query` as Z3 says it, \
`unsat` (safe) or `sat` (unsafe); VMT files `safe` or `unsafe`; otherwise `unknown (reason)`.";

/// The commands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Decide whether a bad state is reachable (the default command).
    Check(Box<CheckArguments>),
    /// Insert the invariants of its loops into a C program, as ACSL.
    Annotate(Box<AnnotateArguments>),
    /// Make the page of a report that was written as JSON (`--report=FILE.json`).
    Explain(ExplainArguments),
    /// Check somebody's witness on the original text.
    Validate(ValidateArguments),
    /// Describe a file: format, size, features.
    Info(InfoArguments),
    /// Interpolants between groups of assertions (`:interpolation-group`).
    Interpolate(InterpolateArguments),
    /// List engines, portfolios and settings.
    Options(OptionsArguments),
    /// Run tools over many files; goes on where it was interrupted.
    Bench(BenchArguments),
    /// Make an HTML page and a CSV file of results of `bench`.
    Report(ReportArguments),
    /// Tell what changed between two results of `bench`.
    Compare(CompareArguments),
    /// Join results of `bench` from several machines.
    Merge(MergeArguments),
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write the manual pages into a folder, one per command.
    Man {
        /// The folder.
        folder: PathBuf,
    },
}

/// The arguments of `check`.
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    /// The file to check; `-` is standard input, which is read too when no file is named and it is a file
    /// or a pipe.
    pub(crate) file: Option<PathBuf>,
    /// Talk in SMT-LIB on standard input and output: assert, check-sat, get-model, push, pop and so on.
    #[arg(long = "in", conflicts_with_all = ["file", "property", "facts"])]
    pub(crate) interactive: bool,
    /// Which property: of a VMT file its number or name, of clauses the number (from 0) or name of a goal,
    /// of a C file assert, overflow or memory; `all` for each on its own; `joined` for one answer about all
    /// goals of clauses, each of which is proved on its own.
    #[arg(long, value_name = "N|NAME|GROUP|all|joined", value_parser = parse_property)]
    pub(crate) property: Option<PropertyArgument>,
    /// What to run: a portfolio, engines or configurations, separated by commas.
    #[arg(long, short = 'e', value_name = "NAME", default_value = "auto")]
    pub(crate) engine: String,
    /// Candidate invariants in the syntax of models, such as the output of `--learned`; they are proved before
    /// they are used.
    #[arg(long, value_name = "FILE")]
    pub(crate) hints: Option<PathBuf>,
    /// Keep what workers tell each other in this file, and begin with what it holds: each of its formulas is
    /// proved again before it is used.
    #[arg(long, value_name = "FILE")]
    pub(crate) facts: Option<PathBuf>,
    /// Run the engines of this project only, no other solver as an engine.
    #[arg(long)]
    pub(crate) own: bool,
    /// Run another Horn solver beside the engines, such as 'golem --print-witness {file}'; its models are
    /// checked like ours, nothing else it says is believed. May be repeated.
    #[arg(long, value_name = "COMMAND", conflicts_with = "own")]
    pub(crate) foreign: Vec<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) elsewhere: ElsewhereArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    #[command(flatten)]
    pub(crate) program: ProgramArguments,
    #[command(flatten)]
    pub(crate) expert: ExpertArguments,
}

/// Which property is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PropertyArgument {
    /// Of a transition system or of clauses.
    Selected(Selection),
    /// Of a C program.
    Group(Group),
}

impl PropertyArgument {
    /// The selection of properties of a transition system or of clauses.
    pub(crate) fn selection(&self) -> Option<&Selection> {
        match self {
            PropertyArgument::Selected(selection) => Some(selection),
            PropertyArgument::Group(_) => None,
        }
    }
}

/// How C is read, and what is made of it.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "C programs")]
pub(crate) struct ProgramArguments {
    /// The function execution starts in.
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(crate) entry: String,
    /// The sizes of `long` and of pointers.
    ///
    /// By default what a task definition (.yml) beside the file says, or lp64.
    #[arg(long, value_name = "MODEL")]
    pub(crate) data_model: Option<Model>,
    /// What a function without a body is.
    #[arg(long = "extern", value_name = "WHAT", default_value = "refuse")]
    pub(crate) bodyless: Bodyless,
    /// What becomes of loop invariants in annotations.
    #[arg(long, value_name = "WHAT", default_value = "hints")]
    pub(crate) acsl: Acsl,
    /// Write the program that fails into this folder.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) harness: Option<PathBuf>,
    /// Write the clauses of each group, with the name of the group added; of a liveness property, the system
    /// that its certificate is about.
    #[arg(long, value_name = "FILE")]
    pub(crate) encoding: Option<PathBuf>,
    /// Write the source with the invariants of its loops as ACSL.
    #[arg(long, value_name = "FILE")]
    pub(crate) annotated: Option<PathBuf>,
    /// Write a witness of the competition on software verification (YAML, format 2.0).
    #[arg(long, value_name = "FILE")]
    pub(crate) witness: Option<PathBuf>,
    /// Check one property and answer as that competition expects: TRUE, FALSE(...) or UNKNOWN.
    ///
    /// The property is that of the file (.prp), or of the task definition (.yml) given or beside it.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    pub(crate) sv_comp: Option<PathBuf>,
    /// Do not compile and run counterexamples.
    #[arg(long)]
    pub(crate) no_execute: bool,
}

/// Sizes of types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Model {
    /// `long` and pointers of 32 bits.
    Ilp32,
    /// `long` and pointers of 64 bits.
    Lp64,
}

/// What becomes of loop invariants in annotations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Acsl {
    /// They are proved and used, or left out.
    Hints,
    /// They must hold.
    Goals,
    /// No annotation is read, goals and contracts included.
    Ignore,
}

/// What a function without a body is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Bodyless {
    /// Refused, unless its name says what it is.
    Refuse,
    /// An input.
    Nondet,
}

/// Limits on the whole process tree.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArguments {
    /// How many engines run at once.
    #[arg(long, short = 'j', value_name = "N", default_value_t = 2, value_parser = parse_jobs)]
    pub(crate) jobs: usize,
    /// Time limit, such as 30s, 5m, 1h; a bare number counts seconds.
    #[arg(long, short = 't', value_name = "TIME", value_parser = parse_limit)]
    pub(crate) timeout: Option<Duration>,
    /// Limit on processor time.
    #[arg(long, value_name = "TIME", value_parser = parse_limit)]
    pub(crate) cpu_limit: Option<Duration>,
    /// Limit on memory, such as 4G, 512M; nine tenths of what the machine or the control group has when not
    /// given.
    #[arg(long, short = 'm', value_name = "SIZE", value_parser = parse_memory)]
    pub(crate) memory: Option<u64>,
}

/// What is printed and written.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// Print the model of the predicates of a safe HORN file, or write it to a file.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    pub(crate) model: Option<PathBuf>,
    /// Keep everything an engine found in models and certificates, in its own form.
    #[arg(long)]
    pub(crate) full_model: bool,
    /// Print the counterexample of an unsafe input, or write it to a file; a name that ends in .vcd makes
    /// a run a value change dump.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    pub(crate) cex: Option<PathBuf>,
    /// Keep the values of inputs that do not matter in counterexamples.
    #[arg(long)]
    pub(crate) full_cex: bool,
    /// Print the text that was checked, or write it to a file; `foretell validate` accepts it.
    #[arg(long, visible_alias = "proof", value_name = "FILE", num_args = 0..=1, require_equals = true,
          default_missing_value = "-")]
    pub(crate) certificate: Option<PathBuf>,
    /// When the answer is unknown, print what was learnt, or write it to a file: definitions that were proved
    /// and checked, and candidates; `--hints` reads it. A tenth of the time limit is kept for this.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    pub(crate) learned: Option<PathBuf>,
    /// Write a page that explains the answer, one HTML file; a name that ends in .json makes it data, of
    /// which `foretell explain` makes the page.
    #[arg(long, value_name = "FILE.html|FILE.json", value_parser = parse_report)]
    pub(crate) report: Option<PathBuf>,
    /// The form of the answer.
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub(crate) format: OutputFormat,
    /// Print what the competition for Horn clauses expects: the answer, the model, nothing else.
    #[arg(long, conflicts_with = "format")]
    pub(crate) chc_comp: bool,
    #[command(flatten)]
    pub(crate) chatter: ChatterArguments,
}

/// What goes to standard error.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct ChatterArguments {
    /// Print statistics to standard error.
    #[arg(long)]
    pub(crate) stats: bool,
    /// Say on standard error which history and prophecy variables were added, where and why, and show the
    /// invariant of clauses in infix notation.
    #[arg(long)]
    pub(crate) explain: bool,
    /// Show progress on standard error.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) progress: ProgressMode,
    /// Say on standard error what happens, a line per event; twice: also a line per frame.
    #[arg(long, short, action = clap::ArgAction::Count)]
    pub(crate) verbose: u8,
    /// Say nothing on standard error but errors.
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
}

/// The form of the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum OutputFormat {
    /// One line, then what was asked for.
    Text,
    /// One JSON value (docs/formats/json.md).
    Json,
    /// One JSON value per line, as things happen.
    Jsonl,
    /// The log of a static analysis (SARIF 2.1.0).
    Sarif,
}

/// When progress is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ProgressMode {
    /// On a terminal.
    Auto,
    /// Never.
    Off,
    /// A line now and then, also when not on a terminal.
    Line,
}

/// For those who know the engines.
#[derive(Args, Debug)]
#[command(next_help_heading = "Experts")]
pub(crate) struct ExpertArguments {
    /// Set an option of an engine (see `foretell options`); may be repeated.
    #[arg(long = "set", short = 'o', value_name = "GROUP.OPTION=VALUE")]
    pub(crate) settings: Vec<String>,
    /// More configurations and portfolios.
    #[arg(long, value_name = "FILE")]
    pub(crate) portfolio: Option<PathBuf>,
    /// The seed of all randomness.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// A second solver that must accept every proof of safety.
    #[arg(long, value_name = "SOLVER")]
    pub(crate) cross_check: Option<SecondSolver>,
    /// Record the solver sessions as SMT-LIB, the first in this file, others in numbered files beside it.
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Where to save what reproduces a failure; by default in `foretell/reproducers` of the user's
    /// cache folder.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) reproducers: Option<PathBuf>,
    /// Inject faults into the solver, to test that none becomes an answer.
    #[arg(long, value_name = "unknown=N,error=N,hang=N,die=N,seed=N", value_parser = parse_faults, hide = true)]
    pub(crate) inject_faults: Option<Faults>,
}

/// Second solvers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SecondSolver {
    /// cvc5, where it is installed.
    Cvc5,
}

/// The arguments of `annotate`.
#[derive(Args, Debug)]
pub(crate) struct AnnotateArguments {
    /// How the program is checked.
    #[command(flatten)]
    pub(crate) check: CheckArguments,
    /// Where to write; standard output by default.
    #[arg(long, short = 'O', value_name = "FILE")]
    pub(crate) output_file: Option<PathBuf>,
    /// Declare functions that have a meaning and no declaration (assume), with contracts.
    #[arg(long)]
    pub(crate) prelude: bool,
}

/// The arguments of `validate`.
#[derive(Args, Debug)]
pub(crate) struct ValidateArguments {
    /// The problem.
    pub(crate) file: PathBuf,
    /// The witness: a model, or a certificate of Foretell; of a C program, a witness in YAML.
    pub(crate) witness: PathBuf,
    /// Which property of a VMT file, or which goal of clauses (from 0), it is for; by default all as one.
    #[arg(long, value_name = "N")]
    pub(crate) property: Option<u64>,
    /// Time limit.
    #[arg(long, short = 't', value_name = "TIME", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,
    /// A second solver that must accept it too.
    #[arg(long, value_name = "SOLVER")]
    pub(crate) cross_check: Option<SecondSolver>,
    /// Set an option of the checker.
    #[arg(long = "set", short = 'o', value_name = "GROUP.OPTION=VALUE")]
    pub(crate) settings: Vec<String>,
    /// Say what became of each obligation.
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

/// The arguments of `explain`.
#[derive(Args, Debug)]
pub(crate) struct ExplainArguments {
    /// What `--report=FILE.json` wrote; `-` is standard input.
    pub(crate) report: PathBuf,
    /// Where to write the page; standard output by default.
    #[arg(long, short = 'O', value_name = "FILE")]
    pub(crate) output_file: Option<PathBuf>,
}

/// The arguments of `interpolate`.
#[derive(Args, Debug)]
pub(crate) struct InterpolateArguments {
    /// The script; `-` is standard input.
    pub(crate) file: PathBuf,
    /// Time limit.
    #[arg(long, short = 't', value_name = "TIME", value_parser = parse_duration)]
    pub(crate) timeout: Option<Duration>,
    /// Set an option of the interpolator.
    #[arg(long = "set", short = 'o', value_name = "GROUP.OPTION=VALUE")]
    pub(crate) settings: Vec<String>,
}

/// The arguments of `info`.
#[derive(Args, Debug)]
pub(crate) struct InfoArguments {
    /// The file.
    pub(crate) file: PathBuf,
    /// The form of the description.
    #[arg(long, value_name = "FORM", default_value = "text")]
    pub(crate) format: OutputFormat,
}

const NO_LIMIT: &str = "0 leaves nothing to run with; leave the option out for no limit";

fn parse_report(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|end| end.to_str()) {
        Some("html" | "htm" | "json") => Ok(path),
        _ => Err("name a file that ends in .html or .json".to_owned()),
    }
}

fn parse_jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("write a number of processes, at least 1".to_owned()),
        Ok(jobs) => Ok(jobs),
    }
}

fn parse_limit(text: &str) -> Result<Duration, String> {
    let limit = parse_duration(text).map_err(|e| e.to_string())?;
    if limit.is_zero() {
        Err(NO_LIMIT.to_owned())
    } else {
        Ok(limit)
    }
}

fn parse_memory(text: &str) -> Result<u64, String> {
    match parse_bytes(text).map_err(|e| e.to_string())? {
        0 => Err(NO_LIMIT.to_owned()),
        bytes => Ok(bytes),
    }
}

fn parse_property(text: &str) -> Result<PropertyArgument, String> {
    if text == "all" {
        return Ok(PropertyArgument::Selected(Selection::Each));
    }
    if text == "joined" {
        return Ok(PropertyArgument::Selected(Selection::Joined));
    }
    if let Some(group) = Group::ALL.into_iter().find(|g| g.name() == text) {
        return Ok(PropertyArgument::Group(group));
    }
    let selection = match text.parse() {
        Ok(number) => Selection::One(Property::Number(number)),
        Err(_) if text.is_empty() => return Err("write a number, a name or all".to_owned()),
        Err(_) => Selection::Named(text.to_owned()),
    };
    Ok(PropertyArgument::Selected(selection))
}

fn parse_faults(text: &str) -> Result<Faults, String> {
    let mut faults = Faults::default();
    for part in text.split(',') {
        let (name, number) = part
            .split_once('=')
            .ok_or("write name=number, separated by commas")?;
        let number: u64 = number
            .parse()
            .map_err(|_| format!("`{number}` is no number"))?;
        match name {
            "unknown" => faults.unknown = number,
            "error" => faults.error = number,
            "hang" => faults.hang = number,
            "die" => faults.die = number,
            "seed" => faults.seed = number,
            _ => {
                return Err(format!(
                    "there is no fault `{name}`; there are unknown, error, hang, die, seed"
                ));
            }
        }
    }
    Ok(faults)
}
