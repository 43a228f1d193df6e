//! Runs the real executable and reads the corpus.

#![allow(dead_code, reason = "each test file uses a part of this")]
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run gave.
pub(crate) struct Outcome {
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
    /// The exit code; `None` when it died of a signal.
    pub(crate) code: Option<i32>,
}

impl Outcome {
    /// The first line of standard output.
    pub(crate) fn first(&self) -> &str {
        self.stdout.lines().next().unwrap_or("")
    }
}

/// The root of the checkout.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .unwrap()
        .to_owned()
}

/// A command of the executable, with reproducers in a folder of the build.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foretell"));
    command
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::null());
    command.env("TMPDIR", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// Runs the executable in the root of the checkout.
pub(crate) fn foretell(arguments: &[&str]) -> Outcome {
    let output = command(arguments).output().unwrap();
    Outcome {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code(),
    }
}

/// A folder for files of one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A file of the corpus with its directives.
pub(crate) struct Case {
    /// The path from the root.
    pub(crate) path: String,
    directives: Vec<(String, String)>,
}

impl Case {
    /// The value of a directive.
    pub(crate) fn directive(&self, key: &str) -> Option<&str> {
        self.directives
            .iter()
            .find(|(k, _)| k == key)
            .map(|(_, value)| value.as_str())
    }

    /// The arguments that select the property the file is about.
    pub(crate) fn property(&self) -> Vec<&str> {
        self.directive("property")
            .map_or_else(Vec::new, |number| vec!["--property", number])
    }
}

/// The files of a folder of the corpus, in order.
pub(crate) fn corpus(folder: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = std::fs::read_dir(root().join("corpus").join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_none_or(|e| e != "expect"))
        .map(|path| read_case(&path))
        .collect();
    cases.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(!cases.is_empty(), "corpus/{folder} is empty");
    cases
}

fn read_case(path: &Path) -> Case {
    let mut expect = path.as_os_str().to_owned();
    expect.push(".expect");
    let mut bytes = std::fs::read(path).unwrap();
    bytes.push(b'\n');
    bytes.extend(std::fs::read(expect).unwrap_or_default());
    let text = String::from_utf8_lossy(&bytes);
    let directive = |line: &str| {
        let line = line.trim_start_matches('\u{feff}').trim();
        let (key, value) = line.strip_prefix("; ")?.split_once(": ")?;
        Some((key.to_owned(), value.trim().to_owned()))
    };
    let directives = text.lines().filter_map(directive).collect();
    let path = path
        .strip_prefix(root())
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    Case { path, directives }
}
