//! The greatest part of a proof that is one (Houdini: Flanagan, Leino, FME 2001).
//!
//! ```text
//! repeat   for every rule: take a state that satisfies the body and violates a conjunct of the head;
//!          drop what it violates
//! until    no rule has one; then no query may have one either
//! ```
//!
//! What the solver leaves open is dropped; so is nothing kept that was not shown.

use foretell_kernel::{Answer, Cx, Halt, Solver, SolverConfig, Work};
use foretell_systems::{Atom, ChcSystem, Clause};
use foretell_terms::{Term, TermSet};

/// What one question may take.
const QUESTION: Work = Work::of_millis(1000);

/// What all of them may take.
const ALL: Work = Work::of_millis(6000);

/// The conjuncts of each predicate that are inductive together, if they exclude the queries.
pub(super) fn inductive(
    system: &ChcSystem,
    candidates: Vec<TermSet>,
    cx: &Cx<'_>,
) -> Result<Option<Vec<Term>>, Halt> {
    let found = cx.within(ALL, |cx| {
        let mut houdini = Houdini {
            system,
            kept: candidates,
            cx,
        };
        houdini.reduce()?;
        let proved = houdini.excludes_queries()?;
        let formulas = houdini.kept.iter();
        let formulas = formulas.map(|all| cx.terms.and(all.iter().copied()));
        Ok(proved.then(|| formulas.collect()))
    })?;
    Ok(found.flatten())
}

struct Houdini<'a> {
    system: &'a ChcSystem,
    kept: Vec<TermSet>,
    cx: &'a Cx<'a>,
}

impl Houdini<'_> {
    fn at(&self, formula: Term, atom: &Atom) -> Term {
        let params = &self.system.pred(atom.pred).params;
        foretell_formulas::instantiate(self.cx.terms, formula, params, &atom.args)
    }

    /// A solver that knows the body of a clause.
    fn below(&self, clause: &Clause) -> Result<Box<dyn Solver>, Halt> {
        let terms = self.cx.terms;
        let config = SolverConfig::new("integers").with_limit(QUESTION);
        let mut solver = self.cx.oracles.solver(&config);
        solver.assert(terms, clause.constraint)?;
        for atom in &clause.body {
            for &formula in &self.kept[atom.pred.index()] {
                solver.assert(terms, self.at(formula, atom))?;
            }
        }
        Ok(solver)
    }

    fn reduce(&mut self) -> Result<(), Halt> {
        let (system, mut changed) = (self.system, true);
        while changed {
            changed = false;
            for clause in &system.clauses {
                self.cx.budget.check()?;
                if let Some(head) = &clause.head {
                    changed |= self.rule(clause, head)?;
                }
            }
        }
        Ok(())
    }

    /// Drops what a rule does not keep; whether there was something.
    fn rule(&mut self, clause: &Clause, head: &Atom) -> Result<bool, Halt> {
        let terms = self.cx.terms;
        let mut solver = self.below(clause)?;
        let before = self.kept[head.pred.index()].len();
        loop {
            let all: Vec<Term> = self.kept[head.pred.index()].iter().copied().collect();
            let mut violated = TermSet::default();
            solver.push();
            let claim = terms.and(all.iter().map(|&f| self.at(f, head)));
            solver.assert(terms, terms.not(claim))?;
            match solver.check(&[], self.cx)? {
                Answer::Unsat(_) => break,
                Answer::Sat(model) => {
                    let fails = |f: &Term| model.holds(terms, self.at(*f, head)) != Some(true);
                    violated.extend(all.iter().copied().filter(fails));
                }
                Answer::Unknown(_) => {}
            }
            solver.pop();
            if violated.is_empty() {
                violated = self.singly(&mut *solver, &all, head)?;
            }
            if violated.is_empty() {
                break;
            }
            self.kept[head.pred.index()].retain(|f| !violated.contains(f));
        }
        Ok(self.kept[head.pred.index()].len() < before)
    }

    /// The conjuncts that are not shown one by one.
    fn singly(&self, solver: &mut dyn Solver, all: &[Term], head: &Atom) -> Result<TermSet, Halt> {
        let terms = self.cx.terms;
        let mut open = TermSet::default();
        for &formula in all {
            solver.push();
            solver.assert(terms, terms.not(self.at(formula, head)))?;
            if !matches!(solver.check(&[], self.cx)?, Answer::Unsat(_)) {
                open.insert(formula);
            }
            solver.pop();
        }
        Ok(open)
    }

    fn excludes_queries(&self) -> Result<bool, Halt> {
        for clause in self.system.clauses.iter().filter(|c| c.is_query()) {
            let mut solver = self.below(clause)?;
            if !matches!(solver.check(&[], self.cx)?, Answer::Unsat(_)) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
