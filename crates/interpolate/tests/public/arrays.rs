//! Problems over arrays: axioms are instantiated where terms share a group.

use foretell_interpolate::{InterpolateOptions, Itp};
use foretell_kernel::{Interpolation, Interpolator, Strength};
use foretell_terms::{Rational, Sort, Term, TermStore};
use foretell_testkit::partition::check::{path, tree_fault, with_cx};
use std::time::Duration;

/// The interpolants, checked.
fn answer(s: &TermStore, parts: &[Term]) -> Vec<Term> {
    with_cx(s, Duration::from_secs(20), |cx| {
        let mut itp = Itp::new(Strength::Strong, InterpolateOptions::default());
        let answer = itp.sequence(parts, cx).expect("the budget suffices");
        let Interpolation::Interpolants(itps) = answer else {
            panic!("{answer:?}")
        };
        assert_eq!(tree_fault(parts, &path(parts.len()), &itps, cx), None);
        assert_eq!(itp.stats().rejected, 0);
        itps
    })
}

#[test]
fn reads_over_writes() {
    let s = TermStore::new();
    let sort = s.array_sort(&[Sort::INT], Sort::INT);
    let [a, b] = ["a", "b"].map(|n| s.new_var(n, sort));
    let [i, j, x] = ["i", "j", "x"].map(|n| s.new_var(n, Sort::INT));
    // b = a[i := x], j = i | b[j] != x
    let first = s.and2(s.eq(b, s.store(a, &[i], x)), s.eq(j, i));
    let itps = answer(&s, &[first, s.not(s.eq(s.select(b, &[j]), x))]);
    assert_eq!(s.print(itps[0]), "(= x (select b j))");
    // b = a[i := x], j < i, a[j] = 0 | b[j] > 0
    let zero = s.int(0);
    let first = s.and([
        s.eq(b, s.store(a, &[i], x)),
        s.lt(j, i),
        s.eq(s.select(a, &[j]), zero),
    ]);
    let itps = answer(&s, &[first, s.lt(zero, s.select(b, &[j]))]);
    assert_eq!(s.print(itps[0]), "(<= (select b j) 0)");
}

#[test]
fn constant_arrays_and_differences() {
    let s = TermStore::new();
    let sort = s.array_sort(&[Sort::INT], Sort::REAL);
    let [a, b, c] = ["a", "b", "c"].map(|n| s.new_var(n, sort));
    let [i, j] = ["i", "j"].map(|n| s.new_var(n, Sort::INT));
    let zero = s.real(Rational::ZERO);
    let first = s.eq(a, s.const_array(sort, zero));
    answer(
        &s,
        &[first, s.and2(s.eq(i, j), s.lt(zero, s.select(a, &[i])))],
    );
    // b and c are a with the same change; they do not differ.
    let change = |w: Term| s.eq(w, s.store(a, &[i], zero));
    answer(&s, &[change(b), s.and2(change(c), s.not(s.eq(b, c)))]);
}

#[test]
fn array_steps() {
    // i@0 = 0; a@k+1 = a@k[i@k := 0], i@k+1 = i@k + 1; p < i@n, p >= 0, a@n[p] != 0.
    let s = TermStore::new();
    let sort = s.array_sort(&[Sort::INT], Sort::INT);
    let n = 5;
    let a: Vec<Term> = (0..=n)
        .map(|k| s.new_var(&format!("a@{k}"), sort))
        .collect();
    let i: Vec<Term> = (0..=n)
        .map(|k| s.new_var(&format!("i@{k}"), Sort::INT))
        .collect();
    let p = s.new_var("p", Sort::INT);
    let mut parts = Vec::new();
    for k in 0..n {
        let mut step = vec![
            s.eq(a[k + 1], s.store(a[k], &[i[k]], s.int(0))),
            s.eq(i[k + 1], s.add(&[i[k], s.int(1)])),
            // The index is rigid: it occurs in every group.
            s.le(p, p),
            s.le(s.int(-1), s.ite(s.le(p, s.int(0)), s.int(0), s.int(1))),
        ];
        if k == 0 {
            step.push(s.eq(i[0], s.int(0)));
        }
        parts.push(s.and(step));
    }
    parts.push(s.and([
        s.le(s.int(0), p),
        s.lt(p, i[n]),
        s.not(s.eq(s.select(a[n], &[p]), s.int(0))),
    ]));
    answer(&s, &parts);
}
