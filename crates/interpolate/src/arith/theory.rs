//! Linear arithmetic as a theory of the search: literals in, refutations and implied inequalities
//! out.
//!
//! Invariant: the bounds of the simplex are exactly those of the asserted literals, and of cuts
//! derived from them, since the last mark that is still in force.

use super::cert::CertId;
use super::simplex::{Farkas, Simplex, Value};
use crate::data::atoms::{Bound, Lit};
use crate::data::bank::{Sort, TId};
use crate::data::linear::Lin;
use crate::data::rational::Rat;
use crate::world::World;

/// The arithmetic theory.
#[derive(Debug, Default)]
pub(crate) struct Arith {
    /// The tableau.
    pub(crate) simplex: Simplex,
}

impl Arith {
    /// Asserts a literal; others than comparisons and positive equalities are ignored. An error is
    /// a refutation.
    pub(crate) fn assert(&mut self, world: &mut World, lit: Lit) -> Result<(), CertId> {
        if let Some(b) = world.atoms.le_bound(&world.bank, lit) {
            let cert = world.certs.literal(lit, b);
            return self.assert_cert(world, cert);
        }
        if lit.is_pos()
            && let Some(l) = world.atoms.eq_lin(&world.bank, lit.atom())
        {
            let le = world.certs.literal(
                lit,
                Bound {
                    lin: l.clone(),
                    strict: false,
                },
            );
            let ge = world.certs.literal(
                lit,
                Bound {
                    lin: l.negated(),
                    strict: false,
                },
            );
            self.assert_cert(world, le)?;
            return self.assert_cert(world, ge);
        }
        Ok(())
    }

    /// Asserts a derived inequality.
    pub(crate) fn assert_cert(&mut self, world: &mut World, cert: CertId) -> Result<(), CertId> {
        let c = world.certs.get(cert);
        let bound = Bound {
            lin: c.lin.clone(),
            strict: c.strict,
        };
        self.simplex
            .assert(&bound, Some(cert))
            .map_err(|f| refutation(world, f))
    }

    /// Looks for a rational solution.
    pub(crate) fn check(&mut self, world: &mut World) -> Result<(), CertId> {
        self.simplex.check().map_err(|f| refutation(world, f))
    }

    /// Registers the terms of an arithmetic term.
    pub(crate) fn register(&mut self, world: &World, t: TId) {
        if world.bank.sort(t).is_arith() {
            for (u, _) in &world.bank.lin_of(t).terms {
                self.simplex.term(*u);
            }
        }
    }

    /// The value of an arithmetic term in the current assignment.
    pub(crate) fn value(&mut self, world: &World, t: TId) -> Value {
        self.simplex.eval(&world.bank.lin_of(t))
    }

    /// A derivation of `l + c <= 0` with `c >= 0` (over integers `c > -1`), if the bounds imply it.
    /// The current assignment, which must be a solution, stays as it is.
    pub(crate) fn probe(&mut self, world: &mut World, l: &Lin) -> Option<CertId> {
        let mark = self.simplex.mark();
        if !l.is_const() {
            self.simplex.form(l);
        }
        let model = self.simplex.values();
        let integral = world.bank.all_int(l) && l.integral_coefs() && l.k.is_int();
        let goal = if integral {
            Bound {
                lin: l.negated().shifted(&Rat::ONE),
                strict: false,
            }
        } else {
            Bound {
                lin: l.negated(),
                strict: true,
            }
        };
        let outcome = self
            .simplex
            .assert(&goal, None)
            .and_then(|()| self.simplex.check());
        self.simplex.undo(mark);
        self.simplex.restore(model);
        let Err(f) = outcome else { return None };
        if !f.goal.is_pos() {
            return None;
        }
        let parts = f.parts.iter().map(|(c, x)| (*c, x.div(&f.goal))).collect();
        Some(world.certs.sum(parts))
    }

    /// An integer term whose value is not an integer.
    pub(crate) fn fractional(&self, world: &World) -> Option<(TId, Rat)> {
        self.simplex
            .term_columns()
            .find(|(t, v)| world.bank.sort(*t) == Sort::Int && !self.simplex.value(*v).is_int())
            .map(|(t, v)| (t, self.simplex.value(v).real.floor()))
    }
}

/// The certificate of a conflict.
fn refutation(world: &mut World, f: Farkas) -> CertId {
    let c = world.certs.sum(f.parts);
    debug_assert!(world.certs.is_refutation(c));
    c
}
