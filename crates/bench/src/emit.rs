//! The batch for other machinery: a Slurm array job, or definitions for BenchExec.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use foretell_kernel::VerdictKind;

use crate::error::BenchError;
use crate::inputs::Task;
use crate::options::BenchOptions;
use crate::tool::{Kind, quote};

/// A Slurm array job that runs the batch in parts, each of which goes on where it stopped when it
/// is started again. `command` is the command line of the batch without `--emit` and `--shard`.
///
/// # Errors
/// When inputs are wrong.
pub fn slurm(
    options: &BenchOptions,
    command: &[String],
    shards: usize,
) -> Result<String, BenchError> {
    options.check()?;
    let runs = options.all_tasks()?.len().div_ceil(shards.max(1)) * options.tools.len();
    let jobs = options.jobs.max(1);
    let limit = options.limits().wall.unwrap_or_default();
    let needed =
        limit * u32::try_from(runs.div_ceil(jobs)).unwrap_or(u32::MAX) + Duration::from_secs(300);
    let memory = options
        .memory
        .map(|bytes| (bytes >> 20) * jobs as u64 + 1024);
    let out = options.out.to_string_lossy();
    let words: Vec<String> = command.iter().map(|w| quote(w)).collect();
    let minutes = needed.as_secs().div_ceil(60);
    let mut script = String::from("#!/bin/bash\n");
    // Writing to a string cannot fail.
    let _ = write!(
        script,
        "#SBATCH --job-name=foretell-bench\n#SBATCH --array=1-{shards}\n#SBATCH --ntasks=1\n\
         #SBATCH --cpus-per-task={jobs}\n#SBATCH --time={}:{:02}:00\n",
        minutes / 60,
        minutes % 60
    );
    if let Some(megabytes) = memory {
        let _ = writeln!(script, "#SBATCH --mem={megabytes}M");
    }
    let _ = write!(
        script,
        "#SBATCH --requeue\n#SBATCH --signal=B:TERM@30\n\
         # Parts write to files of their own in {out}; when all are done: foretell report {}\n\
         mkdir -p {} && exec {} --shard \"$SLURM_ARRAY_TASK_ID/{shards}\"\n",
        quote(&out),
        quote(&out),
        words.join(" ")
    );
    Ok(script)
}

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

/// Writes a file and the folders above it.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), BenchError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|e| BenchError::output(path, &e))
}

#[cfg(test)]
mod tests;
