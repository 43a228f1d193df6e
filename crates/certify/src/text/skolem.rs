//! The outer quantifiers of an obligation as constants.
//!
//! ```text
//! ¬ ∀x:S. F   is satisfiable   iff   x : S declared, ¬F   is      x declared nowhere else
//! ```
//!
//! Solvers choose their methods by the shape of a problem: what is quantifier-free after this step
//! can be decided far faster than the same formula behind a quantifier. Nothing in the formula is renamed.
//! The step is not taken where a name has a second meaning: declared in the prelude, bound twice in the
//! prefix, or applied to arguments or bound again somewhere in the formula.
//!
//! Obligations that share declarations may have one name with two sorts, as every clause of a text
//! counts its variables from `A` on. From the second sort on the constant has a name of its own that no
//! text contains, and a `let` gives the formula the name it knows:
//!
//! ```text
//! x!1 : T declared    (let ((x x!1)) ¬F)
//! ```

use std::collections::{BTreeMap, BTreeSet};

use crate::text::sexpr::{Document, Id};

/// Constants (names, and commands that declare them) and a formula about them that is
/// satisfiable iff the closed formula is not valid; `None` when it has no outer quantifier that may
/// become constants.
pub(crate) fn negated(
    declared: &BTreeSet<&str>,
    formula: &str,
    names: &mut Names,
) -> Option<Negated> {
    let doc = Document::read(formula).ok()?;
    let [root] = doc.roots() else { return None };
    let mut bound = BTreeSet::new();
    let mut binders = Vec::new();
    let mut inner = *root;
    while let Some([word, list, body]) = doc.list(inner)
        && doc.token_of(*word) == Some("forall")
    {
        for &binder in doc.list(*list)? {
            let [name, sort] = doc.list(binder)? else {
                return None;
            };
            let symbol = doc.symbol(*name)?;
            if declared.contains(symbol) || !bound.insert(symbol) {
                return None;
            }
            binders.push((doc.token_of(*name)?, symbol, doc.show(*sort)));
        }
        inner = *body;
    }
    if bound.is_empty() || applies(&doc, inner, &bound) {
        return None;
    }
    let (mut constants, mut renamed) = (Vec::new(), String::new());
    for (token, symbol, sort) in binders {
        let (symbol, name) = match names.number(symbol, &sort) {
            0 => (symbol.to_owned(), token.to_owned()),
            n => {
                let symbol = format!("{symbol}{}{n}", names.mark);
                let name = format!("|{symbol}|");
                renamed += &format!("({token} {name})");
                (symbol, name)
            }
        };
        constants.push((symbol, format!("(declare-fun {name} () {sort})\n")));
    }
    let formula = format!("(not {})", doc.show(inner));
    let formula = match renamed.is_empty() {
        true => formula,
        false => format!("(let ({renamed}) {formula})"),
    };
    Some((constants, formula))
}

/// The sorts of each name that has become a constant.
pub(crate) struct Names {
    sorts: BTreeMap<String, Vec<String>>,
    /// What names of our own have in them, and none of the texts.
    mark: String,
}

impl Names {
    /// No names yet, for obligations made of these texts.
    pub(crate) fn new<'t>(texts: impl Iterator<Item = &'t str> + Clone) -> Names {
        let mut mark = "!".to_owned();
        while texts.clone().any(|text| text.contains(&mark)) {
            mark.push('!');
        }
        let sorts = BTreeMap::new();
        Names { sorts, mark }
    }

    /// Which of the sorts of this name it is, in the order in which they came.
    fn number(&mut self, symbol: &str, sort: &str) -> usize {
        let sorts = self.sorts.entry(symbol.to_owned()).or_default();
        let known = sorts.iter().position(|s| s == sort);
        known.unwrap_or_else(|| {
            sorts.push(sort.to_owned());
            sorts.len() - 1
        })
    }
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
        let mut names = Names::new([prelude, formula].into_iter());
        let (constants, formula) = negated(&declared(&doc), formula, &mut names)?;
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
    fn a_name_with_two_sorts_is_two_constants() {
        let formulas = ["(forall ((x Int)) (< x 0))", "(forall ((x Bool)) x)"];
        let mut names = Names::new(["(declare-fun y! () Int)"].into_iter().chain(formulas));
        let mut negate = |formula| negated(&BTreeSet::new(), formula, &mut names);
        let pair = |a: &str, b: &str, formula: &str| {
            let constants = vec![(a.to_owned(), format!("(declare-fun {b} () Bool)\n"))];
            Some((constants, formula.to_owned()))
        };
        assert!(negate(formulas[0]).is_some());
        let second = pair("x!!1", "|x!!1|", "(let ((x |x!!1|)) (not x))");
        assert_eq!(negate(formulas[1]), second);
        assert_eq!(negate(formulas[1]), second);
        assert_eq!(
            negate("(forall ((|y| Bool)) |y|)"),
            pair("y", "|y|", "(not |y|)")
        );
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
