//! Obligations as scripts for a solver with its own parser.
//!
//! ```text
//! Discharge(prelude, checks):
//!   many small checks: several to one question first (batch.rs)
//!   a first look: each check in a scope of one solver, with little work (scopes.rs)
//!   then by the parts of their conclusion (parts.rs), and
//!   first round: what is left to one process, with a new solver for each, so that no two checks share
//!                solver state (round.rs); answers belong to the checks in order; where the process
//!                ends early, another one goes on behind the check it ended at
//!   then, for each check without an answer: a fresh process per attempt, other settings each time
//!   a check holds only on `unsat`; `sat` fails it; everything else leaves it open
//! ```
//!
//! A check asserts the negation of what must hold, and nothing but declarations and definitions
//! precedes it. What a solver says after an error counts for nothing: some guess what a wrong
//! command may have meant, and `unsat` of a guess proves nothing. Runners see to that.

use std::time::{Duration, Instant};

use foretell_kernel::{Budget, Cx, Halt, ScriptAnswer};

use crate::report::{CertifyOptions, CheckReport, Obligation, Refusal, Status};
use crate::text::parts::{self, Ask};
use crate::text::sexpr::Document;
use crate::text::{batch, round, scopes, skolem};

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

    /// The next script will begin like this, if nothing comes between.
    fn expect(&self, _head: &str) {}

    /// The solver's name for reports.
    fn name(&self) -> &str;

    /// Which options it understands.
    fn dialect(&self) -> Dialect;
}

/// The script solver of a context.
impl ScriptRunner for Cx<'_> {
    fn run(&self, script: &str, limit: Duration) -> Result<Vec<ScriptAnswer>, Halt> {
        self.oracles.script(script, limit)
    }

    fn expect(&self, head: &str) {
        self.oracles.expect(head);
    }

    fn name(&self) -> &str {
        "z3"
    }

    fn dialect(&self) -> Dialect {
        Dialect::Z3
    }
}

/// One obligation: what must hold, in words, and the assertions that are satisfiable if it fails.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// What must hold.
    pub what: String,
    /// The constants it is about: names, and commands that declare them.
    pub constants: Vec<(String, String)>,
    /// The assertions, after what else they need.
    pub commands: String,
    /// What `commands` asserts, where it is one formula.
    pub(crate) formula: Option<String>,
    /// Whether `commands` declares anything.
    pub(crate) declares: Declares,
    /// The same obligation in the words of the text, where `commands` differs from them; asked when
    /// `commands` gets no answer.
    pub(crate) verbatim: Option<String>,
}

/// What the commands of a check declare or define.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Declares {
    /// Nothing.
    Nothing,
    /// Perhaps something.
    More,
}

/// Obligations with the declarations they share.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// Declarations and definitions.
    pub(crate) prelude: String,
    /// The obligations.
    pub(crate) checks: Vec<Check>,
    /// What must hold besides, and does so by its words.
    pub(crate) plain: Vec<String>,
}

impl Checks {
    /// Adds an obligation: `commands` must be unsatisfiable.
    pub(crate) fn refute(&mut self, what: impl Into<String>, declares: Declares, commands: String) {
        self.checks.push(Check {
            what: what.into(),
            constants: Vec::new(),
            commands,
            formula: None,
            declares,
            verbatim: None,
        });
    }

    /// Adds obligations over what the prelude declares: words, and a closed formula that must be
    /// valid.
    pub(crate) fn prove(
        &mut self,
        formulas: impl Iterator<Item = Result<(String, String), Refusal>>,
    ) -> Result<(), Refusal> {
        let doc = Document::read(&self.prelude).map_err(|e| Refusal::witness(&e))?;
        let declared = skolem::declared(&doc);
        let formulas = formulas.collect::<Result<Vec<_>, Refusal>>()?;
        let texts = formulas.iter().map(|(_, formula)| formula.as_str());
        let mut names = skolem::Names::new(texts.chain([self.prelude.as_str()]));
        for (what, formula) in formulas {
            let asserted = |formula: &str| format!("(assert {formula})\n");
            let verbatim = format!("(not {formula})");
            let (constants, formula, verbatim) =
                match skolem::negated(&declared, &formula, &mut names) {
                    Some((constants, negated)) => (constants, negated, Some(asserted(&verbatim))),
                    None => (Vec::new(), verbatim, None),
                };
            self.checks.push(Check {
                what,
                constants,
                commands: asserted(&formula),
                formula: Some(formula),
                declares: Declares::Nothing,
                verbatim,
            });
        }
        Ok(())
    }

    /// The scripts of the obligations, ready to be sent to any solver.
    pub fn scripts(&self) -> impl Iterator<Item = String> {
        self.checks.iter().map(|check| self.one(check, ""))
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

/// Checks that do not wait long for each other.
const FEW: usize = 3;
/// The part of its time that a check may take in the first round, the part where few wait for each other, and
/// the part where these have nothing else to wait for.
const GLANCE: f64 = 0.4;
const CALM: f64 = 0.7;
const PATIENT: f64 = 0.9;

/// So many bytes of a script are read within a second, whatever is asked in them.
const BYTES_PER_SECOND: f64 = 1e6;

/// In whose words a check is asked.
#[derive(Clone, Copy)]
enum Words<'c> {
    /// As `commands` says it.
    Ours,
    /// As the text says it: these commands.
    Text(&'c str),
}

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

impl<'a> Checker<'a> {
    /// A checker with the solver and the budget of a context.
    pub fn new(options: &'a CertifyOptions, cx: &'a Cx<'a>) -> Checker<'a> {
        Checker {
            runner: cx,
            options,
            budget: cx.budget,
        }
    }

    /// Decides all obligations.
    pub(crate) fn discharge(&self, checks: &Checks) -> CheckReport {
        let started = Instant::now();
        let mut statuses = self.first_round(checks);
        // One obligation that fails or is not understood decides: the others need no attempts.
        let mut lost = statuses
            .iter()
            .zip(&checks.checks)
            .any(|(s, c)| is_lost(s) && !has_other_words(s, c));
        for (status, check) in statuses.iter_mut().zip(&checks.checks) {
            if matches!(status, Status::Open(_)) && !lost {
                *status = self.alone(checks, check);
                lost = is_lost(status);
            }
        }
        self.report(checks, statuses, started)
    }

    /// Asks every obligation once, without further attempts for open ones.
    pub(crate) fn glance(&self, checks: &Checks) -> CheckReport {
        let started = Instant::now();
        let statuses = self.first_round(checks);
        self.report(checks, statuses, started)
    }

    fn report(&self, checks: &Checks, statuses: Vec<Status>, started: Instant) -> CheckReport {
        let asked = checks.checks.iter().map(|check| &check.what).zip(statuses);
        let plain = checks.plain.iter().map(|what| (what, Status::Holds));
        let obligations = plain.chain(asked).map(|(what, status)| Obligation {
            what: what.clone(),
            status,
        });
        let solver = match checks.plain.is_empty() {
            true => self.runner.name().to_owned(),
            false => format!("reading, {}", self.runner.name()),
        };
        CheckReport::of(
            obligations.collect(),
            started.elapsed().as_secs_f64(),
            &solver,
        )
    }

    /// The answers to all checks: small ones together first, if there are many of them, and what that
    /// leaves open one by one.
    fn first_round(&self, checks: &Checks) -> Vec<Status> {
        let Some(joined) = batch::join(checks).filter(|_| self.runner.dialect() == Dialect::Z3)
        else {
            return self.looked_at(checks);
        };
        let mut statuses: Vec<Option<Status>> = vec![None; checks.checks.len()];
        let answers = self.round(&joined.questions);
        let all_hold = answers.iter().zip(&joined.members);
        for (_, members) in all_hold.filter(|(answer, _)| **answer == Status::Holds) {
            members
                .iter()
                .for_each(|&n| statuses[n] = Some(Status::Holds));
        }
        completed(checks, statuses, |rest| self.looked_at(rest))
    }

    /// The answers to all checks: in scopes of one solver first, and what that leaves open with solvers of
    /// their own.
    fn looked_at(&self, checks: &Checks) -> Vec<Status> {
        let mut statuses: Vec<Option<Status>> = vec![None; checks.checks.len()];
        let look = scopes::script(checks).filter(|_| self.runner.dialect() == Dialect::Z3);
        if let Some((script, asked)) = look {
            let reading = script.len() as f64 / BYTES_PER_SECOND;
            let seconds = self.options.seconds * GLANCE + reading;
            let answers = self.ask(&script, seconds).unwrap_or_default();
            for (number, answer) in scopes::decided(&asked, answers) {
                statuses[number] = Some(status(answer));
            }
        }
        completed(checks, statuses, |rest| self.parted(rest))
    }

    /// The answers to all checks: by the parts of their conclusion, and what that leaves open as they are.
    fn parted(&self, checks: &Checks) -> Vec<Status> {
        let mut statuses: Vec<Option<Status>> = vec![None; checks.checks.len()];
        if self.runner.dialect() == Dialect::Z3 {
            let worth = self.held(parts::script(checks, Ask::First));
            for number in self.held(parts::script(checks, Ask::All(&worth))) {
                statuses[number] = Some(Status::Holds);
            }
        }
        completed(checks, statuses, |rest| self.round(rest))
    }

    /// The obligations of which all questions asked have the answer that they hold.
    fn held(&self, asked: Option<parts::Asked>) -> Vec<usize> {
        let Some(asked) = asked else {
            return Vec::new();
        };
        let reading = asked.script.len() as f64 / BYTES_PER_SECOND;
        let seconds = self.options.seconds * GLANCE + reading;
        let answers = self.ask(&asked.script, seconds).unwrap_or_default();
        asked.held(&answers)
    }

    /// The answers to all checks, in as few processes as possible; open where there was none.
    fn round(&self, checks: &Checks) -> Vec<Status> {
        let open = || Status::Open("no answer".into());
        let mut statuses: Vec<Status> = Vec::with_capacity(checks.checks.len());
        let (mut seconds, each) = self.first_limits(checks);
        while let rest @ [_, ..] = &checks.checks[statuses.len()..] {
            let dialect = self.runner.dialect();
            let (script, posed) = round::script(dialect, checks, rest, limit(each));
            let end = statuses.len() + posed;
            let reading = script.len() as f64 / BYTES_PER_SECOND;
            let answers = self.ask(&script, seconds + reading).unwrap_or_default();
            // More answers than questions: it is not certain which answer belongs to which.
            let answered = Some(answers.len()).filter(|&n| n <= posed).unwrap_or(0);
            statuses.extend(answers.into_iter().take(answered).map(status));
            if answered == 0 {
                statuses.resize(end, open());
            } else if answered < posed {
                statuses.push(open());
                seconds = each;
            }
        }
        statuses
    }

    /// The seconds of the first round, and of each check in it while others wait. Of a few checks without
    /// quantifiers none has better words or settings to wait for. A few with quantifiers may be
    /// slow, or asked in the wrong words.
    fn first_limits(&self, checks: &Checks) -> (f64, f64) {
        let seconds = self.options.seconds;
        let quantified = |text: &str| text.contains("(forall ") || text.contains("(exists ");
        let few = checks.checks.len() <= FEW;
        let plain = !quantified(&checks.prelude)
            && !checks
                .checks
                .iter()
                .any(|check| quantified(&check.commands));
        match (few, plain) {
            (true, true) => {
                let each = seconds * PATIENT;
                (each * checks.checks.len() as f64, each)
            }
            (true, false) => (seconds, seconds * CALM),
            (false, _) => (seconds, seconds * GLANCE),
        }
    }

    /// One check in processes of its own, until one decides it.
    fn alone(&self, checks: &Checks, check: &Check) -> Status {
        let mut last = Status::Open("no attempt".into());
        for (words, setting, seconds) in self.ways(check) {
            let script = match words {
                Words::Ours => checks.one(check, setting),
                Words::Text(words) => checks.asking(words, setting),
            };
            last = match self.ask(&script, seconds) {
                Ok(answers) => match <[ScriptAnswer; 1]>::try_from(answers) {
                    Ok([answer]) => status(answer),
                    Err(_) => Status::Open("the solver gave no answer".into()),
                },
                Err(halt) => return Status::Open(halt.to_string()),
            };
            // What the solver refuses to read may be readable in other words.
            let vain = is_lost(&last) && !has_other_words(&last, check);
            if last == Status::Holds || vain {
                return last;
            }
        }
        last
    }

    /// How a check is asked, with settings and seconds: in the words of the text, because a procedure for
    /// quantifiers may like these and not ours, then again in ours; under other settings, quickly; then
    /// everything once more, patiently.
    fn ways<'c>(&self, check: &'c Check) -> Vec<(Words<'c>, &'static str, f64)> {
        let settings = match self.runner.dialect() {
            Dialect::Z3 => &ATTEMPTS[..],
            Dialect::Standard => &ATTEMPTS[..1],
        };
        let settings = &settings[..self.options.attempts.clamp(1, settings.len())];
        let (whole, quick) = (self.options.seconds, self.options.seconds / 5.0);
        let words = || {
            let text = check.verbatim.as_deref().map(Words::Text);
            text.into_iter().chain([Words::Ours])
        };
        let mut ways = Vec::new();
        for (n, setting) in settings.iter().enumerate() {
            ways.extend(words().map(|words| match words {
                Words::Ours if n == 0 => (words, *setting, whole / 2.0),
                _ => (words, *setting, quick),
            }));
        }
        for setting in settings {
            ways.extend(words().map(|words| (words, *setting, whole)));
        }
        ways
    }

    fn ask(&self, script: &str, seconds: f64) -> Result<Vec<ScriptAnswer>, Halt> {
        self.budget.spend_query()?;
        let limit = limit(seconds);
        let limit = self
            .budget
            .remaining()
            .map_or(limit, |left| limit.min(left));
        self.runner.run(script, limit)
    }
}

/// The answers that are known, and those to the other checks.
fn completed(
    checks: &Checks,
    known: Vec<Option<Status>>,
    ask: impl FnOnce(&Checks) -> Vec<Status>,
) -> Vec<Status> {
    let open = checks.checks.iter().zip(&known);
    let open = open.filter(|(_, status)| status.is_none());
    let rest = Checks {
        checks: open.map(|(check, _)| check.clone()).collect(),
        prelude: checks.prelude.clone(),
        plain: Vec::new(),
    };
    let mut rest = ask(&rest).into_iter();
    let none = || Status::Open("no answer".into());
    let given = |known: Option<Status>| known.or_else(|| rest.next()).unwrap_or_else(none);
    known.into_iter().map(given).collect()
}

fn limit(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(10))
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
mod tests;
