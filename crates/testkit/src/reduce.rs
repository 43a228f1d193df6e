//! Delta debugging of a text: the smallest one found that still shows the symptom.
//!
//! ```text
//! reduce(tokens):
//!   repeat until nothing changes:
//!     for every range of tokens that is an S-expression, the largest first:
//!       try the text without it; with it replaced by one of its parts; by true, false, 0
//!       keep the first change after which the symptom is still there
//! ```
//!
//! Every attempt is a process of its own, because the symptom may be a crash or a hang. After Zeller and
//! Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE 2002; the order of attempts follows
//! the nesting instead of halves.

use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use foretell_process::{Cause, Input, Limits, Options, ProcessEvent, Spec, Status, Supervisor};

/// How long one attempt may take.
const ATTEMPT: Duration = Duration::from_secs(20);

/// What must still be there after a reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symptom {
    /// The answer contradicts the one of Z3's own Horn engine.
    Wrong,
    /// The checker rejects the witness.
    Rejected,
    /// The text is refused.
    Refused,
    /// A panic.
    Panic,
    /// The process dies.
    Crash,
    /// More time than the limits allow.
    Overrun,
}

impl Symptom {
    /// The symptom of a finding's kind.
    pub fn from_name(name: &str) -> Option<Symptom> {
        Some(match name {
            "wrong" | "conflict" => Symptom::Wrong,
            "rejected" => Symptom::Rejected,
            "refused" => Symptom::Refused,
            "panic" => Symptom::Panic,
            "crash" | "memory" => Symptom::Crash,
            "overrun" => Symptom::Overrun,
            _ => return None,
        })
    }

    /// The word by which an attempt tells it.
    pub fn word(self) -> &'static str {
        match self {
            Symptom::Wrong => "wrong",
            Symptom::Rejected => "rejected",
            Symptom::Refused => "refused",
            Symptom::Panic => "panic",
            Symptom::Crash => "crash",
            Symptom::Overrun => "overrun",
        }
    }
}

/// Reduces texts for one engine with its settings.
pub struct Reducer {
    /// Z3.
    pub z3: PathBuf,
    /// The engine.
    pub engine: String,
    /// Its settings.
    pub settings: Vec<String>,
    /// How long reduction may take.
    pub time: Duration,
}

impl Reducer {
    /// The smallest text found; `None` when the symptom does not come again.
    ///
    /// # Errors
    /// When attempts cannot be started.
    pub fn reduce(&self, text: &str, symptom: Symptom) -> io::Result<Option<String>> {
        let deadline = Instant::now() + self.time;
        let shown = self.shown(text)?;
        if !shown.starts_with(symptom.word()) {
            return Ok(None);
        }
        reduce(text, &mut |text| Ok(self.shown(text)? == shown), deadline).map(Some)
    }

    /// What a text shows.
    fn shown(&self, text: &str) -> io::Result<String> {
        let mut words = vec![
            "__try".to_owned(),
            self.z3.to_string_lossy().into_owned(),
            self.engine.clone(),
        ];
        words.extend(self.settings.iter().cloned());
        let options = Options::new()?;
        let mut supervisor = Supervisor::new(options)?;
        let spec = Spec::worker(words).input(Input::Bytes(text.as_bytes().to_vec()));
        let spec = spec.limits(Limits::none().wall(ATTEMPT).memory(2 << 30));
        supervisor
            .spawn(spec)
            .map_err(|e| io::Error::other(e.to_string()))?;
        while let Some(event) = supervisor.next_event(None) {
            if let ProcessEvent::Exit(exit) = event {
                let said = exit.stdout.text().trim().to_owned();
                return Ok(match exit.status {
                    Status::Code(0) => said,
                    _ if matches!(exit.cause, Cause::Limit(_)) => {
                        Symptom::Overrun.word().to_owned()
                    }
                    _ => Symptom::Crash.word().to_owned(),
                });
            }
        }
        Ok(String::new())
    }
}

/// Reduces by any test; the text is known to pass it.
///
/// # Errors
/// Those of the test.
pub fn reduce(
    text: &str,
    shows: &mut dyn FnMut(&str) -> io::Result<bool>,
    deadline: Instant,
) -> io::Result<String> {
    let mut tokens = tokens(text);
    loop {
        let before = tokens.len();
        let mut place = 0;
        let mut ranges = ranges(&tokens);
        while place < ranges.len() {
            if Instant::now() >= deadline {
                return Ok(join(&tokens));
            }
            let mut smaller = None;
            for candidate in candidates(&tokens, ranges[place]) {
                if shows(&join(&candidate))? {
                    smaller = Some(candidate);
                    break;
                }
            }
            match smaller {
                Some(smaller) => {
                    tokens = smaller;
                    ranges = self::ranges(&tokens);
                }
                None => place += 1,
            }
        }
        if tokens.len() == before {
            return Ok(join(&tokens));
        }
    }
}

/// The tokens of a text, comments left out.
fn tokens(text: &str) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        match c {
            _ if c.is_whitespace() => {}
            '(' | ')' => list.push(c.to_string()),
            ';' => while chars.next_if(|&(_, c)| c != '\n').is_some() {},
            '|' | '"' => {
                while chars.next_if(|&(_, d)| d != c).is_some() {}
                chars.next();
                let end = chars.peek().map_or(text.len(), |&(at, _)| at);
                list.push(text[start..end].to_owned());
            }
            _ => {
                while chars
                    .next_if(|&(_, c)| !c.is_whitespace() && !"();\"|".contains(c))
                    .is_some()
                {}
                let end = chars.peek().map_or(text.len(), |&(at, _)| at);
                list.push(text[start..end].to_owned());
            }
        }
    }
    list
}

/// The S-expressions as ranges of tokens, the longest first; every closing token belongs to one of them.
fn ranges(tokens: &[String]) -> Vec<(usize, usize)> {
    let mut list = Vec::new();
    let mut open = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match token.as_str() {
            "(" => open.push(i),
            ")" => {
                if let Some(start) = open.pop() {
                    list.push((start, i + 1));
                }
            }
            _ => list.push((i, i + 1)),
        }
    }
    list.sort_by_key(|&(start, end)| (std::cmp::Reverse(end - start), start));
    list
}

/// The parts of a list: ranges one level below.
fn parts(tokens: &[String], (start, end): (usize, usize)) -> Vec<(usize, usize)> {
    let mut list = Vec::new();
    let (mut depth, mut first) = (0usize, 0);
    let inner = tokens
        .iter()
        .enumerate()
        .take(end.saturating_sub(1))
        .skip(start + 1);
    for (i, token) in inner {
        if depth == 0 {
            first = i;
        }
        match token.as_str() {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            list.push((first, i + 1));
        }
    }
    list
}

/// Smaller token lists, with one range changed.
fn candidates(tokens: &[String], range: (usize, usize)) -> Vec<Vec<String>> {
    let (start, end) = range;
    let with = |middle: &[String]| [&tokens[..start], middle, &tokens[end..]].concat();
    let mut list = vec![with(&[])];
    if end - start > 1 {
        list.extend(["true", "false", "0"].map(|word| with(&[word.to_owned()])));
        list.extend(
            parts(tokens, range)
                .into_iter()
                .skip(1)
                .map(|(a, b)| with(&tokens[a..b])),
        );
    }
    list
}

fn join(tokens: &[String]) -> String {
    let (mut text, mut depth) = (String::new(), 0usize);
    for (i, token) in tokens.iter().enumerate() {
        let after_open = i == 0 || tokens[i - 1] == "(";
        if token == ")" {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && i > 0 {
            text.push('\n');
        } else if !after_open {
            text.push(' ');
        }
        text.push_str(token);
        depth += usize::from(token == "(");
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::{join, reduce, tokens};
    use std::time::{Duration, Instant};

    #[test]
    fn only_what_the_symptom_needs_remains() {
        let text = "; words\n(set-logic HORN)\n(assert (and (= |a b| 1) (or x (not (bad y z)) \"s ;\")))\n(check-sat)";
        let mut shows =
            |t: &str| Ok(t.matches('(').count() == t.matches(')').count() && t.contains("(bad"));
        let reduced = reduce(text, &mut shows, Instant::now() + Duration::from_secs(60)).unwrap();
        assert_eq!(reduced, "(bad)\n");
    }

    #[test]
    fn tokens_come_back_as_text() {
        assert_eq!(
            join(&tokens("(a (b |c d|) e) ; f\n(g)")),
            "(a (b |c d|) e)\n(g)\n"
        );
    }
}
