//! History variables: the value of a term some steps ago.
//!
//! Paper: Mann et al., LMCS 18(3), 2022, Definition 2.1 (Delay).
//!
//! ```text
//! Delay(S, t, n)     X ∪ {h1, …, hn},   T ∧ h1' = t ∧ h2' = h1 ∧ … ∧ hn' = h(n-1)
//! ```
//!
//! Departures: chains are shared, a longer delay of the same term continues the chain; `t` may also
//! mention next values and inputs of the step.

use foretell_kernel::{Cx, Event};
use foretell_systems::{Auxiliary, StateVar, TransitionSystem};
use foretell_terms::{Term, TermMap};

/// The chains made so far.
#[derive(Default)]
pub struct Histories {
    /// For each term its delayed values, the shortest delay first.
    chains: TermMap<Vec<Term>>,
}

impl Histories {
    /// The value of a term `steps` steps ago, `steps > 0`, in a system that is extended where needed.
    ///
    /// Contract: after `steps` steps the variable has the value the term had that many steps before;
    /// before that any value. `None` when the sort of the term has no constant to start from.
    pub fn delay(
        &mut self,
        system: &mut TransitionSystem,
        term: Term,
        steps: u32,
        into: &mut Vec<Auxiliary>,
        cx: &Cx<'_>,
    ) -> Option<Term> {
        let terms = cx.terms;
        let sort = terms.sort(term);
        let init = terms.value_term(&terms.default_value(sort), sort)?;
        let chain = self.chains.entry(term).or_default();
        while chain.len() < steps as usize {
            let update = chain.last().copied().unwrap_or(term);
            let var = StateVar { cur: terms.fresh("history", sort), next: terms.fresh("history.next", sort) };
            system.add_var(var);
            system.strengthen_trans(terms, terms.eq(var.next, update));
            into.push(Auxiliary::History { var: var.cur, next: var.next, init, update });
            cx.events.emit(Event::Auxiliary(var.cur, update));
            chain.push(var.cur);
        }
        chain.get((steps as usize).checked_sub(1)?).copied()
    }
}
