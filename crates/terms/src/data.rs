//! Algebraic datatypes: declarations, what follows from them, and builders.
//!
//! A datatype is declared in two steps, because the types of a group may mention each other: first
//! the name, then the constructors. What follows from a group (recursive or not, how many values,
//! which constructor gives the smallest value) is worked out when it is first asked for.
//!
//! ```text
//! sel_i(C(t))        =  t_i                 sel of another constructor: unspecified, stays as it is
//! is_C(D(..))        =  C is D              is_C(x) = true when C is the only constructor
//! is_C(x)            =  (x = C)             C without fields
//! C(sel_1 x, …)      =  x                   C the only constructor
//! C(s) = C(t)        =  s = t               C(..) = D(..) is false (in the builder of `=`)
//! ```

use std::cell::OnceCell;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::op::Op;
use crate::sort::{Sort, SortKind};
use crate::store::{Term, TermStore};

/// A datatype; an index into the store that made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DataId(pub(crate) u32);

/// A constructor of a datatype.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Constructor {
    /// The datatype.
    pub sort: Sort,
    /// Its position among the constructors.
    pub index: u32,
}

/// A field of a constructor, read by a selector.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Selector {
    /// The constructor the field belongs to.
    pub constructor: Constructor,
    /// Its position among the fields.
    pub field: u32,
}

/// The declaration of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldDecl {
    /// The name of the selector, unquoted.
    pub selector: Box<str>,
    /// The sort of the field.
    pub sort: Sort,
}

/// How a constructor is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// By its name.
    Plain,
    /// With its sort, `(as nil (List Int))`: the arguments do not determine it.
    WithSort,
}

/// The declaration of a constructor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConstructorDecl {
    /// The name, unquoted.
    pub name: Box<str>,
    /// The fields.
    pub fields: Box<[FieldDecl]>,
    /// How it is written.
    pub spelling: Spelling,
}

/// The declaration of a datatype.
#[derive(Clone, Debug)]
pub struct DataDecl {
    /// The name, unquoted.
    pub name: Box<str>,
    /// What a type with parameters was applied to, and how it was declared.
    pub instance: Option<Instance>,
    constructors: OnceCell<Box<[ConstructorDecl]>>,
    derived: OnceCell<Derived>,
}

impl DataDecl {
    /// The constructors; none until the type is defined.
    pub fn constructors(&self) -> &[ConstructorDecl] {
        self.constructors.get().map_or(&[], |c| c)
    }
}

/// A type with parameters, applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// What it is applied to.
    pub arguments: Box<[Sort]>,
    /// The text of the command that declares the type with its parameters.
    pub command: Box<str>,
}

/// What follows from a declaration and the ones it mentions.
#[derive(Clone, Copy, Debug)]
struct Derived {
    recursion: Recursion,
    /// The number of values, when finite and small.
    cardinality: Option<u64>,
    /// The constructor of a value of least depth; `None` when no finite value exists.
    default: Option<u32>,
}

/// Whether values of a type contain values of the same type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recursion {
    /// They may (also below an array).
    Recursive,
    /// They never do.
    Flat,
}

/// Types of more values than this count as infinite.
const MAX_CARDINALITY: u64 = 1 << 32;

impl TermStore {
    /// Declares a datatype without constructors yet; a second call makes a different type.
    pub fn declare_data(&self, name: &str, instance: Option<Instance>) -> Sort {
        self.datas.push(Box::new(DataDecl {
            name: name.into(),
            instance,
            constructors: OnceCell::new(),
            derived: OnceCell::new(),
        }));
        let id = u32::try_from(self.datas.len() - 1).expect("invariant: fewer than 2^32 types");
        self.mk_sort(SortKind::Data(DataId(id)))
    }

    /// Gives a declared datatype its constructors; a second call changes nothing.
    pub fn define_data(&self, sort: Sort, constructors: Vec<ConstructorDecl>) {
        if let Some(decl) = self.data(sort) {
            let _ = decl.constructors.set(constructors.into());
        }
    }

    /// All datatypes, in the order of their declarations.
    pub fn data_sorts(&self) -> Vec<Sort> {
        let is_data = |s: &Sort| matches!(self.kind(*s), SortKind::Data(_));
        self.all_sorts().filter(is_data).collect()
    }

    /// Whether any datatype was declared.
    pub fn has_data(&self) -> bool {
        !self.datas.is_empty()
    }

    /// The declaration of a datatype; `None` for other sorts.
    pub fn data(&self, sort: Sort) -> Option<&DataDecl> {
        match self.kind(sort) {
            SortKind::Data(DataId(id)) => self.datas.get(*id as usize),
            _ => None,
        }
    }

    /// The constructors of a datatype; none for other sorts.
    pub fn constructors(&self, sort: Sort) -> impl ExactSizeIterator<Item = Constructor> + use<> {
        let n = self.data(sort).map_or(0, |d| d.constructors().len());
        let n = u32::try_from(n).expect("invariant: fewer than 2^32 constructors");
        (0..n).map(move |index| Constructor { sort, index })
    }

    /// The declaration of a constructor.
    pub fn constructor(&self, constructor: Constructor) -> &ConstructorDecl {
        self.data(constructor.sort)
            .and_then(|decl| decl.constructors().get(constructor.index as usize))
            .expect("invariant: a constructor belongs to a datatype of this store")
    }

    /// The selectors of a constructor.
    pub fn selectors(
        &self,
        constructor: Constructor,
    ) -> impl ExactSizeIterator<Item = Selector> + use<> {
        let n = u32::try_from(self.constructor(constructor).fields.len());
        let n = n.expect("invariant: fewer than 2^32 fields");
        (0..n).map(move |field| Selector { constructor, field })
    }

    /// The declaration of a field.
    pub fn selector(&self, selector: Selector) -> &FieldDecl {
        &self.constructor(selector.constructor).fields[selector.field as usize]
    }

    /// Whether the datatype has this constructor only.
    pub(crate) fn is_only_constructor(&self, constructor: Constructor) -> bool {
        self.constructors(constructor.sort).len() == 1
    }

    /// Whether values of a datatype contain values of the same type; other sorts are flat.
    pub fn recursion(&self, sort: Sort) -> Recursion {
        self.derived(sort).map_or(Recursion::Flat, |d| d.recursion)
    }

    /// Whether a datatype occurs in a sort, the sort itself included.
    pub fn mentions_data(&self, sort: Sort) -> bool {
        match self.kind(sort) {
            SortKind::Data(_) => true,
            SortKind::Array { indices, element } => {
                self.mentions_data(*element) || indices.iter().any(|&i| self.mentions_data(i))
            }
            _ => false,
        }
    }

    /// The constructor of a value of least depth; `None` for other sorts and types without values.
    pub fn default_constructor(&self, sort: Sort) -> Option<Constructor> {
        let index = self.derived(sort)?.default?;
        Some(Constructor { sort, index })
    }

    /// The number of values of a sort, when finite and not large.
    pub(crate) fn cardinality(&self, sort: Sort) -> Option<u64> {
        match self.kind(sort) {
            SortKind::Bool => Some(2),
            SortKind::BitVec(width) if *width <= 32 => Some(1 << width),
            SortKind::Data(_) => self.derived(sort)?.cardinality,
            SortKind::Array { indices, element } => {
                let values = self.cardinality(*element)?;
                if values == 1 {
                    return Some(1);
                }
                let cells = indices.iter().try_fold(1u64, |product, &i| {
                    product.checked_mul(self.cardinality(i)?)
                })?;
                values
                    .checked_pow(u32::try_from(cells).ok()?)
                    .filter(|&n| n <= MAX_CARDINALITY)
            }
            _ => None,
        }
    }

    fn derived(&self, sort: Sort) -> Option<Derived> {
        let decl = self.data(sort)?;
        if let Some(known) = decl.derived.get() {
            return Some(*known);
        }
        let reached = self.reachable_data(sort);
        let defined = |s: &Sort| {
            self.data(*s)
                .is_some_and(|d| d.constructors.get().is_some())
        };
        if !defined(&sort) || !reached.keys().all(defined) {
            return None;
        }
        Some(*decl.derived.get_or_init(|| {
            let recursion = if reached.contains_key(&sort) {
                Recursion::Recursive
            } else {
                Recursion::Flat
            };
            let default = self.least_constructor(sort, reached.keys().copied());
            let cardinality = match recursion {
                Recursion::Recursive => None,
                Recursion::Flat => self.sum_of_products(decl.constructors()),
            };
            Derived {
                recursion,
                cardinality,
                default,
            }
        }))
    }

    fn sum_of_products(&self, constructors: &[ConstructorDecl]) -> Option<u64> {
        let product = |c: &ConstructorDecl| {
            c.fields.iter().try_fold(1u64, |product, field| {
                product.checked_mul(self.cardinality(field.sort)?)
            })
        };
        constructors
            .iter()
            .try_fold(0u64, |sum, c| sum.checked_add(product(c)?))
            .filter(|&n| n <= MAX_CARDINALITY)
    }

    /// Whether a datatype occurs in a sort or in fields below it.
    pub fn reaches_data(&self, from: Sort, to: Sort) -> bool {
        let mut parts = self.data_parts(from).into_iter();
        parts.any(|part| part == to || self.reachable_data(part).contains_key(&to))
    }

    /// The datatypes that occur in fields below a datatype, itself only when it is recursive.
    pub(crate) fn reachable_data(&self, sort: Sort) -> IndexMap<Sort, (), FxBuildHasher> {
        let mut reached = IndexMap::default();
        let mut work = vec![sort];
        while let Some(next) = work.pop() {
            let fields = self.data(next).map_or(&[][..], DataDecl::constructors);
            let fields = fields.iter().flat_map(|c| c.fields.iter());
            for field in fields {
                for part in self.data_parts(field.sort) {
                    if reached.insert(part, ()).is_none() {
                        work.push(part);
                    }
                }
            }
        }
        reached
    }

    /// The datatypes that a sort consists of: itself, or what its arrays are of and indexed by.
    pub(crate) fn data_parts(&self, sort: Sort) -> Vec<Sort> {
        let mut parts = Vec::new();
        let mut work = vec![sort];
        while let Some(next) = work.pop() {
            match self.kind(next) {
                SortKind::Data(_) => parts.push(next),
                SortKind::Array { indices, element } => {
                    work.extend(indices.iter().copied().chain([*element]));
                }
                _ => {}
            }
        }
        parts
    }

    /// Least depths by iteration: a constructor is as deep as its deepest field plus one, an array
    /// as deep as its elements, everything else has depth 0.
    fn least_constructor(&self, sort: Sort, below: impl Iterator<Item = Sort>) -> Option<u32> {
        let mut all: Vec<Sort> = below.collect();
        if !all.contains(&sort) {
            all.push(sort);
        }
        let mut least: IndexMap<Sort, (u32, u32), FxBuildHasher> = IndexMap::default();
        loop {
            let before = least.len();
            let known = least.clone();
            for &data in all.iter().filter(|s| !known.contains_key(*s)) {
                let best = self
                    .constructors(data)
                    .filter_map(|c| Some((self.depth_of(c, &known)?, c.index)))
                    .min();
                if let Some(best) = best {
                    least.insert(data, best);
                }
            }
            if least.len() == before {
                return least.get(&sort).map(|(_, index)| *index);
            }
        }
    }

    fn depth_of(
        &self,
        constructor: Constructor,
        known: &IndexMap<Sort, (u32, u32), FxBuildHasher>,
    ) -> Option<u32> {
        let fields = self.constructor(constructor).fields.iter();
        fields.map(|f| f.sort).try_fold(1u32, |depth, mut field| {
            while let Some((_, element)) = self.array_parts(field) {
                field = element;
            }
            match self.kind(field) {
                SortKind::Data(_) => known.get(&field).map(|(below, _)| depth.max(below + 1)),
                _ => Some(depth),
            }
        })
    }

    /// `C(args…)`.
    pub fn construct(&self, constructor: Constructor, args: &[Term]) -> Term {
        debug_assert_eq!(
            self.constructor(constructor).fields.len(),
            args.len(),
            "arity of a constructor"
        );
        if let Some(&first) = args.first()
            && self.is_only_constructor(constructor)
            && let Op::Field(_) = self.op(first)
        {
            let whole = self.args(first)[0];
            let mut same = self.selectors(constructor).zip(args).all(|(selector, &a)| {
                *self.op(a) == Op::Field(selector) && self.args(a)[0] == whole
            });
            same &= self.sort(whole) == constructor.sort;
            if same {
                return whole;
            }
        }
        self.intern(Op::Construct(constructor), args, constructor.sort)
    }

    /// `sel(of)`.
    pub fn field(&self, selector: Selector, of: Term) -> Term {
        if *self.op(of) == Op::Construct(selector.constructor) {
            return self.args(of)[selector.field as usize];
        }
        let sort = self.selector(selector).sort;
        self.intern(Op::Field(selector), &[of], sort)
    }

    /// `is_C(of)`.
    pub fn is(&self, constructor: Constructor, of: Term) -> Term {
        if let Op::Construct(made) = self.op(of) {
            return self.bool(*made == constructor);
        }
        if self.is_only_constructor(constructor) {
            return self.tt();
        }
        if self.constructor(constructor).fields.is_empty() {
            return self.eq(of, self.construct(constructor, &[]));
        }
        self.intern(Op::Is(constructor), &[of], Sort::BOOL)
    }

    /// `x` with one field replaced when it was made by the selector's constructor, else `x` itself.
    pub fn update_field(&self, selector: Selector, of: Term, value: Term) -> Term {
        let constructor = selector.constructor;
        let args: Vec<Term> = self
            .selectors(constructor)
            .map(|s| {
                if s == selector {
                    value
                } else {
                    self.field(s, of)
                }
            })
            .collect();
        self.ite(
            self.is(constructor, of),
            self.construct(constructor, &args),
            of,
        )
    }

    /// Equality of two terms of a datatype, when their constructors decide it or split it up.
    pub(crate) fn eq_data(&self, a: Term, b: Term) -> Option<Term> {
        let made = |t: Term| match self.op(t) {
            Op::Construct(constructor) => Some(*constructor),
            _ => None,
        };
        made(a).and(made(b))?;
        let mut parts = Vec::new();
        let mut work = vec![(a, b)];
        while let Some((x, y)) = work.pop() {
            match (made(x), made(y)) {
                _ if x == y => {}
                (Some(c), Some(d)) if c != d => return Some(self.ff()),
                (Some(_), Some(_)) => {
                    let pairs = self
                        .args(x)
                        .iter()
                        .copied()
                        .zip(self.args(y).iter().copied());
                    work.extend(pairs.rev());
                }
                _ => parts.push(self.eq(x, y)),
            }
        }
        Some(self.and(parts))
    }
}
