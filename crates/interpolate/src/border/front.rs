//! The front end: groups of formulas to clauses over local literals.
//!
//! Plaisted, Greenbaum, JSC 1986: a definitional variable per connective and group, with the
//! clauses of the polarity in which it occurs.
//!
//! ```text
//! x div d, x mod d     floor terms: interpreted, so they may be shared between groups
//! ite (not Boolean)    a constant v of the group, c -> v = a, not c -> v = b
//! Boolean arguments    a constant of the group equivalent to the formula
//! ```
//! Definitional variables and constants live on their group only, so they cannot occur in an
//! interpolant. Nothing is substituted across groups: relations between shared terms stay visible.

use super::symbols::Symbols;
use crate::data::atoms::Lit;
use crate::data::bank::{Sort, TId, TermBank};
use crate::data::linear::Lin;
use crate::data::rational::Rat;
use crate::refute::Refuter;
use foretell_terms::{Op, Sort as OuterSort, Term, TermMap, TermStore};

/// Why a formula cannot be translated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Untranslatable(pub(crate) &'static str);

/// Polarities in which a formula occurs.
const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;
const BOTH: u8 = 3;

/// The translation of one group.
pub(crate) struct Front<'a> {
    /// The outer terms.
    pub(crate) store: &'a TermStore,
    /// The symbols of the query.
    pub(crate) symbols: &'a mut Symbols,
    /// Where the clauses go.
    pub(crate) refuter: &'a mut Refuter,
    group: usize,
    terms: TermMap<TId>,
    lits: TermMap<Lit>,
}

impl<'a> Front<'a> {
    /// A translator of one group.
    pub(crate) fn new(
        store: &'a TermStore,
        symbols: &'a mut Symbols,
        refuter: &'a mut Refuter,
        group: usize,
    ) -> Front<'a> {
        Front {
            store,
            symbols,
            refuter,
            group,
            terms: TermMap::default(),
            lits: TermMap::default(),
        }
    }

    /// Adds the conjunction of `formulas` as clauses of the group.
    pub(crate) fn add(&mut self, formulas: &[Term]) -> Result<(), Untranslatable> {
        let mut clauses: Vec<Vec<Term>> = Vec::new();
        for f in formulas {
            for c in self.store.conjuncts(*f) {
                clauses.push(self.store.disjuncts(c));
            }
        }
        let roots: Vec<Term> = clauses.iter().flatten().copied().collect();
        let polarity = self.polarities(&roots);
        for t in self.store.subterms(&roots) {
            self.visit(t, polarity.get(&t).copied().unwrap_or(BOTH))?;
        }
        for c in clauses {
            let lits: Vec<Lit> = c.iter().map(|t| self.lits[t]).collect();
            self.refuter.given(self.group, &lits);
        }
        Ok(())
    }

    /// The polarities of the Boolean subterms; the roots occur positively.
    fn polarities(&self, roots: &[Term]) -> TermMap<u8> {
        let mut out: TermMap<u8> = roots.iter().map(|t| (*t, POSITIVE)).collect();
        for t in self.store.subterms(roots).into_iter().rev() {
            let p = out.get(&t).copied().unwrap_or(0);
            let node = self.store.node(t);
            let mut mark = |a: Term, p: u8| *out.entry(a).or_insert(0) |= p;
            match node.op {
                Op::Not => mark(node.args[0], ((p & 1) << 1) | (p >> 1)),
                Op::And | Op::Or => node.args.iter().for_each(|a| mark(*a, p)),
                Op::Ite if node.sort == OuterSort::BOOL => {
                    mark(node.args[0], BOTH);
                    mark(node.args[1], p);
                    mark(node.args[2], p);
                }
                _ => node.args.iter().for_each(|a| mark(*a, BOTH)),
            }
        }
        out
    }

    /// Translates one node whose arguments are translated.
    fn visit(&mut self, t: Term, polarity: u8) -> Result<(), Untranslatable> {
        let node = self.store.node(t);
        if matches!(node.op, Op::Forall | Op::Exists) {
            return Err(Untranslatable("quantifier"));
        }
        if node.sort == OuterSort::BOOL {
            let l = self.formula(t, polarity);
            self.lits.insert(t, l);
        } else {
            let x = self.term(t);
            self.terms.insert(t, x);
        }
        Ok(())
    }

    fn formula(&mut self, t: Term, polarity: u8) -> Lit {
        let node = self.store.node(t);
        match &node.op {
            Op::True => Lit::TRUE,
            Op::False => Lit::FALSE,
            Op::Not => !self.lits[&node.args[0]],
            Op::And => {
                let lits: Vec<Lit> = node.args.iter().map(|a| self.lits[a]).collect();
                self.conjunction(&lits, polarity)
            }
            Op::Or => {
                let lits: Vec<Lit> = node.args.iter().map(|a| !self.lits[a]).collect();
                !self.conjunction(&lits, ((polarity & 1) << 1) | (polarity >> 1))
            }
            Op::Ite => {
                let (c, a, b) = (
                    self.lits[&node.args[0]],
                    self.lits[&node.args[1]],
                    self.lits[&node.args[2]],
                );
                self.choice(c, a, b, polarity)
            }
            Op::Eq if self.store.sort(node.args[0]) == OuterSort::BOOL => {
                let (a, b) = (self.lits[&node.args[0]], self.lits[&node.args[1]]);
                self.choice(a, b, !b, polarity)
            }
            Op::Eq => {
                let (a, b) = (self.argument(node.args[0]), self.argument(node.args[1]));
                self.refuter.world.eq(a, b)
            }
            Op::Le => {
                let (a, b) = (self.lin(node.args[0]), self.lin(node.args[1]));
                let world = &mut self.refuter.world;
                world.atoms.le(&world.bank, &a.minus(&b))
            }
            _ => {
                let p = self.application(t);
                self.refuter.world.eq(p, TermBank::TRUE)
            }
        }
    }

    fn conjunction(&mut self, lits: &[Lit], polarity: u8) -> Lit {
        let v = self
            .refuter
            .world
            .atoms
            .aux(self.group, &self.refuter.world.shape);
        if polarity & POSITIVE != 0 {
            for l in lits {
                self.refuter.given(self.group, &[!v, *l]);
            }
        }
        if polarity & NEGATIVE != 0 {
            let mut clause: Vec<Lit> = lits.iter().map(|l| !*l).collect();
            clause.push(v);
            self.refuter.given(self.group, &clause);
        }
        v
    }

    fn choice(&mut self, c: Lit, a: Lit, b: Lit, polarity: u8) -> Lit {
        let v = self
            .refuter
            .world
            .atoms
            .aux(self.group, &self.refuter.world.shape);
        if polarity & POSITIVE != 0 {
            self.refuter.given(self.group, &[!v, !c, a]);
            self.refuter.given(self.group, &[!v, c, b]);
        }
        if polarity & NEGATIVE != 0 {
            self.refuter.given(self.group, &[v, !c, !a]);
            self.refuter.given(self.group, &[v, c, !b]);
        }
        v
    }

    /// A translated term; a formula in a term position is named.
    fn argument(&mut self, t: Term) -> TId {
        if let Some(x) = self.terms.get(&t) {
            return *x;
        }
        let l = self.lits[&t];
        if l == Lit::TRUE {
            return TermBank::TRUE;
        }
        if l == Lit::FALSE {
            return TermBank::FALSE;
        }
        let x = match self.store.op(t) {
            Op::App(_) => self.application(t),
            _ => self.fresh(Sort::Bool),
        };
        let named = self.refuter.world.eq(x, TermBank::TRUE);
        if named == l {
            // Both truth values matter to congruence.
            self.refuter.require(l);
        } else {
            self.refuter.given(self.group, &[!named, l]);
            self.refuter.given(self.group, &[named, !l]);
        }
        self.terms.insert(t, x);
        x
    }

    fn fresh(&mut self, sort: Sort) -> TId {
        self.symbols
            .internal(sort, self.group, &mut self.refuter.world)
    }

    fn lin(&mut self, t: Term) -> Lin {
        let x = self.argument(t);
        self.refuter.world.bank.lin_of(x)
    }

    fn term(&mut self, t: Term) -> TId {
        let node = self.store.node(t);
        let sort = self.symbols.sort(node.sort);
        let lin = match &node.op {
            Op::Int(n) => Lin::constant(Rat::from_int(n.clone())),
            Op::Real(q) => Lin::constant(Rat::from_big((**q).clone())),
            Op::Add => {
                let mut sum = Lin::zero();
                for a in &node.args {
                    sum = sum.plus(&self.lin(*a), &Rat::ONE);
                }
                sum
            }
            Op::Mul => match self.product(&node.args) {
                Some(l) => l,
                None => return self.application(t),
            },
            Op::ToReal => self.lin(node.args[0]),
            Op::IDiv | Op::Mod => match self.division(t) {
                Some(l) => l,
                None => return self.application(t),
            },
            Op::ToInt => return self.floor(node.args[0]),
            Op::Ite => return self.choose(t, sort),
            _ => return self.application(t),
        };
        self.refuter.world.bank.term_of(lin, sort)
    }

    fn product(&mut self, args: &[Term]) -> Option<Lin> {
        let mut out = Lin::constant(Rat::ONE);
        for a in args {
            let l = self.lin(*a);
            out = if l.is_const() {
                out.times(&l.k)
            } else if out.is_const() {
                l.times(&out.k)
            } else {
                return None;
            };
        }
        Some(out)
    }

    fn division(&mut self, t: Term) -> Option<Lin> {
        let node = self.store.node(t);
        let (x, d) = (self.lin(node.args[0]), self.lin(node.args[1]));
        if !d.is_const() || d.k.is_zero() {
            return None;
        }
        let world = &mut self.refuter.world;
        let size = d.k.abs();
        let quotient = world.bank.floor(&x.times(&size.recip()));
        Some(match node.op {
            Op::Mod => x.plus(&quotient, &-&size),
            _ if d.k.is_neg() => quotient.negated(),
            _ => quotient,
        })
    }

    /// `to_int x`: a floor term over integers, else a constant `q` of the group with `q <= x < q +
    /// 1`.
    fn floor(&mut self, arg: Term) -> TId {
        let x = self.lin(arg);
        if self.refuter.world.bank.all_int(&x) {
            let l = self.refuter.world.bank.floor(&x);
            return self.refuter.world.bank.term_of(l, Sort::Int);
        }
        let q = self.fresh(Sort::Int);
        let world = &mut self.refuter.world;
        let diff = Lin::var(q).minus(&x);
        let low = world.atoms.le(&world.bank, &diff);
        let high = world
            .atoms
            .lt(&world.bank, &diff.negated().shifted(&Rat::MINUS_ONE));
        self.refuter.given(self.group, &[low]);
        self.refuter.given(self.group, &[high]);
        q
    }

    fn choose(&mut self, t: Term, sort: Sort) -> TId {
        let node = self.store.node(t);
        let c = self.lits[&node.args[0]];
        let (a, b) = (self.argument(node.args[1]), self.argument(node.args[2]));
        let v = self.fresh(sort);
        let (then, otherwise) = (self.refuter.world.eq(v, a), self.refuter.world.eq(v, b));
        self.refuter.given(self.group, &[!c, then]);
        self.refuter.given(self.group, &[c, otherwise]);
        v
    }

    /// A declared function, or an operator that is not interpreted.
    fn application(&mut self, t: Term) -> TId {
        let node = self.store.node(t);
        let args: Vec<TId> = node.args.iter().map(|a| self.argument(*a)).collect();
        let world = &mut self.refuter.world;
        let declared = match &node.op {
            Op::App(f) => self.symbols.func(*f),
            _ => None,
        };
        let sym = match declared {
            Some(s) => s,
            None => self.symbols.operator(self.store, t, world),
        };
        if args.is_empty() {
            world.bank.constant(sym)
        } else {
            world.bank.app(sym, &args)
        }
    }
}
