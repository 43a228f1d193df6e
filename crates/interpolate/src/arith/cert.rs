//! Certificates: how an inequality follows from literals, and its part on one side of a cut.
//!
//! Griggio, Le, Sebastiani, "Efficient interpolant generation in satisfiability modulo linear
//! integer arithmetic", TACAS 2011 (rounding inside the interpolant); McMillan, TCS 345, 2005 (sums
//! of A-literals).
//!
//! A certificate derives `E <= 0` (or `E < 0`) by literals, non-negative combinations, and rounding
//! of an integer inequality with integer coefficients, `E := ceil(E)`. For a side S of a cut the
//! part `E_S` is
//!
//! ```text
//! literal e        e if the literal is attributed to a group of S, else 0
//! combination      sum of lambda_i * (E_i)_S
//! rounding         ceil(E_S):  coefficients of S-local terms are integers and stay outside the ceiling
//! ```
//! and satisfies: the literals of S imply `E_S <= 0`; terms local to S have the same coefficient in
//! `E_S` as in `E`; terms foreign to S do not occur. For a refutation (`E` a positive constant, or
//! a non-negative one if strict) `E_A <= 0` is therefore an interpolant, and parts telescope along
//! a sequence or tree because `ceil` is monotone and subadditive.

use crate::data::atoms::{Bound, Lit};
use crate::data::linear::Lin;
use crate::data::locality::Side;
use crate::data::rational::Rat;
use crate::world::World;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// A certificate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct CertId(pub(crate) u32);

/// The last rule of a certificate.
#[derive(Clone, Debug)]
pub(crate) enum Rule {
    /// The literal states the inequality.
    Literal(Lit),
    /// A combination with positive factors.
    Sum(Vec<(CertId, Rat)>),
    /// Rounding up.
    Round(CertId),
}

/// A derived inequality.
#[derive(Clone, Debug)]
pub(crate) struct Cert {
    /// The last rule.
    pub(crate) rule: Rule,
    /// The expression that is at most 0.
    pub(crate) lin: Lin,
    /// Whether it is below 0.
    pub(crate) strict: bool,
    /// The literals used, sorted.
    pub(crate) lits: Vec<Lit>,
    /// The number of nested roundings.
    pub(crate) depth: u32,
}

/// All certificates of one query.
#[derive(Debug, Default)]
pub(crate) struct Certs {
    certs: Vec<Cert>,
    literals: IndexMap<(Lit, Lin), CertId, FxBuildHasher>,
}

impl Certs {
    fn add(&mut self, cert: Cert) -> CertId {
        self.certs.push(cert);
        CertId(self.certs.len() as u32 - 1)
    }

    /// The certificate of an id.
    pub(crate) fn get(&self, c: CertId) -> &Cert {
        &self.certs[c.0 as usize]
    }

    /// The inequality a literal states.
    pub(crate) fn literal(&mut self, lit: Lit, bound: Bound) -> CertId {
        let Bound { lin, strict } = bound;
        if let Some(c) = self.literals.get(&(lit, lin.clone())) {
            return *c;
        }
        let rule = Rule::Literal(lit);
        let c = self.add(Cert {
            rule,
            lin: lin.clone(),
            strict,
            lits: vec![lit],
            depth: 0,
        });
        self.literals.insert((lit, lin), c);
        c
    }

    /// A combination with positive factors.
    pub(crate) fn sum(&mut self, parts: Vec<(CertId, Rat)>) -> CertId {
        let mut lin = Lin::zero();
        let mut strict = false;
        let mut lits = Vec::new();
        let mut depth = 0;
        for (c, f) in &parts {
            debug_assert!(f.is_pos());
            let part = self.get(*c);
            lin = lin.plus(&part.lin, f);
            strict |= part.strict;
            lits.extend_from_slice(&part.lits);
            depth = depth.max(part.depth);
        }
        lits.sort_unstable();
        lits.dedup();
        self.add(Cert {
            rule: Rule::Sum(parts),
            lin,
            strict,
            lits,
            depth,
        })
    }

    /// Rounds an inequality over integers with integer coefficients.
    pub(crate) fn round(&mut self, c: CertId) -> CertId {
        let from = self.get(c);
        debug_assert!(from.lin.integral_coefs() && !from.strict);
        let lin = Lin {
            terms: from.lin.terms.clone(),
            k: from.lin.k.ceil(),
        };
        let cert = Cert {
            rule: Rule::Round(c),
            lin,
            strict: false,
            lits: from.lits.clone(),
            depth: from.depth + 1,
        };
        self.add(cert)
    }

    /// Whether the certificate derives a contradiction.
    pub(crate) fn is_refutation(&self, c: CertId) -> bool {
        let cert = self.get(c);
        cert.lin.is_const() && (cert.lin.k.is_pos() || (cert.strict && !cert.lin.k.is_neg()))
    }
}

/// A part of an inequality, with strictness.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The expression `E_S`.
    pub(crate) lin: Lin,
    /// Whether a strict literal is counted in S.
    pub(crate) strict: bool,
}

/// The part of a certificate on a side.
pub(crate) fn part(world: &mut World, root: CertId, side: Side) -> Part {
    let mut done: IndexMap<CertId, Part, FxBuildHasher> = IndexMap::default();
    let mut stack = vec![root];
    while let Some(&c) = stack.last() {
        if done.contains_key(&c) {
            stack.pop();
            continue;
        }
        let before = stack.len();
        match &world.certs.get(c).rule {
            Rule::Literal(_) => {}
            Rule::Sum(parts) => {
                stack.extend(parts.iter().map(|p| p.0).filter(|p| !done.contains_key(p)))
            }
            Rule::Round(of) => stack.extend(Some(*of).filter(|p| !done.contains_key(p))),
        }
        if stack.len() == before {
            stack.pop();
            let p = part_of(world, c, side, &done);
            done.insert(c, p);
        }
    }
    done.swap_remove(&root).unwrap_or(Part {
        lin: Lin::zero(),
        strict: false,
    })
}

fn part_of(
    world: &mut World,
    c: CertId,
    side: Side,
    done: &IndexMap<CertId, Part, FxBuildHasher>,
) -> Part {
    match world.certs.get(c).rule.clone() {
        Rule::Literal(l) => {
            let inside = world.shape.nodes(side).contains(world.lit_owner(l));
            let cert = world.certs.get(c);
            if inside {
                Part {
                    lin: cert.lin.clone(),
                    strict: cert.strict,
                }
            } else {
                Part {
                    lin: Lin::zero(),
                    strict: false,
                }
            }
        }
        Rule::Sum(parts) => {
            let mut lin = Lin::zero();
            let mut strict = false;
            for (p, f) in &parts {
                lin = lin.plus(&done[p].lin, f);
                strict |= done[p].strict;
            }
            Part { lin, strict }
        }
        Rule::Round(of) => Part {
            lin: world.bank.ceil(&done[&of].lin),
            strict: false,
        },
    }
}
