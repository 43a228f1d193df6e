//! The index set of a system, and when its terms have their values.
//!
//! Paper: Mann et al., LMCS 18(3), 2022, section 4.2 (ComputeIndices).
//!
//! ```text
//! I = { i | read(a, i) or write(a, i, v) occurs } ∪ { witness(a, b) | a = b may be false }   by index sorts
//! ```
//!
//! Terms are kept untimed: over X, X' and inputs, with terms over X' alone written over X. Departures:
//! an index is a tuple, for arrays with several indices; the extra index λ of the paper is added only
//! when it is asked for (`lambda.rs`); an equation that every path makes true where it matters (it occurs
//! in I and T without negation, in P under one) has no witness, because nothing follows from a difference.

use foretell_systems::TransitionSystem;
use foretell_terms::{Op, Sort, Substitution, Term, TermMap, TermSet, TermStore};
use indexmap::{IndexMap, IndexSet};

use super::abstract_arrays::{ArrayAbstraction, Role};

/// When a term has its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Timing {
    /// It is the same in the whole run.
    Rigid,
    /// It belongs to a state.
    State,
    /// It belongs to a step: next values or inputs occur.
    Step,
}

/// The symbols of a system by time.
pub(crate) struct Vocabulary {
    current: TermSet,
    /// Parameters, and current values of variables that never change.
    rigid: TermSet,
    /// Next to current values of the variables that never change.
    thaw: Substitution,
    priming: Substitution,
    unpriming: Substitution,
    next: TermSet,
}

impl Vocabulary {
    /// The current values of the state variables.
    pub(crate) fn state(&self) -> Vec<Term> {
        self.current.iter().copied().collect()
    }

    /// The symbols of a system as it is now.
    pub(crate) fn new(system: &TransitionSystem, terms: &TermStore) -> Vocabulary {
        let conjuncts: TermSet = terms.conjuncts(system.trans).into_iter().collect();
        let frozen: TermMap<Term> = system
            .vars
            .iter()
            .filter(|v| conjuncts.contains(&terms.eq(v.cur, v.next)))
            .map(|v| (v.next, v.cur))
            .collect();
        Vocabulary {
            current: system.current().into_iter().collect(),
            rigid: system
                .params
                .iter()
                .copied()
                .chain(frozen.values().copied())
                .collect(),
            thaw: Substitution::from_pairs(frozen),
            priming: system.priming(),
            unpriming: Substitution::from_pairs(system.vars.iter().map(|v| (v.next, v.cur))),
            next: system.vars.iter().map(|v| v.next).collect(),
        }
    }

    /// Parameters, and current values of variables that never change.
    pub(crate) fn rigid(&self) -> &TermSet {
        &self.rigid
    }

    /// Whether a term is a value chosen freely in each step.
    pub(crate) fn is_input(&self, terms: &TermStore, term: Term) -> bool {
        let known = [&self.current, &self.rigid, &self.next];
        terms.as_var(term).is_some() && !known.iter().any(|set| set.contains(&term))
    }

    /// The symbol itself, or its next value one step later; there is none further away.
    pub(crate) fn at_distance(&self, symbol: Term, steps: u32) -> Option<Term> {
        match steps {
            0 => Some(symbol),
            1 => self.priming.get(symbol),
            _ => None,
        }
    }

    /// When the term has its value.
    pub(crate) fn timing(&self, terms: &TermStore, term: Term) -> Timing {
        self.timing_of(terms, &[term])
    }

    /// When all of the terms have their values.
    pub(crate) fn timing_of(&self, terms: &TermStore, all: &[Term]) -> Timing {
        let vars = terms.free_vars(all);
        if vars.iter().all(|v| self.rigid.contains(v)) {
            Timing::Rigid
        } else if vars
            .iter()
            .all(|v| self.rigid.contains(v) || self.current.contains(v))
        {
            Timing::State
        } else {
            Timing::Step
        }
    }

    /// The terms over next values.
    pub(crate) fn primed(&mut self, terms: &TermStore, all: &[Term]) -> Vec<Term> {
        all.iter().map(|&t| self.priming.apply(terms, t)).collect()
    }

    /// The terms over current values where they speak about one state only.
    pub(crate) fn untimed(&mut self, terms: &TermStore, all: &[Term]) -> Vec<Term> {
        let thawed: Vec<Term> = all.iter().map(|&t| self.thaw.apply(terms, t)).collect();
        let vars = terms.free_vars(&thawed);
        if vars
            .iter()
            .all(|v| self.rigid.contains(v) || self.next.contains(v))
        {
            return thawed
                .iter()
                .map(|&t| self.unpriming.apply(terms, t))
                .collect();
        }
        thawed
    }
}

/// What an instance of an axiom is made from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Trigger {
    /// A write, a constant array, or an equation of arrays.
    pub(crate) term: Term,
    /// The sorts of the indices of its array.
    pub(crate) sorts: Vec<Sort>,
}

/// Triggers and indices of a system.
#[derive(Default)]
pub(crate) struct Occurrences {
    /// The triggers in order of occurrence.
    pub(crate) triggers: IndexSet<Trigger>,
    /// The equations of arrays whose being false may matter.
    pub(crate) deniable: TermSet,
    /// The index tuples by their sorts.
    pub(crate) indices: IndexMap<Vec<Sort>, IndexSet<Vec<Term>>>,
}

impl Occurrences {
    /// What occurs in the formulas of a system; instances of axioms occur there too.
    pub(crate) fn of(
        system: &TransitionSystem,
        arrays: &ArrayAbstraction,
        vocabulary: &mut Vocabulary,
        terms: &TermStore,
    ) -> Occurrences {
        let mut found = Occurrences::default();
        for term in terms.subterms(&[system.init, system.trans, system.property]) {
            found.visit(term, arrays, vocabulary, terms);
        }
        let end = terms.not(system.property);
        for atom in denied(&[system.init, system.trans, end], terms) {
            found.witness(atom, arrays, vocabulary, terms);
        }
        found.open_rigid(vocabulary, terms);
        found
    }

    /// The symbols inside rigid indices become indices themselves: where the goal speaks of the cell
    /// `N - 1 - z` of one array it is often the cell `z` of another one that matters.
    fn open_rigid(&mut self, vocabulary: &Vocabulary, terms: &TermStore) {
        for (sorts, indices) in &mut self.indices {
            let [sort] = sorts[..] else { continue };
            let rigid = |t: &Term| vocabulary.timing(terms, *t) == Timing::Rigid;
            let inside: Vec<Term> = indices.iter().flatten().copied().filter(rigid).collect();
            let symbols = terms
                .free_vars(&inside)
                .into_iter()
                .filter(|&v| terms.sort(v) == sort);
            indices.extend(symbols.map(|v| vec![v]));
        }
    }

    fn visit(
        &mut self,
        term: Term,
        arrays: &ArrayAbstraction,
        vocabulary: &mut Vocabulary,
        terms: &TermStore,
    ) {
        let args = terms.args(term);
        match arrays.role(terms, term) {
            Some((symbols, role @ (Role::Read | Role::Write))) => {
                let index = vocabulary.untimed(terms, &args[1..=symbols.indices.len()]);
                self.indices
                    .entry(symbols.indices.clone())
                    .or_default()
                    .insert(index);
                if role == Role::Write {
                    self.trigger(term, &symbols.indices, vocabulary, terms);
                }
            }
            Some((symbols, Role::Constant | Role::Equal)) => {
                self.trigger(term, &symbols.indices, vocabulary, terms);
            }
            Some((_, Role::Witness)) => {}
            None if *terms.op(term) == Op::Eq => {
                if let Some(symbols) = arrays.symbols(terms.sort(args[0])) {
                    self.trigger(term, &symbols.indices, vocabulary, terms);
                }
            }
            None => {}
        }
    }

    /// Where the sides of an equation of arrays differ, if they do.
    fn witness(
        &mut self,
        atom: Term,
        arrays: &ArrayAbstraction,
        vocabulary: &mut Vocabulary,
        terms: &TermStore,
    ) {
        let symbols = match arrays.role(terms, atom) {
            Some((symbols, Role::Equal)) => symbols,
            None if *terms.op(atom) == Op::Eq => {
                let Some(symbols) = arrays.symbols(terms.sort(terms.args(atom)[0])) else {
                    return;
                };
                symbols
            }
            _ => return,
        };
        let equation = vocabulary.untimed(terms, &[atom])[0];
        // Both sides may have become the same.
        if self.deniable.insert(equation) && !terms.is_true(equation) {
            let sides = terms.args(equation);
            let index = symbols.witness.iter().map(|&w| terms.app(w, sides));
            let all = self.indices.entry(symbols.indices.clone()).or_default();
            all.insert(index.collect());
        }
    }

    fn trigger(
        &mut self,
        term: Term,
        sorts: &[Sort],
        vocabulary: &mut Vocabulary,
        terms: &TermStore,
    ) {
        let term = vocabulary.untimed(terms, &[term])[0];
        self.triggers.insert(Trigger {
            term,
            sorts: sorts.to_vec(),
        });
    }
}

/// The atoms that occur under a negation in formulas that hold, or where both truth values count.
fn denied(formulas: &[Term], terms: &TermStore) -> TermSet {
    let mut found = TermSet::default();
    let mut seen: IndexSet<(Term, Sign)> = IndexSet::new();
    let mut work: Vec<(Term, Sign)> = formulas.iter().map(|&f| (f, Sign::Holds)).collect();
    while let Some((term, sign)) = work.pop() {
        if !seen.insert((term, sign)) {
            continue;
        }
        let args = terms.args(term);
        match terms.op(term) {
            Op::And | Op::Or => work.extend(args.iter().map(|&a| (a, sign))),
            Op::Not => work.push((args[0], sign.negated())),
            _ => {
                if sign == Sign::Fails {
                    found.insert(term);
                }
                let both = |&a: &Term| [(a, Sign::Holds), (a, Sign::Fails)];
                work.extend(args.iter().flat_map(both));
            }
        }
    }
    found
}

/// Whether a formula is said to be true or to be false.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Sign {
    Holds,
    Fails,
}

impl Sign {
    fn negated(self) -> Sign {
        match self {
            Sign::Holds => Sign::Fails,
            Sign::Fails => Sign::Holds,
        }
    }
}
