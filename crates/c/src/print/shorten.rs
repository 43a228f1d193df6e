//! Short forms of printed formulas.

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
