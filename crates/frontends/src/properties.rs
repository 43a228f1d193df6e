//! What an input asks, question by question.

use foretell_smtlib::Sexp;
use serde::{Deserialize, Serialize};

/// A question: a property of a transition system, or a goal of clauses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// Its number: the one the file gives it, or its place among the goals, from 0.
    pub number: u64,
    /// The name the file gives it, if no other question has the same.
    pub name: Option<String>,
    /// The line it is in, from 1.
    pub line: u32,
    /// What it asks.
    pub kind: QuestionKind,
}

/// What a question asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    /// Whether a formula holds in all reachable states.
    Invariant,
    /// Whether a formula holds for ever from some state of each run on.
    Liveness,
    /// Whether a goal can be derived.
    Goal,
}

/// A goal of clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The command it comes from, counting `assert`, `rule` and `query` from 0.
    pub command: u32,
    /// The line of that command.
    pub line: u32,
    /// The name the file gives it.
    pub name: Option<String>,
    /// Its clauses, by their place among all clauses.
    pub clauses: Vec<usize>,
}

/// The questions of goals.
pub(crate) fn of_goals(goals: &[Goal]) -> Vec<Question> {
    let question = |(number, goal): (u64, &Goal)| Question {
        number,
        name: goal.name.clone(),
        line: goal.line,
        kind: QuestionKind::Goal,
    };
    unambiguous((0..).zip(goals).map(question).collect())
}

/// The same questions; a name that two of them have is nobody's.
pub(crate) fn unambiguous(mut questions: Vec<Question>) -> Vec<Question> {
    let names: Vec<Option<String>> = questions.iter().map(|q| q.name.clone()).collect();
    for question in &mut questions {
        if names.iter().filter(|name| **name == question.name).count() > 1 {
            question.name = None;
        }
    }
    questions
}

/// The name in `(! formula :named name)`.
pub(crate) fn named(formula: Sexp<'_>) -> Option<String> {
    let mut items = formula.items();
    if !items.next()?.is_word("!") {
        return None;
    }
    let rest: Vec<Sexp<'_>> = items.collect();
    let at = rest
        .iter()
        .position(|item| item.keyword() == Some(":named"))?;
    rest.get(at + 1)?.symbol().map(str::to_owned)
}
