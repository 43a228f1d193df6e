//! Declarations: storage for names, and what is in it at first.

use std::rc::Rc;

use super::ctype::CType;
use super::lower::Lowering;
use super::scope::Binding;
use super::value::{Shape, Slot};
use crate::error::{Code, Outcome, Span};
use crate::program::{Expr, InputKind, IntType, Length, Op, Var, VarType};
use crate::syntax::tree::{Declared, Init, Storage};

impl Lowering {
    /// Declares a name.
    pub(super) fn declare(&mut self, d: &Declared) -> Outcome<()> {
        let mut ty = self.type_of_name(&d.ty)?;
        if d.name.is_empty() {
            return Ok(());
        }
        if d.storage == Storage::Typedef {
            if let CType::Struct(s) = &ty {
                // The first name of a type without a tag; others mean the same.
                let _ = s.alias.set(d.name.clone());
            }
            self.scopes.declare(&d.name, Binding::Typedef(ty));
            return Ok(());
        }
        if let CType::Function(_) = ty {
            self.scopes.declare(&d.name, Binding::Function(ty));
            return Ok(());
        }
        if let (CType::Array(element, Length::Unknown), Some(init)) = (&ty, &d.init) {
            let length = self.initial_length(init, d.span)?;
            ty = CType::Array(element.clone(), Length::Const(length));
        }
        let again = matches!(self.scopes.find_here(&d.name), Some(Binding::Object(..)));
        if again && self.scopes.at_file_level() {
            return self.declare_again(d, ty);
        }
        if d.storage == Storage::Extern && !self.scopes.at_file_level() {
            return self.refuse(
                Code::Statement,
                d.span,
                "unsupported: extern inside a function",
            );
        }
        if d.storage == Storage::Static && !self.scopes.at_file_level() {
            return self.declare_static(d, ty);
        }
        let shape = self.shape(&d.name, &ty, &[], d.span)?;
        self.scopes
            .declare(&d.name, Binding::Object(shape.clone(), ty.clone()));
        match &d.init {
            Some(init) => self.initialise(&shape, &ty, init),
            None if self.frames.is_empty() => {
                self.zero(&shape);
                Ok(())
            }
            None => {
                self.unknown(&shape, &InputKind::Uninitialised, d.span);
                Ok(())
            }
        }
    }

    /// A second declaration of a name of the file: only the value may be new.
    fn declare_again(&mut self, d: &Declared, ty: CType) -> Outcome<()> {
        let Some(Binding::Object(shape, old)) = self.scopes.find_here(&d.name).cloned() else {
            return Ok(());
        };
        if !old.same(&ty) {
            return self.refuse(
                Code::Meaning,
                d.span,
                format!("{} is declared with two types", d.name),
            );
        }
        if let (CType::Array(_, Length::Unknown), CType::Array(..)) = (&old, &ty) {
            let shape = self.shape(&d.name, &ty, &[], d.span)?;
            self.zero(&shape);
            self.scopes
                .declare(&d.name, Binding::Object(shape, ty.clone()));
        }
        match &d.init {
            Some(init) => self.initialise(&shape, &ty, init),
            None => Ok(()),
        }
    }

    /// A static variable of a function: one for the whole program, with its value from the start.
    fn declare_static(&mut self, d: &Declared, ty: CType) -> Outcome<()> {
        let (shape, ty) = match self.statics.get(&d.span) {
            Some(known) => known.clone(),
            None => {
                let first = self.vars.len();
                let shape = self.shape(&d.name, &ty, &[], d.span)?;
                self.vars[first..].iter_mut().for_each(|v| v.owner = None);
                let mark = self.flow.mark();
                let start = self.flow.point(crate::program::PointKind::Join);
                self.flow.start(start);
                match &d.init {
                    Some(init) => self.initialise(&shape, &ty, init)?,
                    None => self.zero(&shape),
                }
                let ops = self.flow.take_ops();
                self.flow.rewind(mark);
                self.prologue.extend(ops);
                self.statics.insert(d.span, (shape.clone(), ty.clone()));
                (shape, ty)
            }
        };
        self.scopes.declare(&d.name, Binding::Object(shape, ty));
        Ok(())
    }

    /// Storage for an object of a type inside arrays of these lengths.
    pub(super) fn shape(
        &mut self,
        name: &str,
        ty: &CType,
        dims: &[Length],
        span: Span,
    ) -> Outcome<Shape> {
        let path = Var::INDEX.repeat(dims.len());
        self.part_shape((name, &path), ty, dims, span)
    }

    /// Storage for the part of a named object that this path leads to.
    fn part_shape(
        &mut self,
        (root, path): (&str, &str),
        ty: &CType,
        dims: &[Length],
        span: Span,
    ) -> Outcome<Shape> {
        let name = &format!("{root}{}", path.replace(Var::INDEX, ""));
        match ty {
            CType::Int(int) => {
                let ty = if dims.is_empty() {
                    VarType::Int(*int)
                } else {
                    VarType::Array(*int, dims.len())
                };
                let var = self.new_var(name, ty, dims.to_vec());
                path.clone_into(&mut self.vars[var.index()].path);
                Ok(Shape::Leaf(var))
            }
            CType::Array(element, length) => {
                let mut dims = dims.to_vec();
                dims.push(*length);
                let path = format!("{path}{}", Var::INDEX);
                self.part_shape((root, &path), element, &dims, span)
            }
            CType::Struct(s) => {
                let mut fields = Vec::new();
                for (field, ty) in &s.members {
                    let path = format!("{path}.{field}");
                    let shape = self.part_shape((root, &path), ty, dims, span)?;
                    fields.push((field.clone(), shape));
                }
                Ok(Shape::Struct(Rc::new(fields)))
            }
            CType::Pointer(_) if dims.is_empty() => Ok(self.pointer_shape(name)),
            CType::Pointer(_) => Ok(Shape::Refused("arrays of pointers")),
            CType::Refused(what) => Ok(Shape::Refused(what)),
            CType::Void | CType::Function(_) => {
                self.refuse(Code::Meaning, span, format!("{name} cannot have this type"))
            }
        }
    }

    fn pointer_shape(&mut self, name: &str) -> Shape {
        let offset = self.temporary(
            &format!("{name}.offset"),
            IntType::difference(self.settings.model),
        );
        let null = self.temporary(&format!("{name}.null"), IntType::BOOL);
        self.slots.push(Slot {
            target: None,
            offset,
            null,
        });
        Shape::Pointer(self.slots.len() - 1)
    }

    /// Makes everything in an object zero.
    pub(super) fn zero(&mut self, shape: &Shape) {
        match shape {
            Shape::Leaf(var) => {
                let op = match self.vars[var.index()].ty {
                    VarType::Int(_) => Op::Assign(*var, Expr::ZERO),
                    VarType::Array(..) => Op::Fill(*var, 0),
                };
                self.flow.push(op);
            }
            Shape::Struct(fields) => fields.iter().for_each(|(_, field)| self.zero(field)),
            Shape::Pointer(slot) => {
                let Slot { offset, null, .. } = self.slots[*slot].clone();
                self.flow.push(Op::Assign(offset, Expr::ZERO));
                self.flow.push(Op::Assign(null, Expr::Int(1)));
            }
            Shape::Refused(_) => {}
        }
    }

    /// Makes everything in an object unknown.
    pub(super) fn unknown(&mut self, shape: &Shape, kind: &InputKind, span: Span) {
        match shape {
            Shape::Leaf(var) => self.input(*var, kind.clone(), span),
            Shape::Struct(fields) => {
                for (_, field) in fields.clone().iter() {
                    self.unknown(field, kind, span);
                }
            }
            // A pointer that was not set points nowhere: following it is a null pointer.
            Shape::Pointer(_) => self.zero(shape),
            Shape::Refused(_) => {}
        }
    }

    fn initial_length(&mut self, init: &Init, span: Span) -> Outcome<i128> {
        match init {
            Init::Value(e) => match &e.kind {
                crate::syntax::tree::ExprKind::Text(bytes) => Ok(bytes.len() as i128 + 1),
                _ => self.refuse(Code::Meaning, span, "the length of this array is not known"),
            },
            Init::List(items, _) => self.list_length(items),
        }
    }
}
