//! Quantifiers of a clause body that become variables of the clause.
//!
//! A clause `∃y. φ(y) ⇒ h` is `∀y. (φ(y) ⇒ h)`: an existential quantifier of the body that is not
//! below a universal one can be dropped and its variable listed with the others. It is reached
//! through conjunctions, disjunctions, negations and branches of `ite`; below an equivalence both
//! polarities meet and it stays.
//!
//! One fresh variable serves all occurrences of a quantified formula in one polarity: if the
//! formula is true the variable can be its witness everywhere, and if it is false every value is.

use foretell_terms::{Op, Sort, Term, TermStore};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// Whether a formula is asserted or denied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Sign {
    Positive,
    Negative,
}

impl Sign {
    pub(crate) fn flip(self) -> Sign {
        match self {
            Sign::Positive => Sign::Negative,
            Sign::Negative => Sign::Positive,
        }
    }
}

/// The body of a quantified formula over new variables.
pub(crate) fn open_binder(terms: &TermStore, binder: Term) -> Term {
    let args = terms.args(binder);
    let (body, vars) = args.split_last().expect("invariant: a binder has a body");
    let fresh = vars.iter().map(|&v| (v, terms.var(terms.var_name(v), terms.sort(v))));
    terms.substitute(*body, fresh.collect::<Vec<_>>())
}

/// The body formula without the quantifiers that can become clause variables.
pub(crate) fn pull_existentials(terms: &TermStore, formula: Term) -> Term {
    if !terms.has_quantifier(formula) {
        return formula;
    }
    Prenex { terms, done: IndexMap::default(), opened: IndexMap::default() }.run(formula)
}

type Key = (Term, Sign);

struct Prenex<'s> {
    terms: &'s TermStore,
    done: IndexMap<Key, Term, FxBuildHasher>,
    opened: IndexMap<Key, Term, FxBuildHasher>,
}

impl Prenex<'_> {
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
            work.extend(needed.iter().copied().filter(|k| !self.done.contains_key(k)));
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
            (Op::Ite, _) if self.terms.sort(term) == Sort::BOOL => vec![(args[1], sign), (args[2], sign)],
            (Op::Exists, Sign::Positive) | (Op::Forall, Sign::Negative) => {
                let terms = self.terms;
                let body = *self.opened.entry(key).or_insert_with(|| open_binder(terms, term));
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
