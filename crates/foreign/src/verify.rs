//! Looks whether a model that was read makes the clauses true.
//!
//! ```text
//! for each clause  ⋀ F_pi[ti] ∧ φ ⇒ F_h[t]:   ⋀ F_pi[ti] ∧ φ ∧ ¬F_h[t]  has a model  →  it does not hold
//! ```
//!
//! A part of [`crate::engine`]. This is courtesy, not trust: a model that is refuted here is no
//! incident of ours, and one that is not is still put to the checker on the original text.

use foretell_kernel::{Answer, Cx, Halt, SolverConfig, Work};
use foretell_systems::{Atom, ChcProof, ChcSystem};
use foretell_terms::Term;

/// What one clause may cost.
const A_CLAUSE: Work = Work::of_millis(500);

/// Whether some clause is refuted; a clause that is not decided is none.
pub(crate) fn is_refuted(proof: &ChcProof, system: &ChcSystem, cx: &Cx<'_>) -> Result<bool, Halt> {
    let terms = cx.terms;
    let instance = |atom: &Atom| -> Term {
        let params = system.pred(atom.pred).params.iter().copied();
        let pairs = params.zip(atom.args.iter().copied());
        terms.substitute(proof.formulas[atom.pred.index()], pairs)
    };
    let config = SolverConfig::new("foreign-model").with_limit(A_CLAUSE);
    for clause in &system.clauses {
        cx.budget.check()?;
        let mut solver = cx.oracles.solver(&config);
        solver.assert(terms, clause.constraint)?;
        for atom in &clause.body {
            solver.assert(terms, instance(atom))?;
        }
        if let Some(head) = &clause.head {
            solver.assert(terms, terms.not(instance(head)))?;
        }
        if let Answer::Sat(_) = solver.check(&[], cx)? {
            return Ok(true);
        }
    }
    Ok(false)
}
