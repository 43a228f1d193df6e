//! Which values of a counterexample matter, found by replaying it with labelled unknowns. No solver.
//!
//! ```text
//! play(places that are known)            // forward, step by step
//!   a chosen value (input, initial cell, free variable) is itself, or an unknown with a label of its own
//!   a value that an equation of the step defines (x' = t, p(v) derived before) follows: it is t; of a
//!   disjunction the part counts that is true
//!   a term over unknowns is an unknown again, the same one for the same term
//!   accepted: every constraint is true and the property is false, whatever the unknowns are
//! relevant
//!   for each chosen place, inputs first, then the rest of arrays, cells, scalars:
//!     unknown from now on, if the play is still accepted
//! ```
//!
//! Knowing more never makes an accepted play fail, so that one pass finds a minimal set: with it alone the
//! play is accepted, without any one of its places it is not. A property test holds both against generated
//! systems. Limits: [`MOST_NODES`] evaluated nodes, then what is left counts as relevant; quantifiers and
//! tables of functions are not looked into (functions keep their values).
//!
//! The idea of the unknowns is three-valued replay as in counterexample minimisation (Ravi, Somenzi, TACAS
//! 2004); that derived values stay equal to themselves is a part of this project.

pub(crate) mod derivation;
pub(crate) mod partial;
pub(crate) mod run;
#[cfg(test)]
mod tests;

use std::ops::Range;

use foretell_terms::eval::Assignment;
use foretell_terms::{Op, Sort, Term, TermStore, Value};
use indexmap::IndexMap;

pub(crate) use partial::{Part, Player};

/// Nodes evaluated for one counterexample.
pub(crate) const MOST_NODES: usize = 1_000_000;

/// A value that was chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The step; `None` for what is the same in all.
    pub(crate) step: Option<usize>,
    /// The variable.
    pub(crate) var: Term,
    /// Which part of it.
    pub(crate) spot: Spot,
    /// What it is, for the order in which places are tried.
    pub(crate) kind: Kind,
}

/// A part of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Spot {
    /// All of a scalar.
    Whole,
    /// A cell of an array.
    Cell(Vec<Value>),
    /// All cells that are not spelled out.
    Rest,
}

/// What a place is; those that are least likely to matter come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    /// An input of a step.
    Input,
    /// The rest of an array.
    Rest,
    /// A cell.
    Cell,
    /// A scalar.
    Scalar,
}

/// Places and which of them are known.
#[derive(Clone, Default, Debug)]
pub(crate) struct Places {
    list: Vec<(Place, Knowledge)>,
    /// Where the places of a variable in a step are.
    of: IndexMap<(Option<usize>, Term), Range<usize>>,
}

/// Whether a place is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Knowledge {
    Known,
    Unknown,
}

impl Places {
    /// The places of a value that was chosen.
    pub(crate) fn add(&mut self, step: Option<usize>, var: Term, value: &Value, is: Role) {
        let kind = |usual: Kind| match is {
            Role::Input => Kind::Input,
            Role::State => usual,
        };
        let place = |spot: Spot, kind: Kind| Place {
            step,
            var,
            spot,
            kind,
        };
        let begin = self.list.len();
        let mut push = |place: Place| self.list.push((place, Knowledge::Known));
        match value {
            Value::Array(array) => {
                push(place(Spot::Rest, kind(Kind::Rest)));
                for (index, _) in array.entries() {
                    push(place(Spot::Cell(index.clone()), kind(Kind::Cell)));
                }
            }
            _ => push(place(Spot::Whole, kind(Kind::Scalar))),
        }
        self.of.insert((step, var), begin..self.list.len());
    }

    /// A chosen value, with labels where it is unknown.
    pub(crate) fn part(&self, step: Option<usize>, var: Term, value: &Value, of: &Player) -> Part {
        let mut part = Part::of(of.terms(), of.terms().sort(var), value);
        for number in self.of.get(&(step, var)).cloned().unwrap_or_default() {
            let (place, knowledge) = &self.list[number];
            if *knowledge == Knowledge::Unknown {
                part.forget(&place.spot, of.label(number));
            }
        }
        part
    }

    /// How many there are, and how many are known.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let known = self.list.iter().filter(|(_, k)| *k == Knowledge::Known);
        (self.list.len(), known.count())
    }

    /// The places that are known.
    #[cfg(test)]
    pub(crate) fn known(&self) -> Vec<usize> {
        let numbers = 0..self.list.len();
        numbers
            .filter(|&n| self.list[n].1 == Knowledge::Known)
            .collect()
    }

    /// The same with one place less.
    #[cfg(test)]
    pub(crate) fn without(&self, number: usize) -> Places {
        let mut less = self.clone();
        less.list[number].1 = Knowledge::Unknown;
        less
    }

    /// A minimal set of places with which the play is accepted; `None` when it is not even with all.
    pub(crate) fn minimal(self, accepted: impl Fn(&Places) -> bool) -> Option<Places> {
        if !accepted(&self) {
            return None;
        }
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.sort_by_key(|&n| self.list[n].0.kind);
        let mut now = self;
        for number in order {
            now.list[number].1 = Knowledge::Unknown;
            if !accepted(&now) {
                now.list[number].1 = Knowledge::Known;
            }
        }
        Some(now)
    }
}

/// Whether a variable is chosen in a step or carried from one to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Input,
    State,
}

/// Two terms that are equal.
pub(crate) type Equation = (Term, Term);

/// The equations that hold because of the way in which a formula is true: of a disjunction those of one
/// part that is true, of a conditional those of the branch that is taken. Of truth values `b` says
/// `b = true`, and `b ≠ c` says `b = ¬c`.
pub(crate) fn equations(terms: &TermStore, formula: Term, values: &Assignment) -> Vec<Equation> {
    let all = terms.eval_all(&[formula], values);
    let is = |t: Term, wanted: bool| all.get(&t) == Some(&Ok(Value::Bool(wanted)));
    let (mut work, mut found) = (vec![(formula, true)], Vec::new());
    while let Some((term, wanted)) = work.pop() {
        let args = terms.args(term);
        match (terms.op(term), wanted) {
            (Op::Not, _) => work.push((args[0], !wanted)),
            (Op::And, true) | (Op::Or, false) => {
                work.extend(args.iter().rev().map(|&a| (a, wanted)));
            }
            (Op::Or, true) | (Op::And, false) => {
                let mut holding = args.iter().filter(|&&a| is(a, wanted));
                let open = holding.find(|&&a| is_open(terms, a));
                work.extend(open.map(|&a| (a, wanted)));
            }
            (Op::Ite, _) => {
                let taken = if is(args[0], true) { args[1] } else { args[2] };
                work.push((taken, wanted));
            }
            (Op::Eq, true) if is(term, true) => found.push((args[0], args[1])),
            (Op::Eq, false) if is(term, false) && terms.sort(args[0]) == Sort::BOOL => {
                found.push((args[0], terms.not(args[1])));
                found.push((args[1], terms.not(args[0])));
            }
            (Op::App(_), _) if args.is_empty() => found.push((term, terms.bool(wanted))),
            _ => {}
        }
    }
    found
}

/// Whether equations may be inside.
fn is_open(terms: &TermStore, part: Term) -> bool {
    let inner = terms.strip_not(part).0;
    matches!(terms.op(inner), Op::And | Op::Or | Op::Ite | Op::Eq)
}

/// Variables with a defining equation: `v = t` where `t` mentions only what has a value by then.
pub(crate) fn definitions(
    terms: &TermStore,
    equations: &[Equation],
    wanted: &[Term],
    known: &mut dyn FnMut(Term) -> bool,
) -> Vec<(Term, Term)> {
    let mut found: Vec<(Term, Term)> = Vec::new();
    let mut open: Vec<(Term, Term)> = Vec::new();
    for &(a, b) in equations {
        let both = [(a, b), (b, a)];
        open.extend(both.into_iter().filter(|(v, _)| wanted.contains(v)));
    }
    loop {
        let before = found.len();
        for &(var, term) in &open {
            let has = |v: &Term| found.iter().any(|(f, _)| f == v);
            if has(&var) || known(var) {
                continue;
            }
            let free = terms.free_vars(&[term]);
            if free.iter().all(|v| *v != var && (has(v) || known(*v))) {
                found.push((var, term));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
