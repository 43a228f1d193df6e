//! The core filter: the oracle decides the query and says which conjuncts matter.
//!
//! Interpolants of a core are interpolants of the whole: dropping conjuncts only weakens groups and
//! shrinks what is shared. A smaller core means fewer atoms and fewer shared symbols.

use foretell_kernel::{Answer, Cx, Halt, SolverConfig};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, TermSet};

/// What the oracle says of all groups together.
pub(crate) enum Core {
    /// Satisfiable, with a model where the oracle could give one.
    Sat(Option<Assignment>),
    /// Unsatisfiable already with these conjuncts.
    Unsat(Vec<Vec<Term>>),
    /// Not decided.
    Unknown,
}

/// Asks the oracle.
pub(crate) fn core(groups: &[Vec<Term>], config: &SolverConfig, cx: &Cx<'_>) -> Result<Core, Halt> {
    let mut all: TermSet = TermSet::default();
    for g in groups {
        all.extend(g.iter().copied());
    }
    let assumptions: Vec<Term> = all.into_iter().collect();
    let mut solver = cx.oracles.solver(config);
    match solver.check(&assumptions, cx)? {
        Answer::Sat(model) => Ok(Core::Sat(model.assignment(cx.terms, &assumptions))),
        Answer::Unsat(core) => {
            let core: TermSet = core.into_iter().collect();
            let keep = |g: &Vec<Term>| g.iter().copied().filter(|t| core.contains(t)).collect();
            Ok(Core::Unsat(groups.iter().map(keep).collect()))
        }
        Answer::Unknown(_) => Ok(Core::Unknown),
    }
}
