//! What a check found, and what it tells meanwhile.

use foretell_driver::worker::statistics::Statistics;
use foretell_driver::{
    Counterexample, Happening, Incident, Observer, Outcome, Reading, Report, Settled, VerdictKind,
};

/// An answer. `Safe` and `Unsafe` were checked on the text that was given.
#[derive(Clone, Debug)]
pub struct Answer(pub Report);

impl Answer {
    /// The answer to the whole: unsafe if one property is, safe if all are.
    pub fn verdict(&self) -> VerdictKind {
        self.0.verdict()
    }

    /// The properties in the order in which they were settled; one without a number when they were
    /// checked as one.
    pub fn properties(&self) -> &[Settled] {
        &self.0.settled
    }

    /// Of safe clauses: one `define-fun` per predicate.
    pub fn model(&self) -> Option<&str> {
        self.outcomes().find_map(|outcome| match outcome {
            Outcome::Safe {
                model: Some(model), ..
            } => Some(model.text.as_str()),
            _ => None,
        })
    }

    /// The text that was checked; [`crate::Witness`] accepts it.
    pub fn certificate(&self) -> Option<&str> {
        self.outcomes().find_map(Outcome::certificate)
    }

    /// How a bad state is reached.
    pub fn counterexample(&self) -> Option<Counterexample> {
        self.outcomes().find_map(Outcome::counterexample)
    }

    /// Why nothing is known.
    pub fn reason(&self) -> Option<&str> {
        self.outcomes().find_map(|outcome| match outcome {
            Outcome::Unknown { reason, .. } => Some(reason.as_str()),
            _ => None,
        })
    }

    fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.0.settled.iter().map(|settled| &settled.outcome)
    }
}

/// What happens during a check.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The input was read.
    Read(&'a Reading),
    /// A run of this configuration got further.
    Progress(&'a str, &'a Statistics),
    /// Something happened to the run of this configuration.
    Happened(&'a str, &'a Happening),
    /// A property is settled.
    Settled(&'a Settled),
    /// Something went wrong that is no answer.
    Incident(&'a Incident),
}

/// Hands everything to a function.
pub(crate) struct Follow<F>(pub(crate) F);

impl<F: FnMut(&Event<'_>)> Observer for Follow<F> {
    fn read(&mut self, reading: &Reading) {
        self.0(&Event::Read(reading));
    }

    fn progress(&mut self, configuration: &str, statistics: &Statistics) {
        self.0(&Event::Progress(configuration, statistics));
    }

    fn happened(&mut self, configuration: &str, what: &Happening) {
        self.0(&Event::Happened(configuration, what));
    }

    fn settled(&mut self, _reading: Option<&Reading>, settled: &Settled) -> Result<(), String> {
        self.0(&Event::Settled(settled));
        Ok(())
    }

    fn incident(&mut self, incident: &Incident) {
        self.0(&Event::Incident(incident));
    }
}
