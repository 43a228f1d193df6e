//! Reachable states by random runs, and abstract states made weaker with their help.
//!
//! The paper compares its method with one that drops conjuncts as an oracle says (section 6). Here
//! samples of reachable states are the oracle: a conjunct may go as long as the rest still excludes
//! every sample.
//!
//! ```text
//! weaken(s)   for each literal of s, those without a ghost and the newest first:
//!               no sample satisfies the others:  drop it
//! ```
//!
//! When a widened state turns out to contain a reachable state, that state becomes a sample.
//!
//! Contract: the result is implied by `s`; it excludes all samples if `s` does, otherwise it is `None`.

use foretell_kernel::{Cx, Halt, Rng};
use foretell_systems::Pred;
use foretell_terms::eval::Assignment;
use foretell_terms::number::{Integer, Natural, Rational};
use foretell_terms::{Sort, SortKind, Term, TermMap, TermStore, Value};

use super::Setting;
use super::reach::Statement;

/// Runs that are tried.
const RUNS: usize = 60;
/// The most steps of one run.
const STEPS: usize = 40;
/// Samples kept for each location.
const MAX_SAMPLES: usize = 40;
/// With fewer samples nothing is dropped.
const MIN_SAMPLES: usize = 4;
/// Values of ghosts that are tried with each sample.
const GHOST_VALUES: usize = 49;
/// Small integers and array indices lie between -1 and this.
const RANGE: u64 = 7;
/// How often the variables a statement reads from nowhere are guessed.
const GUESSES: usize = 3;

/// Samples by location.
pub(super) struct Samples {
    /// States with values of the ghosts.
    points: Vec<Vec<Assignment>>,
    /// The points at which a literal may hold, one bit each.
    truth: Vec<TermMap<Vec<u64>>>,
}

impl Samples {
    pub(super) fn new(setting: &Setting<'_>, cx: &Cx<'_>) -> Result<Samples, Halt> {
        let n = setting.program.system.preds.len();
        let mut states: Vec<Vec<Assignment>> = vec![Vec::new(); n];
        for _ in 0..RUNS {
            cx.budget.check()?;
            run(setting, &mut states, cx);
        }
        let ghosts: Vec<Term> = setting.ghosts.iter().copied().collect();
        let mut points = Vec::new();
        for kept in states {
            let few = kept.len() < MIN_SAMPLES;
            let all = kept
                .iter()
                .filter(|_| !few)
                .flat_map(|state| with_ghosts(state, &ghosts, cx));
            points.push(all.collect());
        }
        Ok(Samples {
            points,
            truth: vec![TermMap::default(); n],
        })
    }

    /// A subset of the literals that excludes every sample; `None` when all together do not.
    pub(super) fn weaken(
        &mut self,
        setting: &Setting<'_>,
        pred: Pred,
        literals: &[Term],
        terms: &TermStore,
    ) -> Option<Vec<Term>> {
        if self.points[pred.index()].is_empty() {
            return None;
        }
        let mut sets: Vec<(Term, Vec<u64>)> = literals
            .iter()
            .map(|&l| (l, self.holds_at(pred, l, terms)))
            .collect();
        if !excludes(&sets, usize::MAX) {
            return None;
        }
        let about_ghosts = |l: Term| {
            terms
                .free_vars(&[l])
                .iter()
                .any(|v| setting.ghosts.contains(v))
        };
        sets.sort_by_key(|(l, _)| (about_ghosts(*l), std::cmp::Reverse(*l)));
        let mut at = 0;
        while at < sets.len() {
            if excludes(&sets, at) {
                sets.remove(at);
            } else {
                at += 1;
            }
        }
        let mut kept: Vec<Term> = sets.into_iter().map(|(l, _)| l).collect();
        kept.sort_unstable();
        Some(kept)
    }

    /// Adds a reachable state with values of the ghosts.
    pub(super) fn add(&mut self, pred: Pred, point: Assignment, terms: &TermStore) {
        let points = &mut self.points[pred.index()];
        for (&literal, bits) in &mut self.truth[pred.index()] {
            record(bits, points.len(), literal, &point, terms);
        }
        points.push(point);
    }

    fn holds_at(&mut self, pred: Pred, literal: Term, terms: &TermStore) -> Vec<u64> {
        let points = &self.points[pred.index()];
        let compute = || {
            let mut bits = Vec::new();
            for (i, point) in points.iter().enumerate() {
                record(&mut bits, i, literal, point, terms);
            }
            bits
        };
        self.truth[pred.index()]
            .entry(literal)
            .or_insert_with(compute)
            .clone()
    }
}

/// Sets the bit of a point unless the literal is false there; what has no value is not excluded.
fn record(
    bits: &mut Vec<u64>,
    point: usize,
    literal: Term,
    values: &Assignment,
    terms: &TermStore,
) {
    bits.resize(point / 64 + 1, 0);
    if terms.eval_bool(literal, values) != Ok(false) {
        bits[point / 64] |= 1 << (point % 64);
    }
}

/// Whether no point satisfies all literals but one.
fn excludes(sets: &[(Term, Vec<u64>)], without: usize) -> bool {
    let others = || {
        sets.iter()
            .enumerate()
            .filter(|(i, _)| *i != without)
            .map(|(_, (_, bits))| bits)
    };
    let Some(first) = others().next() else {
        return false;
    };
    (0..first.len()).all(|word| others().fold(u64::MAX, |all, bits| all & bits[word]) == 0)
}

/// One random run from a fact.
fn run(setting: &Setting<'_>, states: &mut [Vec<Assignment>], cx: &Cx<'_>) {
    let facts: Vec<&Statement> = setting
        .statements
        .iter()
        .filter(|s| s.from.is_none() && s.to.is_some())
        .collect();
    let Some(fact) = pick(&facts, cx.rng) else {
        return;
    };
    let mut current = (0..4 * GUESSES).find_map(|_| fire(setting, fact, &Assignment::new(), cx));
    for _ in 0..STEPS {
        let Some((pred, state)) = current else { return };
        if states[pred.index()].len() < MAX_SAMPLES {
            states[pred.index()].push(state.clone());
        }
        let mut next: Vec<&Statement> = setting
            .statements
            .iter()
            .filter(|s| s.from == Some(pred) && s.to.is_some())
            .collect();
        current = None;
        while let Some(statement) = pick(&next, cx.rng).filter(|_| current.is_none()) {
            next.retain(|s| !std::ptr::eq(*s, statement));
            current = (0..GUESSES).find_map(|_| fire(setting, statement, &state, cx));
        }
    }
}

fn pick<'a>(list: &[&'a Statement], rng: &Rng) -> Option<&'a Statement> {
    let at = usize::try_from(rng.below(list.len() as u64)).unwrap_or(0);
    list.get(at).copied()
}

/// The state after a statement with the same ghosts.
pub(super) fn successor(
    setting: &Setting<'_>,
    statement: usize,
    point: &Assignment,
    cx: &Cx<'_>,
) -> Option<Assignment> {
    let (_, mut after) = fire(setting, &setting.statements[statement], point, cx)?;
    for &ghost in &setting.ghosts {
        after.insert(ghost, point.get(ghost)?.clone());
    }
    Some(after)
}

/// The state after a statement, with random values for what it reads from nowhere.
fn fire(
    setting: &Setting<'_>,
    statement: &Statement,
    state: &Assignment,
    cx: &Cx<'_>,
) -> Option<(Pred, Assignment)> {
    let to = statement.to?;
    let mut values = state.clone();
    let mut roots = statement.post.clone();
    roots.push(statement.guard);
    for var in cx.terms.free_vars(&roots) {
        if values.get(var).is_none() {
            values.insert(var, random(cx.terms, cx.terms.sort(var), cx.rng));
        }
    }
    if cx.terms.eval_bool(statement.guard, &values) != Ok(true) {
        return None;
    }
    let mut after = Assignment::new();
    for (&param, &post) in setting.program.params(to).iter().zip(&statement.post) {
        after.insert(param, cx.terms.eval(post, &values).ok()?);
    }
    Some((to, after))
}

/// A state with values for the ghosts: all small ones when there are few ghosts, else random ones.
fn with_ghosts(state: &Assignment, ghosts: &[Term], cx: &Cx<'_>) -> Vec<Assignment> {
    let mut found = vec![state.clone()];
    for &ghost in ghosts {
        let sort = cx.terms.sort(ghost);
        let small = sort == Sort::INT && ghosts.len() <= 2;
        let mut longer = Vec::new();
        for point in &found {
            let count = if small {
                RANGE
            } else {
                GHOST_VALUES.div_ceil(found.len()) as u64
            };
            for n in 0..count {
                let value = if small {
                    Value::Int(Integer::from(n))
                } else {
                    random(cx.terms, sort, cx.rng)
                };
                let mut point = point.clone();
                point.insert(ghost, value);
                longer.push(point);
            }
        }
        found = longer;
    }
    found.truncate(GHOST_VALUES);
    found
}

fn random(terms: &TermStore, sort: Sort, rng: &Rng) -> Value {
    match terms.kind(sort) {
        SortKind::Bool => Value::Bool(rng.below(2) == 1),
        SortKind::Int => Value::Int(Integer::from(rng.below(RANGE + 1)) - Integer::ONE),
        SortKind::Real => Value::real(Rational::from(rng.below(RANGE))),
        SortKind::BitVec(width) => {
            let bound = 1u64.checked_shl(*width).unwrap_or(u64::MAX).min(RANGE + 1);
            Value::BitVec(*width, Natural::from(rng.below(bound)))
        }
        _ => random_array(terms, sort, rng).unwrap_or_else(|| terms.default_value(sort)),
    }
}

/// An array with random cells at small indices, when its cells are no arrays.
fn random_array(terms: &TermStore, sort: Sort, rng: &Rng) -> Option<Value> {
    let (indices, element) = terms.array_parts(sort)?;
    let flat = terms.array_parts(element).is_none() && indices == [Sort::INT];
    let mut array = terms.constant_array_value(sort, terms.default_value(element))?;
    for i in (0..RANGE).filter(|_| flat) {
        array.store(
            vec![Value::Int(Integer::from(i))],
            random(terms, element, rng),
        );
    }
    Some(Value::Array(array))
}
