//! What is kept during a run: an observer that passes everything on and remembers when it was told what.
//!
//! Bounded, so that a run of hours keeps little: a sample of a configuration at most every half second
//! unless something moved, and at most [`MOST`] of each kind.

use std::collections::BTreeMap;
use std::time::Instant;

use foretell_driver::protocol::{Shared, SharedItem};
use foretell_driver::worker::statistics::Statistics;
use foretell_driver::worker::trail::{self, Deeds};
use foretell_driver::{Happening, Incident, Observer, Reading, Settled};

use crate::model::{Deed, DeedKind, Sample};

/// At most so many samples of a configuration, and so many formulas.
const MOST: usize = 2000;
/// At most so many lemmas and obligations of a configuration.
const MOST_DEEDS: usize = 8000;
/// Samples that say nothing new come at most this often, in seconds.
const EVERY: f64 = 0.5;

/// What was told, and when.
#[derive(Clone, Debug)]
pub struct Record {
    started: Instant,
    samples: BTreeMap<String, Vec<Sample>>,
    told: Vec<(f64, String, SharedItem)>,
    deeds: BTreeMap<String, Vec<Deed>>,
}

impl Default for Record {
    fn default() -> Record {
        Record {
            started: Instant::now(),
            samples: BTreeMap::new(),
            told: Vec::new(),
            deeds: BTreeMap::new(),
        }
    }
}

impl Record {
    /// Seconds from the start to a moment.
    pub(crate) fn seconds(&self, moment: Instant) -> f64 {
        moment.saturating_duration_since(self.started).as_secs_f64()
    }

    /// The samples of a configuration within a time.
    pub(crate) fn samples(&self, name: &str, from: f64, to: f64) -> Vec<Sample> {
        let own = self.samples.get(name).into_iter().flatten();
        let inside = own.filter(|s| s.at >= from && s.at <= to);
        inside.cloned().collect()
    }

    /// What the engine of a configuration did within a time.
    pub(crate) fn deeds(&self, name: &str, from: f64, to: f64) -> Vec<Deed> {
        let own = self.deeds.get(name).into_iter().flatten();
        let inside = own.filter(|d| d.at >= from && d.at <= to);
        inside.cloned().collect()
    }

    /// Keeps deeds; a worker counts time from its own start.
    fn keep(&mut self, configuration: &str, deeds: &Deeds) {
        let began = self.seconds(Instant::now()) - deeds.now;
        let list = self.deeds.entry(configuration.to_owned()).or_default();
        let room = MOST_DEEDS.saturating_sub(list.len());
        let one = |deed: &trail::Deed| {
            let (kind, number, times) = match deed.kind {
                trail::DeedKind::Lemma => (DeedKind::Lemma, None, None),
                trail::DeedKind::Obligation { number, times } => {
                    (DeedKind::Obligation, Some(number), Some(times))
                }
            };
            Deed {
                at: (began + deed.at).max(0.0),
                kind,
                level: deed.level,
                literals: deed.literals,
                number,
                times,
                formula: deed.text.clone(),
            }
        };
        list.extend(deeds.list.iter().take(room).map(one));
    }

    /// What was told: when, by whom, what.
    pub(crate) fn told(&self) -> &[(f64, String, SharedItem)] {
        &self.told
    }

    fn sample(&mut self, configuration: &str, statistics: &Statistics) {
        let at = self.seconds(Instant::now());
        let new = Sample {
            at,
            phase: statistics.phase.clone(),
            bound: statistics.bound,
            frame: statistics.frame,
            lemmas: statistics.count("lemmas"),
            auxiliaries: statistics.count("auxiliaries"),
        };
        let list = self.samples.entry(configuration.to_owned()).or_default();
        let is_new = list.last().is_none_or(|last| {
            let moved = (last.bound, last.frame, last.auxiliaries)
                != (new.bound, new.frame, new.auxiliaries);
            moved || last.phase != new.phase || at - last.at >= EVERY
        });
        if is_new && list.len() < MOST {
            list.push(new);
        }
    }
}

/// Remembers what happens, and passes it on.
pub struct Recorder<'a> {
    inner: &'a mut dyn Observer,
    record: &'a mut Record,
}

impl<'a> Recorder<'a> {
    /// A recorder in front of an observer.
    pub fn new(inner: &'a mut dyn Observer, record: &'a mut Record) -> Recorder<'a> {
        Recorder { inner, record }
    }
}

impl Observer for Recorder<'_> {
    fn read(&mut self, reading: &Reading) {
        self.inner.read(reading);
    }

    fn progress(&mut self, configuration: &str, statistics: &Statistics) {
        self.record.sample(configuration, statistics);
        self.inner.progress(configuration, statistics);
    }

    fn happened(&mut self, configuration: &str, what: &Happening) {
        if let Happening::Shared(items) = what {
            let at = self.record.seconds(Instant::now());
            let room = MOST.saturating_sub(self.record.told.len());
            let new = items.iter().take(room).cloned();
            let by = configuration.to_owned();
            self.record
                .told
                .extend(new.map(|item| (at, by.clone(), item)));
        }
        self.inner.happened(configuration, what);
    }

    fn did(&mut self, configuration: &str, deeds: &Deeds) {
        self.record.keep(configuration, deeds);
        self.inner.did(configuration, deeds);
    }

    fn told(&mut self, shared: &Shared) {
        self.inner.told(shared);
    }

    fn settled(&mut self, reading: Option<&Reading>, settled: &Settled) -> Result<(), String> {
        self.inner.settled(reading, settled)
    }

    fn incident(&mut self, incident: &Incident) {
        self.inner.incident(incident);
    }
}
