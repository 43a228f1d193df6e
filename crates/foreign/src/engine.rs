//! Z3's Spacer as an engine.
//!
//! Papers: Komuravelli, Gurfinkel, Chaki, "SMT-based model checking for recursive programs", CAV
//! 2014 (Spacer); Gurfinkel, Shoham, Vizel, "Quantifiers on demand", ATVA 2018 (its quantified
//! mode). Nothing of them is here: the solver runs in a process of its own, on a text, and what it
//! prints is read (see the crate's page for the steps).

use foretell_kernel::{Cx, Engine, Halt, Peers, Reason, Unsupported, Verdict, options};
use foretell_systems::{ChcSystem, Derivation};

use crate::other::{LONGEST, can_be_said, judge};
use crate::spell::Spelling;
use crate::{rebuild, refutation};

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

/// Z3's Horn solver, whose answers are witnesses to be checked like all others.
pub struct Spacer {
    options: SpacerOptions,
}

impl Spacer {
    /// The engine with these options.
    pub fn new(options: SpacerOptions) -> Spacer {
        Spacer { options }
    }

    /// What it prints for a text with these parameters beside its own.
    fn ask(&self, text: &str, parameters: &[&str], cx: &Cx<'_>) -> Result<String, Halt> {
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
        let patience = work.map_or(LONGEST, |w| w.patience());
        let limit = cx.budget.remaining().unwrap_or(LONGEST).min(patience);
        let output = cx.oracles.horn(text, &parameters, limit)?;
        cx.budget.check()?;
        Ok(output)
    }
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
        let output = self.ask(&spelling.horn(), &[], cx)?;
        let (word, rest) = output.trim_start().split_once('\n').unwrap_or(("", ""));
        let unknown = |words: &str| Ok(Verdict::Unknown(Reason::SolverUnknown(words.into())));
        match word.trim() {
            "sat" => judge(rest, system, peers, cx),
            "unsat" => match self.derivation(&spelling, system, cx)? {
                Some(derivation) => Ok(Verdict::Unsafe(derivation)),
                None => unknown("a refutation that cannot be followed"),
            },
            _ => unknown("no answer of the other solver"),
        }
    }
}

impl Spacer {
    fn derivation(
        &self,
        spelling: &Spelling<'_>,
        system: &ChcSystem,
        cx: &Cx<'_>,
    ) -> Result<Option<Derivation>, Halt> {
        let output = self.ask(&spelling.rules(), AS_GIVEN, cx)?;
        let (word, rest) = output.trim_start().split_once('\n').unwrap_or(("", ""));
        // The rules dialect says `sat` for a goal that can be derived.
        let facts = (word.trim() == "sat").then(|| refutation::read(rest, system, cx.terms));
        match facts.flatten() {
            Some(facts) => rebuild::derivation(&facts, system, cx),
            None => Ok(None),
        }
    }
}
