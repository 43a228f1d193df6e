//! Pages that explain an answer: `--report`, and `foretell explain`.
//!
//! A page is made when everything else was printed. Whatever goes wrong with it, panics included, is told
//! on standard error and costs the page only; as with other files, the command then fails.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use foretell_driver::program::Located;
use foretell_explain::model::{Finding, Report, Tool, Verdict};
use foretell_explain::{About, Record, json, of_failure, page, read};

use crate::arguments::{CheckArguments, ExplainArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files;
use crate::observer::SideFiles;
use crate::streams::{answer_or_notice, notice};

/// Makes the page of a report.
pub(crate) fn run(arguments: &ExplainArguments) -> Exit {
    let made = files::read(&arguments.report).and_then(|bytes| {
        let report = read(&bytes);
        report.map_err(|e| format!("{} is no report: {e}", arguments.report.display()))
    });
    let report = match made {
        Ok(report) => report,
        Err(words) => {
            notice(&format!("error: {words}"));
            return Exit::Usage;
        }
    };
    let text = page(&report);
    let written = match &arguments.output_file {
        Some(path) => files::write(path, text.as_bytes()),
        None => answer_or_notice(&text),
    };
    match written {
        Ok(()) => Exit::Safe,
        Err(error) => {
            notice(&format!("error: {error}"));
            Exit::Internal
        }
    }
}

/// Whether the page that is asked for can be written, found out before the run.
///
/// # Errors
/// Why it cannot.
pub(crate) fn can_be_written(arguments: &CheckArguments) -> Result<(), String> {
    arguments
        .output
        .report
        .as_deref()
        .map_or(Ok(()), files::can_be_written)
}

/// Writes the page that is asked for, if one is.
pub(crate) fn write(
    arguments: &CheckArguments,
    (file, bytes): (&Path, &[u8]),
    record: &Record,
    gather: impl FnOnce(&About<'_>) -> Report,
) -> SideFiles {
    let Some(path) = &arguments.output.report else {
        return SideFiles::Written;
    };
    let about = About {
        path: file.to_string_lossy().into_owned(),
        bytes,
        tool: tool(arguments),
        record,
    };
    let began = Instant::now();
    let is_data = path.extension().is_some_and(|end| end == "json");
    let make = || {
        let report = gather(&about);
        match is_data {
            true => json(&report),
            false => page(&report),
        }
    };
    let text = catch_unwind(AssertUnwindSafe(make));
    let text = text.map_err(|_| format!("cannot make {}: internal error", path.display()));
    match text.and_then(|text| files::write(path, text.as_bytes())) {
        Ok(()) => {
            if arguments.output.chatter.stats && !arguments.output.chc_comp {
                let seconds = began.elapsed().as_secs_f64();
                notice(&format!("report written in {seconds:.2} s"));
            }
            SideFiles::Written
        }
        Err(error) => {
            notice(&format!("error: {error}"));
            SideFiles::Lost
        }
    }
}

/// Writes the page about a program that was refused.
pub(crate) fn write_refused(arguments: &CheckArguments, input: (&Path, &[u8]), error: &Located) {
    let place = &error.location;
    let finding = Finding {
        code: error.code.as_str().to_owned(),
        message: error.message.clone(),
        line: place.line,
        column: place.column,
        ..Finding::default()
    };
    let words = "the program was refused".to_owned();
    let gather = |about: &About<'_>| of_failure(about, Verdict::Refused, words, vec![finding]);
    // The program is refused whatever becomes of the page.
    let _ = write(arguments, input, &Record::default(), gather);
}

/// What could not even be started is told, and the page says it too.
pub(crate) fn failed(
    arguments: &CheckArguments,
    input: (&Path, &[u8]),
    failure: &Failure,
    record: &Record,
) -> Exit {
    let exit = failure.tell(arguments.output.format, Some(input.0), input.1);
    let Failure::Check(error) = failure else {
        return exit;
    };
    let gather = |about: &About<'_>| foretell_explain::of_refusal(about, error);
    write(arguments, input, record, gather).unless_lost(exit)
}

fn tool(arguments: &CheckArguments) -> Tool {
    Tool {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: env!("FORETELL_COMMIT").to_owned(),
        command: std::env::args_os()
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
        seed: arguments.expert.seed,
    }
}
