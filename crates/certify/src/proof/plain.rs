//! Clauses that hold by the words of the model alone.
//!
//! ```text
//! p(t) ⇐ φ            holds   if   the model says (define-fun p (…) Bool true)
//! ψ ⇐ … ∧ q(s) ∧ …    holds   if   the model says (define-fun q (…) Bool false)
//! ```
//!
//! Nothing else is looked at: not what `φ` says, nor whether a body is what amounts to `false`. Front ends that
//! emit a clause for every block of a program have many of these: of 52 Solidity contracts two fifths of the
//! clauses. They are not sent to the solver, which takes longer to read them than to decide the others. A
//! clause of a shape that is not known to `horn.rs` is asked, and one clause always is, so that the solver's
//! parser reads the definitions.

use crate::proof::model::ModelText;
use crate::text::clauses::{ChcText, ClauseText};
use crate::text::horn::{Dissector, Literal};
use crate::text::sexpr::Id;

/// Finds clauses that hold by the words of a model.
pub(crate) struct Plain<'a, 't> {
    dissector: Dissector<'a, 't>,
    model: &'a ModelText<'a, 'a>,
}

impl<'a, 't> Plain<'a, 't> {
    /// For the clauses of a system, and a model.
    pub(crate) fn new(system: &'a ChcText<'t>, model: &'a ModelText<'a, 'a>) -> Plain<'a, 't> {
        Plain {
            dissector: Dissector::new(system),
            model,
        }
    }

    /// Whether a clause holds by words alone.
    pub(crate) fn holds(&self, clause: &ClauseText) -> bool {
        let Ok(horn) = self.dissector.clause(clause) else {
            return false;
        };
        let says = |predicate: usize, word: &str| {
            let name = &self.dissector.system.predicates[predicate].name;
            self.model.says(name, word)
        };
        let derived = horn.head.is_some_and(|(head, _)| says(head, "true"));
        let impossible = |literal: &Literal| match *literal {
            Literal::Plain(id) => (self.conjuncts(id).into_iter())
                .filter_map(|part| self.dissector.atom(part))
                .any(|(predicate, _)| says(predicate, "false")),
            Literal::Goal(predicate) => says(predicate, "false"),
            Literal::Negated(_) => false,
        };
        derived || horn.body.iter().any(impossible)
    }

    /// The members of nested conjunctions.
    fn conjuncts(&self, root: Id) -> Vec<Id> {
        let doc = &self.dissector.system.doc;
        let (mut work, mut found) = (vec![root], Vec::new());
        while let Some(id) = work.pop() {
            let id = doc.unannotated(id).0;
            match (doc.head(id), doc.list(id)) {
                (Some("and"), Some([_, members @ ..])) => work.extend(members),
                _ => found.push(id),
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::sexpr::Document;

    /// Whether the only clause holds by words when `t` is true, `f` false and `o` something else.
    fn holds(clause: &str) -> bool {
        let text = format!(
            "(declare-fun t (Int) Bool)(declare-fun f (Int) Bool)(declare-fun o (Int) Bool)\
             (declare-fun n () Bool){clause}"
        );
        let words = "(define-fun t ((x Int)) Bool true)(define-fun f ((x Int)) Bool false)\
             (define-fun o ((x Int)) Bool (< x x))(define-fun n () Bool false)";
        let words = Document::read(words).expect("well-formed");
        let model = ModelText::read(&words).expect("a model");
        let system = ChcText::read(&text).expect("clauses");
        Plain::new(&system, &model).holds(&system.clauses[0])
    }

    #[test]
    fn words_decide_heads_and_premises() {
        for clause in [
            "(assert (forall ((x Int)) (=> (o x) (t x))))",
            "(assert (forall ((x Int)) (t x)))",
            "(assert (forall ((x Int)) (=> (and (< x 0) (f x)) (o x))))",
            "(assert (forall ((x Int)) (=> (and (o x) (and (! (f x) :named a))) false)))",
            "(assert (forall ((x Int)) (=> (f x) (=> (o x) (o (+ x 1))))))",
            "(assert (forall ((x Int)) (not (and (f x) (o x)))))",
            "(assert (forall ((x Int)) (or (not (f x)) (o x))))",
            "(assert (forall ((x Int)) (or (not (o x)) (t x))))",
            "(assert (=> n false))",
        ] {
            assert!(holds(clause), "{clause}");
        }
    }

    /// A solver takes a parameter for what its name says: the word is a variable then.
    #[test]
    fn a_word_that_is_a_parameter_is_no_word() {
        let text = "(declare-fun p (Bool) Bool)(assert (p false))";
        let system = ChcText::read(text).expect("clauses");
        for (words, expected) in [
            ("(define-fun p ((x Bool)) Bool true)", true),
            ("(define-fun p ((true Bool)) Bool true)", false),
            ("(define-fun p ((|true| Bool)) Bool true)", false),
            ("(define-fun p ((|true| Bool)) Bool |true|)", false),
        ] {
            let words = Document::read(words).expect("well-formed");
            let model = ModelText::read(&words).expect("a model");
            let held = Plain::new(&system, &model).holds(&system.clauses[0]);
            assert_eq!(held, expected);
        }
    }

    #[test]
    fn everything_else_is_asked() {
        for clause in [
            "(assert (forall ((x Int)) (=> (t x) (o x))))",
            "(assert (forall ((x Int)) (=> (o x) (f x))))",
            "(assert (forall ((x Int)) (=> (or (f x) (o x)) (o x))))",
            "(assert (forall ((x Int)) (=> (ite (< x 0) (f x) (o x)) (o x))))",
            "(assert (forall ((x Int)) (=> (not (t x)) false)))",
            "(assert (forall ((x Int)) (=> (and (o x) false) (o x))))",
            "(assert (forall ((x Int)) (=> (let ((y (f x))) true) (o x))))",
            "(assert (forall ((f Int)) (=> (o f) (o (+ f 1)))))",
            "(assert (forall ((n Bool)) (=> n (o 0))))",
            "(assert (forall ((x Int)) (=> (exists ((y Int)) (f y)) (o x))))",
            "(assert (forall ((x Int)) (and (t x) (o x))))",
            "(assert (forall ((x Int)) (not (t x))))",
        ] {
            assert!(!holds(clause), "{clause}");
        }
    }
}
