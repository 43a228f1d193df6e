//! Finds a derivation whose facts are given.
//!
//! ```text
//! for each fact P(v) with premises Q1(u1) … Qn(un), premises first
//!   find a clause  B1(s1) ∧ … ∧ Bm(sm) ∧ φ ⇒ P(t),  a place in its body for each premise,
//!        and a small tree of clauses for each body atom that has none
//!        such that  φ ∧ t = v ∧ s = u ∧ what the trees ask  has a model: its values are the steps
//! ```
//!
//! A part of [`crate::engine`]. The facts only guide: each step is found by our own solver, and the
//! whole is replayed by the checker like any derivation. Trees are needed because solvers resolve
//! trivial predicates before they start; they have at most [`DEEPEST`] levels.

use foretell_kernel::{Answer, Cx, Halt, Model, SolverConfig};
use foretell_systems::{Atom, ChcSystem, Clause, ClauseId, Derivation, DerivationStep, Pred};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, TermStore};

use crate::refutation::Fact;

/// So many ways to use a clause are tried for one fact.
const MOST_WAYS: usize = 48;
/// A body atom that no premise shows is derived by trees of at most so many levels.
const DEEPEST: u32 = 2;

/// A derivation along the facts, the last of which is the goal; `None` when some step is not found.
pub(crate) fn derivation(
    facts: &[Fact],
    system: &ChcSystem,
    cx: &Cx<'_>,
) -> Result<Option<Derivation>, Halt> {
    let mut found = Found {
        facts,
        system,
        steps: Vec::new(),
        at: Vec::new(),
    };
    for fact in facts {
        cx.budget.check()?;
        if !found.derive(fact, cx)? {
            return Ok(None);
        }
        if fact.pred.is_none() {
            return Ok(Some(Derivation {
                steps: found.steps,
                ..Derivation::default()
            }));
        }
    }
    Ok(None)
}

/// One use of a clause: with variables of its own, and what shows each body atom.
#[derive(Clone)]
struct Use {
    id: ClauseId,
    clause: Clause,
    body: Vec<Shown>,
}

/// What shows a body atom.
#[derive(Clone)]
enum Shown {
    /// The fact at this place.
    By(usize),
    /// A clause of its own.
    Below(Use),
}

struct Found<'a> {
    facts: &'a [Fact],
    system: &'a ChcSystem,
    steps: Vec<DerivationStep>,
    /// The step that derived each fact so far.
    at: Vec<usize>,
}

impl Found<'_> {
    /// Adds the steps that derive the next fact; whether there are any.
    fn derive(&mut self, fact: &Fact, cx: &Cx<'_>) -> Result<bool, Halt> {
        for id in self.heads(fact.pred) {
            for places in places(self.system.clause(id), fact, self.facts) {
                for way in self.ways(id, &places, DEEPEST, cx.terms) {
                    if self.take(&way, fact, cx)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// The clauses with this head.
    fn heads(&self, pred: Option<Pred>) -> Vec<ClauseId> {
        let head = |id: &ClauseId| self.system.clause(*id).head.as_ref().map(|h| h.pred) == pred;
        self.system.clause_ids().filter(head).collect()
    }

    /// The ways to use a clause whose body atoms are shown by these facts, or by trees.
    fn ways(&self, id: ClauseId, places: &[Option<usize>], deep: u32, t: &TermStore) -> Vec<Use> {
        let clause = self.system.clause(id).renamed(t);
        let mut ways = vec![Vec::new()];
        for (atom, place) in clause.body.iter().zip(places) {
            let shown = match place {
                Some(fact) => vec![Shown::By(*fact)],
                None if deep == 0 => Vec::new(),
                None => self.trees(atom.pred, deep - 1, t),
            };
            let longer = ways.iter().flat_map(|way: &Vec<Shown>| {
                shown
                    .iter()
                    .map(move |s| [way.as_slice(), std::slice::from_ref(s)].concat())
            });
            ways = longer.take(MOST_WAYS).collect();
        }
        let ways = ways.into_iter();
        ways.map(|body| Use {
            id,
            clause: clause.clone(),
            body,
        })
        .collect()
    }

    /// Trees that show some fact about a predicate.
    fn trees(&self, pred: Pred, deep: u32, terms: &TermStore) -> Vec<Shown> {
        let heads = self.heads(Some(pred)).into_iter();
        let uses = heads.flat_map(|id| {
            let open = vec![None; self.system.clause(id).body.len()];
            self.ways(id, &open, deep, terms)
        });
        uses.take(MOST_WAYS).map(Shown::Below).collect()
    }

    /// Asks for values of all variables of a way; adds its steps when there are some.
    fn take(&mut self, way: &Use, fact: &Fact, cx: &Cx<'_>) -> Result<bool, Halt> {
        let terms = cx.terms;
        let mut demands = Vec::new();
        if let Some(head) = &way.clause.head {
            demands.extend(same(head, &fact.args, terms));
        }
        self.demand(way, terms, &mut demands);
        let mut solver = cx.oracles.solver(&SolverConfig::new("rebuild"));
        for demand in demands {
            solver.assert(terms, demand)?;
        }
        let Answer::Sat(model) = solver.check(&[], cx)? else {
            return Ok(false);
        };
        let length = self.steps.len();
        let last = self.add(way, &*model, terms);
        match last {
            Some(step) => self.at.push(step),
            None => self.steps.truncate(length),
        }
        Ok(last.is_some())
    }

    /// What a way asks of its variables.
    fn demand(&self, way: &Use, terms: &TermStore, demands: &mut Vec<Term>) {
        demands.push(way.clause.constraint);
        for (atom, shown) in way.clause.body.iter().zip(&way.body) {
            match shown {
                Shown::By(fact) => demands.extend(same(atom, &self.facts[*fact].args, terms)),
                Shown::Below(below) => {
                    let head = below.clause.head.as_ref();
                    demands.extend(head.into_iter().flat_map(|h| same(atom, &h.args, terms)));
                    self.demand(below, terms, demands);
                }
            }
        }
    }

    /// Adds the steps of a way with the values of a model; the last of them.
    fn add(&mut self, way: &Use, model: &dyn Model, terms: &TermStore) -> Option<usize> {
        let mut premises = Vec::new();
        for shown in &way.body {
            premises.push(match shown {
                Shown::By(fact) => self.at[*fact],
                Shown::Below(below) => self.add(below, model, terms)?,
            });
        }
        let mut values = Assignment::new();
        let own = &self.system.clause(way.id).vars;
        for (&var, &renamed) in own.iter().zip(&way.clause.vars) {
            values.insert(var, model.value(terms, renamed)?);
        }
        self.steps.push(DerivationStep {
            clause: way.id,
            values,
            premises,
        });
        Some(self.steps.len() - 1)
    }
}

/// Arguments that are to be equal.
fn same(atom: &Atom, args: &[Term], terms: &TermStore) -> Vec<Term> {
    let pairs = atom.args.iter().zip(args);
    pairs.map(|(&a, &b)| terms.eq(a, b)).collect()
}

/// The ways to give each premise a body atom with its predicate; some atoms may get none.
fn places(clause: &Clause, fact: &Fact, facts: &[Fact]) -> Vec<Vec<Option<usize>>> {
    let mut ways = vec![vec![None; clause.body.len()]];
    for &premise in &fact.premises {
        let mut longer = Vec::new();
        for way in &ways {
            for (i, atom) in clause.body.iter().enumerate() {
                let fits = way[i].is_none() && facts[premise].pred == Some(atom.pred);
                if fits && longer.len() < MOST_WAYS {
                    let mut next = way.clone();
                    next[i] = Some(premise);
                    longer.push(next);
                }
            }
        }
        ways = longer;
    }
    ways
}
