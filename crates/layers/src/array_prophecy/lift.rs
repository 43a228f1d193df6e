//! Proofs back to arrays: what becomes of witnesses of difference and of λ.
//!
//! Paper: Mann et al., LMCS 18(3), 2022, sections 4.2 (witnesses, λ) and 5 (Theorem 5.1: a proof with
//! prophecy variables is one with quantifiers). The lifting itself is ours.
//!
//! ```text
//! read(a, w) = read(b, w)  with  w = witness(a, b)      a = b
//! Inv(w)    any other use of the witness                ∀k. a = b ∨ a[k] ≠ b[k] ⇒ Inv(k)
//! Inv(p)    p foretells w                               ∀p. Inv(p), and p is no auxiliary variable
//! Inv(λ)                                                λ foretells h, and λ ≥ h ⇒ Inv(λ)
//!           history h = 0 or one more than the largest index so far
//! ```
//!
//! Why this is a proof. A witness is any function that says where different arrays differ, so `Inv(k)`
//! is inductive for every k that may be its value; there always is one, hence safety. A prophecy variable
//! is frozen, so `∀p. Inv(p)` is inductive where `Inv(p)` is, and the value of the witness is the instance
//! for safety. λ is larger than every index that a step uses, hence different from it, as long as `λ ≥ h`.
//!
//! Limits: a witness that a history variable would keep, a witness inside another one, and λ beside an
//! index without a name in the problem have no way back.

use foretell_formulas::{Quantifier, close_as};
use foretell_kernel::{Cx, Halt};
use foretell_systems::{Auxiliary, Invariant, StateVar, TransitionSystem};
use foretell_terms::number::Rational;
use foretell_terms::{Term, TermMap, TermSet, TermStore};

use super::ArrayProphecy;
use super::arrays::consecutive::Catalogue;
use super::arrays::index_set::Timing;
use super::arrays::{ArrayAbstraction, Role};

impl ArrayProphecy {
    /// The proof about the system with arrays.
    pub(super) fn lifted(&self, proof: Invariant, cx: &Cx<'_>) -> Result<Invariant, Halt> {
        let mut all = self.instrument.auxiliaries().to_vec();
        all.extend(proof.auxiliaries.iter().cloned());
        let formula = self.guarded(proof.formula, &mut all, cx.terms)?;
        let (witnesses, auxiliaries): (Vec<Auxiliary>, Vec<Auxiliary>) =
            all.into_iter().partition(|a| match a {
                Auxiliary::Prophecy { target, .. } => self.arrays.has_witness(cx.terms, *target),
                Auxiliary::History { .. } => false,
            });
        if proof.k != 1 && !(auxiliaries.is_empty() && witnesses.is_empty()) {
            return Err(Halt::NotLifted("prophecy"));
        }
        let mut bound: Vec<Term> = witnesses.iter().map(Auxiliary::var).collect();
        if auxiliaries.iter().any(|a| mentions(a, &bound, cx.terms)) {
            return Err(Halt::NotLifted("prophecy of a witness"));
        }
        let (formula, cells) = without_witnesses(&self.arrays, formula, cx.terms)?;
        bound.extend(cells);
        let proof = Invariant {
            formula,
            k: proof.k,
            auxiliaries,
        };
        let proof = proof.map(&mut |term| self.arrays.concretized(cx.terms, term))?;
        let formula = close_as(cx.terms, "k", Quantifier::Forall, &bound, proof.formula);
        Ok(Invariant { formula, ..proof })
    }

    /// The formula under the condition that each λ it rests on is larger than all indices; the variables
    /// of the others are removed.
    fn guarded(
        &self,
        formula: Term,
        all: &mut Vec<Auxiliary>,
        terms: &TermStore,
    ) -> Result<Term, Halt> {
        let mut formula = formula;
        for (&lambda, &above) in &self.lambdas {
            let own = |a: &Auxiliary| a.var() == lambda || Some(a.var()) == above;
            let used = terms.free_vars(&[formula]).contains(&lambda)
                || all.iter().any(|a| !own(a) && mentions(a, &[lambda], terms));
            match above {
                _ if !used => all.retain(|a| !own(a)),
                Some(above) => formula = terms.implies(terms.le(above, lambda), formula),
                None => return Err(Halt::NotLifted("lambda")),
            }
        }
        Ok(formula)
    }

    /// Notes that λ is one more than the largest index used, for the certificate; the history variable
    /// that says so, if it can be written down.
    pub(super) fn bound_lambda(
        &mut self,
        lambda: Term,
        system: &TransitionSystem,
        catalogue: &Catalogue,
        cx: &Cx<'_>,
    ) -> Option<Term> {
        let (terms, sort) = (cx.terms, cx.terms.sort(lambda));
        let one = terms.numeral(&Rational::ONE, sort)?;
        let larger = |bound: Term, index: &Term| {
            let next = terms.add2(*index, one);
            terms.ite(terms.le(bound, next), next, bound)
        };
        let (mut before, mut during): (Vec<Term>, Vec<Term>) = (Vec::new(), Vec::new());
        let of_steps = |i: &Term| !self.arrays.has_witness(terms, *i);
        for index in catalogue.indices_of(sort).filter(of_steps) {
            during.push(index);
            if catalogue.timing(terms, index) != Timing::Step {
                before.push(index);
                during.push(system.next(terms, index));
            }
        }
        if !self.captures.is_named(&during, terms) {
            return None;
        }
        let var = StateVar {
            cur: terms.fresh("bound", sort),
            next: terms.fresh("bound.next", sort),
        };
        let zero = terms.numeral(&Rational::ZERO, sort)?;
        let history = Auxiliary::History {
            var: var.cur,
            next: var.next,
            init: before.iter().fold(zero, larger),
            update: during.iter().fold(var.cur, larger),
        };
        let target = var.cur;
        self.instrument.certify(history);
        self.instrument.certify(Auxiliary::Prophecy {
            var: lambda,
            target,
        });
        Some(target)
    }
}

/// Whether what defines a variable mentions one of these.
fn mentions(auxiliary: &Auxiliary, vars: &[Term], terms: &TermStore) -> bool {
    let roots = match *auxiliary {
        Auxiliary::Prophecy { target, .. } => vec![target],
        Auxiliary::History { init, update, .. } => vec![init, update],
    };
    let free = terms.free_vars(&roots);
    vars.iter().any(|v| free.contains(v))
}

/// A formula that is true for all values of the variables returned if and only if the one given is, for
/// every choice of witnesses.
fn without_witnesses(
    arrays: &ArrayAbstraction,
    formula: Term,
    terms: &TermStore,
) -> Result<(Term, Vec<Term>), Halt> {
    let formula = with_equations(arrays, formula, terms);
    let is_witness = |t: &Term| matches!(arrays.role(terms, *t), Some((_, Role::Witness)));
    let all: Vec<Term> = terms.subterms(&[formula]);
    let witnesses: TermSet = all.into_iter().filter(is_witness).collect();
    let mut cells: TermMap<Term> = TermMap::default();
    let mut choices: TermSet = TermSet::default();
    for &witness in &witnesses {
        let args = terms.args(witness);
        if args.iter().any(|&a| arrays.has_witness(terms, a)) {
            return Err(Halt::NotLifted("a witness inside a witness"));
        }
        let Some((symbols, _)) = arrays.role(terms, witness) else {
            continue;
        };
        let index: Vec<Term> = symbols
            .witness
            .iter()
            .map(|&w| {
                let component = terms.app(w, args);
                let fresh = || terms.fresh("k", terms.sort(component));
                *cells.entry(component).or_insert_with(fresh)
            })
            .collect();
        let read = |array: Term| terms.app(symbols.read, &[&[array], index.as_slice()].concat());
        let differ = terms.not(terms.eq(read(args[0]), read(args[1])));
        choices.insert(terms.or2(terms.eq(args[0], args[1]), differ));
    }
    let chosen = terms.substitute(formula, cells.iter().map(|(&w, &k)| (w, k)));
    let formula = terms.implies(terms.and(choices), chosen);
    Ok((formula, cells.values().copied().collect()))
}

/// With `a = b` in the place of `read(a, w) = read(b, w)` for the witness of just these two.
fn with_equations(arrays: &ArrayAbstraction, formula: Term, terms: &TermStore) -> Term {
    let mut pairs: Vec<(Term, Term)> = Vec::new();
    for witness in terms.subterms(&[formula]) {
        let Some((symbols, Role::Witness)) = arrays.role(terms, witness) else {
            continue;
        };
        let arrays = terms.args(witness);
        let components = symbols.witness.iter().map(|&w| terms.app(w, arrays));
        let index: Vec<Term> = components.collect();
        let read = |array: Term| terms.app(symbols.read, &[&[array], index.as_slice()].concat());
        let cells = terms.eq(read(arrays[0]), read(arrays[1]));
        let whole = terms.eq(arrays[0], arrays[1]);
        // Engines write an equation of numbers in more than one way.
        let (canonical, negated) = terms.strip_not(terms.canonical_atom(cells));
        let other = if negated { terms.not(whole) } else { whole };
        pairs.extend([(cells, whole), (canonical, other)]);
    }
    terms.substitute(formula, pairs)
}
