//! The outer quantifiers of an obligation as constants.
//!
//! ```text
//! ¬ ∀x:S. F   is satisfiable   iff   x : S declared, ¬F   is      x declared nowhere else
//! ```
//!
//! Solvers choose their methods by the shape of a problem: what is quantifier-free after this step
//! can be decided far faster than the same formula behind a quantifier. Nothing is renamed. The
//! step is not taken where a name has a second meaning: declared in the prelude, bound twice in the
//! prefix, or applied to arguments or bound again somewhere in the formula.

use std::collections::BTreeSet;

use crate::text::sexpr::{Document, Id};

/// Constants (names, and commands that declare them) and a formula about them that is
/// satisfiable iff the closed formula is not valid; `None` when it has no outer quantifier that may
/// become constants.
pub(crate) fn negated(declared: &BTreeSet<&str>, formula: &str) -> Option<Negated> {
    let doc = Document::read(formula).ok()?;
    let [root] = doc.roots() else { return None };
    let mut bound = BTreeSet::new();
    let mut constants = Vec::new();
    let mut inner = *root;
    while let Some([word, binders, body]) = doc.list(inner)
        && doc.token_of(*word) == Some("forall")
    {
        for &binder in doc.list(*binders)? {
            let [name, sort] = doc.list(binder)? else {
                return None;
            };
            let symbol = doc.symbol(*name)?;
            if declared.contains(symbol) || !bound.insert(symbol) {
                return None;
            }
            let declaration = format!(
                "(declare-fun {} () {})\n",
                doc.token_of(*name)?,
                doc.show(*sort)
            );
            constants.push((symbol.to_owned(), declaration));
        }
        inner = *body;
    }
    if bound.is_empty() || applies(&doc, inner, &bound) {
        return None;
    }
    Some((constants, format!("(not {})", doc.show(inner))))
}

/// Constants and a formula about them.
pub(crate) type Negated = (Vec<(String, String)>, String);

/// The names that have a meaning throughout a script that begins with this text.
pub(crate) fn declared<'t>(doc: &Document<'t>) -> BTreeSet<&'t str> {
    let mut names = BTreeSet::new();
    for &root in doc.roots() {
        match (doc.head(root), doc.list(root)) {
            (
                Some(
                    "declare-fun" | "define-fun" | "declare-const" | "declare-sort" | "define-sort",
                ),
                Some([_, name, ..]),
            ) => names.extend(doc.symbol(*name)),
            _ => names.extend(doc.symbols(root)),
        }
    }
    names
}

/// Whether one of the names stands where a function stands, or is bound again.
fn applies(doc: &Document<'_>, root: Id, names: &BTreeSet<&str>) -> bool {
    let mut work = vec![root];
    while let Some(id) = work.pop() {
        let Some(kids) = doc.list(id) else { continue };
        if kids
            .first()
            .and_then(|&f| doc.symbol(f))
            .is_some_and(|f| names.contains(f))
        {
            return true;
        }
        work.extend(kids);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(prelude: &str, formula: &str) -> Option<String> {
        let doc = Document::read(prelude).expect("well-formed");
        let (constants, formula) = negated(&declared(&doc), formula)?;
        Some(constants.into_iter().map(|(_, d)| d).collect::<String>() + &formula)
    }

    #[test]
    fn the_prefix_becomes_constants() {
        let text = commands(
            "(define-fun p ((v Int)) Bool true)",
            "(forall ((x Int)) (forall ((|a b| Bool)) (=> (p x) |a b|)))",
        );
        let expected =
            "(declare-fun x () Int)\n(declare-fun |a b| () Bool)\n(not (=> (p x) |a b|))";
        assert_eq!(text.as_deref(), Some(expected));
    }

    #[test]
    fn names_with_a_second_meaning_stay_bound() {
        assert_eq!(
            commands("(declare-fun x () Real)", "(forall ((x Int)) (< x 0))"),
            None
        );
        assert_eq!(
            commands("(define-fun |x| () Real 1.0)", "(forall ((x Int)) (< x 0))"),
            None
        );
        assert_eq!(
            commands("", "(forall ((x Int)) (forall ((x Bool)) x))"),
            None
        );
        assert_eq!(commands("", "(forall ((abs Int)) (< (abs 1) 0))"), None);
        assert_eq!(commands("", "(< 0 1)"), None);
    }
}
