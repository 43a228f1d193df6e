//! Obligations as scripts for a solver with its own parser.
//!
//! ```text
//! Discharge(prelude, checks):
//!   first round: all checks in few processes, with a new solver for each, so that no two checks share
//!                solver state (round.rs); answers belong to the checks in order
//!   then, for each check without an answer: a fresh process per attempt, other settings each time
//!   a check holds only on `unsat`; `sat` fails it; everything else leaves it open
//! ```
//!
//! A check asserts the negation of what must hold, and nothing but declarations and definitions
//! precedes it. What a solver says after an error counts for nothing: some guess what a wrong command
//! may have meant, and `unsat` of a guess proves nothing. Runners see to that.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use foretell_kernel::{Budget, Cx, Halt, ScriptAnswer};

use crate::report::{CertifyOptions, CheckReport, Obligation, Status};
use crate::text::{round, skolem};

/// Which options a solver understands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Z3.
    Z3,
    /// Standard SMT-LIB only.
    Standard,
}

/// Runs a script in a fresh process of a solver with its own parser.
pub trait ScriptRunner {
    /// The answers to the `check-sat` commands in order; fewer answers mean the rest is unknown.
    ///
    /// Contract: no answer that the solver gave after reporting an error is `Unsat` here.
    fn run(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt>;

    /// The solver's name for reports.
    fn name(&self) -> &str;

    /// Which options it understands.
    fn dialect(&self) -> Dialect;
}

/// The script solver of a context.
pub struct ContextRunner<'a>(pub Cx<'a>);

impl ScriptRunner for ContextRunner<'_> {
    fn run(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        self.0.oracles.script(script, limit)
    }

    fn name(&self) -> &str {
        "z3"
    }

    fn dialect(&self) -> Dialect {
        Dialect::Z3
    }
}

/// Runs a script; see [`ScriptRunner::run`].
pub type ScriptFunction<'a> = dyn Fn(&str, Duration) -> Result<Vec<ScriptAnswer>, Halt> + 'a;

/// Any function as a script solver, for instance a second solver to cross-check with.
pub struct FunctionRunner<'a> {
    /// The solver's name for reports.
    pub name: &'a str,
    /// Which options it understands.
    pub dialect: Dialect,
    /// Runs a script.
    pub function: &'a ScriptFunction<'a>,
}

impl ScriptRunner for FunctionRunner<'_> {
    fn run(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        (self.function)(script, limit)
    }

    fn name(&self) -> &str {
        self.name
    }

    fn dialect(&self) -> Dialect {
        self.dialect
    }
}

/// One obligation: what must hold, in words, and the assertions that are satisfiable if it fails.
#[derive(Clone, Debug)]
pub struct Check {
    /// What must hold.
    pub what: String,
    /// The constants it is about: names, and commands that declare them.
    pub constants: Vec<(String, String)>,
    /// The assertions, after what else they need.
    pub commands: String,
    /// Whether `commands` declares anything.
    pub declares: Declares,
    /// The same obligation in the words of the text, where `commands` differs from them; asked when
    /// `commands` gets no answer.
    pub verbatim: Option<String>,
}

/// What the commands of a check declare or define.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declares {
    /// Nothing.
    Nothing,
    /// Perhaps something.
    More,
}

/// Obligations with the declarations they share.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// Declarations and definitions.
    pub prelude: String,
    /// The obligations.
    pub checks: Vec<Check>,
}

impl Checks {
    /// Adds an obligation: `commands` must be unsatisfiable.
    pub(crate) fn refute(&mut self, what: impl Into<String>, commands: String) {
        let (constants, declares) = (Vec::new(), Declares::More);
        self.checks.push(Check {
            what: what.into(),
            constants,
            commands,
            declares,
            verbatim: None,
        });
    }

    /// Adds an obligation: the closed formula must be valid.
    pub(crate) fn prove(
        &mut self,
        what: impl Into<String>,
        formula: &str,
        declared: &BTreeSet<&str>,
    ) {
        let verbatim = format!("(assert (not {formula}))\n");
        let (constants, commands, verbatim) = match skolem::negated(declared, formula) {
            Some((constants, commands)) => (constants, commands, Some(verbatim)),
            None => (Vec::new(), verbatim, None),
        };
        let declares = Declares::Nothing;
        self.checks.push(Check {
            what: what.into(),
            constants,
            commands,
            declares,
            verbatim,
        });
    }

    /// The script of one obligation, ready to be sent to any solver.
    pub fn script(&self, index: usize) -> String {
        self.checks
            .get(index)
            .map_or_else(String::new, |check| self.one(check, ""))
    }

    /// The script of a check under settings.
    pub(crate) fn one(&self, check: &Check, settings: &str) -> String {
        let constants: String = check
            .constants
            .iter()
            .map(|(_, declaration)| declaration.as_str())
            .collect();
        self.asking(&format!("{constants}{}", check.commands), settings)
    }

    fn asking(&self, commands: &str, settings: &str) -> String {
        format!(
            "{settings}(set-logic ALL)\n{}{commands}(check-sat)\n",
            self.prelude
        )
    }
}

/// Settings for one attempt after another; all keep the solver's answers sound.
const ATTEMPTS: [&str; 5] = [
    "",
    "(set-option :smt.auto_config false)\n(set-option :smt.mbqi false)\n",
    "(set-option :smt.arith.solver 2)\n",
    "(set-option :smt.auto_config false)\n(set-option :smt.random_seed 7)\n",
    "(set-option :smt.arith.solver 2)\n(set-option :smt.mbqi false)\n(set-option :smt.random_seed 3)\n",
];

/// Scripts up to this size are sent to one process.
const BATCH_BYTES: usize = 4 << 20;

/// Decides obligations with a runner under limits.
#[derive(Clone, Copy)]
pub struct Checker<'a> {
    /// The solver.
    pub runner: &'a dyn ScriptRunner,
    /// How hard to try.
    pub options: &'a CertifyOptions,
    /// What may be spent in all.
    pub budget: &'a Budget,
}

impl Checker<'_> {
    /// Decides all obligations.
    pub fn discharge(&self, checks: &Checks) -> CheckReport {
        let started = Instant::now();
        let mut statuses = vec![Status::Open("not asked".into()); checks.checks.len()];
        for (from, to) in self.batches(checks) {
            for (i, answer) in (from..to).zip(self.batch(checks, from, to)) {
                statuses[i] = answer;
            }
        }
        // One obligation that fails or is not understood decides: the others need no attempts.
        let mut lost = statuses
            .iter()
            .zip(&checks.checks)
            .any(|(s, c)| is_lost(s) && !has_other_words(s, c));
        for (i, status) in statuses.iter_mut().enumerate() {
            if matches!(status, Status::Open(_)) && !lost {
                *status = self.alone(checks, i);
                lost = is_lost(status);
            }
        }
        let obligations = checks.checks.iter().zip(statuses);
        let obligations = obligations
            .map(|(check, status)| Obligation {
                what: check.what.clone(),
                status,
            })
            .collect();
        CheckReport::of(
            obligations,
            started.elapsed().as_secs_f64(),
            self.runner.name(),
        )
    }

    /// Asks every obligation once, without further attempts for open ones.
    pub fn glance(&self, checks: &Checks) -> CheckReport {
        let started = Instant::now();
        let mut statuses = Vec::new();
        for (from, to) in self.batches(checks) {
            statuses.extend(self.batch(checks, from, to));
            statuses.resize(to, Status::Open("no answer".into()));
        }
        let obligations = checks.checks.iter().zip(statuses);
        let obligations = obligations
            .map(|(check, status)| Obligation {
                what: check.what.clone(),
                status,
            })
            .collect();
        CheckReport::of(
            obligations,
            started.elapsed().as_secs_f64(),
            self.runner.name(),
        )
    }

    /// Ranges of checks whose scripts together stay below the size of a batch.
    fn batches(&self, checks: &Checks) -> Vec<(usize, usize)> {
        let mut ranges = Vec::new();
        let (mut from, mut size) = (0, 0);
        for (i, check) in checks.checks.iter().enumerate() {
            let length = checks.prelude.len() + check.commands.len();
            if i > from && size + length > BATCH_BYTES {
                ranges.push((from, i));
                (from, size) = (i, 0);
            }
            size += length;
        }
        ranges.push((from, checks.checks.len()));
        ranges
    }

    /// The answers to checks `from..to` in one process; open where it gave none.
    fn batch(&self, checks: &Checks, from: usize, to: usize) -> Vec<Status> {
        let Some(part) = checks.checks.get(from..to).filter(|part| !part.is_empty()) else {
            return Vec::new();
        };
        let script = round::script(self.runner.dialect(), checks, part);
        let Ok(answers) = self.ask(&script, self.options.seconds) else {
            return Vec::new();
        };
        // More answers than questions: it is not certain which answer belongs to which.
        if answers.len() > part.len() {
            return Vec::new();
        }
        answers.into_iter().map(status).collect()
    }

    /// One check in processes of its own, until one decides it.
    fn alone(&self, checks: &Checks, index: usize) -> Status {
        let Some(check) = checks.checks.get(index) else {
            return Status::Open("no such obligation".into());
        };
        let settings = match self.runner.dialect() {
            Dialect::Z3 => &ATTEMPTS[..],
            Dialect::Standard => &ATTEMPTS[..1],
        };
        let settings: Vec<&str> = settings
            .iter()
            .copied()
            .take(self.options.attempts.max(1))
            .collect();
        let mut last = self.attempts(&|setting| checks.one(check, setting), &settings);
        if matches!(last, Status::Open(_))
            && let Some(verbatim) = &check.verbatim
        {
            last = self.attempts(&|setting| checks.asking(verbatim, setting), &settings);
        }
        last
    }

    /// Quick attempts with every setting first, then patient ones.
    fn attempts(&self, script: &dyn Fn(&str) -> String, settings: &[&str]) -> Status {
        let mut last = Status::Open("no attempt".into());
        for seconds in [self.options.seconds / 5.0, self.options.seconds] {
            for setting in settings {
                last = match self.ask(&script(setting), seconds) {
                    Ok(answers) => match <[ScriptAnswer; 1]>::try_from(answers) {
                        Ok([answer]) => status(answer),
                        Err(_) => Status::Open("the solver gave no answer".into()),
                    },
                    Err(halt) => return Status::Open(halt.to_string()),
                };
                if is_lost(&last) || last == Status::Holds {
                    return last;
                }
            }
        }
        last
    }

    fn ask(&self, script: &str, seconds: f64) -> Result<Vec<ScriptAnswer>, Halt> {
        self.budget.spend_query()?;
        let limit = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(10));
        let limit = self
            .budget
            .remaining()
            .map_or(limit, |left| limit.min(left));
        self.runner.run(script, limit)
    }
}

/// Whether a check that was not decided can still be asked in the words of the text.
fn has_other_words(status: &Status, check: &Check) -> bool {
    matches!(status, Status::Open(_)) && check.verbatim.is_some()
}

/// Whether further attempts are in vain: it is wrong, or the solver refuses to read it.
fn is_lost(status: &Status) -> bool {
    match status {
        Status::Fails => true,
        Status::Open(why) => why.starts_with("(error"),
        Status::Holds => false,
    }
}

fn status(answer: ScriptAnswer) -> Status {
    match answer {
        ScriptAnswer::Unsat => Status::Holds,
        ScriptAnswer::Sat => Status::Fails,
        ScriptAnswer::Unknown(why) => Status::Open(why),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use foretell_kernel::{Budget, Halt, ScriptAnswer};

    use super::{Checker, Checks, Dialect, FunctionRunner};
    use crate::report::{CertifyOptions, Outcome};

    type Reply = Result<Vec<ScriptAnswer>, Halt>;

    /// The outcome of three obligations with a solver that replies in turn, the last reply for ever.
    fn outcome(replies: &[Reply]) -> (Outcome, usize) {
        let asked = RefCell::new(0);
        let function = |_: &str, _| {
            let mut n = asked.borrow_mut();
            *n += 1;
            replies[(*n - 1).min(replies.len() - 1)].clone()
        };
        let runner = FunctionRunner {
            name: "double",
            dialect: Dialect::Z3,
            function: &function,
        };
        let (options, budget) = (
            CertifyOptions::default(),
            Budget::unlimited().with_queries(100),
        );
        let mut checks = Checks::default();
        for what in ["a", "b", "c"] {
            checks.refute(what, "(assert false)\n".into());
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
        let runner = FunctionRunner {
            name: "double",
            dialect: Dialect::Standard,
            function: &function,
        };
        let (options, budget) = (
            CertifyOptions::default(),
            Budget::unlimited().with_queries(0),
        );
        let mut checks = Checks::default();
        checks.refute("a", String::new());
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
}
