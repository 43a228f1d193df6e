//! The competition on software verification: task definitions and properties in, answers and
//! witnesses out.
//!
//! | property | checks | answers |
//! |---|---|---|
//! | `G ! call(reach_error())` | group `assert` | `TRUE`, `FALSE(unreach-call)` |
//! | `G ! overflow` | group `overflow` | `TRUE`, `FALSE(no-overflow)` when it is a signed result |
//! | `G valid-free`, `G valid-deref`, `G valid-memtrack` | group `memory` | `TRUE`, `FALSE(valid-deref)` |
//!
//! What the groups check beyond a property (division by zero, lengths) may make an answer
//! `UNKNOWN`, never wrong.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use foretell_bench::taskdef::{self, TaskDefinition};
use foretell_driver::program::{
    CheckKind, ClaimedInvariant, Finding, Group, GroupAnswer, Metadata, Program, Refuted,
    correctness, violation,
};
use sha2::{Digest, Sha256};

use crate::arguments::{CheckArguments, Model};
use crate::files;

/// What is to be checked.
pub(crate) struct Task {
    /// The program.
    pub(crate) file: PathBuf,
    /// Its text.
    pub(crate) bytes: Vec<u8>,
    /// The sizes of types, where a definition says them.
    pub(crate) model: Option<Model>,
    /// The property, in the competition and elsewhere where a file gives it.
    pub(crate) property: Option<Property>,
    /// The groups to check, where neither a property nor an option says it.
    pub(crate) groups: Vec<Group>,
    /// Invariants of loops that must hold.
    pub(crate) claims: Vec<ClaimedInvariant>,
}

/// A property of the competition.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    /// The group that has its checks.
    pub(crate) group: Group,
    /// Its text.
    text: String,
}

impl Property {
    /// A property by its text; the words say why there is none.
    pub(crate) fn read(text: &str) -> Result<Property, String> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let formulas: Vec<&str> = plain
            .split("LTL(")
            .skip(1)
            .map(|part| part.trim_end_matches("CHECK(init(main()),"))
            .map(|part| part.trim_end_matches(')'))
            .collect();
        let all =
            |known: &[&str]| !formulas.is_empty() && formulas.iter().all(|f| known.contains(f));
        let group = if all(&["G!call(reach_error("]) {
            Group::Assert
        } else if all(&["G!overflow"]) {
            Group::Overflow
        } else if all(&["Gvalid-free", "Gvalid-deref", "Gvalid-memtrack"]) {
            Group::Memory
        } else {
            return Err(format!("this property is not known: {}", text.trim()));
        };
        Ok(Property {
            group,
            text: text.trim().to_owned(),
        })
    }

    /// The property of a group, as the competition writes it.
    pub(crate) fn of(group: Group) -> Property {
        let formula = match group {
            Group::Assert => "G ! call(reach_error())",
            Group::Overflow => "G ! overflow",
            Group::Memory => "G valid-deref",
        };
        Property {
            group,
            text: format!("CHECK( init(main()), LTL({formula}) )"),
        }
    }
}

/// Whether a file is the definition of a task, by its name.
pub(crate) fn is_definition(file: &Path) -> bool {
    file.extension().is_some_and(|e| e == "yml" || e == "yaml")
}

/// The task that the arguments and a file of this content describe: a program, or a definition that
/// names one. No file is read twice.
pub(crate) fn task(
    arguments: &CheckArguments,
    file: &Path,
    bytes: Vec<u8>,
) -> Result<Task, String> {
    let read = |path: &Path| files::read(path).map(|b| String::from_utf8_lossy(&b).into_owned());
    let (definition, program, bytes) = if is_definition(file) {
        let definition = taskdef::parse(&String::from_utf8_lossy(&bytes))
            .map_err(|_| format!("{} is no task definition", file.display()))?;
        let folder = file.parent().unwrap_or(Path::new("."));
        let program = folder.join(&definition.input);
        let bytes = files::read(&program)?;
        (Some(definition), program, bytes)
    } else {
        // A definition beside a program counts only if it is about this program.
        let beside = read(&file.with_extension("yml")).ok();
        let definition = beside.and_then(|text| taskdef::parse(&text).ok());
        let own = |d: &TaskDefinition| file.file_name() == Path::new(&d.input).file_name();
        (definition.filter(own), file.to_owned(), bytes)
    };
    let model = definition
        .as_ref()
        .and_then(|d| match d.data_model.as_deref() {
            Some("ILP32") => Some(Model::Ilp32),
            Some("LP64") => Some(Model::Lp64),
            _ => None,
        });
    let property = match &arguments.program.sv_comp {
        None => None,
        Some(path) if path != Path::new("-") => Some(Property::read(&read(path)?)?),
        Some(_) => Some(of_definition(definition.as_ref())?),
    };
    Ok(Task {
        file: program,
        bytes,
        model,
        property,
        groups: Group::ALL.to_vec(),
        claims: Vec::new(),
    })
}

/// The property of a definition, by the names of its files: reachability if it is there, else the
/// first one that is known.
fn of_definition(definition: Option<&TaskDefinition>) -> Result<Property, String> {
    let Some(definition) = definition else {
        return Ok(Property::of(Group::Assert));
    };
    let group = |name: &String| match Path::new(name).file_stem()?.to_str()? {
        "unreach-call" => Some(Group::Assert),
        "no-overflow" => Some(Group::Overflow),
        "valid-memsafety" => Some(Group::Memory),
        _ => None,
    };
    let known: Vec<Group> = definition.properties.iter().filter_map(group).collect();
    let found = match known.contains(&Group::Assert) {
        true => Some(Group::Assert),
        false => known.first().copied(),
    };
    found.map(Property::of).ok_or_else(|| {
        "the task definition has no property that is known; give one with --sv-comp=FILE".to_owned()
    })
}

/// The answer in the words of the competition.
pub(crate) fn answer(program: &Program, property: &Property, answers: &[GroupAnswer]) -> String {
    let finding = answers.iter().find(|a| a.group == property.group);
    let line = match finding.map(|a| &a.finding) {
        Some(Finding::Safe(_)) => {
            // Memory that is never given back is not looked for.
            let tracks = property.text.contains("valid-memtrack");
            if tracks && program.source.main_text().contains("alloc") {
                "UNKNOWN"
            } else {
                "TRUE"
            }
        }
        Some(Finding::Unsafe(refuted)) => falsified(program, refuted).unwrap_or("UNKNOWN"),
        Some(Finding::Unknown(_)) | None => "UNKNOWN",
    };
    format!("{line}\n")
}

/// What an execution shows, if that is a violation in the words of the competition: an assertion of the
/// library that fails is no call of `reach_error`, and a division by zero no overflow.
fn falsified(program: &Program, refuted: &Refuted) -> Option<&'static str> {
    let check = refuted.violated(program)?;
    let words = program.source.words(check.span).unwrap_or_default();
    match check.kind {
        CheckKind::ErrorCall if words.starts_with("reach_error") => Some("FALSE(unreach-call)"),
        CheckKind::Range => Some("FALSE(no-overflow)"),
        CheckKind::Bounds | CheckKind::Null => Some("FALSE(valid-deref)"),
        _ => None,
    }
}

/// The witness of the first group that was decided, if one was.
pub(crate) fn witness(program: &Program, task: &Task, answers: &[GroupAnswer]) -> Option<String> {
    let property = task.property.as_ref();
    let refuted = |a: &&GroupAnswer| matches!(a.finding, Finding::Unsafe(_));
    let decided = |a: &&GroupAnswer| !matches!(a.finding, Finding::Unknown(_));
    let answer = answers
        .iter()
        .find(refuted)
        .or_else(|| answers.iter().find(decided))?;
    if let (Finding::Unsafe(refuted), Some(_)) = (&answer.finding, property) {
        falsified(program, refuted)?;
    }
    let specification = match property {
        Some(property) => property.text.clone(),
        None => Property::of(answer.group).text,
    };
    let hash = hex(&Sha256::digest(&task.bytes));
    let mut about = Metadata {
        uuid: String::new(),
        creation_time: creation_time(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        file: task.file.to_string_lossy().into_owned(),
        hash,
        specification,
    };
    let text = |about: &Metadata| match &answer.finding {
        Finding::Safe(proved) => correctness(program, &proved.c, about),
        Finding::Unsafe(refuted) => violation(program, &refuted.run, about),
        Finding::Unknown(_) => String::new(),
    };
    about.uuid = uuid(&text(&about));
    Some(text(&about))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// An identifier made from a text, in the form of RFC 4122 (version 8: the bits are our own).
fn uuid(text: &str) -> String {
    let mut bytes: Vec<u8> = Sha256::digest(text.as_bytes()).to_vec();
    bytes.truncate(16);
    bytes[6] = (bytes[6] & 0x0f) | 0x80;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let all = hex(&bytes);
    let parts = [
        &all[..8],
        &all[8..12],
        &all[12..16],
        &all[16..20],
        &all[20..],
    ];
    parts.join("-")
}

/// Now, or the time that SOURCE_DATE_EPOCH says, as ISO 8601.
fn creation_time() -> String {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok();
    let seconds = fixed.and_then(|text| text.parse().ok());
    let time = match seconds {
        Some(seconds) => UNIX_EPOCH + Duration::from_secs(seconds),
        None => SystemTime::now(),
    };
    humantime::format_rfc3339_seconds(time).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_of_the_competition_are_known() {
        let read = |text: &str| Property::read(text).map(|p| p.group).ok();
        let reach = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        assert_eq!(read(reach), Some(Group::Assert));
        let overflow = "CHECK( init(main()), LTL(G ! overflow) )";
        assert_eq!(read(overflow), Some(Group::Overflow));
        let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        assert_eq!(read(memory), Some(Group::Memory));
        for other in ["", "CHECK( init(main()), LTL(F end) )", "G ! overflow"] {
            assert_eq!(read(other), None, "{other}");
        }
        for group in Group::ALL {
            assert_eq!(read(&Property::of(group).text), Some(group));
        }
    }

    #[test]
    fn reachability_comes_first() {
        let definition = |properties: &[&str]| {
            let lines: Vec<String> = properties
                .iter()
                .map(|p| format!("  - property_file: ../properties/{p}.prp\n"))
                .collect();
            let text = format!("input_files: x.c\nproperties:\n{}", lines.concat());
            taskdef::parse(&text).expect("a definition")
        };
        let group = |properties: &[&str]| {
            let found = of_definition(Some(&definition(properties)));
            found.map(|p| p.group).ok()
        };
        let all = ["no-overflow", "termination", "unreach-call"];
        assert_eq!(group(&all), Some(Group::Assert));
        assert_eq!(group(&all[..2]), Some(Group::Overflow));
        assert_eq!(group(&all[1..2]), None);
    }

    #[test]
    fn identifiers_have_the_form_of_the_standard() {
        let id = uuid("x");
        let lengths: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!(id.as_bytes()[14], b'8');
        assert_ne!(id, uuid("y"));
    }
}
