//! Integer equations: elimination with multipliers, and the rounding cuts it allows.
//!
//! Jain, Clarke, Grumberg, "Efficient Craig interpolation for linear Diophantine (dis)equations",
//! CAV 2008; elimination with fresh variables as in Griggio, "A practical approach to SMT(LA(Z))",
//! JSAT 2012.
//!
//! ```text
//! for each equation e = 0 (a variable or form whose bounds coincide), with multipliers lambda over the equations:
//!   substitute the solved variables
//!   make the coefficients coprime integers;  constant fractional: ceil(S) + ceil(-S) > 0 is the refutation
//!   coefficient 1 or -1: solve for that variable
//!   else x := t - sum(q_i x_i) - q for the smallest coefficient, t fresh, and repeat
//! then each other bound, the solved variables substituted, is divided by the gcd of its coefficients and rounded
//! ```
//! A fresh variable is an integer combination of the terms, so integrality of coefficients over
//! fresh variables is integrality over terms; certificates mention terms only.

use super::cert::CertId;
use super::simplex::{End, Limit};
use super::theory::Arith;
use crate::data::bank::TId;
use crate::data::linear::{Lin, merge};
use crate::data::rational::Rat;
use crate::world::World;

/// An equation `lin = 0` with certificates of both halves: `factor * certificate` states `lin <=
/// 0`, `-lin <= 0`.
struct Equation {
    lin: Lin,
    le: (CertId, Rat),
    ge: (CertId, Rat),
}

/// A sparse combination of equations.
type Combo = Vec<(u32, Rat)>;

/// `var = value`, where `var - value` is the combination (up to definitions of fresh variables).
struct Solved {
    var: TId,
    value: Lin,
    combo: Combo,
}

/// The state of an elimination.
#[derive(Default)]
struct System {
    equations: Vec<Equation>,
    solved: Vec<Solved>,
    fresh: u32,
}

/// What the equations say.
pub(crate) enum Verdict {
    /// They have no integer solution.
    Refuted(CertId),
    /// Inequalities that follow by rounding and cut off rational points.
    Cuts(Vec<CertId>),
}

/// Solves the equations among the current bounds and rounds the other bounds modulo them.
pub(crate) fn solve(arith: &Arith, world: &mut World, max_depth: u32) -> Verdict {
    let mut system = System::default();
    system.collect(arith, world, max_depth);
    for i in 0..system.equations.len() {
        if let Some(combo) = system.eliminate(i) {
            let up = system.derive(world, &combo, &Rat::ONE, None);
            let down = system.derive(world, &combo, &Rat::MINUS_ONE, None);
            let up = world.certs.round(up);
            let down = world.certs.round(down);
            return Verdict::Refuted(world.certs.sum(vec![(up, Rat::ONE), (down, Rat::ONE)]));
        }
    }
    Verdict::Cuts(system.cuts(arith, world, max_depth))
}

/// The inequality of a bound over the form of its variable: `+-(form - bound) <= 0`.
fn normal(world: &World, limit: &Limit) -> Option<(CertId, Rat, Lin)> {
    let c = limit.cert?;
    let cert = world.certs.get(c);
    let f = limit.scale.recip();
    let lin = cert.lin.times(&f);
    let fits = !cert.strict && world.bank.all_int(&lin) && lin.integral_coefs() && lin.k.is_int();
    fits.then_some((c, f, lin))
}

impl System {
    fn collect(&mut self, arith: &Arith, world: &World, max_depth: u32) {
        for v in arith.simplex.all_columns() {
            let (Some(lo), Some(up)) = (
                arith.simplex.limit(v, End::Lower),
                arith.simplex.limit(v, End::Upper),
            ) else {
                continue;
            };
            if lo.value != up.value {
                continue;
            }
            if let (Some(ge), Some(le)) = (normal(world, lo), normal(world, up))
                && world.certs.get(ge.0).depth.max(world.certs.get(le.0).depth) < max_depth
            {
                self.equations.push(Equation {
                    lin: le.2,
                    le: (le.0, le.1),
                    ge: (ge.0, ge.1),
                });
            }
        }
    }

    /// Replaces the solved variables, adding the combination used.
    fn substitute(&self, lin: &mut Lin, combo: &mut Combo) {
        for s in &self.solved {
            let c = lin.coef(s.var);
            if !c.is_zero() {
                let mut definition = s.value.negated();
                definition = definition.plus(&Lin::var(s.var), &Rat::ONE);
                *lin = lin.plus(&definition, &-&c);
                *combo = merge(combo, &s.combo, &-&c);
            }
        }
    }

    /// Solves equation `i`; returns the combination that has no integer solution, if there is one.
    fn eliminate(&mut self, i: usize) -> Option<Combo> {
        let mut lin = self.equations[i].lin.clone();
        let mut combo: Combo = vec![(i as u32, Rat::ONE)];
        self.substitute(&mut lin, &mut combo);
        loop {
            if lin.is_const() {
                return None;
            }
            let f = lin.primitive_factor();
            lin = lin.times(&f);
            combo = combo.into_iter().map(|(e, c)| (e, &c * &f)).collect();
            if !lin.k.is_int() {
                return Some(combo);
            }
            let (var, c) = smallest(&lin);
            if c.abs().is_one() {
                let value = lin.plus(&Lin::var(var), &-&c).times(&-&c);
                let combo = combo.into_iter().map(|(e, x)| (e, &x * &c)).collect();
                self.solved.push(Solved { var, value, combo });
                return None;
            }
            self.shrink(&mut lin, var, &c);
        }
    }

    /// Replaces `var`, which has the smallest coefficient `c`, by a fresh variable minus the
    /// quotients.
    fn shrink(&mut self, lin: &mut Lin, var: TId, c: &Rat) {
        self.fresh += 1;
        let t = TId(u32::MAX - self.fresh);
        let mut value = Lin::var(t);
        for (x, d) in &lin.terms {
            if *x != var {
                let q = d.div(c).floor();
                value = value.plus(&Lin::var(*x), &-&q);
            }
        }
        value.k = -&lin.k.div(c).floor();
        let definition = value.negated().plus(&Lin::var(var), &Rat::ONE);
        *lin = lin.plus(&definition, &-c);
        self.solved.push(Solved {
            var,
            value,
            combo: Vec::new(),
        });
    }

    /// The certificate of `scale * combo <= 0`, plus an inequality.
    fn derive(
        &self,
        world: &mut World,
        combo: &Combo,
        scale: &Rat,
        plus: Option<(CertId, Rat)>,
    ) -> CertId {
        let mut parts: Vec<(CertId, Rat)> = plus.into_iter().collect();
        for (e, c) in combo {
            let c = c * scale;
            let eq = &self.equations[*e as usize];
            let (cert, f) = if c.is_pos() { &eq.le } else { &eq.ge };
            let factor = &c.abs() * f;
            if factor.is_zero() {
                continue;
            }
            match parts.iter_mut().find(|p| p.0 == *cert) {
                Some(p) => p.1 = &p.1 + &factor,
                None => parts.push((*cert, factor)),
            }
        }
        world.certs.sum(parts)
    }

    /// Bounds that become tighter by rounding modulo the equations.
    fn cuts(&self, arith: &Arith, world: &mut World, max_depth: u32) -> Vec<CertId> {
        let mut out = Vec::new();
        for v in arith.simplex.all_columns() {
            for end in [End::Lower, End::Upper] {
                let Some((cert, f, mut lin)) =
                    arith.simplex.limit(v, end).and_then(|l| normal(world, l))
                else {
                    continue;
                };
                if world.certs.get(cert).depth >= max_depth {
                    continue;
                }
                let mut combo = Combo::new();
                self.substitute(&mut lin, &mut combo);
                if combo.is_empty() || lin.is_const() {
                    continue;
                }
                let g = lin.primitive_factor();
                if (&lin.k * &g).is_int() {
                    continue;
                }
                let sum = self.derive(world, &combo, &g, Some((cert, &f * &g)));
                if world.certs.get(sum).lin.integral_coefs() {
                    out.push(world.certs.round(sum));
                }
            }
        }
        out
    }
}

/// The term with the smallest coefficient in absolute value.
fn smallest(lin: &Lin) -> (TId, Rat) {
    let mut best = lin.terms[0].clone();
    for (t, c) in &lin.terms[1..] {
        if c.abs() < best.1.abs() {
            best = (*t, c.clone());
        }
    }
    best
}
