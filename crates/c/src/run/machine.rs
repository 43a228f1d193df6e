//! The machine: a point, a state, a stack of calls.

use std::collections::VecDeque;
use std::time::Instant;

use indexmap::IndexMap;

use super::leap::Watch;
use super::state::{Cell, State, Table};
use crate::error::Span;
use crate::program::{
    CheckId, CheckKind, Edge, FuncId, InputId, InputValue, Op, PointId, PointKind, Program, VarId,
    VarType,
};

/// Where the values of inputs come from.
pub trait Inputs {
    /// The value of the next input at this place.
    fn next(&mut self, site: InputId) -> InputValue;
}

/// Values in the order in which each place takes them; zero when there is none left.
#[derive(Clone, Debug, Default)]
pub struct Queues {
    queues: IndexMap<InputId, VecDeque<InputValue>>,
}

impl Queues {
    /// The queues of a list of inputs.
    pub fn new(inputs: &[(InputId, InputValue)]) -> Queues {
        let mut queues: IndexMap<InputId, VecDeque<InputValue>> = IndexMap::new();
        for (site, value) in inputs {
            queues.entry(*site).or_default().push_back(value.clone());
        }
        Queues { queues }
    }
}

impl Inputs for Queues {
    fn next(&mut self, site: InputId) -> InputValue {
        let queue = self.queues.get_mut(&site);
        queue
            .and_then(VecDeque::pop_front)
            .unwrap_or(InputValue::Int(0))
    }
}

/// One change of a variable.
#[derive(Clone, Debug)]
pub struct Step {
    /// The statement.
    pub span: Span,
    /// How many calls are around it.
    pub depth: usize,
    /// The variable.
    pub var: VarId,
    /// The cell, if it is an array.
    pub at: Vec<i128>,
    /// The new value.
    pub value: i128,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// This check does not hold.
    Violated(CheckId),
    /// The program ended, or an assumption did not hold.
    Finished,
    /// So many operations, or so much time, were not enough.
    Limit,
    /// A condition has no value here (a quantifier).
    Undefined,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The inputs that were taken, in order.
    pub inputs: Vec<(InputId, InputValue)>,
    /// The changes, the first and the last ones if there are many.
    pub steps: Vec<Step>,
    /// Rounds of loops that are not among the changes: how many, and before which change.
    pub skipped: Vec<(usize, i128)>,
    /// How it ended.
    pub end: End,
}

/// Changes kept at most.
const MOST_STEPS: usize = 100_000;
/// Calls inside calls at most.
const DEEPEST: usize = 50_000;

struct Call {
    back: PointId,
    func: FuncId,
    result: Option<VarId>,
    saved: Vec<(VarId, Cell)>,
}

/// Is shown every edge that was run to its end, calls excepted: the states around it and its inputs.
pub trait Witness {
    /// An edge was run.
    fn edge(
        &mut self,
        number: usize,
        before: &State,
        inputs: &[(InputId, InputValue)],
        after: &State,
    );
}

struct Machine<'a> {
    program: &'a Program,
    out: Vec<Vec<(usize, &'a Edge)>>,
    owned: Vec<Vec<VarId>>,
    state: State,
    calls: Vec<Call>,
    run: Run,
    left: u64,
    /// When the run is cut at the latest, and the edges until the clock is looked at again.
    until: Option<Instant>,
    unlooked: u32,
    watch: Watch,
}

/// Edges between two looks at the clock.
const LOOK: u32 = 4096;

/// How far a run goes.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// So many operations.
    pub operations: u64,
    /// Until then.
    pub until: Option<Instant>,
}

impl From<u64> for Limits {
    fn from(operations: u64) -> Limits {
        Limits {
            operations,
            until: None,
        }
    }
}

/// Runs a program within limits.
pub fn execute(program: &Program, inputs: &mut dyn Inputs, limits: impl Into<Limits>) -> Run {
    run(program, inputs, limits.into(), None)
}

/// Runs a program and shows every edge to a witness.
pub fn execute_before(
    program: &Program,
    inputs: &mut dyn Inputs,
    limit: u64,
    witness: &mut dyn Witness,
) -> Run {
    run(program, inputs, limit.into(), Some(witness))
}

fn run(
    program: &Program,
    inputs: &mut dyn Inputs,
    limits: Limits,
    witness: Option<&mut dyn Witness>,
) -> Run {
    let mut out: Vec<Vec<(usize, &Edge)>> = vec![Vec::new(); program.points.len()];
    for (i, edge) in program.edges.iter().enumerate() {
        out[edge.from.index()].push((i, edge));
    }
    let mut owned = vec![Vec::new(); program.functions.len()];
    for (i, var) in program.vars.iter().enumerate() {
        if let Some(owner) = var.owner {
            owned[owner.index()].push(VarId::new(i));
        }
    }
    let run = Run {
        inputs: Vec::new(),
        steps: Vec::new(),
        skipped: Vec::new(),
        end: End::Finished,
    };
    let state = State::new(program);
    let mut machine = Machine {
        program,
        out,
        owned,
        state,
        calls: Vec::new(),
        run,
        left: limits.operations,
        until: limits.until,
        unlooked: LOOK,
        watch: Watch::new(program.points.len()),
    };
    machine.run.end = machine.go(inputs, witness);
    machine.run
}

/// What an operation leads to.
enum Next {
    On,
    Stop(End),
    Call {
        callee: FuncId,
        args: Vec<i128>,
        result: Option<VarId>,
    },
}

impl<'a> Machine<'a> {
    fn go(&mut self, inputs: &mut dyn Inputs, mut witness: Option<&mut dyn Witness>) -> End {
        let mut at = self.program.functions[0].entry;
        loop {
            if let Some(back) = self.returned(at) {
                at = back;
                continue;
            }
            let (number, edge) = match self.choose(at) {
                Ok(Some(edge)) => edge,
                Ok(None) => return End::Finished,
                Err(end) => return end,
            };
            let before = witness
                .is_some()
                .then(|| (self.state.clone(), self.run.inputs.len()));
            match self.along(edge, inputs) {
                Ok(next) => at = next,
                Err(end) => return end,
            }
            if witness.is_none() {
                self.watch.edge(number);
                if self.program.point(at).kind == PointKind::LoopHead {
                    let calls = self.calls.len();
                    let leapt = self.watch.head(at, calls, self.program, &mut self.state);
                    let kept = self.run.steps.len();
                    let skipped = leapt.filter(|_| kept < MOST_STEPS);
                    self.run
                        .skipped
                        .extend(skipped.map(|rounds| (kept, rounds)));
                }
            }
            let called = matches!(edge.ops.last(), Some((Op::Call { .. }, _)));
            if let (Some(witness), Some((state, n)), false) = (&mut witness, before, called) {
                witness.edge(number, &state, &self.run.inputs[n..], &self.state);
            }
        }
    }

    /// Runs the operations of an edge and says where execution is then.
    fn along(&mut self, edge: &Edge, inputs: &mut dyn Inputs) -> Result<PointId, End> {
        if self.left <= edge.ops.len() as u64 {
            return Err(End::Limit);
        }
        self.left -= edge.ops.len() as u64 + 1;
        self.unlooked -= 1;
        if self.unlooked == 0 {
            self.unlooked = LOOK;
            if self.until.is_some_and(|until| until <= Instant::now()) {
                return Err(End::Limit);
            }
        }
        for (op, span) in &edge.ops {
            match self.step(op, *span, inputs) {
                Next::On => {}
                Next::Stop(end) => return Err(end),
                Next::Call {
                    callee,
                    args,
                    result,
                } => {
                    if self.calls.len() >= DEEPEST {
                        return Err(End::Limit);
                    }
                    self.call(callee, &args, result, edge.to);
                    return Ok(self.program.functions[callee.index()].entry);
                }
            }
        }
        Ok(edge.to)
    }

    /// The edge that execution takes from a point: the first whose assumption holds.
    fn choose(&self, at: PointId) -> Result<Option<(usize, &'a Edge)>, End> {
        let edges = &self.out[at.index()];
        for &(number, edge) in edges {
            let holds = match edge.ops.first() {
                Some((Op::Assume(e), _)) => self.state.truth(e).ok_or(End::Undefined)?,
                _ => true,
            };
            if holds {
                return Ok(Some((number, edge)));
            }
        }
        Ok(None)
    }

    /// Where execution goes on if the point is the end of the function that was called last.
    fn returned(&mut self, at: PointId) -> Option<PointId> {
        let call = self.calls.last()?;
        if self.program.functions[call.func.index()].exit != at {
            return None;
        }
        let holder = self.program.functions[call.func.index()].result;
        let value = holder.map(|var| self.state.get(var).clone());
        let call = self.calls.pop()?;
        for (var, cell) in call.saved {
            self.state.replace(var, cell);
        }
        if let (Some(result), Some(value)) = (call.result, value) {
            self.state.replace(result, value);
        }
        Some(call.back)
    }

    fn call(&mut self, callee: FuncId, args: &[i128], result: Option<VarId>, back: PointId) {
        let mut saved = Vec::new();
        for &var in &self.owned[callee.index()] {
            saved.push((var, self.state.get(var).clone()));
        }
        let params = self.program.functions[callee.index()].params.clone();
        for (param, value) in params.into_iter().zip(args) {
            self.state.replace(param, Cell::Int(*value));
        }
        self.calls.push(Call {
            back,
            func: callee,
            result,
            saved,
        });
    }

    fn step(&mut self, op: &Op, span: Span, inputs: &mut dyn Inputs) -> Next {
        match self.try_step(op, span, inputs) {
            Some(next) => next,
            None => Next::Stop(End::Undefined),
        }
    }

    fn try_step(&mut self, op: &Op, span: Span, inputs: &mut dyn Inputs) -> Option<Next> {
        match op {
            Op::Assume(e) => {
                if !self.state.truth(e)? {
                    return Some(Next::Stop(End::Finished));
                }
            }
            Op::Check(check) if self.program.check(*check).kind == CheckKind::Hint => {}
            Op::Check(check) => {
                if !self.state.truth(&self.program.check(*check).holds)? {
                    return Some(Next::Stop(End::Violated(*check)));
                }
            }
            Op::Assign(var, e) => {
                let value = self.state.number(e)?;
                self.record(span, *var, Vec::new(), value);
                self.state.set(*var, Vec::new(), value);
            }
            Op::Store(var, indices, e) => {
                let value = self.state.number(e)?;
                let at: Option<Vec<i128>> = indices.iter().map(|i| self.state.number(i)).collect();
                let at = at?;
                self.record(span, *var, at.clone(), value);
                self.state.set(*var, at, value);
            }
            Op::Fill(var, value) => {
                self.state.replace(*var, Cell::Array(Table::new(*value)));
            }
            Op::Copy(to, from) => {
                let cell = self.state.get(*from).clone();
                self.state.replace(*to, cell);
            }
            Op::Input(var, site) => {
                let value = inputs.next(*site);
                let ty = self.program.var(*var).ty;
                self.state.take(*var, ty, &value);
                if let (VarType::Int(_), Cell::Int(n)) = (ty, self.state.get(*var)) {
                    let n = *n;
                    self.run.inputs.push((*site, InputValue::Int(n)));
                    self.record(span, *var, Vec::new(), n);
                } else {
                    self.run.inputs.push((*site, value));
                }
            }
            Op::Call {
                callee,
                args,
                result,
            } => {
                let args: Option<Vec<i128>> = args.iter().map(|a| self.state.number(a)).collect();
                return Some(Next::Call {
                    callee: *callee,
                    args: args?,
                    result: *result,
                });
            }
        }
        Some(Next::On)
    }

    fn record(&mut self, span: Span, var: VarId, at: Vec<i128>, value: i128) {
        if self.run.steps.len() < MOST_STEPS {
            let depth = self.calls.len();
            self.run.steps.push(Step {
                span,
                depth,
                var,
                at,
                value,
            });
        }
    }
}
