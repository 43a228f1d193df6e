//! Goals of annotations as formulas over the variables of the program.
//!
//! Annotations speak of mathematical integers and evaluate nothing, so there are no checks here. A
//! bound variable is a variable of the program that no operation writes.

use indexmap::IndexMap;

use super::ctype::CType;
use super::lower::Lowering;
use super::scope::Binding;
use super::value::{PointerValue, Shape};
use crate::error::{Code, Outcome, Span};
use crate::program::{
    Arith, CheckKind, Compare, Expr, IntType, Origin, Quantifier, VarId, VarType,
};
use crate::syntax::acsl::{Item, read};
use crate::syntax::tree::{Binary, Expr as Tree, ExprKind, Item as TreeItem, Unary, Unit};
use crate::syntax::walk;
use crate::text::SourceMap;
use crate::text::lexer::{Annotation, lex};

/// Names that quantifiers bind.
type Bound = IndexMap<String, VarId>;

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
        let mut starts: Vec<(usize, u32)> = Vec::new();
        for item in &unit.items {
            if let TreeItem::Function(def) = item {
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
                        self.check(CheckKind::Assertion, holds, span);
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

    fn goal(&mut self, e: &Tree, bound: &Bound) -> Outcome<Expr> {
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
            ExprKind::Name(_) | ExprKind::Index(..) => self.read_place(e, bound),
            _ => Ok(Expr::from_bool(self.goal(e, bound)?)),
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
