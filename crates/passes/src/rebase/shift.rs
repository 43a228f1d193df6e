//! Moving the arrays of a term.

use foretell_formulas::bound_vars;
use foretell_terms::number::Rational;
use foretell_terms::{Op, Sort, Term, TermMap, TermSet, TermStore};

/// By what an array term is moved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moved {
    /// It is the same everywhere, and so moved by anything.
    Any,
    /// By this much; `None`: not at all.
    By(Option<Term>),
}

/// Adds to the indices of some arrays, and replaces some variables.
pub(super) struct Shift<'t> {
    terms: &'t TermStore,
    /// Array variables with what is added to their indices.
    arrays: TermMap<Term>,
    /// Other variables with what they become.
    vars: TermMap<Term>,
    images: TermMap<Term>,
    moved: TermMap<Moved>,
}

impl<'t> Shift<'t> {
    pub(super) fn new(
        terms: &'t TermStore,
        arrays: TermMap<Term>,
        vars: TermMap<Term>,
    ) -> Shift<'t> {
        Shift {
            terms,
            arrays,
            vars,
            images: TermMap::default(),
            moved: TermMap::default(),
        }
    }

    /// The moved term; `None` when arrays that are moved differently meet, or one is used as a value.
    pub(super) fn apply(&mut self, root: Term) -> Option<Term> {
        for term in self.terms.subterms(&[root]) {
            if !self.images.contains_key(&term) {
                let image = self.step(term)?;
                self.images.insert(term, image);
            }
        }
        self.images.get(&root).copied()
    }

    fn step(&mut self, term: Term) -> Option<Term> {
        let terms = self.terms;
        let node = terms.node(term);
        let args: Vec<Term> = node.args.iter().map(|a| self.images[a]).collect();
        let how = self.how(term)?;
        if terms.array_parts(node.sort).is_some() {
            self.moved.insert(term, how);
        }
        let by = match (&node.op, how) {
            (Op::Select | Op::Store, Moved::By(Some(by))) => Some(by),
            _ => None,
        };
        Some(match (&node.op, by) {
            (Op::App(_), _) if args.is_empty() => self.vars.get(&term).copied().unwrap_or(term),
            (Op::Select, Some(by)) => terms.select(args[0], &[terms.add2(args[1], by)]),
            (Op::Store, Some(by)) => terms.store(args[0], &[terms.add2(args[1], by)], args[2]),
            _ if *args == *node.args => term,
            (Op::Eq | Op::Le, _) if terms.sort(args[0]) == Sort::INT => {
                compared(terms, &node.op, args[0], args[1])
            }
            _ => terms.rebuild(&node.op, &args, node.sort),
        })
    }

    /// By what a term is moved: of an array its cells, of a read its array; `None` when that is not one.
    fn how(&self, term: Term) -> Option<Moved> {
        let node = self.terms.node(term);
        let array = |t: &Term| self.terms.array_parts(self.terms.sort(*t)).is_some();
        let arrays: Vec<Moved> = match node.op {
            Op::Select | Op::Store => vec![self.moved[&node.args[0]]],
            Op::Eq | Op::Ite => {
                let arrays = node.args.iter().filter(|t| array(t));
                arrays.map(|t| self.moved[t]).collect()
            }
            Op::App(_) if node.args.is_empty() => {
                return Some(Moved::By(self.arrays.get(&term).copied()));
            }
            Op::ConstArray => return Some(Moved::Any),
            _ => Vec::new(),
        };
        // Arrays among the other arguments, as stored values or arguments of functions, must not move.
        let others: &[Term] = match node.op {
            Op::Select | Op::Store => &node.args[1..],
            Op::Eq | Op::Ite | Op::Forall | Op::Exists => &[],
            _ => &node.args,
        };
        let stays = |t: &Term| !array(t) || matches!(self.moved[t], Moved::By(None) | Moved::Any);
        if !others.iter().all(stays) {
            return None;
        }
        let mut all = Moved::Any;
        for one in arrays {
            all = match (all, one) {
                (Moved::Any, other) | (other, Moved::Any) => other,
                (a, b) if a == b => a,
                _ => return None,
            };
        }
        Some(match all {
            Moved::Any if !matches!(node.op, Op::Eq | Op::Ite | Op::Select | Op::Store) => {
                Moved::By(None)
            }
            all => all,
        })
    }
}

/// The arrays that move, with those that a formula binds and compares with them: moving is one to one, so
/// a quantifier over moved arrays is one over arrays.
pub(super) fn with_bound(
    terms: &TermStore,
    mut arrays: TermMap<Term>,
    formula: Term,
) -> TermMap<Term> {
    let is_array = |t: &Term| terms.array_parts(terms.sort(*t)).is_some();
    let bound: TermSet = bound_vars(terms, formula)
        .into_iter()
        .filter(is_array)
        .collect();
    if bound.is_empty() {
        return arrays;
    }
    let all = terms.subterms(&[formula]);
    loop {
        let before = arrays.len();
        for &term in &all {
            if matches!(terms.op(term), Op::Eq | Op::Ite) {
                let met = terms.args(term).iter().copied().filter(is_array);
                let met: Vec<Term> = met.flat_map(|t| variables(terms, t)).collect();
                let by = met.iter().find_map(|v| arrays.get(v).copied());
                for var in met.into_iter().filter(|v| bound.contains(v)) {
                    by.map(|by| *arrays.entry(var).or_insert(by));
                }
            }
        }
        if arrays.len() == before {
            return arrays;
        }
    }
}

/// The variables whose cells an array may have.
fn variables(terms: &TermStore, array: Term) -> Vec<Term> {
    let (mut work, mut found) = (vec![array], Vec::new());
    while let Some(array) = work.pop() {
        let args = terms.args(array);
        match terms.op(array) {
            Op::Store => work.push(args[0]),
            Op::Ite => work.extend(&args[1..]),
            Op::App(_) if args.is_empty() => found.push(array),
            _ => {}
        }
    }
    found
}

/// A comparison of sums from which what is common was taken.
fn compared(terms: &TermStore, op: &Op, left: Term, right: Term) -> Term {
    let form = terms.linear(terms.sub(left, right));
    let (mut over, mut under) = (form.clone(), form);
    over.terms.retain(|(_, c)| *c > Rational::ZERO);
    under.terms.retain(|(_, c)| *c < Rational::ZERO);
    match over.terms.is_empty() {
        true => under.constant = Rational::ZERO,
        false => over.constant = Rational::ZERO,
    }
    let left = terms.linear_term(&over, Sort::INT);
    let right = terms.neg(terms.linear_term(&under, Sort::INT));
    match op {
        Op::Eq => terms.eq(left, right),
        _ => terms.le(left, right),
    }
}
