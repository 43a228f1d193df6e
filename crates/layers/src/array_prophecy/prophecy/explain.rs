//! What was added to a system and why, in words for a person.
//!
//! Terms are shown with arrays, as in the system that was handed in. The names of the auxiliary
//! variables are those of the certificate.

use foretell_formulas::base_name;
use foretell_kernel::{Cx, Event};
use foretell_terms::Term;

use super::capture::Which;
use super::prophecize::Target;
use crate::array_prophecy::arrays::ArrayAbstraction;
use crate::array_prophecy::arrays::consecutive::NonConsecutive;

/// Variables that a certificate names with their numbers.
const AUXILIARY: [&str; 3] = ["prophecy", "history", "seen"];

/// Tells of a prophecy variable: its target, and the instance that asked for it.
pub(crate) fn foretold(
    arrays: &ArrayAbstraction,
    target: Target,
    var: Term,
    trigger: Term,
    cx: &Cx<'_>,
) {
    let show = |term: Term| show(arrays, term, cx);
    let meaning = match target {
        Target::Delayed(term, 0) => format!("the value of `{}` at the end of the run", show(term)),
        Target::Delayed(term, 1) => {
            format!(
                "the value of `{}` in the last step, kept by a history variable",
                show(term)
            )
        }
        Target::Delayed(term, steps) => {
            format!(
                "the value of `{}` {steps} steps before the end, kept by history variables",
                show(term)
            )
        }
        Target::Captured(term, when) => {
            let which = match when.which {
                Which::Last => "last",
                Which::First => "first",
            };
            let condition = show(when.condition);
            format!(
                "the value `{}` had in the {which} step in which `{condition}` held, kept by a history variable",
                show(term)
            )
        }
    };
    let name = cx.terms.print(var);
    let words = format!(
        "prophecy variable {name} foretells {meaning}, because a spurious counterexample read \
         `{}` at this index in another step than the one that made it",
        show(trigger)
    );
    cx.events.emit(Event::Explain(&words));
}

/// Tells of an index that needs no prophecy variable.
pub(crate) fn frozen(arrays: &ArrayAbstraction, one: &NonConsecutive, index: &[Term], cx: &Cx<'_>) {
    let list = |all: &[Term]| {
        all.iter()
            .map(|&t| show(arrays, t, cx))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let words = format!(
        "cell [{}] of the arrays is followed through the run instead of foretelling `{}`, because the two \
         agreed on every spurious counterexample so far",
        list(index),
        list(&one.index)
    );
    cx.events.emit(Event::Explain(&words));
}

/// A term for a person: a variable that a pass renamed has its own name again, where that is unmistakable.
fn show(arrays: &ArrayAbstraction, term: Term, cx: &Cx<'_>) -> String {
    let terms = cx.terms;
    let term = arrays.concretized(terms, term).unwrap_or(term);
    let vars = terms.free_vars(&[term]);
    let base = |v: &Term| base_name(terms.var_name(*v));
    let is_clear = |v: &&Term| {
        let same = vars.iter().filter(|w| base(w) == base(v)).count();
        same == 1 && base(v) != terms.var_name(**v) && !AUXILIARY.contains(&base(v))
    };
    let named = vars.iter().filter(is_clear);
    let named = named.map(|v| (*v, terms.new_var(base(v), terms.sort(*v))));
    terms.print(terms.substitute(term, named.collect::<Vec<_>>()))
}
