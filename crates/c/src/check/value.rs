//! What expressions denote while a program is built.

use std::rc::Rc;

use super::ctype::CType;
use crate::error::Span;
use crate::program::{Expr, IntType, Length, VarId};

/// How an object is stored: by variables of the program.
///
/// An array of structs is one array for each member: the indices on the way to a leaf are those of
/// all arrays around it, from the outermost to the innermost.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// Numbers.
    Leaf(VarId),
    /// Members by name.
    Struct(Rc<Vec<(String, Shape)>>),
    /// A pointer variable, by its number.
    Pointer(usize),
    /// Something that is refused when it is used.
    Refused(&'static str),
}

/// A pointer variable.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The object it points into, once that is known.
    pub(super) target: Option<Target>,
    /// The variable that holds the offset, counted in elements.
    pub(super) offset: VarId,
    /// The variable that is 1 when the pointer is null.
    pub(super) null: VarId,
}

/// The object a pointer points into: the only one it may ever point into.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The whole object.
    pub(super) shape: Shape,
    /// Indices that are fixed.
    pub(super) prefix: Vec<Expr>,
    /// The length of the array the offset counts in; none for an object that is no array.
    pub(super) length: Option<Length>,
    /// The type of an element.
    pub(super) element: CType,
    /// For memory that may be given back: the variable that is 1 once it was.
    pub(super) freed: Option<VarId>,
}

/// Where something is stored.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The object.
    pub(super) shape: Shape,
    /// The indices so far.
    pub(super) indices: Vec<Expr>,
    /// The type of what is stored there.
    pub(super) ty: CType,
    /// For memory that may be given back: the variable that is 1 once it was.
    pub(super) freed: Option<VarId>,
}

/// A pointer as a value.
#[derive(Clone, Debug)]
pub(super) struct PointerValue {
    /// The object; none for a null pointer.
    pub(super) target: Option<Target>,
    /// The offset in elements.
    pub(super) offset: Expr,
    /// Whether it is null: a truth value.
    pub(super) null: Expr,
}

/// What is in new memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Contents {
    /// Anything.
    Unknown,
    /// Zero.
    Zero,
}

/// A value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Nothing.
    Void,
    /// A number.
    Int(Expr, IntType),
    /// A pointer.
    Pointer(PointerValue, CType),
    /// A struct, by where it is stored.
    Object(Place),
    /// New memory of so many bytes, whose type is not known yet.
    Memory {
        /// The number of bytes.
        bytes: Expr,
        /// What is in it.
        contents: Contents,
        /// The call.
        span: Span,
    },
}

impl PointerValue {
    /// The null pointer.
    pub(super) fn null() -> PointerValue {
        PointerValue {
            target: None,
            offset: Expr::ZERO,
            null: Expr::Bool(true),
        }
    }
}

/// Whether two targets are the same object.
pub(super) fn same_target(a: &Target, b: &Target) -> bool {
    same_shape(&a.shape, &b.shape) && a.prefix == b.prefix && a.length == b.length
}

fn same_shape(a: &Shape, b: &Shape) -> bool {
    match (a, b) {
        (Shape::Leaf(x), Shape::Leaf(y)) => x == y,
        (Shape::Struct(x), Shape::Struct(y)) => Rc::ptr_eq(x, y),
        (Shape::Pointer(x), Shape::Pointer(y)) => x == y,
        _ => false,
    }
}
