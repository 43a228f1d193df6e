//! Points and edges under construction.

use crate::error::Span;
use crate::program::{Edge, Expr, FuncId, Op, Point, PointId, PointKind};

/// The automaton so far and the place where it grows.
#[derive(Default)]
pub(super) struct Flow {
    pub(super) points: Vec<Point>,
    pub(super) edges: Vec<Edge>,
    /// Where the next edge starts; none where execution cannot be.
    at: Option<PointId>,
    ops: Vec<(Op, Span)>,
    pub(super) span: Span,
    pub(super) func: Option<FuncId>,
    pub(super) depth: usize,
}

/// A state of the flow to go back to.
pub(super) struct Mark {
    at: Option<PointId>,
    ops: Vec<(Op, Span)>,
    n_points: usize,
    n_edges: usize,
}

impl Flow {
    /// A new point that nothing leads to yet.
    pub(super) fn point(&mut self, kind: PointKind) -> PointId {
        self.point_at(kind, self.span)
    }

    /// A new point with a place of its own.
    pub(super) fn point_at(&mut self, kind: PointKind, span: Span) -> PointId {
        let func = self.func.unwrap_or(FuncId(0));
        self.points.push(Point {
            kind,
            func,
            span,
            depth: self.depth,
        });
        PointId::new(self.points.len() - 1)
    }

    /// Whether execution can be here.
    pub(super) fn reachable(&self) -> bool {
        self.at.is_some()
    }

    /// Adds an operation.
    pub(super) fn push(&mut self, op: Op) {
        if self.at.is_some() {
            self.ops.push((op, self.span));
        }
    }

    /// The variable that the last operation gave a value from outside, if that is what it did.
    pub(super) fn last_input(&self) -> Option<crate::program::VarId> {
        match self.ops.last() {
            Some((Op::Input(var, _), _)) => Some(*var),
            _ => None,
        }
    }

    /// Takes the operations since the last point.
    pub(super) fn take_ops(&mut self) -> Vec<(Op, Span)> {
        std::mem::take(&mut self.ops)
    }

    /// Ends the current edge at a point.
    pub(super) fn goto(&mut self, to: PointId) {
        if let Some(from) = self.at.take() {
            let ops = std::mem::take(&mut self.ops);
            self.edges.push(Edge { from, to, ops });
        }
        self.ops.clear();
    }

    /// Goes on from a point.
    pub(super) fn start(&mut self, point: PointId) {
        self.ops.clear();
        self.at = Some(point);
    }

    /// Execution does not get further than here.
    pub(super) fn stop(&mut self) {
        if self.at.is_some() && !self.ops.is_empty() {
            let end = self.point(PointKind::Join);
            self.goto(end);
        }
        self.at = None;
    }

    /// Ends the current edge at a new point and goes on from there.
    pub(super) fn cut(&mut self, kind: PointKind) -> Option<PointId> {
        self.at?;
        let point = self.point(kind);
        self.goto(point);
        self.start(point);
        Some(point)
    }

    /// Goes one way where a condition holds and the other way where it does not.
    pub(super) fn fork(&mut self, condition: Expr, then: PointId, otherwise: PointId) {
        if self.at.is_none() {
            return;
        }
        if !self.ops.is_empty() && !matches!(condition, Expr::Bool(_)) {
            self.cut(PointKind::Join);
        }
        let Some(from) = self.at.take() else { return };
        let before = std::mem::take(&mut self.ops);
        let span = self.span;
        let mut way = |condition: Expr, to: PointId| {
            if condition == Expr::Bool(false) {
                return;
            }
            let mut ops = before.clone();
            if condition != Expr::Bool(true) {
                ops.push((Op::Assume(condition), span));
            }
            self.edges.push(Edge { from, to, ops });
        };
        way(condition.clone(), then);
        way(Expr::not(condition), otherwise);
    }

    /// Remembers where the flow is.
    pub(super) fn mark(&self) -> Mark {
        let (n_points, n_edges) = (self.points.len(), self.edges.len());
        Mark {
            at: self.at,
            ops: self.ops.clone(),
            n_points,
            n_edges,
        }
    }

    /// Whether nothing happened since.
    pub(super) fn unchanged(&self, mark: &Mark) -> bool {
        self.ops.len() == mark.ops.len()
            && self.points.len() == mark.n_points
            && self.edges.len() == mark.n_edges
    }

    /// Forgets what happened since. Contract: nothing outside refers to points made since.
    pub(super) fn rewind(&mut self, mark: Mark) {
        self.points.truncate(mark.n_points);
        self.edges.truncate(mark.n_edges);
        self.at = mark.at;
        self.ops = mark.ops;
    }
}
