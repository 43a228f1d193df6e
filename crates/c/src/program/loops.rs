//! Loops of the automaton: which points belong to one, and what it changes.

use indexmap::IndexSet;

use super::frame::{Frames, target};
use super::{Edge, Op, PointId, PointKind, Program, VarId};

/// Marks the points that a way goes back to: the targets of back edges of a depth-first search.
pub fn mark_heads(program: &mut Program) {
    let n = program.points.len();
    let mut out: Vec<Vec<PointId>> = vec![Vec::new(); n];
    for edge in &program.edges {
        out[edge.from.index()].push(edge.to);
    }
    // 0: not seen, 1: on the stack, 2: done.
    let mut state = vec![0u8; n];
    let entries: Vec<PointId> = program.functions.iter().map(|f| f.entry).collect();
    for entry in entries {
        let mut stack = vec![(entry, 0usize)];
        state[entry.index()] = 1;
        while let Some((point, next)) = stack.pop() {
            let Some(&to) = out[point.index()].get(next) else {
                state[point.index()] = 2;
                continue;
            };
            stack.push((point, next + 1));
            match state[to.index()] {
                0 => {
                    state[to.index()] = 1;
                    stack.push((to, 0));
                }
                1 if program.points[to.index()].kind == PointKind::Join => {
                    program.points[to.index()].kind = PointKind::LoopHead;
                }
                _ => {}
            }
        }
    }
}

/// The edges inside the natural loop of a head.
///
/// An edge into the head is a back edge if its source cannot be reached around the head; the loop is
/// what reaches such a source without passing the head.
fn edges_of(program: &Program, head: PointId) -> Vec<&Edge> {
    let entry = program.functions[program.point(head).func.index()].entry;
    let mut around: IndexSet<PointId> = IndexSet::new();
    let mut work = vec![entry];
    while let Some(point) = work.pop() {
        if point != head && around.insert(point) {
            work.extend(
                program
                    .edges
                    .iter()
                    .filter(|e| e.from == point)
                    .map(|e| e.to),
            );
        }
    }
    let mut inside: IndexSet<PointId> = IndexSet::from([head]);
    let back = program
        .edges
        .iter()
        .filter(|e| e.to == head && !around.contains(&e.from));
    let mut work: Vec<PointId> = back.map(|e| e.from).collect();
    while let Some(point) = work.pop() {
        if inside.insert(point) {
            work.extend(
                program
                    .edges
                    .iter()
                    .filter(|e| e.to == point)
                    .map(|e| e.from),
            );
        }
    }
    program
        .edges
        .iter()
        .filter(|e| inside.contains(&e.from) && inside.contains(&e.to))
        .collect()
}

/// The variables that a loop may change, in ascending order.
pub fn changed_in(program: &Program, frames: &Frames, head: PointId) -> Vec<VarId> {
    let mut changed: IndexSet<VarId> = IndexSet::new();
    for edge in edges_of(program, head) {
        for (op, _) in &edge.ops {
            changed.extend(target(op));
            if let Op::Call { callee, .. } = op {
                changed.extend(frames.of(*callee).written.iter().copied());
            }
        }
    }
    let mut list: Vec<VarId> = changed.into_iter().collect();
    list.sort_unstable();
    list
}
