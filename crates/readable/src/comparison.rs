//! Comparisons of linear forms with numbers: one spelling for every order and equality literal.
//!
//! `form ⋈ bound`, where the form has coprime integer coefficients, the first of them positive, and
//! no constant. Over Int the strict relations do not occur and bounds are integers. Two literals are
//! about the same thing exactly when their forms are equal, and then numbers decide the rest.

use foretell_terms::linear::Linear;
use foretell_terms::number;
use foretell_terms::{Integer, Op, Rational, Sort, Term, TermStore};

/// How a form relates to its bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Le,
    Lt,
    Ge,
    Gt,
    Eq,
    Ne,
}

impl Relation {
    fn negated(self) -> Relation {
        match self {
            Relation::Le => Relation::Gt,
            Relation::Lt => Relation::Ge,
            Relation::Ge => Relation::Lt,
            Relation::Gt => Relation::Le,
            Relation::Eq => Relation::Ne,
            Relation::Ne => Relation::Eq,
        }
    }

    fn flipped(self) -> Relation {
        match self {
            Relation::Le => Relation::Ge,
            Relation::Lt => Relation::Gt,
            Relation::Ge => Relation::Le,
            Relation::Gt => Relation::Lt,
            same => same,
        }
    }
}

/// A literal about a linear form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Comparison {
    /// The opaque terms with their coefficients, ascending.
    pub(crate) form: Vec<(Term, Rational)>,
    pub(crate) relation: Relation,
    pub(crate) bound: Rational,
    /// Int or Real.
    pub(crate) sort: Sort,
}

/// What an arithmetic literal says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reading {
    Constant(bool),
    Comparison(Comparison),
}

impl Comparison {
    /// Reads a literal; `None` when it is not an order or equality over Int or Real.
    pub(crate) fn read(store: &TermStore, literal: Term) -> Option<Reading> {
        let (atom, negated) = store.strip_not(literal);
        let node = store.node(atom);
        let relation = match node.op {
            Op::Le => Relation::Le,
            Op::Eq => Relation::Eq,
            _ => return None,
        };
        let sort = store.sort(node.args[0]);
        if sort != Sort::INT && sort != Sort::REAL {
            return None;
        }
        let relation = if negated {
            relation.negated()
        } else {
            relation
        };
        let form = store.linear(store.sub(node.args[0], node.args[1]));
        Some(Comparison::of(form, relation, sort))
    }

    /// The comparison as a literal was read, if it is one that is neither always true nor false.
    pub(crate) fn proper(store: &TermStore, literal: Term) -> Option<Comparison> {
        match Comparison::read(store, literal)? {
            Reading::Comparison(comparison) => Some(comparison),
            Reading::Constant(_) => None,
        }
    }

    /// `form ⋈ 0` in its one spelling.
    fn of(mut form: Linear, relation: Relation, sort: Sort) -> Reading {
        if form.terms.is_empty() {
            return Reading::Constant(holds(&form.constant, relation, &Rational::ZERO));
        }
        form.make_primitive();
        let mut comparison = Comparison {
            bound: -form.constant,
            form: form.terms,
            relation,
            sort,
        };
        if number::is_negative(&comparison.form[0].1) {
            for (_, c) in &mut comparison.form {
                *c = -c.clone();
            }
            comparison.bound = -comparison.bound;
            comparison.relation = relation.flipped();
        }
        comparison.rounded()
    }

    /// Over Int: no strict relation, and a bound that is an integer.
    fn rounded(mut self) -> Reading {
        if self.sort != Sort::INT {
            return Reading::Comparison(self);
        }
        let floor = number::floor(&self.bound);
        let whole = number::is_integer(&self.bound);
        let ceiling = if whole {
            floor.clone()
        } else {
            floor.clone() + Integer::ONE
        };
        let (relation, bound) = match self.relation {
            Relation::Eq | Relation::Ne if !whole => {
                return Reading::Constant(self.relation == Relation::Ne);
            }
            Relation::Le => (Relation::Le, floor),
            Relation::Lt => (Relation::Le, ceiling - Integer::ONE),
            Relation::Ge => (Relation::Ge, ceiling),
            Relation::Gt => (Relation::Ge, floor + Integer::ONE),
            same => (same, floor),
        };
        self.relation = relation;
        self.bound = number::rational(&bound);
        Reading::Comparison(self)
    }

    /// The literal, spelled so that a comparison and its complement share their atom.
    pub(crate) fn literal(&self, store: &TermStore) -> Term {
        let form = Linear {
            terms: self.form.clone(),
            constant: Rational::ZERO,
        };
        let left = store.linear_term(&form, self.sort);
        let numeral = |q: &Rational| {
            store
                .numeral(q, self.sort)
                .expect("invariant: bounds over Int are integers")
        };
        let right = numeral(&self.bound);
        match self.relation {
            Relation::Le => store.le(left, right),
            Relation::Gt => store.gt(left, right),
            Relation::Ge if self.sort == Sort::INT => {
                store.gt(left, numeral(&(self.bound.clone() - Rational::ONE)))
            }
            Relation::Ge => store.ge(left, right),
            Relation::Lt => store.lt(left, right),
            Relation::Eq => store.eq(left, right),
            Relation::Ne => store.not(store.eq(left, right)),
        }
    }
}

/// Whether `value ⋈ bound`.
pub(crate) fn holds(value: &Rational, relation: Relation, bound: &Rational) -> bool {
    match relation {
        Relation::Le => value <= bound,
        Relation::Lt => value < bound,
        Relation::Ge => value >= bound,
        Relation::Gt => value > bound,
        Relation::Eq => value == bound,
        Relation::Ne => value != bound,
    }
}
