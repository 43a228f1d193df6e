//! Translation validation: no clause loses a step, no reachable location becomes unreachable.
//!
//! Translations from clauses to transition systems have gone wrong before in ways that make every
//! problem easy: contradictory rules, frozen inputs, goals that cannot be reached. Two checks, run in
//! debug builds and in tests, find these at once:
//!
//! ```text
//! translation    for every clause, its steps written down anew without any sharing of names:
//!                fact ∧ ¬I,  rule ∧ ¬T,  query ∧ P   are unsatisfiable
//! reachability   a predicate that both systems have and that the system before the passes derives
//!                within k steps is derived within k steps after them
//! ```
//!
//! An answer `unknown` of the solver is counted, not held against the translation.

use foretell_kernel::{Answer, Cx, Halt, Pass, Solver, SolverConfig, Work};
use foretell_systems::{ChcSystem, Clause, ClauseId, TransitionSystem, Unroller};
use foretell_terms::{Term, TermStore};

use crate::program::{LinearProgram, Location, Slot};
use crate::single_loop::{SingleLoop, SingleLoopLift};

/// What validation found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Validation {
    /// What was lost, in words; empty when all is well.
    pub(crate) lost: Vec<String>,
    /// How many questions the solver left open.
    pub(crate) undecided: usize,
}

impl Validation {
    /// `Err` when something was lost.
    pub(crate) fn demand(&self) -> Result<(), Halt> {
        match self.lost.first() {
            None => Ok(()),
            Some(what) => Err(Halt::Solver(format!("translation validation: {what}"))),
        }
    }
}

/// How long one question may take.
const PATIENCE: Work = Work::of_millis(500);

/// Checks every clause against the transition system made of it.
pub(crate) fn translation(
    system: &TransitionSystem,
    lift: &SingleLoopLift,
    cx: &Cx<'_>,
) -> Result<Validation, Halt> {
    let mut solver = cx
        .oracles
        .solver(&SolverConfig::new("validate").with_limit(PATIENCE));
    let mut found = Validation::default();
    for id in lift.clauses().clause_ids() {
        let escape = Anew {
            lift,
            terms: cx.terms,
        }
        .escape(id, system);
        solver.push();
        solver.assert(cx.terms, escape)?;
        match solver.check(&[], cx)? {
            Answer::Sat(_) => {
                let line = lift.clauses().clause(id).line;
                found
                    .lost
                    .push(format!("clause {} (line {line}) loses a step", id.0));
            }
            Answer::Unsat(_) => {}
            Answer::Unknown(_) => found.undecided += 1,
        }
        solver.pop();
    }
    Ok(found)
}

/// Writes clauses down over the symbols of the transition system, each argument by an equation.
struct Anew<'a> {
    lift: &'a SingleLoopLift,
    terms: &'a TermStore,
}

impl Anew<'_> {
    /// Steps of the clause that the transition system lacks.
    fn escape(&self, id: ClauseId, system: &TransitionSystem) -> Term {
        let (terms, clause) = (self.terms, self.lift.clauses().clause(id));
        let program = self.lift.program();
        let is_start = program.starts.iter().any(|s| s.clause == id);
        let mut conjuncts = vec![clause.constraint];
        match (&clause.head, is_start) {
            (Some(_), true) => conjuncts.push(terms.not(system.init)),
            (Some(_), false) => conjuncts.push(terms.not(system.trans)),
            (None, _) => conjuncts.push(system.property),
        }
        if !is_start {
            let from = clause
                .body
                .first()
                .map(|a| (program.location(a.pred), a.args.as_slice()));
            let from = from.or_else(|| program.entry().map(|entry| (entry, [].as_slice())));
            conjuncts.extend(
                from.into_iter()
                    .flat_map(|(at, args)| self.state(at, args, Side::Current)),
            );
        }
        if let Some(head) = &clause.head {
            let side = if is_start { Side::Current } else { Side::Next };
            conjuncts.extend(self.state(program.location(head.pred), &head.args, side));
            let dead = program.dead(program.location(head.pred));
            conjuncts.extend(
                dead.into_iter()
                    .map(|i| terms.eq(self.symbol(i, side), program.defaults[i])),
            );
        }
        conjuncts.extend(self.chosen(id, clause));
        terms.and(conjuncts)
    }

    /// Being at a location with these arguments.
    fn state(&self, at: Location, args: &[Term], side: Side) -> Vec<Term> {
        let location = self
            .lift
            .location()
            .map(|v| if side == Side::Next { v.next } else { v.cur });
        let mut equal: Vec<Term> = location
            .map(|v| self.terms.eq(v, self.terms.int(at.0)))
            .into_iter()
            .collect();
        for (&slot, &arg) in self.lift.program().places[at.index()].args.iter().zip(args) {
            let symbol = match slot {
                Slot::State(i) => self.symbol(i, side),
                Slot::Rigid(param) => param,
            };
            equal.push(self.terms.eq(symbol, arg));
        }
        equal
    }

    fn symbol(&self, var: usize, side: Side) -> Term {
        let var = self.lift.program().vars[var];
        if side == Side::Next {
            var.next
        } else {
            var.cur
        }
    }

    /// The inputs and parameters of the clause have the values of its variables: the instance that
    /// shows `∃ inputs`.
    fn chosen(&self, id: ClauseId, clause: &Clause) -> Vec<Term> {
        let LinearProgram { rules, goals, .. } = self.lift.program();
        let rule = rules
            .iter()
            .find(|r| r.clause == id)
            .map(|r| (&r.values, &r.inputs));
        let goal = goals
            .iter()
            .find(|g| g.clause == id)
            .map(|g| (&g.values, &g.params));
        let Some((values, own)) = rule.or(goal) else {
            return Vec::new();
        };
        let mine = values
            .iter()
            .filter(|(var, symbol)| clause.vars.contains(var) && own.contains(symbol));
        mine.map(|&(var, symbol)| self.terms.eq(symbol, var))
            .collect()
    }
}

/// Which end of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Current,
    Next,
}

/// Checks that no predicate of both systems is lost within `bound` steps. Systems that are not
/// linear pass unchecked.
pub(crate) fn reachability(
    before: &ChcSystem,
    after: &ChcSystem,
    bound: u32,
    cx: &Cx<'_>,
) -> Result<Validation, Halt> {
    let mut found = Validation::default();
    if !before.is_linear() || !after.is_linear() {
        return Ok(found);
    }
    let mut reached_after = Reached::explore(after, bound, cx)?;
    let reached_before = Reached::explore(before, bound, cx)?;
    for (name, reached) in reached_before.names {
        match (reached, reached_after.names.swap_remove(&name)) {
            (Some(true), Some(Some(false))) => found
                .lost
                .push(format!("{name} cannot be reached any more")),
            (None, _) | (_, Some(None)) => found.undecided += 1,
            _ => {}
        }
    }
    Ok(found)
}

/// Whether each predicate, by name, is derived within some steps; `None` when the solver is unsure.
struct Reached {
    names: indexmap::IndexMap<String, Option<bool>>,
}

impl Reached {
    fn explore(system: &ChcSystem, bound: u32, cx: &Cx<'_>) -> Result<Reached, Halt> {
        let (ts, lift) = SingleLoop.run(system, cx)?;
        let mut solver = cx
            .oracles
            .solver(&SolverConfig::new("validate").with_limit(PATIENCE));
        let mut unroller = Unroller::new(&ts);
        solver.assert(cx.terms, unroller.at(cx.terms, ts.init, 0))?;
        let mut reached: Vec<Option<bool>> = vec![Some(false); system.preds.len()];
        for step in 0..=bound {
            // Asserting asks nothing, so that nothing else would notice that time is over.
            cx.budget.check()?;
            if reached.iter().all(|r| *r == Some(true)) {
                break;
            }
            for pred in system
                .pred_ids()
                .filter(|p| reached[p.index()] != Some(true))
                .collect::<Vec<_>>()
            {
                let at = lift
                    .location()
                    .map(|v| cx.terms.eq(v.cur, cx.terms.int(pred.0)));
                let at = at.map(|here| unroller.at(cx.terms, here, step));
                reached[pred.index()] = ask(&mut *solver, at, reached[pred.index()], cx)?;
            }
            solver.assert(cx.terms, unroller.at(cx.terms, ts.trans, step))?;
        }
        let name = |p| system.name(cx.terms, p).to_string();
        Ok(Reached {
            names: system.pred_ids().map(name).zip(reached).collect(),
        })
    }
}

/// Whether an assumption can hold; what was known before when it cannot.
fn ask(
    solver: &mut dyn Solver,
    assumption: Option<Term>,
    before: Option<bool>,
    cx: &Cx<'_>,
) -> Result<Option<bool>, Halt> {
    let assumptions: Vec<Term> = assumption.into_iter().collect();
    Ok(match solver.check(&assumptions, cx)? {
        Answer::Sat(_) => Some(true),
        Answer::Unsat(_) => before,
        Answer::Unknown(_) => None,
    })
}

#[cfg(test)]
mod tests;
