//! Atoms and literals.
//!
//! * `Eq(s, t)`, one atom for congruence closure and arithmetic alike; a Boolean term `p` is `Eq(p,
//!   true)`.
//! * `Le(l)`: `l <= 0`. Over integers the coefficients are coprime integers, the constant is
//!   rounded up and the leading coefficient is positive (`not Le(l)` is `Le(1-l)`); over reals the
//!   leading coefficient is 1 or -1.
//! * `Aux(g, i)`: the i-th definitional variable of group `g`; it lives on `{g}` only, so it can
//!   never be shared.
//!
//! Atom 0 is the constant true.  A literal is local (`loc` non-empty) iff its atom is.

use super::bank::{Sort, TId, TermBank};
use super::linear::Lin;
use super::locality::{NodeSet, Shape};
use super::rational::Rat;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// An atom; also a variable of the Boolean search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct AtomId(pub(crate) u32);

/// A literal: an atom or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Lit(pub(crate) u32);

impl AtomId {
    /// The positive literal.
    pub(crate) fn pos(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The atom as an index.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Lit {
    /// The literal true.
    pub(crate) const TRUE: Lit = Lit(0);
    /// The literal false.
    pub(crate) const FALSE: Lit = Lit(1);

    /// The atom.
    pub(crate) fn atom(self) -> AtomId {
        AtomId(self.0 >> 1)
    }

    /// Whether the literal is the atom itself.
    pub(crate) fn is_pos(self) -> bool {
        self.0 & 1 == 0
    }

    /// The literal as an index.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The atoms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Atom {
    /// The constant true.
    True,
    /// A definitional variable of a group.
    Aux(u32, u32),
    /// An equality; the smaller term first.
    Eq(TId, TId),
    /// `l <= 0`.
    Le(Lin),
}

/// An inequality read off a literal: `lin <= 0`, or `lin < 0` if strict.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    /// The expression.
    pub(crate) lin: Lin,
    /// Whether the comparison is strict.
    pub(crate) strict: bool,
}

/// The hash-consed atoms of one query.
#[derive(Debug)]
pub(crate) struct AtomTable {
    atoms: IndexSet<Atom, FxBuildHasher>,
    locs: Vec<NodeSet>,
    n_aux: u32,
}

impl AtomTable {
    /// The table with only the constant.
    pub(crate) fn new(shape: &Shape) -> AtomTable {
        let mut atoms = IndexSet::default();
        atoms.insert(Atom::True);
        AtomTable {
            atoms,
            locs: vec![shape.all()],
            n_aux: 0,
        }
    }

    /// The number of atoms.
    pub(crate) fn len(&self) -> usize {
        self.atoms.len()
    }

    /// The atom of an id.
    pub(crate) fn get(&self, a: AtomId) -> &Atom {
        &self.atoms[a.index()]
    }

    /// Where the atom lives.
    pub(crate) fn loc(&self, a: AtomId) -> &NodeSet {
        &self.locs[a.index()]
    }

    fn intern(&mut self, atom: Atom, loc: NodeSet) -> AtomId {
        let (i, new) = self.atoms.insert_full(atom);
        if new {
            self.locs.push(loc);
        }
        AtomId(i as u32)
    }

    /// A fresh definitional variable of group `g`.
    pub(crate) fn aux(&mut self, g: usize, shape: &Shape) -> Lit {
        self.n_aux += 1;
        self.intern(Atom::Aux(g as u32, self.n_aux), shape.single(g))
            .pos()
    }

    /// `a = b`.
    pub(crate) fn eq(&mut self, bank: &mut TermBank, a: TId, b: TId) -> Lit {
        if a == b {
            return Lit::TRUE;
        }
        let (mut a, mut b) = if a < b { (a, b) } else { (b, a) };
        match bank.sort(a) {
            Sort::Bool => return self.bool_eq(bank, a, b),
            Sort::Int | Sort::Real => {
                let l = bank.lin_of(a).minus(&bank.lin_of(b));
                if l.is_const() {
                    return if l.k.is_zero() { Lit::TRUE } else { Lit::FALSE };
                }
                let f = l.primitive_factor();
                if bank.all_int(&l) && !(&l.k * &f).is_int() {
                    return Lit::FALSE;
                }
                if bank.is_value(a) || bank.is_value(b) {
                    (a, b) = solved_form(bank, &l.times(&f), bank.sort(a));
                }
            }
            Sort::Other(_) if bank.is_value(a) && bank.is_value(b) => return Lit::FALSE,
            Sort::Other(_) => {}
        }
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let loc = bank.loc(a).meet(bank.loc(b));
        self.intern(Atom::Eq(a, b), loc).pos()
    }

    fn bool_eq(&mut self, bank: &TermBank, a: TId, b: TId) -> Lit {
        if a == TermBank::TRUE && b == TermBank::FALSE {
            return Lit::FALSE;
        }
        let loc = bank.loc(a).meet(bank.loc(b));
        if a == TermBank::FALSE {
            return !self.intern(Atom::Eq(TermBank::TRUE, b), loc).pos();
        }
        self.intern(Atom::Eq(a, b), loc).pos()
    }

    /// `l <= 0`.
    pub(crate) fn le(&mut self, bank: &TermBank, l: &Lin) -> Lit {
        if l.is_const() {
            return if l.k.is_pos() { Lit::FALSE } else { Lit::TRUE };
        }
        let loc = bank.lin_loc(l);
        if bank.all_int(l) {
            let mut l = l.times(&l.primitive_factor());
            l.k = l.k.ceil();
            if l.terms[0].1.is_neg() {
                let flipped = l.negated().shifted(&Rat::ONE);
                return !self.intern(Atom::Le(flipped), loc).pos();
            }
            return self.intern(Atom::Le(l), loc).pos();
        }
        let l = l.times(&l.terms[0].1.abs().recip());
        self.intern(Atom::Le(l), loc).pos()
    }

    /// `l < 0`.
    pub(crate) fn lt(&mut self, bank: &TermBank, l: &Lin) -> Lit {
        !self.le(bank, &l.negated())
    }

    /// The comparison `bound`.
    pub(crate) fn bound(&mut self, bank: &TermBank, bound: &Bound) -> Lit {
        if bound.strict {
            self.lt(bank, &bound.lin)
        } else {
            self.le(bank, &bound.lin)
        }
    }

    /// The inequality a `Le` literal states.
    pub(crate) fn le_bound(&self, bank: &TermBank, lit: Lit) -> Option<Bound> {
        let Atom::Le(l) = self.get(lit.atom()) else {
            return None;
        };
        Some(if lit.is_pos() {
            Bound {
                lin: l.clone(),
                strict: false,
            }
        } else if bank.all_int(l) {
            Bound {
                lin: l.negated().shifted(&Rat::ONE),
                strict: false,
            }
        } else {
            Bound {
                lin: l.negated(),
                strict: true,
            }
        })
    }

    /// `a - b` for an arithmetic equality atom `a = b`.
    pub(crate) fn eq_lin(&self, bank: &TermBank, atom: AtomId) -> Option<Lin> {
        match self.get(atom) {
            Atom::Eq(a, b) if bank.sort(*a).is_arith() => {
                Some(bank.lin_of(*a).minus(&bank.lin_of(*b)))
            }
            _ => None,
        }
    }
}

/// Sides for `l = 0`: the last term with coefficient 1 or -1 against the rest, else the positive
/// part against the rest.
fn solved_form(bank: &mut TermBank, l: &Lin, sort: Sort) -> (TId, TId) {
    let unit = l
        .terms
        .iter()
        .rposition(|(t, c)| c.abs().is_one() && bank.sort(*t) == sort);
    match unit {
        Some(i) => {
            let (t, c) = l.terms[i].clone();
            let mut rest = l.clone();
            rest.terms.remove(i);
            let rest = rest.times(&-&c);
            (t, bank.term_of(rest, sort))
        }
        None => {
            let (t, c) = l.terms[l.terms.len() - 1].clone();
            let s = if c.is_neg() { Rat::MINUS_ONE } else { Rat::ONE };
            let l = l.times(&s);
            let head = Lin {
                terms: vec![(t, c.abs())],
                k: Rat::ZERO,
            };
            let rest = head.minus(&l);
            (bank.term_of(head, sort), bank.term_of(rest, sort))
        }
    }
}
