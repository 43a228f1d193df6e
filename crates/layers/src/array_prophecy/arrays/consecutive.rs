//! Which axiom instances a path violates: within one step, and across steps.
//!
//! Paper: Mann et al., LMCS 18(3), 2022, section 4.2 (CheckArrayAxioms).
//!
//! ```text
//! consecutive       τ and i in one state or one step: the instance can be added to I and T
//! non-consecutive   τ at time t, i at another time j: it names (i, k - j) as a target of prophecy
//! ```
//!
//! A trigger τ of a state meets an index i of a state also one step earlier or later. Consecutive
//! instances are listed once, untimed; non-consecutive ones are made for a path, the latest index times
//! first, and only for indices that change.

use foretell_kernel::{Cx, Model};
use foretell_systems::{TransitionSystem, Unroller};
use foretell_terms::{Sort, Term, TermSet, TermStore, Value};
use indexmap::IndexSet;

use super::abstract_arrays::ArrayAbstraction;
use super::axioms::{self, Axiom};
use super::index_set::{Occurrences, Timing, Trigger, Vocabulary};
use super::lambda;
use super::unrolling::{Unrolling, times};

/// An instance within one state or step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Consecutive {
    /// The instance, untimed.
    pub(crate) axiom: Axiom,
    /// Whether the index never changes.
    pub(crate) rigid_index: bool,
}

/// An instance whose index belongs to another time than its trigger.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct NonConsecutive {
    /// The write or constant array.
    pub(crate) trigger: Term,
    /// The index.
    pub(crate) index: Vec<Term>,
    /// How many steps before the end of the path the index is taken.
    pub(crate) delay: u32,
}

impl NonConsecutive {
    /// Whether a history variable can keep the value of the index: where two arrays differ is no term of
    /// the problem.
    pub(crate) fn can_be_kept(&self, arrays: &ArrayAbstraction, terms: &TermStore) -> bool {
        !self.index.iter().any(|&i| arrays.has_witness(terms, i))
    }
}

/// All instances of a system.
pub(crate) struct Catalogue {
    consecutive: IndexSet<Consecutive>,
    /// Triggers and changing indices.
    non_consecutive: Vec<(Trigger, Vec<Term>)>,
    found: Occurrences,
    /// Components of indices that never change.
    rigid_terms: TermSet,
    vocabulary: Vocabulary,
}

impl Catalogue {
    /// The current values of the state variables.
    pub(crate) fn state(&self) -> Vec<Term> {
        self.vocabulary.state()
    }

    /// The instances of a system as it is now.
    pub(crate) fn new(
        system: &TransitionSystem,
        arrays: &ArrayAbstraction,
        terms: &TermStore,
    ) -> Catalogue {
        let mut vocabulary = Vocabulary::new(system, terms);
        let found = Occurrences::of(system, arrays, &mut vocabulary, terms);
        let components = found.indices.values().flatten().flatten().copied();
        let rigid_terms = components
            .filter(|&t| vocabulary.timing(terms, t) == Timing::Rigid)
            .collect();
        let (consecutive, non_consecutive, none) =
            (IndexSet::new(), Vec::new(), Occurrences::default());
        let mut catalogue = Catalogue {
            consecutive,
            non_consecutive,
            found: none,
            rigid_terms,
            vocabulary,
        };
        for trigger in &found.triggers {
            if let Some(axiom) = axioms::of_trigger(arrays, terms, trigger.term) {
                let rigid_index = axiom.rule != "extensionality";
                if rigid_index || found.deniable.contains(&trigger.term) {
                    catalogue.insert(Consecutive { axiom, rigid_index }, terms);
                }
            }
            for index in found.indices.get(&trigger.sorts).into_iter().flatten() {
                catalogue.combine(trigger, index, arrays, terms);
            }
        }
        catalogue.found = found;
        catalogue
    }

    /// The components of indices that never change.
    pub(crate) fn rigid_indices(&self) -> impl Iterator<Item = Term> + '_ {
        self.rigid_terms.iter().copied()
    }

    /// Whether a term is a value chosen freely in each step.
    pub(crate) fn is_input(&self, terms: &TermStore, term: Term) -> bool {
        self.vocabulary.is_input(terms, term)
    }

    /// The state variables that never change, and the parameters.
    pub(crate) fn frozen(&self) -> impl Iterator<Item = Term> + '_ {
        self.vocabulary.rigid().iter().copied()
    }

    /// The instances of all triggers for arrays with the index sorts of this trigger, at an index.
    pub(crate) fn instances_at(
        &self,
        like: Term,
        index: &[Term],
        arrays: &ArrayAbstraction,
        terms: &TermStore,
    ) -> Vec<Axiom> {
        let sorts = self
            .found
            .triggers
            .iter()
            .find(|t| t.term == like)
            .map(|t| &t.sorts);
        let alike = self
            .found
            .triggers
            .iter()
            .filter(|t| Some(&t.sorts) == sorts);
        let made = alike.filter_map(|t| axioms::at_index(arrays, terms, t.term, index));
        made.filter(|axiom| !terms.is_true(axiom.formula)).collect()
    }

    /// For an index λ of a sort: λ differs from all indices, and the instances of all triggers there.
    pub(crate) fn at_lambda(
        &self,
        lambda: Term,
        arrays: &ArrayAbstraction,
        terms: &TermStore,
    ) -> Vec<(Axiom, Timing)> {
        let sorts = vec![terms.sort(lambda)];
        // Where two arrays differ is no index of a step.
        let used = self.indices_of(terms.sort(lambda));
        let used = used.filter(|&i| !arrays.has_witness(terms, i));
        let mut made: Vec<Axiom> = used.map(|i| lambda::apart(lambda, i, terms)).collect();
        let alike = self.found.triggers.iter().filter(|t| t.sorts == sorts);
        made.extend(alike.filter_map(|t| axioms::at_index(arrays, terms, t.term, &[lambda])));
        // λ is rigid, but no symbol of the system as the vocabulary knows it.
        let timing = |a: Axiom| {
            let mut vars = terms.free_vars(&[a.formula]);
            vars.retain(|&v| v != lambda);
            self.vocabulary.timing_of(terms, &vars)
        };
        made.into_iter().map(|a| (a, timing(a))).collect()
    }

    /// The single indices of a sort.
    pub(crate) fn indices_of(&self, sort: Sort) -> impl Iterator<Item = Term> + '_ {
        let all = self.found.indices.get(&vec![sort]);
        all.into_iter().flatten().flatten().copied()
    }

    /// The sorts of the single indices of arrays.
    pub(crate) fn index_sorts(&self) -> impl Iterator<Item = Sort> + '_ {
        self.found
            .indices
            .keys()
            .filter_map(|sorts| match sorts[..] {
                [sort] => Some(sort),
                _ => None,
            })
    }

    fn insert(&mut self, consecutive: Consecutive, terms: &TermStore) {
        if !terms.is_true(consecutive.axiom.formula) {
            self.consecutive.insert(consecutive);
        }
    }

    /// The consecutive instances of a trigger at an index, and the non-consecutive ones in general.
    fn combine(
        &mut self,
        trigger: &Trigger,
        index: &[Term],
        arrays: &ArrayAbstraction,
        terms: &TermStore,
    ) {
        let (of_trigger, of_index) = (
            self.vocabulary.timing(terms, trigger.term),
            self.vocabulary.timing_of(terms, index),
        );
        let rigid_index = of_index == Timing::Rigid;
        let mut pairs = vec![(trigger.term, index.to_vec())];
        if of_index == Timing::State && of_trigger != Timing::Rigid {
            pairs.push((trigger.term, self.vocabulary.primed(terms, index)));
        }
        if of_trigger == Timing::State && !rigid_index {
            pairs.push((
                self.vocabulary.primed(terms, &[trigger.term])[0],
                index.to_vec(),
            ));
        }
        for (trigger, index) in pairs {
            if let Some(axiom) = axioms::at_index(arrays, terms, trigger, &index) {
                self.insert(Consecutive { axiom, rigid_index }, terms);
            }
        }
        let applies = axioms::at_index(arrays, terms, trigger.term, index).is_some();
        if applies
            && !rigid_index
            && of_trigger != Timing::Rigid
            && self.can_be_foretold(index, arrays, terms)
        {
            self.non_consecutive.push((trigger.clone(), index.to_vec()));
        }
    }

    /// Whether prophecy variables can have the sorts of an index.
    pub(crate) fn can_be_foretold(
        &self,
        index: &[Term],
        arrays: &ArrayAbstraction,
        terms: &TermStore,
    ) -> bool {
        index.iter().all(|&t| {
            let sort = terms.sort(t);
            arrays.symbols(sort).is_none()
                && terms.value_term(&terms.default_value(sort), sort).is_some()
        })
    }

    /// The consecutive instances with an index that never changes, and those that need none.
    pub(crate) fn rigid(&self) -> impl Iterator<Item = Axiom> + '_ {
        self.consecutive
            .iter()
            .filter(|n| n.rigid_index)
            .map(|n| n.axiom)
    }

    /// The components of all indices.
    pub(crate) fn indices(&self) -> impl Iterator<Item = Term> + '_ {
        let all: TermSet = self
            .found
            .indices
            .values()
            .flatten()
            .flatten()
            .copied()
            .collect();
        all.into_iter()
    }

    /// The terms instances are made from.
    pub(crate) fn triggers(&self) -> impl Iterator<Item = Term> + '_ {
        self.found.triggers.iter().map(|t| t.term)
    }

    /// When an instance has its truth value.
    pub(crate) fn timing(&self, terms: &TermStore, formula: Term) -> Timing {
        self.vocabulary.timing(terms, formula)
    }

    /// The timed copies of a consecutive instance.
    pub(crate) fn copies(&self, axiom: Axiom, paths: &mut Unrolling, cx: &Cx<'_>) -> Vec<Term> {
        let times = times(self.timing(cx.terms, axiom.formula), paths.length());
        times
            .map(|time| paths.at(axiom.formula, time, cx))
            .collect()
    }

    /// The timed copies of a non-consecutive instance: its trigger at all times.
    pub(crate) fn non_consecutive_copies(
        &self,
        one: &NonConsecutive,
        arrays: &ArrayAbstraction,
        paths: &mut Unrolling,
        cx: &Cx<'_>,
    ) -> Vec<Term> {
        let when = paths.length() - one.delay;
        let index: Vec<Term> = one.index.iter().map(|&i| paths.at(i, when, cx)).collect();
        let times = times(self.timing(cx.terms, one.trigger), paths.length());
        let copies = times.filter_map(|time| {
            let trigger = paths.at(one.trigger, time, cx);
            axioms::at_index(arrays, cx.terms, trigger, &index)
        });
        copies.map(|axiom| axiom.formula).collect()
    }

    /// Timed terms that speak of one state or step, untimed, with the time of the state or step;
    /// without a time when they are rigid.
    pub(crate) fn local(
        &self,
        all: &[Term],
        unroller: &Unroller,
        terms: &TermStore,
    ) -> Option<(Vec<Term>, Option<u32>)> {
        let mut timed: Vec<(Term, Term, u32)> = Vec::new();
        let mut pairs: Vec<(Term, Term)> = Vec::new();
        for copy in terms.free_vars(all) {
            match unroller.untimed_symbol(copy) {
                Some((symbol, _)) if self.vocabulary.rigid().contains(&symbol) => {
                    pairs.push((copy, symbol))
                }
                Some((symbol, time)) => timed.push((copy, symbol, time)),
                None => {}
            }
        }
        let start = timed.iter().map(|&(_, _, time)| time).min();
        for (copy, symbol, time) in timed {
            pairs.push((copy, self.vocabulary.at_distance(symbol, time - start?)?));
        }
        Some((
            all.iter()
                .map(|&t| terms.substitute(t, pairs.iter().copied()))
                .collect(),
            start,
        ))
    }

    /// The consecutive instances that do not hold on a path.
    pub(crate) fn violated(&self, path: &mut Path<'_>, cx: &Cx<'_>) -> Vec<Axiom> {
        let mut found = Vec::new();
        for consecutive in &self.consecutive {
            let timing = self.timing(cx.terms, consecutive.axiom.formula);
            if times(timing, path.length)
                .any(|time| path.fails(consecutive.axiom.formula, time, cx))
            {
                found.push(consecutive.axiom);
            }
        }
        found
    }

    /// The non-consecutive instances that do not hold, all with the smallest delay there is.
    pub(crate) fn non_consecutive_violated(
        &self,
        arrays: &ArrayAbstraction,
        path: &mut Path<'_>,
        longest: u32,
        cx: &Cx<'_>,
    ) -> Vec<NonConsecutive> {
        for delay in 0..=path.length.min(longest) {
            let mut found = Vec::new();
            for (trigger, index) in &self.non_consecutive {
                let one = NonConsecutive {
                    trigger: trigger.term,
                    index: index.clone(),
                    delay,
                };
                if self.non_consecutive_fails(&one, arrays, path, cx) {
                    found.push(one);
                }
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    fn non_consecutive_fails(
        &self,
        one: &NonConsecutive,
        arrays: &ArrayAbstraction,
        path: &mut Path<'_>,
        cx: &Cx<'_>,
    ) -> bool {
        let terms = cx.terms;
        if one.delay == 0 && self.vocabulary.timing_of(terms, &one.index) == Timing::Step {
            return false;
        }
        if one.delay > 0 && !one.can_be_kept(arrays, terms) {
            return false;
        }
        let when = path.length - one.delay;
        let index: Vec<Term> = one
            .index
            .iter()
            .map(|&i| path.unroller.at(terms, i, when))
            .collect();
        times(self.timing(terms, one.trigger), path.length).any(|time| {
            let trigger = path.unroller.at(terms, one.trigger, time);
            axioms::at_index(arrays, terms, trigger, &index)
                .is_some_and(|axiom| path.model.holds(terms, axiom.formula) == Some(false))
        })
    }
}

/// A model of a path.
pub(crate) struct Path<'a> {
    /// The values.
    pub(crate) model: &'a dyn Model,
    /// The symbols at each time.
    pub(crate) unroller: &'a mut Unroller,
    /// The number of steps.
    pub(crate) length: u32,
    /// The formulas that hold on it.
    pub(crate) roots: &'a [Term],
}

impl Path<'_> {
    /// The latest time a timed term speaks of.
    pub(crate) fn latest(&self, term: Term, terms: &TermStore) -> u32 {
        let times = terms
            .free_vars(&[term])
            .into_iter()
            .filter_map(|v| self.unroller.untimed_symbol(v));
        times.map(|(_, time)| time).max().unwrap_or(0)
    }

    /// Whether an untimed formula is true at a time.
    pub(crate) fn holds(&mut self, formula: Term, time: u32, cx: &Cx<'_>) -> bool {
        let timed = self.unroller.at(cx.terms, formula, time);
        self.model.holds(cx.terms, timed) == Some(true)
    }

    /// The value of an untimed term so many steps before the end.
    pub(crate) fn value(&mut self, term: Term, delay: u32, cx: &Cx<'_>) -> Option<Value> {
        let timed = self
            .unroller
            .at(cx.terms, term, self.length.checked_sub(delay)?);
        self.model.value(cx.terms, timed)
    }

    /// Whether an untimed formula is false at a time.
    fn fails(&mut self, formula: Term, time: u32, cx: &Cx<'_>) -> bool {
        let timed = self.unroller.at(cx.terms, formula, time);
        self.model.holds(cx.terms, timed) == Some(false)
    }
}
