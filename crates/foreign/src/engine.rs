//! Z3's Spacer as an engine.
//!
//! Papers: Komuravelli, Gurfinkel, Chaki, "SMT-based model checking for recursive programs", CAV
//! 2014 (Spacer); Gurfinkel, Shoham, Vizel, "Quantifiers on demand", ATVA 2018 (its quantified
//! mode). Nothing of them is here: the solver runs in a process of its own, on a text, and what it
//! prints is read (see the crate's page for the steps).
//!
//! ```text
//! check(S)
//!   sat, a model M of S
//!     M has quantifiers: asked again with no predicate resolved away, for about as long; a model M'
//!     without quantifiers takes the place of M
//!   unsat: asked again in the dialect of rules, whose refutation is followed
//! ```
//!
//! A predicate that Z3 resolves away comes back as what its clauses derive, `∃`, and the checker may not
//! decide obligations with it (`swap2-dec-2-base3-safe`: not in 86 s, and in 0.05 s the other model, which Z3
//! finds just as fast).

use std::time::Duration;

use foretell_kernel::{Cx, Engine, Halt, Peers, Reason, Unsupported, Verdict, clock, options};
use foretell_systems::{ChcProof, ChcSystem, Derivation};

use crate::other::{LONGEST, can_be_said, judge, judge_model};
use crate::spell::Spelling;
use crate::{model, rebuild, refutation};

options! {
    /// Options of Z3's Spacer as an engine.
    pub struct SpacerOptions("spacer") {
        /// Whether its quantified mode runs, which finds invariants of arrays.
        quantified: bool = false;
    }
}

/// What the quantified mode is made of.
const QUANTIFIED: &[&str] = &[
    "fp.spacer.q3.use_qgen=true",
    "fp.spacer.ground_pobs=false",
    "fp.spacer.mbqi=false",
];

/// Without its own simplifications the refutation speaks of the clauses it was given.
const AS_GIVEN: &[&str] = &[
    "fp.engine=spacer",
    "fp.xform.slice=false",
    "fp.xform.inline_linear=false",
    "fp.xform.inline_eager=false",
];

/// The same for a model, where nothing but the formulas of resolved predicates stands in the way.
const UNRESOLVED: &[&str] = &[
    "fp.xform.inline_linear=false",
    "fp.xform.inline_eager=false",
];

/// For a plainer model so many times as long as for the first one, and this much at least.
const PATIENCE: u32 = 2;
const MOMENT: Duration = Duration::from_secs(1);

/// Z3's Horn solver, whose answers are witnesses to be checked like all others.
pub struct Spacer {
    options: SpacerOptions,
}

impl Spacer {
    /// The engine with these options.
    pub fn new(options: SpacerOptions) -> Spacer {
        Spacer { options }
    }

    /// What it prints for a text with these parameters beside its own, within this time.
    fn ask(
        &self,
        text: &str,
        parameters: &[&str],
        most: Duration,
        cx: &Cx<'_>,
    ) -> Result<String, Halt> {
        let own = if self.options.quantified {
            QUANTIFIED
        } else {
            &[]
        };
        let given = own.iter().chain(parameters).map(|&p| p.to_owned());
        // Its own count of work first, the clock behind it.
        let work = cx.budget.work_left();
        let counted = work.map(|w| format!("rlimit={}", w.0.clamp(1, u64::from(u32::MAX))));
        let parameters: Vec<String> = given.chain(counted).collect();
        let patience = work.map_or(most, |w| w.patience().min(most));
        let limit = cx.budget.remaining().unwrap_or(LONGEST).min(patience);
        let output = cx.oracles.horn(text, &parameters, limit)?;
        cx.budget.check()?;
        Ok(output)
    }
}

/// The first word of an output, and what follows its line.
fn said(output: &str) -> (&str, &str) {
    let (word, rest) = output.trim_start().split_once('\n').unwrap_or(("", ""));
    (word.trim(), rest)
}

impl Engine<ChcSystem> for Spacer {
    fn name(&self) -> &'static str {
        "spacer"
    }

    fn accepts(&self, system: &ChcSystem, cx: &Cx<'_>) -> Result<(), Unsupported> {
        can_be_said(system, cx)
    }

    fn check(
        &mut self,
        system: &ChcSystem,
        peers: &dyn Peers<ChcSystem>,
        cx: &Cx<'_>,
    ) -> Result<Verdict<ChcSystem>, Halt> {
        let spelling = Spelling::new(system, cx.terms);
        let (text, started) = (spelling.horn(), clock::now());
        let output = self.ask(&text, &[], LONGEST, cx)?;
        let (word, rest) = said(&output);
        let unknown = |words: &str| Ok(Verdict::Unknown(Reason::SolverUnknown(words.into())));
        match word {
            "sat" => match model::read(rest, system, cx.terms) {
                Some(proof) => {
                    let most = (clock::since(started) * PATIENCE).max(MOMENT);
                    let proof = self.plainest(proof, &text, most, system, cx)?;
                    judge_model(proof, system, peers, cx)
                }
                None => judge(rest, system, peers, cx),
            },
            "unsat" => match self.derivation(&spelling, system, cx)? {
                Some(derivation) => Ok(Verdict::Unsafe(derivation)),
                None => unknown("a refutation that cannot be followed"),
            },
            _ => unknown("no answer of the other solver"),
        }
    }
}

impl Spacer {
    /// The model, or one with nothing resolved away if the model has quantifiers and the other one has not.
    fn plainest(
        &self,
        proof: ChcProof,
        text: &str,
        most: Duration,
        system: &ChcSystem,
        cx: &Cx<'_>,
    ) -> Result<ChcProof, Halt> {
        let has_quantifier = |p: &ChcProof| p.formulas.iter().any(|&f| cx.terms.has_quantifier(f));
        if self.options.quantified || !has_quantifier(&proof) {
            return Ok(proof);
        }
        let output = self.ask(text, UNRESOLVED, most, cx)?;
        let (word, rest) = said(&output);
        let other = (word == "sat").then(|| model::read(rest, system, cx.terms));
        let plain = other.flatten().filter(|other| !has_quantifier(other));
        Ok(plain.unwrap_or(proof))
    }

    fn derivation(
        &self,
        spelling: &Spelling<'_>,
        system: &ChcSystem,
        cx: &Cx<'_>,
    ) -> Result<Option<Derivation>, Halt> {
        let output = self.ask(&spelling.rules(), AS_GIVEN, LONGEST, cx)?;
        let (word, rest) = said(&output);
        // The rules dialect says `sat` for a goal that can be derived.
        let facts = (word == "sat").then(|| refutation::read(rest, system, cx.terms));
        match facts.flatten() {
            Some(facts) => rebuild::derivation(&facts, system, cx),
            None => Ok(None),
        }
    }
}
