//! Lists and trees become integers computed by folds: tag, counts, sum.
//!
//! Papers: Kostyukov, Mordvinov, Fedyukovich, "Beyond the elementary representations of program
//! invariants over algebraic data types", PLDI 2021, for why formulas over constructors and
//! selectors are too weak; Govind V K, Shoham, Gurfinkel, "Solving constrained Horn clauses modulo algebraic
//! data types and recursive functions", POPL 2022, for invariants over such functions. Here the
//! functions are fixed, see [`vocabulary`].
//!
//! ```text
//! app(nil, y, y)                  ⇐ true                app(0, y₀, y₀)          ⇐ y₀ ≥ 0
//! app(cons(h, x), y, cons(h, z))  ⇐ app(x, y, z)    →   app(x₀+1, y₀, z₀+1)     ⇐ app(x₀, y₀, z₀) ∧ x₀ ≥ 0 ∧ …
//! ```
//!
//! The clauses below are an over-approximation ([`forward`]). The way back: in a proof, the i-th
//! component of a parameter is `fold_i(parameter)`, a recursive function whose definition is part of
//! the model; of a derivation only its clauses are kept, and the values are asked of a solver over
//! the clauses above. Where there are none the derivation is not lifted.
//!
//! Limits: nothing is said of the order of elements, nor of fields that are neither integers nor
//! recursive. The pass is off unless asked for, because the verdict is kept in one direction only.

mod forward;
mod vocabulary;

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation, Unsupported};
use foretell_systems::{ChcProof, ChcSystem, Derivation};
use foretell_terms::{Substitution, TermStore};

use crate::shared::facts::Fact;
use crate::shared::replay;
use forward::Origins;
pub(crate) use vocabulary::Sums;
use vocabulary::{Functions, Vocabulary, is_recursive};

/// The name of the pass.
const NAME: &str = "folds";

/// The pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folds {
    /// Which components there are.
    pub(crate) sums: Sums,
}

impl Pass for Folds {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = FoldsLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, FoldsLift), Halt> {
        let params = from.preds.iter().flat_map(|p| &p.params);
        let mut sorts = params.map(|&p| cx.terms.sort(p));
        if !sorts.any(|sort| is_recursive(cx.terms, sort)) {
            let words = "folds where no argument is recursive";
            return Err(Halt::Unsupported(Unsupported(words.into())));
        }
        let (to, origins) = forward::folded(from, self.sums, cx.terms);
        let lift = FoldsLift {
            system: from.clone(),
            origins,
            sums: self.sums,
        };
        Ok((to, lift))
    }
}

/// The way back.
pub(crate) struct FoldsLift {
    /// The system before.
    system: ChcSystem,
    /// What the parameters below are.
    origins: Origins,
    sums: Sums,
}

impl FoldsLift {
    /// The components as functions of the parameters.
    fn meaning(&self, terms: &TermStore) -> Substitution {
        let (mut words, mut functions) = (Vocabulary::new(terms, self.sums), Functions::default());
        let meanings = self.origins.iter().map(|(&below, &(above, component))| {
            let value = match component {
                Some(component) => functions.value(above, component, &mut words),
                None => above,
            };
            (below, value)
        });
        Substitution::from_pairs(meanings.collect::<Vec<_>>())
    }
}

/// Facts stay on their side: the words of one are not those of the other.
impl Translation for FoldsLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, _fact: Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        Vec::new()
    }

    fn down(&self, _fact: Fact, _cx: &Cx<'_>) -> Vec<Fact> {
        Vec::new()
    }
}

impl Lift for FoldsLift {
    fn proof(&self, proof: ChcProof, cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        let mut meaning = self.meaning(cx.terms);
        let formulas = proof.formulas.iter();
        Ok(ChcProof {
            formulas: formulas.map(|&f| meaning.apply(cx.terms, f)).collect(),
            // Auxiliary variables would need clauses that are the same above.
            witness: None,
        })
    }

    fn cex(&self, derivation: Derivation, cx: &Cx<'_>) -> Result<Derivation, Halt> {
        replay::natively(&self.system, derivation, NAME, cx)
    }
}
