//! The one walker of the corpus, and the one rule for directives (`corpus/README.md`).
//!
//! Directives are the lines `; key: value` of the comment a file opens with, or of the file of the same
//! name with `.expect` added. A key is one word in lower case; one that is not known is an error, so that
//! a misspelt directive is not taken for prose.

use std::fs;
use std::path::{Path, PathBuf};

/// What the folder of a file says about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// The goal is not reachable.
    Safe,
    /// The goal is reachable.
    Unsafe,
    /// Neither verdict may be given.
    Open,
    /// The text is no problem.
    Refused,
    /// The file is no problem but a witness.
    Witness,
}

/// A file of the corpus.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its path from the folder of the corpus: `chc/safe/array_init.smt2`.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
    /// What its folder says.
    pub expected: Expected,
    directives: Vec<(String, String)>,
}

/// The folders of problems that can be read.
pub const PROBLEMS: [&str; 5] = [
    "chc/safe",
    "chc/unsafe",
    "chc/unknown",
    "vmt/safe",
    "vmt/unsafe",
];
/// The folders of texts that are refused.
pub const ERRORS: [&str; 2] = ["chc/error", "vmt/error"];

/// The folders of witnesses.
pub const WITNESSES: [&str; 2] = ["witnesses/good", "witnesses/wrong"];

const KEYS: [&str; 5] = ["engines", "property", "exit", "expect-error", "for"];

/// The root of the checkout.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// The files of a folder of the corpus, in order.
///
/// # Panics
/// When there are none, or one cannot be read.
pub fn corpus(folder: &str) -> Vec<Case> {
    let entries = fs::read_dir(root().join("corpus").join(folder));
    let entries = entries.unwrap_or_else(|e| panic!("corpus/{folder}: {e}"));
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| !name.ends_with(".expect"))
        .collect();
    names.sort();
    assert!(!names.is_empty(), "corpus/{folder} is empty");
    names
        .iter()
        .map(|name| case(&format!("{folder}/{name}")))
        .collect()
}

/// All problems that can be read.
pub fn problems() -> Vec<Case> {
    PROBLEMS.iter().flat_map(|folder| corpus(folder)).collect()
}

/// All texts that are refused.
pub fn errors() -> Vec<Case> {
    ERRORS.iter().flat_map(|folder| corpus(folder)).collect()
}

/// One file of the corpus.
///
/// # Panics
/// When it cannot be read or has an unknown directive.
pub fn case(name: &str) -> Case {
    let path = root().join("corpus").join(name);
    let bytes = fs::read(&path).unwrap_or_else(|e| panic!("corpus/{name}: {e}"));
    let beside = fs::read(root().join(format!("corpus/{name}.expect"))).unwrap_or_default();
    let mut directives = directives(&String::from_utf8_lossy(&bytes));
    directives.extend(self::directives(&String::from_utf8_lossy(&beside)));
    for (key, _) in &directives {
        assert!(
            KEYS.contains(&key.as_str()),
            "corpus/{name}: no directive is called `{key}`"
        );
    }
    Case {
        name: name.to_owned(),
        bytes,
        expected: expected(name),
        directives,
    }
}

fn expected(name: &str) -> Expected {
    match name.split('/').collect::<Vec<_>>()[..] {
        ["witnesses", ..] => Expected::Witness,
        [_, "safe", _] => Expected::Safe,
        [_, "unsafe", _] => Expected::Unsafe,
        [_, "unknown", _] => Expected::Open,
        [_, "error", _] => Expected::Refused,
        _ => panic!("corpus/{name}: its folder has no meaning"),
    }
}

fn directives(text: &str) -> Vec<(String, String)> {
    let opening = text
        .lines()
        .map(|line| line.trim_start_matches('\u{feff}').trim())
        .take_while(|line| line.is_empty() || line.starts_with(';'));
    let directive = |line: &str| {
        let (key, value) = line.strip_prefix("; ")?.split_once(": ")?;
        let word = key.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        word.then(|| (key.to_owned(), value.trim().to_owned()))
    };
    opening.filter_map(directive).collect()
}

impl Case {
    /// The value of a directive.
    pub fn directive(&self, key: &str) -> Option<&str> {
        let found = self.directives.iter().find(|(k, _)| k == key);
        found.map(|(_, value)| value.as_str())
    }

    /// The engines, or schedules, that must reach the verdict of the folder.
    pub fn engines(&self) -> impl Iterator<Item = &str> {
        let list = self.directive("engines").unwrap_or("").split(',');
        list.map(str::trim).filter(|name| !name.is_empty())
    }

    /// The number of the property the file is about, when it is about one of several.
    ///
    /// # Panics
    /// When it is no number.
    pub fn property(&self) -> Option<u64> {
        let number = self.directive("property")?.parse();
        Some(number.unwrap_or_else(|_| panic!("{}: property", self.name)))
    }

    /// The text.
    ///
    /// # Panics
    /// When it is none.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes).unwrap_or_else(|_| panic!("{}: no text", self.name))
    }

    /// The path from the root of the checkout.
    pub fn path(&self) -> String {
        format!("corpus/{}", self.name)
    }
}
