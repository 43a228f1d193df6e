//! Readable forms mean what the formulas mean: random formulas under random values.

mod common;

use common::{instances, valuation, variables};
use foretell_kernel::Rng;
use foretell_readable::normal::{brief, cases, compact, simplify};
use foretell_readable::shape::shape;
use foretell_readable::shorten::shorten;
use foretell_terms::{Sort, Term, TermStore};
use foretell_testkit::generate::Generator;

/// Holds the readable forms of a formula against the formula itself.
fn compare(store: &TermStore, formula: Term, vars: &[Term], rng: &Rng, n: usize, reach: i64) {
    let original = instances(store, formula, reach);
    let forms = [
        ("simplified", simplify(store, formula)),
        ("compact", compact(store, formula)),
        (
            "shaped",
            shape(store, compact(store, formula)).meaning(store),
        ),
        ("shaped only", shape(store, formula).meaning(store)),
        ("cases", cases(store, simplify(store, formula))),
        ("brief", brief(store, compact(store, formula))),
        (
            "shortened",
            shorten(store, shape(store, brief(store, compact(store, formula)))).meaning(store),
        ),
    ];
    let expanded = forms.map(|(what, form)| (what, form, instances(store, form, reach)));
    for _ in 0..n {
        let values = valuation(store, vars, rng);
        let a = store.eval_bool(original, &values);
        for &(what, form, expanded) in &expanded {
            let b = store.eval_bool(expanded, &values);
            assert!(
                a == b,
                "{what}: {a:?} became {b:?}\n{}\n{}\n{values:?}",
                store.print(formula),
                store.print(form),
            );
        }
    }
}

#[test]
fn random_formulas_keep_their_values() {
    for seed in 0..100 {
        let store = TermStore::new();
        let vars = variables(&store);
        let generator = Generator::wide(&store, seed);
        let rng = Rng::new(seed);
        let depth = 2 + u32::try_from(seed % 4).unwrap();
        compare(
            &store,
            generator.formula(&vars, depth),
            &vars,
            &rng,
            1000,
            0,
        );
    }
}

/// Bounds of few forms, so that intervals, holes and subsumption meet.
#[test]
fn dense_bounds_keep_their_values() {
    for seed in 0..150 {
        let store = TermStore::new();
        let rng = Rng::new(seed);
        let vars: Vec<Term> = ["x", "y"].map(|n| store.new_var(n, Sort::INT)).to_vec();
        let reals: Vec<Term> = ["r", "s"].map(|n| store.new_var(n, Sort::REAL)).to_vec();
        let all: Vec<Term> = vars.iter().chain(&reals).copied().collect();
        let formula = bounds(&store, &rng, 4, &[vars, reals]);
        compare(&store, formula, &all, &rng, 100, 0);
    }
}

fn bounds(store: &TermStore, rng: &Rng, depth: u32, vars: &[Vec<Term>; 2]) -> Term {
    if depth == 0 || rng.below(5) == 0 {
        let vars = &vars[usize::from(rng.below(4) == 0)];
        let sort = store.sort(vars[0]);
        let number = |n: i64| {
            let n = store.int(n);
            if sort == Sort::REAL {
                store.to_real(n)
            } else {
                n
            }
        };
        let coefficient = |n: u64| number(i64::try_from(n).expect("small") - 2);
        let left = match rng.below(4) {
            0 => vars[0],
            1 => vars[1],
            _ => store.add2(
                store.mul(&[coefficient(rng.below(5)), vars[0]]),
                store.mul(&[coefficient(rng.below(5)), vars[1]]),
            ),
        };
        let right = number(i64::try_from(rng.below(5)).expect("small") - 2);
        return match rng.below(6) {
            0 => store.le(left, right),
            1 => store.lt(left, right),
            2 => store.ge(left, right),
            3 => store.gt(left, right),
            4 => store.eq(left, right),
            _ => store.not(store.eq(left, right)),
        };
    }
    let parts: Vec<Term> = (0..2 + rng.below(3))
        .map(|_| bounds(store, rng, depth - 1, vars))
        .collect();
    match rng.below(5) {
        0 | 1 => store.and(parts),
        2 | 3 => store.or(parts),
        _ => store.not(parts[0]),
    }
}

/// Quantified formulas, by instances that reach beyond every value that occurs.
#[test]
fn quantified_formulas_keep_their_values() {
    for seed in 0..120 {
        let store = TermStore::new();
        let rng = Rng::new(seed);
        let array = store.array_sort(&[Sort::INT], Sort::INT);
        let vars = vec![
            store.new_var("x", Sort::INT),
            store.new_var("y", Sort::INT),
            store.new_var("b", Sort::BOOL),
            store.new_var("a", array),
        ];
        let formula = quantified(&store, &rng, 2, &vars);
        compare(&store, formula, &vars, &rng, 40, 12);
    }
}

/// Sums of at most two small variables and a small number: values stay in reach of the instances.
fn quantified(store: &TermStore, rng: &Rng, depth: u32, vars: &[Term]) -> Term {
    let sub = |vars: &[Term]| quantified(store, rng, depth.saturating_sub(1), vars);
    match rng.below(if depth == 0 { 1 } else { 7 }) {
        0 => small_atom(store, rng, vars),
        1 => store.and2(sub(vars), sub(vars)),
        2 => store.or([sub(vars), sub(vars), small_atom(store, rng, vars)]),
        3 => store.not(sub(vars)),
        choice => {
            let bound = store.fresh("q", Sort::INT);
            let inner: Vec<Term> = vars.iter().copied().chain([bound]).collect();
            let literals: Vec<Term> = (0..1 + rng.below(4))
                .map(|_| small_atom(store, rng, &inner))
                .collect();
            let body = match choice {
                4 => store.or(literals),
                5 => store.and(literals),
                _ => store.or2(store.and(literals), sub(&inner)),
            };
            if rng.below(2) == 0 {
                store.forall(&[bound], body)
            } else {
                store.exists(&[bound], body)
            }
        }
    }
}

fn small_atom(store: &TermStore, rng: &Rng, vars: &[Term]) -> Term {
    let pick = |sort: Sort| {
        let fitting: Vec<Term> = vars
            .iter()
            .copied()
            .filter(|&v| store.sort(v) == sort)
            .collect();
        // The variable bound last is the most interesting.
        let last = fitting.len() - 1;
        let place = usize::try_from(rng.below(2 * fitting.len() as u64)).expect("small");
        fitting[place.min(last)]
    };
    let scalar = || match rng.below(4) {
        0 => store.int(i64::try_from(rng.below(5)).expect("small") - 2),
        1 => store.add2(
            pick(Sort::INT),
            store.int(i64::try_from(rng.below(3)).expect("small") - 1),
        ),
        _ => pick(Sort::INT),
    };
    let array = pick(store.array_sort(&[Sort::INT], Sort::INT));
    let atom = match rng.below(8) {
        0 => pick(Sort::BOOL),
        1 => store.eq(store.select(array, &[pick(Sort::INT)]), scalar()),
        2 => store.le(store.select(array, &[pick(Sort::INT)]), scalar()),
        3 | 4 => store.eq(scalar(), scalar()),
        _ => store.le(scalar(), scalar()),
    };
    if rng.below(2) == 0 {
        store.not(atom)
    } else {
        atom
    }
}
