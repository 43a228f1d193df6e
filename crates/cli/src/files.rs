//! Reading input, writing results.
//!
//! A result is written to a temporary file in the folder of its target, flushed to the disk, and then
//! given its name: a reader sees the whole file or none.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use foretell_process::Limits;
use foretell_process::reading::{self, ReadError};

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

/// The same under limits, and answering to signals: a pipe may never end, or never begin.
pub(crate) fn read_within(path: &Path, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    if path == Path::new("-") {
        return reading::read_within(|| Ok(io::stdin()), limits);
    }
    if path.is_dir() {
        return Err(ReadError::System(io::Error::other("it is a folder")));
    }
    reading::read_file_within(path, limits)
}

/// Whether a file can be written at the end of the run, found out without changing anything.
///
/// # Errors
/// Why it cannot.
pub(crate) fn can_be_written(path: &Path) -> Result<(), String> {
    let failed = |e: io::Error| format!("cannot write {}: {e}", path.display());
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(failed(io::Error::other("it is a folder"))),
        Ok(found) if found.is_file() => {
            let opened = OpenOptions::new().append(true).open(path);
            opened.and_then(|_| try_beside(path)).map_err(failed)
        }
        // To open a pipe would wait for its reader; a device tells when it is written to.
        Ok(_) => Ok(()),
        Err(_) => try_beside(path).map_err(failed),
    }
}

/// Makes the temporary file of a target and removes it.
fn try_beside(path: &Path) -> io::Result<()> {
    let temporary = temporary(path)?;
    File::create(&temporary)?;
    fs::remove_file(&temporary)
}

/// A name in the folder of a target that nobody else has.
fn temporary(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name();
    let mut temporary = name
        .ok_or_else(|| io::Error::other("no file name"))?
        .to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(temporary))
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
    let temporary = temporary(path)?;
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
