//! What a recursive function may read and change besides its own variables.

use indexmap::IndexSet;

use super::{FuncId, Op, Program, VarId};

/// What one function touches of what is not its own.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Read or written, in ascending order.
    pub touched: Vec<VarId>,
    /// Written, in ascending order.
    pub written: Vec<VarId>,
}

/// The frames of all functions.
#[derive(Clone, Debug)]
pub struct Frames {
    list: Vec<Frame>,
}

impl Frames {
    /// The frame of a function.
    pub fn of(&self, func: FuncId) -> &Frame {
        &self.list[func.index()]
    }

    /// Computes the frames, calls included, until nothing changes.
    pub fn new(program: &Program) -> Frames {
        let n = program.functions.len();
        let mut touched: Vec<IndexSet<VarId>> = vec![IndexSet::new(); n];
        let mut written: Vec<IndexSet<VarId>> = vec![IndexSet::new(); n];
        let mut calls: Vec<IndexSet<usize>> = vec![IndexSet::new(); n];
        for edge in &program.edges {
            let func = program.point(edge.from).func.index();
            for (op, _) in &edge.ops {
                reads(program, op, &mut |v| {
                    touched[func].insert(v);
                });
                if let Some(var) = target(op) {
                    touched[func].insert(var);
                    written[func].insert(var);
                }
                if let Op::Call { callee, .. } = op {
                    calls[func].insert(callee.index());
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for func in 0..n {
                for &callee in &calls[func].clone() {
                    let foreign = |set: &IndexSet<VarId>| -> Vec<VarId> {
                        let own = Some(FuncId::new(callee));
                        set.iter()
                            .copied()
                            .filter(|v| program.var(*v).owner != own)
                            .collect()
                    };
                    let (more_touched, more_written) =
                        (foreign(&touched[callee]), foreign(&written[callee]));
                    let before = touched[func].len() + written[func].len();
                    touched[func].extend(more_touched);
                    written[func].extend(more_written);
                    changed |= touched[func].len() + written[func].len() > before;
                }
            }
        }
        let foreign = |func: usize, set: &IndexSet<VarId>| {
            let own = Some(FuncId::new(func));
            let mut list: Vec<VarId> = set
                .iter()
                .copied()
                .filter(|v| program.var(*v).owner != own)
                .collect();
            list.sort_unstable();
            list
        };
        let list = (0..n)
            .map(|f| Frame {
                touched: foreign(f, &touched[f]),
                written: foreign(f, &written[f]),
            })
            .collect();
        Frames { list }
    }
}

/// The variable an operation writes itself.
pub fn target(op: &Op) -> Option<VarId> {
    match op {
        Op::Assign(v, _)
        | Op::Store(v, _, _)
        | Op::Fill(v, _)
        | Op::Copy(v, _)
        | Op::Input(v, _) => Some(*v),
        Op::Call { result, .. } => *result,
        Op::Assume(_) | Op::Check(_) => None,
    }
}

/// Calls a function on every variable an operation reads itself.
pub fn reads(program: &Program, op: &Op, visit: &mut dyn FnMut(VarId)) {
    match op {
        Op::Assume(e) | Op::Assign(_, e) => e.each_var(visit),
        Op::Store(var, indices, e) => {
            visit(*var);
            indices.iter().for_each(|i| i.each_var(visit));
            e.each_var(visit);
        }
        Op::Copy(_, from) => visit(*from),
        Op::Check(check) => program.check(*check).holds.each_var(visit),
        Op::Call { args, .. } => args.iter().for_each(|a| a.each_var(visit)),
        Op::Fill(..) | Op::Input(..) => {}
    }
}
