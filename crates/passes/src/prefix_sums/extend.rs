//! Clauses with sums as arguments.
//!
//! ```text
//! atom q(t)     one more argument for each sum and point that q has the classes of
//! body          a new variable for each
//! head          from what is known in the clause: the same index, one more, one less, a numeral; else new
//! axioms        x = y ⇒ F(x) = F(y)     x ≤ base ⇒ F(x) = 0     F(x + 1) = F(x) + (base ≤ x ? summand(x) : 0)
//! ```

use foretell_systems::{Atom, ChcSystem, Clause, PredDecl};
use foretell_terms::{Sort, Term, TermStore, number};

use super::find::Sum;
use crate::alignment::Alignment;
use crate::equalities::clause_vars;

/// Numerals at most so far above the base are sums of single cells.
const UNFOLDED: usize = 8;

/// A new parameter.
pub(super) struct Column {
    pub(super) param: Term,
    /// Which sum it is.
    pub(super) sum: usize,
    /// Up to where, over the other parameters.
    pub(super) index: Term,
    /// Of what.
    pub(super) carriers: Vec<Term>,
}

/// The system with sums as arguments, and what the new parameters are.
pub(super) fn extended(
    system: &ChcSystem,
    classes: &Alignment,
    sums: &[Sum],
    terms: &TermStore,
) -> (ChcSystem, Vec<Column>) {
    let mut to = ChcSystem::default();
    let mut columns = Vec::new();
    for (pred, decl) in system.pred_ids().zip(&system.preds) {
        let args = decl.params.clone();
        let mut params = args.clone();
        for place in places(&Atom { pred, args }, classes, sums, terms) {
            let param = terms.fresh(&sums[place.sum].name, Sort::INT);
            params.push(param);
            columns.push(Column {
                param,
                sum: place.sum,
                index: place.index,
                carriers: place.carriers,
            });
        }
        let sorts: Vec<Sort> = params.iter().map(|&p| terms.sort(p)).collect();
        let func = terms.declare(terms.name(decl.func), &sorts, Sort::BOOL);
        to.preds.push(PredDecl { func, params });
    }
    for clause in &system.clauses {
        let step = Step {
            classes,
            sums,
            terms,
            known: Vec::new(),
            side: Vec::new(),
        };
        to.clauses.push(step.clause(clause));
    }
    (to, columns)
}

/// A sum up to an index.
#[derive(Clone)]
struct Place {
    sum: usize,
    index: Term,
    carriers: Vec<Term>,
}

/// The sums of an atom.
fn places(atom: &Atom, classes: &Alignment, sums: &[Sum], terms: &TermStore) -> Vec<Place> {
    let mut places = Vec::new();
    for (number, sum) in sums.iter().enumerate() {
        let Some(carriers) = sum.at(atom, classes) else {
            continue;
        };
        for point in &sum.points {
            if let Some(index) = point.at(atom, classes, terms) {
                places.push(Place {
                    sum: number,
                    index,
                    carriers: carriers.clone(),
                });
            }
        }
    }
    places
}

/// One clause.
struct Step<'a> {
    classes: &'a Alignment,
    sums: &'a [Sum],
    terms: &'a TermStore,
    /// Sums of which the clause knows the values.
    known: Vec<(Place, Term)>,
    side: Vec<Term>,
}

impl Step<'_> {
    fn clause(mut self, clause: &Clause) -> Clause {
        let terms = self.terms;
        let body: Vec<Atom> = clause.body.iter().map(|a| self.body(a)).collect();
        let head = clause.head.as_ref().map(|h| self.head(h));
        self.axioms();
        let constraint = terms.and([clause.constraint].into_iter().chain(self.side));
        let vars = clause_vars(&body, constraint, head.as_ref(), terms);
        Clause {
            vars,
            body,
            constraint,
            head,
            line: clause.line,
        }
    }

    fn body(&mut self, atom: &Atom) -> Atom {
        let mut args = atom.args.clone();
        for place in places(atom, self.classes, self.sums, self.terms) {
            let value = self.terms.fresh(&self.sums[place.sum].name, Sort::INT);
            self.known.push((place, value));
            args.push(value);
        }
        Atom {
            pred: atom.pred,
            args,
        }
    }

    fn head(&mut self, atom: &Atom) -> Atom {
        let mut args = atom.args.clone();
        for place in places(atom, self.classes, self.sums, self.terms) {
            let value = self.derived(&place).unwrap_or_else(|| {
                let value = self.terms.fresh(&self.sums[place.sum].name, Sort::INT);
                self.known.push((place.clone(), value));
                value
            });
            args.push(value);
        }
        Atom {
            pred: atom.pred,
            args,
        }
    }

    /// The value of a sum by what is known.
    fn derived(&self, place: &Place) -> Option<Term> {
        let terms = self.terms;
        let sum = &self.sums[place.sum];
        if let Some(end) = terms.as_int(place.index) {
            let mut at = sum.base.clone();
            let mut parts = vec![terms.int(0)];
            while at < *end {
                if parts.len() > UNFOLDED {
                    return None;
                }
                parts.push(sum.summand(terms.int(at.clone()), &place.carriers, terms));
                at += number::Integer::ONE;
            }
            return Some(terms.add(&parts));
        }
        let known = self.known.iter();
        let mut values = known.filter_map(|(other, value)| {
            self.distance(other, place)
                .and_then(|far| self.step(other, place, *value, far))
        });
        values.next()
    }

    /// How far the second index is behind the first, where that is a number.
    fn distance(&self, from: &Place, to: &Place) -> Option<number::Integer> {
        if from.sum != to.sum || from.carriers != to.carriers {
            return None;
        }
        let form = self.terms.linear(self.terms.sub(to.index, from.index));
        let constant = form.terms.is_empty().then_some(form.constant)?;
        number::to_integer(&constant)
    }

    /// The sum at a place from that at most one index away.
    fn step(&self, from: &Place, to: &Place, value: Term, far: number::Integer) -> Option<Term> {
        let (terms, sum) = (self.terms, &self.sums[from.sum]);
        let added = |index: Term| {
            let inside = terms.le(terms.int(sum.base.clone()), index);
            let cell = sum.summand(index, &from.carriers, terms);
            terms.ite(inside, cell, terms.int(0))
        };
        let one = number::Integer::ONE;
        if far.is_zero() {
            Some(value)
        } else if far == one {
            Some(terms.add2(value, added(from.index)))
        } else if far == -one {
            Some(terms.sub(value, added(to.index)))
        } else {
            None
        }
    }

    /// What is true of the sums that the clause has variables for.
    fn axioms(&mut self) {
        let terms = self.terms;
        for (n, (place, value)) in self.known.iter().enumerate() {
            let base = terms.int(self.sums[place.sum].base.clone());
            let empty = terms.eq(*value, terms.int(0));
            self.side
                .push(terms.implies(terms.le(place.index, base), empty));
            for (other, known) in &self.known[..n] {
                if other.sum != place.sum || other.carriers != place.carriers {
                    continue;
                }
                match self.distance(other, place) {
                    Some(far) => {
                        let same = self.step(other, place, *known, far);
                        self.side.extend(same.map(|same| terms.eq(*value, same)));
                    }
                    None => {
                        let met = terms.eq(place.index, other.index);
                        self.side.push(terms.implies(met, terms.eq(*value, *known)));
                    }
                }
            }
        }
    }
}
