//! `foretell prog.c` and `foretell annotate prog.c`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use foretell_driver::program::{
    Annotations, Compiler, DataModel, Files, Finding, Group, GroupAnswer, Located, Loops, Program,
    ProgramRequest, Settings, annotated, bare_loops, check_program, contracts, looks_like_c,
    overall, prelude, read,
};
use foretell_driver::{Selection, VerdictKind};
use foretell_explain::{About, Record, Recorder, of_program};

use crate::answer::{run_statistics, unfinished};
use crate::arguments::{
    Acsl, AnnotateArguments, Bodyless, CheckArguments, Model, OutputFormat, PropertyArgument,
};
use crate::check_command::described;
use crate::exit::Exit;
use crate::explain_command;
use crate::failure::Failure;
use crate::files;
use crate::json;
use crate::program_text;
use crate::quiet::Quiet;
use crate::streams::{answer_or_notice, notice};
use crate::sv_comp::{self, Task};

/// The task about a C program that a file of this content is, or defines; `None` when it is something
/// else.
pub(crate) fn recognised(
    arguments: &CheckArguments,
    file: &Path,
    bytes: &[u8],
) -> Option<Result<Task, Exit>> {
    if file == Path::new("-") {
        return None;
    }
    if sv_comp::is_definition(file) {
        let task = sv_comp::task(arguments, file, bytes.to_vec()).ok();
        return task.filter(|t| looks_like_c(&t.bytes)).map(Ok);
    }
    looks_like_c(bytes).then(|| task(arguments, file, bytes.to_vec()))
}

/// The files below the folder of the input.
struct Below(PathBuf);

impl Files for Below {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let root = self.0.canonicalize().ok()?;
        let target = root.join(path).canonicalize().ok()?;
        // A link may lead elsewhere.
        target
            .starts_with(&root)
            .then(|| std::fs::read(target).ok())
            .flatten()
    }
}

/// Checks a program.
pub(crate) fn run(arguments: &CheckArguments, task: &Task, began: Instant) -> Exit {
    let shown = match &task.property {
        Some(_) => Shown::Nothing,
        None => Shown::Answers,
    };
    let mut record = Record::default();
    let (program, answers) = match recorded(arguments, task, (began, shown), &mut record) {
        Ok(found) => found,
        Err(exit) => return exit,
    };
    let exit = finish(arguments, task, &program, &answers);
    let seconds = began.elapsed().as_secs_f64();
    let gather = |about: &About<'_>| of_program(about, &answers, seconds);
    let page = explain_command::write(arguments, (&task.file, &task.bytes), &record, gather);
    page.unless_lost(exit)
}

fn task(arguments: &CheckArguments, file: &Path, bytes: Vec<u8>) -> Result<Task, Exit> {
    sv_comp::task(arguments, file, bytes).map_err(|error| {
        let exit = Failure::Usage(error).tell(arguments.output.format, Some(file), &[]);
        match arguments.program.sv_comp {
            Some(_) => Exit::Unsupported,
            None => exit,
        }
    })
}

/// Checks a program and prints it with its invariants.
pub(crate) fn annotate(arguments: &AnnotateArguments) -> Exit {
    let Some(file) = arguments.check.file.as_deref() else {
        notice("error: no file was given; try --help");
        return Exit::Usage;
    };
    let found = files::read(file)
        .map_err(|e| Failure::Usage(e).tell(arguments.check.output.format, Some(file), &[]))
        .and_then(|bytes| task(&arguments.check, file, bytes))
        .and_then(|task| {
            let (program, answers) = check(&arguments.check, &task, Instant::now(), Shown::Source)?;
            Ok((task, program, answers))
        });
    let (task, program, answers) = match found {
        Ok(found) => found,
        Err(exit) => return exit,
    };
    for answer in &answers {
        notice(&program_text::group_line(answer));
    }
    let notes = program_text::all_notes(&answers);
    let bare: Vec<String> = bare_loops(&program, &notes)
        .iter()
        .map(u32::to_string)
        .collect();
    if !bare.is_empty() {
        notice(&format!(
            "loops without a comment: line {}",
            bare.join(", ")
        ));
    }
    let mut text = with_notes(&arguments.check, &task, &program, &answers);
    if arguments.prelude {
        text.insert_str(0, &prelude(&program));
    }
    let written = match &arguments.output_file {
        Some(path) => files::write(path, text.as_bytes()),
        None => answer_or_notice(&text),
    };
    match written {
        Ok(()) => Exit::from(overall(&answers)),
        Err(error) => {
            notice(&format!("error: {error}"));
            Exit::Internal
        }
    }
}

/// What is printed while groups are checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    Answers,
    Nothing,
    /// Nothing; afterwards the source with what was found about its loops.
    Source,
}

/// Checks a program.
pub(crate) fn check(
    arguments: &CheckArguments,
    task: &Task,
    began: Instant,
    shown: Shown,
) -> Result<(Program, Vec<GroupAnswer>), Exit> {
    recorded(arguments, task, (began, shown), &mut Record::default())
}

/// The same, with a record of what happens.
fn recorded(
    arguments: &CheckArguments,
    task: &Task,
    (began, shown): (Instant, Shown),
    record: &mut Record,
) -> Result<(Program, Vec<GroupAnswer>), Exit> {
    let tell = |failure: Failure| failure.tell(arguments.output.format, Some(&task.file), &[]);
    let usage = |words: String| tell(Failure::Usage(words));
    let program = open(arguments, task)?;
    let groups = match &task.property {
        Some(property) => vec![property.group],
        None => groups(arguments, task).map_err(usage)?,
    };
    let described = described(arguments).map_err(usage)?;
    let mut clauses = described.template().map_err(|e| usage(e.to_string()))?;
    clauses.limits.wall = clauses
        .limits
        .wall
        .map(|wall| wall.saturating_sub(began.elapsed()));
    let steps = |text: &[u8]| described.steps(text);
    let folder = scratch();
    let request = ProgramRequest {
        groups: &groups,
        clauses,
        steps: &steps,
        compiler: if arguments.program.no_execute {
            None
        } else {
            compiler()
        },
        folder: folder.clone(),
        loops: loops(arguments, shown),
    };
    let plain = arguments.output.format == OutputFormat::Text;
    let mut failed = None;
    let mut show = |answer: &GroupAnswer| {
        let text = program_text::group_answer(arguments, answer, groups.len());
        if shown == Shown::Answers && plain && failed.is_none() {
            failed = answer_or_notice(&text).err();
        }
    };
    let mut quiet = Quiet { arguments };
    let mut recorder = Recorder::new(&mut quiet, record);
    let answers = check_program(&program, &request, &mut recorder, &mut show);
    if let Some(folder) = folder {
        let _ = std::fs::remove_dir_all(folder);
    }
    match (answers, failed) {
        (Ok(answers), None) => Ok((program, answers)),
        (Ok(_), Some(error)) => {
            notice(&format!("error: {error}"));
            Err(Exit::Internal)
        }
        (Err(error), _) => Err(tell(Failure::Check(error))),
    }
}

pub(crate) fn open(arguments: &CheckArguments, task: &Task) -> Result<Program, Exit> {
    let file = task.file.as_path();
    read_from(arguments, task, &arguments.program.entry).map_err(|error| {
        explain_command::write_refused(arguments, (file, &task.bytes), &error);
        Failure::Program(error).tell(arguments.output.format, Some(file), &[])
    })
}

/// The program that starts in a function.
fn read_from(arguments: &CheckArguments, task: &Task, entry: &str) -> Result<Program, Located> {
    let file = task.file.as_path();
    let settings = Settings {
        model: match arguments.program.data_model.or(task.model) {
            Some(Model::Ilp32) => DataModel::Ilp32,
            Some(Model::Lp64) | None => DataModel::Lp64,
        },
        entry: entry.to_owned(),
        extern_inputs: arguments.program.bodyless == Bodyless::Nondet,
        annotations: match arguments.program.acsl {
            Acsl::Hints => Annotations::Hints,
            Acsl::Goals => Annotations::Goals,
            Acsl::Ignore => Annotations::Ignored,
        },
        claims: task.claims.clone(),
    };
    let folder = file
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let name = file.to_string_lossy();
    read(&name, &task.bytes, &Below(folder.to_owned()), &settings)
}

fn groups(arguments: &CheckArguments, task: &Task) -> Result<Vec<Group>, String> {
    match &arguments.property {
        None | Some(PropertyArgument::Selected(Selection::Each)) => Ok(task.groups.clone()),
        Some(PropertyArgument::Group(group)) => Ok(vec![*group]),
        Some(PropertyArgument::Selected(_)) => {
            Err("the properties of a C program are assert, overflow and memory".to_owned())
        }
    }
}

/// A C compiler in the path.
fn compiler() -> Option<Compiler> {
    let names = ["cc", "gcc", "clang"];
    let found = names
        .iter()
        .find_map(|name| foretell_process::find_program(name.as_ref()).ok());
    found.map(|path| Compiler { path })
}

/// Whether formulas of loops are wanted.
fn loops(arguments: &CheckArguments, shown: Shown) -> Loops {
    let program = &arguments.program;
    if shown == Shown::Source || program.annotated.is_some() || program.witness.is_some() {
        Loops::Described
    } else {
        Loops::Executed
    }
}

/// The source with what was found about its loops and functions.
fn with_notes(
    arguments: &CheckArguments,
    task: &Task,
    program: &Program,
    answers: &[GroupAnswer],
) -> String {
    let alone = |name: &str| read_from(arguments, task, name).ok();
    let contracts = program_text::all_contracts(contracts(program, &alone), answers);
    annotated(program, &program_text::all_notes(answers), &contracts)
}

/// A folder of our own for what is compiled.
fn scratch() -> Option<PathBuf> {
    let root = std::env::temp_dir();
    let folder = root.join(format!("foretell-program-{}", std::process::id()));
    std::fs::create_dir_all(&folder).ok().map(|()| folder)
}

/// What remains to be printed and written when every group is settled.
fn finish(
    arguments: &CheckArguments,
    task: &Task,
    program: &Program,
    answers: &[GroupAnswer],
) -> Exit {
    let verdict = overall(answers);
    let text = match (arguments.output.format, &task.property) {
        (form @ (OutputFormat::Json | OutputFormat::Jsonl | OutputFormat::Sarif), _) => {
            json::shown(form, &program_text::document(&task.file, answers))
        }
        (OutputFormat::Text, Some(property)) => sv_comp::answer(program, property, answers),
        (OutputFormat::Text, None) if answers.len() > 1 => program_text::overall_line(answers),
        (OutputFormat::Text, None) => String::new(),
    };
    let written = answer_or_notice(&text).and_then(|()| write(arguments, task, program, answers));
    if let Err(error) = written {
        notice(&format!("error: {error}"));
        return Exit::Internal;
    }
    let chatter = &arguments.output.chatter;
    if chatter.stats {
        for answer in answers {
            let runs: String = answer.runs.iter().map(run_statistics).collect();
            notice(&format!("{}\n{runs}", program_text::group_line(answer)));
        }
    } else if !chatter.quiet && verdict == VerdictKind::Unknown {
        for answer in answers {
            unfinished(&answer.runs)
                .iter()
                .for_each(|line| notice(line));
        }
    }
    Exit::from(verdict)
}

/// Writes the files that were asked for.
fn write(
    arguments: &CheckArguments,
    task: &Task,
    program: &Program,
    answers: &[GroupAnswer],
) -> Result<(), String> {
    if let Some(path) = &arguments.program.witness
        && let Some(text) = sv_comp::witness(program, task, answers)
    {
        files::write(path, text.as_bytes())?;
    }
    if let Some(path) = &arguments.program.encoding {
        for answer in answers {
            let Some(text) = &answer.encoding else {
                continue;
            };
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".{}.smt2", answer.group.name()));
            files::write(Path::new(&name), text.as_bytes())?;
        }
    }
    if let Some(folder) = &arguments.program.harness {
        let refuted = answers.iter().find_map(|a| match &a.finding {
            Finding::Unsafe(refuted) => Some(refuted),
            _ => None,
        });
        for (name, text) in refuted.iter().flat_map(|r| &r.harness.files) {
            let path = folder.join(name);
            let parent = path.parent().unwrap_or(folder);
            std::fs::create_dir_all(parent)
                .map_err(|e| format!("cannot make {}: {e}", parent.display()))?;
            files::write(&path, text.as_bytes())?;
        }
    }
    if let Some(path) = &arguments.program.annotated {
        let text = with_notes(arguments, task, program, answers);
        files::write(path, text.as_bytes())?;
    }
    Ok(())
}
