//! Goals that are wrong: small values, and what the functions make of them.
//!
//! Paper: Runciman, Naylor, Lindblad, "SmallCheck and Lazy SmallCheck", Haskell 2008.
//!
//! ```text
//! search(d)                                              // fn goal
//!   for the variables of a goal that nothing determines, all values of depth d at most, one after the other
//!     compute what follows; a condition that is false: the next value
//!   all atoms computed and all conditions true: a derivation
//! computed(p, inputs)                                    // fn computed, each once
//!   the first clause whose conditions hold; its atoms are computed the same way
//! ```
//!
//! Limits: predicates whose clauses compute a result; values of numbers are few.

use foretell_kernel::{Cx, Halt};
use foretell_systems::{ChcSystem, ClauseId, Derivation, DerivationStep, Pred};
use foretell_terms::eval::Assignment;
use foretell_terms::{Constructor, Sort, Term, TermStore};
use indexmap::{IndexMap, IndexSet};

use super::lemmas::{empty, open_variable};
use super::walk::{Functions, Walk};

/// The most values of one sort that are tried.
const VALUES: usize = 60;
/// The most steps of one computation.
const STEPS: usize = 100_000;
/// Calls within calls.
const DEPTH: usize = 200;

/// What a call came to: its result, and the step that derives it.
type Call = Option<(Option<Term>, usize)>;

/// The search in one system.
pub(super) struct Search<'a> {
    system: &'a ChcSystem,
    terms: &'a TermStore,
    functions: &'a Functions,
    none: Functions,
    calls: IndexMap<(Pred, Vec<Term>), Call>,
    steps: Vec<DerivationStep>,
    /// Integers that are tried, the likely ones first.
    numbers: Vec<Term>,
}

/// How far a walk with values came.
enum Run {
    Done(Vec<usize>),
    Open(Term),
    Failed,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        system: &'a ChcSystem,
        functions: &'a Functions,
        terms: &'a TermStore,
    ) -> Search<'a> {
        Search {
            system,
            terms,
            functions,
            none: Functions::new(),
            calls: IndexMap::new(),
            steps: Vec::new(),
            numbers: numbers(system, terms),
        }
    }

    /// A derivation from values of this depth, if there is one; what was computed stays known. At
    /// most so many choices are followed.
    pub(super) fn goals(
        &mut self,
        depth: usize,
        mut walks: usize,
        cx: &Cx<'_>,
    ) -> Result<Option<Derivation>, Halt> {
        let empty = empty(self.system, self.terms);
        for id in self.system.clause_ids() {
            let clause = self.system.clause(id);
            let mut atoms = clause.body.iter();
            let head = clause.head.as_ref();
            if head.is_none_or(|h| empty.contains(&h.pred))
                && atoms.all(|a| self.functions.contains_key(&a.pred))
                && let Some(derivation) = self.goal(id, depth, &mut walks, cx)?
            {
                return Ok(Some(derivation));
            }
        }
        Ok(None)
    }

    fn goal(
        &mut self,
        id: ClauseId,
        depth: usize,
        walks: &mut usize,
        cx: &Cx<'_>,
    ) -> Result<Option<Derivation>, Halt> {
        let mut work: Vec<Vec<(Term, Term)>> = vec![Vec::new()];
        while let Some(chosen) = work.pop() {
            cx.budget.check()?;
            if *walks == 0 {
                return Ok(None);
            }
            *walks -= 1;
            match self.clause(id, &chosen, 0, cx)? {
                (Run::Failed, _) => {}
                (Run::Open(var), _) => {
                    let sort = self.terms.sort(var);
                    let values = values(self.terms, sort, depth, &self.numbers);
                    work.extend(values.into_iter().rev().map(|value| {
                        let own = chosen.iter().copied();
                        own.chain([(var, value)]).collect()
                    }));
                }
                (Run::Done(premises), values) => {
                    let step = self.step(id, values, premises);
                    if let Some(last) = step.and_then(|step| self.refuting(id, step)) {
                        return Ok(Some(self.derivation(last)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// The step of a query; after one that derives a predicate which must be empty, its query.
    fn refuting(&mut self, id: ClauseId, step: usize) -> Option<usize> {
        let Some(head) = &self.system.clause(id).head else {
            return Some(step);
        };
        let query = self.system.clause_ids().find(|&q| {
            let clause = self.system.clause(q);
            clause.is_query() && matches!(clause.body.as_slice(), [a] if a.pred == head.pred)
        });
        self.step(query?, Vec::new(), vec![step])
    }

    /// A clause with values of some of its variables.
    fn clause(
        &mut self,
        id: ClauseId,
        chosen: &[(Term, Term)],
        depth: usize,
        cx: &Cx<'_>,
    ) -> Result<(Run, Vec<(Term, Term)>), Halt> {
        let (terms, system) = (self.terms, self.system);
        let clause = system.clause(id);
        // Atoms are computed here, one by one.
        let none = std::mem::take(&mut self.none);
        let mut walk = Walk::new(terms, &none, clause.constraint, clause.body.clone());
        for &(pattern, value) in chosen {
            walk.bind(pattern, value);
        }
        let mut premises: Vec<Option<usize>> = vec![None; clause.body.len()];
        let outcome = loop {
            walk.run();
            if walk.conditions.iter().any(|&c| !terms.is_true(c)) {
                break Run::Failed;
            }
            let ready = clause.body.iter().enumerate().find_map(|(i, atom)| {
                let function = self.functions.get(&atom.pred)?;
                let inputs = function.inputs.iter().map(|&k| walk.value(atom.args[k]));
                let inputs = inputs.collect::<Option<Vec<Term>>>()?;
                premises[i]
                    .is_none()
                    .then_some((i, function.output, inputs))
            });
            let Some((i, output, inputs)) = ready else {
                break match premises.iter().copied().collect::<Option<Vec<usize>>>() {
                    Some(all) if walk.is_complete() => Run::Done(all),
                    _ => open_variable(&walk, self.functions, terms).map_or(Run::Failed, Run::Open),
                };
            };
            let atom = &clause.body[i];
            let Some((result, step)) = self.computed((atom.pred, inputs), depth + 1, cx)? else {
                break Run::Failed;
            };
            premises[i] = Some(step);
            let at = walk.atoms.iter().position(|a| a == atom);
            at.map(|at| walk.atoms.remove(at));
            if let (Some(output), Some(result)) = (output, result) {
                walk.bind(atom.args[output], result);
            }
        };
        let vars = clause.vars.iter();
        let known = vars.filter_map(|&v| Some((v, walk.value(v)?))).collect();
        drop(walk);
        self.none = none;
        Ok((outcome, known))
    }

    /// A predicate at values.
    fn computed(
        &mut self,
        key: (Pred, Vec<Term>),
        depth: usize,
        cx: &Cx<'_>,
    ) -> Result<Call, Halt> {
        if let Some(known) = self.calls.get(&key) {
            return Ok(*known);
        }
        if depth > DEPTH || self.steps.len() > STEPS {
            return Ok(None);
        }
        cx.budget.check()?;
        // While it is computed a call does not help itself.
        self.calls.insert(key.clone(), None);
        let call = self.first(&key, depth, cx);
        match &call {
            Ok(call) => self.calls.insert(key, *call),
            Err(_) => self.calls.swap_remove(&key),
        };
        call
    }

    /// The first clause that computes a predicate at values.
    fn first(
        &mut self,
        (pred, inputs): &(Pred, Vec<Term>),
        depth: usize,
        cx: &Cx<'_>,
    ) -> Result<Call, Halt> {
        let function = &self.functions[pred];
        for id in self.system.clause_ids() {
            let head = self.system.clause(id).head.as_ref();
            let Some(head) = head.filter(|h| h.pred == *pred) else {
                continue;
            };
            let patterns = function.inputs.iter().map(|&i| head.args[i]);
            let chosen: Vec<(Term, Term)> = patterns.zip(inputs.iter().copied()).collect();
            let (Run::Done(premises), values) = self.clause(id, &chosen, depth, cx)? else {
                continue;
            };
            let map = values.iter().copied();
            let result = function
                .output
                .map(|o| self.terms.substitute(head.args[o], map));
            return Ok(self.step(id, values, premises).map(|step| (result, step)));
        }
        Ok(None)
    }

    /// A step of a derivation; `None` when a variable has no value.
    fn step(
        &mut self,
        clause: ClauseId,
        known: Vec<(Term, Term)>,
        premises: Vec<usize>,
    ) -> Option<usize> {
        let terms = self.terms;
        let known: IndexMap<Term, Term> = known.into_iter().collect();
        let mut values = Assignment::new();
        for &var in &self.system.clause(clause).vars {
            let value = match known.get(&var) {
                Some(&term) => terms.eval(term, &Assignment::new()).ok()?,
                None => terms.default_value(terms.sort(var)),
            };
            values.insert(var, value);
        }
        self.steps.push(DerivationStep {
            clause,
            values,
            premises,
        });
        Some(self.steps.len() - 1)
    }

    /// The steps that the last one needs.
    fn derivation(&self, last: usize) -> Derivation {
        let mut needed = vec![false; last + 1];
        needed[last] = true;
        for at in (0..=last).rev() {
            if needed[at] {
                for &premise in &self.steps[at].premises {
                    needed[premise] = true;
                }
            }
        }
        let mut derivation = Derivation::default();
        let mut place: IndexMap<usize, usize> = IndexMap::new();
        for at in (0..=last).filter(|&at| needed[at]) {
            let mut step = self.steps[at].clone();
            for premise in &mut step.premises {
                *premise = place[&*premise];
            }
            place.insert(at, derivation.steps.len());
            derivation.steps.push(step);
        }
        derivation
    }
}

/// Small integers, and those that the clauses mention.
fn numbers(system: &ChcSystem, terms: &TermStore) -> Vec<Term> {
    let small = [0, 1].map(|n| terms.int(n));
    let mentioned = terms.subterms(&system.formulas()).into_iter();
    let mentioned = mentioned.filter(|&t| terms.as_int(t).is_some());
    let more = [-1, 2, 3, -2].map(|n| terms.int(n));
    let all: IndexSet<Term> = small.into_iter().chain(mentioned).chain(more).collect();
    all.into_iter().collect()
}

/// Values of a sort up to a depth, small ones first.
fn values(terms: &TermStore, sort: Sort, depth: usize, numbers: &[Term]) -> Vec<Term> {
    if sort == Sort::BOOL {
        return vec![terms.ff(), terms.tt()];
    }
    if sort == Sort::INT {
        return numbers.iter().copied().take(2 * depth + 2).collect();
    }
    if terms.data(sort).is_none() {
        let value = terms.value_term(&terms.default_value(sort), sort);
        return value.into_iter().collect();
    }
    let mut found = Vec::new();
    for constructor in terms.constructors(sort) {
        found.extend(built(terms, constructor, depth, numbers));
        found.truncate(VALUES * depth.max(1));
    }
    found.sort_by_key(|&t| terms.subterms(&[t]).len());
    found.truncate(VALUES);
    found
}

/// Values that a constructor makes.
fn built(terms: &TermStore, constructor: Constructor, depth: usize, numbers: &[Term]) -> Vec<Term> {
    let sorts: Vec<Sort> = {
        let declared = &terms.constructor(constructor).fields;
        declared.iter().map(|f| f.sort).collect()
    };
    if depth == 0 && !sorts.is_empty() {
        return Vec::new();
    }
    let mut choices: Vec<Vec<Term>> = vec![Vec::new()];
    for sort in sorts {
        let own = values(terms, sort, depth - 1, numbers);
        let longer = choices.iter().flat_map(|choice| {
            let with = |&t: &Term| choice.iter().copied().chain([t]).collect();
            own.iter().map(with).collect::<Vec<Vec<Term>>>()
        });
        choices = longer.take(VALUES * 4).collect();
    }
    let made = choices
        .into_iter()
        .map(|args| terms.construct(constructor, &args));
    made.collect()
}
