//! Obligations by the parts of their conclusion.
//!
//! ```text
//! B ⊨ p(t)   follows from   B ⊨ C1(t), …, B ⊨ Cn(t)   and   B, C1(t), …, Cn(t) ⊨ p(t)
//!
//! (assert B)
//!   for each i: (push) (assert (not Ci(t))) (check-sat) (pop)
//! (push) (assert C1(t)) … (assert Cn(t)) (assert (not p(t))) (check-sat) (pop)
//! ```
//!
//! One question about a large conjunction is a search for a state that violates any of its conjuncts. The
//! questions about each of them are easy ones mostly, and what a solver learns about `B` serves them all: of
//! `approximate_agreement` 126 parts take two seconds where the whole is not decided in sixty.
//!
//! Where the first part of an obligation has no answer its others are not asked.
//!
//! The parts are guessed from the definition of `p`. Nothing depends on the guess: the last question says
//! that they are enough, whatever they are.
//!
//! ```text
//! parts(A ∧ B)              parts(A) ∪ parts(B)
//! parts(A ⇒ B)              A ⇒ C for C of parts(B)
//! parts((a ∧ A) ∨ (b ∧ B))  a ∨ b,  a ⇒ C for C of parts(A),  b ⇒ C for C of parts(B)
//!                           a, b: what is said of single parameters, which tell the cases apart
//! ```
//!
//! A solver that ran into a limit is not trusted any more (docs/gotchas.md): an obligation holds when all its
//! questions have the answer `unsat`, and stays open otherwise.

use std::collections::{BTreeMap, BTreeSet};

use foretell_kernel::ScriptAnswer;

use crate::text::round::{HEAD, asserts};
use crate::text::scopes::Declared;
use crate::text::script::{Checks, Declares};
use crate::text::sexpr::{Document, Id};
use crate::text::skolem;
use crate::text::times::unused_stem;

/// The work that a question may take: some half a second.
const WORK: &str = "(set-option :rlimit 2000000)\n";
/// With fewer parts an obligation is asked as it is.
const FEWEST: usize = 4;
/// A conclusion has at most so many parts.
const MOST: usize = 400;
/// The texts of the parts of a conclusion may be so long together.
const LARGEST: usize = 1 << 20;
/// What is nested deeper is one part.
const DEEPEST: usize = 40;

/// A script, and for each obligation that it asks its number and how many questions it has there.
#[derive(Default)]
pub(crate) struct Asked {
    /// The text.
    pub(crate) script: String,
    /// The obligations in order.
    about: Vec<(usize, usize)>,
}

impl Asked {
    /// The obligations that hold.
    pub(crate) fn held(&self, answers: &[ScriptAnswer]) -> Vec<usize> {
        let (mut held, mut from) = (Vec::new(), 0);
        for &(number, questions) in &self.about {
            let own = answers.get(from..from + questions).unwrap_or_default();
            if own.len() == questions && own.iter().all(|a| *a == ScriptAnswer::Unsat) {
                held.push(number);
            }
            from += questions;
        }
        match answers.len() <= from {
            true => held,
            false => Vec::new(),
        }
    }
}

/// Which questions are asked.
#[derive(Clone, Copy)]
pub(crate) enum Ask<'n> {
    /// About the first part of each obligation: where that is too hard the others are not worth asking.
    First,
    /// All of these obligations.
    All(&'n [usize]),
}

/// The questions about the obligations that have several parts; `None` when none has.
pub(crate) fn script(checks: &Checks, ask: Ask<'_>) -> Option<Asked> {
    let asks = |number: &usize| match ask {
        Ask::First => true,
        Ask::All(numbers) => numbers.contains(number),
    };
    let prelude = Document::read(&checks.prelude).ok()?;
    let quantified = |text: &str| text.contains("(forall ") || text.contains("(exists ");
    if asserts(&checks.prelude) || quantified(&checks.prelude) {
        return None;
    }
    let declared = skolem::declared(&prelude);
    let stem = unused_stem(declared.iter().copied(), "part!");
    let mut asked = Asked {
        script: format!("{HEAD}{WORK}{}", checks.prelude),
        about: Vec::new(),
    };
    let mut constants = Declared::default();
    let numbered = checks.checks.iter().enumerate();
    for (number, check) in numbered.filter(|(number, _)| asks(number)) {
        if check.declares != Declares::Nothing || quantified(&check.commands) {
            continue;
        }
        let posed = check.formula.as_deref().and_then(|formula| {
            let formula = Document::read(formula).ok()?;
            Question::of(&formula)?.posed(&prelude, &format!("{stem}{number}!"), ask)
        });
        let Some((text, questions)) = posed.filter(|_| constants.agrees(check)) else {
            continue;
        };
        asked.script += "(reset-assertions)\n";
        asked.script += &constants.declare(check);
        asked.script += &text;
        asked.about.push((number, questions));
    }
    (!asked.about.is_empty()).then_some(asked)
}

/// `lets ¬ lets (body ⇒ (name args))`.
struct Question<'d, 't> {
    doc: &'d Document<'t>,
    /// Lists of bindings, outer ones first.
    lets: Vec<Id>,
    body: Id,
    name: &'t str,
    args: Vec<String>,
}

impl<'d, 't> Question<'d, 't> {
    /// Reads a negated implication.
    fn of(doc: &'d Document<'t>) -> Option<Question<'d, 't>> {
        let &[root] = doc.roots() else { return None };
        let mut lets = Vec::new();
        let negated = below_lets(doc, root, &mut lets);
        let [word, inner] = doc.list(negated)? else {
            return None;
        };
        let implication = below_lets(doc, *inner, &mut lets);
        let [arrow, body, head] = doc.list(implication)? else {
            return None;
        };
        let words = (doc.token_of(*word)?, doc.token_of(*arrow)?);
        let [name, args @ ..] = doc.list(*head)? else {
            return None;
        };
        (words == ("not", "=>")).then_some(Question {
            doc,
            lets,
            body: *body,
            name: doc.symbol(*name)?,
            args: args.iter().map(|&a| doc.show(a)).collect(),
        })
    }

    /// The definitions of the parts and the questions, and how many these are.
    fn posed(&self, prelude: &Document<'_>, stem: &str, ask: Ask<'_>) -> Option<(String, usize)> {
        let defined = Defined::named(prelude, self.name)?;
        let mut parts = Guess::of(prelude, &defined).parts()?;
        if matches!(ask, Ask::First) {
            parts.truncate(1);
        }
        let args = self.args.join(" ");
        let mut text = String::new();
        for (i, part) in parts.iter().enumerate() {
            let params = prelude.show(defined.params);
            text += &format!("(define-fun |{stem}{i}| {params} Bool {part})\n");
        }
        text += &self.asserted(&self.doc.show(self.body));
        let is = |i: usize| format!("(|{stem}{i}| {args})");
        for i in 0..parts.len() {
            let lost = self.asserted(&format!("(not {})", is(i)));
            text += &format!("(push)\n{lost}(check-sat)\n(pop)\n");
        }
        if matches!(ask, Ask::First) {
            return Some((text, 1));
        }
        let all: Vec<String> = (0..parts.len()).map(is).collect();
        let name = format!("|{}|", self.name);
        let enough = format!("(not (=> (and {}) ({name} {args})))", all.join(" "));
        text += &format!("(push)\n{}(check-sat)\n(pop)\n", self.asserted(&enough));
        Some((text, parts.len() + 1))
    }

    fn asserted(&self, formula: &str) -> String {
        format!("(assert {})\n", within(self.doc, &self.lets, formula))
    }
}

/// What is below the outer `let`s of an expression; their lists of bindings are added.
fn below_lets(doc: &Document<'_>, mut id: Id, lets: &mut Vec<Id>) -> Id {
    while let Some([word, bindings, inner]) = doc.list(id)
        && doc.token_of(*word) == Some("let")
    {
        lets.push(*bindings);
        id = *inner;
    }
    id
}

/// A formula below these bindings.
fn within(doc: &Document<'_>, lets: &[Id], formula: &str) -> String {
    let open: String = lets
        .iter()
        .map(|&bindings| format!("(let {} ", doc.show(bindings)))
        .collect();
    format!("{open}{formula}{}", ")".repeat(lets.len()))
}

/// A definition of the prelude.
struct Defined {
    params: Id,
    lets: Vec<Id>,
    body: Id,
}

impl Defined {
    fn named(prelude: &Document<'_>, name: &str) -> Option<Defined> {
        prelude.roots().iter().find_map(|&root| {
            let [_, own, params, _, body] = prelude.list(root)? else {
                return None;
            };
            if prelude.head(root) != Some("define-fun") || prelude.symbol(*own) != Some(name) {
                return None;
            }
            let mut lets = Vec::new();
            let body = below_lets(prelude, *body, &mut lets);
            let params = *params;
            Some(Defined { params, lets, body })
        })
    }
}

/// What the parts of a definition may be.
struct Guess<'d, 't> {
    doc: &'d Document<'t>,
    defined: &'d Defined,
    /// What the `let`s name.
    named: BTreeMap<&'t str, Id>,
    params: BTreeSet<&'t str>,
    /// Parts as texts, within the `let`s.
    found: Vec<String>,
}

impl<'d, 't> Guess<'d, 't> {
    fn of(doc: &'d Document<'t>, defined: &'d Defined) -> Guess<'d, 't> {
        let pairs = |list: Id| doc.list(list).unwrap_or_default().iter();
        let first = |&pair: &Id| doc.symbol(*doc.list(pair)?.first()?);
        let binding = |pair: &Id| Some((first(pair)?, *doc.list(*pair)?.get(1)?));
        Guess {
            doc,
            defined,
            named: defined
                .lets
                .iter()
                .flat_map(|&list| pairs(list).filter_map(binding))
                .collect(),
            params: pairs(defined.params).filter_map(first).collect(),
            found: Vec::new(),
        }
    }

    /// The parts, if they are neither few nor too many.
    fn parts(mut self) -> Option<Vec<String>> {
        self.open(self.defined.body, "", 0);
        let mut seen = BTreeSet::new();
        self.found.retain(|part| seen.insert(part.clone()));
        let doc = self.doc;
        let around = within(doc, &self.defined.lets, "").len();
        let together: usize = self.found.iter().map(|part| part.len() + around).sum();
        let fits = (FEWEST..=MOST).contains(&self.found.len()) && together <= LARGEST;
        let whole = |part: &String| within(doc, &self.defined.lets, part);
        fits.then(|| self.found.iter().map(whole).collect())
    }

    /// Adds the parts of an expression under a premise (a text; none where it is empty).
    fn open(&mut self, id: Id, premise: &str, depth: usize) {
        if self.found.len() > MOST {
            return;
        }
        let (word, kids) = self.shape(id).unwrap_or_default();
        match (word, kids) {
            ("and", kids) if depth < DEEPEST => {
                kids.iter()
                    .for_each(|&kid| self.open(kid, premise, depth + 1));
            }
            ("=>", &[first, second]) if depth < DEEPEST => {
                let premise = format!("{premise} {}", self.doc.show(first));
                self.open(second, &premise, depth + 1);
            }
            ("or", kids) if depth < DEEPEST && self.are_cases(kids) => {
                let mut cases = Vec::new();
                for &kid in kids {
                    let members = self.members(kid);
                    let (own, rest): (Vec<Id>, Vec<Id>) =
                        members.into_iter().partition(|&m| self.is_control(m));
                    let own: Vec<String> = own.iter().map(|&m| self.doc.show(m)).collect();
                    let own = own.join(" ");
                    let premise = format!("{premise} {own}");
                    rest.iter().for_each(|&m| self.open(m, &premise, depth + 1));
                    cases.push(format!("(and {own})"));
                }
                self.add(premise, &format!("(or {})", cases.join(" ")));
            }
            _ => self.add(premise, &self.doc.show(id)),
        }
    }

    fn add(&mut self, premise: &str, conclusion: &str) {
        self.found.push(match premise {
            "" => conclusion.to_owned(),
            _ => format!("(=> (and{premise}) {conclusion})"),
        });
    }

    /// The word and the members of an application, also of one that a `let` names.
    fn shape(&self, id: Id) -> Option<(&'t str, &'d [Id])> {
        let named = self.doc.symbol(id).and_then(|name| self.named.get(name));
        let kids = self.doc.list(*named.unwrap_or(&id))?;
        Some((self.doc.token_of(*kids.first()?)?, &kids[1..]))
    }

    /// The members of a conjunction, or the expression itself.
    fn members(&self, id: Id) -> Vec<Id> {
        match self.shape(id) {
            Some(("and", kids)) => kids.to_vec(),
            _ => vec![id],
        }
    }

    /// Whether these are at least two conjunctions, each with something about single parameters.
    fn are_cases(&self, kids: &[Id]) -> bool {
        let told = |&kid: &Id| self.members(kid).iter().any(|&m| self.is_control(m));
        kids.len() > 1 && kids.iter().all(told)
    }

    /// A parameter, a negated one, or an equation of one with a value.
    fn is_control(&self, id: Id) -> bool {
        let is_param = |id: Id| {
            let symbol = self.doc.symbol(id);
            symbol.is_some_and(|name| self.params.contains(name))
        };
        let is_value = |id: Id| self.doc.symbols(id).is_empty();
        match self.shape(id) {
            Some(("not", &[inner])) => is_param(inner),
            Some(("=", &[a, b])) => is_param(a) && is_value(b) || is_value(a) && is_param(b),
            _ => is_param(id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(params: &str, body: &str) -> Vec<String> {
        let text = format!("(define-fun p ({params}) Bool {body})");
        let doc = Document::read(&text).expect("well-formed");
        let defined = Defined::named(&doc, "p").expect("it is there");
        Guess::of(&doc, &defined).parts().unwrap_or_default()
    }

    #[test]
    fn conjunctions_fall_apart_through_names_and_premises() {
        let body = "(let ((.1 (and (< x 1) (< x 2)))) (and (=> a .1) (or a (< 0 x)) .1))";
        let expected = [
            "(=> (and a) (< x 1))",
            "(=> (and a) (< x 2))",
            "(or a (< 0 x))",
        ];
        let expected = expected.iter().copied().chain(["(< x 1)", "(< x 2)"]);
        let around = |part: &str| format!("(let ((.1 (and (< x 1) (< x 2)))) {part})");
        let expected: Vec<String> = expected.map(around).collect();
        assert_eq!(parts("(a Bool) (x Int)", body), expected);
    }

    #[test]
    fn cases_are_told_apart_by_parameters() {
        let body = "(or (and a (= y 1) (< x 1) (< x 2)) (and (not a) (< x 3)))";
        let expected = [
            "(=> (and a (= y 1)) (< x 1))",
            "(=> (and a (= y 1)) (< x 2))",
            "(=> (and (not a)) (< x 3))",
            "(or (and a (= y 1)) (and (not a)))",
        ];
        assert_eq!(parts("(a Bool) (x Int) (y Int)", body), expected);
        assert_eq!(
            parts("(x Int)", "(or (and (< x 1) (< x 2)) (< x 3))").len(),
            0
        );
        let deep = "(and ".repeat(10_000) + "true" + &")".repeat(10_000);
        assert_eq!(parts("(x Int)", &deep).len(), 0);
    }

    fn asked(formula: &str) -> Option<Asked> {
        let body = "(and (< x 4) (< x 5) (< x 6) (< x 7))";
        let mut checks = Checks {
            prelude: format!("(define-fun p ((x Int)) Bool {body})\n"),
            ..Checks::default()
        };
        let words = Ok(("it holds".to_string(), formula.to_string()));
        checks.prove(std::iter::once(words)).expect("readable");
        script(&checks, Ask::All(&[0]))
    }

    #[test]
    fn every_part_is_asked_and_that_they_are_enough() {
        let asked =
            asked("(forall ((y Int)) (=> (and (p y) (= y 0)) (p (+ y 1))))").expect("parts");
        let (_, questions) = asked
            .script
            .split_once("(declare-fun y () Int)\n")
            .expect("one");
        let first = "(define-fun |part!0!0| ((x Int)) Bool (< x 4))\n";
        assert!(questions.starts_with(first));
        assert!(questions.contains(
            "(assert (and (p y) (= y 0)))\n(push)\n(assert (not (|part!0!0| (+ y 1))))\n(check-sat)\n(pop)\n"
        ));
        assert!(
            questions.ends_with("(|part!0!3| (+ y 1))) (|p| (+ y 1)))))\n(check-sat)\n(pop)\n")
        );
        assert_eq!(questions.matches("(check-sat)").count(), 5);
    }

    #[test]
    fn one_part_tells_whether_the_others_are_asked() {
        let body = "(and (< x 4) (< x 5) (< x 6) (< x 7))";
        let mut checks = Checks {
            prelude: format!("(define-fun p ((x Int)) Bool {body})\n"),
            ..Checks::default()
        };
        let formula = "(forall ((y Int)) (=> (p y) (p y)))";
        let words = (0..2).map(|n| Ok((n.to_string(), formula.to_string())));
        checks.prove(words).expect("readable");
        let first = script(&checks, Ask::First).expect("parts");
        assert_eq!(first.script.matches("(check-sat)").count(), 2);
        let timeout = ScriptAnswer::Unknown("limit".into());
        let held = first.held(&[timeout, ScriptAnswer::Unsat]);
        assert_eq!(held, [1]);
        let others = script(&checks, Ask::All(&held)).expect("parts");
        assert_eq!(others.script.matches("(check-sat)").count(), 5);
        assert!(others.script.contains("part!1!3") && !others.script.contains("part!0!"));
        assert!(script(&checks, Ask::All(&[])).is_none());
    }

    #[test]
    fn one_answer_that_is_not_unsat_leaves_an_obligation_open() {
        let asked = asked("(forall ((y Int)) (=> (p y) (p y)))").expect("parts");
        let mut answers = vec![ScriptAnswer::Unsat; 5];
        assert_eq!(asked.held(&answers), [0]);
        assert_eq!(asked.held(&answers[..4]), [0; 0]);
        answers.push(ScriptAnswer::Unsat);
        assert_eq!(asked.held(&answers), [0; 0]);
        for other in [ScriptAnswer::Sat, ScriptAnswer::Unknown("limit".into())] {
            for at in 0..5 {
                let mut answers = vec![ScriptAnswer::Unsat; 5];
                answers[at] = other.clone();
                assert_eq!(asked.held(&answers), [0; 0]);
            }
        }
    }

    #[test]
    fn what_is_no_implication_or_has_quantifiers_is_left() {
        assert!(asked("(forall ((y Int)) (p y))").is_none());
        assert!(asked("(forall ((y Int)) (=> (< y 0) (< y 1)))").is_none());
        assert!(asked("(forall ((y Int)) (=> (forall ((z Int)) (< y z)) (p y)))").is_none());
    }
}
