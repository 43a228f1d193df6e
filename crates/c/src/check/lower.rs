//! The state of lowering, and whole programs.

use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};

use super::contract::{Annotations, ClaimedInvariant, Entry, Past};
use super::ctype::CType;
use super::effects::Effects;
use super::flow::Flow;
use super::outline::Signature;
use super::scope::{Binding, Scopes};
use super::value::{Shape, Slot};
use crate::error::{Code, Outcome, Span, Trouble};
use crate::program::{
    Check, CheckId, CheckKind, DataModel, Expr, FuncId, Function, InputId, InputKind, InputSite,
    IntType, Length, Op, Origin, PointId, PointKind, Program, Var, VarId, VarType, loops,
};
use crate::syntax::tree::{FunctionDef, Item, Unit};
use crate::text::SourceMap;
use crate::text::lexer::Annotation;

/// How a text is read.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The sizes of types.
    pub model: DataModel,
    /// The function execution starts in.
    pub entry: String,
    /// Functions without a body are inputs, whatever their names.
    pub extern_inputs: bool,
    /// What becomes of loop invariants in annotations.
    pub annotations: Annotations,
    /// Invariants that a witness claims; they must hold.
    pub claims: Vec<ClaimedInvariant>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            model: DataModel::default(),
            entry: "main".to_owned(),
            extern_inputs: false,
            annotations: Annotations::default(),
            claims: Vec::new(),
        }
    }
}

/// Edges beyond this number are refused.
const MOST_EDGES: usize = 20_000;

/// A call that is being lowered.
pub(super) struct Frame {
    pub(super) name: String,
    pub(super) back: PointId,
    pub(super) result: Option<(Shape, CType)>,
    pub(super) labels: IndexMap<String, PointId>,
    /// Where `break` and `continue` go.
    pub(super) breaks: Vec<PointId>,
    pub(super) continues: Vec<PointId>,
    /// For each open `switch`, the cases so far and the default.
    pub(super) switches: Vec<Cases>,
    pub(super) scope: Span,
    /// What annotations at the end say about the start.
    pub(super) entry: Entry,
}

/// The cases of a `switch`.
#[derive(Default)]
pub(super) struct Cases {
    pub(super) values: Vec<(i128, PointId)>,
    pub(super) default: Option<PointId>,
}

/// A recursive function that was called and is not lowered yet.
pub(super) struct Pending {
    pub(super) def: Rc<FunctionDef>,
    pub(super) func: FuncId,
    pub(super) params: Vec<(String, Binding)>,
    pub(super) result: Option<(Shape, CType)>,
}

/// The state of lowering.
pub(super) struct Lowering {
    pub(super) settings: Settings,
    pub(super) flow: Flow,
    pub(super) scopes: Scopes,
    pub(super) vars: Vec<Var>,
    pub(super) slots: Vec<Slot>,
    pub(super) checks: Vec<Check>,
    pub(super) inputs: Vec<InputSite>,
    /// Functions that give inputs and are not declared.
    pub(super) undeclared: Vec<(String, IntType)>,
    pub(super) functions: Vec<Function>,
    pub(super) defs: IndexMap<String, Rc<FunctionDef>>,
    pub(super) effects: Effects,
    pub(super) recursive: IndexSet<String>,
    pub(super) instances: IndexMap<String, (FuncId, Option<(Shape, CType)>)>,
    pub(super) pending: Vec<Pending>,
    pub(super) frames: Vec<Frame>,
    /// Operations that run before everything else: static variables.
    pub(super) prologue: Vec<(Op, Span)>,
    pub(super) statics: IndexMap<Span, (Shape, CType)>,
    pub(super) loop_depth: usize,
    /// Parts of choices that have checks, by their place.
    pub(super) ways: IndexSet<Span>,
    pub(super) notes: Vec<(String, Span)>,
    pub(super) frees: bool,
    /// Annotations by the start of the statement they stand in front of.
    pub(super) annotations: IndexMap<u32, Vec<Annotation>>,
    /// Contracts by the name of the function.
    pub(super) contracts: IndexMap<String, Vec<Annotation>>,
    /// What a witness claims about loops, by their start.
    pub(super) claims: IndexMap<u32, Vec<String>>,
    /// When names in annotations are read.
    pub(super) past: Past,
}

/// Lowers a file.
pub fn lower(
    unit: Unit,
    source: SourceMap,
    annotations: &[Annotation],
    settings: &Settings,
) -> Result<Program, (SourceMap, Box<Trouble>)> {
    let mut lowering = Lowering::new(settings.clone());
    let outcome = lowering
        .attach(&unit, &source, annotations)
        .and_then(|()| lowering.attach_claims(&unit, &source))
        .and_then(|()| {
            let declared = super::outline::declared(&unit);
            lowering.unit(unit).map(|()| declared)
        });
    match outcome {
        Ok(declared) => Ok(lowering.finish(source, declared)),
        Err(trouble) => Err((source, trouble)),
    }
}

impl Lowering {
    fn new(settings: Settings) -> Lowering {
        Lowering {
            settings,
            flow: Flow::default(),
            scopes: Scopes::default(),
            vars: Vec::new(),
            slots: Vec::new(),
            checks: Vec::new(),
            inputs: Vec::new(),
            undeclared: Vec::new(),
            functions: Vec::new(),
            defs: IndexMap::new(),
            effects: Effects::default(),
            recursive: IndexSet::new(),
            instances: IndexMap::new(),
            pending: Vec::new(),
            frames: Vec::new(),
            prologue: Vec::new(),
            statics: IndexMap::new(),
            loop_depth: 0,
            ways: IndexSet::new(),
            notes: Vec::new(),
            frees: false,
            annotations: IndexMap::new(),
            contracts: IndexMap::new(),
            claims: IndexMap::new(),
            past: Past::Here,
        }
    }

    fn unit(&mut self, unit: Unit) -> Outcome<()> {
        let entry = self.flow.point(PointKind::Entry);
        let body = self.flow.point(PointKind::Join);
        let exit = self.flow.point(PointKind::Exit);
        let name = self.settings.entry.clone();
        let span = Span::default();
        self.functions.push(Function {
            name: name.clone(),
            params: Vec::new(),
            result: None,
            entry,
            exit,
            span,
        });
        self.flow.start(entry);
        for item in unit.items {
            match item {
                Item::Declare(list) => list.iter().try_for_each(|d| self.declare(d))?,
                Item::Function(def) => self.define(*def)?,
            }
        }
        self.effects = Effects::of(&self.defs);
        self.recursive = self.effects.recursive();
        self.frees = self.effects.calls("free");
        self.flow.goto(body);
        self.flow.start(body);
        let Some(def) = self.defs.get(&name).cloned() else {
            let message = format!("there is no function {name} to start in");
            return Err(Trouble::new(Code::Meaning, span, message));
        };
        self.flow.span = def.span;
        self.functions[0].span = def.span;
        self.entry_call(&def, exit)?;
        while let Some(pending) = self.pending.pop() {
            self.pending_body(pending)?;
        }
        let prologue = std::mem::take(&mut self.prologue);
        if let Some(first) = self.flow.edges.iter_mut().find(|e| e.from == entry) {
            first.ops.extend(prologue);
        }
        if self.flow.edges.len() > MOST_EDGES {
            let message = format!(
                "{} edges after inlining, at most {MOST_EDGES}",
                self.flow.edges.len()
            );
            return Err(Trouble::new(Code::Limit, def.span, message));
        }
        Ok(())
    }

    fn define(&mut self, def: FunctionDef) -> Outcome<()> {
        let ty = self.type_of_name(&def.ty)?;
        self.scopes.declare(&def.name, Binding::Function(ty));
        if self
            .defs
            .insert(def.name.clone(), Rc::new(def.clone()))
            .is_some()
        {
            let message = format!("{} is defined twice", def.name);
            return Err(Trouble::new(Code::Meaning, def.span, message));
        }
        Ok(())
    }

    fn finish(self, source: SourceMap, declared: Vec<Signature>) -> Program {
        let outlines = self.outlines(declared);
        let mut program = Program {
            source,
            outlines,
            model: self.settings.model,
            vars: self.vars,
            functions: self.functions,
            points: self.flow.points,
            edges: self.flow.edges,
            checks: self.checks,
            inputs: self.inputs,
            undeclared: self.undeclared,
            notes: self.notes,
        };
        loops::mark_heads(&mut program);
        program
    }

    /// The function of the program that is being lowered.
    pub(super) fn func(&self) -> FuncId {
        self.flow.func.unwrap_or(FuncId(0))
    }

    /// A new variable.
    pub(super) fn new_var(&mut self, name: &str, ty: VarType, lengths: Vec<Length>) -> VarId {
        let global = self.frames.is_empty();
        let origin = match (global, self.frames.last()) {
            (false, Some(frame)) if self.flow.depth == 0 => Origin::Source { scope: frame.scope },
            (false, _) => Origin::Inlined,
            (true, _) => Origin::Source {
                scope: Span {
                    start: 0,
                    end: u32::MAX,
                },
            },
        };
        let owner = (!global).then(|| self.func());
        self.vars.push(Var {
            name: name.to_owned(),
            ty,
            owner,
            origin,
            lengths,
            path: String::new(),
        });
        VarId::new(self.vars.len() - 1)
    }

    /// A new variable of the front end itself.
    pub(super) fn temporary(&mut self, name: &str, ty: IntType) -> VarId {
        let var = self.new_var(name, VarType::Int(ty), Vec::new());
        self.vars[var.index()].origin = Origin::Made;
        var
    }

    /// The value in a new variable, so that later effects do not change it.
    pub(super) fn keep(&mut self, value: Expr, ty: IntType) -> Expr {
        if matches!(value, Expr::Int(_)) {
            return value;
        }
        let var = self.temporary("t", ty);
        self.flow.push(Op::Assign(var, value));
        Expr::Var(var)
    }

    /// Demands that something holds from here on.
    pub(super) fn check(&mut self, kind: CheckKind, holds: Expr, span: Span) {
        if holds == Expr::Bool(true) || !self.flow.reachable() {
            return;
        }
        self.checks.push(Check { kind, holds, span });
        self.flow
            .push(Op::Check(CheckId::new(self.checks.len() - 1)));
    }

    /// Gives a variable a value from outside.
    pub(super) fn input(&mut self, var: VarId, kind: InputKind, span: Span) {
        self.inputs.push(InputSite {
            kind,
            span,
            whole: None,
        });
        self.flow
            .push(Op::Input(var, InputId::new(self.inputs.len() - 1)));
    }

    /// The bounds of an expression by the types in it.
    pub(super) fn range(&self, expr: &Expr) -> (i128, i128) {
        crate::program::range::range(&self.vars, expr)
    }

    /// An error at a place.
    pub(super) fn refuse<T>(
        &self,
        code: Code,
        span: Span,
        message: impl Into<String>,
    ) -> Outcome<T> {
        Err(Trouble::new(code, span, message))
    }
}
