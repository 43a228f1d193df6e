//! The C files of the corpus: refused by the right code, or read and executed.

use std::path::{Path, PathBuf};

use foretell_c::program::{Group, Program};
use foretell_c::run::{Effort, probe};
use foretell_c::text::NoFiles;
use foretell_c::{Settings, read};

fn effort(runs: u32, operations: u64) -> Effort {
    Effort {
        runs,
        operations,
        long: 0,
        until: None,
    }
}

fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus/c")
        .join(folder);
    let list = std::fs::read_dir(root).expect("the folder of the corpus");
    let mut paths: Vec<PathBuf> = list.map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{folder} is empty");
    paths
}

fn load(path: &Path) -> Result<Program, foretell_c::error::Located> {
    let bytes = std::fs::read(path).expect("a file of the corpus");
    read(
        &path.to_string_lossy(),
        &bytes,
        &NoFiles,
        &Settings::default(),
    )
}

#[test]
fn errors_have_their_code() {
    for path in files("error") {
        let text = std::fs::read_to_string(&path).expect("text");
        let expected = text
            .lines()
            .next()
            .and_then(|l| l.strip_prefix("// expect: "));
        let expected = expected.expect("the first line names the code");
        match load(&path) {
            Ok(_) => panic!("{} was read", path.display()),
            Err(error) => assert_eq!(error.code.as_str(), expected, "{error}"),
        }
    }
}

#[test]
fn nothing_fails_in_safe_programs() {
    for path in files("safe") {
        let program = load(&path).unwrap_or_else(|e| panic!("{e}"));
        program.validate().expect("a well-formed program");
        for group in Group::ALL {
            if let Some(run) = probe(&program, group, effort(60, 1_000_000)) {
                panic!("{}: {} fails: {:?}", path.display(), group.name(), run.end);
            }
        }
    }
}

#[test]
fn something_fails_in_unsafe_programs() {
    for path in files("unsafe") {
        let program = load(&path).unwrap_or_else(|e| panic!("{e}"));
        let found = Group::ALL
            .iter()
            .find_map(|g| probe(&program, *g, effort(200, 4_000_000)));
        assert!(found.is_some(), "{} runs", path.display());
    }
}
