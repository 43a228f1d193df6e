//! `--facts`: what workers tell each other, kept in a file from one run to the next.
//!
//! One message of the worker protocol per line, appended as it is told; nothing in the file is believed
//! when it is read again.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use foretell_driver::protocol::Shared;
use foretell_driver::worker::statistics::Statistics;
use foretell_driver::worker::trail::Deeds;
use foretell_driver::{Happening, Incident, Observer, Reading, Request, Settled, hints};

use crate::arguments::CheckArguments;
use crate::failure::Failure;
use crate::streams::notice;

/// Adds what the file of facts holds to a request, and opens the file for more.
pub(crate) fn open(
    arguments: &CheckArguments,
    request: &mut Request,
) -> Result<Option<Facts>, Failure> {
    let Some(path) = &arguments.facts else {
        return Ok(None);
    };
    let usage = |e: io::Error| Failure::Usage(format!("cannot use {}: {e}", path.display()));
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        other => other.map_err(usage)?,
    };
    let told = hints::told(&request.bytes, &bytes).map_err(Failure::Check)?;
    if told.n_unread > 0 && !arguments.output.chatter.quiet {
        notice(&format!(
            "warning: {} lines of {} are no facts and are left out",
            told.n_unread,
            path.display()
        ));
    }
    request.hints.extend(told.shared);
    let file = opened(path, &bytes).map_err(usage)?;
    Ok(Some(Facts {
        path: path.clone(),
        file: Some(file),
    }))
}

/// The file, ready for a new line: one that was torn gets its end.
fn opened(path: &Path, contents: &[u8]) -> io::Result<File> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    if contents.last().is_some_and(|&last| last != b'\n') {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

/// The file of facts while a check runs.
pub(crate) struct Facts {
    path: PathBuf,
    /// Absent once it could not be written.
    file: Option<File>,
}

impl Facts {
    fn keep(&mut self, shared: &Shared) {
        let Some(file) = &mut self.file else {
            return;
        };
        let mut line = serde_json::to_vec(shared).unwrap_or_default();
        line.push(b'\n');
        if let Err(error) = file.write_all(&line) {
            notice(&format!(
                "warning: cannot write {}: {error}",
                self.path.display()
            ));
            self.file = None;
        }
    }
}

/// An observer that also keeps facts.
pub(crate) struct Keeping<'a> {
    /// Is told everything.
    pub(crate) inner: &'a mut dyn Observer,
    /// Where facts go.
    pub(crate) facts: Facts,
}

impl Observer for Keeping<'_> {
    fn read(&mut self, reading: &Reading) {
        self.inner.read(reading);
    }

    fn progress(&mut self, configuration: &str, statistics: &Statistics) {
        self.inner.progress(configuration, statistics);
    }

    fn happened(&mut self, configuration: &str, what: &Happening) {
        self.inner.happened(configuration, what);
    }

    fn did(&mut self, configuration: &str, deeds: &Deeds) {
        self.inner.did(configuration, deeds);
    }

    fn told(&mut self, shared: &Shared) {
        self.facts.keep(shared);
        self.inner.told(shared);
    }

    fn settled(&mut self, reading: Option<&Reading>, settled: &Settled) -> Result<(), String> {
        self.inner.settled(reading, settled)
    }

    fn incident(&mut self, incident: &Incident) {
        self.inner.incident(incident);
    }
}
