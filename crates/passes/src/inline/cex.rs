//! A derivation with merged clauses as one with the original clauses.

use foretell_kernel::Cx;
use foretell_systems::{Derivation, DerivationStep};
use foretell_terms::Term;
use foretell_terms::eval::Assignment;

use super::InlineLift;
use super::resolve::{Node, Premise};
use crate::shared::replay::{fill, joined};

/// Each step becomes the steps of its tree; `None` when a value is undefined.
pub(super) fn expand(
    this: &InlineLift,
    derivation: &Derivation,
    cx: &Cx<'_>,
) -> Option<Derivation> {
    let mut result = Derivation {
        steps: Vec::new(),
        functions: derivation.functions.clone(),
    };
    // The step of the result that derives what each step of the input derives.
    let mut roots: Vec<usize> = Vec::new();
    for step in &derivation.steps {
        let merged = this.clauses.get(step.clause.index())?;
        let mut values = joined(&step.values, &derivation.functions);
        let mentioned: Vec<Term> = merged
            .nodes
            .iter()
            .flat_map(|n| n.values.iter().map(|&(_, t)| t))
            .collect();
        fill(cx.terms, &cx.terms.free_vars(&mentioned), &mut values);
        let first = result.steps.len();
        for node in &merged.nodes {
            let premise = |p: &Premise| match *p {
                Premise::Inner(i) => Some(first + i),
                Premise::Outer(i) => roots.get(*step.premises.get(i)?).copied(),
            };
            let premises = node
                .premises
                .iter()
                .map(premise)
                .collect::<Option<Vec<usize>>>()?;
            result.steps.push(DerivationStep {
                clause: node.clause,
                values: own(node, &values, cx)?,
                premises,
            });
        }
        roots.push(result.steps.len() - 1);
    }
    Some(result)
}

fn own(node: &Node, values: &Assignment, cx: &Cx<'_>) -> Option<Assignment> {
    let mut own = Assignment::new();
    for &(var, term) in &node.values {
        own.insert(var, cx.terms.eval(term, values).ok()?);
    }
    Some(own)
}
