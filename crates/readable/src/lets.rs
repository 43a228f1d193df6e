//! `let`, only where it pays.
//!
//! A part that is repeated gets a name when the text becomes shorter by at least [`LEAST_GAIN`]
//! characters. The part with the largest gain is named first; parts of what was named may be named
//! after it, and then stand before it. A name is introduced at the top, or right inside the
//! quantifier whose variables the part has.

use std::collections::{BTreeMap, BTreeSet};

use crate::sexp::Sexp;

/// What a name must save, in characters.
const LEAST_GAIN: usize = 12;
/// The most names in one place.
const MOST_NAMES: usize = 12;
/// Texts longer than this are searched once only.
const LONG_TEXT: usize = 20_000;

/// Names the repeated parts of a text; a name is the stem and a number.
pub fn share(root: Sexp, stem: &str) -> Sexp {
    let mut number = 0;
    share_from(root, stem, &mut number)
}

fn share_from(root: Sexp, stem: &str, number: &mut usize) -> Sexp {
    let mut body = root;
    let mut named: Vec<(String, Sexp)> = Vec::new();
    let most = if body.width() > LONG_TEXT {
        1
    } else {
        MOST_NAMES
    };
    while named.len() < most {
        let Some(part) = best(&body, &named) else {
            break;
        };
        *number += 1;
        let name = format!("{stem}{number}");
        body = replaced(&body, &part, &name);
        for (_, definition) in &mut named {
            *definition = replaced(definition, &part, &name);
        }
        named.push((name, part));
    }
    let body = inside_quantifiers(body, stem, number);
    // A later name may occur in an earlier definition, so it is introduced outside of it.
    named.into_iter().fold(body, |body, (name, definition)| {
        let definition = inside_quantifiers(definition, stem, number);
        let binding = Sexp::List(vec![Sexp::Atom(name), definition]);
        Sexp::List(vec![Sexp::atom("let"), Sexp::List(vec![binding]), body])
    })
}

/// Shares inside the bodies of the outermost quantifiers.
fn inside_quantifiers(text: Sexp, stem: &str, number: &mut usize) -> Sexp {
    let Sexp::List(mut items) = text else {
        return text;
    };
    if binds(&items) {
        if let Some(body) = items.pop() {
            items.push(share_from(body, stem, number));
        }
        return Sexp::List(items);
    }
    let items = items
        .into_iter()
        .map(|item| inside_quantifiers(item, stem, number));
    Sexp::List(items.collect())
}

fn binds(items: &[Sexp]) -> bool {
    matches!(items, [Sexp::Atom(word), Sexp::List(_), _] if word == "forall" || word == "exists")
}

/// The repeated part that saves most.
fn best(body: &Sexp, named: &[(String, Sexp)]) -> Option<Sexp> {
    let mut counts: BTreeMap<&Sexp, usize> = BTreeMap::new();
    count(body, &mut counts, &mut BTreeSet::new());
    for (_, definition) in named {
        count(definition, &mut counts, &mut BTreeSet::new());
    }
    let gain = |part: &Sexp, uses: usize| {
        let (width, name) = (part.width(), 2);
        // `(let ((t1 PART)) …)`
        (uses * width).saturating_sub(width + uses * name + 11 + name)
    };
    counts
        .into_iter()
        .filter(|(_, uses)| *uses > 1)
        .map(|(part, uses)| (gain(part, uses), part))
        .filter(|(gain, _)| *gain >= LEAST_GAIN)
        .max_by_key(|(gain, _)| *gain)
        .map(|(_, part)| part.clone())
}

/// Counts the lists that mention no variable bound inside; returns whether this one is such a list.
fn count<'a>(
    text: &'a Sexp,
    counts: &mut BTreeMap<&'a Sexp, usize>,
    bound: &mut BTreeSet<&'a str>,
) -> bool {
    let items = match text {
        Sexp::Atom(word) => return !bound.contains(word.as_str()),
        Sexp::List(items) => items,
    };
    if binds(items) {
        let own: Vec<&str> = variables(&items[1]);
        let new: Vec<&str> = own.into_iter().filter(|v| bound.insert(v)).collect();
        count(&items[2], counts, bound);
        for var in new {
            bound.remove(var);
        }
        return false;
    }
    let mut closed = true;
    for item in items {
        closed &= count(item, counts, bound);
    }
    if closed {
        *counts.entry(text).or_insert(0) += 1;
    }
    closed
}

fn variables(list: &Sexp) -> Vec<&str> {
    let Sexp::List(pairs) = list else {
        return Vec::new();
    };
    pairs.iter().filter_map(first_word).collect()
}

fn first_word(list: &Sexp) -> Option<&str> {
    match list {
        Sexp::List(items) => match items.first() {
            Some(Sexp::Atom(word)) => Some(word),
            _ => None,
        },
        Sexp::Atom(_) => None,
    }
}

fn replaced(text: &Sexp, part: &Sexp, name: &str) -> Sexp {
    if text == part {
        return Sexp::atom(name);
    }
    match text {
        Sexp::Atom(_) => text.clone(),
        Sexp::List(items) => Sexp::List(
            items
                .iter()
                .map(|item| replaced(item, part, name))
                .collect(),
        ),
    }
}
