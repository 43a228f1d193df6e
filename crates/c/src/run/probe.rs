//! Short runs with guessed inputs.
//!
//! Many wrong programs fail on the first few inputs one would try: zero, one, small numbers, the
//! ends of the types, and the numbers that the program itself mentions. A number of runs with such inputs
//! costs less than a query. Guesses come from a generator with a fixed seed, so every run of the tool makes
//! the same ones. Where short runs did not get to an end, a few long ones follow: loops over arrays of
//! fixed, large size. What a probe finds is an execution like any other.

use std::time::Instant;

use indexmap::IndexSet;

use super::machine::{End, Inputs, Limits, Run, execute};
use crate::program::{Expr, Group, InputId, InputValue, Op, Program, VarType};

/// How inputs are guessed in one run.
#[derive(Clone, Copy, Debug)]
enum Style {
    /// Always this number.
    Same(i128),
    /// One more each time.
    Counting(i128),
    /// Between these two numbers.
    Between(i128, i128),
}

struct Guesses<'a> {
    style: Style,
    seed: u64,
    count: i128,
    /// The places that take arrays of one dimension.
    arrays: &'a IndexSet<InputId>,
}

/// Cells of an array that get guesses of their own.
const CELLS: i128 = 24;

impl Guesses<'_> {
    /// The next number of a xorshift generator.
    fn random(&mut self) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        self.seed
    }
}

impl Guesses<'_> {
    fn number(&mut self) -> i128 {
        self.count += 1;
        match self.style {
            Style::Same(n) => n,
            Style::Counting(start) => start + self.count,
            Style::Between(low, high) => {
                let width = u64::try_from(high - low + 1).unwrap_or(u64::MAX);
                low + i128::from(self.random() % width)
            }
        }
    }
}

impl Inputs for Guesses<'_> {
    fn next(&mut self, site: InputId) -> InputValue {
        if !self.arrays.contains(&site) {
            return InputValue::Int(self.number());
        }
        let cells = (0..CELLS).map(|i| (vec![i], self.number())).collect();
        InputValue::Array(self.number(), cells)
    }
}

/// How many runs there are, and how long they may be.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Short runs.
    pub runs: u32,
    /// Operations of all short runs together.
    pub operations: u64,
    /// Operations of one long run; no long runs if none.
    pub long: u64,
    /// Runs are cut then.
    pub until: Option<Instant>,
}

/// Inputs of the first runs.
const FIXED: [Style; 12] = [
    Style::Same(0),
    Style::Same(1),
    Style::Same(2),
    Style::Same(-1),
    Style::Same(5),
    Style::Same(10),
    Style::Same(100),
    Style::Same(1000),
    Style::Counting(0),
    Style::Counting(-3),
    Style::Same(i32::MAX as i128),
    Style::Same(i32::MIN as i128),
];

/// Numerals of the program that are tried as inputs.
const MOST_NUMERALS: usize = 24;

/// Inputs of the next runs: what the program mentions, from small to large, and its neighbours.
fn numerals(program: &Program) -> Vec<Style> {
    let mut found = IndexSet::new();
    let mut work: Vec<&Expr> = program.checks.iter().map(|c| &c.holds).collect();
    for (op, _) in program.edges.iter().flat_map(|e| &e.ops) {
        match op {
            Op::Assume(e) | Op::Assign(_, e) | Op::Store(_, _, e) => work.push(e),
            Op::Call { args, .. } => work.extend(args),
            Op::Fill(..) | Op::Copy(..) | Op::Input(..) | Op::Check(_) => {}
        }
    }
    while let Some(e) = work.pop() {
        if let Expr::Int(n) = e
            && n.abs() < i128::from(i32::MAX)
        {
            found.extend([*n, n + 1, n - 1]);
        }
        work.extend(e.children());
    }
    found.sort_by_key(|n| n.abs());
    let known = |n: &i128| {
        FIXED
            .iter()
            .any(|style| matches!(style, Style::Same(m) if m == n))
    };
    found.retain(|n| !known(n));
    found
        .into_iter()
        .take(MOST_NUMERALS)
        .map(Style::Same)
        .collect()
}

/// Inputs of the runs after them, in turns.
const SPREAD: [Style; 9] = [
    Style::Between(0, 1),
    Style::Between(0, 3),
    Style::Between(-2, 2),
    Style::Between(-10, 10),
    Style::Between(0, 10),
    Style::Between(0, 100),
    Style::Between(0, 5000),
    Style::Between(-1000, 1000),
    Style::Between(i32::MIN as i128, i32::MAX as i128),
];

/// Inputs of long runs.
const LONG: [Style; 4] = [
    Style::Between(-10, 10),
    Style::Same(0),
    Style::Counting(0),
    Style::Between(0, 100_000),
];

struct Probe<'a> {
    program: &'a Program,
    group: Group,
    arrays: IndexSet<InputId>,
    until: Option<Instant>,
}

impl Probe<'_> {
    fn run(&self, style: Style, number: u64, limit: u64) -> Run {
        let seed = 0x9e37_79b9_7f4a_7c15 ^ (number + 1).wrapping_mul(0x2545_f491_4f6c_dd1d);
        let mut guesses = Guesses {
            style,
            seed,
            count: 0,
            arrays: &self.arrays,
        };
        let limits = Limits {
            operations: limit,
            until: self.until,
        };
        execute(self.program, &mut guesses, limits)
    }

    fn violates(&self, run: &Run) -> bool {
        matches!(run.end, End::Violated(check)
            if self.program.check(check).kind.group() == self.group)
    }
}

/// Tries some inputs; gives back the first run that violates a check of the group.
pub fn probe(program: &Program, group: Group, effort: Effort) -> Option<Run> {
    let arrays = array_sites(program);
    let probe = Probe {
        program,
        group,
        arrays,
        until: effort.until,
    };
    let (mut left, mut cut) = (effort.operations, false);
    let mut own = numerals(program).into_iter();
    for number in 0..u64::from(effort.runs) {
        let place = usize::try_from(number).unwrap_or(0);
        let style = match FIXED.get(place) {
            Some(style) => *style,
            // In turns: a large number may make a run long, and the others must have theirs.
            None if place.is_multiple_of(2) => own.next().unwrap_or(SPREAD[place % SPREAD.len()]),
            None => SPREAD[place % SPREAD.len()],
        };
        // The first run is the only one where there are no inputs, so it may be long.
        let share = if number == 0 { 2 } else { 20 };
        let limit = (effort.operations / share).min(left).max(1);
        let run = probe.run(style, number, limit);
        cut |= run.end == End::Limit;
        left = left.saturating_sub(if run.end == End::Limit { limit } else { 1000 });
        if probe.violates(&run) {
            return Some(run);
        }
        if program.inputs.is_empty() || left == 0 {
            break;
        }
    }
    if !cut || effort.long == 0 {
        return None;
    }
    // Without inputs all runs are the same.
    let n = if program.inputs.is_empty() {
        1
    } else {
        LONG.len()
    };
    let runs = (0u64..).zip(&LONG[..n]);
    let mut runs =
        runs.map(|(i, style)| probe.run(*style, u64::from(effort.runs) + i, effort.long));
    runs.find(|run| probe.violates(run))
}

/// The places that take arrays of one dimension.
fn array_sites(program: &Program) -> IndexSet<InputId> {
    let mut sites = IndexSet::new();
    for (op, _) in program.edges.iter().flat_map(|e| &e.ops) {
        if let Op::Input(var, site) = op
            && matches!(program.var(*var).ty, VarType::Array(_, 1))
        {
            sites.insert(*site);
        }
    }
    sites
}

#[cfg(test)]
mod tests {
    use super::{Effort, probe};
    use crate::program::Group;
    use crate::text::NoFiles;
    use crate::{Settings, read};

    #[test]
    fn numbers_of_the_program_are_tried() {
        let effort = Effort {
            runs: 40,
            operations: 100_000,
            long: 0,
            until: None,
        };
        for condition in ["x == 4711", "x > 4711 && x < 4713", "x + 1 == -4711"] {
            let text = format!(
                "extern int nondet_int(void);\nvoid reach_error() {{}}\n\
                 int main() {{ int x = nondet_int(); if ({condition}) reach_error(); }}"
            );
            let program = read("x.c", text.as_bytes(), &NoFiles, &Settings::default());
            let found = probe(&program.expect("C"), Group::Assert, effort);
            assert!(found.is_some(), "{condition}");
        }
    }
}
