//! `foretell interpolate`: interpolants between groups of assertions.

use foretell_driver::commands::interpolate::{Interpolated, interpolate};

use crate::arguments::InterpolateArguments;
use crate::diagnostics;
use crate::exit::Exit;
use crate::files;
use crate::streams::{answer_or_notice, notice};

pub(crate) fn run(arguments: &InterpolateArguments) -> Exit {
    let bytes = match files::read(&arguments.file) {
        Ok(bytes) => bytes,
        Err(error) => {
            notice(&format!("error: {error}"));
            return Exit::Usage;
        }
    };
    let (text, exit) = match interpolate(&bytes, &arguments.settings, arguments.timeout) {
        Ok(Interpolated::Interpolants(list)) => {
            let lines = list
                .iter()
                .map(|(group, formula)| format!("(interpolant {group} {formula})\n"));
            (format!("unsat\n{}", lines.collect::<String>()), Exit::Safe)
        }
        Ok(Interpolated::Satisfiable) => ("sat\n".to_owned(), Exit::Unsafe),
        Ok(Interpolated::Unknown(why)) => (format!("unknown ({why})\n"), Exit::Unknown),
        Err(error) => return diagnostics::fail(&arguments.file, &bytes, &error),
    };
    match answer_or_notice(&text) {
        Ok(()) => exit,
        Err(error) => {
            notice(&format!("error: {error}"));
            Exit::Internal
        }
    }
}
