//! An observer for checks whose answers are told by whoever asked.

use foretell_driver::worker::statistics::Statistics;
use foretell_driver::{Incident, Observer, Reading, Settled};

use crate::arguments::CheckArguments;
use crate::reproducers;
use crate::streams::notice;

/// Says nothing but what went wrong.
pub(crate) struct Quiet<'a> {
    pub(crate) arguments: &'a CheckArguments,
}

impl Observer for Quiet<'_> {
    fn read(&mut self, _reading: &Reading) {}

    fn progress(&mut self, _configuration: &str, _statistics: &Statistics) {}

    fn settled(&mut self, _reading: Option<&Reading>, _settled: &Settled) -> Result<(), String> {
        Ok(())
    }

    fn incident(&mut self, incident: &Incident) {
        let saved = reproducers::save(self.arguments.expert.reproducers.as_deref(), incident);
        if !self.arguments.output.chatter.quiet {
            let place = match saved {
                Ok(folder) => format!("saved in {}", folder.display()),
                Err(error) => error,
            };
            notice(&format!("warning: {} ({place})", incident.what));
        }
    }
}
