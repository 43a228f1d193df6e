//! Sources of predicates besides interpolants.

use foretell_kernel::Cx;
use foretell_systems::TransitionSystem;
use foretell_terms::{Sort, Term, TermSet};

use super::obligation::Node;
use crate::abstraction::{Cube, Preimages};

/// At most so many comparisons are proposed at once.
const COMPARISONS: usize = 40;

/// Weakest preconditions backwards along the concrete steps that make up an abstract path.
///
/// ```text
/// W_k = c_k,    W_i = preimage(W_{i+1}) in the step s_i → s'_{i+1} of the path
/// ```
///
/// as long as `s'_{i+1} ⊨ W_{i+1}`. Where that fails the path has its gap: W_{i+1} holds in s_{i+1},
/// from which the bad state is reached, and not in s'_{i+1}, to which the step leads, so its atoms
/// tell the two apart.
pub(super) fn preconditions(
    system: &TransitionSystem,
    path: &[Node],
    preimages: &mut Preimages,
    cx: &Cx<'_>,
) -> Vec<Term> {
    let Some(last) = path.last() else {
        return Vec::new();
    };
    let mut condition: Vec<Term> = last.cube.lits().to_vec();
    condition.push(cx.terms.not(system.property));
    let mut found = Vec::new();
    for node in path.iter().rev().skip(1) {
        let Some(model) = &node.model else { break };
        let Some(before) = preimages.preimage(&condition, model, cx) else {
            break;
        };
        found.extend(before.iter().copied());
        condition = before;
    }
    found
}

/// Comparisons between variables of one sort that occur in the path.
pub(super) fn comparisons(system: &TransitionSystem, cubes: &[Cube], cx: &Cx<'_>) -> Vec<Term> {
    let terms = cx.terms;
    let lits: Vec<Term> = cubes
        .iter()
        .flat_map(|c| c.lits().iter().copied())
        .collect();
    let state: TermSet = system
        .current()
        .into_iter()
        .chain(system.params.iter().copied())
        .collect();
    let vars: Vec<Term> = terms
        .free_vars(&lits)
        .into_iter()
        .filter(|v| state.contains(v))
        .collect();
    let mut found = Vec::new();
    for (i, &a) in vars.iter().enumerate() {
        for &b in vars[i + 1..]
            .iter()
            .filter(|&&b| terms.sort(b) == terms.sort(a))
        {
            let sort = terms.sort(a);
            if sort == Sort::INT || sort == Sort::REAL {
                found.extend([terms.le(a, b), terms.le(b, a)]);
            } else if terms.width(sort).is_some() {
                found.extend([terms.bv_ule(a, b), terms.bv_ule(b, a), terms.eq(a, b)]);
            } else if sort != Sort::BOOL {
                found.push(terms.eq(a, b));
            }
            if found.len() >= COMPARISONS {
                return found;
            }
        }
    }
    found
}
