//! Unrollings of three loops: initialising an array, copying an array, and two counters in step.
//!
//! Arrays are abstract: a sort with read and write functions, and the instances of read-over-write
//! that the proof needs, for one index `p`.

use foretell_terms::{Func, Sort, SortKind, Term, TermStore};

/// Abstract arrays.
struct Arrays {
    sort: Sort,
    read: Func,
    write: Func,
}

impl Arrays {
    fn new(s: &TermStore) -> Arrays {
        let sort = s.mk_sort(SortKind::Uninterpreted("Arr".into()));
        let read = s.declare("rd", &[sort, Sort::INT], Sort::INT);
        let write = s.declare("wr", &[sort, Sort::INT, Sort::INT], sort);
        Arrays { sort, read, write }
    }

    fn rd(&self, s: &TermStore, a: Term, i: Term) -> Term {
        s.app(self.read, &[a, i])
    }

    fn wr(&self, s: &TermStore, a: Term, i: Term, v: Term) -> Term {
        s.app(self.write, &[a, i, v])
    }

    /// Read over write at the written index and at `j`.
    fn axioms(&self, s: &TermStore, a: Term, i: Term, v: Term, j: Term) -> Term {
        let w = self.wr(s, a, i, v);
        let other = s.or2(s.eq(j, i), s.eq(self.rd(s, w, j), self.rd(s, a, j)));
        s.and2(s.eq(self.rd(s, w, i), v), other)
    }
}

fn at(s: &TermStore, name: &str, sort: Sort, n: usize) -> Vec<Term> {
    (0..=n)
        .map(|k| s.new_var(&format!("{name}@{k}"), sort))
        .collect()
}

/// `for i in 0..N { a[i] = 0 }`, or `a[i] = b[i]` if `copy`; then `a[p]` is wrong for some `p`.
fn array_loop(s: &TermStore, n: usize, source: Option<&str>) -> Vec<Term> {
    let arrays = Arrays::new(s);
    let i = at(s, "i", Sort::INT, n);
    let a = at(s, "a", arrays.sort, n);
    let (bound, p) = (s.new_var("N", Sort::INT), s.new_var("p", Sort::INT));
    let source = source.map(|name| s.new_var(name, arrays.sort));
    let value = |k: Term| source.map_or(s.int(0), |b| arrays.rd(s, b, k));
    let mut groups = Vec::new();
    for k in 0..n {
        let v = value(i[k]);
        let step = s.and([
            s.lt(i[k], bound),
            s.eq(a[k + 1], arrays.wr(s, a[k], i[k], v)),
            s.eq(i[k + 1], s.add(&[i[k], s.int(1)])),
        ]);
        let done = s.and([
            s.le(bound, i[k]),
            s.eq(a[k + 1], a[k]),
            s.eq(i[k + 1], i[k]),
        ]);
        let mut parts = vec![s.or2(step, done), arrays.axioms(s, a[k], i[k], v, p)];
        if k == 0 {
            parts.push(s.eq(i[0], s.int(0)));
        }
        groups.push(s.and(parts));
    }
    let wrong = s.not(s.eq(arrays.rd(s, a[n], p), value(p)));
    groups.push(s.and([s.le(bound, i[n]), s.le(s.int(0), p), s.lt(p, bound), wrong]));
    groups
}

/// `array_init` unrolled `n` times.
pub fn array_init(s: &TermStore, n: usize) -> Vec<Term> {
    array_loop(s, n, None)
}

/// `array_copy` unrolled `n` times.
pub fn array_copy(s: &TermStore, n: usize) -> Vec<Term> {
    array_loop(s, n, Some("b"))
}

/// `x += 1, y += 2` while `x < 10`, else `y -= 1`; then `y != 2x`.
pub fn counter(s: &TermStore, n: usize) -> Vec<Term> {
    let (x, y) = (at(s, "x", Sort::INT, n), at(s, "y", Sort::INT, n));
    let plus = |t: Term, c: i64| s.add(&[t, s.int(c)]);
    let mut groups = Vec::new();
    for k in 0..n {
        let limit = s.int(n as i64 + 6);
        let up = s.and([
            s.lt(x[k], limit),
            s.eq(x[k + 1], plus(x[k], 1)),
            s.eq(y[k + 1], plus(y[k], 2)),
        ]);
        let down = s.and([
            s.le(limit, x[k]),
            s.eq(x[k + 1], x[k]),
            s.eq(y[k + 1], plus(y[k], -1)),
        ]);
        let mut parts = vec![s.or2(up, down)];
        if k == 0 {
            parts.extend([s.eq(x[0], s.int(0)), s.eq(y[0], s.int(0))]);
        }
        groups.push(s.and(parts));
    }
    groups.push(s.not(s.eq(y[n], s.mul(&[s.int(2), x[n]]))));
    groups
}
