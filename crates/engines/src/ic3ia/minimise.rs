//! Reducing new predicates to those an abstract path is excluded by (TACAS 2014, section 5.1).
//!
//! ```text
//! I(X̂_0) ∧ ⋀_i T(X_i, X̂_{i+1}) ∧ ⋀_{i,p∈ℙ} p(X̂_i) ↔ p(X_i) ∧ cubes ∧ ¬P(X̂_k)
//!        ∧ ⋀_{q new} l_q ⇒ ⋀_i q(X̂_i) ↔ q(X_i)                unsatisfiable with which l_q?
//! ```
//!
//! Parameters are duplicated like state variables: IC3 links steps through ℙ only. Predicates that
//! mention parameters are kept (`keep_important`): auxiliary variables of the layers above are parameters, and
//! forgetting their predicates sends the search round in circles. With uninterpreted functions the
//! unrolling shares interpretations between steps that IC3 does not share; an empty core is then
//! possible and keeps everything.

use foretell_kernel::{Cx, Halt};
use foretell_systems::{StateVar, TransitionSystem, Unroller};
use foretell_terms::{Term, TermSet};

use super::options::Ic3iaOptions;
use super::queries::config;
use crate::abstraction::{Cube, LiteralSolver, Predicates, Reply};

/// The needed ones among the new predicates; all of them when none or too few suffice.
pub(super) fn minimise(
    system: &TransitionSystem,
    cubes: &[Cube],
    predicates: &Predicates,
    new: &TermSet,
    options: &Ic3iaOptions,
    cx: &Cx<'_>,
) -> Result<TermSet, Halt> {
    let mut solver = LiteralSolver::new(
        &config("ic3ia-minimise", system, options, cx).with_minimal_cores(),
        0,
        cx,
    );
    let mut links = Links::new(system, cubes.len() - 1, cx);
    for part in links.path(system, cubes, cx) {
        solver.assert(part, cx)?;
    }
    for &atom in predicates.atoms() {
        solver.assert(links.link(atom, cx), cx)?;
    }
    let mut labels: Vec<(Term, Term)> = Vec::new();
    for &atom in new {
        let label = solver.label("predicate", cx);
        solver.assert_under(label, links.link(atom, cx), cx)?;
        labels.push((label, atom));
    }
    let assumed: Vec<Term> = labels.iter().map(|(l, _)| *l).collect();
    let Reply::Unsat(core) = solver.ask(&[], &assumed, |_| (), cx)? else {
        return Ok(new.clone());
    };
    if core.len() == 0 {
        return Ok(new.clone());
    }
    let rigid = |atom: Term| {
        cx.terms
            .free_vars(&[atom])
            .iter()
            .any(|v| system.params.contains(v))
    };
    let important = |atom: Term| options.keep_important && rigid(atom);
    let kept = labels
        .into_iter()
        .filter(|(l, atom)| core.contains(*l) || important(*atom));
    Ok(kept.map(|(_, atom)| atom).collect())
}

/// The abstract unrolling: state i is entered at time 2i and left at time 2i+1.
struct Links {
    unroller: Unroller,
    trans: Term,
    length: u32,
}

impl Links {
    fn new(system: &TransitionSystem, length: usize, cx: &Cx<'_>) -> Links {
        let mut copy = system.clone();
        let mut trans = vec![system.trans];
        for param in std::mem::take(&mut copy.params) {
            let next = cx
                .terms
                .fresh(cx.terms.var_name(param), cx.terms.sort(param));
            copy.vars.push(StateVar { cur: param, next });
            trans.push(cx.terms.eq(next, param));
        }
        Links {
            unroller: Unroller::new(&copy),
            trans: cx.terms.and(trans),
            length: u32::try_from(length).expect("invariant: fewer than 2^32 steps"),
        }
    }

    /// Initial state, disconnected steps, cubes and the bad state.
    fn path(&mut self, system: &TransitionSystem, cubes: &[Cube], cx: &Cx<'_>) -> Vec<Term> {
        let mut parts = vec![self.unroller.at(cx.terms, system.init, 0)];
        for (cube, i) in cubes.iter().zip(0u32..) {
            let time = if i == self.length { 2 * i } else { 2 * i + 1 };
            parts.push(self.unroller.at(cx.terms, cube.term(cx.terms), time));
            let end = if i == self.length {
                cx.terms.not(system.property)
            } else {
                self.trans
            };
            parts.push(self.unroller.at(cx.terms, end, time));
        }
        parts
    }

    /// `⋀_{i<k} atom@2i ↔ atom@(2i+1)`.
    fn link(&mut self, atom: Term, cx: &Cx<'_>) -> Term {
        let steps = (0..self.length).map(|i| {
            let entered = self.unroller.at(cx.terms, atom, 2 * i);
            let left = self.unroller.at(cx.terms, atom, 2 * i + 1);
            cx.terms.eq(entered, left)
        });
        cx.terms.and(steps.collect::<Vec<Term>>())
    }
}
