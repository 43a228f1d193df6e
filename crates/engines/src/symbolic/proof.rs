//! The states of a predicate as a formula over its parameters.
//!
//! ```text
//! p(a[0 := u][1 := v], u + v, 2)      u = A[0], v = A[1]      S = A[0] + A[1] ∧ I = 2
//! I = 0 ∧ F,  I = 1 ∧ F,  I = 2 ∧ F                           0 ≤ I ≤ 2 ∧ F
//! ```

use foretell_formulas::exists;
use foretell_systems::{ChcProof, Pred};
use foretell_terms::{Integer, Op, Substitution, Term, TermMap, TermSet, TermStore};
use indexmap::IndexMap;

use super::explore::{Exploration, State};

/// An array as a base and what was written to it at numerals.
pub(super) struct Cells {
    pub(super) base: Term,
    pub(super) cells: TermMap<Term>,
}

impl Cells {
    /// `None` for what is no array with one index, or is written elsewhere than at numerals.
    pub(super) fn of(terms: &TermStore, array: Term) -> Option<Cells> {
        let (indices, _) = terms.array_parts(terms.sort(array))?;
        let (mut base, mut cells) = (array, TermMap::default());
        if indices.len() != 1 {
            return None;
        }
        while let (Op::Store, [inner, index, value]) = (terms.op(base), terms.args(base)) {
            if !terms.is_numeral(*index) {
                return None;
            }
            cells.entry(*index).or_insert(*value);
            base = *inner;
        }
        Some(Cells { base, cells })
    }
}

/// The proof of an exploration that is over.
pub(super) fn strongest(exploration: &Exploration<'_>) -> ChcProof {
    let (terms, system) = (exploration.terms, exploration.program.system);
    let formula = |pred: Pred| {
        let params = exploration.program.params(pred);
        let states = exploration.states.iter().filter(|s| s.pred == pred);
        let parts: Vec<Part> = states.map(|s| Part::of(terms, params, s)).collect();
        in_intervals(terms, parts)
    };
    ChcProof {
        formulas: system.pred_ids().map(formula).collect(),
        witness: None,
    }
}

/// What a state says of the parameters: integers that they are, and the rest.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Part {
    numbers: Vec<(Term, Integer)>,
    rest: Term,
}

impl Part {
    fn of(terms: &TermStore, params: &[Term], state: &State) -> Part {
        let solved = Inputs::solved(terms, params, state);
        let mut numbers = Vec::new();
        let mut conjuncts = terms.conjuncts(solved.condition);
        for (&param, &arg) in params.iter().zip(&solved.args) {
            match terms.as_int(arg) {
                Some(n) => numbers.push((param, n.clone())),
                None => conjuncts.extend(equations(terms, param, arg)),
            }
        }
        let all = terms.and(conjuncts);
        let gone: Vec<Term> = (terms.free_vars(&[all]).into_iter())
            .filter(|v| !params.contains(v))
            .collect();
        let rest = match gone.is_empty() {
            true => all,
            false => exists(terms, &gone, all),
        };
        Part { numbers, rest }
    }
}

/// `param = arg`, cell by cell where the array is otherwise the parameter itself.
fn equations(terms: &TermStore, param: Term, arg: Term) -> Vec<Term> {
    match Cells::of(terms, arg) {
        Some(cells) if cells.base == param => {
            let cell =
                |(&index, &value): (&Term, &Term)| terms.eq(terms.select(param, &[index]), value);
            cells.cells.iter().map(cell).collect()
        }
        _ => vec![terms.eq(param, arg)],
    }
}

/// A state with the inputs that parameters determine put in.
struct Inputs {
    args: Vec<Term>,
    condition: Term,
}

impl Inputs {
    fn solved(terms: &TermStore, params: &[Term], state: &State) -> Inputs {
        let mut roots = state.args.clone();
        roots.push(state.condition);
        let mut map = cells_as_inputs(terms, &roots);
        let mut args: Vec<Term> = state.args.iter().map(|&a| map.apply(terms, a)).collect();
        let mut condition = map.apply(terms, state.condition);
        for (at, &param) in params.iter().enumerate() {
            let map = determined(terms, params, param, (&args, at, condition));
            if map.is_empty() {
                continue;
            }
            let mut map = Substitution::from_pairs(map);
            for arg in &mut args {
                *arg = map.apply(terms, *arg);
            }
            condition = map.apply(terms, condition);
        }
        Inputs { args, condition }
    }
}

/// Arrays that are read at numerals, as others with inputs of their own there: what is overwritten later may
/// still be known from elsewhere.
fn cells_as_inputs(terms: &TermStore, roots: &[Term]) -> Substitution {
    let mut read: TermMap<Term> = TermMap::default();
    for term in terms.subterms(roots) {
        if let (Op::Select, [array, index]) = (terms.op(term), terms.args(term))
            && terms.as_var(*array).is_some()
            && terms.is_numeral(*index)
        {
            let known = read
                .entry(*array)
                .or_insert_with(|| terms.fresh("in", terms.sort(*array)));
            *known = terms.store(*known, &[*index], terms.fresh("in", terms.sort(term)));
        }
    }
    Substitution::from_pairs(read)
}

/// What the parameter at a position says of inputs.
fn determined(
    terms: &TermStore,
    params: &[Term],
    param: Term,
    (args, at, condition): (&[Term], usize, Term),
) -> TermMap<Term> {
    let is_input = |t: Term| terms.as_var(t).is_some() && !params.contains(&t);
    let mut map = TermMap::default();
    if is_input(args[at]) {
        map.insert(args[at], param);
        return map;
    }
    let Some(cells) = Cells::of(terms, args[at]) else {
        return map;
    };
    for (&index, &value) in &cells.cells {
        if is_input(value) {
            map.entry(value)
                .or_insert_with(|| terms.select(param, &[index]));
        }
    }
    let others = args.iter().enumerate().filter(|(i, _)| *i != at);
    let mut roots: Vec<Term> = others.map(|(_, &a)| a).collect();
    roots.push(condition);
    roots.extend(cells.cells.values());
    if is_input(cells.base) && only_read_elsewhere(terms, &roots, &cells) {
        map.insert(cells.base, param);
    }
    map
}

/// Whether these terms use the base of the array only to read numerals at which it was not written: there
/// the array is its base.
fn only_read_elsewhere(terms: &TermStore, roots: &[Term], array: &Cells) -> bool {
    let uses = |t: Term| terms.args(t).contains(&array.base);
    roots.iter().all(|&r| r != array.base)
        && terms
            .subterms(roots)
            .into_iter()
            .filter(|&t| uses(t))
            .all(|t| {
                let reads = *terms.op(t) == Op::Select && terms.args(t)[0] == array.base;
                let index = terms.args(t)[1..].first();
                reads && index.is_some_and(|i| terms.is_numeral(*i) && !array.cells.contains_key(i))
            })
}

/// The disjunction of the parts; those that differ in the value of one parameter only are one part with
/// an interval where the values are neighbours.
fn in_intervals(terms: &TermStore, parts: Vec<Part>) -> Term {
    let choices: TermSet = parts
        .iter()
        .flat_map(|p| &p.numbers)
        .map(|(t, _)| *t)
        .collect();
    let grouped = choices.iter().map(|&param| groups(&parts, param));
    let Some((groups, param)) = grouped.zip(&choices).min_by_key(|(g, _)| g.len()) else {
        return terms.or(parts.iter().map(|p| p.rest));
    };
    let mut found = Vec::new();
    for (part, mut values) in groups {
        let others = part
            .numbers
            .iter()
            .map(|(p, n)| terms.eq(*p, terms.int(n.clone())));
        let same = terms.and(others.chain([part.rest]));
        values.sort_unstable();
        values.dedup();
        if values.is_empty() {
            found.push(same);
        }
        for (low, high) in runs(&values) {
            let interval = match low == high {
                true => terms.eq(*param, terms.int(low)),
                false => terms.and2(
                    terms.le(terms.int(low), *param),
                    terms.le(*param, terms.int(high)),
                ),
            };
            found.push(terms.and2(interval, same));
        }
    }
    terms.or(found)
}

/// Parts without what they say of a parameter, and its values for each.
fn groups(parts: &[Part], param: Term) -> IndexMap<Part, Vec<Integer>> {
    let mut groups: IndexMap<Part, Vec<Integer>> = IndexMap::new();
    for part in parts {
        let mut other = part.clone();
        other.numbers.retain(|(p, _)| *p != param);
        let own = part.numbers.iter().find(|(p, _)| *p == param);
        let values = groups.entry(other).or_default();
        values.extend(own.map(|(_, n)| n.clone()));
    }
    groups
}

/// The maximal runs of neighbours in an ascending list.
fn runs(values: &[Integer]) -> Vec<(Integer, Integer)> {
    let mut found: Vec<(Integer, Integer)> = Vec::new();
    for value in values {
        match found.last_mut() {
            Some((_, high)) if &*high + Integer::ONE == *value => *high = value.clone(),
            _ => found.push((value.clone(), value.clone())),
        }
    }
    found
}
