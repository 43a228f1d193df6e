//! Symbols at the border: what each bank symbol stands for, and where it lives.
//!
//! Declared functions live on the smallest connected set of groups that contains their occurrences.
//! Operators this crate does not interpret (array operations, products of terms, division by a
//! term, bit-vector operators) are uninterpreted functions that live everywhere: they belong to the
//! logic, not to a group.

use crate::data::bank::{Sort, SymId, TId};
use crate::refute::arrays::ArrayOp;
use crate::world::World;
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
        world: &mut World,
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
            let loc = if everywhere {
                world.shape.all()
            } else {
                world.shape.closure(&nodes)
            };
            let sort = self.sort(decl.sort);
            let id = world.bank.declare(sort, loc);
            self.add(Origin::Func(f), id);
            self.selection(store, decl.sort, world);
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

    /// The symbol of an operator that is not interpreted; those of arrays are known to the refuter.
    pub(crate) fn operator(&mut self, store: &TermStore, t: Term, world: &mut World) -> SymId {
        let node = store.node(t);
        let args: Box<[OuterSort]> = node.args.iter().map(|a| store.sort(*a)).collect();
        if node.op == Op::Select
            && let Some(select) = self.selection(store, args[0], world)
        {
            return select;
        }
        let id = self.everywhere(Origin::Op(node.op.clone(), args, node.sort), world);
        if let Some(select) = self.selection(store, node.sort, world) {
            match node.op {
                Op::Store => world.arrays.insert(id, ArrayOp::Store(select)),
                Op::ConstArray => world.arrays.insert(id, ArrayOp::Const(select)),
                _ => None,
            };
        }
        id
    }

    /// The symbol of an operator, which lives everywhere.
    fn everywhere(&mut self, origin: Origin, world: &mut World) -> SymId {
        if let Some(id) = self.ids.get(&origin) {
            return *id;
        }
        let id = match &origin {
            Origin::Op(Op::BitVec(..), _, sort) => world.bank.declare_value(self.sort(*sort)),
            Origin::Op(_, _, sort) => world.bank.declare(self.sort(*sort), world.shape.all()),
            _ => world.bank.declare(Sort::Bool, world.shape.all()),
        };
        self.add(origin, id);
        id
    }

    /// The selection of an array sort; `None` for other sorts.
    fn selection(
        &mut self,
        store: &TermStore,
        sort: OuterSort,
        world: &mut World,
    ) -> Option<SymId> {
        let (indices, element) = store.array_parts(sort)?;
        let args: Box<[OuterSort]> = std::iter::once(sort)
            .chain(indices.iter().copied())
            .collect();
        let id = self.everywhere(Origin::Op(Op::Select, args, element), world);
        let key = self.sort(sort);
        if !world.selections.contains_key(&key) {
            let indices = indices.iter().map(|i| self.sort(*i)).collect();
            world.selections.insert(key, (id, indices));
            world.arrays.insert(id, ArrayOp::Select);
        }
        Some(id)
    }

    /// A fresh constant of a group.
    pub(crate) fn internal(&mut self, sort: Sort, group: usize, world: &mut World) -> TId {
        let id = world.bank.declare(sort, world.shape.single(group));
        self.n_internal += 1;
        self.add(Origin::Internal(self.n_internal), id);
        world.bank.constant(id)
    }

    /// What the symbols stand for, in the order of their ids.
    pub(crate) fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// What a symbol stands for; `None` for one made during the search.
    pub(crate) fn origin(&self, s: SymId) -> Option<&Origin> {
        self.origins.get(s.0 as usize)
    }
}

/// The declared functions and constants that occur.
pub(crate) fn declared(store: &TermStore, roots: &[Term]) -> Vec<Func> {
    let mut found: Vec<Func> = store
        .subterms(roots)
        .into_iter()
        .filter_map(|t| store.func(t))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}
