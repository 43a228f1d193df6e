//! Changes of certificates that people and programs make by mistake.

use foretell_kernel::Rng;

use crate::tree::Tree;

/// A change: what it is called, and what becomes of the subtree.
fn changes(tree: &Tree, symbols: &[String]) -> Vec<(&'static str, Tree)> {
    let token = |text: &str| Tree::Token(text.to_string());
    let mut found = Vec::new();
    match tree {
        Tree::Token(text) => {
            if let Ok(n) = text.parse::<i64>() {
                found.push(("plus one", token(&(n + 1).to_string())));
                found.push((
                    "minus one",
                    if n > 0 {
                        token(&(n - 1).to_string())
                    } else {
                        token("1")
                    },
                ));
            } else if text == "Int" {
                found.push(("wrong sort", token("Bool")));
                found.push(("wrong sort", token("Real")));
            } else {
                let orders = [
                    ("<", "<="),
                    ("<=", "<"),
                    (">", ">="),
                    (">=", ">"),
                    ("=", "<="),
                    ("and", "or"),
                ];
                let others = [
                    ("or", "and"),
                    ("+", "-"),
                    ("bvule", "bvult"),
                    ("bvult", "bvule"),
                    ("=>", "="),
                ];
                for (from, to) in orders.iter().chain(&others) {
                    if text == from {
                        found.push(("operator", token(to)));
                    }
                }
                if symbols.contains(text) {
                    found.extend(
                        symbols
                            .iter()
                            .filter(|s| *s != text)
                            .map(|s| ("symbol", token(s))),
                    );
                }
            }
        }
        Tree::List(kids) => {
            let logical = matches!(tree.head(), Some("and" | "or"));
            for i in 1..kids.len() {
                let mut fewer = kids.clone();
                fewer.remove(i);
                if logical && kids.len() > 2 {
                    found.push(("dropped part", Tree::List(fewer)));
                } else if matches!(
                    kids[i].head(),
                    Some("define-fun" | "history" | "prophecy" | "init" | "update" | "target")
                ) {
                    found.push(("missing part", Tree::List(fewer)));
                }
            }
            if kids.len() == 3
                && !matches!(
                    tree.head(),
                    Some("define-fun" | "forall" | "exists" | "let")
                )
            {
                let swapped = vec![kids[0].clone(), kids[2].clone(), kids[1].clone()];
                found.push(("swapped arguments", Tree::List(swapped)));
            }
            let formula = [
                "and", "or", "=>", "<", "<=", ">", ">=", "=", "forall", "not", "bvule",
            ];
            if tree.head().is_some_and(|word| formula.contains(&word)) {
                found.push(("true", token("true")));
                found.push(("false", token("false")));
                found.push((
                    "and true",
                    Tree::List(vec![token("and"), tree.clone(), token("true")]),
                ));
                found.push((
                    "twice",
                    Tree::List(vec![token("or"), tree.clone(), tree.clone()]),
                ));
                found.push(("negated", Tree::List(vec![token("not"), tree.clone()])));
            }
            if let (Some("update" | "target" | "init"), Some(term)) = (tree.head(), kids.last()) {
                let mut other = kids.clone();
                *other.last_mut().expect("not empty") =
                    Tree::List(vec![token("+"), term.clone(), token("1")]);
                found.push(("wrong definition", Tree::List(other)));
            }
        }
    }
    found
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
