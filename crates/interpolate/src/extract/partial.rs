//! Partial interpolants: one pass over the proof per cut.
//!
//! McMillan, "An interpolating theorem prover", TCS 345, 2005; Pudlák, JSL 1997; D'Silva et al.,
//! VMCAI 2010.
//!
//! ```text
//! clause of group g          A: the disjunction of its shared literals (McMillan) or false (symmetric);  B: true
//! resolution on p            p local to A: I1 or I2;  local to B: I1 and I2;
//!                            shared: I1 and I2 (McMillan), (I1 or p) and (I2 or not p) (symmetric)
//! cycle                      for each maximal arc of A-edges from s to t: s = t, or s != t if it holds the disequality
//! Farkas                     the A-part of the sum is at most 0 (below 0 if a strict literal is counted in A)
//! ```
//! Only the window of cuts in which a step is neither true nor false is computed.
//!
//! A literal of a theory leaf is attributed to one group of its own ([`World::owner`]); under
//! McMillan it is the group nearest the root, so it counts as A exactly when it is local to A.
//!
//! Invariant (McMillan): `A and not C|A-local |= I(C)` and `B and not C|rest and I(C) |= false`,
//! over shared symbols.

use super::formula::{FId, Formulas};
use super::line;
use crate::arith::cert::{self, CertId};
use crate::data::atoms::{Bound, Lit};
use crate::data::bank::TId;
use crate::data::locality::{Class, NodeSet, Side};
use crate::euf::explain;
use crate::proof::{Proof, Step, StepId};
use crate::world::{Labelling, World};

/// The interpolants of all cuts, from a proof of the empty clause.
pub(crate) fn interpolants(world: &mut World, formulas: &mut Formulas, root: StepId) -> Vec<FId> {
    expand(world, root);
    let order = topological(world, root);
    let windows = windows(world, &order);
    // The proof is only read from here on, the terms and atoms grow.
    let proof = std::mem::take(&mut world.proof);
    let mut known = vec![Formulas::TRUE; proof.len()];
    let mut out = Vec::new();
    for cut in 0..world.shape.cuts() {
        out.push(
            Pass {
                world,
                formulas,
                cut,
            }
            .run(&proof, &windows, &mut known),
        );
    }
    world.proof = proof;
    out
}

/// Where a step is trivial: the partial interpolant is true at cuts below which none of `owners`
/// lies, and false at cuts below which all of `extent` lies.
struct Window {
    step: StepId,
    /// The groups to which its leaves and their literals are attributed.
    owners: NodeSet,
    /// Where the atoms of its leaves live.
    extent: NodeSet,
}

/// The windows of the steps, in the given order.
fn windows(world: &World, order: &[StepId]) -> Vec<Window> {
    let mut place = vec![0u32; world.proof.len()];
    let mut out: Vec<Window> = Vec::with_capacity(order.len());
    for (i, s) in order.iter().enumerate() {
        place[s.0 as usize] = i as u32;
        let (mut owners, mut extent) = (world.shape.none(), world.shape.none());
        let mut count = |loc: &NodeSet, owner: usize| {
            owners.add(&world.shape.single(owner));
            extent.add(loc);
        };
        match world.proof.get(*s) {
            Step::Given { group, lits } => {
                count(&world.shape.single(*group as usize), *group as usize);
                lits.iter()
                    .for_each(|l| extent.add(world.atoms.loc(l.atom())));
            }
            Step::Cycle { path } => {
                for e in 0..path.len() {
                    let loc = world
                        .bank
                        .loc(path[e])
                        .meet(world.bank.loc(path[(e + 1) % path.len()]));
                    count(&loc, world.owner(&loc));
                }
            }
            Step::Farkas(cert) => {
                for l in &world.certs.get(*cert).lits {
                    count(world.atoms.loc(l.atom()), world.lit_owner(*l));
                }
            }
            Step::Congruence { .. } => extent = world.shape.all(),
            step @ Step::Chain { .. } => premises(step, |p| {
                let w = &out[place[p.0 as usize] as usize];
                owners.add(&w.owners);
                extent.add(&w.extent);
            }),
        }
        out.push(Window {
            step: *s,
            owners,
            extent,
        });
    }
    out
}

/// The steps a step refers to.
fn premises(step: &Step, mut f: impl FnMut(StepId)) {
    if let Step::Chain { first, steps } = step {
        f(*first);
        steps.iter().for_each(|(_, s)| f(*s));
    }
}

/// Replaces the congruence conflicts below `root` by their local explanations.
fn expand(world: &mut World, root: StepId) {
    let mut seen = vec![false; world.proof.len()];
    let mut stack = vec![root];
    while let Some(s) = stack.pop() {
        if s.0 as usize >= seen.len() || std::mem::replace(&mut seen[s.0 as usize], true) {
            continue;
        }
        if let Step::Congruence { lits, ends } = world.proof.get(s) {
            let (lits, ends) = (lits.clone(), *ends);
            let first = explain::refutation(world, &lits, ends);
            world.proof.replace(
                s,
                Step::Chain {
                    first,
                    steps: Box::default(),
                },
            );
        }
        premises(world.proof.get(s), |p| stack.push(p));
    }
}

/// Which steps the proof of `root` uses, congruence conflicts unexplained.
pub(crate) fn used(world: &World, root: StepId) -> Vec<bool> {
    let mut used = vec![false; world.proof.len()];
    topological(world, root)
        .into_iter()
        .for_each(|s| used[s.0 as usize] = true);
    used
}

/// The steps below `root`, premises first.
fn topological(world: &World, root: StepId) -> Vec<StepId> {
    let mut state = vec![0u8; world.proof.len()];
    let mut order = Vec::new();
    let mut stack = vec![root];
    while let Some(&s) = stack.last() {
        match state[s.0 as usize] {
            0 => {
                state[s.0 as usize] = 1;
                premises(world.proof.get(s), |p| {
                    if state[p.0 as usize] == 0 {
                        stack.push(p);
                    }
                });
            }
            1 => {
                state[s.0 as usize] = 2;
                order.push(s);
                stack.pop();
            }
            _ => {
                stack.pop();
            }
        }
    }
    order
}

/// The pass for one cut.
struct Pass<'a> {
    world: &'a mut World,
    formulas: &'a mut Formulas,
    cut: usize,
}

impl Pass<'_> {
    /// The partial interpolant of the last step; `known` is scratch, one place per step.
    fn run(mut self, proof: &Proof, windows: &[Window], known: &mut [FId]) -> FId {
        let below = self.world.shape.nodes(Side::Below(self.cut)).clone();
        let mut last = Formulas::TRUE;
        for w in windows {
            let f = match proof.get(w.step) {
                _ if !w.owners.meets(&below) => Formulas::TRUE,
                _ if w.extent.within(&below) => Formulas::FALSE,
                Step::Given { group, lits } => self.given(*group as usize, lits),
                Step::Cycle { path } => self.cycle(path),
                Step::Farkas(cert) => self.farkas(*cert),
                Step::Chain { first, steps } => {
                    let mut f = known[first.0 as usize];
                    for (l, s) in steps {
                        f = self.resolve(f, known[s.0 as usize], *l);
                    }
                    f
                }
                // Replaced by `expand`; the whole clause in B would be unsound, so claim nothing.
                Step::Congruence { .. } => Formulas::FALSE,
            };
            known[w.step.0 as usize] = f;
            last = f;
        }
        last
    }

    fn class(&self, l: Lit) -> Class {
        self.world
            .shape
            .class(self.world.atoms.loc(l.atom()), self.cut)
    }

    fn given(&mut self, group: usize, lits: &[Lit]) -> FId {
        if !self.world.shape.below(group, self.cut) {
            return Formulas::TRUE;
        }
        let mut f = Formulas::FALSE;
        if self.world.labelling == Labelling::McMillan {
            for l in lits {
                if self.class(*l) == Class::Shared {
                    let lit = self.lit(*l);
                    f = self.formulas.or(f, lit);
                }
            }
        }
        f
    }

    /// The current clause contains `not l`, the antecedent `l`.
    fn resolve(&mut self, current: FId, antecedent: FId, l: Lit) -> FId {
        match (self.class(l), self.world.labelling) {
            (Class::ALocal, _) => self.formulas.or(current, antecedent),
            (Class::BLocal, _) | (Class::Shared, Labelling::McMillan) => {
                self.formulas.and(current, antecedent)
            }
            (Class::Shared, Labelling::Symmetric) => {
                let (pos, neg) = (self.lit(l), self.lit(!l));
                let a = self.formulas.or(current, neg);
                let b = self.formulas.or(antecedent, pos);
                self.formulas.and(a, b)
            }
        }
    }

    fn in_a(&self, a: TId, b: TId) -> bool {
        let loc = self.world.bank.loc(a).meet(self.world.bank.loc(b));
        self.world.shape.below(self.world.owner(&loc), self.cut)
    }

    /// Leaf rule 1.
    fn cycle(&mut self, path: &[TId]) -> FId {
        let n = path.len();
        let end = |e: usize| path[(e + 1) % n];
        // Edge e joins path[e] and end(e); edge n-1 is the disequality.
        let in_a: Vec<bool> = (0..n).map(|e| self.in_a(path[e], end(e))).collect();
        let Some(start) = in_a.iter().position(|a| !*a) else {
            return Formulas::FALSE;
        };
        let mut f = Formulas::TRUE;
        let mut i = 1;
        while i < n {
            let e = (start + i) % n;
            i += 1;
            if !in_a[e] {
                continue;
            }
            let (from, mut last, mut holds_disequality) = (path[e], e, e == n - 1);
            while i < n && in_a[(start + i) % n] {
                last = (start + i) % n;
                holds_disequality |= last == n - 1;
                i += 1;
            }
            let eq = self.world.eq(from, end(last));
            let arc = self.lit(if holds_disequality { !eq } else { eq });
            f = self.formulas.and(f, arc);
        }
        f
    }

    /// Leaf rule 2.
    fn farkas(&mut self, cert: CertId) -> FId {
        let part = cert::part(self.world, cert, Side::Below(self.cut));
        let bound = Bound {
            lin: part.lin,
            strict: part.strict,
        };
        let l = self.world.atoms.bound(&self.world.bank, &bound);
        self.lit(l)
    }

    /// A literal; a constant if the bounds of floor terms decide it.
    fn lit(&mut self, l: Lit) -> FId {
        match line::decided(self.world, l) {
            Some(true) => Formulas::TRUE,
            Some(false) => Formulas::FALSE,
            None => self.formulas.lit(l),
        }
    }
}
