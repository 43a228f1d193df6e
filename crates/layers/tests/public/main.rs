//! The array layers over IC3 on the corpus, through the product's pipeline: every answer is checked on the
//! original text.

mod cells;
mod prophecy;

use foretell_testkit::{Certified, Plan, RunLimits, case, must, solve};

/// What an engine with settings may ask.
fn plan(engine: &str, settings: &[&str], queries: u64) -> Plan {
    let limits = RunLimits {
        queries,
        ..RunLimits::NONE
    };
    Plan::new(engine).with(settings).within(limits)
}

/// The certificate of the answer on a file of the corpus, which is that of its folder.
#[track_caller]
fn solved(file: &str, engine: &str, settings: &[&str]) -> String {
    must(&case(file), &plan(engine, settings, 20_000)).words
}

/// What is said after so many queries.
fn limited(file: &str, engine: &str, settings: &[&str], queries: u64) -> Certified {
    solve(case(file).text(), &plan(engine, settings, queries))
}
