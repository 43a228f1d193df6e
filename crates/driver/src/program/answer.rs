//! Answers about the groups of checks of a C program.

use foretell_c::print::{ContractNote, Harness, Line, LoopNote};
use foretell_c::program::{Check, Group, Program};
use foretell_c::run::{End, Run as Execution};
use foretell_kernel::VerdictKind;

use crate::check::Run;

/// How sure an `unsafe` is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// A compiled program failed in the same way.
    Executed,
    /// Our own execution failed; there was no compiler, or it could not tell.
    Replayed,
}

/// The answer for one group.
pub struct GroupAnswer {
    /// The group.
    pub group: Group,
    /// What was found.
    pub finding: Finding,
    /// The clauses that were checked, if any were.
    pub encoding: Option<String>,
    /// The runs of the engines.
    pub runs: Vec<Run>,
}

/// What was found about a group.
pub enum Finding {
    /// No check of the group can fail where no check of another group failed before.
    Safe(Box<Proved>),
    /// A check fails.
    Unsafe(Box<Refuted>),
    /// Neither is known.
    Unknown(String),
}

/// What shows that a group is safe.
#[derive(Default)]
pub struct Proved {
    /// The text that was checked; none for a group without checks.
    pub certificate: Option<String>,
    /// Invariants of the loops as ACSL.
    pub acsl: Vec<LoopNote>,
    /// Invariants of the loops as C.
    pub c: Vec<LoopNote>,
    /// Contracts of recursive functions as ACSL.
    pub contracts: Vec<ContractNote>,
}

/// What shows that a group is unsafe.
pub struct Refuted {
    /// The execution.
    pub run: Execution,
    /// It as source lines.
    pub lines: Vec<Line>,
    /// The program that fails.
    pub harness: Harness,
    /// How sure it is.
    pub confirmation: Confirmation,
}

impl Refuted {
    /// The check that is violated.
    pub fn violated<'p>(&self, program: &'p Program) -> Option<&'p Check> {
        match self.run.end {
            End::Violated(check) => Some(program.check(check)),
            _ => None,
        }
    }
}

impl Finding {
    /// The verdict in one word.
    pub fn verdict(&self) -> VerdictKind {
        match self {
            Finding::Safe(_) => VerdictKind::Safe,
            Finding::Unsafe(_) => VerdictKind::Unsafe,
            Finding::Unknown(_) => VerdictKind::Unknown,
        }
    }
}

/// The verdict on all groups: unsafe if one is, safe if all are.
pub fn overall(answers: &[GroupAnswer]) -> VerdictKind {
    let is = |kind: VerdictKind| answers.iter().any(|a| a.finding.verdict() == kind);
    if is(VerdictKind::Unsafe) {
        VerdictKind::Unsafe
    } else if is(VerdictKind::Unknown) || answers.is_empty() {
        VerdictKind::Unknown
    } else {
        VerdictKind::Safe
    }
}
