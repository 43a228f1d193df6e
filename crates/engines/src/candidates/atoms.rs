//! Atoms about cells: from the goal, backwards by weakest preconditions, forwards by stores.
//!
//! ```text
//! goal       … ∧ ¬(a[z] = 0) ⇒ false             gives  a[y] = 0
//! backwards  a' = store(a, i, v), goal b[y] = a'[y]  gives  b[y] = a[y] (miss) and b[y] = v[i := y] (hit)
//! forwards   a' = store(a, i, e(i))                gives  a'[y] = e(y)
//!            the same on the way into a loop       gives  a'[i] = e(i) as well: a sentinel
//! ```
//!
//! An atom is a formula over a predicate's parameters and the index variables `y`, `y2`. Atoms are
//! guesses: Houdini decides, so being wrong costs time only.

use foretell_formulas::arrays::{accesses, is_array};
use foretell_kernel::Cx;
use foretell_systems::Pred;
use foretell_terms::{Op, Rational, Sort, Term, TermMap, TermSet, TermStore};

use crate::program::{Program, Rule};

/// The most atoms of a predicate, or so many for each of its arrays: a chain of loops over many arrays has
/// atoms about each of them.
const MAX_ATOMS: usize = 40;
const ATOMS_PER_ARRAY: usize = 6;
/// No weakest precondition goes further back than this for the sake of the control graph.
const DEEPEST: u32 = 32;
/// The most variants one formula is split into.
const MAX_VARIANTS: usize = 12;

/// Atoms of each predicate, with the number of index variables they mention.
pub(super) struct Atoms {
    per_pred: Vec<TermSet>,
    /// The most of each.
    most: Vec<usize>,
}

impl Atoms {
    /// Atoms of the goals and what they become through the rules, up to a depth.
    pub(super) fn new(program: &Program<'_>, depth: u32, cx: &Cx<'_>) -> Atoms {
        let arrays = |params: &[Term]| params.iter().filter(|&&p| is_array(cx.terms, p)).count();
        let preds = program.system.preds.iter();
        let most = preds.map(|pred| MAX_ATOMS.max(ATOMS_PER_ARRAY * arrays(&pred.params)));
        let mut atoms = Atoms {
            per_pred: vec![TermSet::default(); program.system.preds.len()],
            most: most.collect(),
        };
        let mut frontier: Vec<(Pred, Term)> = Vec::new();
        for rule in program.queries() {
            if let Some(pred) = rule.from {
                frontier.extend(
                    goal_atoms(program, rule, cx.terms)
                        .into_iter()
                        .map(|a| (pred, a)),
                );
            }
        }
        for rule in &program.rules {
            frontier.extend(stored(program, rule, cx.terms));
        }
        // As deep as the control graph, twice: what a chain of loops needs comes from its last loop.
        let preds = u32::try_from(program.system.preds.len()).unwrap_or(u32::MAX);
        for _ in 0..=depth.max(preds.saturating_mul(2).min(DEEPEST)) {
            let mut next = Vec::new();
            for (pred, atom) in frontier {
                if atoms.insert(pred, atom, cx.terms) {
                    next.extend(backwards(program, pred, atom, cx.terms));
                    next.extend(forwards(program, pred, atom, cx.terms));
                }
            }
            frontier = next;
        }
        atoms
    }

    fn insert(&mut self, pred: Pred, atom: Term, terms: &TermStore) -> bool {
        let trivial = terms.is_true(atom) || terms.is_false(atom);
        let set = &mut self.per_pred[pred.index()];
        !trivial && set.len() < self.most[pred.index()] && set.insert(atom)
    }

    /// The atoms of a predicate.
    pub(super) fn of(&self, pred: Pred) -> &TermSet {
        &self.per_pred[pred.index()]
    }
}

/// Whether the term reads an array.
pub(super) fn reads(terms: &TermStore, term: Term) -> bool {
    terms.any_subterm(term, |s, t| matches!(s.op(t), Op::Select))
}

/// The negated array part of a query, each literal of it, and both with index terms made general.
fn goal_atoms(program: &Program<'_>, rule: &Rule, terms: &TermStore) -> Vec<Term> {
    let literals: Vec<Term> = terms
        .conjuncts(rule.guard)
        .into_iter()
        .filter(|&l| reads(terms, l))
        .collect();
    let negated: Vec<Term> = literals.iter().map(|&l| terms.not(l)).collect();
    let mut goals = vec![terms.or(negated.iter().copied())];
    goals.extend(negated);
    let mut found = TermSet::default();
    for goal in goals {
        found.extend(generalised(program, rule, goal, terms));
        for part in terms.conjuncts(goal) {
            found.extend(generalised(program, rule, part, terms));
        }
    }
    found.into_iter().collect()
}

/// The goal's own variables become index variables; or an index term of the goal does.
fn generalised(program: &Program<'_>, rule: &Rule, goal: Term, terms: &TermStore) -> Vec<Term> {
    let [y, y2] = program.indices;
    let vars = terms.free_vars(&[goal]);
    let locals: Vec<Term> = vars
        .into_iter()
        .filter(|v| rule.locals.contains(v))
        .collect();
    let integral = locals.iter().all(|&v| terms.sort(v) == Sort::INT);
    let mut found = Vec::new();
    if integral && locals.len() <= 2 {
        found.push(terms.substitute(goal, locals.iter().copied().zip([y, y2])));
    }
    let at = accesses(terms, &[goal]);
    if let [first, second] = at.as_slice()
        && let ([x], [z]) = (first.as_slice(), second.as_slice())
        && locals.is_empty()
        && [x, z]
            .iter()
            .all(|t| terms.sort(**t) == Sort::INT && terms.as_number(**t).is_none())
    {
        for (a, b) in [(y, y2), (y2, y)] {
            found.push(terms.substitute(goal, [(*x, a), (*z, b)]));
        }
    }
    for tuple in at {
        let free = |t: &Term| terms.sort(*t) == Sort::INT && !locals.contains(t);
        match tuple.as_slice() {
            [index] if free(index) => {
                let mut general = terms.substitute(goal, [(*index, y)]);
                if let Some((var, value)) = solve(terms, *index, y, &locals) {
                    general = terms.substitute(general, [(var, value)]);
                }
                found.push(general);
            }
            [row, column] if row != column && free(row) && free(column) => {
                found.push(terms.substitute(goal, [(*row, y), (*column, y2)]));
            }
            _ => {}
        }
    }
    found.retain(|&f| {
        terms
            .free_vars(&[f])
            .iter()
            .all(|v| !rule.locals.contains(v))
    });
    found
}

/// `index = y` solved for one of the variables, when its coefficient is 1 or -1.
fn solve(terms: &TermStore, index: Term, y: Term, vars: &[Term]) -> Option<(Term, Term)> {
    let form = terms.linear(index);
    let (var, c) = form
        .terms
        .iter()
        .find(|(t, c)| vars.contains(t) && (c.is_one() || (-c.clone()).is_one()))?;
    // var = (y - rest) / c
    let rest = terms.sub(index, terms.scale(c, *var));
    let difference = terms.sub(y, rest);
    Some((
        *var,
        if c.is_one() {
            difference
        } else {
            terms.scale(&-Rational::ONE, difference)
        },
    ))
}

/// Weakest preconditions of an atom through the rules into its predicate.
fn backwards(
    program: &Program<'_>,
    pred: Pred,
    atom: Term,
    terms: &TermStore,
) -> Vec<(Pred, Term)> {
    let mut found = Vec::new();
    for rule in program.rules_into(pred) {
        let (Some(from), Some(wp)) = (rule.from, rule.wp(program, atom, terms)) else {
            continue;
        };
        let params = program.params(from);
        for variant in resolve(terms, wp, params) {
            if terms
                .free_vars(&[variant])
                .iter()
                .all(|v| params.contains(v) || program.indices.contains(v))
            {
                found.push((from, variant));
            }
        }
    }
    found
}

/// An atom carried to the predicates its rules lead to, where its variables can be recovered.
fn forwards(program: &Program<'_>, pred: Pred, atom: Term, terms: &TermStore) -> Vec<(Pred, Term)> {
    let mut found = Vec::new();
    for rule in program.rules_from(pred) {
        let Some(to) = rule.to.filter(|&to| to != pred) else {
            continue;
        };
        let map = with_arrays(program, rule, to, terms);
        found.extend(expressed(terms, atom, &map, &program.indices).map(|a| (to, a)));
    }
    found
}

/// The inverse of a rule, extended: an array that is updated stands for its new value.
fn with_arrays(program: &Program<'_>, rule: &Rule, to: Pred, terms: &TermStore) -> TermMap<Term> {
    let mut map = rule.inverse(program, terms);
    for (&param, &post) in program.params(to).iter().zip(&rule.post) {
        if is_array(terms, post) {
            for base in terms.subterms(&[post]) {
                if terms.as_var(base).is_some() && terms.sort(base) == terms.sort(post) {
                    map.entry(base).or_insert(param);
                }
            }
        }
    }
    map
}

fn expressed(terms: &TermStore, atom: Term, map: &TermMap<Term>, free: &[Term]) -> Option<Term> {
    let vars = terms.free_vars(&[atom]);
    let known = vars.iter().all(|v| map.contains_key(v) || free.contains(v));
    known.then(|| terms.substitute(atom, map.iter().map(|(&a, &b)| (a, b))))
}

/// What a rule writes, as an atom about the written cell: `a'[y] = value` with the index set to `y`.
fn stored(program: &Program<'_>, rule: &Rule, terms: &TermStore) -> Vec<(Pred, Term)> {
    let Some(to) = rule.to else { return Vec::new() };
    let source: Vec<Term> = rule
        .from
        .map_or_else(Vec::new, |p| program.params(p).to_vec());
    let map = with_arrays(program, rule, to, terms);
    let mut found = Vec::new();
    for (&param, &post) in program.params(to).iter().zip(&rule.post) {
        if !is_array(terms, param) {
            continue;
        }
        for term in terms.subterms(&[post]) {
            let args = terms.args(term);
            let fact = match terms.op(term) {
                Op::Store if terms.sort(term) == terms.sort(param) && args.len() <= 4 => {
                    let (at, value) = (&args[1..args.len() - 1], args[args.len() - 1]);
                    if rule.from != rule.to {
                        let sentinel = terms.eq(terms.select(param, at), value);
                        let kept = map_keeping(&map, param);
                        found.extend(expressed(terms, sentinel, &kept, &[]).map(|a| (to, a)));
                    }
                    written(program, terms, (param, at, value), &source)
                }
                Op::ConstArray if terms.sort(term) == terms.sort(param) => {
                    let indices = terms
                        .array_parts(terms.sort(param))
                        .map_or(&[][..], |(i, _)| i);
                    let at = program
                        .indices
                        .get(..indices.len())
                        .filter(|_| indices.iter().all(|&i| i == Sort::INT));
                    at.map(|at| terms.eq(terms.select(param, at), args[0]))
                }
                _ => None,
            };
            for variant in fact.into_iter().flat_map(|f| resolve(terms, f, &source)) {
                found.extend(
                    expressed(terms, variant, &map_keeping(&map, param), &program.indices)
                        .map(|a| (to, a)),
                );
            }
        }
    }
    found
}

/// The head's own parameters stay what they are.
fn map_keeping(map: &TermMap<Term>, param: Term) -> TermMap<Term> {
    let mut map = map.clone();
    map.insert(param, param);
    map
}

/// `param[y…] = value` where each index `at_k` was set to `y_k`.
fn written(
    program: &Program<'_>,
    terms: &TermStore,
    write: (Term, &[Term], Term),
    source: &[Term],
) -> Option<Term> {
    let (param, at, value) = write;
    let indices = program.indices.get(..at.len())?;
    if at.iter().any(|&t| terms.sort(t) != Sort::INT) {
        return None;
    }
    let mut value = value;
    for (&index, &y) in at.iter().zip(indices) {
        if let Some((var, solved)) = solve(terms, index, y, source) {
            value = terms.substitute(value, [(var, solved)]);
        }
    }
    // `param` here is the head's parameter; a read of the old array below is left as it is.
    Some(terms.eq(terms.select(param, indices), value))
}

/// Splits a formula until no read meets a store or a choice:
///
/// ```text
/// select(store(a, t, v), y)    select(a, y)   or   v with t = y solved for a variable
/// ite(c, a, b)                 a   or   b   or   both under their condition
/// ```
fn resolve(terms: &TermStore, formula: Term, vars: &[Term]) -> Vec<Term> {
    let mut done = TermSet::default();
    let mut work = vec![formula];
    let mut seen = TermSet::default();
    while let Some(current) = work.pop() {
        if !seen.insert(current) || seen.len() > 8 * MAX_VARIANTS {
            continue;
        }
        match split(terms, current, vars) {
            Some(variants) => work.extend(variants),
            None => {
                done.insert(current);
            }
        }
        if done.len() >= MAX_VARIANTS {
            break;
        }
    }
    done.into_iter().collect()
}

fn split(terms: &TermStore, formula: Term, vars: &[Term]) -> Option<Vec<Term>> {
    for term in terms.subterms(&[formula]) {
        let args = terms.args(term);
        match terms.op(term) {
            Op::Select if *terms.op(args[0]) == Op::Store => {
                return Some(hit_or_miss(terms, formula, term, vars));
            }
            Op::Select if *terms.op(args[0]) == Op::Ite => {
                let choice = terms.args(args[0]);
                let read = |array: Term| terms.select(array, &args[1..]);
                let moved = terms.ite(choice[0], read(choice[1]), read(choice[2]));
                return Some(vec![terms.substitute(formula, [(term, moved)])]);
            }
            Op::Ite if terms.sort(term) != Sort::BOOL && !is_array(terms, term) => {
                let (then, other) = (
                    terms.substitute(formula, [(term, args[1])]),
                    terms.substitute(formula, [(term, args[2])]),
                );
                let conditional = [terms.implies(args[0], then), terms.or2(args[0], other)];
                return Some([then, other].into_iter().chain(conditional).collect());
            }
            _ => {}
        }
    }
    None
}

fn hit_or_miss(terms: &TermStore, formula: Term, select: Term, vars: &[Term]) -> Vec<Term> {
    let args = terms.args(select);
    let store = terms.args(args[0]);
    let (at, value) = (&store[1..store.len() - 1], store[store.len() - 1]);
    let miss = terms.substitute(formula, [(select, terms.select(store[0], &args[1..]))]);
    let mut hit = terms.substitute(formula, [(select, value)]);
    for (&written, &read) in at.iter().zip(&args[1..]) {
        if written != read
            && terms.sort(written) == Sort::INT
            && let Some((var, solved)) = solve(terms, written, read, vars)
        {
            hit = terms.substitute(hit, [(var, solved)]);
        }
    }
    vec![miss, hit]
}

/// Every cell `a[y]` against numerals, parameters, its index and other cells.
pub(super) fn compared(program: &Program<'_>, pred: Pred, terms: &TermStore) -> Vec<Term> {
    let [y, _] = program.indices;
    let is_flat = |p: &Term| {
        terms
            .array_parts(terms.sort(*p))
            .is_some_and(|(i, e)| *i == [Sort::INT] && e == Sort::INT)
    };
    let cells: Vec<Term> = program
        .params(pred)
        .iter()
        .filter(|p| is_flat(p))
        .map(|&a| terms.select(a, &[y]))
        .collect();
    let mut others: Vec<Term> = vec![terms.int(0), terms.int(1), y];
    others.extend([terms.add2(y, terms.int(1)), terms.add2(y, terms.int(-1))]);
    others.extend(program.params_of_sort(pred, Sort::INT, terms));
    others.extend(&cells);
    let mut found = Vec::new();
    for &cell in &cells {
        for &other in others.iter().filter(|&&o| o != cell) {
            found.extend([
                terms.eq(cell, other),
                terms.le(cell, other),
                terms.le(other, cell),
            ]);
        }
    }
    found
}
