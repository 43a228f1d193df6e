//! Where lines end. The content is not looked at beyond a few words whose parts belong together.

use crate::sexp::Sexp;

/// The width that texts are laid out for.
pub const WIDTH: usize = 100;

/// The text with line ends and indentation, at most `width` columns where words allow it.
pub fn layout(text: &Sexp, width: usize) -> String {
    let mut out = String::new();
    put(text, 0, 0, width, &mut out);
    out
}

/// Writes a text that begins at column `at` and is followed by `closing` parentheses.
fn put(text: &Sexp, at: usize, closing: usize, width: usize, out: &mut String) {
    let items = match text {
        Sexp::Atom(word) => return out.push_str(word),
        Sexp::List(items) => items,
    };
    if at + text.width() + closing <= width || items.len() < 2 {
        out.push_str(&text.to_string());
        return;
    }
    out.push('(');
    let (together, indent) = opening(items);
    let mut column = at + 1;
    for (i, item) in items.iter().enumerate() {
        let last = i + 1 == items.len();
        let after = if last { closing + 1 } else { 0 };
        if i > 0 && i < together {
            out.push(' ');
            column += 1;
        } else if i >= together {
            column = at + indent;
            out.push('\n');
            out.push_str(&" ".repeat(column));
        }
        match item {
            Sexp::List(parts) if is_plain_list(items, i) => {
                let wide = column + item.width() + "Bool ".len() > width;
                if wide && column > width / 2 {
                    column = at + 4;
                    out.truncate(out.trim_end().len());
                    out.push('\n');
                    out.push_str(&" ".repeat(column));
                }
                fill(parts, column, width, out);
            }
            _ => put(item, column, after, width, out),
        }
        column += item.width();
    }
    out.push(')');
}

/// How many parts stay on the first line, and how far the others are indented.
fn opening(items: &[Sexp]) -> (usize, usize) {
    match items {
        [Sexp::Atom(word), ..] if word == "define-fun" => (4, 2),
        [Sexp::Atom(word), ..] if ["forall", "exists", "let"].contains(&word.as_str()) => (2, 2),
        // The other arguments stand under the first one.
        [Sexp::Atom(word), ..] if word.chars().count() <= 3 => (2, word.chars().count() + 2),
        [Sexp::Atom(_), ..] => (1, 2),
        _ => (1, 1),
    }
}

/// Parameters and bound variables: as many on a line as fit.
fn is_plain_list(items: &[Sexp], i: usize) -> bool {
    let word = match items.first() {
        Some(Sexp::Atom(word)) => word.as_str(),
        _ => return false,
    };
    (word == "define-fun" && i == 2) || (["forall", "exists"].contains(&word) && i == 1)
}

fn fill(parts: &[Sexp], at: usize, width: usize, out: &mut String) {
    out.push('(');
    let mut column = at + 1;
    for (i, part) in parts.iter().enumerate() {
        let needed = part.width() + 1;
        if i > 0 && column + 1 + needed > width {
            out.push('\n');
            out.push_str(&" ".repeat(at + 1));
            column = at + 1;
        } else if i > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(&part.to_string());
        column += part.width();
    }
    out.push(')');
}
