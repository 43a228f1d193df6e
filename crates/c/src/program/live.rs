//! Which variables may still be read behind a point.
//!
//! Backward data flow over the edges until nothing changes. A call reads what its callee's frame
//! reads, and what it changes only perhaps; checks read what their conditions read.

use indexmap::IndexSet;

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
    sets.into_iter()
        .map(|set| {
            let mut list: Vec<VarId> = set.into_iter().collect();
            list.sort_unstable();
            list
        })
        .collect()
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
