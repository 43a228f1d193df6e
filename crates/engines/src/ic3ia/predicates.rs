//! The predicates a system comes with.
//!
//! ```text
//! ℙ ⊇ atoms(I) ∪ atoms(P) ∪ atoms(hints) ∪ { l = i | location i } ∪ Boolean state variables
//! ```

use foretell_systems::TransitionSystem;
use foretell_terms::{Sort, Term, TermSet, TermStore};

use super::options::Ic3iaOptions;
use crate::abstraction::Predicates;

/// Without a location variable the Boolean state variables make up the location, if they are no more.
const MOST_CONTROL_BITS: usize = 10;

impl Predicates {
    /// Takes the predicates of a system into ℙ (again, after the system was changed).
    pub(super) fn grow(
        &mut self,
        system: &TransitionSystem,
        options: &Ic3iaOptions,
        terms: &TermStore,
    ) {
        let state = system.current().into_iter();
        self.speak_of(state.chain(system.params.iter().copied()).collect(), terms);
        let bits: TermSet = system
            .current()
            .into_iter()
            .filter(|&v| terms.sort(v) == Sort::BOOL)
            .collect();
        if system.guide.control.is_none() && bits.len() <= MOST_CONTROL_BITS {
            self.control_bits = bits;
        }
        if let Some(control) = &system.guide.control {
            for location in 0..control.names.len() {
                let value = terms.int(i64::try_from(location).expect("invariant: few locations"));
                let atom = terms.eq(control.var, value);
                self.add(terms, atom);
                self.locations.extend(self.spell(terms, atom));
            }
        }
        for atom in terms.atoms(&[system.init, system.property]) {
            self.add(terms, atom);
        }
        if options.hints {
            for atom in terms.atoms(&system.guide.hints) {
                self.add(terms, atom);
            }
        }
        if options.guards {
            let guards = self.guards(system, terms);
            self.add_small(terms, &guards, options.max_guards);
        }
    }

    /// The atoms of T over the current state.
    pub(super) fn guards(&self, system: &TransitionSystem, terms: &TermStore) -> Vec<Term> {
        self.speakable(&[system.trans], terms)
    }
}
