//! From an inductive set to a proof: only what the queries need, closed under ∀.

use foretell_kernel::{Cx, Halt};
use foretell_systems::{ChcProof, Pred};

use crate::houdini::Houdini;
use crate::program::Program;

/// The proof, if the inductive set makes every query unsatisfiable.
///
/// ```text
/// needed ← ⋃ support(query)
/// while some needed candidate c of q was not looked at: needed ← needed ∪ support(rule, c) for rules into q
/// F_p = ⋀ ∀y. c
/// ```
pub(super) fn conclude(
    program: &Program<'_>,
    houdini: &mut Houdini<'_>,
    cx: &Cx<'_>,
) -> Result<Option<ChcProof>, Halt> {
    let mut needed: indexmap::IndexSet<(Pred, usize)> = indexmap::IndexSet::new();
    for (r, rule) in program.rules.iter().enumerate() {
        if rule.to.is_none() {
            let Some(support) = houdini.support(r, None, cx)? else {
                return Ok(None);
            };
            needed.extend(support);
        }
    }
    let mut at = 0;
    while at < needed.len() {
        let (pred, number) = needed[at];
        at += 1;
        for (r, _) in program
            .rules
            .iter()
            .enumerate()
            .filter(|(_, rule)| rule.to == Some(pred))
        {
            let Some(support) = houdini.support(r, Some(number), cx)? else {
                return Ok(None);
            };
            needed.extend(support);
        }
    }
    let formulas = program
        .system
        .pred_ids()
        .map(|pred| {
            let parts = needed
                .iter()
                .filter(|(p, _)| *p == pred)
                .map(|&(_, n)| houdini.pool.get(pred, n));
            cx.terms.and(parts.map(|c| c.closed(program, cx.terms)))
        })
        .collect();
    Ok(Some(ChcProof {
        formulas,
        witness: None,
    }))
}
