//! Why there is no answer, on standard error for people and, with `--format json`, as JSON too.

use std::path::{Path, PathBuf};

use foretell_driver::program::{Located, ProgramClass};
use foretell_driver::{Diagnostic, Error, Refusal};

use crate::arguments::OutputFormat;
use crate::diagnostics;
use crate::exit::Exit;
use crate::json;
use crate::streams::{answer_or_notice, notice, raw};

/// Why a check did not begin or was given up.
pub(crate) enum Failure {
    /// The command line is wrong, or a file cannot be read.
    Usage(String),
    /// The check said so.
    Check(Error),
    /// A program in C was refused.
    Program(Located),
    /// A file beside the problem is malformed.
    Located {
        /// The file.
        path: PathBuf,
        /// Its contents.
        bytes: Vec<u8>,
        /// What is wrong, and where.
        findings: Vec<Diagnostic>,
    },
}

impl Failure {
    /// Tells it and gives the exit code. `bytes` are those of the problem.
    pub(crate) fn tell(&self, form: OutputFormat, file: Option<&Path>, bytes: &[u8]) -> Exit {
        let nowhere = Path::new("-");
        let mut findings = Vec::new();
        let (exit, message, place) = match self {
            Failure::Program(error) => {
                raw(&format!("{error}\n"));
                findings.push(json::located_in_program(error));
                let exit = match error.code.class() {
                    ProgramClass::Malformed => Exit::Malformed,
                    ProgramClass::Unsupported => Exit::Unsupported,
                };
                (exit, "the program was refused".to_owned(), None)
            }
            Failure::Usage(words) => {
                notice(&format!("error: {words}"));
                (Exit::Usage, words.clone(), None)
            }
            Failure::Check(error) => {
                let path = file.unwrap_or(nowhere);
                let exit = diagnostics::fail(path, bytes, error);
                let findings = match error {
                    Error::Refused(Refusal::Input(findings)) => findings.as_slice(),
                    _ => &[],
                };
                (exit, error.to_string(), Some((path, bytes, findings)))
            }
            Failure::Located {
                path,
                bytes,
                findings,
            } => {
                diagnostics::print(path, bytes, findings);
                let words = format!("{} is malformed", path.display());
                let place = (path.as_path(), bytes.as_slice(), findings.as_slice());
                (Exit::Malformed, words, Some(place))
            }
        };
        if form != OutputFormat::Text {
            if let Some((path, bytes, some)) = place {
                findings.extend(json::located(path, bytes, some));
            }
            let text = json::failure(form, file, exit, &message, &findings);
            if let Err(error) = answer_or_notice(&text) {
                notice(&format!("error: {error}"));
                return Exit::Internal;
            }
        }
        exit
    }
}
