//! Which candidates a configuration proposes.
//!
//! ```text
//! few candidates   all of them: they are proved or refuted sooner than runs are made
//! many             first those that no run refutes and no other one with the same atom implies,
//!                  then all that no run of the program itself refutes
//! ```

use std::cell::OnceCell;

use foretell_kernel::{Cx, Halt};
use foretell_systems::Pred;
use foretell_terms::Term;

use super::CandidatesOptions;
use super::atoms::Atoms;
use super::configuration::{Cells, Configuration, Domain};
use super::linked::Linked;
use super::observed;
use super::seen::{Seen, Trust};
use super::templates::Builder;
use crate::houdini::{Pool, scalars};
use crate::program::Program;

/// From so many candidates on it is worth looking at runs first.
const MANY: usize = 300;
/// More clauses than this are not looked at for one predicate.
const MOST_TRIED: usize = 60_000;

/// Which of the candidates that runs do not refute are proposed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tier {
    /// Those that no other one with the same atom implies.
    Strongest,
    /// As many as there may be.
    All,
}

/// Proposes for one program.
pub(super) struct Proposer<'a> {
    options: &'a CandidatesOptions,
    program: &'a Program<'a>,
    pub(super) atoms: Atoms,
    linked: Option<Linked>,
}

impl<'a> Proposer<'a> {
    pub(super) fn new(
        options: &'a CandidatesOptions,
        program: &'a Program<'a>,
        cx: &Cx<'_>,
    ) -> Proposer<'a> {
        Proposer {
            options,
            program,
            atoms: Atoms::new(program, options.wp_depth, cx),
            linked: Linked::of(program, cx.terms),
        }
    }

    /// Whether a configuration has many candidates.
    pub(super) fn has_many(&self, configuration: &Configuration, cx: &Cx<'_>) -> bool {
        let mut found = 0;
        for pred in self.program.system.pred_ids() {
            let builder = self.builder(configuration, pred, cx);
            for atom in builder.atoms(&self.atoms) {
                found += builder.candidates(atom).len();
                if found >= MANY {
                    return true;
                }
            }
        }
        false
    }

    /// Adds the quantified candidates of every predicate, but for those that what was seen refutes; says
    /// how many were left out although nothing refutes them.
    pub(super) fn propose(
        &self,
        (configuration, tier): (&Configuration, Tier),
        mut seen: Option<&mut Seen>,
        pool: &mut Pool,
        cx: &Cx<'_>,
    ) -> Result<usize, Halt> {
        let (program, most) = (self.program, self.options.max_candidates);
        if configuration.cells == Cells::Linked && self.linked.is_none() {
            return Ok(0);
        }
        if configuration.cells == Cells::Observed {
            // Where no number divides the indices, the configuration before this one says it all.
            let undivided = || observed::numerals(program, cx.terms).is_empty();
            if configuration.domain == Domain::Goal && undivided() {
                return Ok(0);
            }
            observed::propose(program, pool, cx)?;
            scalars::propose(program, pool, most, cx);
            scalars::propose_conditional(program, pool, most, cx);
        }
        scalars::propose_again(program, pool, most, cx);
        let trust = match tier {
            Tier::Strongest => Trust::Miniatures,
            Tier::All => Trust::Runs,
        };
        let mut left_out = 0;
        for pred in program.system.pred_ids() {
            let start = pool.count(pred);
            let builder = self.builder(configuration, pred, cx);
            // Where nothing was seen, the strongest one is most likely wrong.
            let knows = seen.as_ref().is_some_and(|seen| seen.knows(pred));
            let prune = tier == Tier::Strongest && knows;
            let mut tried = 0;
            for atom in builder.atoms(&self.atoms) {
                cx.budget.check()?;
                let mut kept: Vec<Vec<Term>> = Vec::new();
                for clause in builder.candidates(atom) {
                    tried += 1;
                    if pool.count(pred) - start >= most || tried > MOST_TRIED {
                        break;
                    }
                    if let Some(seen) = seen.as_deref_mut()
                        && seen.refutes(pred, &clause, trust, cx.terms)
                    {
                        left_out += usize::from(seen.is_small(pred));
                        continue;
                    }
                    let implies = |k: &Vec<Term>| k.iter().all(|l| clause.contains(l));
                    if prune && kept.iter().any(implies) {
                        left_out += 1;
                        continue;
                    }
                    let arity = builder.arity(&clause);
                    pool.add(pred, &clause, arity, cx.terms);
                    kept.push(clause);
                }
            }
        }
        Ok(left_out)
    }

    fn builder<'b>(
        &'b self,
        configuration: &'b Configuration,
        pred: Pred,
        cx: &'b Cx<'_>,
    ) -> Builder<'b> {
        let about = configuration.cells == Cells::Linked;
        Builder {
            program: self.program,
            configuration,
            linked: self.linked.as_ref().filter(|_| about),
            link_guards: OnceCell::new(),
            pred,
            terms: cx.terms,
        }
    }
}
