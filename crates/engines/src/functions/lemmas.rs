//! What may hold of predicates that are functions: goals seen from one of their atoms, and equations.
//!
//! ```text
//! goal      false ⇐ append(x, y, z) ∧ count(e, z, a) ∧ count(e, x, b) ∧ count(e, y, c) ∧ a ≠ b + c
//! append    ∀e. count(e, z) = count(e, x) + count(e, y)          // induction over the derivation of the atom
//! ```

use foretell_systems::{ChcSystem, Clause, Pred};
use foretell_terms::{Sort, Term, TermStore};

use super::prove::{Lemma, Prover};
use super::walk::{Function, Functions, Value, Walk};

/// The most variables that a goal is about beside the arguments of one atom.
const VARIABLES: usize = 4;

/// The goals, each as a formula about each of its atoms.
pub(super) fn goals(prover: &Prover<'_>, functions: &Functions) -> Vec<(Pred, Lemma)> {
    let mut found = Vec::new();
    let empty = empty(prover.system, prover.cx.terms);
    let clauses = prover.system.clauses.iter();
    for query in clauses.filter(|c| c.head.as_ref().is_none_or(|h| empty.contains(&h.pred))) {
        for i in 0..query.body.len() {
            let lemma = goal(prover, query, i, functions);
            found.extend(lemma.map(|l| (query.body[i].pred, l)));
        }
    }
    found
}

/// Predicates without arguments that a query says are false.
pub(super) fn empty(system: &ChcSystem, terms: &TermStore) -> Vec<Pred> {
    let queries = system.clauses.iter().filter(|c| c.is_query());
    let alone = queries.filter_map(|c| match c.body.as_slice() {
        [atom] if atom.args.is_empty() && terms.is_true(c.constraint) => Some(atom.pred),
        _ => None,
    });
    alone.collect()
}

/// A goal as a formula about one of its atoms.
fn goal(prover: &Prover<'_>, query: &Clause, at: usize, functions: &Functions) -> Option<Lemma> {
    let terms = prover.cx.terms;
    let mut others = query.body.clone();
    let own = others.remove(at);
    others.retain(|a| functions.contains_key(&a.pred));
    let mut walk = Walk::new(terms, functions, query.constraint, others);
    for (&arg, &param) in own.args.iter().zip(&prover.system.pred(own.pred).params) {
        walk.bind(arg, param);
    }
    let mut vars = Vec::new();
    walk.run();
    while !walk.is_complete() {
        let open = open_variable(&walk, functions, terms)?;
        let var = terms.fresh(terms.var_name(open), terms.sort(open));
        vars.push(var);
        if vars.len() > VARIABLES {
            return None;
        }
        walk.bind(open, var);
        walk.run();
    }
    let body = terms.not(terms.and(walk.conditions));
    (!terms.is_true(body)).then(|| Lemma::candidate(vars, body, terms))
}

/// A variable that nothing determines: an argument of the atom that lacks the fewest.
pub(super) fn open_variable(
    walk: &Walk<'_>,
    functions: &Functions,
    terms: &TermStore,
) -> Option<Term> {
    let open = |roots: &[Term]| -> Vec<Term> {
        let vars = terms.free_vars(roots).into_iter();
        vars.filter(|&v| walk.value(v).is_none()).collect()
    };
    let mut best: Option<Vec<Term>> = None;
    for atom in &walk.atoms {
        let inputs = functions.get(&atom.pred).map_or(&[][..], |f| &f.inputs);
        let args: Vec<Term> = inputs.iter().map(|&i| atom.args[i]).collect();
        let lacking = open(&args);
        if best.as_ref().is_none_or(|b| lacking.len() < b.len()) {
            best = Some(lacking);
        }
    }
    let lacking = best.unwrap_or_else(|| open(&walk.waiting_terms()));
    lacking.first().copied()
}

/// Predicates that may say that two values are equal or differ.
pub(super) fn comparisons(prover: &Prover<'_>, pred: Pred) -> Vec<Function> {
    let terms = prover.cx.terms;
    let params = &prover.system.pred(pred).params;
    let sorts: Vec<Sort> = params.iter().map(|&p| terms.sort(p)).collect();
    let kinds = [Value::Different, Value::Same];
    let all = |inputs: Vec<usize>, output: Option<usize>| {
        let make = move |value| Function {
            value,
            inputs: inputs.clone(),
            output,
        };
        kinds.into_iter().map(make)
    };
    match sorts.as_slice() {
        [a, b] if a == b => all(vec![0, 1], None).collect(),
        [a, b, c] if a == b && *c == Sort::BOOL => all(vec![0, 1], Some(2)).collect(),
        [c, a, b] if a == b && *c == Sort::BOOL => all(vec![1, 2], Some(0)).collect(),
        _ => Vec::new(),
    }
}

/// Equations between arguments, also for one that is a constant.
pub(super) fn equations(prover: &Prover<'_>, pred: Pred) -> Vec<Lemma> {
    let terms = prover.cx.terms;
    let params = &prover.system.pred(pred).params;
    let mut bodies = Vec::new();
    for (i, &a) in params.iter().enumerate() {
        for &b in &params[i + 1..] {
            if terms.sort(a) != terms.sort(b) {
                continue;
            }
            let same = terms.eq(a, b);
            bodies.extend([same, terms.not(same)]);
            if terms.sort(a) == Sort::INT {
                bodies.extend([terms.le(a, b), terms.le(b, a)]);
            }
            for &c in params.iter().filter(|&&c| c != a && c != b) {
                for constant in constants(terms, terms.sort(c)) {
                    bodies.push(terms.implies(terms.eq(c, constant), same));
                }
            }
        }
    }
    let lemma = |body| Lemma::candidate(Vec::new(), body, terms);
    bodies.into_iter().map(lemma).collect()
}

/// The constructors without fields of a sort.
fn constants(terms: &TermStore, sort: Sort) -> Vec<Term> {
    if terms.data(sort).is_none() {
        return Vec::new();
    }
    let all = terms.constructors(sort);
    let constants = all.filter(|&c| terms.constructor(c).fields.is_empty());
    constants.map(|c| terms.construct(c, &[])).collect()
}

/// How the functions of the system may get on with a predicate that is one of them: what they say of
/// its result from what they say of its arguments, and whether they may come before it or after it.
pub(super) fn homomorphisms(prover: &Prover<'_>, pred: Pred, functions: &Functions) -> Vec<Lemma> {
    let (terms, system) = (prover.cx.terms, prover.system);
    let Some((own, output)) = functions.get(&pred).and_then(|f| Some((f, f.output?))) else {
        return Vec::new();
    };
    let params = &system.pred(pred).params;
    let result = params[output];
    let arguments: Vec<Term> = own.inputs.iter().map(|&i| params[i]).collect();
    let mut lemmas = Vec::new();
    for (&other, g) in functions {
        let sorts: Vec<Sort> = g
            .inputs
            .iter()
            .map(|&i| terms.sort(system.pred(other).params[i]))
            .collect();
        if sorts[0] != terms.sort(result) || sorts.len() > VARIABLES {
            continue;
        }
        let fresh = |&s: &Sort| terms.fresh("u", s);
        let vars: Vec<Term> = sorts[1..].iter().map(fresh).collect();
        let value = |x: Term| {
            let inputs: Vec<Term> = [x].into_iter().chain(vars.iter().copied()).collect();
            g.at(&inputs, terms)
        };
        for (i, &argument) in arguments.iter().enumerate() {
            let image = [argument]
                .into_iter()
                .filter(|&a| terms.sort(a) == sorts[0])
                .map(value);
            for image in image.filter(|&v| terms.sort(v) == sorts[0]) {
                let mut moved = arguments.clone();
                moved[i] = image;
                let body = terms.eq(value(result), own.at(&moved, terms));
                lemmas.push(Lemma::candidate(vars.clone(), body, terms));
            }
        }
        if other == pred {
            continue;
        }
        let fitting = arguments.iter().filter(|&&a| terms.sort(a) == sorts[0]);
        let images: Vec<Term> = fitting.map(|&a| value(a)).collect();
        for body in relations(prover, functions, value(result), &images) {
            lemmas.push(Lemma::candidate(vars.clone(), body, terms));
        }
    }
    lemmas
}

/// Relations of a value to one or two others.
fn relations(
    prover: &Prover<'_>,
    functions: &Functions,
    value: Term,
    images: &[Term],
) -> Vec<Term> {
    let terms = prover.cx.terms;
    let sort = terms.sort(value);
    let mut found = Vec::new();
    for constant in constants(terms, sort) {
        for &a in images {
            let (before, after) = (terms.eq(a, constant), terms.eq(value, constant));
            found.extend([terms.implies(before, after), terms.implies(after, before)]);
        }
    }
    for (i, &a) in images.iter().enumerate() {
        found.push(terms.eq(value, a));
        if sort == Sort::BOOL {
            found.extend([terms.implies(value, a), terms.implies(a, value)]);
        }
        if sort == Sort::INT {
            found.extend([terms.le(value, a), terms.le(a, value)]);
        }
        for (j, &b) in images.iter().enumerate() {
            if i < j && sort == Sort::BOOL {
                found.push(terms.implies(value, terms.or([a, b])));
                found.push(terms.implies(terms.and([a, b]), value));
            } else if i < j && sort == Sort::INT {
                found.push(terms.eq(value, terms.add(&[a, b])));
            } else if i != j {
                let pairs = functions.iter().filter(|(p, f)| {
                    let own = &prover.system.pred(**p).params;
                    let fits = |&i: &usize| terms.sort(own[i]) == sort;
                    f.inputs.len() == 2
                        && f.inputs.iter().all(fits)
                        && f.output.is_some_and(|o| fits(&o))
                });
                found.extend(pairs.map(|(_, f)| terms.eq(value, f.at(&[a, b], terms))));
            }
        }
    }
    found
}
