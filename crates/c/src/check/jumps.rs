//! Jumps: labels, `break`, `continue`, `return`.

use super::lower::{Frame, Lowering};
use super::value::Place;
use crate::error::{Code, Outcome, Span};
use crate::program::{PointId, PointKind};
use crate::syntax::tree::{Expr as Tree, Stmt};

impl Lowering {
    /// The point of a label of the function at hand.
    pub(super) fn label(&mut self, name: &str) -> PointId {
        let known = self.frames.last().and_then(|f| f.labels.get(name).copied());
        if let Some(point) = known {
            return point;
        }
        let point = self.flow.point(PointKind::Join);
        if let Some(frame) = self.frames.last_mut() {
            frame.labels.insert(name.to_owned(), point);
        }
        point
    }

    /// A statement that a jump may lead to.
    pub(super) fn labelled(&mut self, point: PointId, body: &Stmt) -> Outcome<()> {
        self.flow.points[point.index()].span = self.flow.span;
        self.flow.goto(point);
        self.flow.start(point);
        self.stmt(body)
    }

    /// Goes where the innermost loop or switch says.
    pub(super) fn jump(
        &mut self,
        to: fn(&Frame) -> Option<PointId>,
        word: &str,
        span: Span,
    ) -> Outcome<()> {
        match self.frames.last().and_then(to) {
            Some(point) => {
                self.flow.goto(point);
                Ok(())
            }
            None => self.refuse(Code::Meaning, span, format!("{word} outside of a loop")),
        }
    }

    /// `return`
    pub(super) fn return_stmt(&mut self, e: Option<&Tree>, span: Span) -> Outcome<()> {
        let Some(frame) = self.frames.last() else {
            return Ok(());
        };
        let (back, result) = (frame.back, frame.result.clone());
        match (e, result) {
            (Some(e), Some((shape, ty))) => {
                let value = self.full(e)?;
                let place = Place {
                    shape,
                    indices: Vec::new(),
                    ty,
                    freed: None,
                };
                self.store(place, value, span)?;
            }
            (Some(e), None) => {
                self.full(e)?;
            }
            (None, _) => {}
        }
        self.flow.goto(back);
        Ok(())
    }
}
