//! The checker's own reader of SMT-LIB text.
//!
//! Verdicts are checked on the original text, and the crate that parses it for the engines is not
//! used here: an error of the front end cannot hide behind itself. This reader knows brackets,
//! tokens, quoted symbols, strings and comments, and nothing about terms; those are read by the
//! parser of the solver that checks the obligations.
//!
//! It fails closed where readers disagree: a backslash in a quoted symbol, control characters, a
//! lone carriage return that one reader takes as the end of a comment and another does not, and
//! `#` without a literal are errors. Nothing here recurses; a million nested brackets are fine.

use std::collections::BTreeSet;

/// A token or a list of a [`Document`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(u32);

/// Why a text could not be read, or what in it is not allowed, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong, lower-case.
    pub what: String,
}

impl std::fmt::Display for TextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for TextError {}

#[derive(Clone, Copy)]
struct Node {
    start: u32,
    end: u32,
    /// The children in `kids`; `None` for a token.
    kids: Option<(u32, u32)>,
}

/// A text and its structure.
pub struct Document<'t> {
    text: &'t str,
    nodes: Vec<Node>,
    kids: Vec<Id>,
    roots: Vec<Id>,
    /// Offsets of line beginnings.
    lines: Vec<u32>,
}

/// Marked expressions of a document.
pub(crate) struct Marks(Vec<bool>);

impl Marks {
    /// Whether an expression is marked.
    pub(crate) fn has(&self, id: Id) -> bool {
        self.0.get(id.0 as usize) == Some(&true)
    }
}

/// Words that make terms and are no symbols; `|let|` is a symbol all the same.
const WORDS: [&str; 9] = [
    "let", "forall", "exists", "lambda", "match", "par", "as", "_", "!",
];

/// A symbol without its bars.
pub(crate) fn bare(token: &str) -> &str {
    token
        .strip_prefix('|')
        .and_then(|t| t.strip_suffix('|'))
        .unwrap_or(token)
}

/// What may stand between tokens: the front end takes the feeds for blanks too. Obligations are
/// written anew, so a solver never sees them.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C)
}

/// How far a text is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// To its end.
    Whole,
    /// To the command `(exit)`: what is behind it is nobody's business.
    ToExit,
}

impl<'t> Document<'t> {
    /// Reads a text; a byte order mark at its beginning is skipped.
    pub fn read(text: &'t str) -> Result<Document<'t>, TextError> {
        Document::read_to(text, Extent::Whole)
    }

    /// Reads a script of commands, which ends at `(exit)` if not before.
    pub(crate) fn read_script(text: &'t str) -> Result<Document<'t>, TextError> {
        Document::read_to(text, Extent::ToExit)
    }

    fn read_to(text: &'t str, extent: Extent) -> Result<Document<'t>, TextError> {
        let mut doc = Document {
            text,
            nodes: Vec::new(),
            kids: Vec::new(),
            roots: Vec::new(),
            lines: vec![0],
        };
        if u32::try_from(text.len()).is_err() {
            return Err(TextError {
                line: 1,
                what: "the text is longer than 4 GB".into(),
            });
        }
        let breaks = text.bytes().enumerate().filter(|&(_, b)| b == b'\n');
        doc.lines.extend(breaks.map(|(i, _)| small(i + 1)));
        doc.structure(extent)?;
        Ok(doc)
    }

    fn structure(&mut self, extent: Extent) -> Result<(), TextError> {
        let bytes = self.text.as_bytes();
        let mut at = if self.text.starts_with('\u{feff}') {
            3
        } else {
            0
        };
        // Open lists: their start, and how many of `pending` were there when they were opened.
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut pending: Vec<Id> = Vec::new();
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'(' => {
                    open.push((at, pending.len()));
                    at += 1;
                }
                b')' => {
                    let Some((start, from)) = open.pop() else {
                        return Err(self.error(at, "a closing bracket without an opening one"));
                    };
                    at += 1;
                    let first = small(self.kids.len());
                    self.kids.extend(pending.drain(from..));
                    let kids = Some((first, small(self.kids.len())));
                    let list = self.node(start, at, kids);
                    pending.push(list);
                    let exit = open.is_empty() && self.head(list) == Some("exit");
                    if exit && extent == Extent::ToExit {
                        break;
                    }
                }
                b';' => at = self.comment(at)?,
                _ if is_space(byte) => at += 1,
                _ => {
                    let end = self.token(at)?;
                    pending.push(self.node(at, end, None));
                    at = end;
                }
            }
        }
        if let Some(&(start, _)) = open.last() {
            return Err(self.error(start, "this bracket is never closed"));
        }
        self.roots = pending;
        Ok(())
    }

    fn node(&mut self, start: usize, end: usize, kids: Option<(u32, u32)>) -> Id {
        self.nodes.push(Node {
            start: small(start),
            end: small(end),
            kids,
        });
        Id(small(self.nodes.len() - 1))
    }

    /// The offset after a comment.
    fn comment(&self, start: usize) -> Result<usize, TextError> {
        let bytes = self.text.as_bytes();
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            match (byte, bytes.get(at + 1)) {
                (b'\n', _) => return Ok(at + 1),
                (b'\r', Some(&next)) if next != b'\n' => {
                    return Err(self.error(at, "a lone carriage return inside a comment"));
                }
                _ => at += 1,
            }
        }
        Ok(at)
    }

    /// The offset after a token.
    fn token(&self, start: usize) -> Result<usize, TextError> {
        let bytes = self.text.as_bytes();
        match bytes[start] {
            b'|' => self.quoted(start),
            b'"' => self.string(start),
            _ => {
                let stop = |b: u8| is_space(b) || matches!(b, b'(' | b')' | b';' | b'|' | b'"');
                let rest = &bytes[start..];
                let length = rest.iter().position(|&b| stop(b)).unwrap_or(rest.len());
                let token = &rest[..length];
                if token.iter().any(|b| b.is_ascii_control()) {
                    return Err(self.error(start, "a control character"));
                }
                if token == b"#" || token.iter().any(|b| b"'`,[]{}\\".contains(b)) {
                    return Err(self.error(start, "a character that no token has"));
                }
                Ok(start + length)
            }
        }
    }

    fn quoted(&self, start: usize) -> Result<usize, TextError> {
        for (i, byte) in self.text.bytes().enumerate().skip(start + 1) {
            match byte {
                b'|' => return Ok(i + 1),
                b'\\' => return Err(self.error(i, "a backslash in a quoted symbol")),
                b if b.is_ascii_control() && !matches!(b, b'\t' | b'\r' | b'\n') => {
                    return Err(self.error(i, "a control character"));
                }
                _ => {}
            }
        }
        Err(self.error(start, "this quoted symbol is never closed"))
    }

    fn string(&self, start: usize) -> Result<usize, TextError> {
        let bytes = self.text.as_bytes();
        let mut at = start + 1;
        while let Some(&byte) = bytes.get(at) {
            match (byte, bytes.get(at + 1)) {
                (b'"', Some(b'"')) => at += 2,
                (b'"', _) => return Ok(at + 1),
                _ => at += 1,
            }
        }
        Err(self.error(start, "this string is never closed"))
    }

    fn error(&self, offset: usize, what: &str) -> TextError {
        TextError {
            line: self.line_at(small(offset)),
            what: what.into(),
        }
    }

    fn line_at(&self, offset: u32) -> u32 {
        small(self.lines.partition_point(|&start| start <= offset))
    }

    /// The top-level expressions in order.
    pub fn roots(&self) -> &[Id] {
        &self.roots
    }

    /// The children of a list.
    pub fn list(&self, id: Id) -> Option<&[Id]> {
        let (from, to) = self.nodes.get(id.0 as usize)?.kids?;
        self.kids.get(from as usize..to as usize)
    }

    /// A token as it is written.
    pub fn token_of(&self, id: Id) -> Option<&'t str> {
        let node = self.nodes.get(id.0 as usize)?;
        match node.kids {
            None => self.text.get(node.start as usize..node.end as usize),
            Some(_) => None,
        }
    }

    /// A token that is a symbol, without its bars. Words of the language are none unless in bars.
    pub fn symbol(&self, id: Id) -> Option<&'t str> {
        let token = self.token_of(id)?;
        let literal = token.starts_with(|c: char| c.is_ascii_digit() || "\"#:".contains(c));
        (!literal && !WORDS.contains(&token)).then(|| bare(token))
    }

    /// The first element of a list when it is an unquoted word.
    pub fn head(&self, id: Id) -> Option<&'t str> {
        self.token_of(*self.list(id)?.first()?)
    }

    /// The line an expression begins at, from 1.
    pub fn line(&self, id: Id) -> u32 {
        self.nodes
            .get(id.0 as usize)
            .map_or(1, |n| self.line_at(n.start))
    }

    /// The line an expression ends at, from 1.
    pub(crate) fn last_line(&self, id: Id) -> u32 {
        self.nodes
            .get(id.0 as usize)
            .map_or(1, |n| self.line_at(n.end.saturating_sub(1)))
    }

    /// An error about an expression.
    pub(crate) fn complain(&self, id: Id, what: impl Into<String>) -> TextError {
        TextError {
            line: self.line(id),
            what: what.into(),
        }
    }

    /// All symbols (without bars) that occur below an expression.
    pub fn symbols(&self, root: Id) -> BTreeSet<&'t str> {
        let mut found = BTreeSet::new();
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            match self.list(id) {
                Some(kids) => work.extend(kids),
                None => found.extend(self.symbol(id)),
            }
        }
        found
    }

    /// For each expression, whether a symbol that passes the test occurs in it; see [`Marks::has`].
    pub(crate) fn mark(&self, test: impl Fn(&str) -> bool) -> Marks {
        // Parts are made before the list they are in: one pass in order of creation suffices.
        let mut marks: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for i in 0..small(self.nodes.len()) {
            let marked = match self.list(Id(i)) {
                Some(kids) => kids
                    .iter()
                    .any(|kid| marks.get(kid.0 as usize) == Some(&true)),
                None => self.symbol(Id(i)).is_some_and(&test),
            };
            marks.push(marked);
        }
        Marks(marks)
    }

    /// All symbols of the text.
    pub(crate) fn all_symbols(&self) -> BTreeSet<&'t str> {
        let ids = 0..small(self.nodes.len());
        ids.filter_map(|i| self.symbol(Id(i))).collect()
    }

    /// The term below its outermost annotations, `(! t …)`, and those annotations.
    pub(crate) fn unannotated(&self, mut id: Id) -> (Id, Vec<Id>) {
        let mut attributes = Vec::new();
        while self.head(id) == Some("!") {
            match self.list(id) {
                Some([_, inner, rest @ ..]) => {
                    attributes.extend(rest);
                    id = *inner;
                }
                _ => break,
            }
        }
        (id, attributes)
    }

    /// Prints an expression without annotations, tokens replaced where `rename` says so.
    ///
    /// A renaming of every occurrence of a name by a name that occurs nowhere keeps all bindings:
    /// binder and bound occurrences change together.
    pub fn print(&self, root: Id, rename: &dyn Fn(&str) -> Option<String>) -> String {
        enum Job {
            Open(Id),
            Close,
        }
        let mut out = String::new();
        let mut work = vec![Job::Open(root)];
        while let Some(job) = work.pop() {
            let Job::Open(id) = job else {
                out.push(')');
                continue;
            };
            let (id, _) = self.unannotated(id);
            if !out.is_empty() && !out.ends_with('(') {
                out.push(' ');
            }
            match self.list(id) {
                Some(kids) => {
                    out.push('(');
                    work.push(Job::Close);
                    work.extend(kids.iter().rev().map(|&kid| Job::Open(kid)));
                }
                None => {
                    let token = self.token_of(id).unwrap_or_default();
                    let new = self.symbol(id).and_then(rename);
                    out.push_str(new.as_deref().unwrap_or(token));
                }
            }
        }
        out
    }

    /// Prints an expression without annotations.
    pub fn show(&self, id: Id) -> String {
        self.print(id, &|_| None)
    }
}

fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Document, TextError};

    fn shown(text: &str) -> Vec<String> {
        let doc = Document::read(text).expect("readable");
        doc.roots().iter().map(|&id| doc.show(id)).collect()
    }

    fn refused(text: &str) -> TextError {
        Document::read(text).map(|_| ()).expect_err("unreadable")
    }

    #[test]
    fn a_script_ends_at_exit() {
        for rest in ["(p", ") garbage (((", "\u{1}", "(declare-fun p () Bool)"] {
            let text = format!("(a (exit))\n(exit) {rest}");
            let doc = Document::read_script(&text).expect("readable");
            assert_eq!(doc.roots().len(), 2, "{text}");
        }
        assert_eq!(
            Document::read_script("(a) |exit| (b)")
                .map(|d| d.roots().len())
                .ok(),
            Some(3)
        );
    }

    #[test]
    fn tokens_lists_and_comments() {
        let text = "\u{feff}; a ( comment\r\n(a |b ;)( c| \"x\"\"(\" #x1F :k(d)) e|f|";
        assert_eq!(
            shown(text),
            ["(a |b ;)( c| \"x\"\"(\" #x1F :k (d))", "e", "|f|"]
        );
    }

    #[test]
    fn annotations_go_and_names_change() {
        let doc = Document::read("(f (! (g |x| y) :named |x|) x)").expect("readable");
        let rename = |name: &str| (name == "x").then(|| "z".to_string());
        assert_eq!(doc.print(doc.roots()[0], &rename), "(f (g z y) z)");
    }

    #[test]
    fn what_readers_disagree_about_is_refused() {
        assert_eq!(refused("(a\n(b)").line, 1);
        assert_eq!(refused("(a)\n)").line, 2);
        for bad in [
            "|a\\|b|", "; x\ry", "a\u{0}b", "|abc", "\"abc", "# a", "a'b", "{", "|\u{1}|",
        ] {
            refused(bad);
        }
    }

    #[test]
    fn a_million_brackets() {
        let n = 1_000_000;
        let text = format!("{}x{}", "(".repeat(n), ")".repeat(n));
        let doc = Document::read(&text).expect("readable");
        assert_eq!(doc.show(doc.roots()[0]).len(), text.len());
        assert_eq!(doc.symbols(doc.roots()[0]).len(), 1);
    }

    #[test]
    fn lines() {
        let doc = Document::read("(a)\n(b\n c)").expect("readable");
        let [a, b] = *doc.roots() else {
            panic!("two expressions")
        };
        assert_eq!((doc.line(a), doc.line(b), doc.last_line(b)), (1, 2, 3));
    }
}
