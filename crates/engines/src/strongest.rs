//! Proofs where all derivations are short: the strongest formulas. A part of `bmc.rs` and `unfold.rs`.
//!
//! ```text
//! clauses    F_q(z)    =  ⋁ over q(t) ⇐ ⋀ p_i(s_i) ∧ φ  of  ∃x. (⋀ F_pi(s_i) ∧ φ ∧ z = t)     // fn of_clauses
//! a system   R_0       =  I,    R_{i+1}(z) = ∃x, inputs. (R_i(x) ∧ T(x, z))                     // fn of_system
//!            F         =  R_0 ∨ … ∨ R_n
//! ```
//!
//! Contract: the predicates do not depend on themselves; no run of the system has more than `n` steps. Then
//! `F` holds of exactly what is reachable, and is inductive by its definition. Variables are eliminated
//! where that is exact (`formulas/src/eliminate.rs`), the others stay under quantifiers. Limits: formulas
//! that get large are no proof (`None`).

use foretell_formulas::{exists, instantiate};
use foretell_kernel::{Cx, Halt};
use foretell_systems::{ChcProof, ChcSystem, Clause, Invariant, Pred, TransitionSystem};
use foretell_terms::{Term, TermStore};

/// Formulas with more nodes than this are not made.
const MOST_NODES: usize = 50_000;

/// The strongest formulas of clauses; `None` when a predicate depends on itself.
///
/// # Errors
/// When the run is over.
pub(crate) fn of_clauses(system: &ChcSystem, cx: &Cx<'_>) -> Result<Option<ChcProof>, Halt> {
    let mut made: Vec<Option<Term>> = vec![None; system.preds.len()];
    let mut left: Vec<Pred> = system.pred_ids().collect();
    while !left.is_empty() {
        let before = left.len();
        let mut waiting = Vec::new();
        for pred in left {
            cx.budget.check()?;
            let mut own = system.clauses.iter().filter(|c| heads(c, pred));
            let ready = own.all(|c| c.body.iter().all(|a| made[a.pred.index()].is_some()));
            if !ready {
                waiting.push(pred);
                continue;
            }
            let own = system.clauses.iter().filter(|c| heads(c, pred));
            let parts = own.map(|c| image(system, pred, c, &made, cx.terms));
            let formula = cx.terms.or(parts);
            if cx.terms.subterms(&[formula]).len() > MOST_NODES {
                return Ok(None);
            }
            made[pred.index()] = Some(formula);
        }
        if waiting.len() == before {
            return Ok(None);
        }
        left = waiting;
    }
    let formulas: Option<Vec<Term>> = made.into_iter().collect();
    Ok(formulas.map(|formulas| ChcProof {
        formulas,
        witness: None,
    }))
}

fn heads(clause: &Clause, pred: Pred) -> bool {
    clause.head.as_ref().is_some_and(|head| head.pred == pred)
}

/// What a clause derives of the predicate of its head, from the formulas of its body.
fn image(
    system: &ChcSystem,
    pred: Pred,
    clause: &Clause,
    made: &[Option<Term>],
    terms: &TermStore,
) -> Term {
    let clause = clause.renamed(terms);
    let body = clause.body.iter().map(|atom| {
        let formula = made[atom.pred.index()].unwrap_or_else(|| terms.tt());
        instantiate(terms, formula, &system.pred(atom.pred).params, &atom.args)
    });
    let args = clause.head.iter().flat_map(|head| head.args.iter());
    let params = system.pred(pred).params.iter().zip(args);
    let equal = params.map(|(&p, &a)| terms.eq(p, a));
    let premise = terms.and(body.chain([clause.constraint]).chain(equal));
    exists(terms, &clause.vars, premise)
}

/// All states of runs of at most so many steps; `None` when that gets large.
///
/// # Errors
/// When the run is over.
pub(crate) fn of_system(
    system: &TransitionSystem,
    steps: u32,
    cx: &Cx<'_>,
) -> Result<Option<Invariant>, Halt> {
    let terms = cx.terms;
    let mut layers = vec![system.init];
    for _ in 0..steps {
        cx.budget.check()?;
        let last = layers[layers.len() - 1];
        let fresh = |&v: &Term| terms.fresh(terms.var_name(v), terms.sort(v));
        let (current, next): (Vec<Term>, Vec<Term>) =
            system.vars.iter().map(|v| (v.cur, v.next)).unzip();
        let before: Vec<Term> = current.iter().map(fresh).collect();
        let inputs: Vec<Term> = system.inputs.iter().map(fresh).collect();
        let there = instantiate(terms, last, &current, &before);
        let from = [current.clone(), next, system.inputs.clone()].concat();
        let to = [before.clone(), current, inputs.clone()].concat();
        let step = terms.substitute(system.trans, from.into_iter().zip(to));
        let gone = [before, inputs].concat();
        let layer = exists(terms, &gone, terms.and2(there, step));
        if terms.subterms(&[layer]).len() > MOST_NODES {
            return Ok(None);
        }
        layers.push(layer);
    }
    Ok(Some(Invariant::inductive(terms.or(layers))))
}
