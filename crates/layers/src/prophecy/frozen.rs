//! Frozen terms: indices that need no prophecy, because the system's parameters say what they are.
//!
//! Paper: none; the idea of Vick and McMillan, "Synthesizing History and Prophecy Variables for
//! Symbolic Model Checking", VMCAI 2023, to use an immutable variable of the same value instead of a
//! prophecy variable, extended from variables to terms. Part of the refinement in `array_prophecy.rs`.
//!
//! ```text
//! pool     r,   r ± 1,   s - r,   s - r - 1,   r + s,   2r,   2r + 1,   r div 2,   0,  1
//!          for rigid r, s (parameters, frozen variables, rigid indices), small terms first
//! ```
//!
//! A mirrored loop reads `a[N - 1 - i]` while it writes at `i`; where the goal speaks of the cell `z`
//! the index that matters is `N - 1 - z`, in every run. A prophecy variable would foretell it once per
//! distance. A term that has the right value on one path only is harmless: its instances are valid.

use foretell_kernel::Cx;
use foretell_systems::TransitionSystem;
use foretell_terms::{Sort, Term, TermSet, TermStore, Value};

use crate::arrays::enumerate::{Catalogue, Path};

/// At most so many terms are in a pool.
const LARGEST_POOL: usize = 160;
/// At most so many rigid terms are combined with each other.
const COMBINED: usize = 8;

/// The integer terms that are tried as indices, in order of preference.
pub fn pool(system: &TransitionSystem, catalogue: &Catalogue, terms: &TermStore) -> Vec<Term> {
    let integral = |t: &Term| terms.sort(*t) == Sort::INT;
    let indices = catalogue.rigid_indices().filter(integral);
    let params = system.params.iter().copied().filter(integral);
    let basis: TermSet = indices.chain(params).chain(catalogue.frozen().filter(integral)).collect();
    let mut pool = basis.clone();
    pool.extend([terms.int(0), terms.int(1)]);
    pool.extend(basis.iter().flat_map(|&r| [1, -1].map(|d| terms.add2(r, terms.int(d)))));
    let combined: Vec<Term> = basis.iter().copied().take(COMBINED).collect();
    for &r in &combined {
        for &s in combined.iter().filter(|&&s| s != r) {
            let difference = terms.sub(s, r);
            pool.extend([difference, terms.add2(difference, terms.int(-1)), terms.add2(r, s)]);
        }
        let double = terms.add2(r, r);
        pool.extend([double, terms.add2(double, terms.int(1)), terms.idiv(r, terms.int(2))]);
    }
    pool.into_iter().take(LARGEST_POOL).collect()
}

/// The first term of the pool with each of these values on a path.
pub fn look_up(pool: &[Term], values: &[Value], path: &mut Path<'_>, cx: &Cx<'_>) -> Option<Vec<Term>> {
    let start = path.length;
    let mut found = Vec::with_capacity(values.len());
    for value in values {
        found.push(pool.iter().copied().find(|&t| path.value(t, start, cx).as_ref() == Some(value))?);
    }
    Some(found)
}
