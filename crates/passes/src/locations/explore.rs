//! Which places are reached, and along which edges.
//!
//! ```text
//! places ← ∅
//! for each fact c:                          edges to the values of its head
//! for each place p, in order of discovery:  for each clause c with p in its body
//!   while constraint of c ∧ values of p has a model: an edge to the model's values of the head; block them
//! ```
//!
//! An over-approximation of what is derivable: other arguments are not looked at.

use foretell_kernel::{Answer, Cx, Halt, Solver, SolverConfig, Work};
use foretell_systems::{ChcSystem, Clause, ClauseId, Pred};
use foretell_terms::Value;
use indexmap::IndexSet;

use super::control::Control;
use super::literals;

/// So many edges from each place on average, beyond the first ones, are data.
const DENSE: usize = 16;
/// No more questions than this are asked.
const MOST_CHECKS: usize = 1500;
/// Nor is more work done than this.
const LIMIT: Work = Work::of_millis(2500);

/// A predicate with values for its arguments that are control.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Place {
    pub(super) pred: Pred,
    pub(super) values: Vec<Value>,
}

/// A clause between places; facts come from nowhere, queries lead nowhere.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) clause: ClauseId,
    pub(super) from: Option<Place>,
    pub(super) to: Option<Place>,
}

/// The edges that facts reach; `None` when there are too many, or a question was not decided.
pub(super) fn explore(
    system: &ChcSystem,
    control: &Control,
    most: usize,
    cx: &Cx<'_>,
) -> Result<Option<Vec<Edge>>, Halt> {
    let mut explorer = Explorer {
        system,
        control,
        most,
        solvers: system.clauses.iter().map(|_| None).collect(),
        places: IndexSet::new(),
        edges: Vec::new(),
        checks: 0,
    };
    let complete = cx.within(LIMIT, |cx| explorer.run(cx))?;
    Ok(complete.unwrap_or(false).then_some(explorer.edges))
}

struct Explorer<'a> {
    system: &'a ChcSystem,
    control: &'a Control,
    /// No more places than this.
    most: usize,
    /// By clause; each holds the constraint of its clause.
    solvers: Vec<Option<Box<dyn Solver>>>,
    places: IndexSet<Place>,
    edges: Vec<Edge>,
    checks: usize,
}

impl Explorer<'_> {
    /// Whether the whole graph was found.
    fn run(&mut self, cx: &Cx<'_>) -> Result<bool, Halt> {
        for id in self
            .system
            .clause_ids()
            .filter(|id| self.system.clause(*id).is_fact())
        {
            if !self.leave(id, None, cx)? {
                return Ok(false);
            }
        }
        let mut next = 0;
        while let Some(place) = self.places.get_index(next).cloned() {
            next += 1;
            let uses = |id: &ClauseId| {
                self.system.clause(*id).body.first().map(|a| a.pred) == Some(place.pred)
            };
            for id in self.system.clause_ids().filter(uses).collect::<Vec<_>>() {
                if !self.leave(id, Some(&place), cx)? {
                    return Ok(false);
                }
            }
            let is_dense = self.edges.len() > DENSE * (next + 4);
            if is_dense || self.places.len() > self.most || self.checks > MOST_CHECKS {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Finds the edges of one clause from one place; `false` when that cannot be decided.
    fn leave(&mut self, id: ClauseId, from: Option<&Place>, cx: &Cx<'_>) -> Result<bool, Halt> {
        let clause = self.system.clause(id);
        let mut solver = match self.solvers[id.index()].take() {
            Some(solver) => solver,
            None => solver(clause, cx)?,
        };
        solver.push();
        if let (Some(place), Some(atom)) = (from, clause.body.first()) {
            for literal in literals(place, &self.control.of(place.pred, &atom.args), cx.terms) {
                solver.assert(cx.terms, literal)?;
            }
        }
        let ends = self.ends(clause, solver.as_mut(), cx)?;
        solver.pop();
        self.solvers[id.index()] = Some(solver);
        let Some(ends) = ends else { return Ok(false) };
        for to in ends {
            self.places.extend(to.clone());
            self.edges.push(Edge {
                clause: id,
                from: from.cloned(),
                to,
            });
        }
        Ok(true)
    }

    /// Where a clause leads under what the solver holds: places, or for a query nowhere.
    fn ends(
        &mut self,
        clause: &Clause,
        solver: &mut dyn Solver,
        cx: &Cx<'_>,
    ) -> Result<Option<Vec<Option<Place>>>, Halt> {
        let mut ends = Vec::new();
        let head = clause
            .head
            .as_ref()
            .map(|h| (h.pred, self.control.of(h.pred, &h.args)));
        loop {
            self.checks += 1;
            let end = match solver.check(&[], cx)? {
                Answer::Unsat(_) => break,
                Answer::Unknown(_) => return Ok(None),
                Answer::Sat(model) => match &head {
                    None => return Ok(Some(vec![None])),
                    Some((pred, args)) => {
                        let values = args.iter().map(|&a| model.value(cx.terms, a));
                        values.collect::<Option<Vec<Value>>>().map(|values| Place {
                            pred: *pred,
                            values,
                        })
                    }
                },
            };
            let (Some(place), Some((_, args))) = (end, &head) else {
                return Ok(None);
            };
            let again = cx.terms.and(literals(&place, args, cx.terms));
            solver.assert(cx.terms, cx.terms.not(again))?;
            ends.push(Some(place));
            if ends.len() > self.most || self.checks > MOST_CHECKS {
                return Ok(None);
            }
        }
        // The order does not depend on the solver.
        ends.sort();
        Ok(Some(ends))
    }
}

/// A solver that holds the constraint of a clause.
fn solver(clause: &Clause, cx: &Cx<'_>) -> Result<Box<dyn Solver>, Halt> {
    let config = SolverConfig::new("locations").quantifier_free();
    let config = config
        .with_logic(cx.terms.logic(&[clause.constraint]))
        .with_light_arithmetic();
    let mut solver = cx.oracles.solver(&config);
    solver.assert(cx.terms, clause.constraint)?;
    Ok(solver)
}
