//! Facts of the theories: what was found out, and what an earlier query found out, proved anew.
//!
//! ```text
//! recall(lemma, k)    the literals of the instance at time k contradict each other: so says their theory, asked alone
//! ```

use super::Refuter;
use crate::arith::integers::{self, IntLimits, Integrality};
use crate::arith::theory::Arith;
use crate::data::atoms::{Atom, Lit};
use crate::data::bank::TermBank;
use crate::euf::closure::Closure;
use crate::proof::StepId;
use crate::reuse::{Directory, Fact, Known, Schema};

/// Limits for proving a lemma anew: it was proved before, and has few literals.
const INTS: IntLimits = IntLimits { cuts: 4, depth: 2 };

impl Refuter {
    /// The theory lemmas of this search that later ones may use, with the steps that prove them.
    pub(crate) fn facts(&self) -> &[(StepId, Fact)] {
        &self.known.facts
    }

    /// Adds the instance of a lemma at a time, if all its literals are in the search and its theory
    /// proves it.
    pub(crate) fn recall(
        &mut self,
        lemma: &Schema,
        directory: &Directory,
        shift: u32,
    ) -> Option<StepId> {
        let Refuter {
            world,
            sat,
            closure,
            ..
        } = self;
        let known = Known {
            lit: &|l| sat.is_active(l.atom()),
            term: &|t| closure.knows(t),
        };
        match lemma.instance(world, directory, shift, known)? {
            Fact::Split(a, b) => self.trichotomy(a, b),
            Fact::Arithmetic(lits) => self.recall_arithmetic(&lits),
            Fact::Congruence(lits) => self.recall_congruence(&lits),
        }
    }

    fn recall_arithmetic(&mut self, lits: &[Lit]) -> Option<StepId> {
        let mut arith = Arith::default();
        let found = lits
            .iter()
            .find_map(|l| arith.assert(&mut self.world, *l).err());
        let found = found.or_else(|| arith.check(&mut self.world).err());
        let cert = match found {
            Some(cert) => cert,
            None => match integers::check(&mut arith, &mut self.world, INTS) {
                Integrality::Refuted(cert) => cert,
                Integrality::Branch(_) | Integrality::Solved => return None,
            },
        };
        Some(self.arith_conflict(cert))
    }

    fn recall_congruence(&mut self, lits: &[Lit]) -> Option<StepId> {
        let mut closure = Closure::default();
        closure.register(&self.world.bank, TermBank::TRUE);
        closure.register(&self.world.bank, TermBank::FALSE);
        for l in lits {
            if let Atom::Eq(a, b) = self.world.atoms.get(l.atom()) {
                closure.register(&self.world.bank, *a);
                closure.register(&self.world.bank, *b);
            }
        }
        let conflict = lits
            .iter()
            .find_map(|l| closure.assert(&self.world.atoms, *l).err())?;
        Some(self.congruence_conflict(conflict))
    }
}
