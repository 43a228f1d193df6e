//! The solver contract: three-valued answers that borrow the solver.

use foretell_terms::eval::Assignment;
use foretell_terms::{Term, TermStore, Value};

use crate::budget::Work;
use crate::context::Cx;
use crate::halt::Halt;

/// How a solver is to be made.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SolverConfig {
    /// A name for the recorder and for statistics.
    pub purpose: &'static str,
    /// A limit for each query; one that exceeds it is answered `Unknown`. Without one the solver has
    /// limits of its own, and tries more than once before it gives up.
    pub query_limit: Option<Work>,
    /// Unsat cores are made minimal by the solver where it can.
    pub minimal_cores: bool,
    /// The seed of the solver's own randomness.
    pub seed: u32,
    /// No formula will contain a quantifier; the solver may drop what it does for them.
    pub quantifier_free: bool,
    /// The logic all formulas will belong to, if it is known; the solver may drop other theories.
    pub logic: Option<&'static str>,
    /// There will be very many easy queries: arithmetic that starts quickly is better than arithmetic
    /// that goes far.
    pub light_arithmetic: bool,
    /// What chooses the procedure that answers a query.
    pub strategy: Strategy,
}

/// What chooses the procedure that answers a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// The solver, by the shape of the query, where it is the only one.
    #[default]
    ByShape,
    /// Nothing: queries go to the main procedure. To build a strategy takes longer than a small query.
    Direct,
}

impl SolverConfig {
    /// The default configuration for a purpose.
    pub fn new(purpose: &'static str) -> SolverConfig {
        SolverConfig {
            purpose,
            ..SolverConfig::default()
        }
    }

    /// The same with a limit per query.
    pub fn with_limit(mut self, limit: Work) -> SolverConfig {
        self.query_limit = Some(limit);
        self
    }

    /// The same for formulas without quantifiers.
    pub fn quantifier_free(mut self) -> SolverConfig {
        self.quantifier_free = true;
        self
    }

    /// The same for formulas of a logic.
    pub fn with_logic(mut self, logic: Option<&'static str>) -> SolverConfig {
        self.logic = logic;
        self
    }

    /// The same for very many easy queries.
    pub fn with_light_arithmetic(mut self) -> SolverConfig {
        self.light_arithmetic = true;
        self
    }

    /// The same without a strategy.
    pub fn direct(mut self) -> SolverConfig {
        self.strategy = Strategy::Direct;
        self
    }

    /// The same with minimal cores.
    pub fn with_minimal_cores(mut self) -> SolverConfig {
        self.minimal_cores = true;
        self
    }
}

/// The answer to a query. A model or a core lives only until the solver is used again.
///
/// `Unknown` is never unsat: there is no way to turn an answer into a truth value by accident.
#[must_use]
pub enum Answer<'s> {
    /// Satisfiable, with a model.
    Sat(Box<dyn Model + 's>),
    /// Unsatisfiable, with those assumptions that sufficed.
    Unsat(Vec<Term>),
    /// Not decided; the solver's words.
    Unknown(String),
}

/// A model of the last query.
pub trait Model {
    /// The value of a term, completed where the model leaves it open; `None` when the value has no
    /// representation here (an algebraic number, a function the solver would not spell out).
    fn value(&self, terms: &TermStore, term: Term) -> Option<Value>;

    /// The truth value of a formula; `None` when the model does not decide it.
    fn holds(&self, terms: &TermStore, formula: Term) -> Option<bool> {
        match self.value(terms, formula) {
            Some(Value::Bool(b)) => Some(b),
            _ => None,
        }
    }

    /// The values of these terms and of the declared functions that occur in them.
    fn assignment(&self, terms: &TermStore, of: &[Term]) -> Option<Assignment>;
}

/// An incremental solver.
pub trait Solver {
    /// Adds a formula to the current level.
    fn assert(&mut self, terms: &TermStore, formula: Term) -> Result<(), Halt>;

    /// Opens a level.
    fn push(&mut self);

    /// Closes the last level.
    fn pop(&mut self);

    /// Is the conjunction of everything asserted and the assumptions satisfiable?
    ///
    /// Assumptions are literals: Boolean variables or their negations (other formulas are allowed
    /// and are named internally). `Unsat(core)`: `core` is a subset of the assumptions and
    /// asserted ∧ core is unsatisfiable.
    fn check<'s>(&'s mut self, assumptions: &[Term], cx: &Cx<'_>) -> Result<Answer<'s>, Halt>;

    /// Drops all assertions and all learnt state.
    fn reset(&mut self);
}

/// The answers a text solver gave to the `check-sat` commands of a script, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptAnswer {
    /// `sat`.
    Sat,
    /// `unsat`.
    Unsat,
    /// `unknown`, an error, or no answer in time; the words.
    Unknown(String),
}
