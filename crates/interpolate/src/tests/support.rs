//! Small builders, and a check of interpolants by the refuter itself (an independent check uses
//! Z3).

use crate::border::symbols::declared;
use crate::data::locality::Shape;
use crate::query::{Found, Session, Settings, run};
use crate::reuse::Lemmas;
use crate::world::Labelling;
use foretell_terms::{Sort, Term, TermStore};

/// Interpolants of a sequence.
pub(super) fn sequence(store: &TermStore, groups: &[Term], labelling: Labelling) -> Found {
    let groups: Vec<Vec<Term>> = groups.iter().map(|g| vec![*g]).collect();
    let session = Session::new(Settings::new(labelling), Lemmas::new());
    run(
        store,
        &groups,
        &Shape::sequence(groups.len()),
        &session,
        &mut || false,
    )
}

/// Whether the refuter refutes the conjunction.
pub(super) fn refuted(store: &TermStore, formulas: &[Term]) -> bool {
    let groups = [formulas.to_vec()];
    let session = Session::new(Settings::new(Labelling::McMillan), Lemmas::new());
    let found = run(store, &groups, &Shape::sequence(1), &session, &mut || false);
    matches!(found, Found::Interpolants(_))
}

/// Asserts that the formulas are sequence interpolants of the groups.
pub(super) fn assert_sequence(store: &TermStore, groups: &[Term], itps: &[Term]) {
    assert_eq!(itps.len() + 1, groups.len());
    for k in 0..groups.len() {
        let mut parts = vec![groups[k]];
        if k > 0 {
            parts.push(itps[k - 1]);
        }
        if k < itps.len() {
            parts.push(store.not(itps[k]));
            let before = declared(store, &groups[..=k]);
            let after = declared(store, &groups[k + 1..]);
            for f in declared(store, &[itps[k]]) {
                assert!(
                    before.contains(&f) && after.contains(&f),
                    "{} leaks at {k}",
                    store.name(f)
                );
            }
        }
        assert!(
            refuted(store, &parts),
            "step {k} fails: {}",
            show(store, itps)
        );
    }
}

/// The formulas as text.
pub(super) fn show(store: &TermStore, itps: &[Term]) -> String {
    itps.iter()
        .map(|i| store.print(*i))
        .collect::<Vec<_>>()
        .join("  ;  ")
}

/// The number of distinct atoms.
pub(super) fn n_atoms(store: &TermStore, itps: &[Term]) -> usize {
    store.atoms(itps).len()
}

/// Integer variables.
pub(super) fn ints<const N: usize>(store: &TermStore, names: [&str; N]) -> [Term; N] {
    names.map(|n| store.new_var(n, Sort::INT))
}
