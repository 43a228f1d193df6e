//! What several comparisons of one form say together: an interval with holes.
//!
//! The conjunction of comparisons of one form is a lower end, an upper end and points left out.
//! Reading it back gives the fewest comparisons: two ends that meet are an equality, an end beside a
//! hole moves, a hole outside is dropped.

use std::collections::BTreeSet;

use foretell_terms::{Rational, Sort};

use crate::comparison::{Comparison, Relation, holds};

/// One end of an interval.
#[derive(Clone, PartialEq, Eq, Debug)]
struct End {
    at: Rational,
    /// Whether the end itself is outside.
    open: bool,
}

/// The values that a form may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Range {
    lower: Option<End>,
    upper: Option<End>,
    holes: BTreeSet<Rational>,
    sort: Sort,
}

impl Range {
    /// Every value of a sort.
    pub(crate) fn all(sort: Sort) -> Range {
        Range {
            lower: None,
            upper: None,
            holes: BTreeSet::new(),
            sort,
        }
    }

    /// Restricts the values by a comparison.
    pub(crate) fn restrict(&mut self, relation: Relation, bound: &Rational) {
        let end = |open| End {
            at: bound.clone(),
            open,
        };
        match relation {
            Relation::Le => self.below(end(false)),
            Relation::Lt => self.below(end(true)),
            Relation::Ge => self.above(end(false)),
            Relation::Gt => self.above(end(true)),
            Relation::Eq => {
                self.below(end(false));
                self.above(end(false));
            }
            Relation::Ne => {
                self.holes.insert(bound.clone());
            }
        }
        self.settle();
    }

    fn below(&mut self, end: End) {
        let tighter = |old: &End| end.at < old.at || (end.at == old.at && end.open);
        if self.upper.as_ref().is_none_or(tighter) {
            self.upper = Some(end);
        }
    }

    fn above(&mut self, end: End) {
        let tighter = |old: &End| end.at > old.at || (end.at == old.at && end.open);
        if self.lower.as_ref().is_none_or(tighter) {
            self.lower = Some(end);
        }
    }

    /// Moves ends away from holes and drops the holes outside.
    fn settle(&mut self) {
        let integers = self.sort == Sort::INT;
        while let Some(end) = self.upper.as_mut().filter(|e| self.holes.remove(&e.at)) {
            if integers {
                end.at -= Rational::ONE;
            } else {
                end.open = true;
            }
        }
        while let Some(end) = self.lower.as_mut().filter(|e| self.holes.remove(&e.at)) {
            if integers {
                end.at += Rational::ONE;
            } else {
                end.open = true;
            }
        }
        let (lower, upper) = (&self.lower, &self.upper);
        self.holes.retain(|hole| {
            upper.as_ref().is_none_or(|e| *hole < e.at)
                && lower.as_ref().is_none_or(|e| *hole > e.at)
        });
    }

    /// Whether no value is left.
    pub(crate) fn is_empty(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Some(l), Some(u)) => l.at > u.at || (l.at == u.at && (l.open || u.open)),
            _ => false,
        }
    }

    /// The only value left.
    pub(crate) fn point(&self) -> Option<&Rational> {
        match (&self.lower, &self.upper) {
            (Some(l), Some(u)) if l == u && !l.open => Some(&l.at),
            _ => None,
        }
    }

    /// Whether every value, or no value, satisfies a comparison; `None` when some do.
    pub(crate) fn decides(&self, relation: Relation, bound: &Rational) -> Option<bool> {
        if let Some(point) = self.point() {
            return Some(holds(point, relation, bound));
        }
        let all = |relation| self.entails(relation, bound);
        let (yes, no) = match relation {
            Relation::Le => (all(Relation::Le), all(Relation::Gt)),
            Relation::Lt => (all(Relation::Lt), all(Relation::Ge)),
            Relation::Ge => (all(Relation::Ge), all(Relation::Lt)),
            Relation::Gt => (all(Relation::Gt), all(Relation::Le)),
            Relation::Eq => (false, all(Relation::Ne)),
            Relation::Ne => (all(Relation::Ne), false),
        };
        match (yes, no) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    fn entails(&self, relation: Relation, bound: &Rational) -> bool {
        let under = |open_needed: bool| {
            self.upper
                .as_ref()
                .is_some_and(|e| e.at < *bound || (e.at == *bound && (e.open || !open_needed)))
        };
        let over = |open_needed: bool| {
            self.lower
                .as_ref()
                .is_some_and(|e| e.at > *bound || (e.at == *bound && (e.open || !open_needed)))
        };
        match relation {
            Relation::Le => under(false),
            Relation::Lt => under(true),
            Relation::Ge => over(false),
            Relation::Gt => over(true),
            Relation::Ne => under(true) || over(true) || self.holes.contains(bound),
            Relation::Eq => false,
        }
    }

    /// The fewest comparisons that say the same, about the form of `like`.
    pub(crate) fn comparisons(&self, like: &Comparison) -> Vec<Comparison> {
        let with = |relation, bound: &Rational| Comparison {
            relation,
            bound: bound.clone(),
            ..like.clone()
        };
        if let Some(point) = self.point() {
            return vec![with(Relation::Eq, point)];
        }
        let mut all = Vec::new();
        if let Some(end) = &self.lower {
            let relation = if end.open { Relation::Gt } else { Relation::Ge };
            all.push(with(relation, &end.at));
        }
        if let Some(end) = &self.upper {
            let relation = if end.open { Relation::Lt } else { Relation::Le };
            all.push(with(relation, &end.at));
        }
        all.extend(self.holes.iter().map(|hole| with(Relation::Ne, hole)));
        all
    }
}
