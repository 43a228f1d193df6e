//! One self-contained HTML page and a CSV file from results.
//!
//! The page carries the results as JSON and draws everything in the browser, so it can filter and
//! sort; it needs no network and opens from disk. Charts are drawn by uPlot, embedded from
//! `assets/uplot`.

use std::fs;
use std::path::{Component, Path, PathBuf};

use foretell_kernel::VerdictKind;
use serde_json::{Value, json};

use crate::emit::write_file;
use crate::error::BenchError;
use crate::journal;
use crate::row::Row;
use crate::table::Table;
use crate::tool::Certificate;

const PAGE: &str = include_str!("../assets/page.html");

/// What a report was made of and where it is.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The page.
    pub html: PathBuf,
    /// The same results as comma-separated values.
    pub csv: PathBuf,
    /// A few lines for the terminal: solved per tool, contradictions first.
    pub summary: String,
    /// Lines of results that are no rows: `file:line`.
    pub skipped: Vec<String>,
}

/// Makes a report of result folders (or files). It is written to `target`, a `.html` file, or into
/// the first folder.
///
/// # Errors
/// When results cannot be read or the report cannot be written.
pub fn report(sources: &[PathBuf], target: Option<&Path>) -> Result<Report, BenchError> {
    let first = sources
        .first()
        .ok_or_else(|| BenchError::Options("no results given".to_owned()))?;
    let html = target.map_or_else(|| folder_of(first).join("report.html"), Path::to_owned);
    let csv = html.with_extension("csv");
    let mut rows = Vec::new();
    let mut skipped = Vec::new();
    for source in sources {
        let loaded = journal::load(source)?;
        skipped.extend(loaded.skipped);
        let link = Link::new(folder_of(source), folder_of(&html));
        rows.extend(loaded.rows.into_iter().map(|row| Row {
            log: row.log.map(|l| link.to(&l)),
            page: row.page.map(|p| link.to(&p)),
            ..row
        }));
    }
    let meta = meta(&rows);
    let table = Table::new(rows);
    write_file(&html, &page(&table, &meta))?;
    write_file(&csv, &comma_separated(&table))?;
    Ok(Report {
        html,
        csv,
        summary: summary(&table),
        skipped,
    })
}

/// The folder of a path: itself when it is one.
fn folder_of(path: &Path) -> &Path {
    let parent = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    if path.is_dir() { path } else { parent }
}

/// Where logs and pages are as seen from the report.
struct Link(String);

impl Link {
    fn new(source: &Path, page: &Path) -> Link {
        let real = |p: &Path| fs::canonicalize(p).unwrap_or_else(|_| p.to_owned());
        let (source, page) = (real(source), real(page));
        let names = |p: &Path| -> Vec<String> {
            p.components()
                .filter(|c| matches!(c, Component::Normal(_)))
                .map(|c| c.as_os_str().to_string_lossy().into_owned())
                .collect()
        };
        let (from, to) = (names(&page), names(&source));
        let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        let up = from[common..].iter().map(|_| "..".to_owned());
        Link(
            up.chain(to[common..].iter().cloned())
                .map(|part| part + "/")
                .collect(),
        )
    }

    fn to(&self, log: &str) -> String {
        let path = format!("{}{log}", self.0);
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./~".contains(&b);
        let encode = |b: u8| {
            if plain(b) {
                char::from(b).to_string()
            } else {
                format!("%{b:02X}")
            }
        };
        path.bytes().map(encode).collect()
    }
}

/// One line about when, where and under which limits.
fn meta(rows: &[Row]) -> String {
    let unique = |values: Vec<String>| {
        let set: std::collections::BTreeSet<String> = values.into_iter().collect();
        set.into_iter().collect::<Vec<_>>().join(", ")
    };
    let limits = unique(
        rows.iter()
            .map(|r| format!("{} s", r.key.timeout_ms as f64 / 1000.0))
            .collect(),
    );
    let memory = unique(
        rows.iter()
            .filter_map(|r| Some(format!("{} MB", r.key.memory_limit? >> 20)))
            .collect(),
    );
    let jobs = unique(rows.iter().map(|r| r.jobs.to_string()).collect());
    let machines = unique(rows.iter().map(|r| r.machine.clone()).collect());
    let times = || rows.iter().map(|r| r.time);
    let (from, to) = (
        date(times().min().unwrap_or(0)),
        date(times().max().unwrap_or(0)),
    );
    let memory = if memory.is_empty() {
        String::new()
    } else {
        format!(", memory limit {memory}")
    };
    format!("{from} to {to} UTC · time limit {limits}{memory} · {jobs} at once · {machines}")
}

/// `2026-11-15 10:20` from seconds since 1970 (proleptic Gregorian calendar, days counted from
/// March).
fn date(seconds: u64) -> String {
    let days = (seconds / 86_400) as i64 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute) = (seconds / 3600 % 24, seconds / 60 % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

/// The page with everything in it.
fn page(table: &Table, meta: &str) -> String {
    // `<` never appears in the data, so no result can end the script element.
    let data = page_data(table, meta).to_string().replace('<', "\\u003c");
    let parts = [
        (
            "/*UPLOT_CSS*/",
            include_str!("../assets/uplot/uPlot.min.css"),
        ),
        ("/*PAGE_CSS*/", include_str!("../assets/page.css")),
        (
            "/*UPLOT_JS*/",
            include_str!("../assets/uplot/uPlot.iife.min.js"),
        ),
        ("/*PAGE_JS*/", include_str!("../assets/page.js")),
        ("/*DATA*/", &data),
    ];
    parts.iter().fold(PAGE.to_owned(), |page, (mark, text)| {
        page.replacen(mark, text, 1)
    })
}

/// The results in the compact form that the page's script reads.
fn page_data(table: &Table, meta: &str) -> Value {
    let sets = table.sets();
    let number = |verdict: VerdictKind| match verdict {
        VerdictKind::Safe => 0,
        VerdictKind::Unsafe => 1,
        VerdictKind::Unknown => 2,
    };
    let cell = |row: &Row| {
        let certificate = match row.certificate {
            Certificate::None => 0,
            Certificate::Checked => 1,
            Certificate::Failed => 2,
        };
        json!([
            number(row.verdict),
            row.wall,
            row.cpu,
            row.peak,
            certificate,
            row.reason,
            row.log,
            row.page
        ])
    };
    let rows = || table.files.iter().flat_map(|f| f.cells.iter().flatten());
    let files: Vec<Value> = table
        .files
        .iter()
        .map(|file| {
            let set = sets.binary_search(&file.set).unwrap_or(0);
            let cells: Vec<Value> = file
                .cells
                .iter()
                .map(|c| c.as_ref().map_or(Value::Null, cell))
                .collect();
            json!([
                file.name,
                set,
                number(file.expected.unwrap_or(VerdictKind::Unknown)),
                cells
            ])
        })
        .collect();
    let tools: Vec<Value> = table
        .tools
        .iter()
        .map(|name| {
            let command = rows()
                .find(|r| r.key.tool == *name)
                .map_or("", |r| r.key.command.as_str());
            json!({"name": name, "command": command})
        })
        .collect();
    let limit = rows().map(|r| r.key.timeout_ms).max().unwrap_or(1000) as f64 / 1000.0;
    json!({"meta": meta, "limit": limit, "tools": tools, "sets": sets, "files": files})
}

/// All results, one line each, with a header.
fn comma_separated(table: &Table) -> String {
    let mut text = String::from(
        "tool,file,set,expected,verdict,reason,certificate,exit,wall,cpu,peak,timeout,sha256,program,command\n",
    );
    for row in table.files.iter().flat_map(|f| f.cells.iter().flatten()) {
        let fields = [
            row.key.tool.clone(),
            row.key.file.clone(),
            row.set.clone(),
            row.expected
                .map(VerdictKind::name)
                .unwrap_or_default()
                .to_owned(),
            row.verdict.to_string(),
            row.reason.clone().unwrap_or_default(),
            format!("{:?}", row.certificate).to_lowercase(),
            row.exit.map(|e| e.to_string()).unwrap_or_default(),
            row.wall.to_string(),
            row.cpu.to_string(),
            row.peak.to_string(),
            (row.key.timeout_ms as f64 / 1000.0).to_string(),
            row.key.sha256.clone(),
            row.key.program.clone(),
            row.key.command.clone(),
        ];
        text.push_str(&fields.map(|f| field(&f)).join(","));
        text.push('\n');
    }
    text
}

/// A field of comma-separated values.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A few lines for the terminal.
pub(crate) fn summary(table: &Table) -> String {
    let mut text = String::new();
    for file in table
        .files
        .iter()
        .filter(|f| f.is_contradictory() || f.has_failed_certificate())
    {
        let told = file
            .cells
            .iter()
            .zip(&table.tools)
            .filter_map(|(cell, tool)| {
                let row = cell.as_ref().filter(|r| r.verdict.is_answer())?;
                let failed = if row.certificate == Certificate::Failed {
                    " (certificate failed)"
                } else {
                    ""
                };
                Some(format!("{tool} {}{failed}", row.verdict))
            });
        let told: Vec<String> = told.collect();
        let expected = file
            .expected
            .map(|e| format!(" (expected {e})"))
            .unwrap_or_default();
        text.push_str(&format!(
            "CONTRADICTION {}{expected}: {}\n",
            file.name,
            told.join(", ")
        ));
    }
    for (column, tool) in table.tools.iter().enumerate() {
        let rows: Vec<&Row> = table
            .files
            .iter()
            .filter_map(|f| f.cells[column].as_ref())
            .collect();
        let count = |test: &dyn Fn(&Row) -> bool| rows.iter().filter(|r| test(r)).count();
        text.push_str(&format!(
            "{tool}: {} of {} solved ({} safe, {} unsafe), {} wrong, {} timeouts\n",
            count(&Row::is_solved),
            rows.len(),
            count(&|r| r.is_solved() && r.verdict == VerdictKind::Safe),
            count(&|r| r.is_solved() && r.verdict == VerdictKind::Unsafe),
            count(&Row::is_wrong),
            count(&|r| r.reason.as_deref() == Some("timeout")),
        ));
    }
    text
}

#[cfg(test)]
mod tests;
