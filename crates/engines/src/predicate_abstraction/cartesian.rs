//! The Cartesian abstraction over the predicates of each location.
//!
//! ```text
//! α_P(c) = ⋀ { p ∈ P ∪ ¬P | c ⇒ p }
//!   candidates ← the literals true in a model of c
//!   while c ∧ ⋁ ¬candidates has a model m: drop the candidates false in m        // fn abstraction
//! ```

use foretell_kernel::{Answer, Count, Cx, Event, Halt, Model, Solver, SolverConfig, Work};
use foretell_systems::Pred;
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, TermMap, TermSet, TermStore};
use indexmap::IndexSet;

use super::reach::State;
use super::samples::{self, Samples};
use super::{Setting, extract};

/// Whether predicates were added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Growth {
    None,
    Some,
}

impl std::ops::BitOrAssign for Growth {
    fn bitor_assign(&mut self, other: Growth) {
        if other == Growth::Some {
            *self = Growth::Some;
        }
    }
}

/// What a run along a path showed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Learnt {
    Nothing,
    /// A state was widened too far; its abstraction was not to blame.
    Widening,
    /// There are new predicates.
    Predicates,
}

/// The predicates, and a solver for one case at a time.
pub(super) struct Cartesian {
    /// Atoms, by predicate symbol of the clauses.
    predicates: Vec<TermSet>,
    /// Atoms that the facts decide.
    decided: Vec<TermSet>,
    max: usize,
    solver: Box<dyn Solver>,
    pub(super) limit: Work,
    samples: Option<Samples>,
    /// Abstractions that must not be widened.
    exact: IndexSet<(Pred, Vec<Term>)>,
    /// The locations that got predicates since they were last asked for.
    grown: IndexSet<Pred>,
}

/// What a case became.
pub(super) enum Abstracted {
    /// It is unsatisfiable.
    Empty,
    /// It is covered already.
    Covered,
    /// Its abstraction.
    State(Vec<Term>),
}

impl Cartesian {
    pub(super) fn new(setting: &Setting<'_>, limit: Work, cx: &Cx<'_>) -> Result<Cartesian, Halt> {
        let samples = if setting.options.samples {
            Some(Samples::new(setting, cx)?)
        } else {
            None
        };
        let solver = cx
            .oracles
            .solver(&SolverConfig::new("predicate abstraction").with_limit(limit));
        let predicates = vec![TermSet::default(); setting.program.system.preds.len()];
        let max = setting.options.max_predicates;
        let decided = predicates.clone();
        Ok(Cartesian {
            predicates,
            decided,
            max,
            solver,
            limit,
            samples,
            exact: IndexSet::new(),
            grown: IndexSet::new(),
        })
    }

    /// The locations that got predicates since the last time.
    pub(super) fn take_grown(&mut self) -> IndexSet<Pred> {
        std::mem::take(&mut self.grown)
    }

    /// The literals of an abstraction that are kept.
    pub(super) fn widen(
        &mut self,
        setting: &Setting<'_>,
        pred: Pred,
        literals: &[Term],
        terms: &TermStore,
    ) -> Vec<Term> {
        let exact = self.exact.contains(&(pred, literals.to_vec()));
        let samples = self.samples.as_mut().filter(|_| !exact);
        samples
            .and_then(|s| s.weaken(setting, pred, literals, terms))
            .unwrap_or_else(|| literals.to_vec())
    }

    /// Runs forwards along a path from the initial state it starts with. What is reached becomes a
    /// sample. New predicates: where the abstraction of a case contains a reachable state but the case does not, the
    /// atoms of the case that tell the two apart.
    pub(super) fn learn(
        &mut self,
        setting: &Setting<'_>,
        start: (&[Term], &[(Term, Term)]),
        way: &[&State],
        cx: &Cx<'_>,
    ) -> Result<Learnt, Halt> {
        let Some(mut point) = self.model(start.0, start.1, cx)? else {
            return Ok(Learnt::Nothing);
        };
        let mut learnt = Learnt::Nothing;
        for state in way {
            let is_false = |l: &Term| cx.terms.eval_bool(*l, &point) == Ok(false);
            if !state.full.iter().any(is_false) {
                let apart: Vec<Term> = state.case.iter().copied().filter(is_false).collect();
                let atoms = extract::extract0(setting, state.pred, &apart, cx);
                let atoms = extract::split_equations(setting, atoms, cx.terms);
                if self.extend(setting, state.pred, atoms, cx)? == Growth::Some {
                    learnt = Learnt::Predicates;
                }
            } else if learnt == Learnt::Nothing && !state.literals.iter().any(is_false) {
                learnt = Learnt::Widening;
            }
            let Some(samples) = &mut self.samples else {
                break;
            };
            samples.add(state.pred, point.clone(), cx.terms);
            match samples::successor(setting, state.statement, &point, cx) {
                Some(next) => point = next,
                None => break,
            }
        }
        Ok(learnt)
    }

    /// A model of formulas: the values of terms under other names.
    fn model(
        &mut self,
        formulas: &[Term],
        values: &[(Term, Term)],
        cx: &Cx<'_>,
    ) -> Result<Option<Assignment>, Halt> {
        self.solver.push();
        for &formula in formulas {
            self.solver.assert(cx.terms, formula)?;
        }
        let found = match self.solver.check(&[], cx)? {
            Answer::Sat(model) => {
                let value =
                    |&(name, term): &(Term, Term)| Some((name, model.value(cx.terms, term)?));
                values.iter().map(value).collect::<Option<TermMap<_>>>()
            }
            Answer::Unsat(_) | Answer::Unknown(_) => None,
        };
        self.solver.pop();
        Ok(found.map(|values| Assignment {
            values,
            ..Assignment::default()
        }))
    }

    /// These abstractions are not widened again; says whether that is new for one of them.
    pub(super) fn keep_exact(&mut self, list: Vec<(Pred, Vec<Term>)>) -> Growth {
        let before = self.exact.len();
        self.exact.extend(list);
        if self.exact.len() > before {
            Growth::Some
        } else {
            Growth::None
        }
    }

    /// Adds predicates of a location, unless the facts decide them.
    pub(super) fn extend(
        &mut self,
        setting: &Setting<'_>,
        pred: Pred,
        new: Vec<Term>,
        cx: &Cx<'_>,
    ) -> Result<Growth, Halt> {
        let mut growth = Growth::None;
        for atom in new {
            let (set, dropped) = (&self.predicates[pred.index()], &self.decided[pred.index()]);
            if set.len() >= self.max || set.contains(&atom) || dropped.contains(&atom) {
                continue;
            }
            let facts = setting.facts[pred.index()];
            let decided = self.satisfiable(&[facts, atom], cx)? == Some(false)
                || self.satisfiable(&[facts, cx.terms.not(atom)], cx)? == Some(false);
            if decided {
                self.decided[pred.index()].insert(atom);
            } else {
                if self.predicates[pred.index()].is_empty() {
                    cx.events.emit(Event::Count(Count::PredicateLocations, 1));
                }
                self.predicates[pred.index()].insert(atom);
                self.grown.insert(pred);
                cx.events.emit(Event::Predicate(atom));
                growth = Growth::Some;
            }
        }
        Ok(growth)
    }

    /// The abstraction of a case at a location, unless one of the covers is implied by it.
    pub(super) fn abstraction(
        &mut self,
        pred: Pred,
        case: &[Term],
        covers: Vec<Vec<Term>>,
        cx: &Cx<'_>,
    ) -> Result<Abstracted, Halt> {
        self.solver.push();
        let result = self.within(pred, case, covers, cx);
        self.solver.pop();
        result
    }

    fn within(
        &mut self,
        pred: Pred,
        case: &[Term],
        covers: Vec<Vec<Term>>,
        cx: &Cx<'_>,
    ) -> Result<Abstracted, Halt> {
        let terms = cx.terms;
        for &formula in case {
            self.solver.assert(terms, formula)?;
        }
        let atoms = &self.predicates[pred.index()];
        let mut literals: Vec<Term> = atoms.iter().flat_map(|&a| [a, terms.not(a)]).collect();
        let mut covers = covers;
        match self.solver.check(&[], cx)? {
            Answer::Unsat(_) => return Ok(Abstracted::Empty),
            Answer::Unknown(_) => {}
            Answer::Sat(model) => {
                let mut truth = Truth::new(model.as_ref(), terms);
                literals.retain(|&l| truth.may_hold(l));
                covers.retain(|c| c.iter().all(|&l| truth.may_hold(l)));
            }
        }
        while let Some(cover) = covers.pop() {
            let cover = terms.and(cover);
            if self.entails(cover, (&mut covers, &mut literals), cx)? == Entailed::Yes {
                return Ok(Abstracted::Covered);
            }
        }
        while !literals.is_empty() {
            let all = terms.and(literals.iter().copied());
            let before = literals.len();
            match self.entails(all, (&mut covers, &mut literals), cx)? {
                Entailed::Yes => break,
                Entailed::No if literals.len() < before => {}
                Entailed::No | Entailed::Open => {
                    literals = self.one_by_one(&literals, cx)?;
                    break;
                }
            }
        }
        literals.sort_unstable();
        Ok(Abstracted::State(literals))
    }

    /// Does what is asserted entail the formula? If not, the covers and literals that a counter-model
    /// falsifies are dropped.
    fn entails(
        &mut self,
        formula: Term,
        (covers, literals): (&mut Vec<Vec<Term>>, &mut Vec<Term>),
        cx: &Cx<'_>,
    ) -> Result<Entailed, Halt> {
        self.solver.push();
        self.solver.assert(cx.terms, cx.terms.not(formula))?;
        let entailed = match self.solver.check(&[], cx)? {
            Answer::Unsat(_) => Entailed::Yes,
            Answer::Unknown(_) => Entailed::Open,
            Answer::Sat(model) => {
                let mut truth = Truth::new(model.as_ref(), cx.terms);
                literals.retain(|&l| truth.may_hold(l));
                covers.retain(|c| c.iter().all(|&l| truth.may_hold(l)));
                Entailed::No
            }
        };
        self.solver.pop();
        Ok(entailed)
    }

    fn one_by_one(&mut self, literals: &[Term], cx: &Cx<'_>) -> Result<Vec<Term>, Halt> {
        let mut kept = Vec::new();
        for &literal in literals {
            if self.entails(literal, (&mut Vec::new(), &mut Vec::new()), cx)? == Entailed::Yes {
                kept.push(literal);
            }
        }
        Ok(kept)
    }

    /// Whether formulas are satisfiable together; `None` when that is not decided.
    pub(super) fn satisfiable(
        &mut self,
        formulas: &[Term],
        cx: &Cx<'_>,
    ) -> Result<Option<bool>, Halt> {
        self.solver.push();
        for &formula in formulas {
            self.solver.assert(cx.terms, formula)?;
        }
        let answer = match self.solver.check(&[], cx)? {
            Answer::Sat(_) => Some(true),
            Answer::Unsat(_) => Some(false),
            Answer::Unknown(_) => None,
        };
        self.solver.pop();
        Ok(answer)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Entailed {
    Yes,
    No,
    Open,
}

/// Truth values of literals in a model, each asked once.
struct Truth<'m> {
    model: &'m dyn Model,
    terms: &'m TermStore,
    known: TermMap<Option<bool>>,
}

impl<'m> Truth<'m> {
    fn new(model: &'m dyn Model, terms: &'m TermStore) -> Truth<'m> {
        Truth {
            model,
            terms,
            known: TermMap::default(),
        }
    }

    /// Not known to be false.
    fn may_hold(&mut self, literal: Term) -> bool {
        let (atom, negated) = self.terms.strip_not(literal);
        let value = *self
            .known
            .entry(atom)
            .or_insert_with(|| self.model.holds(self.terms, atom));
        value != Some(negated)
    }
}
