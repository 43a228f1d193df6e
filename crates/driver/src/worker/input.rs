//! An input as a worker reads it: the problem with the property that is asked for.

use foretell_certify::{ChosenGoal, replay_trace};
use foretell_frontends::{
    Format, FreeSymbols, Goal, Problem, Question, QuestionKind, end_of_script, read,
};
use foretell_systems::{ChcSystem, Derivation, Property, Trace, TransitionSystem};
use foretell_terms::{Term, TermStore};

use crate::protocol::{Ask, Reading, Refusal};

/// An input that was read.
pub struct ReadInput<'t> {
    /// The original text.
    pub text: &'t str,
    /// The problem, with the chosen property.
    pub problem: Rung,
    /// What the input turned out to be.
    pub reading: Reading,
    /// Its goals, and the formulas of its properties.
    parts: Parts,
}

/// What tells which of several questions a counterexample answers.
#[derive(Default)]
struct Parts {
    goals: Vec<Goal>,
    properties: Vec<(u64, Term)>,
}

/// The rung of the ladder an input enters on.
pub enum Rung {
    /// Horn clauses, what they leave open, and the goal they have when the text has others too.
    Clauses(ChcSystem, FreeSymbols, Option<ChosenGoal>),
    /// A transition system and which of the text's properties it has.
    System(TransitionSystem, Property),
}

/// Reads an input and chooses the property.
///
/// # Errors
/// The located reasons for which it was refused.
pub fn read_input<'t>(
    bytes: &'t [u8],
    ask: &Ask,
    terms: &TermStore,
) -> Result<ReadInput<'t>, Refusal> {
    let input = read(bytes, terms).map_err(Refusal::Input)?;
    // `read` accepts only UTF-8.
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let reading = Reading {
        format: input.format,
        questions: input.questions,
        asks_model: input.asks_model,
        warnings: input.warnings,
    };
    let property = choose(ask, &reading)?;
    let mut parts = Parts::default();
    let problem = match input.problem {
        Problem::Chc(system) => {
            let (system, goal) = with_goal(system, &input.goals, property);
            parts.goals = input.goals;
            Rung::Clauses(system, input.free_symbols, goal)
        }
        Problem::Vmt { system, properties } => {
            let rung = with_property(system, &properties, property);
            parts.properties = properties;
            rung
        }
    };
    Ok(ReadInput {
        text,
        problem,
        reading,
        parts,
    })
}

impl ReadInput<'_> {
    /// The text with commands added to its end, before `(exit)`.
    pub(crate) fn with_commands(&self, commands: &str) -> String {
        let (before, after) = self.text.split_at(end_of_script(self.text));
        format!("{before}\n{commands}\n{after}")
    }

    /// The rules of clauses, without goals.
    pub(crate) fn rules(&self, system: &ChcSystem) -> (ChcSystem, ChosenGoal) {
        let mut rules = system.clone();
        rules.clauses.retain(|clause| clause.head.is_some());
        let goals = self.parts.goals.iter();
        let dropped = goals.map(|goal| (goal.command, goal.line)).collect();
        let kept = None;
        (rules, ChosenGoal { kept, dropped })
    }

    /// The goal whose clause ends a derivation; of a system that has all of them.
    pub(super) fn derived(&self, derivation: &Derivation) -> Vec<u64> {
        let last = derivation.steps.last().map(|step| step.clause.index());
        let numbered = (0..).zip(&self.parts.goals);
        let ends = |(_, goal): &(u64, &Goal)| last.is_some_and(|l| goal.clauses.contains(&l));
        numbered.filter(ends).map(|(number, _)| number).collect()
    }

    /// The properties that the last state of a run violates.
    pub(super) fn violated(
        &self,
        system: &TransitionSystem,
        trace: &Trace,
        terms: &TermStore,
    ) -> Vec<u64> {
        let violates = |formula: Term| {
            let mut one = system.clone();
            one.property = formula;
            replay_trace(terms, &one, trace).outcome.is_accepted()
        };
        let properties = self.parts.properties.iter();
        properties.filter(|p| violates(p.1)).map(|p| p.0).collect()
    }
}

/// The property that is asked for, among those that engines check.
fn choose(ask: &Ask, reading: &Reading) -> Result<Property, Refusal> {
    let checked = |q: &&Question| q.kind != QuestionKind::Liveness;
    let mut questions = reading.questions.iter().filter(checked);
    // Clauses without a goal are safe; a system that asks only for liveness is no worker's business.
    let has_some = reading.questions.iter().any(|q| checked(&q));
    let is_vmt = reading.format == Format::Vmt;
    let number = |q: &Question| Property::Number(q.number);
    let (found, asked) = match ask {
        Ask::One(Property::All) if has_some => return Ok(Property::All),
        Ask::Natural if has_some && !reading.wants_each() => return Ok(Property::All),
        Ask::One(Property::All) | Ask::Natural | Ask::First if !has_some && !is_vmt => {
            return Ok(Property::All);
        }
        Ask::One(Property::All) | Ask::Natural | Ask::First => (questions.next(), "all".to_owned()),
        Ask::One(Property::Number(n)) => (questions.find(|q| q.number == *n), n.to_string()),
        Ask::Named(name) => {
            let named = questions.find(|q| q.name.as_ref() == Some(name));
            (named, format!("`{name}`"))
        }
    };
    found.map(number).ok_or_else(|| {
        let known = reading.questions.iter().filter(checked);
        let known = known.map(|q| match &q.name {
            Some(name) => format!("{} (`{name}`)", q.number),
            None => q.number.to_string(),
        });
        let known = known.collect();
        Refusal::NoSuchProperty { asked, known }
    })
}

/// The clauses with one goal only, when one of several is asked for.
fn with_goal(
    mut system: ChcSystem,
    goals: &[Goal],
    property: Property,
) -> (ChcSystem, Option<ChosenGoal>) {
    let chosen = match property {
        Property::Number(n) if goals.len() > 1 => usize::try_from(n).ok(),
        Property::Number(_) | Property::All => None,
    };
    let Some((at, goal)) = chosen.and_then(|n| Some((n, goals.get(n)?))) else {
        return (system, None);
    };
    let mut numbers = 0..system.clauses.len();
    let other = |n| {
        goals
            .iter()
            .enumerate()
            .any(|(i, g)| i != at && g.clauses.contains(&n))
    };
    system
        .clauses
        .retain(|_| !numbers.next().is_some_and(other));
    let place = |goal: &Goal| (goal.command, goal.line);
    let others = goals.iter().enumerate().filter(|(i, _)| *i != at);
    let dropped = others.map(|(_, goal)| place(goal)).collect();
    let kept = Some(place(goal));
    (system, Some(ChosenGoal { kept, dropped }))
}

fn with_property(
    mut system: TransitionSystem,
    properties: &[(u64, Term)],
    property: Property,
) -> Rung {
    let chosen = properties
        .iter()
        .find(|p| property == Property::Number(p.0));
    if let Some(&(_, formula)) = chosen {
        system.property = formula;
    }
    Rung::System(system, property)
}
