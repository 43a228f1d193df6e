//! Reading input, writing results.
//!
//! A result is written to a temporary file in the folder of its target, flushed to the disk, and then
//! given its name: a reader sees the whole file or none.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use foretell_driver::Incident;

use crate::streams::notice;

/// Whether standard input is a file or a pipe, and neither a terminal nor nothing.
pub(crate) fn is_piped() -> bool {
    let kind = fs::metadata("/dev/stdin").map(|m| m.file_type());
    kind.is_ok_and(|kind| kind.is_file() || kind.is_fifo() || kind.is_socket())
}

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, String> {
    let failed = |e: io::Error| format!("cannot read {}: {e}", path.display());
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map_err(failed)?;
        return Ok(bytes);
    }
    if path.is_dir() {
        return Err(format!("cannot read {}: it is a folder", path.display()));
    }
    fs::read(path).map_err(failed)
}

/// Writes a file so that it is there as a whole or not at all.
pub(crate) fn write(path: &Path, contents: &[u8]) -> Result<(), String> {
    replace(path, contents).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    // A device or a pipe cannot be replaced, only written to.
    if fs::metadata(path).is_ok_and(|m| !m.is_file()) {
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.write_all(contents)?;
        return file.flush();
    }
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::other("no file name"))?;
    let mut temporary = name.to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(temporary);
    let written = write_through(&temporary, contents).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write_through(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(contents)?;
    file.sync_all()
}

/// Saves what reproduces an incident; gives the folder.
pub(crate) fn save_incident(folder: Option<&Path>, incident: &Incident) -> Result<PathBuf, String> {
    let root = folder.map_or_else(
        || std::env::temp_dir().join("foretell-reproducers"),
        Path::to_owned,
    );
    let failed = |e: io::Error| format!("cannot save a reproducer in {}: {e}", root.display());
    let target = (0..u32::MAX)
        .map(|n| root.join(format!("{}-{n}", std::process::id())))
        .find(|path| !path.exists())
        .unwrap_or_else(|| root.clone());
    fs::create_dir_all(&target).map_err(failed)?;
    for (name, contents) in &incident.files {
        fs::write(target.join(name), contents).map_err(failed)?;
    }
    fs::write(target.join("what.txt"), format!("{}\n", incident.what)).map_err(failed)?;
    Ok(target)
}

/// Saves the command line of a run that failed inside this process, and the files it names.
pub(crate) fn save_panic() {
    let arguments: Vec<String> = std::env::args().collect();
    let mut files = vec![(
        "command.txt".to_owned(),
        format!("{arguments:#?}\n").into_bytes(),
    )];
    for argument in arguments.iter().skip(1).filter(|a| Path::new(a).is_file()) {
        let name = Path::new(argument)
            .file_name()
            .map(|n| n.to_string_lossy().into_owned());
        if let (Some(name), Ok(bytes)) = (name, fs::read(argument)) {
            files.push((name, bytes));
        }
    }
    let incident = Incident {
        what: "internal error of the supervisor".to_owned(),
        files,
    };
    match save_incident(None, &incident) {
        Ok(folder) => notice(&format!("internal error, saved in {}", folder.display())),
        Err(error) => notice(&format!("internal error; {error}")),
    }
}
