//! Rewriting proofs from leaves to datatypes.
//!
//! | below | above |
//! |---|---|
//! | leaf of a parameter x | selector path of x; for a leaf of a constructor of a sum `ite(is_C x, path, default)` |
//! | tag of a sum, number of an enumeration | `tag = k` is a tester; elsewhere a chain of `ite` |
//! | array leaf of x | a *view*: index ↦ path of `select x (packed index)`; `store`, `ite` and constant arrays on it are views again |
//! | `select` of a view | the cell, where a written index is the one that is read the written value |
//! | equation of two views | of the arrays themselves when all their leaves are equated, else `∀j. A(j) = B(j)` |
//!
//! A view anywhere else does not come from the clauses; the proof is then not lifted.

use std::rc::Rc;

use foretell_systems::ChcProof;
use foretell_systems::chc::{ChcAuxiliary, ChcWitness};
use foretell_terms::{Constructor, Op, Sort, Term, TermMap, TermStore};

use super::forward::Leaves;
use super::leaves::{pack, tag};
use super::shape::{Kind, Shape, cut, default_leaf, width};

/// The proof over datatypes; `None` when a view is used as a whole.
pub(super) fn proof(leaves: &Leaves, proof: ChcProof, terms: &TermStore) -> Option<ChcProof> {
    let mut back = Back::new(leaves, terms);
    let formulas = proof
        .formulas
        .iter()
        .map(|&f| back.formula(f))
        .collect::<Option<Vec<_>>>()?;
    let witness = match proof.witness {
        None => None,
        Some(witness) => Some(ChcWitness {
            auxiliaries: witness
                .auxiliaries
                .iter()
                .map(|a| back.auxiliary(a))
                .collect::<Option<Vec<_>>>()?,
            invariants: witness
                .invariants
                .iter()
                .map(|&f| back.formula(f))
                .collect::<Option<Vec<_>>>()?,
        }),
    };
    Some(ChcProof { formulas, witness })
}

/// What a term below is above.
#[derive(Clone, Debug)]
enum Up {
    /// A term.
    Term(Term),
    /// The number of the constructor of a term.
    Tag(Term, Rc<Shape>),
    /// A leaf of an array.
    View(Rc<View>),
}

/// A map from indices (leaf by leaf) to values.
#[derive(Debug)]
enum View {
    /// The n-th leaf of an array.
    Leaf(Term, Rc<Shape>, usize),
    Store(Rc<View>, Vec<Term>, Up),
    Ite(Term, Up, Up),
    Const(Up),
}

pub(super) struct Back<'a> {
    terms: &'a TermStore,
    images: TermMap<Up>,
}

impl<'a> Back<'a> {
    pub(super) fn new(leaves: &Leaves, terms: &'a TermStore) -> Back<'a> {
        let mut back = Back {
            terms,
            images: TermMap::default(),
        };
        for (&var, (shape, own)) in leaves {
            for (k, &leaf) in own.iter().enumerate() {
                if let Some(up) = back.project(var, shape, k) {
                    back.images.insert(leaf, up);
                }
            }
        }
        back
    }

    /// A formula above.
    pub(super) fn formula(&mut self, root: Term) -> Option<Term> {
        for term in self.terms.subterms(&[root]) {
            if !self.images.contains_key(&term) {
                let up = self.step(term)?;
                self.images.insert(term, up);
            }
        }
        self.term(root)
    }

    /// The n-th leaf of a term.
    fn project(&self, of: Term, shape: &Rc<Shape>, leaf: usize) -> Option<Up> {
        let terms = self.terms;
        match &shape.kind {
            Kind::Leaf => Some(Up::Term(of)),
            Kind::Tuple(constructor, fields) => self.project_field(of, *constructor, fields, leaf),
            Kind::Enumeration if shape.leaves == [Sort::BOOL] => {
                Some(Up::Term(tag(terms, shape, of)))
            }
            Kind::Enumeration => Some(Up::Tag(of, Rc::clone(shape))),
            Kind::Sum(_) if leaf == 0 => Some(Up::Tag(of, Rc::clone(shape))),
            Kind::Sum(variants) => {
                let mut rest = leaf - 1;
                for (constructor, fields) in terms.constructors(shape.sort).zip(variants) {
                    if rest < width(fields) {
                        let own = self.project_field(of, constructor, fields, rest)?;
                        let default = default_leaf(terms, shape.leaves[leaf])?;
                        let is = terms.is(constructor, of);
                        return self.ite(is, own, Up::Term(default));
                    }
                    rest -= width(fields);
                }
                None
            }
            Kind::Array(indices, element) if width(indices) == 0 => {
                let at: Option<Vec<Term>> = indices.iter().map(|i| pack(terms, i, &[])).collect();
                self.project(terms.select(of, &at?), element, leaf)
            }
            Kind::Array(..) => Some(Up::View(Rc::new(View::Leaf(of, Rc::clone(shape), leaf)))),
        }
    }

    fn project_field(
        &self,
        of: Term,
        constructor: Constructor,
        fields: &[Rc<Shape>],
        mut leaf: usize,
    ) -> Option<Up> {
        for (selector, field) in self.terms.selectors(constructor).zip(fields) {
            if leaf < field.leaves.len() {
                return self.project(self.terms.field(selector, of), field, leaf);
            }
            leaf -= field.leaves.len();
        }
        None
    }

    /// The image as a term.
    fn term(&self, of: Term) -> Option<Term> {
        self.as_term(self.images.get(&of)?)
    }

    fn as_term(&self, up: &Up) -> Option<Term> {
        match up {
            Up::Term(term) => Some(*term),
            Up::Tag(of, shape) => Some(tag(self.terms, shape, *of)),
            Up::View(_) => None,
        }
    }

    fn as_terms(&self, of: &[Term]) -> Option<Vec<Term>> {
        of.iter().map(|&t| self.term(t)).collect()
    }

    fn step(&self, term: Term) -> Option<Up> {
        let (terms, node) = (self.terms, self.terms.node(term));
        let args = &node.args;
        let view = |t: &Term| match self.images.get(t) {
            Some(Up::View(view)) => Some(Rc::clone(view)),
            _ => None,
        };
        match &node.op {
            Op::Select if view(&args[0]).is_some() => {
                self.read(&self.images[&args[0]], &self.as_terms(&args[1..])?)
            }
            Op::Store if view(&args[0]).is_some() || view(&args[args.len() - 1]).is_some() => {
                let at = self.as_terms(&args[1..args.len() - 1])?;
                let value = self.images[&args[args.len() - 1]].clone();
                let base = view(&args[0])?;
                Some(Up::View(Rc::new(View::Store(base, at, value))))
            }
            Op::ConstArray if view(&args[0]).is_some() => Some(Up::View(Rc::new(View::Const(
                self.images[&args[0]].clone(),
            )))),
            Op::Ite => {
                let (a, b) = (self.images[&args[1]].clone(), self.images[&args[2]].clone());
                self.ite(self.term(args[0])?, a, b)
            }
            Op::Eq => self.eq(term),
            Op::Le => self.compare(term),
            Op::And => self.and(args),
            _ => {
                let above = self.as_terms(args)?;
                let same = *above == **args;
                Some(Up::Term(if same {
                    term
                } else {
                    terms.rebuild(&node.op, &above, node.sort)
                }))
            }
        }
    }

    fn ite(&self, condition: Term, a: Up, b: Up) -> Option<Up> {
        if matches!((&a, &b), (Up::View(_), _) | (_, Up::View(_))) {
            return Some(Up::View(Rc::new(View::Ite(condition, a, b))));
        }
        let (a, b) = (self.as_term(&a)?, self.as_term(&b)?);
        Some(Up::Term(self.terms.ite(condition, a, b)))
    }

    /// The value of a view at an index; chains of stores are walked, not nested.
    fn read(&self, from: &Up, at: &[Term]) -> Option<Up> {
        let terms = self.terms;
        let mut writes: Vec<(&[Term], &Up)> = Vec::new();
        let base = if let Up::View(view) = from {
            let mut view = view;
            while let View::Store(base, written, value) = &**view {
                writes.push((written, value));
                view = base;
            }
            self.read_base(view, at)?
        } else {
            Up::Term(terms.select(self.as_term(from)?, at))
        };
        let mut result = base;
        for (written, value) in writes.into_iter().rev() {
            let same = written.iter().zip(at).map(|(&i, &j)| terms.eq(i, j));
            let condition = terms.and(same.collect::<Vec<Term>>());
            result = if terms.is_true(condition) {
                value.clone()
            } else if terms.is_false(condition) {
                result
            } else {
                self.ite(condition, value.clone(), result)?
            };
        }
        Some(result)
    }

    /// The value of a view that is no `store`.
    fn read_base(&self, view: &View, at: &[Term]) -> Option<Up> {
        let terms = self.terms;
        match view {
            View::Store(..) => None,
            View::Const(value) => Some(value.clone()),
            View::Ite(condition, a, b) => {
                let (a, b) = (self.read(a, at)?, self.read(b, at)?);
                self.ite(*condition, a, b)
            }
            View::Leaf(array, shape, leaf) => {
                let Kind::Array(indices, element) = &shape.kind else {
                    return None;
                };
                let packed = cut(indices, at).map(|(i, own)| pack(terms, i, own));
                let packed = packed.collect::<Option<Vec<Term>>>()?;
                self.project(terms.select(*array, &packed), element, *leaf)
            }
        }
    }

    fn eq(&self, term: Term) -> Option<Up> {
        let (terms, args) = (self.terms, self.terms.args(term));
        let (a, b) = (&self.images[&args[0]], &self.images[&args[1]]);
        let is_view = |u: &Up| matches!(u, Up::View(_));
        if is_view(a) || is_view(b) {
            if let (Some(x), Some(y)) = (self.whole(a), self.whole(b))
                && terms.sort(x) == terms.sort(y)
            {
                return Some(Up::Term(terms.eq(x, y)));
            }
            return self.everywhere(a, b, terms.sort(args[0])).map(Up::Term);
        }
        for (tagged, other) in [(a, b), (b, a)] {
            if let (Up::Tag(of, shape), Up::Term(number)) = (tagged, other)
                && let Some(n) = terms.as_int(*number)
            {
                let constructors = terms.constructors(shape.sort).enumerate();
                let mut hit = constructors.filter(|(i, _)| *n == (*i).into());
                let is = hit.next().map_or(terms.ff(), |(_, c)| terms.is(c, *of));
                return Some(Up::Term(is));
            }
        }
        let (x, y) = (self.as_term(a)?, self.as_term(b)?);
        Some(Up::Term(terms.eq(x, y)))
    }

    /// `tag <= k` and `k <= tag` by testers.
    fn compare(&self, term: Term) -> Option<Up> {
        let (terms, args) = (self.terms, self.terms.args(term));
        let (a, b) = (&self.images[&args[0]], &self.images[&args[1]]);
        let (of, shape, bound, above) = match (a, b) {
            (Up::Tag(of, shape), Up::Term(n)) => (*of, shape, *n, true),
            (Up::Term(n), Up::Tag(of, shape)) => (*of, shape, *n, false),
            _ => {
                let pair = self.as_terms(args)?;
                return Some(Up::Term(terms.le(pair[0], pair[1])));
            }
        };
        let Some(n) = terms.as_int(bound) else {
            let pair = self.as_terms(args)?;
            return Some(Up::Term(terms.le(pair[0], pair[1])));
        };
        let fits = |i: usize| {
            if above {
                *n >= i.into()
            } else {
                *n <= i.into()
            }
        };
        let all: Vec<(usize, Constructor)> = terms.constructors(shape.sort).enumerate().collect();
        if all.iter().all(|(i, _)| fits(*i)) {
            return Some(Up::Term(terms.tt()));
        }
        let testers = all.into_iter().filter(|(i, _)| fits(*i));
        let testers: Vec<Term> = testers.map(|(_, c)| terms.is(c, of)).collect();
        Some(Up::Term(terms.or(testers)))
    }

    /// A conjunction; equations of all leaves of two arrays are one equation.
    fn and(&self, args: &[Term]) -> Option<Up> {
        let terms = self.terms;
        let mut groups: indexmap::IndexMap<(Term, Term), Vec<(usize, Term)>> =
            indexmap::IndexMap::new();
        let leaf = |t: Term| match self.images.get(&t) {
            Some(Up::View(view)) => match &**view {
                View::Leaf(of, _, k) => Some((*of, *k)),
                _ => None,
            },
            _ => None,
        };
        for &arg in args {
            if let (Op::Eq, [a, b]) = (terms.op(arg), terms.args(arg))
                && let (Some((x, k)), Some((y, m))) = (leaf(*a), leaf(*b))
                && k == m
                && terms.sort(x) == terms.sort(y)
            {
                groups
                    .entry((x.min(y), x.max(y)))
                    .or_default()
                    .push((k, arg));
            }
        }
        let mut parts = Vec::new();
        let mut covered = foretell_terms::TermSet::default();
        for ((x, y), mut equations) in groups {
            equations.sort_unstable();
            equations.dedup_by_key(|(k, _)| *k);
            if Some(equations.len()) == self.width_of(x, args) {
                parts.push(terms.eq(x, y));
                covered.extend(equations.into_iter().map(|(_, arg)| arg));
            }
        }
        for &arg in args.iter().filter(|a| !covered.contains(*a)) {
            parts.push(self.term(arg)?);
        }
        Some(Up::Term(terms.and(parts)))
    }

    /// The number of leaves of an array that is viewed by one of the equations.
    fn width_of(&self, array: Term, equations: &[Term]) -> Option<usize> {
        let sides = equations.iter().flat_map(|&e| self.terms.args(e));
        sides
            .into_iter()
            .find_map(|side| match self.images.get(side) {
                Some(Up::View(view)) => match &**view {
                    View::Leaf(of, shape, _) if *of == array => Some(shape.leaves.len()),
                    _ => None,
                },
                _ => None,
            })
    }

    /// The array that a view of an array with one leaf is.
    fn whole(&self, up: &Up) -> Option<Term> {
        let terms = self.terms;
        let Up::View(view) = up else { return None };
        match &**view {
            View::Leaf(array, shape, _) if shape.leaves.len() == 1 => Some(*array),
            View::Store(base, at, value) => {
                let base = self.whole(&Up::View(Rc::clone(base)))?;
                let shape = self.shape_below(view)?;
                let Kind::Array(indices, element) = &shape.kind else {
                    return None;
                };
                let at: Option<Vec<Term>> = cut(indices, at)
                    .map(|(i, own)| pack(terms, i, own))
                    .collect();
                let value = pack(terms, element, &[self.as_term(value)?])?;
                Some(terms.store(base, &at?, value))
            }
            View::Ite(condition, a, b) => {
                Some(terms.ite(*condition, self.whole(a)?, self.whole(b)?))
            }
            _ => None,
        }
    }

    fn shape_below(&self, view: &View) -> Option<Rc<Shape>> {
        match view {
            View::Leaf(_, shape, _) => Some(Rc::clone(shape)),
            View::Store(base, ..) => self.shape_below(base),
            _ => None,
        }
    }

    /// `∀j. a(j) = b(j)`; views of arrays of arrays are compared cell by cell.
    fn everywhere(&self, a: &Up, b: &Up, sort: Sort) -> Option<Term> {
        let terms = self.terms;
        let (mut a, mut b, mut sort) = (a.clone(), b.clone(), sort);
        let mut bound = Vec::new();
        loop {
            let is_view = matches!((&a, &b), (Up::View(_), _) | (_, Up::View(_)));
            if !is_view {
                break;
            }
            let (indices, element) = terms.array_parts(sort)?;
            let at: Vec<Term> = indices.iter().map(|&i| terms.fresh("j", i)).collect();
            (a, b) = (self.read(&a, &at)?, self.read(&b, &at)?);
            bound.extend(at);
            sort = element;
        }
        let equal = terms.eq(self.as_term(&a)?, self.as_term(&b)?);
        Some(terms.forall(&bound, equal))
    }

    fn auxiliary(&mut self, auxiliary: &ChcAuxiliary) -> Option<ChcAuxiliary> {
        let mut all = |list: &[Option<Term>]| {
            let one = |t: &Option<Term>| match t {
                None => Some(None),
                Some(t) => self.formula(*t).map(Some),
            };
            list.iter().map(one).collect::<Option<Vec<_>>>()
        };
        Some(match auxiliary {
            ChcAuxiliary::Prophecy { var, targets } => ChcAuxiliary::Prophecy {
                var: *var,
                targets: all(targets)?,
            },
            ChcAuxiliary::History { var, updates } => ChcAuxiliary::History {
                var: *var,
                updates: all(updates)?,
            },
        })
    }
}
