//! Contracts of functions, invariants of loops: what annotations and witnesses demand at places
//! that are no statements.
//!
//! `requires` is assumed where execution starts and checked where a function is called; `ensures` is
//! checked at the end. There, a parameter means its value at the call, as in `\old(…)`: what is
//! needed is copied at the entry. Invariants are checked at the head of their loop each time
//! execution gets there; those of a witness are expressions of C and are evaluated like all others.

use indexmap::IndexMap;

use super::annotation::Bound;
use super::lower::Lowering;
use super::scope::Binding;
use super::value::Shape;
use crate::error::{Code, Outcome, Span, Trouble};
use crate::program::{CheckKind, Op, Origin, VarId};
use crate::syntax::acsl::{Item, OLD, read};
use crate::syntax::parse;
use crate::syntax::tree::{
    Expr as Tree, ExprKind, FunctionDef, Item as TreeItem, Stmt, StmtKind, Unit,
};
use crate::syntax::walk;
use crate::text::SourceMap;

/// What becomes of loop invariants in annotations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Annotations {
    /// They are proposed: proved and used, or left out.
    #[default]
    Hints,
    /// They must hold.
    Goals,
    /// No annotation is read at all.
    Ignored,
}

/// An invariant that a witness claims for a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimedInvariant {
    /// The line of the loop.
    pub line: u32,
    /// Its column, if the witness says it.
    pub column: Option<u32>,
    /// An expression of C.
    pub text: String,
}

/// Whether what a function requires is proved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// By nobody: it is where execution starts.
    Assumed,
    /// At each call.
    Proved,
}

/// When a name in an annotation is read.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Past {
    /// Where the annotation stands.
    #[default]
    Here,
    /// At the end of a function: parameters as they were at the call.
    End,
    /// When the function was called.
    Call,
}

/// The values that variables had when a function was called.
#[derive(Clone, Default)]
pub(super) struct Entry {
    copies: IndexMap<VarId, VarId>,
    params: Vec<VarId>,
}

impl Lowering {
    fn contract(&self, def: &FunctionDef) -> Outcome<Vec<Item>> {
        let list = self.contracts.get(&def.name);
        let mut items = Vec::new();
        for annotation in list.into_iter().flatten() {
            items.extend(read(annotation, def.span)?);
        }
        Ok(items)
    }

    /// Whether something must hold at the end of a function.
    pub(super) fn has_ensures(&self, def: &FunctionDef) -> Outcome<bool> {
        let ensures = |item: &Item| matches!(item, Item::Ensures(_));
        Ok(self.contract(def)?.iter().any(ensures))
    }

    /// What a function requires, and copies of what its end speaks of; gives back what it ensures.
    pub(super) fn enter_contract(&mut self, def: &FunctionDef, trust: Trust) -> Outcome<Vec<Tree>> {
        let mut ensures = Vec::new();
        for item in self.contract(def)? {
            match item {
                Item::Requires(e) => {
                    let holds = self.goal(&e, &Bound::new())?;
                    match trust {
                        Trust::Assumed => self.flow.push(Op::Assume(holds)),
                        Trust::Proved => self.check(CheckKind::Annotation, holds, def.span),
                    }
                }
                Item::Ensures(e) => ensures.push(e),
                Item::Skipped(word) => {
                    let note = format!("the annotation `{word}` is not used");
                    self.notes.push((note, def.span));
                }
                Item::Assert(_) | Item::Invariant(_) | Item::NotUnderstood(_) => {
                    let message = "annotation: a contract has `requires` and `ensures`";
                    return self.refuse(Code::Annotation, def.span, message);
                }
            }
        }
        if !ensures.is_empty() {
            self.keep_entry(def, &ensures);
        }
        Ok(ensures)
    }

    /// Copies parameters and what `\old` is said of.
    fn keep_entry(&mut self, def: &FunctionDef, ensures: &[Tree]) {
        let (params, _) = super::call::signature(def);
        let params: Vec<String> = params.iter().filter_map(|p| p.name.clone()).collect();
        let mut names = params.clone();
        for e in ensures {
            walk::expr(e, &mut |inner| {
                if let ExprKind::Call(f, args) = &inner.kind
                    && matches!(&f.kind, ExprKind::Name(name) if name == OLD)
                {
                    args.iter().for_each(|a| {
                        walk::expr(a, &mut |e| {
                            if let ExprKind::Name(name) = &e.kind {
                                names.push(name.clone());
                            }
                        });
                    });
                }
            });
        }
        let mut entry = Entry::default();
        for name in names {
            let var = match self.scopes.find(&name) {
                Some(Binding::Object(Shape::Leaf(var), _)) => *var,
                Some(Binding::Alias(pointer, _)) => match &pointer.target {
                    Some(target) => match &target.shape {
                        Shape::Leaf(var) => *var,
                        _ => continue,
                    },
                    None => continue,
                },
                _ => continue,
            };
            let is_alias = matches!(self.scopes.find(&name), Some(Binding::Alias(..)));
            if params.contains(&name) && !is_alias {
                entry.params.push(var);
            }
            if entry.copies.contains_key(&var) {
                continue;
            }
            let like = self.vars[var.index()].clone();
            let copy = self.new_var(&format!("{name}.old"), like.ty, like.lengths);
            self.vars[copy.index()].origin = Origin::Made;
            self.flow.push(Op::Copy(copy, var));
            entry.copies.insert(var, copy);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.entry = entry;
        }
    }

    /// What must hold at the end of a function.
    pub(super) fn leave_contract(&mut self, ensures: &[Tree], span: Span) -> Outcome<()> {
        self.past = Past::End;
        for e in ensures {
            let holds = self.goal(e, &Bound::new())?;
            self.check(CheckKind::Annotation, holds, span);
        }
        self.past = Past::Here;
        Ok(())
    }

    /// The variable that holds what an annotation means by a variable; none if nothing was kept.
    pub(super) fn in_time(&self, var: VarId) -> Option<VarId> {
        let entry = self.frames.last().map(|f| &f.entry);
        let copy = entry.and_then(|e| e.copies.get(&var).copied());
        let param = entry.is_some_and(|e| e.params.contains(&var));
        match self.past {
            Past::Here => Some(var),
            Past::End if param => copy,
            Past::End => Some(var),
            Past::Call => copy,
        }
    }

    /// The invariants that annotations have for a loop, at its head.
    pub(super) fn loop_annotations(&mut self, span: Span) -> Outcome<()> {
        let goals = self.settings.annotations == Annotations::Goals;
        let kind = if goals {
            CheckKind::Annotation
        } else {
            CheckKind::Hint
        };
        let list = self.annotations.get(&span.start).cloned();
        for annotation in list.unwrap_or_default() {
            for item in read(&annotation, span)? {
                let holds = match item {
                    Item::Invariant(e) => self.goal(&e, &Bound::new()),
                    Item::NotUnderstood(trouble) => Err(trouble),
                    _ => continue,
                };
                match holds {
                    Ok(holds) => self.check(kind, holds, span),
                    Err(trouble) if goals => return Err(trouble),
                    Err(trouble) => {
                        let note = format!("a loop invariant is not used: {}", trouble.message);
                        self.notes.push((note, span));
                    }
                }
            }
        }
        Ok(())
    }

    /// The invariants that a witness claims for a loop, where it is about to test its condition.
    pub(super) fn claimed_invariants(&mut self, span: Span) -> Outcome<()> {
        for text in self.claims.get(&span.start).cloned().unwrap_or_default() {
            let tree = c_expression(&text, span)?;
            super::order::check(&tree, &self.effects)?;
            self.assertion(CheckKind::Annotation, &tree, span)?;
        }
        Ok(())
    }

    /// Finds the loop that each claim of a witness is about.
    pub(super) fn attach_claims(&mut self, unit: &Unit, source: &SourceMap) -> Outcome<()> {
        let mut loops: Vec<(u32, u32, u32)> = Vec::new();
        for item in &unit.items {
            if let TreeItem::Function(def) = item {
                walk::statements(&def.body, &mut |s: &Stmt| {
                    let (file, offset) = source.origin(s.span.start);
                    let is_loop = matches!(
                        s.kind,
                        StmtKind::While(..) | StmtKind::For(..) | StmtKind::DoWhile(..)
                    );
                    if is_loop && file == 0 {
                        let place = source.location_in(0, offset);
                        loops.push((place.line, place.column, s.span.start));
                    }
                });
            }
        }
        for claim in self.settings.claims.clone() {
            let mut fitting = loops.iter().filter(|(line, column, _)| {
                *line == claim.line && claim.column.is_none_or(|c| c == *column)
            });
            let Some((.., start)) = fitting.next() else {
                let message = format!("witness: there is no loop in line {}", claim.line);
                return Err(Trouble::new(Code::Annotation, Span::default(), message));
            };
            self.claims.entry(*start).or_default().push(claim.text);
        }
        Ok(())
    }
}

/// Reads an expression of C that stands in no file. Its place is that of the loop.
fn c_expression(text: &str, span: Span) -> Outcome<Tree> {
    let refused = || {
        let message = format!("witness: `{text}` is no expression of C");
        Trouble::new(Code::Annotation, span, message)
    };
    // Blanks in front give its parts places at the loop.
    let blanks = " ".repeat(span.start as usize);
    let whole = format!("{blanks}int f(void) {{ return ({text}); }}");
    let unit = parse(&whole).map_err(|_| refused())?;
    let [TreeItem::Function(def)] = unit.items.as_slice() else {
        return Err(refused());
    };
    let StmtKind::Block(list) = &def.body.kind else {
        return Err(refused());
    };
    match list.as_slice() {
        [
            Stmt {
                kind: StmtKind::Return(Some(e)),
                ..
            },
        ] if !super::effects::has_effect(e) => Ok(e.clone()),
        _ => Err(refused()),
    }
}
