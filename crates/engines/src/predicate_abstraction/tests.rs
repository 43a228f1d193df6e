//! Case splits of small formulas.

use foretell_terms::{Sort, TermStore};

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
