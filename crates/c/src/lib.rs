//! C programs: read, executed, turned into Horn clauses; answers in the words of C.
//!
//! ```text
//! bytes ─ text ─▶ tokens with origin ─ syntax ─▶ tree ─ check ─▶ Program ─ encode ─▶ ChcSystem
//!                                                     │    ▲                          │
//!                                                     ▼    └── lift: invariants, ◀────┘
//!                                                    run        executions
//! ```
//!
//! Reading order: [`text`], [`syntax`], [`program`], [`check`], [`run`], [`encode`], [`lift`],
//! [`print`].

pub mod check;
pub mod encode;
pub mod error;
pub mod lift;
pub mod print;
pub mod program;
pub mod run;
pub mod syntax;
pub mod text;

use error::Located;
use program::Program;

pub use check::{Annotations, ClaimedInvariant, Settings};
pub use text::Files;

/// Stack for reading: the parser and the lowering are recursive; the guard bounds their depth.
const STACK: usize = 256 << 20;

/// Reads a C program.
///
/// Contract: the program satisfies [`Program::validate`]. Nothing outside of `files` is read and
/// nothing is executed.
pub fn read(
    name: &str,
    bytes: &[u8],
    files: &(dyn Files + Sync),
    settings: &Settings,
) -> Result<Program, Located> {
    let work = || {
        let text::Preprocessed {
            text,
            source,
            annotations,
        } = text::preprocess(name, bytes, files)?;
        let unit = match syntax::parse(&text) {
            Ok(unit) => unit,
            Err(trouble) => return Err(trouble.located(&source)),
        };
        check::lower(unit, source, &annotations, settings)
            .map(program::constants::put_in)
            .map(program::cells::split_arrays)
            .map_err(|(source, trouble)| trouble.located(&source))
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => Err(no_thread(name)),
        }
    })
}

fn no_thread(name: &str) -> Located {
    let location = text::Location {
        file: name.to_owned(),
        line: 1,
        column: 1,
        offset: 0,
    };
    Located {
        code: error::Code::Limit,
        message: "no memory for a thread to read in".to_owned(),
        location,
    }
}
