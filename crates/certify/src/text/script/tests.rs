//! Only `unsat` of everything is accepted, however the answers come.

use std::cell::RefCell;
use std::time::Duration;

use foretell_kernel::{Budget, Halt, ScriptAnswer};

use super::{Checker, Checks, Declares, Dialect, ScriptRunner};
use crate::report::{CertifyOptions, Outcome};

/// Replies as it is told.
struct Double<'a> {
    dialect: Dialect,
    function: &'a dyn Fn(&str, Duration) -> Reply,
}

impl ScriptRunner for Double<'_> {
    fn run(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        (self.function)(script, limit)
    }

    fn name(&self) -> &str {
        "double"
    }

    fn dialect(&self) -> Dialect {
        self.dialect
    }
}

type Reply = Result<Vec<ScriptAnswer>, Halt>;

/// The outcome of three obligations with a solver that replies in turn, the last reply for ever.
fn outcome(replies: &[Reply]) -> (Outcome, usize) {
    let asked = RefCell::new(0);
    let function = |_: &str, _| {
        let mut n = asked.borrow_mut();
        *n += 1;
        replies[(*n - 1).min(replies.len() - 1)].clone()
    };
    let runner = Double {
        dialect: Dialect::Z3,
        function: &function,
    };
    let (options, budget) = (
        CertifyOptions::default(),
        Budget::unlimited().with_queries(100),
    );
    let mut checks = Checks::default();
    for what in ["a", "b", "c"] {
        checks.refute(what, Declares::More, "(assert false)\n".into());
    }
    let report = Checker {
        runner: &runner,
        options: &options,
        budget: &budget,
    }
    .discharge(&checks);
    let n = *asked.borrow();
    (report.outcome, n)
}

fn unknown(words: &str) -> ScriptAnswer {
    ScriptAnswer::Unknown(words.into())
}

#[test]
fn only_unsat_of_everything_is_accepted() {
    use ScriptAnswer::{Sat, Unsat};
    assert_eq!(
        outcome(&[Ok(vec![Unsat, Unsat, Unsat])]),
        (Outcome::Accepted, 1)
    );
    assert_eq!(
        outcome(&[Ok(vec![Unsat, Sat])]),
        (Outcome::Rejected("b".into()), 1)
    );
    // An open one is asked again by itself.
    assert_eq!(
        outcome(&[Ok(vec![Unsat, unknown("?"), Unsat]), Ok(vec![Unsat])]),
        (Outcome::Accepted, 2)
    );
    assert_eq!(
        outcome(&[Ok(vec![Unsat]), Ok(vec![Unsat])]),
        (Outcome::Accepted, 3)
    );
    let dead = Err(Halt::Solver("dead".into()));
    for replies in [
        vec![Ok(vec![])],
        vec![dead.clone()],
        vec![Ok(vec![Unsat, Unsat]), dead],
        vec![Ok(vec![Unsat, Unsat, unknown("timeout")])],
        // More answers than questions cannot be matched.
        vec![Ok(vec![Unsat, Unsat, Unsat, Unsat])],
        vec![
            Ok(vec![Unsat, unknown("(error \"x\")"), Unsat]),
            Ok(vec![Unsat]),
        ],
    ] {
        let (outcome, _) = outcome(&replies);
        assert!(
            matches!(outcome, Outcome::Undecided(_)),
            "{replies:?}: {outcome}"
        );
    }
}

#[test]
fn an_exhausted_budget_accepts_nothing() {
    let function = |_: &str, _| Ok(vec![ScriptAnswer::Unsat]);
    let runner = Double {
        dialect: Dialect::Standard,
        function: &function,
    };
    let (options, budget) = (
        CertifyOptions::default(),
        Budget::unlimited().with_queries(0),
    );
    let mut checks = Checks::default();
    checks.refute("a", Declares::More, String::new());
    let checker = Checker {
        runner: &runner,
        options: &options,
        budget: &budget,
    };
    assert!(!checker.discharge(&checks).outcome.is_accepted());
    assert!(
        !checker.discharge(&Checks::default()).outcome.is_accepted(),
        "nothing to check"
    );
}

#[test]
fn the_words_of_the_text_are_asked_before_other_settings() {
    let asked = RefCell::new(0);
    let function = |script: &str, _| {
        *asked.borrow_mut() += 1;
        let verbatim = script.contains("(not (forall ((x Int))");
        Ok(vec![if verbatim {
            ScriptAnswer::Unsat
        } else {
            unknown("incomplete")
        }])
    };
    let runner = Double {
        dialect: Dialect::Z3,
        function: &function,
    };
    let mut checks = Checks::default();
    let formula = "(forall ((x Int)) (exists ((y Int)) (< x y)))".to_string();
    let one = std::iter::once(Ok(("a".to_string(), formula)));
    checks.prove(one).expect("readable");
    let checker = Checker {
        runner: &runner,
        options: &CertifyOptions::default(),
        budget: &Budget::unlimited().with_queries(100),
    };
    assert!(checker.discharge(&checks).outcome.is_accepted());
    // In a scope, with a solver of its own, in the words of the text.
    assert_eq!(*asked.borrow(), 3);
}

#[test]
fn what_a_scope_decides_is_not_asked_again() {
    let formulas = ["(forall ((x Int)) (< x 0))", "(forall ((x Int)) (< x 1))"];
    let outcome = |first: Vec<ScriptAnswer>| {
        let asked = RefCell::new(Vec::new());
        let function = |script: &str, _| {
            let n = script.matches("(check-sat)").count();
            asked.borrow_mut().push((script.contains("(push)"), n));
            match asked.borrow().len() {
                1 => Ok(first.clone()),
                _ => Ok(vec![ScriptAnswer::Unsat; n]),
            }
        };
        let runner = Double {
            dialect: Dialect::Z3,
            function: &function,
        };
        let mut checks = Checks::default();
        let words = |f: &&str| Ok(("it holds".to_string(), (*f).to_string()));
        checks.prove(formulas.iter().map(words)).expect("readable");
        let checker = Checker {
            runner: &runner,
            options: &CertifyOptions::default(),
            budget: &Budget::unlimited().with_queries(100),
        };
        let accepted = checker.discharge(&checks).outcome.is_accepted();
        (accepted, asked.into_inner())
    };
    use ScriptAnswer::{Sat, Unsat};
    let look = (true, 2);
    assert_eq!(outcome(vec![Unsat, Unsat]), (true, vec![look]));
    assert_eq!(outcome(vec![Unsat, Sat]), (false, vec![look]));
    let one_more = (true, vec![look, (false, 1)]);
    assert_eq!(outcome(vec![Unsat, unknown("resource limits")]), one_more);
    assert_eq!(outcome(vec![Unsat]), one_more);
    // A solver that ran into a limit is not believed any more.
    let all_anew = (true, vec![look, (false, 2)]);
    assert_eq!(outcome(vec![unknown("resource limits"), Unsat]), all_anew);
    // Whose answers they are is not certain.
    assert_eq!(outcome(vec![Sat, Unsat, Unsat]), all_anew);
}

#[test]
fn few_obligations_have_more_time_and_plain_ones_most() {
    let function = |_: &str, _| Ok(Vec::new());
    let runner = Double {
        dialect: Dialect::Z3,
        function: &function,
    };
    let options = CertifyOptions {
        seconds: 10.0,
        ..CertifyOptions::default()
    };
    let budget = Budget::unlimited();
    let checker = Checker {
        runner: &runner,
        options: &options,
        budget: &budget,
    };
    let each = |n: usize, prelude: &str| {
        let mut checks = Checks {
            prelude: prelude.into(),
            ..Checks::default()
        };
        (0..n).for_each(|_| checks.refute("a", Declares::More, "(assert p)\n".into()));
        checker.first_limits(&checks).1.round()
    };
    let quantified = "(define-fun p () Bool (exists ((x Int)) (= x 1)))\n";
    assert_eq!(each(2, "(define-fun p () Bool true)\n"), 9.0);
    assert_eq!((each(3, quantified), each(4, quantified)), (7.0, 4.0));
    assert_eq!(each(4, "(define-fun p () Bool true)\n"), 4.0);
}
