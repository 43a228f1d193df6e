//! Goals of annotations as formulas over the variables of the program.
//!
//! Annotations speak of mathematical integers and evaluate nothing, so there are no checks here. A
//! bound variable is a variable of the program that no operation writes.

use indexmap::IndexMap;

use super::contract::{Annotations, Past};
use super::ctype::CType;
use super::lower::Lowering;
use super::scope::Binding;
use super::value::{PointerValue, Shape};
use crate::error::{Code, Outcome, Span};
use crate::program::{
    Arith, CheckKind, Compare, Expr, IntType, Origin, Quantifier, VarId, VarType,
};
use crate::syntax::acsl::{Item, OLD, RESULT, read};
use crate::syntax::tree::{Binary, Expr as Tree, ExprKind, Item as TreeItem, Unary, Unit};
use crate::syntax::walk;
use crate::text::SourceMap;
use crate::text::lexer::{Annotation, lex};

/// Names that quantifiers bind.
pub(super) type Bound = IndexMap<String, VarId>;

impl Lowering {
    /// Finds the statement that each annotation stands in front of.
    ///
    /// An annotation with goals in front of anything else is an error; others are skipped.
    pub(super) fn attach(
        &mut self,
        unit: &Unit,
        source: &SourceMap,
        annotations: &[Annotation],
    ) -> Outcome<()> {
        if self.settings.annotations == Annotations::Ignored {
            return Ok(());
        }
        let mut starts: Vec<(usize, u32)> = Vec::new();
        let mut heads: Vec<(usize, &str)> = Vec::new();
        for item in &unit.items {
            if let TreeItem::Function(def) = item {
                let (file, offset) = source.origin(def.span.start);
                if file == 0 {
                    heads.push((offset, &def.name));
                }
                walk::statements(&def.body, &mut |s| {
                    let (file, offset) = source.origin(s.span.start);
                    if file == 0 {
                        starts.push((offset, s.span.start));
                    }
                });
            }
        }
        starts.sort_unstable();
        for annotation in annotations {
            let at = starts.partition_point(|(offset, _)| *offset < annotation.end);
            let next = starts.get(at).copied();
            let head = heads.iter().find(|(offset, _)| *offset >= annotation.end);
            if let Some((offset, name)) = head
                && next.is_none_or(|(start, _)| *offset <= start)
                && is_head(source.main_text().get(annotation.end..*offset))
            {
                let list = self.contracts.entry((*name).to_owned()).or_default();
                list.push(annotation.clone());
                continue;
            }
            let between = next.and_then(|(to, _)| source.main_text().get(annotation.end..to));
            let direct =
                between.is_some_and(|text| lex(text, 0).is_ok_and(|l| l.tokens.is_empty()));
            match next {
                Some((_, start)) if direct => {
                    self.annotations
                        .entry(start)
                        .or_default()
                        .push(annotation.clone());
                }
                _ => self.not_attached(annotation, next.map_or(0, |(_, start)| start))?,
            }
        }
        Ok(())
    }

    fn not_attached(&mut self, annotation: &Annotation, near: u32) -> Outcome<()> {
        let span = Span {
            start: near,
            end: near + 1,
        };
        let goals = read(annotation, span).unwrap_or_default();
        if goals.iter().any(|item| matches!(item, Item::Assert(_))) {
            let message = "annotation: `assert` must stand in front of a statement";
            return self.refuse(Code::Annotation, span, message);
        }
        Ok(())
    }

    /// The goals of the annotations in front of a statement.
    pub(super) fn annotations(&mut self, span: Span) -> Outcome<()> {
        let Some(list) = self.annotations.get(&span.start).cloned() else {
            return Ok(());
        };
        for annotation in list {
            for item in read(&annotation, span)? {
                match item {
                    Item::Assert(e) => {
                        let holds = self.goal(&e, &Bound::new())?;
                        self.check(CheckKind::Annotation, holds, span);
                    }
                    // At the head of the loop.
                    Item::Invariant(_) | Item::NotUnderstood(_) => {}
                    Item::Requires(_) | Item::Ensures(_) => {
                        let message = "annotation: a contract must stand in front of a function";
                        return self.refuse(Code::Annotation, span, message);
                    }
                    Item::Skipped(word) => {
                        self.notes
                            .push((format!("the annotation `{word}` is not used"), span));
                    }
                }
            }
        }
        Ok(())
    }

    /// A formula of an annotation.
    pub(super) fn goal(&mut self, e: &Tree, bound: &Bound) -> Outcome<Expr> {
        match &e.kind {
            ExprKind::Unary(Unary::Not, a) => Ok(Expr::not(self.goal(a, bound)?)),
            ExprKind::And(a, b) => Ok(Expr::and(self.goal(a, bound)?, self.goal(b, bound)?)),
            ExprKind::Or(a, b) => Ok(Expr::or(self.goal(a, bound)?, self.goal(b, bound)?)),
            ExprKind::Forall(names, body) => {
                self.quantified(Quantifier::Forall, names, body, bound)
            }
            ExprKind::Exists(names, body) => {
                self.quantified(Quantifier::Exists, names, body, bound)
            }
            ExprKind::Binary(op, a, b) => {
                let compare = |op, a, b| Ok(Expr::compare(op, a, b));
                let (x, y) = (self.amount(a, bound)?, self.amount(b, bound)?);
                match op {
                    Binary::Lt => compare(Compare::Lt, x, y),
                    Binary::Gt => compare(Compare::Lt, y, x),
                    Binary::Le => compare(Compare::Le, x, y),
                    Binary::Ge => compare(Compare::Le, y, x),
                    Binary::Eq => compare(Compare::Eq, x, y),
                    Binary::Ne => Ok(Expr::not(Expr::equals(x, y))),
                    _ => Ok(Expr::truth(self.amount(e, bound)?)),
                }
            }
            _ => Ok(Expr::truth(self.amount(e, bound)?)),
        }
    }

    fn quantified(
        &mut self,
        which: Quantifier,
        names: &[String],
        body: &Tree,
        bound: &Bound,
    ) -> Outcome<Expr> {
        let mut inner = bound.clone();
        let mut vars = Vec::new();
        for name in names {
            let var = self.new_var(name, VarType::Int(IntType::EXACT), Vec::new());
            self.vars[var.index()].origin = Origin::Made;
            inner.insert(name.clone(), var);
            vars.push(var);
        }
        let body = self.goal(body, &inner)?;
        Ok(Expr::Quantified(which, vars, Box::new(body)))
    }

    /// A number in an annotation.
    fn amount(&mut self, e: &Tree, bound: &Bound) -> Outcome<Expr> {
        let exact = IntType::EXACT;
        match &e.kind {
            ExprKind::Integer { value, .. } => Ok(Expr::Int(*value)),
            ExprKind::Name(name) if bound.contains_key(name) => Ok(Expr::Var(bound[name])),
            ExprKind::Unary(Unary::Minus, a) => {
                let a = self.amount(a, bound)?;
                Ok(Expr::arith(Arith::Sub, exact, Expr::ZERO, a))
            }
            ExprKind::Binary(op, a, b) => {
                let op = match op {
                    Binary::Add => Arith::Add,
                    Binary::Sub => Arith::Sub,
                    Binary::Mul => Arith::Mul,
                    Binary::Div => Arith::Div,
                    Binary::Rem => Arith::Rem,
                    _ => return Ok(Expr::from_bool(self.goal(e, bound)?)),
                };
                let (a, b) = (self.amount(a, bound)?, self.amount(b, bound)?);
                Ok(Expr::arith(op, exact, a, b))
            }
            ExprKind::Call(f, args) if matches!(&f.kind, ExprKind::Name(n) if n == OLD) => {
                let before = std::mem::replace(&mut self.past, Past::Call);
                let value = args.first().map(|a| self.amount(a, bound));
                self.past = before;
                value.unwrap_or(Ok(Expr::ZERO))
            }
            ExprKind::Name(_) | ExprKind::Index(..) => {
                let place = self.read_place(e, bound)?;
                self.placed_in_time(place, e.span)
            }
            _ => Ok(Expr::from_bool(self.goal(e, bound)?)),
        }
    }

    /// A place as it was when the annotation means it to be read.
    fn placed_in_time(&self, place: Expr, span: Span) -> Outcome<Expr> {
        let kept = match &place {
            Expr::Var(var) | Expr::Cell(var, _) => self.in_time(*var),
            _ => return Ok(place),
        };
        match (place, kept) {
            (Expr::Var(_), Some(var)) => Ok(Expr::Var(var)),
            (Expr::Cell(_, indices), Some(var)) => Ok(Expr::Cell(var, indices)),
            _ => self.refuse(
                Code::Annotation,
                span,
                "annotation: this value is not known here",
            ),
        }
    }

    /// A variable, or a cell of an array, by its name and indices.
    fn read_place(&mut self, e: &Tree, bound: &Bound) -> Outcome<Expr> {
        let mut indices = Vec::new();
        let mut base = e;
        while let ExprKind::Index(inner, index) = &base.kind {
            indices.push(self.amount(index, bound)?);
            base = inner;
        }
        indices.reverse();
        let refused = || {
            self.refuse(
                Code::Annotation,
                e.span,
                "annotation: this cannot be read here",
            )
        };
        let ExprKind::Name(name) = &base.kind else {
            return refused();
        };
        if name == RESULT {
            let result = self.frames.last().and_then(|f| f.result.clone());
            return match (result, self.past, indices.is_empty()) {
                (Some((Shape::Leaf(var), CType::Int(_))), Past::End, true) => Ok(Expr::Var(var)),
                _ => refused(),
            };
        }
        let found = self.scopes.find(name).cloned();
        match (found, indices.is_empty()) {
            (Some(Binding::Constant(n)), true) => Ok(Expr::Int(n)),
            (Some(Binding::Object(Shape::Leaf(var), CType::Int(_))), true) => Ok(Expr::Var(var)),
            (Some(Binding::Object(Shape::Leaf(var), CType::Array(..))), false)
                if self.vars[var.index()].ty.dims() == indices.len() =>
            {
                Ok(Expr::Cell(var, indices))
            }
            (Some(Binding::Alias(pointer, _)), false) => match cell(*pointer, indices) {
                Some((var, all)) if self.vars[var.index()].ty.dims() == all.len() => {
                    Ok(Expr::Cell(var, all))
                }
                _ => refused(),
            },
            (None, _) => {
                let message = format!("annotation: {name} is not declared");
                self.refuse(Code::Annotation, e.span, message)
            }
            _ => refused(),
        }
    }
}

/// Whether a text can be what stands between a contract and the name of its function.
fn is_head(text: Option<&str>) -> bool {
    let tokens = text.and_then(|text| lex(text, 0).ok());
    tokens.is_some_and(|l| {
        let mut words = l.tokens.iter().map(|t| &*t.text);
        !words.any(|w| matches!(w, ";" | "{" | "}" | "="))
    })
}

/// The cell of a pointer that never changes, at indices.
fn cell(pointer: PointerValue, mut indices: Vec<Expr>) -> Option<(VarId, Vec<Expr>)> {
    let target = pointer.target?;
    let Shape::Leaf(var) = target.shape else {
        return None;
    };
    let mut all = target.prefix;
    let first = indices.remove(0);
    all.push(Expr::arith(
        Arith::Add,
        IntType::EXACT,
        pointer.offset,
        first,
    ));
    all.extend(indices);
    Some((var, all))
}
