//! Quantifiers of a clause body, or of a goal, that become variables of the clause.
//!
//! A clause `∃y. φ(y) ⇒ h` is `∀y. (φ(y) ⇒ h)`: an existential quantifier of the body that is not
//! below a universal one can be dropped and its variable listed with the others. It is reached
//! through conjunctions, disjunctions, negations and branches of `ite`; below an equivalence both
//! polarities meet and it stays.
//!
//! One fresh variable serves all occurrences of a quantified formula in one polarity: if the
//! formula is true the variable can be its witness everywhere, and if it is false every value is.
//!
//! Usually the bound variable itself becomes free. Where that would confuse it with one that stays
//! bound (a quantified formula occurs in both polarities, say), the clause is made again with fresh
//! variables.

use foretell_terms::{Op, Sort, Term, TermMap, TermStore};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// Whether a formula is asserted or denied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// Asserted.
    Positive,
    /// Denied.
    Negative,
}

impl Sign {
    /// The other one.
    pub fn flip(self) -> Sign {
        match self {
            Sign::Positive => Sign::Negative,
            Sign::Negative => Sign::Positive,
        }
    }
}

/// How the variable of a quantifier becomes one of the clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opening {
    /// It is the bound variable itself, which saves a copy of the body.
    Reuse,
    /// It is a fresh variable.
    Fresh,
}

/// Quantifiers that were opened on the way to a clause.
///
/// Invariant: in [`Opening::Reuse`], a variable of `owners` was bound by that one quantifier.
pub struct Binders<'s> {
    terms: &'s TermStore,
    opening: Opening,
    owners: TermMap<Term>,
}

impl<'s> Binders<'s> {
    /// No quantifier yet.
    pub fn new(terms: &'s TermStore, opening: Opening) -> Binders<'s> {
        Binders {
            terms,
            opening,
            owners: TermMap::default(),
        }
    }

    /// The body of a quantified formula with its variables free.
    pub fn open(&mut self, binder: Term) -> Term {
        let args = self.terms.args(binder);
        let (&body, vars) = args.split_last().expect("invariant: a binder has a body");
        let foreign = |v: &Term| self.owners.get(v).is_some_and(|&owner| owner != binder);
        if self.opening == Opening::Reuse && !vars.iter().any(foreign) {
            self.owners.extend(vars.iter().map(|&v| (v, binder)));
            return body;
        }
        let fresh = vars.iter().map(|&v| {
            (
                v,
                self.terms
                    .new_var(self.terms.var_name(v), self.terms.sort(v)),
            )
        });
        self.terms.substitute(body, fresh.collect::<Vec<_>>())
    }

    /// Whether a quantifier among these terms still binds a variable that is free by now.
    pub fn conflict(&self, subterms: &[Term]) -> bool {
        let binder = |t: &&Term| matches!(self.terms.op(**t), Op::Forall | Op::Exists);
        let mut bound = subterms
            .iter()
            .filter(binder)
            .flat_map(|&b| self.terms.args(b));
        !self.owners.is_empty() && bound.any(|v| self.owners.contains_key(v))
    }
}

/// The body formula without the quantifiers that can become clause variables.
pub fn pull_existentials(binders: &mut Binders<'_>, formula: Term) -> Term {
    if !binders.terms.has_quantifier(formula) {
        return formula;
    }
    let terms = binders.terms;
    Prenex {
        terms,
        binders,
        done: IndexMap::default(),
        opened: IndexMap::default(),
    }
    .run(formula)
}

type Key = (Term, Sign);

struct Prenex<'p, 's> {
    terms: &'s TermStore,
    binders: &'p mut Binders<'s>,
    done: IndexMap<Key, Term, FxBuildHasher>,
    opened: IndexMap<Key, Term, FxBuildHasher>,
}

impl Prenex<'_, '_> {
    fn run(mut self, formula: Term) -> Term {
        let root = (formula, Sign::Positive);
        let mut work = vec![root];
        while let Some(&key) = work.last() {
            if self.done.contains_key(&key) {
                work.pop();
                continue;
            }
            let needed = self.below(key);
            let before = work.len();
            work.extend(
                needed
                    .iter()
                    .copied()
                    .filter(|k| !self.done.contains_key(k)),
            );
            if work.len() > before {
                continue;
            }
            let parts: Vec<Term> = needed.iter().map(|k| self.done[k]).collect();
            let result = self.rebuild(key, &parts);
            self.done.insert(key, result);
            work.pop();
        }
        self.done[&root]
    }

    /// The formulas that must be done before this one.
    fn below(&mut self, key: Key) -> Vec<Key> {
        let (term, sign) = key;
        let args = self.terms.args(term);
        match (self.terms.op(term), sign) {
            (Op::And | Op::Or, _) => args.iter().map(|&a| (a, sign)).collect(),
            (Op::Not, _) => vec![(args[0], sign.flip())],
            (Op::Ite, _) if self.terms.sort(term) == Sort::BOOL => {
                vec![(args[1], sign), (args[2], sign)]
            }
            (Op::Exists, Sign::Positive) | (Op::Forall, Sign::Negative) => {
                let binders = &mut *self.binders;
                let body = *self.opened.entry(key).or_insert_with(|| binders.open(term));
                vec![(body, sign)]
            }
            _ => Vec::new(),
        }
    }

    fn rebuild(&self, (term, _): Key, parts: &[Term]) -> Term {
        let node = self.terms.node(term);
        match node.op {
            _ if parts.is_empty() => term,
            Op::Ite => self.terms.ite(node.args[0], parts[0], parts[1]),
            Op::Exists | Op::Forall => parts[0],
            _ => self.terms.rebuild(&node.op, parts, node.sort),
        }
    }
}
