//! The final check: integers, and the exchange of equalities between congruence closure and
//! arithmetic.
//!
//! Nelson, Oppen 1979, over the care graph (Jovanović, Barrett, LPAR 2010), kept local: an equality
//! between terms of different groups never becomes a literal, but a chain of equalities through
//! shared terms.
//!
//! ```text
//! 1  integers: refutation, or a branch on one term
//! 2  closure -> arithmetic: two terms of a class have different values:
//!      each congruence edge s - t of their local path is the lemma  not lits or s = t
//! 3  a disequality whose sides have equal values:  s = t or s < t or t < s
//! 4  instances of array axioms (arrays.rs)
//! 5  arithmetic -> closure: applications that would be congruent but for arguments a, b of equal value:
//!      mutual     a = b or a < b or b < a
//!      foreign    if the bounds imply a <= b and b <= a: read a shared t_e off the certificate for every tree edge
//!                 e between their groups (a <= t_e <= b), and split a - t_e - .. - b as above;
//!                 a fractional t_e is rounded down, which brings in the term floor(t_e)
//!      foreign, not implied, integers:  a <= b + c follows for a small c: split a at the shared bound, shifted
//! ```
//! When nothing applies the problem is satisfiable, or needs a split between foreign terms without
//! such a bound: we give up.

use super::{Limits, Refuter};
use crate::arith::cert::{self, CertId};
use crate::arith::integers::{self, Integrality};
use crate::arith::simplex::Value;
use crate::data::atoms::{Atom, Lit};
use crate::data::bank::{Node, Sort, SymId, TId};
use crate::data::linear::Lin;
use crate::data::rational::Rat;
use crate::euf::explain::{self, Explanation};
use crate::proof::StepId;
use crate::reuse::Fact;
use crate::sat::Kind;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;

/// What two arguments must have in common to be a care pair.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum CareKey {
    /// The value of a number.
    Value(Value),
    /// The class of anything else.
    Class(TId),
}

/// How far apart two foreign integers are tried to be bounded.
const SLACKS: u32 = 8;

/// The side from which a shared term bounds a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Above,
    Below,
}

impl Refuter {
    /// Whether anything was added.
    pub(super) fn final_check(&mut self, limits: &Limits) -> bool {
        match integers::check(&mut self.arith, &mut self.world, limits.ints) {
            Integrality::Refuted(cert) => {
                self.arith_conflict(cert);
                return true;
            }
            Integrality::Branch(lit) => {
                self.require(lit);
                return true;
            }
            Integrality::Solved => {}
        }
        self.export_equalities() || self.split_disequalities() || self.arrays() || self.care()
    }

    /// Rule 2.
    fn export_equalities(&mut self) -> bool {
        let mut first: IndexMap<TId, TId, FxBuildHasher> = IndexMap::default();
        let mut found = Vec::new();
        let terms: Vec<TId> = self.closure.terms().collect();
        for t in terms {
            if !self.world.bank.sort(t).is_arith() {
                continue;
            }
            let rep = self.closure.rep(t);
            match first.get(&rep) {
                None => {
                    first.insert(rep, t);
                }
                Some(&s) => {
                    if self.arith.value(&self.world, s) != self.arith.value(&self.world, t) {
                        found.push((s, t, self.closure.explain(s, t)));
                    }
                }
            }
        }
        let any = !found.is_empty();
        for (s, t, lits) in found {
            self.export(s, t, &lits);
        }
        any
    }

    /// Adds the lemmas of the local path between two equal terms.
    fn export(&mut self, s: TId, t: TId, lits: &[Lit]) {
        match explain::local_path(&mut self.world, lits, s, t) {
            Explanation::Refuted(step) => {
                self.clause(lits.iter().map(|l| !*l).collect(), step, Kind::Kept);
            }
            Explanation::Path(path) => {
                for e in path {
                    let Some(step) = e.step else { continue };
                    let mut clause: Vec<Lit> = e.lits.iter().map(|l| !*l).collect();
                    clause.push(self.world.eq(e.from, e.to));
                    let fact = Fact::Congruence(clause.iter().map(|l| !*l).collect());
                    self.known.facts.push((step, fact));
                    self.counters.lemmas += 1;
                    self.clause(clause, step, Kind::Kept);
                }
            }
        }
    }

    /// Rule 3.
    fn split_disequalities(&mut self) -> bool {
        let negated: Vec<Lit> = self
            .sat
            .trail()
            .iter()
            .copied()
            .filter(|l| !l.is_pos() && self.is_relevant(*l))
            .collect();
        let mut any = false;
        for l in negated {
            let Atom::Eq(a, b) = *self.world.atoms.get(l.atom()) else {
                continue;
            };
            if self.world.bank.sort(a).is_arith()
                && self.arith.value(&self.world, a) == self.arith.value(&self.world, b)
            {
                any |= self.trichotomy(a, b).is_some();
            }
        }
        any
    }

    /// Adds `a = b or a < b or b < a` for mutually local terms; its step, if it is new.
    pub(super) fn trichotomy(&mut self, a: TId, b: TId) -> Option<StepId> {
        if a == b || !self.known.split.insert((a.min(b), a.max(b))) {
            return None;
        }
        let l = self.world.bank.lin_of(a).minus(&self.world.bank.lin_of(b));
        let le = self.world.atoms.le(&self.world.bank, &l);
        let ge = self.world.atoms.le(&self.world.bank, &l.negated());
        let eq = self.world.eq(a, b);
        let group = self.world.bank.loc(a).meet(self.world.bank.loc(b)).top();
        self.counters.lemmas += 1;
        let step = self.given(group, &[eq, !le, !ge])?;
        self.known.facts.push((step, Fact::Split(a, b)));
        Some(step)
    }

    /// Rule 5.
    fn care(&mut self) -> bool {
        let mut any = false;
        let mut later: Vec<(TId, TId)> = Vec::new();
        for (a, b) in self.care_pairs() {
            if self.world.bank.mutual(a, b) {
                any |= self.trichotomy(a, b).is_some();
            } else {
                later.push((a, b));
            }
        }
        if any {
            return true;
        }
        for &(a, b) in &later {
            if self.split_foreign(a, b) {
                return true;
            }
        }
        later
            .iter()
            .any(|&(a, b)| self.split_near(a, b) || self.split_near(b, a))
    }

    /// Argument pairs of equal value in different classes that keep two applications from being
    /// congruent.
    fn care_pairs(&mut self) -> IndexSet<(TId, TId), FxBuildHasher> {
        let mut table: IndexMap<(SymId, Vec<CareKey>), Vec<TId>, FxBuildHasher> =
            IndexMap::default();
        let terms: Vec<TId> = self.closure.terms().collect();
        for t in terms {
            let Node::App(f, args) = self.world.bank.node(t) else {
                continue;
            };
            let (f, args) = (*f, args.clone());
            let key = args.iter().map(|a| self.care_key(*a)).collect();
            table.entry((f, key)).or_default().push(t);
        }
        let mut pairs = IndexSet::default();
        for apps in table.values() {
            for (i, s) in apps.iter().enumerate() {
                for t in &apps[i + 1..] {
                    if self.closure.rep(*s) != self.closure.rep(*t) {
                        self.differing(*s, *t, &mut pairs);
                    }
                }
            }
        }
        pairs
    }

    fn care_key(&mut self, a: TId) -> CareKey {
        if self.world.bank.sort(a).is_arith() {
            CareKey::Value(self.arith.value(&self.world, a))
        } else {
            CareKey::Class(self.closure.rep(a))
        }
    }

    fn differing(&self, s: TId, t: TId, pairs: &mut IndexSet<(TId, TId), FxBuildHasher>) {
        if let (Node::App(_, xs), Node::App(_, ys)) =
            (self.world.bank.node(s), self.world.bank.node(t))
        {
            for (x, y) in xs.iter().zip(ys) {
                let pair = (*x.min(y), *x.max(y));
                if self.closure.rep(*x) != self.closure.rep(*y) {
                    pairs.insert(pair);
                }
            }
        }
    }

    /// Splits an implied equality of foreign terms through shared terms; whether anything is new.
    fn split_foreign(&mut self, a: TId, b: TId) -> bool {
        let l = self.world.bank.lin_of(a).minus(&self.world.bank.lin_of(b));
        let Some(le) = self.arith.probe(&mut self.world, &l) else {
            return false;
        };
        let Some(ge) = self.arith.probe(&mut self.world, &l.negated()) else {
            return false;
        };
        let Some(stops) = self.stops(a, b, le, ge) else {
            return false;
        };
        let mut any = false;
        for pair in stops.windows(2) {
            if self.world.bank.mutual(pair[0], pair[1]) {
                any |= self.trichotomy(pair[0], pair[1]).is_some();
            }
        }
        any
    }

    /// Splits an integer `a` at a shared term near it, where `a = b` holds in the model but does
    /// not follow: if `a <= b + c` or `b <= a + c` follows for a small `c`, the certificate bounds
    /// `a` by a shared term, and that term is shifted onto the value of `a`. Over reals this is
    /// never needed: the theory is convex.
    fn split_near(&mut self, a: TId, b: TId) -> bool {
        if self.world.bank.sort(a) != Sort::Int {
            return false;
        }
        let l = self.world.bank.lin_of(a).minus(&self.world.bank.lin_of(b));
        let mut slack = Rat::ZERO;
        for _ in 0..SLACKS {
            for (goal, way) in [
                (l.shifted(&-&slack), Way::Above),
                (l.negated().shifted(&-&slack), Way::Below),
            ] {
                let Some(cert) = self.arith.probe(&mut self.world, &goal) else {
                    continue;
                };
                if let Some(t) = self.near_term(a, b, cert, way)
                    && self.trichotomy(a, t).is_some()
                {
                    return true;
                }
            }
            slack = &slack + &Rat::ONE;
        }
        false
    }

    /// A term with the value of `a`, shared across the first tree edge from `a` towards `b`.
    fn near_term(&mut self, a: TId, b: TId, cert: CertId, way: Way) -> Option<TId> {
        let route = self
            .world
            .shape
            .route(self.world.bank.loc(a), self.world.bank.loc(b));
        let (from, to) = (*route.first()?, *route.get(1)?);
        let side = self.world.shape.side_of(from, to);
        let part = cert::part(&mut self.world, cert, side).lin;
        let sign = if way == Way::Above {
            Rat::MINUS_ONE
        } else {
            Rat::ONE
        };
        let bound = self.world.bank.lin_of(a).plus(&part, &sign);
        let bound = if bound.integral_coefs() {
            bound
        } else {
            self.world.bank.floor(&bound)
        };
        let here = self.arith.value(&self.world, a);
        let there = self.arith.simplex.eval(&bound);
        let t = bound.shifted(&(&here.real - &there.real));
        if !t.k.is_int() {
            return None;
        }
        let t = self.world.bank.term_of(t, Sort::Int);
        let loc = self.world.bank.loc(t);
        (loc.contains(from) && loc.contains(to)).then_some(t)
    }

    /// Terms `a, t_e, .., b`, consecutive ones mutually local, all equal under the current
    /// literals.
    fn stops(&mut self, a: TId, b: TId, le: CertId, ge: CertId) -> Option<Vec<TId>> {
        let route = self
            .world
            .shape
            .route(self.world.bank.loc(a), self.world.bank.loc(b));
        let mut out = vec![a];
        for e in route.windows(2) {
            let t = self.shared_term(a, (e[0], e[1]), le, ge)?;
            if out.last() != Some(&t) {
                out.push(t);
            }
        }
        out.push(b);
        Some(out)
    }

    /// A term shared across a tree edge that equals `a`, read off the certificates of `a <= b` and
    /// `b <= a`.
    fn shared_term(&mut self, a: TId, edge: (usize, usize), le: CertId, ge: CertId) -> Option<TId> {
        let side = self.world.shape.side_of(edge.0, edge.1);
        let base = self.world.bank.lin_of(a);
        let sort = self.world.bank.sort(a);
        let above = base.minus(&cert::part(&mut self.world, le, side).lin);
        let below = base.plus(&cert::part(&mut self.world, ge, side).lin, &Rat::ONE);
        let plain = |l: &Lin| sort == Sort::Real || l.integral_coefs();
        let rounded = |l: &Lin, k: Rat| Lin {
            terms: l.terms.clone(),
            k,
        };
        let t = if sort == Sort::Real {
            above
        } else if plain(&above) {
            rounded(&above, above.k.floor())
        } else if plain(&below) {
            rounded(&below, below.k.ceil())
        } else {
            self.world.bank.floor(&above)
        };
        let t = self.world.bank.term_of(t, sort);
        let loc = self.world.bank.loc(t);
        (loc.contains(edge.0) && loc.contains(edge.1)).then_some(t)
    }
}
