//! A worker: reads a job and a file, runs one configuration, tells what happens.

pub(crate) mod exchange;
pub(crate) mod functions;
pub mod input;
pub(crate) mod ladder;
mod learn;
pub(crate) mod oracles;
pub mod pipeline;
mod readable;
mod recheck;
mod seek;
pub mod statistics;
pub mod trail;
pub(crate) mod vocabulary;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use foretell_kernel::{Budget, Cx, Event, EventSink, Phase, Rng, VerdictKind, clock};
use foretell_process::shim::DEEP_STACK;
use foretell_terms::TermStore;

use crate::protocol::{Answer, Claim, Job, Message, Place, Purpose, Refusal, Tools};
use crate::registry::Prepared;
use crate::worker::exchange::{Inbox, Wire};
use crate::worker::input::{ReadInput, read_input};
use crate::worker::oracles::WorkerOracles;
use crate::worker::pipeline::verify_sharing;
use crate::worker::statistics::Counter;
use crate::worker::trail::{Outbox, Trail};

/// How often progress is told.
const TICK: Duration = Duration::from_millis(100);

/// What a worker knows of its own machine; asked only when its supervisor is on another one.
#[derive(Clone, Copy, Debug)]
pub struct Home {
    /// The solvers there.
    pub tools: fn() -> Tools,
    /// Names the build: the program that runs, and these solvers.
    pub build: fn(&Tools) -> String,
}

/// What the last message of a worker was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// An answer that was checked: whoever reads it ends this process.
    Answered,
    /// Anything else.
    Open,
}

/// Runs a worker to its end: the job is the first line of `input`, the file the rest.
///
/// # Errors
/// When the job cannot be read, or nobody reads what is told.
pub fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    home: Home,
) -> io::Result<End> {
    let work = deep().name("worker".into());
    let done = work.spawn(move || work_on(input, output, home))?.join();
    done.unwrap_or_else(|_| Err(panicked()))
}

/// The same on the stack of the caller, which must be deep ([`foretell_process::shim::has_deep_stack`]).
///
/// # Errors
/// As [`run`].
pub fn run_here(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    home: Home,
) -> io::Result<End> {
    let work = AssertUnwindSafe(|| work_on(input, output, home));
    std::panic::catch_unwind(work).unwrap_or_else(|_| Err(panicked()))
}

/// A thread for what goes as deep as the input: readers, passes, engines.
pub(crate) fn deep() -> thread::Builder {
    thread::Builder::new().stack_size(DEEP_STACK)
}

/// The panic was already told on standard error; the exit code tells the supervisor.
fn panicked() -> io::Error {
    io::Error::other("internal error")
}

/// The work of a process that may have been started before there was a job: what its solvers will share takes
/// as long to make as many an input takes to be read, and needs no job. The solver that will check the answer
/// starts meanwhile too, from this thread, with which it ends.
fn work_on(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    home: Home,
) -> io::Result<End> {
    let (begin, begun) = mpsc::channel();
    let (tools, opened) = thread::scope(|scope| {
        let opening = deep().spawn_scoped(scope, || Opened::new(input, output, home, begin))?;
        foretell_solver::prepare();
        // It was not sent: the reader says why.
        let tools = begun
            .recv()
            .ok()
            .map(|(job, counter)| Equipment::new(&job, &counter));
        let opened = opening.join().map_err(|_| panicked())??;
        Ok::<_, io::Error>((tools.ok_or_else(panicked)??, opened))
    })?;
    let (ticker, teller) = (opened.ticker, &opened.teller);
    let end = match opened.read {
        Ok(input) => {
            let work = Task {
                job: &opened.job,
                inbox: opened.inbox,
                outbox: &opened.outbox,
                counter: &opened.counter,
                teller,
                terms: &opened.terms,
            };
            work.answer(&input, tools)
        }
        Err(refusal) => Ok(Message::Refused(refusal)),
    };
    ticker.stop();
    tell_deeds(&opened.outbox, &opened.counter, teller)?;
    let end = end?;
    teller.tell(&end)?;
    Ok(match &end {
        Message::Answer(answer) if answer.outcome.verdict() != VerdictKind::Unknown => {
            End::Answered
        }
        _ => End::Open,
    })
}

/// What a job is worked on with, and what no other thread may have.
struct Equipment {
    prepared: Prepared,
    oracles: WorkerOracles,
}

impl Equipment {
    fn new(job: &Job, counter: &Counter) -> io::Result<Equipment> {
        let prepared = Prepared::new(&job.configuration, &job.common.settings);
        let prepared = prepared.map_err(io::Error::other)?;
        let oracles = WorkerOracles::new(job, prepared.interpolate.clone(), counter)?;
        Ok(Equipment { prepared, oracles })
    }
}

/// A job, its input, and the threads that listen and tell meanwhile.
struct Opened<W> {
    job: Arc<Job>,
    inbox: Inbox,
    outbox: Outbox,
    counter: Counter,
    ticker: Ticker,
    teller: Teller<W>,
    terms: TermStore,
    read: Result<ReadInput<'static>, Refusal>,
}

impl<W: Write + Send + 'static> Opened<W> {
    fn new(
        input: impl Read + Send + 'static,
        output: W,
        home: Home,
        begin: Sender<(Arc<Job>, Counter)>,
    ) -> io::Result<Opened<W>> {
        let mut input = BufReader::new(input);
        let mut line = String::new();
        input.read_line(&mut line)?;
        let mut job: Job = serde_json::from_str(&line).map_err(io::Error::other)?;
        let teller = Teller(Arc::new(Mutex::new(output)));
        if job.place == Place::Elsewhere {
            job.common.tools = (home.tools)();
            let build = (home.build)(&job.common.tools);
            teller.tell(&Message::Hello { build })?;
        }
        let (job, counter) = (Arc::new(job), Counter::default());
        // Whoever waits for it ends only after this thread.
        let _ = begin.send((Arc::clone(&job), counter.clone()));
        let (mut bytes, inbox) = (Vec::new(), Inbox::default());
        let shared = job.shared.iter().cloned();
        shared.for_each(|message| inbox.put(message));
        match job.length {
            Some(length) => {
                input.by_ref().take(length as u64).read_to_end(&mut bytes)?;
                if bytes.len() < length {
                    return Err(io::Error::other("the input ended within the file"));
                }
                listen(input, inbox.clone(), job.place);
            }
            None => drop(input.read_to_end(&mut bytes)?),
        }
        let outbox = Outbox::default();
        let told = (counter.clone(), outbox.clone());
        let ticker = Ticker::start(told, teller.clone(), job.place)?;
        // For as long as the process lives, which has one job.
        let bytes: &'static [u8] = bytes.leak();
        counter.emit(Event::Enter(Phase::Parse));
        let terms = TermStore::new();
        let read = read_input(bytes, &job.ask, &terms);
        counter.emit(Event::Leave(Phase::Parse));
        Ok(Opened {
            job,
            inbox,
            outbox,
            counter,
            ticker,
            teller,
            terms,
            read,
        })
    }
}

/// Puts what comes after the file into the inbox, until the input ends. A line that is no message is
/// ignored.
fn listen(input: impl BufRead + Send + 'static, inbox: Inbox, place: Place) {
    std::thread::spawn(move || {
        for line in input.lines().map_while(Result::ok) {
            if let Ok(message) = serde_json::from_str(&line) {
                inbox.put(message);
            }
        }
        end_alone(place);
    });
}

/// The supervisor is gone: a worker elsewhere has nobody to end it. Its solver processes die with it.
fn end_alone(place: Place) {
    if place == Place::Elsewhere {
        std::process::exit(0);
    }
}

/// A job that is worked on.
struct Task<'a, W> {
    job: &'a Job,
    inbox: Inbox,
    outbox: &'a Outbox,
    counter: &'a Counter,
    teller: &'a Teller<W>,
    terms: &'a TermStore,
}

impl<W: Write> Task<'_, W> {
    /// The last message.
    fn answer(self, input: &ReadInput<'_>, tools: Equipment) -> io::Result<Message> {
        let Task { job, teller, .. } = self;
        let Equipment {
            mut prepared,
            oracles,
        } = tools;
        teller.tell(&Message::Read(input.reading.clone()))?;
        let (budget, rng) = (budget(job), Rng::new(job.common.seed));
        // Nobody listening any more: the worker will find out when it answers.
        let send = |shared| drop(teller.tell(&Message::Share(shared)));
        let wire = Wire {
            inbox: self.inbox,
            send: &send,
        };
        let is_kept = job.common.events;
        let events = Announcing {
            counter: self.counter,
            teller,
            trail: is_kept.then(|| Trail::new(self.terms, self.outbox)),
        };
        let cx = Cx {
            terms: self.terms,
            events: &events,
            budget: &budget,
            oracles: &oracles,
            rng: &rng,
        };
        if job.purpose == Purpose::Learn {
            let learned = learn::learn(input, &job.shared, &prepared.certify, &cx);
            return Ok(Message::Learned(learned.unwrap_or_default()));
        }
        // With the whole file to the end of the input there is nobody to talk to.
        let together = job.length.map(|_| &wire);
        let (outcome, checks) = match &job.claim {
            Some(claim) if job.purpose == Purpose::Check => {
                recheck::recheck(input, job, claim, &prepared, &cx)
            }
            _ => verify_sharing(input, job, &mut prepared, (together, &oracles.ready()), &cx),
        };
        Ok(Message::Answer(Box::new(Answer {
            outcome,
            checks,
            statistics: self.counter.snapshot(),
        })))
    }
}

/// The time that a job has.
fn budget(job: &Job) -> Budget {
    let budget = match job.time_left {
        Some(ms) => Budget::with_time(Duration::from_millis(ms)),
        None => Budget::unlimited(),
    };
    match job.slice {
        Some(ms) => budget.with_plan(Duration::from_millis(ms)),
        None => budget,
    }
}

/// Says what the engine did since the last time.
fn tell_deeds<W: Write>(outbox: &Outbox, counter: &Counter, teller: &Teller<W>) -> io::Result<()> {
    match outbox.take(counter.elapsed()) {
        Some(deeds) => teller.tell(&Message::Events(deeds)),
        None => Ok(()),
    }
}

/// Counts events, says at once that an answer was found, and keeps what was done if that is wanted.
struct Announcing<'a, W> {
    counter: &'a Counter,
    teller: &'a Teller<W>,
    trail: Option<Trail<'a>>,
}

impl<W: Write> EventSink for Announcing<'_, W> {
    fn emit(&self, event: Event<'_>) {
        if let Event::Found(claim) = event {
            // Nobody listening any more: the worker will find out when it answers.
            let _ = self.teller.tell(&Message::Found { claim });
        }
        if let Event::Witness(verdict, text) = event {
            let claim = Claim::new(verdict, text);
            let _ = self.teller.tell(&Message::Witness(claim));
        }
        if let Some(trail) = &self.trail {
            trail.keep(event, || self.counter.elapsed());
        }
        self.counter.emit(event);
    }
}

/// Writes messages, one line each.
struct Teller<W>(Arc<Mutex<W>>);

impl<W> Clone for Teller<W> {
    fn clone(&self) -> Teller<W> {
        Teller(Arc::clone(&self.0))
    }
}

impl<W: Write> Teller<W> {
    fn tell(&self, message: &Message) -> io::Result<()> {
        let mut line = serde_json::to_string(message).map_err(io::Error::other)?;
        line.push('\n');
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(line.as_bytes())?;
        output.flush()
    }
}

/// Tells progress whenever the counts have changed since the last time.
struct Ticker {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl Ticker {
    fn start<W: Write + Send + 'static>(
        (counter, outbox): (Counter, Outbox),
        teller: Teller<W>,
        place: Place,
    ) -> io::Result<Ticker> {
        let (stop, stopped) = mpsc::channel::<()>();
        clock::watch();
        let thread = std::thread::Builder::new()
            .name("progress".into())
            .spawn(move || {
                while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    clock::now();
                    // Nobody listening any more: the worker will find out when it answers.
                    let told = tell_deeds(&outbox, &counter, &teller)
                        .and_then(|()| teller.tell(&Message::Progress(counter.snapshot())));
                    if told.is_err() {
                        end_alone(place);
                        return;
                    }
                }
            })?;
        Ok(Ticker { stop, thread })
    }

    fn stop(self) {
        drop(self.stop);
        let _ = self.thread.join();
    }
}
