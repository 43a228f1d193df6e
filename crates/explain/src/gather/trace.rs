//! How a bad state is reached: steps, what changed, which values matter, and the formula that decides.

use foretell_certify::cex;
use foretell_driver::worker::input::{Rung, read_input};
use foretell_driver::{Ask, Counterexample};
use foretell_systems::plain::{Plain, PlainFact, PlainState, PlainStep, Tables, Values};
use foretell_systems::{ChcSystem, Derivation, Trace as Run, TransitionSystem};
use foretell_terms::eval::Assignment;
use foretell_terms::{Term, TermStore};

use super::steps::{Draft, rows};
use super::words::{Commands, Scope};
use super::{MOST_READ, parameters, tree};
use crate::model::{Choices, Role, Row, Step, Trace, TraceKind};
use crate::relevant::derivation::{DerivationPlay, StepPlayed};
use crate::relevant::run::{Chosen, RunPlay, StatePlayed};
use crate::relevant::{Places, Player};
use crate::values::{cells, listed};

/// Longer counterexamples are shown as they are.
const MOST_PLAYED: usize = 400;
/// Longer texts of clauses are cut.
const MOST_SOURCE: usize = 600;

/// A counterexample to an input. The certificate alone is shown where more cannot be found out.
pub(super) fn trace(certificate: &str, text: &[u8], ask: Ask) -> Trace {
    let mut trace = Trace {
        certificate: certificate.to_owned(),
        cause: "The steps below lead to a state that violates the property.".to_owned(),
        ..Trace::default()
    };
    let Ok(plain) = cex::read(certificate) else {
        return trace;
    };
    let terms = TermStore::new();
    let ask = asked(&plain).unwrap_or(ask);
    let small = text.len() <= MOST_READ;
    let input = small.then(|| read_input(text, &ask, &terms).ok()).flatten();
    let source = std::str::from_utf8(text).unwrap_or_default();
    let commands = Commands::of(if small { source } else { "" });
    let input = input.as_ref();
    match &plain {
        Counterexample::Derivation {
            steps, functions, ..
        } => {
            trace.kind = TraceKind::Derivation;
            trace.constants = tables(functions);
            let empty = ChcSystem::default();
            let system = match input.map(|input| &input.problem) {
                Some(Rung::Clauses(system, ..)) => system,
                _ => &empty,
            };
            let known = Derived {
                terms: &terms,
                system,
                names: &input.map_or_else(Vec::new, |input| parameters(input, &terms)),
                derivation: cex::read_derivation(&terms, system, certificate).ok(),
            };
            known.fill(&mut trace, steps, &commands);
        }
        Counterexample::Run {
            states,
            rigid,
            functions,
            property,
            ..
        } => {
            trace.constants = constants(&terms, rigid);
            trace.constants.extend(tables(functions));
            match input.map(|input| &input.problem) {
                Some(Rung::System(system, own)) => {
                    let property = property.unwrap_or(*own);
                    let run = cex::read_trace(&terms, system, certificate, property);
                    run_steps(&terms, system, run.ok().as_ref(), states, &mut trace);
                }
                _ => trace.steps = plain_states(&terms, states),
            }
        }
    }
    trace.n_steps = trace.steps.len();
    trace
}

/// The property that a counterexample names.
fn asked(plain: &Counterexample) -> Option<Ask> {
    match plain {
        Counterexample::Run { property, .. } => property.map(Ask::One),
        Counterexample::Derivation { .. } => None,
    }
}

fn constants(terms: &TermStore, values: &Values) -> Vec<Row> {
    let draft = |(name, plain): (&String, &Plain)| Draft::new(name, Role::State, plain.clone());
    let drafts = vec![values.iter().map(draft).collect()];
    rows(terms, &drafts, &|_| None).remove(0)
}

fn tables(functions: &Tables) -> Vec<Row> {
    let row = |(name, table): (&String, &foretell_systems::plain::Table)| Row {
        name: name.clone(),
        value: cells(table),
        ..Row::default()
    };
    functions.iter().map(row).collect()
}

/// A derivation, with what is known about its clauses.
struct Derived<'a> {
    terms: &'a TermStore,
    system: &'a ChcSystem,
    names: &'a [(String, Scope)],
    derivation: Option<Derivation>,
}

impl Derived<'_> {
    fn fill(&self, trace: &mut Trace, steps: &[PlainStep], commands: &Commands<'_>) {
        let played = self.played();
        let mut drafts: Vec<Vec<Draft>> = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let own = played.as_ref().and_then(|(_, list)| list.get(number));
            if let Some(own) = own {
                self.note_reads(step, own, &mut drafts);
            }
            let new = self.values(number, step, own, &drafts);
            drafts.push(new);
        }
        let before = |number: usize| steps[number].premises.first().copied();
        let rows = rows(self.terms, &drafts, &before);
        let made = steps.iter().zip(rows).enumerate();
        trace.steps = made
            .map(|(number, (step, values))| Step {
                number,
                title: fact(step.derives.as_ref()),
                line: step.line,
                source: step.line.and_then(|l| commands.at(l)).map(cut),
                premises: step.premises.clone(),
                values,
            })
            .collect();
        if let Some((places, _)) = &played {
            let (all, matter) = places.counts();
            trace.choices = Some(Choices { matter, all });
        }
        if let Some((cause, failing)) = self.cause(steps) {
            trace.cause = cause;
            trace.failing = failing;
        }
    }

    /// The play with as few known values as will do.
    fn played(&self) -> Option<(Places, Vec<StepPlayed>)> {
        let derivation = self.derivation.as_ref()?;
        if derivation.steps.len() > MOST_PLAYED {
            return None;
        }
        let (play, places) = DerivationPlay::new(self.terms, self.system, derivation)?;
        let player = Player::new(self.terms, places.counts().0);
        let minimal = places.minimal(|places| play.play(places, &player).is_some())?;
        // The last play is not counted: it only shows what was found.
        let player = Player::new(self.terms, minimal.counts().0);
        let steps = play.play(&minimal, &player)?;
        Some((minimal, steps))
    }

    /// The arguments of the derived fact, and what else was chosen.
    fn values(
        &self,
        number: usize,
        step: &PlainStep,
        own: Option<&StepPlayed>,
        before: &[Vec<Draft>],
    ) -> Vec<Draft> {
        let mut drafts = Vec::new();
        let is_first = step.premises.is_empty();
        if let Some(fact) = &step.derives {
            let names = self.names.iter().find(|(name, _)| *name == fact.predicate);
            for (place, plain) in fact.arguments.iter().enumerate() {
                let name = names.and_then(|(_, scope)| scope.get(place));
                let name = name.map_or_else(|| format!("argument {place}"), |(n, _)| n.clone());
                let mut draft = Draft::new(name.trim_matches('|'), Role::State, plain.clone());
                let part = own.and_then(|own| own.fact.get(place)).cloned();
                let chosen = match is_first && self.is_chosen(number, place) {
                    true => Chosen::Yes,
                    false => Chosen::No,
                };
                draft.part = part.map(|part| (part, chosen));
                drafts.push(draft);
            }
        }
        for &premise in step.premises.iter().filter(|_| step.derives.is_none()) {
            for draft in before.get(premise).into_iter().flatten() {
                let mut draft = draft.clone();
                draft.role = Role::State;
                draft.part = draft.part.map(|(part, _)| (part, Chosen::No));
                if step.premises.len() > 1 {
                    draft.name += &format!(" (step {premise})");
                }
                drafts.push(draft);
            }
        }
        let taken: Vec<String> = drafts.iter().map(|d| d.name.clone()).collect();
        let chosen = |name: &str| {
            let own = own.map(|own| own.chosen.iter());
            own.and_then(|mut l| l.find(|(v, _)| self.terms.var_name(*v) == name))
        };
        for (name, plain) in &step.values {
            let part = chosen(name).map(|(_, part)| (part.clone(), Chosen::Yes));
            let unplayed = own.is_none() && step.derives.is_none() && !taken.contains(name);
            let head = step.derives.is_some() && taken.contains(name);
            if head || !(unplayed || part.is_some()) {
                continue;
            }
            let mut draft = Draft::new(name, Role::Input, plain.clone());
            if taken.contains(name) {
                draft.name += " (chosen here)";
            }
            draft.part = part;
            drafts.push(draft);
        }
        drafts
    }

    /// Whether an argument of a fact's head is a variable that was chosen in this step.
    fn is_chosen(&self, number: usize, place: usize) -> bool {
        let step = self.derivation.as_ref().and_then(|d| d.steps.get(number));
        let clause = step.and_then(|s| self.system.clauses.get(s.clause.index()));
        let head = clause.and_then(|c| c.head.as_ref());
        let arg = head.and_then(|h| h.args.get(place));
        arg.is_some_and(|&arg| self.terms.as_var(arg).is_some())
    }

    /// Marks the cells of premises that a step reads.
    fn note_reads(&self, step: &PlainStep, own: &StepPlayed, drafts: &mut [Vec<Draft>]) {
        let Some(clause) = self.system.clauses.get(step.clause as usize) else {
            return;
        };
        for (var, at) in &own.reads {
            for (atom, &premise) in clause.body.iter().zip(&step.premises) {
                let place = atom.args.iter().position(|arg| arg == var);
                let draft = place.and_then(|p| drafts.get_mut(premise)?.get_mut(p));
                if let Some(draft) = draft {
                    draft.read(self.terms, at);
                }
            }
        }
    }

    /// The sentence, and the constraint of the query with its values.
    fn cause(&self, steps: &[PlainStep]) -> Option<(String, Option<crate::model::Node>)> {
        let (last, plain) = (self.derivation.as_ref()?.steps.last()?, steps.last()?);
        let clause = self.system.clauses.get(last.clause.index())?;
        let mut values = last.values.clone();
        values
            .functions
            .clone_from(&self.derivation.as_ref()?.functions.functions);
        let node = tree::tree(self.terms, clause.constraint, &values);
        let facts = plain
            .premises
            .iter()
            .filter_map(|&p| steps.get(p)?.derives.as_ref());
        let facts: Vec<String> = facts
            .map(|f| format!("`{}`", short(&fact(Some(f)), 160)))
            .collect();
        let line = plain
            .line
            .map_or_else(String::new, |l| format!(" in line {l}"));
        let begin = match facts.as_slice() {
            [] => format!("The query{line} holds without any fact"),
            some => {
                let n = steps.len() - 1;
                let holds = if some.len() == 1 { "holds" } else { "hold" };
                let count = if n == 1 {
                    "1 step".to_owned()
                } else {
                    format!("{n} steps")
                };
                format!(
                    "After {count} {} {holds}, and the query{line} is met",
                    some.join(" and ")
                )
            }
        };
        let why = self
            .terms
            .conjuncts(clause.constraint)
            .last()
            .and_then(|&c| tree::sides(self.terms, c, &values));
        let cause = match why {
            Some(why) => format!("{begin}: {why}."),
            None => format!("{begin}."),
        };
        Some((cause, node))
    }
}

/// The steps of a run.
fn run_steps(
    terms: &TermStore,
    system: &TransitionSystem,
    run: Option<&Run>,
    states: &[PlainState],
    trace: &mut Trace,
) {
    let played = run.and_then(|run| played_run(terms, system, run));
    let mut drafts: Vec<Vec<Draft>> = Vec::new();
    for (number, state) in states.iter().enumerate() {
        let own = played.as_ref().and_then(|(_, list)| list.get(number));
        drafts.push(state_drafts(terms, state, own));
    }
    let rows = rows(terms, &drafts, &|n| n.checked_sub(1));
    trace.steps = rows.into_iter().enumerate().map(state_step).collect();
    if let Some((places, _)) = &played {
        let (all, matter) = places.counts();
        trace.choices = Some(Choices { matter, all });
    }
    let Some(last) = run.and_then(|run| run.steps.last()) else {
        return;
    };
    let mut values: Assignment = last.state.clone();
    for from in run.map(|r| &r.rigid).into_iter().chain([&last.inputs]) {
        values
            .values
            .extend(from.values.iter().map(|(&t, v)| (t, v.clone())));
        values
            .functions
            .extend(from.functions.iter().map(|(&f, v)| (f, v.clone())));
    }
    trace.failing = tree::tree(terms, system.property, &values);
    let is_false = |&c: &Term| terms.eval_bool(c, &values) == Ok(false);
    let false_one = terms.conjuncts(system.property).into_iter().find(is_false);
    let n = states.len().saturating_sub(1);
    let begin = match n {
        0 => "The property is false in an initial state".to_owned(),
        1 => "After 1 step the property is false".to_owned(),
        n => format!("After {n} steps the property is false"),
    };
    let why = false_one.and_then(|c| tree::sides(terms, c, &values));
    trace.cause = match why {
        Some(why) => format!("{begin}: it demands {why}."),
        None => format!("{begin}."),
    };
}

fn played_run(
    terms: &TermStore,
    system: &TransitionSystem,
    run: &Run,
) -> Option<(Places, Vec<StatePlayed>)> {
    if run.steps.len() > MOST_PLAYED {
        return None;
    }
    let (play, places) = RunPlay::new(terms, system, run);
    let player = Player::new(terms, places.counts().0);
    let minimal = places.minimal(|places| play.play(places, &player).is_some())?;
    let player = Player::new(terms, minimal.counts().0);
    let steps = play.play(&minimal, &player)?;
    Some((minimal, steps))
}

fn state_drafts(terms: &TermStore, state: &PlainState, own: Option<&StatePlayed>) -> Vec<Draft> {
    let named = |var: Term, name: &str| terms.var_name(var) == name;
    let mut drafts = Vec::new();
    for (name, plain) in &state.values {
        let mut draft = Draft::new(name, Role::State, plain.clone());
        if let Some(own) = own {
            let found = own.state.iter().find(|(var, ..)| named(*var, name));
            draft.part = found.map(|(_, part, chosen)| (part.clone(), *chosen));
            for (var, at) in own.reads.iter().filter(|(var, _)| named(*var, name)) {
                let _ = var;
                draft.read(terms, at);
            }
        }
        drafts.push(draft);
    }
    for (name, plain) in &state.inputs {
        let mut draft = Draft::new(name, Role::Input, plain.clone());
        let found = own.and_then(|o| o.inputs.iter().find(|(var, _)| named(*var, name)));
        draft.part = found.map(|(_, part)| (part.clone(), Chosen::Yes));
        drafts.push(draft);
    }
    drafts
}

fn plain_states(terms: &TermStore, states: &[PlainState]) -> Vec<Step> {
    let drafts: Vec<Vec<Draft>> = states
        .iter()
        .map(|s| state_drafts(terms, s, None))
        .collect();
    let rows = rows(terms, &drafts, &|n| n.checked_sub(1));
    rows.into_iter().enumerate().map(state_step).collect()
}

fn state_step((number, values): (usize, Vec<Row>)) -> Step {
    Step {
        number,
        title: match number {
            0 => "initial state".to_owned(),
            n => format!("state {n}"),
        },
        premises: number.checked_sub(1).into_iter().collect(),
        values,
        ..Step::default()
    }
}

fn fact(fact: Option<&PlainFact>) -> String {
    match fact {
        None => "false".to_owned(),
        Some(fact) if fact.arguments.is_empty() => fact.predicate.clone(),
        Some(fact) => format!("{}({})", fact.predicate, listed(&fact.arguments, ", ")),
    }
}

fn cut(text: &str) -> String {
    short(text, MOST_SOURCE)
}

/// A text of at most so many characters.
fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
