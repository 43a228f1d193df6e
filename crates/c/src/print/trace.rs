//! An execution as source lines with the values they change.

use crate::error::Span;
use crate::program::{Origin, Program, VarId};
use crate::run::{End, Run, Step};

/// One line of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The line of the source.
    pub line: u32,
    /// How many calls are around it.
    pub depth: usize,
    /// The statement, on one line.
    pub statement: String,
    /// What changes, as `x = 1`, or what goes wrong.
    pub values: String,
}

/// Lines kept at each end of a trace.
const KEPT: usize = 40;

/// The trace of a run: what changes a variable of the source, and what goes wrong at the end.
///
/// A long trace keeps its two ends; the gap says how many lines it stands for.
pub fn trace(program: &Program, run: &Run) -> Vec<Line> {
    let steps = run.steps.iter().enumerate();
    let (numbers, shown): (Vec<usize>, Vec<&Step>) =
        steps.filter(|(_, s)| visible(program, s.var)).unzip();
    let mut lines: Vec<Line> = Vec::new();
    let mut skipped = run.skipped.iter().peekable();
    for (i, step) in shown.iter().enumerate() {
        if shown.len() > 2 * KEPT && i == KEPT {
            lines.push(gap(format!("… {} more lines", shown.len() - 2 * KEPT)));
        }
        while let Some((_, rounds)) = skipped.next_if(|(before, _)| *before <= numbers[i]) {
            lines.push(gap(format!("… {rounds} more rounds of the loop")));
        }
        if shown.len() > 2 * KEPT && i >= KEPT && i < shown.len() - KEPT {
            continue;
        }
        let values = format!("{} = {}", place(program, step), step.value);
        match lines.last_mut() {
            Some(last)
                if i > 0
                    && shown[i - 1].span == step.span
                    && last.line > 0
                    && !loops(&values, last) =>
            {
                last.values = format!("{}, {values}", last.values);
            }
            _ => lines.push(line(program, step.span, step.depth, values)),
        }
    }
    for (_, rounds) in skipped {
        lines.push(gap(format!("… {rounds} more rounds of the loop")));
    }
    if let End::Violated(check) = run.end {
        let check = program.check(check);
        lines.push(line(
            program,
            check.span,
            0,
            format!("fails: {}", check.kind.words()),
        ));
    }
    lines
}

/// A line for what is left out.
fn gap(words: String) -> Line {
    Line {
        line: 0,
        depth: 0,
        statement: words,
        values: String::new(),
    }
}

/// Whether a change belongs to the next round of a one-line loop rather than to the same line.
fn loops(values: &str, last: &Line) -> bool {
    let name = values.split(" =").next().unwrap_or(values);
    last.values
        .split(", ")
        .any(|known| known.split(" =").next() == Some(name))
}

fn visible(program: &Program, var: VarId) -> bool {
    !matches!(program.var(var).origin, Origin::Made)
}

fn place(program: &Program, step: &Step) -> String {
    let at: Vec<String> = step.at.iter().map(ToString::to_string).collect();
    program.var(step.var).place(&at)
}

fn line(program: &Program, span: Span, depth: usize, values: String) -> Line {
    Line {
        line: program.source.line(span),
        depth,
        statement: statement(program, span),
        values,
    }
}

/// The words of a statement on one line, without what hangs below it.
fn statement(program: &Program, span: Span) -> String {
    let words = program.source.words(span).unwrap_or("");
    let mut text = String::new();
    for word in words.split_whitespace() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
        if text.len() > 60 {
            text.truncate(
                text.char_indices()
                    .take(60)
                    .last()
                    .map_or(0, |(i, c)| i + c.len_utf8()),
            );
            text.push('…');
            break;
        }
    }
    text
}
