//! Changes of certificates that people and programs make by mistake.

use foretell_kernel::Rng;

use super::tree::Tree;

/// Operators that are taken for one another.
const CONFUSED: [(&str, &str); 11] = [
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("=", "<="),
    ("and", "or"),
    ("or", "and"),
    ("+", "-"),
    ("bvule", "bvult"),
    ("bvult", "bvule"),
    ("=>", "="),
];

/// Words that make formulas.
const FORMULAS: [&str; 11] = [
    "and", "or", "=>", "<", "<=", ">", ">=", "=", "forall", "not", "bvule",
];

/// Parts that a certificate may lack.
const PARTS: [&str; 6] = [
    "define-fun",
    "history",
    "prophecy",
    "init",
    "update",
    "target",
];

/// A change: what it is called, and what becomes of the subtree.
type Change = (&'static str, Tree);

fn token(text: &str) -> Tree {
    Tree::Token(text.to_string())
}

fn changes(tree: &Tree, symbols: &[String]) -> Vec<Change> {
    match tree {
        Tree::Token(text) => token_changes(text, symbols),
        Tree::List(kids) => {
            let mut found = list_changes(tree, kids);
            if tree.head().is_some_and(|word| FORMULAS.contains(&word)) {
                found.extend(formula_changes(tree));
            }
            if let (Some("update" | "target" | "init"), Some(term)) = (tree.head(), kids.last()) {
                let mut other = kids.clone();
                *other.last_mut().expect("not empty") =
                    Tree::List(vec![token("+"), term.clone(), token("1")]);
                found.push(("wrong definition", Tree::List(other)));
            }
            found
        }
    }
}

fn token_changes(text: &str, symbols: &[String]) -> Vec<Change> {
    if let Ok(n) = text.parse::<i64>() {
        let less = if n > 0 { n - 1 } else { 1 };
        return vec![
            ("plus one", token(&(n + 1).to_string())),
            ("minus one", token(&less.to_string())),
        ];
    }
    if text == "Int" {
        return vec![("wrong sort", token("Bool")), ("wrong sort", token("Real"))];
    }
    let operators = CONFUSED.iter().filter(|(from, _)| text == *from);
    let mut found: Vec<Change> = operators.map(|(_, to)| ("operator", token(to))).collect();
    if symbols.iter().any(|s| s == text) {
        let others = symbols.iter().filter(|s| *s != text);
        found.extend(others.map(|s| ("symbol", token(s))));
    }
    found
}

fn list_changes(tree: &Tree, kids: &[Tree]) -> Vec<Change> {
    let mut found = Vec::new();
    let logical = matches!(tree.head(), Some("and" | "or"));
    for i in 1..kids.len() {
        let mut fewer = kids.to_vec();
        fewer.remove(i);
        if logical && kids.len() > 2 {
            found.push(("dropped part", Tree::List(fewer)));
        } else if kids[i].head().is_some_and(|word| PARTS.contains(&word)) {
            found.push(("missing part", Tree::List(fewer)));
        }
    }
    let binds = ["define-fun", "forall", "exists", "let"];
    if kids.len() == 3 && !tree.head().is_some_and(|word| binds.contains(&word)) {
        let swapped = vec![kids[0].clone(), kids[2].clone(), kids[1].clone()];
        found.push(("swapped arguments", Tree::List(swapped)));
    }
    found
}

fn formula_changes(tree: &Tree) -> [Change; 5] {
    let list = |parts: &[Tree]| Tree::List(parts.to_vec());
    [
        ("true", token("true")),
        ("false", token("false")),
        (
            "and true",
            list(&[token("and"), tree.clone(), token("true")]),
        ),
        ("twice", list(&[token("or"), tree.clone(), tree.clone()])),
        ("negated", list(&[token("not"), tree.clone()])),
    ]
}

/// A changed certificate and the names of the changes, or `None` when the dice chose a dead end.
pub(crate) fn mutate(
    certificate: &[Tree],
    symbols: &[String],
    rng: &Rng,
) -> Option<(Vec<Tree>, String)> {
    let pick = |n: usize| usize::try_from(rng.below(n as u64)).expect("small");
    let mut trees = certificate.to_vec();
    let mut names = Vec::new();
    for _ in 0..(1 + usize::from(rng.below(4) == 0)) {
        if trees.len() > 1 && rng.below(40) == 0 {
            trees.remove(pick(trees.len()));
            names.push("missing definition");
            continue;
        }
        let root = pick(trees.len());
        let paths = trees[root].paths();
        let path = &paths[pick(paths.len())];
        let options = changes(trees[root].at(path), symbols);
        if options.is_empty() {
            return None;
        }
        let (name, tree) = options[pick(options.len())].clone();
        // These mostly give nonsense that does not even parse: fewer of them.
        if matches!(name, "symbol" | "wrong sort") && rng.below(3) > 0 {
            return None;
        }
        *trees[root].at_mut(path) = tree;
        names.push(name);
    }
    Some((trees, names.join(", ")))
}
