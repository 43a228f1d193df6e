//! Random conversations with the executable (`foretell --in`), judged by fresh runs.
//!
//! ```text
//! session(seed)   generated clauses in one of the two dialects, said in pieces; between them levels are
//!                 opened and closed, faults are said, checks are asked for, everything is taken back
//! judge           every check: the word of a fresh run on the text that counts, by the definition of
//!                 levels, not by the code of the conversation
//!                 with `:print-success`: each good command one `success`, each fault an error
//!                 the end: exit code 0, every mark behind a command answered
//! killed          the process that started a conversation dies during a check: nothing below it is left
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use foretell_frontends::print_chc;
use foretell_kernel::Rng;
use foretell_systems::{Atom, ChcSystem};
use foretell_terms::TermStore;

use crate::generate::{Generator, Shape};

/// The limit of one check: none of the generated ones needs it.
const LIMIT: &str = "60";
/// Nobody decides this within any of the times waited here.
const HARD: &str = "(set-logic HORN)(declare-fun p (Int Int Int) Bool)
(assert (forall ((x Int)) (p x 0 0)))
(assert (forall ((x Int) (y Int) (z Int)) (=> (p x y z) (p x (+ y 1) (+ z (* x x x))))))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (p x y z) (= (* y (+ y 7)) (+ 1000003 (* z z z)))) false)))\n(check-sat)\n";

/// What is said.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Said {
    /// A command that counts.
    Counts(String),
    /// Something wrong.
    Fault(Vec<u8>),
    Push,
    Pop,
    ResetAssertions,
    Reset,
    Check,
}

/// What came of conversations.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Figures {
    /// How many checks were compared.
    pub checks: u64,
    /// How many faults were said.
    pub faults: u64,
    /// The answers, by their words.
    pub words: BTreeMap<String, u64>,
}

impl Figures {
    /// Adds those of another conversation.
    pub fn add(&mut self, other: &Figures) {
        self.checks += other.checks;
        self.faults += other.faults;
        for (word, n) in &other.words {
            *self.words.entry(word.clone()).or_default() += n;
        }
    }
}

/// The same clauses in the rules dialect: queries derive a goal, which is asked for.
pub fn print_rules(terms: &TermStore, system: &ChcSystem) -> String {
    let mut closed = system.clone();
    let goal = closed.add_pred(terms, "goal!", &[]);
    for clause in &mut closed.clauses {
        clause.head.get_or_insert(Atom {
            pred: goal,
            args: Vec::new(),
        });
    }
    let mut out = String::new();
    for line in print_chc(terms, &closed).lines() {
        match line {
            "(set-logic HORN)" | "(assert (=> false false))" => continue,
            "(check-sat)" => out.push_str("(query goal!)"),
            _ => match line.strip_prefix("(assert ") {
                Some(rest) => out.push_str(&format!("(rule {rest}")),
                None => out.push_str(line),
            },
        }
        out.push('\n');
    }
    out
}

/// A conversation of a seed.
struct Session {
    rng: Rng,
    /// Declarations, and what states something.
    opening: Vec<String>,
    clauses: Vec<String>,
    /// The command that asks.
    goal: String,
    acknowledged: bool,
    said: Vec<Said>,
    depth: usize,
}

impl Session {
    fn generated(seed: u64) -> Session {
        let terms = TermStore::new();
        let rng = Rng::new(seed ^ 0x7a1c_0000_0000);
        let shape = match rng.below(3) {
            0 => Shape::NonLinear,
            _ => Shape::Linear,
        };
        let system = Generator::new(&terms, seed).clauses(shape);
        let text = match rng.below(3) {
            0 => print_rules(&terms, &system),
            _ => print_chc(&terms, &system),
        };
        let asks = |line: &&str| line.starts_with("(query") || line.starts_with("(check-sat");
        let states = |line: &&str| line.starts_with("(rule") || line.starts_with("(assert");
        let owned = |lines: Vec<&str>| lines.into_iter().map(str::to_owned).collect();
        let mut session = Session {
            opening: owned(text.lines().filter(|l| !asks(l) && !states(l)).collect()),
            clauses: owned(text.lines().filter(states).collect()),
            goal: text.lines().find(asks).unwrap_or_default().to_owned(),
            acknowledged: rng.below(2) == 0,
            said: Vec::new(),
            depth: 0,
            rng,
        };
        session.open();
        for _ in 0..8 + session.rng.below(12) {
            session.step();
        }
        session.said.push(Said::Check);
        session
    }

    fn open(&mut self) {
        let opening = self.opening.iter().cloned().map(Said::Counts);
        self.said.extend(opening);
    }

    fn step(&mut self) {
        match self.rng.below(24) {
            0..=8 => {
                let place = self.rng.below(self.clauses.len().max(1) as u64);
                let clause = usize::try_from(place)
                    .ok()
                    .and_then(|n| self.clauses.get(n));
                self.said.extend(clause.cloned().map(Said::Counts));
            }
            9..=11 => {
                self.said.push(Said::Push);
                self.depth += 1;
            }
            12..=14 if self.depth > 0 => {
                self.said.push(Said::Pop);
                self.depth -= 1;
            }
            15..=18 => self.said.push(Said::Check),
            19 => self.another_predicate(),
            20 if self.rng.below(3) == 0 => {
                self.said.push(Said::ResetAssertions);
                self.depth = 0;
            }
            21 if self.rng.below(3) == 0 => {
                self.said.push(Said::Reset);
                self.depth = 0;
                self.open();
            }
            _ => self.said.push(Said::Fault(self.fault())),
        }
    }

    /// A predicate that is gone with its level, and something about it.
    fn another_predicate(&mut self) {
        let (n, state) = (self.said.len(), self.goal.starts_with("(query"));
        let word = if state { "rule" } else { "assert" };
        let clause = format!("(forall ((x Int)) (=> (< x {n}) (more{n} x)))");
        self.said
            .push(Said::Counts(format!("(declare-fun more{n} (Int) Bool)")));
        self.said.push(Said::Counts(format!("({word} {clause})")));
    }

    /// Something that is wrong whatever was said before.
    fn fault(&self) -> Vec<u8> {
        let n = self.rng.below(100);
        let faults = [
            format!("(assert (nobody {n}))"),
            format!("(frobnicate {n} (\"(\" |)|))"),
            "stray".to_owned(),
            ")".to_owned(),
            "(pop 1000)".to_owned(),
            "(push -1)".to_owned(),
            "(assert)".to_owned(),
            "()".to_owned(),
            "(declare-fun)".to_owned(),
            "(declare-fun q (Nothing) Bool)".to_owned(),
            format!("(assert (forall ((x Int)) (=> (nobody x) (< x {n}))))"),
            "(check-sat now)".to_owned(),
            "(set-option)".to_owned(),
            "\"a text ( ; |\"".to_owned(),
            format!(
                "(assert {}(nobody 1){})",
                "(not ".repeat(60),
                ")".repeat(60)
            ),
            format!("(assert {})", self.soup(3)),
        ];
        let place = usize::try_from(self.rng.below(faults.len() as u64 + 1)).unwrap_or(0);
        let bytes = faults.get(place).map(|text| text.clone().into_bytes());
        bytes.unwrap_or_else(|| b"(assert (= 1 \xff\xfe\x80))".to_vec())
    }

    /// Words in balanced parentheses, one of which nobody knows.
    fn soup(&self, depth: u32) -> String {
        const WORDS: [&str; 9] = [
            "forall",
            "x",
            "((x Int))",
            "=>",
            "-1",
            "|a b|",
            "\"t\"",
            "let",
            ":key",
        ];
        let mut out = String::from("(nobody");
        for _ in 0..self.rng.below(5) {
            out.push(' ');
            match depth {
                0 => out.push('1'),
                _ if self.rng.below(3) == 0 => out.push_str(&self.soup(depth - 1)),
                _ => {
                    let place = usize::try_from(self.rng.below(9)).unwrap_or(0);
                    out.push_str(WORDS[place]);
                }
            }
        }
        out + ")"
    }

    /// All that is said, a mark behind each part.
    fn input(&self) -> Vec<u8> {
        let acknowledge = match self.acknowledged {
            true => "(set-option :print-success true)\n",
            false => "",
        };
        let mut out = acknowledge.as_bytes().to_vec();
        for (n, said) in self.said.iter().enumerate() {
            match said {
                Said::Counts(text) => out.extend_from_slice(text.as_bytes()),
                Said::Fault(bytes) => out.extend_from_slice(bytes),
                Said::Push => out.extend_from_slice(b"(push 1)"),
                Said::Pop => out.extend_from_slice(b"(pop)"),
                Said::ResetAssertions => out.extend_from_slice(b"(reset-assertions)"),
                Said::Reset => {
                    out.extend_from_slice(b"(reset)");
                    out.extend_from_slice(acknowledge.as_bytes());
                }
                Said::Check => out.extend_from_slice(self.goal.as_bytes()),
            }
            out.extend_from_slice(format!("\n(echo \"mark {n}\")\n").as_bytes());
        }
        out
    }

    /// The text that counts at each check, by the definition of levels.
    fn flattened(&self) -> Vec<(usize, String)> {
        let mut levels: Vec<Vec<&str>> = vec![Vec::new()];
        let mut checks = Vec::new();
        for (n, said) in self.said.iter().enumerate() {
            match said {
                Said::Counts(text) => levels.last_mut().into_iter().for_each(|l| l.push(text)),
                Said::Push => levels.push(Vec::new()),
                Said::Pop => drop(levels.pop()),
                Said::Reset => levels = vec![Vec::new()],
                Said::ResetAssertions => {
                    let states = |c: &&str| c.starts_with("(rule") || c.starts_with("(assert");
                    let kept = levels.concat().into_iter().filter(|c| !states(c));
                    levels = vec![kept.collect()];
                }
                Said::Check => {
                    let text = levels.concat().join("\n");
                    checks.push((n, format!("{text}\n{}\n", self.goal)));
                }
                Said::Fault(_) => {}
            }
        }
        checks
    }
}

/// Holds the conversation of a seed; what is wrong with it is an error in words. `folder` is for files.
///
/// # Errors
/// When an answer is not that of a fresh run, or the conversation ends or goes out of step.
pub fn judge(program: &Path, folder: &Path, seed: u64) -> Result<Figures, String> {
    let session = Session::generated(seed);
    let input = session.input();
    let wrong = |words: String| {
        let said = String::from_utf8_lossy(&input);
        format!("session {seed}: {words}\n{said}")
    };
    let answers = talk(program, &input, session.said.len()).map_err(wrong)?;
    let mut figures = Figures::default();
    for (n, said) in session.said.iter().enumerate() {
        let n_errors = answers[n]
            .iter()
            .filter(|l| l.starts_with("(error"))
            .count();
        let n_successes = answers[n].iter().filter(|l| *l == "success").count();
        let expected = match said {
            // Judged below.
            Said::Check => (n_errors, 0),
            Said::Fault(_) => (n_errors.max(1), 0),
            // The option that asks for acknowledgements is acknowledged too; a reset forgets that it was.
            Said::Reset => (0, 1),
            _ if n == 0 => (0, 2),
            _ => (0, 1),
        };
        figures.faults += u64::from(matches!(said, Said::Fault(_)));
        if session.acknowledged && (n_errors, n_successes) != expected {
            return Err(wrong(format!("at {n} {said:?}: {:?}", answers[n])));
        }
    }
    let mut fresh: BTreeMap<String, String> = BTreeMap::new();
    for (n, text) in session.flattened() {
        let wanted = match fresh.get(&text) {
            Some(word) => word.clone(),
            None => run(program, folder, &text).map_err(wrong)?,
        };
        let told = answers[n].last().map_or("nothing", String::as_str);
        let told = match told.strip_prefix("(error ") {
            Some(words) => code(words),
            None => told.to_owned(),
        };
        if told != wanted {
            let words = format!("at {n}: {told} instead of {wanted}\n{text}\nof");
            return Err(wrong(words));
        }
        figures.checks += 1;
        *figures.words.entry(wanted.clone()).or_default() += 1;
        fresh.insert(text, wanted);
    }
    Ok(figures)
}

/// What is answered between the marks.
fn talk(program: &Path, input: &[u8], n_marks: usize) -> Result<Vec<Vec<String>>, String> {
    let mut child = Command::new(program)
        .args(["--in", "--timeout", LIMIT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| e.to_string())?;
    let mut stdin = child.stdin.take();
    let bytes = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A conversation that ends too early is told by its missing answers.
        let _ = stdin.as_mut().map(|stdin| stdin.write_all(&bytes));
    });
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    let _ = writer.join();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut answers = vec![Vec::new()];
    for line in text.lines() {
        let mark = format!("mark {}", answers.len() - 1);
        if line == mark {
            answers.push(Vec::new());
        } else if let Some(last) = answers.last_mut() {
            last.push(line.to_owned());
        }
    }
    match (output.status.code(), answers.len() - 1) {
        (Some(0), n) if n == n_marks => Ok(answers),
        (code, n) => Err(format!("exit code {code:?} after {n} of {n_marks} marks")),
    }
}

/// The word of a run on a file.
fn run(program: &Path, folder: &Path, text: &str) -> Result<String, String> {
    let file = folder.join("flattened.smt2");
    fs::write(&file, text).map_err(|e| e.to_string())?;
    let output = Command::new(program)
        .args(["--quiet", "--timeout", LIMIT])
        .arg(&file)
        .stdin(Stdio::null())
        .output()
        .map_err(|e| e.to_string())?;
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    match (output.status.code(), out.split_whitespace().next()) {
        (Some(0 | 10 | 20), Some(word)) => Ok(word.to_owned()),
        // What is refused is refused with the same code; what is unsupported is `unknown` besides.
        (Some(3), _) => Ok(code(&String::from_utf8_lossy(&output.stderr))),
        (Some(4), _) => Ok("unknown".to_owned()),
        (code, _) => {
            let words = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(format!("a fresh run ends with {code:?}: {words}\n{text}"))
        }
    }
}

/// The code of the first finding, which stands in brackets.
fn code(words: &str) -> String {
    let codes = words.split("[E").skip(1);
    let mut codes = codes.filter_map(|rest| Some(format!("E{}", rest.split_once(']')?.0)));
    codes.next().unwrap_or_else(|| words.to_owned())
}

/// Starts a conversation from a process that is killed `after` this time, during a check; how many
/// processes there were besides it.
///
/// # Errors
/// When one of them is still there five seconds later.
pub fn killed(program: &Path, after: Duration) -> Result<usize, String> {
    let system = |e: std::io::Error| e.to_string();
    // All processes below inherit this, also those that lost their parent.
    let mark = format!("{}-{:?}", std::process::id(), Instant::now());
    // The shell stays, because something comes after the command.
    let mut client = Command::new("sh")
        .args(["-c", "\"$0\" --in; :"])
        .arg(program)
        .env("FORETELL_TEST_MARK", &mark)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(system)?;
    let mut stdin = client.stdin.take().ok_or("no pipe")?;
    stdin.write_all(HARD.as_bytes()).map_err(system)?;
    std::thread::sleep(after);
    let n_seen = marked(&mark).len();
    client.kill().map_err(system)?;
    client.wait().map_err(system)?;
    // The input stays open, as if somebody else had it too; the output goes with the client.
    drop(client.stdout.take());
    let until = Instant::now() + Duration::from_secs(5);
    loop {
        match marked(&mark).as_slice() {
            [] => return Ok(n_seen.saturating_sub(1)),
            some if Instant::now() > until => return Err(format!("left: {some:?}")),
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// The processes whose environment has this mark; of a dead one that nobody noticed the kernel tells none.
fn marked(mark: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok());
    let has_it = |id: &u32| {
        let variables = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        let mut words = variables.split(|&b| b == 0);
        words.any(|word| word == format!("FORETELL_TEST_MARK={mark}").as_bytes())
    };
    numbers.filter(has_it).collect()
}
