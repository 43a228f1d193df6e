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
//! it; `weakest` needs uses with one body atom. After solving for the clause's variables often none is
//! left; the choice falls on the side with fewer quantified variables (arrays count more), then on
//! the smaller formulas. If some are left, formulas between the two are tried (`between.rs`).

use foretell_kernel::{Cx, Halt};
use foretell_systems::chc::{ChcAuxiliary, ChcWitness};
use foretell_systems::{Atom, Clause, ClauseId, Pred};
use foretell_terms::{Term, TermMap, TermStore};

use super::InlineLift;
use super::between::between;
use super::resolve::{Merged, Node};
use crate::shared::witness::carry;
use foretell_formulas::{Equations, Quantifier, close, instantiate, solve};

/// Formulas for all original predicates from those of the predicates that stayed.
pub(super) fn formulas(this: &InlineLift, kept: &[Term], cx: &Cx<'_>) -> Result<Vec<Term>, Halt> {
    let mut known: Vec<Option<Term>> = vec![None; this.system.preds.len()];
    for (pred, &formula) in this.kept().into_iter().zip(kept) {
        known[pred.index()] = Some(formula);
    }
    for component in components(this) {
        let mut best = compute(this, &component, Side::Strongest, &known, cx)?;
        if has_linear_uses(this, &component) {
            let weakest = compute(this, &component, Side::Weakest, &known, cx)?;
            if weakest.cost(cx.terms) < best.cost(cx.terms) {
                best = weakest;
            }
            if best.quantified > 0 && crate::shared::is_scalar(&this.system, cx.terms) {
                let between = between(this, &component, &known, cx)?;
                if between.cost(cx.terms) < best.cost(cx.terms) {
                    best = between;
                }
            }
        }
        known = best.known;
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
        .filter(|m| m.nodes.len() > 1 && !m.clause.is_query());
    if has_history && resolved_rules.next().is_some() {
        return Ok(None);
    }
    let invariants = formulas(this, &witness.invariants, cx)?;
    if invariants.iter().any(|&f| cx.terms.has_quantifier(f)) {
        return Ok(None);
    }
    let (mut witness, mut places) = (witness.clone(), vec![None; this.system.clauses.len()]);
    for (at, merged) in this.clauses.iter().enumerate() {
        let first = &merged.nodes[0];
        if merged.nodes.len() > 1 {
            if !merged.clause.is_query() {
                continue;
            }
            let head = this.system.clause(first.clause).head.as_ref();
            let refuted = head.is_some_and(|h| cx.terms.is_false(invariants[h.pred.index()]));
            let moved = refuted && places[first.clause.index()].is_none() && is_chain(merged);
            if !moved || !move_targets(&mut witness, at, first, cx.terms) {
                return Ok(None);
            }
        }
        places[first.clause.index()] = u32::try_from(at).ok().map(ClauseId);
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
fn is_chain(merged: &Merged) -> bool {
    merged.nodes.iter().all(|n| n.premises.len() <= 1)
}

/// Says the targets of a resolved query over the variables of its first clause; whether it was possible.
fn move_targets(witness: &mut ChcWitness, at: usize, first: &Node, terms: &TermStore) -> bool {
    let own = |var: Term| {
        first
            .values
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
    /// The formulas of all predicates that have one.
    pub(super) known: Vec<Option<Term>>,
    /// Those made for the component.
    pub(super) made: Vec<Term>,
    /// The weight of their quantifiers.
    pub(super) quantified: usize,
}

impl Choice {
    fn cost(&self, terms: &TermStore) -> (usize, usize) {
        (self.quantified, terms.subterms(&self.made).len())
    }
}

/// Eliminated predicates connected by clauses, each component in elimination order.
fn components(this: &InlineLift) -> Vec<Vec<Pred>> {
    let mut component: Vec<usize> = (0..this.system.preds.len()).collect();
    let is_eliminated = |p: Pred| this.eliminated.contains(&p);
    for clause in &this.system.clauses {
        let mut gone = clause
            .body
            .iter()
            .chain(&clause.head)
            .map(|a| a.pred)
            .filter(|&p| is_eliminated(p));
        let Some(first) = gone.next() else { continue };
        for pred in gone {
            let (from, to) = (component[pred.index()], component[first.index()]);
            component
                .iter_mut()
                .filter(|c| **c == from)
                .for_each(|c| *c = to);
        }
    }
    let mut groups: indexmap::IndexMap<usize, Vec<Pred>> = indexmap::IndexMap::new();
    for &pred in &this.eliminated {
        groups
            .entry(component[pred.index()])
            .or_default()
            .push(pred);
    }
    groups.into_values().collect()
}

fn has_linear_uses(this: &InlineLift, component: &[Pred]) -> bool {
    let uses = |c: &&Clause| c.body.iter().any(|a| component.contains(&a.pred));
    this.system
        .clauses
        .iter()
        .filter(uses)
        .all(|c| c.body.len() == 1)
}

pub(super) fn compute(
    this: &InlineLift,
    component: &[Pred],
    side: Side,
    known: &[Option<Term>],
    cx: &Cx<'_>,
) -> Result<Choice, Halt> {
    let mut choice = Choice {
        known: known.to_vec(),
        made: Vec::new(),
        quantified: 0,
    };
    let mut order = component.to_vec();
    if side == Side::Weakest {
        order.reverse();
    }
    for pred in order {
        let mut parts = Vec::new();
        for clause in &this.system.clauses {
            let atom = match side {
                Side::Strongest => clause.head.as_ref(),
                Side::Weakest => clause.body.first(),
            };
            if atom.is_some_and(|a| a.pred == pred) {
                parts.push(part(this, pred, clause, side, &mut choice, cx)?);
            }
        }
        let formula = match side {
            Side::Strongest => cx.terms.or(parts),
            Side::Weakest => cx.terms.and(parts),
        };
        choice.known[pred.index()] = Some(formula);
        choice.made.push(formula);
    }
    Ok(choice)
}

/// What one clause contributes to the formula of a predicate in its head or its body.
fn part(
    this: &InlineLift,
    pred: Pred,
    clause: &Clause,
    side: Side,
    choice: &mut Choice,
    cx: &Cx<'_>,
) -> Result<Term, Halt> {
    let terms = cx.terms;
    // Variables of its own, so that binders may take them.
    let clause = clause.renamed(terms);
    let instance = |a: &Atom| {
        let formula = choice.known[a.pred.index()].expect("invariant: formulas are made in order");
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
    let solved = solve(terms, &[premise], Equations::Linear, &|v| {
        clause.vars.contains(&v)
    });
    let rest = terms.and(solved.rest.iter().copied());
    let (quantifier, open) = match conclusion {
        None => (Quantifier::Exists, rest),
        Some(c) => (
            Quantifier::Forall,
            terms.implies(rest, solved.substitution().apply(terms, c)),
        ),
    };
    choice.quantified += weight(terms, &clause.vars, open);
    Ok(close(terms, quantifier, &clause.vars, open))
}

/// How hard the quantifiers over these variables are for a checker.
fn weight(terms: &TermStore, vars: &[Term], formula: Term) -> usize {
    let mut occurring: TermMap<()> = TermMap::default();
    occurring.extend(terms.free_vars(&[formula]).into_iter().map(|v| (v, ())));
    let weight = |&v: &Term| {
        if foretell_formulas::arrays::is_array(terms, v) {
            10
        } else {
            1
        }
    };
    vars.iter()
        .filter(|v| occurring.contains_key(*v))
        .map(weight)
        .sum()
}
