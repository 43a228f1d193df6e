//! `foretell info`: what a file consists of.

use std::fmt::Write;

use foretell_driver::Format;
use foretell_driver::commands::survey::{Survey, survey};

use crate::arguments::{InfoArguments, OutputFormat};
use crate::diagnostics;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files;
use crate::json;
use crate::streams::{answer_or_notice, notice};

pub(crate) fn run(arguments: &InfoArguments) -> Exit {
    let form = arguments.format;
    let bytes = match files::read(&arguments.file) {
        Ok(bytes) => bytes,
        Err(error) => {
            return Failure::Usage(error).tell(form, Some(&arguments.file), &[]);
        }
    };
    let survey = match survey(&bytes) {
        Ok(survey) => survey,
        Err(error) => return Failure::Check(error).tell(form, Some(&arguments.file), &bytes),
    };
    diagnostics::print(&arguments.file, &bytes, &survey.warnings);
    let text = match form {
        OutputFormat::Text => text(&survey),
        OutputFormat::Json | OutputFormat::Jsonl | OutputFormat::Sarif => {
            json::shown(form, &json::survey(&survey))
        }
    };
    match answer_or_notice(&text) {
        Ok(()) => Exit::Safe,
        Err(error) => {
            notice(&format!("error: {error}"));
            Exit::Internal
        }
    }
}

fn text(survey: &Survey) -> String {
    let mut out = format!("format: {}\n", survey.format.name());
    let _ = writeln!(
        out,
        "logic: {}",
        survey.logic.as_deref().unwrap_or("none named")
    );
    for (name, count) in &survey.counts {
        let _ = writeln!(out, "{name}: {count}");
    }
    if survey.format != Format::Vmt {
        let _ = writeln!(out, "linear: {}", if survey.linear { "yes" } else { "no" });
    }
    let _ = writeln!(out, "features: {}", survey.features.join(", "));
    let _ = writeln!(out, "sorts: {}", survey.sorts.join(", "));
    out
}
