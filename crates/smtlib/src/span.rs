//! Places in the input.

use serde::{Deserialize, Serialize};

/// A range of bytes of the input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(from = "(u32, u32)", into = "(u32, u32)")]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset behind the last byte.
    pub end: u32,
}

impl From<(u32, u32)> for Span {
    fn from((start, end): (u32, u32)) -> Span {
        Span { start, end }
    }
}

impl From<Span> for (u32, u32) {
    fn from(span: Span) -> (u32, u32) {
        (span.start, span.end)
    }
}

impl Span {
    /// The span between two offsets.
    pub fn new(start: usize, end: usize) -> Span {
        let narrow = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span {
            start: narrow(start),
            end: narrow(end),
        }
    }

    /// The text of the span; empty when the span is not one of this text.
    pub fn text(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize)
            .unwrap_or("")
    }

    /// The smallest span that covers both.
    pub(crate) fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column in characters.
    pub column: u32,
}

/// The beginnings of the lines of a text, for converting offsets to positions.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// The index of a text. Lines end at line feeds; a carriage return before one belongs to the
    /// end.
    pub fn new(text: &[u8]) -> LineIndex {
        let mut starts = vec![0];
        let breaks = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        starts.extend(breaks.map(|(i, _)| Span::new(i + 1, i + 1).start));
        LineIndex { starts }
    }

    /// The line of an offset, from 1.
    pub fn line(&self, offset: u32) -> u32 {
        let line = self.starts.partition_point(|&start| start <= offset);
        u32::try_from(line.max(1)).unwrap_or(u32::MAX)
    }

    /// The position of an offset in the text the index was made of.
    pub fn position(&self, text: &[u8], offset: u32) -> Position {
        let line = self.line(offset);
        let start = self.starts[line as usize - 1] as usize;
        let before = text
            .get(start..(offset as usize).min(text.len()))
            .unwrap_or(&[]);
        // Continuation bytes of UTF-8 do not start a character.
        let characters = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        let mark = if start == 0 && before.starts_with(b"\xEF\xBB\xBF") {
            1
        } else {
            0
        };
        Position {
            line,
            column: Span::new(characters + 1 - mark, 0).start,
        }
    }
}
