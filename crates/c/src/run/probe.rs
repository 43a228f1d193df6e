//! Short runs with guessed inputs.
//!
//! Many wrong programs fail on the first few inputs one would try: zero, one, small numbers, the
//! ends of the types. A number of runs with such inputs costs less than a query. Guesses come from a
//! generator with a fixed seed, so every run of the tool makes the same ones. What a probe finds
//! is an execution like any other.

use indexmap::IndexSet;

use super::machine::{End, Inputs, Run, execute};
use crate::program::{Group, InputId, InputValue, Op, Program, VarType};

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

/// Tries some inputs; gives back the first run that violates a check of the group.
pub fn probe(program: &Program, group: Group, runs: u32, operations: u64) -> Option<Run> {
    let fixed = [
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
        Style::Same(i128::from(i32::MAX)),
        Style::Same(i128::from(i32::MIN)),
    ];
    let spread = [
        Style::Between(0, 1),
        Style::Between(0, 3),
        Style::Between(-2, 2),
        Style::Between(-10, 10),
        Style::Between(0, 10),
        Style::Between(0, 100),
        Style::Between(0, 5000),
        Style::Between(-1000, 1000),
        Style::Between(i128::from(i32::MIN), i128::from(i32::MAX)),
    ];
    let arrays = array_sites(program);
    let mut left = operations;
    for number in 0..runs as usize {
        let style = match fixed.get(number) {
            Some(style) => *style,
            None => spread[number % spread.len()],
        };
        let seed = 0x9e37_79b9_7f4a_7c15 ^ (number as u64 + 1).wrapping_mul(0x2545_f491_4f6c_dd1d);
        let mut guesses = Guesses {
            style,
            seed,
            count: 0,
            arrays: &arrays,
        };
        // The first run is the only one where there are no inputs, so it may be long.
        let share = if number == 0 { 2 } else { 20 };
        let limit = (operations / share).min(left).max(1);
        let run = execute(program, &mut guesses, limit);
        left = left.saturating_sub(if run.end == End::Limit { limit } else { 1000 });
        if let End::Violated(check) = run.end
            && program.check(check).kind.group() == group
        {
            return Some(run);
        }
        if program.inputs.is_empty() || left == 0 {
            return None;
        }
    }
    None
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
