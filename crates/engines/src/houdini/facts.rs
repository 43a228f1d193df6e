//! Facts: formulas that hold in all reachable states of a predicate, because Houdini kept them.

use foretell_kernel::{Answer, Cx, Halt, SolverConfig, Work};
use foretell_systems::{ChcSystem, Pred};
use foretell_terms::{Sort, Term};

use super::{Houdini, Pool, affine, scalars};
use crate::program::Program;

/// For each predicate a formula that holds in all its reachable states: of the scalar templates, at most
/// so many per predicate, those that are inductive.
pub(crate) fn scalar_facts(
    program: &Program<'_>,
    most: usize,
    query_limit: Work,
    cx: &Cx<'_>,
) -> Result<Vec<Term>, Halt> {
    let mut pool = Pool::new(program);
    affine::propose(program, &mut pool, query_limit, cx)?;
    scalars::propose(program, &mut pool, most, cx);
    let mut houdini = Houdini::new(program, pool, query_limit, cx)?;
    houdini.run(cx)?;
    let formula = |p| cx.terms.and(houdini.pool.formulas(program, p, cx.terms));
    Ok(program.system.pred_ids().map(formula).collect())
}

/// The greatest subset of the formulas (each over the parameters of its predicate) that is inductive: the
/// conjunction of what is left for a predicate holds in all its reachable states. Formulas `∀k. φ` over one
/// or two integers are taken, others with quantifiers are not; of those without, the ones that follow from
/// the rest are left out.
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
        pool.add_formula(&program, (pred, formula), cx.terms);
    }
    let mut houdini = Houdini::new(&program, pool, query_limit, cx)?;
    houdini.run(cx)?;
    let mut facts = Vec::new();
    for pred in system.pred_ids() {
        let left = houdini.pool.formulas(&program, pred, cx.terms);
        let (quantified, plain) = left.partition(|&f| cx.terms.has_quantifier(f));
        let mut kept = irredundant(plain, query_limit, cx)?;
        let quantified: Vec<Term> = quantified;
        kept.extend(quantified);
        facts.extend(kept.into_iter().map(|f| (pred, f)));
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
