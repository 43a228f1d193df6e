//! Candidate invariants, sought before an engine starts.
//!
//! ```text
//! candidates(S) within some work     a proof: done
//!                                    else what it told: facts, to be proved and assumed
//! ```
//!
//! For problems that no other worker speaks about in the same words, such as lists that became
//! numbers: what others find does not come down there, so the worker looks for itself.

use std::cell::RefCell;

use foretell_engines::{Candidates, CandidatesOptions};
use foretell_kernel::{Cx, Engine, Halt, Peers, Verdict, Work};
use foretell_systems::{ChcProof, ChcSystem, Pred};
use foretell_terms::Term;

/// What the search may take.
const WORK: Work = Work::of_millis(2000);

/// What was found.
pub(crate) enum Found {
    /// The whole proof.
    Proof(ChcProof),
    /// What is worth looking at.
    Facts(Vec<(Pred, Term)>),
}

/// Looks for candidate invariants.
///
/// # Errors
/// When the run is over.
pub(crate) fn seek(system: &ChcSystem, cx: &Cx<'_>) -> Result<Found, Halt> {
    let told = Told::default();
    let mut engine = Candidates::new(CandidatesOptions::default());
    let verdict = cx.within(WORK, |cx| engine.check(system, &told, cx))?;
    Ok(match verdict {
        Some(Verdict::Safe(proof)) => Found::Proof(proof),
        _ => Found::Facts(told.facts.into_inner()),
    })
}

/// Keeps what it is told.
#[derive(Default)]
struct Told {
    facts: RefCell<Vec<(Pred, Term)>>,
}

impl Peers<ChcSystem> for Told {
    fn tell(&self, facts: Vec<(Pred, Term)>, _cx: &Cx<'_>) {
        self.facts.borrow_mut().extend(facts);
    }

    fn hear(&self, _cx: &Cx<'_>) -> Vec<(Pred, Term)> {
        Vec::new()
    }
}
