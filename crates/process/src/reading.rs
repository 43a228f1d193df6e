//! Reading a file that may never end, or never begin, under limits and signals.
//!
//! ```text
//! reader thread:  open (a pipe without a writer waits here), read chunk by chunk ──▶ this thread
//! signals:        SIGINT, SIGTERM, SIGHUP ──────────────────────────────────────▶ this thread
//! this thread:    collects, and gives up at the limit or at the first signal
//! ```
//!
//! A reader that is given up stays in its system call until the process ends; it holds nothing but what
//! it reads.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use rustix::time::ClockId;

use crate::limits::{Limit, Limits};
use crate::monitor::time_of;
use crate::signals::{SignalWatch, Stop};

/// So much is read at once.
const CHUNK: usize = 256 << 10;
/// So many chunks may wait to be collected.
const WAITING: usize = 8;
/// How often the limit on processor time is looked at while nothing comes.
const TICK: Duration = Duration::from_millis(50);

/// Why an input was not read.
#[derive(Debug)]
pub enum ReadError {
    /// A limit was hit.
    Limit(Limit),
    /// SIGINT, SIGTERM or SIGHUP came.
    Interrupted,
    /// The system refused.
    System(io::Error),
}

/// What a reader thread and the signals say.
enum News {
    Chunk(Vec<u8>),
    End(io::Result<()>),
    Signal,
}

/// A file of so many bytes is read at once: that takes no longer than to start a thread for it.
const SHORT: u64 = 1 << 20;

/// Reads a file. A short one is read at once, unless it is one that may wait (a pipe, a device, and files of
/// the kernel's, whose length is 0).
///
/// # Errors
/// As [`read_within`].
pub fn read_file_within(path: &Path, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    let short = fs::metadata(path).is_ok_and(|m| m.is_file() && (1..=SHORT).contains(&m.len()));
    if !short {
        let path = path.to_owned();
        return read_within(move || File::open(path), limits);
    }
    let bytes = fs::read(path).map_err(ReadError::System)?;
    let end = limits
        .wall
        .filter(Duration::is_zero)
        .map(|_| Instant::now());
    match exceeded(limits, end, bytes.len()) {
        Some(limit) => Err(ReadError::Limit(limit)),
        None => Ok(bytes),
    }
}

/// Reads to the end of what `open` opens. The limits count from now, and memory counts what was read.
///
/// # Errors
/// When a limit is hit, a signal comes, or the system refuses.
pub fn read_within<R: Read>(
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
    limits: &Limits,
) -> Result<Vec<u8>, ReadError> {
    let end = limits
        .wall
        .and_then(|wall| Instant::now().checked_add(wall));
    let (sender, news) = mpsc::sync_channel(WAITING);
    let signals = sender.clone();
    // A signal that finds the channel full is found in it as soon as there is room, or by the flag.
    let stop = Stop::default();
    let on_signal = move |_| drop(signals.try_send(News::Signal));
    let _watch = SignalWatch::start(stop.clone(), on_signal).map_err(ReadError::System)?;
    std::thread::Builder::new()
        .name("reader".into())
        .spawn(move || {
            let outcome = open().and_then(|input| read_chunks(input, &sender));
            // Nobody waits any more when reading was given up.
            let _ = sender.send(News::End(outcome));
        })
        .map_err(ReadError::System)?;
    let mut bytes = Vec::new();
    loop {
        if stop.is_set() {
            return Err(ReadError::Interrupted);
        }
        if let Some(limit) = exceeded(limits, end, bytes.len()) {
            return Err(ReadError::Limit(limit));
        }
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        match news.recv_timeout(left.map_or(TICK, |left| left.min(TICK))) {
            Ok(News::Chunk(chunk)) => append(&mut bytes, &chunk),
            Ok(News::End(Ok(()))) => return Ok(bytes),
            Ok(News::End(Err(error))) => return Err(ReadError::System(error)),
            Ok(News::Signal) => return Err(ReadError::Interrupted),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(ReadError::System(io::Error::other("the reader ended")));
            }
        }
    }
}

fn read_chunks(mut input: impl Read, to: &SyncSender<News>) -> io::Result<()> {
    loop {
        let mut chunk = vec![0; CHUNK];
        let n = match input.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        chunk.truncate(n);
        if to.send(News::Chunk(chunk)).is_err() {
            return Ok(());
        }
    }
}

/// Appends with little room to spare: twice what is there would count twice against the limit.
fn append(bytes: &mut Vec<u8>, chunk: &[u8]) {
    if bytes.capacity() - bytes.len() < chunk.len() {
        bytes.reserve_exact(chunk.len().max(bytes.len() / 8).max(CHUNK));
    }
    bytes.extend_from_slice(chunk);
}

fn exceeded(limits: &Limits, end: Option<Instant>, read: usize) -> Option<Limit> {
    let over_cpu = |most| time_of(ClockId::ProcessCPUTime) >= most;
    if end.is_some_and(|end| Instant::now() >= end) {
        Some(Limit::Wall)
    } else if limits.cpu.is_some_and(over_cpu) {
        Some(Limit::Cpu)
    } else if limits.memory.is_some_and(|most| read as u64 > most) {
        Some(Limit::Memory)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that gives a byte at a time, for ever.
    struct Endless;

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            buffer.fill(b' ');
            Ok(buffer.len())
        }
    }

    #[test]
    fn what_ends_is_read() {
        let text = "x".repeat(3 * CHUNK + 7);
        let bytes = text.clone().into_bytes();
        let read = read_within(|| Ok(io::Cursor::new(bytes)), &Limits::none());
        assert_eq!(read.unwrap(), text.as_bytes());
        let failed = read_within(
            || -> io::Result<io::Empty> { Err(io::Error::other("no")) },
            &Limits::none(),
        );
        assert!(matches!(failed, Err(ReadError::System(e)) if e.to_string() == "no"));
    }

    #[test]
    fn short_files_meet_limits_too() {
        let path = std::env::temp_dir().join(format!("foretell-reading-{}", std::process::id()));
        fs::write(&path, "some text").unwrap();
        let read = |limits| read_file_within(&path, &limits);
        assert_eq!(read(Limits::none()).unwrap(), b"some text");
        let memory = read(Limits::none().memory(4));
        assert!(matches!(memory, Err(ReadError::Limit(Limit::Memory))));
        let wall = read(Limits::none().wall(Duration::ZERO));
        assert!(matches!(wall, Err(ReadError::Limit(Limit::Wall))));
        fs::remove_file(&path).unwrap();
        let gone = read(Limits::none());
        assert!(matches!(gone, Err(ReadError::System(_))));
    }

    #[test]
    fn what_does_not_end_meets_a_limit() {
        let memory = read_within(|| Ok(Endless), &Limits::none().memory(9 << 20));
        assert!(matches!(memory, Err(ReadError::Limit(Limit::Memory))));
        // A pipe whose writer stays open.
        let (reader, writer) = std::io::pipe().unwrap();
        let wall = Limits::none().wall(Duration::from_millis(20));
        let waited = read_within(move || Ok(reader), &wall);
        assert!(matches!(waited, Err(ReadError::Limit(Limit::Wall))));
        drop(writer);
    }
}
