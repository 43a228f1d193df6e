//! Universal prophecy: a frozen variable for the value of a term at the end of a run.
//!
//! Paper: Mann et al., LMCS 18(3), 2022, Algorithm 2 (Prophecize), Theorems 2.3 and 2.4 (McMillan,
//! "Eager abstraction for symbolic model checking", CAV 2018).
//!
//! ```text
//! Prophecize(S, P, t, 0)    X ∪ {p},           p frozen,   p = t  ⇒ P
//! Prophecize(S, P, t, n)    Delay(S, t, n) ∪ {p},  p frozen,   p = hn ⇒ P
//! ```
//!
//! The variable is a parameter of the system. The certificate is an [`Auxiliary::Prophecy`] whose
//! target is `t` or `hn`: instantiating it there turns `p = t ⇒ P` back into P.

use foretell_kernel::{Cx, Event};
use foretell_systems::{Auxiliary, TransitionSystem};
use foretell_terms::Term;

use super::history::Histories;

/// Adds a prophecy variable for a term some steps before the end; the variable.
///
/// Contract: `term` mentions state, and for `delay > 0` next values and inputs, but no auxiliary
/// variable. `None` when the sort of the term has no constant.
pub fn prophecize(
    system: &mut TransitionSystem,
    term: Term,
    delay: u32,
    histories: &mut Histories,
    into: &mut Vec<Auxiliary>,
    cx: &Cx<'_>,
) -> Option<Term> {
    let terms = cx.terms;
    let target = if delay == 0 { term } else { histories.delay(system, term, delay, into, cx)? };
    let var = terms.fresh("prophecy", terms.sort(term));
    system.add_param(var);
    system.weaken_property(terms.implies(terms.eq(var, target), system.property));
    into.push(Auxiliary::Prophecy { var, target });
    cx.events.emit(Event::Auxiliary(var, target));
    Some(var)
}
