//! Predicate mining: the atoms of interpolants, without their Boolean structure.

use foretell_terms::{Op, Sort, Term, TermSet, TermStore};

/// Whether arithmetic equalities are returned with their halves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halves {
    /// Only the equality `a = b`.
    Without,
    /// The equality, and `a <= b` and `b <= a`.
    With,
}

/// The atoms of interpolants, each once, in ascending order.
pub fn atoms(store: &TermStore, itps: &[Term]) -> Vec<Term> {
    store.atoms(itps)
}

/// The atoms of interpolants as predicates: `untime` maps an atom of cut `k` to the untimed vocabulary; arithmetic
/// atoms get one spelling; negations and constants are dropped.
pub fn predicates(
    store: &TermStore,
    itps: &[Term],
    halves: Halves,
    untime: &mut dyn FnMut(usize, Term) -> Term,
) -> Vec<Term> {
    let mut out = TermSet::default();
    for (k, itp) in itps.iter().enumerate() {
        for atom in store.atoms(&[*itp]) {
            let atom = untime(k, atom);
            let mut spellings = vec![store.canonical_atom(atom)];
            let args = store.args(atom);
            if halves == Halves::With
                && *store.op(atom) == Op::Eq
                && matches!(store.sort(args[0]), Sort::INT | Sort::REAL)
            {
                spellings.push(store.canonical_atom(store.le(args[0], args[1])));
                spellings.push(store.canonical_atom(store.le(args[1], args[0])));
            }
            for p in spellings {
                let (p, _) = store.strip_not(p);
                if !store.is_true(p) && !store.is_false(p) {
                    out.insert(p);
                }
            }
        }
    }
    out.into_iter().collect()
}
