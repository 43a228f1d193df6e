//! Traversals: reachable subterms, symbols, atoms, conjuncts.
//!
//! A child is older than its parent, so the reachable set in ascending order is a topological
//! order.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Func, Term, TermStore};
use crate::{FuncMap, TermSet};

/// Which terms the traversal at hand has seen: the number of the traversal that saw a term last, for each term
/// of the store. It is kept from one traversal to the next, so that nothing is cleared and nothing is hashed.
#[derive(Clone, Default)]
pub(crate) struct Visited {
    round: u32,
    last: Vec<u32>,
}

impl Visited {
    /// Begins a traversal of a store with so many terms.
    fn begin(&mut self, n_terms: usize) {
        if self.round == u32::MAX {
            *self = Visited::default();
        }
        self.round += 1;
        if self.last.len() < n_terms {
            self.last.resize(n_terms, 0);
        }
    }

    /// Whether a term is new to this traversal; it is not any more.
    fn insert(&mut self, term: Term) -> bool {
        let round = self.round;
        std::mem::replace(&mut self.last[term.index()], round) != round
    }

    /// The terms of this traversal in ascending order; few are sorted, many are read off the store.
    fn ascending(&self, mut seen: Vec<Term>) -> Vec<Term> {
        if seen.len() < self.last.len() / 16 {
            seen.sort_unstable();
            return seen;
        }
        let marks = self.last.iter().enumerate();
        let own = marks.filter(|(_, last)| **last == self.round);
        own.map(|(index, _)| Term::at(index)).collect()
    }
}

impl TermStore {
    /// All subterms of the roots, children before parents (ascending order).
    pub fn subterms(&self, roots: &[Term]) -> Vec<Term> {
        let mut visited = self.visited.borrow_mut();
        visited.begin(self.len());
        let mut seen: Vec<Term> = roots.to_vec();
        seen.retain(|&root| visited.insert(root));
        let mut next = 0;
        while let Some(&term) = seen.get(next) {
            let new = self.args(term).iter().copied();
            seen.extend(new.filter(|&child| visited.insert(child)));
            next += 1;
        }
        visited.ascending(seen)
    }

    /// The variables (applications without arguments) that occur free, in ascending order.
    ///
    /// Bound variables are made for one binder only, so "free" is "bound by no binder below".
    pub fn free_vars(&self, roots: &[Term]) -> Vec<Term> {
        let all = self.subterms(roots);
        let mut bound = TermSet::default();
        for &term in &all {
            if matches!(self.op(term), Op::Forall | Op::Exists) {
                let args = self.args(term);
                bound.extend(args[..args.len() - 1].iter().copied());
            }
        }
        all.into_iter()
            .filter(|t| self.as_var(*t).is_some() && !bound.contains(t))
            .collect()
    }

    /// The declared functions with at least one argument that occur, in order of first occurrence.
    pub fn functions(&self, roots: &[Term]) -> Vec<Func> {
        let mut found: FuncMap<()> = FuncMap::default();
        for term in self.subterms(roots) {
            if let Some(func) = self.func(term).filter(|_| !self.args(term).is_empty()) {
                found.insert(func, ());
            }
        }
        found.into_keys().collect()
    }

    /// Whether any of the predicate's subterms satisfies the test.
    pub fn any_subterm(&self, root: Term, mut test: impl FnMut(&TermStore, Term) -> bool) -> bool {
        self.subterms(&[root]).into_iter().any(|t| test(self, t))
    }

    /// Whether a quantifier occurs.
    pub fn has_quantifier(&self, root: Term) -> bool {
        self.any_subterm(root, |s, t| matches!(s.op(t), Op::Forall | Op::Exists))
    }

    /// The conjuncts of a formula: nested conjunctions are opened, `true` gives none.
    pub fn conjuncts(&self, formula: Term) -> Vec<Term> {
        self.open(&Op::And, formula)
    }

    /// The disjuncts of a formula: nested disjunctions are opened, `false` gives none.
    pub fn disjuncts(&self, formula: Term) -> Vec<Term> {
        self.open(&Op::Or, formula)
    }

    fn open(&self, op: &Op, formula: Term) -> Vec<Term> {
        let unit = if *op == Op::And { Op::True } else { Op::False };
        let mut seen = TermSet::default();
        let mut work = vec![formula];
        let mut leaves = Vec::new();
        while let Some(term) = work.pop() {
            if !seen.insert(term) || *self.op(term) == unit {
                continue;
            }
            if self.op(term) == op {
                work.extend(self.args(term).iter().rev().copied());
            } else {
                leaves.push(term);
            }
        }
        leaves
    }

    /// The atoms of a quantifier-free formula: maximal subformulas whose operator is not a Boolean
    /// connective (so comparisons, equalities of non-Boolean terms, Boolean variables, predicates),
    /// in ascending order. Atoms inside `ite` conditions of non-Boolean terms are included.
    pub fn atoms(&self, roots: &[Term]) -> Vec<Term> {
        self.subterms(roots)
            .into_iter()
            .filter(|&t| self.is_atom(t))
            .collect()
    }

    /// Whether a term is Boolean and its operator is no connective and no constant.
    pub fn is_atom(&self, term: Term) -> bool {
        self.sort(term) == Sort::BOOL
            && match self.op(term) {
                Op::True
                | Op::False
                | Op::Not
                | Op::And
                | Op::Or
                | Op::Ite
                | Op::Forall
                | Op::Exists => false,
                Op::Eq => self.sort(self.args(term)[0]) != Sort::BOOL,
                _ => true,
            }
    }
}
