//! The tree of a C text, as small as the rest needs it.

use crate::error::Span;

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its place.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name.
    Name(String),
    /// An integer constant with the least rank and signedness its suffix asks for.
    Integer {
        /// The value.
        value: i128,
        /// `u`.
        unsigned: bool,
        /// 0, 1 (`l`) or 2 (`ll`).
        longs: u8,
        /// Whether it is written in base 10.
        decimal: bool,
    },
    /// A character constant.
    Character(i128),
    /// A floating-point constant.
    Float,
    /// A string literal without its closing zero.
    Text(Vec<u8>),
    /// `e.f` and `(*e).f`.
    Member(Box<Expr>, String),
    /// `f(a, …)`; the last span is that of the closing parenthesis.
    Call(Box<Expr>, Vec<Expr>),
    /// `sizeof (T)`.
    SizeOfType(TypeName),
    /// `sizeof e`.
    SizeOf(Box<Expr>),
    /// An operator with one operand.
    Unary(Unary, Box<Expr>),
    /// `++` and `--`.
    Step(Step, Box<Expr>),
    /// An operator with two operands, both evaluated.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `a && b`.
    And(Box<Expr>, Box<Expr>),
    /// `a || b`.
    Or(Box<Expr>, Box<Expr>),
    /// `a = b`, or `a op= b`.
    Assign(Option<Binary>, Box<Expr>, Box<Expr>),
    /// `(T) e`.
    Cast(TypeName, Box<Expr>),
    /// `c ? a : b`.
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a, b`.
    Comma(Vec<Expr>),
    /// `({ … })`.
    Block(Vec<Stmt>),
    /// For all integers of these names; only in annotations.
    Forall(Vec<String>, Box<Expr>),
    /// For some integers of these names; only in annotations.
    Exists(Vec<String>, Box<Expr>),
    /// Something that is not read, by name.
    Refused(&'static str),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    /// `&e`
    Address,
    /// `*e`
    Deref,
    /// `+e`
    Plus,
    /// `-e`
    Minus,
    /// `~e`
    Complement,
    /// `!e`
    Not,
}

/// `++` and `--`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Whether the value is the one after the step.
    pub before: bool,
    /// Whether it is `++`.
    pub up: bool,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are those of C")]
pub enum Binary {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub struct TypeName {
    /// What the specifiers say.
    pub base: Base,
    /// From the outermost derivation to the innermost: `int *a[3]` is array, then pointer.
    pub derived: Vec<Derived>,
    /// Its place.
    pub span: Span,
}

/// What the specifiers of a type say.
#[derive(Clone, Debug)]
pub enum Base {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// An integer type.
    Integer {
        /// Whether it is unsigned.
        unsigned: bool,
        /// Its size.
        size: Size,
    },
    /// A floating-point type.
    Float,
    /// A struct, by tag and, where it is defined, with its members.
    Struct(Option<String>, Option<Vec<Member>>),
    /// An enumeration with the constants it defines.
    Enum(Vec<(String, Option<Expr>, Span)>),
    /// A `typedef` name.
    Named(String),
    /// `typeof` of an expression.
    TypeOf(Box<Expr>),
    /// Something that is not read, by name.
    Refused(&'static str),
}

/// The sizes of integer types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[expect(missing_docs, reason = "the names are those of C")]
pub enum Size {
    Char,
    Short,
    Int,
    Long,
    LongLong,
}

/// A member of a struct.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeName,
}

/// One derivation of a declarator.
#[derive(Clone, Debug)]
pub enum Derived {
    /// `*`
    Pointer,
    /// `[n]` or `[]`
    Array(Option<Box<Expr>>),
    /// `(…)`
    Function(Vec<Param>),
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its type.
    pub ty: TypeName,
}

/// How a name is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// Nothing is said.
    Plain,
    /// `static`
    Static,
    /// `extern`
    Extern,
    /// `typedef`
    Typedef,
}

/// One declared name.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The name; empty where only a struct or enumeration is declared.
    pub name: String,
    /// The type.
    pub ty: TypeName,
    /// How it is stored.
    pub storage: Storage,
    /// The value it starts with.
    pub init: Option<Init>,
    /// The place.
    pub span: Span,
}

/// An initialiser.
#[derive(Clone, Debug)]
pub enum Init {
    /// `= e`
    Value(Expr),
    /// `= { … }`
    List(Vec<(Vec<Designator>, Init)>, Span),
}

/// Where an item of an initialiser goes.
#[derive(Clone, Debug)]
pub enum Designator {
    /// `[e]`
    Index(Expr),
    /// `.f`
    Member(String),
    /// `[a ... b]`, not read.
    Range,
}

/// A statement with its place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Its place, from its keyword.
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `{ … }`
    Block(Vec<Stmt>),
    /// A declaration.
    Declare(Vec<Declared>),
    /// `e;`
    Expr(Expr),
    /// `;`
    Empty,
    /// `if`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `switch`
    Switch(Expr, Box<Stmt>),
    /// `while`
    While(Expr, Box<Stmt>),
    /// `do … while`
    DoWhile(Box<Stmt>, Expr),
    /// `for`
    For(Option<Box<Stmt>>, Option<Expr>, Option<Expr>, Box<Stmt>),
    /// `goto l;`
    Goto(String),
    /// `continue;`
    Continue,
    /// `break;`
    Break,
    /// `return e;`
    Return(Option<Expr>),
    /// `l: s`
    Label(String, Box<Stmt>),
    /// `case e: s`
    Case(Expr, Box<Stmt>),
    /// `default: s`
    Default(Box<Stmt>),
    /// Something that is not read, by name.
    Refused(&'static str),
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct FunctionDef {
    /// Its name.
    pub name: String,
    /// Its type; the first derivation is `Function`.
    pub ty: TypeName,
    /// Its body.
    pub body: Stmt,
    /// The place of its head.
    pub span: Span,
}

/// A piece of a file.
#[derive(Clone, Debug)]
pub enum Item {
    /// Declarations.
    Declare(Vec<Declared>),
    /// A function.
    Function(Box<FunctionDef>),
}

/// A file.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Its pieces in order.
    pub items: Vec<Item>,
    /// The place of each piece, from its first word.
    pub spans: Vec<Span>,
}
