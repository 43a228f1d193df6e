//! The command line of Foretell: arguments, rendering, exit codes.
//!
//! The only crate that prints or reads arguments, environment and files. Standard output is the
//! answer alone; everything else goes to standard error, each line marked, so that none of them can
//! be taken for an answer.
//!
//! Reading order: `arguments`, `check_command` (and its parts `answer`, `observer`, `json`), the small
//! commands, `explain_command` (pages that explain an answer), `bench_command`, `diagnostics`, `files`, `reproducers`, `exit`.

mod answer;
mod arguments;
mod bench_arguments;
mod bench_command;
mod bench_parts;
mod check_command;
mod conversation_command;
mod counterexample;
mod diagnostics;
mod elsewhere;
mod exit;
mod explain_command;
mod facts;
mod failure;
mod files;
mod info_command;
mod install_command;
mod interpolate_command;
mod json;
mod learned;
mod observer;
mod options_command;
mod program_command;
mod program_text;
mod program_validate;
mod progress;
mod quiet;
mod reproducers;
mod sarif;
mod streams;
mod sv_comp;
mod validate_command;
mod vcd;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use arguments::{Arguments, Command, OutputFormat};
use exit::Exit;

fn main() -> ExitCode {
    if let Some(code) = foretell_lib::serve() {
        return code;
    }
    let is_ahead = looks_like_check(std::env::args_os().skip(1));
    if is_ahead {
        foretell_lib::host::start_ahead();
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    if !is_ahead && matches!(&arguments.command, None | Some(Command::Check(_))) {
        foretell_lib::host::start_ahead();
    }
    match std::panic::catch_unwind(|| run(arguments)) {
        Ok(exit) => exit.into(),
        Err(_) => {
            // The panic hook has told where; the answer stream still gets an honest word.
            reproducers::save_panic();
            let _ = streams::answer("unknown (internal error)\n");
            Exit::Internal.into()
        }
    }
}

fn run(arguments: Arguments) -> Exit {
    match arguments.command {
        None => check_command::run(&arguments.check),
        Some(Command::Check(check)) => check_command::run(&check),
        Some(Command::Annotate(annotate)) => program_command::annotate(&annotate),
        Some(Command::Explain(explain)) => explain_command::run(&explain),
        Some(Command::Validate(validate)) => validate_command::run(&validate),
        Some(Command::Info(info)) => info_command::run(&info),
        Some(Command::Interpolate(interpolate)) => interpolate_command::run(&interpolate),
        Some(Command::Options(arguments)) => options_command::run(&arguments),
        Some(Command::Bench(bench)) => bench_command::bench(&bench),
        Some(Command::Report(report)) => bench_command::report_command(&report),
        Some(Command::Compare(compare)) => bench_command::compare_command(&compare),
        Some(Command::Merge(merge)) => bench_command::merge_command(&merge),
        Some(Command::Completions { shell }) => install_command::completions(shell),
        Some(Command::Man { folder }) => install_command::manual(&folder),
    }
}

/// Whether a command line may be that of a check, before it is understood: its first word is an option or a file.
/// If it is none after all, the worker that was started ends with this process.
fn looks_like_check(words: impl Iterator<Item = OsString>) -> bool {
    let mut words = words.peekable();
    let begins = words.peek().is_some_and(|first| {
        first.as_encoded_bytes().starts_with(b"-") || Path::new(first).exists()
    });
    begins && words.all(|word| !HELP.iter().any(|help| word == *help))
}

/// What asks for words and for no work.
const HELP: [&str; 4] = ["-h", "--help", "-V", "--version"];

/// What is wrong when the first word is no command and others follow it.
fn unexpected_word(error: &clap::Error) -> Option<String> {
    // The conflict that a first word makes which is no command.
    let conflict =
        error.kind() == ErrorKind::ArgumentConflict && error.to_string().contains("the subcommand");
    let mut words = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'));
    let (first, second) = (words.next()?, words.next()?);
    if !conflict {
        return None;
    }
    Some(if Path::new(&first).exists() {
        format!("one FILE is expected, not `{first}` and `{second}`; `bench` takes many")
    } else {
        format!("`{first}` is neither a command nor a file")
    })
}

/// The machine-readable form that a command line asks for which is wrong otherwise.
fn wanted_form() -> Option<OutputFormat> {
    let words: Vec<String> = std::env::args().collect();
    let split = words
        .windows(2)
        .filter(|pair| pair[0] == "--format")
        .map(|pair| pair[1].as_str());
    let joined = words
        .iter()
        .filter_map(|word| word.strip_prefix("--format="));
    split.chain(joined).find_map(|form| match form {
        "json" => Some(OutputFormat::Json),
        "jsonl" => Some(OutputFormat::Jsonl),
        "sarif" => Some(OutputFormat::Sarif),
        _ => None,
    })
}

/// Help and version are answers; anything else is an error of usage.
fn usage(error: &clap::Error) -> ExitCode {
    let shown = error.render();
    let outcome = if error.use_stderr() {
        let words = match unexpected_word(error) {
            Some(words) => format!("error: {words}; try --help"),
            None => shown.to_string().trim_end().to_owned(),
        };
        streams::notice(&words);
        let first = words.lines().next().unwrap_or_default();
        let message = first.trim_start_matches("error: ");
        match wanted_form().map(|form| json::failure(form, None, Exit::Usage, message, &[])) {
            Some(text) if streams::answer(&text).is_err() => Exit::Internal,
            _ => Exit::Usage,
        }
    } else {
        match streams::answer(&shown.to_string()) {
            Ok(()) => Exit::Safe,
            Err(_) => Exit::Internal,
        }
    };
    outcome.into()
}

#[cfg(test)]
mod tests {
    use super::looks_like_check;

    #[test]
    fn a_worker_is_started_ahead_for_what_may_be_a_check() {
        let looks = |line: &str| looks_like_check(line.split_whitespace().map(Into::into));
        assert!(looks("-t 20s system.smt2") && looks("Cargo.toml -v") && looks("--in"));
        for other in [
            "",
            "bench -j 2 folder",
            "--help",
            "-t 20s --version",
            "no-such-file.smt2",
        ] {
            assert!(!looks(other), "{other}");
        }
    }
}
