//! Conversations with the executable by the hundred, and some whose client is killed.

use std::io;
use std::path::Path;
use std::time::Duration;

use foretell_testkit::sessions::{Figures, judge, killed};

/// After so many conversations a client is killed.
const KILL: u64 = 10;

/// What conversations came to.
#[derive(Debug, Default)]
pub struct Talked {
    /// How many were held.
    pub sessions: u64,
    /// How many clients were killed, and the processes there were below them.
    pub kills: (u64, usize),
    /// What the checks said.
    pub figures: Figures,
    /// What was wrong, in words.
    pub findings: Vec<String>,
}

/// Holds conversations `from`, `from` + 1, …, in all `n`; `folder` is for files.
///
/// # Errors
/// When the folder cannot be made.
pub fn talk(
    program: &Path,
    folder: &Path,
    (from, n): (u64, u64),
    tell: &mut dyn FnMut(&Talked),
) -> io::Result<Talked> {
    std::fs::create_dir_all(folder)?;
    let mut talked = Talked::default();
    for seed in from..from + n {
        match judge(program, folder, seed) {
            Ok(figures) => talked.figures.add(&figures),
            Err(words) => talked.findings.push(words),
        }
        talked.sessions += 1;
        if seed % KILL == 0 {
            // From before the first worker to the middle of a check.
            let after = Duration::from_millis(seed * 37 % 1000);
            match killed(program, after) {
                Ok(below) => talked.kills = (talked.kills.0 + 1, talked.kills.1 + below),
                Err(words) => talked
                    .findings
                    .push(format!("killed after {after:?}: {words}")),
            }
        }
        tell(&talked);
    }
    Ok(talked)
}
