//! C programs: one group of checks after the other, answers in the words of C.
//!
//! ```text
//! check_program(program, group)
//!   a short run with guessed inputs violates a check of the group → unsafe
//!   all loops end after known numbers of rounds → clauses without loops for a part of the time
//!   annotations propose invariants → first with them as goals; safe → safe, else without them
//!   clauses ← encode(program, group, ranges of unsigned types)     // smaller, weaker constraints
//!   answer ← check(text of the clauses)                            // supervised, certified on the text
//!   safe    → the model as formulas at the loops
//!   unsafe  → its inputs, executed; a violation of the group → unsafe
//!             none → once more with the ranges of all types; none again → unknown (certificate)
//!   every unsafe is compiled with its inputs and run, where there is a compiler
//! ```
//!
//! The groups take turns (`turns.rs`); one that comes again knows what the workers of its last turn told
//! each other. A proof of the weaker clauses is a proof of the real ones, whose bodies assume more. The
//! text of the clauses is what `certify` checks; between it and C stand the front end and the encoder.

mod answer;
mod claim;
mod execute;
mod turns;
mod witness;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use foretell_c::encode::{EncodeOptions, Encoded, Ranges, encode, straight};
use foretell_c::lift::{REPLAY, inputs_of};
use foretell_c::print::{Dialect, harness, loop_notes, summaries, trace};
use foretell_c::program::Invariants;
use foretell_c::run::{Effort, End, Queues, Run as Execution, execute, probe};
use foretell_frontends::print_chc;
use foretell_kernel::VerdictKind;
use foretell_systems::Counterexample;
use foretell_terms::TermStore;

use crate::check::{Observer, Request, check};
use crate::error::Error;
use crate::portfolio::Step;
use crate::protocol::{Outcome, Shared};

pub use answer::{Confirmation, Finding, GroupAnswer, Proved, Refuted, overall};
pub use claim::{Claim, ClaimKind, ClaimedInput, read_claim, replay};
pub use execute::Compiler;
pub use foretell_c::error::{Class as ProgramClass, Located};
pub use foretell_c::print::witness::{Metadata, correctness, violation};
pub use foretell_c::print::{
    ContractNote, Line, LoopNote, annotated, bare_loops, contracts, prelude,
};
pub use foretell_c::program::{Check, CheckKind, DataModel, Group, Program};
pub use foretell_c::text::detect::looks_like_c;
pub use foretell_c::{Annotations, ClaimedInvariant, Files, Settings, read};

/// Guessed runs before anything else.
const PROBES: Effort = Effort {
    runs: 120,
    operations: 4_000_000,
    long: 12_000_000,
    until: None,
};
/// They get this part of the time.
const PROBE_PART: u32 = 8;
/// Clauses without loops get this part of it.
const STRAIGHT_PART: u32 = 3;

/// What to run for a text of clauses.
pub type Steps<'a> = dyn Fn(&[u8]) -> Result<Vec<Step>, Error> + 'a;

/// How a program is checked.
pub struct ProgramRequest<'a> {
    /// The groups, in this order.
    pub groups: &'a [Group],
    /// How clauses are checked; its bytes and steps are replaced.
    pub clauses: Request,
    /// What to run for a text of clauses.
    pub steps: &'a Steps<'a>,
    /// What compiles and runs counterexamples, if anything may.
    pub compiler: Option<Compiler>,
    /// A folder for what is compiled; it is emptied by whoever made it.
    pub folder: Option<PathBuf>,
    /// What becomes of loops.
    pub loops: Loops,
}

/// What becomes of loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loops {
    /// Those that end after a known number of rounds are executed first.
    Executed,
    /// A proof has formulas for them.
    Described,
}

/// Checks the groups of a program; tells each answer as soon as it is there.
///
/// # Errors
/// As [`check`]; what was told before stands.
pub fn check_program(
    program: &Program,
    request: &ProgramRequest<'_>,
    observer: &mut dyn Observer,
    tell: &mut dyn FnMut(&GroupAnswer),
) -> Result<Vec<GroupAnswer>, Error> {
    let end = request
        .clauses
        .limits
        .wall
        .map(|wall| Instant::now() + wall);
    let left = || end.map(|end| end.saturating_duration_since(Instant::now()));
    let plain = program.without_hints();
    let mut answers: Vec<GroupAnswer> = Vec::new();
    let mut open: Vec<Pending> = request.groups.iter().map(|&g| Pending::new(g)).collect();
    let mut round = 0;
    while !open.is_empty() {
        let mut waiting = open.into_iter();
        let mut again = Vec::new();
        while let Some(mut pending) = waiting.next() {
            let n_open = u32::try_from(waiting.len() + again.len() + 1).unwrap_or(u32::MAX);
            let share = turns::slice(round, n_open, left());
            let group = pending.answer.group;
            let checking = Checking {
                program: &plain,
                // What is proposed is proved with the assertions, so it serves them only.
                hinted: (group == Group::Assert && program.has_hints()).then_some(program),
                request,
                group,
                until: share.map(|s| Instant::now() + s),
            };
            checking.run(&mut pending, observer)?;
            let interrupted = pending.interrupted;
            if pending.is_open() && checking.is_over() && turns::is_worth(left()) {
                again.push(pending);
            } else {
                tell(&pending.answer);
                answers.push(pending.answer);
            }
            if interrupted {
                again.extend(waiting);
                stop(again, tell, &mut answers);
                return Ok(answers);
            }
        }
        open = again;
        round += 1;
    }
    answers.sort_by_key(|a| request.groups.iter().position(|&g| g == a.group));
    Ok(answers)
}

/// A signal ends all groups.
fn stop(open: Vec<Pending>, tell: &mut dyn FnMut(&GroupAnswer), answers: &mut Vec<GroupAnswer>) {
    for mut pending in open {
        pending.answer.finding = Finding::Unknown("interrupted".to_owned());
        tell(&pending.answer);
        answers.push(pending.answer);
    }
}

/// A group that is not answered yet.
struct Pending {
    answer: GroupAnswer,
    /// The constraints its clauses are tried with next.
    ranges: Ranges,
    probed: bool,
    /// Whether the clauses without loops were tried.
    executed: bool,
    /// What workers said to each other in its turns.
    shared: Vec<Shared>,
    interrupted: bool,
}

impl Pending {
    fn new(group: Group) -> Pending {
        Pending {
            answer: GroupAnswer {
                group,
                finding: Finding::Unknown("no attempt was made".to_owned()),
                encoding: None,
                runs: Vec::new(),
            },
            ranges: match group {
                Group::Overflow => Ranges::All,
                Group::Assert | Group::Memory => Ranges::Unsigned,
            },
            probed: false,
            executed: false,
            shared: Vec::new(),
            interrupted: false,
        }
    }

    fn is_open(&self) -> bool {
        !self.interrupted && self.answer.finding.verdict() == VerdictKind::Unknown
    }
}

/// One group while it is checked.
struct Checking<'a> {
    /// The program without what annotations propose.
    program: &'a Program,
    /// The program with it.
    hinted: Option<&'a Program>,
    request: &'a ProgramRequest<'a>,
    group: Group,
    until: Option<Instant>,
}

impl Checking<'_> {
    fn run(&self, pending: &mut Pending, observer: &mut dyn Observer) -> Result<(), Error> {
        if !self.program.has_group(self.group) {
            // Nothing to check: no state violates it.
            pending.answer.finding = Finding::Safe(Box::default());
            return Ok(());
        }
        if !std::mem::replace(&mut pending.probed, true) {
            let effort = Effort {
                until: self
                    .time_left()
                    .map(|left| Instant::now() + left / PROBE_PART),
                ..PROBES
            };
            if let Some(run) = probe(self.program, self.group, effort) {
                pending.answer.finding = self.confirm(run)?;
                return Ok(());
            }
        }
        if self.request.loops == Loops::Executed
            && !std::mem::replace(&mut pending.executed, true)
            && let Some(finding) = self.solve_straight(pending, observer)?
        {
            pending.answer.finding = finding;
            return Ok(());
        }
        if let Some(hinted) = self.hinted {
            let attempt = Attempt {
                program: hinted,
                ranges: Ranges::Unsigned,
                form: Form::Points,
                wall: self.time_left().map(|left| left / 2),
            };
            let found = self.solve(&attempt, pending, observer)?;
            // Only a proof or an execution counts: what is proposed may be wrong.
            if let Solved::Finding(finding @ (Finding::Safe(_) | Finding::Unsafe(_))) = found {
                pending.answer.finding = finding;
                return Ok(());
            }
        }
        loop {
            let attempt = Attempt {
                program: self.program,
                ranges: pending.ranges,
                form: Form::Points,
                wall: self.time_left(),
            };
            pending.answer.finding = match self.solve(&attempt, pending, observer)? {
                Solved::Finding(finding) => finding,
                Solved::Spurious if attempt.ranges != Ranges::All => {
                    pending.ranges = Ranges::All;
                    continue;
                }
                Solved::Spurious => Finding::Unknown(
                    "certificate: no execution follows the counterexample".to_owned(),
                ),
            };
            return Ok(());
        }
    }

    /// Tries the clauses without loops; `None` where nothing comes of them.
    fn solve_straight(
        &self,
        pending: &mut Pending,
        observer: &mut dyn Observer,
    ) -> Result<Option<Finding>, Error> {
        let mut ranges = pending.ranges;
        let until = self
            .time_left()
            .map(|left| Instant::now() + left / STRAIGHT_PART);
        loop {
            let attempt = Attempt {
                program: self.program,
                ranges,
                form: Form::Straight,
                wall: until.map(|until| until.saturating_duration_since(Instant::now())),
            };
            let found = self.solve(&attempt, pending, observer)?;
            // What workers shared is about other predicates.
            pending.shared.clear();
            match found {
                Solved::Finding(finding @ (Finding::Safe(_) | Finding::Unsafe(_))) => {
                    return Ok(Some(finding));
                }
                Solved::Spurious if ranges != Ranges::All => ranges = Ranges::All,
                _ => return Ok(None),
            }
        }
    }

    /// Whether its slice is over, or so nearly that nothing can come of the rest.
    fn is_over(&self) -> bool {
        !turns::is_worth(self.time_left())
    }

    fn time_left(&self) -> Option<Duration> {
        self.until
            .map(|until| until.saturating_duration_since(Instant::now()))
    }

    /// Solves the clauses of the group.
    fn solve(
        &self,
        attempt: &Attempt<'_>,
        pending: &mut Pending,
        observer: &mut dyn Observer,
    ) -> Result<Solved, Error> {
        let terms = TermStore::new();
        let options = EncodeOptions {
            group: self.group,
            ranges: attempt.ranges,
        };
        let encoded = match attempt.form {
            Form::Points => Some(encode(attempt.program, options, &terms)),
            Form::Straight => straight(attempt.program, options, &terms),
        };
        let Some(encoded) = encoded else {
            let words = "a loop does not end by itself";
            return Ok(Solved::Finding(Finding::Unknown(words.to_owned())));
        };
        let text = print_chc(&terms, &encoded.system);
        let mut request = self.request.clauses.clone();
        request.bytes = text.clone().into_bytes();
        request.steps = (self.request.steps)(text.as_bytes())?;
        request.limits.wall = attempt.wall;
        request.common.model = true;
        if !pending.shared.is_empty() {
            // What was shared begins with the hints of the request.
            request.hints.clone_from(&pending.shared);
        }
        pending.answer.encoding = Some(text);
        let report = check(&request, observer)?;
        pending.answer.runs.extend(report.runs);
        pending.shared = report.shared;
        pending.interrupted |= report.interrupted;
        let outcome = report.settled.into_iter().next().map(|s| s.outcome);
        let cex = outcome.as_ref().and_then(Outcome::counterexample);
        Ok(match outcome {
            Some(Outcome::Safe { certificate, model }) => {
                let found = model
                    .and_then(|m| witness::invariants(self.program, &encoded, &terms, &m.text));
                let proved = self.proved(certificate, found.as_ref());
                Solved::Finding(Finding::Safe(Box::new(proved)))
            }
            Some(Outcome::Unsafe { .. }) => match cex {
                Some(cex) => self.executed(&encoded, &terms, &cex)?,
                None => Solved::Spurious,
            },
            Some(Outcome::Unknown { reason, .. }) => Solved::Finding(Finding::Unknown(reason)),
            None => Solved::Finding(Finding::Unknown("no engine answered".to_owned())),
        })
    }

    fn proved(&self, certificate: String, found: Option<&(Invariants, TermStore)>) -> Proved {
        let notes = |dialect| {
            found.map_or_else(Vec::new, |(inv, terms)| {
                loop_notes(self.program, inv, terms, dialect)
            })
        };
        let contracts = found.map(|(inv, terms)| summaries(self.program, inv, terms));
        Proved {
            contracts: contracts.unwrap_or_default(),
            certificate: Some(certificate),
            acsl: notes(Dialect::Acsl),
            c: notes(Dialect::C),
        }
    }

    /// Runs the program on the inputs of a counterexample of its clauses.
    fn executed(
        &self,
        encoded: &Encoded,
        terms: &TermStore,
        cex: &Counterexample,
    ) -> Result<Solved, Error> {
        let inputs = inputs_of(&witness::views(encoded, terms, cex));
        let run = execute(self.program, &mut Queues::new(&inputs), REPLAY);
        match run.end {
            End::Violated(check) if self.program.check(check).kind.group() == self.group => {
                self.confirm(run).map(Solved::Finding)
            }
            _ => Ok(Solved::Spurious),
        }
    }

    /// Has a compiled program fail like a run did.
    fn confirm(&self, run: Execution) -> Result<Finding, Error> {
        let harness = harness(self.program, &run);
        let (compiler, folder) = (&self.request.compiler, &self.request.folder);
        let confirmation = match (compiler, folder) {
            (Some(compiler), Some(folder)) => {
                execute::confirm(self.program, &run, &harness, compiler, folder)?
            }
            _ => Some(Confirmation::Replayed),
        };
        let Some(confirmation) = confirmation else {
            let words = "certificate: the compiled program does not fail";
            return Ok(Finding::Unknown(words.to_owned()));
        };
        let lines = trace(self.program, &run);
        Ok(Finding::Unsafe(Box::new(Refuted {
            run,
            lines,
            harness,
            confirmation,
        })))
    }
}

/// What is solved, and how long.
struct Attempt<'a> {
    program: &'a Program,
    ranges: Ranges,
    form: Form,
    wall: Option<Duration>,
}

/// How a program becomes clauses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A predicate for each point.
    Points,
    /// Without loops: those that are there end after known numbers of rounds.
    Straight,
}

/// What became of an attempt.
enum Solved {
    Finding(Finding),
    /// A counterexample that no execution follows.
    Spurious,
}
