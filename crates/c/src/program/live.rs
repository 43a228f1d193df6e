//! Which variables may still be read behind a point, or are needed to say what an array holds.
//!
//! Backward data flow over the edges until nothing changes. A call reads what its callee's frame
//! reads, and what it changes only perhaps; checks read what their conditions read.
//!
//! A variable that gets its value once and then says where an array is written stays live with the array:
//!
//! ```text
//! s[n - 1] = 0;  while (s[i] != 0) i++;      i < n ∧ s[n - 1] = 0     and without n:  ∃m. i ≤ m ∧ s[m] = 0
//! ```

use indexmap::{IndexMap, IndexSet};

use super::frame::Frames;
use super::{Op, Program, VarId};

/// For each point, the live variables in ascending order.
pub fn live(program: &Program, frames: &Frames) -> Vec<Vec<VarId>> {
    let mut sets: Vec<IndexSet<VarId>> = vec![IndexSet::new(); program.points.len()];
    for (id, function) in program.functions.iter().enumerate() {
        let exit = &mut sets[function.exit.index()];
        if id > 0 {
            exit.extend(frames.of(super::FuncId::new(id)).written.iter().copied());
            exit.extend(function.result);
        }
    }
    settle(program, frames, &mut sets);
    if keep_witnesses(program, &mut sets) > 0 {
        settle(program, frames, &mut sets);
    }
    sets.into_iter()
        .map(|set| {
            let mut list: Vec<VarId> = set.into_iter().collect();
            list.sort_unstable();
            list
        })
        .collect()
}

/// Carries what is live against the direction of the edges until nothing changes.
fn settle(program: &Program, frames: &Frames, sets: &mut [IndexSet<VarId>]) {
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); program.points.len()];
    for (i, edge) in program.edges.iter().enumerate() {
        into[edge.to.index()].push(i);
    }
    let mut work: Vec<usize> = (0..program.edges.len()).collect();
    while let Some(i) = work.pop() {
        let edge = &program.edges[i];
        let mut live = sets[edge.to.index()].clone();
        for (op, _) in edge.ops.iter().rev() {
            step_back(program, frames, op, &mut live);
        }
        let from = &mut sets[edge.from.index()];
        let before = from.len();
        from.extend(live);
        if from.len() > before {
            work.extend(&into[edge.from.index()]);
        }
    }
}

/// Adds the variables that say where a live array was written; gives how many were added.
fn keep_witnesses(program: &Program, sets: &mut [IndexSet<VarId>]) -> usize {
    let (writes, out) = (writes(program), targets(program));
    let exits: IndexSet<usize> = program.functions.iter().map(|f| f.exit.index()).collect();
    let mut added = 0;
    for edge in &program.edges {
        for (op, _) in &edge.ops {
            let Op::Store(array, indices, _) = op else {
                continue;
            };
            let mut witnesses = IndexSet::new();
            for index in indices {
                index.each_var(&mut |v| {
                    if writes.get(&v) == Some(&1) {
                        witnesses.insert(v);
                    }
                });
            }
            if witnesses.is_empty() {
                continue;
            }
            for point in behind(&out, edge.to.index()) {
                if !exits.contains(&point) && sets[point].contains(array) {
                    added += witnesses.iter().filter(|&&v| sets[point].insert(v)).count();
                }
            }
        }
    }
    added
}

/// How often each variable gets a value in the text.
fn writes(program: &Program) -> IndexMap<VarId, usize> {
    let mut writes: IndexMap<VarId, usize> = IndexMap::new();
    for (op, _) in program.edges.iter().flat_map(|edge| &edge.ops) {
        let var = match op {
            Op::Assign(var, _) | Op::Fill(var, _) | Op::Copy(var, _) | Op::Input(var, _) => *var,
            Op::Call {
                result: Some(var), ..
            } => *var,
            Op::Store(..) | Op::Assume(_) | Op::Check(_) | Op::Call { .. } => continue,
        };
        *writes.entry(var).or_default() += 1;
    }
    writes
}

/// For each point, the points that its edges go to.
fn targets(program: &Program) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); program.points.len()];
    for edge in &program.edges {
        out[edge.from.index()].push(edge.to.index());
    }
    out
}

/// The points that can be reached from a point, itself included.
fn behind(out: &[Vec<usize>], from: usize) -> IndexSet<usize> {
    let mut found = IndexSet::from([from]);
    let mut next = 0;
    while let Some(&point) = found.get_index(next) {
        next += 1;
        found.extend(out[point].iter().copied());
    }
    found
}

/// The live variables in front of an operation from those behind it.
pub fn step_back(program: &Program, frames: &Frames, op: &Op, live: &mut IndexSet<VarId>) {
    let read = |expr: &super::Expr, live: &mut IndexSet<VarId>| {
        expr.each_var(&mut |v| {
            live.insert(v);
        });
    };
    match op {
        Op::Assume(e) => read(e, live),
        Op::Assign(var, e) => {
            // A dead assignment reads nothing.
            if live.shift_remove(var) {
                read(e, live);
            }
        }
        Op::Store(var, indices, e) => {
            if live.contains(var) {
                read(e, live);
                indices.iter().for_each(|i| read(i, live));
            }
        }
        Op::Fill(var, _) | Op::Input(var, _) => {
            live.shift_remove(var);
        }
        Op::Copy(to, from) => {
            if live.shift_remove(to) {
                live.insert(*from);
            }
        }
        Op::Check(check) => read(&program.check(*check).holds, live),
        Op::Call {
            callee,
            args,
            result,
        } => {
            if let Some(result) = result {
                live.shift_remove(result);
            }
            args.iter().for_each(|a| read(a, live));
            live.extend(frames.of(*callee).touched.iter().copied());
        }
    }
}

/// Whether an operation only gives a value to a variable that nobody reads behind it.
pub fn is_dead(op: &Op, live: &IndexSet<VarId>) -> bool {
    match op {
        Op::Assign(var, _) | Op::Store(var, ..) | Op::Fill(var, _) | Op::Copy(var, _) => {
            !live.contains(var)
        }
        Op::Assume(_) | Op::Input(..) | Op::Check(_) | Op::Call { .. } => false,
    }
}
