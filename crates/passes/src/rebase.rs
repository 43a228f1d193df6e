//! Arrays are counted from their pointer.
//!
//! ```text
//! p(b, store(a, b + i, 0), i + 1) ⇐ p(b, a, i) ∧ i < n     →     p(b, store(a', i, 0), i + 1) ⇐ p(b, a', i) ∧ i < n
//! false ⇐ p(b, a, i) ∧ select(a, b) ≠ 0                    →     false ⇐ p(b, a', i) ∧ select(a', 0) ≠ 0
//! ```
//!
//! Front ends that model memory write `base + offset` at every access, and `base` never changes. For such a
//! base, `a'[j] = a[j + b]` is a bijection on arrays:
//!
//! ```text
//! select(a, t)    ↦  select(a', t − b)        store(a, t, v)  ↦  store(a', t − b, v)
//! i  ↦  i' + b                                for a variable of the clause alone with an equation i = b + …
//! ```
//!
//! and everything else stays. [`choose`] finds classes of arrays that meet, and their base; [`shift`] moves
//! terms. What is left over of the base is often an unused argument (`arguments.rs`). The way back moves by
//! `+b`, in formulas under quantifiers as well, and the keys of array values in derivations.
//!
//! Limits: one index, an integer; systems without quantifiers; every access of a class has the base in sight.

mod choose;
mod shift;

use foretell_kernel::{Cx, Halt, Lift, Pass, Translation};
use foretell_systems::chc::{ChcAuxiliary, ChcWitness};
use foretell_systems::{Atom, ChcProof, ChcSystem, Clause, Derivation, Pred};
use foretell_terms::eval::Assignment;
use foretell_terms::{ArrayValue, Term, TermMap, TermStore, Value};

use crate::equalities::clause_vars;
use crate::shared::facts::Fact;
use crate::shared::replay::{complete, fill};
use choose::choose;
use shift::{Shift, with_bound};

/// The name of the pass.
const NAME: &str = "rebase";

/// The pass.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Rebase;

impl Pass for Rebase {
    type From = ChcSystem;
    type To = ChcSystem;
    type Lift = RebaseLift;

    fn name(&self) -> &'static str {
        NAME
    }

    fn run(&self, from: &ChcSystem, cx: &Cx<'_>) -> Result<(ChcSystem, RebaseLift), Halt> {
        let moved = choose(from, cx.terms).and_then(|plan| moved(from, plan, cx.terms));
        let (to, plan) = match moved {
            Some((to, plan)) => (to, Some(plan)),
            None => (from.clone(), None),
        };
        let system = from.clone();
        Ok((to, RebaseLift { system, plan }))
    }
}

/// What is moved by what.
struct Plan {
    /// For each predicate: array parameters with the parameters that are their bases.
    preds: Vec<TermMap<Term>>,
    /// For each clause.
    clauses: Vec<ClausePlan>,
}

/// What is moved in one clause.
#[derive(Default)]
struct ClausePlan {
    /// Array variables with their bases.
    arrays: TermMap<Term>,
    /// Integer variables of the clause alone that count from a base.
    indices: TermMap<Term>,
}

impl ClausePlan {
    /// From the terms given to those made.
    fn forward<'t>(&self, terms: &'t TermStore) -> Shift<'t> {
        let arrays = self.arrays.iter().map(|(&a, &b)| (a, terms.neg(b)));
        let indices = self.indices.iter();
        let indices = indices.map(|(&i, &b)| (i, terms.add2(i, b)));
        Shift::new(terms, arrays.collect(), indices.collect())
    }

    /// And back.
    fn backward<'t>(&self, terms: &'t TermStore) -> Shift<'t> {
        let indices = self.indices.iter().map(|(&i, &b)| (i, terms.sub(i, b)));
        Shift::new(terms, self.arrays.clone(), indices.collect())
    }
}

/// The moved system; `None` when an array is used in a way that cannot be moved.
fn moved(from: &ChcSystem, plan: Plan, terms: &TermStore) -> Option<(ChcSystem, Plan)> {
    let clauses = from.clauses.iter().zip(&plan.clauses);
    let clauses = clauses.map(|(clause, plan)| moved_clause(clause, plan, terms));
    let to = ChcSystem {
        preds: from.preds.clone(),
        clauses: clauses.collect::<Option<Vec<Clause>>>()?,
    };
    Some((to, plan))
}

fn moved_clause(clause: &Clause, plan: &ClausePlan, terms: &TermStore) -> Option<Clause> {
    let mut shift = plan.forward(terms);
    let constraint = shift.apply(clause.constraint)?;
    let mut atom = |a: &Atom| {
        Some(Atom {
            pred: a.pred,
            args: a
                .args
                .iter()
                .map(|&t| shift.apply(t))
                .collect::<Option<_>>()?,
        })
    };
    let body: Vec<Atom> = clause.body.iter().map(&mut atom).collect::<Option<_>>()?;
    let head = match &clause.head {
        Some(head) => Some(atom(head)?),
        None => None,
    };
    Some(Clause {
        vars: clause_vars(&body, constraint, head.as_ref(), terms),
        body,
        constraint,
        head,
        line: clause.line,
    })
}

/// The way back.
pub(crate) struct RebaseLift {
    system: ChcSystem,
    /// `None` when nothing was done.
    plan: Option<Plan>,
}

impl RebaseLift {
    /// A formula about the parameters of a predicate, each array moved by `sign` times its base.
    fn formula(&self, pred: Pred, formula: Term, way: Way, terms: &TermStore) -> Option<Term> {
        let Some(plan) = &self.plan else {
            return Some(formula);
        };
        let arrays = plan.preds[pred.index()].iter().map(|(&a, &b)| match way {
            Way::Up => (a, b),
            Way::Down => (a, terms.neg(b)),
        });
        let arrays = with_bound(terms, arrays.collect(), formula);
        Shift::new(terms, arrays, TermMap::default()).apply(formula)
    }

    fn formulas(&self, formulas: &[Term], terms: &TermStore) -> Option<Vec<Term>> {
        let all = self.system.pred_ids().zip(formulas);
        all.map(|(pred, &f)| self.formula(pred, f, Way::Up, terms))
            .collect()
    }

    /// The witness; `None` when one of its arrays meets a moved one.
    fn witness(&self, witness: &ChcWitness, terms: &TermStore) -> Option<ChcWitness> {
        let plan = self.plan.as_ref()?;
        let all = |list: &[Option<Term>]| {
            let moved = list
                .iter()
                .zip(&plan.clauses)
                .map(|(term, plan)| match term {
                    Some(term) => plan.backward(terms).apply(*term).map(Some),
                    None => Some(None),
                });
            moved.collect::<Option<Vec<Option<Term>>>>()
        };
        let auxiliary = |auxiliary: &ChcAuxiliary| match auxiliary {
            ChcAuxiliary::Prophecy { var, targets } => Some(ChcAuxiliary::Prophecy {
                var: *var,
                targets: all(targets)?,
            }),
            ChcAuxiliary::History { var, updates } => Some(ChcAuxiliary::History {
                var: *var,
                updates: all(updates)?,
            }),
        };
        let scalar = |a: &ChcAuxiliary| {
            let (ChcAuxiliary::Prophecy { var, .. } | ChcAuxiliary::History { var, .. }) = a;
            terms.array_parts(terms.sort(*var)).is_none()
        };
        if !witness.auxiliaries.iter().all(scalar) {
            return None;
        }
        Some(ChcWitness {
            auxiliaries: witness
                .auxiliaries
                .iter()
                .map(auxiliary)
                .collect::<Option<_>>()?,
            invariants: self.formulas(&witness.invariants, terms)?,
        })
    }
}

/// Towards the input, or towards the engine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

impl Translation for RebaseLift {
    type From = ChcSystem;
    type To = ChcSystem;

    fn up(&self, (pred, formula): Fact, cx: &Cx<'_>) -> Vec<Fact> {
        let moved = self.formula(pred, formula, Way::Up, cx.terms);
        moved.map(|f| (pred, f)).into_iter().collect()
    }

    fn down(&self, (pred, formula): Fact, cx: &Cx<'_>) -> Vec<Fact> {
        let moved = self.formula(pred, formula, Way::Down, cx.terms);
        moved.map(|f| (pred, f)).into_iter().collect()
    }
}

impl Lift for RebaseLift {
    fn proof(&self, proof: ChcProof, cx: &Cx<'_>) -> Result<ChcProof, Halt> {
        if self.plan.is_none() {
            return Ok(proof);
        }
        let formulas = self.formulas(&proof.formulas, cx.terms);
        let witness = proof.witness.as_ref();
        Ok(ChcProof {
            formulas: formulas.ok_or(Halt::NotLifted(NAME))?,
            witness: witness.and_then(|w| self.witness(w, cx.terms)),
        })
    }

    fn cex(&self, mut derivation: Derivation, cx: &Cx<'_>) -> Result<Derivation, Halt> {
        let Some(plan) = &self.plan else {
            return Ok(derivation);
        };
        for step in &mut derivation.steps {
            let at = step.clause.index();
            let clauses = self.system.clauses.get(at).zip(plan.clauses.get(at));
            let (clause, plan) = clauses.ok_or(Halt::NotLifted(NAME))?;
            fill(cx.terms, &clause.vars, &mut step.values);
            let moved = moved_values(plan, &step.values, cx.terms);
            step.values = moved.ok_or(Halt::NotLifted(NAME))?;
        }
        complete(&self.system, derivation, NAME, cx)
    }
}

/// The values of a clause before it was moved.
fn moved_values(plan: &ClausePlan, values: &Assignment, terms: &TermStore) -> Option<Assignment> {
    let mut moved = values.clone();
    for (&index, &base) in &plan.indices {
        let sum = terms.eval(terms.add2(index, base), values).ok()?;
        moved.insert(index, sum);
    }
    for (&array, &base) in &plan.arrays {
        let (Value::Array(value), Value::Int(by)) =
            (values.get(array)?, terms.eval(base, values).ok()?)
        else {
            return None;
        };
        let mut shifted = ArrayValue::constant(value.default_value().clone(), None);
        for (key, cell) in value.entries() {
            let [Value::Int(at)] = key.as_slice() else {
                return None;
            };
            shifted.store(vec![Value::Int(at + by.clone())], cell.clone());
        }
        moved.insert(array, Value::Array(shifted));
    }
    Some(moved)
}

#[cfg(test)]
mod tests;
