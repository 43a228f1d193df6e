//! History variables: the value of a term some steps ago.
//!
//! Paper: Mann et al., LMCS 18(3), 2022, Definition 2.1 (Delay).
//!
//! ```text
//! Delay(S, t, n)     X ∪ {h1, …, hn},   T ∧ h1' = t ∧ h2' = h1 ∧ … ∧ hn' = h(n-1)
//! ```
//!
//! Paper: Vick, McMillan, VMCAI 2023, section 4.1 (HistRef), with the latch of first captures.
//!
//! ```text
//! HistRef(S, t, ψ)   X ∪ {h},         T ∧ h' = ite(ψ, t, h)                                     last
//!                    X ∪ {h, seen},   T ∧ h' = ite(ψ ∧ ¬seen, t, h) ∧ seen' = (seen ∨ ψ),  ¬seen at first
//! ```
//!
//! Departures: chains are shared, a longer delay of the same term continues the chain; `t` may also
//! mention next values and inputs of the step.

use foretell_kernel::{Cx, Event};
use foretell_systems::{Auxiliary, StateVar, TransitionSystem};
use foretell_terms::{Sort, Term, TermMap, TermStore};
use indexmap::IndexMap;

use super::capture::{Capture, Which};

/// The chains made so far.
#[derive(Default)]
pub(crate) struct Histories {
    /// For each term its delayed values, the shortest delay first.
    chains: TermMap<Vec<Term>>,
    /// For each term and condition the value that was taken.
    captured: IndexMap<(Term, Capture), Term>,
}

impl Histories {
    /// The value of a term `steps` steps ago, `steps > 0`, in a system that is extended where needed.
    ///
    /// Contract: after `steps` steps the variable has the value the term had that many steps before;
    /// before that any value. `None` when the sort of the term has no constant to start from.
    pub(crate) fn delay(
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
            let var = fresh(terms, "history", sort);
            define(system, var, init, update, into, cx);
            chain.push(var.cur);
        }
        chain.get((steps as usize).checked_sub(1)?).copied()
    }

    /// The value a term had in the last (or first) step in which a condition held.
    ///
    /// Contract: when the condition held in some step, the variable has the value the term had in the
    /// step that counts; otherwise any value. `None` when the sort of the term has no constant.
    pub(crate) fn capture(
        &mut self,
        system: &mut TransitionSystem,
        term: Term,
        when: Capture,
        into: &mut Vec<Auxiliary>,
        cx: &Cx<'_>,
    ) -> Option<Term> {
        let terms = cx.terms;
        if let Some(&known) = self.captured.get(&(term, when)) {
            return Some(known);
        }
        let sort = terms.sort(term);
        let init = terms.value_term(&terms.default_value(sort), sort)?;
        let takes = match when.which {
            Which::Last => when.condition,
            Which::First => {
                let seen = fresh(terms, "seen", Sort::BOOL);
                let update = terms.or2(seen.cur, when.condition);
                define(system, seen, terms.ff(), update, into, cx);
                system.strengthen_init(terms, terms.not(seen.cur));
                terms.and2(when.condition, terms.not(seen.cur))
            }
        };
        let var = fresh(terms, "history", sort);
        define(system, var, init, terms.ite(takes, term, var.cur), into, cx);
        self.captured.insert((term, when), var.cur);
        Some(var.cur)
    }
}

fn fresh(terms: &TermStore, name: &str, sort: Sort) -> StateVar {
    StateVar {
        cur: terms.fresh(name, sort),
        next: terms.fresh(&format!("{name}.next"), sort),
    }
}

/// Adds a history variable: its initial value is left open in the system.
fn define(
    system: &mut TransitionSystem,
    var: StateVar,
    init: Term,
    update: Term,
    into: &mut Vec<Auxiliary>,
    cx: &Cx<'_>,
) {
    system.add_var(var);
    system.strengthen_trans(cx.terms, cx.terms.eq(var.next, update));
    into.push(Auxiliary::History {
        var: var.cur,
        next: var.next,
        init,
        update,
    });
    cx.events.emit(Event::History(var.cur, update));
}
