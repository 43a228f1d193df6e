//! What changed between two runs: solved, lost, faster, slower, with the noise stated.
//!
//! Times are compared on files that both runs solved. With `d = ln((after + tick) / (before +
//! tick))` on the files where one of the times reaches the floor, the noise is `1.4826 · MAD(d)`, a
//! robust standard deviation that a few real changes do not move. A file counts as faster or slower
//! only when `|d|` exceeds three times the noise and the least factor, and the times differ by the
//! floor.

use std::collections::BTreeMap;
use std::fmt::Write;

use foretell_kernel::VerdictKind;
use serde::Serialize;

use crate::error::BenchError;
use crate::row::Row;
use crate::table::Table;
use crate::tool::Certificate;

/// Resolution of processor times, in seconds.
const TICK: f64 = 0.01;
/// Differences below this many seconds are not told.
const FLOOR: f64 = 0.1;
/// Factors below this are not told.
const LEAST_FACTOR: f64 = 1.2;

/// A file whose result changed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Change {
    /// Name of the file.
    pub file: String,
    /// Result before: a verdict, or why there was none.
    pub before: String,
    /// Result after.
    pub after: String,
    /// Seconds of processor time before.
    pub(crate) seconds_before: f64,
    /// Seconds of processor time after.
    pub(crate) seconds_after: f64,
}

/// How much times scatter.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Noise {
    /// On how many files it was measured.
    pub files: usize,
    /// One standard deviation, as a factor (1.05: five percent).
    pub(crate) factor: f64,
    /// The factor from which a file counts as faster or slower.
    pub(crate) threshold: f64,
}

/// Two columns compared.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct ToolComparison {
    /// Name before.
    pub before: String,
    /// Name after.
    pub after: String,
    /// Files that both ran with the same content.
    pub common: usize,
    /// Files that only one of them ran.
    pub(crate) apart: usize,
    /// Files whose content differs between the runs; they are not compared.
    pub(crate) changed_inputs: Vec<String>,
    /// Common files solved before and after.
    pub solved: (usize, usize),
    /// Solved after, not before.
    pub(crate) gained: Vec<Change>,
    /// Solved before, not after.
    pub lost: Vec<Change>,
    /// Verdicts after that contradict the expected one or the one before.
    pub wrong: Vec<Change>,
    /// Solved in both, faster.
    pub(crate) faster: Vec<Change>,
    /// Solved in both, slower.
    pub(crate) slower: Vec<Change>,
    /// How much times scatter.
    pub(crate) noise: Noise,
    /// Geometric mean of after/before over the files that noise was measured on, with the ends of
    /// its 95 % interval.
    pub(crate) mean_factor: (f64, f64, f64),
}

/// Two runs compared.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// One entry per pair of tools.
    pub(crate) tools: Vec<ToolComparison>,
}

/// Compares two runs. Tools of the same name are compared; when there is none and each run has one
/// tool, these two. `pairs` names pairs (before, after) instead.
///
/// # Errors
/// When no pair of tools is found.
pub fn compare(
    before: Vec<Row>,
    after: Vec<Row>,
    pairs: &[(String, String)],
) -> Result<Comparison, BenchError> {
    let (before, after) = (Table::new(before), Table::new(after));
    let pairs = if pairs.is_empty() {
        pairs_of(&before, &after)
    } else {
        pairs.to_vec()
    };
    let mut tools = Vec::new();
    for (a, b) in pairs {
        let (Some(left), Some(right)) = (before.column(&a), after.column(&b)) else {
            return Err(BenchError::Options(format!(
                "no results of \"{a}\" before or \"{b}\" after"
            )));
        };
        let (left, right) = (Column::of(&before, left), Column::of(&after, right));
        tools.push(ToolComparison {
            before: a,
            after: b,
            ..compare_columns(&left, &right)
        });
    }
    if tools.is_empty() {
        return Err(BenchError::Options(
            "the runs have no tool in common; name a pair".to_owned(),
        ));
    }
    Ok(Comparison { tools })
}

fn pairs_of(before: &Table, after: &Table) -> Vec<(String, String)> {
    let same: Vec<_> = before
        .tools
        .iter()
        .filter(|t| after.column(t).is_some())
        .collect();
    match (
        same.is_empty(),
        before.tools.as_slice(),
        after.tools.as_slice(),
    ) {
        (true, [a], [b]) => vec![(a.clone(), b.clone())],
        _ => same.into_iter().map(|t| (t.clone(), t.clone())).collect(),
    }
}

/// One tool's rows by file.
struct Column<'a>(BTreeMap<&'a str, &'a Row>);

impl<'a> Column<'a> {
    fn of(table: &'a Table, column: usize) -> Self {
        let rows = table
            .files
            .iter()
            .filter_map(|f| Some((f.name.as_str(), f.cells[column].as_ref()?)));
        Column(rows.collect())
    }
}

fn compare_columns(before: &Column<'_>, after: &Column<'_>) -> ToolComparison {
    let both = paired(before, after);
    let (same, different): (Vec<_>, Vec<_>) =
        both.iter().partition(|(b, a)| b.key.sha256 == a.key.sha256);
    let pick = |keep: &dyn Fn(&Row, &Row) -> bool| -> Vec<Change> {
        same.iter()
            .filter(|(b, a)| keep(b, a))
            .map(|(b, a)| change(b, a))
            .collect()
    };
    let solved_by_both: Vec<(f64, f64)> = same
        .iter()
        .filter(|(b, a)| b.is_solved() && a.is_solved())
        .map(|(b, a)| (b.cpu, a.cpu))
        .collect();
    let (noise, mean_factor) = noise(&solved_by_both);
    let moved = |b: &Row, a: &Row| {
        let d = log_factor(b.cpu, a.cpu);
        let told = b.is_solved()
            && a.is_solved()
            && d.abs() > noise.threshold.ln()
            && (a.cpu - b.cpu).abs() >= FLOOR;
        if told { d } else { 0.0 }
    };
    ToolComparison {
        before: String::new(),
        after: String::new(),
        common: same.len(),
        apart: before.0.len() + after.0.len() - 2 * both.len(),
        changed_inputs: different.iter().map(|(b, _)| b.key.file.clone()).collect(),
        solved: (
            same.iter().filter(|(b, _)| b.is_solved()).count(),
            same.iter().filter(|(_, a)| a.is_solved()).count(),
        ),
        gained: pick(&|b, a| !b.is_solved() && a.is_solved()),
        lost: pick(&|b, a| b.is_solved() && !a.is_solved()),
        wrong: pick(&|b, a| a.is_wrong() || b.verdict.contradicts(a.verdict)),
        faster: pick(&|b, a| moved(b, a) < 0.0),
        slower: pick(&|b, a| moved(b, a) > 0.0),
        noise,
        mean_factor,
    }
}

/// The rows of the same file: of the same name, or else of the same content under a name that the
/// other run does not have (the suite was given by another path).
fn paired<'a>(before: &Column<'a>, after: &Column<'a>) -> Vec<(&'a Row, &'a Row)> {
    let renamed = after
        .0
        .iter()
        .filter(|(name, _)| !before.0.contains_key(*name));
    let mut by_content: BTreeMap<&str, &Row> = renamed
        .map(|(_, row)| (row.key.sha256.as_str(), *row))
        .collect();
    let partner = |(name, row): (&&str, &&'a Row)| {
        let other = after
            .0
            .get(name)
            .copied()
            .or_else(|| by_content.remove(row.key.sha256.as_str()))?;
        Some((*row, other))
    };
    before.0.iter().filter_map(partner).collect()
}

fn change(before: &Row, after: &Row) -> Change {
    let told = |row: &Row| match row.verdict {
        VerdictKind::Unknown => row.reason.clone().unwrap_or_else(|| "unknown".to_owned()),
        answer if row.certificate == Certificate::Failed => format!("{answer}, certificate failed"),
        answer => answer.to_string(),
    };
    Change {
        file: before.key.file.clone(),
        before: told(before),
        after: told(after),
        seconds_before: before.cpu,
        seconds_after: after.cpu,
    }
}

fn log_factor(before: f64, after: f64) -> f64 {
    ((after + TICK) / (before + TICK)).ln()
}

/// The noise of paired times, and the geometric mean of their factors with its interval.
fn noise(pairs: &[(f64, f64)]) -> (Noise, (f64, f64, f64)) {
    let long = pairs.iter().filter(|(b, a)| b.max(*a) >= FLOOR);
    let logs: Vec<f64> = long.map(|&(b, a)| log_factor(b, a)).collect();
    let centre = median(logs.clone());
    let spread = 1.4826 * median(logs.iter().map(|d| (d - centre).abs()).collect());
    let threshold = (3.0 * spread).max(LEAST_FACTOR.ln()).exp();
    let n = logs.len().max(1) as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let variance = logs.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let margin = 1.96 * (variance / n).sqrt();
    let noise = Noise {
        files: logs.len(),
        factor: spread.exp(),
        threshold,
    };
    (
        noise,
        (mean.exp(), (mean - margin).exp(), (mean + margin).exp()),
    )
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[half],
        _ => f64::midpoint(values[half - 1], values[half]),
    }
}

impl Comparison {
    /// Whether a verdict after contradicts what was expected or was said before.
    pub fn is_wrong(&self) -> bool {
        self.tools.iter().any(|tool| !tool.wrong.is_empty())
    }

    /// The comparison as text for a terminal.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for tool in &self.tools {
            // Writing to a string cannot fail.
            let _ = tool.write_text(&mut text);
        }
        text
    }
}

impl ToolComparison {
    fn write_text(&self, out: &mut String) -> std::fmt::Result {
        let name = if self.before == self.after {
            self.after.clone()
        } else {
            format!("{} -> {}", self.before, self.after)
        };
        writeln!(
            out,
            "{name}: {} files in both runs, {} in only one",
            self.common, self.apart
        )?;
        if !self.changed_inputs.is_empty() {
            writeln!(
                out,
                "  not compared, the file changed: {}",
                self.changed_inputs.len()
            )?;
        }
        let (was, is) = self.solved;
        writeln!(
            out,
            "  solved {was} -> {is} (gained {}, lost {})",
            self.gained.len(),
            self.lost.len()
        )?;
        self.write_times(out)?;
        let sections = [
            ("WRONG", &self.wrong),
            ("lost", &self.lost),
            ("gained", &self.gained),
            ("slower", &self.slower),
            ("faster", &self.faster),
        ];
        for (title, changes) in sections {
            if !changes.is_empty() {
                writeln!(out, "  {title} ({}):", changes.len())?;
            }
            for c in changes {
                let (b, a) = (c.seconds_before, c.seconds_after);
                writeln!(
                    out,
                    "    {}  {} {b:.2} s -> {} {a:.2} s",
                    c.file, c.before, c.after
                )?;
            }
        }
        Ok(())
    }

    fn write_times(&self, out: &mut String) -> std::fmt::Result {
        let (mean, low, high) = self.mean_factor;
        let Noise {
            files,
            factor,
            threshold,
        } = self.noise;
        if files == 0 {
            return writeln!(
                out,
                "  times not compared: no file solved by both takes {FLOOR} s"
            );
        }
        writeln!(
            out,
            "  time on {files} files solved by both (≥ {FLOOR} s): factor {mean:.3}, 95 % interval {low:.3}–{high:.3}"
        )?;
        writeln!(
            out,
            "  noise: one standard deviation is a factor {factor:.3}; told below: factors over {threshold:.2} that make {FLOOR} s"
        )
    }
}

#[cfg(test)]
mod tests;
