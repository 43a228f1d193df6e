//! Words become integers.
//!
//! ```text
//! p(x + 1) ⇐ p(x) ∧ x <ₛ n   →   p(x + 1) ⇐ p(x) ∧ x < n ∧ min ≤ x ≤ max ∧ min ≤ n ≤ max
//! p(x + 1) ⇐ p(x)            →   p(ite(x + 1 ≤ max, x + 1, x + 1 − 2³²)) ⇐ p(x) ∧ min ≤ x ≤ max
//! ```
//!
//! `BitVec w` becomes Int, with the signed value. Programs over words are mostly integer programs: what
//! integer engines know (hulls, templates, interpolants that are inequalities) is of use for them, and
//! queries cost no bits. The relative is Backeman, Rümmer, Zeljić, "Bit-vector interpolation and
//! quantifier elimination by lazy reduction", FMCAD 2018: their prover reduces words to bounded
//! integers lazily, inside one query; here the clauses are translated once, before any engine.
//!
//! * [`forward`], [`words`]: clauses to integers. A sum is gathered and brought into range once, where
//!   its value matters, and only as far as intervals ([`bounds`]) say that it may leave it.
//! * [`back`], [`wide`]: formulas to words, each atom at a width at which nothing wraps.
//! * [`value`]: derivations; integers modulo `2^w`, and replayed.
//!
//! [`Flavour::Exact`] keeps the verdict. [`Flavour::Ideal`] leaves wrapping out, which is wrong and often
//! does not matter: its proofs are candidates, of which [`check`] keeps what is inductive over words, and
//! its derivations are replayed; if that fails, only their clauses count and a solver finds the values.
//!
//! Limits: operators without an image ([`words`]) make the pass refuse, so that the turn goes to
//! others; so do quantifiers about words, and functions and datatypes of words. A system without words
//! stays as it is.

mod back;
mod bounds;
mod check;
mod forward;
mod interval;
mod value;
mod wide;
mod words;

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation, Unsupported};
use foretell_systems::{ChcProof, ChcSystem, Derivation};
use foretell_terms::{Term, TermMap, TermSet};

use crate::shared::facts::Fact;
use crate::shared::replay;
use back::{Back, Reading};
use forward::{Exactness, Translated};

/// The name of the pass.
const NAME: &str = "integers";

/// Which integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flavour {
    /// Those that words are, which wrap around.
    Exact,
    /// Those that never wrap around.
    Ideal,
}

/// The pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Integers {
    /// Which integers words become.
    pub(crate) flavour: Flavour,
}

impl Pass for Integers {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = IntegersLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, IntegersLift), Halt> {
        let translated = match forward::mentions_words(from, cx.terms) {
            true => forward::translate(from, self.flavour, cx.terms),
            false => Some(Translated::unchanged(from)),
        };
        cx.budget.check()?;
        let refused = || Unsupported("operators on single bits, words as integers".into());
        let Translated {
            system,
            originals,
            exactness,
        } = translated.ok_or_else(|| Halt::Unsupported(refused()))?;
        let lift = IntegersLift {
            system: from.clone(),
            originals,
            exactness,
            flavour: self.flavour,
        };
        Ok((system, lift))
    }
}

/// The way back.
pub(crate) struct IntegersLift {
    /// The system before.
    system: ChcSystem,
    /// Each new variable with the one it replaces.
    originals: TermMap<Term>,
    exactness: Exactness,
    flavour: Flavour,
}

impl IntegersLift {
    /// Whether no variable became another one.
    fn is_identity(&self) -> bool {
        self.originals.is_empty()
    }

    fn back<'a>(&self, reading: Reading, cx: &Cx<'a>) -> Back<'a> {
        Back::new(&self.originals, reading, cx.terms)
    }
}

impl Translation for IntegersLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, (pred, formula): Fact, cx: &Cx<'_>) -> Vec<Fact> {
        if self.is_identity() {
            return vec![(pred, formula)];
        }
        let said = self.back(Reading::Extended, cx).conjuncts(formula);
        let above = cx.terms.and(said);
        let says_something = !cx.terms.is_true(above);
        says_something
            .then_some((pred, above))
            .into_iter()
            .collect()
    }

    fn down(&self, (pred, formula): Fact, cx: &Cx<'_>) -> Vec<Fact> {
        if self.is_identity() {
            return vec![(pred, formula)];
        }
        let below = forward::formula(&self.originals, self.flavour, formula, cx.terms);
        below.map(|formula| (pred, formula)).into_iter().collect()
    }
}

impl Lift for IntegersLift {
    fn proof(&self, proof: ChcProof, cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        if self.is_identity() {
            return Ok(proof);
        }
        let mut extended = self.back(Reading::Extended, cx);
        let formulas = proof.formulas.iter();
        let mut said: Vec<TermSet> = formulas
            .map(|&f| extended.conjuncts(f).into_iter().collect())
            .collect();
        let exact = [self.exactness, extended.exactness];
        let formulas = if exact.contains(&Exactness::Candidate) {
            if self.flavour == Flavour::Ideal {
                let mut modular = self.back(Reading::Modular, cx);
                for (all, &formula) in said.iter_mut().zip(&proof.formulas) {
                    all.extend(modular.conjuncts(formula));
                }
            }
            let proved = check::inductive(&self.system, said, cx)?;
            proved.ok_or(Halt::NotLifted(NAME))?
        } else {
            said.into_iter().map(|all| cx.terms.and(all)).collect()
        };
        Ok(ChcProof {
            formulas,
            // Auxiliary variables are integers, whatever they remember.
            witness: None,
        })
    }

    fn cex(&self, derivation: Derivation, cx: &Cx<'_>) -> Result<Derivation, Halt> {
        if self.is_identity() {
            return Ok(derivation);
        }
        let shape = derivation.clone();
        let words = value::derivation(&self.originals, &self.system, derivation, cx.terms);
        let words = words.ok_or(Halt::NotLifted(NAME))?;
        let complete = replay::complete(&self.system, words, NAME, cx)?;
        if self.exactness == Exactness::Exact || replay::holds(&self.system, &complete, cx) {
            return Ok(complete);
        }
        replay::natively(&self.system, shape, NAME, cx)
    }
}

#[cfg(test)]
mod tests;
