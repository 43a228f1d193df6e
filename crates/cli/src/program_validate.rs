//! `foretell validate prog.c witness.yml`.

use std::time::Instant;

use clap::Parser;
use foretell_driver::VerdictKind;
use foretell_driver::program::{
    CheckKind, Claim, ClaimKind, DataModel, Finding, Group, GroupAnswer, Program, overall,
    read_claim, replay,
};

use crate::arguments::{Arguments, CheckArguments, Model, ValidateArguments};
use crate::exit::Exit;
use crate::program_command::{self, Shown};
use crate::streams::{answer_or_notice, notice};
use crate::sv_comp;

/// Checks what a witness claims about a program of this text.
pub(crate) fn run(arguments: &ValidateArguments, bytes: Vec<u8>, witness: &str) -> Exit {
    let fail = |words: &str, exit: Exit| {
        notice(&format!("error: {words}"));
        exit
    };
    let claim = match read_claim(witness) {
        Ok(claim) => claim,
        Err(words) => return fail(&words, Exit::Malformed),
    };
    let Some(check) = check_arguments(arguments) else {
        return fail("the file cannot be named", Exit::Usage);
    };
    let mut task = match sv_comp::task(&check, &arguments.file, bytes) {
        Ok(task) => task,
        Err(words) => return fail(&words, Exit::Usage),
    };
    task.model = task.model.or(claim.model.map(|model| match model {
        DataModel::Ilp32 => Model::Ilp32,
        DataModel::Lp64 => Model::Lp64,
    }));
    let outcome = match &claim.kind {
        ClaimKind::Violated(inputs) => program_command::open(&check, &task).map(|program| {
            match replay(&program, claim.group, inputs) {
                Some(_) => ("accepted (replayed)".to_owned(), Exit::Safe),
                None => (
                    "unknown (the execution does not fail)".to_owned(),
                    Exit::Unknown,
                ),
            }
        }),
        ClaimKind::Correct(invariants) => {
            task.claims.clone_from(invariants);
            task.groups = groups(&claim);
            program_command::check(&check, &task, Instant::now(), Shown::Nothing)
                .map(|(program, answers)| judged(&program, &answers))
        }
    };
    let (line, exit) = match outcome {
        Ok(outcome) => outcome,
        Err(exit) => return exit,
    };
    match answer_or_notice(&format!("{line}\n")) {
        Ok(()) => exit,
        Err(error) => fail(&error, Exit::Internal),
    }
}

/// Invariants are proved as assertions; then the property.
fn groups(claim: &Claim) -> Vec<Group> {
    match claim.group {
        Group::Assert => vec![Group::Assert],
        other => vec![Group::Assert, other],
    }
}

/// How the program itself would be checked.
fn check_arguments(arguments: &ValidateArguments) -> Option<CheckArguments> {
    let file = arguments.file.to_str()?;
    let mut words = vec!["foretell".to_owned(), "--no-execute".to_owned()];
    if let Some(limit) = arguments.timeout {
        words.extend(["--timeout".to_owned(), format!("{}", limit.as_secs_f64())]);
    }
    words.extend(["--".to_owned(), file.to_owned()]);
    Arguments::try_parse_from(words).ok().map(|a| a.check)
}

fn judged(program: &Program, answers: &[GroupAnswer]) -> (String, Exit) {
    let refuted = answers.iter().find_map(|a| match &a.finding {
        Finding::Unsafe(refuted) => Some(refuted),
        _ => None,
    });
    match (overall(answers), refuted) {
        (VerdictKind::Safe, _) => ("accepted (proved)".to_owned(), Exit::Safe),
        (VerdictKind::Unsafe, Some(refuted)) => {
            let line = refuted.lines.last().map_or(0, |l| l.line);
            let what = match refuted.violated(program).map(|check| check.kind) {
                Some(CheckKind::Annotation) => "the invariant does not hold",
                _ => "the property does not hold",
            };
            (format!("rejected ({what}, line {line})"), Exit::Unsafe)
        }
        _ => ("unknown (not proved)".to_owned(), Exit::Unknown),
    }
}
