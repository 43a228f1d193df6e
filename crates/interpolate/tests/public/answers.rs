//! Every question gets a typed answer: malformed, satisfiable, stopped, too hard, in both orders of
//! a problem.

use foretell_interpolate::{
    GroupError, GroupedAssertion, InterpolateOptions, Itp, NamedAnswer, NamedGroups,
};
use foretell_kernel::{Halt, Interpolation, Interpolator, PartTree, Reason, StopReason, Strength};
use foretell_terms::{Sort, Term, TermStore};
use foretell_testkit::partition::check::{path, tree_fault, with_cx};
use std::time::Duration;

fn itp() -> Itp {
    Itp::new(Strength::Strong, InterpolateOptions::default())
}

fn second() -> Duration {
    Duration::from_secs(10)
}

/// `x <= 0 | y = x | y >= 1`.
fn three(s: &TermStore) -> Vec<Term> {
    let [x, y] = ["x", "y"].map(|n| s.new_var(n, Sort::INT));
    vec![s.le(x, s.int(0)), s.eq(x, y), s.le(s.int(1), y)]
}

#[test]
fn satisfiable_parts_give_a_model() {
    let s = TermStore::new();
    let parts = &three(&s)[..2];
    with_cx(&s, second(), |cx| {
        let Ok(Interpolation::Satisfiable(model)) = itp().sequence(parts, cx) else {
            panic!("no model")
        };
        for p in parts {
            assert_eq!(s.eval_bool(*p, &model), Ok(true));
        }
    });
}

#[test]
fn malformed_questions_are_refused() {
    let s = TermStore::new();
    let parts = three(&s);
    with_cx(&s, second(), |cx| {
        let refused = |answer: Result<Interpolation, Halt>| {
            assert!(
                matches!(answer, Ok(Interpolation::Unknown(Reason::Unsupported(_)))),
                "{answer:?}"
            );
        };
        refused(itp().sequence(&[], cx));
        for parents in [
            vec![None, None, None],
            vec![Some(2), Some(0), None],
            vec![Some(9), Some(2), None],
            vec![None],
        ] {
            refused(itp().tree(
                &PartTree {
                    parts: parts.clone(),
                    parents,
                },
                cx,
            ));
        }
        let v = s.fresh("v", Sort::INT);
        let some = s.exists(&[v], s.eq(v, s.new_var("x", Sort::INT)));
        refused(itp().sequence(&[some, s.ff()], cx));
        assert!(
            matches!(itp().sequence(&[s.ff()], cx), Ok(Interpolation::Interpolants(i)) if i.is_empty())
        );
    });
}

#[test]
fn groups_come_in_the_order_of_their_first_assertion() {
    let s = TermStore::new();
    let parts = three(&s);
    let at = |g: Option<&str>, f: Term| GroupedAssertion {
        group: g.map(Into::into),
        formula: f,
    };
    let assertions = [
        at(Some("a"), parts[0]),
        at(Some("b"), parts[2]),
        at(Some("a"), parts[1]),
    ];
    let groups = NamedGroups::collect(&s, &assertions).expect("two groups");
    with_cx(&s, second(), |cx| {
        let Ok(NamedAnswer::Interpolants(itps)) = groups.interpolate(&mut itp(), cx) else {
            panic!("no answer")
        };
        assert_eq!(itps.len(), 1);
        assert_eq!(
            (itps[0].0.as_str(), s.print(itps[0].1).as_str()),
            ("a", "(<= y 0)")
        );
    });
    assert_eq!(
        NamedGroups::collect(&s, &[at(None, parts[0])]).err(),
        Some(GroupError::Ungrouped(0))
    );
    assert_eq!(
        NamedGroups::collect(&s, &assertions[..1]).err(),
        Some(GroupError::TooFew(1))
    );
}

#[test]
fn a_spent_budget_halts() {
    let s = TermStore::new();
    let parts = three(&s);
    with_cx(&s, Duration::ZERO, |cx| {
        assert!(matches!(
            itp().sequence(&parts, cx),
            Err(Halt::Stopped(StopReason::Time))
        ));
    });
    with_cx(&s, second(), |cx| {
        cx.budget.cancel_flag().raise();
        assert!(matches!(
            itp().sequence(&parts, cx),
            Err(Halt::Stopped(StopReason::Interrupted))
        ));
    });
}

#[test]
fn limits_give_unknown() {
    let s = TermStore::new();
    let [x, y, z] = ["x", "y", "z"].map(|n| s.new_var(n, Sort::INT));
    // Needs a search: x is one of five numbers, y five above, z five above that, and z below ten.
    let among = |v: Term, from: i64| {
        s.or((from..from + 5)
            .map(|i| s.eq(v, s.int(i)))
            .collect::<Vec<_>>())
    };
    let parts = [
        among(x, 0),
        s.and2(s.le(s.add(&[x, s.int(5)]), y), among(y, 5)),
        s.and2(s.le(s.add(&[y, s.int(5)]), z), s.le(z, s.int(9))),
    ];
    let options = InterpolateOptions {
        conflicts: 1,
        fallback: 0,
        ..InterpolateOptions::default()
    };
    with_cx(&s, second(), |cx| {
        let mut limited = Itp::new(Strength::Strong, options);
        assert!(matches!(
            limited.sequence(&parts, cx),
            Ok(Interpolation::Unknown(Reason::Exhausted(_)))
        ));
        assert_eq!(limited.stats().failures, 1);
        assert!(matches!(
            itp().sequence(&parts, cx),
            Ok(Interpolation::Interpolants(_))
        ));
    });
}

#[test]
fn strengths_differ_in_the_promised_direction() {
    let s = TermStore::new();
    let [x, y] = ["x", "y"].map(|n| s.new_var(n, Sort::INT));
    let parts = [
        s.and2(s.eq(x, s.int(5)), s.eq(y, s.int(5))),
        s.or2(s.le(x, s.int(0)), s.le(y, s.int(0))),
    ];
    with_cx(&s, second(), |cx| {
        let options = InterpolateOptions {
            polish: 0,
            ..InterpolateOptions::default()
        };
        let mut found = Vec::new();
        for strength in [Strength::Strong, Strength::Symmetric, Strength::Weak] {
            let answer = Itp::new(strength, options.clone()).sequence(&parts, cx);
            let Ok(Interpolation::Interpolants(itps)) = answer else {
                panic!("{answer:?}")
            };
            assert_eq!(tree_fault(&parts, &path(2), &itps, cx), None);
            found.push(itps[0]);
        }
        // Strong implies weak.
        let gap = [found[0], s.not(found[2])];
        assert_eq!(
            foretell_testkit::partition::check::satisfiable(&gap, cx),
            Some(false)
        );
    });
}
