//! What a run found, how and why: data, and one page to look at.
//!
//! ```text
//! check ── Recorder (an observer) ── Record ─┐
//! report of the driver ──────────────────────┼─ gather ▸ Report ─┬─ JSON
//! original text ─────────────────────────────┘                   └─ page: one HTML file
//! ```
//!
//! Nothing here decides anything: a page is made after the answer was printed, from what was checked, and
//! an error in it costs the page only. Names and texts of inputs are escaped wherever they are shown.
//!
//! Reading order: [`model`] (the data), `record` (what is kept during a run), `gather` (data from a run;
//! `gather/words.rs` makes formulas readable), `relevant` (which values of a counterexample matter),
//! `page` (HTML), `bound` (how large it may become).

mod bound;
mod gather;
pub mod model;
mod page;
mod record;
mod relevant;
mod values;

pub use gather::{About, of_check, of_failure, of_program, of_refusal};
pub use model::Report;
pub use page::page;
pub use record::{Record, Recorder};
pub use values::{cells, listed, value};

/// The JSON text of a report, within the size that reports may have.
pub fn json(report: &Report) -> String {
    bound::within(report, |short| {
        serde_json::to_string_pretty(short).unwrap_or_default() + "\n"
    })
}

/// Reads the JSON text of a report.
///
/// # Errors
/// What is wrong with it.
pub fn read(text: &[u8]) -> Result<Report, String> {
    let report: Report = serde_json::from_slice(text).map_err(|e| e.to_string())?;
    match report.schema == model::SCHEMA {
        true => Ok(report),
        false => Err(format!(
            "the field `schema` must say {}, which `--report=FILE.json` writes",
            model::SCHEMA
        )),
    }
}
