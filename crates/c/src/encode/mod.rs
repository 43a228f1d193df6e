//! From a program and a group of checks to Horn clauses.
//!
//! One predicate for each point that can be reached, over the variables that are live there; one
//! clause for each edge, in which every operation is a substitution; one query for each check of the
//! group. Behind a check, of whatever group, the clause assumes it (see the argument in
//! `docs/c.md`: the first violation of an execution is found by the query of its group).
//!
//! A recursive function `f` has `f/pre` (with which arguments it is called), predicates of its
//! points that also carry the values at its entry, and `f/sum` (what it makes of them).
//!
//! Reading order: here, [`ints`] (expressions as terms), [`clause`] (one clause under
//! construction), [`system`] (all of them), [`straight`] (programs whose loops end by themselves).

pub mod clause;
pub mod ints;
mod merge;
pub mod straight;
pub mod system;

use foretell_systems::ChcSystem;
use foretell_terms::{Sort, Term, TermStore};

use crate::program::{CheckId, FuncId, Group, InputId, PointId, Program, VarId, VarType};

pub use straight::straight;
pub use system::encode;

/// Which ranges are assumed of what a clause reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ranges {
    /// Those of all types; checks of the group overflow are assumed as well.
    All,
    /// Those of unsigned types only, and no check of signed ranges is assumed: fewer and smaller
    /// formulas. A proof is a proof of the real system, whose clauses assume more; a counterexample
    /// counts only if it can be executed.
    Unsigned,
}

/// How a program is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EncodeOptions {
    /// The group of checks.
    pub group: Group,
    /// Which ranges are assumed.
    pub ranges: Ranges,
}

/// What a predicate stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PredKind {
    /// A point of the program.
    Point(PointId),
    /// With which values a function is called.
    Pre(FuncId),
    /// What a function makes of them.
    Sum(FuncId),
}

/// What a parameter of a predicate stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// The value of a variable now.
    Now(VarId),
    /// The value of a variable when the function was entered.
    Entry(VarId),
}

/// What a clause stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClauseKind {
    /// The start of the program, or of a function.
    Enter,
    /// An edge.
    Edge(usize),
    /// A call on an edge: its arguments reach the function.
    CallOn(usize),
    /// The end of a function.
    Leave(FuncId),
    /// A check on an edge.
    Query(CheckId),
}

/// The clauses of a group, and what everything in them stands for.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The clauses.
    pub system: ChcSystem,
    /// What each predicate stands for, and each of its parameters.
    pub preds: Vec<(PredKind, Vec<Slot>)>,
    /// What each clause stands for, and the inputs its variables are, in order.
    pub clauses: Vec<(ClauseKind, Vec<(InputId, Term)>)>,
    /// How the program was encoded.
    pub options: EncodeOptions,
}

/// The sort of a variable.
pub fn sort_of(terms: &TermStore, ty: VarType) -> Sort {
    (0..ty.dims()).fold(Sort::INT, |element, _| {
        terms.array_sort(&[Sort::INT], element)
    })
}

/// One term for each variable of a program, under its own name.
pub fn program_vars(terms: &TermStore, program: &Program) -> Vec<Term> {
    program
        .vars
        .iter()
        .map(|v| terms.new_var(&v.name, sort_of(terms, v.ty)))
        .collect()
}
