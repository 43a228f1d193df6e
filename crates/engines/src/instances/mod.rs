//! Parameterised systems: proofs found on instances with few elements, and proved for any number.
//!
//! Papers: Goel, Sakallah, "On symmetry and quantification: a new approach to verify distributed
//! protocols", NFM 2021 (IC3PO), for lemmas of an instance that are read with quantifiers; Karbyshev,
//! Bjørner, Itzhaky, Rinetzky, Shoham, "Property-directed inference of universal invariants or proving their
//! absence", CAV 2015 (UPDR), for states as diagrams.
//!
//! ```text
//! check(I, T, P)                                                         // fn check
//!   schemes of few literals that samples lack and that are inductive        // conjecture.rs
//!     do they prove P with one element more, and for any number?  return Safe
//!   for n = smallest …: every uninterpreted sort has n elements
//!     ground: arrays and functions over them are Boolean cells             // ground.rs
//!     IC3 over cells, beside those schemes; a state that cannot be reached becomes a scheme      // search.rs, scheme.rs
//!       ∀x̄ different: not all of its literals
//!     literals go, variables may be equal, occurrences get variables of their own,
//!       while the scheme with all its instances stays inductive relative to the frame
//!     at a fixpoint: what the property needs of the schemes
//!       inductive with n + 1 elements, and for any number?  return Safe     // fn keeps, fn general
//!     a counterexample of the instance ends the search: others show it
//! ```
//!
//! Deviations: lemmas are universal only, and are generalised over the frame by queries instead of being
//! read off their orbits; no counterexample is given. What is proved of an instance is never believed: the
//! invariant must be inductive as a quantified formula, and is checked on the original text.
//!
//! Limits: states, inputs and functions are made of truth values, elements, and arrays from elements to these;
//! quantifiers range over elements. Invariants that need an existential quantifier are not found.

mod conjecture;
mod goals;
mod ground;
mod houdini;
mod samples;
mod scheme;
mod search;
mod shapes;

use foretell_kernel::{
    Answer, Cx, Engine, Event, Halt, Peers, Reason, SolverConfig, Unsupported, Verdict, Work,
};
use foretell_systems::{Invariant, TransitionSystem};
use foretell_terms::{Op, SortKind, Substitution, Term};

use conjecture::Reach;
use ground::Ground;
use scheme::Scheme;
use search::{Found, Search};
use shapes::Extent;

foretell_kernel::options! {
    /// Options of the search on small instances.
    pub struct InstancesOptions("instances") {
        /// The number of elements of each sort to begin with.
        smallest: u32 = 2, 1..=8;
        /// The number of elements to end with.
        largest: u32 = 4, 1..=8;
        /// Instances with more cells are not tried.
        cells: usize = 5_000, 1..=1_000_000;
        /// The number of elements of each sort for which schemes are conjectured; 0: none are.
        conjectured: u32 = 3, 0..=8;
        /// The most literals of a conjectured scheme.
        literals: usize = 2, 1..=4;
        /// The most variables of a conjectured scheme.
        variables: usize = 5, 1..=8;
        /// The number of states to conjecture from.
        samples: usize = 256, 1..=100_000;
        /// More conjectured schemes at a time are not tried.
        schemes: usize = 4_000, 1..=100_000;
        /// What conjectures may take.
        conjecture_ms: u64 = 10_000, 1..=10_000_000;
        /// What one question about any number of elements may take.
        query_ms: u64 = 3_000, 1..=10_000_000;
    }
}

/// The engine.
#[derive(Default)]
pub struct Instances {
    options: InstancesOptions,
}

impl Instances {
    /// The engine with these options.
    pub fn new(options: InstancesOptions) -> Instances {
        Instances { options }
    }

    /// An invariant by conjecture.
    fn conjecture(&self, system: &TransitionSystem, cx: &Cx<'_>) -> Result<Conjecture, Halt> {
        let mut size = self.options.conjectured as usize;
        if size == 0 {
            return Ok(Conjecture::Schemes(Vec::new()));
        }
        let reach = Reach {
            samples: self.options.samples,
            extent: Extent {
                literals: self.options.literals,
                variables: self.options.variables,
            },
            schemes: self.options.schemes,
        };
        let mut ground = Ground::new(system, size, cx).map_err(Halt::Unsupported)?;
        let larger = Ground::new(system, size + 1, cx).map_err(Halt::Unsupported)?;
        if larger.bits.len() > self.options.cells {
            return Ok(Conjecture::Schemes(Vec::new()));
        }
        let mut found = conjecture::conjectured(system.property, [&ground, &larger], &reach, cx)?;
        let largest = (size + 1).max(self.options.largest as usize);
        let Some(mut proof) = found.proof.take() else {
            return Ok(Conjecture::Schemes(found.kept));
        };
        while size < largest {
            size += 1;
            ground = Ground::new(system, size, cx).map_err(Halt::Unsupported)?;
            if ground.bits.len() > self.options.cells {
                break;
            }
            // What proved it with fewer elements will often do.
            let mut again = conjecture::again(&ground, &proof, cx)?;
            if again.proof.is_none() {
                again = conjecture::again(&ground, &found.kept, cx)?;
                found.kept = again.kept;
            }
            let Some(schemes) = again.proof else {
                break;
            };
            let lemmas = schemes.iter().map(|s| s.formula(&ground, cx.terms));
            let lemmas: Vec<Term> = lemmas.collect();
            let all = lemmas.iter().copied().chain([system.property]);
            match self.general(system, &lemmas, cx)? {
                General::Yes | General::Undecided => {
                    return Ok(Conjecture::Proof(cx.terms.and(all)));
                }
                General::No => proof = schemes,
            }
        }
        Ok(Conjecture::Schemes(found.kept))
    }

    /// Whether lemmas are inductive together with the property, for any number of elements.
    fn general(
        &self,
        system: &TransitionSystem,
        lemmas: &[Term],
        cx: &Cx<'_>,
    ) -> Result<General, Halt> {
        let terms = cx.terms;
        let all = terms.and(lemmas.iter().copied().chain([system.property]));
        let limit = Work::of_millis(self.options.query_ms);
        let follows = |assumed: &[Term], goal: Term| {
            let config = SolverConfig::new("instances-general").with_limit(limit);
            let mut solver = cx.oracles.solver(&config);
            for &formula in assumed {
                solver.assert(terms, formula)?;
            }
            solver.assert(terms, terms.not(opened(goal, cx)))?;
            Ok::<General, Halt>(match solver.check(&[], cx)? {
                Answer::Unsat(_) => General::Yes,
                Answer::Sat(_) => General::No,
                Answer::Unknown(_) => General::Undecided,
            })
        };
        let mut next = system.priming();
        let mut result = General::Yes;
        for &lemma in lemmas.iter().chain([&system.property]) {
            let stays = next.apply(terms, lemma);
            for found in [
                follows(&[system.init], lemma)?,
                follows(&[all, system.trans], stays)?,
            ] {
                match found {
                    General::Yes => {}
                    General::No => return Ok(General::No),
                    General::Undecided => result = General::Undecided,
                }
            }
        }
        Ok(result)
    }
}

/// What came of conjectures.
enum Conjecture {
    /// An invariant.
    Proof(Term),
    /// Schemes that an instance has for invariants.
    Schemes(Vec<Scheme>),
}

/// Whether lemmas of an instance hold for any number of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum General {
    Yes,
    No,
    /// The check of the proof may know.
    Undecided,
}

/// A universal goal with fresh symbols for its variables.
fn opened(goal: Term, cx: &Cx<'_>) -> Term {
    let terms = cx.terms;
    let mut parts = terms.conjuncts(goal);
    for part in &mut parts {
        while *terms.op(*part) == Op::Forall {
            let Some((body, vars)) = terms.args(*part).split_last() else {
                break;
            };
            let fresh = vars
                .iter()
                .map(|&v| (v, terms.fresh("some", terms.sort(v))));
            *part = Substitution::from_pairs(fresh.collect::<Vec<_>>()).apply(terms, *body);
        }
    }
    terms.and(parts)
}

impl Engine<TransitionSystem> for Instances {
    fn name(&self) -> &'static str {
        "instances"
    }

    fn accepts(&self, system: &TransitionSystem, cx: &Cx<'_>) -> Result<(), Unsupported> {
        let roots = [system.init, system.trans, system.property];
        let is_element = |t: Term| {
            let sort = cx.terms.sort(t);
            matches!(cx.terms.kind(sort), SortKind::Uninterpreted(_))
        };
        let subterms = cx.terms.subterms(&roots);
        match subterms.into_iter().any(is_element) {
            true => Ok(()),
            false => Err(Unsupported("instances without elements".into())),
        }
    }

    fn check(
        &mut self,
        system: &TransitionSystem,
        _peers: &dyn Peers<TransitionSystem>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<TransitionSystem>, Halt> {
        self.accepts(system, cx).map_err(Halt::Unsupported)?;
        let limit = Work::of_millis(self.options.conjecture_ms);
        let kept = match cx.within(limit, |cx| self.conjecture(system, cx))? {
            Some(Conjecture::Proof(formula)) => return Ok(Verdict::Safe(proof(formula))),
            Some(Conjecture::Schemes(kept)) => kept,
            None => Vec::new(),
        };
        let mut size = self.options.smallest as usize;
        let mut ground = Ground::new(system, size, cx).map_err(Halt::Unsupported)?;
        let mut undecided = None;
        while size <= self.options.largest as usize && ground.bits.len() <= self.options.cells {
            let words = format!("{size} elements, {} cells", ground.bits.len());
            cx.events.emit(Event::Note(&words));
            let mut search = Search::new(&ground, cx)?;
            search.assume(&kept)?;
            let schemes = match search.run()? {
                Found::Schemes(schemes) => schemes,
                Found::Violation => {
                    let words = format!("the instance with {size} elements is unsafe");
                    return Ok(Verdict::Unknown(Reason::Exhausted(words)));
                }
                Found::Undecided(words) => {
                    return Ok(Verdict::Unknown(Reason::SolverUnknown(words)));
                }
            };
            let lemmas = schemes.iter().map(|s| s.formula(&ground, cx.terms));
            let lemmas: Vec<Term> = lemmas.collect();
            size += 1;
            ground = Ground::new(system, size, cx).map_err(Halt::Unsupported)?;
            if !Search::new(&ground, cx)?.keeps(&schemes)? {
                continue;
            }
            let found = self.general(system, &lemmas, cx)?;
            let all = cx.terms.and(lemmas.into_iter().chain([system.property]));
            match found {
                General::Yes => return Ok(Verdict::Safe(proof(all))),
                General::Undecided => undecided = Some(all),
                General::No => {}
            }
        }
        Ok(match undecided {
            Some(formula) => Verdict::Safe(proof(formula)),
            None => {
                let words = "no instance showed an invariant for all".into();
                Verdict::Unknown(Reason::Exhausted(words))
            }
        })
    }
}

/// An invariant of one step.
fn proof(formula: Term) -> Invariant {
    Invariant {
        formula,
        k: 1,
        auxiliaries: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
