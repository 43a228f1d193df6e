//! Rows of values, and the strips of arrays: the same cells in every step.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use foretell_systems::plain::Plain;
use foretell_terms::{TermStore, Value};

use crate::model::{Cell, Change, Role, Row, Weight};
use crate::relevant::Part;
use crate::relevant::run::Chosen;
use crate::values::{listed, value};

/// At most so many cells of an array are shown; those that nothing happens to go first.
const MOST_CELLS: usize = 40;
/// At most so many indices of a variable are kept on the way.
const MOST_SPELLED: usize = 400;

/// The value of a variable in a step, before it is text.
#[derive(Clone)]
pub(super) struct Draft {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) plain: Plain,
    /// What a play made of it.
    pub(super) part: Option<(Part, Chosen)>,
    /// The cells that are read.
    pub(super) reads: Vec<Vec<Plain>>,
}

impl Draft {
    /// A value nobody has played.
    pub(super) fn new(name: &str, role: Role, plain: Plain) -> Draft {
        Draft {
            name: name.to_owned(),
            role,
            plain,
            part: None,
            reads: Vec::new(),
        }
    }

    /// Notes that a cell is read.
    pub(super) fn read(&mut self, terms: &TermStore, at: &[Value]) {
        let at: Vec<Plain> = at.iter().map(|v| Plain::of(terms, v)).collect();
        if !self.reads.contains(&at) {
            self.reads.push(at);
        }
    }

    /// The indices that are spelled out.
    fn indices(&self, terms: &TermStore) -> Vec<Vec<Plain>> {
        let Plain::Table(table) = &self.plain else {
            return Vec::new();
        };
        let mut all: Vec<Vec<Plain>> = table.cells.iter().map(|(at, _)| at.clone()).collect();
        if let Some((Part::Array(array), _)) = &self.part {
            let spelled = array.cells.keys();
            all.extend(spelled.map(|at| at.iter().map(|v| Plain::of(terms, v)).collect()));
        }
        all.extend(self.reads.iter().cloned());
        all
    }

    /// The value of a cell.
    fn at(&self, index: &[Plain]) -> Option<&Plain> {
        let Plain::Table(table) = &self.plain else {
            return None;
        };
        let own = table.cells.iter().find(|(at, _)| at == index);
        own.map(|(_, v)| v).or(table.rest.as_deref())
    }

    fn weight(&self) -> Weight {
        match &self.part {
            None => Weight::Chosen,
            Some((part, chosen)) => weight(part, *chosen),
        }
    }

    /// Whether a cell matters; `None` is the rest.
    fn weight_at(&self, terms: &TermStore, index: Option<&[Plain]>) -> Weight {
        let Some((part, chosen)) = &self.part else {
            return Weight::Chosen;
        };
        let Part::Array(array) = part else {
            return weight(part, *chosen);
        };
        let own = |at: &Vec<Value>| {
            let at: Vec<Plain> = at.iter().map(|v| Plain::of(terms, v)).collect();
            Some(at.as_slice()) == index
        };
        let cell = array.cells.iter().find(|(at, _)| own(at));
        weight(cell.map_or(&array.rest, |(_, part)| part), *chosen)
    }
}

fn weight(part: &Part, chosen: Chosen) -> Weight {
    match (part, chosen) {
        (Part::Unknown(_) | Part::Open, _) => Weight::Any,
        (_, Chosen::Yes) => Weight::Chosen,
        (_, Chosen::No) => Weight::Follows,
    }
}

/// The rows of all steps. `before` says which earlier step a step is compared with.
pub(super) fn rows(
    terms: &TermStore,
    steps: &[Vec<Draft>],
    before: &dyn Fn(usize) -> Option<usize>,
) -> Vec<Vec<Row>> {
    let mut all: BTreeMap<&str, Vec<Vec<Plain>>> = BTreeMap::new();
    for draft in steps.iter().flatten() {
        let own = all.entry(&draft.name).or_default();
        own.extend(draft.indices(terms));
        if own.len() > MOST_SPELLED {
            tidy(own);
        }
    }
    all.values_mut().for_each(tidy);
    let mut done: Vec<Vec<Row>> = Vec::new();
    for (number, drafts) in steps.iter().enumerate() {
        let earlier = before(number).and_then(|n| done.get(n));
        let row = |draft: &Draft| {
            let last = earlier.and_then(|rows| rows.iter().find(|r| r.name == draft.name));
            let indices = all.get(draft.name.as_str());
            row(terms, draft, last, indices.map_or(&[], Vec::as_slice))
        };
        done.push(drafts.iter().map(row).collect());
    }
    drop_still_cells(&mut done);
    done
}

/// Sorts indices, and keeps each once, and not more than can be shown.
fn tidy(indices: &mut Vec<Vec<Plain>>) {
    indices.sort_by(|a, b| order(a, b));
    indices.dedup();
    indices.truncate(MOST_SPELLED / 2);
}

fn order(a: &[Plain], b: &[Plain]) -> Ordering {
    let pairs = a.iter().zip(b);
    let each = pairs.map(|(a, b)| match (a, b) {
        (Plain::Number(a), Plain::Number(b)) => a.cmp(b),
        (Plain::BitVec { bits: a, .. }, Plain::BitVec { bits: b, .. }) => a.cmp(b),
        _ => value(a).cmp(&value(b)),
    });
    each.fold(Ordering::Equal, Ordering::then)
}

fn row(terms: &TermStore, draft: &Draft, last: Option<&Row>, indices: &[Vec<Plain>]) -> Row {
    let text = value(&draft.plain);
    let change = match last {
        None => Change::First,
        Some(last) if last.value == text => Change::Same,
        Some(_) => Change::Changed,
    };
    let cell = |at: String, value: String, weight: Weight, read: bool| {
        let old = last.and_then(|row| row.cells.iter().find(|c| c.at == at));
        let change = match old {
            None => Change::First,
            Some(old) if old.value == value => Change::Same,
            Some(_) => Change::Changed,
        };
        Cell {
            at,
            value,
            change,
            weight,
            read,
        }
    };
    let mut cells = Vec::new();
    if let Plain::Table(table) = &draft.plain {
        for index in indices {
            let Some(plain) = draft.at(index) else {
                continue;
            };
            let weight = draft.weight_at(terms, Some(index));
            let read = draft.reads.contains(index);
            cells.push(cell(listed(index, ","), value(plain), weight, read));
        }
        if let Some(rest) = &table.rest {
            let weight = draft.weight_at(terms, None);
            cells.push(cell("else".to_owned(), value(rest), weight, false));
        }
    }
    Row {
        name: draft.name.clone(),
        role: draft.role,
        value: text,
        change,
        weight: draft.weight(),
        cells,
    }
}

/// Where an array has many cells, those that nothing happens to are left out, in all steps alike.
fn drop_still_cells(steps: &mut [Vec<Row>]) {
    let long = |row: &&Row| row.cells.len() > MOST_CELLS;
    let names: Vec<String> = steps
        .iter()
        .flatten()
        .filter(long)
        .map(|r| r.name.clone())
        .collect();
    for name in names {
        let mut kept: Vec<String> = Vec::new();
        for row in steps.iter().flatten().filter(|r| r.name == name) {
            let moved = |c: &&Cell| c.change == Change::Changed || c.read;
            for cell in row.cells.iter().filter(moved) {
                if kept.len() < MOST_CELLS && !kept.contains(&cell.at) {
                    kept.push(cell.at.clone());
                }
            }
        }
        for row in steps.iter_mut().flatten().filter(|r| r.name == name) {
            row.cells.retain(|c| c.at == "else" || kept.contains(&c.at));
        }
    }
}
