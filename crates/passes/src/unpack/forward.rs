//! Rewriting clauses from datatypes to leaves.
//!
//! A term becomes the list of its leaves. `=` is the conjunction over the leaves; `ite`, `store` and
//! constant arrays go leaf by leaf; `select` reads every leaf at the leaves of the index. Terms of
//! sorts that stay (recursive and opaque ones, declared functions) get their arguments packed by
//! constructors again and are unpacked by selectors and testers.
//!
//! A selector of a sum is its leaf where the constraint of the clause says which constructor it is,
//! elsewhere `ite(tag = C, leaf, u)` with a variable `u` of the clause: coarser than a function of
//! the argument, so a proof holds all the same.

use std::rc::Rc;

use foretell_formulas::close::bound_vars;
use foretell_systems::{Atom, ChcSystem, Clause, PredDecl};
use foretell_terms::{Constructor, Op, Selector, Sort, Term, TermMap, TermSet, TermStore};
use indexmap::IndexSet;

use super::leaves::{apart, canonical, number, pack};
use super::shape::{Kind, Shape, Shapes, default_leaf, width};
use crate::equalities::clause_vars;

/// The leaves that a variable became.
pub(super) type Leaves = TermMap<(Rc<Shape>, Vec<Term>)>;

/// The unpacked system and the leaves of every variable; `None` when some value cannot be packed.
pub(super) fn unpack(
    system: &ChcSystem,
    mut shapes: Shapes<'_>,
    terms: &TermStore,
) -> Option<(ChcSystem, Leaves)> {
    let mut leaves = Leaves::default();
    let mut to = ChcSystem::default();
    for decl in &system.preds {
        let mut params = Vec::new();
        for &param in &decl.params {
            let shape = shapes.of(terms.sort(param));
            let own = variables(terms, param, &shape);
            params.extend(own.iter().copied());
            leaves.insert(param, (shape, own));
        }
        let sorts: Vec<Sort> = params.iter().map(|&p| terms.sort(p)).collect();
        let func = if params == decl.params {
            decl.func
        } else {
            terms.declare(terms.name(decl.func), &sorts, Sort::BOOL)
        };
        to.preds.push(PredDecl { func, params });
    }
    for clause in &system.clauses {
        let mut step = Step {
            terms,
            shapes: &mut shapes,
            images: TermMap::default(),
            known: known_constructors(terms, clause.constraint),
            bound: bound_vars(terms, clause.constraint).into_iter().collect(),
            side: Vec::new(),
        };
        to.clauses.push(step.clause(clause)?);
        for &var in &clause.vars {
            let shape = step.shapes.of(terms.sort(var));
            let own = step.images.get(&var).cloned();
            let own = own.unwrap_or_else(|| variables(terms, var, &shape));
            leaves.insert(var, (shape, own));
        }
    }
    Some((to, leaves))
}

/// A formula about a predicate in terms of its leaves; `None` when it says more than they do.
pub(super) fn formula(
    leaves: &Leaves,
    shapes: &mut Shapes<'_>,
    formula: Term,
    terms: &TermStore,
) -> Option<Term> {
    let mut step = Step {
        terms,
        shapes,
        images: leaves
            .iter()
            .map(|(&var, (_, own))| (var, own.clone()))
            .collect(),
        known: IndexSet::new(),
        bound: TermSet::default(),
        side: Vec::new(),
    };
    let below = step.leaves(formula)?[0];
    let own: TermSet = leaves
        .values()
        .flat_map(|(_, own)| own.iter().copied())
        .collect();
    let closed = terms.free_vars(&[below]).iter().all(|v| own.contains(v));
    closed.then_some(below)
}

/// New variables for the leaves of a variable; itself where nothing changes.
fn variables(terms: &TermStore, var: Term, shape: &Shape) -> Vec<Term> {
    if shape.is_leaf() {
        return vec![var];
    }
    let name = terms.var_name(var);
    let leaf = |(k, &sort): (usize, &Sort)| terms.new_var(&format!("{name}.{k}"), sort);
    shape.leaves.iter().enumerate().map(leaf).collect()
}

/// Which terms have which constructor by a conjunct of the constraint.
fn known_constructors(terms: &TermStore, constraint: Term) -> IndexSet<(Term, Constructor)> {
    let mut known = IndexSet::new();
    for conjunct in terms.conjuncts(constraint) {
        let args = terms.args(conjunct);
        match terms.op(conjunct) {
            Op::Is(constructor) => {
                known.insert((args[0], *constructor));
            }
            Op::Eq => {
                for (&a, &b) in [(&args[0], &args[1]), (&args[1], &args[0])] {
                    if let Op::Construct(constructor) = terms.op(b) {
                        known.insert((a, *constructor));
                    }
                }
            }
            _ => {}
        }
    }
    known
}

/// One clause.
struct Step<'s, 'a> {
    terms: &'s TermStore,
    shapes: &'s mut Shapes<'a>,
    images: TermMap<Vec<Term>>,
    known: IndexSet<(Term, Constructor)>,
    bound: TermSet,
    /// What holds of the leaves of cells that are read, with the leaf.
    side: Vec<(Term, Term)>,
}

impl Step<'_, '_> {
    fn clause(&mut self, clause: &Clause) -> Option<Clause> {
        let terms = self.terms;
        let constraint = self.leaves(clause.constraint)?[0];
        let mut atom = |a: &Atom| {
            let mut args = Vec::new();
            for &arg in &a.args {
                args.extend(self.leaves(arg)?);
            }
            Some(Atom { pred: a.pred, args })
        };
        let body = clause
            .body
            .iter()
            .map(&mut atom)
            .collect::<Option<Vec<Atom>>>()?;
        let head = match &clause.head {
            Some(head) => Some(atom(head)?),
            None => None,
        };
        let mut canonicals = Vec::new();
        for &var in &clause.vars {
            let shape = self.shapes.of(terms.sort(var));
            if let Some(own) = self.images.get(&var) {
                canonical(terms, &shape, own, &mut canonicals);
            }
        }
        canonicals.append(&mut self.looked_at(constraint, body.iter().chain(&head)));
        let conditions = canonicals.into_iter().map(|c| c.1);
        let constraint = terms.and([constraint].into_iter().chain(conditions));
        let vars = clause_vars(&body, constraint, head.as_ref(), terms);
        Some(Clause {
            vars,
            body,
            constraint,
            head,
            line: clause.line,
        })
    }

    /// What holds of leaves of cells that the clause looks at; arrays of which no cell is looked at stay
    /// out of it, and can be dropped later.
    fn looked_at<'c>(
        &mut self,
        constraint: Term,
        atoms: impl Iterator<Item = &'c Atom>,
    ) -> Vec<(Term, Term)> {
        let mut side = std::mem::take(&mut self.side);
        if !side.is_empty() {
            let args = atoms.flat_map(|a| a.args.iter().copied());
            let roots: Vec<Term> = args.chain([constraint]).collect();
            let seen: TermSet = self.terms.subterms(&roots).into_iter().collect();
            side.retain(|(leaf, _)| seen.contains(leaf));
        }
        side
    }

    fn leaves(&mut self, root: Term) -> Option<Vec<Term>> {
        for term in self.terms.subterms(&[root]) {
            if !self.images.contains_key(&term) {
                let image = self.image(term)?;
                self.images.insert(term, image);
            }
        }
        self.images.get(&root).cloned()
    }

    fn image(&mut self, term: Term) -> Option<Vec<Term>> {
        let terms = self.terms;
        let node = terms.node(term);
        let shape = self.shapes.of(node.sort);
        match &node.op {
            Op::App(_) if node.args.is_empty() => Some(variables(terms, term, &shape)),
            Op::App(_) => self.through(term, &shape),
            Op::Construct(constructor) => self.construct(term, *constructor, &shape),
            Op::Field(selector) => self.field(term, *selector, &shape),
            Op::Is(constructor) => self.is(term, *constructor),
            Op::Eq => {
                let pairs = self.images[&node.args[0]]
                    .iter()
                    .zip(&self.images[&node.args[1]]);
                let equal: Vec<Term> = pairs.map(|(&a, &b)| terms.eq(a, b)).collect();
                Some(vec![terms.and(equal)])
            }
            Op::Ite => {
                let condition = self.images[&node.args[0]][0];
                let pairs = self.images[&node.args[1]]
                    .iter()
                    .zip(&self.images[&node.args[2]]);
                Some(pairs.map(|(&a, &b)| terms.ite(condition, a, b)).collect())
            }
            Op::Select => self.select(term, &shape),
            Op::Store => self.store(term, &shape),
            Op::ConstArray => self.const_array(term, &shape),
            Op::Forall | Op::Exists => Some(vec![self.quantifier(term)]),
            _ => {
                let args: Vec<Term> = node.args.iter().map(|a| self.images[a][0]).collect();
                Some(vec![if *args == *node.args {
                    term
                } else {
                    terms.rebuild(&node.op, &args, node.sort)
                }])
            }
        }
    }

    /// The term with packed arguments, taken apart.
    fn through(&mut self, term: Term, shape: &Shape) -> Option<Vec<Term>> {
        let node = self.terms.node(term);
        let args: Option<Vec<Term>> = node.args.iter().map(|&a| self.packed(a)).collect();
        let whole = self.terms.rebuild(&node.op, &args?, node.sort);
        apart(self.terms, shape, whole)
    }

    fn packed(&mut self, term: Term) -> Option<Term> {
        let shape = self.shapes.of(self.terms.sort(term));
        pack(self.terms, &shape, &self.images[&term])
    }

    fn construct(&mut self, term: Term, of: Constructor, shape: &Shape) -> Option<Vec<Term>> {
        let terms = self.terms;
        let args = terms.args(term);
        let own = || args.iter().flat_map(|a| self.images[a].iter().copied());
        let index = of.index as usize;
        match &shape.kind {
            Kind::Tuple(..) => Some(own().collect()),
            Kind::Enumeration => Some(vec![number(terms, shape, index)]),
            Kind::Sum(variants) => {
                let mut leaves = vec![terms.int(of.index)];
                for (i, fields) in variants.iter().enumerate() {
                    if i == index {
                        leaves.extend(own());
                        continue;
                    }
                    for &sort in fields.iter().flat_map(|f| &f.leaves) {
                        leaves.push(default_leaf(terms, sort)?);
                    }
                }
                Some(leaves)
            }
            _ => self.through(term, shape),
        }
    }

    fn field(&mut self, term: Term, of: Selector, shape: &Shape) -> Option<Vec<Term>> {
        let terms = self.terms;
        let whole = terms.args(term)[0];
        let from = self.shapes.of(terms.sort(whole));
        let (variant, field) = (of.constructor.index as usize, of.field as usize);
        let leaves = &self.images[&whole];
        match &from.kind {
            Kind::Tuple(_, fields) => {
                let start = width(&fields[..field]);
                Some(leaves[start..start + fields[field].leaves.len()].to_vec())
            }
            Kind::Sum(variants) => {
                let before: usize = variants[..variant].iter().map(|v| width(v)).sum();
                let start = 1 + before + width(&variants[variant][..field]);
                let own = &leaves[start..start + variants[variant][field].leaves.len()];
                if self.known.contains(&(whole, of.constructor)) {
                    return Some(own.to_vec());
                }
                let is = terms.eq(leaves[0], terms.int(of.constructor.index));
                let open = |&leaf: &Term| terms.ite(is, leaf, terms.fresh("u", terms.sort(leaf)));
                Some(own.iter().map(open).collect())
            }
            _ => self.through(term, shape),
        }
    }

    fn is(&mut self, term: Term, of: Constructor) -> Option<Vec<Term>> {
        let terms = self.terms;
        let whole = terms.args(term)[0];
        let from = self.shapes.of(terms.sort(whole));
        let leaves = &self.images[&whole];
        let index = of.index as usize;
        Some(vec![match &from.kind {
            Kind::Tuple(..) => terms.tt(),
            Kind::Enumeration => terms.eq(leaves[0], number(terms, &from, index)),
            Kind::Sum(_) => terms.eq(leaves[0], terms.int(of.index)),
            _ => terms.is(of, self.packed(whole)?),
        }])
    }

    fn select(&mut self, term: Term, shape: &Rc<Shape>) -> Option<Vec<Term>> {
        let terms = self.terms;
        let node = terms.node(term);
        let from = self.shapes.of(terms.sort(node.args[0]));
        let Kind::Array(..) = &from.kind else {
            return self.through(term, shape);
        };
        let at = self.flat(&node.args[1..]);
        let arrays = self.images[&node.args[0]].clone();
        if at.is_empty() {
            return Some(arrays);
        }
        let cells: Vec<Term> = arrays.iter().map(|&a| terms.select(a, &at)).collect();
        if shape.is_constrained() && !self.is_bound(&cells) {
            let mut side = std::mem::take(&mut self.side);
            canonical(terms, shape, &cells, &mut side);
            self.side = side;
        }
        Some(cells)
    }

    fn store(&mut self, term: Term, shape: &Shape) -> Option<Vec<Term>> {
        let terms = self.terms;
        let node = terms.node(term);
        let Kind::Array(..) = &shape.kind else {
            return self.through(term, shape);
        };
        let (value, rest) = node.args.split_last()?;
        let at = self.flat(&rest[1..]);
        let values = self.images[value].clone();
        if at.is_empty() {
            return Some(values);
        }
        let pairs = self.images[&rest[0]].iter().zip(values);
        Some(pairs.map(|(&a, v)| terms.store(a, &at, v)).collect())
    }

    fn const_array(&mut self, term: Term, shape: &Shape) -> Option<Vec<Term>> {
        let terms = self.terms;
        let Kind::Array(indices, _) = &shape.kind else {
            return self.through(term, shape);
        };
        let values = self.images[&terms.args(term)[0]].clone();
        if width(indices) == 0 {
            return Some(values);
        }
        let pairs = shape.leaves.iter().zip(values);
        Some(pairs.map(|(&sort, v)| terms.const_array(sort, v)).collect())
    }

    fn quantifier(&mut self, term: Term) -> Term {
        let terms = self.terms;
        let node = terms.node(term);
        let (vars, body) = node.args.split_at(node.args.len() - 1);
        let (mut bound, mut conditions) = (Vec::new(), Vec::new());
        for &var in vars {
            let shape = self.shapes.of(terms.sort(var));
            let own = &self.images[&var];
            canonical(terms, &shape, own, &mut conditions);
            bound.extend(own.iter().copied());
        }
        let condition = terms.and(conditions.into_iter().map(|c| c.1));
        let body = self.images[&body[0]][0];
        if node.op == Op::Forall {
            terms.forall(&bound, terms.implies(condition, body))
        } else {
            terms.exists(&bound, terms.and2(condition, body))
        }
    }

    fn flat(&self, args: &[Term]) -> Vec<Term> {
        args.iter()
            .flat_map(|a| self.images[a].iter().copied())
            .collect()
    }

    fn is_bound(&self, cells: &[Term]) -> bool {
        if self.bound.is_empty() {
            return false;
        }
        let leaves: TermSet = self
            .bound
            .iter()
            .flat_map(|b| self.images.get(b))
            .flatten()
            .copied()
            .collect();
        cells
            .iter()
            .any(|&c| self.terms.any_subterm(c, |_, t| leaves.contains(&t)))
    }
}
