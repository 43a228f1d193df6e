//! Tree interpolants: all open facts of a goal refuted together.
//!
//! ```text
//! together(facts | C)                             at least two facts
//!   C ∧ ⋀_{P(x) at level i in facts} F_{P,i}(x) unsatisfiable, with tree interpolants I_P
//!     (a leaf for each fact, C at the root)
//!   α(P, i) ← α(P, i) ∧ I_P for each fact
//! ```
//!
//! Invariant: F_{P,i} implies I_P, because P's leaf has no children. The interpolants together exclude C, so
//! α refutes the goal before any of its facts was resolved.

use foretell_kernel::{Cx, Halt, PartTree};
use foretell_systems::Pred;
use foretell_terms::{Substitution, Term};

use super::Heads;
use super::annotation::Annotation;
use super::goal::{Goal, Subgoal};
use super::learn::{Learner, Learnt, Numbers, Site};

impl Learner {
    /// Refutes the facts of a goal together, if one step back is enough for it.
    pub(super) fn together(
        &mut self,
        annotation: &mut Annotation,
        heads: &mut Heads,
        goal: &Goal,
        bound: u32,
        cx: &Cx<'_>,
    ) -> Result<Learnt, Halt> {
        let facts: Option<Vec<(Pred, &Subgoal)>> =
            goal.facts.iter().map(|f| Some((f.pred?, f))).collect();
        let Some(facts) = facts.filter(|f| f.len() > 1) else {
            return Ok(Learnt::Nothing);
        };
        let mut parts: Vec<Term> = Vec::new();
        for (pred, fact) in &facts {
            parts.push(leaf(annotation, heads, (*pred, fact), cx));
        }
        let root = parts.len();
        let mut parents = vec![Some(root); root];
        parents.push(None);
        parts.push(cx.terms.and(goal.constraints.iter().copied()));
        let Some(itps) = self.of_tree(&PartTree { parts, parents }, cx)? else {
            return Ok(Learnt::Nothing);
        };
        for ((pred, fact), itp) in facts.iter().zip(itps) {
            let head = heads.of(Some(*pred));
            let back = fact.args.iter().copied().zip(head.rules.params.clone());
            let lemma = cx.terms.substitute(itp, back);
            let site = Site {
                pred: *pred,
                level: fact.level,
                bound,
                numbers: Numbers::Rules,
            };
            self.keep(annotation, head, site, lemma, cx)?;
        }
        Ok(Learnt::Refuted)
    }
}

/// F_{P,i} at the arguments of a fact, over variables of its own.
fn leaf(
    annotation: &Annotation,
    heads: &mut Heads,
    (pred, fact): (Pred, &Subgoal),
    cx: &Cx<'_>,
) -> Term {
    let head = heads.of(Some(pred));
    let formula = head.formula(annotation, fact.level, cx);
    let params = head.rules.params.iter().copied();
    let own = head.rules.list.iter().flat_map(|r| r.vars.iter());
    let own = own.map(|&(v, copy)| (copy, cx.terms.fresh(cx.terms.var_name(v), cx.terms.sort(v))));
    let pairs = params.zip(fact.args.iter().copied()).chain(own);
    Substitution::from_pairs(pairs).apply(cx.terms, formula)
}
