//! The batch for other machinery: scripts for Slurm and GNU parallel, definitions for BenchExec.

mod scripts;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use foretell_kernel::VerdictKind;

use crate::error::BenchError;
use crate::inputs::Task;
use crate::options::BenchOptions;
use crate::tool::Kind;

pub use scripts::{Plan, parallel, slurm};

/// Writes `foretell.xml`, one `.set` per set, a task definition per file and the property into
/// `folder`; gives the path of the XML file. Only our own tool has a tool-info module here, so only
/// its options are written.
///
/// # Errors
/// When inputs are wrong or the folder cannot be written.
pub fn benchexec(options: &BenchOptions, folder: &Path) -> Result<PathBuf, BenchError> {
    let tasks = options.all_tasks()?;
    write_file(&folder.join("check-sat.prp"), "CHECK( check-sat )\n")?;
    let mut sets: BTreeMap<String, String> = BTreeMap::new();
    for (number, task) in tasks.iter().enumerate() {
        let name = format!("tasks/{number:05}-{}.yml", plain(&base_name(&task.name)));
        write_file(&folder.join(&name), &definition(task))?;
        let _ = writeln!(sets.entry(plain(&task.set)).or_default(), "{name}");
    }
    for (set, lines) in &sets {
        write_file(&folder.join(format!("{set}.set")), lines)?;
    }
    let path = folder.join("foretell.xml");
    write_file(&path, &definition_xml(options, sets.keys()))?;
    Ok(path)
}

fn definition_xml<'a>(options: &BenchOptions, sets: impl Iterator<Item = &'a String>) -> String {
    let seconds = options.timeout.as_secs_f64().ceil().max(1.0);
    let hard = options
        .limits()
        .wall
        .unwrap_or_default()
        .as_secs_f64()
        .ceil()
        + 1.0;
    let memory = options
        .memory
        .map(|b| format!(" memlimit=\"{} MB\"", b / 1_000_000))
        .unwrap_or_default();
    let mut xml = String::from(
        "<?xml version=\"1.0\"?>\n<!-- PYTHONPATH=. benchexec foretell.xml, from the folder above \"contrib\" -->\n\
         <!DOCTYPE benchmark PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN\" \
         \"https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd\">\n",
    );
    let _ = writeln!(
        xml,
        "<benchmark tool=\"contrib.benchexec.foretell\" displayName=\"Foretell\" timelimit=\"{seconds} s\" \
         hardtimelimit=\"{hard} s\"{memory} cpuCores=\"1\">"
    );
    let own = options.tools.iter().find(|t| t.kind == Kind::Own);
    for word in own
        .iter()
        .flat_map(|t| t.words.iter().skip(1))
        .filter(|w| !w.contains('{'))
    {
        if word != "--timeout" {
            let _ = writeln!(xml, "  <option name=\"{}\"/>", escape(word));
        }
    }
    xml.push_str(
        "  <rundefinition name=\"check\"/>\n  <propertyfile>check-sat.prp</propertyfile>\n",
    );
    for set in sets {
        let _ = writeln!(
            xml,
            "  <tasks name=\"{set}\"><includesfile>{set}.set</includesfile></tasks>"
        );
    }
    xml.push_str("</benchmark>\n");
    xml
}

/// A task definition with an absolute path, since the folder may be anywhere.
fn definition(task: &Task) -> String {
    let path = fs::canonicalize(&task.path).unwrap_or_else(|_| task.path.clone());
    let path = path.to_string_lossy().replace('\'', "''");
    let verdict = match task.expected {
        Some(VerdictKind::Safe) => "    expected_verdict: true\n",
        Some(VerdictKind::Unsafe) => "    expected_verdict: false\n",
        _ => "",
    };
    format!(
        "format_version: '2.0'\ninput_files: '{path}'\nproperties:\n  - property_file: ../check-sat.prp\n{verdict}"
    )
}

fn base_name(name: &str) -> String {
    Path::new(name)
        .file_stem()
        .map_or_else(String::new, |s| s.to_string_lossy().into_owned())
}

/// A name that is safe in paths and XML.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "-_".contains(c) {
                c
            } else {
                '_'
            }
        })
        .take(80)
        .collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

/// Writes a file and the folders above it: beside its place, then renamed, so that a reader sees the
/// whole file or the one before.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), BenchError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let beside = folder.join(temporary_name());
    let written = fs::create_dir_all(folder)
        .and_then(|()| fs::write(&beside, text))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written.map_err(|e| BenchError::output(path, &e))
}

/// A name that no other process uses, on no machine that shares the folder.
fn temporary_name() -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = time.map_or(0, |t| t.as_nanos());
    format!(".{}-{nanos}-{number}.tmp", std::process::id())
}

#[cfg(test)]
mod tests;
