//! Many small obligations in one question.
//!
//! ```text
//! ¬C1 ∨ … ∨ ¬Cn  is unsatisfiable   iff   C1, …, Cn all hold
//! ```
//!
//! A new solver for an obligation takes Z3 longer than most obligations of a long text do. The constants
//! of the obligations are shared by name; that changes nothing, as `∃x. (A ∨ B)` is `∃x. A ∨ ∃x. B`.
//! Only `unsat` counts here. Whatever else a question gets, its obligations are asked one by one.
//!
//! Joined are obligations without quantifiers, where the prelude has none either; a question may take a
//! small amount of work only, so that little is lost where joining does not help. Where many obligations
//! cannot be joined none is.

use std::collections::BTreeMap;

use crate::text::round::asserts;
use crate::text::script::{Check, Checks, Declares};

/// With fewer obligations nothing is joined.
const MANY: usize = 64;
/// At most one obligation in so many may be left over: it takes another process to ask those.
const LEFT_OVER: usize = 8;
/// At most so many are joined.
const MOST: usize = 32;
/// At most so much text is joined.
const LARGEST: usize = 32 << 10;
/// The work that a question may take: about a second.
const WORK: &str = "(set-option :rlimit 4000000)\n";

/// Questions, and which obligations each is about.
pub(crate) struct Joined {
    /// The questions.
    pub(crate) questions: Checks,
    /// The numbers of the obligations of each.
    pub(crate) members: Vec<Vec<usize>>,
}

/// The obligations that can be joined; `None` when there are too few, or too many that cannot.
pub(crate) fn join(checks: &Checks) -> Option<Joined> {
    let quantified = |text: &str| text.contains("(forall ") || text.contains("(exists ");
    let prelude = &checks.prelude;
    if checks.checks.len() < MANY || quantified(prelude) || asserts(prelude) {
        return None;
    }
    let (mut questions, mut members) = (Vec::new(), Vec::new());
    let mut open = Question::default();
    for (number, check) in checks.checks.iter().enumerate() {
        let formula = check.formula.as_deref().filter(|f| !quantified(f));
        let Some(formula) = formula.filter(|f| f.len() <= LARGEST / MOST) else {
            continue;
        };
        if !open.takes(check) {
            open.close(&mut questions, &mut members);
        }
        open.add(number, check, formula);
    }
    open.close(&mut questions, &mut members);
    let joined: usize = members.iter().map(Vec::len).sum();
    if (checks.checks.len() - joined) * LEFT_OVER > checks.checks.len() {
        return None;
    }
    let prelude = prelude.clone();
    let checks = questions;
    Some(Joined {
        questions: Checks {
            prelude,
            checks,
            plain: Vec::new(),
        },
        members,
    })
}

/// A question while it is written.
#[derive(Default)]
struct Question<'a> {
    members: Vec<usize>,
    constants: BTreeMap<&'a str, &'a str>,
    text: String,
}

impl<'a> Question<'a> {
    /// Whether there is room, and no constant has another sort so far.
    fn takes(&self, check: &Check) -> bool {
        let agrees = |(name, declaration): &(String, String)| {
            let known = self.constants.get(name.as_str());
            known.is_none_or(|known| known == declaration)
        };
        self.members.len() < MOST && check.constants.iter().all(agrees)
    }

    fn add(&mut self, number: usize, check: &'a Check, formula: &str) {
        self.members.push(number);
        let constants = check.constants.iter();
        self.constants
            .extend(constants.map(|(name, declaration)| (name.as_str(), declaration.as_str())));
        self.text += " ";
        self.text += formula;
    }

    /// Ends the question, if it is about anything, and begins another one.
    fn close(&mut self, questions: &mut Vec<Check>, members: &mut Vec<Vec<usize>>) {
        let done = std::mem::take(self);
        if done.members.is_empty() {
            return;
        }
        let constants = done.constants.into_iter();
        questions.push(Check {
            what: format!("{} obligations", done.members.len()),
            constants: constants
                .map(|(name, declaration)| (name.to_owned(), declaration.to_owned()))
                .collect(),
            commands: format!("{WORK}(assert (or false{}))\n", done.text),
            formula: None,
            declares: Declares::Nothing,
            verbatim: None,
        });
        members.push(done.members);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks(formula: impl Fn(usize) -> String) -> Checks {
        let mut checks = Checks::default();
        let formulas = (0..100).map(|n| Ok((format!("{n}"), formula(n))));
        checks.prove(formulas).expect("readable");
        checks
    }

    #[test]
    fn every_obligation_is_in_one_question() {
        let joined = join(&checks(|n| format!("(forall ((x Int)) (< x {n}))"))).expect("many");
        let all: Vec<usize> = joined.members.concat();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
        assert_eq!(joined.questions.checks.len(), 4);
        let first = &joined.questions.checks[0];
        assert!(
            first
                .commands
                .contains("(or false (not (< x 0)) (not (< x 1))")
        );
        assert_eq!(first.constants.len(), 1);
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        assert!(join(&Checks::default()).is_none());
        let mut sorts = checks(|_| "(forall ((x Int)) (< x x))".into());
        for check in sorts.checks.iter_mut().step_by(2) {
            let declaration = "(declare-fun x () Real)\n".to_owned();
            check.constants = vec![("x".to_owned(), declaration)];
        }
        assert_eq!(join(&sorts).expect("many").members.len(), 100);
        let hard = |n: usize| format!("(forall ((x Int)) (exists ((y Int)) (< x y {n})))");
        assert!(join(&checks(hard)).is_none());
        let some = |left: usize| {
            move |n: usize| {
                if n < left {
                    hard(n)
                } else {
                    format!("(forall ((x Int)) (< x {n}))")
                }
            }
        };
        assert!(join(&checks(some(13))).is_none());
        let joined = join(&checks(some(12))).expect("many");
        assert_eq!(joined.members.concat(), (12..100).collect::<Vec<_>>());
        let mut quantified = checks(|n| format!("(forall ((x Int)) (< x {n}))"));
        quantified.prelude = "(define-fun p () Bool (exists ((x Int)) (< x x)))\n".into();
        assert!(join(&quantified).is_none());
    }
}
