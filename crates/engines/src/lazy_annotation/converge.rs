//! Convergence: from a bounded proof to an inductive one.
//!
//! Two ways, tried after each bound, and a third during the search. *Propagation*: lemmas move up a level where they still hold; a
//! level that loses all its own lemmas is closed under the rules. *Houdini*: the greatest subset of all
//! lemmas that is closed under the rules, whatever their levels (McMillan, CAV 2010). *Eagerly*: when the
//! search comes back to a predicate, its lemmas of the level below are tried (McMillan, CAV 2014, §4).
//!
//! Covering (LAWI) needs no rule of its own here. A lemma of level i is covered when α(P, i+1) implies it;
//! F_{P,i+1} implies α(P, i+1), so propagation raises every covered lemma, and more. A level all of whose
//! lemmas are covered is closed.

use foretell_kernel::{Cx, Halt, Model};
use foretell_systems::{ChcProof, Pred};
use foretell_terms::{Term, TermStore};

use super::Heads;
use super::annotation::Annotation;
use super::rules::{Asked, Assumed, Found, Query, Rules};

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

/// Whether lemmas were raised.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Raised {
    None,
    Some,
}

/// Raises lemmas of a predicate to a level the search came back to; each is tried there once.
pub(super) fn eagerly(
    annotation: &mut Annotation,
    heads: &mut Heads,
    (pred, level): (Pred, u32),
    cx: &Cx<'_>,
) -> Result<Raised, Halt> {
    let mut raised = Raised::None;
    for number in annotation.take_untried(pred, level) {
        let claim = (pred, annotation.of(pred)[number].formula);
        if heads.of(Some(pred)).implies(annotation, claim, level, cx)? {
            annotation.raise(pred, number, level);
            raised = Raised::Some;
        }
    }
    Ok(raised)
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
    let query = Query::new(Assumed::Numbers(kept), &[]);
    let found = heads
        .of(None)
        .query(annotation, &query, Asked::Incremental, |_, _| (), cx)?;
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
    let goal = [cx.terms.not(conjunction(annotation, pred, mine, cx.terms))];
    let survivors = |_: &Rules, model: &dyn Model| -> Vec<usize> {
        let holds =
            |n: &usize| model.holds(cx.terms, annotation.of(pred)[*n].formula) == Some(true);
        mine.iter().copied().filter(holds).collect()
    };
    let query = Query::new(Assumed::Numbers(kept), &goal);
    match heads
        .of(Some(pred))
        .query(annotation, &query, Asked::Incremental, survivors, cx)?
    {
        Found::Unsat(_) => Ok(None),
        Found::Sat(left) if left.len() < mine.len() => Ok(Some(left)),
        Found::Sat(_) | Found::Unknown(_) => Ok(Some(Vec::new())),
    }
}

fn conjunction(annotation: &Annotation, pred: Pred, numbers: &[usize], terms: &TermStore) -> Term {
    terms.and(numbers.iter().map(|&n| annotation.of(pred)[n].formula))
}
