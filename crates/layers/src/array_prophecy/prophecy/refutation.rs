//! Property-directed refutation of a counterexample: which axiom instances it violates, and why they
//! matter.
//!
//! Paper: Vick, McMillan, VMCAI 2023, section 6, Figures 5 to 7.
//!
//! ```text
//! violations()                                       // fn violations
//!   for each read g of the path, the latest first
//!     for each violation (ψ, Γ) of follow(g, ∅)      return them
//! follow(g = read(a, y), Γ)                          // fn follow, a loop with a stack
//!   for each array the E-graph gives to a            // fn matches: trigger matching
//!     write(b, x, v), x = y    instance violated?  yield (instance, Γ)   else follow(reads in v, Γ ∪ {x = y})
//!     write(b, x, v), x ≠ y    instance violated?  yield (instance, Γ)   else follow(read(b, y), Γ ∪ {x ≠ y})
//!     const(v)                 instance violated?  yield (instance, Γ)   else follow(reads in v, Γ)
//!     b with equal(a, b)       instance violated?  yield (instance, Γ)   else follow(read(b, y), Γ)
//! ```
//!
//! An index that keeps its value to the end of the path is taken there, where it needs no history.
//! Γ holds the preconditions under which the instance bears on the property: a history variable that
//! keeps the value of y is told by them when to take it (`capture.rs`).
//!
//! Limits: a search looks at no more than [`MOST_STEPS`] reads; where it finds nothing the enumeration
//! of all instances takes over.

use foretell_kernel::Cx;
use foretell_terms::{Term, Value};
use indexmap::IndexSet;

use super::egraph::EGraph;
use crate::array_prophecy::arrays::axioms;
use crate::array_prophecy::arrays::consecutive::Path;
use crate::array_prophecy::arrays::{ArrayAbstraction, Role};

/// At most so many reads are followed.
const MOST_STEPS: usize = 400;

/// A precondition of an instance on the way to a violation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Precondition {
    /// The formula, timed.
    pub(crate) formula: Term,
    /// Whether it says that a write hit the cell, or missed it.
    pub(crate) kind: Met,
}

/// How a write met a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Met {
    /// It wrote the cell.
    Hit,
    /// It wrote another one.
    Missed,
}

/// An instance that is false on a path.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Violation {
    /// The write, constant array or equation, timed.
    pub(crate) trigger: Term,
    /// The index, timed.
    pub(crate) index: Vec<Term>,
    /// Why it matters.
    pub(crate) conditions: Vec<Precondition>,
}

/// The violations on the way to the latest read that has some.
pub(crate) fn violations(
    arrays: &ArrayAbstraction,
    path: &mut Path<'_>,
    cx: &Cx<'_>,
) -> Vec<Violation> {
    let graph = EGraph::new(arrays, path, cx);
    let mut search = Search {
        arrays,
        graph: &graph,
        visited: IndexSet::new(),
        found: Vec::new(),
    };
    for &read in graph.reads() {
        search.follow(read, path, cx);
        if !search.found.is_empty() || search.visited.len() > MOST_STEPS {
            break;
        }
    }
    let mut found = search.found;
    for index in found.iter_mut().flat_map(|violation| &mut violation.index) {
        *index = graph.at_end(*index, path, cx.terms);
    }
    found
}

/// A read and the preconditions under which it matters.
type Goal = (Term, Vec<Precondition>);

struct Search<'a> {
    arrays: &'a ArrayAbstraction,
    graph: &'a EGraph,
    /// Values of arrays and indices that were followed.
    visited: IndexSet<(Value, Vec<Term>)>,
    found: Vec<Violation>,
}

impl Search<'_> {
    fn follow(&mut self, goal: Term, path: &mut Path<'_>, cx: &Cx<'_>) {
        let mut work: Vec<Goal> = vec![(goal, Vec::new())];
        while let Some((read, conditions)) = work.pop() {
            let read = self.with_rigid_index(read, path, cx);
            let args = cx.terms.args(read);
            let Some(array) = path.model.value(cx.terms, args[0]) else {
                continue;
            };
            if self.visited.len() > MOST_STEPS
                || !self.visited.insert((array.clone(), args[1..].to_vec()))
            {
                continue;
            }
            let made: Vec<Term> = self.graph.arrays(&array).collect();
            for trigger in made {
                work.extend(self.matches(read, trigger, &conditions, path, cx));
            }
            let equal: Vec<(Term, Term)> = self.graph.equations(&array).collect();
            for (equation, other) in equal {
                work.extend(self.congruent(read, (equation, other), &conditions, path, cx));
            }
        }
    }

    /// The read with rigid terms in the place of indices that equal them: what is said about those
    /// holds in every step, and nothing has to be foretold.
    fn with_rigid_index(&self, read: Term, path: &Path<'_>, cx: &Cx<'_>) -> Term {
        let Some((symbols, _)) = self.arrays.role(cx.terms, read) else {
            return read;
        };
        let rigid = |&t: &Term| self.graph.rigid(t, path, cx.terms).unwrap_or(t);
        let args = cx.terms.args(read);
        let index: Vec<Term> = args[1..].iter().map(rigid).collect();
        cx.terms.app(symbols.read, &[&args[..1], &index].concat())
    }

    /// The instance for a read of a write or a constant array: violated, or where to go on.
    fn matches(
        &mut self,
        read: Term,
        trigger: Term,
        conditions: &[Precondition],
        path: &mut Path<'_>,
        cx: &Cx<'_>,
    ) -> Vec<Goal> {
        let terms = cx.terms;
        let (Some((symbols, role)), index) =
            (self.arrays.role(terms, trigger), &terms.args(read)[1..])
        else {
            return Vec::new();
        };
        let args = terms.args(trigger);
        let value = args[args.len() - 1];
        let Some(seen) = path.model.value(terms, read) else {
            return Vec::new();
        };
        if role == Role::Constant {
            if path.model.value(terms, value) != Some(seen) {
                self.found.push(violation(trigger, index, conditions));
                return Vec::new();
            }
            return self.sources(value, conditions, cx);
        }
        let same = terms.and(index.iter().zip(&args[1..]).map(|(&i, &j)| terms.eq(i, j)));
        let mut further = conditions.to_vec();
        if path.model.holds(terms, same) == Some(true) {
            further.push(Precondition {
                formula: same,
                kind: Met::Hit,
            });
            return self.sources(value, &further, cx);
        }
        let before = terms.app(symbols.read, &[&args[..1], index].concat());
        if path.model.value(terms, before) != Some(seen) {
            self.found.push(violation(trigger, index, conditions));
            return Vec::new();
        }
        further.push(Precondition {
            formula: terms.not(same),
            kind: Met::Missed,
        });
        vec![(before, further)]
    }

    /// The instance for a read of one side of a weak equation.
    fn congruent(
        &mut self,
        read: Term,
        (equation, other): (Term, Term),
        conditions: &[Precondition],
        path: &mut Path<'_>,
        cx: &Cx<'_>,
    ) -> Option<Goal> {
        let index = &cx.terms.args(read)[1..];
        let instance = axioms::at_index(self.arrays, cx.terms, equation, index)?;
        if path.model.holds(cx.terms, instance.formula) == Some(false) {
            self.found.push(violation(equation, index, conditions));
            return None;
        }
        let (symbols, _) = self.arrays.role(cx.terms, read)?;
        Some((
            cx.terms.app(symbols.read, &[&[other], index].concat()),
            conditions.to_vec(),
        ))
    }

    fn sources(&self, value: Term, conditions: &[Precondition], cx: &Cx<'_>) -> Vec<Goal> {
        let reads = self.graph.sources(value, self.arrays, cx.terms);
        reads
            .into_iter()
            .map(|read| (read, conditions.to_vec()))
            .collect()
    }
}

fn violation(trigger: Term, index: &[Term], conditions: &[Precondition]) -> Violation {
    Violation {
        trigger,
        index: index.to_vec(),
        conditions: conditions.to_vec(),
    }
}
