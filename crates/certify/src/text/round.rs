//! The first round of checks as one script: all obligations to one process.
//!
//! ```text
//! HEAD
//! the prelude                                       declarations and definitions, read once
//! for each check
//!   (reset-assertions)                              a new solver, without assertions
//!   constants of the check, unless declared so far  assertions   (check-sat)
//! ```
//!
//! No two checks share solver state: with `:global-declarations`, `reset-assertions` drops every
//! assertion and the solver, and keeps declarations. (A `(reset)` would build all of Z3's tables
//! anew, which takes longer than most checks.) Checks share constants of one name and sort; as
//! nothing is asserted about a constant outside of a check, each check still is about arbitrary
//! values. A name that comes with another sort and a check that declares more than constants begin
//! with a `(reset)` and the prelude, and so does every check when the prelude asserts something, which it then
//! does after the `(reset-assertions)`.
//!
//! One hard check must not take the time of all the others: each may take a part of it, and is asked
//! again by itself, in other words, when that was not enough.
//!
//! The script of a solver of the standard dialect has a `(reset)` before every check, and no such part.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::text::script::{Check, Checks, Declares, Dialect};

/// The beginning of every first-round script for Z3; a process can be given it in advance. The
/// assertion makes Z3 build its tables; it is dropped before the first check.
pub const HEAD: &str = "(set-option :global-declarations true)\n(set-logic ALL)\n(assert true)\n";

/// What a script of checks with this prelude begins with; `None` if it asserts something.
pub(crate) fn head(prelude: &str) -> Option<String> {
    (!asserts(prelude)).then(|| format!("{HEAD}{prelude}"))
}

/// Whether a prelude asserts something: it is no beginning then, and said anew for each check.
pub(crate) fn asserts(prelude: &str) -> bool {
    prelude.contains("(assert ")
}

/// The setting for a check with quantifiers. Left to itself, Z3 sends quantified linear arithmetic
/// to an elimination procedure that takes minutes where its main solver, for which the outermost
/// quantifiers are constants, takes milliseconds.
const QUANTIFIED: &str = "(set-option :tactic.default_tactic smt)\n";
/// The setting for other checks.
const PLAIN: &str = "(set-option :tactic.default_tactic default)\n";

/// The checks of a script may be so long together, beside what is read once.
const LARGEST: usize = 4 << 20;

/// A script that asks these checks in order, one `check-sat` each, up to what one process is given,
/// and how many it asks. Each check may take so long.
pub(crate) fn script(
    dialect: Dialect,
    checks: &Checks,
    part: &[Check],
    each: Duration,
) -> (String, usize) {
    let once = match dialect {
        Dialect::Z3 => checks.prelude.len(),
        Dialect::Standard => 0,
    };
    let mut round = Round {
        checks,
        head: head(&checks.prelude),
        limit: format!("(set-option :timeout {})\n", each.as_millis().max(1)),
        open: false,
        declared: BTreeMap::new(),
        setting: PLAIN,
        text: String::new(),
    };
    let mut asked = 0;
    for check in part {
        match dialect {
            Dialect::Z3 => round.follow(check),
            Dialect::Standard => round.afresh(check),
        }
        asked += 1;
        if round.text.len() > once + LARGEST {
            break;
        }
    }
    (round.text, asked)
}

/// A script while it is written.
struct Round<'a> {
    checks: &'a Checks,
    /// What it begins with, if the prelude asserts nothing.
    head: Option<String>,
    /// The setting for the time of a check.
    limit: String,
    /// Whether the next check may follow in the scope of those before it.
    open: bool,
    /// Constants declared since the last reset, with their declarations.
    declared: BTreeMap<&'a str, &'a str>,
    /// What the default tactic was set to last; options outlive a reset.
    setting: &'static str,
    text: String,
}

impl<'a> Round<'a> {
    /// A check in a script of the standard dialect.
    fn afresh(&mut self, check: &Check) {
        if !self.text.is_empty() {
            self.text += "(reset)\n";
        }
        self.text += &self.checks.one(check, "");
    }

    /// A check in a script for Z3.
    fn follow(&mut self, check: &'a Check) {
        let shares = check.declares == Declares::Nothing && self.head.is_some();
        let start = if self.open && shares && !self.clashes(check) {
            Start::Follows
        } else {
            Start::Anew
        };
        self.one(check, start);
        self.open = shares;
    }

    /// Whether a constant of the check has another sort so far.
    fn clashes(&self, check: &Check) -> bool {
        let clashes = |(name, declaration): &(String, String)| {
            self.declared
                .get(name.as_str())
                .is_some_and(|d| d != declaration)
        };
        check.constants.iter().any(clashes)
    }

    fn one(&mut self, check: &'a Check, start: Start) {
        let text = &mut self.text;
        if start == Start::Anew {
            self.declared.clear();
            *text += if text.is_empty() { "" } else { "(reset)\n" };
            *text += self.head.as_deref().unwrap_or(HEAD);
            *text += &self.limit;
        }
        let wanted = if check.commands.contains("(forall ") {
            QUANTIFIED
        } else {
            PLAIN
        };
        if self.setting != wanted {
            *text += wanted;
            self.setting = wanted;
        }
        // This is where the solver is made, by the setting.
        *text += "(reset-assertions)\n";
        if self.head.is_none() {
            *text += &self.checks.prelude;
        }
        for (name, declaration) in &check.constants {
            if self.declared.insert(name, declaration).is_none() {
                *text += declaration;
            }
        }
        *text += &check.commands;
        *text += "(check-sat)\n";
    }
}

/// How a check begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// With a reset and the prelude.
    Anew,
    /// In the scope of the checks before it.
    Follows,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks(formulas: &[&str]) -> Checks {
        let mut checks = Checks {
            prelude: "(define-fun p () Bool true)\n".into(),
            ..Checks::default()
        };
        prove(&mut checks, formulas);
        checks
    }

    fn prove(checks: &mut Checks, formulas: &[&str]) {
        let words = |f: &&str| Ok(("it holds".to_string(), (*f).to_string()));
        checks.prove(formulas.iter().map(words)).expect("readable");
    }

    fn asking(dialect: Dialect, checks: &Checks) -> (String, usize) {
        script(dialect, checks, &checks.checks, Duration::from_secs(2))
    }

    fn text(checks: &Checks) -> String {
        let (text, asked) = asking(Dialect::Z3, checks);
        assert_eq!(asked, checks.checks.len());
        text
    }

    #[test]
    fn constants_of_one_sort_are_declared_once() {
        let text = text(&checks(&[
            "(forall ((x Int)) (< x 0))",
            "(forall ((x Int) (y Int)) (< x y))",
        ]));
        let expected = format!(
            "{HEAD}(define-fun p () Bool true)\n(set-option :timeout 2000)\n(reset-assertions)\n(declare-fun x () Int)\n\
             (assert (not (< x 0)))\n(check-sat)\n(reset-assertions)\n(declare-fun y () Int)\n\
             (assert (not (< x y)))\n(check-sat)\n"
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn names_of_two_sorts_begin_anew() {
        // Obligations that were made together have two names then (skolem.rs).
        let mut checks = checks(&["(forall ((x Int)) (< x 0))"]);
        prove(&mut checks, &["(forall ((x Bool)) x)"]);
        let text = text(&checks);
        assert_eq!(text.matches("(reset)").count(), 1);
        let (_, after) = text.split_once("(reset)\n").expect("there is one");
        assert!(
            after.starts_with(HEAD)
                && after.contains("(define-fun p ")
                && after.contains("(declare-fun x () Bool)")
        );
    }

    #[test]
    fn checks_with_declarations_of_their_own_are_alone() {
        let mut checks = checks(&["(forall ((x Int)) (< x 0))"]);
        checks.refute(
            "own",
            Declares::More,
            "(declare-fun x () Real)\n(assert (< x 0.0))\n".into(),
        );
        prove(&mut checks, &["(forall ((x Int)) (< x 0))"]);
        let text = text(&checks);
        assert_eq!(text.matches("(reset)").count(), 2);
        assert_eq!(text.matches("(check-sat)").count(), 3);
    }

    #[test]
    fn what_the_prelude_asserts_is_asserted_for_every_check() {
        let mut checks = checks(&["(forall ((x Int)) (< x 0))", "(forall ((x Int)) (< x 1))"]);
        checks.prelude += "(assert p)\n";
        let text = text(&checks);
        for part in text.split("(check-sat)").take(2) {
            let (_, last) = part
                .rsplit_once("(reset-assertions)")
                .expect("each has one");
            assert!(last.contains("(assert p)"));
        }
    }

    #[test]
    fn quantifiers_choose_the_tactic() {
        let text = text(&checks(&[
            "(not (forall ((x Int)) (< x 0)))",
            "(forall ((x Int)) (< x 0))",
        ]));
        let (first, second) = text.split_once("(check-sat)").expect("two checks");
        assert!(first.contains(QUANTIFIED) && second.contains(PLAIN));
    }

    #[test]
    fn what_is_read_once_does_not_make_a_script_too_long() {
        let mut checks = checks(&["(forall ((x Int)) (< x 0))"; 200]);
        checks.prelude = format!("; {}\n", "long ".repeat(LARGEST / 5)) + &checks.prelude;
        let (text, asked) = asking(Dialect::Z3, &checks);
        assert_eq!((asked, text.matches("; long").count()), (200, 1));
        let (_, asked) = asking(Dialect::Standard, &checks);
        assert_eq!(asked, 1);
        checks.checks[0].commands = "(assert true)\n".repeat(LARGEST / 10);
        assert_eq!(asking(Dialect::Z3, &checks).1, 1);
    }
}
