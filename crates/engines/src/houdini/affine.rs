//! Affine equations between the numeric parameters of each predicate.
//!
//! Karr, "Affine relationships among variables of a program", Acta Informatica 1976, computed by
//! symbolic abstraction (Reps, Sagiv, Yorsh, VMCAI 2004): the affine hull of the reachable values is
//! approached from below by models.
//!
//! ```text
//! hull_p ← ∅
//! while a rule p → q has a model with its pre-state in hull_p and its post-state outside hull_q
//!   add the post-state to hull_q                        // the dimension grows: at most n + 1 times
//! ```
//!
//! Contract: the equations are guesses for Houdini; an undecided query leaves the hull as it is.

use foretell_formulas::affine::{self, Hull};
use foretell_kernel::{Answer, Cx, Halt, SolverConfig, Work};
use foretell_systems::Pred;
use foretell_terms::{Rational, Sort, Term, TermStore};

use super::Pool;
use crate::program::{Program, Rule};

/// Predicates with more numeric parameters than this are skipped.
const MAX_DIMENSION: usize = 24;

/// Proposes the equations of each predicate.
pub(crate) fn propose(
    program: &Program<'_>,
    pool: &mut Pool,
    limit: Work,
    cx: &Cx<'_>,
) -> Result<(), Halt> {
    let equations = equations(program, limit, cx)?;
    for (pred, list) in program.system.pred_ids().zip(equations) {
        for equation in list {
            pool.add(pred, &[equation], 0, cx.terms);
        }
    }
    Ok(())
}

/// The equations of each predicate.
fn equations(program: &Program<'_>, limit: Work, cx: &Cx<'_>) -> Result<Vec<Vec<Term>>, Halt> {
    let mut hulls: Vec<Hull> = program
        .system
        .pred_ids()
        .map(|p| Hull::new(numeric(program, p, cx.terms)))
        .collect();
    let mut work: indexmap::IndexSet<usize> = (0..program.rules.len())
        .filter(|&r| program.rules[r].body.is_empty())
        .collect();
    while let Some(r) = work.shift_remove_index(0) {
        let rule = &program.rules[r];
        let Some(to) = rule.to else { continue };
        let mut grew = false;
        while !hulls[to.index()].is_full()
            && let Some(point) = outside(program, &hulls, rule, limit, cx)?
        {
            grew = hulls[to.index()].add(point) || grew;
            if !grew {
                break;
            }
        }
        if grew || rule.body.is_empty() {
            let uses = |n: &usize| program.rules[*n].body.iter().any(|a| a.pred == to);
            work.extend((0..program.rules.len()).filter(uses));
        }
    }
    Ok(hulls.iter().map(|h| equations_of(h, cx.terms)).collect())
}

fn numeric(program: &Program<'_>, pred: Pred, terms: &TermStore) -> Vec<Term> {
    let is_number = |p: &Term| terms.sort(*p) == Sort::INT || terms.sort(*p) == Sort::REAL;
    let params: Vec<Term> = program
        .params(pred)
        .iter()
        .copied()
        .filter(is_number)
        .collect();
    if params.len() > MAX_DIMENSION {
        Vec::new()
    } else {
        params
    }
}

/// A post-state of the rule from the hulls of its body that is outside the hull of its head.
fn outside(
    program: &Program<'_>,
    hulls: &[Hull],
    rule: &Rule,
    limit: Work,
    cx: &Cx<'_>,
) -> Result<Option<Vec<Rational>>, Halt> {
    let terms = cx.terms;
    let Some(to) = rule.to else { return Ok(None) };
    let is_unreached = |hull: &Hull| hull.is_empty() && !hull.vars().is_empty();
    if (rule.body.iter()).any(|atom| is_unreached(&hulls[atom.pred.index()])) {
        return Ok(None);
    }
    let mut solver = cx
        .oracles
        .solver(&SolverConfig::new("affine").with_limit(limit).direct());
    solver.assert(terms, rule.guard)?;
    for atom in &rule.body {
        let mut here = program.at(atom.pred, &atom.args);
        for equation in equations_of(&hulls[atom.pred.index()], terms) {
            solver.assert(terms, here.apply(terms, equation))?;
        }
    }
    let hull = &hulls[to.index()];
    let mut after = program.at(to, &rule.post);
    if !hull.is_empty() {
        let left = equations_of(hull, terms)
            .into_iter()
            .map(|e| terms.not(after.apply(terms, e)));
        solver.assert(terms, terms.or(left))?;
    }
    let values: Vec<Term> = hull.vars().iter().map(|&v| after.apply(terms, v)).collect();
    match solver.check(&[], cx)? {
        Answer::Sat(model) => Ok(values
            .iter()
            .map(|&v| model.value(terms, v)?.number())
            .collect()),
        Answer::Unsat(_) | Answer::Unknown(_) => Ok(None),
    }
}

/// The equations of a hull that do not mix integers and reals.
fn equations_of(hull: &Hull, terms: &TermStore) -> Vec<Term> {
    let equations = hull.equations();
    let sides = equations.iter().filter_map(|e| affine::sides(terms, e));
    sides
        .map(|(form, zero)| terms.canonical_atom(terms.eq(form, zero)))
        .collect()
}
