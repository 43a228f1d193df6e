//! Golden cases: small problems whose interpolants must stay this simple.

use super::support::{assert_sequence, ints, n_atoms, sequence, show};
use crate::query::Found;
use crate::world::Labelling;
use foretell_terms::{Sort, Term, TermStore};

fn check(name: &str, store: &TermStore, groups: &[Term], atoms: usize) {
    for labelling in [Labelling::McMillan, Labelling::Symmetric] {
        match sequence(store, groups, labelling) {
            Found::Interpolants(itps) => {
                println!("{name} {labelling:?}: {}", show(store, &itps));
                assert_sequence(store, groups, &itps);
                if labelling == Labelling::McMillan {
                    assert!(
                        n_atoms(store, &itps) <= atoms,
                        "{name}: {}",
                        show(store, &itps)
                    );
                }
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

/// The vocabulary of the cases.
struct Words<'a> {
    s: &'a TermStore,
    f: foretell_terms::Func,
}

impl Words<'_> {
    fn new(s: &TermStore) -> Words<'_> {
        Words {
            s,
            f: s.declare("f", &[Sort::INT], Sort::INT),
        }
    }

    fn f(&self, t: Term) -> Term {
        self.s.app(self.f, &[t])
    }

    fn n(&self, i: i64) -> Term {
        self.s.int(i)
    }

    fn plus(&self, t: Term, i: i64) -> Term {
        self.s.add(&[t, self.s.int(i)])
    }

    fn times(&self, i: i64, t: Term) -> Term {
        self.s.mul(&[self.s.int(i), t])
    }

    fn ne(&self, a: Term, b: Term) -> Term {
        self.s.not(self.s.eq(a, b))
    }
}

#[test]
fn integers_and_reals() {
    let s = TermStore::new();
    let [x, y, z] = ints(&s, ["x", "y", "z"]);
    let w = Words::new(&s);
    check(
        "lia1",
        &s,
        &[
            s.and2(s.eq(x, w.n(0)), s.eq(y, w.plus(x, 1))),
            s.le(y, w.n(0)),
        ],
        1,
    );
    check(
        "par",
        &s,
        &[s.eq(y, w.times(2, x)), s.eq(y, w.plus(w.times(2, z), 1))],
        1,
    );
    let left = s.and2(s.eq(x, w.n(0)), s.ge(y, w.n(3)));
    let right = s.and2(s.eq(x, w.n(5)), s.le(y, w.n(-5)));
    check(
        "disj",
        &s,
        &[
            s.or2(left, right),
            s.and2(s.eq(z, s.add2(x, y)), s.eq(z, w.n(1))),
        ],
        4,
    );
    let gap = s.sub(w.times(3, z), x);
    check(
        "cut3",
        &s,
        &[
            s.eq(x, w.times(3, y)),
            s.and2(s.le(w.n(1), gap), s.le(gap, w.n(2))),
        ],
        1,
    );
    check(
        "ite",
        &s,
        &[
            s.eq(y, s.ite(s.lt(x, w.n(0)), s.neg(x), x)),
            s.lt(y, w.n(0)),
        ],
        1,
    );
    let [a, b, c] = ["a", "b", "c"].map(|n| s.new_var(n, Sort::REAL));
    let zero = s.real(foretell_terms::Rational::ZERO);
    let bounds = s.and2(s.lt(a, b), s.le(b, s.add2(c, c)));
    check(
        "lra",
        &s,
        &[bounds, s.and2(s.le(c, zero), s.gt(a, zero))],
        1,
    );
}

#[test]
fn functions() {
    let s = TermStore::new();
    let [x, y, z, u, v, t] = ints(&s, ["x", "y", "z", "u", "v", "t"]);
    let w = Words::new(&s);
    check(
        "uf",
        &s,
        &[
            s.and2(s.eq(x, y), s.eq(w.f(x), z)),
            s.and2(s.eq(w.f(y), t), w.ne(z, t)),
        ],
        1,
    );
    let b = s.and([s.eq(z, w.plus(y, -1)), s.eq(t, w.f(z)), w.ne(t, x)]);
    check(
        "uf2",
        &s,
        &[s.and2(s.eq(y, w.plus(u, 1)), s.eq(x, w.f(u))), b],
        1,
    );
    check(
        "congmix",
        &s,
        &[
            s.and2(s.eq(u, x), s.eq(w.f(u), y)),
            s.and2(s.eq(v, x), w.ne(w.f(v), y)),
        ],
        1,
    );
    check(
        "ufl",
        &s,
        &[s.and2(s.le(x, w.f(y)), s.le(w.f(y), z)), s.lt(z, x)],
        1,
    );
}

#[test]
fn exchange_of_equalities() {
    let s = TermStore::new();
    let [x, y, z, u, v] = ints(&s, ["x", "y", "z", "u", "v"]);
    let w = Words::new(&s);
    let a = s.and([s.le(u, x), s.le(x, u), s.eq(w.f(u), w.n(0))]);
    check("mix", &s, &[a, s.and2(s.eq(z, x), s.gt(w.f(z), w.n(5)))], 1);
    let half = |q: Term| s.and2(s.le(w.times(2, q), x), s.le(x, w.plus(w.times(2, q), 1)));
    check(
        "div",
        &s,
        &[
            s.and2(half(u), s.eq(y, w.f(u))),
            s.and2(half(v), w.ne(y, w.f(v))),
        ],
        1,
    );
    let a = s.and([s.le(w.n(1), x), s.le(x, w.n(2)), s.eq(w.f(x), y)]);
    check(
        "nonconv",
        &s,
        &[a, s.and2(w.ne(w.f(w.n(1)), y), w.ne(w.f(w.n(2)), y))],
        2,
    );
    let a = s.and([s.le(u, x), s.ge(u, y), s.eq(w.f(u), z)]);
    check(
        "tight",
        &s,
        &[a, s.and([s.ge(v, x), s.le(v, y), w.ne(w.f(v), z)])],
        3,
    );
}

#[test]
fn splits_between_foreign_terms() {
    let s = TermStore::new();
    let [x, y, a, b, c] = ints(&s, ["x", "y", "a", "b", "c"]);
    let w = Words::new(&s);
    let left = s.and([s.le(x, a), s.le(a, w.plus(x, 1)), s.eq(w.f(a), y)]);
    let right = [
        s.eq(b, x),
        s.eq(c, w.plus(x, 1)),
        w.ne(w.f(b), y),
        w.ne(w.f(c), y),
    ];
    check("relative", &s, &[left, s.and(right)], 2);
    let left = s.and([s.le(x, a), s.le(a, w.plus(x, 2)), s.eq(w.f(a), y)]);
    let near = s.and([s.le(x, b), s.le(b, w.plus(x, 2))]);
    let all = |t: Term| s.and([w.ne(w.f(x), y), w.ne(w.f(w.plus(x, 1)), y), w.ne(w.f(t), y)]);
    check(
        "three",
        &s,
        &[left, s.and([near, s.eq(b, w.plus(x, 2)), all(b)])],
        3,
    );
}
