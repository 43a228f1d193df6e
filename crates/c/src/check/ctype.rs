//! Types of C as the front end knows them.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::program::{DataModel, IntType, Length};

/// A type.
#[derive(Clone, Debug)]
pub(super) enum CType {
    Void,
    Int(IntType),
    Pointer(Rc<CType>),
    Array(Rc<CType>, Length),
    Struct(Rc<StructType>),
    Function(Rc<Signature>),
    /// A type that is refused as soon as something of it is used.
    Refused(&'static str),
}

/// A struct: its members in order.
#[derive(Debug)]
pub(super) struct StructType {
    pub(super) tag: String,
    /// The name that a `typedef` gave it.
    pub(super) alias: OnceCell<String>,
    pub(super) members: Vec<(String, CType)>,
}

/// What a function takes and returns.
#[derive(Debug)]
pub(super) struct Signature {
    pub(super) result: CType,
}

impl CType {
    /// The size in bytes where it is a constant.
    pub(super) fn size(&self, model: DataModel) -> Option<i128> {
        match self {
            CType::Void => Some(1),
            CType::Int(ty) => Some(i128::from(ty.bits.div_ceil(8))),
            CType::Pointer(_) => Some(i128::from(model.long_bits() / 8)),
            CType::Array(element, Length::Const(n)) => element.size(model)?.checked_mul(*n),
            CType::Struct(s) => struct_size(s, model),
            CType::Array(..) | CType::Function(_) | CType::Refused(_) => None,
        }
    }

    fn alignment(&self, model: DataModel) -> Option<i128> {
        match self {
            // The System V ABI for i386 aligns 64-bit members to four bytes.
            CType::Int(ty) if model == DataModel::Ilp32 => {
                Some(i128::from(ty.bits.div_ceil(8)).min(4))
            }
            CType::Array(element, _) => element.alignment(model),
            CType::Struct(s) => {
                let mut most = 1;
                for (_, ty) in &s.members {
                    most = most.max(ty.alignment(model)?);
                }
                Some(most)
            }
            other => other.size(model),
        }
    }

    /// Whether two types denote the same values in memory.
    pub(super) fn same(&self, other: &CType) -> bool {
        match (self, other) {
            (CType::Void, CType::Void) => true,
            (CType::Int(a), CType::Int(b)) => a.bits == b.bits && a.signed == b.signed,
            (CType::Pointer(a), CType::Pointer(b)) => a.same(b),
            (CType::Array(a, _), CType::Array(b, _)) => a.same(b),
            (CType::Struct(a), CType::Struct(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The type as it is written, roughly.
    pub(super) fn name(&self) -> String {
        match self {
            CType::Void => "void".to_owned(),
            CType::Int(ty) => ty.name(),
            CType::Pointer(to) => format!("{} *", to.name()),
            CType::Array(of, _) => format!("{} []", of.name()),
            CType::Struct(s) => match s.alias.get() {
                Some(alias) if s.tag.is_empty() => alias.clone(),
                _ => format!("struct {}", s.tag),
            },
            CType::Function(f) => format!("function returning {}", f.result.name()),
            CType::Refused(what) => (*what).to_owned(),
        }
    }
}

fn struct_size(s: &StructType, model: DataModel) -> Option<i128> {
    let (mut size, mut most) = (0i128, 1i128);
    for (_, ty) in &s.members {
        let align = ty.alignment(model)?;
        most = most.max(align);
        size = (size + align - 1) / align * align + ty.size(model)?;
    }
    Some((size + most - 1) / most * most)
}
