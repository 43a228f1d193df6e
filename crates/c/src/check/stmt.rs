//! Statements.

use super::lower::{Cases, Lowering};
use super::value::Value;
use crate::error::{Code, Outcome, Span};
use crate::program::{Compare, Expr, PointId, PointKind};
use crate::syntax::tree::{Expr as Tree, ExprKind, Step, Stmt, StmtKind};

impl Lowering {
    /// Lowers a statement.
    pub(super) fn stmt(&mut self, s: &Stmt) -> Outcome<()> {
        self.flow.span = s.span;
        self.annotations(s.span)?;
        match &s.kind {
            StmtKind::Block(list) => self.block(list, s.span),
            StmtKind::Declare(list) => {
                for declared in list {
                    self.declare(declared)?;
                }
                Ok(())
            }
            StmtKind::Expr(e) => self.discarded(e),
            StmtKind::Empty => Ok(()),
            StmtKind::If(c, a, b) => self.if_stmt(c, a, b.as_deref()),
            StmtKind::Switch(e, body) => self.switch(e, body),
            StmtKind::While(c, body) => self.while_loop(Some(c), None, body, s.span),
            StmtKind::For(start, c, step, body) => {
                let outer = self.open(s.span);
                if let Some(start) = start {
                    self.stmt(start)?;
                }
                self.while_loop(c.as_ref(), step.as_ref(), body, s.span)?;
                self.close(outer);
                Ok(())
            }
            StmtKind::DoWhile(body, c) => self.do_loop(body, c, s.span),
            StmtKind::Goto(label) => {
                let point = self.label(label);
                self.flow.goto(point);
                Ok(())
            }
            StmtKind::Continue => self.jump(|f| f.continues.last().copied(), "continue", s.span),
            StmtKind::Break => self.jump(|f| f.breaks.last().copied(), "break", s.span),
            StmtKind::Return(e) => self.return_stmt(e.as_ref(), s.span),
            StmtKind::Label(name, body) => {
                let point = self.label(name);
                self.labelled(point, body)
            }
            StmtKind::Case(e, body) => self.case(e, body, s.span),
            StmtKind::Default(body) => self.default_case(body, s.span),
            StmtKind::Refused(what) => {
                self.refuse(Code::Statement, s.span, format!("unsupported: {what}"))
            }
        }
    }

    /// Opens a block; gives back where names were visible before.
    fn open(&mut self, span: Span) -> Option<Span> {
        self.scopes.open();
        let frame = self.frames.last_mut()?;
        Some(std::mem::replace(&mut frame.scope, span))
    }

    /// Closes a block that [`Self::open`] opened.
    fn close(&mut self, outer: Option<Span>) {
        self.scopes.close();
        if let (Some(frame), Some(scope)) = (self.frames.last_mut(), outer) {
            frame.scope = scope;
        }
    }

    /// A block: names declared in it are visible in it.
    pub(super) fn block(&mut self, list: &[Stmt], span: Span) -> Outcome<()> {
        let outer = self.open(span);
        for s in list {
            self.stmt(s)?;
        }
        self.close(outer);
        Ok(())
    }

    /// A block inside an expression: its value is that of its last statement.
    pub(super) fn block_value(&mut self, list: &[Stmt]) -> Outcome<Value> {
        self.scopes.open();
        let mut last = Value::Void;
        for (i, s) in list.iter().enumerate() {
            match &s.kind {
                StmtKind::Expr(e) if i + 1 == list.len() => last = self.full(e)?,
                _ => self.stmt(s)?,
            }
        }
        self.scopes.close();
        Ok(last)
    }

    /// An expression whose value is not used.
    fn discarded(&mut self, e: &Tree) -> Outcome<()> {
        if let ExprKind::Step(step, place) = &e.kind {
            let kind = ExprKind::Step(
                Step {
                    before: true,
                    ..*step
                },
                place.clone(),
            );
            return self.full(&Tree { kind, span: e.span }).map(|_| ());
        }
        self.full(e).map(|_| ())
    }

    fn if_stmt(&mut self, c: &Tree, a: &Stmt, b: Option<&Stmt>) -> Outcome<()> {
        super::order::check(c, &self.effects)?;
        let (then, done) = (
            self.flow.point(PointKind::Join),
            self.flow.point(PointKind::Join),
        );
        let otherwise = if b.is_some() {
            self.flow.point(PointKind::Join)
        } else {
            done
        };
        self.branch(c, then, otherwise)?;
        self.flow.start(then);
        self.stmt(a)?;
        self.flow.goto(done);
        if let Some(b) = b {
            self.flow.start(otherwise);
            self.stmt(b)?;
            self.flow.goto(done);
        }
        self.resume(done);
        Ok(())
    }

    /// Goes on from a point if something leads there.
    pub(super) fn resume(&mut self, point: PointId) {
        if self.flow.edges.iter().any(|e| e.to == point) {
            self.flow.start(point);
        } else {
            self.flow.stop();
        }
    }

    fn while_loop(
        &mut self,
        c: Option<&Tree>,
        step: Option<&Tree>,
        body: &Stmt,
        span: Span,
    ) -> Outcome<()> {
        let head = self.flow.point_at(PointKind::LoopHead, span);
        let (inside, done) = (
            self.flow.point(PointKind::Join),
            self.flow.point(PointKind::Join),
        );
        let next = if step.is_some() {
            self.flow.point(PointKind::Join)
        } else {
            head
        };
        self.flow.goto(head);
        self.flow.start(head);
        self.loop_annotations(span)?;
        self.claimed_invariants(span)?;
        self.flow.span = c.map_or(span, |c| c.span);
        match c {
            Some(c) => {
                super::order::check(c, &self.effects)?;
                self.branch(c, inside, done)?;
            }
            None => self.flow.goto(inside),
        }
        self.flow.start(inside);
        self.loop_body(body, done, next)?;
        self.flow.goto(next);
        if let Some(step) = step {
            self.resume(next);
            self.flow.span = step.span;
            self.discarded(step)?;
            self.flow.goto(head);
        }
        self.resume(done);
        Ok(())
    }

    fn loop_body(&mut self, body: &Stmt, done: PointId, next: PointId) -> Outcome<()> {
        self.loop_depth += 1;
        if let Some(frame) = self.frames.last_mut() {
            frame.breaks.push(done);
            frame.continues.push(next);
        }
        self.stmt(body)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.breaks.pop();
            frame.continues.pop();
        }
        self.loop_depth -= 1;
        Ok(())
    }

    fn do_loop(&mut self, body: &Stmt, c: &Tree, span: Span) -> Outcome<()> {
        let head = self.flow.point_at(PointKind::LoopHead, span);
        let (test, done) = (
            self.flow.point_at(PointKind::LoopTest, span),
            self.flow.point(PointKind::Join),
        );
        self.flow.goto(head);
        self.flow.start(head);
        self.loop_annotations(span)?;
        self.loop_body(body, done, test)?;
        self.flow.goto(test);
        self.resume(test);
        self.claimed_invariants(span)?;
        self.flow.span = c.span;
        super::order::check(c, &self.effects)?;
        self.branch(c, head, done)?;
        self.resume(done);
        Ok(())
    }

    fn switch(&mut self, e: &Tree, body: &Stmt) -> Outcome<()> {
        let value = self.full(e)?;
        let (value, ty) = self.as_number(value, e.span)?;
        let ty = ty.promoted();
        let value = self.keep(value, ty);
        let Some(head) = self.flow.cut(PointKind::Join) else {
            return Ok(());
        };
        self.flow.stop();
        let done = self.flow.point(PointKind::Join);
        if let Some(frame) = self.frames.last_mut() {
            frame.breaks.push(done);
            frame.switches.push(Cases::default());
        }
        let span = self.flow.span;
        self.stmt(body)?;
        self.flow.goto(done);
        let cases = self.frames.last_mut().and_then(|frame| {
            frame.breaks.pop();
            frame.switches.pop()
        });
        self.flow.span = span;
        let cases = cases.unwrap_or_default();
        let mut at = head;
        for (number, point) in cases.values {
            let other = self.flow.point(PointKind::Join);
            self.flow.start(at);
            let number = Expr::Int(ty.convert(number));
            self.flow.fork(
                Expr::compare(Compare::Eq, value.clone(), number),
                point,
                other,
            );
            at = other;
        }
        self.flow.start(at);
        self.flow.goto(cases.default.unwrap_or(done));
        self.resume(done);
        Ok(())
    }

    fn case(&mut self, e: &Tree, body: &Stmt, span: Span) -> Outcome<()> {
        let Some(number) = self.constant_value(e)? else {
            return self.refuse(Code::Meaning, e.span, "a case must be a constant");
        };
        let point = self.flow.point(PointKind::Join);
        let Some(cases) = self.frames.last_mut().and_then(|f| f.switches.last_mut()) else {
            return self.refuse(Code::Meaning, span, "a case outside of a switch");
        };
        if cases.values.iter().any(|(known, _)| *known == number) {
            return self.refuse(Code::Meaning, span, "two cases of one value");
        }
        cases.values.push((number, point));
        self.labelled(point, body)
    }

    fn default_case(&mut self, body: &Stmt, span: Span) -> Outcome<()> {
        let point = self.flow.point(PointKind::Join);
        let Some(cases) = self.frames.last_mut().and_then(|f| f.switches.last_mut()) else {
            return self.refuse(Code::Meaning, span, "a default outside of a switch");
        };
        cases.default = Some(point);
        self.labelled(point, body)
    }
}
