//! Case splits of small formulas; what the parts of the paper are worth on its examples.

use foretell_kernel::VerdictKind;
use foretell_terms::{Sort, TermStore};
use foretell_testkit::{Plan, RunLimits, case, solve};

use super::cases;

#[test]
fn a_read_over_a_write_has_two_cases() {
    let s = TermStore::new();
    let array = s.array_sort(&[Sort::INT], Sort::INT);
    let (a, i, k) = (
        s.new_var("a", array),
        s.new_var("i", Sort::INT),
        s.new_var("k", Sort::INT),
    );
    let read = s.select(s.store(a, &[i], s.int(0)), &[k]);
    let found = cases::cases(&s, &[s.not(s.eq(read, s.int(0)))]);
    // The case i = k contradicts itself; the other one is about the old array.
    assert_eq!(found.len(), 1);
    let texts: Vec<String> = found[0].iter().map(|&f| s.print(f)).collect();
    assert_eq!(found[0].len(), 2, "{texts:?}");
    assert!(texts.iter().all(|t| !t.contains("store")), "{texts:?}");
}

#[test]
fn cases_of_choices_and_disjunctions_multiply() {
    let s = TermStore::new();
    let bools: Vec<_> = ["p", "q", "r"]
        .iter()
        .map(|n| s.new_var(n, Sort::BOOL))
        .collect();
    let x = s.new_var("x", Sort::INT);
    let choice = s.ite(bools[0], s.int(1), s.int(2));
    let formula = [s.le(x, choice), s.or2(bools[1], bools[2])];
    assert_eq!(cases::cases(&s, &formula).len(), 4);
    assert!(cases::cases(&s, &[s.ff()]).is_empty());
    assert_eq!(cases::cases(&s, &[s.tt()]), vec![Vec::new()]);
}

/// The settings without anything that the paper does not have.
const PAPER: [&str; 8] = [
    "predicate_abstraction.facts=false",
    "predicate_abstraction.instantiate=false",
    "predicate_abstraction.samples=false",
    "predicate_abstraction.cuts=false",
    "predicate_abstraction.learn=false",
    "predicate_abstraction.split_equations=false",
    "predicate_abstraction.core_first=false",
    "predicate_abstraction.reuse=true",
];

/// The answer to a file, with the settings of the paper and one more, after so many queries.
fn answer(file: &str, more: &str, queries: u64) -> (VerdictKind, String) {
    let limits = RunLimits {
        queries,
        ..RunLimits::NONE
    };
    let plan = Plan::new("predicate_abstraction").with(&PAPER);
    let found = solve(case(file).text(), &plan.with(&[more]).within(limits));
    (found.verdict, found.words)
}

/// Section 4 of the paper: `extract0` alone establishes the assertion cell by cell.
#[test]
fn array_initialisation_needs_saturation() {
    let file = "chc/safe/paper_qaa_array_init.smt2";
    let disjunctions = |n: usize| format!("predicate_abstraction.disjunction={n}");
    assert_eq!(answer(file, &disjunctions(1), 100).0, VerdictKind::Safe);
    let (verdict, words) = answer(file, &disjunctions(0), 300);
    assert_eq!(
        (verdict, words.as_str()),
        (VerdictKind::Unknown, "query limit")
    );
}

/// Two loops: the states of the second one stay when the first one gets predicates.
#[test]
fn states_are_kept_after_a_refinement() {
    let file = "chc/safe/paper_qaa_two_loop_range.smt2";
    for reuse in ["true", "false"] {
        let setting = format!("predicate_abstraction.reuse={reuse}");
        assert_eq!(
            answer(file, &setting, 1_000).0,
            VerdictKind::Safe,
            "{reuse}"
        );
    }
}
