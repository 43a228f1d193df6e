//! Frozen terms: indices that need no prophecy, because the system's parameters say what they are.
//!
//! Paper: none; the idea of Vick and McMillan, "Synthesizing History and Prophecy Variables for
//! Symbolic Model Checking", VMCAI 2023, to use an immutable variable of the same value instead of a
//! prophecy variable, extended from variables to terms. Part of the refinement in `array_prophecy.rs`.
//!
//! ```text
//! pool     r,   r ± 1,   s - r,   s - r - 1,   r + s,   2r,   2r + 1,   r div 2
//!          for rigid r, s (parameters, frozen variables, rigid indices), small terms first
//! ```
//!
//! Every r names a symbol of the system, no prophecy variable. A numeral that has the value of an index on one path says nothing about the
//! index on others: on short paths nearly every index is 0 or 1, and numerals would be tried one by one
//! where one prophecy variable is wanted.
//!
//! A mirrored loop reads `a[N - 1 - i]` while it writes at `i`; where the goal speaks of the cell `z`
//! the index that matters is `N - 1 - z`, in every run. A prophecy variable would foretell it once per
//! distance. A term that has the right value on one path only is harmless: its instances are valid.

use foretell_kernel::Cx;
use foretell_systems::TransitionSystem;
use foretell_terms::{Sort, Term, TermSet, TermStore, Value};

use crate::array_prophecy::arrays::consecutive::{Catalogue, Path};

/// At most so many terms are in a pool.
const LARGEST_POOL: usize = 160;
/// At most so many rigid terms are combined with each other.
const COMBINED: usize = 8;

/// The integer terms that are tried as indices, in order of preference.
pub(crate) fn pool(
    system: &TransitionSystem,
    catalogue: &Catalogue,
    foretold: &TermSet,
    terms: &TermStore,
) -> Vec<Term> {
    let integral = |t: &Term| terms.sort(*t) == Sort::INT;
    let indices = catalogue.rigid_indices().filter(integral);
    let params = system.params.iter().copied().filter(integral);
    let symbolic = |t: &Term| {
        let symbols = terms.free_vars(&[*t]);
        !symbols.is_empty() && !symbols.iter().any(|s| foretold.contains(s))
    };
    let all = indices
        .chain(params)
        .chain(catalogue.frozen().filter(integral));
    let basis: TermSet = all.filter(symbolic).collect();
    let mut pool = basis.clone();
    pool.extend(
        basis
            .iter()
            .flat_map(|&r| [1, -1].map(|d| terms.add2(r, terms.int(d)))),
    );
    let combined: Vec<Term> = basis.iter().copied().take(COMBINED).collect();
    for &r in &combined {
        for &s in combined.iter().filter(|&&s| s != r) {
            let difference = terms.sub(s, r);
            pool.extend([
                difference,
                terms.add2(difference, terms.int(-1)),
                terms.add2(r, s),
            ]);
        }
        let double = terms.add2(r, r);
        pool.extend([
            double,
            terms.add2(double, terms.int(1)),
            terms.idiv(r, terms.int(2)),
        ]);
    }
    pool.into_iter().take(LARGEST_POOL).collect()
}

/// At most so many tuples of terms are tried.
const MOST_TUPLES: usize = 4000;

/// The frozen terms that had the values of an index on all paths that asked for it.
pub(crate) struct Guess {
    /// How often one of them was proposed.
    tries: u32,
    left: Vec<Vec<Term>>,
}

impl Guess {
    /// All tuples of so many terms of the pool, those of early terms first.
    pub(crate) fn new(pool: &[Term], width: usize) -> Guess {
        let mut left: Vec<Vec<Term>> = vec![Vec::new()];
        for _ in 0..width {
            let longer = left
                .iter()
                .flat_map(|t| pool.iter().map(|&p| [t.as_slice(), &[p]].concat()));
            left = longer.take(MOST_TUPLES).collect();
        }
        Guess { tries: 0, left }
    }

    /// Drops those that do not have these values on a path; proposes the first that is left, at most so
    /// often.
    pub(crate) fn next(
        &mut self,
        values: &[Value],
        most: u32,
        path: &mut Path<'_>,
        cx: &Cx<'_>,
    ) -> Option<Vec<Term>> {
        let start = path.length;
        self.left.retain(|index| {
            let has =
                |(&t, value): (&Term, &Value)| path.value(t, start, cx).as_ref() == Some(value);
            index.iter().zip(values).all(has)
        });
        let first = self.left.first().filter(|_| self.tries < most)?;
        self.tries += 1;
        Some(first.clone())
    }
}
