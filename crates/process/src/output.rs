//! Reading a child's output: as lines with back-pressure, or captured with a bound.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::spec::Output;
use crate::supervisor::{ChildId, ProcessEvent};

/// A line longer than this is not delivered.
const LINE_MAX: usize = 256 << 20;
/// Readers pause while this many bytes of lines wait to be taken.
const QUEUE_MAX: usize = 64 << 20;

/// Which of a child's two outputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Captured output: its beginning and its end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Captured {
    /// The first bytes.
    pub head: Vec<u8>,
    /// The last bytes, when there were more than `head` holds.
    pub tail: Vec<u8>,
    /// How many bytes between `head` and `tail` were dropped.
    pub omitted: u64,
}

impl Captured {
    /// The text, invalid UTF-8 replaced, with a line that says how much is missing.
    pub fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.head).into_owned();
        if self.omitted > 0 {
            text.push_str(&format!("\n… {} bytes omitted …\n", self.omitted));
        }
        text.push_str(&String::from_utf8_lossy(&self.tail));
        text
    }

    /// Adds bytes; keeps at most `limit`, a quarter of it for the beginning.
    fn push(&mut self, mut bytes: &[u8], limit: usize) {
        let room = (limit / 4).saturating_sub(self.head.len());
        let (first, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(first);
        bytes = rest;
        self.tail.extend_from_slice(bytes);
        let most = limit - limit / 4;
        // Trimmed only at twice the size, so that the cost per byte is constant.
        if self.tail.len() > 2 * most {
            self.trim(most);
        }
    }

    fn trim(&mut self, most: usize) {
        let excess = self.tail.len().saturating_sub(most);
        self.tail.drain(..excess);
        self.omitted += excess as u64;
    }
}

/// Bytes of lines that wait in the event queue; makes readers wait for the consumer.
#[derive(Default)]
pub(crate) struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    queued: usize,
    open_for_all: bool,
}

impl Gate {
    /// Waits until there is room, then counts `bytes` in.
    fn enter(&self, bytes: usize) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |s: &mut GateState| s.queued > QUEUE_MAX && !s.open_for_all;
        let mut state = self
            .changed
            .wait_while(state, full)
            .unwrap_or_else(PoisonError::into_inner);
        state.queued += bytes;
    }

    /// Counts `bytes` out.
    pub(crate) fn leave(&self, bytes: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.queued = state.queued.saturating_sub(bytes);
        self.changed.notify_all();
    }

    /// Lets everybody through from now on: nobody takes lines any more.
    pub(crate) fn open(&self) {
        self.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .open_for_all = true;
        self.changed.notify_all();
    }
}

/// Where a reader delivers to.
pub(crate) struct Delivery {
    pub(crate) child: ChildId,
    pub(crate) stream: Stream,
    pub(crate) events: Sender<ProcessEvent>,
    pub(crate) gate: Arc<Gate>,
}

/// Reads to the end; gives what was captured.
pub(crate) fn read_all(source: impl Read, output: Output, to: &Delivery) -> Captured {
    let mut captured = Captured::default();
    // A read error is the end of the stream: the pipe is all there is.
    let _ = match output {
        Output::Lines => read_lines(source, to),
        Output::Capture(limit) => {
            let done = read_blocks(source, |block| captured.push(block, limit));
            captured.trim(limit - limit / 4);
            done
        }
        Output::Discard => read_blocks(source, |_| ()),
    };
    captured
}

fn read_blocks(mut source: impl Read, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(n) => take(&buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn read_lines(source: impl Read, to: &Delivery) -> io::Result<()> {
    let mut source = BufReader::new(source);
    loop {
        let mut line = Vec::new();
        let n = source
            .by_ref()
            .take(LINE_MAX as u64)
            .read_until(b'\n', &mut line)?;
        if n == 0 {
            return Ok(());
        }
        let complete = line.last() == Some(&b'\n') || n < LINE_MAX;
        let event = if complete {
            while matches!(line.last(), Some(b'\n' | b'\r')) {
                line.pop();
            }
            to.gate.enter(line.len());
            let text = String::from_utf8(line)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
            ProcessEvent::Line {
                child: to.child,
                stream: to.stream,
                text,
            }
        } else {
            let bytes = n as u64 + skip_line(&mut source)?;
            ProcessEvent::Overlong {
                child: to.child,
                stream: to.stream,
                bytes,
            }
        };
        if to.events.send(event).is_err() {
            return read_blocks(source, |_| ());
        }
    }
}

/// Skips the rest of a line; gives its length.
fn skip_line(source: &mut impl BufRead) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let block = source.fill_buf()?;
        let end = block.iter().position(|&b| b == b'\n');
        let used = end.map_or(block.len(), |at| at + 1);
        let at_end = block.is_empty();
        source.consume(used);
        skipped += used as u64;
        if end.is_some() || at_end {
            return Ok(skipped);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capture_keeps_beginning_and_end() {
        let mut c = Captured::default();
        for n in 0..1000u32 {
            c.push(format!("{n:04}\n").as_bytes(), 40);
        }
        c.trim(30);
        assert_eq!(c.head, b"0000\n0001\n");
        assert!(c.tail.ends_with(b"0998\n0999\n") && c.tail.len() == 30);
        assert_eq!(c.omitted as usize + c.head.len() + c.tail.len(), 5000);
        assert!(c.text().contains("bytes omitted"));
    }

    #[test]
    fn small_output_is_whole() {
        let mut c = Captured::default();
        c.push(b"sat\n(model)\n", 1 << 20);
        assert_eq!(c.text(), "sat\n(model)\n");
        c.push(b"\xff", 4);
        assert!(c.text().ends_with('\u{fffd}'));
    }
}
