//! Integer solutions: equations, Gomory cuts, branches.
//!
//! ```text
//! check():  solve the equations; assert the rounded bounds; re-solve           (diophantine.rs)
//!           at most max_cuts times: a Gomory cut of a fractional row; re-solve
//!           branch  v <= floor(value)  on a single fractional term
//! ```
//! A Gomory cut is derived as a rounding: for the row `b = sum a_j x_j` take `frac(a_j)` times the
//! upper bound or `frac(-a_j)` times the lower bound of each `x_j`; the sum has integer
//! coefficients over terms. Cuts stay inside certificates; only branches on one term reach the
//! Boolean level, so no literal is ever mixed.

use super::cert::CertId;
use super::diophantine::{self, Verdict};
use super::simplex::{Col, End, Limit};
use super::theory::Arith;
use crate::data::atoms::Lit;
use crate::data::linear::Lin;
use crate::data::rational::Rat;
use crate::world::World;

/// Limits of integer reasoning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IntLimits {
    /// Gomory cuts per check.
    pub(crate) cuts: u32,
    /// Nested roundings in one certificate.
    pub(crate) depth: u32,
}

/// The outcome of an integer check.
pub(crate) enum Integrality {
    /// All integer terms have integer values.
    Solved,
    /// The bounds have no integer solution.
    Refuted(CertId),
    /// Decide this comparison of a single term.
    Branch(Lit),
}

/// Looks for an integer solution near the current rational one.
pub(crate) fn check(arith: &mut Arith, world: &mut World, limits: IntLimits) -> Integrality {
    match try_cuts(arith, world, limits) {
        Err(cert) => Integrality::Refuted(cert),
        Ok(()) => match arith.fractional(world) {
            None => Integrality::Solved,
            Some((t, floor)) => {
                let l = Lin::var(t).shifted(&-&floor);
                Integrality::Branch(world.atoms.le(&world.bank, &l))
            }
        },
    }
}

fn try_cuts(arith: &mut Arith, world: &mut World, limits: IntLimits) -> Result<(), CertId> {
    if arith.fractional(world).is_none() {
        return Ok(());
    }
    match diophantine::solve(arith, world, limits.depth) {
        Verdict::Refuted(c) => return Err(c),
        Verdict::Cuts(cuts) => {
            for c in cuts {
                arith.assert_cert(world, c)?;
            }
            arith.check(world)?;
        }
    }
    for _ in 0..limits.cuts {
        if arith.fractional(world).is_none() {
            return Ok(());
        }
        let Some(cut) = gomory(arith, world, limits.depth) else {
            return Ok(());
        };
        arith.assert_cert(world, cut)?;
        arith.check(world)?;
    }
    Ok(())
}

/// A rounding cut from the first suitable row with a fractional value.
fn gomory(arith: &Arith, world: &mut World, depth: u32) -> Option<CertId> {
    let terms: Vec<Col> = arith
        .simplex
        .term_columns()
        .filter(|(t, v)| {
            world.bank.sort(*t) == crate::data::bank::Sort::Int && !arith.simplex.value(*v).is_int()
        })
        .map(|(_, v)| v)
        .collect();
    terms
        .into_iter()
        .find_map(|v| cut_of_row(arith, world, v, depth))
}

fn cut_of_row(arith: &Arith, world: &mut World, basic: Col, depth: u32) -> Option<CertId> {
    let row = arith.simplex.row(basic)?;
    let mut parts: Vec<(CertId, Rat)> = Vec::new();
    for (n, a) in row {
        let value = arith.simplex.value(*n);
        let lower = arith
            .simplex
            .limit(*n, End::Lower)
            .filter(|l| l.value == *value);
        let upper = arith
            .simplex
            .limit(*n, End::Upper)
            .filter(|l| l.value == *value);
        let (limit, factor): (&Limit, Rat) = match (lower, upper) {
            (_, Some(u)) => (u, a.frac()),
            (Some(l), None) => (l, (-a).frac()),
            (None, None) => return None,
        };
        let cert = limit.cert?;
        let c = world.certs.get(cert);
        if c.strict || c.depth >= depth || !world.bank.all_int(&c.lin) {
            return None;
        }
        if !factor.is_zero() {
            parts.push((cert, factor.div(&limit.scale)));
        }
    }
    if parts.is_empty() {
        return None;
    }
    let sum = world.certs.sum(parts);
    let lin = &world.certs.get(sum).lin;
    let useful = lin.integral_coefs() && !lin.k.is_int();
    useful.then(|| world.certs.round(sum))
}
