//! `foretell options`: engines, portfolios and settings, from their tables.

use std::fmt::Write;

use foretell_driver::{Portfolio, registry};

use crate::exit::Exit;
use crate::streams::{answer_or_notice, notice};

pub(crate) fn run() -> Exit {
    let outcome = text().and_then(|text| answer_or_notice(&text));
    match outcome {
        Ok(()) => Exit::Safe,
        Err(error) => {
            notice(&error);
            Exit::Internal
        }
    }
}

pub(crate) fn text() -> Result<String, String> {
    let portfolio = Portfolio::built_in().map_err(|e| e.to_string())?;
    let mut out = String::from("Engines (--engine NAME):\n");
    for engine in registry::ENGINES {
        let _ = writeln!(out, "  {:<22} {}", engine.name, engine.about);
    }
    out.push_str("\nPortfolios (--engine NAME):\n");
    for (name, jobs, steps) in portfolio.schedules() {
        let _ = writeln!(out, "  {name:<22} from {jobs} jobs: {}", steps.join(", "));
    }
    let configured: Vec<_> = portfolio
        .configurations()
        .filter(|c| !c.settings.is_empty())
        .collect();
    if !configured.is_empty() {
        out.push_str("\nConfigurations (--engine NAME):\n");
        for c in configured {
            let _ = writeln!(
                out,
                "  {:<22} {} with {}",
                c.name,
                c.engine,
                c.settings.join(" ")
            );
        }
    }
    out.push_str("\nSettings (--set NAME=VALUE):\n");
    for option in registry::tables().iter().flat_map(|table| table.options) {
        let _ = writeln!(
            out,
            "  {} ({}, default {})",
            option.name,
            option.values,
            (option.default)()
        );
        let _ = writeln!(out, "     {}", option.doc.trim());
    }
    Ok(out)
}
