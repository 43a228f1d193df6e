//! Datatypes: builders against evaluation, what follows from declarations, printing.

use crate::eval::{Assignment, Undefined};
use crate::{
    Constructor, ConstructorDecl, FieldDecl, Integer, Recursion, Sort, Spelling, TermStore, Value,
};

fn constructor(name: &str, fields: &[(&str, Sort)]) -> ConstructorDecl {
    ConstructorDecl {
        name: name.into(),
        fields: fields
            .iter()
            .map(|&(selector, sort)| FieldDecl {
                selector: selector.into(),
                sort,
            })
            .collect(),
        spelling: Spelling::Plain,
    }
}

/// `Lst`, whose first constructor is the recursive one, and a pair of Booleans.
fn types(s: &TermStore) -> (Sort, Sort) {
    let list = s.declare_data("Lst", None);
    s.define_data(
        list,
        vec![
            constructor("cons", &[("hd", Sort::INT), ("tl", list)]),
            constructor("nil", &[]),
        ],
    );
    let pair = s.declare_data("Pair of", None);
    s.define_data(
        pair,
        vec![constructor("mk", &[("l", Sort::BOOL), ("r", Sort::BOOL)])],
    );
    (list, pair)
}

#[test]
fn what_follows_from_a_declaration() {
    let s = TermStore::new();
    let (list, pair) = types(&s);
    assert_eq!(s.recursion(list), Recursion::Recursive);
    assert_eq!(s.recursion(pair), Recursion::Flat);
    assert_eq!(s.cardinality(list), None);
    assert_eq!(s.cardinality(pair), Some(4));
    assert_eq!(s.small_domain(&[pair, Sort::BOOL]), Some(8));
    // The default of a recursive type is not its first constructor.
    assert_eq!(s.default_constructor(list).map(|c| c.index), Some(1));
    let text = s.print_value(&s.default_value(pair), pair);
    assert_eq!(text, "(mk false false)");
    assert_eq!(
        s.print_sort(s.array_sort(&[pair], list)),
        "(Array |Pair of| Lst)"
    );
    let declared = s.print_data_declarations(&[s.array_sort(&[pair], list)]);
    assert_eq!(declared.len(), 2);
    assert!(
        declared.contains(
            &"(declare-datatypes ((Lst 0)) (((cons (hd Int) (tl Lst)) (nil))))".to_string()
        )
    );
}

#[test]
fn types_without_values_have_no_default() {
    let s = TermStore::new();
    let (a, b) = (s.declare_data("A", None), s.declare_data("B", None));
    s.define_data(a, vec![constructor("mka", &[("b", b)])]);
    // Nothing is concluded before the group is complete.
    assert_eq!(s.default_constructor(a), None);
    s.define_data(
        b,
        vec![constructor("mkb", &[("a", s.array_sort(&[Sort::INT], a))])],
    );
    assert_eq!(s.default_constructor(a), None);
    assert_eq!(s.recursion(b), Recursion::Recursive);
}

#[test]
fn builders_agree_with_evaluation() {
    let s = TermStore::new();
    let (list, pair) = types(&s);
    let at = |sort, index| Constructor { sort, index };
    let (cons, nil, mk) = (at(list, 0), at(list, 1), at(pair, 0));
    let (x, n) = (s.new_var("x", list), s.new_var("n", Sort::INT));
    let tail = s.selectors(cons).nth(1).expect("two fields");
    let head = s.selectors(cons).next().expect("two fields");
    let made = s.construct(cons, &[n, x]);
    assert_eq!(s.field(head, made), n);
    assert_eq!(s.is(cons, made), s.tt());
    assert_eq!(s.is(nil, made), s.ff());
    assert_eq!(s.eq(made, s.construct(nil, &[])), s.ff());
    assert_eq!(
        s.eq(made, s.construct(cons, &[s.int(1), x])),
        s.eq(n, s.int(1))
    );
    let p = s.new_var("p", pair);
    let fields: Vec<_> = s.selectors(mk).map(|f| s.field(f, p)).collect();
    assert_eq!(s.construct(mk, &fields), p);
    assert_ne!(s.construct(mk, &[fields[1], fields[0]]), p);
    let one = Value::Data(
        cons,
        vec![Value::Int(Integer::ONE), Value::Data(nil, Vec::new())],
    );
    let mut values = Assignment::new();
    values.insert(x, one);
    let deep = s.field(head, s.field(tail, x));
    assert_eq!(s.eval(deep, &values), Err(Undefined::WrongConstructor));
    // What does not depend on the wrong field has a value all the same.
    let guarded = s.ite(s.is(cons, s.field(tail, x)), deep, s.int(7));
    assert_eq!(s.eval(guarded, &values), Ok(Value::Int(7.into())));
    assert_eq!(s.eval_bool(s.is(cons, x), &values), Ok(true));
    let updated = s.update_field(head, x, s.int(5));
    assert_eq!(
        s.eval(s.field(head, updated), &values),
        Ok(Value::Int(5.into()))
    );
}

#[test]
fn long_lists_are_compared_without_recursion() {
    let s = TermStore::new();
    let (list, _) = types(&s);
    let (cons, nil) = (
        Constructor {
            sort: list,
            index: 0,
        },
        Constructor {
            sort: list,
            index: 1,
        },
    );
    let long = |end: i32| {
        let start = s.construct(cons, &[s.int(end), s.construct(nil, &[])]);
        (0..20_000).fold(start, |l, _| s.construct(cons, &[s.int(0), l]))
    };
    assert_eq!(s.eq(long(1), long(2)), s.ff());
}
