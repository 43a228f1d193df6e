//! The check every answer passes before it leaves: the oracle confirms each step, and the
//! vocabulary is counted.
//!
//! ```text
//! for every node i of the tree (a sequence is a path):
//!   and of the children's interpolants, and the group of i, and not I_i (false at the root): unsatisfiable
//!   symbols(I_i) within symbols(subtree of i) and symbols(rest)
//! ```

use crate::border::symbols::{Vocabulary, declared};
use crate::data::locality::Shape;
use foretell_kernel::{Answer, Cx, Halt, SolverConfig};
use foretell_terms::{Func, Term};

/// What the check says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Check {
    /// All conditions hold.
    Valid,
    /// A condition fails at this node.
    Invalid(usize),
    /// The oracle could not decide a condition.
    Unknown(String),
}

/// A claim: interpolants for the groups of a tree.
pub(crate) struct Claim<'a> {
    /// One formula per node.
    pub(crate) parts: &'a [Term],
    /// The tree.
    pub(crate) shape: &'a Shape,
    /// One formula per node but the root.
    pub(crate) itps: &'a [Term],
    /// The condition on symbols.
    pub(crate) vocabulary: Vocabulary,
}

impl Claim<'_> {
    /// Checks all conditions.
    pub(crate) fn check(&self, config: &SolverConfig, cx: &Cx<'_>) -> Result<Check, Halt> {
        if self.itps.len() != self.shape.cuts() {
            return Ok(Check::Invalid(self.itps.len()));
        }
        if let Some(i) = self.leaking_node(cx) {
            return Ok(Check::Invalid(i));
        }
        let mut solver = cx.oracles.solver(config);
        for i in 0..self.shape.len() {
            let formulas = self.step(i, cx);
            if formulas.iter().any(|f| cx.terms.is_false(*f)) {
                continue;
            }
            solver.push();
            for f in &formulas {
                solver.assert(cx.terms, *f)?;
            }
            let verdict = match solver.check(&[], cx)? {
                Answer::Unsat(_) => Check::Valid,
                Answer::Sat(_) => Check::Invalid(i),
                Answer::Unknown(words) => Check::Unknown(words),
            };
            if verdict != Check::Valid {
                return Ok(verdict);
            }
            solver.pop();
        }
        Ok(Check::Valid)
    }

    /// The formulas that must contradict each other at node `i`.
    pub(crate) fn step(&self, i: usize, cx: &Cx<'_>) -> Vec<Term> {
        let mut out: Vec<Term> = (0..i)
            .filter(|c| self.shape.parent(*c) == Some(i))
            .map(|c| self.itps[c])
            .collect();
        out.push(self.parts[i]);
        if let Some(itp) = self.itps.get(i) {
            out.push(cx.terms.not(*itp));
        }
        out
    }

    fn leaking_node(&self, cx: &Cx<'_>) -> Option<usize> {
        let symbols: Vec<Vec<Func>> = self
            .parts
            .iter()
            .map(|p| declared(cx.terms, &[*p]))
            .collect();
        (0..self.itps.len()).find(|i| {
            declared(cx.terms, &[self.itps[*i]]).into_iter().any(|f| {
                let rigid = self.vocabulary == Vocabulary::RigidFunctions
                    && !cx.terms.decl(f).args.is_empty();
                let occurs = |below: bool| {
                    (0..symbols.len())
                        .any(|g| self.shape.below(g, *i) == below && symbols[g].contains(&f))
                };
                !(rigid || occurs(true) && occurs(false))
            })
        })
    }
}
