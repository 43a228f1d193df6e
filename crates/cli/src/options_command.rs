//! `foretell options`: engines, portfolios and settings, from their tables.

use std::fmt::Write;

use clap::Args;
use foretell_driver::{Configuration, Portfolio, registry};

use crate::exit::Exit;
use crate::streams::{answer_or_notice, notice};

/// What is listed.
#[derive(Args, Debug)]
pub(crate) struct OptionsArguments {
    /// The systems of the papers, and what they differ in.
    #[arg(long)]
    papers: bool,
}

pub(crate) fn run(arguments: &OptionsArguments) -> Exit {
    let text = match arguments.papers {
        true => papers(),
        false => text(),
    };
    let outcome = text.and_then(|text| answer_or_notice(&text));
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
    out.push_str("\nConfigurations (--engine NAME):\n");
    let plain = portfolio.configurations().filter(|c| c.about.is_none());
    for c in plain.filter(|c| !c.settings.is_empty()) {
        configuration(&mut out, c);
    }
    out.push_str("\nSystems of the papers: foretell options --papers\n");
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

/// The systems of the papers.
fn papers() -> Result<String, String> {
    let portfolio = Portfolio::built_in().map_err(|e| e.to_string())?;
    let mut out = String::from("Systems of the papers (--engine NAME):\n");
    for c in portfolio.configurations() {
        if let Some(about) = &c.about {
            configuration(&mut out, c);
            let _ = writeln!(out, "     {about}");
        }
    }
    Ok(out)
}

fn configuration(out: &mut String, c: &Configuration) {
    let settings = c.settings.join(" ");
    let _ = writeln!(out, "  {:<22} {} with {settings}", c.name, c.engine);
}
