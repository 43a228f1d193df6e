//! Statistics and progress: one fold over the events of a run.
//!
//! The sink only counts. Another thread may look at the counts at any time ([`Counter::snapshot`]),
//! so that a run that is stuck in one query still tells how far it got.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use foretell_kernel::{Event, EventSink, Phase, clock};
use foretell_solver::Answered;
use serde::{Deserialize, Serialize};

/// How far a run got and what it took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// The innermost phase.
    pub phase: String,
    /// No counterexample of this length or shorter exists.
    pub bound: Option<u32>,
    /// The highest frame.
    pub frame: Option<u32>,
    /// Counters by name.
    pub counts: BTreeMap<String, u64>,
    /// Seconds by phase, and by purpose of query.
    pub seconds: BTreeMap<String, f64>,
    /// What the engine did to the problem and why, in words for the user.
    #[serde(default)]
    pub explanations: Vec<String>,
    /// The seconds that the solver query in flight has taken so far.
    #[serde(default)]
    pub in_query: Option<f64>,
    /// How many questions about a certificate the solver process in flight has answered, of how many.
    #[serde(default)]
    pub certifying: Option<[usize; 2]>,
    /// Resident memory in bytes.
    pub memory: u64,
    /// Seconds since the worker began.
    pub elapsed: f64,
}

impl Statistics {
    /// A counter, 0 when nothing was counted.
    pub fn count(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }

    /// How far, in a few words: `bound 12`, `frame 3, 40 lemmas`, `certifying 12 of 47`.
    pub fn reach(&self) -> String {
        let mut words = Vec::new();
        if let Some([answered, asked]) = self.certifying {
            words.push(format!("certifying {answered} of {asked}"));
        }
        if let Some(bound) = self.bound {
            words.push(format!("bound {bound}"));
        }
        if let Some(frame) = self.frame {
            words.push(format!("frame {frame}"));
        }
        for name in ["lemmas", "predicates", "auxiliaries"] {
            if self.count(name) > 0 {
                words.push(numbered(self.count(name), name));
            }
        }
        if words.is_empty() {
            words.push(self.phase.clone());
        }
        if let Some(seconds) = self.in_query.filter(|&seconds| seconds >= LONG_QUERY) {
            words.push(format!("one query for {seconds:.0} s"));
        }
        words.join(", ")
    }
}

/// So many of something, by a word that ends in `s` or in `ies` for more than one.
pub fn numbered(n: u64, what: &str) -> String {
    match (n, what.strip_suffix("ies"), what.strip_suffix('s')) {
        (1, Some(stem), _) => format!("1 {stem}y"),
        (1, None, Some(one)) => format!("1 {one}"),
        _ => format!("{n} {what}"),
    }
}

/// A query is worth a word after so many seconds.
const LONG_QUERY: f64 = 1.0;

/// An event sink that counts. Clones share the counts.
#[derive(Clone)]
pub struct Counter {
    state: Arc<Mutex<State>>,
    started: Instant,
}

#[derive(Default)]
struct State {
    statistics: Statistics,
    /// The open phases, outermost first.
    phases: Vec<OpenPhase>,
    /// The query that was asked and not answered: its purpose, and when it was asked.
    asked: Option<(&'static str, Instant)>,
    /// The script that was put to a solver process and not answered: the count of answers, and how many
    /// there will be.
    script: Option<(Answered, usize)>,
}

/// A phase that was entered and not left.
struct OpenPhase {
    name: String,
    since: Instant,
}

impl Default for Counter {
    fn default() -> Counter {
        Counter {
            state: Arc::default(),
            started: clock::now(),
        }
    }
}

impl Counter {
    /// Seconds since the worker began.
    pub(crate) fn elapsed(&self) -> f64 {
        clock::since(self.started).as_secs_f64()
    }

    /// The counts so far; open phases count up to now.
    pub(crate) fn snapshot(&self) -> Statistics {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut statistics = state.statistics.clone();
        for phase in &state.phases {
            add_seconds(&mut statistics, &phase.name, clock::since(phase.since));
        }
        if let Some((purpose, since)) = state.asked {
            let time = clock::since(since);
            add_query_seconds(&mut statistics, purpose, time);
            statistics.in_query = Some(time.as_secs_f64());
        }
        let script = state.script.as_ref();
        statistics.certifying = script.map(|(answered, asked)| [answered.count(), *asked]);
        statistics.phase = state
            .phases
            .last()
            .map_or_else(|| "idle".to_owned(), |phase| phase.name.clone());
        statistics.memory = resident_memory();
        statistics.elapsed = self.elapsed();
        statistics
    }

    /// A script was put to a solver process; or it is through with it.
    pub(crate) fn script(&self, script: Option<(Answered, usize)>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.script = script;
    }
}

impl EventSink for Counter {
    fn emit(&self, event: Event<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Enter(phase) => state.enter(phase_name(phase)),
            Event::Leave(phase) => state.leave(&phase_name(phase)),
            Event::Asked(purpose) => state.asked = Some((purpose, clock::now())),
            Event::Query(purpose, time) => {
                state.asked = None;
                add_query_seconds(&mut state.statistics, purpose, time);
                count(&mut state.statistics, event);
            }
            event => count(&mut state.statistics, event),
        }
    }
}

impl State {
    fn enter(&mut self, name: String) {
        self.phases.push(OpenPhase {
            name,
            since: clock::now(),
        });
    }

    /// Closes a phase and whatever was left open inside it.
    fn leave(&mut self, name: &str) {
        let Some(at) = self.phases.iter().rposition(|open| open.name == name) else {
            return;
        };
        for phase in self.phases.drain(at..) {
            add_seconds(&mut self.statistics, &phase.name, clock::since(phase.since));
        }
    }
}

fn count(statistics: &mut Statistics, event: Event<'_>) {
    let mut add = |name: &str, n: u64| *statistics.counts.entry(name.to_owned()).or_default() += n;
    match event {
        Event::Bound(bound) => statistics.bound = Some(bound),
        Event::Frame(frame) => statistics.frame = statistics.frame.max(Some(frame)),
        Event::Obligation(..) => add("obligations", 1),
        Event::Lemma(..) => add("lemmas", 1),
        Event::Predicate(_) => add("predicates", 1),
        Event::Axiom(rule) => {
            add("axioms", 1);
            add(&format!("axioms.{rule}"), 1);
        }
        Event::History(..) => {
            add("auxiliaries", 1);
            add("auxiliaries.history", 1);
        }
        Event::Prophecy(..) => {
            add("auxiliaries", 1);
            add("auxiliaries.prophecy", 1);
        }
        Event::Refined => add("refinements", 1),
        Event::Explain(words) => statistics.explanations.push(words.to_owned()),
        Event::Count(what, n) => add(what.name(), n),
        Event::Query(purpose, _) => {
            add("queries", 1);
            add(&format!("queries.{purpose}"), 1);
        }
        _ => {}
    }
}

fn add_query_seconds(statistics: &mut Statistics, purpose: &str, time: Duration) {
    add_seconds(statistics, "queries", time);
    add_seconds(statistics, &format!("queries.{purpose}"), time);
}

fn add_seconds(statistics: &mut Statistics, name: &str, time: Duration) {
    *statistics.seconds.entry(name.to_owned()).or_default() += time.as_secs_f64();
}

fn phase_name(phase: Phase) -> String {
    match phase {
        Phase::Parse => "parse".to_owned(),
        Phase::Pass(name) => format!("pass {name}"),
        Phase::Engine(name) => format!("engine {name}"),
        Phase::Refine => "refine".to_owned(),
        Phase::Interpolate => "interpolate".to_owned(),
        Phase::Certify => "certify".to_owned(),
        _ => "other".to_owned(),
    }
}

/// Resident memory of this process in bytes; 0 when the system does not tell.
fn resident_memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text
        .split(' ')
        .nth(1)
        .and_then(|field| field.parse::<u64>().ok())
        .unwrap_or(0);
    pages * 4096
}
