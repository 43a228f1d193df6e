//! Deep and wide input: nothing recurses over terms.

use super::support::{assert_sequence, ints, sequence};
use crate::query::Found;
use crate::world::Labelling;
use foretell_terms::{Sort, TermStore};

#[test]
fn nested_functions() {
    let s = TermStore::new();
    let [a, b, x] = ints(&s, ["a", "b", "x"]);
    let f = s.declare("f", &[Sort::INT], Sort::INT);
    let nest = |mut t| {
        for _ in 0..20_000 {
            t = s.app(f, &[t]);
        }
        t
    };
    // a = b and x = f(..f(a)) against x != f(..f(b)), with b shared.
    let parts = [
        s.and2(s.eq(a, b), s.eq(x, nest(a))),
        s.not(s.eq(x, nest(b))),
    ];
    assert!(matches!(
        sequence(&s, &parts, Labelling::McMillan),
        Found::Interpolants(_)
    ));
}

#[test]
fn nested_connectives() {
    let s = TermStore::new();
    let [x, y] = ints(&s, ["x", "y"]);
    let mut formula = s.le(x, s.int(0));
    for i in 0..20_000 {
        let p = s.new_var(&format!("p{i}"), Sort::BOOL);
        formula = if i % 2 == 0 {
            s.and2(p, formula)
        } else {
            s.or2(s.and2(s.not(p), s.ff()), formula)
        };
    }
    let parts = [s.and2(formula, s.eq(y, x)), s.le(s.int(1), y)];
    let Found::Interpolants(itps) = sequence(&s, &parts, Labelling::McMillan) else {
        panic!("no answer")
    };
    assert_sequence(&s, &parts, &itps);
    assert_eq!(s.print(itps[0]), "(<= y 0)");
}

#[test]
fn many_groups() {
    // More groups than bits in a word.
    let s = TermStore::new();
    let n = 150;
    let x: Vec<_> = (0..n)
        .map(|i| s.new_var(&format!("x{i}"), Sort::INT))
        .collect();
    let mut parts = vec![s.eq(x[0], s.int(0))];
    parts.extend((1..n).map(|i| s.eq(x[i], s.add(&[x[i - 1], s.int(1)]))));
    parts.push(s.le(x[n - 1], s.int(5)));
    let Found::Interpolants(itps) = sequence(&s, &parts, Labelling::Symmetric) else {
        panic!("no answer")
    };
    assert_sequence(&s, &parts, &itps);
}

#[test]
fn many_unrelated_reads() {
    let s = TermStore::new();
    let f = s.declare("f", &[Sort::INT], Sort::INT);
    let read = |t| s.app(f, &[t]);
    let x: Vec<_> = (0..30)
        .map(|i| s.new_var(&format!("x{i}"), Sort::INT))
        .collect();
    let z = s.new_var("z", Sort::INT);
    let bounds: Vec<_> = x.iter().map(|x| s.le(s.int(0), read(*x))).collect();
    let parts = [
        s.and(bounds),
        s.and2(
            s.and2(s.le(z, x[0]), s.le(x[0], z)),
            s.lt(read(z), s.int(0)),
        ),
    ];
    let Found::Interpolants(itps) = sequence(&s, &parts, Labelling::McMillan) else {
        panic!("no answer")
    };
    assert_sequence(&s, &parts, &itps);
    assert_eq!(s.print(itps[0]), "(<= 0 (f x0))");
}
