//! Unit tests of the system types.

use foretell_terms::{Sort, TermStore};

use crate::{StateVar, TransitionSystem, Unroller};

fn counter(s: &TermStore) -> TransitionSystem {
    let var = StateVar {
        cur: s.new_var("x", Sort::INT),
        next: s.new_var("x'", Sort::INT),
    };
    let init = s.eq(var.cur, s.int(0));
    let trans = s.eq(var.next, s.add2(var.cur, s.int(1)));
    TransitionSystem::new(vec![var], init, trans, s.le(s.int(0), var.cur))
}

#[test]
fn timing_is_undone() {
    let s = TermStore::new();
    let ts = counter(&s);
    let mut unroller = Unroller::new(&ts);
    assert_eq!(s.print(unroller.at(&s, ts.trans, 2)), "(= x@3 (+ x@2 1))");
    let at = unroller.at(&s, ts.property, 3);
    assert_eq!(unroller.untime(&s, at, 3), ts.property);
}

#[test]
fn changes_are_logged() {
    let s = TermStore::new();
    let mut ts = counter(&s);
    let seen = ts.revision();
    ts.strengthen_trans(&s, s.le(ts.vars[0].cur, s.int(9)));
    assert_eq!(ts.changes_since(seen).len(), 1);
    assert!(ts.validate(&s).is_ok());
    ts.init = s.eq(ts.vars[0].next, s.int(0));
    assert!(ts.validate(&s).is_err());
}
