//! Any Horn solver as an engine, by a command line.
//!
//! ```text
//! check(S)
//!   what it prints for the text of S, up to its first line `sat` or `unsat`
//!   sat, a model         a proof, which is checked like all others; its conjuncts are told as facts
//!   sat, a wrong model   unknown; its conjuncts are told: the others keep what they can prove of it
//!   sat without a model, unsat, anything else     unknown, with what it said
//! ```
//!
//! Which command that is, is the business of whoever makes the oracles. Limits: the refutations of
//! solvers have no common form, so an `unsat` is only reported.

use std::time::Duration;

use foretell_kernel::{Cx, Engine, Halt, Peers, Reason, Unsupported, Verdict};
use foretell_systems::{ChcProof, ChcSystem};
use foretell_terms::Term;

use crate::spell::Spelling;
use crate::{model, spell, verify};

/// Longest run when the budget has no end.
pub(crate) const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// Another Horn solver, whose models are witnesses to be checked like all others.
#[derive(Default)]
pub struct Other;

/// What a solver said.
enum Word<'o> {
    /// Safe, and what follows.
    Sat(&'o str),
    Unsat,
    Nothing,
}

/// The first line that is an answer; whatever stands before it is for people.
fn answer(output: &str) -> Word<'_> {
    let mut rest = output;
    loop {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        match line.trim() {
            "sat" => return Word::Sat(after),
            "unsat" => return Word::Unsat,
            "unknown" => return Word::Nothing,
            _ if after.is_empty() => return Word::Nothing,
            _ => rest = after,
        }
    }
}

impl Engine<ChcSystem> for Other {
    fn name(&self) -> &'static str {
        "other"
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
        let text = Spelling::new(system, cx.terms).horn();
        let patience = cx.budget.work_left().map_or(LONGEST, |w| w.patience());
        let limit = cx.budget.remaining().unwrap_or(LONGEST).min(patience);
        let output = cx.oracles.horn(&text, &[], limit)?;
        cx.budget.check()?;
        match answer(&output) {
            Word::Sat(rest) => judge(rest, system, peers, cx),
            Word::Unsat => unknown("the other solver says unsat, which cannot be checked"),
            Word::Nothing => unknown("no answer of the other solver"),
        }
    }
}

/// What becomes of a `sat` and the text after it.
pub(crate) fn judge(
    rest: &str,
    system: &ChcSystem,
    peers: &dyn Peers<ChcSystem>,
    cx: &Cx<'_>,
) -> Result<Verdict<ChcSystem>, Halt> {
    if rest.trim().is_empty() {
        return unknown("the other solver says sat, without a model");
    }
    match model::read(rest, system, cx.terms) {
        Some(proof) => judge_model(proof, system, peers, cx),
        None => unknown("the other solver says sat, with a model that cannot be read"),
    }
}

/// What becomes of a model.
pub(crate) fn judge_model(
    proof: ChcProof,
    system: &ChcSystem,
    peers: &dyn Peers<ChcSystem>,
    cx: &Cx<'_>,
) -> Result<Verdict<ChcSystem>, Halt> {
    tell(&proof, system, peers, cx);
    if verify::is_refuted(&proof, system, cx)? {
        return unknown("the other solver says sat, with a model that does not hold");
    }
    Ok(Verdict::Safe(proof))
}

/// Whether the clauses can be said in a text that every solver reads alike.
pub(crate) fn can_be_said(system: &ChcSystem, cx: &Cx<'_>) -> Result<(), Unsupported> {
    let roots: Vec<Term> = system.clauses.iter().map(|c| c.constraint).collect();
    if !cx.terms.functions(&roots).is_empty() {
        return Err(Unsupported("uninterpreted functions".into()));
    }
    match spell::is_taken(cx.terms) {
        true => Err(Unsupported("datatypes with names like R0, x0, goal".into())),
        false => Ok(()),
    }
}

/// Tells the conjuncts of a model; who hears them proves them before they are used.
fn tell(proof: &ChcProof, system: &ChcSystem, peers: &dyn Peers<ChcSystem>, cx: &Cx<'_>) {
    let formulas = system.pred_ids().zip(&proof.formulas);
    let facts = formulas.flat_map(|(pred, &formula)| {
        let conjuncts = cx.terms.conjuncts(formula).into_iter();
        conjuncts.map(move |conjunct| (pred, conjunct))
    });
    peers.tell(facts.collect(), cx);
}

fn unknown(words: &str) -> Result<Verdict<ChcSystem>, Halt> {
    Ok(Verdict::Unknown(Reason::SolverUnknown(words.into())))
}

#[cfg(test)]
mod tests {
    use super::{Word, answer};

    #[test]
    fn the_first_answer_counts() {
        let rest = |text| match answer(text) {
            Word::Sat(rest) => Some(rest.to_owned()),
            Word::Unsat | Word::Nothing => None,
        };
        assert_eq!(
            rest("warning: sat?\n sat \n(model)").as_deref(),
            Some("(model)")
        );
        assert_eq!(rest("sat").as_deref(), Some(""));
        assert_eq!(rest("unknown\nsat\n"), None);
        assert!(matches!(answer("hello\nunsat\nsat\n"), Word::Unsat));
        assert!(matches!(answer(""), Word::Nothing));
    }
}
