//! The batch: a queue of (input, tool), as many at once as asked, each result on disk at once.
//!
//! ```text
//! for each task, for each tool, in order:
//!   skip if its key is in the journal           -- resume
//!   cannot run (file unreadable, tool missing) -> a row that says so
//!   else start it, guarded, under its limits
//! whenever a run ends: read the answer, write its log, append its row, start the next
//! on SIGINT/SIGTERM: kill what runs, record none of it, return
//! ```

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use foretell_frontends::Format;
use foretell_kernel::VerdictKind;
use foretell_process::{
    Cause, ChildId, Exit, Options, Output, ProcessEvent, Spec, Status, Supervisor,
};
use sha2::{Digest, Sha256};

use crate::beat::Beat;
use crate::emit::write_file;
use crate::error::BenchError;
use crate::inputs::Task;
use crate::journal::{Guard, Journal};
use crate::keys::{self, Keyed, MISSING, UNREADABLE};
use crate::options::{BenchOptions, Pages};
use crate::progress::{Progress, Tally};
use crate::row::{Key, ROW_VERSION, Row};
use crate::tool::{Answer, Certificate, Finished, Kind, Tool, quote};

/// Bytes of each output stream that are kept.
const OUTPUT_MAX: usize = 256 << 10;
/// How often progress is reported when nothing happens.
const TICK: Duration = Duration::from_millis(200);

/// What a batch came to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// How far it got.
    pub tally: Tally,
    /// `tool: file` of verdicts that contradict the expected one, of this start.
    pub wrong: Vec<String>,
    /// `tool: file` of failed certificates, of this start.
    pub failed_certificates: Vec<String>,
    /// Whether a signal ended it before its end.
    pub interrupted: bool,
}

/// Runs a batch to its end, or to a signal.
///
/// # Errors
/// When inputs, options or the results folder are wrong, or results can no longer be written. What
/// goes wrong with one run is in its row.
pub fn run(options: &BenchOptions, progress: &mut dyn Progress) -> Result<Summary, BenchError> {
    options.check()?;
    let tasks = options.tasks()?;
    let guard = match options.attempt {
        Some(_) => Guard::Name,
        None => Guard::Lock,
    };
    let journal = Journal::open(&options.out, &options.journal_name(), guard)?;
    let mut settings = Options::new()
        .map_err(|e| BenchError::Supervisor(e.to_string()))?
        .signals(options.signals);
    if let Some(executable) = &options.executable {
        settings = settings.executable(executable);
    }
    let supervisor =
        Supervisor::new(settings).map_err(|e| BenchError::Supervisor(e.to_string()))?;
    let tools = keys::programs(options);
    for (tool, _) in tools.iter().filter(|t| t.1 == MISSING) {
        progress.note(&format!(
            "tool \"{}\": no program \"{}\"",
            tool.name, tool.words[0]
        ));
    }
    let total = tasks.len() * tools.len();
    let mut batch = Batch {
        options,
        journal,
        supervisor,
        running: BTreeMap::new(),
        ready: VecDeque::new(),
        summary: Summary {
            tally: Tally {
                total,
                ..Tally::default()
            },
            ..Summary::default()
        },
        started: Instant::now(),
        machine: machine(),
        beat: options.shard.map(|_| Beat::new(options)),
    };
    batch.go(&tasks, &tools, progress)?;
    Ok(batch.summary)
}

/// One run to do.
struct Job<'a> {
    task: &'a Task,
    tool: &'a Tool,
    key: Key,
    format: Format,
}

impl Job<'_> {
    /// A path for what the run leaves behind: the tool, the end of the input's name, and a hash of the key.
    fn place(&self) -> Option<String> {
        let identity = serde_json::to_vec(&self.key).ok()?;
        let plain = |text: &str| -> String {
            let keep = |c: char| {
                if c.is_ascii_alphanumeric() || "-_.".contains(c) {
                    c
                } else {
                    '_'
                }
            };
            let start = text.char_indices().rev().nth(79).map_or(0, |(at, _)| at);
            let kept: String = text[start..].chars().map(keep).collect();
            kept.trim_start_matches('.').to_owned()
        };
        let hash = &keys::hex(&Sha256::digest(identity))[..8];
        let (tool, file) = (plain(&self.key.tool), plain(&self.key.file));
        Some(format!("{tool}/{file}.{hash}"))
    }
}

/// A batch at work.
struct Batch<'a> {
    options: &'a BenchOptions,
    journal: Journal,
    supervisor: Supervisor,
    running: BTreeMap<ChildId, Job<'a>>,
    /// Jobs of the task that was read last.
    ready: VecDeque<Job<'a>>,
    summary: Summary,
    started: Instant,
    machine: String,
    /// Tells whoever watches all parts that this one is alive.
    beat: Option<Beat>,
}

impl<'a> Batch<'a> {
    fn go(
        &mut self,
        tasks: &'a [Task],
        tools: &[(&'a Tool, String)],
        progress: &mut dyn Progress,
    ) -> Result<(), BenchError> {
        let mut tasks = tasks.iter();
        loop {
            while self.running.len() < self.options.jobs.max(1) {
                match self.ready.pop_front() {
                    Some(job) => self.start(job, progress)?,
                    None => match tasks.next() {
                        Some(task) => self.prepare(task, tools),
                        None => break,
                    },
                }
                self.tick(progress);
                if self.supervisor.stop().is_set() {
                    break;
                }
            }
            if self.running.is_empty() || self.supervisor.stop().is_set() {
                break;
            }
            match self.supervisor.next_event(Some(Instant::now() + TICK)) {
                Some(ProcessEvent::Exit(exit)) => self.ended(&exit, progress)?,
                Some(ProcessEvent::Interrupted { .. }) => break,
                _ => self.tick(progress),
            }
        }
        self.summary.interrupted = self.supervisor.stop().is_set();
        self.supervisor.kill_all();
        while self.supervisor.next_event(None).is_some() {}
        self.running.clear();
        self.tick(progress);
        Ok(())
    }

    /// Reads a task's file and queues the runs that are not done.
    fn prepare(&mut self, task: &'a Task, tools: &[(&'a Tool, String)]) {
        for Keyed { tool, key, format } in keys::of_task(self.options, task, tools) {
            if self.journal.contains(&key) {
                self.summary.tally.done += 1;
                self.summary.tally.resumed += 1;
            } else {
                self.ready.push_back(Job {
                    task,
                    tool,
                    key,
                    format,
                });
            }
        }
    }

    fn start(&mut self, job: Job<'a>, progress: &mut dyn Progress) -> Result<(), BenchError> {
        if job.key.sha256 == UNREADABLE {
            return self.record(&job, &Outcome::failed("unreadable file"), progress);
        }
        if job.key.program == MISSING {
            return self.record(&job, &Outcome::failed("missing tool"), progress);
        }
        let file = job.task.path.to_string_lossy().into_owned();
        let mut words = job.tool.command(&file, self.options.timeout).into_iter();
        let program = words.next().unwrap_or_default();
        let page = self.page(&job).map(|page| self.options.out.join(page));
        if let Some(folder) = page.as_deref().and_then(Path::parent) {
            fs::create_dir_all(folder).map_err(|e| BenchError::output(folder, &e))?;
        }
        let report = page.map(|page| format!("--report={}", page.display()));
        let spec = Spec::command(program, report.into_iter().chain(words))
            .stdout(Output::Capture(OUTPUT_MAX))
            .stderr(Output::Capture(OUTPUT_MAX))
            .limits(self.options.limits());
        match self.supervisor.spawn(spec) {
            Ok(child) => {
                self.running.insert(child, job);
                Ok(())
            }
            Err(error) => self.record(&job, &Outcome::failed(&error.to_string()), progress),
        }
    }

    fn ended(&mut self, exit: &Exit, progress: &mut dyn Progress) -> Result<(), BenchError> {
        let Some(job) = self.running.remove(&exit.child) else {
            return Ok(());
        };
        let mut outcome = Outcome::of(&job, exit, self.options.timeout);
        outcome.log = write_log(&self.options.out, &job, exit, self.options.timeout);
        self.record(&job, &outcome, progress)
    }

    /// Where the page of a run is, relative to the results, if it leaves one.
    fn page(&self, job: &Job<'a>) -> Option<String> {
        let wanted = self.options.pages == Pages::Written && job.tool.kind == Kind::Own;
        let place = wanted.then(|| job.place()).flatten();
        place.map(|place| format!("pages/{place}.html"))
    }

    /// Puts a result on disk and tells about it.
    fn record(
        &mut self,
        job: &Job<'a>,
        outcome: &Outcome,
        progress: &mut dyn Progress,
    ) -> Result<(), BenchError> {
        let row = Row {
            v: ROW_VERSION,
            key: job.key.clone(),
            set: job.task.set.clone(),
            expected: job.task.expected,
            verdict: outcome.answer.verdict,
            reason: outcome.answer.reason.clone(),
            certificate: outcome.answer.certificate,
            exit: outcome.exit,
            wall: outcome.wall,
            cpu: outcome.cpu,
            peak: outcome.peak,
            log: outcome.log.clone(),
            page: self
                .page(job)
                .filter(|page| self.options.out.join(page).is_file()),
            time: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |d| d.as_secs()),
            machine: self.machine.clone(),
            jobs: self.options.jobs.max(1),
        };
        self.journal.append(&row)?;
        self.summary.tally.done += 1;
        let shown = format!("{}: {}", row.key.tool, row.key.file);
        if row.is_solved() {
            self.summary.tally.solved += 1;
        }
        if row.is_wrong() {
            self.summary.tally.wrong += 1;
            self.summary.wrong.push(shown.clone());
        }
        if row.certificate == Certificate::Failed {
            self.summary.failed_certificates.push(shown);
        }
        self.update_tally();
        progress.finished(&row, &self.summary.tally);
        Ok(())
    }

    fn tick(&mut self, progress: &mut dyn Progress) {
        self.update_tally();
        progress.update(&self.summary.tally);
    }

    fn update_tally(&mut self) {
        self.summary.tally.running = self.running.len();
        self.summary.tally.elapsed = self.started.elapsed();
        if let Some(beat) = &mut self.beat {
            beat.tell(&self.summary.tally);
        }
    }
}

/// What a run came to.
struct Outcome {
    answer: Answer,
    exit: Option<i32>,
    wall: f64,
    cpu: f64,
    peak: u64,
    log: Option<String>,
}

impl Outcome {
    /// Nothing ran.
    fn failed(reason: &str) -> Outcome {
        Outcome {
            answer: no_answer(reason),
            exit: None,
            wall: 0.0,
            cpu: 0.0,
            peak: 0,
            log: None,
        }
    }

    fn of(job: &Job<'_>, exit: &Exit, timeout: Duration) -> Outcome {
        let run = Finished {
            format: job.format,
            status: exit.status,
            stdout: &exit.stdout,
            stderr: &exit.stderr,
        };
        let answer = match exit.cause {
            Cause::Limit(limit) => no_answer(&limit.to_string()),
            Cause::Killed => no_answer("killed"),
            Cause::Own => job.tool.reader().read(&run),
        };
        // An answer after the time limit is none, whoever noticed.
        let late = answer.verdict.is_answer() && exit.usage.wall > timeout;
        Outcome {
            answer: if late { no_answer("timeout") } else { answer },
            exit: Some(match exit.status {
                Status::Code(code) => code,
                Status::Signal(signal) => -signal,
            }),
            wall: rounded(exit.usage.wall),
            cpu: rounded(exit.usage.cpu),
            peak: exit.usage.peak_memory,
            log: None,
        }
    }
}

fn no_answer(reason: &str) -> Answer {
    Answer {
        verdict: VerdictKind::Unknown,
        reason: Some(reason.to_owned()),
        certificate: Certificate::None,
    }
}

/// Seconds with three decimals.
fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// Writes command and output of a run; gives the path relative to the results. A log that cannot be
/// written costs the log, not the result.
fn write_log(out: &Path, job: &Job<'_>, exit: &Exit, timeout: Duration) -> Option<String> {
    let relative = format!("logs/{}.txt", job.place()?);
    let words = job.tool.command(&job.task.path.to_string_lossy(), timeout);
    let command: Vec<String> = words.iter().map(|w| quote(w)).collect();
    let text = format!(
        "$ {}\n# {:?}, {:?}, wall {:.3} s, cpu {:.2} s, peak {} kB\n# --- standard output\n{}\n# --- standard error\n{}",
        command.join(" "),
        exit.status,
        exit.cause,
        exit.usage.wall.as_secs_f64(),
        exit.usage.cpu.as_secs_f64(),
        exit.usage.peak_memory / 1024,
        exit.stdout.text(),
        exit.stderr.text()
    );
    // Beside and renamed: another attempt at the same part may write it too.
    write_file(&out.join(&relative), &text).ok()?;
    Some(relative)
}

/// Name of this machine, its processor and number of cores.
fn machine() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processor
        .lines()
        .find(|l| l.starts_with("model name"))
        .and_then(|l| l.split(':').nth(1));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!(
        "{} ({}, {cores} cores)",
        name.trim(),
        model.unwrap_or("unknown processor").trim()
    )
}
