//! Short and plain forms of printed formulas.

use foretell_terms::{Op, Term, TermStore};

/// The conjuncts of a formula, choices taken apart: one with quantifiers inside is hard for provers.
pub(super) fn choices_apart(terms: &TermStore, term: Term) -> Vec<Term> {
    let parts = |part: Term| match (terms.op(part), terms.args(part)) {
        (Op::Ite, &[c, a, b]) => vec![terms.or([terms.not(c), a]), terms.or([c, b])],
        _ => vec![part],
    };
    let list = terms.conjuncts(term);
    list.into_iter().flat_map(parts).collect()
}

/// Two comparisons of a bound variable become one: `0 <= k` and `k < n` are `0 <= k < n`.
pub(super) fn chain(parts: &mut Vec<String>, name: &str) {
    let ends = |p: &&String| {
        [" <= ", " < "]
            .iter()
            .any(|s| p.ends_with(&format!("{s}{name}")))
    };
    let starts = |p: &&String| {
        [" <= ", " < "]
            .iter()
            .any(|s| p.starts_with(&format!("{name}{s}")))
    };
    let (Some(lower), Some(upper)) = (
        parts.iter().position(|p| ends(&p)),
        parts.iter().position(|p| starts(&p)),
    ) else {
        return;
    };
    let above = parts[upper][name.len()..].to_owned();
    parts[lower].push_str(&above);
    parts.remove(upper);
}

pub(super) fn brackets(text: String) -> String {
    if text.starts_with('(') && text.ends_with(')') {
        text
    } else {
        format!("({text})")
    }
}
