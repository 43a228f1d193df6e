//! Traversals: reachable subterms, symbols, atoms, conjuncts.
//!
//! A child is older than its parent, so the reachable set in ascending order is a topological
//! order.

use crate::op::Op;
use crate::sort::Sort;
use crate::store::{Func, Term, TermStore};
use crate::{FuncMap, TermSet};

/// A set of terms of one store: a hash set while it is small, one bit per term of the store later.
struct Marks {
    sparse: TermSet,
    dense: Vec<u64>,
    n_terms: usize,
}

impl Marks {
    fn new(n_terms: usize) -> Marks {
        Marks {
            sparse: TermSet::default(),
            dense: Vec::new(),
            n_terms,
        }
    }

    /// Adds a term; whether it is new.
    fn insert(&mut self, term: Term) -> bool {
        if !self.dense.is_empty() {
            return self.mark(term);
        }
        let new = self.sparse.insert(term);
        // Clearing the bits costs as much as hashing a term for every few thousand of the store.
        if self.sparse.len() > 32 + self.n_terms / 1024 {
            self.dense = vec![0; self.n_terms.div_ceil(64)];
            for term in std::mem::take(&mut self.sparse) {
                self.mark(term);
            }
        }
        new
    }

    fn mark(&mut self, term: Term) -> bool {
        let (word, bit) = (
            &mut self.dense[term.index() / 64],
            1u64 << (term.index() % 64),
        );
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    fn into_ascending(self) -> Vec<Term> {
        let mut all: Vec<Term> = self.sparse.into_iter().collect();
        all.sort_unstable();
        for (i, &word) in self.dense.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                all.push(Term::at(i * 64 + rest.trailing_zeros() as usize));
                rest &= rest - 1;
            }
        }
        all
    }
}

impl TermStore {
    /// All subterms of the roots, children before parents (ascending order).
    pub fn subterms(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = Marks::new(self.len());
        let mut work: Vec<Term> = roots
            .iter()
            .copied()
            .filter(|&root| seen.insert(root))
            .collect();
        while let Some(term) = work.pop() {
            work.extend(
                self.args(term)
                    .iter()
                    .copied()
                    .filter(|&child| seen.insert(child)),
            );
        }
        seen.into_ascending()
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
