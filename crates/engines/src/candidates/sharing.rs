//! What the candidate engine tells other engines and what it takes from them.
//!
//! ```text
//! out   inductive candidates without index        other engines prove them again, then assume them
//!       atoms of goals and preconditions          predicates to look at
//! in    whatever others say                       candidates like all others: Houdini decides
//! ```
//!
//! Nothing that comes in is believed. Candidates with an index stay here: no other engine reasons with
//! quantified formulas.

use foretell_kernel::{Answer, Cx, Halt, Peers, SolverConfig, Work};
use foretell_systems::{ChcSystem, Pred};
use foretell_terms::{Sort, Term};

use super::atoms::Atoms;
use super::houdini::{Houdini, Pool};
use super::program::Program;

/// At most so many formulas per predicate are told at once.
const MOST: usize = 100;
/// At most so many formulas are taken at once.
const MOST_TAKEN: usize = 400;

/// Tells the candidates without index that are inductive.
pub(super) fn tell(
    program: &Program<'_>,
    inductive: &Pool,
    peers: &dyn Peers<ChcSystem>,
    cx: &Cx<'_>,
) {
    let of = |pred: Pred| {
        let scalar = inductive.active(pred).filter(|(_, c)| c.arity == 0);
        scalar
            .take(MOST)
            .map(move |(_, c)| (pred, cx.terms.or(c.literals.iter().copied())))
    };
    peers.tell(program.system.pred_ids().flat_map(of).collect(), cx);
}

/// Tells the atoms of goals and preconditions.
pub(super) fn suggest(
    program: &Program<'_>,
    depth: u32,
    peers: &dyn Peers<ChcSystem>,
    cx: &Cx<'_>,
) {
    let atoms = Atoms::new(program, depth, cx);
    let indexed = |t: &Term| {
        let vars = cx.terms.free_vars(&[*t]);
        vars.iter().any(|v| program.indices.contains(v))
    };
    let of = |pred: Pred| {
        let plain = atoms.of(pred).iter().filter(|a| !indexed(a)).take(MOST);
        plain.map(|&a| (pred, a)).collect::<Vec<_>>()
    };
    peers.tell(program.system.pred_ids().flat_map(of).collect(), cx);
}

/// Adds what others said to the candidates.
pub(super) fn take(pool: &mut Pool, peers: &dyn Peers<ChcSystem>, cx: &Cx<'_>) {
    for (pred, formula) in peers.hear(cx).into_iter().take(MOST_TAKEN) {
        for conjunct in cx.terms.conjuncts(formula) {
            pool.add(pred, &[conjunct], 0, cx.terms);
        }
    }
}

/// The greatest subset of the formulas (each over the parameters of its predicate) that is inductive: the
/// conjunction of what is left for a predicate holds in all its reachable states.
///
/// # Errors
/// When the budget is used up or the solver fails.
pub fn inductive_facts(
    system: &ChcSystem,
    formulas: &[(Pred, Term)],
    query_limit: Work,
    cx: &Cx<'_>,
) -> Result<Vec<(Pred, Term)>, Halt> {
    let program = Program::new(system, cx.terms);
    let mut pool = Pool::new(&program);
    for &(pred, formula) in formulas {
        for conjunct in cx.terms.conjuncts(formula) {
            pool.add(pred, &[conjunct], 0, cx.terms);
        }
    }
    let mut houdini = Houdini::new(&program, pool, query_limit, cx)?;
    houdini.run(cx)?;
    let mut facts = Vec::new();
    for pred in system.pred_ids() {
        let left = houdini
            .pool
            .active(pred)
            .map(|(_, c)| cx.terms.or(c.literals.iter().copied()));
        facts.extend(
            irredundant(left.collect(), query_limit, cx)?
                .into_iter()
                .map(|f| (pred, f)),
        );
    }
    Ok(facts)
}

/// The formulas without those that follow from the others; of equivalent ones the first stays.
fn irredundant(formulas: Vec<Term>, limit: Work, cx: &Cx<'_>) -> Result<Vec<Term>, Halt> {
    let mut solver = cx
        .oracles
        .solver(&SolverConfig::new("facts").with_limit(limit).direct());
    let mut labels = Vec::new();
    for &formula in &formulas {
        let label = cx.terms.fresh("fact", Sort::BOOL);
        solver.assert(cx.terms, cx.terms.implies(label, formula))?;
        labels.push((label, formula));
    }
    for at in (0..labels.len()).rev() {
        let (label, formula) = labels[at];
        let others = labels.iter().map(|l| l.0).filter(|&l| l != label);
        let assumptions: Vec<Term> = others.chain([cx.terms.not(formula)]).collect();
        if matches!(solver.check(&assumptions, cx)?, Answer::Unsat(_)) {
            labels.remove(at);
        }
    }
    Ok(labels.into_iter().map(|l| l.1).collect())
}
