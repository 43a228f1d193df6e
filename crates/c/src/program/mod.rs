//! A C program as a control-flow automaton with checks.
//!
//! Calls are inlined except to recursive functions, which stay functions. A point is a place
//! between statements, an edge a straight line of operations. What must hold on the way is a
//! check; a check belongs to one of three groups, which are decided one by one: clauses for a group
//! have its checks as goals and all checks as constraints of what follows them.
//!
//! Reading order: [`types`], [`expr`], here, [`live`], [`loops`], [`frame`],
//! [`order`], [`bounds`].

pub mod bounds;
pub(crate) mod cells;
pub(crate) mod constants;
pub mod expr;
pub mod frame;
pub mod live;
pub mod loops;
pub mod order;
pub mod outline;
mod place;
pub mod range;
pub mod types;

use foretell_kernel::Problem;
use foretell_terms::Term;

use crate::error::Span;
use crate::text::SourceMap;
pub use expr::{Arith, Compare, Expr, Quantifier};
pub use outline::{Outline, Role};
pub use types::{DataModel, IntType, Rank};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in its list.
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The identifier of a position.
            pub fn new(index: usize) -> $name {
                $name(u32::try_from(index).expect("invariant: fewer than 2^32 items of a program"))
            }
        }
    )*};
}

ids! {
    /// A variable.
    VarId,
    /// A point.
    PointId,
    /// A function.
    FuncId,
    /// A check.
    CheckId,
    /// A place in the program that takes an input.
    InputId,
}

/// What a variable holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarType {
    /// One number.
    Int(IntType),
    /// Numbers by so many indices.
    Array(IntType, usize),
}

impl VarType {
    /// The type of the numbers in it.
    pub fn element(self) -> IntType {
        match self {
            VarType::Int(ty) | VarType::Array(ty, _) => ty,
        }
    }

    /// How many indices it takes to get at a number.
    pub fn dims(self) -> usize {
        match self {
            VarType::Int(_) => 0,
            VarType::Array(_, dims) => dims,
        }
    }
}

/// Where a variable comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A declaration in the source, visible under its own name inside this span.
    Source {
        /// Where the name is visible.
        scope: Span,
    },
    /// A declaration in a function that was inlined here.
    Inlined,
    /// The front end: intermediate results, lengths, offsets.
    Made,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name in C, or one that says what it is.
    pub name: String,
    /// What it holds.
    pub ty: VarType,
    /// The function it is local to; none for what lives as long as the program.
    pub owner: Option<FuncId>,
    /// Where it comes from.
    pub origin: Origin,
    /// The length of each dimension of an array.
    pub lengths: Vec<Length>,
    /// How C gets from the object that was declared to a number of it: `[]` where an index stands, and
    /// the members between them, as in `[].x[]`; empty for a number that is an object of its own.
    pub path: String,
}

/// The length of a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// A constant.
    Const(i128),
    /// The value of a variable that does not change while the array lives.
    Var(VarId),
    /// Not known.
    Unknown,
}

/// What a point is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointKind {
    /// The start of a function.
    Entry,
    /// The end of a function.
    Exit,
    /// A place where ways part or meet.
    Join,
    /// The place before the condition of a `for` or `while`, or before the body of a `do`; or where
    /// a `goto` goes back to.
    LoopHead,
    /// The place before the condition of a `do`.
    LoopTest,
    /// Behind a call.
    AfterCall,
}

/// A place between statements.
#[derive(Clone, Debug)]
pub struct Point {
    /// What it is.
    pub kind: PointKind,
    /// The function it is in.
    pub func: FuncId,
    /// Its place: for a loop, that of the whole statement.
    pub span: Span,
    /// How many inlined calls are around it.
    pub depth: usize,
}

/// A straight line of operations.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: PointId,
    /// Where it ends.
    pub to: PointId,
    /// What happens.
    pub ops: Vec<(Op, Span)>,
}

/// One operation.
#[derive(Clone, Debug)]
pub enum Op {
    /// Execution goes on only if this holds.
    Assume(Expr),
    /// A scalar gets a value.
    Assign(VarId, Expr),
    /// A cell gets a value.
    Store(VarId, Vec<Expr>, Expr),
    /// Every cell of an array gets this value.
    Fill(VarId, i128),
    /// A variable, scalar or array, gets a copy of another one.
    Copy(VarId, VarId),
    /// A variable gets a value from outside.
    Input(VarId, InputId),
    /// This must hold; execution goes on only if it does.
    Check(CheckId),
    /// A recursive function is called; the last operation of its edge.
    Call {
        /// The function.
        callee: FuncId,
        /// The values of its parameters.
        args: Vec<Expr>,
        /// What gets the result.
        result: Option<VarId>,
    },
}

/// The groups of checks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Group {
    /// Assertions and error calls.
    Assert,
    /// Results outside of their type, division by zero, shifts.
    Overflow,
    /// Indices outside of their array, null pointers, memory that was given back.
    Memory,
}

impl Group {
    /// All groups in the order in which they are shown.
    pub const ALL: [Group; 3] = [Group::Assert, Group::Overflow, Group::Memory];

    /// The name users see.
    pub fn name(self) -> &'static str {
        match self {
            Group::Assert => "assert",
            Group::Overflow => "overflow",
            Group::Memory => "memory",
        }
    }
}

/// What a check is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckKind {
    /// `assert` and its relatives.
    Assertion,
    /// A call of an error function.
    ErrorCall,
    /// Something that an annotation demands; a compiled program does not look at it.
    Annotation,
    /// Something that an annotation proposes: proved and then used, or left out.
    Hint,
    /// A result of signed arithmetic outside of its type.
    Range,
    /// A division by zero.
    Division,
    /// A shift by too much, or of a negative number.
    Shift,
    /// A variable length that is not positive.
    ArrayLength,
    /// An index outside of its array.
    Bounds,
    /// A null pointer is followed.
    Null,
    /// Memory that was given back is used, or given back again.
    Freed,
}

impl CheckKind {
    /// The group of such checks.
    pub fn group(self) -> Group {
        match self {
            CheckKind::Assertion
            | CheckKind::ErrorCall
            | CheckKind::Annotation
            | CheckKind::Hint => Group::Assert,
            CheckKind::Range | CheckKind::Division | CheckKind::Shift | CheckKind::ArrayLength => {
                Group::Overflow
            }
            CheckKind::Bounds | CheckKind::Null | CheckKind::Freed => Group::Memory,
        }
    }

    /// What went wrong when such a check fails.
    pub fn words(self) -> &'static str {
        match self {
            CheckKind::Assertion => "the assertion fails",
            CheckKind::ErrorCall => "the error call is reached",
            CheckKind::Annotation | CheckKind::Hint => "the annotation does not hold",
            CheckKind::Range => "the result is outside of its type",
            CheckKind::Division => "division by zero or overflow of a division",
            CheckKind::Shift => "the shift is not defined",
            CheckKind::ArrayLength => "the length of an array is not positive",
            CheckKind::Bounds => "the index is outside of the array",
            CheckKind::Null => "a null pointer is followed",
            CheckKind::Freed => "memory is used after it was given back",
        }
    }
}

/// Something that must hold at a place.
#[derive(Clone, Debug)]
pub struct Check {
    /// What it is about.
    pub kind: CheckKind,
    /// What must hold.
    pub holds: Expr,
    /// The place.
    pub span: Span,
}

/// Where an input comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// A call of a function without a body, by name.
    Call(String),
    /// A variable that was not given a value.
    Uninitialised,
    /// New memory of elements of this type, as C writes it.
    Memory(String),
    /// A parameter of the entry function.
    Parameter,
}

/// A place in the program that takes an input.
#[derive(Clone, Debug)]
pub struct InputSite {
    /// Where the value comes from.
    pub kind: InputKind,
    /// The place: of a call, the whole call; of a variable, its declarator.
    pub span: Span,
    /// Where this is one place of an array that was taken apart: the input of the whole array.
    pub whole: Option<InputId>,
}

/// A function: the entry function with all that is inlined into it, or a recursive one.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<VarId>,
    /// What holds its result.
    pub result: Option<VarId>,
    /// Where it starts.
    pub entry: PointId,
    /// Where it ends.
    pub exit: PointId,
    /// Its place.
    pub span: Span,
}

/// A program.
///
/// Invariant: function 0 is the entry; an edge stays inside one function; a call is the last
/// operation of its edge.
#[derive(Clone, Debug)]
pub struct Program {
    /// The files.
    pub source: SourceMap,
    /// The sizes of types.
    pub model: DataModel,
    /// The variables.
    pub vars: Vec<Var>,
    /// The functions.
    pub functions: Vec<Function>,
    /// The functions of the input that may get a contract.
    pub outlines: Vec<Outline>,
    /// The points.
    pub points: Vec<Point>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// The checks.
    pub checks: Vec<Check>,
    /// The places that take inputs.
    pub inputs: Vec<InputSite>,
    /// Functions that are called for inputs without being declared, and what they return.
    pub undeclared: Vec<(String, IntType)>,
    /// What deserves attention although the text was read.
    pub notes: Vec<(String, Span)>,
}

/// What proves a group of checks: a formula at every point that has one.
#[derive(Clone, Debug)]
pub struct Invariants {
    /// The formula at each point, over [`Invariants::vars`].
    pub at: Vec<(PointId, Term)>,
    /// For each variable of the program, the term that stands for it.
    pub vars: Vec<Term>,
    /// For each variable, the term that stands for its value at the entry of a recursive function.
    pub entry: Vec<Term>,
    /// With which values recursive functions are called and what they make of them.
    pub summaries: Vec<Summary>,
}

/// What is known about a recursive function.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The function.
    pub func: FuncId,
    /// What holds where it is called.
    pub before: Term,
    /// What holds where it comes back.
    pub after: Term,
}

/// What refutes a check: an execution, by its inputs.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The inputs in the order in which the program takes them.
    pub inputs: Vec<(InputId, InputValue)>,
    /// What happened.
    pub steps: Vec<crate::run::Step>,
    /// The check that does not hold.
    pub violated: CheckId,
}

/// The value of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputValue {
    /// A number.
    Int(i128),
    /// An array: one value everywhere but at these places.
    Array(i128, Vec<(Vec<i128>, i128)>),
}

impl Problem for Program {
    type Proof = Invariants;
    type Cex = Execution;
    type Fact = (PointId, Term);
}

impl Program {
    /// A variable.
    pub fn var(&self, var: VarId) -> &Var {
        &self.vars[var.index()]
    }

    /// A point.
    pub fn point(&self, point: PointId) -> &Point {
        &self.points[point.index()]
    }

    /// A check.
    pub fn check(&self, check: CheckId) -> &Check {
        &self.checks[check.index()]
    }

    /// Whether annotations propose something.
    pub fn has_hints(&self) -> bool {
        self.checks.iter().any(|c| c.kind == CheckKind::Hint)
    }

    /// The program without what annotations propose.
    ///
    /// Contract: points, variables, checks and inputs keep their numbers.
    pub fn without_hints(&self) -> Program {
        let mut plain = self.clone();
        for edge in &mut plain.edges {
            edge.ops.retain(|(op, _)| match op {
                Op::Check(check) => self.check(*check).kind != CheckKind::Hint,
                _ => true,
            });
        }
        plain
    }

    /// Whether a group has checks at all; what is only proposed does not count.
    pub fn has_group(&self, group: Group) -> bool {
        let counts = |c: &Check| c.kind.group() == group && c.kind != CheckKind::Hint;
        self.checks.iter().any(counts)
    }

    /// Checks the invariants of the data; the words say which one is broken.
    pub fn validate(&self) -> Result<(), String> {
        for (i, edge) in self.edges.iter().enumerate() {
            if self.point(edge.from).func != self.point(edge.to).func {
                return Err(format!("edge {i} leaves its function"));
            }
            let call = edge
                .ops
                .iter()
                .position(|(op, _)| matches!(op, Op::Call { .. }));
            if call.is_some_and(|at| at + 1 != edge.ops.len()) {
                return Err(format!("edge {i} goes on behind a call"));
            }
            for (op, _) in &edge.ops {
                if let Op::Store(var, indices, _) = op
                    && self.var(*var).ty.dims() != indices.len()
                {
                    return Err(format!("edge {i} stores with the wrong number of indices"));
                }
            }
        }
        Ok(())
    }
}
