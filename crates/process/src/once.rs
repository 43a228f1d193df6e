//! A command that is run once on a text, by a process that some supervisor looks after.
//!
//! ```text
//! this process ── EXE __exec … ⇒ exec CMD      standard input: the text, as a file without a name
//! ```
//!
//! The command dies with this process; what it starts itself is in this process's group, and the
//! supervisor ends it with this process. `/dev/stdin` names a file that can be opened, and read more
//! than once, so nothing is left on a disk however this process ends.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rustix::fs::{MemfdFlags, memfd_create};

use crate::shim;

/// What a command said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Said {
    /// Its standard output, as far as it came.
    pub output: Vec<u8>,
    /// Whether it closed its output by itself; else its time was over or it said too much.
    pub ended: bool,
}

/// Runs a command on a text until it closes its output, `wait` does not wait any more (it is told when that
/// is), or it says `most` bytes. The thread that calls this must live as long as the command.
///
/// # Errors
/// When the command cannot be started.
pub fn run_once(
    words: &[String],
    text: &[u8],
    wait: impl FnOnce(&Receiver<bool>) -> Result<bool, RecvTimeoutError>,
    most: usize,
) -> io::Result<Said> {
    let (program, arguments) = words
        .split_first()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no command"))?;
    let mut input = File::from(memfd_create("text", MemfdFlags::CLOEXEC)?);
    input.write_all(text)?;
    input.rewind()?;
    let (shim, arguments) = shim::contained(Path::new(program), arguments);
    let mut child = Command::new(shim)
        .args(arguments)
        .stdin(input)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let (sender, receiver) = mpsc::channel();
    let (pipe, kept) = (child.stdout.take(), Arc::new(Mutex::new(Vec::new())));
    let output = Arc::clone(&kept);
    thread::spawn(move || {
        let ended = pipe.is_some_and(|pipe| keep(pipe, &output, most));
        // Nobody waits any more when the time was over.
        let _ = sender.send(ended);
    });
    let ended = wait(&receiver) == Ok(true);
    let _ = child.kill();
    // A dead process gives back its memory first; nobody need wait for that.
    thread::spawn(move || child.wait());
    let output = std::mem::take(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(Said { output, ended })
}

/// Keeps what comes; whether it came to its end.
fn keep(mut pipe: impl Read, output: &Mutex<Vec<u8>>, most: usize) -> bool {
    let mut chunk = vec![0; 64 << 10];
    loop {
        let Ok(read @ 1..) = pipe.read(&mut chunk) else {
            return true;
        };
        let mut kept = output.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&chunk[..read]);
        if kept.len() >= most {
            return false;
        }
    }
}
