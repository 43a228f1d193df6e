//! The term store: interning of sorts, functions and nodes.

use std::cell::{Cell, RefCell};
use std::hash::{BuildHasher, Hash, Hasher};
use std::num::NonZeroU32;

use elsa::FrozenVec;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::arena::Arena;
use crate::data::DataDecl;
use crate::op::{Node, Op};
use crate::recursive::Recursive;
use crate::sort::{Sort, SortKind};
use crate::walk::Visited;

/// A term: an index into the store that made it. Order is creation order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(NonZeroU32);

impl Term {
    /// The position of the term in its store, from 0.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    pub(crate) fn at(index: usize) -> Term {
        let raw = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        Term(raw.expect("invariant: a store holds fewer than 2^32 terms"))
    }
}

/// A declared function, predicate or constant. Identity is the declaration, not the name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Func(u32);

impl Func {
    /// The position of the declaration in its store, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The declaration behind a [`Func`].
#[derive(Clone, Debug)]
pub struct FuncDecl {
    /// The name as the user wrote it, without quoting bars. Two functions may share a name.
    pub name: Box<str>,
    /// The argument sorts; empty for a variable.
    pub args: Box<[Sort]>,
    /// The result sort.
    pub sort: Sort,
}

/// Where a node is, with its hash beside it: neither growing the table nor passing over a node of
/// another hash looks at nodes, which lie far apart.
#[derive(Clone, Copy)]
struct Place {
    hash: u32,
    index: u32,
}

impl Place {
    /// The hash for the table, spread over all bits again.
    fn spread(hash: u32) -> u64 {
        u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Append-only store of sorts, functions and terms.
///
/// Interior mutability lets builders nest (`s.and2(s.not(a), b)`); nothing is ever removed or
/// changed, so shared references to nodes stay valid for the life of the store.
#[derive(Clone, Default)]
pub struct TermStore {
    nodes: Arena<Node>,
    /// Where each node is, keyed by its structure.
    table: RefCell<HashTable<Place>>,
    sorts: FrozenVec<Box<SortKind>>,
    funcs: FrozenVec<Box<FuncDecl>>,
    pub(crate) datas: FrozenVec<Box<DataDecl>>,
    pub(crate) recursives: FrozenVec<Box<Recursive>>,
    fresh: Cell<u32>,
    /// What traversals need (walk.rs).
    pub(crate) visited: RefCell<Visited>,
}

impl TermStore {
    /// An empty store that knows Bool, Int and Real.
    pub fn new() -> TermStore {
        let store = TermStore::default();
        store.sorts.push(Box::new(SortKind::Bool));
        store.sorts.push(Box::new(SortKind::Int));
        store.sorts.push(Box::new(SortKind::Real));
        store
    }

    /// The number of terms made so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no term was made yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 0
    }

    /// The node of a term.
    pub fn node(&self, term: Term) -> &Node {
        self.nodes
            .get(term.index())
            .expect("invariant: a term belongs to the store that made it")
    }

    /// The operator of a term.
    pub fn op(&self, term: Term) -> &Op {
        &self.node(term).op
    }

    /// The arguments of a term.
    pub fn args(&self, term: Term) -> &[Term] {
        &self.node(term).args
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.node(term).sort
    }

    /// What a sort is.
    pub fn kind(&self, sort: Sort) -> &SortKind {
        self.sorts
            .get(sort.0 as usize)
            .expect("invariant: a sort belongs to the store that made it")
    }

    /// All sorts made so far.
    pub(crate) fn all_sorts(&self) -> impl Iterator<Item = Sort> + use<> {
        let n = u32::try_from(self.sorts.len()).expect("invariant: fewer than 2^32 sorts");
        (0..n).map(Sort)
    }

    /// The sort of this kind, made when it is new.
    pub fn mk_sort(&self, kind: SortKind) -> Sort {
        // Systems have a handful of sorts: a scan beats a table.
        let known = (0..self.sorts.len()).find(|&i| self.sorts.get(i).is_some_and(|k| *k == kind));
        let index = known.unwrap_or_else(|| {
            self.sorts.push(Box::new(kind));
            self.sorts.len() - 1
        });
        Sort(u32::try_from(index).expect("invariant: fewer than 2^32 sorts"))
    }

    /// The bit-vector sort of a positive width.
    pub fn bv_sort(&self, width: u32) -> Sort {
        self.mk_sort(SortKind::BitVec(width))
    }

    /// The array sort with these index sorts and element sort.
    pub fn array_sort(&self, indices: &[Sort], element: Sort) -> Sort {
        self.mk_sort(SortKind::Array {
            indices: indices.into(),
            element,
        })
    }

    /// The width of a bit-vector sort.
    pub fn width(&self, sort: Sort) -> Option<u32> {
        match self.kind(sort) {
            SortKind::BitVec(width) => Some(*width),
            _ => None,
        }
    }

    /// The index sorts and the element sort of an array sort.
    pub fn array_parts(&self, sort: Sort) -> Option<(&[Sort], Sort)> {
        match self.kind(sort) {
            SortKind::Array { indices, element } => Some((indices, *element)),
            _ => None,
        }
    }

    /// Declares a new function; a second call with the same name makes a different one.
    pub fn declare(&self, name: &str, args: &[Sort], sort: Sort) -> Func {
        self.funcs.push(Box::new(FuncDecl {
            name: name.into(),
            args: args.into(),
            sort,
        }));
        Func(u32::try_from(self.funcs.len() - 1).expect("invariant: fewer than 2^32 functions"))
    }

    /// The declaration of a function.
    pub fn decl(&self, func: Func) -> &FuncDecl {
        self.funcs
            .get(func.0 as usize)
            .expect("invariant: a function belongs to the store that made it")
    }

    /// The name of a function, unquoted.
    pub fn name(&self, func: Func) -> &str {
        &self.decl(func).name
    }

    /// Declares a new variable and returns it as a term.
    pub fn new_var(&self, name: &str, sort: Sort) -> Term {
        let func = self.declare(name, &[], sort);
        self.app(func, &[])
    }

    /// A new variable whose name starts with `prefix` and ends in a number not used before.
    pub fn fresh(&self, prefix: &str, sort: Sort) -> Term {
        let number = self.fresh.get();
        self.fresh.set(number + 1);
        self.new_var(&format!("{prefix}!{number}"), sort)
    }

    /// The function of an application.
    pub fn func(&self, term: Term) -> Option<Func> {
        match self.op(term) {
            Op::App(func) => Some(*func),
            _ => None,
        }
    }

    /// The function of a term that is a variable (an application without arguments).
    pub fn as_var(&self, term: Term) -> Option<Func> {
        let node = self.node(term);
        match node.op {
            Op::App(func) if node.args.is_empty() => Some(func),
            _ => None,
        }
    }

    /// The name of a variable.
    pub fn var_name(&self, term: Term) -> &str {
        self.as_var(term).map_or("?", |func| self.name(func))
    }

    /// The term with this node, shared when it exists. No simplification: builders do that.
    pub(crate) fn intern(&self, op: Op, args: &[Term], sort: Sort) -> Term {
        let hash = hash_node(&op, args, sort);
        let mut table = self.table.borrow_mut();
        let found = table.find(Place::spread(hash), |place| {
            place.hash == hash && {
                let node = self.nodes.get(place.index as usize);
                let node = node.expect("invariant: the table points into the nodes");
                node.op == op && *node.args == *args && node.sort == sort
            }
        });
        if let Some(place) = found {
            return Term::at(place.index as usize);
        }
        let index = self.nodes.len();
        self.nodes.push(Node {
            op,
            args: args.into(),
            sort,
        });
        let raw = u32::try_from(index).expect("invariant: a store holds fewer than 2^32 terms");
        let place = Place { hash, index: raw };
        table.insert_unique(Place::spread(hash), place, |place| {
            Place::spread(place.hash)
        });
        Term::at(index)
    }
}

fn hash_node(op: &Op, args: &[Term], sort: Sort) -> u32 {
    let mut hasher = FxBuildHasher.build_hasher();
    op.hash(&mut hasher);
    args.hash(&mut hasher);
    sort.hash(&mut hasher);
    // The hasher turns its best bits to the lower end.
    hasher.finish() as u32
}
