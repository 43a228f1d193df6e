//! What identifies the runs of a batch: the tool's program and the input, by their contents.

use std::fs;

use foretell_frontends::Format;
use foretell_process::find_program;
use sha2::{Digest, Sha256};

use crate::inputs::Task;
use crate::options::BenchOptions;
use crate::row::Key;
use crate::tool::Tool;

/// The program of a tool that is not installed.
pub(crate) const MISSING: &str = "missing";
/// The hash of a file that cannot be read.
pub(crate) const UNREADABLE: &str = "unreadable";

/// A run to do.
pub(crate) struct Keyed<'a> {
    /// What is run.
    pub(crate) tool: &'a Tool,
    /// Its identity.
    pub(crate) key: Key,
    /// Language of the input.
    pub(crate) format: Format,
}

/// The tools of a batch with the hashes of their programs.
pub(crate) fn programs(options: &BenchOptions) -> Vec<(&Tool, String)> {
    options.tools.iter().map(|t| (t, program_hash(t))).collect()
}

/// The runs of one task. Its file is read.
pub(crate) fn of_task<'a>(
    options: &BenchOptions,
    task: &Task,
    tools: &[(&'a Tool, String)],
) -> Vec<Keyed<'a>> {
    let (sha256, format) = match fs::read(&task.path) {
        Ok(text) => (
            hex(&Sha256::digest(&text)),
            crate::verdict::format(&task.name, &text),
        ),
        Err(_) => (UNREADABLE.to_owned(), Format::Vmt),
    };
    let key = |tool: &Tool, program: &str| Key {
        tool: tool.name.clone(),
        command: tool.template(),
        program: program.to_owned(),
        file: task.name.clone(),
        sha256: sha256.clone(),
        timeout_ms: options.timeout.as_millis() as u64,
        memory_limit: options.memory,
    };
    let keyed = tools.iter().map(|&(tool, ref program)| Keyed {
        tool,
        key: key(tool, program),
        format,
    });
    keyed.collect()
}

/// Identifies the program of a tool by the content of its file.
fn program_hash(tool: &Tool) -> String {
    let Ok(path) = find_program(tool.words[0].as_ref()) else {
        return MISSING.to_owned();
    };
    let mut hasher = Sha256::new();
    match fs::File::open(path).and_then(|mut file| std::io::copy(&mut file, &mut hasher)) {
        Ok(_) => hex(&hasher.finalize())[..16].to_owned(),
        Err(_) => "unreadable-program".to_owned(),
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
