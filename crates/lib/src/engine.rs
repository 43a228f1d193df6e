//! One engine in this process: the straight line from a text to a checked answer, without a supervisor.
//!
//! Nothing limits its memory, and a solver that hangs hangs it: for problems that are known to be small,
//! and for experiments. Only the solver that checks the answer is a process of its own, which is why the
//! executable must [`crate::serve`].

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use foretell_driver::protocol::Tools;
use foretell_driver::{Common, Configuration, Error, Job, Message, Outcome, worker};

use crate::host;

/// An engine with its settings.
#[derive(Clone, Debug)]
pub struct Engine {
    configuration: Configuration,
    limit: Option<Duration>,
}

impl Engine {
    /// The engine of a name.
    pub fn new(name: impl Into<String>) -> Engine {
        let name = name.into();
        Engine {
            configuration: Configuration {
                engine: name.clone(),
                name,
                ..Configuration::default()
            },
            limit: None,
        }
    }

    /// A setting, `group.option=value`.
    pub fn set(mut self, setting: impl Into<String>) -> Engine {
        self.configuration.settings.push(setting.into());
        self
    }

    /// The time after which it gives up at the next occasion.
    pub fn timeout(self, limit: Duration) -> Engine {
        Engine {
            limit: Some(limit),
            ..self
        }
    }

    /// Runs it on a text: all its goals as one.
    ///
    /// # Errors
    /// When this executable does not serve, a name is wrong, the text is refused, or the engine fails.
    pub fn run(&self, text: &str) -> Result<Outcome, Error> {
        if !host::serves() {
            let words = "`main` must begin with `foretell_lib::serve()`";
            return Err(Error::Usage(words.to_owned()));
        }
        let job = Job {
            configuration: self.configuration.clone(),
            time_left: self.limit.and_then(|l| u64::try_from(l.as_millis()).ok()),
            common: Common {
                model: true,
                tools: Tools {
                    z3: Some(host::z3(None)?),
                    cvc5: None,
                },
                ..Common::default()
            },
            ..Job::default()
        };
        let failed = |e: io::Error| Error::System(e.to_string());
        let mut input = serde_json::to_vec(&job).map_err(|e| failed(e.into()))?;
        input.push(b'\n');
        input.extend_from_slice(text.as_bytes());
        let told = Told::default();
        worker::run(io::Cursor::new(input), told.clone(), host::home()).map_err(failed)?;
        told.end()
    }
}

/// What the engine says, one message per line.
#[derive(Clone, Default)]
struct Told(Arc<Mutex<Vec<u8>>>);

impl Told {
    /// The last message.
    fn end(&self) -> Result<Outcome, Error> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = bytes.split(|&b| b == b'\n').filter(|line| !line.is_empty());
        match lines.map(serde_json::from_slice).next_back() {
            Some(Ok(Message::Answer(answer))) => Ok(answer.outcome),
            Some(Ok(Message::Refused(refusal))) => Err(Error::Refused(refusal)),
            _ => Err(Error::System("the engine gave no answer".to_owned())),
        }
    }
}

impl Write for Told {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
