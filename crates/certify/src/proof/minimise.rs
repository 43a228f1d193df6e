//! Which conjuncts a proof needs: by cores of its obligations, then by leaving out the rest; which
//! literals of them (`literals.rs`), which parts (`parts.rs`), and what can be `false` (`never.rs`).
//!
//! The idea is that of inductive validity cores (Ghassabani, Gacek, Whalen, *Efficient generation of
//! inductive validity cores for safety properties*, 2016), for clauses:
//!
//! ```text
//! Never:     predicates that nothing reaches become false
//! Needed:    work ← obligations that conclude false
//!   for an obligation of the work with a goal (false, or a needed conjunct of its conclusion):
//!     if the conjuncts needed so far prove it: nothing
//!     else: the conjuncts of an unsat core of all premises become needed;
//!           what is not proved (unknown): all conjuncts of its premises become needed
//!     each newly needed conjunct: every obligation that concludes it is work again
//! Smaller:   blocks of needed conjuncts are left out, halves first, single ones last, the longest first,
//!            while all obligations are proved (delta debugging; Zeller and Hildebrandt 2002)
//!            (only what assumes something that was left out is asked again)
//! Shorter:   literals, then parts are left out of what is left; then Smaller again if that was possible
//! ```
//!
//! Solvers in this process answer, so nothing here is trusted: whatever comes out is checked like any
//! other proof, and the proof as it was is still there. The work is limited, and so is its nominal
//! time by the clock; what was reached by then is the result.

mod literals;
mod never;
mod parts;
mod shrink;

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::time::Duration;

use foretell_kernel::{Answer, Cx, Halt, Solver, SolverConfig, Work};
use foretell_systems::chc::{ChcAuxiliary, ChcWitness};
use foretell_systems::{Atom, Auxiliary, ChcSystem, Clause, Invariant};
use foretell_terms::{Substitution, Term, TermMap, TermStore};

use crate::original::{OriginalClauses, OriginalSystem};
use crate::report::CertifyOptions;

pub(crate) use shrink::shrink;

/// What one query may cost.
const QUERY: Work = Work::of_millis(100);
/// What became shorter may make more superfluous, so often.
const MOST_ROUNDS: usize = 3;

/// Formulas of one owner (a predicate, or the state) seen through terms for its parameters.
struct Use {
    owner: usize,
    terms: Vec<(Term, Term)>,
}

/// `premises ∧ context ⇒ conclusion`; without a conclusion, `false`.
struct Obligation {
    premises: Vec<Use>,
    context: Term,
    conclusion: Option<Use>,
}

impl Obligation {
    /// Whether it concludes something from nothing but its context.
    fn is_entry(&self) -> bool {
        self.premises.is_empty() && self.conclusion.is_some()
    }
}

/// A conjunct: whose it is, and which one.
type Place = (usize, usize);

/// The formulas with as few conjuncts as were found to be enough.
pub fn minimise_proof(
    original: &OriginalClauses<'_>,
    formulas: &[Term],
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Vec<Term> {
    smaller(&of_clauses(original.system), formulas, options, cx)
}

/// The obligations of a model of clauses.
fn of_clauses(system: &ChcSystem) -> Vec<Obligation> {
    let seen = |atom: &Atom| {
        let params = system.pred(atom.pred).params.iter().copied();
        Use {
            owner: atom.pred.index(),
            terms: params.zip(atom.args.iter().copied()).collect(),
        }
    };
    let obligation = |clause: &Clause| Obligation {
        premises: clause.body.iter().map(seen).collect(),
        context: clause.constraint,
        conclusion: clause.head.as_ref().map(seen),
    };
    system.clauses.iter().map(obligation).collect()
}

/// The witness with as few conjuncts as were found to be enough; only for clauses with at most one
/// body predicate each, where it is clear which values of the past are meant.
pub fn minimise_witness(
    original: &OriginalClauses<'_>,
    witness: &ChcWitness,
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> ChcWitness {
    let (terms, system) = (cx.terms, original.system);
    if !system.is_linear() {
        return witness.clone();
    }
    let mut obligations: Vec<Obligation> = of_clauses(system);
    for (n, obligation) in obligations.iter_mut().enumerate() {
        for auxiliary in &witness.auxiliaries {
            match (auxiliary, &mut obligation.conclusion) {
                (ChcAuxiliary::Prophecy { var, targets }, None) => {
                    let target = targets.get(n).copied().flatten();
                    let equal = target.map(|target| terms.eq(*var, target));
                    obligation.context = terms.and([obligation.context].into_iter().chain(equal));
                }
                (ChcAuxiliary::History { var, updates }, Some(seen)) => {
                    let update = updates.get(n).copied().flatten();
                    seen.terms.extend(update.map(|update| (*var, update)));
                }
                _ => {}
            }
        }
    }
    ChcWitness {
        auxiliaries: witness.auxiliaries.clone(),
        invariants: smaller(&obligations, &witness.invariants, options, cx),
    }
}

/// The invariant with as few conjuncts as were found to be enough; one that is
/// not inductive by itself stays as it is.
pub fn minimise_invariant(
    original: &OriginalSystem<'_>,
    invariant: &Invariant,
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Invariant {
    if invariant.k != 1 {
        return invariant.clone();
    }
    let (terms, system) = (cx.terms, original.system);
    let mut after: Vec<(Term, Term)> = system.vars.iter().map(|v| (v.cur, v.next)).collect();
    let mut start = vec![system.init];
    let mut step = vec![system.property, system.trans];
    let mut end = vec![terms.not(system.property)];
    for auxiliary in &invariant.auxiliaries {
        match *auxiliary {
            Auxiliary::Prophecy { var, target } => end.push(terms.eq(var, target)),
            Auxiliary::History {
                var,
                next,
                init,
                update,
            } => {
                start.push(terms.eq(var, init));
                after.push((var, next));
                step.push(terms.eq(next, update));
            }
        }
    }
    let here = |pairs| Use {
        owner: 0,
        terms: pairs,
    };
    let obligations = [
        Obligation {
            premises: Vec::new(),
            context: terms.and(start),
            conclusion: Some(here(Vec::new())),
        },
        Obligation {
            premises: vec![here(Vec::new())],
            context: terms.and(end),
            conclusion: None,
        },
        Obligation {
            premises: vec![here(Vec::new())],
            context: terms.and(step),
            conclusion: Some(here(after)),
        },
    ];
    let found = smaller(&obligations, &[invariant.formula], options, cx);
    Invariant {
        formula: found.first().copied().unwrap_or(invariant.formula),
        ..invariant.clone()
    }
}

fn smaller(
    obligations: &[Obligation],
    formulas: &[Term],
    options: &CertifyOptions,
    cx: &Cx<'_>,
) -> Vec<Term> {
    let terms = cx.terms;
    let conjuncts: Vec<Vec<Term>> = formulas.iter().map(|&f| terms.conjuncts(f)).collect();
    // Work with quantifiers is counted badly, and nobody waits longer than this for a shorter text.
    let nominal = Duration::from_millis(options.minimise_ms);
    let budget = cx.budget.slice(Work::of_millis(options.minimise_ms));
    let budget = budget.within(nominal);
    let limited = cx.with_budget(&budget);
    let mut search = Search::new(obligations, conjuncts, &limited);
    let started = never::reached(&mut search);
    let Ok(needed) = started.and_then(|()| search.needed()) else {
        let all = search.conjuncts.iter();
        return all.map(|parts| terms.and(parts.iter().copied())).collect();
    };
    let mut kept = search.shrunk(needed.places().collect());
    for _ in 0..MOST_ROUNDS {
        let before = search.conjuncts.clone();
        literals::leave_out(&mut search, &kept);
        parts::leave_out(&mut search, &kept);
        if search.conjuncts == before {
            break;
        }
        kept = search.shrunk(kept);
    }
    kept.sort_unstable();
    let mut owned: Vec<Vec<Term>> = vec![Vec::new(); formulas.len()];
    for (owner, i) in kept {
        owned[owner].push(search.conjuncts[owner][i]);
    }
    owned.into_iter().map(|parts| terms.and(parts)).collect()
}

/// Which conjuncts are in a set.
#[derive(Clone)]
struct Chosen(Vec<Vec<bool>>);

impl Chosen {
    fn none(conjuncts: &[Vec<Term>]) -> Chosen {
        Chosen(
            conjuncts
                .iter()
                .map(|list| vec![false; list.len()])
                .collect(),
        )
    }

    /// Adds a conjunct; whether it is new.
    fn insert(&mut self, (owner, i): Place) -> bool {
        !std::mem::replace(&mut self.0[owner][i], true)
    }

    fn places(&self) -> impl Iterator<Item = Place> {
        let owners = self.0.iter().enumerate();
        owners.flat_map(|(owner, list)| {
            let all = list.iter().enumerate();
            all.filter(|(_, chosen)| **chosen)
                .map(move |(i, _)| (owner, i))
        })
    }
}

/// The answer about one goal.
enum Proof {
    /// These premises suffice.
    By(Vec<Place>),
    /// It was not proved.
    None,
}

struct Search<'a> {
    obligations: &'a [Obligation],
    conjuncts: Vec<Vec<Term>>,
    /// The obligations that conclude something about an owner.
    concluding: Vec<Vec<usize>>,
    solver: Box<dyn Solver>,
    cx: &'a Cx<'a>,
}

impl<'a> Search<'a> {
    fn new(obligations: &'a [Obligation], conjuncts: Vec<Vec<Term>>, cx: &'a Cx<'a>) -> Search<'a> {
        let mut concluding = vec![Vec::new(); conjuncts.len()];
        for (n, obligation) in obligations.iter().enumerate() {
            if let Some(seen) = &obligation.conclusion {
                concluding[seen.owner].push(n);
            }
        }
        let config = SolverConfig::new("minimise").with_limit(QUERY);
        Search {
            obligations,
            conjuncts,
            concluding,
            solver: cx.oracles.solver(&config.with_minimal_cores()),
            cx,
        }
    }

    /// The conjuncts that cores lead to from the obligations without conclusion.
    fn needed(&mut self) -> Result<Chosen, Halt> {
        let mut needed = Chosen::none(&self.conjuncts);
        let goals = |n: &usize| self.obligations[*n].conclusion.is_none();
        let mut work: VecDeque<(usize, Option<Place>)> = (0..self.obligations.len())
            .filter(goals)
            .map(|n| (n, None))
            .collect();
        while let Some((n, goal)) = work.pop_front() {
            self.cx.budget.check()?;
            let known: Vec<Place> = needed.places().collect();
            if let Proof::By(_) = self.prove(n, goal, Some(&known))? {
                continue;
            }
            let found = match self.prove(n, goal, None)? {
                Proof::By(places) => places,
                Proof::None => self
                    .premises(n)
                    .into_iter()
                    .map(|(place, _)| place)
                    .collect(),
            };
            for place in found {
                if needed.insert(place) {
                    let again = self.concluding[place.0].iter();
                    work.extend(again.map(|&m| (m, Some(place))));
                }
            }
        }
        Ok(needed)
    }

    /// As few of these conjuncts as are found to be enough; those with the longest text go first.
    fn shrunk(&mut self, mut places: Vec<Place>) -> Vec<Place> {
        let length = |&(owner, i): &Place| self.cx.terms.print(self.conjuncts[owner][i]).len();
        places.sort_by_cached_key(|place| (Reverse(length(place)), *place));
        let mut kept: Vec<Place> = places.clone();
        shrink(places, usize::MAX, &mut |rest| {
            let stands =
                self.cx.budget.check().is_ok() && matches!(self.proves(rest, &kept), Ok(true));
            if stands {
                kept = rest.to_vec();
            }
            stands
        })
    }

    /// Whether these conjuncts alone are a proof, when those before were one: what assumes nothing that
    /// was left out does not depend on the choice.
    fn proves(&mut self, parts: &[Place], before: &[Place]) -> Result<bool, Halt> {
        let gone = before.iter().filter(|place| !parts.contains(place));
        let owners: Vec<usize> = gone.map(|place| place.0).collect();
        for n in self.assuming(&owners) {
            for goal in self.goals(n, parts) {
                if let Proof::None = self.prove(n, goal, Some(parts))? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The obligations that assume something about one of these owners.
    fn assuming(&self, owners: &[usize]) -> Vec<usize> {
        let assumes = |n: &usize| {
            let mut premises = self.obligations[*n].premises.iter();
            premises.any(|p| owners.contains(&p.owner))
        };
        (0..self.obligations.len()).filter(assumes).collect()
    }

    /// What an obligation has to prove for these conjuncts.
    fn goals(&self, n: usize, parts: &[Place]) -> Vec<Option<Place>> {
        match &self.obligations[n].conclusion {
            None => vec![None],
            Some(seen) => {
                let own = parts.iter().filter(|place| place.0 == seen.owner);
                own.map(|&place| Some(place)).collect()
            }
        }
    }

    /// The conjuncts that an obligation may assume, each as it is seen there.
    fn premises(&self, n: usize) -> Vec<(Place, Term)> {
        let mut all = Vec::new();
        for premise in &self.obligations[n].premises {
            let mut map = substitution(premise);
            for (i, &conjunct) in self.conjuncts[premise.owner].iter().enumerate() {
                all.push(((premise.owner, i), map.apply(self.cx.terms, conjunct)));
            }
        }
        all
    }

    /// Asks for a goal of an obligation, with these conjuncts or with all.
    fn prove(
        &mut self,
        n: usize,
        goal: Option<Place>,
        from: Option<&[Place]>,
    ) -> Result<Proof, Halt> {
        let terms = self.cx.terms;
        let obligation = &self.obligations[n];
        let mut instances: TermMap<Place> = TermMap::default();
        for (place, instance) in self.premises(n) {
            if from.is_none_or(|list| list.contains(&place)) {
                instances.entry(instance).or_insert(place);
            }
        }
        let wanted = match (goal, &obligation.conclusion) {
            (Some((owner, i)), Some(seen)) => {
                substitution(seen).apply(terms, self.conjuncts[owner][i])
            }
            _ => terms.ff(),
        };
        if let Some(proof) = at_once(terms, wanted, &instances) {
            return Ok(proof);
        }
        self.solver.push();
        let asked = ask(
            &mut *self.solver,
            [obligation.context, terms.not(wanted)],
            &instances,
            self.cx,
        );
        self.solver.pop();
        asked
    }
}

/// Goals that need no solver.
fn at_once(terms: &TermStore, wanted: Term, instances: &TermMap<Place>) -> Option<Proof> {
    if terms.is_true(wanted) {
        return Some(Proof::By(Vec::new()));
    }
    let same = instances
        .get(&wanted)
        .or_else(|| instances.get(&terms.ff()));
    same.map(|&place| Proof::By(vec![place]))
}

fn ask(
    solver: &mut dyn Solver,
    asserted: [Term; 2],
    instances: &TermMap<Place>,
    cx: &Cx<'_>,
) -> Result<Proof, Halt> {
    for formula in asserted {
        solver.assert(cx.terms, formula)?;
    }
    let assumptions: Vec<Term> = instances.keys().copied().collect();
    Ok(match solver.check(&assumptions, cx)? {
        Answer::Unsat(core) => Proof::By(
            core.iter()
                .filter_map(|t| instances.get(t).copied())
                .collect(),
        ),
        Answer::Sat(_) | Answer::Unknown(_) => Proof::None,
    })
}

fn substitution(seen: &Use) -> Substitution {
    Substitution::from_pairs(seen.terms.iter().copied())
}
