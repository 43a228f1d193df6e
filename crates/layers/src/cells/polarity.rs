//! Where equations of arrays stand in formulas: asserted, denied, or both.
//!
//! Part of the layer in `layer.rs`. An over-approximation may weaken an asserted equation and a denied
//! one, each in its own way; what is both needs a choice.

use foretell_formulas::arrays::is_array;
use foretell_terms::{Op, Sort, Term, TermMap, TermStore};

/// How a subformula bears on the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Polarity {
    /// Making it true more often makes the whole true more often.
    Asserted,
    /// The reverse.
    Denied,
    /// Neither.
    Both,
}

impl Polarity {
    fn flipped(self) -> Polarity {
        match self {
            Polarity::Asserted => Polarity::Denied,
            Polarity::Denied => Polarity::Asserted,
            Polarity::Both => Polarity::Both,
        }
    }

    fn joined(self, other: Polarity) -> Polarity {
        if self == other { self } else { Polarity::Both }
    }
}

/// The polarities of the equations of arrays in some asserted formulas.
pub(super) struct Polarities(TermMap<Polarity>);

impl Polarities {
    /// For these formulas.
    pub(super) fn new(terms: &TermStore, roots: &[Term]) -> Polarities {
        let mut all = polarities(terms, roots);
        all.retain(|&t, _| *terms.op(t) == Op::Eq && is_array(terms, terms.args(t)[0]));
        Polarities(all)
    }

    /// The equations of arrays.
    pub(super) fn equations(&self) -> impl Iterator<Item = Term> + '_ {
        self.0.keys().copied()
    }

    /// The polarity of an equation.
    pub(super) fn of(&self, equation: Term) -> Polarity {
        self.0.get(&equation).copied().unwrap_or(Polarity::Both)
    }
}

/// A formula without quantifiers that follows from one with: what is quantified says nothing. `None` when
/// a quantified part is neither only asserted nor only denied.
pub(super) fn without_quantifiers(terms: &TermStore, formula: Term) -> Option<Term> {
    if !terms.has_quantifier(formula) {
        return Some(formula);
    }
    let mut trivial = Vec::new();
    for (term, polarity) in polarities(terms, &[formula]) {
        if matches!(terms.op(term), Op::Forall | Op::Exists) {
            match polarity {
                Polarity::Asserted => trivial.push((term, terms.tt())),
                Polarity::Denied => trivial.push((term, terms.ff())),
                Polarity::Both => return None,
            }
        }
    }
    Some(terms.substitute(formula, trivial))
}

/// The polarities of all subterms of some asserted formulas; nothing below quantifiers is looked at.
fn polarities(terms: &TermStore, roots: &[Term]) -> TermMap<Polarity> {
    let mut all: TermMap<Polarity> = TermMap::default();
    let mut work: Vec<(Term, Polarity)> = roots.iter().map(|&r| (r, Polarity::Asserted)).collect();
    // A term is looked at again only when its polarity changes, at most once.
    while let Some((term, polarity)) = work.pop() {
        let known = all.get(&term).copied();
        let joined = known.map_or(polarity, |k| k.joined(polarity));
        if known == Some(joined) {
            continue;
        }
        all.insert(term, joined);
        if matches!(terms.op(term), Op::Forall | Op::Exists) {
            continue;
        }
        for (place, &arg) in terms.args(term).iter().enumerate() {
            let below = match terms.op(term) {
                Op::And | Op::Or => joined,
                Op::Not => joined.flipped(),
                Op::Ite if terms.sort(term) == Sort::BOOL && place > 0 => joined,
                _ => Polarity::Both,
            };
            work.push((arg, below));
        }
    }
    all
}
