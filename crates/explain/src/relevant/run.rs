//! A part of `relevant`: runs of transition systems played forward.

use foretell_systems::{Trace, TransitionSystem};
use foretell_terms::eval::Assignment;
use foretell_terms::{Op, Term, TermMap, TermStore, Value};

use super::{Part, Places, Player, Role, definitions, equations};

/// A cell that is read: the variable and the index.
pub(crate) type Read = (Term, Vec<Value>);

/// The cells of variables that the selects among evaluated terms read.
pub(crate) fn reads(terms: &TermStore, all: &TermMap<Part>) -> Vec<Read> {
    let mut found = Vec::new();
    for &term in all.keys().filter(|&&t| *terms.op(t) == Op::Select) {
        let Some((&array, at)) = terms.args(term).split_first() else {
            continue;
        };
        let mut base = array;
        while *terms.op(base) == Op::Store {
            base = terms.args(base)[0];
        }
        let known = |t: &Term| match all.get(t) {
            Some(Part::Known(value)) => Some(value.clone()),
            _ => None,
        };
        let at: Option<Vec<Value>> = at.iter().map(known).collect();
        if let (Some(_), Some(at)) = (terms.as_var(base), at) {
            found.push((base, at));
        }
    }
    found
}

/// A run, ready to be played.
pub(crate) struct RunPlay<'a> {
    terms: &'a TermStore,
    system: &'a TransitionSystem,
    trace: &'a Trace,
    /// What initial values follow from.
    first: Vec<(Term, Term)>,
    /// What next values follow from, step by step.
    next: Vec<Vec<(Term, Term)>>,
}

/// What a state of a play gave.
#[derive(Default)]
pub(crate) struct StatePlayed {
    /// The state variables, and whether each was chosen.
    pub(crate) state: Vec<(Term, Part, Chosen)>,
    /// The inputs.
    pub(crate) inputs: Vec<(Term, Part)>,
    /// The cells that the step after it, or the property, reads.
    pub(crate) reads: Vec<Read>,
}

/// Whether a value was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Chosen {
    Yes,
    /// It follows from others.
    No,
}

impl<'a> RunPlay<'a> {
    /// The play of a run, with everything known.
    pub(crate) fn new(
        terms: &'a TermStore,
        system: &'a TransitionSystem,
        trace: &'a Trace,
    ) -> (RunPlay<'a>, Places) {
        let current = system.current();
        let nexts: Vec<Term> = system.vars.iter().map(|v| v.next).collect();
        let rigid = |v: Term| system.params.contains(&v);
        let at = |number: usize| trace.steps.get(number);
        let whole = |parts: &[&Assignment]| {
            let mut all = trace.rigid.clone();
            for part in parts {
                all.values
                    .extend(part.values.iter().map(|(&t, v)| (t, v.clone())));
            }
            all
        };
        let begin = at(0).map_or_else(Assignment::new, |s| whole(&[&s.state]));
        let first = equations(terms, system.init, &begin);
        let first = definitions(terms, &first, &current, &mut |v| rigid(v));
        let mut known = |v: Term| rigid(v) || current.contains(&v) || system.inputs.contains(&v);
        let mut next = Vec::new();
        for pair in trace.steps.windows(2) {
            let mut after = Assignment::new();
            for var in &system.vars {
                if let Some(value) = pair[1].state.get(var.cur) {
                    after.insert(var.next, value.clone());
                }
            }
            let values = whole(&[&pair[0].state, &pair[0].inputs, &after]);
            let equations = equations(terms, system.trans, &values);
            next.push(definitions(terms, &equations, &nexts, &mut known));
        }
        let play = RunPlay {
            terms,
            system,
            trace,
            first,
            next,
        };
        let mut places = Places::default();
        for &param in &system.params {
            if let Some(value) = trace.rigid.get(param) {
                places.add(None, param, value, Role::State);
            }
        }
        for (number, step) in trace.steps.iter().enumerate() {
            for &input in &system.inputs {
                if let Some(value) = step.inputs.get(input) {
                    places.add(Some(number), input, value, Role::Input);
                }
            }
            for var in &system.vars {
                let value = step.state.get(var.cur);
                if let (Some(value), None) = (value, play.definition(number, var.cur)) {
                    places.add(Some(number), var.cur, value, Role::State);
                }
            }
        }
        (play, places)
    }

    #[cfg(test)]
    pub(super) fn system(&self) -> &TransitionSystem {
        self.system
    }

    /// What the value of a variable in a state follows from.
    pub(super) fn definition(&self, number: usize, var: Term) -> Option<Term> {
        let (list, wanted) = match number.checked_sub(1).and_then(|n| self.next.get(n)) {
            None => (&self.first, Some(var)),
            Some(next) => {
                let own = self.system.vars.iter().find(|v| v.cur == var);
                (next, own.map(|v| v.next))
            }
        };
        let found = list.iter().find(|(v, _)| Some(*v) == wanted);
        found.map(|(_, term)| *term)
    }

    /// Plays it; `None` when it is not accepted.
    pub(crate) fn play(&self, places: &Places, player: &Player<'_>) -> Option<Vec<StatePlayed>> {
        let (yes, no) = (Value::Bool(true), Value::Bool(false));
        let functions = &self.trace.rigid;
        let mut rigid: TermMap<Part> = TermMap::default();
        for &param in &self.system.params {
            let value = functions.get(param);
            let part = value.map_or(Part::Open, |v| places.part(None, param, v, player));
            rigid.insert(param, part);
        }
        let mut played: Vec<StatePlayed> = Vec::new();
        let mut before: TermMap<Part> = rigid.clone();
        let last = self.trace.steps.len().checked_sub(1)?;
        for (number, step) in self.trace.steps.iter().enumerate() {
            player.charge(4 * self.system.vars.len());
            if player.is_over() {
                return None;
            }
            let (now, state) = self.state(number, places, player, &before)?;
            let mut accepted = true;
            if number == 0 {
                let values = joined(&rigid, &now);
                let all = player.all(&[self.system.init], &values, functions);
                accepted = player.is(self.system.init, &yes, &all);
            } else {
                let primed = self.system.vars.iter().zip(now.values());
                let primed = primed.map(|(v, part)| (v.next, part.clone())).collect();
                let values = joined(&before, &primed);
                let all = player.all(&[self.system.trans], &values, functions);
                accepted &= player.is(self.system.trans, &yes, &all);
                played[number - 1].reads = reads(self.terms, &all);
            }
            let mut inputs = Vec::new();
            before = joined(&rigid, &now);
            for &input in &self.system.inputs {
                let Some(value) = step.inputs.get(input) else {
                    continue;
                };
                let part = places.part(Some(number), input, value, player);
                before.insert(input, part.clone());
                inputs.push((input, part));
            }
            let mut state = StatePlayed {
                state,
                inputs,
                reads: Vec::new(),
            };
            if number == last {
                let all = player.all(&[self.system.property], &before, functions);
                accepted &= player.is(self.system.property, &no, &all);
                state.reads = reads(self.terms, &all);
            }
            if !accepted {
                return None;
            }
            played.push(state);
        }
        Some(played)
    }

    /// The parts of the variables of a state.
    #[allow(
        clippy::type_complexity,
        reason = "a map and the list it was made from"
    )]
    fn state(
        &self,
        number: usize,
        places: &Places,
        player: &Player<'_>,
        before: &TermMap<Part>,
    ) -> Option<(TermMap<Part>, Vec<(Term, Part, Chosen)>)> {
        let step = self.trace.steps.get(number)?;
        // Definitions may mention each other, so they are evaluated in their order.
        let mut values = before.clone();
        let list = number.checked_sub(1).and_then(|n| self.next.get(n));
        let list = list.unwrap_or(&self.first);
        for (var, term) in list {
            let all = player.all(&[*term], &values, &self.trace.rigid);
            values.insert(*var, all[term].clone());
        }
        let mut now: TermMap<Part> = TermMap::default();
        let mut state = Vec::new();
        for var in &self.system.vars {
            let defined = match number {
                0 => var.cur,
                _ => var.next,
            };
            let (part, chosen) = match self.definition(number, var.cur) {
                Some(_) => (values.get(&defined)?.clone(), Chosen::No),
                None => match step.state.get(var.cur) {
                    Some(value) => (
                        places.part(Some(number), var.cur, value, player),
                        Chosen::Yes,
                    ),
                    None => (Part::Open, Chosen::Yes),
                },
            };
            now.insert(var.cur, part.clone());
            state.push((var.cur, part, chosen));
        }
        Some((now, state))
    }
}

/// Both; the second wins.
fn joined(first: &TermMap<Part>, second: &TermMap<Part>) -> TermMap<Part> {
    let mut all = first.clone();
    all.extend(second.iter().map(|(t, p)| (*t, p.clone())));
    all
}
