//! The command of the long tests: `cargo campaign systems`, `faults`, `parsers`, `sessions`, `reduce`,
//! `summary`.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::rc::Rc;
use std::time::{Duration, Instant};

use clap::{Parser, Subcommand};
use foretell_campaign::fuzz::{self, Orders};
use foretell_campaign::ledger::{Block, Ledger, Line};
use foretell_campaign::worker::{STACK, Source, work};
use foretell_campaign::{attempt, case::Case, parsers, sessions::talk};
use foretell_process::limits::parse_duration;
use foretell_process::{find_program, shim};
use foretell_testkit::reduce::{Reducer, Symptom};
use foretell_testkit::targets::TARGETS;
use foretell_testkit::{Keeping, Scripts};

/// Long tests of Foretell; what each does is told in docs/testing.md.
#[derive(Parser)]
#[command(name = "foretell-campaign")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
    /// The folder of the ledger.
    #[arg(long, global = true, default_value = "target/campaign")]
    folder: PathBuf,
}

#[derive(Subcommand)]
enum Task {
    /// Generated systems through the pipeline, compared with enumeration and with each other.
    Systems(Amount),
    /// The corpus through the pipeline with a failing solver.
    Faults(Amount),
    /// The figures of a ledger.
    Summary,
    /// Print the texts of a generated case.
    Show {
        /// Its seed.
        seed: u64,
    },
    /// Mutated texts through every reader.
    Parsers {
        /// Only this target.
        #[arg(long)]
        target: Option<String>,
        /// How long each target runs.
        #[arg(long, default_value = "10m", value_parser = parse_duration)]
        time: Duration,
        /// At most so many inputs for each target.
        #[arg(long, default_value_t = u64::MAX)]
        inputs: u64,
        /// The number of the first input.
        #[arg(long, default_value_t = 0)]
        from: u64,
    },
    /// Random conversations with an executable, each check compared with a fresh run.
    Sessions(Talks),
    /// Reduce a text that shows a symptom.
    Reduce {
        /// The text.
        file: PathBuf,
        /// What it shows: wrong, rejected, refused, panic, crash, overrun.
        #[arg(long)]
        symptom: String,
        /// The engine.
        #[arg(long, short = 'e')]
        engine: String,
        /// Its settings.
        #[arg(long = "set", short = 'o')]
        settings: Vec<String>,
        /// How long it may take.
        #[arg(long, default_value = "5m", value_parser = parse_duration)]
        time: Duration,
    },
    /// Does cases for a campaign.
    #[command(name = "__worker", hide = true)]
    Worker {
        campaign: String,
        from: u64,
        to: u64,
        z3: PathBuf,
    },
    /// Is a worker of the product's supervisor.
    #[command(name = "__engine", hide = true)]
    Engine,
    /// Tells which symptom a text shows.
    #[command(name = "__try", hide = true)]
    Try {
        z3: PathBuf,
        engine: String,
        settings: Vec<String>,
    },
}

/// Which conversations.
#[derive(clap::Args)]
struct Talks {
    /// The executable; without it the one beside this one.
    #[arg(long)]
    program: Option<PathBuf>,
    /// How many.
    #[arg(long, default_value_t = 1000)]
    cases: u64,
    /// The number of the first.
    #[arg(long, default_value_t = 0)]
    from: u64,
}

/// How much to do.
#[derive(clap::Args)]
struct Amount {
    /// Stop when the ledger has so many cases.
    #[arg(long, default_value_t = 50_000)]
    cases: u64,
    /// Stop after so long.
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// How long each finding may be reduced; 0 not at all.
    #[arg(long, default_value = "1m", value_parser = parse_duration)]
    reduce: Duration,
}

/// What engines know of their machine: nobody asks, because their supervisor is on the same one.
fn home() -> foretell_driver::worker::Home {
    foretell_driver::worker::Home {
        tools: foretell_driver::protocol::Tools::default,
        build: |_| String::new(),
    }
}

fn main() -> io::Result<ExitCode> {
    if let Some(code) = shim::dispatch() {
        return Ok(ExitCode::from(u8::try_from(code).unwrap_or(1)));
    }
    let arguments = Arguments::parse();
    match &arguments.task {
        Task::Systems(amount) => campaign(&arguments, "systems", amount),
        Task::Faults(amount) => campaign(&arguments, "faults", amount),
        Task::Summary => summary(&arguments.folder),
        Task::Show { seed } => show(*seed),
        Task::Parsers {
            target,
            time,
            inputs,
            from,
        } => parsers(&arguments, target.as_deref(), *from, (*inputs, *time)),
        Task::Sessions(talks) => sessions(&arguments.folder, talks),
        Task::Reduce {
            file,
            symptom,
            engine,
            settings,
            time,
        } => {
            let reducer = Reducer {
                z3: z3()?,
                engine: engine.clone(),
                settings: settings.clone(),
                time: *time,
            };
            reduce(file, symptom, &reducer)
        }
        Task::Worker {
            campaign,
            from,
            to,
            z3,
        } => {
            let (campaign, z3, from, to) = (campaign.clone(), z3.clone(), *from, *to);
            on_a_large_stack(move || {
                let source = Source::of(&campaign)?;
                work(&source, &z3, from, to, &mut io::stdout())
            })
        }
        Task::Engine => {
            shim::enter_worker()?;
            foretell_driver::worker::run(io::stdin(), io::stdout(), home())?;
            Ok(ExitCode::SUCCESS)
        }
        Task::Try {
            z3,
            engine,
            settings,
        } => {
            let (z3, engine, settings) = (z3.clone(), engine.clone(), settings.clone());
            on_a_large_stack(move || tell_symptom(&z3, &engine, settings))
        }
    }
}

/// Tells which symptom the text on standard input shows.
fn tell_symptom(z3: &Path, engine: &str, settings: Vec<String>) -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let scripts = Rc::new(Scripts::new(z3, Keeping::Contained));
    let symptom = attempt::symptom(&text, engine, settings, &scripts, z3);
    writeln!(io::stdout(), "{symptom}")
}

/// Does the work of a child process, which dies with its parent.
fn on_a_large_stack(
    work: impl FnOnce() -> io::Result<()> + Send + 'static,
) -> io::Result<ExitCode> {
    shim::enter_worker()?;
    // Panics are findings; their words are kept there.
    std::panic::set_hook(Box::new(|_| {}));
    let done = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)?
        .join();
    done.unwrap_or_else(|_| Err(io::Error::other("a panic outside a run")))?;
    Ok(ExitCode::SUCCESS)
}

fn campaign(arguments: &Arguments, name: &str, amount: &Amount) -> io::Result<ExitCode> {
    let orders = Orders {
        campaign: name.to_owned(),
        folder: arguments.folder.clone(),
        z3: z3()?,
        commit: commit(),
        cases: amount.cases,
        time: amount.time,
        reduce: amount.reduce,
    };
    let began = Instant::now();
    let total = fuzz::run(&orders, &mut |total| {
        let _ = writeln!(
            io::stderr(),
            "{:>6.0} s  {}",
            began.elapsed().as_secs_f64(),
            short(total)
        );
    })?;
    print(&total)?;
    Ok(if total.findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn short(total: &Block) -> String {
    let rate = total.cases() as f64 / total.cpu_seconds.max(0.001);
    let findings: u64 = total.findings.values().sum();
    format!(
        "{} cases, {rate:.1} per core-second, {findings} findings",
        total.cases()
    )
}

fn print(total: &Block) -> io::Result<()> {
    let mut out = io::stdout();
    writeln!(out, "{}: {}", total.campaign, short(total))?;
    writeln!(
        out,
        "processor time {:.0} s, wall-clock time {:.0} s",
        total.cpu_seconds, total.wall_seconds
    )?;
    for (title, counts) in [
        ("kinds", &total.kinds),
        ("truth", &total.truth),
        ("runs", &total.runs),
        ("findings", &total.findings),
    ] {
        let list: Vec<String> = counts
            .iter()
            .map(|(name, n)| format!("{name} {n}"))
            .collect();
        writeln!(
            out,
            "{title}: {}",
            if list.is_empty() {
                "none".to_owned()
            } else {
                list.join(", ")
            }
        )?;
    }
    Ok(())
}

fn summary(folder: &Path) -> io::Result<ExitCode> {
    let ledger = Ledger::open(folder)?;
    for campaign in ["systems", "faults"] {
        print(&ledger.total(campaign))?;
    }
    for line in &ledger.lines {
        if let Line::Finding(entry) = line {
            let file = entry.reduced.as_ref().unwrap_or(&entry.file);
            let settings = entry.settings.join(" ");
            writeln!(
                io::stdout(),
                "{}: {} {} {settings} {}",
                entry.kind,
                file,
                entry.engine,
                entry.words
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn show(seed: u64) -> io::Result<ExitCode> {
    let case = Case::generated(seed);
    for question in &case.questions {
        let plan = &question.plan;
        writeln!(
            io::stdout(),
            "; {} {:?} {}",
            plan.engine,
            plan.settings,
            question.relation
        )?;
        writeln!(io::stdout(), "{}", question.text)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn reduce(file: &Path, symptom: &str, reducer: &Reducer) -> io::Result<ExitCode> {
    let symptom =
        Symptom::from_name(symptom).ok_or_else(|| io::Error::other("there is no such symptom"))?;
    match reducer.reduce(&std::fs::read_to_string(file)?, symptom)? {
        Some(text) => {
            write!(io::stdout(), "{text}")?;
            Ok(ExitCode::SUCCESS)
        }
        None => {
            writeln!(io::stderr(), "the text does not show it")?;
            Ok(ExitCode::FAILURE)
        }
    }
}

fn parsers(
    arguments: &Arguments,
    only: Option<&str>,
    from: u64,
    limits: (u64, Duration),
) -> io::Result<ExitCode> {
    std::panic::set_hook(Box::new(|_| {}));
    let mut n_findings = 0;
    for target in TARGETS
        .iter()
        .filter(|t| only.is_none_or(|name| name == t.name))
    {
        let starts = parsers::starts(target);
        let progress = arguments.folder.join(format!("parsers-{}.at", target.name));
        std::fs::create_dir_all(&arguments.folder)?;
        let (began, mut told) = (Instant::now(), Instant::now());
        let fuzzed = parsers::fuzz(target, &starts, from, limits, &mut |at| {
            if told.elapsed() > Duration::from_secs(1) {
                // Where a process that dies was, so that it can be found again.
                let _ = std::fs::write(&progress, at.to_string());
                told = Instant::now();
            }
        });
        let seconds = began.elapsed().as_secs_f64();
        let (inputs, findings) = (fuzzed.inputs, fuzzed.findings.len());
        writeln!(
            io::stdout(),
            "{}: {inputs} inputs in {seconds:.0} s, {findings} findings",
            target.name
        )?;
        for (number, (input, words)) in fuzzed.findings.iter().enumerate() {
            let file = arguments
                .folder
                .join(format!("parsers-{}-{number}.txt", target.name));
            std::fs::write(&file, input)?;
            writeln!(
                io::stdout(),
                "  {}: {}",
                file.display(),
                words.lines().next().unwrap_or("")
            )?;
        }
        n_findings += findings;
    }
    Ok(if n_findings == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn sessions(folder: &Path, talks: &Talks) -> io::Result<ExitCode> {
    let beside = std::env::current_exe()?.with_file_name("foretell");
    let program = std::fs::canonicalize(talks.program.as_ref().unwrap_or(&beside))?;
    let began = Instant::now();
    let talked = talk(&program, folder, (talks.from, talks.cases), &mut |talked| {
        if talked.sessions.is_multiple_of(50) {
            let (n, found) = (talked.sessions, talked.findings.len());
            let _ = writeln!(io::stderr(), "{n} sessions, {found} findings");
        }
    })?;
    let seconds = began.elapsed().as_secs_f64();
    let (figures, (kills, below)) = (&talked.figures, talked.kills);
    writeln!(
        io::stdout(),
        "{} sessions in {seconds:.0} s: {} checks {:?}, {} faults, {kills} clients killed with \
         {below} processes below them, {} findings",
        talked.sessions,
        figures.checks,
        figures.words,
        figures.faults,
        talked.findings.len()
    )?;
    for words in &talked.findings {
        writeln!(io::stdout(), "{words}")?;
    }
    Ok(match talked.findings.as_slice() {
        [] => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// Z3: named by `FORETELL_Z3`, or in `PATH`.
fn z3() -> io::Result<PathBuf> {
    let named = std::env::var_os("FORETELL_Z3")
        .map(PathBuf::from)
        .filter(|path| path.is_file());
    let found = named.or_else(|| find_program("z3".as_ref()).ok());
    found
        .ok_or_else(|| io::Error::other("no Z3: set FORETELL_Z3"))
        .and_then(std::fs::canonicalize)
}

fn commit() -> String {
    let output = Command::new("git")
        .args(["rev-parse", "--short=10", "HEAD"])
        .output();
    output
        .map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned())
        .unwrap_or_default()
}
