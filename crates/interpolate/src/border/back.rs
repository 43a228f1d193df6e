//! The way back: formulas of the bank to outer terms.
//!
//! Comparisons are printed with positive coefficients on both sides; floors as `div` and `mod`; a
//! sum of fractional parts that is at most 0 as divisibility.

use super::symbols::{Origin, Symbols};
use crate::data::atoms::{Atom, Bound, Lit};
use crate::data::bank::{Node, Sort, TId};
use crate::data::linear::Lin;
use crate::data::rational::Rat;
use crate::euf::closure::for_children;
use crate::extract::formula::{FId, Form, Formulas};
use crate::world::World;
use foretell_terms::{Sort as OuterSort, Term, TermStore};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// A formula mentions a symbol that must not leave the crate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leak;

/// The translation back.
pub(crate) struct Back<'a> {
    store: &'a TermStore,
    symbols: &'a Symbols,
    world: &'a World,
    terms: IndexMap<TId, Term, FxBuildHasher>,
}

impl<'a> Back<'a> {
    /// A translator.
    pub(crate) fn new(store: &'a TermStore, symbols: &'a Symbols, world: &'a World) -> Back<'a> {
        Back {
            store,
            symbols,
            world,
            terms: IndexMap::default(),
        }
    }

    /// The outer formulas of the given ones.
    pub(crate) fn formulas(
        &mut self,
        formulas: &Formulas,
        roots: &[FId],
    ) -> Result<Vec<Term>, Leak> {
        let mut done: IndexMap<FId, Term, FxBuildHasher> = IndexMap::default();
        for f in formulas.below(roots) {
            let t = match formulas.get(f) {
                Form::True => self.store.tt(),
                Form::False => self.store.ff(),
                Form::Lit(l) => self.lit(l)?,
                Form::And(a, b) => self.store.and2(done[&a], done[&b]),
                Form::Or(a, b) => self.store.or2(done[&a], done[&b]),
            };
            done.insert(f, t);
        }
        Ok(roots.iter().map(|f| done[f]).collect())
    }

    /// The outer formula of a literal.
    pub(crate) fn lit(&mut self, l: Lit) -> Result<Term, Leak> {
        match self.world.atoms.get(l.atom()) {
            Atom::True => Ok(self.store.bool(l.is_pos())),
            Atom::Aux(..) => Err(Leak),
            Atom::Eq(a, b) => {
                let (a, b) = (self.term(*a)?, self.term(*b)?);
                let eq = self.store.eq(a, b);
                Ok(if l.is_pos() { eq } else { self.store.not(eq) })
            }
            Atom::Le(_) => match self.world.atoms.le_bound(&self.world.bank, l) {
                Some(b) => self.bound(&b),
                None => Err(Leak),
            },
        }
    }

    fn bound(&mut self, b: &Bound) -> Result<Term, Leak> {
        if !b.strict
            && let Some(divisible) = self.divisibility(&b.lin)?
        {
            return Ok(divisible);
        }
        let sort = if self.world.bank.all_int(&b.lin) {
            Sort::Int
        } else {
            Sort::Real
        };
        let l = b.lin.times(&primitive(&b.lin));
        let (left, right) = self.sides(&l, sort)?;
        Ok(if b.strict {
            self.store.lt(left, right)
        } else {
            self.store.le(left, right)
        })
    }

    /// `sum c_i (l_i - floor(l_i)) <= 0` with positive `c_i` says that every `l_i` is an integer.
    fn divisibility(&mut self, lin: &Lin) -> Result<Option<Term>, Leak> {
        let mut rest = lin.clone();
        let mut parts = Vec::new();
        for (t, c) in &lin.terms {
            if let Node::Floor(l) = self.world.bank.node(*t) {
                if !c.is_neg() {
                    return Ok(None);
                }
                rest = rest.plus(&Lin::var(*t), &-c).plus(l, c);
                parts.push(l.clone());
            }
        }
        if parts.is_empty() || !rest.is_const() || !rest.k.is_zero() {
            return Ok(None);
        }
        let mut out = Vec::new();
        for l in parts {
            let (n, d) = numerator(&l);
            let n = self.lin(&without_content(&n, &d), Sort::Int)?;
            let m = self.store.modulo(n, self.numeral(&d, Sort::Int));
            out.push(self.store.eq(m, self.store.int(0)));
        }
        Ok(Some(self.store.and(out)))
    }

    /// `left <= right` for `l <= 0`, with positive coefficients on both sides.
    fn sides(&mut self, l: &Lin, sort: Sort) -> Result<(Term, Term), Leak> {
        let mut left = Lin::zero();
        let mut right = Lin::zero();
        for (t, c) in &l.terms {
            if c.is_pos() {
                left.terms.push((*t, c.clone()))
            } else {
                right.terms.push((*t, -c))
            }
        }
        if l.k.is_pos() {
            left.k = l.k.clone()
        } else {
            right.k = -&l.k
        }
        Ok((self.lin(&left, sort)?, self.lin(&right, sort)?))
    }

    fn numeral(&self, q: &Rat, sort: Sort) -> Term {
        let outer = if sort == Sort::Int {
            OuterSort::INT
        } else {
            OuterSort::REAL
        };
        match self.store.numeral(&q.to_big(), outer) {
            Some(t) => t,
            None => self.store.real(q.to_big()),
        }
    }

    fn lin(&mut self, l: &Lin, sort: Sort) -> Result<Term, Leak> {
        let mut parts = Vec::new();
        for (t, c) in &l.terms {
            let mut x = self.term(*t)?;
            if sort == Sort::Real && self.world.bank.sort(*t) == Sort::Int {
                x = self.store.to_real(x);
            }
            parts.push(self.store.scale(&c.to_big(), x));
        }
        parts.push(self.numeral(&l.k, sort));
        Ok(self.store.add(&parts))
    }

    /// The outer term of a bank term.
    fn term(&mut self, root: TId) -> Result<Term, Leak> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.terms.contains_key(&t) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            for_children(&self.world.bank, t, |c| {
                if !self.terms.contains_key(&c) {
                    stack.push(c);
                }
            });
            if stack.len() == before {
                stack.pop();
                let x = self.node(t)?;
                self.terms.insert(t, x);
            }
        }
        Ok(self.terms[&root])
    }

    /// The outer term of a node whose children are translated.
    fn node(&mut self, t: TId) -> Result<Term, Leak> {
        match self.world.bank.node(t) {
            Node::Truth(b) => Ok(self.store.bool(*b)),
            Node::Sym(s) => self.apply(*s, &[]),
            Node::App(s, args) => {
                let args: Vec<Term> = args.iter().map(|a| self.terms[a]).collect();
                self.apply(*s, &args)
            }
            Node::Lin(sort, l) => self.lin(&l.clone(), *sort),
            Node::Floor(l) => {
                let (n, d) = numerator(l);
                let n = self.lin(&n, Sort::Int)?;
                Ok(self.store.idiv(n, self.numeral(&d, Sort::Int)))
            }
        }
    }

    fn apply(&self, s: crate::data::bank::SymId, args: &[Term]) -> Result<Term, Leak> {
        match self.symbols.origin(s) {
            Some(Origin::Func(f)) => Ok(self.store.app(*f, args)),
            Some(Origin::Op(op, _, sort)) => Ok(self.store.rebuild(op, args, *sort)),
            Some(Origin::Internal(_)) | None => Err(Leak),
        }
    }
}

/// `(N, d)` with `l = N / d` and `N` over the integers.
fn numerator(l: &Lin) -> (Lin, Rat) {
    let mut d = l.k.denom();
    for (_, c) in &l.terms {
        d = Rat::lcm(&d, &c.denom());
    }
    (l.times(&d), d)
}

/// The factor that makes coefficients integers where the constant allows it too.
fn primitive(l: &Lin) -> Rat {
    let mut f = l.primitive_factor();
    let k = &l.k * &f;
    if !k.is_int() {
        f = &f * &k.denom();
    }
    f
}

/// Divides an integer expression by its content if that is prime to `d`: divisibility by `d` stays
/// the same.
fn without_content(n: &Lin, d: &Rat) -> Lin {
    let g = n
        .terms
        .iter()
        .fold(n.k.clone(), |g, (_, c)| Rat::gcd(&g, c));
    if g.is_zero() || !Rat::gcd(&g, d).is_one() {
        n.clone()
    } else {
        n.times(&g.recip())
    }
}
