//! What a sort consists of: its leaves, in a fixed order.
//!
//! | sort | leaves |
//! |---|---|
//! | scalar, recursive, uninterpreted or opaque sort | itself |
//! | tuple: one constructor, not recursive | the leaves of its fields; none for a unit |
//! | enumeration of 2, of n | `Bool`; `Int` in `0 … n-1` |
//! | sum: several constructors, not recursive | `Int` tag, then the leaves of every constructor |
//! | `Array I E` | one array over the leaves of `I` per leaf of `E`; without leaves of `I` those of `E` |
//!
//! An array sort is opaque where splitting it could not be undone by constructors: inside an index,
//! inside a recursive type, in the signature of a declared function; and where an index has a tag
//! or an enumeration of more than two values, because cells outside the range would count.

use std::rc::Rc;

use foretell_terms::{Constructor, Recursion, Sort, SortKind, Term, TermStore};
use indexmap::{IndexMap, IndexSet};

/// What a sort consists of.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) sort: Sort,
    pub(super) kind: Kind,
    /// The sorts of the leaves.
    pub(super) leaves: Vec<Sort>,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// The sort itself.
    Leaf,
    /// One constructor with these fields.
    Tuple(Constructor, Vec<Rc<Shape>>),
    /// Constructors without fields.
    Enumeration,
    /// The fields of each constructor.
    Sum(Vec<Vec<Rc<Shape>>>),
    /// Indices and element.
    Array(Vec<Rc<Shape>>, Rc<Shape>),
}

impl Shape {
    pub(super) fn is_leaf(&self) -> bool {
        matches!(self.kind, Kind::Leaf)
    }

    /// Whether some leaf must be constrained: a tag or the number of an enumeration.
    pub(super) fn is_constrained(&self) -> bool {
        match &self.kind {
            Kind::Leaf | Kind::Array(..) => false,
            Kind::Enumeration => self.leaves == [Sort::INT],
            Kind::Sum(_) => true,
            Kind::Tuple(_, fields) => fields.iter().any(|f| f.is_constrained()),
        }
    }
}

/// The number of leaves of shapes together.
pub(super) fn width(shapes: &[Rc<Shape>]) -> usize {
    shapes.iter().map(|s| s.leaves.len()).sum()
}

/// The leaves of some shapes side by side, cut apart again.
pub(super) fn cut<'a, T>(
    shapes: &'a [Rc<Shape>],
    leaves: &'a [T],
) -> impl Iterator<Item = (&'a Rc<Shape>, &'a [T])> {
    let mut rest = leaves;
    shapes.iter().map(move |shape| {
        let (own, others) = rest.split_at(shape.leaves.len());
        rest = others;
        (shape, own)
    })
}

/// The shapes of the sorts of one store.
pub(super) struct Shapes<'a> {
    terms: &'a TermStore,
    opaque: IndexSet<Sort>,
    /// Whether sums are taken apart.
    sums: Sums,
    known: IndexMap<Sort, Rc<Shape>>,
}

/// What becomes of sums and of enumerations inside arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sums {
    /// They are taken apart.
    Apart,
    /// They stay as they are.
    Whole,
}

impl<'a> Shapes<'a> {
    /// Shapes where `sorts` occur, and `border` in signatures of declared functions.
    pub(super) fn new(
        terms: &'a TermStore,
        sorts: &IndexSet<Sort>,
        border: &IndexSet<Sort>,
        sums: Sums,
    ) -> Shapes<'a> {
        let mut shapes = Shapes {
            terms,
            opaque: IndexSet::new(),
            sums,
            known: IndexMap::new(),
        };
        let mut seen = IndexSet::new();
        sorts.iter().for_each(|&s| shapes.look(s, &mut seen));
        border.iter().for_each(|&s| shapes.keep_arrays(s));
        shapes
    }

    /// Finds arrays that cannot be split.
    fn look(&mut self, sort: Sort, seen: &mut IndexSet<Sort>) {
        let mut work = vec![sort];
        while let Some(next) = work.pop() {
            if !seen.insert(next) {
                continue;
            }
            let parts = self.parts(next);
            match self.terms.kind(next) {
                SortKind::Array { indices, .. } => {
                    if indices.iter().any(|&i| self.has_tag(i)) {
                        self.keep_arrays(next);
                    }
                    indices.iter().for_each(|&i| self.keep_arrays(i));
                }
                SortKind::Data(_) if self.terms.recursion(next) == Recursion::Recursive => {
                    parts.iter().for_each(|&p| self.keep_arrays(p));
                }
                _ => {}
            }
            work.extend(parts);
        }
    }

    /// The sorts a sort is made of.
    fn parts(&self, sort: Sort) -> Vec<Sort> {
        match self.terms.kind(sort) {
            SortKind::Array { indices, element } => {
                indices.iter().copied().chain([*element]).collect()
            }
            SortKind::Data(_) => {
                let constructors = self.terms.constructors(sort);
                let fields = constructors.flat_map(|c| self.terms.constructor(c).fields.iter());
                fields.map(|f| f.sort).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Array sorts in this one that mention datatypes become opaque.
    fn keep_arrays(&mut self, sort: Sort) {
        let mut seen = IndexSet::new();
        let mut work = vec![sort];
        while let Some(next) = work.pop() {
            if !seen.insert(next) {
                continue;
            }
            if self.terms.array_parts(next).is_some() && self.terms.mentions_data(next) {
                self.opaque.insert(next);
            }
            work.extend(self.parts(next));
        }
    }

    /// Whether a tag or a number with a range is among the leaves.
    fn has_tag(&self, sort: Sort) -> bool {
        let mut seen = IndexSet::new();
        let mut work = vec![sort];
        while let Some(next) = work.pop() {
            let flat = self.terms.recursion(next) == Recursion::Flat;
            if !seen.insert(next) || !flat {
                continue;
            }
            let n = self.terms.constructors(next).len();
            if n > 1 && !(n == 2 && self.is_enumeration(next)) {
                return true;
            }
            work.extend(self.parts(next));
        }
        false
    }

    fn is_enumeration(&self, sort: Sort) -> bool {
        let mut constructors = self.terms.constructors(sort);
        constructors.all(|c| self.terms.constructor(c).fields.is_empty())
    }

    /// The shape of a sort.
    pub(super) fn of(&mut self, sort: Sort) -> Rc<Shape> {
        if let Some(known) = self.known.get(&sort) {
            return Rc::clone(known);
        }
        let (kind, leaves) = self.made(sort);
        let shape = Rc::new(Shape { sort, kind, leaves });
        self.known.insert(sort, Rc::clone(&shape));
        shape
    }

    fn made(&mut self, sort: Sort) -> (Kind, Vec<Sort>) {
        let whole = (Kind::Leaf, vec![sort]);
        match self.terms.kind(sort) {
            SortKind::Array { indices, element } => {
                if self.opaque.contains(&sort) || !self.terms.mentions_data(sort) {
                    return whole;
                }
                let indices: Vec<Sort> = indices.to_vec();
                let element = *element;
                self.array(sort, &indices, element)
            }
            SortKind::Data(_) if self.terms.recursion(sort) == Recursion::Flat => self.data(sort),
            _ => whole,
        }
    }

    fn array(&mut self, sort: Sort, indices: &[Sort], element: Sort) -> (Kind, Vec<Sort>) {
        let element = self.of(element);
        if self.sums == Sums::Whole && element.is_constrained() {
            return (Kind::Leaf, vec![sort]);
        }
        let indices: Vec<Rc<Shape>> = indices.iter().map(|&i| self.of(i)).collect();
        let at: Vec<Sort> = indices.iter().flat_map(|i| i.leaves.clone()).collect();
        let leaf = |&e: &Sort| {
            if at.is_empty() {
                e
            } else {
                self.terms.array_sort(&at, e)
            }
        };
        let leaves = element.leaves.iter().map(leaf).collect();
        (Kind::Array(indices, element), leaves)
    }

    fn data(&mut self, sort: Sort) -> (Kind, Vec<Sort>) {
        let whole = (Kind::Leaf, vec![sort]);
        let constructors: Vec<Constructor> = self.terms.constructors(sort).collect();
        if let [only] = constructors.as_slice() {
            let fields = self.fields(*only);
            let leaves = fields.iter().flat_map(|f| f.leaves.clone()).collect();
            return (Kind::Tuple(*only, fields), leaves);
        }
        if self.is_enumeration(sort) {
            let leaf = if constructors.len() == 2 {
                Sort::BOOL
            } else {
                Sort::INT
            };
            return (Kind::Enumeration, vec![leaf]);
        }
        if self.sums == Sums::Whole {
            return whole;
        }
        let variants: Vec<Vec<Rc<Shape>>> = constructors.iter().map(|&c| self.fields(c)).collect();
        let mut leaves = vec![Sort::INT];
        leaves.extend(variants.iter().flatten().flat_map(|f| f.leaves.clone()));
        if leaves
            .iter()
            .any(|&leaf| default_leaf(self.terms, leaf).is_none())
        {
            return whole;
        }
        (Kind::Sum(variants), leaves)
    }

    fn fields(&mut self, of: Constructor) -> Vec<Rc<Shape>> {
        let sorts: Vec<Sort> = self
            .terms
            .constructor(of)
            .fields
            .iter()
            .map(|f| f.sort)
            .collect();
        sorts.into_iter().map(|s| self.of(s)).collect()
    }
}

/// The leaf of a constructor that was not used.
pub(super) fn default_leaf(terms: &TermStore, sort: Sort) -> Option<Term> {
    terms.value_term(&terms.default_value(sort), sort)
}
