//! Backward reachability over abstract states.
//!
//! ```text
//! fixpoint                                                        // fn fixpoint
//!   roots ← α(cases of the queries)
//!   for each state s, oldest first; for each statement st into its location
//!     st is initial: s[post] ∧ guard satisfiable?  return s, unless its path is covered meanwhile
//!     for each case c of pre_st(s) that is satisfiable and not covered
//!       add α(c); states it contains are dead                     // fn add
//! ```
//!
//! A case is **covered** when it implies a live state, with its ghosts or with other index terms of
//! the case in their place. Invariant at the end: every case of `pre` of every live state is covered
//! by a live state, which is what the certificate needs.
//!
//! After a refinement (lazy abstraction) the states at locations with new predicates are cut off with
//! everything found from them, and the states they were found from are looked at again (fn again).

use std::collections::VecDeque;

use foretell_formulas::arrays::accesses;
use foretell_formulas::{Equations, solve};
use foretell_kernel::{Count, Cx, Event, Halt};
use foretell_systems::Pred;
use foretell_terms::{Sort, Substitution, Term, TermSet, TermStore};

use super::cartesian::{Abstracted, Cartesian};
use super::{Setting, cases, path};
use crate::program::Program;

/// A case of a clause.
pub(super) struct Statement {
    /// The number of the clause.
    pub(super) clause: usize,
    pub(super) from: Option<Pred>,
    pub(super) to: Option<Pred>,
    pub(super) guard: Term,
    pub(super) post: Vec<Term>,
}

/// The clauses with the disjunctions and choices of guard and head split.
pub(super) fn statements(program: &Program<'_>, terms: &TermStore) -> Vec<Statement> {
    let mut found = Vec::new();
    for (clause, rule) in program.rules.iter().enumerate() {
        // The arguments of the head take part in the split as arguments of a predicate.
        let sorts: Vec<Sort> = rule.post.iter().map(|&t| terms.sort(t)).collect();
        let carrier = terms.declare("post", &sorts, Sort::BOOL);
        let whole = [rule.guard, terms.app(carrier, &rule.post)];
        // The variables of a query are ghosts and stay.
        let locals = if rule.to.is_some() {
            rule.locals.as_slice()
        } else {
            &[]
        };
        let is_post = |f: &Term| terms.func(*f) == Some(carrier);
        for case in cases::cases(terms, &whole) {
            let goes = |v: Term| locals.contains(&v);
            let case = solve(terms, &case, Equations::Linear, &goes).rest;
            let Some(&carried) = case.iter().find(|f| is_post(f)) else {
                continue;
            };
            let guard = terms.and(case.iter().copied().filter(|f| !is_post(f)));
            let post = terms.args(carried).to_vec();
            found.push(Statement {
                clause,
                from: rule.from,
                to: rule.to,
                guard,
                post,
            });
        }
    }
    found
}

/// An abstract state: a conjunction of literals at a location.
pub(super) struct State {
    pub(super) pred: Pred,
    pub(super) literals: Vec<Term>,
    /// The whole abstraction, of which they are a part.
    pub(super) full: Vec<Term>,
    /// The ghosts they mention.
    ghosts: Vec<Term>,
    /// The state it is a predecessor of; `None` for a query's.
    parent: Option<usize>,
    /// The statement from here.
    pub(super) statement: usize,
    /// The case it abstracts.
    pub(super) case: Vec<Term>,
    life: Life,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Life {
    Live,
    /// Contained in another state.
    Dead,
    /// Cut off: covered by states found later, with everything found from it.
    Cut,
}

/// The search.
pub(super) struct Reach<'s> {
    setting: &'s Setting<'s>,
    states: Vec<State>,
    work: VecDeque<usize>,
    /// Which state a case was covered for: whose predecessor, and at which location.
    covered: Vec<(Option<usize>, Pred)>,
    roots: Roots,
    cuts: usize,
}

/// What of a search is kept after a refinement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    Nothing,
    /// The states that do not depend on locations with new predicates.
    OtherLocations,
}

/// Whether the cases of the queries have to be added.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Roots {
    Open,
    Done,
}

/// A state that meets an initial one, and the statement that shows it.
pub(super) struct Leaf {
    pub(super) state: usize,
    pub(super) fact: usize,
}

/// After so many cuts counterexamples are refined.
const MAX_CUTS: usize = 200;

impl<'s> Reach<'s> {
    pub(super) fn new(setting: &'s Setting<'s>) -> Reach<'s> {
        Reach {
            setting,
            states: Vec::new(),
            work: VecDeque::new(),
            covered: Vec::new(),
            roots: Roots::Open,
            cuts: 0,
        }
    }

    /// The states of the invariant.
    pub(super) fn live(&self) -> Vec<&State> {
        self.states
            .iter()
            .filter(|s| s.life == Life::Live)
            .collect()
    }

    /// Computes the abstract fixpoint; a state that meets an initial one ends it.
    pub(super) fn fixpoint(
        &mut self,
        domain: &mut Cartesian,
        cx: &Cx<'_>,
    ) -> Result<Option<Leaf>, Halt> {
        loop {
            if self.roots == Roots::Open {
                self.add_roots(domain, cx)?;
            }
            let Some(state) = self.work.pop_front() else {
                break;
            };
            cx.budget.check()?;
            let pred = self.states[state].pred;
            for index in self.indices(|to| to == Some(pred)) {
                if self.states[state].life == Life::Live
                    && let Some(leaf) = self.step(domain, state, index, cx)?
                {
                    self.work.push_front(state);
                    return Ok(Some(leaf));
                }
            }
        }
        cx.events.emit(Event::Count(
            Count::AbstractStates,
            self.states.len() as u64,
        ));
        Ok(None)
    }

    /// Goes back to what is kept when these locations have new predicates.
    pub(super) fn again(&mut self, kept: Kept, grown: indexmap::IndexSet<Pred>) {
        if kept == Kept::Nothing {
            *self = Reach::new(self.setting);
            return;
        }
        self.cuts = 0;
        let mut gone: indexmap::IndexSet<usize> = indexmap::IndexSet::new();
        for (index, state) in self.states.iter().enumerate() {
            let found_from = state.parent.is_some_and(|p| gone.contains(&p));
            if state.life != Life::Cut && (found_from || grown.contains(&state.pred)) {
                gone.insert(index);
            }
        }
        self.remove(&gone);
        for &index in &gone {
            match self.states[index].parent {
                None => self.roots = Roots::Open,
                Some(parent) if gone.contains(&parent) => {}
                Some(parent) => self.work.push_back(parent),
            }
        }
    }

    fn add_roots(&mut self, domain: &mut Cartesian, cx: &Cx<'_>) -> Result<(), Halt> {
        self.roots = Roots::Done;
        for index in self.indices(|to| to.is_none()) {
            let Some(from) = self.setting.statements[index].from else {
                continue;
            };
            for case in cases::cases(cx.terms, &[self.setting.statements[index].guard]) {
                self.add(domain, (None, index, from), case, cx)?;
            }
        }
        Ok(())
    }

    fn indices(&self, test: impl Fn(Option<Pred>) -> bool) -> Vec<usize> {
        let statements = &self.setting.statements;
        (0..statements.len())
            .filter(|&i| test(statements[i].to))
            .collect()
    }

    /// One statement backwards from a state; the state itself when it meets an initial one.
    fn step(
        &mut self,
        domain: &mut Cartesian,
        state: usize,
        index: usize,
        cx: &Cx<'_>,
    ) -> Result<Option<Leaf>, Halt> {
        let statement = &self.setting.statements[index];
        let after = &self.states[state];
        let mut map = self.setting.program.at(after.pred, &statement.post);
        let before = map.apply(cx.terms, cx.terms.and(after.literals.iter().copied()));
        let pre = [statement.guard, before];
        let Some(from) = statement.from else {
            let clean =
                domain.satisfiable(&pre, cx)? == Some(false) || self.cut(domain, state, cx)?;
            return Ok((!clean).then_some(Leaf { state, fact: index }));
        };
        for case in cases::cases(cx.terms, &pre) {
            self.add(domain, (Some(state), index, from), case, cx)?;
        }
        Ok(None)
    }

    /// Adds the abstraction of a case unless it is empty or covered.
    fn add(
        &mut self,
        domain: &mut Cartesian,
        (parent, statement, pred): (Option<usize>, usize, Pred),
        case: Vec<Term>,
        cx: &Cx<'_>,
    ) -> Result<(), Halt> {
        let covers = self.covers(pred, &case, |_| true, cx.terms);
        match domain.abstraction(pred, &self.with_facts(pred, &case), covers, cx)? {
            Abstracted::Empty => {}
            Abstracted::Covered => self.covered.push((parent, pred)),
            Abstracted::State(full) => {
                let literals = domain.widen(self.setting, pred, &full, cx.terms);
                let inside =
                    |s: &State| s.pred == pred && literals.iter().all(|l| s.literals.contains(l));
                for state in self
                    .states
                    .iter_mut()
                    .filter(|s| s.life == Life::Live && inside(s))
                {
                    state.life = Life::Dead;
                }
                self.work.push_back(self.states.len());
                let vars = cx.terms.free_vars(&literals);
                let ghosts = vars
                    .into_iter()
                    .filter(|v| self.setting.ghosts.contains(v))
                    .collect();
                let life = Life::Live;
                self.states.push(State {
                    pred,
                    literals,
                    full,
                    ghosts,
                    parent,
                    statement,
                    case,
                    life,
                });
            }
        }
        Ok(())
    }

    fn with_facts(&self, pred: Pred, case: &[Term]) -> Vec<Term> {
        case.iter()
            .copied()
            .chain([self.setting.facts[pred.index()]])
            .collect()
    }

    /// The live states of a location as formulas that would cover a case: as they are, and with a
    /// ghost replaced by an index term of the case.
    fn covers(
        &self,
        pred: Pred,
        case: &[Term],
        eligible: impl Fn(usize) -> bool,
        terms: &TermStore,
    ) -> Vec<Vec<Term>> {
        let here =
            |(i, s): &(usize, &State)| s.pred == pred && s.life == Life::Live && eligible(*i);
        let states: Vec<&State> = self
            .states
            .iter()
            .enumerate()
            .filter(here)
            .map(|(_, s)| s)
            .collect();
        let mut found: Vec<Vec<Term>> = Vec::new();
        for (ghost, point) in self.instances(case, terms) {
            // One substitution for all states: it remembers what a literal became.
            let mut map = Substitution::from_pairs([(ghost, point)]);
            found.extend(
                states
                    .iter()
                    .filter(|s| s.ghosts.contains(&ghost))
                    .map(|s| {
                        s.literals
                            .iter()
                            .map(|&l| map.apply(terms, l))
                            .collect::<Vec<Term>>()
                    }),
            );
        }
        found.extend(states.iter().map(|s| s.literals.clone()));
        found
    }

    /// What may stand for a ghost in a state that covers a case: another index term of the case.
    fn instances(&self, case: &[Term], terms: &TermStore) -> Vec<(Term, Term)> {
        if !self.setting.options.instantiate {
            return Vec::new();
        }
        let points: TermSet = accesses(terms, case).into_iter().flatten().collect();
        let mut found = Vec::new();
        for &ghost in &self.setting.ghosts {
            let other = |t: &&Term| **t != ghost && terms.sort(**t) == terms.sort(ghost);
            found.extend(points.iter().filter(other).map(|&point| (ghost, point)));
        }
        found
    }

    /// Looks for a state on the way to this one that other states cover by now, and cuts it off
    /// with everything that was found from it.
    fn cut(&mut self, domain: &mut Cartesian, leaf: usize, cx: &Cx<'_>) -> Result<bool, Halt> {
        if self.cuts >= MAX_CUTS || !self.setting.options.cuts {
            return Ok(false);
        }
        let mut way = vec![leaf];
        while let Some(parent) = way.last().and_then(|&s| self.states[s].parent) {
            way.push(parent);
        }
        for &state in way.iter().rev() {
            let below = self.below(state);
            let (pred, case) = (self.states[state].pred, self.states[state].case.clone());
            let covers = self.covers(pred, &case, |i| !below.contains(&i), cx.terms);
            let covered = !covers.is_empty()
                && matches!(
                    domain.abstraction(pred, &self.with_facts(pred, &case), covers, cx)?,
                    Abstracted::Covered
                );
            if covered {
                self.cuts += 1;
                self.remove(&below);
                self.covered.push((self.states[state].parent, pred));
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A state and everything found from it.
    fn below(&self, state: usize) -> indexmap::IndexSet<usize> {
        let mut below = indexmap::IndexSet::from([state]);
        for (index, other) in self.states.iter().enumerate().skip(state) {
            if other.parent.is_some_and(|p| below.contains(&p)) {
                below.insert(index);
            }
        }
        below
    }

    /// Cuts states off. What they had contained or covered is looked at again.
    fn remove(&mut self, below: &indexmap::IndexSet<usize>) {
        let locations: indexmap::IndexSet<Pred> =
            below.iter().map(|&i| self.states[i].pred).collect();
        for &index in below {
            self.states[index].life = Life::Cut;
        }
        let again =
            |(parent, pred): &(Option<usize>, Pred)| locations.contains(pred).then_some(*parent);
        let mut parents: indexmap::IndexSet<usize> =
            self.covered.iter().filter_map(again).flatten().collect();
        for (index, state) in self.states.iter_mut().enumerate() {
            if state.life == Life::Dead && locations.contains(&state.pred) {
                state.life = Life::Live;
                parents.insert(index);
            }
        }
        if self
            .covered
            .iter()
            .any(|(parent, pred)| parent.is_none() && locations.contains(pred))
        {
            self.roots = Roots::Open;
        }
        self.covered.retain(|(_, pred)| !locations.contains(pred));
        self.work
            .extend(parents.into_iter().filter(|p| !below.contains(p)));
    }

    /// The states from one that meets an initial state to the query's.
    pub(super) fn way(&self, leaf: usize) -> Vec<&State> {
        let mut found = Vec::new();
        let mut at = Some(leaf);
        while let Some(state) = at.map(|i| &self.states[i]) {
            found.push(state);
            at = state.parent;
        }
        found
    }

    /// The initial states a state meets, as formulas, and its parameters and ghosts in them.
    pub(super) fn start(&self, leaf: &Leaf, cx: &Cx<'_>) -> (Vec<Term>, Vec<(Term, Term)>) {
        let (state, fact) = (
            &self.states[leaf.state],
            &self.setting.statements[leaf.fact],
        );
        let params = self.setting.program.params(state.pred);
        let pairs: Vec<(Term, Term)> = params
            .iter()
            .copied()
            .zip(fact.post.iter().copied())
            .collect();
        let mut map = Substitution::from_pairs(pairs.iter().copied());
        let mut formulas: Vec<Term> = state
            .literals
            .iter()
            .map(|&l| map.apply(cx.terms, l))
            .collect();
        formulas.push(fact.guard);
        let ghosts = self.setting.ghosts.iter().map(|&g| (g, g));
        (formulas, pairs.into_iter().chain(ghosts).collect())
    }

    /// The statements from an initial state to the query, by the state that meets it.
    pub(super) fn path(&self, leaf: usize) -> Vec<path::Step> {
        let mut steps = Vec::new();
        let mut at = Some(leaf);
        while let Some(state) = at.map(|i| &self.states[i]) {
            steps.push(path::Step {
                statement: state.statement,
                case: state.case.clone(),
            });
            at = state.parent;
        }
        steps
    }
}
