//! Symbols at the border: what each bank symbol stands for, and where it lives.
//!
//! Declared functions live on the smallest connected set of groups that contains their occurrences.  Operators this
//! crate does not interpret (array operations, products of terms, division by a term, bit-vector operators) are
//! uninterpreted functions that live everywhere: they belong to the logic, not to a group.

use crate::data::bank::{Sort, SymId, TId, TermBank};
use crate::data::locality::Shape;
use foretell_terms::{Func, Op, Sort as OuterSort, Term, TermStore};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

/// What a bank symbol stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Origin {
    /// A declared function or constant.
    Func(Func),
    /// An operator over arguments of these sorts, with this result sort.
    Op(Op, Box<[OuterSort]>, OuterSort),
    /// A name of our own, never to be seen outside.
    Internal(u32),
}

/// Which functions may occur in every interpolant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Vocabulary {
    /// Only symbols that occur on both sides of a cut: Craig's condition.
    #[default]
    Strict,
    /// Functions with arguments are rigid and may occur everywhere; constants as in `Strict`.
    RigidFunctions,
}

/// The symbols of one query.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    ids: IndexMap<Origin, SymId, FxBuildHasher>,
    origins: Vec<Origin>,
    sorts: IndexSet<OuterSort, FxBuildHasher>,
    n_internal: u32,
}

impl Symbols {
    /// Declares the functions that occur in the groups.
    pub(crate) fn scan(
        &mut self,
        store: &TermStore,
        groups: &[Vec<Term>],
        shape: &Shape,
        bank: &mut TermBank,
        vocabulary: Vocabulary,
    ) {
        let mut occurrences: IndexMap<Func, Vec<usize>, FxBuildHasher> = IndexMap::default();
        for (g, formulas) in groups.iter().enumerate() {
            for f in declared(store, formulas) {
                occurrences.entry(f).or_default().push(g);
            }
        }
        for (f, nodes) in occurrences {
            let decl = store.decl(f);
            let everywhere = vocabulary == Vocabulary::RigidFunctions && !decl.args.is_empty();
            let loc = if everywhere { shape.all() } else { shape.closure(&nodes) };
            let sort = self.sort(decl.sort);
            let id = bank.declare(sort, loc);
            self.add(Origin::Func(f), id);
        }
    }

    fn add(&mut self, origin: Origin, id: SymId) {
        debug_assert_eq!(self.origins.len(), id.0 as usize);
        self.ids.insert(origin.clone(), id);
        self.origins.push(origin);
    }

    /// The bank sort of a sort.
    pub(crate) fn sort(&mut self, s: OuterSort) -> Sort {
        match s {
            OuterSort::BOOL => Sort::Bool,
            OuterSort::INT => Sort::Int,
            OuterSort::REAL => Sort::Real,
            _ => Sort::Other(self.sorts.insert_full(s).0 as u32),
        }
    }

    /// The symbol of a declared function that occurs in the groups.
    pub(crate) fn func(&self, f: Func) -> Option<SymId> {
        self.ids.get(&Origin::Func(f)).copied()
    }

    /// The symbol of an operator that is not interpreted.
    pub(crate) fn operator(
        &mut self,
        store: &TermStore,
        t: Term,
        shape: &Shape,
        bank: &mut TermBank,
    ) -> SymId {
        let node = store.node(t);
        let args: Box<[OuterSort]> = node.args.iter().map(|a| store.sort(*a)).collect();
        let origin = Origin::Op(node.op.clone(), args, node.sort);
        if let Some(id) = self.ids.get(&origin) {
            return *id;
        }
        let sort = self.sort(node.sort);
        let id = bank.declare(sort, shape.all());
        self.add(origin, id);
        id
    }

    /// A fresh constant of a group.
    pub(crate) fn internal(&mut self, sort: Sort, group: usize, shape: &Shape, bank: &mut TermBank) -> TId {
        let id = bank.declare(sort, shape.single(group));
        self.n_internal += 1;
        self.add(Origin::Internal(self.n_internal), id);
        bank.constant(id)
    }

    /// What a symbol stands for.
    pub(crate) fn origin(&self, s: SymId) -> &Origin {
        &self.origins[s.0 as usize]
    }
}

/// The declared functions and constants that occur.
pub(crate) fn declared(store: &TermStore, roots: &[Term]) -> Vec<Func> {
    let mut found: Vec<Func> = store.subterms(roots).into_iter().filter_map(|t| store.func(t)).collect();
    found.sort_unstable();
    found.dedup();
    found
}
