//! A first look at obligations: each in a scope of one solver, with little work.
//!
//! ```text
//! HEAD, the prelude                                  declarations and definitions, read once
//! for each check
//!   constants of the check, unless declared so far
//!   (push)  assertions  (check-sat)  (pop)
//!   after each group of checks: (reset-assertions), a new solver
//! ```
//!
//! A Z3 solver that ran into a limit is not to be trusted any more (docs/gotchas.md): of each group only the
//! answers before the first `unknown` count.
//!
//! Nothing is asserted outside of a scope, so each question is about its own assertions. Most obligations are
//! decided here: a new solver for each (round.rs) takes Z3 longer than most of them do. In a scope Z3 does
//! without its tactics, which some obligations need; what is not decided with little work is asked again.
//!
//! Left out are checks that declare more than constants or whose constants have other sorts here, and all
//! checks when the prelude asserts something.

use std::collections::BTreeMap;

use foretell_kernel::ScriptAnswer;

use crate::text::round::head;
use crate::text::script::{Check, Checks, Declares};

/// The work that a check may take here: some ten milliseconds.
const WORK: &str = "(set-option :rlimit 150000)\n";
/// The checks may be so long together.
const LARGEST: usize = 4 << 20;
/// So many checks are asked of one solver.
const GROUP: usize = 16;

/// The script, and the numbers of the checks that it asks, in order; `None` when it asks none.
pub(crate) fn script(checks: &Checks) -> Option<(String, Vec<usize>)> {
    let mut text = head(&checks.prelude)? + WORK;
    let most = text.len() + LARGEST;
    let (mut declared, mut asked) = (Declared::default(), Vec::new());
    for (number, check) in checks.checks.iter().enumerate() {
        let fits = check.declares == Declares::Nothing && declared.agrees(check);
        if !fits || text.len() + check.commands.len() > most {
            continue;
        }
        text += &declared.declare(check);
        if !asked.is_empty() && asked.len() % GROUP == 0 {
            text += "(reset-assertions)\n";
        }
        text += &format!("(push)\n{}(check-sat)\n(pop)\n", check.commands);
        asked.push(number);
    }
    (!asked.is_empty()).then_some((text, asked))
}

/// The constants that a script has declared so far, with their declarations.
#[derive(Default)]
pub(crate) struct Declared<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Declared<'a> {
    /// Whether no constant of a check has another sort here.
    pub(crate) fn agrees(&self, check: &Check) -> bool {
        let agrees = |(name, declaration): &(String, String)| {
            let known = self.0.get(name.as_str());
            known.is_none_or(|known| *known == declaration.as_str())
        };
        check.constants.iter().all(agrees)
    }

    /// The declarations of those constants of a check that have none yet.
    pub(crate) fn declare(&mut self, check: &'a Check) -> String {
        let mut text = String::new();
        for (name, declaration) in &check.constants {
            if self.0.insert(name, declaration).is_none() {
                text += declaration;
            }
        }
        text
    }
}

/// The answers that count, with the numbers of their checks; none when there are more answers than checks:
/// then it is not certain which answer belongs to which.
pub(crate) fn decided(
    asked: &[usize],
    answers: Vec<ScriptAnswer>,
) -> impl Iterator<Item = (usize, ScriptAnswer)> {
    let certain = answers.len() <= asked.len();
    let pairs: Vec<_> = asked.iter().copied().zip(answers).collect();
    let mut spoilt = !certain;
    pairs.into_iter().enumerate().filter_map(move |(at, pair)| {
        spoilt = !certain || (spoilt && at % GROUP != 0);
        spoilt |= matches!(pair.1, ScriptAnswer::Unknown(_));
        (!spoilt).then_some(pair)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::round::HEAD;

    fn checks(formulas: &[&str]) -> Checks {
        let mut checks = Checks {
            prelude: "(define-fun p () Bool true)\n".into(),
            ..Checks::default()
        };
        let words = |f: &&str| Ok(("it holds".to_string(), (*f).to_string()));
        checks.prove(formulas.iter().map(words)).expect("readable");
        checks
    }

    #[test]
    fn nothing_is_asserted_outside_of_a_scope() {
        let checks = checks(&[
            "(forall ((x Int)) (< x 0))",
            "(forall ((x Int) (y Int)) (< x y))",
        ]);
        let (text, asked) = script(&checks).expect("a script");
        assert_eq!(asked, [0, 1]);
        let expected = format!(
            "{HEAD}(define-fun p () Bool true)\n{WORK}(declare-fun x () Int)\n\
             (push)\n(assert (not (< x 0)))\n(check-sat)\n(pop)\n(declare-fun y () Int)\n\
             (push)\n(assert (not (< x y)))\n(check-sat)\n(pop)\n"
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn a_limit_spoils_what_follows_in_its_group() {
        use ScriptAnswer::{Unknown, Unsat};
        let asked: Vec<usize> = (0..40).collect();
        let mut answers = vec![Unsat; 40];
        (answers[3], answers[16]) = (Unknown("limit".into()), Unknown("limit".into()));
        let numbers: Vec<usize> = decided(&asked, answers).map(|(n, _)| n).collect();
        let expected: Vec<usize> = (0..3).chain(32..40).collect();
        assert_eq!(numbers, expected);
        assert_eq!(decided(&asked, vec![Unsat; 41]).count(), 0);
        let formulas = ["(forall ((x Int)) (< x 0))"; 40];
        let (text, _) = script(&checks(&formulas)).expect("a script");
        assert_eq!(text.matches("(reset-assertions)").count(), 2);
        let second = text.split("(reset-assertions)").nth(1).expect("a group");
        assert_eq!(second.matches("(check-sat)").count(), GROUP);
    }

    #[test]
    fn checks_with_declarations_of_their_own_are_left_out() {
        let mut checks = checks(&["(forall ((x Int)) (< x 0))"]);
        checks.refute("own", Declares::More, "(declare-fun x () Real)\n".into());
        let (text, asked) = script(&checks).expect("a script");
        assert_eq!(asked, [0]);
        assert!(!text.contains("Real"));
        checks.prelude += "(assert p)\n";
        assert!(script(&checks).is_none());
    }
}
