//! Convergence: from a bounded proof to an inductive one.
//!
//! Two ways, tried after each bound, and a third during the search. *Propagation*: lemmas move up a level
//! where they still hold; a level that loses all its own lemmas is closed under the rules. *Houdini*: the greatest subset of all
//! lemmas that is closed under the rules, whatever their levels (McMillan, CAV 2010). *Eagerly*: when the
//! search comes back to a predicate, its lemmas of the level below are tried (McMillan, CAV 2014, §4).
//!
//! What others learnt (`lemmas`) is a lemma of level 0, where every formula holds because there are no facts;
//! propagation raises it as far as it holds, so that a run that goes on has its annotation again for a query
//! a lemma and level.
//!
//! Covering (LAWI) needs no rule of its own by height. A lemma of level i is covered when α(P, i+1) implies
//! it; F_{P,i+1} implies α(P, i+1), so propagation raises every covered lemma, and more. A level all of whose
//! lemmas are covered is closed. In a graph, *covering* is a test of its own (fn covered): the nodes of depth
//! i+1 are covered if α(P, i+1) implies ⋁_{j ≤ i} α(P, j) for each P; for rules with several body atoms, whose
//! nodes have children of one depth only, if it implies α(P, i). Propagation copies lemmas to the next node
//! where they hold, so that it may be covered (forced covering).

use foretell_kernel::{Answer, Cx, Halt, Model, Peers, SolverConfig};
use foretell_systems::{ChcProof, ChcSystem, Pred};
use foretell_terms::{Term, TermStore};

use super::Heads;
use super::annotation::Annotation;
use super::options::Unwinding;
use super::rules::{Asked, Assumed, Found, Query, Rules};

/// At most so many formulas of others are taken at once.
const MOST_OFFERS: usize = 600;

/// Raises lemmas; the proof of a closed level, if there is one.
///
/// Requires: α(·, bound) excludes `false`. Then so does α at every level below it.
pub(super) fn propagate(
    annotation: &mut Annotation,
    heads: &mut Heads,
    bound: u32,
    cx: &Cx<'_>,
) -> Result<Option<ChcProof>, Halt> {
    for level in 0..=bound {
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
                    annotation.raise(pred, number, level + 1, cx.terms);
                }
            }
        }
        // Of level 0 is only what others offered; nothing is derived there.
        let formulas = match annotation.unwinding {
            _ if level == 0 => None,
            Unwinding::Height if annotation.is_closed_at(level) => {
                let at_level = |p| annotation.formula(p, level, cx.terms);
                Some(annotation.preds().map(at_level).collect())
            }
            Unwinding::Height => None,
            Unwinding::Graph => covered(annotation, heads, level, cx)?,
        };
        if let Some(formulas) = formulas {
            return Ok(Some(ChcProof {
                formulas,
                witness: None,
            }));
        }
    }
    Ok(None)
}

/// What covers the nodes after a depth, by predicate, if they are all covered.
///
/// Then it is closed under the rules: what is derived from the nodes of a depth satisfies those of the next.
fn covered(
    annotation: &Annotation,
    heads: &Heads,
    depth: u32,
    cx: &Cx<'_>,
) -> Result<Option<Vec<Term>>, Halt> {
    let first = if heads.are_linear() { 1 } else { depth };
    let mut result = Vec::new();
    for pred in annotation.preds() {
        let before = (first..=depth).map(|d| annotation.formula(pred, d, cx.terms));
        let cover = cx.terms.or(before);
        let next = annotation.formula(pred, depth + 1, cx.terms);
        let mut solver = cx
            .oracles
            .solver(&SolverConfig::new("lazy_annotation-cover"));
        solver.assert(cx.terms, next)?;
        solver.assert(cx.terms, cx.terms.not(cover))?;
        if !matches!(solver.check(&[], cx)?, Answer::Unsat(_)) {
            return Ok(None);
        }
        result.push(cover);
    }
    Ok(Some(result))
}

/// What others say is offered, and as much of it as is inductive may be a proof already.
pub(super) fn take_offers(
    annotation: &mut Annotation,
    heads: &mut Heads,
    peers: &dyn Peers<ChcSystem>,
    cx: &Cx<'_>,
) -> Result<Option<ChcProof>, Halt> {
    let heard = peers.hear(cx);
    let plain = |fact: &&(Pred, Term)| !cx.terms.has_quantifier(fact.1);
    let heard: Vec<&(Pred, Term)> = heard.iter().filter(plain).take(MOST_OFFERS).collect();
    if heard.is_empty() {
        return Ok(None);
    }
    for &&(pred, fact) in &heard {
        for part in cx.terms.conjuncts(fact) {
            annotation.offer(pred, part, cx.terms);
        }
    }
    houdini(annotation, heads, cx)
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
            annotation.raise(pred, number, level, cx.terms);
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
