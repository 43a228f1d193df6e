//! Convergence: from a bounded proof to an inductive one.
//!
//! Two ways, tried after each bound. *Propagation*: lemmas move up a level where they still hold; a
//! level that loses all its own lemmas is closed under the rules. *Houdini*: the greatest subset of all
//! lemmas that is closed under the rules, whatever their levels (McMillan, CAV 2010).

use foretell_kernel::{Cx, Halt, Model};
use foretell_systems::{ChcProof, Pred};
use foretell_terms::{Term, TermStore};

use super::Heads;
use super::annotation::Annotation;
use super::rules::{Assumed, Found, Rules};

/// Raises lemmas; the proof of a closed level, if there is one.
///
/// Requires: α(·, bound) excludes `false`. Then so does α at every level below it.
pub(super) fn propagate(
    annotation: &mut Annotation,
    heads: &mut Heads,
    bound: u32,
    cx: &Cx<'_>,
) -> Result<Option<ChcProof>, Halt> {
    for level in 1..=bound {
        for pred in annotation.preds() {
            for number in 0..annotation.of(pred).len() {
                let lemma = &annotation.of(pred)[number];
                if lemma.level != level {
                    continue;
                }
                let claim = (pred, lemma.formula);
                if heads
                    .of(Some(pred))
                    .implies(annotation, claim, level + 1, cx)?
                {
                    annotation.raise(pred, number, level + 1);
                }
            }
        }
        if annotation.is_closed_at(level) {
            let formulas = annotation
                .preds()
                .map(|p| annotation.formula(p, level, cx.terms))
                .collect();
            return Ok(Some(ChcProof {
                formulas,
                witness: None,
            }));
        }
    }
    Ok(None)
}

/// The greatest inductive subset of the lemmas, if it excludes `false`.
pub(super) fn houdini(
    annotation: &Annotation,
    heads: &mut Heads,
    cx: &Cx<'_>,
) -> Result<Option<ChcProof>, Halt> {
    let mut kept: Vec<Vec<usize>> = annotation
        .preds()
        .map(|p| (0..annotation.of(p).len()).collect())
        .collect();
    loop {
        if !excludes_false(annotation, heads, &kept, cx)? {
            return Ok(None);
        }
        let mut changed = Change::None;
        for pred in annotation.preds() {
            while let Some(left) = dropped(annotation, heads, pred, &kept, cx)? {
                kept[pred.index()] = left;
                changed = Change::Some;
            }
        }
        if changed == Change::None {
            let formula = |p: Pred| conjunction(annotation, p, &kept[p.index()], cx.terms);
            return Ok(Some(ChcProof {
                formulas: annotation.preds().map(formula).collect(),
                witness: None,
            }));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    None,
    Some,
}

fn excludes_false(
    annotation: &Annotation,
    heads: &mut Heads,
    kept: &[Vec<usize>],
    cx: &Cx<'_>,
) -> Result<bool, Halt> {
    let found = heads
        .of(None)
        .query(annotation, &Assumed::Numbers(kept), &[], |_, _| (), cx)?;
    Ok(matches!(found, Found::Unsat(_)))
}

/// The lemmas of a predicate that survive a counterexample to induction; `None` when there is none.
/// An undecided query drops them all.
fn dropped(
    annotation: &Annotation,
    heads: &mut Heads,
    pred: Pred,
    kept: &[Vec<usize>],
    cx: &Cx<'_>,
) -> Result<Option<Vec<usize>>, Halt> {
    let mine = &kept[pred.index()];
    if mine.is_empty() {
        return Ok(None);
    }
    let goal = cx.terms.not(conjunction(annotation, pred, mine, cx.terms));
    let survivors = |_: &Rules, model: &dyn Model| -> Vec<usize> {
        let holds =
            |n: &usize| model.holds(cx.terms, annotation.of(pred)[*n].formula) == Some(true);
        mine.iter().copied().filter(holds).collect()
    };
    let assumed = Assumed::Numbers(kept);
    match heads
        .of(Some(pred))
        .query(annotation, &assumed, &[goal], survivors, cx)?
    {
        Found::Unsat(_) => Ok(None),
        Found::Sat(left) if left.len() < mine.len() => Ok(Some(left)),
        Found::Sat(_) | Found::Unknown(_) => Ok(Some(Vec::new())),
    }
}

fn conjunction(annotation: &Annotation, pred: Pred, numbers: &[usize], terms: &TermStore) -> Term {
    terms.and(numbers.iter().map(|&n| annotation.of(pred)[n].formula))
}
