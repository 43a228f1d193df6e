//! Simultaneous substitution of terms for terms.

use crate::TermMap;
use crate::op::Op;
use crate::store::{Term, TermStore};

/// A simultaneous substitution with a memo that is kept between applications.
///
/// Replaced terms are matched before their parents are rebuilt, so any subterm may be a key, not
/// only variables. Bound variables belong to one binder only, hence nothing can be captured as long
/// as no replacement mentions a bound variable of the term it is put into.
#[derive(Clone, Default)]
pub struct Substitution {
    map: TermMap<Term>,
    /// What other terms have become; nobody asks for its order.
    memo: hashbrown::HashMap<Term, Term, rustc_hash::FxBuildHasher>,
}

impl Substitution {
    /// The identity.
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// The substitution of these pairs.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (Term, Term)>) -> Substitution {
        Substitution {
            map: pairs.into_iter().collect(),
            memo: Default::default(),
        }
    }

    /// Adds a pair; forgets the memo.
    pub fn insert(&mut self, from: Term, to: Term) {
        self.map.insert(from, to);
        self.memo.clear();
    }

    /// What a term is replaced by, if it is a key.
    pub fn get(&self, from: Term) -> Option<Term> {
        self.map.get(&from).copied()
    }

    /// Whether there is no pair.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The term with every key replaced.
    pub fn apply(&mut self, store: &TermStore, root: Term) -> Term {
        let mut work = vec![root];
        while let Some(&term) = work.last() {
            if self.done(store, term).is_some() {
                work.pop();
                continue;
            }
            let node = store.node(term);
            let before = work.len();
            work.extend(
                node.args
                    .iter()
                    .copied()
                    .filter(|&a| self.done(store, a).is_none()),
            );
            if work.len() > before {
                continue;
            }
            let args: Vec<Term> = node
                .args
                .iter()
                .map(|&a| self.done(store, a).unwrap_or(a))
                .collect();
            let result = if *args == *node.args {
                term
            } else if matches!(node.op, Op::Forall | Op::Exists) {
                self.rebuild_binder(store, term, &args)
            } else {
                store.rebuild(&node.op, &args, node.sort)
            };
            self.memo.insert(term, result);
            work.pop();
        }
        self.done(store, root).unwrap_or(root)
    }

    /// A bound variable that is itself a key (renaming) may only become another variable.
    fn rebuild_binder(&self, store: &TermStore, term: Term, args: &[Term]) -> Term {
        let node = store.node(term);
        debug_assert!(
            args[..args.len() - 1]
                .iter()
                .all(|&v| store.as_var(v).is_some()),
            "a binder binds variables"
        );
        store.rebuild(&node.op, args, node.sort)
    }

    /// What a term becomes, as far as that is known; a term without parts is itself unless it is a key.
    fn done(&self, store: &TermStore, term: Term) -> Option<Term> {
        let known = self.memo.get(&term).or_else(|| self.map.get(&term));
        known
            .copied()
            .or_else(|| store.args(term).is_empty().then_some(term))
    }
}

impl TermStore {
    /// The term with every key of the pairs replaced at once.
    pub fn substitute(&self, root: Term, pairs: impl IntoIterator<Item = (Term, Term)>) -> Term {
        Substitution::from_pairs(pairs).apply(self, root)
    }
}
