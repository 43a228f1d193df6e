//! All clauses of a program for a group.

use foretell_systems::{Atom, ChcSystem, Clause, Pred};
use foretell_terms::{Sort, Term, TermStore};
use indexmap::{IndexMap, IndexSet};

use super::clause::Draft;
use super::ints::Reader;
use super::{ClauseKind, EncodeOptions, Encoded, PredKind, Ranges, Slot, sort_of};
use crate::error::Span;
use crate::program::frame::Frames;
use crate::program::live::{is_dead, live, step_back};
use crate::program::{CheckKind, Edge, Expr, FuncId, InputId, Op, PointId, Program, VarId};

struct Encoder<'a> {
    program: &'a Program,
    terms: &'a TermStore,
    frames: Frames,
    live: Vec<Vec<VarId>>,
    points: IndexMap<PointId, Pred>,
    pre: IndexMap<FuncId, Pred>,
    sum: IndexMap<FuncId, Pred>,
    out: Encoded,
}

/// Encodes a program for a group of checks.
pub fn encode(program: &Program, options: EncodeOptions, terms: &TermStore) -> Encoded {
    let frames = Frames::new(program);
    let live = live(program, &frames);
    let out = Encoded {
        system: ChcSystem::default(),
        preds: Vec::new(),
        clauses: Vec::new(),
        options,
    };
    let mut encoder = Encoder {
        program,
        terms,
        frames,
        live,
        points: IndexMap::new(),
        pre: IndexMap::new(),
        sum: IndexMap::new(),
        out,
    };
    encoder.predicates();
    encoder.enter();
    for (i, edge) in program.edges.iter().enumerate() {
        if encoder.points.contains_key(&edge.from) {
            encoder.edge(i, edge);
        }
    }
    encoder.leave();
    encoder.out
}

impl Encoder<'_> {
    /// The points that can be reached by edges and calls.
    fn reachable(&self) -> Vec<bool> {
        let mut seen = vec![false; self.program.points.len()];
        let mut out: Vec<Vec<&Edge>> = vec![Vec::new(); seen.len()];
        for edge in &self.program.edges {
            out[edge.from.index()].push(edge);
        }
        let mut work = vec![self.program.functions[0].entry];
        while let Some(point) = work.pop() {
            if std::mem::replace(&mut seen[point.index()], true) {
                continue;
            }
            for edge in &out[point.index()] {
                work.push(edge.to);
                if let Some((Op::Call { callee, .. }, _)) = edge.ops.last() {
                    work.push(self.program.functions[callee.index()].entry);
                }
            }
        }
        seen
    }

    /// What a function gets from outside: parameters, then what it touches.
    fn given(&self, func: FuncId) -> Vec<VarId> {
        let function = &self.program.functions[func.index()];
        function
            .params
            .iter()
            .chain(&self.frames.of(func).touched)
            .copied()
            .collect()
    }

    fn predicates(&mut self) {
        let seen = self.reachable();
        for (i, point) in self.program.points.iter().enumerate() {
            if !seen[i] {
                continue;
            }
            let id = PointId::new(i);
            let mut slots = Vec::new();
            if point.func.index() > 0 {
                slots.extend(self.given(point.func).into_iter().map(Slot::Entry));
            }
            slots.extend(self.live[i].iter().copied().map(Slot::Now));
            let location = self.program.source.location(point.span);
            let function = &self.program.functions[point.func.index()].name;
            let name = format!("{function}@{}:{}#{i}", location.line, location.column);
            let pred = self.declare(&name, PredKind::Point(id), slots);
            self.points.insert(id, pred);
        }
        for i in 1..self.program.functions.len() {
            let func = FuncId::new(i);
            let function = &self.program.functions[i];
            if !seen[function.entry.index()] {
                continue;
            }
            let given: Vec<Slot> = self.given(func).into_iter().map(Slot::Entry).collect();
            let pre = self.declare(
                &format!("{}/pre#{i}", function.name),
                PredKind::Pre(func),
                given.clone(),
            );
            let mut slots = given;
            slots.extend(self.frames.of(func).written.iter().copied().map(Slot::Now));
            slots.extend(function.result.map(Slot::Now));
            let sum = self.declare(
                &format!("{}/sum#{i}", function.name),
                PredKind::Sum(func),
                slots,
            );
            self.pre.insert(func, pre);
            self.sum.insert(func, sum);
        }
    }

    fn declare(&mut self, name: &str, kind: PredKind, slots: Vec<Slot>) -> Pred {
        let sorts: Vec<Sort> = slots
            .iter()
            .map(|slot| {
                let (Slot::Now(var) | Slot::Entry(var)) = slot;
                sort_of(self.terms, self.program.var(*var).ty)
            })
            .collect();
        let pred = self.out.system.add_pred(self.terms, name, &sorts);
        self.out.preds.push((kind, slots));
        pred
    }

    fn draft(&self) -> Draft<'_> {
        Draft::new(self.terms, self.program, self.out.options.ranges)
    }

    fn line(&self, span: Span) -> u32 {
        self.program.source.line(span)
    }

    /// The start of the program and of each function.
    fn enter(&mut self) {
        for (i, function) in self.program.functions.iter().enumerate() {
            let Some(&pred) = self.points.get(&function.entry) else {
                continue;
            };
            let mut draft = self.draft();
            let mut entry = Vec::new();
            if i > 0 {
                let func = FuncId::new(i);
                for var in self.given(func) {
                    let term = draft.var(var);
                    entry.push(term);
                }
                draft.body.push(Atom {
                    pred: self.pre[&func],
                    args: entry.clone(),
                });
            }
            let args = self.arguments(function.entry, &entry, &mut draft);
            let (clause, inputs) =
                draft.finish(Some(Atom { pred, args }), None, self.line(function.span));
            self.out.system.clauses.push(clause);
            self.out.clauses.push((ClauseKind::Enter, inputs));
        }
    }

    /// The end of each function.
    fn leave(&mut self) {
        for i in 1..self.program.functions.len() {
            let (func, function) = (FuncId::new(i), &self.program.functions[i]);
            let (Some(&pred), Some(&sum)) = (self.points.get(&function.exit), self.sum.get(&func))
            else {
                continue;
            };
            let mut draft = self.draft();
            let entry = self.entry_terms(func, &draft);
            let args = self.arguments(function.exit, &entry, &mut draft);
            draft.body.push(Atom { pred, args });
            let mut args = entry;
            for &var in self.frames.of(func).written.iter().chain(&function.result) {
                args.push(draft.var(var));
            }
            let head = Atom { pred: sum, args };
            let (clause, inputs) = draft.finish(Some(head), None, self.line(function.span));
            self.out.system.clauses.push(clause);
            self.out.clauses.push((ClauseKind::Leave(func), inputs));
        }
    }

    /// New variables for the values at the entry of a function.
    fn entry_terms(&self, func: FuncId, draft: &Draft<'_>) -> Vec<Term> {
        if func.index() == 0 {
            return Vec::new();
        }
        self.given(func)
            .into_iter()
            .map(|v| draft.fresh(v))
            .collect()
    }

    fn arguments(&self, point: PointId, entry: &[Term], draft: &mut Draft<'_>) -> Vec<Term> {
        let now = self.live[point.index()].iter().map(|v| draft.var(*v));
        let mut args = entry.to_vec();
        args.extend(now);
        args
    }

    fn edge(&mut self, number: usize, edge: &Edge) {
        let func = self.program.point(edge.from).func;
        let mut draft = self.draft();
        let entry = self.entry_terms(func, &draft);
        let args = self.arguments(edge.from, &entry, &mut draft);
        draft.body.push(Atom {
            pred: self.points[&edge.from],
            args,
        });
        let mut made = Vec::new();
        let mut line = self.line(self.program.point(edge.from).span);
        let dead = self.dead(edge);
        for ((op, span), dead) in edge.ops.iter().zip(dead) {
            line = self.line(*span);
            match op {
                _ if dead => {}
                Op::Check(id) => {
                    let check = self.program.check(*id);
                    let (holds, fails) = draft.goal(&check.holds);
                    if check.kind.group() == self.out.options.group {
                        made.push((
                            ClauseKind::Query(*id),
                            draft.finish(None, Some(fails), self.line(check.span)),
                        ));
                    }
                    if let Some(holds) = holds.filter(|_| assumed(self.out.options, check.kind)) {
                        draft.constraint.push(holds);
                    }
                }
                Op::Call {
                    callee,
                    args,
                    result,
                } => {
                    let reached = self.call_on(&mut draft, (*callee, args), *result, line);
                    made.push((ClauseKind::CallOn(number), reached));
                }
                other => draft.step(other),
            }
        }
        let args = self.arguments(edge.to, &entry, &mut draft);
        let head = Atom {
            pred: self.points[&edge.to],
            args,
        };
        made.push((
            ClauseKind::Edge(number),
            draft.finish(Some(head), None, line),
        ));
        for (kind, (clause, inputs)) in made {
            if !self.terms.is_false(clause.constraint) {
                self.out.system.clauses.push(clause);
                self.out.clauses.push((kind, inputs));
            }
        }
    }

    /// A call: its arguments reach the function, and its summary says what comes back.
    fn call_on(
        &self,
        draft: &mut Draft<'_>,
        (callee, args): (FuncId, &[Expr]),
        result: Option<VarId>,
        line: u32,
    ) -> (Clause, Vec<(InputId, Term)>) {
        let mut actual: Vec<Term> = args.iter().map(|a| draft.number(a)).collect();
        for &var in &self.frames.of(callee).touched {
            actual.push(draft.var(var));
        }
        let head = Atom {
            pred: self.pre[&callee],
            args: actual.clone(),
        };
        let reached = draft.finish(Some(head), None, line);
        for &var in &self.frames.of(callee).written {
            let after = draft.fresh(var);
            draft.now.insert(var, after);
            actual.push(after);
        }
        if let Some(holder) = self.program.functions[callee.index()].result {
            let value = draft.fresh(holder);
            actual.push(value);
            if let Some(result) = result {
                draft.now.insert(result, value);
            }
        }
        draft.body.push(Atom {
            pred: self.sum[&callee],
            args: actual,
        });
        reached
    }

    /// For each operation of an edge, whether nobody reads what it gives.
    fn dead(&self, edge: &Edge) -> Vec<bool> {
        let mut live: IndexSet<VarId> = self.live[edge.to.index()].iter().copied().collect();
        let mut dead = Vec::new();
        for (op, _) in edge.ops.iter().rev() {
            dead.push(is_dead(op, &live));
            step_back(self.program, &self.frames, op, &mut live);
        }
        dead.reverse();
        dead
    }
}

/// Whether a check that was passed is assumed afterwards.
pub(super) fn assumed(options: EncodeOptions, kind: CheckKind) -> bool {
    if kind == CheckKind::Hint {
        // What nobody proves here is not assumed.
        return kind.group() == options.group;
    }
    kind != CheckKind::Range || options.ranges == Ranges::All || kind.group() == options.group
}
