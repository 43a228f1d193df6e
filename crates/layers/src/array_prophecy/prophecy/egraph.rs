//! The E-graph of a counterexample: the terms that matter on it, with their values.
//!
//! Paper: Vick, McMillan, "Synthesizing History and Prophecy Variables for Symbolic Model Checking",
//! VMCAI 2023, section 6 (E-graphs, matching modulo equality). Part of `refutation.rs`.
//!
//! ```text
//! active(φ)     φ true:  all parts of a conjunction, the true parts of a disjunction, one branch
//! arrays        a value of an array ↦ the writes and constant arrays that have it
//! classes       scalars joined by the equations that hold; arrays by their values
//! ```
//!
//! Departures: scalars are joined by equations of the formula instead of equal values. On a short path
//! most numbers are 0 or 1, and matching modulo such equalities would follow accidents.

use foretell_kernel::Cx;
use foretell_terms::{Op, Sort, Term, TermMap, TermSet, TermStore, Value};
use indexmap::IndexMap;

use crate::array_prophecy::arrays::consecutive::Path;
use crate::array_prophecy::arrays::{ArrayAbstraction, Role};

/// The terms of one path.
pub(crate) struct EGraph {
    /// The reads, those of late states first.
    reads: Vec<Term>,
    /// Writes and constant arrays by value.
    arrays: IndexMap<Value, TermSet>,
    /// Equations of arrays that hold, by the value of one side: the equation and the other side.
    equations: IndexMap<Value, Vec<(Term, Term)>>,
    /// Towards the representative of a class.
    parents: TermMap<Term>,
    /// The members of the classes with more than one.
    members: TermMap<Vec<Term>>,
}

impl EGraph {
    /// The graph of a path.
    pub(crate) fn new(arrays: &ArrayAbstraction, path: &mut Path<'_>, cx: &Cx<'_>) -> EGraph {
        let terms = cx.terms;
        let mut graph = EGraph {
            reads: Vec::new(),
            arrays: IndexMap::new(),
            equations: IndexMap::new(),
            parents: TermMap::default(),
            members: TermMap::default(),
        };
        let mut reads: Vec<(std::cmp::Reverse<u32>, Term)> = Vec::new();
        let mut joined: Vec<(Term, Term)> = Vec::new();
        for term in active(path, terms) {
            match arrays.role(terms, term) {
                Some((_, Role::Read)) => {
                    reads.push((std::cmp::Reverse(path.latest(term, terms)), term))
                }
                Some((_, Role::Write | Role::Constant)) => {
                    if let Some(value) = path.model.value(terms, term) {
                        graph.arrays.entry(value).or_default().insert(term);
                    }
                }
                Some((_, Role::Equal)) => graph.equate(term, path, terms),
                Some((_, Role::Witness)) => {}
                None => joined.extend(equation(term, path, terms)),
            }
        }
        for (a, b) in joined {
            graph.join(a, b);
        }
        let all: Vec<Term> = graph.parents.keys().copied().collect();
        for term in all {
            let class = graph.class(term);
            graph.members.entry(class).or_default().push(term);
        }
        reads.sort();
        graph.reads = reads.into_iter().map(|(_, term)| term).collect();
        graph
    }

    fn equate(&mut self, equation: Term, path: &Path<'_>, terms: &TermStore) {
        if path.model.holds(terms, equation) != Some(true) {
            return;
        }
        let args = terms.args(equation);
        for (side, other) in [(args[0], args[1]), (args[1], args[0])] {
            if let Some(value) = path.model.value(terms, side) {
                self.equations
                    .entry(value)
                    .or_default()
                    .push((equation, other));
            }
        }
    }

    fn join(&mut self, a: Term, b: Term) {
        let (a, b) = (self.class(a), self.class(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parents.insert(high, low);
        self.parents.insert(low, low);
    }

    /// The representative of a term.
    fn class(&self, term: Term) -> Term {
        let mut term = term;
        while let Some(&parent) = self.parents.get(&term).filter(|&&p| p != term) {
            term = parent;
        }
        term
    }

    /// The reads, those of late states first.
    pub(crate) fn reads(&self) -> &[Term] {
        &self.reads
    }

    /// The writes and constant arrays with a value.
    pub(crate) fn arrays(&self, value: &Value) -> impl Iterator<Item = Term> + '_ {
        self.arrays.get(value).into_iter().flatten().copied()
    }

    /// The equations that hold with a side of this value, and their other sides.
    pub(crate) fn equations(&self, value: &Value) -> impl Iterator<Item = (Term, Term)> + '_ {
        self.equations.get(value).into_iter().flatten().copied()
    }

    /// A rigid term that equals this one by the equations, if there is one.
    pub(crate) fn rigid(&self, term: Term, path: &Path<'_>, terms: &TermStore) -> Option<Term> {
        let is_rigid = |t: &&Term| {
            let symbols = terms.free_vars(&[**t]);
            !symbols.is_empty()
                && symbols
                    .iter()
                    .all(|&v| path.unroller.untimed_symbol(v).is_none())
        };
        self.members
            .get(&self.class(term))
            .into_iter()
            .flatten()
            .find(is_rigid)
            .copied()
    }

    /// A value of a state that keeps it to the end of the path, as the value at the end.
    pub(crate) fn at_end(&self, term: Term, path: &mut Path<'_>, terms: &TermStore) -> Term {
        let Some((symbol, _)) = path.unroller.untimed_symbol(term) else {
            return term;
        };
        let end = path.unroller.at(terms, symbol, path.length);
        if self.class(end) == self.class(term) {
            end
        } else {
            term
        }
    }

    /// The reads a term is made from, modulo the equations.
    pub(crate) fn sources(
        &self,
        term: Term,
        arrays: &ArrayAbstraction,
        terms: &TermStore,
    ) -> Vec<Term> {
        let mut equal = vec![term];
        equal.extend(
            self.members
                .get(&self.class(term))
                .into_iter()
                .flatten()
                .copied(),
        );
        let is_read = |t: &Term| matches!(arrays.role(terms, *t), Some((_, Role::Read)));
        terms.subterms(&equal).into_iter().filter(is_read).collect()
    }
}

/// An equation between scalars that holds, also that of a conditional and its branch.
fn equation(term: Term, path: &Path<'_>, terms: &TermStore) -> Option<(Term, Term)> {
    let args = terms.args(term);
    match terms.op(term) {
        Op::Eq if terms.sort(args[0]) != Sort::BOOL => {
            (path.model.holds(terms, term) == Some(true)).then_some((args[0], args[1]))
        }
        Op::Ite if terms.sort(term) != Sort::BOOL => {
            let branch = if path.model.holds(terms, args[0])? {
                args[1]
            } else {
                args[2]
            };
            Some((term, branch))
        }
        _ => None,
    }
}

/// The subterms of the path's formulas that decide them.
fn active(path: &Path<'_>, terms: &TermStore) -> TermSet {
    let mut seen = TermSet::default();
    let mut work: Vec<Term> = path.roots.to_vec();
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        let args = terms.args(term);
        let holds = |t: Term| path.model.holds(terms, t);
        match terms.op(term) {
            Op::And | Op::Or => {
                let decided = holds(term) == Some(*terms.op(term) == Op::Or);
                let counts = |a: &&Term| !decided || holds(**a) == Some(*terms.op(term) == Op::Or);
                work.extend(args.iter().filter(counts));
            }
            Op::Ite => {
                let branch = if holds(args[0]) == Some(true) {
                    args[1]
                } else {
                    args[2]
                };
                work.extend([args[0], branch]);
            }
            _ => work.extend(args),
        }
    }
    seen
}
