//! Literals known to hold, and what they decide about others.

use foretell_terms::{Op, Rational, Term, TermSet, TermStore};
use indexmap::IndexMap;

use crate::comparison::{Comparison, Reading};
use crate::range::Range;

/// The form of a comparison as a key.
type Form = Vec<(Term, Rational)>;

/// Literals known to hold.
#[derive(Clone, Default)]
pub(crate) struct Facts {
    ranges: IndexMap<Form, (Comparison, Range)>,
    literals: TermSet,
}

impl Facts {
    /// Learns a literal.
    pub(crate) fn learn(&mut self, store: &TermStore, literal: Term) {
        match Comparison::proper(store, literal) {
            Some(comparison) => {
                let (_, range) = self
                    .ranges
                    .entry(comparison.form.clone())
                    .or_insert_with(|| (comparison.clone(), Range::all(comparison.sort)));
                range.restrict(comparison.relation, &comparison.bound);
            }
            None => {
                self.literals.insert(literal);
            }
        }
    }

    /// Whether the literals exclude each other.
    pub(crate) fn is_contradictory(&self, store: &TermStore) -> bool {
        self.ranges.values().any(|(_, range)| range.is_empty())
            || self
                .literals
                .iter()
                .any(|&l| store.is_false(l) || self.literals.contains(&store.not(l)))
    }

    /// Whether the facts make a literal true or false.
    pub(crate) fn decide(&self, store: &TermStore, literal: Term) -> Option<bool> {
        match Comparison::read(store, literal) {
            Some(Reading::Constant(value)) => Some(value),
            Some(Reading::Comparison(c)) => {
                let (_, range) = self.ranges.get(&c.form)?;
                range.decides(c.relation, &c.bound)
            }
            None if self.literals.contains(&literal) => Some(true),
            None if self.literals.contains(&store.not(literal)) => Some(false),
            None => None,
        }
    }

    /// What is known about the form of a comparison, as few literals.
    pub(crate) fn about(&self, comparison: &Comparison) -> Vec<Comparison> {
        self.ranges
            .get(&comparison.form)
            .map(|(like, range)| range.comparisons(like))
            .unwrap_or_default()
    }

    /// Variables with one known value: numerals and truth values.
    pub(crate) fn values(&self, store: &TermStore) -> Vec<(Term, Term)> {
        let numbers = self.ranges.values().filter_map(|(c, range)| {
            let [(term, coefficient)] = c.form.as_slice() else {
                return None;
            };
            let simple = store.as_var(*term).is_some() && coefficient.is_one();
            let value = range.point().filter(|_| simple)?;
            Some((*term, store.numeral(value, c.sort)?))
        });
        let others = self.literals.iter().filter_map(|&literal| {
            let (atom, negated) = store.strip_not(literal);
            if store.as_var(atom).is_some() {
                return Some((atom, store.bool(!negated)));
            }
            let [a, b] = store.args(atom) else {
                return None;
            };
            let is = |v: Term, n: Term| store.as_var(v).is_some() && store.is_numeral(n);
            match store.op(atom) {
                Op::Eq if !negated && is(*a, *b) => Some((*a, *b)),
                Op::Eq if !negated && is(*b, *a) => Some((*b, *a)),
                _ => None,
            }
        });
        numbers.chain(others).collect()
    }
}
