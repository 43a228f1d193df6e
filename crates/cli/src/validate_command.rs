//! `foretell validate`: anybody's witness against the original text.

use foretell_driver::Property;
use foretell_driver::commands::validate::{CheckReport, Outcome, Validation, validate};

use crate::arguments::ValidateArguments;
use crate::check_command::solvers;
use crate::exit::Exit;
use crate::files;
use crate::streams::{answer_or_notice, notice};

pub(crate) fn run(arguments: &ValidateArguments) -> Exit {
    match check(arguments) {
        Ok(reports) => tell(arguments, &reports),
        Err(error) => {
            notice(&format!("error: {error}"));
            Exit::Usage
        }
    }
}

fn check(arguments: &ValidateArguments) -> Result<Vec<CheckReport>, String> {
    let read = |path| -> Result<String, String> {
        String::from_utf8(files::read(path)?)
            .map_err(|_| format!("{} is not UTF-8", path.display()))
    };
    let (text, witness) = (read(&arguments.file)?, read(&arguments.witness)?);
    let validation = Validation {
        text: &text,
        witness: &witness,
        property: arguments.property.map_or(Property::All, Property::Number),
        tools: &solvers(arguments.cross_check),
        settings: &arguments.settings,
        limit: arguments.timeout,
    };
    validate(&validation).map_err(|e| e.to_string())
}

/// Rejected if one solver rejects; accepted if all accept.
fn tell(arguments: &ValidateArguments, reports: &[CheckReport]) -> Exit {
    let mut text = String::new();
    for report in reports {
        text += &format!("{} ({})\n", report.outcome, report.solver);
        if arguments.verbose {
            for obligation in &report.obligations {
                notice(&format!("{}: {}", obligation.status, obligation.what));
            }
        }
    }
    if let Err(error) = answer_or_notice(&text) {
        notice(&format!("error: {error}"));
        return Exit::Internal;
    }
    if reports
        .iter()
        .any(|r| matches!(r.outcome, Outcome::Rejected(_)))
    {
        Exit::Unsafe
    } else if reports.iter().all(|r| r.outcome.is_accepted()) {
        Exit::Safe
    } else {
        Exit::Unknown
    }
}
