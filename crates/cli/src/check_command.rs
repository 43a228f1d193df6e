//! `foretell check`: from arguments to a request, from the report to an exit code.

use std::path::Path;
use std::time::Instant;

use foretell_driver::check::{Run, Settled};
use foretell_driver::protocol::{Detail, Tools};
use foretell_driver::{
    Common, Ends, Error, Learned, Observer, Outcome, Report, Request, Selection, VerdictKind, check,
};
use foretell_explain::{About, Record, Recorder, of_check};
use foretell_lib::check::Engines;
use foretell_lib::{Check, host};
use foretell_process::reading::ReadError;
use foretell_process::{Limits, SignalPolicy, machine};

use crate::answer::{Lines, overall_line, statistics};
use crate::arguments::{CheckArguments, OutputFormat, SecondSolver};
use crate::conversation_command;
use crate::exit::Exit;
use crate::explain_command;
use crate::facts::{self, Facts, Keeping};
use crate::failure::Failure;
use crate::files;
use crate::json;
use crate::learned;
use crate::observer::Screen;
use crate::program_command;
use crate::streams::{answer_or_notice, notice};

pub(crate) fn run(arguments: &CheckArguments) -> Exit {
    if arguments.interactive {
        return conversation_command::run(arguments);
    }
    let began = Instant::now();
    let piped = files::is_piped().then_some(Path::new("-"));
    let form = arguments.output.format;
    let usage = |words: String| Failure::Usage(words).tell(form, arguments.file.as_deref(), &[]);
    let Some(file) = arguments.file.as_deref().or(piped) else {
        return usage("no file was given; try --help".to_owned());
    };
    let bytes = match files::read_within(file, &limits(arguments)) {
        Ok(bytes) => bytes,
        Err(error) => return unread(arguments, file, &error, began),
    };
    if let Err(words) = explain_command::can_be_written(arguments) {
        return usage(words);
    }
    if let Some(task) = program_command::recognised(arguments, file, &bytes) {
        return match (about_clauses(arguments), task) {
            (Some(words), _) => usage(words.to_owned()),
            (None, Ok(task)) => program_command::run(arguments, &task, began),
            (None, Err(exit)) => exit,
        };
    }
    let prepared = checked_paths(arguments).and_then(|()| prepare(arguments, bytes));
    let mut request = match prepared {
        Ok(request) => counted_from(began, request),
        Err(error) => return usage(error),
    };
    let known = learned::add_hints(arguments, &mut request)
        .and_then(|()| facts::open(arguments, &mut request));
    let facts = match known {
        Ok(facts) => facts,
        Err(failure) => return failure.tell(form, Some(file), &request.bytes),
    };
    let kept = learned::keep_time(arguments, &mut request);
    let mut screen = Screen::new(arguments, file, &request.bytes);
    let mut record = Record::default();
    let outcome = match &arguments.output.report {
        Some(_) => keeping(
            facts,
            &request,
            &mut Recorder::new(&mut screen, &mut record),
        ),
        None => keeping(facts, &request, &mut screen),
    };
    screen.end_progress();
    let side_files = screen.side_files();
    let input = (file, request.bytes.as_slice());
    match outcome {
        Ok(report) => {
            let learned = learned::after(&request, &report, kept);
            let exit = finish(arguments, file, &request, &report, learned.as_ref());
            let gather = |about: &About<'_>| of_check(about, &request, &report, learned.as_ref());
            let page = explain_command::write(arguments, input, &record, gather);
            page.unless_lost(side_files.unless_lost(exit))
        }
        Err(error) => explain_command::failed(arguments, input, &Failure::Check(error), &record),
    }
}

/// What is wrong when a program in C comes with what is about clauses.
fn about_clauses(arguments: &CheckArguments) -> Option<&'static str> {
    let given = [
        &arguments.hints,
        &arguments.facts,
        &arguments.output.learned,
    ];
    let given = given.into_iter().any(Option::is_some);
    given.then_some("--hints, --facts and --learned are about clauses and VMT files")
}

/// The check, with a file that keeps what workers tell each other if there is one.
fn keeping(
    facts: Option<Facts>,
    request: &Request,
    observer: &mut dyn Observer,
) -> Result<Report, Error> {
    match facts {
        Some(facts) => {
            let inner = observer;
            check(request, &mut Keeping { inner, facts })
        }
        None => check(request, observer),
    }
}

/// The answer when the input was not read: the limits of a run hold for reading too.
fn unread(arguments: &CheckArguments, file: &Path, error: &ReadError, began: Instant) -> Exit {
    let usage = |words| Failure::Usage(words).tell(arguments.output.format, Some(file), &[]);
    let reason = match error {
        ReadError::System(error) => {
            return usage(format!("cannot read {}: {error}", file.display()));
        }
        ReadError::Limit(limit) => limit.to_string(),
        ReadError::Interrupted => "interrupted".to_owned(),
    };
    let template = described(arguments).and_then(|c| c.template().map_err(|e| e.to_string()));
    let request = match template {
        Ok(request) => request,
        Err(error) => return usage(error),
    };
    let settled = Settled {
        property: None,
        outcome: Outcome::Unknown {
            reason,
            rejected: None,
        },
        checks: Vec::new(),
        configuration: None,
        encoding: None,
    };
    let mut screen = Screen::new(arguments, file, &[]);
    if let Err(error) = screen.settled(None, &settled) {
        notice(&format!("error: {error}"));
        return Exit::Internal;
    }
    screen.end_progress();
    let report = Report {
        settled: vec![settled],
        elapsed: began.elapsed(),
        ..Report::default()
    };
    let exit = finish(arguments, file, &request, &report, None);
    let gather = |about: &About<'_>| of_check(about, &request, &report, None);
    let page = explain_command::write(arguments, (file, &[]), &Record::default(), gather);
    page.unless_lost(exit)
}

/// Every file that is to be written can be written: it is better to know before the run.
fn checked_paths(arguments: &CheckArguments) -> Result<(), String> {
    let output = &arguments.output;
    let written = [
        &output.model,
        &output.certificate,
        &output.cex,
        &output.learned,
    ];
    let recorded = arguments.expert.record.as_deref();
    let asked = written.into_iter().filter_map(|path| path.as_deref());
    let files = asked.filter(|path| *path != Path::new("-")).chain(recorded);
    files.into_iter().try_for_each(files::can_be_written)
}

/// What may be used when nobody says: nine tenths of the memory there is, so that the run ends with an
/// answer and not by the hand of the kernel.
fn most_memory() -> Option<u64> {
    machine::memory().map(|bytes| bytes / 10 * 9)
}

/// The check that the arguments describe, without a text.
///
/// # Errors
/// When a portfolio cannot be read, a solver is missing, or the property is one of C programs.
pub(crate) fn described(arguments: &CheckArguments) -> Result<Check, String> {
    let expert = &arguments.expert;
    let common = Common {
        settings: expert.settings.clone(),
        seed: expert.seed,
        tools: solvers(expert.cross_check)?,
        model: wants_model(arguments),
        proof: detail(arguments.output.full_model),
        counterexample: detail(arguments.output.full_cex),
        faults: expert.inject_faults,
        events: arguments.output.report.is_some(),
        witnesses: false,
        record: expert.record.clone(),
    };
    let engines = match arguments.own {
        true => Engines::Own,
        false => Engines::All,
    };
    let mut check = Check::new(Vec::new())
        .engine(&arguments.engine)
        .engines(engines)
        .jobs(arguments.limits.jobs)
        .limits(limits(arguments))
        .signals(SignalPolicy::Watch)
        .common(common);
    for command in &arguments.foreign {
        check = check.foreign(command);
    }
    if let Some(elsewhere) = arguments.elsewhere.described()? {
        check = check.elsewhere(elsewhere);
    }
    match &expert.portfolio {
        Some(path) => check
            .portfolio(&String::from_utf8_lossy(&files::read(path)?))
            .map_err(|e| e.to_string()),
        None => Ok(check),
    }
}

/// Resolves every name.
pub(crate) fn prepare(arguments: &CheckArguments, bytes: Vec<u8>) -> Result<Request, String> {
    let check = described(arguments)?.property(selection(arguments)?);
    let request = check.text(bytes).request().map_err(|e| e.to_string())?;
    let ends = ends(arguments);
    Ok(Request { ends, ..request })
}

/// Whether anything that will be printed or written says how runs ended.
fn ends(arguments: &CheckArguments) -> Ends {
    let output = &arguments.output;
    let chatty = output.chatter.stats || output.chatter.verbose > 0 || output.chatter.explain;
    let kept = output.report.is_some() || output.learned.is_some() || arguments.facts.is_some();
    match chatty || kept || output.format != OutputFormat::Text {
        true => Ends::Awaited,
        false => Ends::Left,
    }
}

/// The limits of the whole command.
fn limits(arguments: &CheckArguments) -> Limits {
    Limits {
        wall: arguments.limits.timeout,
        cpu: arguments.limits.cpu_limit,
        memory: arguments.limits.memory.or_else(most_memory),
    }
}

fn selection(arguments: &CheckArguments) -> Result<Selection, String> {
    match &arguments.property {
        None => Ok(Selection::Natural),
        Some(property) => property
            .selection()
            .cloned()
            .ok_or_else(|| "assert, overflow and memory are properties of C programs".to_owned()),
    }
}

/// The time limit is one for the whole command, so what was done until now counts.
fn counted_from(began: Instant, mut request: Request) -> Request {
    request.limits.wall = request
        .limits
        .wall
        .map(|wall| wall.saturating_sub(began.elapsed()));
    request
}

/// Whether a proof will be printed or written, unless only the script asks for it.
fn wants_model(arguments: &CheckArguments) -> bool {
    let output = &arguments.output;
    let file = output.model.is_some() || output.certificate.is_some();
    // A page makes what it shows readable by itself, after the answer: asking for it must cost nothing before.
    let read = output.chatter.explain || output.format != OutputFormat::Text;
    file || read || output.chc_comp
}

fn detail(full: impl Into<bool>) -> Detail {
    if full.into() {
        Detail::Everything
    } else {
        Detail::Relevant
    }
}

/// The solver executables.
///
/// # Errors
/// When one that is needed is missing.
pub(crate) fn solvers(second: Option<SecondSolver>) -> Result<Tools, String> {
    let words = |e: Error| e.to_string();
    let cvc5 = second.map(|SecondSolver::Cvc5| host::cvc5(None));
    Ok(Tools {
        z3: Some(host::z3(None).map_err(words)?),
        cvc5: cvc5.transpose().map_err(words)?,
    })
}

/// What remains to be printed when every property is settled.
fn finish(
    arguments: &CheckArguments,
    file: &Path,
    request: &Request,
    report: &Report,
    learned: Option<&Learned>,
) -> Exit {
    let several = report
        .reading
        .as_ref()
        .is_some_and(|r| Lines::of(&request.selection, r) == Lines::Labelled);
    let document = || json::document(file, request, report, learned);
    let text = match arguments.output.format {
        form @ (OutputFormat::Json | OutputFormat::Sarif) => json::shown(form, &document()),
        OutputFormat::Jsonl => json::event("end", document()),
        OutputFormat::Text if several => overall_line(report),
        OutputFormat::Text => String::new(),
    };
    let shown = learned.filter(|_| wants_learned_text(arguments));
    let written = answer_or_notice(&text).and_then(|()| match shown {
        Some(learned) => learned::print(arguments, file, report, learned),
        None => Ok(()),
    });
    if let Err(error) = written {
        notice(&format!("error: {error}"));
        return Exit::Internal;
    }
    let chatter = &arguments.output.chatter;
    if chatter.explain && !arguments.output.chc_comp {
        report
            .settled
            .iter()
            .for_each(|settled| notice(&explanation(settled, report)));
    }
    if chatter.stats && !arguments.output.chc_comp {
        notice(&statistics(report));
    } else if !chatter.quiet
        && !arguments.output.chc_comp
        && report.verdict() == VerdictKind::Unknown
    {
        // How far it got.
        learned::summary(report)
            .iter()
            .for_each(|line| notice(line));
    }
    Exit::from(report.verdict())
}

/// Whether what was learnt is a text of its own: in a file, or on standard output when that is no JSON.
fn wants_learned_text(arguments: &CheckArguments) -> bool {
    let path = arguments.output.learned.as_deref();
    arguments.output.format == OutputFormat::Text || path.is_some_and(|p| p != Path::new("-"))
}

/// What the engine that settled a property did to it.
fn explanation(settled: &Settled, report: &Report) -> String {
    let Some(name) = &settled.configuration else {
        return "no engine answered".to_owned();
    };
    let own = |run: &&Run| run.configuration == *name && run.property == settled.property;
    let words = report
        .runs
        .iter()
        .rfind(own)
        .map(|run| run.statistics.explanations.join("\n"));
    let auxiliaries = settled.outcome.auxiliaries();
    let left = match auxiliaries.as_slice() {
        [] => "without auxiliary variables".to_owned(),
        some => format!("with auxiliary variables: {}", some.join(", ")),
    };
    let story = match words.filter(|words| !words.is_empty()) {
        Some(words) => format!(
            "`{name}` answered after it had changed the problem:\n{words}\nthe answer stands {left}"
        ),
        None => format!("`{name}` answered {left}"),
    };
    story + &invariant(settled)
}

/// The model of clauses in infix notation.
fn invariant(settled: &Settled) -> String {
    match &settled.outcome {
        Outcome::Safe {
            model: Some(model), ..
        } if !model.infix.is_empty() => format!("\ninvariant:\n{}", model.infix.join("\n")),
        _ => String::new(),
    }
}
