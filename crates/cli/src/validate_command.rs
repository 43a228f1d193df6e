//! `foretell validate`: anybody's witness against the original text.

use foretell_driver::Property;
use foretell_driver::commands::failing::{Failing, failing};
use foretell_driver::commands::validate::{CheckReport, Outcome, Validation, validate};
use foretell_driver::program::looks_like_c;

use crate::arguments::ValidateArguments;
use crate::check_command::solvers;
use crate::diagnostics;
use crate::exit::Exit;
use crate::files;
use crate::program_validate;
use crate::streams::{answer_or_notice, notice};

pub(crate) fn run(arguments: &ValidateArguments) -> Exit {
    let read = |path| -> Result<String, String> {
        String::from_utf8(files::read(path)?)
            .map_err(|_| format!("{} is not UTF-8", path.display()))
    };
    let (text, witness) = match (read(&arguments.file), read(&arguments.witness)) {
        (Ok(text), Ok(witness)) => (text, witness),
        (Err(error), _) | (_, Err(error)) => {
            notice(&format!("error: {error}"));
            return Exit::Usage;
        }
    };
    if looks_like_c(text.as_bytes()) {
        return program_validate::run(arguments, text.into_bytes(), &witness);
    }
    let tools = match solvers(arguments.cross_check) {
        Ok(tools) => tools,
        Err(error) => {
            notice(&format!("error: {error}"));
            return Exit::Usage;
        }
    };
    let validation = Validation {
        text: &text,
        witness: &witness,
        property: arguments.property.map_or(Property::All, Property::Number),
        tools: &tools,
        launcher: None,
        settings: &arguments.settings,
        limit: arguments.timeout,
    };
    match validate(&validation) {
        Ok(reports) => {
            let example = is_rejected(&reports).then(|| failing(&validation));
            tell(arguments, &reports, example.flatten().as_ref())
        }
        Err(error) => diagnostics::fail(&arguments.file, text.as_bytes(), &error),
    }
}

fn is_rejected(reports: &[CheckReport]) -> bool {
    let rejected = |r: &CheckReport| matches!(r.outcome, Outcome::Rejected(_));
    reports.iter().any(rejected)
}

/// Rejected if one solver rejects; accepted if all accept.
fn tell(arguments: &ValidateArguments, reports: &[CheckReport], example: Option<&Failing>) -> Exit {
    let mut text = String::new();
    for report in reports {
        text += &format!("{} ({})\n", report.outcome, report.solver);
        if arguments.verbose {
            for obligation in &report.obligations {
                notice(&format!("{}: {}", obligation.status, obligation.what));
            }
        }
    }
    if let Some(example) = example {
        let values = example.values.iter();
        let values: Vec<String> = values
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let values = match values.as_slice() {
            [] => "always".to_owned(),
            some => format!("for {}", some.join(", ")),
        };
        text += &format!("the clause in line {} fails {values}\n", example.line);
    }
    if let Err(error) = answer_or_notice(&text) {
        notice(&format!("error: {error}"));
        return Exit::Internal;
    }
    if is_rejected(reports) {
        Exit::Unsafe
    } else if reports.iter().all(|r| r.outcome.is_accepted()) {
        Exit::Safe
    } else {
        Exit::Unknown
    }
}
