//! Reads files and says what they are: `cargo run -p foretell-frontends --example read -- FILES`.
//!
//! With `--print` the problem is printed as SMT-LIB HORN or VMT-LIB instead.

use std::io::Write;

use foretell_frontends::{Problem, print_chc, print_vmt, read};
use foretell_smtlib::{LineIndex, Severity};
use foretell_terms::TermStore;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut print = false;
    for path in std::env::args().skip(1) {
        if path == "--print" {
            print = true;
            continue;
        }
        let bytes = std::fs::read(&path)?;
        let terms = TermStore::new();
        let start = std::time::Instant::now();
        let result = read(&bytes, &terms);
        let seconds = start.elapsed().as_secs_f64();
        let (diagnostics, input) = match result {
            Ok(input) => (input.warnings.clone(), Some(input)),
            Err(diagnostics) => (diagnostics, None),
        };
        match &input {
            None => writeln!(out, "{path}: refused {seconds:.3}")?,
            Some(input) if print => {
                let text = match &input.problem {
                    Problem::Chc(system) => print_chc(&terms, system),
                    Problem::Vmt { system, properties } => print_vmt(&terms, system, properties),
                };
                out.write_all(text.as_bytes())?;
                continue;
            }
            Some(input) => {
                let valid = match &input.problem {
                    Problem::Chc(system) => system.validate(&terms),
                    Problem::Vmt { system, .. } => system.validate(&terms),
                };
                let (format, info) = (input.format.name(), &input.info);
                writeln!(
                    out,
                    "{path}: {format} {seconds:.3} {:?} {:?} {:?} {valid:?}",
                    info.counts, info.features, info.sorts
                )?;
            }
        }
        let lines = LineIndex::new(&bytes);
        for diagnostic in diagnostics {
            let at = lines.position(&bytes, diagnostic.span.start);
            let severity = if diagnostic.severity == Severity::Error {
                "error"
            } else {
                "warning"
            };
            let (line, column) = (at.line, at.column);
            writeln!(
                out,
                "  {path}:{line}:{column}: {severity}[{}] {} {:?}",
                diagnostic.code, diagnostic.message, diagnostic.notes
            )?;
        }
    }
    Ok(())
}
