//! A part of `relevant`: derivations played forward.

use foretell_systems::{ChcSystem, Clause, Derivation};
use foretell_terms::{Term, TermMap, TermStore, Value};

use super::run::{Read, reads};
use super::{Equation, Part, Places, Player, Role, definitions, equations};

/// Where the value of a variable of a clause comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// The argument of a fact that was derived before.
    Premise(usize, usize),
    /// An equation of the clause.
    Defined(Term),
    /// Nowhere: it was chosen.
    Chosen,
}

/// A derivation, ready to be played.
pub(crate) struct DerivationPlay<'a> {
    terms: &'a TermStore,
    system: &'a ChcSystem,
    derivation: &'a Derivation,
    plans: Vec<Vec<(Term, Origin)>>,
}

/// The variables that were chosen in a step.
type ChosenVars = Vec<(Term, Part)>;

/// What a step of a play gave.
#[derive(Default)]
pub(crate) struct StepPlayed {
    /// The arguments of the fact it derives; nothing for `false`.
    pub(crate) fact: Vec<Part>,
    /// The variables that were chosen in it.
    pub(crate) chosen: ChosenVars,
    /// The cells of the variables of its clause that it reads.
    pub(crate) reads: Vec<Read>,
}

impl<'a> DerivationPlay<'a> {
    /// The play of a derivation, with everything known; `None` when its steps are no clauses.
    pub(crate) fn new(
        terms: &'a TermStore,
        system: &'a ChcSystem,
        derivation: &'a Derivation,
    ) -> Option<(DerivationPlay<'a>, Places)> {
        let mut places = Places::default();
        let mut plans = Vec::new();
        for (number, step) in derivation.steps.iter().enumerate() {
            let clause = system.clauses.get(step.clause.index())?;
            let mut values = step.values.clone();
            values.functions.clone_from(&derivation.functions.functions);
            let equations = equations(terms, clause.constraint, &values);
            let plan = plan(terms, clause, &equations);
            for (var, _) in plan.iter().filter(|(_, o)| *o == Origin::Chosen) {
                if let Some(value) = step.values.get(*var) {
                    let role = match clause.body.is_empty() {
                        true => Role::State,
                        false => Role::Input,
                    };
                    places.add(Some(number), *var, value, role);
                }
            }
            plans.push(plan);
        }
        let play = DerivationPlay {
            terms,
            system,
            derivation,
            plans,
        };
        Some((play, places))
    }

    /// Plays it; `None` when it is not accepted.
    pub(crate) fn play(&self, places: &Places, player: &Player<'_>) -> Option<Vec<StepPlayed>> {
        let mut steps: Vec<StepPlayed> = Vec::new();
        for (number, step) in self.derivation.steps.iter().enumerate() {
            if player.is_over() {
                return None;
            }
            let clause = &self.system.clauses[step.clause.index()];
            let (values, chosen) = self.values(number, places, player, &steps)?;
            let mut roots: Vec<Term> = vec![clause.constraint];
            let atoms = clause.body.iter().chain(&clause.head);
            roots.extend(atoms.flat_map(|a| a.args.iter().copied()));
            let all = player.all(&roots, &values, &self.derivation.functions);
            let truth = Value::Bool(true);
            let mut accepted = player.is(clause.constraint, &truth, &all);
            for (atom, &premise) in clause.body.iter().zip(&step.premises) {
                let fact = &steps.get(premise)?.fact;
                let same = |(arg, part): (&Term, &Part)| all[arg].equals(part) == Some(true);
                accepted &= atom.args.iter().zip(fact).all(same);
            }
            if !accepted {
                return None;
            }
            let head = clause.head.iter().flat_map(|a| &a.args);
            steps.push(StepPlayed {
                fact: head.map(|arg| all[arg].clone()).collect(),
                chosen,
                reads: reads(self.terms, &all),
            });
        }
        Some(steps)
    }

    /// The parts of the variables of a step.
    fn values(
        &self,
        number: usize,
        places: &Places,
        player: &Player<'_>,
        before: &[StepPlayed],
    ) -> Option<(TermMap<Part>, ChosenVars)> {
        let step = &self.derivation.steps[number];
        let mut values: TermMap<Part> = TermMap::default();
        let mut chosen = Vec::new();
        for &(var, origin) in &self.plans[number] {
            let part = match origin {
                Origin::Premise(atom, arg) => {
                    let premise = *step.premises.get(atom)?;
                    before.get(premise)?.fact.get(arg)?.clone()
                }
                Origin::Defined(term) => {
                    let all = player.all(&[term], &values, &self.derivation.functions);
                    all[&term].clone()
                }
                Origin::Chosen => match step.values.get(var) {
                    Some(value) => {
                        let part = places.part(Some(number), var, value, player);
                        chosen.push((var, part.clone()));
                        part
                    }
                    None => Part::Open,
                },
            };
            values.insert(var, part);
        }
        Some((values, chosen))
    }
}

/// Where the values of a clause's variables come from, in an order in which they can be found.
fn plan(terms: &TermStore, clause: &Clause, equations: &[Equation]) -> Vec<(Term, Origin)> {
    let mut plan: Vec<(Term, Origin)> = Vec::new();
    for (number, atom) in clause.body.iter().enumerate() {
        for (place, arg) in atom.args.iter().enumerate() {
            let is_new = clause.vars.contains(arg) && !plan.iter().any(|(v, _)| v == arg);
            if is_new {
                plan.push((*arg, Origin::Premise(number, place)));
            }
        }
    }
    loop {
        let mut known = |v: Term| plan.iter().any(|(p, _)| *p == v);
        let found = definitions(terms, equations, &clause.vars, &mut known);
        plan.extend(found.into_iter().map(|(v, t)| (v, Origin::Defined(t))));
        let left = clause
            .vars
            .iter()
            .filter(|v| !plan.iter().any(|(p, _)| p == *v));
        let left: Vec<Term> = left.copied().collect();
        // One that an equation may define later is chosen last.
        let has_equation = |v: &Term| equations.iter().any(|(a, b)| a == v || b == v);
        let free = left.iter().find(|v| !has_equation(v)).or(left.first());
        match free {
            Some(&var) => plan.push((var, Origin::Chosen)),
            None => return plan,
        }
    }
}
