//! What was added to a system and why, in words for a person.
//!
//! Each prophecy variable comes with the abstract path that it excludes, step by step.
//! Terms are shown with arrays, as in the system that was handed in. The names of the auxiliary
//! variables are those of the certificate.

use foretell_formulas::base_name;
use foretell_kernel::{Cx, Event};
use foretell_terms::{Sort, Term};

use super::capture::Which;
use super::prophecize::Target;
use crate::array_prophecy::arrays::ArrayAbstraction;
use crate::array_prophecy::arrays::consecutive::{NonConsecutive, Path};

/// Variables that a certificate names with their numbers.
const AUXILIARY: [&str; 3] = ["prophecy", "history", "seen"];

/// Steps of a spurious counterexample that are shown, and values of each.
const MOST_STEPS: u32 = 8;
const MOST_VALUES: usize = 8;

/// The path on which an instance was found violated, a line for each step: the values of what is no array,
/// and where the index was taken.
pub(crate) fn path(
    arrays: &ArrayAbstraction,
    state: &[Term],
    one: &NonConsecutive,
    path: &mut Path<'_>,
    cx: &Cx<'_>,
) -> Vec<String> {
    let terms = cx.terms;
    let simple = |v: &&Term| {
        let sort = terms.sort(**v);
        let known = [Sort::BOOL, Sort::INT, Sort::REAL].contains(&sort);
        let own = !AUXILIARY.contains(&base_name(terms.var_name(**v)));
        own && (known || terms.width(sort).is_some())
    };
    let shown: Vec<Term> = state
        .iter()
        .filter(simple)
        .take(MOST_VALUES)
        .copied()
        .collect();
    let (length, taken) = (path.length, path.length - one.delay);
    let mut lines = Vec::new();
    for time in 0..=length {
        if time == MOST_STEPS && length > MOST_STEPS && time != length {
            lines.push(format!("… up to step {}", length - 1));
        }
        if time >= MOST_STEPS && time != length && time != taken {
            continue;
        }
        let value = |term: &Term, path: &mut Path<'_>| {
            let value = path.value(*term, length - time, cx)?;
            let shown = terms.print_value(&value, terms.sort(*term));
            Some(format!("`{} = {shown}`", show(arrays, *term, cx)))
        };
        let values: Vec<String> = shown.iter().filter_map(|v| value(v, path)).collect();
        let mut line = format!("step {time}: {}", values.join(", "));
        if time == taken {
            let index: Vec<String> = one.index.iter().filter_map(|i| value(i, path)).collect();
            line += &format!("; the index is taken here: {}", index.join(", "));
        }
        lines.push(line);
    }
    lines
}

/// Tells of a prophecy variable: its target, the instance that asked for it, and on which path.
pub(crate) fn foretold(
    arrays: &ArrayAbstraction,
    target: Target,
    var: Term,
    (trigger, path): (Term, &[String]),
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
    let mut words = format!(
        "prophecy variable {name} foretells {meaning}, because a spurious counterexample read \
         `{}` at this index in another step than the one that made it",
        show(trigger)
    );
    for line in path {
        words += &format!("\n  {line}");
    }
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
