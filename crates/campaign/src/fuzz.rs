//! The campaign: a worker process does cases, this process watches it and keeps the ledger.
//!
//! ```text
//! repeat until enough cases, time or a signal:
//!   worker ← cases from the first one that the ledger does not have
//!   a case is told:              count it; every so many cases a block goes to the ledger
//!   the worker crashes or hangs: that is a finding about the question it was at; go on behind it
//!   a finding:                   keep the text, reduce it, note both
//! ```

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use foretell_process::{
    Cause, ChildId, Exit, Limits, Options, ProcessEvent, SignalPolicy, Spec, Status, Supervisor,
};
use foretell_testkit::reduce::{Reducer, Symptom};

use crate::case::{CaseReport, Found};
use crate::ledger::{Block, Entry, Ledger, Line};
use crate::worker::{Source, Told};

/// Cases of one line of the ledger.
const BLOCK: u64 = 200;
/// Cases of one process: the solver keeps what it has seen and becomes slower.
const SPAN: u64 = 250;
/// How long a question may take before the worker counts as hanging; the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(90);
/// What a worker may need.
const MEMORY: u64 = 4 << 30;

/// What to run.
pub struct Orders {
    /// The campaign: `systems` or `faults`.
    pub campaign: String,
    /// The folder of the ledger.
    pub folder: PathBuf,
    /// Z3.
    pub z3: PathBuf,
    /// The commit, for the ledger.
    pub commit: String,
    /// Stop when the ledger has so many cases.
    pub cases: u64,
    /// Stop after so long.
    pub time: Option<Duration>,
    /// How long a finding may be reduced.
    pub reduce: Duration,
}

/// A campaign while it runs.
struct Campaign<'o> {
    orders: &'o Orders,
    source: Source,
    ledger: Ledger,
    block: Block,
    block_began: Instant,
    /// Processor time that the worker has told of.
    cpu: f64,
    /// The question that the worker is at.
    at: (u64, usize),
}

/// Why a worker is no longer needed.
#[derive(PartialEq, Eq)]
enum End {
    Finished,
    Stopped,
}

/// Runs a campaign; gives the figures of all its blocks, with those of former runs.
///
/// # Errors
/// When the ledger cannot be written or a worker cannot be started.
pub fn run(orders: &Orders, tell: &mut dyn FnMut(&Block)) -> io::Result<Block> {
    let ledger = Ledger::open(&orders.folder)?;
    let source = Source::of(&orders.campaign)?;
    let next = ledger.next(&orders.campaign);
    let block = Block::at(&orders.campaign, &orders.commit, next);
    let mut campaign = Campaign {
        orders,
        source,
        ledger,
        block,
        block_began: Instant::now(),
        cpu: 0.0,
        at: (next, 0),
    };
    let deadline = orders.time.and_then(|t| Instant::now().checked_add(t));
    let mut supervisor = Supervisor::new(Options::new()?.signals(SignalPolicy::Watch))?;
    loop {
        let from = campaign.block.to;
        let over = deadline.is_some_and(|d| Instant::now() >= d);
        if from >= orders.cases
            || over
            || campaign.worker(&mut supervisor, from, deadline, tell)? == End::Stopped
        {
            break;
        }
    }
    campaign.close_block()?;
    Ok(campaign.ledger.total(&orders.campaign))
}

impl Campaign<'_> {
    /// One worker, to its end.
    fn worker(
        &mut self,
        supervisor: &mut Supervisor,
        from: u64,
        deadline: Option<Instant>,
        tell: &mut dyn FnMut(&Block),
    ) -> io::Result<End> {
        let to = self.orders.cases.min(from + SPAN);
        let words = [
            "__worker".to_owned(),
            self.orders.campaign.clone(),
            from.to_string(),
            to.to_string(),
            self.orders.z3.to_string_lossy().into_owned(),
        ];
        let spec = Spec::worker(words)
            .lines()
            .limits(Limits::none().memory(MEMORY));
        let child = supervisor
            .spawn(spec)
            .map_err(|e| io::Error::other(e.to_string()))?;
        (self.cpu, self.at) = (0.0, (from, 0));
        loop {
            let patience = Instant::now() + PATIENCE;
            let over = deadline.is_some_and(|d| Instant::now() >= d);
            match supervisor.next_event(Some(patience)) {
                _ if over => return Ok(stop(supervisor, child)),
                Some(ProcessEvent::Interrupted { .. }) => return Ok(stop(supervisor, child)),
                Some(ProcessEvent::Line { text, .. }) => self.heard(&text, tell)?,
                Some(ProcessEvent::Exit(exit)) => {
                    self.ended(&exit)?;
                    return Ok(End::Finished);
                }
                Some(_) => {}
                None => {
                    supervisor.kill(child);
                    wait(supervisor);
                    self.lost("overrun", format!("no answer in {} s", PATIENCE.as_secs()))?;
                    return Ok(End::Finished);
                }
            }
        }
    }

    fn heard(&mut self, text: &str, tell: &mut dyn FnMut(&Block)) -> io::Result<()> {
        match serde_json::from_str(text)? {
            Told::Asks(seed, question) => self.at = (seed, question),
            Told::Done(report) => {
                self.block.cpu_seconds += (report.cpu - self.cpu).max(0.0);
                self.cpu = report.cpu;
                self.count(&report)?;
                if self.block.cases() >= BLOCK {
                    self.close_block()?;
                    tell(&self.ledger.total(&self.orders.campaign));
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, report: &CaseReport) -> io::Result<()> {
        self.block.add(report);
        for found in &report.findings {
            self.note(report.seed, found)?;
        }
        Ok(())
    }

    fn ended(&mut self, exit: &Exit) -> io::Result<()> {
        match (exit.cause, exit.status) {
            (_, Status::Code(0)) | (Cause::Killed, _) => Ok(()),
            (Cause::Limit(limit), _) => self.lost("memory", limit.to_string()),
            (_, status) => {
                let stderr = exit.stderr.text();
                self.lost(
                    "crash",
                    format!("{status:?} {}", stderr.lines().last().unwrap_or("")),
                )
            }
        }
    }

    /// The worker is gone with the case it was at.
    fn lost(&mut self, kind: &str, words: String) -> io::Result<()> {
        let (seed, number) = self.at;
        let case = self.source.case(seed);
        let findings = case
            .questions
            .get(number)
            .map(|q| q.found(kind, words))
            .into_iter()
            .collect();
        let runs = vec![format!("lost:{kind}")];
        let report = CaseReport {
            seed,
            kind: case.kind,
            truth: "open".into(),
            runs,
            findings,
            cpu: self.cpu,
        };
        self.count(&report)
    }

    /// Keeps what a finding consists of, reduced if possible.
    fn note(&mut self, seed: u64, found: &Found) -> io::Result<()> {
        *self.block.findings.entry(found.kind.clone()).or_default() += 1;
        let stem = format!("{}-{seed}-{}", self.orders.campaign, found.kind);
        let file = self.ledger.keep(&format!("{stem}.smt2"), &found.text)?;
        let reducer = Reducer {
            z3: self.orders.z3.clone(),
            engine: found.engine.clone(),
            settings: found.settings.clone(),
            time: self.orders.reduce,
        };
        let smaller = match Symptom::from_name(&found.kind) {
            Some(symptom) if !self.orders.reduce.is_zero() => {
                reducer.reduce(&found.text, symptom)?
            }
            _ => None,
        };
        let reduced = match smaller {
            Some(text) => Some(self.ledger.keep(&format!("{stem}.min.smt2"), &text)?),
            None => None,
        };
        self.ledger.append(Line::Finding(Entry {
            campaign: self.orders.campaign.clone(),
            seed,
            kind: found.kind.clone(),
            words: found.words.clone(),
            engine: found.engine.clone(),
            settings: found.settings.clone(),
            file,
            reduced,
        }))
    }

    fn close_block(&mut self) -> io::Result<()> {
        if self.block.cases() == 0 {
            return Ok(());
        }
        let next = Block::at(&self.orders.campaign, &self.orders.commit, self.block.to);
        let mut block = std::mem::replace(&mut self.block, next);
        block.wall_seconds = self.block_began.elapsed().as_secs_f64();
        self.block_began = Instant::now();
        self.ledger.append(Line::Block(block))
    }
}

fn stop(supervisor: &mut Supervisor, child: ChildId) -> End {
    supervisor.kill(child);
    wait(supervisor);
    End::Stopped
}

fn wait(supervisor: &mut Supervisor) {
    while supervisor.live() > 0 {
        let _ = supervisor.next_event(None);
    }
}
