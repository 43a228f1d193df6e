//! Datatypes with parameters.
//!
//! A type with parameters is declared once with placeholder sorts for its parameters; what is used
//! are instances, made when they are first named. Sorts that are not determined yet keep the
//! placeholder: a bare `nil` has the sort `(List T)` until the place it stands in says more.
//!
//! ```text
//! instance(G, args):  the type made before for G and args, or a new one;
//!                     its constructors follow when those of G are known (settle)
//! apply(C, args):     match the sorts of the fields with the sorts of the arguments,
//!                     parameters that are left open stay placeholders
//! retarget(t, S):     the constructor term t again, as a term of the instance S
//! ```

use std::cell::RefCell;

use foretell_terms::{
    Constructor, ConstructorDecl, FieldDecl, Instance, Op, Sort, SortKind, Spelling, Term,
    TermStore,
};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// A map from placeholder sorts to sorts.
pub(crate) type Binding = IndexMap<Sort, Sort, FxBuildHasher>;

/// The types with parameters of a file and their instances.
#[derive(Clone, Debug, Default)]
pub(crate) struct Templates {
    /// The placeholders of each type with parameters.
    params: IndexMap<Sort, Box<[Sort]>, FxBuildHasher>,
    instances: RefCell<Instances>,
}

#[derive(Clone, Debug, Default)]
struct Instances {
    /// Each instance with what it is an instance of.
    table: IndexMap<(Sort, Box<[Sort]>), Sort>,
    origin: IndexMap<Sort, Sort, FxBuildHasher>,
    /// Instances whose constructors are not known yet.
    pending: Vec<Sort>,
}

/// More instances than this are refused by [`Templates::settle`].
const MAX_INSTANCES: usize = 10_000;

/// Types whose instances have no end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Endless;

impl Templates {
    /// Announces a type with these placeholders.
    pub(crate) fn add(&mut self, generic: Sort, params: Vec<Sort>) {
        self.params.insert(generic, params.into());
    }

    /// The number of parameters of a type.
    pub(crate) fn arity(&self, generic: Sort) -> usize {
        self.params.get(&generic).map_or(0, |p| p.len())
    }

    /// The instance of a type with parameters; its constructors may be missing until `settle`.
    pub(crate) fn instance(&self, terms: &TermStore, generic: Sort, args: &[Sort]) -> Sort {
        let Some(params) = self.params.get(&generic) else {
            return generic;
        };
        if **params == *args {
            return generic;
        }
        let mut instances = self.instances.borrow_mut();
        let key = (generic, Box::from(args));
        if let Some(&known) = instances.table.get(&key) {
            return known;
        }
        let decl = terms.data(generic).expect("invariant: a datatype");
        let command = decl.instance.as_ref().map(|i| i.command.clone());
        let instance = Instance {
            arguments: args.into(),
            command: command.unwrap_or_default(),
        };
        let sort = terms.declare_data(&decl.name, Some(instance));
        instances.table.insert(key, sort);
        instances.origin.insert(sort, generic);
        instances.pending.push(sort);
        sort
    }

    /// Gives instances their constructors.
    pub(crate) fn settle(&self, terms: &TermStore) -> Result<(), Endless> {
        loop {
            let (sort, generic) = {
                let mut instances = self.instances.borrow_mut();
                if instances.table.len() > MAX_INSTANCES {
                    return Err(Endless);
                }
                let Some(sort) = instances.pending.pop() else {
                    return Ok(());
                };
                (sort, instances.origin[&sort])
            };
            let binding = self.binding(terms, generic, sort);
            let decl = terms.data(generic).expect("invariant: a datatype");
            let constructors = decl.constructors().iter().map(|c| ConstructorDecl {
                name: c.name.clone(),
                spelling: c.spelling,
                fields: c
                    .fields
                    .iter()
                    .map(|f| FieldDecl {
                        selector: f.selector.clone(),
                        sort: self.substitute(terms, f.sort, &binding),
                    })
                    .collect(),
            });
            let constructors = constructors.collect();
            terms.define_data(sort, constructors);
        }
    }

    fn binding(&self, terms: &TermStore, generic: Sort, instance: Sort) -> Binding {
        let params = self.params.get(&generic).map_or(&[][..], |p| p);
        let arguments = terms.data(instance).and_then(|d| d.instance.as_ref());
        let arguments = arguments.map_or(&[][..], |i| &i.arguments);
        params
            .iter()
            .copied()
            .zip(arguments.iter().copied())
            .collect()
    }

    /// The type with parameters that a sort is an instance of.
    pub(crate) fn origin(&self, sort: Sort) -> Sort {
        let instances = self.instances.borrow();
        instances.origin.get(&sort).copied().unwrap_or(sort)
    }

    /// Whether a placeholder occurs in the sort.
    pub(crate) fn is_open(&self, terms: &TermStore, sort: Sort) -> bool {
        if self.params.is_empty() {
            return false;
        }
        let mut work = vec![sort];
        while let Some(next) = work.pop() {
            match terms.kind(next) {
                SortKind::Uninterpreted(_) if self.is_param(next) => return true,
                SortKind::Array { indices, element } => {
                    work.extend(indices.iter().copied().chain([*element]));
                }
                SortKind::Data(_) => {
                    let instance = terms.data(next).and_then(|d| d.instance.as_ref());
                    work.extend(instance.iter().flat_map(|i| i.arguments.iter().copied()));
                }
                _ => {}
            }
        }
        false
    }

    fn is_param(&self, sort: Sort) -> bool {
        self.params.values().any(|params| params.contains(&sort))
    }

    fn substitute(&self, terms: &TermStore, sort: Sort, binding: &Binding) -> Sort {
        if let Some(&bound) = binding.get(&sort) {
            return bound;
        }
        match terms.kind(sort) {
            SortKind::Array { indices, element } => {
                let indices: Vec<Sort> = indices
                    .iter()
                    .map(|&i| self.substitute(terms, i, binding))
                    .collect();
                let element = self.substitute(terms, *element, binding);
                terms.array_sort(&indices, element)
            }
            SortKind::Data(_) => match terms.data(sort).and_then(|d| d.instance.as_ref()) {
                None => sort,
                Some(instance) => {
                    let args: Vec<Sort> = instance
                        .arguments
                        .iter()
                        .map(|&a| self.substitute(terms, a, binding))
                        .collect();
                    self.instance(terms, self.origin(sort), &args)
                }
            },
            _ => sort,
        }
    }

    /// Extends the binding so that the pattern becomes the sort, as far as it can.
    fn unify(&self, terms: &TermStore, pattern: Sort, sort: Sort, binding: &mut Binding) {
        if self.is_param(pattern) {
            if !self.is_open(terms, sort) {
                binding.entry(pattern).or_insert(sort);
            }
            return;
        }
        match (terms.kind(pattern), terms.kind(sort)) {
            (
                SortKind::Array { indices, element },
                SortKind::Array {
                    indices: others,
                    element: other,
                },
            ) => {
                for (&p, &s) in indices.iter().zip(others) {
                    self.unify(terms, p, s, binding);
                }
                self.unify(terms, *element, *other, binding);
            }
            (SortKind::Data(_), SortKind::Data(_)) => {
                let arguments = |of: Sort| terms.data(of).and_then(|d| d.instance.as_ref());
                if let (Some(p), Some(s)) = (arguments(pattern), arguments(sort))
                    && self.origin(pattern) == self.origin(sort)
                {
                    for (&p, &s) in p.arguments.iter().zip(&s.arguments) {
                        self.unify(terms, p, s, binding);
                    }
                }
            }
            _ => {}
        }
    }

    /// The constructor at the instance that the sorts of its arguments determine, as far as they
    /// do.
    pub(crate) fn infer(
        &self,
        terms: &TermStore,
        generic: Constructor,
        args: &[Sort],
    ) -> Result<Constructor, Endless> {
        let Some(params) = self.params.get(&generic.sort) else {
            return Ok(generic);
        };
        let mut binding = Binding::default();
        for (field, &sort) in terms.constructor(generic).fields.iter().zip(args) {
            self.unify(terms, field.sort, sort, &mut binding);
        }
        let of = |p: &Sort| binding.get(p).copied().unwrap_or(*p);
        let args: Vec<Sort> = params.iter().map(of).collect();
        let sort = self.instance(terms, generic.sort, &args);
        self.settle(terms)?;
        Ok(Constructor { sort, ..generic })
    }

    /// The term as one of another sort: the same, or a constructor term whose sort was open.
    pub(crate) fn retarget(&self, terms: &TermStore, term: Term, sort: Sort) -> Option<Term> {
        let found = terms.sort(term);
        if found == sort {
            return Some(term);
        }
        let Op::Construct(made) = terms.op(term) else {
            return None;
        };
        if self.origin(found) != self.origin(sort) || !self.is_open(terms, found) {
            return None;
        }
        let target = Constructor { sort, ..*made };
        let fields = terms.constructor(target).fields.iter();
        let args: Option<Vec<Term>> = terms
            .args(term)
            .iter()
            .zip(fields)
            .map(|(&a, f)| self.retarget(terms, a, f.sort))
            .collect();
        Some(terms.construct(target, &args?))
    }

    /// Whether a term of an open sort is left.
    pub(crate) fn left_open(&self, terms: &TermStore, term: Term) -> bool {
        !self.params.is_empty() && terms.any_subterm(term, |s, t| self.is_open(s, s.sort(t)))
    }
}

/// How a constructor of a type with these placeholders is written: with its sort when a placeholder
/// occurs in none of its fields.
pub(crate) fn spelling(terms: &TermStore, params: &[Sort], fields: &[FieldDecl]) -> Spelling {
    let mentions = |sort: Sort, param: Sort| {
        let mut work = vec![sort];
        while let Some(next) = work.pop() {
            if next == param {
                return true;
            }
            match terms.kind(next) {
                SortKind::Array { indices, element } => {
                    work.extend(indices.iter().copied().chain([*element]));
                }
                SortKind::Data(_) => {
                    let instance = terms.data(next).and_then(|d| d.instance.as_ref());
                    work.extend(instance.iter().flat_map(|i| i.arguments.iter().copied()));
                }
                _ => {}
            }
        }
        false
    };
    let determined = |&p: &Sort| fields.iter().any(|f| mentions(f.sort, p));
    if params.iter().all(determined) {
        Spelling::Plain
    } else {
        Spelling::WithSort
    }
}
