//! Where the bytes of the preprocessed text come from.

use crate::error::Span;

/// A file that took part.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name as the user knows it; a built-in header has angle brackets.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// A place in a file of the user.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Location {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 1.
    pub column: u32,
    /// The byte offset in the file.
    pub offset: usize,
}

/// One token: so many bytes of the preprocessed text come from there.
#[derive(Clone, Copy, Debug)]
struct Segment {
    out: u32,
    file: u32,
    offset: u32,
    len: u32,
}

/// The files and the origin of every token of the preprocessed text.
///
/// Invariant: file 0 is the input; segments ascend in `out`.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    segments: Vec<Segment>,
    /// Macros that the reader has defined before the input, without parameters.
    predefined: Vec<(String, String)>,
}

fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

impl SourceMap {
    /// Adds a file and returns its number.
    pub fn add_file(&mut self, name: &str, text: &str) -> usize {
        self.files.push(SourceFile {
            name: name.to_owned(),
            text: text.to_owned(),
        });
        self.files.len() - 1
    }

    /// Records a macro that the input uses without defining it.
    pub fn add_predefined(&mut self, name: &str, words: &str) {
        self.predefined.push((name.to_owned(), words.to_owned()));
    }

    /// Macros that the reader has defined before the input, and what they stand for.
    pub fn predefined(&self) -> &[(String, String)] {
        &self.predefined
    }

    /// Records that the token at `out` comes from there.
    pub fn add_segment(&mut self, out: usize, file: usize, offset: usize, len: usize) {
        let segment = Segment {
            out: narrow(out),
            file: narrow(file),
            offset: narrow(offset),
            len: narrow(len),
        };
        self.segments.push(segment);
    }

    /// The files, the input first.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The text of the input.
    pub fn main_text(&self) -> &str {
        self.files.first().map_or("", |f| &f.text)
    }

    /// The file and the offset of a byte of the preprocessed text.
    pub fn origin(&self, out: u32) -> (usize, usize) {
        let after = self.segments.partition_point(|s| s.out <= out);
        let Some(segment) = after.checked_sub(1).and_then(|i| self.segments.get(i)) else {
            return (0, 0);
        };
        let inside = (out - segment.out).min(segment.len);
        (segment.file as usize, (segment.offset + inside) as usize)
    }

    /// The place of a span: its first byte.
    pub fn location(&self, span: Span) -> Location {
        let (file, offset) = self.origin(span.start);
        self.location_in(file, offset)
    }

    /// A place in a file by its offset.
    pub fn location_in(&self, file: usize, offset: usize) -> Location {
        let Some(source) = self.files.get(file) else {
            return Location {
                file: String::new(),
                line: 1,
                column: 1,
                offset: 0,
            };
        };
        let bytes = source.text.as_bytes();
        let offset = offset.min(bytes.len());
        let before = &bytes[..offset];
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        let start = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |p| p + 1);
        let column = 1 + offset - start;
        Location {
            file: source.name.clone(),
            line: narrow(line),
            column: narrow(column),
            offset,
        }
    }

    /// The line of a span in the input; the line of the expansion for what comes from a macro.
    pub fn line(&self, span: Span) -> u32 {
        self.location(span).line
    }

    /// The words of the input between the ends of a span, if both lie in the same file.
    pub fn words(&self, span: Span) -> Option<&str> {
        let (file, start) = self.origin(span.start);
        let (last, end) = self.origin(span.end.saturating_sub(1));
        if file != last || end < start {
            return None;
        }
        self.files.get(file)?.text.get(start..=end)
    }
}
