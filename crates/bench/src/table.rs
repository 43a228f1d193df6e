//! Results as a table: one line per file, one column per tool.

use std::collections::{BTreeMap, BTreeSet};

use foretell_kernel::VerdictKind;

use crate::row::Row;
use crate::tool::Certificate;

/// All results, the newest of each tool on each file.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Table {
    /// Names of the tools, sorted.
    pub tools: Vec<String>,
    /// The files, sorted by name.
    pub files: Vec<FileLine>,
}

/// The results of all tools on one file.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct FileLine {
    /// Name of the file.
    pub name: String,
    /// Its set.
    pub set: String,
    /// The verdict it should have.
    pub expected: Option<VerdictKind>,
    /// One cell per tool of the table.
    pub cells: Vec<Option<Row>>,
}

impl FileLine {
    /// Whether two tools, or a tool and the expectation, answer differently.
    pub(crate) fn is_contradictory(&self) -> bool {
        let answers = self
            .cells
            .iter()
            .flatten()
            .map(|r| r.verdict)
            .chain(self.expected);
        let answers: BTreeSet<VerdictKind> = answers.filter(|v| v.is_answer()).collect();
        answers.len() > 1
    }

    /// Whether a tool's certificate failed.
    pub(crate) fn has_failed_certificate(&self) -> bool {
        self.cells
            .iter()
            .flatten()
            .any(|r| r.certificate == Certificate::Failed)
    }
}

impl Table {
    /// Makes the table; of several rows of one tool on one file the newest counts, the last at a
    /// tie.
    pub(crate) fn new(rows: Vec<Row>) -> Table {
        let tools: BTreeSet<String> = rows.iter().map(|r| r.key.tool.clone()).collect();
        let tools: Vec<String> = tools.into_iter().collect();
        let mut files: BTreeMap<String, FileLine> = BTreeMap::new();
        for row in rows {
            let line = files
                .entry(row.key.file.clone())
                .or_insert_with(|| FileLine {
                    name: row.key.file.clone(),
                    set: row.set.clone(),
                    expected: None,
                    cells: vec![None; tools.len()],
                });
            line.expected = row.expected.or(line.expected);
            let Ok(column) = tools.binary_search(&row.key.tool) else {
                continue;
            };
            let cell = &mut line.cells[column];
            if cell.as_ref().is_none_or(|old| old.time <= row.time) {
                *cell = Some(row);
            }
        }
        Table {
            tools,
            files: files.into_values().collect(),
        }
    }

    /// The column of a tool.
    pub(crate) fn column(&self, tool: &str) -> Option<usize> {
        self.tools.iter().position(|t| t == tool)
    }

    /// The names of all sets, sorted.
    pub(crate) fn sets(&self) -> Vec<String> {
        self.files
            .iter()
            .map(|f| f.set.clone())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    }
}
