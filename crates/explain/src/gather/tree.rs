//! A formula with the values of its parts.

use foretell_readable::infix::infix;
use foretell_readable::normal::is_readable_size;
use foretell_readable::sexp::Given;
use foretell_readable::shape::shape;
use foretell_readable::{Head, Tree};
use foretell_systems::plain::Plain;
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, TermStore};

use crate::model::Node;
use crate::values::value;

/// At most so many parts are shown, and so deep.
const MOST_NODES: usize = 80;
const DEEPEST: usize = 6;

/// A formula as a tree of values; `None` when it is too large for readers.
pub(super) fn tree(terms: &TermStore, formula: Term, values: &Assignment) -> Option<Node> {
    if !is_readable_size(terms, formula) {
        return None;
    }
    let mut left = MOST_NODES;
    Some(node(terms, &shape(terms, formula), values, 0, &mut left))
}

fn node(
    terms: &TermStore,
    tree: &Tree,
    values: &Assignment,
    depth: usize,
    left: &mut usize,
) -> Node {
    *left = left.saturating_sub(1);
    let mut made = Node {
        text: infix(terms, tree, &Given::default()),
        value: evaluated(terms, tree, values).unwrap_or_default(),
        parts: Vec::new(),
    };
    if let Tree::Node(_, items) = tree {
        for item in items {
            let plain = matches!(item, Tree::Leaf(term) if terms.as_var(*term).is_none());
            if !plain && depth < DEEPEST && *left > 0 {
                made.parts.push(node(terms, item, values, depth + 1, left));
            }
        }
    }
    made
}

/// The value of a part as text.
fn evaluated(terms: &TermStore, tree: &Tree, values: &Assignment) -> Option<String> {
    let found = terms.eval(tree.meaning(terms), values).ok()?;
    Some(value(&Plain::of(terms, &found)))
}

/// What a formula says, and the values of its sides: `` `b[k] = a[k]`, and `b[k]` is 10, `a[k]` is 5``.
pub(super) fn sides(terms: &TermStore, formula: Term, values: &Assignment) -> Option<String> {
    if !is_readable_size(terms, formula) {
        return None;
    }
    let tree = shape(terms, formula);
    let text = infix(terms, &tree, &Given::default());
    let inner = match &tree {
        Tree::Node(Head::Not, items) => items.first()?,
        other => other,
    };
    let items: &[Tree] = match inner {
        Tree::Node(_, items) => items,
        Tree::Leaf(_) | Tree::Bind(..) => std::slice::from_ref(inner),
    };
    let mut parts = Vec::new();
    for item in items {
        let shown = infix(terms, item, &Given::default());
        let found = evaluated(terms, item, values)?;
        let part = format!("`{shown}` is {found}");
        if shown != found && found.chars().count() <= 60 && !parts.contains(&part) {
            parts.push(part);
        }
    }
    let parts: Vec<String> = parts.into_iter().take(4).collect();
    let text: String = text.chars().take(200).collect();
    Some(match parts.is_empty() {
        true => format!("`{text}`"),
        false => format!("`{text}`, and {}", parts.join(", ")),
    })
}
