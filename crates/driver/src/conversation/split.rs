//! A stream of bytes as commands: each is handed on when its last parenthesis has come.

/// One command as it was written, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The text, from parenthesis to parenthesis; or what stood where a command should be.
    pub text: String,
    /// The line of its first character, from 1.
    pub line: usize,
    /// The column of its first character, from 1.
    pub column: usize,
}

impl Command {
    /// The line and column of a byte of the text.
    pub(crate) fn place(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset).unwrap_or(&self.text);
        match before.rsplit_once('\n') {
            None => (self.line, self.column + before.chars().count()),
            Some((lines, last)) => (
                self.line + 1 + lines.matches('\n').count(),
                1 + last.chars().count(),
            ),
        }
    }
}

/// What the next byte is part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inside {
    Code,
    Comment,
    Text,
    Bars,
}

/// Cuts a stream into commands.
#[derive(Debug)]
pub struct Splitter {
    inside: Inside,
    depth: usize,
    line: usize,
    column: usize,
    bytes: Vec<u8>,
    /// Where the command began.
    start: (usize, usize),
}

impl Default for Splitter {
    fn default() -> Splitter {
        Splitter {
            inside: Inside::Code,
            depth: 0,
            line: 1,
            column: 1,
            bytes: Vec::new(),
            start: (1, 1),
        }
    }
}

impl Splitter {
    /// The commands that end within these bytes.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Command> {
        bytes.iter().filter_map(|&byte| self.next(byte)).collect()
    }

    /// What is left at the end of the stream: a command that was not finished.
    pub fn rest(&mut self) -> Option<Command> {
        let loose = self.depth == 0 && self.inside != Inside::Comment;
        (self.depth > 0 || loose)
            .then(|| self.take())
            .filter(|c| !c.text.is_empty())
    }

    fn next(&mut self, byte: u8) -> Option<Command> {
        let ended = self.step(byte);
        match byte {
            b'\n' => (self.line, self.column) = (self.line + 1, 1),
            // Bytes within a character are no columns of their own.
            0x80..=0xbf => {}
            _ => self.column += 1,
        }
        ended
    }

    fn step(&mut self, byte: u8) -> Option<Command> {
        match (self.inside, byte) {
            (Inside::Comment, b'\n') => self.inside = Inside::Code,
            (Inside::Comment, _) => return None,
            (Inside::Text, b'"') | (Inside::Bars, b'|') => self.inside = Inside::Code,
            (Inside::Text | Inside::Bars, _) => {}
            (Inside::Code, b';') => {
                self.inside = Inside::Comment;
                return None;
            }
            (Inside::Code, b'"') => self.inside = Inside::Text,
            (Inside::Code, b'|') => self.inside = Inside::Bars,
            (Inside::Code, b'(') => {
                // A word before it was no command.
                let word = (self.depth == 0).then(|| self.take());
                self.depth += 1;
                self.keep(byte);
                return word.filter(|w| !w.text.is_empty());
            }
            (Inside::Code, b')') => {
                self.keep(byte);
                self.depth = self.depth.saturating_sub(1);
                return (self.depth == 0).then(|| self.take());
            }
            (Inside::Code, b' ' | b'\t' | b'\r' | b'\n') if self.depth == 0 => {
                return Some(self.take()).filter(|w| !w.text.is_empty());
            }
            (Inside::Code, _) => {}
        }
        self.keep(byte);
        None
    }

    fn keep(&mut self, byte: u8) {
        if self.bytes.is_empty() {
            if byte.is_ascii_whitespace() {
                return;
            }
            self.start = (self.line, self.column);
        }
        self.bytes.push(byte);
    }

    fn take(&mut self) -> Command {
        let bytes = std::mem::take(&mut self.bytes);
        Command {
            text: String::from_utf8_lossy(&bytes).into_owned(),
            line: self.start.0,
            column: self.start.1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Splitter;

    fn texts(input: &str) -> Vec<(String, usize, usize)> {
        let mut splitter = Splitter::default();
        let mut found = splitter.feed(input.as_bytes());
        found.extend(splitter.rest());
        found
            .into_iter()
            .map(|c| (c.text, c.line, c.column))
            .collect()
    }

    #[test]
    fn commands_are_cut_at_their_last_parenthesis() {
        let input = "(a) ; (no\n  (b \"(\"\n |;)| c)(d)";
        let wanted = [("(a)", 1, 1), ("(b \"(\"\n |;)| c)", 2, 3), ("(d)", 3, 9)];
        let wanted: Vec<_> = wanted.map(|(t, l, c)| (t.to_owned(), l, c)).into();
        assert_eq!(texts(input), wanted);
    }

    #[test]
    fn what_is_no_command_is_handed_on_too() {
        let found: Vec<String> = texts("x (a) ) y(b) (c").into_iter().map(|t| t.0).collect();
        assert_eq!(found, ["x", "(a)", ")", "y", "(b)", "(c"]);
    }

    #[test]
    fn any_cut_of_the_stream_gives_the_same() {
        let input = "(set-info \"a \"\" b)\")\n(assert |é )|) ; end";
        let whole = texts(input);
        for at in 0..input.len() {
            let mut splitter = Splitter::default();
            let mut found = splitter.feed(&input.as_bytes()[..at]);
            found.extend(splitter.feed(&input.as_bytes()[at..]));
            found.extend(splitter.rest());
            let found: Vec<_> = found
                .into_iter()
                .map(|c| (c.text, c.line, c.column))
                .collect();
            assert_eq!(found, whole, "{at}");
        }
    }
}
