//! What is said about lists and trees: integers computed constructor by constructor.
//!
//! | component | of `C(t)` | known of every value |
//! |---|---|---|
//! | tag | the number of C | in range |
//! | count of sort S | 1 if `C(t)` is of S and has fields, plus that of the fields | ≥ 0, and 0 exactly without fields |
//! | sum | the integers among the fields, plus the sums of the others | |
//!
//! A sort with one constant and one other constructor has no tag: its count says which it is. Where
//! the other constructor has a single field of its own sort it is a *natural number*: its count says
//! everything about it, and is its only component.
//!
//! The definition of a count takes the larger of 0 and what a field has (it is the same function):
//! what is known of every value follows from one step of the definition, without induction.

use foretell_terms::{Constructor, Func, Recursion, Recursive, Sort, Term, TermStore};
use indexmap::{IndexMap, IndexSet};

/// An integer that is said about a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Component {
    /// The number of its constructor.
    Tag,
    /// How many constructors with fields of this sort it has.
    Count(Sort),
    /// The sum of its integers.
    Sum,
}

/// Which components there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sums {
    /// Tags and counts only.
    Without,
    /// Sums of integers, too.
    With,
}

/// The components of all recursive sorts.
pub(super) struct Vocabulary<'a> {
    terms: &'a TermStore,
    sums: Sums,
    components: IndexMap<Sort, Vec<Component>>,
}

/// Whether values of a sort have components.
pub(super) fn is_recursive(terms: &TermStore, sort: Sort) -> bool {
    terms.data(sort).is_some() && terms.recursion(sort) == Recursion::Recursive
}

/// Whether a sort is recursive or mentions one that is.
pub(super) fn mentions_recursive(terms: &TermStore, sort: Sort) -> bool {
    let (mut seen, mut work) = (IndexSet::new(), vec![sort]);
    while let Some(next) = work.pop() {
        if !seen.insert(next) {
            continue;
        }
        if is_recursive(terms, next) {
            return true;
        }
        if let Some((indices, element)) = terms.array_parts(next) {
            work.extend(indices.iter().copied().chain([element]));
        }
        work.extend(fields(terms, next));
    }
    false
}

fn fields(terms: &TermStore, sort: Sort) -> Vec<Sort> {
    if terms.data(sort).is_none() {
        return Vec::new();
    }
    let constructors = terms.constructors(sort).map(|c| terms.constructor(c));
    constructors
        .flat_map(|c| c.fields.iter().map(|f| f.sort).collect::<Vec<_>>())
        .collect()
}

impl<'a> Vocabulary<'a> {
    pub(super) fn new(terms: &'a TermStore, sums: Sums) -> Vocabulary<'a> {
        Vocabulary {
            terms,
            sums,
            components: IndexMap::new(),
        }
    }

    /// The components of a recursive sort.
    pub(super) fn of(&mut self, sort: Sort) -> Vec<Component> {
        if let Some(known) = self.components.get(&sort) {
            return known.clone();
        }
        let made = self.made(sort);
        self.components.insert(sort, made.clone());
        made
    }

    fn made(&self, sort: Sort) -> Vec<Component> {
        if self.is_natural(sort) {
            return vec![Component::Count(sort)];
        }
        let mut reached: IndexSet<Sort> = IndexSet::from([sort]);
        let mut next = 0;
        while let Some(&one) = reached.get_index(next) {
            let more = fields(self.terms, one).into_iter();
            reached.extend(more.filter(|&s| is_recursive(self.terms, s)));
            next += 1;
        }
        let numbers = |s: &Sort| fields(self.terms, *s).contains(&Sort::INT);
        let sum = self.sums == Sums::With && reached.iter().any(numbers);
        let sum = sum.then_some(Component::Sum);
        let counts = reached.iter().map(|&s| Component::Count(s));
        let tag = (!self.is_counted(sort)).then_some(Component::Tag);
        tag.into_iter().chain(counts).chain(sum).collect()
    }

    /// Whether a sort has one constant, and one constructor of a single field of its own.
    pub(super) fn is_natural(&self, sort: Sort) -> bool {
        let constructors = self.terms.constructors(sort);
        let mut shapes: Vec<Vec<Sort>> = constructors
            .map(|c| self.terms.constructor(c))
            .map(|c| c.fields.iter().map(|f| f.sort).collect())
            .collect();
        shapes.sort_by_key(Vec::len);
        shapes == [Vec::new(), vec![sort]]
    }

    /// Whether a sort has one constant and one other constructor.
    fn is_counted(&self, sort: Sort) -> bool {
        let constructors = self.terms.constructors(sort);
        let constants = constructors.filter(|&c| self.terms.constructor(c).fields.is_empty());
        self.terms.constructors(sort).len() == 2 && constants.count() == 1
    }

    /// A component of `C(t)`, where `part` gives a component of the i-th field, and the field itself
    /// where it is an integer.
    pub(super) fn built(
        &mut self,
        component: Component,
        of: Constructor,
        part: &mut dyn FnMut(usize, Component) -> Option<Term>,
    ) -> Term {
        let terms = self.terms;
        let sorts: Vec<Sort> = {
            let declared = &terms.constructor(of).fields;
            declared.iter().map(|f| f.sort).collect()
        };
        let own = match component {
            Component::Tag => return terms.int(of.index),
            Component::Count(sort) => u32::from(sort == of.sort && !sorts.is_empty()),
            Component::Sum => 0,
        };
        let mut summands = vec![terms.int(own)];
        for (i, &sort) in sorts.iter().enumerate() {
            let counts = is_recursive(terms, sort) && self.of(sort).contains(&component);
            if counts || (component == Component::Sum && sort == Sort::INT) {
                summands.extend(part(i, component));
            }
        }
        terms.add(&summands)
    }

    /// `is_C` of a value with these components.
    pub(super) fn is(&mut self, of: Constructor, components: &[Term]) -> Term {
        let terms = self.terms;
        if !self.is_counted(of.sort) {
            return terms.eq(components[0], terms.int(of.index));
        }
        // The first component is the count of the sort itself.
        let zero = terms.le(components[0], terms.int(0));
        match terms.constructor(of).fields.is_empty() {
            true => zero,
            false => terms.not(zero),
        }
    }

    /// What is known of the components of every value.
    pub(super) fn known(&mut self, sort: Sort, components: &[Term]) -> Vec<Term> {
        let terms = self.terms;
        let zero = terms.int(0);
        let mut facts = Vec::new();
        let constants: Vec<Constructor> = terms
            .constructors(sort)
            .filter(|&c| terms.constructor(c).fields.is_empty())
            .collect();
        let counted = self.is_counted(sort);
        for (component, &value) in self.of(sort).into_iter().zip(components) {
            match component {
                Component::Tag => {
                    let last = terms.int(terms.constructors(sort).len() - 1);
                    facts.extend([terms.le(zero, value), terms.le(value, last)]);
                }
                Component::Count(of) => {
                    facts.push(terms.le(zero, value));
                    if of == sort && !counted {
                        let testers = constants.iter().map(|&c| self.is(c, components));
                        let constant = terms.or(testers.collect::<Vec<Term>>());
                        facts.push(terms.eq(terms.le(value, zero), constant));
                    }
                }
                Component::Sum => {}
            }
        }
        facts
    }
}

/// The functions that compute the components of values.
#[derive(Default)]
pub(super) struct Functions {
    made: IndexMap<(Sort, Component), Func>,
}

impl Functions {
    /// A component of a term of a recursive sort.
    pub(super) fn value(&mut self, of: Term, component: Component, v: &mut Vocabulary<'_>) -> Term {
        let terms = v.terms;
        let sort = terms.sort(of);
        if component == Component::Tag {
            let constructors: Vec<Constructor> = terms.constructors(sort).collect();
            let last = terms.int(constructors.len().saturating_sub(1));
            let cases = constructors.iter().rev().skip(1);
            return cases.fold(last, |other, &c| {
                terms.ite(terms.is(c, of), terms.int(c.index), other)
            });
        }
        terms.app(self.function(sort, component, v), &[of])
    }

    fn function(&mut self, sort: Sort, component: Component, v: &mut Vocabulary<'_>) -> Func {
        if let Some(&known) = self.made.get(&(sort, component)) {
            return known;
        }
        let terms = v.terms;
        let owner = terms.data(sort).map_or("", |d| &d.name);
        let name = match component {
            Component::Tag => format!("tag.{owner}"),
            Component::Sum => format!("sum.{owner}"),
            Component::Count(of) if of == sort => format!("count.{owner}"),
            Component::Count(of) => {
                let counted = terms.data(of).map_or("", |d| &d.name);
                format!("count.{counted}.{owner}")
            }
        };
        let func = terms.declare(&name, &[sort], Sort::INT);
        self.made.insert((sort, component), func);
        let param = terms.new_var("x", sort);
        let mut cases = Vec::new();
        for constructor in terms.constructors(sort).collect::<Vec<_>>() {
            let selectors: Vec<_> = terms.selectors(constructor).collect();
            let mut wanted = Vec::new();
            v.built(component, constructor, &mut |i, _| {
                wanted.push(i);
                None
            });
            let mut parts: IndexMap<usize, Term> = IndexMap::new();
            for i in wanted {
                let field = terms.field(selectors[i], param);
                let own = match terms.sort(field) == Sort::INT {
                    true => field,
                    false => self.clamped(field, component, v),
                };
                parts.insert(i, own);
            }
            let value = v.built(component, constructor, &mut |i, _| parts.get(&i).copied());
            cases.push((constructor, value));
        }
        let body = cases
            .into_iter()
            .rev()
            .reduce(|(c, other), (d, value)| (c, terms.ite(terms.is(d, param), value, other)));
        if let Some((_, body)) = body {
            let params = vec![param];
            terms.define_recursive(Recursive { func, params, body });
        }
        func
    }

    /// A component of a field; of a count, the larger of 0 and it.
    fn clamped(&mut self, field: Term, component: Component, v: &mut Vocabulary<'_>) -> Term {
        let terms = v.terms;
        let own = self.value(field, component, v);
        match component {
            Component::Count(_) => terms.ite(terms.le(terms.int(0), own), own, terms.int(0)),
            Component::Tag | Component::Sum => own,
        }
    }
}
