//! Universal prophecy: a frozen variable for the value of a term at the end of a run.
//!
//! Paper: Mann et al., LMCS 18(3), 2022, Algorithm 2 (Prophecize), Theorems 2.3 and 2.4 (McMillan,
//! "Eager abstraction for symbolic model checking", CAV 2018). Vick, McMillan, VMCAI 2023, section 4.1
//! (ProphRef after HistRef).
//!
//! ```text
//! Prophecize(S, P, t, 0)    X ∪ {p},               p frozen,   p = t  ⇒ P
//! Prophecize(S, P, t, n)    Delay(S, t, n) ∪ {p},  p frozen,   p = hn ⇒ P
//! ProphRef ∘ HistRef        HistRef(S, t, ψ) ∪ {p}, p frozen,  p = h  ⇒ P
//! ```
//!
//! The variable is a parameter of the system. The certificate is an [`Auxiliary::Prophecy`] whose
//! target is `t`, `hn` or `h`: instantiating it there turns `p = t ⇒ P` back into P.

use foretell_kernel::{Cx, Event};
use foretell_systems::{Auxiliary, TransitionSystem};
use foretell_terms::{Term, TermSet, TermStore};
use indexmap::IndexMap;

use super::capture::Capture;
use super::history::Histories;

/// What a prophecy variable foretells about a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Target {
    /// Its value so many steps before the end.
    Delayed(Term, u32),
    /// The value that was taken.
    Captured(Term, Capture),
}

/// The auxiliary variables of a system.
#[derive(Default)]
pub(crate) struct Instrument {
    histories: Histories,
    /// In order of introduction.
    auxiliaries: Vec<Auxiliary>,
    /// The prophecy variable of each target.
    foretold: IndexMap<Target, Term>,
}

impl Instrument {
    /// The variables in order of introduction.
    pub(crate) fn auxiliaries(&self) -> &[Auxiliary] {
        &self.auxiliaries
    }

    /// Adds a variable that matters for certificates only.
    pub(crate) fn certify(&mut self, auxiliary: Auxiliary) {
        self.auxiliaries.push(auxiliary);
    }

    /// The prophecy variables with their targets.
    pub(crate) fn foretold(&self) -> &IndexMap<Target, Term> {
        &self.foretold
    }

    /// For the history variables after the first so many: that each equals what it will take next, where
    /// that is a term over the current state.
    pub(crate) fn equalities(
        &self,
        known: usize,
        system: &TransitionSystem,
        terms: &TermStore,
    ) -> Vec<Term> {
        let state: TermSet = system.current().into_iter().collect();
        let is_state = |t: Term| {
            let vars = terms.free_vars(&[t]);
            vars.iter()
                .all(|v| state.contains(v) || system.params.contains(v))
        };
        let equality = |auxiliary: &Auxiliary| match *auxiliary {
            Auxiliary::History { var, update, .. } => {
                is_state(update).then(|| terms.eq(var, update))
            }
            Auxiliary::Prophecy { .. } => None,
        };
        let new = self.auxiliaries.iter().skip(known);
        new.filter_map(equality).collect()
    }

    /// The prophecy variable for a target; it is added where there is none yet.
    ///
    /// Contract: the term mentions state, and where its value is from an earlier step next values and
    /// inputs. `None` when the sort of the term has no constant.
    pub(crate) fn prophecize(
        &mut self,
        system: &mut TransitionSystem,
        target: Target,
        cx: &Cx<'_>,
    ) -> Option<Term> {
        if let Some(&known) = self.foretold.get(&target) {
            return Some(known);
        }
        let into = &mut self.auxiliaries;
        let value = match target {
            Target::Delayed(term, 0) => term,
            Target::Delayed(term, steps) => self.histories.delay(system, term, steps, into, cx)?,
            Target::Captured(term, when) => self.histories.capture(system, term, when, into, cx)?,
        };
        let terms = cx.terms;
        let var = terms.fresh("prophecy", terms.sort(value));
        system.add_param(var);
        system.weaken_property(terms.implies(terms.eq(var, value), system.property));
        self.auxiliaries
            .push(Auxiliary::Prophecy { var, target: value });
        cx.events.emit(Event::Prophecy(var, value));
        self.foretold.insert(target, var);
        Some(var)
    }
}
