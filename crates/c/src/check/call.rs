//! Calls: inlined, or to recursive functions.

use std::rc::Rc;

use indexmap::IndexMap;

use super::contract::{Entry, Trust};
use super::ctype::CType;
use super::lower::{Frame, Lowering, Pending};
use super::scope::Binding;
use super::value::{Place, PointerValue, Shape, Value};
use crate::error::{Code, Outcome, Span};
use crate::program::{
    Expr, FuncId, Function, InputKind, IntType, Length, Op, PointId, PointKind, VarId, VarType,
};
use crate::syntax::tree::{Derived, Expr as Tree, ExprKind, FunctionDef, Param, TypeName};

/// Calls inside calls beyond this depth are refused.
const DEEPEST: usize = 100;

/// The parameters of a definition and the type of its result.
pub(super) fn signature(def: &FunctionDef) -> (&[Param], TypeName) {
    let ty = &def.ty;
    match ty.derived.split_first() {
        Some((Derived::Function(params), rest)) => (
            params,
            TypeName {
                base: ty.base.clone(),
                derived: rest.to_vec(),
                span: ty.span,
            },
        ),
        _ => (&[], ty.clone()),
    }
}

/// The type of a parameter: arrays are pointers.
fn adjusted(ty: CType) -> CType {
    match ty {
        CType::Array(element, _) => CType::Pointer(element),
        other => other,
    }
}

impl Lowering {
    /// A call.
    pub(super) fn call(&mut self, callee: &Tree, args: &[Tree], span: Span) -> Outcome<Value> {
        let ExprKind::Name(name) = &callee.kind else {
            return self.refuse(Code::Function, span, "unsupported: calls through pointers");
        };
        if let Some(value) = self.builtin(name, args, span)? {
            return Ok(value);
        }
        let Some(def) = self.defs.get(name).cloned() else {
            return self.bodyless(name, args, span);
        };
        let mut values = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let value = self.value(arg)?;
            let later = args[i + 1..].iter().any(super::effects::has_effect);
            values.push(match value {
                Value::Int(e, ty) if later => Value::Int(self.keep(e, ty), ty),
                value => value,
            });
        }
        if signature(&def).0.len() != values.len() {
            return self.refuse(
                Code::Meaning,
                span,
                format!("{name} takes another number of arguments"),
            );
        }
        if self.recursive.contains(name) {
            return self.recursive_call(&def, values, span);
        }
        if self.frames.len() > DEEPEST {
            return self.refuse(Code::Limit, span, "calls nested more than 100 deep");
        }
        self.inline(&def, values, span)
    }

    /// The body of a function in the place of its call.
    fn inline(&mut self, def: &Rc<FunctionDef>, values: Vec<Value>, span: Span) -> Outcome<Value> {
        let (params, result) = signature(def);
        let outer_span = self.flow.span;
        let hidden = self.scopes.enter();
        self.scopes.open();
        let back = self.flow.point_at(PointKind::Join, outer_span);
        self.frames.push(new_frame(def, back));
        self.flow.depth += 1;
        for (param, value) in params.iter().zip(values) {
            self.bind(def, param, value, span)?;
        }
        let ty = self.type_of_name(&result)?;
        let result = self.result_slot(def, &ty)?;
        if let Some(frame) = self.frames.last_mut() {
            frame.result.clone_from(&result);
        }
        let ensures = self.enter_contract(def, Trust::Proved)?;
        self.stmt(&def.body)?;
        self.flow.goto(back);
        self.resume(back);
        self.leave_contract(&ensures, span)?;
        self.frames.pop();
        self.flow.depth -= 1;
        self.scopes.leave(hidden);
        self.flow.span = outer_span;
        self.result_value(result, span)
    }

    fn result_slot(&mut self, def: &FunctionDef, ty: &CType) -> Outcome<Option<(Shape, CType)>> {
        if let CType::Void = ty {
            return Ok(None);
        }
        let shape = self.shape(&format!("{}.result", def.name), ty, &[], def.span)?;
        if let Shape::Leaf(var) = shape {
            self.vars[var.index()].origin = crate::program::Origin::Made;
        }
        Ok(Some((shape, ty.clone())))
    }

    fn result_value(&mut self, result: Option<(Shape, CType)>, span: Span) -> Outcome<Value> {
        match result {
            None => Ok(Value::Void),
            Some((shape, ty)) => self.load(
                Place {
                    shape,
                    indices: Vec::new(),
                    ty,
                    freed: None,
                },
                span,
            ),
        }
    }

    /// Gives a parameter its value.
    fn bind(&mut self, def: &FunctionDef, param: &Param, value: Value, span: Span) -> Outcome<()> {
        let Some(name) = &param.name else {
            return Ok(());
        };
        let ty = adjusted(self.type_of_name(&param.ty)?);
        if let (CType::Pointer(_), false) = (&ty, self.effects.assigns(&def.name, name)) {
            let pointer = self.as_pointer(value, &ty, span)?;
            let fixed = self.fixed(pointer);
            self.scopes
                .declare(name, Binding::Alias(Box::new(fixed), ty));
            return Ok(());
        }
        let shape = self.shape(name, &ty, &[], span)?;
        self.scopes
            .declare(name, Binding::Object(shape.clone(), ty.clone()));
        let place = Place {
            shape,
            indices: Vec::new(),
            ty,
            freed: None,
        };
        self.store(place, value, span).map(|_| ())
    }

    /// A pointer whose parts do not change any more.
    fn fixed(&mut self, pointer: PointerValue) -> PointerValue {
        let wide = IntType::difference(self.settings.model);
        let offset = self.keep(pointer.offset, wide);
        let null = match pointer.null {
            Expr::Bool(b) => Expr::Bool(b),
            other => Expr::truth(self.keep(Expr::from_bool(other), IntType::INT)),
        };
        let target = pointer.target.map(|mut target| {
            target.prefix = target
                .prefix
                .iter()
                .map(|i| self.keep(i.clone(), wide))
                .collect();
            target
        });
        PointerValue {
            target,
            offset,
            null,
        }
    }

    /// The first call: parameters come from outside.
    pub(super) fn entry_call(&mut self, def: &Rc<FunctionDef>, exit: PointId) -> Outcome<()> {
        let (params, result) = signature(def);
        let back = self.end_of(def, exit)?;
        self.frames.push(new_frame(def, back));
        self.scopes.open();
        for param in params {
            let Some(name) = &param.name else { continue };
            let ty = adjusted(self.type_of_name(&param.ty)?);
            match &ty {
                CType::Pointer(element)
                    if matches!(**element, CType::Int(_) | CType::Struct(_)) =>
                {
                    let shape = self.shape(name, element, &[Length::Unknown], def.span)?;
                    self.unknown(&shape, &InputKind::Parameter, def.span);
                    let array = CType::Array(element.clone(), Length::Unknown);
                    self.scopes.declare(name, Binding::Object(shape, array));
                    let note = format!(
                        "the length of {name} is not known: only indices below 0 are checked"
                    );
                    self.notes.push((note, param.ty.span));
                }
                CType::Pointer(_) => {
                    let refused = Shape::Refused("pointers to pointers");
                    self.scopes.declare(name, Binding::Object(refused, ty));
                }
                _ => {
                    let shape = self.shape(name, &ty, &[], def.span)?;
                    self.unknown(&shape, &InputKind::Parameter, def.span);
                    self.scopes.declare(name, Binding::Object(shape, ty));
                }
            }
        }
        let ty = self.type_of_name(&result)?;
        let result = self.result_slot(def, &ty)?;
        if let Some((Shape::Leaf(var), _)) = &result {
            self.functions[0].result = Some(*var);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.result = result;
        }
        let ensures = self.enter_contract(def, Trust::Assumed)?;
        self.stmt(&def.body)?;
        self.finish_body((back, exit), &ensures, def.span)?;
        self.frames.pop();
        self.scopes.close();
        Ok(())
    }

    /// Where a function returns to: its end, or the place where its contract is checked.
    fn end_of(&mut self, def: &FunctionDef, exit: PointId) -> Outcome<PointId> {
        Ok(if self.has_ensures(def)? {
            self.flow.point_at(PointKind::Join, def.span)
        } else {
            exit
        })
    }

    fn finish_body(
        &mut self,
        (back, exit): (PointId, PointId),
        ensures: &[Tree],
        span: Span,
    ) -> Outcome<()> {
        self.flow.goto(back);
        if back != exit {
            self.resume(back);
            self.leave_contract(ensures, span)?;
            self.flow.goto(exit);
        }
        Ok(())
    }

    /// A call of a recursive function, which is lowered later, once for each set of arrays it gets.
    fn recursive_call(
        &mut self,
        def: &Rc<FunctionDef>,
        values: Vec<Value>,
        span: Span,
    ) -> Outcome<Value> {
        let (params, _) = signature(def);
        let mut key = def.name.clone();
        let mut typed = Vec::new();
        for (param, value) in params.iter().zip(values) {
            let ty = adjusted(self.type_of_name(&param.ty)?);
            if let CType::Pointer(_) = ty {
                let pointer = self.as_pointer(value, &ty, span)?;
                key.push_str(&format!(
                    "/{:?}",
                    pointer.target.as_ref().map(|t| (&t.shape, &t.prefix))
                ));
                typed.push((Value::Pointer(pointer, ty.clone()), ty));
            } else {
                typed.push((value, ty));
            }
        }
        let func = match self.instances.get(&key) {
            Some((func, ..)) => *func,
            None => self.new_instance(key.clone(), def, &typed, span)?,
        };
        let mut args = Vec::new();
        for (value, ty) in typed {
            match (value, &ty) {
                (Value::Pointer(p, _), CType::Pointer(_)) => {
                    args.push(p.offset);
                    args.push(Expr::from_bool(p.null));
                }
                (value, CType::Int(to)) => {
                    let (number, _) = self.as_number(value, span)?;
                    args.push(self.convert(number, *to));
                }
                _ => {
                    return self.refuse(
                        Code::Function,
                        span,
                        "unsupported: structs as arguments of recursion",
                    );
                }
            }
        }
        let result = match self.instances.get(&key).and_then(|i| i.1.clone()) {
            Some((_, CType::Int(ty))) => Some((self.temporary("t", ty), ty)),
            None => None,
            Some(_) => {
                return self.refuse(
                    Code::Function,
                    span,
                    "unsupported: this result of recursion",
                );
            }
        };
        self.flow.push(Op::Call {
            callee: func,
            args,
            result: result.map(|r| r.0),
        });
        self.flow.cut(PointKind::AfterCall);
        Ok(result.map_or(Value::Void, |(var, ty)| Value::Int(Expr::Var(var), ty)))
    }

    fn new_instance(
        &mut self,
        key: String,
        def: &Rc<FunctionDef>,
        typed: &[(Value, CType)],
        span: Span,
    ) -> Outcome<FuncId> {
        let (params, result) = signature(def);
        let func = FuncId::new(self.functions.len());
        let (outer, depth) = (self.flow.func, self.flow.depth);
        (self.flow.func, self.flow.depth) = (Some(func), 0);
        let entry = self.flow.point_at(PointKind::Entry, def.span);
        let exit = self.flow.point_at(PointKind::Exit, def.span);
        let (mut names, mut vars): (Vec<(String, Binding)>, Vec<VarId>) = (Vec::new(), Vec::new());
        self.frames.push(new_frame(def, exit));
        for (param, (value, ty)) in params.iter().zip(typed) {
            let name = param.name.clone().unwrap_or_default();
            let shape = self.shape(&name, ty, &[], span)?;
            match (&shape, value) {
                (Shape::Leaf(var), _) if matches!(self.vars[var.index()].ty, VarType::Int(_)) => {
                    vars.push(*var)
                }
                (Shape::Pointer(slot), Value::Pointer(p, _)) => {
                    self.slots[*slot].target.clone_from(&p.target);
                    vars.push(self.slots[*slot].offset);
                    vars.push(self.slots[*slot].null);
                }
                _ => {
                    return self.refuse(
                        Code::Function,
                        span,
                        "unsupported: structs as arguments of recursion",
                    );
                }
            }
            names.push((name, Binding::Object(shape, ty.clone())));
        }
        let ty = self.type_of_name(&result)?;
        let result = self.result_slot(def, &ty)?;
        self.frames.pop();
        (self.flow.func, self.flow.depth) = (outer, depth);
        let holder = match &result {
            Some((Shape::Leaf(var), _)) => Some(*var),
            _ => None,
        };
        let name = def.name.clone();
        self.functions.push(Function {
            name,
            params: vars,
            result: holder,
            entry,
            exit,
            span: def.span,
        });
        self.instances.insert(key, (func, result.clone()));
        self.pending.push(Pending {
            def: def.clone(),
            func,
            params: names,
            result,
        });
        Ok(func)
    }

    /// The body of a recursive function.
    pub(super) fn pending_body(&mut self, pending: Pending) -> Outcome<()> {
        let Pending {
            def,
            func,
            params,
            result,
        } = pending;
        let Function { entry, exit, .. } = self.functions[func.index()];
        self.flow.func = Some(func);
        self.flow.depth = 0;
        self.scopes.open();
        let back = self.end_of(&def, exit)?;
        let mut frame = new_frame(&def, back);
        frame.result = result;
        self.frames.push(frame);
        for (name, binding) in params {
            self.scopes.declare(&name, binding);
        }
        self.flow.span = def.span;
        self.flow.start(entry);
        let ensures = self.enter_contract(&def, Trust::Proved)?;
        self.stmt(&def.body)?;
        self.finish_body((back, exit), &ensures, def.span)?;
        self.frames.pop();
        self.scopes.close();
        self.flow.func = None;
        Ok(())
    }
}

fn new_frame(def: &FunctionDef, back: PointId) -> Frame {
    Frame {
        name: def.name.clone(),
        back,
        result: None,
        labels: IndexMap::new(),
        breaks: Vec::new(),
        continues: Vec::new(),
        switches: Vec::new(),
        scope: def.body.span,
        entry: Entry::default(),
    }
}
