//! Formulas for predicates that were resolved away.
//!
//! For a set of eliminated predicates that are connected by clauses, either of
//!
//! ```text
//! strongest   F_q(z)  =  ⋁ over q(t) ⇐ ⋀ p_i(s_i) ∧ φ        of  ∃x. (⋀ F_pi(s_i) ∧ φ ∧ z = t)
//! weakest     F_q(z)  =  ⋀ over h(t) ⇐ q(s) ∧ φ              of  ∀x. (φ ∧ z = s ⇒ F_h(t))
//! ```
//!
//! makes every original clause valid: one side of each clause by definition, the other because the
//! clauses made by resolution hold. `strongest` goes along the elimination order, `weakest` against
//! it; `weakest` needs uses with one body atom. After eliminating the clause's variables where that is
//! exact (`formulas/src/exists.rs`) often none is left; the choice falls on the side with fewer quantified variables (arrays count more), then on
//! the smaller formulas. If some are left, formulas between the two are tried (`between.rs`).

use foretell_kernel::{Cx, Halt};
use foretell_systems::chc::{ChcAuxiliary, ChcWitness};
use foretell_systems::{Atom, Clause, ClauseId, Pred};
use foretell_terms::{Term, TermStore};
use indexmap::IndexSet;

use super::InlineLift;
use super::between::between;
use super::resolve::Merged;
use crate::shared::witness::carry;
use foretell_formulas::{bound_vars, exists, instantiate};

/// Formulas for all original predicates from those of the predicates that stayed.
pub(super) fn formulas(this: &InlineLift, kept: &[Term], cx: &Cx<'_>) -> Result<Vec<Term>, Halt> {
    let mut known: Vec<Option<Term>> = vec![None; this.system.preds.len()];
    for (pred, &formula) in this.kept.iter().zip(kept) {
        known[pred.index()] = Some(formula);
    }
    for component in components(this) {
        let mut best = compute(this, &component, Side::Strongest, &mut known, cx)?;
        if has_linear_uses(this, &component) {
            let weakest = compute(this, &component, Side::Weakest, &mut known, cx)?;
            if weakest.cost(cx.terms) < best.cost(cx.terms) {
                best = weakest;
            }
            if best.quantified > 0 && crate::shared::is_scalar(&this.system, cx.terms) {
                let between = between(this, &component, &mut known, cx)?;
                if between.cost(cx.terms) < best.cost(cx.terms) {
                    best = between;
                }
            }
        }
        for (pred, formula) in best.made {
            known[pred.index()] = Some(formula);
        }
    }
    Ok(known
        .into_iter()
        .map(|f| f.unwrap_or_else(|| cx.terms.tt()))
        .collect())
}

/// The witness for the original clauses, where it can be had without quantifiers.
///
/// Targets belong to queries and updates to rules. A query that was resolved leaves its targets to the
/// first clause it is made of, if the head of that clause is `false` in the end: `p(t) ∧ φ ⇒ fail` is
/// then a query itself. A resolved rule leaves no place for updates. Otherwise `None`.
pub(super) fn witness(
    this: &InlineLift,
    witness: &ChcWitness,
    cx: &Cx<'_>,
) -> Result<Option<ChcWitness>, Halt> {
    let has_history = witness
        .auxiliaries
        .iter()
        .any(|a| matches!(a, ChcAuxiliary::History { .. }));
    let mut resolved_rules = this
        .clauses
        .iter()
        .filter(|m| this.origins.is_resolved(m.origin) && !m.clause.is_query());
    if has_history && resolved_rules.next().is_some() {
        return Ok(None);
    }
    let invariants = formulas(this, &witness.invariants, cx)?;
    if invariants.iter().any(|&f| cx.terms.has_quantifier(f)) {
        return Ok(None);
    }
    let (mut witness, mut places) = (witness.clone(), vec![None; this.system.clauses.len()]);
    for (at, merged) in this.clauses.iter().enumerate() {
        let (first, values) = this.origins.first(merged.origin, &this.system, cx.terms);
        if this.origins.is_resolved(merged.origin) {
            if !merged.clause.is_query() {
                continue;
            }
            let head = this.system.clause(first).head.as_ref();
            let refuted = head.is_some_and(|h| cx.terms.is_false(invariants[h.pred.index()]));
            let moved = refuted && places[first.index()].is_none() && is_chain(this, merged);
            if !moved || !move_targets(&mut witness, at, &values, cx.terms) {
                return Ok(None);
            }
        }
        places[first.index()] = u32::try_from(at).ok().map(ClauseId);
    }
    Ok(carry(
        &witness,
        &this.system,
        invariants,
        &|id| places[id.index()],
        cx.terms,
    ))
}

/// Whether each clause of a tree has the one before it as its only premise.
fn is_chain(this: &InlineLift, merged: &Merged) -> bool {
    let clauses = this.origins.clauses(merged.origin);
    let mut bodies = clauses.iter().map(|&id| &this.system.clause(id).body);
    bodies.all(|body| body.len() <= 1)
}

/// Says the targets of a resolved query over the variables of its first clause, given in terms of those
/// of the query; whether it was possible.
fn move_targets(
    witness: &mut ChcWitness,
    at: usize,
    first: &[(Term, Term)],
    terms: &TermStore,
) -> bool {
    let own = |var: Term| {
        first
            .iter()
            .find(|&&(_, value)| value == var)
            .map(|&(name, _)| name)
    };
    let var = |a: &ChcAuxiliary| match a {
        ChcAuxiliary::Prophecy { var, .. } | ChcAuxiliary::History { var, .. } => *var,
    };
    let auxiliaries: Vec<Term> = witness.auxiliaries.iter().map(var).collect();
    for auxiliary in &mut witness.auxiliaries {
        let ChcAuxiliary::Prophecy { targets, .. } = auxiliary else {
            continue;
        };
        let Some(target) = targets[at] else { continue };
        let vars = terms
            .free_vars(&[target])
            .into_iter()
            .filter(|v| !auxiliaries.contains(v));
        let renamed: Option<Vec<(Term, Term)>> =
            vars.map(|v| own(v).map(|name| (v, name))).collect();
        let Some(renamed) = renamed else { return false };
        targets[at] = Some(terms.substitute(target, renamed));
    }
    true
}

/// Which formula a predicate gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Strongest,
    Weakest,
}

/// Formulas of one component under one choice.
pub(super) struct Choice {
    /// The formulas made for the predicates of the component.
    pub(super) made: Vec<(Pred, Term)>,
    /// The weight of their quantifiers.
    pub(super) quantified: usize,
}

impl Choice {
    fn cost(&self, terms: &TermStore) -> (usize, usize) {
        let made: Vec<Term> = self.made.iter().map(|&(_, formula)| formula).collect();
        (self.quantified, terms.subterms(&made).len())
    }
}

/// Eliminated predicates connected by clauses, each component in elimination order.
fn components(this: &InlineLift) -> Vec<Vec<Pred>> {
    // A forest: the root of its tree stands for a component.
    let mut above: Vec<usize> = (0..this.system.preds.len()).collect();
    let is_eliminated = |p: Pred| this.places[p.index()].is_none();
    for clause in &this.system.clauses {
        let mut gone = clause
            .body
            .iter()
            .chain(&clause.head)
            .map(|a| a.pred)
            .filter(|&p| is_eliminated(p));
        let Some(first) = gone.next() else { continue };
        for pred in gone {
            let (from, to) = (
                root(&mut above, pred.index()),
                root(&mut above, first.index()),
            );
            above[from] = to;
        }
    }
    let mut groups: indexmap::IndexMap<usize, Vec<Pred>> = indexmap::IndexMap::new();
    for &pred in &this.eliminated {
        groups
            .entry(root(&mut above, pred.index()))
            .or_default()
            .push(pred);
    }
    groups.into_values().collect()
}

/// The root of the tree of a node; the path to it is made shorter.
fn root(above: &mut [usize], mut node: usize) -> usize {
    while above[node] != node {
        above[node] = above[above[node]];
        node = above[node];
    }
    node
}

fn has_linear_uses(this: &InlineLift, component: &[Pred]) -> bool {
    let component: IndexSet<Pred> = component.iter().copied().collect();
    let uses = |c: &&Clause| c.body.iter().any(|a| component.contains(&a.pred));
    let mut longer = this.system.clauses.iter().filter(|c| c.body.len() != 1);
    !longer.any(|c| uses(&c))
}

/// Formulas for the predicates of a component, in order; each is also put among those that are known.
pub(super) fn compute(
    this: &InlineLift,
    component: &[Pred],
    side: Side,
    known: &mut [Option<Term>],
    cx: &Cx<'_>,
) -> Result<Choice, Halt> {
    let mut choice = Choice {
        made: Vec::new(),
        quantified: 0,
    };
    let mut order = component.to_vec();
    if side == Side::Weakest {
        order.reverse();
    }
    for pred in order {
        cx.budget.check()?;
        let clauses: Vec<&Clause> = match side {
            Side::Strongest => this.definitions(pred).collect(),
            Side::Weakest => this.uses(pred).collect(),
        };
        let mut parts = Vec::new();
        for clause in clauses {
            let (part, weight) = part(this, pred, clause, side, known, cx.terms);
            choice.quantified += weight;
            parts.push(part);
        }
        let formula = match side {
            Side::Strongest => cx.terms.or(parts),
            Side::Weakest => cx.terms.and(parts),
        };
        known[pred.index()] = Some(formula);
        choice.made.push((pred, formula));
    }
    Ok(choice)
}

/// What one clause contributes to the formula of a predicate in its head or its body, and the weight of
/// its quantifiers.
fn part(
    this: &InlineLift,
    pred: Pred,
    clause: &Clause,
    side: Side,
    known: &[Option<Term>],
    terms: &TermStore,
) -> (Term, usize) {
    // Variables of its own, so that binders may take them.
    let clause = clause.renamed(terms);
    let instance = |a: &Atom| {
        let formula = known[a.pred.index()].expect("invariant: formulas are made in order");
        instantiate(terms, formula, &this.system.pred(a.pred).params, &a.args)
    };
    let (own, premise, conclusion) = match (side, &clause.head) {
        (Side::Strongest, Some(head)) => {
            let body = clause.body.iter().map(instance).chain([clause.constraint]);
            (head, terms.and(body), None)
        }
        (_, head) => {
            let conclusion = head.as_ref().map_or_else(|| terms.ff(), instance);
            (&clause.body[0], clause.constraint, Some(conclusion))
        }
    };
    let params = &this.system.pred(pred).params;
    let equal = params.iter().zip(&own.args).map(|(&p, &a)| terms.eq(p, a));
    let premise = terms.and([premise].into_iter().chain(equal));
    let formula = match conclusion {
        None => exists(terms, &clause.vars, premise),
        Some(c) => terms.not(exists(
            terms,
            &clause.vars,
            terms.and2(premise, terms.not(c)),
        )),
    };
    (formula, weight(terms, formula))
}

/// How hard the quantifiers of a formula are for a checker.
fn weight(terms: &TermStore, formula: Term) -> usize {
    let weight = |&v: &Term| match foretell_formulas::arrays::is_array(terms, v) {
        true => 10,
        false => 1,
    };
    bound_vars(terms, formula).iter().map(weight).sum()
}
